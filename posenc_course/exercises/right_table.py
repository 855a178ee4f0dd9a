"""The exercises of the chapter "Is my table right?"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import exercise


def _cosines_first(count, d):
    return np.roll(sinusoidal(count, d, layout="halves"), d // 2, axis=1)


@exercise(
    "ex-right-table-order",
    [(_cosines_first(5, 8),), (_cosines_first(3, 12),), (_cosines_first(2, 4),)],
)
def to_paper(table):
    """Return the interleaved table for one in halves with the cosines first."""
    half = np.shape(table)[1] // 2
    return np.stack([table[:, half:], table[:, :half]], axis=-1).reshape(np.shape(table))


@exercise(
    "ex-right-table-first",
    [(sinusoidal([k], 16)[0],) for k in (2, 5, 0, 4, 6, 1, 3)],
    tolerance=1e-6,
)
def first_position(row):
    """Return the whole position, from 0 to 6, of an interleaved row."""
    return round(np.arctan2(row[0], row[1]) % (2 * np.pi))
