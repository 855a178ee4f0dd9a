"""A wall of clocks, one for each speed."""

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View

__all__ = ["ClockWall"]


class ClockWall(View):
    """One clock for each speed, with a hand at position k and one Δ tokens later.

    Try this: leave Δ alone and move k. Every hand turns, but no purple angle changes.

    Parameters
    ----------
    position : int, optional
        The position k, from 0 to 200 tokens.
    shift : int, optional
        The shift Δ, from -20 to 20 tokens.
    width : int, optional
        How many numbers a row has, d: even, from 4 to 32.
    base : float, optional
        The base n, from 10 to 10 000 000.

    Examples
    --------
    >>> wall = ClockWall(shift=3)
    >>> wall.position = 7
    >>> wall
    ClockWall(position=7, shift=3, width=16, base=100.0)
    """

    _module = "clock_wall.js"
    position = Whole(20, 0, 200)
    shift = Whole(5, -20, 20)
    width = Whole(16, 4, 32, step=2)
    base = Real(100.0, 10, 1e7)
