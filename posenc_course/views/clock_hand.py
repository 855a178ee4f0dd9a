"""A clock hand that draws its wave."""

from math import pi

from posenc_course.views.traits import Real
from posenc_course.views.view import View

__all__ = ["ClockHand"]


class ClockHand(View):
    """A clock hand whose x draws a sine below it and whose y draws a cosine to the right.

    Try this: drag the tip to the right, where x is 1. What is y there? Go on to the bottom, where
    y is −1. What is x there?

    Try this: move the phase. Both waves move along the text, and neither changes its shape. At
    which phase does x begin where y began without one?

    Parameters
    ----------
    position : float, optional
        Where on the token axis the hand stands, from 0 to 24 tokens.
    frequency : float, optional
        Angular frequency, from 0.05 to pi radians per token.
    phase : float, optional
        Angle of the hand at position 0, from -pi to pi radians, clockwise from twelve. A figure
        that begins with one has a slider for it.

    Examples
    --------
    >>> clock = ClockHand(frequency=0.5, position=7)
    >>> clock
    ClockHand(position=7.0, frequency=0.5, phase=0.0)
    >>> clock.phase = 1.5
    >>> clock.phase
    1.5
    """

    _module = "clock_hand.js"
    _other = "phase"
    position = Real(15.0, 0, 24)
    frequency = Real(0.5, 0.05, pi)
    phase = Real(0.0, -pi, pi)
