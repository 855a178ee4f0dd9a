"""Labels of still figures in another language: on stored notebooks, and on a figure of one line."""

import base64
import contextlib
import warnings

import matplotlib.pyplot as plt
import nbformat
import pytest
from matplotlib.text import Text

from extensions import contents, labels

DRAW = """\
import matplotlib.pyplot as plt
figure, ax = plt.subplots(figsize=(2, 2))
ax.set(xlabel="pair i", xticks=[0], xticklabels=["none"])
ax.set_title("k = 2")
print("drawn")
"""


def notebook(png="stored"):
    """A notebook with a cell that draws, after one on which it depends."""
    data = {"image/png": base64.b64encode(png.encode()).decode()}
    cells = [
        nbformat.v4.new_code_cell("length = 2\nother = 3"),
        nbformat.v4.new_code_cell(f"{DRAW}ax.plot(range(length))"),
        nbformat.v4.new_markdown_cell("Words"),
    ]
    cells[1].outputs = [
        nbformat.v4.new_output("stream", text="drawn\n"),
        nbformat.v4.new_output("display_data", data),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def shown(found):
    return base64.b64decode(contents.picture(found.cells[1]))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for pictures, and a language with a font that is everywhere."""
    monkeypatch.setattr(labels, "KEPT", tmp_path / "kept")
    monkeypatch.setitem(labels.FONTS, "zh_CN", ("None Such", "DejaVu Sans"))
    monkeypatch.setattr(labels, "words", lambda _, page, _context: {"pair i": f"dui i, {page}"})
    labels.font_of.cache_clear()
    yield tmp_path / "kept"
    labels.font_of.cache_clear()


@pytest.mark.parametrize("page", ["04_worked_example", "06_rotation"])
def test_without_words_a_figure_is_drawn_as_it_is_stored(page):
    """The notebook ran in a kernel, and this does not: not a byte of the PNG differs."""
    cells = [*labels.drawing_cells(contents.read(contents.path_of(f"book/{page}")))]
    assert len(cells) == 4
    for cell, code in cells:
        assert labels.png_of(code, str) == base64.b64decode(contents.picture(cell))


def test_labels_are_the_texts_with_words_once_each_and_those_of_ticks_too():
    assert labels.labels(notebook()) == ["pair i", "none"]


def test_a_cell_runs_after_what_it_needs(capsys):
    ((_, code),) = labels.drawing_cells(notebook())
    assert "length = 2" in code
    assert "other" not in code
    labels.png_of(code, str)
    assert capsys.readouterr().out == ""
    assert plt.get_fignums() == []


def test_matplotlib_writes_its_own_texts_again_after_a_figure_or_an_error():
    own = Text.set_text
    for code in (DRAW, "1 / 0"):
        with contextlib.suppress(ZeroDivisionError):
            labels.png_of(code, str.upper)
        assert Text.set_text is own
        assert Text(text="pair i").get_text() == "pair i"


def test_a_picture_is_drawn_once_for_each_translation(folder, monkeypatch):
    png_of, asked = labels.png_of, []
    monkeypatch.setattr(labels, "png_of", lambda *all_: asked.append(all_) or png_of(*all_))
    found = [notebook(), notebook(), notebook()]
    for each, page in zip(
        found, ["book/06_rotation", "book/06_rotation", "book/09_rope"], strict=True
    ):
        labels.translate(each, page, "zh_CN")
    first, again, other = map(shown, found)
    assert first.startswith(b"\x89PNG")
    assert again == first
    assert other != first
    assert len(asked) == len([*folder.iterdir()]) == 2
    ((_, code),) = labels.drawing_cells(notebook())
    assert first != png_of(code, str, "DejaVu Sans")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("page", "language"), [("book/06_rotation", "en"), ("book/12_port", "zh_CN")]
)
def test_an_english_page_keeps_its_pictures(page, language):
    found = notebook()
    labels.translate(found, page, language)
    assert shown(found) == b"stored"


@pytest.mark.usefixtures("folder")
def test_without_a_font_pictures_stay_and_the_build_says_so_once(monkeypatch):
    said = []
    monkeypatch.setattr(labels.logger, "info", lambda text, *values: said.append(text % values))
    monkeypatch.setitem(labels.FONTS, "zh_CN", ("None Such", "None Either"))
    for _ in range(2):
        found = notebook()
        labels.translate(found, "book/06_rotation", "zh_CN")
        assert shown(found) == b"stored"
    assert said == [
        "No font for figures in zh_CN, such as None Such: their labels stay in English."
    ]


def test_letters_that_the_font_of_the_book_lacks_are_taken_from_the_font_of_the_language():
    """Where one is installed: a letter that no font has is an empty box, and a warning."""
    name = labels.font_of("zh_CN")
    if not name:
        pytest.skip("no Chinese font is installed")
    with pytest.warns(UserWarning, match="missing from"):
        labels.png_of(DRAW, lambda _text: "狗咬人")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labels.png_of(DRAW, lambda _text: "狗咬人", name)
