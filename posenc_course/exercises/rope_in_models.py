"""The exercises of the chapter "Reading a config"."""

import numpy as np

from posenc import frequencies
from posenc.rotary import rope
from posenc_course.exercises.judging import exercise


def _rows(seed, tokens, d):
    return np.random.default_rng(seed).normal(size=(tokens, d))


@exercise(
    "ex-rope-in-models-part",
    [
        (_rows(1, 5, 16), np.arange(5), 8),
        (_rows(2, 3, 12), np.array([7, 0, 100]), 4),
        (_rows(3, 4, 8), np.arange(4), 8),
    ],
)
def turn_part(x, positions, width):
    """Return x with the first columns turned in halves, by a ladder of their own width."""
    return rope(x, positions, frequencies=frequencies(width), layout="halves")


@exercise(
    "ex-rope-in-models-base",
    [
        ({"rope_theta": 500_000.0, "rope_scaling": None},),
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 1_000_000.0}},),
        ({"rope_theta": 10_000.0, "rope_scaling": {"type": "linear", "factor": 2.0}},),
    ],
)
def base_of(config):
    """Return the base of a config in either dialect."""
    return (config.get("rope_parameters") or config)["rope_theta"]
