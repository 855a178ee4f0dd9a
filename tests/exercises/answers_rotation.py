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


def shift(offset, width):
    matrix = np.zeros((width, width))
    for i, omega in enumerate(frequencies(width, base=100)):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = turn(omega * offset)
    return matrix


def shift_by_kronecker(offset, width):
    total = 0
    for i in range(width // 2):
        place = np.zeros((width // 2, width // 2))
        place[i, i] = 1
        total = total + np.kron(place, turn(offset * 100 ** (-2 * i / width)))
    return total


def one_angle(offset, width):
    return np.kron(np.eye(width // 2), turn(offset))


# For each exercise: right answers in different styles, and wrong ones with words of their hint.
ANSWERS = {
    "rotation-3": {
        "right": [turn, turn_by_filling, turn_by_a_complex_number],
        "wrong": [
            (textbook_turn, "which of the two stands first"),
            (lambda angle: turn(angle)[::-1], "turn by 0 must change nothing"),
            (lambda angle: np.cos(angle - np.pi / 2 * (1 - np.eye(2))), "Both rows add"),
            (turn_in_degrees, "Degrees or radians?"),
            (lambda angle: -turn(angle), "Look at the signs"),
            (lambda angle: turn(angle).ravel(), "(4,) and should be (2, 2)"),
            (lambda angle: turn(angle).astype(np.float32), "short float"),
            (lambda angle: turn(angle) / (angle - 3.0), "NaN or infinite"),
            (lambda angle: turn(angle) + 0j, "complex numbers"),
            (lambda angle: turn(abs(angle)), "right for some inputs. Look at the input -1.25"),
            (turn(0.5), "wants a function"),
            (lambda: turn(0.5), "it raises TypeError"),
        ],
    },
    "rotation-4": {
        "right": [shift, shift_by_kronecker],
        "wrong": [
            (lambda offset, width: shift(offset, width).T, "back instead of forward"),
            (one_angle, "Every pair turns by the same angle"),
            (lambda offset, width: shift_matrix(offset, width), "belong to base 10 000"),
            (
                lambda offset, width: shift_matrix(offset, width, base=100, layout="halves"),
                "fits a table in halves",
            ),
            (lambda _offset, width: shift(1, width), "Where does the offset come in?"),
        ],
    },
}
