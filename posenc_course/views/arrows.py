"""Arrows on a plane, to be dragged."""

from posenc_course.views.traits import Real
from posenc_course.views.view import View


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

    top_left = Real(1.0, -2, 2)
    top_right = Real(0.0, -2, 2)
    bottom_left = Real(0.0, -2, 2)
    bottom_right = Real(1.0, -2, 2)
    x = Real(3.0, -5.5, 5.5)
    y = Real(1.0, -3.5, 3.5)


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

    a_x = Real(4.0, -5.5, 5.5)
    a_y = Real(3.0, -3.5, 3.5)
    b_x = Real(1.0, -5.5, 5.5)
    b_y = Real(2.0, -3.5, 3.5)
