"""Time the verdicts, and the memory they take: a table or a function that is named, and others.

A "no" must cost at most a few times what a "yes" costs.
"""

import os
import tracemalloc
from time import perf_counter

import numpy as np

from posenc import check_rope, frequencies, inspect_table, rope, sinusoidal

ROUNDS = 3


def measured(call):
    """Return the best time of a call in seconds, and its peak of memory in MB."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return min(times), peak


def tables(count, width):
    """Return a table with a name, and others of its size that have none."""
    rng = np.random.default_rng(0)
    omega = rng.uniform(0, 1, width // 2)
    angles = {
        "on circles": rng.uniform(0, 2 * np.pi, (count, width // 2)),
        "other frequencies": np.arange(count)[:, np.newaxis] * omega,
    }
    made = {"the paper's": sinusoidal(count, width), "random": rng.normal(size=(count, width))}
    for name, turned in angles.items():
        made[name] = np.concatenate([np.sin(turned), np.cos(turned)], axis=1)
    made["one entry off"] = sinusoidal(count, width)
    made["one entry off"][count // 2, 3] += 0.1
    made["one column's sign turned"] = sinusoidal(count, width)
    made["one column's sign turned"][:, width // 2] *= -1
    return made


def main():
    print(f"NumPy {np.__version__}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for count, width in ((50, 64), (2000, 512), (2000, 2048), (20_000, 512)):
        first = None
        for name, table in tables(count, width).items():
            taken, peak = measured(lambda table=table: inspect_table(table))
            first = first or taken
            print(
                f"{f'{count} x {width}, {name}':<36}{1e3 * taken:9.1f} ms"
                f"{taken / first:7.1f} x{peak:8.1f} MB"
            )
    for width in (64, 128, 1024):
        first = None
        random = np.sort(np.random.default_rng(0).uniform(0, 1, width // 2))[::-1]
        for name, omega in (("right", frequencies(width)), ("other frequencies", random)):

            def function(x, positions, omega=omega):
                return rope(x, positions, frequencies=omega)

            taken, peak = measured(lambda f=function, width=width: check_rope(f, width))
            first = first or taken
            print(
                f"{f'check_rope, width {width}, {name}':<36}{1e3 * taken:9.1f} ms"
                f"{taken / first:7.1f} x{peak:8.1f} MB"
            )


if __name__ == "__main__":
    main()
