"""Answers to the exercises of the chapter "Serving: caches, padding, packing", right and wrong."""

import numpy as np

from posenc import frequencies, rope, rotate, shift_matrix


def packed_positions(lengths):
    return np.concatenate([np.arange(length) for length in lengths])


def packed_by_a_loop(lengths):
    return [k for length in lengths for k in range(length)]


def running_on(lengths):
    return list(range(sum(lengths)))


def numbers_of_texts(lengths):
    return np.repeat(np.arange(len(lengths)), lengths)


def from_1(lengths):
    return [k + 1 for length in lengths for k in range(length)]


def move_keys(cached, by):
    return rotate(cached, by * frequencies(cached.shape[-1]))


def move_by_a_matrix(cached, by):
    return cached @ shift_matrix(-by, cached.shape[1]).T


def other_way(cached, by):
    return rope(cached, np.full(len(cached), -by))


def from_new_positions(cached, by):
    return rope(cached, by + np.arange(len(cached)))


def in_halves(cached, by):
    return rope(cached, np.full(len(cached), by), layout="halves")


def one_angle(cached, by):
    return rotate(cached, by * np.ones(cached.shape[-1] // 2))


ANSWERS = {
    "ex-serving-positions": {
        "right": [packed_positions, packed_by_a_loop],
        "wrong": [
            (running_on, "run on"),
            (numbers_of_texts, "number of each text"),
            (from_1, "count from 0"),
        ],
    },
    "ex-serving-move": {
        "right": [move_keys, move_by_a_matrix],
        "wrong": [
            (other_way, "the other way"),
            (from_new_positions, "Only the difference"),
            (one_angle, "same angle"),
            (in_halves, "These are halves"),
        ],
    },
}
