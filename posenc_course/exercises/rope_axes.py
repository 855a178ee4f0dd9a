"""The exercises of the chapter "More than one coordinate"."""

import numpy as np

from posenc import frequencies
from posenc.axes import grid_positions
from posenc_course.exercises.judging import Function


def places_of(rows, columns):
    """Return the row and the column of each patch, line by line."""
    return grid_positions(rows, columns)


def angles_of(places, omega):
    """Return the angles of all pairs, those of the row first."""
    return np.concatenate([np.outer(places[:, 0], omega), np.outer(places[:, 1], omega)], axis=1)


EXERCISES = {
    "ex-rope-axes-grid": Function(
        places_of,
        "The column runs fast, the row slowly, as lines are read.",
        inputs=[(2, 3), (3, 2), (1, 4), (4, 5)],
        wrong=[
            lambda rows, columns: grid_positions(rows, columns)[:, ::-1],
            "Row and column have changed places.",
            lambda rows, columns: grid_positions(columns, rows)[:, ::-1],
            "These go column by column. Lines are read row by row.",
            lambda rows, columns: grid_positions(rows, columns) + 1,
            "Rows and columns count from 0.",
            lambda rows, columns: grid_positions(rows, columns).T,
            "Each patch is a row of the result: this is turned on its side.",
        ],
    ),
    "ex-rope-axes-angles": Function(
        angles_of,
        "One ladder, used twice, and each pair knows one coordinate.",
        inputs=[
            (grid_positions(2, 3), frequencies(8)),
            (grid_positions(3, 5), frequencies(4)),
            (np.array([[7, 0], [2, 9]]), frequencies(6)),
        ],
        wrong=[
            lambda places, omega: angles_of(places[:, ::-1], omega),
            "The pairs of the column came first.",
            lambda places, omega: np.outer(places.sum(axis=1), np.tile(omega, 2)),
            "Row and column are added. One down and one right would be the same.",
            lambda places, omega: angles_of(places, omega)[
                :, np.arange(2 * len(omega)).reshape(2, -1).T.ravel()
            ],
            "Row and column are dealt out pair by pair. Here all pairs of the row come first.",
        ],
    ),
}
