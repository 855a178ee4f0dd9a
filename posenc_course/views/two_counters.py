"""A binary counter beside the hands of an encoding."""

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View

__all__ = ["TwoCounters"]


class TwoCounters(View):
    """Eight digits and eight hands of an encoding that count the same positions.

    Try this: step on from 127 to 128. All eight digits flip, and the row of hands moves by 1.12.
    Then step on once more: only one digit flips, and the row moves by 1.12 again.

    Parameters
    ----------
    position : int, optional
        The position k, from 0 to 255.
    width : int, optional
        How many numbers a row of the encoding has, d: a multiple of 16, from 16 to 512. Eight of
        its hands are drawn, evenly spread; the distance is that of whole rows.
    base : float, optional
        The base n, from 10 to 10 000 000.

    Examples
    --------
    >>> TwoCounters(position=127)
    TwoCounters(position=127, width=16, base=256.0)
    """

    _module = "two_counters.js"
    position = Whole(127, 0, 255)
    width = Whole(16, 16, 512, step=16)
    base = Real(256.0, 10, 1e7)
