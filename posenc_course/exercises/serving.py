"""The exercises of the chapter "Serving: caches, padding, packing"."""

import numpy as np

from posenc import frequencies
from posenc.rotary import rope, rotate
from posenc_course.exercises.judging import Function


def packed_positions(lengths):
    """Return the positions of texts of these lengths, one after the other in a row."""
    return np.concatenate([np.arange(length) for length in lengths])


def move_keys(cached, by):
    """Return turned keys, turned by so many tokens more."""
    return rotate(cached, by * frequencies(np.shape(cached)[-1]))


def _keys(seed, tokens, d):
    return rope(np.random.default_rng(seed).normal(size=(tokens, d)), tokens)


EXERCISES = {
    "ex-serving-positions": Function(
        packed_positions,
        "Every text begins at 0, wherever it stands in the row.",
        inputs=[([3, 2],), ([5, 1, 4],), ([2, 2, 2],)],
        wrong=[
            lambda lengths: np.arange(sum(lengths)),
            "The positions run on. They should begin again at each text.",
            lambda lengths: np.repeat(np.arange(len(lengths)), lengths),
            "That is the number of each text, which the mask needs.",
            lambda lengths: np.concatenate([np.arange(1, length + 1) for length in lengths]),
            "Positions count from 0.",
        ],
    ),
    "ex-serving-move": Function(
        move_keys,
        "Turns add up, so a key can be moved without the word it was made of.",
        inputs=[(_keys(1, 4, 8), 30), (_keys(2, 2, 16), -3), (_keys(3, 5, 4), 100)],
        wrong=[
            lambda cached, by: rotate(cached, -by * frequencies(cached.shape[-1])),
            "They move the other way.",
            lambda cached, by: rotate(cached, by * frequencies(cached.shape[-1]), layout="halves"),
            "These are halves. The keys are turned in neighbours.",
            lambda cached, by: rope(cached, by + np.arange(len(cached))),
            "The keys are turned for their old positions already. Only the difference is missing.",
            lambda cached, by: rotate(cached, np.full(cached.shape[-1] // 2, by)),
            "Every pair turns by the same angle. Each has a frequency of its own.",
        ],
    ),
}
