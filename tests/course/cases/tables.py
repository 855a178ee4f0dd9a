"""Tables of every kind, by name; `verdicts.json` has what is to be said of each.

`python -m tests.course.cases.tables` writes that file anew: read what changes in it.
"""

import json
import math
from pathlib import Path

import numpy as np

from posenc import frequencies, sinusoidal
from posenc.diagnose import inspect_table
from tests.posenc.by_formula import ROUNDINGS
from tests.posenc.by_formula import rounded_to_bfloat16 as bfloat16

VERDICTS = Path(__file__).with_name("verdicts.json")


# Pairs that turn, base and rounding of tables whose other pairs stand still.
CUT = [
    *((8, 1e4, rounding) for rounding in ROUNDINGS),
    (3, 1e4, "float64"),
    (16, 1e4, "float32"),
    (16, 1e6, "float64"),  # or two coordinates, of which one is 0
    (20, 5e5, "float16"),
    (31, 1e4, "4 decimals"),
]


def of_frequencies(omega, count=50):
    angles = np.arange(count)[:, np.newaxis] * omega
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(count, -1)


def of_columns(exponents, count=50):
    """Sines in even columns, cosines in odd ones, each with its own exponent of 10 000."""
    angles = np.arange(count)[:, np.newaxis] * 1e4 ** -np.asarray(exponents)
    return np.where(np.arange(len(exponents)) % 2, np.cos(angles), np.sin(angles))


def in_float32(count, width):
    """The recipe of many tutorials, all of it in float32."""
    step = np.float32(-math.log(10_000) / width)
    omega = np.exp(np.arange(0, width, 2, dtype=np.float32) * step)
    angles = np.arange(count, dtype=np.float32)[:, np.newaxis] * omega
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(count, width)


def right():
    """Tables that follow the formula in some setting, before they are rounded."""
    made = {}
    for width in (4, 8, 64, 512):
        for base in (1e4, 1e4 ** (width / (width - 2)), 123.4):
            for layout in ("interleaved", "halves"):
                name = f"width {width}, base {base:.0f}, {layout}"
                made[name] = sinusoidal(np.arange(2, 14), width, base=base, layout=layout)
                made[f"row 1, {name}"] = sinusoidal([1], width, base=base, layout=layout)
    table, halves = sinusoidal(30, 64), sinusoidal(30, 64, layout="halves")
    padded, spoilt = table.copy(), table.copy()
    padded[1], spoilt[7] = 0, sinusoidal([3], 64, base=50)[0]
    rows, columns = np.indices((3, 4)).reshape(2, -1)
    sides = [sinusoidal(each, 16, layout="halves") for each in (rows, columns)]
    return made | {
        "the paper's": table,
        "cosines first, halves": np.roll(halves, 32, axis=1),
        "cosines first": table.reshape(30, 32, 2)[..., ::-1].reshape(30, 64),
        "scaled": table / 8,
        "negative": -table,
        "negative sines": table * np.tile([-1, 1], 32),
        "far": sinusoidal(np.arange(60_000, 60_010), 128),
        "shuffled": np.random.default_rng(5).permutation(sinusoidal(100, 32)),
        "steps": sinusoidal(np.arange(30) / 8, 64),
        "degrees": sinusoidal(np.arange(30) * math.pi / 180, 64),
        "some positions": sinusoidal([3, 141, 59], 64),
        "rounded positions": sinusoidal(bfloat16(np.arange(300)).astype(float), 32),
        "first columns": sinusoidal(30, 512)[:, :10],
        "transposed": table.T,
        "padded": padded,
        "odd": np.pad(table, ((0, 0), (0, 1))),
        "one row spoilt": spoilt,
        "image": np.concatenate([sinusoidal(rows, 16), sinusoidal(columns, 16)], axis=1),
        "image, sines first": np.concatenate(
            [side[:, half] for half in (slice(8), slice(8, 16)) for side in sides], axis=1
        ),
        "row of an image": np.concatenate([sinusoidal([0] * 5, 16), sinusoidal(5, 16)], axis=1),
    }


