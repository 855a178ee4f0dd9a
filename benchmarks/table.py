"""Time the ways to make the table of encodings, and measure their memory.

`make bench` runs this file. The floor is a bare fill of a new array of the same shape and type.
Every timing of a method follows a timing of the floor: "x fill" is the median of their ratio over
all rounds, "best" is the best time over the best floor, which a busy machine spoils least.
How far each is from the true values is what tests/posenc/test_exactness.py prints with `-s`.
PyTorch and packages built on it take part where they are installed, and use all their threads.
posenc uses up to three threads for the larger tables.
"""

import gc
import importlib.util
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

import posenc
from posenc._checks import real_array
from posenc._kept import forget

SIZES = [(4096, 512), (32768, 1024)]
SMALL = [(4, 4), (8, 8), (16, 16), (32, 32), (64, 64), (128, 64)]
README_ROWS = [
    (100, 512, "float64"),
    (4096, 512, "float64"),
    (4096, 512, "float32"),
    (32768, 1024, "float64"),
    (32768, 1024, "float32"),
]
START, TEXTS = 100_000, 4  # where a range begins, and the texts of a packed batch

BASE = 10_000.0
ROUNDS = 60
SECONDS_PER_METHOD = 3.0  # a slow method gets fewer rounds, but at least one


# The recipes, written from the formula


def double_loop(n, d, dtype):
    """Fill the table entry by entry, with a power and a NumPy sine for each."""
    table = np.zeros((n, d), dtype)
    for k in range(n):
        for i in range(d // 2):
            angle = k / np.power(BASE, 2 * i / d)
            table[k, 2 * i] = np.sin(angle)
            table[k, 2 * i + 1] = np.cos(angle)
    return table


def from_angles(angles, dtype):
    n, pairs = angles.shape
    table = np.zeros((n, 2 * pairs), dtype)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def exp_log(n, d, dtype):
    frequencies = np.exp(np.arange(0, d, 2) * (-math.log(BASE) / d))
    return from_angles(np.arange(n)[:, np.newaxis] * frequencies, dtype)


def power(n, d, dtype):
    return from_angles(np.arange(n)[:, np.newaxis] / BASE ** (np.arange(0, d, 2) / d), dtype)


def exp_log_with_angles_in_float32(n, d, dtype):
    exponents = np.arange(0, d, 2, dtype=np.float32) * np.float32(-math.log(BASE) / d)
    angles = np.arange(n, dtype=np.float32)[:, np.newaxis] * np.exp(exponents)
    return from_angles(angles, dtype)


def floor(n, d, dtype):
    table = np.zeros((n, d), dtype)
    table.fill(1.0)
    return table


def posenc_interleaved(n, d, dtype):
    return posenc.sinusoidal(n, d, dtype=dtype)


def posenc_halves(n, d, dtype):
    return posenc.sinusoidal(n, d, layout="halves", dtype=dtype)


def posenc_first_call(n, d, dtype):
    """Make the table as the first call for a width does, with nothing kept from another."""
    forget()
    return posenc.sinusoidal(n, d, dtype=dtype)


FLOATS = ("float64", "float32")
SLOW = 4096 * 512  # entries: more would take minutes of the methods that call Python for each


class Method(NamedTuple):
    """One way to make a table, and what may be asked of it."""

    make: Callable
    dtypes: tuple = FLOATS
    most_entries: float = math.inf
    in_numpy: bool = True  # tracemalloc sees what NumPy allocates, and nothing of PyTorch


METHODS = {
    "posenc": Method(posenc_interleaved),
    "posenc, halves": Method(posenc_halves),
    "posenc, first call": Method(posenc_first_call),
    "NumPy exp(log)": Method(exp_log),
    "NumPy power": Method(power),
    "NumPy float32 angles": Method(exp_log_with_angles_in_float32, dtypes=("float32",)),
    "NumPy double loop": Method(double_loop, most_entries=SLOW),
}


def torch_methods():
    """Return the same recipes in PyTorch, and what is installed of the packages built on it."""
    if not importlib.util.find_spec("torch"):
        return {}
    import torch

    def recipe(frequencies_of):
        def make(n, d, dtype):
            kind = getattr(torch, dtype)
            positions = torch.arange(n, dtype=kind).unsqueeze(1)
            angles = positions * frequencies_of(torch.arange(0, d, 2, dtype=kind), d)
            table = torch.zeros(n, d, dtype=kind)
            table[:, 0::2] = torch.sin(angles)
            table[:, 1::2] = torch.cos(angles)
            return table.numpy()

        return make

    by_exp_log = recipe(lambda evens, d: torch.exp(evens * (-math.log(BASE) / d)))
    by_power = recipe(lambda evens, d: 1.0 / BASE ** (evens / d))
    single = {"dtypes": ("float32",), "in_numpy": False}
    methods = {
        "torch exp(log)": Method(by_exp_log, in_numpy=False),
        "torch power": Method(by_power, in_numpy=False),
    }
    if importlib.util.find_spec("positional_encodings"):
        from positional_encodings.torch_encodings import PositionalEncoding1D

        def positional_encodings(n, d, _):
            return PositionalEncoding1D(d)(torch.empty(1, n, d))[0].numpy()

        methods["positional-encodings"] = Method(positional_encodings, **single)
    if importlib.util.find_spec("x_transformers"):
        from x_transformers.x_transformers import ScaledSinusoidalEmbedding

        def x_transformers(n, d, _):
            module = ScaledSinusoidalEmbedding(d)
            module.scale.data.fill_(1.0)
            with torch.no_grad():
                return module(torch.empty(1, n, d)).numpy()

        methods["x-transformers"] = Method(x_transformers, **single)
    if importlib.util.find_spec("transformers"):
        from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

        def transformers(n, d, _):
            return MarianSinusoidalPositionalEmbedding(n, d).create_weight().numpy()

        methods["transformers, Marian"] = Method(transformers, most_entries=SLOW, **single)
    return methods


# What is measured


def seconds(function, *arguments):
    start = perf_counter()
    result = function(*arguments)
    elapsed = perf_counter() - start
    del result
    return elapsed


def time_all(methods, n, d, dtype):
    """Return for each method: best time in seconds, median ratio to the floor, ratio of bests.

    Each round goes through all methods, so that a busy spell of the machine meets them all.
    """
    times = {name: [] for name in methods}
    floors = {name: [] for name in methods}
    gc.disable()
    for _ in range(ROUNDS):
        for name, method in methods.items():
            if sum(times[name]) < SECONDS_PER_METHOD:
                floors[name].append(seconds(floor, n, d, dtype))
                times[name].append(seconds(method.make, n, d, dtype))
    gc.enable()
    lowest = min(min(taken) for taken in floors.values())
    return {
        name: (
            min(taken),
            statistics.median(
                time / least for time, least in zip(taken, floors[name], strict=True)
            ),
            min(taken) / lowest,
        )
        for name, taken in times.items()
    }


def memory_beyond_the_result(function, n, d, dtype):
    """Return the peak of memory that is not the result, as a part of the result."""
    gc.collect()
    tracemalloc.start()
    table = function(n, d, dtype)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / table.nbytes - 1


# What is printed


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}")


