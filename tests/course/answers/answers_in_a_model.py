"""Answers to the exercises of the chapter "In a model", right and wrong."""

import numpy as np

from posenc import decode_positions


def read_places(sums, W):
    return decode_positions(sums - sums @ W)


def read_places_by_the_rest(sums, W):
    return [decode_positions(row @ (np.eye(len(W)) - W)) for row in sums]


def only_the_word(sums, W):
    return sums @ W


def only_the_row(sums, W):
    return sums @ (np.eye(len(W)) - W)


def counted_from_1(sums, W):
    return read_places(sums, W) + 1


def twin(tokens):
    exchanged = np.arange(8)
    exchanged[[0, 1]] = 1, 0
    return exchanged[tokens]


def twin_by_copying(tokens):
    result = tokens.copy()
    result[tokens == 0] = 1
    result[tokens == 1] = 0
    return result


def spoiled(tokens):
    return 1 - tokens


def half(tokens):
    return tokens + (tokens == 0)


def one_after_the_other(tokens):
    result = tokens.copy()
    result[result == 0] = 1
    result[result == 1] = 0
    return result


def in_place(tokens):
    tokens[:] = twin(tokens)
    return tokens


def with_fractions(tokens):
    return np.where(tokens < 2, 1.0 - tokens, tokens)


def reversed_text(tokens):
    return np.flip(tokens, axis=-1)


ANSWERS = {
    "ex-model-place": {
        "right": [read_places, read_places_by_the_rest],
        "wrong": [
            (only_the_word, "That is the word"),
            (only_the_row, "That is the row of the place"),
            (counted_from_1, "from 0"),
        ],
    },
    "ex-model-twin": {
        "right": [twin, twin_by_copying],
        "wrong": [
            (spoiled, "spoils the other letters"),
            (half, "And the B?"),
            (one_after_the_other, "has just written"),
            (in_place, "Work on a copy"),
            (with_fractions, "Keep them whole"),
            (reversed_text, "reverses the text"),
        ],
    },
}
