"""The wavelengths of all pairs, and those that finish a turn."""

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View

__all__ = ["WavelengthLadder"]


class WavelengthLadder(View):
    """The wavelength of every pair on a logarithmic axis, against a length.

    A pair finishes a turn in L tokens if its wavelength is at most L - 1: from the first token
    to the last there are L - 1 steps.

    Try this: drag L down to 50 tokens, then up to 9000. Then double d: where do the new
    dots go? Then raise n to a million: which end of the ladder moves?

    Parameters
    ----------
    base : float, optional
        The base n, from 10 to 100 000 000.
    width : int, optional
        How many numbers a row has, d: even, from 4 to 1024.
    length : int, optional
        The length L, from 8 to 131 072 tokens.

    Examples
    --------
    >>> WavelengthLadder(length=2048)
    WavelengthLadder(base=10000.0, width=8, length=2048)
    """

    _module = "wavelength_ladder.js"
    base = Real(10000.0, 10, 1e8)
    width = Whole(8, 4, 1024, step=2)
    length = Whole(512, 8, 131072)
