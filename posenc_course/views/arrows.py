"""Arrows on a plane, to be dragged."""

from posenc_course.views.traits import Real
from posenc_course.views.view import View


class MovedPoint(View):
    """A 2 × 2 matrix that moves a point, and with it the whole plane.

    Try this: press “Turn by 30°” three times, and compare with “Quarter turn”. Where do the two
    short arrows go? Their tips are the columns of the matrix.
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
    """

    a_x = Real(4.0, -5.5, 5.5)
    a_y = Real(3.0, -3.5, 3.5)
    b_x = Real(1.0, -5.5, 5.5)
    b_y = Real(2.0, -3.5, 3.5)
