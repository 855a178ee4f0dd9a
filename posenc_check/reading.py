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
# Frequencies that double, of at most so many pairs.
MOST_OCTAVES = 32
OCTAVES = [Ladder(2.0, "octaves"), Ladder(2.0, "octaves of pi")]
USUAL_BASES, NARROW = (1e4, 5e5, 1e6, 1e7, 1e3, 1e2, 1e5), 4

# The first rows and the other rows, and the pairs, from which a guess is read.
HEAD, ROWS, PAIRS = 24, 48, 32

# The first position is looked for from some tokens before 0 to about two million after it.
BEFORE, FARTHEST = 4096, 2e6

# Rows and positions that are looked up one by one.
LOOKED_UP, LONE_COLUMNS = 2048, 16

# A logarithm of a base beyond this is none of a base.
MOST_LOG = 60.0


def guesses(table: npt.NDArray[Any], rows: Indices, storage: Storage) -> Iterator[Formula]:
    """Yield formulas that some rows and pairs of a table suggest, in each order of columns."""
    width = table.shape[1]
    head = np.union1d(np.arange(min(HEAD, len(table))), spread(len(table), ROWS))
    both = width // 2  # pairs with a sine and a cosine
    few = spread(both, PAIRS)
    slow = slice(-max(1, both // 4), None)

    def turned(order: Order) -> float:
        """Return how far the slow pairs have turned in an order, from -1 for not at all."""
        return -abs(float(_pairs(table[head], order, both)[1][:, slow].mean()))

    for order in sorted(ORDERS, key=turned):
        amplitude, noise, share = circles(table[head], order, storage)
        if share < 0.6:
            continue
        sines, cosines = _pairs(table, order, both)
        scale = _round_scale(amplitude, width, noise)
        angles = np.arctan2(sines[head], cosines[head]).astype(np.float64)
        every = np.arctan2(sines[:, few], cosines[:, few]).astype(np.float64)
        unround = []
        for ladder in _ladders(angles, order, width, noise):
            omega = ladder.frequencies(order, width)
            for positions, doubt in positions_of(
                every, omega[few], rows, noise, head, far=digits(ladder.base) == 1
            ):
                formula = Formula(order, ladder, width, positions, omega, scale, doubt=doubt)
                if doubt:
                    unround.append(formula)
                else:
                    yield formula
        yield from unround


def paired(row: npt.NDArray[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the sines and the cosines of a row in each order of columns."""
    for order in ORDERS:
        yield _pairs(row[np.newaxis], order, len(row) // 2)


def _pairs(table: npt.NDArray[Any], order: Order, both: int) -> tuple[Any, Any]:
    """Return the sines and the cosines of the pairs that have both, as views of a table."""
    sines, cosines = order.shares(table.shape[1])
    return table[:, sines[0]][:, :both], table[:, cosines[0]][:, :both]


def _round_scale(amplitude: float, width: int, doubt: float) -> float:
    """Return the factor of a table: 1, a root of the width, or a short number near the radius."""
    known = [1.0, width**-0.5, width**0.5, (2 / width) ** 0.5]
    known += [float(f"{amplitude:.{n}g}") for n in (1, 2, 3)]
    return next((x for x in known if abs(x - amplitude) <= doubt * amplitude), amplitude)


def circles(table: npt.NDArray[Any], order: Order, storage: Storage) -> tuple[float, float, float]:
    """Return the radius of most pairs, the noise of an angle, and which part has that radius."""
    radius = np.hypot(*_pairs(table, order, table.shape[1] // 2))
    amplitude = float(np.median(radius))
    if not amplitude:
        return 0.0, 0.0, 0.0
    noise = (
        2 * float(storage.half(np.array([0.99 * amplitude]))[0]) / amplitude + 4 * UNIT["float32"]
    )
    return amplitude, noise, float((np.abs(radius / amplitude - 1) <= 2 * noise).mean())


# Ladders


def _ladders(angles: Array, order: Order, width: int, noise: float) -> Iterator[Ladder]:
    """Yield ladders near the fall of the frequencies, round ones first, and then the usual ones."""
    seen: set[Ladder] = set()
    usual = [*USUAL, *(OCTAVES if width <= 2 * MOST_OCTAVES else [])]
    if order.pairs(width) <= NARROW:
        usual += [Ladder(base, "paper") for base in USUAL_BASES]
    for beta in _decay_estimates(angles, noise) if angles.shape[1] > 1 else ():
        beta, doubt = _refined(angles, beta, noise)
        for ladder in (*ladders_near(beta, doubt, order, width), *usual):
            if ladder not in seen:
                seen.add(ladder)
                yield ladder
        log = float(np.clip(beta * width / 2, -MOST_LOG, MOST_LOG))
        yield Ladder(math.exp(log), "paper")
    yield from (ladder for ladder in usual if ladder not in seen)


def ladders_near(beta: float, doubt: float, order: Order, width: int) -> list[Ladder]:
    """Return the ladders of round bases whose frequencies fall by about exp(-beta) a pair."""
    pairs = order.pairs(width)
    doubt = 5 * doubt * pairs + 4e-6
    logs = {"paper": beta * width / 2, "tensor2tensor": beta * max(pairs - 1, 1)}
    if order.layout not in ("interleaved", "halves"):
        logs["paper"] = beta * width
    elif width % 2:
        logs["of an even width"] = beta * (width + 1) / 2
    if order.layout == "by column":
        logs["twice the number"] = beta * width / 2
    near = [Ladder(b, way) for way, log in logs.items() for b in round_bases(log, doubt)]
    near.sort(key=lambda x: (x.base != 1e4, digits(x.base), x.spacing != "paper"))
    doubles = abs(beta + math.log(2)) < doubt and pairs <= MOST_OCTAVES
    return [*(OCTAVES if doubles else []), *near[:10]]


def round_bases(log: float, doubt: float) -> list[float]:
    """Return bases whose logarithm is near a number, those of few digits first."""
    if not abs(log) < MOST_LOG:
        return []
    near = {float(f"{math.exp(log):.{n}e}") for n in range(8)} | {1e4}
    if log < 0:
        near |= {1 / float(f"{math.exp(-log):.{n}e}") for n in range(8)}
    kept = [b for b in near if b != 1 and abs(math.log(b) - log) <= doubt]
    return sorted(kept, key=lambda base: (base != 1e4, digits(base)))


def _decay_estimates(angles: Array, noise: float) -> Iterator[float]:
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
        beta = _decay_of(turns, at, noise)
        if beta is not None and math.isfinite(beta):
            yield beta


def _decay_of(turns: Array, at: Indices, noise: float) -> float | None:
    """Return the decay β of angles κ exp(-β i) that are known only up to whole turns, or None.

    The whole turns are restored from the slow pairs, which have made none, to the fast ones.
    """
    if abs(turns[0]) < abs(turns[-1]):  # the frequencies grow: the slow pairs come first
        beta = _decay_of(turns[::-1], at, noise)
        return None if beta is None else -beta
    visible = np.flatnonzero(np.abs(turns) > 8 * noise)
    if visible.size < 2:
        return None
    turns, at = turns[: visible[-1] + 1] * np.sign(turns[visible[-1]]), at[: visible[-1] + 1]
    known = int(np.flatnonzero((turns <= 0) | (turns > 1.5)).max(initial=-1)) + 1
    if len(turns) - known < 2:
        return None
    while True:
        slope, start, _ = fit_line(at[known:], np.log(turns[known:]), turns[known:] ** 2)
        if known == 0:
            return -slope
        expected = np.exp(np.clip(start + slope * at, -50, 50))
        known = min(known - 1, int((expected > 2 * expected[known]).sum()))
        whole = math.tau * np.rint((expected - turns) / math.tau)
        turns = np.where(at >= at[known], turns + whole, turns)
        if (turns[known:] <= 0).any():
            return None


def _refined(angles: Array, beta: float, noise: float) -> tuple[float, float]:
    """Return β and its doubt from all rows: positions by frequencies, and these by positions."""
    at, start, doubt = np.arange(angles.shape[1]), 0.0, 1.0
    if read_clock(angles, np.exp(-beta * at), noise)[1] is None:
        angles = angles[:HEAD]  # which follow one another
    for _ in range(3):
        omega = np.exp(start - beta * at)
        positions, relative = read_clock(angles, omega, noise)
        turned = wrap(angles - angles[0]) if relative else angles
        turned = turned + math.tau * np.rint((np.outer(positions, omega) - turned) / math.tau)
        size = positions @ positions + 1e-30
        measured = np.maximum(positions @ turned / size, 1e-12 * omega)
        slope, start, doubt = fit_line(at, np.log(measured), measured**2 * size / noise**2)
        beta = -slope
    return beta, doubt


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


def read_clock(angles: Array, omega: Array, noise: float) -> tuple[Array, bool | None]:
    """Return positions, and whether they count from the first row; None where neither way fits."""
    positions = _clock(angles, omega)
    if _fits(positions, omega, angles, noise):
        return positions, False
    ahead, counted = _counted_on(angles, omega, noise)
    return (ahead, True) if counted else (positions, None)


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


def positions_of(
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
        near, is_round = _snapped(
            positions, rows, 4 * noise / omega.max() + 1e-6 * np.abs(positions)
        )
        if is_round:
            yield near, 0.0
        if is_round and (near % 1 == 0).all():
            return
    counted = _counted_on(angles[:HEAD], omega, noise)[1]
    lookup = far and not absolute and len(rows) > 1
    ahead, counted = _counted_on(angles, omega, noise) if counted or lookup else (positions, False)
    yield rows.astype(float), 0.0
    if counted or lookup:
        for first in first_positions(angles[0], omega, noise):
            yield ahead + first, 0.0
    looked_up = None if absolute or counted else _looked_up(angles, omega, noise)
    if looked_up is not None:
        yield looked_up, 0.0
    if absolute:
        yield positions, 2 * noise / float(omega.max())


def _looked_up(angles: Array, omega: Array, noise: float) -> Array | None:
    """Return the smallest whole position of each row, looked for one by one; None if one has none.

    This finds rows that are far apart where no pair is slow.
    """
    if len(angles) > LOOKED_UP or len(omega) < 2:
        return None
    few = spread(len(omega), 8)
    places = np.arange(float(LOOKED_UP))
    products = np.outer(places, omega[few])
    room = 4 * noise + 2e-7 * products
    positions = np.zeros(len(angles))
    for row, own in enumerate(angles[:, few]):
        near = (np.abs(wrap(products - own)) <= room).all(axis=1)
        if not near.any():
            return None
        positions[row] = places[near.argmax()]
    return positions


def first_positions(angles: Array, omega: Array, noise: float) -> list[float]:
    """Return the smallest whole positions at which one row has its angles."""
    slow, *others = np.argsort(omega)
    reach = min(math.ceil(4 * noise / omega[slow] + 1), 50)
    least, most = -BEFORE * omega[slow] // math.tau, min(FARTHEST * omega[slow] / math.tau, 2e4)
    near = np.round((angles[slow] + math.tau * np.arange(least, most)) / omega[slow])
    places = (near[:, np.newaxis] + np.arange(-reach, reach + 1)).ravel()
    for i in others:
        room = 4 * noise + 2e-7 * omega[i] * np.abs(places)
        places = places[np.abs(wrap(places * omega[i] - angles[i])) <= room]
    return sorted(set(places[np.argsort(np.abs(places))[:9]].tolist()), key=abs)[:3]


def _snapped(positions: Array, rows: Indices, doubt: Array) -> tuple[Array, bool]:
    """Return whole positions, even steps, or positions of few decimals, where they are near."""
    if (np.abs(positions - np.round(positions)) <= np.minimum(doubt, 0.2)).all():
        return np.round(positions) + 0.0, True
    if len(positions) > 2:
        step, start, _ = fit_line(rows, positions, np.ones(len(rows)))
        for round_step in (float(Fraction(step).limit_denominator(64)), float(f"{step:.4g}")):
            for round_start in (float(round(start)), float(f"{start:.4g}")):
                near = np.asarray(round_start + round_step * rows, np.float64)
                if (np.abs(near - positions) <= doubt).all():
                    return near, True
    for places in (1, 2, 3):
        near = np.round(positions, places)
        if (np.abs(near - positions) <= np.minimum(doubt, 0.1 * 10.0**-places)).all():
            return near, True
    return positions, False


# Columns without the other of their pair, and lists


def list_guesses(row: Array, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of a row that is no encoding but a list of frequencies, from 1 downwards."""
    width, order = len(row), Order("frequencies")
    if width < 3 or abs(row[0] - 1) > 0.01 or (row <= 0).any() or (np.diff(row) >= 0).any():
        return
    weight = (row / storage.half(row)) ** 2
    slope, _, doubt = fit_line(np.arange(width), np.log(row), np.minimum(weight, 2.0**44))
    for ladder in ladders_near(-slope, doubt, order, width):
        yield Formula(order, ladder, width, np.ones(1), ladder.frequencies(order, width))


def lone_guesses(table: npt.NDArray[Any], rows: Indices, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of columns that have no other of their pair beside them."""
    width = table.shape[1]
    head = table[: 4 * HEAD].astype(np.float64)
    size = float(np.abs(head).max())
    if width < 3 or len(table) < 2 or max(circles(head, x, storage)[2] for x in ORDERS) > 0.95:
        return
    scale = _round_scale(size, width, 0.02) if size < 0.95 or size > 1 else 1.0
    turn, weight = _turns(head, storage.half(head))
    known = np.flatnonzero(weight > 64)
    for order in (Order("cosines"), Order("sines"), Order("by column"), Order("by column", True)):
        ladders = [Ladder(base, "paper") for base in USUAL_BASES]
        ladders += [Ladder(base, "twice the number") for base in USUAL_BASES[:1]]
        if len(known) > 2:
            slope, _, doubt = fit_line(known, np.log(turn[known]), weight[known])
            ladders = [*ladders_near(-slope, doubt, order, width), *ladders]
        for ladder in dict.fromkeys(ladders):
            omega = ladder.frequencies(order, width)
            formula = Formula(order, ladder, width, rows.astype(float), omega, scale)
            positions = _lone_positions(table, formula, storage)
            if positions is not None:
                yield formula._replace(positions=positions)


def _turns(head: Array, half: Array) -> tuple[Array, Array]:
    """Return how far each column turns from row to row, and the weight of its logarithm.

    The two neighbours of a number in a column that turns by ω add up to 2 cos ω times the number.
    """
    now, around = head[1:-1], head[:-2] + head[2:]
    square = (now**2).sum(axis=0) + 1e-300
    twice = (now * around).sum(axis=0) / square
    doubt = np.sqrt(((now * 3 * half[1:-1]) ** 2).sum(axis=0)) / square + 1e-7
    turn = np.arccos(np.clip(twice / 2, -1, 1))
    weight = (turn * 2 * np.sin(turn) / doubt) ** 2
    return turn, np.where(turn < 3, weight, 0.0)


def _lone_positions(table: npt.NDArray[Any], formula: Formula, storage: Storage) -> Array | None:
    """Return the smallest whole position at which each row has its numbers; None if one has none.

    The rows after the first few count on, if the first few do.
    """
    columns = spread(formula.width, LONE_COLUMNS)
    is_sine = np.zeros(formula.width, bool)
    is_sine[formula.order.shares(formula.width)[0][0]] = True
    angles = np.outer(np.arange(LOOKED_UP), formula.omega[columns])
    numbers = formula.scale * np.where(is_sine[columns], np.sin(angles), np.cos(angles))
    slack = 2e-7 * angles
    positions = np.zeros(len(table))
    for row in range(len(table)):
        own = table[row, columns].astype(np.float64)
        room = storage.half(own) + 4 * UNIT["float32"] + slack
        near = (np.abs(numbers - own) <= room).all(axis=1)
        if not near.any():
            return None
        positions[row] = near.argmax()
        if row == HEAD and (np.diff(positions[: row + 1]) == 1).all():
            return np.asarray(positions[0] + np.arange(len(table)), np.float64)
    return positions
