"""The exercises of the chapter "More than one coordinate"."""

import numpy as np

from posenc import frequencies
from posenc.axes import grid_positions
from posenc_course.exercises.judging import exercise


@exercise("ex-rope-axes-grid", [(2, 3), (3, 2), (1, 4), (4, 5)])
def places_of(rows, columns):
    """Return the row and the column of each patch, line by line."""
    return grid_positions(rows, columns)


@exercise(
    "ex-rope-axes-angles",
    [
        (grid_positions(2, 3), frequencies(8)),
        (grid_positions(3, 5), frequencies(4)),
        (np.array([[7, 0], [2, 9]]), frequencies(6)),
    ],
)
def angles_of(places, omega):
    """Return the angles of all pairs, those of the row first."""
    return np.concatenate([np.outer(places[:, 0], omega), np.outer(places[:, 1], omega)], axis=1)
