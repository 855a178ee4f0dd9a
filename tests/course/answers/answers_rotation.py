"""Answers to the exercises of the chapter "The rotation proof", right and wrong."""

import numpy as np

from posenc import frequencies, shift_matrix


def shift_by_blocks(shift, omegas):
    matrix = np.zeros((2 * len(omegas), 2 * len(omegas)))
    for i, omega in enumerate(omegas):
        cosine, sine = np.cos(omega * shift), np.sin(omega * shift)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


def shift_entry_by_entry(shift, omegas):
    rows = [[0.0] * (2 * len(omegas)) for _ in range(2 * len(omegas))]
    for i, omega in enumerate(omegas):
        rows[2 * i][2 * i] = rows[2 * i + 1][2 * i + 1] = np.cos(omega * shift)
        rows[2 * i][2 * i + 1] = np.sin(omega * shift)
        rows[2 * i + 1][2 * i] = -np.sin(omega * shift)
    return rows


def shift_by_a_product(shift, omegas):
    cosine, sine = np.cos(np.multiply(omegas, shift)), np.sin(np.multiply(omegas, shift))
    return np.kron(np.diag(cosine), np.eye(2)) + np.kron(np.diag(sine), [[0, 1], [-1, 0]])


def textbook_blocks(shift, omegas):
    return shift_by_blocks(shift, omegas).T


def shift_in_degrees(shift, omegas):
    return shift_by_blocks(shift, np.deg2rad(omegas))


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
        "right": [shift_by_blocks, shift_entry_by_entry, shift_by_a_product],
        "wrong": [
            (textbook_blocks, "which of the two stands first"),
            (lambda shift, omegas: np.abs(shift_by_blocks(shift, omegas)), "right for some"),
            (
                lambda shift, omegas: np.kron(
                    np.eye(len(omegas)), shift_by_blocks(shift, omegas)[:2, :2]
                ),
                "like hand 0",
            ),
            (shift_in_degrees, "radians already"),
            (lambda _shift, omegas: shift_by_blocks(1, omegas), "Where does `shift` come in?"),
            (
                lambda shift, omegas: (
                    shift_by_blocks(shift, omegas) * np.kron(np.eye(len(omegas)), [[1, 1], [-1, 1]])
                ),
                "Both rows of a block add",
            ),
            (lambda shift, omegas: -shift_by_blocks(shift, omegas), "Look at the signs"),
            (lambda shift, omegas: shift_by_blocks(shift, omegas).ravel(), "should be (4, 4)"),
            (lambda shift, omegas: shift_by_blocks(shift, omegas)[:2, :2], "hand 0 alone"),
            (
                lambda shift, omegas: shift_by_blocks(shift, omegas).astype(np.float32),
                "short float",
            ),
            (lambda shift, omegas: shift_by_blocks(shift, omegas) + 0j, "complex numbers"),
            (
                lambda shift, omegas: shift_by_blocks(abs(shift), omegas),
                "right for some inputs. Look at the input shift = -1.25",
            ),
            (shift_by_blocks(2, [1, 0.1]), "wants a function"),
            (lambda: shift_by_blocks(2, [1, 0.1]), "it raises TypeError"),
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
