"""Clock hands: one, a pair of them, or one for each speed."""

from math import pi

from posenc_course.views.traits import Real, Whole
from posenc_course.views.view import View


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

    _other = "phase"
    position = Real(15.0, 0, 24)
    frequency = Real(0.5, 0.05, pi)
    phase = Real(0.0, -pi, pi)


class ClockWall(View):
    """One clock for each speed, with a hand at position k and one Δ tokens later.

    Try this: leave Δ alone and move k. Every hand turns, but no purple angle changes.

    Parameters
    ----------
    position : int, optional
        The position k, from 0 to 200 tokens.
    shift : int, optional
        The shift Δ, from -20 to 20 tokens.
    width : int, optional
        How many numbers a row has, d: even, from 4 to 32.
    base : float, optional
        The base n, from 10 to 10 000 000.

    Examples
    --------
    >>> wall = ClockWall(shift=3)
    >>> wall.position = 7
    >>> wall
    ClockWall(position=7, shift=3, width=16, base=100.0)
    """

    position = Whole(20, 0, 200)
    shift = Whole(5, -20, 20)
    width = Whole(16, 4, 32, step=2)
    base = Real(100.0, 10, 1e7)


class EncodingGrows(View):
    """A clock hand whose two waves grow a table of 32 columns and base 100, row by row.

    Try this: drag down the table, and the hand turns. Drag sideways: each pair of columns has a
    hand of its own, slower than the one before.

    Parameters
    ----------
    position : int, optional
        The last row k that is there, from 0 to 47.
    pair : int, optional
        The hand i, from 0 to 15, that is shown with its waves: columns 2i and 2i + 1.

    Examples
    --------
    >>> EncodingGrows(position=8)
    EncodingGrows(position=8, pair=3)
    """

    position = Whole(32, 0, 47)
    pair = Whole(3, 0, 15)


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

    query_position = Whole(1, 0, 12)
    key_position = Whole(2, 0, 12)
    frequency = Real(pi / 2, 0.05, 2)


class SameTurn(View):
    """One hand at position k and Δ tokens later, with the arrow to add and the angle to turn.

    Try this: leave Δ alone and move k. The gold arrow points a different way at each position,
    and the purple angle stays as it is.

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

    position = Whole(1, 0, 60)
    shift = Whole(2, -5, 5)
    frequency = Real(1.0, 0.05, 1.2)


class TwoCounters(View):
    """Eight bits and eight hands of an encoding that count the same positions.

    Try this: step on from 127 to 128. All eight bits flip, and the row of hands moves by 1.12.
    Then step on once more: only one bit flips, and the row moves by 1.12 again.

    Parameters
    ----------
    position : int, optional
        The position k, from 0 to 255.
    width : int, optional
        How many numbers a row of the encoding has, d: a multiple of 16, from 16 to 512. Eight of
        its hands are drawn, evenly spread; the distance is that of whole rows.
    base : float, optional
        The base n, from 10 to 10 000 000.

    Examples
    --------
    >>> TwoCounters(position=127)
    TwoCounters(position=127, width=16, base=256.0)
    """

    position = Whole(127, 0, 255)
    width = Whole(16, 16, 512, step=16)
    base = Real(256.0, 10, 1e7)
