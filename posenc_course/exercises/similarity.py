"""The exercises of the chapter "Similarity and attention"."""

import numpy as np

from posenc import frequencies, shift_matrix, sinusoidal
from posenc.attention import attention
from posenc_course.exercises.judging import exercise
from posenc_course.words import N_

FARTHEST = 200
SURE = 0.9  # the weight that the wanted token must have, at least


def _quiet_or_looking_ahead(weights, before, _after):
    """Say what is off with a head that looks hardest where it should."""
    wanted = look_back(*before)
    if weights.shape != wanted.shape or (weights.argmax(axis=1) != wanted.argmax(axis=1)).any():
        return ""
    if weights.max(axis=1).min() < SURE:
        return N_("It looks where it should, but not hard enough: turn up the volume.")
    return (
        "Some weight lies on later tokens. Where is the mask?"
        if np.triu(weights, k=1).any()
        else ""
    )


@exercise(
    "ex-similarity-back",
    [(sinusoidal(8, 64), 2), (sinusoidal(12, 32), 3)],
    tolerance=1 - SURE,
    slips=[_quiet_or_looking_ahead],
)
def look_back(table, back):
    """Return the weights of a causal head that looks a number of tokens back."""
    return _head(table, -back, causal=True)


@exercise("ex-similarity-first-rise", [(16,), (64,), (128,), (512,)])
def first_rise(d):
    """Return the smallest distance from which the dot product of two rows rises."""
    return _first_rise(_waves(d).sum(axis=1))


def _waves(d):
    return np.cos(np.multiply.outer(np.arange(FARTHEST + 2), frequencies(d)))


def _first_rise(curve):
    return int(np.flatnonzero(np.diff(curve) > 0)[0])


def _head(table, shift, *, causal):
    queries = 1000 * table @ shift_matrix(shift, table.shape[1]).T
    return attention(queries, table, table, causal=causal)[1]
