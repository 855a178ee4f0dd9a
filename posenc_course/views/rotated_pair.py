"""A rotated query and key, as RoPE has them."""

from math import pi

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View

__all__ = ["RotatedPair"]


class RotatedPair(View):
    """The query (2, 1) and the key (1, 2) as arrows, each turned by its own position.

    Try this: move both by one token, again and again. The two arrows turn together, the angle
    between them stays, and so does the score.

    Parameters
    ----------
    query_position, key_position : int, optional
        The positions k and m, from 0 to 12.
    frequency : float, optional
        How far one token turns the pair, from 0.05 to 2 radians.

    Examples
    --------
    >>> RotatedPair(query_position=3, key_position=5)
    RotatedPair(query_position=3, key_position=5, frequency=1.5707963267948966)
    """

    _module = "rotated_pair.js"
    query_position = Whole(1, 0, 12)
    key_position = Whole(2, 0, 12)
    frequency = Real(pi / 2, 0.05, 2)
