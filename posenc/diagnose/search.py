"""The search for the frequencies and positions that the angles of a table come from."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc.diagnose.rounding import Array, wrap

Indices = npt.NDArray[np.integer[Any]]

# Bases that are tried first, in the paper's spacing and in tensor2tensor's.
USUAL_BASES = (1e4, 1e2, 1e3, 2e4, 1e5, 5e5, 1e6, 1e7, 1e8)

# Rows and pairs that the search looks at; in the end every entry is checked.
PROBES, PAIRS = 12, 64

# Starts that are refined, of those under which a row fits to so many radians; and how far two rows
# may then be off.
STARTS, ROUGHLY, NEAR = 3, 0.7, 0.05

# ln of the largest ratio of two frequencies.
MOST_LOG = 35.0

# A position further from 0, in tokens, is none.
FARTHEST = 1e8


class Ladder(NamedTuple):
    """Frequencies exp(-βi): β, and how far it may be off; what speaks for them, in bits."""

    beta: float
    sigma: float
    bits: float
    near: float  # how far off two rows are at most, those that fit best
    fits: bool  # whether every row that was looked at fits


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


def find_ladder(angles: Array, index: Indices, rough: float) -> Ladder | None:
    """Return the ladder that fits the angles, of shape (rows, pairs), of some pairs best.

    An angle may be off by `rough` radians.
    """
    probes = _probes(angles)
    if len(index) < 2 or not len(probes):
        return None
    starts = [beta for probe in probes[:8] for beta in _slopes(probe, index, rough)]
    last = float(index[-1])
    starts += [math.log(base) / steps for base in USUAL_BASES for steps in (last + 1, last)]
    best = None
    for start in _screened(probes, index, np.array(starts)):
        beta, sigma = _refined(probes, index, start, rough)
        if beta > 0:
            found = _judged(probes, index, beta, sigma, rough)
            if best is None or (found.fits, found.bits) > (best.fits, best.bits):
                best = found
    return best if best is not None and best.near <= NEAR + 8 * rough else None


def read_positions(angles: Array, index: Indices, beta: float) -> tuple[Array, Array]:
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
    most = min(12, max(3, math.ceil(64 / longest)))
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


def _probes(angles: Array) -> Array:
    """Return a few rows and differences of neighbours, first those of both that turned least."""
    turned = np.abs(angles).mean(axis=1)
    least = np.argsort(turned, kind="stable")[:PROBES]
    chosen = np.unique(np.concatenate([spread(len(angles), PROBES), least]))
    beside = chosen[chosen > 0]
    both = [_by_turn(angles[chosen]), _by_turn(wrap(angles[beside] - angles[beside - 1]))]
    return np.concatenate([*(rows[:4] for rows in both), *(rows[4:] for rows in both)])


def _by_turn(rows: Array) -> Array:
    """Return the rows that have turned at all, those first that have turned least."""
    turned = np.abs(rows).mean(axis=1)
    moved = turned > 1e-9
    return np.asarray(rows[moved][np.argsort(turned[moved], kind="stable")])


def _slopes(probe: Array, index: Indices, rough: float) -> list[float]:
    """Return β as the slow pairs of one row tell it: there the angles are kω, not yet wrapped."""
    sizes = np.abs(probe)
    last = len(probe) - 1
    while last > 0 and sizes[last] < 8 * rough:
        last -= 1
    first = last
    while (
        first > 0
        and sizes[first - 1] < 3
        and sizes[first - 1] > 0.9 * sizes[first]
        and probe[first - 1] * probe[last] > 0
    ):
        first -= 1
    found = [
        math.log(sizes[start] / sizes[last]) / float(index[last] - index[start])
        for start in (first, (first + last) // 2)
        if start < last
    ]
    return [beta for beta in found if beta > 0]


def _screened(probes: Array, index: Indices, starts: Array) -> list[float]:
    """Return the starts under which some row fits roughly, the best first."""
    omega = np.exp(-np.outer(index, starts))  # shape (pairs, starts)
    places = probes[:, -1:] / omega[-1]
    for pair in range(len(index) - 2, -1, -1):
        places = places + wrap(probes[:, pair, np.newaxis] - places * omega[pair]) / omega[pair]
    left = np.abs(wrap(probes[:, :, np.newaxis] - places[:, np.newaxis] * omega)).max(axis=1)
    # Two rows that fit say more than one.
    worst = np.sort(left, axis=0)[: min(2, len(left))].sum(axis=0)
    order = np.argsort(worst, kind="stable")
    chosen: list[float] = []
    for start in order[left.min(axis=0)[order] < ROUGHLY]:
        beta = float(starts[start])
        if all(abs(beta / other - 1) > 1e-7 for other in chosen):
            chosen.append(beta)
    return chosen[:STARTS]


def _refined(probes: Array, index: Indices, beta: float, rough: float) -> tuple[float, float]:
    """Return β refined on the probes, those nearest to 0 first, and how far it may be off."""
    reach, last = 0.0, float(index[-1]) + 1
    sigma = math.inf
    for _ in range(20):
        if not 1e-4 < beta * last < MOST_LOG:
            return 0.0, 0.0
        omega = np.exp(-beta * index)
        places, worst = _refine(probes, probes[:, -1] / omega[-1], omega)
        sizes = np.abs(places)
        if worst.min() > 1:
            return 0.0, 0.0
        fits = worst <= max(0.05, 4 * float(worst.min()))
        reach = max(8.0 * reach, 2.0 * float(sizes[fits].min()), 2.0)
        near = fits & (sizes <= reach)
        left = wrap(probes[near] - places[near, np.newaxis] * omega)
        # A change of β moves each angle along `slope`; what a change of the position could do
        # as well is taken off.
        slope = -places[near, np.newaxis] * index * omega
        slope = slope - np.outer(slope @ omega / (omega @ omega), omega)
        size = float((slope**2).sum())
        if size == 0:
            return 0.0, 0.0
        change = float((slope * left).sum()) / size
        beta += change
        # The spread of few numbers may be small by chance, and that of exact ones is rounding.
        spread_of = float(np.mean(left**2)) * (1 + 8 / left.size)
        sigma = math.sqrt((spread_of + (rough / 8) ** 2) / size)
        if (sizes[fits] <= reach).all() and abs(change) <= 1e-3 * sigma + 1e-15:
            break
    return (beta, sigma) if 1e-4 < beta * last < MOST_LOG else (0.0, 0.0)


def _judged(probes: Array, index: Indices, beta: float, sigma: float, rough: float) -> Ladder:
    """Return a ladder with what speaks for it: what fits, less what was chosen to make it fit."""
    places, worst = read_positions(probes, index, beta)
    allowed = np.minimum(3 * rough + 1e-6 + 6e-7 * np.abs(places), 0.3)
    fits = (worst <= allowed) & (np.abs(places) <= FARTHEST)
    kept, first = np.unique(np.round(places[fits], 6), return_index=True)
    each = np.log2(math.pi / allowed[fits][first])
    whole = kept.size > 0 and float(np.abs(kept - np.round(kept)).max()) < 0.02
    cost = 2 * np.log2(2 + np.abs(kept)) + (0 if whole else 1) * each
    gain = np.where(np.abs(kept) < 1e-6, 0.0, len(index) * each - cost)
    bits = float(gain.sum()) - 20 - 40.0 * float((~fits).sum())
    near = float(np.sort(worst)[: min(2, len(worst))].max())
    return Ladder(beta, sigma, bits, near, bool(fits.all()))