def line(*cells):
    first, *others = cells
    print(f"{first:<24}" + "".join(f"{cell:>14}" for cell in others), flush=True)


def machine():
    print(f"Processor   {processor()}, {os.cpu_count()} cores")
    print(f"System      {platform.system()} {platform.machine()}, load {load()}")
    print(f"Python      {platform.python_version()}, NumPy {np.__version__}")
    if importlib.util.find_spec("torch"):
        import torch

        print(f"PyTorch     {torch.__version__}, {torch.get_num_threads()} threads")
    else:
        print("PyTorch     not installed")


def processor():
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for entry in listing.read_text(encoding="utf-8").splitlines():
            if entry.startswith("model name"):
                return entry.partition(":")[2].strip()
    return platform.processor() or "unknown"


def load():
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def large_tables(methods):
    for n, d in SIZES:
        for dtype in FLOATS:
            chosen = {
                name: method
                for name, method in methods.items()
                if dtype in method.dtypes and n * d <= method.most_entries
            }
            size = n * d * np.dtype(dtype).itemsize / 2**20
            heading(f"{n} x {d} {dtype}, {size:.0f} MB")
            line("", "best, ms", "x fill", "best x fill", "x posenc", "memory")
            # PyTorch's threads stay busy for a while after their work, so it comes second.
            groups = [
                {name: method for name, method in chosen.items() if method.in_numpy == in_numpy}
                for in_numpy in (True, False)
            ]
            measured = {}
            for group in groups:
                if group:
                    measured |= time_all(group, n, d, dtype)
            for name, method in chosen.items():
                best, ratio, best_ratio = measured[name]
                seen = method.in_numpy and method.make is not double_loop
                more = memory_beyond_the_result(method.make, n, d, dtype) if seen else None
                line(
                    name,
                    f"{1e3 * best:.2f}",
                    f"{ratio:.2f}",
                    f"{best_ratio:.2f}",
                    f"{best / measured['posenc'][0]:.2f}",
                    "-" if more is None else f"+{more:.1%}",
                )


