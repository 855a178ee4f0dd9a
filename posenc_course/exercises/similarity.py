"""The exercises of the chapter "Similarity and attention"."""

import numpy as np

from posenc import frequencies, shift_matrix, sinusoidal
from posenc.attention import attention
from posenc_course.exercises.judging import exercise
from posenc_course.words import N_

FARTHEST = 200  # distances, in tokens, of which the dot product is computed
SURE = 0.9  # the weight that the wanted token must have, at least
VOLUME = 1000  # how loud the queries are: the wanted token then has nearly all of the weight


def _quiet_or_looking_ahead(weights: np.ndarray, before: tuple, _after: tuple) -> str:
    """Return what is off with a head that looks at the right tokens: too softly, or ahead too."""
    wanted = look_back(*before)
    # Where it looks at other tokens, the comparison with the reference says so.
    if weights.shape != wanted.shape or (weights.argmax(axis=1) != wanted.argmax(axis=1)).any():
        return ""
    if weights.max(axis=1).min() < SURE:
        return N_("It looks where it should, but not hard enough: turn up the volume.")
    if np.triu(weights, k=1).any():
        return "Some weight lies on later tokens. Where is the mask?"
    return ""


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
    """Return the cosine of each pair at each distance, shape (distances, d/2)."""
    return np.cos(np.multiply.outer(np.arange(FARTHEST + 2), frequencies(d)))


def _first_rise(curve):
    """Return the first index after which a curve rises."""
    return int(np.flatnonzero(np.diff(curve) > 0)[0])


def _head(table, shift, *, causal):
    """Return the attention weights of a head whose queries are the rows `shift` tokens later."""
    queries = VOLUME * table @ shift_matrix(shift, table.shape[1]).T
    return attention(queries, table, table, causal=causal)[1]
