"""Answers to the exercises of the chapter "More than one coordinate", right and wrong."""

import numpy as np


def places_of(rows, columns):
    row = np.repeat(np.arange(rows), columns)
    column = np.tile(np.arange(columns), rows)
    return np.stack([row, column], axis=1)


def places_in_a_loop(rows, columns):
    return [(row, column) for row in range(rows) for column in range(columns)]


def swapped(rows, columns):
    return [(column, row) for row in range(rows) for column in range(columns)]


def by_column(rows, columns):
    return [(row, column) for column in range(columns) for row in range(rows)]


def from_1(rows, columns):
    return np.array(places_in_a_loop(rows, columns)) + 1


def angles_of(places, omega):
    rows, columns = places[:, :1], places[:, 1:]
    return np.concatenate([rows * omega, columns * omega], axis=1)


def angles_by_kron(places, omega):
    return np.kron(places, omega)


def column_first(places, omega):
    return np.kron(places[:, [1, 0]], omega)


def added(places, omega):
    total = places[:, :1] + places[:, 1:]
    return np.concatenate([total * omega, total * omega], axis=1)


def dealt_out(places, omega):
    return (places[:, np.newaxis, :] * omega[:, np.newaxis]).reshape(len(places), -1)


ANSWERS = {
    "ex-rope-axes-grid": {
        "right": [places_of, places_in_a_loop],
        "wrong": [
            (swapped, "changed places"),
            (by_column, "column by column"),
            (from_1, "count from 0"),
        ],
    },
    "ex-rope-axes-angles": {
        "right": [angles_of, angles_by_kron],
        "wrong": [(column_first, "came first"), (added, "are added"), (dealt_out, "dealt out")],
    },
}
