"""A matrix of two rows and two columns that moves a point."""

from posenc_course.views.traits import Real
from posenc_course.views.view import View

__all__ = ["MovedPoint"]


class MovedPoint(View):
    """A 2 x 2 matrix that moves a point, and with it the whole plane.

    Try this: press “Turn by 30°” three times, and compare with “Quarter turn”. Where do the two
    short arrows go? Their tips are the columns of the matrix.

    Parameters
    ----------
    top_left, top_right, bottom_left, bottom_right : float, optional
        The entries of the matrix, from -2 to 2.
    x, y : float, optional
        The point, x from -5.5 to 5.5 and y from -3.5 to 3.5.

    Examples
    --------
    >>> turn = MovedPoint(top_left=0, top_right=1, bottom_left=-1, bottom_right=0, x=2, y=1)
    >>> turn.x, turn.y
    (2.0, 1.0)
    """

    _module = "moved_point.js"
    top_left = Real(1.0, -2, 2)
    top_right = Real(0.0, -2, 2)
    bottom_left = Real(0.0, -2, 2)
    bottom_right = Real(1.0, -2, 2)
    x = Real(3.0, -5.5, 5.5)
    y = Real(1.0, -3.5, 3.5)
