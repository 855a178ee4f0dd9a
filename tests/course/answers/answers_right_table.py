"""Answers to the exercises of the chapter "Is my table right?", right and wrong."""

import numpy as np

from posenc import decode_positions


def to_paper(table):
    half = table.shape[1] // 2
    paper = np.empty_like(table)
    paper[:, 0::2] = table[:, half:]
    paper[:, 1::2] = table[:, :half]
    return paper


def to_paper_by_order(table):
    half = table.shape[1] // 2
    order = [half + i // 2 if i % 2 == 0 else i // 2 for i in range(2 * half)]
    return table[:, order]


def only_rolled(table):
    half = table.shape[1] // 2
    return np.concatenate([table[:, half:], table[:, :half]], axis=1)


def cosine_sine(table):
    half = table.shape[1] // 2
    return table[:, [i // 2 + half * (i % 2) for i in range(2 * half)]]


def unchanged(table):
    return table.copy()


def first_position(row):
    return int(np.round(np.angle(row[1] + 1j * row[0]) % (2 * np.pi)))


def first_position_decoded(row):
    return float(np.round(decode_positions(row[np.newaxis])[0]))


def by_the_sine(row):
    return np.round(np.arcsin(row[0]))


def by_the_cosine(row):
    return np.round(np.arccos(row[1]))


def without_the_turn(row):
    return np.round(np.arctan2(row[0], row[1]))


def swapped(row):
    return np.round(np.arctan2(row[1], row[0]) % (2 * np.pi))


ANSWERS = {
    "ex-right-table-order": {
        "right": [to_paper, to_paper_by_order],
        "wrong": [
            (only_rolled, "still in halves"),
            (cosine_sine, "changed places"),
            (unchanged, "Nothing has moved"),
        ],
    },
    "ex-right-table-first": {
        "right": [first_position, first_position_decoded],
        "wrong": [
            (by_the_sine, "A sine alone"),
            (by_the_cosine, "A cosine alone"),
            (without_the_turn, "comes out negative"),
            (swapped, "changed places"),
        ],
    },
}
