"""Wavelengths as the rungs of a ladder."""

from traitlets import Enum

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View


class StretchedLadder(View):
    """Each pair's wavelength before and after stretching, against the texts of training.

    Try this: go through the four methods. Watch the top, where the fast pairs are, and count
    the gold ones below. Then put the factor to 1.
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
    """

    base = Real(10000.0, 10, 1e8)
    width = Whole(8, 4, 1024, step=2)
    length = Whole(512, 8, 131072)
