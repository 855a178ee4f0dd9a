"""The exercises of the chapter "Serving: caches, padding, packing"."""

import numpy as np

from posenc import frequencies
from posenc.rotary import rope, rotate
from posenc_course.exercises.judging import exercise


@exercise("ex-serving-positions", [([3, 2],), ([5, 1, 4],), ([2, 2, 2],)])
def packed_positions(lengths):
    """Return the positions of texts of these lengths, one after the other in a row."""
    return np.concatenate([np.arange(length) for length in lengths])


def _keys(seed, tokens, d):
    return rope(np.random.default_rng(seed).normal(size=(tokens, d)), tokens)


@exercise("ex-serving-move", [(_keys(1, 4, 8), 30), (_keys(2, 2, 16), -3), (_keys(3, 5, 4), 100)])
def move_keys(cached, by):
    """Return turned keys, turned by so many tokens more."""
    return rotate(cached, by * frequencies(np.shape(cached)[-1]))
