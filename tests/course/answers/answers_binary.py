"""Answers to the exercises of the chapter "The binary analogy", right and wrong."""

import numpy as np

from posenc import shift_matrix


def bits_by_shifting(k, width):
    return [k >> b & 1 for b in range(width)]


def bits_by_text(k, width):
    return np.array([int(digit) for digit in f"{k:0{width}b}"[::-1]])


def bits_by_halving(k, width):
    digits = []
    for _ in range(width):
        digits.append(k % 2)
        k //= 2
    return tuple(digits)


def gray_by_reflection(width):
    codes = [[]]
    for _ in range(width):
        codes = [[*code, 0] for code in codes] + [[*code, 1] for code in codes[::-1]]
    return codes


def gray_by_xor(width):
    k = np.arange(2**width)
    return (k ^ k >> 1)[:, np.newaxis] >> np.arange(width) & 1


def another_gray(width):
    """Reversed, slowest bit first, and begun at another code: a Gray code all the same."""
    return 1 - gray_by_xor(width)[::-1, ::-1]


def turn(angle):
    return [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]


def move_hands(shift, width):
    matrix = np.zeros((2 * width, 2 * width))
    for b in range(width):
        matrix[2 * b : 2 * b + 2, 2 * b : 2 * b + 2] = turn(np.pi * shift / 2**b)
    return matrix


def move_hands_from_the_table(shift, width):
    """Solve for it: hands before and after, at as many positions as there are columns."""
    k = np.arange(2 * width)[:, np.newaxis] * 2.0**width / (2 * width) / np.pi
    angles = [2 * np.pi * at / 2.0 ** np.arange(1, width + 1) for at in (k, k + shift)]
    now, later = (np.stack([np.sin(a), np.cos(a)], -1).reshape(len(k), -1) for a in angles)
    return np.linalg.lstsq(now, later, rcond=None)[0].T


def bits_of_a_byte(k):
    return np.unpackbits(np.uint8(k), bitorder="little")


ANSWERS = {
    "ex-binary-bits": {
        "right": [bits_by_shifting, bits_by_text, bits_by_halving],
        "wrong": [
            (lambda k, width: [k / 2**b % 2 for b in range(width)], "rounds down"),
            (lambda k, width: list(f"{k:0{width}b}"), "it returns text"),
            (lambda k, width: bits_by_text(k, width)[::-1], "slowest bit comes first"),
            (lambda k, width: 1 - bits_by_text(k, width), "changed places"),
            (lambda k, width: bits_by_shifting(k // 2, width), "fastest bit is missing"),
            (lambda k, width: [k >> b for b in range(width)], "the quotients"),
            (lambda k, width: [k % 2**b for b in range(width)], "Divide first"),
            (lambda k, _width: [int(digit) for digit in bin(k)[:1:-1]], "slow bits that are 0"),
            (lambda k, _width: [int(digit) for digit in bin(k)[2:]], "fill up with zeros"),
            (lambda k, _width: np.unpackbits(np.uint8(k % 256)), "always eight bits"),
            (lambda k, _width: bits_of_a_byte(k % 256), "The order fits"),
            (lambda k, width: bits_of_a_byte(k)[:width], "out of bounds for uint8"),
            (lambda k, width: [k // 2 ^ (b & 1) for b in range(width)], "not a power"),
            (lambda k, width: [(1 << b) & k for b in range(width)], "add up to k"),
            (lambda k, width: bits_by_shifting(k, width + 1), "Look at the shape"),
            (lambda k, width: f"{k:0{width}b}", "not numbers"),
        ],
    },
    "ex-binary-gray": {
        "right": [gray_by_reflection, gray_by_xor, another_gray],
        "wrong": [
            (lambda width: np.arange(2**width)[:, None] >> np.arange(width) & 1, "two bits flip"),
            (lambda width: np.tri(2**width, width, -1, dtype=int), "rows come back"),
            (lambda width: gray_by_xor(width).T, "transposed"),
            (lambda width: 2 * gray_by_xor(width), "other than 0 and 1"),
            (lambda width: gray_by_xor(width) * 0, "two rows are the same"),
            (lambda width: np.roll(gray_by_xor(width), 1, 1)[:-1], "Look at the shape"),
            (
                lambda width: np.array(gray_by_xor(width))[np.argsort(np.arange(2**width) % 2)],
                "from row",
            ),
        ],
    },
    "ex-binary-hands": {
        "right": [move_hands, move_hands_from_the_table],
        "wrong": [
            (lambda shift, width: move_hands(shift, width).T, "moves the hands back"),
            (lambda shift, width: move_hands(2 * shift, width), "twice as fast"),
            (lambda shift, width: move_hands(shift / 2 / np.pi, width), "a whole turn"),
            (lambda shift, width: move_hands(shift / 2, width), "half as fast"),
            (lambda shift, width: move_hands(shift * 180 / np.pi, width), "takes radians"),
            (lambda shift, width: shift_matrix(shift, 2 * width, base=2**width), "be back after 2"),
            (lambda shift, width: shift_matrix(shift, 2 * width), "hands of the encoding."),
            (
                lambda shift, width: (
                    np.kron(np.eye(width)[::-1], np.eye(2))
                    @ move_hands(shift, width)
                    @ np.kron(np.eye(width)[::-1], np.eye(2))
                ),
                "slowest bit comes first",
            ),
            (lambda _shift, width: move_hands(1, width), "Where does the shift come in?"),
            (lambda shift, width: np.kron(np.eye(width), turn(np.pi * shift)), "like that of bit"),
        ],
    },
}
