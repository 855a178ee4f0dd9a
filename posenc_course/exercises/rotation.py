"""The exercises of the chapter "The rotation proof"."""

import numpy as np

from posenc import shift_matrix
from posenc_course.exercises.judging import Function

WIDTH, BASE = 16, 100  # the table of the chapter
SLOWEST = BASE ** (-(WIDTH - 2) / WIDTH)  # radians per token


def shift_of(shift, omegas):
    """Return the matrix that turns each hand by its radians per token times the shift."""
    return blocks([omega * shift for omega in omegas])


def in_halves(matrix):
    """Return a matrix for interleaved columns with its rows and columns in halves."""
    order = _order(matrix)
    return np.asarray(matrix)[np.ix_(order, order)]


def read_shift(matrix):
    """Return the shift of a shift matrix of width 16 and base 100, from its slowest pair."""
    return np.arctan2(matrix[-2, -1], matrix[-1, -1]) / SLOWEST


def blocks(angles, minus=-1):
    """Return a matrix with a rotation for each angle; `minus` is the sign at the lower left."""
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        cosine, sine = np.cos(angle), np.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [minus * sine, cosine]]
    return matrix


def _order(matrix):
    return np.r_[0 : len(matrix) : 2, 1 : len(matrix) : 2]


def _read_pair(matrix, pair):
    block = matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2]
    return np.arctan2(block[0, 1], block[0, 0]) * BASE ** (2 * pair / WIDTH)


