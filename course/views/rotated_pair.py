"""A rotated query and key, as RoPE has them."""

from course.views.traits import Real, Whole
from course.views.view import View

__all__ = ["RotatedPair"]


class RotatedPair(View):
    """One pair of a query and of a key, each turned by its own position.

    Try this: move both by one token, again and again. The two hands turn together, the angle
    between them stays, and so does the score.

    Parameters
    ----------
    query_position, key_position : int, optional
        The positions k and m, from 0 to 40.
    frequency : float, optional
        How far one token turns the pair, from 0.05 to 1 radian.

    Examples
    --------
    >>> RotatedPair(query_position=3, key_position=5)
    RotatedPair(query_position=3, key_position=5, frequency=0.25)
    """

    _module = "rotated_pair.js"
    query_position = Whole(4, 0, 40)
    key_position = Whole(7, 0, 40)
    frequency = Real(0.25, 0.05, 1)
