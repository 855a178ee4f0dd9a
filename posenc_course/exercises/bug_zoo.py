"""The exercises of the chapter "A bug zoo"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import Function


def read_frequencies(table):
    """Return the frequency of each pair of an interleaved table, from its row 1."""
    return np.arctan2(table[1, 0::2], table[1, 1::2])


def _turning_back(length, omega):
    """Return an interleaved table whose hands turn by given angles per token, of either sign."""
    angles = np.arange(length)[:, np.newaxis] * np.asarray(omega)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, -1)


def first_row_in_halves(table):
    """Tell whether row 0 has its sines first."""
    return bool(table[0, 1] < 0.5)


EXERCISES = {
    "ex-zoo-frequencies": Function(
        read_frequencies,
        "At position 1 each hand stands at its own frequency.",
        inputs=[
            (sinusoidal(3, 8),),
            (sinusoidal(5, 6, base=0.5),),  # frequencies above a quarter turn
            (sinusoidal(2, 16, base=500_000),),
            (_turning_back(3, [2.0, -0.3]),),
        ],
        wrong=[
            lambda table: np.arccos(table[1, 1::2]),
            "The cosine alone does not tell ω from −ω. Use the sine too.",
            lambda table: np.arctan2(table[1, 1::2], table[1, 0::2]),
            "`np.arctan2` takes the sine first, then the cosine.",
            lambda table: np.arcsin(table[1, 0::2]),
            "The sine alone does not tell an angle from its mirror image. Use the cosine too.",
            lambda table: np.arctan2(table[0, 0::2], table[0, 1::2]),
            "That is row 0, where every hand stands at 0.",
        ],
    ),
    "ex-zoo-layout": Function(
        first_row_in_halves,
        "In halves the second column of row 0 is a sine, so it is 0.",
        inputs=[
            (sinusoidal(6, 4),),
            (sinusoidal(6, 4, layout="halves"),),
            (sinusoidal(3, 16, base=100, layout="halves"),),
            (sinusoidal(4, 10),),
            (np.float32(sinusoidal(4, 10, layout="halves")),),
        ],
        wrong=[
            lambda table: bool(table[0, 1] > 0.5),
            "That is True for the other layout.",
            lambda table: bool(table[0, 0] == 0),
            "Column 0 is a sine in both layouts, so it does not tell them apart.",
            lambda table: bool(table[1, 1] < 0.5),
            "That is row 1, where a cosine may be small too. Row 0 is clear.",
        ],
    ),
}
