"""The exercises of the chapter "RoPE"."""

import numpy as np

from posenc.rotary import rope
from posenc_course.exercises.judging import Function


def move(turned_keys, by):
    """Return turned keys as they are `by` tokens earlier."""
    return rope(turned_keys, np.full(len(turned_keys), -by))


def port(W):
    """Return W with its interleaved columns as halves."""
    return np.concatenate([W[:, 0::2], W[:, 1::2]], axis=1)


def raised_base(base, d, s):
    """Return the base whose slowest wavelength is s times that of `base`."""
    return base * s ** (d / (d - 2))


EXERCISES = {
    "ex-rope-move": Function(
        move,
        "Turns add up, so one turn back, the same for every row, is all that is missing.",
        inputs=[
            (np.random.default_rng(3).normal(size=(5, 8)), 3),
            (np.random.default_rng(4).normal(size=(4, 6)), 1),
            (np.random.default_rng(5).normal(size=(3, 4)), 12),
        ],
        wrong=[
            lambda keys, by: rope(keys, np.full(len(keys), by)),
            "That turns every key further. An earlier position is a smaller angle.",
            lambda keys, by: rope(keys, np.arange(len(keys)) - by),
            "That turns each row by its own position too, but that has been done already.",
            lambda keys, _by: keys,
            "Those are the keys as they were.",
        ],
    ),
    "ex-beyond-port": Function(
        port,
        "Even columns first, then odd ones, in both matrices alike.",
        inputs=[
            (np.random.default_rng(1).normal(size=(6, 8)),),
            (np.random.default_rng(2).normal(size=(10, 10)),),
            (np.arange(24.0).reshape(4, 6),),
        ],
        wrong=[
            lambda W: W,
            "That is W as it was. Which columns form a pair in halves?",
            lambda W: np.concatenate([W[0::2], W[1::2]], axis=0),
            "Those are the rows of W. The columns of a query x W are the columns of W.",
            lambda W: np.concatenate([W[:, 1::2], W[:, 0::2]], axis=1),
            "The two halves change places: the first of each pair goes to the left half.",
            lambda W: W[:, np.arange(W.shape[1]).reshape(2, -1).T.ravel()],
            "That is the way back, from halves to interleaved.",
        ],
    ),
    "ex-beyond-ntk": Function(
        raised_base,
        "The slowest exponent is (d − 2)/d, so its inverse stands over s.",
        inputs=[(10_000, 128, 4), (10_000, 64, 16), (500_000, 8, 2.5), (100, 4, 1)],
        wrong=[
            lambda base, d, s: base * s,  # noqa: ARG005
            "Then the slowest wavelength grows by s to the power of (d − 2)/d, which is "
            "too little.",
            lambda base, d, s: base * s ** ((d - 2) / d),
            "The exponent is upside down.",
            lambda base, d, s: base * s ** (d / (d - 1)),
            "The slowest pair is i = d/2 − 1. What is 2i then?",
            lambda base, d, s: base * s ** (d / (d / 2 - 1)),
            "That exponent has i where the formula has 2i.",
        ],
    ),
}