EXERCISES = {
    "ex-rotation-turn": Function(
        shift_of,
        "Each hand turns by its own angle, and the zeros keep the hands apart.",
        inputs=[(2, [1, 0.1]), (-1.25, [1, 0.5, 0.25]), (3, [0.7]), (0, [1, 0.1])],
        wrong=[
            lambda shift, omegas: shift_of(-shift, omegas),
            "It turns the hands back. The textbook matrix turns (cosine, sine); which of the two "
            "stands first here?",
            lambda shift, omegas: shift_of(shift, [omegas[0]] * len(omegas)),
            "Every hand turns like hand 0. Which angle belongs to hand i?",
            lambda _shift, omegas: shift_of(1, omegas),
            "That is one token, whatever the shift. Where does `shift` come in?",
            lambda shift, omegas: blocks([shift / omega for omega in omegas]),
            "The angle is radians per token times tokens: multiply, or divide?",
            lambda shift, omegas: blocks(np.radians([shift * omega for omega in omegas])),
            "The angles are radians already.",
            lambda shift, omegas: blocks([shift * omega for omega in omegas], minus=1),
            "Both rows of a block add. Which of the two sum formulas subtracts?",
            lambda shift, omegas: blocks(np.pi / 2 - np.multiply(shift, omegas)),
            "Sine and cosine have changed places. At angle 0, which of the two is 1?",
            lambda shift, omegas: in_halves(shift_of(shift, omegas)),
            "All sines come first. Here the sine and the cosine of a hand are neighbours.",
            lambda shift, omegas: shift_of(shift, omegas)[:2, :2],
            "That is the rotation of hand 0 alone. Two rows and two columns for each hand.",
            lambda shift, omegas: shift_of(shift, omegas[::-1]),
            "The last hand comes first. Which rows belong to hand 0?",
            lambda shift, omegas: shift_of(shift, omegas).round(2),
            "The numbers are rounded. Leave them as NumPy computes them.",
        ],
    ),
    "ex-rotation-halves": Function(
        in_halves,
        "Columns are what goes in and rows what comes out, and both change their order.",
        inputs=[
            (shift_matrix(5, 16, base=BASE),),
            (shift_matrix(-2.5, 6, base=BASE),),
            (shift_matrix(7.25, 8, base=3),),
        ],
        wrong=[
            lambda matrix: in_halves(matrix).T,
            "It is transposed. It also comes out so with the cosines first.",
            lambda matrix: matrix[_order(matrix)],
            "The rows have their new order. What of the columns?",
            lambda matrix: matrix[:, _order(matrix)],
            "The columns have their new order. What of the rows?",
            lambda matrix: matrix[np.ix_(*[np.argsort(_order(matrix))] * 2)],
            "That is the way from halves to interleaved. Which row of the old matrix becomes row 1 "
            "of the new one?",
            np.array,
            "Nothing has moved. In halves, where is the cosine of pair 0?",
            lambda matrix: matrix[_order(matrix), _order(matrix)],
            "Two lists in one pair of brackets pick single entries. Reorder the rows, and then the "
            "columns.",
            lambda matrix: matrix[_order(matrix)][_order(matrix)],
            "That reorders the rows twice. How do you reach the columns?",
            lambda matrix: matrix[np.ix_(_order(matrix), np.argsort(_order(matrix)))],
            "The rows are right, the columns went the way back. Is a permutation matrix to be "
            "transposed?",
            lambda matrix: matrix[:, np.argsort(_order(matrix))],
            "Only the columns have moved, and the way back. Where does column 1 go?",
        ],
    ),
    "ex-rotation-read": Function(
        read_shift,
        "The slowest pair makes less than half a turn in 170 tokens, so its angle is not "
        "ambiguous.",
        inputs=[(shift_matrix(secret, WIDTH, base=BASE),) for secret in (12, -150, 170, -2.513, 0)],
        wrong=[
            lambda matrix: _read_pair(matrix, 0),
            "Pair 0 makes a whole turn in 6.28 tokens, and does not count its turns. Is there a "
            "slower pair?",
            lambda matrix: -read_shift(matrix),
            "The size is right. Which way is forward?",
            lambda matrix: read_shift(matrix) * SLOWEST,
            "That is the angle in radians. How many tokens does the slowest pair need for it?",
            lambda matrix: np.arccos(np.clip(matrix[-1, -1], -1, 1)) / SLOWEST,
            "The cosine alone does not tell forward from back. What else is in the block?",
            lambda matrix: np.degrees(read_shift(matrix)),
            "The frequency is in radians per token. In what unit is your angle?",
            lambda matrix: np.round(read_shift(matrix)),
            "It is right for whole tokens. Δ may also be a fraction.",
            lambda matrix: np.arctan2(matrix[-1, -1], matrix[-2, -1]) / SLOWEST,
            "`np.arctan2` takes the sine first, then the cosine.",
            lambda matrix: np.arcsin(matrix[-2, -1]) / SLOWEST,
            "It is right up to a quarter turn of the slowest pair. The sine alone does not tell "
            "what comes after it.",
            lambda matrix: read_shift(matrix) * SLOWEST**2,
            "From radians to tokens: multiply by radians per token, or divide?",
            lambda matrix: np.arctan(matrix[-2, -1] / matrix[-1, -1]) / SLOWEST,
            "It is right up to a quarter turn of the slowest pair. `np.arctan2` also sees the "
            "signs.",
            lambda matrix: _read_pair(matrix, WIDTH // 2 - 2),
            "That is the last pair but one. How far does it turn in 170 tokens?",
            lambda matrix: np.mean([_read_pair(matrix, i) for i in range(WIDTH // 2)]),
            "The fast pairs do not count their turns, and they spoil the mean.",
            lambda matrix: (read_shift(matrix) * SLOWEST) % (2 * np.pi) / SLOWEST,
            "It is right forward. What is a turn that is almost whole, seen backward?",
            lambda matrix: read_shift(matrix) * SLOWEST * BASE,
            "You divide by 1/n. The last pair has i = 7: what is 2i/d?",
            lambda matrix: read_shift(matrix) * SLOWEST * BASE ** (7 / 16),
            "The exponent of the frequency is 2i/d, and i is 7.",
            lambda matrix: read_shift(matrix) * SLOWEST * 10_000 ** (14 / 16),
            "That is the frequency for n = 10 000. Which n has this matrix?",
            lambda matrix: np.trunc(read_shift(matrix)),
            "Δ may be a fraction. `int` drops what is after the decimal point.",
        ],
        tolerance=1e-6,
    ),
}
