"""The exercises of the chapters that test tables: promises, a bug zoo, "Is my table right?"."""

import numpy as np

from posenc import frequencies, rotate, sinusoidal
from posenc_course.exercises.judging import exercise


@exercise("ex-promises-distance", [(1, 4), (63, 8), (1000, 64), (0, 2)])
def distance_of(gap, d):
    """Return the distance between two rows of width d, base 10 000, that are `gap` tokens apart."""
    # The tip of each pair has moved along a chord of its angle, of the length 2 |sin(angle / 2)|.
    return 2 * np.sqrt((np.sin(frequencies(d) * gap / 2) ** 2).sum())


@exercise("ex-promises-twin", [(4, 100, 64), (4, 100, 512), (8, 100, 200), (2, 10, 30)])
def twin_of(d, base, length):
    """Return the position, from 1 to length - 1, whose row is nearest to that of position 0."""
    table = sinusoidal(length, d, base=base)
    # Row 0, nearest to itself, is left out, so entry 0 of the distances is that of position 1.
    return 1 + int(np.linalg.norm(table[1:] - table[0], axis=1).argmin())


@exercise(
    "ex-zoo-frequencies",
    [
        (sinusoidal(3, 8),),
        (sinusoidal(5, 6, base=0.5),),  # frequencies above a quarter turn
        (sinusoidal(2, 16, base=500_000),),
        # two hands of which one turns back
        (rotate(np.tile([0.0, 1.0], (3, 2)), np.outer(range(3), [-2.0, 0.3])),),
    ],
)
def read_frequencies(table):
    """Return each pair's radians per token, -π to π, from row 1 of an interleaved table."""
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
    """Tell whether row 0 has its sines first, for a table with four columns or more."""
    # In halves column 1 is a second sine, 0 in row 0; else it is a cosine, which is 1 there.
    return bool(table[0, 1] < 0.5)


def _cosines_first(count: int, d: int) -> np.ndarray:
    """Return the table of `count` positions in halves, with the cosines before the sines."""
    return np.roll(sinusoidal(count, d, layout="halves"), d // 2, axis=1)


@exercise(
    "ex-right-table-order",
    [(_cosines_first(5, 8),), (_cosines_first(3, 12),), (_cosines_first(2, 4),)],
)
def to_paper(table):
    """Return the interleaved table, sines first, for one in halves with the cosines first."""
    half = table.shape[1] // 2
    return np.stack([table[:, half:], table[:, :half]], axis=-1).reshape(table.shape)


# An answer may leave its position unrounded, as an angle gives it.
@exercise(
    "ex-right-table-first",
    [(sinusoidal([k], 16)[0],) for k in (2, 5, 0, 4, 6, 1, 3)],
    tolerance=1e-6,
)
def first_position(row):
    """Return the whole position, from 0 to 6, of an interleaved row."""
    # Pair 0 turns by one radian per token: up to 6, its angle from 0 to 2π is the position.
    return round(np.arctan2(row[0], row[1]) % (2 * np.pi))
