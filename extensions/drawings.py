"""Sphinx extension: a drawing on a page that is not a notebook.

A page in Markdown writes

    ```{drawing} layouts_of_columns 6.2 3.0
    What it shows, in sentences. The first one stands below the picture.
    ```

and gets what the function of that name in ``posenc_course.figures`` draws on axes of that width and
height, in inches, as a cell of a notebook would show it.
"""

from pathlib import Path

import matplotlib as mpl
from docutils import nodes
from docutils.parsers.rst import Directive
from matplotlib.figure import Figure

from extensions.translatable import first_sentence
from posenc_course import figures

FOLDER = "_build/drawings"  # below the sources: Sphinx copies pictures from there
SOURCES = sorted(Path(figures.__file__).parent.glob("*.py"))


def draw(name: str, width: float, height: float, path: Path) -> None:
    """Write to `path` the PNG that a function of the figures draws, of a size in inches."""
    with mpl.rc_context():  # the style of the book is that of its drawings alone
        figures.use_style()
        drawing = Figure(figsize=(width, height))
        getattr(figures, name)(drawing.subplots())
        # Without the version of Matplotlib, as in the stored figures of notebooks.
        drawing.savefig(path, metadata={"Software": None})


class Drawing(Directive):
    """``{drawing} name width height``, and below it what the drawing shows."""

    required_arguments = 3
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a box with the picture and its caption, the first sentence of what it shows."""
        environment = self.state.document.settings.env
        for path in SOURCES:  # where one has changed, Sphinx reads the page again
            environment.note_dependency(str(path))
        name, width, height = self.arguments
        path = Path(environment.srcdir, FOLDER, f"{name}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        draw(name, float(width), float(height), path)
        words = " ".join(self.content)
        # For Sphinx an address that begins with / begins at the folder of the sources.
        image = nodes.image("", uri=f"/{FOLDER}/{path.name}", alt=words)
        caption = nodes.paragraph("", first_sentence(words), classes=["figure-caption"])
        return [nodes.container("", image, caption, classes=["cell"])]  # with the looks of a cell


def setup(app):
    app.add_directive("drawing", Drawing)