def small_tables():
    heading("Small tables, float64, microseconds, the best of many runs")
    line("", "posenc", "halves", "exp(log)", "ratio", "first call")
    for n, d in SMALL:
        best = {}
        for name, function in [
            ("posenc", posenc_interleaved),
            ("halves", posenc_halves),
            ("recipe", exp_log),
            ("first", posenc_first_call),
        ]:
            runs = 30 if name == "first" else 1000
            best[name] = 1e6 * min(seconds(function, n, d, "float64") for _ in range(runs))
        line(
            f"{n} x {d}",
            *(f"{best[name]:.1f}" for name in ("posenc", "halves", "recipe")),
            f"{best['recipe'] / best['posenc']:.1f}",
            f"{best['first']:.0f}",
        )


def readme_table():
    """Print the table of the README, ready to paste, and an array of positions beside it.

    The count is the yardstick of the recipe, the range and the batch; the recipe is that of the
    first call, with nothing kept from another.
    """
    heading("The table of the README")
    titles = [
        "Table",
        "A count, ms",
        "The recipe takes, times as long",
        "A range from 100 000 on, times the count",
        "A packed batch, times the count",
        "First call, times the recipe",
    ]
    print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}")
    arrays = []
    for n, d, dtype in README_ROWS:
        far = range(START, START + n)
        batch = np.tile(np.arange(n // TEXTS), (TEXTS, 1))
        # The largest table is filled in place: the system hands out that much memory slowly.
        out = np.empty((n, d), dtype) if n * d > SLOW else None
        packed = None if out is None else out.reshape(TEXTS, n // TEXTS, d)
        calls = {
            "count": partial(posenc.sinusoidal, n, d, dtype=dtype, out=out),
            "range": partial(posenc.sinusoidal, far, d, dtype=dtype, out=out),
            "array": partial(posenc.sinusoidal, np.array(far), d, dtype=dtype, out=out),
            "batch": partial(posenc.sinusoidal, batch, d, dtype=dtype, out=packed),
            "recipe": partial(exp_log, n, d, dtype),
        }
        best = dict.fromkeys([*calls, "first"], math.inf)
        rounds = 40 if n * d <= SLOW else 12
        for _ in range(rounds):
            for name in ("count", "range", "array", "batch", "recipe"):
                # Twice: after a call of another kind the memory may have to be had anew.
                best[name] = min(best[name], seconds(calls[name]), seconds(calls[name]))
        for _ in range(rounds):  # apart, since it empties what the others keep
            forget()
            best["first"] = min(best["first"], seconds(calls["count"]))
        count, recipe = best["count"], best["recipe"]
        cells = [
            f"{n} × {d}, {dtype}".replace("32768", "32 768"),
            f"{1e3 * count:.2g}",
            f"{recipe / count:.0f}",
            f"{best['range'] / count:.1f}",
            f"{best['batch'] / count:.1f}",
            f"{best['first'] / recipe:.2f}",
        ]
        print(f"| {' | '.join(cells)} |", flush=True)
        arrays.append(f"{best['array'] / count:.1f}")
    print(f"An array of the positions from {START} on, times the count: {', '.join(arrays)}")


def lists_of_positions():
    heading("A million positions in a list or a range: reading them, milliseconds")
    line("", "posenc", "np.asarray", "ratio")
    count = 1_000_000
    for name, values in {
        "range in steps of 2": range(0, 2 * count, 2),
        "integers": list(range(count)),
        "floats": [k / 2 for k in range(count)],
        "lists of two": [[k, k / 2] for k in range(count // 2)],
    }.items():
        rounds = range(7)
        read = min(seconds(real_array, values, "positions") for _ in rounds)
        plain = min(seconds(np.asarray, values) for _ in rounds)
        line(name, f"{1e3 * read:.1f}", f"{1e3 * plain:.1f}", f"{read / plain:.1f}")


def import_time():
    code = (
        "from time import perf_counter as now; a = now(); import numpy; b = now(); import posenc;"
        "print(b - a, now() - b)"
    )
    with tempfile.TemporaryDirectory() as folder:
        # Compiled files, as an installed package has them, whatever this shell forbids.
        environment = os.environ | {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-c", code]
        runs = [
            subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            for _ in range(16)
        ][1:]  # the first compiles
    pairs = [[1e3 * float(part) for part in run.stdout.split()] for run in runs]
    numpy_time, more = (statistics.median(column) for column in zip(*pairs, strict=True))
    heading("Import, milliseconds")
    line("import numpy", f"{numpy_time:.1f}")
    line("import posenc after it", f"{more:.1f}")


def main():
    methods = METHODS | torch_methods()
    machine()
    large_tables(methods)
    small_tables()
    readme_table()
    lists_of_positions()
    import_time()
    print(f"\nLoad at the end: {load()}. Well above 1 means that others used the machine too.")


if __name__ == "__main__":
    main()
