"""The table as a heat map that substitutes its numbers into the formula."""

from posenc.interactive.traits import Choice, Whole
from posenc.interactive.view import View

__all__ = ["FormulaReader"]


class FormulaReader(View):
    """The table of 100 positions and 512 columns, read one pair at a time.

    Try this: press on the heat map and drag straight down. The two columns draw a sine and a
    cosine of the position. Drag sideways and the frequency falls.

    Parameters
    ----------
    position : int, optional
        The row k, from 0 to 99.
    pair : int, optional
        The pair i, from 0 to 255: columns 2i and 2i + 1.
    base : {100, 1000, 10000, 1000000}, optional
        The base n.

    Examples
    --------
    >>> FormulaReader(position=4, pair=0)
    FormulaReader(position=4, pair=0, base=10000)
    """

    _module = "formula_reader.js"
    position = Whole(37, 0, 99)
    pair = Whole(40, 0, 255)
    base = Choice(10000, (100, 1000, 10000, 1000000))
