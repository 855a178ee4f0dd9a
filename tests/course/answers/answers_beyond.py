"""Answers to the exercises of the chapter on the other encodings, right and wrong."""

import numpy as np


def bias(length, slope):
    k, m = np.indices((length, length))
    return -slope * np.abs(k - m)


def bias_row_by_row(length, slope):
    return np.array([[-slope * abs(k - m) for m in range(length)] for k in range(length)])


def rewarded(length, slope):
    return -bias(length, slope)


def with_a_sign(length, slope):
    k, m = np.indices((length, length))
    return slope * (m - k)


def squared(length, slope):
    k, m = np.indices((length, length))
    return -slope * (k - m) ** 2


def distances(length, _slope):
    k, m = np.indices((length, length))
    return -np.abs(k - m)


ANSWERS = {
    "ex-beyond-bias": {
        "right": [bias, bias_row_by_row],
        "wrong": [
            (rewarded, "rewards distance"),
            (with_a_sign, "after the query"),
            (squared, "parabola"),
            (distances, "Where is the slope"),
        ],
    }
}
