"""Answers to the exercises of the chapter "RoPE", right and wrong."""

import math

import numpy as np


def turned(keys, angles):
    x, y = keys[:, ::2], keys[:, 1::2]
    result = np.empty_like(keys)
    result[:, ::2] = x * np.cos(angles) - y * np.sin(angles)
    result[:, 1::2] = x * np.sin(angles) + y * np.cos(angles)
    return result


def speeds(keys):
    d = keys.shape[1]
    return 10_000.0 ** (-np.arange(0, d, 2) / d)


def move(keys, by):
    return turned(keys, -by * speeds(keys))


def move_as_complex_numbers(keys, by):
    hands = np.ascontiguousarray(keys).view(complex) * np.exp(-1j * by * speeds(keys))
    return hands.view(float)


def further(keys, by):
    return turned(keys, by * speeds(keys))


def with_positions(keys, by):
    return turned(keys, (np.arange(len(keys)) - by)[:, np.newaxis] * speeds(keys))


def as_they_were(keys, _by):
    return keys.copy()


def port(W):
    return np.hstack([W[:, ::2], W[:, 1::2]])


def port_by_index(W):
    d = W.shape[1]
    return W[:, [*range(0, d, 2), *range(1, d, 2)]]


def unchanged(W):
    return W.copy()


def rows(W):
    return np.vstack([W[::2], W[1::2]])


def back_again(W):
    half = W.shape[1] // 2
    result = np.empty_like(W)
    result[:, ::2], result[:, 1::2] = W[:, :half], W[:, half:]
    return result


def raised(base, d, s):
    return base * s ** (d / (d - 2))


def raised_by_logarithms(base, d, s):
    return math.exp(math.log(base) + math.log(s) * d / (d - 2))


def times_s(base, _d, s):
    return base * s


def upside_down(base, d, s):
    return base * s ** (1 - 2 / d)


def one_too_few(base, d, s):
    return base * s ** (d / (d - 1))


def i_for_2i(base, d, s):
    return base * s ** (d / (d / 2 - 1))


ANSWERS = {
    "ex-rope-move": {
        "right": [move, move_as_complex_numbers],
        "wrong": [
            (further, "further"),
            (with_positions, "done already"),
            (as_they_were, "as they were"),
        ],
    },
    "ex-beyond-port": {
        "right": [port, port_by_index],
        "wrong": [(unchanged, "as it was"), (rows, "the rows of W"), (back_again, "the way back")],
    },
    "ex-beyond-ntk": {
        "right": [raised, raised_by_logarithms],
        "wrong": [
            (times_s, "too little"),
            (upside_down, "upside down"),
            (one_too_few, "What is 2i"),
            (i_for_2i, "i where the formula has 2i"),
        ],
    },
}
