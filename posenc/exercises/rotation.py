"""The exercises of the chapter "The rotation proof"."""

import numpy as np

from posenc.exercises.judging import Function
from posenc.sinusoids import shift_matrix
from posenc.waves import frequencies

__all__ = ["EXERCISES"]

BASE = 100


def turn(angle):
    """Return the block that turns a pair (sine, cosine) by an angle."""
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def shift(offset, width):
    """Return the shift matrix of base 100 in the interleaved layout."""
    return shift_matrix(offset, width, base=BASE)


def _blocks(angles):
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = turn(angle)
    return matrix


EXERCISES = {
    "rotation-3": Function(
        turn,
        "One row is the sum formula of the sine, the other that of the cosine.",
        inputs=[(0.5,), (-1.25,), (3.0,), (0.0,)],
        wrong=[
            (
                lambda angle: turn(-angle),
                "It turns the pair back. The textbook matrix turns (cosine, sine); which of the "
                "two stands first here?",
            ),
            (
                lambda angle: turn(angle)[::-1],
                "A turn by 0 must change nothing. What does this block do to a pair at angle 0?",
            ),
            (
                lambda angle: np.array(
                    [[np.cos(angle), np.sin(angle)], [np.sin(angle), np.cos(angle)]]
                ),
                "Both rows add. Which of the two sum formulas subtracts?",
            ),
        ],
    ),
    "rotation-4": Function(
        shift,
        "Each pair turns by its own angle, and no pair touches another.",
        inputs=[(1, 4), (5, 8), (-2.5, 6), (0, 2)],
        wrong=[
            (
                lambda offset, width: shift(-offset, width),
                "It moves the row back instead of forward. Look at the signs of the sines.",
            ),
            (
                lambda offset, width: shift_matrix(offset, width, base=BASE, layout="halves"),
                "That fits a table in halves. Here sine and cosine of a pair are neighbours.",
            ),
            (
                lambda offset, width: _blocks([offset] * (width // 2)),
                "Every pair turns by the same angle. How far does the hand of pair i turn in one "
                "token?",
            ),
            (
                lambda offset, width: shift_matrix(offset, width),
                "The blocks have their places, but the angles belong to base 10 000.",
            ),
            (
                lambda _offset, width: _blocks(frequencies(width, base=BASE)),
                "It turns each pair as far as one token does. Where does the offset come in?",
            ),
        ],
    ),
}
