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
SOURCES = sorted(Path(figures.__file__).parent.glob("*.*"))
CONTEXT = "figure"  # of these messages in a catalog
KEPT = contents.ROOT / "_build" / "labels"


@functools.cache
def font_of(language: str) -> str:
    """Return the name of an installed font with the letters of a language, "" if there is none."""
    installed = set(font_manager.get_font_names())
    font = next((name for name in FONTS[language] if name in installed), "")
    if not font:
        logger.info("No font for figures in %s, such as %s: their labels stay in English.",
                    language, FONTS[language][0])  # fmt: skip
    return font


def drawing_cells(notebook: nbformat.NotebookNode) -> Iterator[tuple[nbformat.NotebookNode, str]]:
    """Yield (cell, code) for each cell with a picture; the code also has what the cell needs."""
    before: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if contents.picture(cell):
                yield cell, f"{bring(cell.source, before)}\n{cell.source}"
            before.append(cell.source)


@contextlib.contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Let the attribute `name` of an object have another value below ``with``."""
    own = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, own)


def png_of(code: str, label: Callable[[str], str], font: str = "") -> bytes:
    """Return the PNG of the figure that some code draws, each text as `label` returns it.

    Letters that the font of the book does not have are taken from another font.
    """
    set_text, use_style = Text.set_text, figures.use_style

    def set_label(text: Text, value: Any) -> None:
        """Set the label of a text in place of the text itself."""
        set_text(text, label(value) if isinstance(value, str) else value)

    def use_style_and_font() -> None:
        """Use the style of the book, and the font behind its own; a notebook's code calls this."""
        use_style()
        mpl.rcParams["font.family"] = [*filter(None, ("Words Sans", font, "DejaVu Sans"))]

    with (
        mpl.rc_context(),
        replaced(Text, "set_text", set_label),
        replaced(figures, "use_style", use_style_and_font),
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", message=".*non-interactive")  # no screen shows it
        plt.switch_backend("agg")
        figures.use_style()  # `bring` leaves out the notebook's own call, which makes no name
        exec(compile(code, "a figure", "exec"), {"__name__": "__main__"})
        file = io.BytesIO()
        # Without the version of Matplotlib, as in the stored figures of notebooks.
        plt.gcf().savefig(file, format="png", metadata={"Software": None})
        plt.close("all")
    return file.getvalue()


def labels(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the labels of a notebook's figures that have words, in order."""
    texts: dict[str, None] = {}

    def note(text: str) -> str:
        """Note a text that has words, once, and return it as it is."""
        if has_words(text):
            texts[text] = None
        return text

    for _, code in drawing_cells(notebook):
        png_of(code, note)
    return list(texts)


@functools.cache
def rule() -> str:
    """Return a text that differs when Matplotlib or the code that draws labels has changed."""
    files = b"".join(path.read_bytes() for path in [Path(__file__), *SOURCES])
    return mpl.__version__ + hashlib.sha256(files).hexdigest()


def picture_in(code: str, translations: Mapping[str, str], font: str) -> bytes:
    """Return the PNG of the figure that code draws with translated labels; it is drawn once.

    Later builds take it from the folder `KEPT`.
    """
    made_by = json.dumps([code, dict(translations), font, rule()])
    path = KEPT / f"{hashlib.sha256(made_by.encode()).hexdigest()[:16]}.png"
    if not path.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png_of(code, lambda text: translations.get(text, text), font))
    return path.read_bytes()


def translate(notebook: nbformat.NotebookNode, page: str, language: str) -> None:
    """Replace the pictures in a page's notebook by those with labels in a language.

    Nothing is done in English, on a page that is not translated whole, or without a font.
    """
    if language == "en" or page not in TRANSLATED_WHOLE or not font_of(language):
        return
    for cell, code in drawing_cells(notebook):
        translations = words(language, page, CONTEXT)
        png = base64.b64encode(picture_in(code, translations, font_of(language))).decode()
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                output["data"]["image/png"] = png


def draw_again(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the source of a notebook, before Sphinx reads it, by one with translated pictures."""
    if app.config.language == "en" or app.env.doc2path(page).endswith(".md"):
        return  # a page in Markdown stores no pictures
    for path in SOURCES:
        app.env.note_dependency(str(path))
    notebook = nbformat.reads(source[0], as_version=nbformat.NO_CONVERT)
    translate(notebook, page, app.config.language)
    source[0] = nbformat.writes(notebook, version=nbformat.NO_CONVERT)


def setup(app):
    app.connect("source-read", draw_again)
