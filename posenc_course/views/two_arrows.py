"""Two arrows, their lengths, their dot product and the cosine between them."""

from posenc_course.views.traits import Real
from posenc_course.views.view import View

__all__ = ["TwoArrows"]


class TwoArrows(View):
    """Two arrows to drag, with their lengths, dot product and cosine.

    Try this: turn b until the dot product is 0. What is the angle then? Make b twice as long:
    the dot product doubles, and the cosine stays.

    Parameters
    ----------
    a_x, a_y, b_x, b_y : float, optional
        The entries of the two arrows, x from -5.5 to 5.5 and y from -3.5 to 3.5.

    Examples
    --------
    >>> TwoArrows(a_x=3, a_y=1)
    TwoArrows(a_x=3.0, a_y=1.0, b_x=1.0, b_y=2.0)
    """

    _module = "two_arrows.js"
    a_x = Real(4.0, -5.5, 5.5)
    a_y = Real(3.0, -3.5, 3.5)
    b_x = Real(1.0, -5.5, 5.5)
    b_y = Real(2.0, -3.5, 3.5)
