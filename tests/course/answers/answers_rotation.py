"""Answers to the exercises of the chapter "The rotation proof", right and wrong."""

import numpy as np

from posenc import frequencies, shift_matrix


def turn(angle):
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])


def turn_by_filling(angle):
    block = np.empty((2, 2))
    block[0] = np.cos(angle), np.sin(angle)
    block[1] = np.cos(angle + np.pi / 2), np.sin(angle + np.pi / 2)
    return block


def turn_by_a_complex_number(angle):
    z = np.exp(1j * angle)
    return [[z.real, z.imag], [-z.imag, z.real]]


def textbook_turn(angle):
    return turn(angle).T


def turn_in_degrees(angle):
    return turn(np.deg2rad(angle))


def in_halves_by_slices(matrix):
    rows = np.vstack([matrix[0::2], matrix[1::2]])
    return np.hstack([rows[:, 0::2], rows[:, 1::2]])


def in_halves_by_a_permutation(matrix):
    width = len(matrix)
    permutation = np.zeros((width, width))
    for i in range(width // 2):
        permutation[i, 2 * i] = permutation[width // 2 + i, 2 * i + 1] = 1
    return permutation @ matrix @ permutation.T


def in_halves_by_loops(matrix):
    width = len(matrix)
    old = [*range(0, width, 2), *range(1, width, 2)]
    return [[matrix[row][column] for column in old] for row in old]


def rows_alone(matrix):
    return np.vstack([matrix[0::2], matrix[1::2]])


SLOWEST = frequencies(16, base=100)[-1]


def read_by_arctan2(matrix):
    return np.arctan2(matrix[14, 15], matrix[14, 14]) / SLOWEST


def read_by_a_complex_number(matrix):
    return float(np.angle(matrix[15, 15] - 1j * matrix[15, 14]) / SLOWEST)


def nearest_of(offsets, matrix):
    tried = [np.abs(shift_matrix(offset, 16, base=100) - matrix).max() for offset in offsets]
    return offsets[np.argmin(tried)]


def read_on_a_grid(matrix):
    return nearest_of(np.linspace(-176, 176, 705), matrix)  # every half token


def read_by_search(matrix):
    best, step = read_on_a_grid(matrix), 0.5
    while step > 1e-9:
        best, step = nearest_of(np.linspace(best - step, best + step, 21), matrix), step / 10
    return best


def in_halves_by_diagonals(matrix):
    cosines, sines, minus = (np.diag(matrix, offset)[::2] for offset in (0, 1, -1))
    return np.block([[np.diag(cosines), np.diag(sines)], [np.diag(minus), np.diag(cosines)]])


# For each exercise: right answers in different styles, and wrong ones with words of their hint.
ANSWERS = {
    "ex-rotation-turn": {
        "right": [turn, turn_by_filling, turn_by_a_complex_number],
        "wrong": [
            (textbook_turn, "which of the two stands first"),
            (lambda angle: turn(angle)[::-1], "turn by 0 must change nothing"),
            (lambda angle: np.cos(angle - np.pi / 2 * (1 - np.eye(2))), "Both rows add"),
            (turn_in_degrees, "Degrees or radians?"),
            (
                lambda angle: [
                    [np.sin(angle), np.cos(angle)],
                    [-np.cos(angle), np.sin(angle)],
                ],
                "have changed places",
            ),
            (
                lambda angle: [
                    [np.cos(angle), np.sin(angle)],
                    [np.cos(angle), -np.sin(angle)],
                ],
                "In the lower row",
            ),
            (lambda angle: -turn(angle), "Look at the signs"),
            (lambda angle: turn(angle).ravel(), "(4,) and should be (2, 2)"),
            (lambda angle: turn(angle).astype(np.float32), "short float"),
            (lambda angle: turn(angle) / (angle - 3.0), "NaN or infinite"),
            (lambda angle: turn(angle) + 0j, "complex numbers"),
            (
                lambda angle: turn(abs(angle)),
                "right for some inputs. Look at the input angle = -1.25",
            ),
            (turn(0.5), "wants a function"),
            (lambda: turn(0.5), "it raises TypeError"),
        ],
    },
    "ex-rotation-halves": {
        "right": [
            in_halves_by_slices,
            in_halves_by_a_permutation,
            in_halves_by_loops,
            in_halves_by_diagonals,
        ],
        "wrong": [
            (rows_alone, "What of the columns?"),
            (lambda matrix: rows_alone(matrix.T).T, "What of the rows?"),
            (lambda matrix: matrix, "Nothing has moved"),
            (lambda matrix: in_halves_by_slices(matrix).T, "transposed"),
            (lambda matrix: np.diag(in_halves_by_slices(matrix)), "pick single entries"),
            (lambda matrix: rows_alone(rows_alone(matrix)), "the rows twice"),
            (
                lambda matrix: (
                    matrix.reshape(2, -1, 2, len(matrix) // 2)
                    .transpose(1, 0, 3, 2)
                    .reshape(matrix.shape)
                ),
                "from halves to interleaved",
            ),
            (lambda matrix: in_halves_by_slices(matrix)[0], "should be (16, 16)"),
        ],
    },
    "ex-rotation-read": {
        "right": [read_by_arctan2, read_by_a_complex_number, read_by_search],
        "wrong": [
            (read_on_a_grid, "right for some inputs"),
            (lambda matrix: round(read_by_arctan2(matrix)), "a fraction"),
            (lambda matrix: np.arctan2(matrix[0, 1], matrix[0, 0]), "a slower pair"),
            (lambda matrix: -read_by_arctan2(matrix), "Which way is forward?"),
            (lambda matrix: np.arctan2(matrix[14, 15], matrix[14, 14]), "the angle in radians"),
            (lambda matrix: np.arccos(matrix[15, 15]) / SLOWEST, "tell forward from back"),
            (lambda matrix: np.arcsin(matrix[14, 15]) / SLOWEST, "The sine alone"),
            (lambda matrix: int(read_by_arctan2(matrix)), "`int` drops"),
            (lambda matrix: read_by_arctan2(matrix) % (2 * np.pi / SLOWEST), "right forward"),
            (
                lambda matrix: (
                    np.arctan2(matrix[14, 15], matrix[14, 14]) / frequencies(16, base=10_000)[-1]
                ),
                "n = 10 000",
            ),
            (lambda matrix: np.arctan(matrix[14, 15] / matrix[14, 14]) / SLOWEST, "arctan2"),
        ],
    },
}
