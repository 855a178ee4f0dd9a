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
    """

    _other = "phase"
    position = Real(15.0, 0, 24)
    frequency = Real(0.5, 0.05, pi)
    phase = Real(0.0, -pi, pi)


class ClockWall(View):
    """One clock for each speed, with a hand at position k and one Δ tokens later.

    Try this: leave Δ alone and move k. Every hand turns, but no purple angle changes.
    """

    position = Whole(20, 0, 200)
    shift = Whole(5, -20, 20)
    width = Whole(16, 4, 32, step=2)
    base = Real(100.0, 10, 1e7)


class EncodingGrows(View):
    """A clock hand whose two waves grow a table of 32 columns and base 100, row by row.

    Try this: drag down the table, and the hand turns. Drag sideways: each pair of columns has a
    hand of its own, slower than the one before.
    """

    position = Whole(32, 0, 47)
    pair = Whole(3, 0, 15)


class RotatedPair(View):
    """The query (2, 1) and the key (1, 2) as arrows, each turned by its own position.

    Try this: move both by one token, again and again. The two arrows turn together, the angle
    between them stays, and so does the score.
    """

    query_position = Whole(1, 0, 12)
    key_position = Whole(2, 0, 12)
    frequency = Real(pi / 2, 0.05, 2)


class SameTurn(View):
    """One hand at position k and Δ tokens later, with the arrow to add and the angle to turn.

    Try this: leave Δ alone and move k. The gold arrow points a different way at each position,
    and the purple angle stays as it is.
    """

    position = Whole(1, 0, 60)
    shift = Whole(2, -5, 5)
    frequency = Real(1.0, 0.05, 1.2)


class TwoCounters(View):
    """Eight bits and eight hands of an encoding that count the same positions.

    Try this: step on from 127 to 128. All eight bits flip, and the row of hands moves by 1.12.
    Then step on once more: only one bit flips, and the row moves by 1.12 again.
    """

    position = Whole(127, 0, 255)
    width = Whole(16, 16, 512, step=16)
    base = Real(256.0, 10, 1e7)
