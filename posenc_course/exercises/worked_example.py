"""The exercises of the chapter "A worked example"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import exercise


@exercise(
    "ex-example-turn",
    tuple(
        (table[k], table[1])
        for table, k in [
            (sinusoidal(4, 4, base=100), 1),
            (sinusoidal(4, 4, base=100), 2),
            (sinusoidal(30, 8), 27),
            (sinusoidal(2, 2), 0),
        ]
    ),
)
def next_row(row, row_1):
    """Return the row one position after `row`, from it and from row 1 by the sum formulas."""
    # An array of sines and one of cosines, of either row.
    (s, c), (s1, c1) = (np.reshape(pairs, (-1, 2)).T for pairs in (row, row_1))
    return np.stack([s * c1 + c * s1, c * c1 - s * s1], axis=1).ravel()  # interleaved again


def _backwards(row: np.ndarray, row_1: np.ndarray) -> np.ndarray:
    """Return the row one position before `row` (wrong)."""
    # The row of position -1 has the sines of row 1, in its even columns, with the other sign.
    return next_row(row, row_1 * np.where(np.arange(len(row_1)) % 2, 1, -1))


def _cosines_from_new_sines(row: np.ndarray, row_1: np.ndarray) -> np.ndarray:
    """Return `row` itself, moved on in place, with cosines made from the new sines (wrong)."""
    row[0::2] = row[0::2] * row_1[1::2] + row[1::2] * row_1[0::2]
    row[1::2] = row[1::2] * row_1[1::2] - row[0::2] * row_1[0::2]
    return row


@exercise(
    "ex-example-padding", ((np.array([2, 0]), 5), (np.array([1, 3, 0]), 4), (np.array([0, 1]), 2))
)
def positions(padding, L):
    """Return the positions of L tokens of each sentence, shape (sentences, L), padding below 0."""
    return np.arange(L) - padding[:, np.newaxis]


def _layer_input(words: list[int], width: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (the text `words` as a layer sees it, an embedding in which slips show).

    A layer sees the looked-up rows times the root of the width, plus an encoding. Word 1 is twice
    word 0, as a dot product prefers the longer of two rows. Word 3 is where word 2 seems to be if
    the root of the width is left in; word 5 is where word 4 seems to be if its encoding at position
    2 is left in the sum, word 7 where word 6 seems to be if position 1 is taken for position 2, and
    word 8 where word 6 seems to be if the base is taken for 100.
    """
    # A model multiplies the embedding by the root of the width before it adds an encoding, so an
    # encoding divided by the root is as large as it looks beside an embedding.
    places = sinusoidal(len(words), width) / np.sqrt(width)
    # Nine words, with rows that are about 1 long.
    embedding = np.random.default_rng(seed).normal(scale=1 / np.sqrt(width), size=(9, width))
    embedding[1] = 2 * embedding[0]
    embedding[3] = np.sqrt(width) * embedding[2]
    embedding[5] = embedding[4] + places[2]
    embedding[7] = embedding[6] + places[1] - places[2]
    embedding[8] = embedding[6] + places[1] - sinusoidal(2, width, base=100)[1] / np.sqrt(width)
    # Rounded, so that no row is found by equality.
    return (np.sqrt(width) * (embedding[words] + places)).round(6), embedding


@exercise(
    "ex-example-read",
    (
        _layer_input([2, 6, 4, 0], 16, 1),
        _layer_input([1, 6, 4, 2, 0, 7, 6, 1], 16, 2),
        _layer_input([3, 6, 4, 2, 2, 0, 5, 1, 4, 3], 64, 3),
    ),
)
def read(X, embedding):
    """Return an array: the numbers of the words (rows of the embedding) of which X was made."""
    return _nearest(_what_is_left(X), embedding)


def _what_is_left(X: np.ndarray, start: int = 0) -> np.ndarray:
    """Return X without the encoding from position `start` on, divided by the root of the width."""
    L, d = X.shape
    return (X - sinusoidal(np.arange(start, start + L), d)) / np.sqrt(d)


def _nearest(rows: np.ndarray, embedding: np.ndarray) -> np.ndarray:
    """Return for each row the number of the nearest row of the embedding."""
    return np.linalg.norm(rows[:, np.newaxis] - embedding, axis=2).argmin(axis=1)
