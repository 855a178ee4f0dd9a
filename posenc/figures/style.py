"""One style for all figures: the same colour for the same thing in every chapter."""

from pathlib import Path

import matplotlib.pyplot as plt

SINE = "#0072b2"
COSINE = "#d55e00"
HIGHLIGHT = "#e6a700"
SHIFT = "#aa4499"
NEUTRAL = "#52606d"
INK = "#1f2933"
FAINT = "#cbd2d9"

# Diverging and colour-blind safe: purple is negative, white is 0, green is positive.
DIVERGING = "PRGn"


def use_style():
    """Draw all figures from here on in the style of the book, and alike on every machine.

    Examples
    --------
    >>> from posenc.figures import use_style
    >>> use_style()
    """
    plt.style.use(Path(__file__).with_name("posenc.mplstyle"))
    try:
        from matplotlib_inline.config import InlineBackend
    except ImportError:
        return
    # A notebook crops figures to their ink by default, so that one moved label changes the
    # size of the picture; and it writes the version of Matplotlib into the file.
    InlineBackend.instance().print_figure_kwargs = {
        "bbox_inches": None,
        "metadata": {"Software": None},
    }
