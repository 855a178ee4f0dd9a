"""The view that names a pasted table gives the answers of `inspect_table`, on the same numbers."""

import json
import math

import numpy as np
import pytest

from course.views import TableInspector
from posenc import frequencies, inspect_table, sinusoidal
from tests.course.v8 import Module


@pytest.fixture(scope="module")
def page():
    return Module(TableInspector._module)


def bfloat16(values):
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


ROUNDINGS = (
    lambda table: table,
    lambda table: table.astype(np.float32),
    lambda table: table.astype(np.float16),
    bfloat16,
    lambda table: table.round(4),
)


def tables():
    """Return tables of every kind, with a name for each."""
    rng = np.random.default_rng(5)
    made = {}

    def add(name, table):
        for number, rounding in enumerate(ROUNDINGS):
            made[f"{name}, rounding {number}"] = rounding(np.asarray(table, float))

    for width in (4, 8, 64, 512):
        for base in (1e4, 1e4 ** (width / (width - 2)), 123.4):
            for layout in ("interleaved", "halves"):
                settings = {"base": base, "layout": layout}
                name = f"width {width}, base {base:.0f}, {layout}"
                add(name, sinusoidal(np.arange(2, 14), width, **settings))
                add(f"row 1, {name}", sinusoidal([1], width, **settings))
    halves = sinusoidal(30, 64, layout="halves")
    table = sinusoidal(30, 64)
    add("cosines first, halves", np.roll(halves, 32, axis=1))
    add("cosines first", table.reshape(30, 32, 2)[..., ::-1].reshape(30, 64))
    add("scaled", table / 8)
    add("negative", -table)
    add("negative sines", table * np.tile([-1, 1], 32))
    add("far", sinusoidal(np.arange(60_000, 60_010), 128))
    add("shuffled", rng.permutation(sinusoidal(100, 32)))
    add("steps", sinusoidal(np.arange(30) / 8, 64))
    add("degrees", sinusoidal(np.arange(30) * math.pi / 180, 64))
    add("some positions", sinusoidal([3, 141, 59], 64))
    add("rounded positions", sinusoidal(bfloat16(np.arange(300)).astype(float), 32))
    add("first columns", sinusoidal(30, 512)[:, :10])
    add("transposed", table.T)
    padded = table.copy()
    padded[1] = 0
    add("padded", padded)
    add("odd", np.pad(table, ((0, 0), (0, 1))))
    rows, columns = np.indices((3, 4)).reshape(2, -1)
    add("image", np.concatenate([sinusoidal(rows, 16), sinusoidal(columns, 16)], axis=1))
    sides = [sinusoidal(each, 16, layout="halves") for each in (rows, columns)]
    stacked = [side[:, :8] for side in sides] + [side[:, 8:] for side in sides]
    add("image, sines first", np.concatenate(stacked, axis=1))
    add("row of an image", np.concatenate([sinusoidal([0] * 5, 16), sinusoidal(5, 16)], axis=1))
    spoilt = sinusoidal(30, 64)
    spoilt[7] = sinusoidal([3], 64, base=50)[0]
    add("spoilt", spoilt)
    cosines = np.cos(np.arange(20)[:, np.newaxis] * frequencies(16))
    add("cache", np.concatenate([cosines, cosines], axis=1))
    add("cache, neighbours", np.repeat(cosines, 2, axis=1))
    column = np.arange(16)
    angles = np.arange(20)[:, np.newaxis] * 1e4 ** (-column / 16)
    add("own frequencies", np.where(column % 2, np.cos(angles), np.sin(angles)))
    add("odd width", table[:, :-1])
    add("zeros", np.zeros((3, 8)))
    add("row 0", sinusoidal(1, 16))
    add("equal rows", np.tile(table[5], (4, 1)))
    add("unit matrix", np.eye(6))
    for number in range(12):
        angles = rng.uniform(0, 7, size=(int(rng.integers(1, 9)), int(rng.choice([2, 4, 16]))))
        add(f"random {number}", np.concatenate([np.sin(angles), np.cos(angles)], axis=1))
        add(f"normal {number}", rng.normal(size=(3, 8)))
    return made


def test_page_and_function_say_the_same_of_every_table(page):
    made = tables()
    said = page.each("(rows) => answer(inspect(rows))", [table.tolist() for table in made.values()])
    expected = [str(inspect_table(table)) for table in made.values()]
    differ = {
        name: (page, function)
        for name, page, function in zip(made, said, expected, strict=True)
        if page != function
    }
    assert not differ, list(differ.items())[:5]
    assert len({text.split(":")[0] for text in said}) >= 5  # every kind of answer is among them


TABLE = sinusoidal(3, 8).round(6)


@pytest.mark.parametrize(
    "text",
    [
        str(TABLE),
        repr(TABLE),
        repr(TABLE.astype(np.float32)),
        "\n".join(" ".join(map(str, row)) for row in TABLE),
        "\n".join(",".join(map(str, row)) for row in TABLE),
        "\n".join("\t".join(map(str, row)) for row in TABLE),
        json.dumps(TABLE.tolist()),
        str(TABLE).replace("-", "\u2212"),
        "tensor("
        + json.dumps(TABLE.tolist()).replace("],", "],\n       ")
        + ", dtype=torch.float64)",
    ],
)
def test_prints_of_numpy_and_pytorch_are_read(page, text):
    (rows,) = page.each("(text) => parse(text)", [text])
    np.testing.assert_allclose(rows, TABLE, atol=1e-7)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Paste rows of a table"),
        ("hello", "Paste rows of a table"),
        ("[[0.1, 0.2, ..., 0.3]]", "The print is cut short (...)"),
        ("1 2 3\n4 5", "The rows have different lengths (3, 2)"),
        ("nan 1\n2 3", "NaN or infinite"),
        ("5", "at least two numbers"),
    ],
)
def test_text_that_is_no_table_is_answered(page, text, said):
    (answer,) = page.each("(text) => parse(text)", [text])
    assert said in answer
