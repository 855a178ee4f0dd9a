"""Which positions an encoding can hardly tell apart."""

from traitlets import TraitError, observe, validate

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View

__all__ = ["CollisionExplorer"]


class CollisionExplorer(View):
    """The distance from one position to all others, and the nearest of them.

    Try this: at d = 4 and n = 100 the nearest to position 0 is not its neighbour but position
    63, where both hands are back near their start. Then raise d to 8.

    Parameters
    ----------
    position : int, optional
        The position k, from 0 to one less than `length`.
    width : int, optional
        How many numbers a row has, d: even, from 2 to 64.
    base : float, optional
        The base n, from 10 to 10 000 000.
    length : int, optional
        The length L, from 16 to 512 tokens.

    Examples
    --------
    >>> CollisionExplorer(width=8)
    CollisionExplorer(position=0, width=8, base=100.0, length=128)
    """

    _module = "collision_explorer.js"
    position = Whole(0, 0, 511)
    width = Whole(4, 2, 64, step=2)
    base = Real(100.0, 10, 1e7)
    length = Whole(128, 16, 512)

    @validate("position")
    def _inside_the_length(self, proposal):
        if proposal.value >= self.length:
            raise TraitError(
                f"position must be a whole number from 0 to {self.length - 1}, one less than "
                f"length, got {proposal.value!r}"
            )
        return proposal.value

    @observe("length")
    def _stay_inside_the_length(self, change):
        self.position = min(self.position, change.new - 1)
