"""Guesses at the formula of a table, read from the angles of its pairs.

In the right order of columns the sine and the cosine of a pair lie on a circle. The slow pairs have
not turned round yet, so that their angles in one row are their frequencies times one number, and
the logarithms of the frequencies lie on a line: that gives the base. With the frequencies, a row is
read like a clock. A guess may be wrong; `posenc_check.formulas.compared` decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_check.formulas import Formula, Indices, Ladder, Order, digits, spread
from posenc_check.rounding import UNIT, Array, wrap
from posenc_check.storage import Storage

ORDERS = [Order(layout, first) for first in (False, True) for layout in ("interleaved", "halves")]

# Ladders that are tried where the numbers are too few or too coarse to show one.
USUAL = [Ladder(1e4, "paper"), Ladder(1e4, "tensor2tensor"), Ladder(1e-4, "paper")]
# Frequencies that double, and the most pairs for which they are tried.
OCTAVES, MOST_OCTAVES = [Ladder(2.0, "octaves"), Ladder(2.0, "octaves of pi")], 32
# Bases that models have. A table of at most so many pairs shows too little of its base.
USUAL_BASES, NARROW = (1e4, 5e5, 1e6, 1e7, 1e3, 1e2, 1e5), 4

# The first rows and the other rows, and the pairs, from which a guess is read.
HEAD, ROWS, PAIRS = 24, 48, 32

# The first position is looked for from some tokens before 0 to about two million after it, by the
# slowest pair that tells it to so many tokens, in at most so many turns of this pair; the three
# nearest to 0 are tried.
BEFORE, FARTHEST, REACH, MOST_TURNS, NEAREST = 4096, 2e6, 7, 2e3, 3

# Positions among which each row is looked up one by one, in so many of its columns.
LOOKED_UP, LOOKED_AT = 2048, 16

# A table is in an order of columns if so large a part of its pairs lies on one circle.
MOST_ON_CIRCLES = 0.6

# An angle in float32 may be off by this part of itself.
FLOAT32_ANGLE = 2e-7

# No base has a logarithm beyond this, and no table more than so many round bases near its own.
MOST_LOG, MOST_BASES = 60.0, 10


def guesses(table: npt.NDArray[Any], rows: Indices, storage: Storage) -> Iterator[Formula]:
    """Yield formulas that some rows and pairs of a table suggest, in each order of columns."""
    width = table.shape[1]
    head = np.union1d(np.arange(min(HEAD, len(table))), spread(len(table), ROWS))
    both = width // 2  # pairs with a sine and a cosine
    few = spread(both, PAIRS)
    slow = slice(-max(1, both // 4), None)

    def turned(order: Order) -> float:
        """Return how far the slow pairs have turned in an order, from -1 for not at all."""
        return -abs(float(_pairs(table[head], order)[1][:, slow].mean()))

    for order in sorted(ORDERS, key=turned):
        amplitude, noise, share = circles(table[head], order, storage)
        if share < MOST_ON_CIRCLES:
            continue
        sines, cosines = _pairs(table, order)
        scale = round_scale(amplitude, width, noise)
        angles = np.arctan2(sines[head], cosines[head]).astype(np.float64)
        every = np.arctan2(sines[:, few], cosines[:, few]).astype(np.float64)
        as_read = []  # positions that are no round numbers are tried last
        for ladder in _ladders(angles, order, width, noise):
            omega = ladder.frequencies(order, width)
            formula = Formula(order, ladder, width, rows.astype(float), omega, scale)
            far = digits(ladder.base) == 1
            for positions, doubt in _positions(every, omega[few], rows, noise, head, far):
                made = formula._replace(positions=positions, doubt=doubt)
                if doubt:
                    as_read.append(made)
                else:
                    yield made
            if not _fits(_clock(every, omega[few]), omega[few], every, noise):
                found = looked_up(table, formula, storage)
                if found is not None:
                    yield formula._replace(positions=found)
        yield from as_read


def _pairs(table: npt.NDArray[Any], order: Order) -> tuple[Any, Any]:
    """Return the sines and the cosines of the pairs that have both, as views of a table."""
    sines, cosines = order.shares(table.shape[1])
    both = table.shape[1] // 2
    return table[:, sines[0]][:, :both], table[:, cosines[0]][:, :both]


def is_position_0(row: npt.NDArray[Any]) -> bool:
    """Return whether in some order of columns all sines of a row are 0 and all cosines alike."""
    orders = (_pairs(row[np.newaxis], order) for order in ORDERS)
    return any(not sines.any() and not np.ptp(cosines) for sines, cosines in orders)


def round_scale(amplitude: float, width: int, doubt: float) -> float:
    """Return the factor of a table: 1, a root of the width, or a short number near the radius."""
    known = [1.0, width**-0.5, width**0.5, (2 / width) ** 0.5]
    known += [float(f"{amplitude:.{n}g}") for n in (1, 2, 3)]
    return next((x for x in known if abs(x - amplitude) <= doubt * amplitude), amplitude)


def circles(table: npt.NDArray[Any], order: Order, storage: Storage) -> tuple[float, float, float]:
    """Return the radius of most pairs, the noise of an angle, and which part has that radius."""
    radius = np.hypot(*_pairs(table, order))
    amplitude = float(np.median(radius))
    if not amplitude:
        return 0.0, 0.0, 0.0
    half = float(storage.half(np.array([0.99 * amplitude]))[0])
    noise = 2 * half / amplitude + 4 * UNIT["float32"]
    return amplitude, noise, float((np.abs(radius / amplitude - 1) <= 2 * noise).mean())


# Ladders


def _ladders(angles: Array, order: Order, width: int, noise: float) -> Iterator[Ladder]:
    """Yield ladders near the fall of the frequencies, round ones first, and then the usual ones."""
    seen: set[Ladder] = set()
    usual = [*USUAL, *(OCTAVES if width <= 2 * MOST_OCTAVES else [])]
    if order.pairs(width) <= NARROW:
        usual += [Ladder(base, "paper") for base in USUAL_BASES]
    for beta, doubt in _decay_estimates(angles, noise) if angles.shape[1] > 1 else ():
        for ladder in (*_ladders_near(beta, doubt, order, width), *usual):
            if ladder not in seen:
                seen.add(ladder)
                yield ladder
        log = float(np.clip(beta * width / 2, -MOST_LOG, MOST_LOG))
        yield Ladder(math.exp(log), "paper")
    yield from (ladder for ladder in usual if ladder not in seen)


def _ladders_near(beta: float, doubt: float, order: Order, width: int) -> list[Ladder]:
    """Return the ladders of round bases whose frequencies fall by about exp(-beta) a pair."""
    pairs = order.pairs(width)
    doubt = 5 * doubt * pairs + 4e-6
    logs = {"paper": beta * width / 2, "tensor2tensor": beta * max(pairs - 1, 1)}
    if width % 2:
        logs["of an even width"] = beta * (width + 1) / 2
    near = [Ladder(b, way) for way, log in logs.items() for b in round_bases(log, doubt)]
    near.sort(key=lambda x: (x.base != 1e4, digits(x.base), x.spacing != "paper"))
    doubles = abs(beta + math.log(2)) < doubt and pairs <= MOST_OCTAVES
    return [*(OCTAVES if doubles else []), *near[:MOST_BASES]]


def round_bases(log: float, doubt: float) -> list[float]:
    """Return bases whose logarithm is near a number, those of few digits first."""
    if not abs(log) < MOST_LOG:
        return []
    near = {float(f"{math.exp(log):.{n}e}") for n in range(8)} | {1e4}
    if log < 0:
        near |= {1 / float(f"{math.exp(-log):.{n}e}") for n in range(8)}
    kept = [b for b in near if b != 1 and abs(math.log(b) - log) <= doubt]
    return sorted(kept, key=lambda base: (base != 1e4, digits(base)))


def _decay_estimates(angles: Array, noise: float) -> Iterator[tuple[float, float]]:
    """Yield estimates of the decay β of frequencies exp(-β i): from steps, then from rows."""
    at = np.arange(angles.shape[1])
    steps = wrap(np.diff(angles, axis=0))
    candidates: list[Array] = []
    if len(steps):
        if np.abs(steps[:16] - steps[0]).max() < 0.02:
            candidates.append(steps[:16].mean(axis=0))
        candidates += [*steps[np.argsort(-np.abs(steps[:, -1]), kind="stable")[:2]]]
    rows = dict.fromkeys((len(angles) - 1, len(angles) // 2, min(1, len(angles) - 1)))
    candidates += [angles[row] for row in rows]
    for turns in candidates:
        decay = _decay_of(turns, at, noise)
        if decay is not None and math.isfinite(decay[0]):
            yield decay


def _decay_of(turns: Array, at: Indices, noise: float) -> tuple[float, float] | None:
    """Return the decay β of angles κ exp(-β i) that are known only up to whole turns, or None.

    The whole turns are restored from the slow pairs, which have made none, to the fast ones.
    """
    if abs(turns[0]) < abs(turns[-1]):  # the frequencies grow: the slow pairs come first
        decay = _decay_of(turns[::-1], at, noise)
        return None if decay is None else (-decay[0], decay[1])
    visible = np.flatnonzero(np.abs(turns) > 8 * noise)
    if visible.size < 2:
        return None
    turns, at = turns[: visible[-1] + 1] * np.sign(turns[visible[-1]]), at[: visible[-1] + 1]
    known = int(np.flatnonzero((turns <= 0) | (turns > 1.5)).max(initial=-1)) + 1
    if len(turns) - known < 2:
        return None
    while True:
        slope, start, doubt = fit_line(at[known:], np.log(turns[known:]), turns[known:] ** 2)
        if known == 0:
            return -slope, noise * doubt
        expected = np.exp(np.clip(start + slope * at, -50, 50))
        known = min(known - 1, int((expected > 2 * expected[known]).sum()))
        whole = math.tau * np.rint((expected - turns) / math.tau)
        turns = np.where(at >= at[known], turns + whole, turns)
        if (turns[known:] <= 0).any():
            return None


def fit_line(at: Any, values: Array, weight: Array) -> tuple[float, float, float]:
    """Return the slope of a weighted line, its value at 0, and how far the slope may be off."""
    share = weight / weight.sum()
    middle, mean = share @ at, share @ values
    size = share @ (at - middle) ** 2 + 1e-300
    slope = float(share @ ((at - middle) * (values - mean)) / size)
    return slope, float(mean - slope * middle), float(1 / math.sqrt(size * weight.sum()))


# Positions


def _clock(angles: Array, omega: Array) -> Array:
    """Return the position of each row, read like a clock: slow hands count turns of faster ones."""
    positions, weight = np.zeros(len(angles)), 0.0
    for i in np.argsort(omega):
        whole = math.tau * np.rint((positions * omega[i] - angles[:, i]) / math.tau)
        positions = weight * positions + omega[i] * (angles[:, i] + whole)
        weight += omega[i] ** 2
        positions /= weight
    return positions


def _counted_on(angles: Array, omega: Array, noise: float) -> tuple[Array, bool]:
    """Return how far each row is from the first, by whole steps between rows, and if that fits."""
    steps = np.round(_clock(wrap(np.diff(angles, axis=0)), omega))
    ahead = np.r_[0, np.cumsum(steps)]
    turned = wrap(angles - angles[0])
    return ahead, bool(ahead.any() and _fits(ahead, omega, turned, 2 * noise, 0.9))


def _fits(positions: Array, omega: Array, angles: Array, noise: float, share: float = 0.6) -> bool:
    """Return whether positions and frequencies give most of the angles, at a first look."""
    product = np.outer(positions, omega)
    room = 8 * noise + 2e-6 * np.abs(product)
    return bool((np.abs(wrap(product - angles)) <= room).mean() > share)


def _positions(
    angles: Array, omega: Array, rows: Indices, noise: float, head: Indices, far: bool
) -> Iterator[tuple[Array, float]]:
    """Yield positions that the rows may have, with their doubt: round ones, 0, 1, ..., or as read.

    Some rows, the `head`, are read first, and the others only where these fit. Where no rows fit,
    as in float32 `far` from 0, the first row alone is looked up, and the others count on.
    """
    absolute = _fits(_clock(angles[head], omega), omega, angles[head], noise)
    positions = _clock(angles, omega) if absolute else np.zeros(0)
    absolute = absolute and _fits(positions, omega, angles, noise)
    if absolute:
        if (omega / omega.min() % 1 == 0).all():  # octaves: all angles come again together
            again = math.tau / omega.min()
            positions = np.unwrap(positions, period=again)
            positions -= again * np.round(positions.mean() / again)
        doubt = 4 * noise / omega.max() + 1e-6 * np.abs(positions)
        near = _snapped(positions, rows, doubt)
        if near is not None:
            yield near, 0.0
            if (near % 1 == 0).all():
                return
    yield rows.astype(float), 0.0
    counted = _counted_on(angles[:HEAD], omega, noise)[1]
    if counted or (far and not absolute and len(rows) > 1):
        ahead, _ = _counted_on(angles, omega, noise)
        for first in _first_positions(angles[0], omega, noise):
            yield ahead + first, 0.0
    if absolute:
        yield positions, 2 * noise / float(omega.max())


def _first_positions(angles: Array, omega: Array, noise: float) -> list[float]:
    """Return the whole positions nearest to 0 at which one row has its angles."""
    telling = np.flatnonzero(4 * noise <= REACH * omega)
    if not telling.size:
        return []
    slow = telling[omega[telling].argmin()]
    most = min(FARTHEST * omega[slow] / math.tau, MOST_TURNS)
    turns = np.arange(-BEFORE * omega[slow] // math.tau, most)
    near = np.round((angles[slow] + math.tau * turns) / omega[slow])
    places = (near[:, np.newaxis] + np.arange(-REACH - 1, REACH + 2)).ravel()
    for i in range(len(omega)):
        room = 4 * noise + FLOAT32_ANGLE * omega[i] * np.abs(places)
        places = places[np.abs(wrap(places * omega[i] - angles[i])) <= room]
    return sorted(set(places.tolist()), key=abs)[:NEAREST]


def looked_up(table: npt.NDArray[Any], formula: Formula, storage: Storage) -> Array | None:
    """Return the smallest whole position of each row by a formula; None if a row has none.

    This finds rows that are far apart where no pair is slow, and rows of sines or cosines alone.
    The rows after the first few count on, if the first few do.
    """
    columns = spread(formula.width, LOOKED_AT)
    omega, is_sine = np.zeros(formula.width), np.zeros(formula.width, bool)
    for (at, of), are_sines in zip(formula.order.shares(formula.width), (True, False), strict=True):
        omega[at], is_sine[at] = formula.omega[of], are_sines
    angles = np.outer(np.arange(LOOKED_UP), omega[columns])
    numbers = formula.scale * np.where(is_sine[columns], np.sin(angles), np.cos(angles))
    slack = abs(formula.scale) * (4 * UNIT["float32"] + FLOAT32_ANGLE * angles)
    positions = np.zeros(len(table))
    for row, given in enumerate(table[:, columns].astype(np.float64)):
        near = (np.abs(numbers - given) <= slack + storage.half(given)).all(axis=1)
        if not near.any():
            return None
        positions[row] = near.argmax()
        if row == HEAD and (np.diff(positions[: row + 1]) == 1).all():
            return np.asarray(positions[0] + np.arange(len(table)), np.float64)
    return positions


def _snapped(positions: Array, rows: Indices, doubt: Array) -> Array | None:
    """Return whole positions, even steps, or positions of few decimals, where they are near."""
    if (np.abs(positions - np.round(positions)) <= np.minimum(doubt, 0.2)).all():
        return np.round(positions) + 0.0
    if len(positions) > 2:
        step, start, _ = fit_line(rows, positions, np.ones(len(rows)))
        for round_step in (float(Fraction(step).limit_denominator(64)), float(f"{step:.4g}")):
            for round_start in (float(round(start)), float(f"{start:.4g}")):
                near = np.asarray(round_start + round_step * rows, np.float64)
                if (np.abs(near - positions) <= doubt).all():
                    return near
    for places in (1, 2, 3):
        near = np.round(positions, places)
        if (np.abs(near - positions) <= np.minimum(doubt, 0.1 * 10.0**-places)).all():
            return near
    return None
