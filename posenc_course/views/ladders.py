"""Wavelengths as the rungs of a ladder."""

from traitlets import Enum

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View


class StretchedLadder(View):
    """Each pair's wavelength before and after stretching, against the texts of training.

    Try this: go through the four methods. Watch the top, where the fast pairs are, and count
    the gold ones below. Then put the factor to 1.

    Parameters
    ----------
    method : {"linear", "NTK-aware", "YaRN", "Llama 3"}, optional
        The rule, with the settings that models have: YaRN's ramp is for 32 turns and 1, that of
        Llama 3 for 4 turns and 1.
    factor : float, optional
        How many times longer the texts become, from 1 to 32.
    length : int, optional
        Tokens of the longest text in training, from 512 to 131 072.
    width : int, optional
        Columns that turn, even, from 4 to 256.
    base : float, optional
        The base, from 10 to 10 000 000.

    Examples
    --------
    >>> StretchedLadder(method="YaRN", factor=4)
    StretchedLadder(method='YaRN', factor=4.0, length=8192, width=128, base=500000.0)
    """

    method = Enum(("linear", "NTK-aware", "YaRN", "Llama 3"), "NTK-aware")
    factor = Real(8.0, 1, 32)
    length = Whole(8192, 512, 131072)
    width = Whole(128, 4, 256, step=2)
    base = Real(500000.0, 10, 1e7)


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

    base = Real(10000.0, 10, 1e8)
    width = Whole(8, 4, 1024, step=2)
    length = Whole(512, 8, 131072)
