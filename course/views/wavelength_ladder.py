"""The wavelengths of all pairs, and those that finish a turn."""

from course.views.traits import Real, Whole
from course.views.view import View

__all__ = ["WavelengthLadder"]


class WavelengthLadder(View):
    """The wavelength of every pair on a logarithmic axis, against a length.

    A pair finishes a turn in L tokens if its wavelength is at most L - 1: from the first token
    to the last there are L - 1 steps.

    Try this: drag L from 64 to 128, then to 256 and to 512, and note how many more pairs finish
    a turn each time. Then raise n to a million: which end of the ladder moves?

    Parameters
    ----------
    base : float, optional
        The base n, from 10 to 10 000 000.
    width : int, optional
        The width d, even, from 4 to 1024.
    length : int, optional
        The length L, from 8 to 131 072 tokens.

    Examples
    --------
    >>> WavelengthLadder(length=2048)
    WavelengthLadder(base=10000.0, width=512, length=2048)
    """

    _module = "wavelength_ladder.js"
    base = Real(10000.0, 10, 1e7)
    width = Whole(512, 4, 1024, step=2)
    length = Whole(64, 8, 131072)
