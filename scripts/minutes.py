"""What stands on each chapter's line: words, formulas, figures, lines of code, questions.

    python -m scripts.minutes        a line for each chapter

The line goes from the end of a chapter's first cell to its card. CONTRIBUTING.md has its form,
and tests/book/test_book.py holds every chapter to them. The minutes are those that the chapter
states: readers needed them, no rule computes them.
"""

import re
from dataclasses import astuple, dataclass

from extensions.contents import chapters, minutes, name, read

CARD = re.compile(r"^## The card$", re.MULTILINE)
NOT_READ = re.compile(
    r"^[ \t]*(?:`{3,}|:{3,})[^\n]*$|^\([^\n]+\)=$|^:[\w-]+:[^\n]*$|<!--.*?-->|"
    r"\{[\w:-]+\}(?=`)|<[^<>`]*>(?=`)",  # of a role, its words are read
    re.MULTILINE | re.DOTALL,
)
FOLDED = re.compile(r"^(:{3,})\{dropdown\}.*?^\1$", re.MULTILINE | re.DOTALL)
DISPLAY = re.compile(r"\$\$.*?\$\$|\\begin\{align\*?\}.*?\\end\{align\*?\}", re.DOTALL)
INLINE_MATHEMATICS = re.compile(r"\$[^$]+\$")
NOT_SHOWN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
ELEMENT = re.compile(r'^<div class="posenc[^>]*>', re.MULTILINE)


@dataclass(frozen=True)
class Line:
    """What a reader meets on a chapter's line."""

    words: int
    formulas: int
    figures: int
    moving: int
    code: int
    questions: int


def cells_of_line(notebook):
    """The cells between the opening and the card; those of the whole chapter if it has no card."""
    for at, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown" and (found := CARD.search(cell.source)):
            before = {**cell, "source": cell.source[: found.start()]}
            return [*notebook.cells[1:at], before]
    return notebook.cells[1:]


def line_of(notebook):
    """Count what stands on the line of a notebook."""
    words = formulas = figures = moving = code = questions = 0
    for cell in cells_of_line(notebook):
        if cell["cell_type"] == "markdown":
            text = FOLDED.sub(" ", cell["source"])
            formulas += len(DISPLAY.findall(text))
            text = NOT_READ.sub(" ", DISPLAY.sub(" ", text))
            words += len(re.findall(r"\S*[^\W\d_]\S*", INLINE_MATHEMATICS.sub(" x ", text)))
            continue
        if not NOT_SHOWN & set(cell["metadata"].get("tags", [])):
            code += sum(bool(line.strip()) for line in cell["source"].splitlines())
        for output in cell["outputs"]:
            data = output.get("data", {})
            figures += any(mime.startswith("image/") for mime in data)
            for tag in ELEMENT.findall(data.get("text/html", "")):
                questions += "data-question=" in tag
                moving += "data-view=" in tag
    return Line(words, formulas, figures + moving, moving, code, questions)


def main():
    print(f"{'':32}  words formulas figures (moving) code questions   minutes stated")
    for path in chapters():
        notebook = read(path)
        counts = "{:7}{:9}{:8}{:9}{:5}{:10}".format(*astuple(line_of(notebook)))
        print(f"{name(path):32}{counts}{minutes(notebook):17}")


if __name__ == "__main__":
    main()
