"""The exercises of the chapter "Similarity and attention"."""

import numpy as np

from posenc import frequencies, shift_matrix, sinusoidal
from posenc.attention import attention
from posenc_course.exercises.judging import exercise
from posenc_course.words import N_

# The largest distance in tokens at which a rise may begin. Those of the widths below begin at 3 to
# 43, so any number above would do.
FARTHEST = 200
SURE = 0.9  # the weight that the wanted token must have, at least, by choice
# How loud the queries are: from 300 on the wanted token has all of the weight but for rounding.
VOLUME = 1000


def _unsure_or_looking_ahead(weights: np.ndarray, before: tuple, _after: tuple) -> str:
    """Return a hint on a head that looks hardest at the right tokens, but is unsure or looks ahead.

    It is unsure where the right token has a weight below `SURE`, and looks ahead where a later one
    has any. "" is for a head with neither fault, and for one that looks at other tokens. This is a
    slip of the exercise below: `before` has the arguments of the call.
    """
    wanted = look_back(*before)
    # Where it looks at other tokens, the comparison with the reference says so.
    if weights.shape != wanted.shape or (weights.argmax(axis=1) != wanted.argmax(axis=1)).any():
        return ""
    if weights.max(axis=1).min() < SURE:
        return N_("It looks where it should, but not hard enough: turn up the volume.")
    if np.triu(weights, k=1).any():
        return N_("Some weight lies on later tokens. Where is the mask?")
    return ""


# How loud a head is, is its own choice: a weight may be anything from `SURE` to 1. That of the
# reference, which is very loud, is 1 but for rounding.
@exercise(
    "ex-similarity-back",
    [(sinusoidal(8, 64), 2), (sinusoidal(12, 32), 3)],
    tolerance=1 - SURE,
    slips=[_unsure_or_looking_ahead],
)
def look_back(table, back):
    """Return the weights of a causal head that looks `back` tokens back, a row for each query."""
    return _head(table, -back, causal=True)


@exercise("ex-similarity-first-rise", [(16,), (64,), (128,), (512,)])
def first_rise(d):
    """Return the smallest distance in tokens with a smaller dot product of rows than the next."""
    return _first_rise(_waves(d).sum(axis=1))


def _waves(d: int) -> np.ndarray:
    """Return the cosine of each pair at distances 0 to FARTHEST + 1, shape (distances, d/2)."""
    # A rise that begins at FARTHEST is seen at the distance after it.
    return np.cos(np.multiply.outer(np.arange(FARTHEST + 2), frequencies(d)))


def _first_rise(curve: np.ndarray) -> int:
    """Return the first index at which the next number of a curve is larger."""
    return int(np.flatnonzero(np.diff(curve) > 0)[0])


def _head(table: np.ndarray, shift: int, *, causal: bool) -> np.ndarray:
    """Return the attention weights of a head whose queries are the rows `shift` tokens later."""
    queries = VOLUME * table @ shift_matrix(shift, table.shape[1]).T
    return attention(queries, table, table, causal=causal)[1]
