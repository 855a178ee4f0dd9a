"""The exercises of the chapter "RoPE"."""

import numpy as np

from posenc.rotary import rope
from posenc_course.exercises.judging import exercise


@exercise(
    "ex-rope-move",
    [
        (np.random.default_rng(3).normal(size=(5, 8)), 3),
        (np.random.default_rng(4).normal(size=(4, 6)), 1),
        (np.random.default_rng(5).normal(size=(3, 4)), 12),
    ],
)
def move(turned_keys, by):
    """Return turned keys as they are `by` tokens earlier."""
    return rope(turned_keys, np.full(len(turned_keys), -by))


@exercise(
    "ex-beyond-port",
    [
        (np.random.default_rng(1).normal(size=(6, 8)),),
        (np.random.default_rng(2).normal(size=(10, 10)),),
        (np.arange(24.0).reshape(4, 6),),
    ],
)
def port(W):
    """Return W with its interleaved columns as halves."""
    return np.concatenate([W[:, 0::2], W[:, 1::2]], axis=1)


@exercise("ex-beyond-ntk", [(10_000, 128, 4), (10_000, 64, 16), (500_000, 8, 2.5), (100, 4, 1)])
def raised_base(base, d, s):
    """Return the base whose slowest wavelength is s times that of `base`."""
    return base * s ** (d / (d - 2))
