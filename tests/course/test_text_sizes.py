"""On a phone of 390 px, which a figure of 6.2 inches fills, no text of a figure is under 11 px."""

import ast
from itertools import chain
from pathlib import Path

import matplotlib as mpl
import pytest

from extensions.contents import notebooks_in_toc
from posenc_course.figures import style
from tests.pages import read

FIGURES = Path(style.__file__).parent
WIDTH = 6.2  # inches
PHONE = 390  # px
SIZES = "font.size", "axes.titlesize", "axes.labelsize", "xtick.labelsize", "ytick.labelsize"


def pixels(points):
    """Return how tall text of so many points is on the phone."""
    return points / 72 * PHONE / WIDTH


def programs():
    """Yield what each program is called, and its text: the figures' modules, and drawing cells."""
    for path in sorted(FIGURES.glob("*.py")):
        yield path.name, path.read_text(encoding="utf-8")
    for path in notebooks_in_toc():
        for number, cell in enumerate(read(path).cells):
            if cell.cell_type == "code" and "plt." in cell.source:
                yield f"{path.name}, cell {number}", cell.source


def given(program, *names):
    """Return the numbers that a program gives as arguments, or in dictionaries, of these names."""
    nodes = list(ast.walk(ast.parse(program)))
    calls = [(word.arg, word.value) for word in nodes if isinstance(word, ast.keyword)]
    tables = chain.from_iterable(
        zip(node.keys, node.values, strict=True) for node in nodes if isinstance(node, ast.Dict)
    )
    written = [(key.value, value) for key, value in tables if isinstance(key, ast.Constant)]
    return [value for name, value in calls + written if name in names]


def test_the_style_has_no_smaller_text():
    with mpl.style.context(FIGURES / "posenc.mplstyle"):
        sizes = {name: mpl.rcParams[name] for name in (*SIZES, "legend.fontsize")}
        assert mpl.rcParams["figure.figsize"][0] == WIDTH
    small = {name: size for name, size in sizes.items() if pixels(size) < 11}
    assert not small
    assert 11 <= pixels(style.SMALL) < 11.1


@pytest.mark.parametrize(
    "program", [pytest.param(text, id=name) for name, text in programs() if "size" in text]
)
def test_no_program_writes_smaller_or_draws_wider(program):
    for size in given(program, "fontsize", "labelsize", "titlesize"):
        assert not isinstance(size, ast.Constant) or pixels(size.value) >= 11, ast.unparse(size)
    for size in given(program, "figsize"):
        assert ast.literal_eval(size)[0] == WIDTH
