"""Guesses at the formula of a table, read from its numbers.

In the right order of columns the sine and the cosine of a pair lie on a circle. The slow pairs have
not turned round yet, so that their angles in one row are their frequencies times one number, and
the logarithms of the frequencies lie on a line: that gives the base. With the frequencies, a row is
read like a clock. A guess may be wrong; `posenc_check.formulas.compared` decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from posenc_check.formulas import U32, U64, Formula, Order, digits, spread
from posenc_check.frequency_lists import USUAL_BASES, lists_near
from posenc_check.rounding import Array, wrap
from posenc_check.storage import Storage
from posenc_check.views import AnyTable, Indices

ORDERS = [Order(layout, first) for first in (False, True) for layout in ("interleaved", "halves")]
UNPAIRED = (Order("cosines"), Order("sines"), Order("by column"), Order("by column", True))

# Frequencies that are tried where the numbers are too few or too coarse to show any.
USUAL = [(1e4, "paper"), (1e4, "tensor2tensor"), (1e-4, "paper"), (100.0, "paper")]
# Frequencies that double, and the most pairs for which they are tried.
OCTAVES, MOST_OCTAVES = [(2.0, "octaves"), (2.0, "octaves of pi")], 32

# The first rows and the other rows, and the pairs, from which a guess is read.
HEAD, ROWS, PAIRS = 24, 48, 32

# The first position is looked for from some tokens before 0 to about two million after it, by the
# slowest pair that tells it to so many tokens, in at most so many turns of this pair; the three
# nearest to 0 are tried.
BEFORE, FARTHEST, REACH, MOST_TURNS, NEAREST = 4096, 2e6, 7, 2e3, 3

# Positions among which rows are looked up where no pair tells all turns of the others; rows without
# pairs by so many of their columns, whose first and last row are so near to those of a position.
LOOKED_UP, LOOKED_AT, NEAR = 2048, 16, 0.05

# A table is in an order of columns if so large a part of its pairs lies on one circle.
MOST_ON_CIRCLES = 0.6

# An angle in float32 may be off by this part of itself.
FLOAT32_ANGLE = 2e-7

# No base has a logarithm beyond this, and no table more than so many round bases near its own.
MOST_LOG, MOST_BASES = 300.0, 10


def guesses(table: AnyTable, rows: Indices, storage: Storage) -> Iterator[Formula]:
    """Yield formulas that some rows and pairs of a table suggest, in each order of columns."""
    width = table.shape[1]
    head = np.union1d(np.arange(min(HEAD, len(table))), spread(len(table), ROWS))
    pairs = spread(width // 2, PAIRS)
    from_0_to_1 = table.min() >= 0 and table.max() <= 1 and np.ptp(table) > 0.5
    for shift, order in product((False, True) if from_0_to_1 else (False,), ORDERS):
        amplitude, noise, share = circles(table[head], order, storage, shift)
        if share < MOST_ON_CIRCLES:
            continue
        sines, cosines = _pairs(table, order, shift)
        scale = round_scale(amplitude, width, noise)
        angles = np.arctan2(sines[:, pairs], cosines[:, pairs]).astype(np.float64)
        as_read = []  # positions that are no round numbers are tried last
        for base, spacing in _ladders(angles[head], pairs, width, noise):
            omega = order.frequencies(base, spacing, width)
            for positions, doubt in _positions(angles, omega[pairs], rows, noise):
                if _fits(positions[head], omega[pairs], angles[head], noise):
                    formula = Formula(order, base, spacing, width, positions, omega, scale, shift)
                    if doubt:
                        as_read.append(formula._replace(doubt=doubt))
                    else:
                        yield formula
        yield from as_read


def _pairs(table: AnyTable, order: Order, shift: bool) -> tuple[AnyTable, AnyTable]:
    """Return the sines and the cosines of the pairs that have both."""
    (sines, _), (cosines, _) = order.shares(table.shape[1])
    both = table.shape[1] // 2
    table = 2 * table.astype(np.float64) - 1 if shift else table
    return table[:, sines][:, :both], table[:, cosines][:, :both]


def is_position_0(row: AnyTable) -> bool:
    """Return whether in some order of columns all sines of a row are 0 and all cosines alike."""
    orders = (_pairs(row[np.newaxis], order, False) for order in ORDERS)
    return any(not sines.any() and not np.ptp(cosines) for sines, cosines in orders)


def round_scale(amplitude: float, width: int, doubt: float) -> float:
    """Return the factor of a table: 1, a root of the width, or a short number near the radius."""
    known = [1.0, width**-0.5, width**0.5, (2 / width) ** 0.5]
    known += [float(f"{amplitude:.{n}g}") for n in (1, 2, 3)]
    return next((x for x in known if abs(x - amplitude) <= doubt * amplitude), amplitude)


def circles(
    table: AnyTable, order: Order, storage: Storage, shift: bool
) -> tuple[float, float, float]:
    """Return the radius of most pairs, the noise of an angle, and which part has that radius."""
    radius = np.hypot(*_pairs(table, order, shift))
    amplitude = float(np.median(radius)) if radius.size else 0.0
    if not amplitude:
        return 0.0, 0.0, 0.0
    rounding = 16 * U64 if storage.kind == "float64" else 4 * U32
    noise = 2 * (1 + shift) * storage.noise(amplitude) + rounding
    return amplitude, noise, float((np.abs(radius / amplitude - 1) <= 2 * noise).mean())


# Frequencies


def _ladders(angles: Array, at: Indices, width: int, noise: float) -> Iterator[tuple[float, str]]:
    """Yield bases in spacings near the fall of the frequencies, then the usual ones."""
    seen: set[tuple[float, str]] = set()
    pairs = (width + 1) // 2
    usual = [*USUAL, *(OCTAVES if pairs <= MOST_OCTAVES else [])]
    for beta, doubt in _decay_estimates(angles, at, noise):
        doubt = 5 * doubt * pairs + 4e-6
        logs = {"paper": beta * width / 2, "tensor2tensor": beta * max(pairs - 1, 1)}
        near = [(base, way) for way, log in logs.items() for base in round_bases(log, doubt)]
        near.sort(key=lambda x: (x[0] != 1e4, digits(x[0]), x[1] != "paper"))
        doubles = OCTAVES if abs(beta + math.log(2)) < doubt else []
        for each in [*doubles, *near[:MOST_BASES]]:
            if each not in seen:
                seen.add(each)
                yield each
    yield from (each for each in usual if each not in seen)


def round_bases(log: float, doubt: float) -> list[float]:
    """Return bases whose logarithm is near a number, with few digits, and the one it has itself."""
    if not abs(log) < MOST_LOG:
        return []
    near = {float(f"{math.exp(log):.{n}e}") for n in range(8)} | {math.exp(log), 1e4}
    if log < 0:
        near |= {1 / float(f"{math.exp(-log):.{n}e}") for n in range(8)}
    return [base for base in near if base != 1 and abs(math.log(base) - log) <= doubt]


def _decay_estimates(angles: Array, at: Indices, noise: float) -> Iterator[tuple[float, float]]:
    """Yield estimates of the decay β of frequencies exp(-β i): from steps, then from rows."""
    steps = wrap(np.diff(angles, axis=0))
    far = np.argsort(-np.abs(steps[:, -1]), kind="stable")[:2]
    turns = [*steps[far], *angles[[-1, len(angles) // 2, min(1, len(angles) - 1)]]]
    if len(steps) and np.abs(steps[:16] - steps[0]).max() < 0.02:  # even steps, of which the mean
        turns.insert(0, steps[:16].mean(axis=0))  # tells a base that each is too coarse to tell
    for each in turns:
        decay = _decay_of(each, at, noise)
        if decay is not None and math.isfinite(decay[0]):
            yield decay


def _decay_of(turns: Array, at: Indices, noise: float) -> tuple[float, float] | None:
    """Return the decay β of angles κ exp(-β i) that are known only up to whole turns, or None.

    The whole turns are restored from the slow pairs, which have made none, to the fast ones.
    """
    if abs(turns[0]) < abs(turns[-1]):  # the frequencies grow: the slow pairs come first
        decay = _decay_of(turns[::-1], at[-1] - at[::-1], noise)
        return None if decay is None else (-decay[0], decay[1])
    visible = np.flatnonzero(np.abs(turns) > 8 * noise)
    if visible.size < 2:
        return None
    turns, at = turns[: visible[-1] + 1] * np.sign(turns[visible[-1]]), at[: visible[-1] + 1]
    known = int(np.flatnonzero((turns <= 0) | (turns > 1.5)).max(initial=-1)) + 1
    if len(turns) - known < 2:
        return None
    while True:
        slope, start, doubt = _line(at[known:], np.log(turns[known:]), turns[known:] ** 2)
        if known == 0:
            return -slope, noise * doubt
        expected = np.exp(np.clip(start + slope * at, -50, 50))
        known = min(known - 1, int((expected > 2 * expected[known]).sum()))
        whole = math.tau * np.rint((expected - turns) / math.tau)
        turns = np.where(at >= at[known], turns + whole, turns)
        if (turns[known:] <= 0).any():
            return None


def _line(at: Indices, values: Array, weight: Array) -> tuple[float, float, float]:
    """Return the slope of a weighted line, its value at 0, and how far the slope may be off."""
    share = weight / weight.sum()
    middle, mean = share @ at, share @ values
    size = share @ (at - middle) ** 2 + 1e-300
    slope = float(share @ ((at - middle) * (values - mean)) / size)
    return slope, float(mean - slope * middle), float(1 / math.sqrt(size * weight.sum()))


# Positions


def _positions(
    angles: Array, omega: Array, rows: Indices, noise: float
) -> Iterator[tuple[Array, float]]:
    """Yield positions that rows may have, with their doubt: round ones, 0, 1, ..., or as read."""
    positions = _clock(angles, omega)
    if (omega / omega.min() % 1 == 0).all():  # octaves: all angles come again together
        again = math.tau / omega.min()
        positions = np.unwrap(positions, period=again)
        positions -= again * np.round(positions.mean() / again)
    round_ones = _round_positions(positions, noise / omega.max())
    if round_ones is not None:
        yield round_ones, 0.0
    yield rows.astype(float), 0.0
    ahead = np.r_[0, np.cumsum(np.round(_clock(wrap(np.diff(angles, axis=0)), omega)))]
    for first in _first_positions(angles[0], omega, noise):
        yield ahead + first, 0.0
    if omega.min() * LOOKED_UP > math.tau:  # no hand is so slow that it counts all turns of others
        some = slice(0, LOOKED_AT // 2)
        known = _on_circles(np.outer(np.arange(LOOKED_UP), omega[some]))
        yield from ((near, 0.0) for near in _looked_up(known, _on_circles(angles[:, some])))
    if round_ones is None or (round_ones % 1).any():
        yield positions, 2 * noise / float(omega.max())


def _on_circles(angles: Array) -> Array:
    """Return the sines and the cosines of angles, side by side."""
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def _fits(positions: Array, omega: Array, angles: Array, noise: float) -> bool:
    """Return whether positions and frequencies give most of the angles, at a first look."""
    product = np.outer(positions, omega)
    room = 8 * noise + 10 * FLOAT32_ANGLE * np.abs(product)
    return bool((np.abs(wrap(product - angles)) <= room).mean() > MOST_ON_CIRCLES)


def _clock(angles: Array, omega: Array) -> Array:
    """Return the position of each row, read like a clock: slow hands count turns of faster ones."""
    positions, weight = np.zeros(len(angles)), 0.0
    for i in np.argsort(omega):
        whole = math.tau * np.rint((positions * omega[i] - angles[:, i]) / math.tau)
        positions = weight * positions + omega[i] * (angles[:, i] + whole)
        weight += omega[i] ** 2
        positions /= weight
    return positions


def _round_positions(positions: Array, noise: float) -> Array | None:
    """Return whole positions, or positions of few decimals, near the ones that were read."""
    doubt = 4 * noise + 1e-6 * np.abs(positions)
    for places in range(4):
        near = np.round(positions, places) + 0.0
        if (np.abs(near - positions) <= np.minimum(doubt, 0.2 * 10.0**-places)).all():
            return near
    return None


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


# Without pairs


def unpaired_guesses(table: AnyTable) -> Iterator[Formula]:
    """Yield formulas of columns that have no other of their pair beside them."""
    width = table.shape[1]
    if width < 3 or len(table) < 2:
        return
    part = min(width, LOOKED_AT)
    for order in UNPAIRED:
        ladders = [(base, "paper") for base in USUAL_BASES]
        ladders += [(1e4, "twice the number")] if order.layout == "by column" else []
        for base, spacing in ladders:
            omega = order.frequencies(base, spacing, width)
            formula = Formula(order, base, spacing, width, np.arange(float(LOOKED_UP)), omega)
            known = formula._replace(width=part, omega=omega[:part]).numbers()
            for positions in _looked_up(known, table[:, :part]):
                yield formula._replace(positions=positions)


def _looked_up(known: Array, table: AnyTable) -> Iterator[Array]:
    """Yield for each row of a table the nearest known row, if one is near its first and its last.

    The squared distance of two rows is the sum of their squares less twice their product.
    """
    if all((np.abs(known - row).max(axis=1) < NEAR).any() for row in table[[0, -1]]):
        apart = (known**2).sum(axis=1) - 2 * table @ known.T
        yield apart.argmin(axis=1).astype(np.float64)


def list_guesses(row: Array, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of a row that is no encoding but a list of frequencies that fall."""
    order, width = Order("frequencies"), len(row)
    if width < 3 or (row <= 0).any() or (np.diff(row) >= 0).any():
        return
    error = storage.half(row) / row + 8 * U32
    for known in lists_near(row, error):
        if known.fault is None:
            formula = Formula(order, known.base, "paper", width, np.ones(1), known.frequencies)
            yield formula._replace(rules=known.rules)
