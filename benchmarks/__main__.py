"""How fast: tables beside the usual recipe and a bare fill, rotary embedding, and verdicts.

Each number is the best of many calls, warm unless it says otherwise. The recipe is what most code
has: NumPy's sine and cosine of positions times frequencies in float64. PyTorch takes part in rotary
embedding where it is installed. How exact tables are, tests/posenc/test_exactness.py prints (`-s`).
"""

import importlib.util
import math
import os
import platform
import tracemalloc
from time import perf_counter

import numpy as np

from posenc import frequencies, rope, sinusoidal, sinusoids
from posenc.frequencies import split_frequencies
from posenc_check import check_rope, inspect_table

TABLES = [(128, 64, "float64")]
TABLES += [
    (n, d, kind) for n, d in ((4096, 512), (32_768, 1024)) for kind in ("float64", "float32")
]
HEADS = (4, 32, 2048, 128)  # batch, heads, tokens, width of a head


def recipe(n, d):
    angles = np.arange(n)[:, np.newaxis] * np.exp(np.arange(0, d, 2) * (-math.log(1e4) / d))
    table = np.zeros((n, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def best(calls, rounds):
    """Return the best time of each call in seconds; a busy spell of the machine meets them all."""
    times = dict.fromkeys(calls, math.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            for _ in range(2):  # the second finds the memory that the first has freed
                start = perf_counter()
                result = call()
                times[name] = min(times[name], perf_counter() - start)
                del result
    return times


def beside(call):
    """Return the memory that a call takes beside its result, as a part of it."""
    tracemalloc.start()
    result = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / result.nbytes - 1


def measured(n, d, kind):
    """Return a row of the table of `posenc/README.md`."""
    far, texts = range(100_000, 100_000 + n), np.tile(np.arange(n // 4), (4, 1))

    def fill():
        np.zeros((n, d), kind).fill(1.0)

    def count():
        return sinusoidal(n, d, dtype=kind)

    def first():
        sinusoids._rows.cache_clear()
        split_frequencies.cache_clear()
        return count()

    rounds = min(500, 2**27 // (n * d) + 4)
    calls = {"fill": fill, "count": count}
    calls["halves"] = lambda: sinusoidal(n, d, dtype=kind, layout="halves")
    calls["range"] = lambda: sinusoidal(far, d, dtype=kind)
    calls["batch"] = lambda: sinusoidal(texts, d, dtype=kind)
    time = best(calls, rounds)
    time |= best({"recipe": lambda: recipe(n, d), "first": first}, rounds // 4 + 1)
    cells = [f"{n} × {d}, {kind}", f"{1e3 * time['count']:.2g}"]
    cells += [f"{time['recipe'] / time['count']:.0f}", f"{time['count'] / time['fill']:.1f}"]
    cells += [f"{time[name] / time['count']:.1f}" for name in ("halves", "range", "batch")]
    return [*cells, f"{time['first'] / time['recipe']:.2f}", f"{beside(count):.1%}"]


def rotary():
    x = np.random.default_rng(0).standard_normal(HEADS, dtype=np.float32)
    calls = {"copy": x.copy, "posenc, interleaved": lambda: rope(x, HEADS[-2])}
    calls["posenc, halves"] = lambda: rope(x, HEADS[-2], layout="halves")
    if importlib.util.find_spec("torch"):
        import torch

        angles = torch.outer(torch.arange(HEADS[-2]), torch.from_numpy(frequencies(HEADS[-1])))
        turns = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)
        pairs = torch.view_as_complex(torch.from_numpy(x).unflatten(-1, (-1, 2)))
        calls["torch, interleaved"] = lambda: torch.view_as_real(pairs * turns).flatten(-2)
    print(f"\nRotary embedding of {HEADS} float32, milliseconds")
    for name, taken in best(calls, 4).items():
        print(f"{name:<24}{1e3 * taken:8.0f}")


def verdicts():
    print("\nVerdicts on what has a name and on what has none, milliseconds")
    rng, calls = np.random.default_rng(0), {}
    for n, d in ((50, 64), (2000, 512), (8192, 4096)):
        for name, table in (("named", sinusoidal(n, d)), ("random", rng.normal(size=(n, d)))):
            calls[f"{n} x {d}, {name}"] = lambda table=table: inspect_table(table)
    for name, taken in best(calls, 2).items():
        print(f"{name:<24}{1e3 * taken:8.1f}")


# Functions that no cause gives: what they do beside turning queries and keys.
WITHOUT_A_NAME = {
    "columns grow": lambda x, k: rope(x, k) * np.linspace(1, 2, x.shape[-1]),
    "cubes are added": lambda x, k: rope(x, k) + 0.02 * x**3,
    "1.5 times from 7777 on": lambda x, k: rope(x, k) * np.where(k < 7777, 1, 1.5)[..., None],
    "the other way in long texts": lambda x, k: rope(x, k if k.max() < 7777 else -k),
    "large numbers are cut": lambda x, k: np.clip(rope(x, k), -5, 5),
}


def functions():
    print("\ncheck_rope, heads of 64 columns: milliseconds, and times the first")
    calls = {"RoPE": lambda: check_rope(rope, 64)}
    for name, function in WITHOUT_A_NAME.items():
        calls[name] = lambda function=function: check_rope(function, 64)
    taken = best(calls, 4)
    for name, time in taken.items():
        print(f"{name:<28}{1e3 * time:8.1f}{time / taken['RoPE']:8.1f}")


def main():
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(f"{machine}, Python {platform.python_version()}, NumPy {np.__version__}\n")
    heads = ("Table", "From a count (ms)", "The recipe (× the count)", "The count (× a bare fill)")
    heads += ("In halves (× the count)", "A range from 100 000 on", "A packed batch")
    heads += ("First call (× the recipe)", "Memory beside the table")
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for table in TABLES:
        print(f"| {' | '.join(measured(*table))} |", flush=True)
    rotary()
    verdicts()
    functions()
    print(f"\nLoad at the end {os.getloadavg()[0]:.1f}: well above 1, others used the machine too.")


if __name__ == "__main__":
    main()
