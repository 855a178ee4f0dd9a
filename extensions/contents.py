"""What the book consists of: the pages of _toc.yml, and what the cells of a notebook hold.

Extensions, scripts and tests ask here; nothing else reads the table of contents. What an author
states of a page is in ``extensions/facts.py``.
"""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import yaml

ROOT = Path(__file__).resolve().parent.parent
# Tags of code that the page folds or leaves out; JupyterLab folds it.
FOLDED = {"hide-input", "hide-cell", "remove-input"}

TITLE = re.compile(r"^\((?P<label>[\w-]+)\)=\n# (?P<title>.+)$", re.MULTILINE)


def parts() -> dict[str, str]:
    """Return {page: caption of its part} in reading order; "" for the first page.

    A page is its path without ending, as ``book/06_rotation``.
    """
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    captions = {contents["root"]: ""}  # the first page stands before all parts
    for part in contents["parts"]:
        captions |= {chapter["file"]: part["caption"] for chapter in part["chapters"]}
    return captions


def path_of(page: str) -> Path:
    """Return the file of a page, a notebook or one in Markdown; `page` has no ending.

    A page without a file, or with both, is a ValueError.
    """
    paths = [ROOT / f"{page}{ending}" for ending in (".ipynb", ".md")]
    (path,) = filter(Path.is_file, paths)
    return path


def pages_in_toc() -> list[Path]:
    """Return the files that _toc.yml names, in reading order."""
    return [path_of(page) for page in parts()]


def notebooks_in_toc() -> list[Path]:
    """Return the files of the notebooks that _toc.yml names, in reading order."""
    return [path for path in pages_in_toc() if path.suffix == ".ipynb"]


def chapters() -> list[Path]:
    """Return the files of the notebooks with a number, as 06_rotation.ipynb, in reading order."""
    return [path for path in notebooks_in_toc() if re.match(r"\d\d_", path.name)]


def name(path: Path) -> str:
    """Return a path as text, from the root of the repository if it lies there, else as it is."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def read(path: str | Path) -> nbformat.NotebookNode:
    """Return the notebook in a file, in the version of the format in which it is stored."""
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def title(notebook: nbformat.NotebookNode) -> tuple[str, str]:
    """Return (label, title) of a notebook, whose first cell begins with both."""
    return TITLE.search(notebook.cells[0].source).group("label", "title")


def picture(cell: nbformat.NotebookNode) -> str:
    """Return the first picture that a cell shows, a PNG in base64; "" where it shows none."""
    # A Markdown cell has no outputs, and what is printed has no data.
    bundles = (output.get("data", {}) for output in cell.get("outputs", []))
    return next((data["image/png"] for data in bundles if "image/png" in data), "")


def printed(cell: nbformat.NotebookNode) -> str:
    """Return what a code cell prints, as its stored outputs have it; "" where it prints nothing."""
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


class Widget(NamedTuple):
    """A moving figure or a question, as a stored output holds it."""

    view: str  # the class of a moving figure, or ""
    question: str  # the key of a question, or ""
    state: dict[str, Any]


class _WidgetParser(HTMLParser):
    """Collect in `widgets` the widgets of the HTML that it is fed, in order."""

    def __init__(self):
        super().__init__()
        self.widgets = []

    def handle_starttag(self, tag: str, attrs: list) -> None:  # noqa: ARG002
        """Add to `widgets` the one that an element stands for; most elements stand for none."""
        attributes = dict(attrs)
        if "data-state" in attributes:
            state = json.loads(attributes["data-state"])
            # A widget has one of the two.
            view, question = attributes.get("data-view", ""), attributes.get("data-question", "")
            self.widgets.append(Widget(view, question, state))


def widgets(html: str) -> list[Widget]:
    """Return the moving figures and questions in a piece of HTML, in order."""
    # Each widget has this attribute. Most outputs have none, and need not be parsed.
    if "data-state" not in html:
        return []
    parser = _WidgetParser()
    parser.feed(html)
    return parser.widgets


def stored_widgets(notebook: nbformat.NotebookNode) -> list[Widget]:
    """Return the moving figures and questions in a notebook's stored outputs, in reading order."""
    # A Markdown cell has no outputs, what is printed has no data, and a picture no HTML.
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    texts = (output.get("data", {}).get("text/html", "") for output in outputs)
    return [widget for text in texts for widget in widgets(text)]


def questions(notebook: nbformat.NotebookNode) -> list[dict[str, Any]]:
    """Return the data of each question of a notebook, as its key, text and answer, in order."""
    return [widget.state for widget in stored_widgets(notebook) if widget.question]
