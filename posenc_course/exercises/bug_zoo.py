"""The exercises of the chapter "A bug zoo"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import exercise


def _turning_back(length, omega):
    """Return an interleaved table whose hands turn by given angles per token, of either sign."""
    angles = np.arange(length)[:, np.newaxis] * np.asarray(omega)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, -1)


@exercise(
    "ex-zoo-frequencies",
    [
        (sinusoidal(3, 8),),
        (sinusoidal(5, 6, base=0.5),),  # frequencies above a quarter turn
        (sinusoidal(2, 16, base=500_000),),
        (_turning_back(3, [2.0, -0.3]),),
    ],
)
def read_frequencies(table):
    """Return the frequency of each pair of an interleaved table, from its row 1."""
    return np.arctan2(table[1, 0::2], table[1, 1::2])


@exercise(
    "ex-zoo-layout",
    [
        (sinusoidal(6, 4),),
        (sinusoidal(6, 4, layout="halves"),),
        (sinusoidal(3, 16, base=100, layout="halves"),),
        (sinusoidal(4, 10),),
        (np.float32(sinusoidal(4, 10, layout="halves")),),
    ],
)
def first_row_in_halves(table):
    """Tell whether row 0 has its sines first."""
    return bool(table[0, 1] < 0.5)
