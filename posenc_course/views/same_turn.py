"""One hand, the arrow that would move it and the angle that does."""

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View

__all__ = ["SameTurn"]


class SameTurn(View):
    """One hand at position k and Δ tokens later, with the arrow to add and the angle to turn.

    Try this: leave Δ alone and move k. The gold arrow points a different way at each position,
    the purple angle stays as it is.

    Parameters
    ----------
    position : int, optional
        The position k, from 0 to 60 tokens.
    shift : int, optional
        The shift Δ, from -5 to 5 tokens.
    frequency : float, optional
        The angular frequency ω, from 0.05 to 1.2 radians per token.

    Examples
    --------
    >>> hand = SameTurn(frequency=1)
    >>> hand.position = 40
    >>> hand
    SameTurn(position=40, shift=2, frequency=1.0)
    """

    _module = "same_turn.js"
    position = Whole(1, 0, 60)
    shift = Whole(2, -5, 5)
    frequency = Real(1.0, 0.05, 1.2)
