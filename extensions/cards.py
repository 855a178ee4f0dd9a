"""Sphinx extension: all chapters' cards on one page, made from the chapters.

The cells of a card carry the tag ``card``: its words and its formula, its picture, and the code
that runs alone. A page that has the line ``<!-- cards -->`` gets them there, chapter by chapter.
"""

import base64
import hashlib
import re
from pathlib import Path

import nbformat
from sphinx.application import Sphinx

from extensions import labels
from extensions.contents import notebooks_in_toc, picture, printed, read, title

TAG = "card"
PLACE = "<!-- cards -->"
# A card's own label and heading.
HEADING = re.compile(r"\A\([\w-]+\)=\n## .+\n+")
# Pictures are written here: Sphinx copies them from where they are.
PICTURES = Path("_build") / "cards"


def card_of(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return the cells of a chapter's card, in order; none where a chapter has no card."""
    return [cell for cell in notebook.cells if TAG in cell.metadata.get("tags", [])]


def card_picture(path: str | Path) -> bytes | None:
    """Return the PNG of the picture on the card of a page, or None: most pages have no card."""
    if Path(path).suffix != ".ipynb":
        return None  # a page in Markdown
    for cell in card_of(read(path)):
        if png := picture(cell):
            return base64.b64decode(png)
    return None


def card_markdown(notebook: nbformat.NotebookNode, folder: Path) -> str:
    """Return a chapter's card as Markdown, below a link to the chapter.

    Its picture is written into `folder`, which is `PICTURES` in the folder of the sources.
    """
    label, chapter = title(notebook)
    # The link has words of its own: the search reads headings before references get theirs.
    lines = [f"## {{ref}}`{chapter} <{label}>`", ""]
    for cell in card_of(notebook):
        if cell.cell_type == "markdown":
            # Without the card's own heading: the chapter's title stands in its place.
            lines.append(HEADING.sub("", cell.source))
        elif "take-home" in cell.metadata.tags:  # the code that runs alone
            # What it prints is in no language that could be highlighted.
            lines += ["```python", cell.source, "```", "", "```none", printed(cell).rstrip(), "```"]
        else:  # the cell that draws the picture
            png, words = base64.b64decode(picture(cell)), cell.metadata["mystnb"]["image"]["alt"]
            folder.mkdir(parents=True, exist_ok=True)
            # Named after its bytes: a build sees a changed picture by its new name. Eight digits of
            # the digest are enough to tell the few versions of one chapter's picture apart.
            path = folder / f"{label}-{hashlib.sha256(png).hexdigest()[:8]}.png"
            path.write_bytes(png)
            # For Sphinx an address that begins with / begins at the folder of the sources.
            lines += [f":::{{image}} /{PICTURES.as_posix()}/{path.name}", f":alt: {words}", ":::"]
        lines.append("")  # Markdown needs an empty line between two blocks
    return "\n".join(lines)


def write_cards(app: Sphinx, _page: str, source: list[str]) -> None:
    """Replace the line ``<!-- cards -->`` of a page's source by the cards of all chapters.

    Sphinx gives the source as the only entry of a list, so that it can be replaced.
    """
    if PLACE not in source[0]:
        return
    cards = []
    for path in notebooks_in_toc():
        notebook = read(path)
        if card_of(notebook):
            app.env.note_dependency(str(path))  # a changed chapter is a changed page of cards
            # The picture of a translated page has translated labels. Sphinx translates the words,
            # as those of any other page.
            labels.translate(notebook, f"book/{path.stem}", app.config.language)
            cards.append(card_markdown(notebook, Path(app.srcdir) / PICTURES))
    source[0] = source[0].replace(PLACE, "\n".join(cards))


def setup(app):
    app.connect("source-read", write_cards)
