"""The exercises of the chapter "The rotation proof"."""

import numpy as np

from posenc import shift_matrix
from posenc_course.exercises.judging import exercise

WIDTH, BASE = 16, 100  # the table of the chapter
SLOWEST = BASE ** (-(WIDTH - 2) / WIDTH)  # radians per token


@exercise("ex-rotation-turn", [(2, [1, 0.1]), (-1.25, [1, 0.5, 0.25]), (3, [0.7]), (0, [1, 0.1])])
def shift_of(shift, omegas):
    """Return the matrix that turns each hand by its radians per token times the shift."""
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
    return np.asarray(matrix)[np.ix_(order, order)]


# An angle that is read off and divided by a small frequency loses digits.
@exercise(
    "ex-rotation-read",
    [(shift_matrix(secret, WIDTH, base=BASE),) for secret in (12, -150, 170, -2.513, 0)],
    tolerance=1e-6,
)
def read_shift(matrix):
    """Return the shift of a shift matrix of width 16 and base 100, from its slowest pair."""
    return np.arctan2(matrix[-2, -1], matrix[-1, -1]) / SLOWEST


def blocks(angles, minus=-1):
    """Return the matrix with a 2 x 2 rotation for each angle (radians) on its diagonal.

    `minus` is the sign of the sine at the lower left of a block: with 1 it is a typical mistake.
    """
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        cosine, sine = np.cos(angle), np.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [minus * sine, cosine]]
    return matrix


def _order(matrix):
    """Return the interleaved numbers of the rows, first those of the sines, then of the cosines."""
    return np.r_[0 : len(matrix) : 2, 1 : len(matrix) : 2]


def _read_pair(matrix, pair):
    """Return the shift in tokens that the block of a pair gives: right only within half a turn."""
    block = matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2]
    return np.arctan2(block[0, 1], block[0, 0]) * BASE ** (2 * pair / WIDTH)
