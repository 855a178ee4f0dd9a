"""Answers to the exercises of the chapter "A worked example", right and wrong."""

import numpy as np

from posenc import sinusoidal


def next_row(row, row_1):
    s, c = row[0::2], row[1::2]
    s1, c1 = row_1[0::2], row_1[1::2]
    turned = np.empty(len(row))
    turned[0::2] = s * c1 + c * s1
    turned[1::2] = c * c1 - s * s1
    return turned


def next_row_by_complex_numbers(row, row_1):
    turned = (row[1::2] + 1j * row[0::2]) * (row_1[1::2] + 1j * row_1[0::2])
    return np.ravel(list(zip(turned.imag, turned.real, strict=True)))


def next_row_by_a_loop(row, row_1):
    turned = []
    for i in range(0, len(row), 2):
        turned.append(row[i] * row_1[i + 1] + row[i + 1] * row_1[i])
        turned.append(row[i + 1] * row_1[i + 1] - row[i] * row_1[i])
    return turned


def positions(padding, L):
    return np.arange(L) - padding[:, np.newaxis]


def positions_by_loops(padding, L):
    return [[k - tokens for k in range(L)] for tokens in padding]


def positions_in_floats(padding, L):
    return np.subtract.outer(-1.0 * padding, -np.arange(L))


def read(X, embedding):
    L, d = X.shape
    left = (X - sinusoidal(L, d)) / np.sqrt(d)
    gaps = left[:, np.newaxis] - embedding
    return np.linalg.norm(gaps, axis=2).argmin(axis=1)


def read_by_loops(X, embedding):
    d = X.shape[1]
    found = []
    for row, place in zip(X, sinusoidal(*X.shape), strict=True):
        wanted = row - place
        misses = [np.abs(wanted - np.sqrt(d) * word).sum() for word in embedding]
        found.append(int(np.argmin(misses)))
    return found


def read_all_but_nearly_equal(X, embedding):
    where = sinusoidal(*X.shape)
    sums = np.sqrt(X.shape[1]) * embedding + where[:, np.newaxis]
    return np.isclose(sums, X[:, np.newaxis], atol=1e-5).all(axis=2).argmax(axis=1)


def row_overwritten(row, row_1):
    row[0::2] = row[0::2] * row_1[1::2] + row[1::2] * row_1[0::2]
    row[1::2] = row[1::2] * row_1[1::2] - row[0::2] * row_1[0::2]
    return row


def counted_from_the_left(padding, length):
    return [[-1 - j for j in range(start)] + list(range(length - start)) for start in padding]


def read_with_base_100(X, embedding):
    return read(X - sinusoidal(*X.shape, base=100) + sinusoidal(*X.shape), embedding)


# For each exercise: right answers in different styles, and wrong ones with words of their hint.
ANSWERS = {
    "ex-example-turn": {
        "right": [next_row, next_row_by_complex_numbers, next_row_by_a_loop],
        "wrong": [
            (row_overwritten, "from the new sines"),
            (
                lambda row, row_1: next_row(row, row_1 * np.tile([-1, 1], len(row) // 2)),
                "the row before",
            ),
            (lambda row, row_1: np.add(row, row_1), "not the sum of the sines"),
            (lambda row, row_1: row * row_1, "Each formula has two products"),
            (
                lambda row, row_1: next_row(row, row_1).reshape(-1, 2)[:, ::-1].ravel(),
                "which one is the sine",
            ),
            (lambda row, row_1: next_row(row, row_1).reshape(-1, 2), "(2, 2) and should be (4,)"),
            (lambda _row, row_1: next_row(row_1, row_1), "right for some inputs"),
            (lambda row: row, "it raises TypeError"),
        ],
    },
    "ex-example-padding": {
        "right": [positions, positions_by_loops, positions_in_floats],
        "wrong": [
            (counted_from_the_left, "right before 0"),
            (lambda padding, L: padding[:, None] + np.arange(L), "the other way"),
            (lambda padding, L: -positions(padding, L), "run backwards"),
            (lambda padding, L: positions(padding, L).clip(0), "count on downwards"),
            (lambda padding, L: positions(padding, L).T, "transposed"),
            (lambda padding, L: np.arange(1, L + 1) - padding[:, None], "count from 1"),
            (lambda padding, L: np.arange(L) - padding, "it raises ValueError"),
            (lambda padding, L: [range(L)] * len(padding), "Where does `padding` come in?"),
        ],
    },
    "ex-example-read": {
        "right": [read, read_by_loops, read_all_but_nearly_equal],
        "wrong": [
            (read_with_base_100, "The base is 10 000"),
            (
                lambda X, embedding: read(X + sinusoidal(*X.shape), embedding),
                "The encoding is still in the sum",
            ),
            (
                lambda X, embedding: np.linalg.norm(
                    (X - sinusoidal(*X.shape))[:, None] - embedding, axis=2
                ).argmin(1),
                "By which factor",
            ),
            (
                lambda X, embedding: ((X - sinusoidal(*X.shape)) @ embedding.T).argmax(1),
                "prefers long rows",
            ),
            (lambda X, embedding: embedding[read(X, embedding)], "Their numbers are asked for"),
            (lambda X, embedding: read(X, embedding)[:, None], "not the shape"),
            (lambda X, embedding: read(X, embedding) + 1, "too large by 1"),
        ],
    },
}
