"""Time rotary embedding beside PyTorch's on the same threads.

`make bench` runs this file after table.py. NumPy works in one thread, so PyTorch is held to one
as well; its line with all threads is printed for comparison. A bare copy of the array is the
floor: whatever turns the array must read it and write as much.
"""

import importlib.util
import os
from time import perf_counter

import numpy as np

from posenc import frequencies, rope

SHAPE = (8, 32, 2048, 128)  # batch, heads, tokens, width of a head: 256 MB in float32
ROUNDS = 9


def best_of(methods):
    """Return the best time of each method in seconds; each round goes through all of them."""
    times = {name: [] for name in methods}
    for _ in range(ROUNDS):
        for name, method in methods.items():
            start = perf_counter()
            turned = method()
            times[name].append(perf_counter() - start)
            del turned
    return {name: min(taken) for name, taken in times.items()}


def torch_methods(x):
    """Return what PyTorch users write for each layout, with tables made beforehand."""
    import torch

    rows = torch.from_numpy(x)
    angles = torch.arange(SHAPE[-2])[:, None] * torch.from_numpy(frequencies(SHAPE[-1]))
    turns = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)
    cosine, sine = (torch.cat([f(angles)] * 2, dim=-1).float() for f in (torch.cos, torch.sin))

    def complex_product():
        pairs = torch.view_as_complex(rows.unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * turns).flatten(-2)

    def rotate_half():
        low, high = rows.chunk(2, dim=-1)
        return rows * cosine + torch.cat((-high, low), dim=-1) * sine

    return {"interleaved": complex_product, "halves": rotate_half}


def main():
    x = np.random.default_rng(0).standard_normal(SHAPE, dtype=np.float32)
    print(f"Rotary embedding of {SHAPE} float32, {x.nbytes / 2**20:.0f} MB, milliseconds")
    print(f"NumPy {np.__version__}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    methods = {"copy": x.copy}
    for layout in ("interleaved", "halves"):
        methods[f"posenc, {layout}"] = lambda layout=layout: rope(x, SHAPE[-2], layout=layout)
    measured = best_of(methods)
    if importlib.util.find_spec("torch"):
        import torch

        for threads in sorted({1, torch.get_num_threads()}):
            torch.set_num_threads(threads)
            measured |= best_of(
                {
                    f"torch, {layout}, {threads} threads": method
                    for layout, method in torch_methods(x).items()
                }
            )
    for name, seconds in measured.items():
        print(f"{name:<32}{1e3 * seconds:8.0f}{seconds / measured['copy']:8.1f} x copy")

    part = x[0, 0].astype(np.float64)
    for layout in ("interleaved", "halves"):
        exact = rope(part, SHAPE[-2], layout=layout)
        error = np.abs(rope(x[0, 0], SHAPE[-2], layout=layout) - exact).max()
        print(f"largest error against float64, {layout}: {error:.1e}")


if __name__ == "__main__":
    main()
