"""How long a chapter takes its reader, from what stands in it.

    python -m scripts.minutes        a line for each chapter

The rule is in CONTRIBUTING.md; tests/test_book.py holds each chapter's "**Time**" to it.
"""

import re
from dataclasses import dataclass

from scripts.outputs import name, notebooks_in_toc, read

# Minutes for each. Fitted to timed readings of chapters by readers of Part I's profile.
PER_WORD = 1.5 / 100
PER_CELL = 1.5
PER_FIGURE = 1.0
PER_QUESTION = 1.0
PER_EQUATION = 1.0

EXERCISES = "## Exercises"
NOT_READ = re.compile(
    r"^[ \t]*(?:`{3,}|:{3,})[^\n]*$|^\([^\n]+\)=$|^:[\w-]+:[^\n]*$|<!--.*?-->",
    re.MULTILINE | re.DOTALL,
)
FOLDED = re.compile(r"^(:{3,})\{dropdown\}.*?^\1$", re.MULTILINE | re.DOTALL)
DISPLAY = re.compile(r"\$\$.*?\$\$", re.DOTALL)
INLINE_MATHEMATICS = re.compile(r"\$[^$]+\$")
ELEMENT = re.compile(r'^<div class="posenc[^>]*>', re.MULTILINE)
VIEW = "data-view="
QUESTION = "data-question="


@dataclass(frozen=True)
class Measure:
    """What a reader of a chapter's line meets, from its title to its exercises and after them."""

    words: int
    cells: int
    figures: int
    questions: int
    equations: int

    @property
    def minutes(self):
        """The minutes it takes, by the rule."""
        return (
            self.words * PER_WORD
            + self.cells * PER_CELL
            + self.figures * PER_FIGURE
            + self.questions * PER_QUESTION
            + self.equations * PER_EQUATION
        )


def without_exercises(cells):
    """The cells of a chapter but for those of its exercises, which take a time of their own."""
    kept, skipping = [], False
    for cell in cells:
        if cell.cell_type == "markdown" and "## " in cell.source:
            before, heading, after = cell.source.partition(EXERCISES)
            if heading:
                kept.append({**cell, "source": before})
                skipping = True
                cell = {**cell, "source": after}
            following = re.search(r"^## .*", cell["source"], re.MULTILINE | re.DOTALL)
            if skipping and following:
                cell = {**cell, "source": following[0]}
                skipping = False
        if not skipping:
            kept.append(cell)
    return kept


def measure(notebook):
    """Count what stands in a notebook."""
    words = cells = figures = questions = equations = 0
    for cell in without_exercises(notebook.cells):
        if cell["cell_type"] == "markdown":
            text = FOLDED.sub(" ", cell["source"])
            equations += len(DISPLAY.findall(text))
            text = NOT_READ.sub(" ", DISPLAY.sub(" ", text))
            words += len(re.findall(r"\S*\w\S*", INLINE_MATHEMATICS.sub(" x ", text)))
            continue
        tags = set(cell["metadata"].get("tags", []))
        cells += not tags & {"hide-input", "hide-cell", "remove-input", "remove-cell"}
        for output in cell["outputs"]:
            data = output.get("data", {})
            figures += any(mime.startswith("image/") for mime in data)
            # In the element's own tag: scripts and styles hold these words too.
            for tag in ELEMENT.findall(data.get("text/html", "")):
                questions += QUESTION in tag
                figures += VIEW in tag
    return Measure(words, cells, figures, questions, equations)


def main():
    print(
        f"{'':32}{'words':>7}{'cells':>7}{'figures':>9}{'questions':>11}{'equations':>11}{'min':>6}"
    )
    for path in notebooks_in_toc():
        if re.match(r"\d\d_", path.name):
            m = measure(read(path))
            print(
                f"{name(path):32}{m.words:7}{m.cells:7}{m.figures:9}{m.questions:11}"
                f"{m.equations:11}{m.minutes:6.0f}"
            )


if __name__ == "__main__":
    main()
