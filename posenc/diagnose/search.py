"""The search for the positions that the angles of a table come from."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.diagnose.rounding import Array, wrap

Indices = npt.NDArray[np.integer[Any]]

# The first position of a table is looked for below this, and from so many before 0 on.
FARTHEST, BEFORE = 131_072, 4096


def spread(count: int, most: int) -> Indices:
    """Return at most `most` whole numbers from 0 to count - 1, evenly spread."""
    if count <= most:
        return np.arange(count)
    steps = 2 * (most - 1)
    return (2 * np.arange(most) * (count - 1) + most - 1) // steps


def fit_line(at: Any, values: Array, weight: Array) -> tuple[float, float, float]:
    """Return a line's slope, its value at 0, and how far the slope may be off."""
    square = weight**2 / (weight**2).sum()
    middle, mean = float(square @ at), float(square @ values)
    size = float(square @ (at - middle) ** 2)
    slope = float(square @ ((at - middle) * (values - mean))) / size
    return slope, mean - slope * middle, 1 / math.sqrt(size * float((weight**2).sum()))


def begins(phase: Array, omega: Array, step: float, rough: float, part: int) -> list[float]:
    """Return the best multiples of a step under which all pairs but one in `part` have their angle.

    Steps that go down begin at the other end.
    """
    places = step * np.arange(-BEFORE, FARTHEST)
    off, bad = np.zeros(len(places)), np.zeros(len(places), int)
    some, most = spread(len(omega), 16)[::-1], 0.05 + 8 * rough
    for at in some:
        left = np.abs(wrap(phase[at] - places * omega[at]))
        if part:
            off, bad = off + np.minimum(left, most), bad + (left > most)
            near = bad <= len(some) // part
            bad = bad[near]
        else:
            near = left <= most
            off = off + left
        places, off = places[near], off[near]
    best = np.lexsort((np.abs(places), np.round(off, 12)))[:3]
    return [float(place) for place in places[best]]


def read_positions(
    angles: Array, index: Indices, beta: float, windings: int = 12
) -> tuple[Array, Array]:
    """Return the position of each row, and how far its worst angle is off."""
    omega = np.exp(-beta * index)
    longest = math.tau / float(omega[-1])
    start = angles[:, -1] / omega[-1]
    places, worst = _refine(angles, start, omega)

    def again(rows: Indices, begin: Array) -> None:
        found, left = _refine(angles[rows], begin, omega)
        better = left < 0.5 * worst[rows]
        places[rows[better]], worst[rows[better]] = found[better], left[better]

    # The slowest pair may have turned round more than once.
    most = min(windings, max(3, math.ceil(64 / longest)))
    for winding in (sign * n for n in range(1, most + 1) for sign in (1, -1)):
        rows = np.flatnonzero(worst > 0.05)
        if not rows.size:
            return places, worst
        again(rows, start[rows] + winding * longest)
    good, rows = np.flatnonzero(worst <= 0.05), np.flatnonzero(worst > 0.05)
    if rows.size and good.size > 1:  # follow the rows that fit, in equal steps
        step = np.median(np.diff(places[good]) / np.diff(good))
        line = places[good[0]] + step * (rows - good[0])
        again(rows, start[rows] + longest * np.round((line - start[rows]) / longest))
    return places, worst


def _refine(angles: Array, places: Array, omega: Array) -> tuple[Array, Array]:
    """Return positions read by ever faster pairs, and how far the worst angle is off."""
    for pair in range(len(omega) - 2, -1, -1):
        places = places + wrap(angles[:, pair] - places * omega[pair]) / omega[pair]
    return places, np.abs(wrap(angles - places[:, np.newaxis] * omega)).max(axis=1)
