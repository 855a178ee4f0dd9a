"""A binary counter beside an encoding."""

from posenc.interactive.traits import Real, Whole
from posenc.interactive.view import View

__all__ = ["TwoCounters"]


class TwoCounters(View):
    """Eight bits and eight pairs that count the same positions.

    Try this: step from 127 to 128. All eight bits flip at once; the encoding moves no further
    than at any other step.

    Parameters
    ----------
    position : int, optional
        The position k, from 0 to 255.
    base : float, optional
        The base n of the encoding of width 16, from 10 to 10 000 000.

    Examples
    --------
    >>> TwoCounters(position=127)
    TwoCounters(position=127, base=100.0)
    """

    _module = "two_counters.js"
    position = Whole(127, 0, 255)
    base = Real(100.0, 10, 1e7)
