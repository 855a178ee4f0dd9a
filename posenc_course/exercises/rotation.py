"""The exercises of the chapter "The rotation proof"."""

from collections.abc import Sequence

import numpy as np

from posenc import shift_matrix
from posenc_course.exercises.judging import exercise

WIDTH, BASE = 16, 100  # the table of the chapter
SLOWEST = BASE ** (-(WIDTH - 2) / WIDTH)  # radians per token: half a turn takes 176.7 tokens


@exercise("ex-rotation-turn", [(2, [1, 0.1]), (-1.25, [1, 0.5, 0.25]), (3, [0.7]), (0, [1, 0.1])])
def shift_of(shift, omegas):
    """Return the matrix that turns hand i, columns 2i and 2i + 1, by omegas[i] times the shift."""
    return blocks([omega * shift for omega in omegas])


@exercise(
    "ex-rotation-halves",
    [
        (shift_matrix(5, 16, base=BASE),),
        (shift_matrix(-2.5, 6, base=BASE),),
        (shift_matrix(7.25, 8, base=3),),
    ],
)
def in_halves(matrix):
    """Return a matrix for interleaved columns with its rows and columns in halves."""
    order = _order(matrix)
    return matrix[np.ix_(order, order)]


# An angle that is read off and divided by a small frequency loses digits.
@exercise(
    "ex-rotation-read",
    [(shift_matrix(secret, WIDTH, base=BASE),) for secret in (12, -150, 170, -2.513, 0)],
    tolerance=1e-6,
)
def read_shift(matrix):
    """Return the shift, up to 176 tokens either way, of a matrix of width 16 and base 100."""
    # The last block is that of the slowest pair: cos at the right, sin at the upper right.
    return np.arctan2(matrix[-2, -1], matrix[-1, -1]) / SLOWEST


def blocks(angles: Sequence[float] | np.ndarray, minus: int = -1) -> np.ndarray:
    """Return a matrix with ((cos, sin), (-sin, cos)) of each angle in a 2 x 2 diagonal block.

    `minus` is the sign of the sine at the lower left of a block: with 1 it is a typical mistake.
    """
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        cosine, sine = np.cos(angle), np.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [minus * sine, cosine]]
    return matrix


def _order(matrix: np.ndarray) -> np.ndarray:
    """Return the row numbers 0, 2, 4, ... and then 1, 3, 5, ...: interleaved rows put in halves."""
    return np.r_[0 : len(matrix) : 2, 1 : len(matrix) : 2]


def _read_pair(matrix: np.ndarray, pair: int) -> float:
    """Return the shift in tokens that the block of a pair gives: right only within half a turn."""
    block = matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2]
    # The sine and cosine give the angle, and a radian takes this many tokens.
    return np.arctan2(block[0, 1], block[0, 0]) * BASE ** (2 * pair / WIDTH)
