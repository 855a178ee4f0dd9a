"""Sphinx extension: labels of still figures in the language of the page.

A notebook holds its figures as they were drawn, in English. For a page in another language each
cell that draws one is run again, after what it needs of the cells before it, and every text that
Matplotlib is given is replaced by its translation, which the catalog of the page has. Where no font
of that language is installed the pictures stay as they are, and the build says so once.
"""

import base64
import contextlib
import functools
import hashlib
import io
import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import nbformat
from matplotlib import font_manager
from matplotlib.text import Text
from sphinx.application import Sphinx
from sphinx.util import logging

from extensions import contents
from extensions.languages import TRANSLATED_WHOLE, words
from extensions.translatable import has_words
from posenc_course import figures
from posenc_course.cells import bring

logger = logging.getLogger(__name__)

# Fonts with the letters of a language, the first one that is installed.
FONTS = {"zh_CN": ("Noto Sans CJK SC", "Source Han Sans SC", "Noto Sans SC")}
# What draws the figures, with the style sheet of Matplotlib.
SOURCES = sorted(Path(figures.__file__).parent.glob("*.*"))
CONTEXT = "figure"  # of these messages in a catalog
KEPT = contents.ROOT / "_build" / "labels"


@functools.cache  # so that a missing font is logged once
def font_of(language: str) -> str:
    """Return the name of an installed font of `FONTS` for a language; log and return "" if none."""
    installed = set(font_manager.get_font_names())
    font = next((name for name in FONTS[language] if name in installed), "")
    if not font:  # no warning, which would fail a strict build: English labels are right as well
        logger.info("No font for figures in %s, such as %s: their labels stay in English.",
                    language, FONTS[language][0])  # fmt: skip
    return font


def drawing_cells(notebook: nbformat.NotebookNode) -> Iterator[tuple[nbformat.NotebookNode, str]]:
    """Yield (cell, program) for each cell with a stored picture; the program draws it by itself.

    It is the code of the cell, after those statements of earlier cells that the code needs.
    """
    before: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if contents.picture(cell):
                yield cell, f"{bring(cell.source, before)}\n{cell.source}"
            before.append(cell.source)


@contextlib.contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Give the attribute `name` of `owner` another value within a ``with`` block."""
    original = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, original)


def png_of(code: str, label: Callable[[str], str], font: str = "") -> bytes:
    """Return the PNG of the figure that `code` draws, with ``label(text)`` in place of each text.

    Letters that the font of the book does not have are taken from `font`, an installed one.
    """
    set_text, use_style = Text.set_text, figures.use_style

    def set_label(text: Text, value: Any) -> None:
        """Do what `Text.set_text` does, with the label of a string; a number or None stays."""
        set_text(text, label(value) if isinstance(value, str) else value)

    def use_style_and_font() -> None:
        """Use the style of the book, with `font`, if there is one, for letters that it lacks."""
        use_style()  # first, as the style sets the fonts too
        if font:  # Matplotlib takes each letter from the first of these that has it
            mpl.rcParams["font.family"] = [*mpl.rcParams["font.family"], font]

    with (
        mpl.rc_context(),
        replaced(Text, "set_text", set_label),
        # The code calls `use_style` too where the cell that draws does.
        replaced(figures, "use_style", use_style_and_font),
        contextlib.redirect_stdout(io.StringIO()),  # what the code prints is not wanted
        warnings.catch_warnings(),
    ):
        plt.switch_backend("agg")  # draws without a window; `plt.show` warns that none opens
        warnings.filterwarnings("ignore", message=".*non-interactive")
        # A call in an earlier cell makes no name that the code needs, and is not part of the code.
        figures.use_style()
        exec(compile(code, "a figure", "exec"), {})
        file = io.BytesIO()
        # Without the version of Matplotlib, as in the stored figures of notebooks.
        plt.gcf().savefig(file, format="png", metadata={"Software": None})
        plt.close("all")
    return file.getvalue()


def labels(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the texts with words in a notebook's figures, each once, in the order of drawing."""
    texts: dict[str, None] = {}  # a set that keeps its order

    def note(text: str) -> str:
        """Note a text that has words, once, and return it as it is."""
        if has_words(text):
            texts[text] = None
        return text

    for _, code in drawing_cells(notebook):
        png_of(code, note)
    return list(texts)


@functools.cache
def drawing_version() -> str:
    """Return a text that is another one after a change of Matplotlib or of the drawing code."""
    # With this file, as `png_of` sets fonts and writes the PNG.
    files = b"".join(path.read_bytes() for path in [Path(__file__), *SOURCES])
    return mpl.__version__ + hashlib.sha256(files).hexdigest()


def picture_in(code: str, translations: Mapping[str, str], font: str) -> bytes:
    """Return the PNG of the figure that code draws, with its texts translated where they can be.

    The figure is drawn once: later builds take it from the folder `KEPT`.
    """
    # The file is named after all that the picture depends on: 16 of the 64 digits of its digest are
    # enough that no two pictures share a name.
    made_by = json.dumps([code, dict(translations), font, drawing_version()])
    digest = hashlib.sha256(made_by.encode()).hexdigest()[:16]
    path = KEPT / f"{digest}.png"
    if not path.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png_of(code, lambda text: translations.get(text, text), font))
    return path.read_bytes()


def translate(notebook: nbformat.NotebookNode, page: str, language: str) -> None:
    """Replace the pictures stored in a page's notebook by those with labels in a language.

    `page` is its name, as ``book/06_rotation``. Nothing is done in English, on a page that is not
    translated whole, or without a font.
    """
    if language == "en" or page not in TRANSLATED_WHOLE:
        return
    font = font_of(language)
    if not font:
        return
    translations = words(language, page, CONTEXT)
    for cell, code in drawing_cells(notebook):
        png = base64.b64encode(picture_in(code, translations, font)).decode()
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):  # a cell of the book draws one figure
                output["data"]["image/png"] = png


def draw_again(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the source of a notebook, before Sphinx reads it, by one with translated pictures.

    `source` is a list of one text, in which Sphinx looks for what takes its place.
    """
    # An English page keeps its pictures, and a page in Markdown stores none.
    if app.config.language == "en" or app.env.doc2path(page).endswith(".md"):
        return
    for path in SOURCES:  # a later build reads the page again where one of these has changed
        app.env.note_dependency(str(path))
    notebook = nbformat.reads(source[0], as_version=nbformat.NO_CONVERT)
    translate(notebook, page, app.config.language)
    source[0] = nbformat.writes(notebook, version=nbformat.NO_CONVERT)


def setup(app: Sphinx) -> None:
    """Have pictures translated as each page is read."""
    app.connect("source-read", draw_again)
