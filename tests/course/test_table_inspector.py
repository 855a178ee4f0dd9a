"""The view that names a pasted table gives the answers of `inspect_table`, on the same numbers."""

import json

import numpy as np
import pytest

from posenc import sinusoidal
from posenc.diagnose import inspect_table
from posenc_course.views import TableInspector
from tests.course.cases.tables import VERDICTS, tables
from tests.course.v8 import Module
from tests.posenc.by_formula import rounded_to_bfloat16 as bfloat16

SAID = json.loads(VERDICTS.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def in_the_page():
    """Return what calls a function of the view's module with a value."""
    page = Module(TableInspector._module)
    yield lambda call, value: page.each(call, [value])[0]
    page.engine.close()


@pytest.fixture(scope="module")
def made():
    return tables()


def test_there_is_a_verdict_for_every_table(made):
    assert list(SAID) == list(made)
    assert len({text.partition(":")[0] for text in SAID.values()}) >= 5


def test_function_says_what_is_written_down(made):
    said = {name: str(inspect_table(table)) for name, table in made.items()}
    assert {name: text for name, text in said.items() if text != SAID[name]} == {}


def test_page_says_what_is_written_down(made, in_the_page):
    said = {
        name: in_the_page("(rows) => answer(inspect(rows))", table.tolist())
        for name, table in made.items()
    }
    assert {name: text for name, text in said.items() if text != SAID[name]} == {}


@pytest.mark.parametrize("d", [2, 4, 6, 8, 12])
def test_page_and_function_agree_on_few_digits(d, in_the_page):
    for base, length in ((100, 31), (10_000, 58), (10_000, 2), (500_000, 40)):
        for decimals in (1, 2, 3):
            table = sinusoidal(length, d, base=base).round(decimals)
            said = in_the_page("(rows) => answer(inspect(rows))", table.tolist())
            assert said == str(inspect_table(table)), (base, length, decimals)


def test_page_denies_a_table_with_one_column_turned(in_the_page):
    table = sinusoidal(50, 64) * np.where(np.arange(64) == 6, -1, 1)
    assert "column 6 has the opposite sign" in str(inspect_table(table))
    said = in_the_page("(rows) => answer(inspect(rows))", table.tolist())
    assert said.startswith("Not a sinusoidal table")


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
def test_prints_of_numpy_and_pytorch_are_read(text, in_the_page):
    np.testing.assert_allclose(in_the_page("(text) => parse(text).rows", text), TABLE, atol=1e-7)


@pytest.mark.parametrize("count", [1, 2, 5, 40])
@pytest.mark.parametrize("width", [8, 16, 64])
@pytest.mark.parametrize("scientific", [None, True, False])
@pytest.mark.parametrize("kind", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_raw_prints_are_named_rightly(library, kind, scientific, width, count, in_the_page):
    table = sinusoidal(np.arange(1, count + 1), width, layout="halves")
    text = printed(library, table, kind, scientific)
    said = in_the_page(
        "(text) => answer(((read) => inspect(read.rows, read.print))(parse(text)))", text
    )
    if kind in ("bfloat16", "float16") and count == 1 and width == 8:
        assert said.startswith(("Sinusoidal: halves", "Too few")), (text, said)
        return
    assert said.startswith("Sinusoidal: halves, base 10 000"), (text, said)
    assert "position 1" in said
    assert "angles in" not in said
    if kind in ("bfloat16", "float16") and width * count > 16:
        assert f"rounded to {kind}" in said


def printed(library, table, kind, scientific):
    """Return what a library prints, in default or in powers of ten."""
    if library == "torch":
        torch = pytest.importorskip("torch")
        torch.set_printoptions(profile="full", sci_mode=scientific)
        try:
            return str(torch.from_numpy(table).to(getattr(torch, kind)))
        finally:
            torch.set_printoptions(profile="default")
    values = bfloat16(table) if kind == "bfloat16" else table.astype(kind)
    form = None if not scientific else {"float": lambda value: f"{value:.8e}"}
    suppress = scientific is False
    return np.array2string(
        values, threshold=10**9, formatter=form, suppress_small=suppress, precision=8
    )


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
def test_text_that_is_no_table_is_answered(text, said, in_the_page):
    assert said in in_the_page("(text) => parse(text)", text)