def others():
    """Tables with one thing changed, and what is no table."""
    rng = np.random.default_rng(0)
    column, even = np.arange(64), np.arange(64) // 2 * 2
    box = np.indices((4, 5, 6)).reshape(3, -1)
    video = zip(box, (24, 36, 36), strict=True)
    cosines = np.cos(np.arange(20)[:, np.newaxis] * frequencies(16))
    one_entry = sinusoidal(50, 64)
    one_entry[20, 5] += 1e-9
    large = math.sqrt(512)
    class_token, repeated = sinusoidal(range(-1, 30), 64), sinusoidal(40, 64)
    class_token[0], repeated[13] = 0, repeated[14]
    angles = np.random.default_rng(0).uniform(0, 2 * np.pi, (2, 4)) * [[0], [1]]
    made = {
        # Right tables that were named otherwise, or denied.
        "base 9990, 1 decimal": sinusoidal(77, 512, base=9990).round(1),
        "base 10010, 2 decimals": sinusoidal(3, 768, base=10010).round(2),
        "base 999 000, 1 decimal": sinusoidal(520, 768, base=999_000).round(1),
        "base 20, all pairs turn round": sinusoidal(1000, 8, base=20).astype(np.float32),
        "base 20, far down, 3 decimals": sinusoidal([5000], 384, base=20).round(3),
        "pairs from 1, 4 decimals": sinusoidal(
            123.4 ** (-1 / 16) * np.arange(1000), 32, base=123.4
        ).round(4),
        "base 9990, float16": sinusoidal(5, 384, base=9990).astype(np.float16),
        "2 decimals, 2 rows": sinusoidal(2, 10).round(2),
        "1 decimal, 3 rows": sinusoidal(3, 192).round(1),
        "a few rows of float32 angles": in_float32(10, 20),
        "times π, 2 decimals": (math.pi * sinusoidal(16, 32)).round(2),
        "divided by √512, 2 decimals": (sinusoidal(16, 512, base=5e5) / large).round(2),
        "class token first": class_token,
        "a row repeated": repeated,
        "twice the same": np.tile(sinusoidal(16, 64), (2, 1)),
        "shifted by 0.0199": sinusoidal(np.arange(50) + 0.0199, 64),
        "shifted, float16": sinusoidal(np.arange(50) + 0.0199, 64).astype(np.float16),
        "steps of 1.0004": sinusoidal(np.arange(50) * 1.0004, 64),
        "jittered": sinusoidal(np.arange(50) + rng.uniform(-0.019, 0.019, 50), 64),
        "position 7.0199": sinusoidal([7.0199], 64),
        "one entry off by 1e-9": one_entry,
        "angles in float32": in_float32(300, 64),
        "angles in float32, stored in bfloat16": bfloat16(in_float32(300, 64)),
        "4 decimals in float32": sinusoidal(50, 64).round(4).astype(np.float32),
        "float16 x √512 in float32": sinusoidal(20, 512, dtype=np.float16) * np.float32(large),
        "bfloat16 x √512 in float32": bfloat16(sinusoidal(20, 512)) * np.float32(large),
        "bfloat16 x √512 in float64": bfloat16(sinusoidal(20, 512)).astype(float) * large,
        "width 2": sinusoidal(50, 2),
        "base 0.5": sinusoidal(50, 64, base=0.5),
        "base 7.7": sinusoidal(50, 16, base=7.7),
        "width 4, base 100": sinusoidal(range(1, 6), 4, base=100),
        "width 4, base 100, 3 decimals": sinusoidal(range(1, 6), 4, base=100).round(3),
        "frequencies 1/i": of_frequencies(1 / np.arange(1, 33)),
        "a row that is cut": sinusoidal([1], 512, layout="halves")[:, :6],
        "two frequencies": of_frequencies(rng.uniform(0.01, 1, 2)),
        "four frequencies": of_frequencies(rng.uniform(0.01, 1, 4)),
        "frequencies in bfloat16": of_frequencies(bfloat16(frequencies(64)).astype(float), 300),
        "frequencies in float16": of_frequencies(frequencies(64).astype(np.float16).astype(float)),
        "all in bfloat16": bfloat16(of_frequencies(bfloat16(frequencies(64)).astype(float), 300)),
        "CogVideoX": np.concatenate([sinusoidal(k, d, layout="halves") for k, d in video], axis=1),
        "a list of frequencies": frequencies(64)[np.newaxis],
        "a list in float32": frequencies(128, base=5e5).astype(np.float32)[np.newaxis],
        "exponent by column": of_columns(column / 64),
        "2*i for even i": of_columns(2 * column / 64),
        "2*i for even i, in both": of_columns(2 * even / 64),
        "2*(i//2)//d": of_columns(0 * column),
        "noise": sinusoidal(50, 64) + rng.normal(size=(50, 64)) * 1e-3,
        "cache": np.concatenate([cosines, cosines], axis=1),
        "cache, neighbours": np.repeat(cosines, 2, axis=1),
        "odd width": sinusoidal(30, 64)[:, :-1],
        "zeros": np.zeros((3, 8)),
        "row 0": sinusoidal(1, 16),
        "equal rows": np.tile(sinusoidal([5], 64), (4, 1)),
        "unit matrix": np.eye(6),
        "position 0, and a row of circles": np.hstack([np.sin(angles), np.cos(angles)]),
        "hardly turned": bfloat16(of_frequencies(np.array([9.6e-4, 2.3e-4, 3.1e-3, 9.8e-4]), 12)),
    }
    for kept, base, rounding in CUT:
        name = f"the first {kept} of 32 pairs, base {base:.0f}; {rounding}"
        omega = np.where(np.arange(32) < kept, frequencies(64, base=base), 0)
        made[name] = ROUNDINGS[rounding][0](of_frequencies(omega))
    for draw in range(8):
        angles = rng.uniform(0, 7, size=(int(rng.integers(1, 9)), int(rng.choice([2, 4, 16]))))
        made[f"circles {draw}"] = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
        made[f"normal {draw}"] = rng.normal(size=(3, 8))
    return made


def tables():
    """Return all tables by name, those that are right in every rounding."""
    rounded = {
        f"{name}; {rounding}": function(np.asarray(table, float))
        for name, table in right().items()
        for rounding, (function, _) in ROUNDINGS.items()
    }
    return {name: np.asarray(table, float) for name, table in (rounded | others()).items()}


if __name__ == "__main__":
    said = {name: str(inspect_table(table)) for name, table in tables().items()}
    VERDICTS.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
