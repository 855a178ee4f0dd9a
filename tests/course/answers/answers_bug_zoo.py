"""Answers to the exercises of the chapter "A bug zoo", right and wrong."""

import math

import numpy as np


def frequencies(table):
    return np.arctan2(table[1, ::2], table[1, 1::2])


def frequencies_by_hand(table):
    row = table[1]
    return [math.atan2(row[i], row[i + 1]) for i in range(0, len(row), 2)]


def frequencies_by_complex_numbers(table):
    return np.angle(table[1, 1::2] + 1j * table[1, ::2])


def swapped_arguments(table):
    return np.arctan2(table[1, 1::2], table[1, ::2])


def from_the_sine(table):
    return np.arcsin(table[1, ::2])


def from_the_cosine(table):
    return np.arccos(table[1, 1::2])


def from_row_0(table):
    return 0 * table[0, ::2]


def in_halves(table):
    return table[0, 1] < 0.5


def in_halves_by_row(table):
    half = table.shape[1] // 2
    return int(np.allclose(table[0], [0] * half + [1] * half))


def in_turn(table):
    return not in_halves(table)


def first_column(table):
    return table[0, 0] < 0.5


def second_row(table):
    return table[1, 1] < 0.5


ANSWERS = {
    "ex-zoo-frequencies": {
        "right": [frequencies, frequencies_by_hand, frequencies_by_complex_numbers],
        "wrong": [
            (swapped_arguments, "sine first"),
            (from_the_sine, "mirror image"),
            (from_the_cosine, "tell ω from −ω"),
            (from_row_0, "row 0"),
        ],
    },
    "ex-zoo-layout": {
        "right": [in_halves, in_halves_by_row],
        "wrong": [
            (in_turn, "the other layout"),
            (first_column, "in both layouts"),
            (second_row, "row 1"),
        ],
    },
}
