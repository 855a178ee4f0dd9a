"""The exercises of the chapter "Is my table right?"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import Function


def to_paper(table):
    """Return the interleaved table for one in halves with the cosines first."""
    half = np.shape(table)[1] // 2
    return np.stack([table[:, half:], table[:, :half]], axis=-1).reshape(np.shape(table))


def first_position(row):
    """Return the whole position, from 0 to 6, of an interleaved row."""
    return round(np.arctan2(row[0], row[1]) % (2 * np.pi))


def _cosines_first(count, d):
    return np.roll(sinusoidal(count, d, layout="halves"), d // 2, axis=1)


EXERCISES = {
    "ex-right-table-order": Function(
        to_paper,
        "The same numbers in another order, and each sine is beside its cosine again.",
        inputs=[(_cosines_first(5, 8),), (_cosines_first(3, 12),), (_cosines_first(2, 4),)],
        wrong=[
            lambda table: np.roll(table, table.shape[1] // 2, axis=1),
            "The sines come first now, but they are still in halves.",
            lambda table: np.stack(
                [table[:, : table.shape[1] // 2], table[:, table.shape[1] // 2 :]], axis=-1
            ).reshape(table.shape),
            "Sine and cosine of each pair have changed places: row 0 begins with 1.",
            lambda table: 1 * table,
            "Nothing has moved.",
        ],
    ),
    "ex-right-table-first": Function(
        first_position,
        "Sine and cosine together tell the whole circle apart, and pair 0 needs more than six "
        "tokens for it.",
        inputs=[(sinusoidal([k], 16)[0],) for k in (2, 5, 0, 4, 6, 1, 3)],
        tolerance=1e-6,
        wrong=[
            lambda row: round(np.arcsin(row[0])),
            "A sine alone leaves two places on the circle. Its cosine decides.",
            lambda row: round(np.arccos(row[1])),
            "A cosine alone leaves two places on the circle. Its sine decides.",
            lambda row: round(np.arctan2(row[0], row[1])),
            "From position 4 on the angle comes out negative. Add a whole turn there.",
            lambda row: round(np.arctan2(row[1], row[0]) % (2 * np.pi)),
            "Sine and cosine have changed places: at position 0 the hand is at twelve.",
        ],
    ),
}
