"""One style for all figures: the same colour for the same thing in every chapter.

The colours of the book, still and moving, on paper and on a dark page:

==========  =======================================  =========  =========  ==============
Name        Means                                    light      dark       on pages
==========  =======================================  =========  =========  ==============
SINE        a sine: x of a tip, an even column       ``0072b2``  ``60b9fe``  ``--sine``
COSINE      a cosine: y of a tip, an odd column      ``bf5100``  ``ff8c51``  ``--cosine``
SHIFT       a shift Δ, what turned by Δ              ``aa4499``  ``c979b5``  ``--shift``
HIGHLIGHT   what the question is about right now     ``e6a700``  ``f7b82c``  ``--highlight``
INK         the hand at k, text                      ``1f2933``  ``c9caca``  ``--ink``
NEUTRAL     everything else that is drawn            ``52606d``  ``9ea6ad``  ``--quiet``
FAINT       rules, what stays behind                 ``cbd2d9``  ``434b55``  ``--line``
PAPER       the ground                               ``fcfbf8``  ``16191d``  ``--ground``
DIVERGING   an encoding: purple negative,            light in    dark in    ``--map``
            the ground 0, green positive             the middle  the middle
==========  =======================================  =========  =========  ==============

The dark column is not chosen but computed, by the rule that turns a stored figure into its dark
twin when the book is built (``extensions/figure_twins.py``): so a dark still figure and a dark
moving one agree. Stored figures have a white ground, which the build turns into the page's own.
"""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib import font_manager
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from matplotlib_inline.config import InlineBackend

SINE = "#0072b2"
COSINE = "#bf5100"
HIGHLIGHT = "#e6a700"
SHIFT = "#aa4499"
NEUTRAL = "#52606d"
INK = "#1f2933"
FAINT = "#cbd2d9"
PAPER = "#fcfbf8"

# Diverging and colour-blind safe. ColorBrewer's PRGn, with pure white in the middle so that 0 is
# the ground of the figure.
DIVERGING = "encoding"
_ANCHORS = "40004b 762a83 9970ab c2a5cf e7d4e8 ffffff d9f0d3 a6dba0 5aae61 1b7837 00441b"
_COLOURS = [f"#{anchor}" for anchor in _ANCHORS.split()]
# An odd number of levels: the one in the middle is pure white.
_MAP = LinearSegmentedColormap.from_list(DIVERGING, _COLOURS, N=257)
mpl.colormaps.register(_MAP, force=True)

MIDDLE = {"ha": "center", "va": "center"}
SMALL = 12.6  # points of the smallest text: 11 px where 6.2 inches are shown on 390 px

_FONTS = Path(__file__).with_name("fonts")


def use_style() -> None:
    """Set Matplotlib up to draw in the style of the book from here on, alike on every machine."""
    for font in _FONTS.glob("*.ttf"):
        font_manager.fontManager.addfont(font)
    plt.style.use(Path(__file__).with_name("posenc.mplstyle"))
    backend = InlineBackend.instance()
    # A page shows a "retina" figure at half its width in dots, which is sharp on a dense screen.
    backend.figure_formats = {"retina"}
    backend.print_figure_kwargs = {
        # A notebook would crop a figure to its ink, and one moved label would change its size.
        "bbox_inches": None,
        # "retina" would double the dots an inch, which the style sheet has doubled already.
        "dpi": "figure",
        # Without the version of Matplotlib, the file is the same with each of them.
        "metadata": {"Software": None},
    }


def beside(ax, text, point, offset, **look) -> None:
    """Write a text beside a point (x, y); `offset` is in points of type, to the right and up."""
    ax.annotate(text, point, offset, textcoords="offset points", **look)


def framed(ax, column, row, width=1, height=1, **look) -> None:
    """Draw a frame, gold unless `look` says else, round `width` x `height` cells of a table.

    The upper left one of these cells is in `column` and `row`.
    """
    look = {"fill": False, "color": HIGHLIGHT, "linewidth": 3, **look}
    corner = column - 0.5, row - 0.5  # the middle of a cell is at whole numbers
    ax.add_patch(Rectangle(corner, width, height, **look))
