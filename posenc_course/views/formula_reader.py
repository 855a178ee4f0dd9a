"""The table as a heat map that substitutes its numbers into the formula."""

from traitlets import Bool, Enum, TraitError, observe, validate

from posenc_course.views.traits import Whole
from posenc_course.views.view import View

__all__ = ["FormulaReader"]


class FormulaReader(View):
    """The table of 100 positions, read one pair of columns at a time.

    Try this: press on the heat map and drag straight down, then sideways. What changes in the
    formula, and what stays?

    Try this: follow the thin line with the pointer, from the left to the right. Which hands are
    those, and what do they have in common?

    Parameters
    ----------
    position : int, optional
        The row k, from 0 to 99.
    pair : int, optional
        The pair i, from 0 to width/2 - 1: columns 2i and 2i + 1.
    width : {8, 16, 32, 64, 128, 256, 512}, optional
        How many numbers a row has, d.
    base : {100, 1000, 10000, 1000000}, optional
        The base n.
    same_angle : bool, optional
        Whether a thin line joins the places where the hands of all pairs are at the same angle.

    Examples
    --------
    >>> FormulaReader(position=4, pair=0)
    FormulaReader(position=4, pair=0, width=32, base=10000, same_angle=False)
    """

    _module = "formula_reader.js"
    _other = "same_angle"
    position = Whole(10, 0, 99)
    pair = Whole(4, 0, 255)
    width = Enum((8, 16, 32, 64, 128, 256, 512), 32)
    base = Enum((100, 1000, 10000, 1000000), 10000)
    same_angle = Bool(False)

    @validate("pair")
    def _inside_the_table(self, proposal):
        pairs = self.width // 2
        if proposal.value >= pairs:
            raise TraitError(
                f"pair must be a whole number from 0 to {pairs - 1} for a table of width "
                f"{self.width}, got {proposal.value!r}"
            )
        return proposal.value

    @observe("width")
    def _stay_inside_the_table(self, _change):
        self.pair = min(self.pair, self.width // 2 - 1)
