"""The exercises of the chapter "Similarity and attention"."""

import numpy as np

from posenc import frequencies, shift_matrix, sinusoidal
from posenc.attention import attention
from posenc_course.exercises.judging import Function

FARTHEST = 200
SURE = 0.9  # the weight that the wanted token must have, at least


def look_back(table, back):
    """Return the weights of a causal head that looks a number of tokens back."""
    return _head(table, -back, causal=True)


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


def _is_quiet(weights, before, _after):
    """Tell whether each token looks hardest where it should, and some do not look hard enough."""
    wanted = look_back(*before).argmax(axis=-1)
    where, how_hard = weights.argmax(axis=-1), weights.max(axis=-1)
    return np.array_equal(where, wanted) and how_hard.min() < SURE


def _looks_ahead(weights, before, _after):
    """Tell whether a token of a right head has weight, however little, on a later one."""
    table, _ = before
    wanted = look_back(*before).argmax(axis=-1)
    right = weights.shape == (len(table), len(table)) and np.array_equal(
        weights.argmax(axis=-1), wanted
    )
    return right and np.triu(weights, k=1).any()


EXERCISES = {
    "ex-similarity-back": Function(
        look_back,
        inputs=[(sinusoidal(8, 64), 2), (sinusoidal(12, 32), 3)],
        tolerance=1 - SURE,
        slips=[
            (_is_quiet, "It looks where it should, but not hard enough: turn up the volume."),
            (_looks_ahead, "Some weight lies on later tokens. Where is the mask?"),
        ],
    ),
    "ex-similarity-first-rise": Function(
        first_rise,
        inputs=[(16,), (64,), (128,), (512,)],
    ),
}
