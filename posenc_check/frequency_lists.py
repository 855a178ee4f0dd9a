"""Frequencies as angles show them, and the rule of models that gives such a list.

A rule is a hypothesis: it is accepted only where the list that it gives explains every measured
angle within the error of the measurement.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from posenc.scaling import llama3, yarn
from posenc_check.findings import Finding
from posenc_check.rounding import SHORT, UNIT, Array, angle_error, wrap
from posenc_check.storage import last_place, rounded_to

# The lengths that models were trained with.
LENGTHS = tuple(2**power for power in range(9, 19))
# The first frequency of a list, for each bug that changes all frequencies by one known factor.
SPEEDS = {
    2.0: Finding("turned_twice"),
    math.pi / 180: Finding("degrees_as_radians"),
    1 / math.tau: Finding("turns_as_radians"),
    math.tau: Finding("radians_as_turns"),
}

# A base outside of these is a sign of another rule: no model has one.
LEAST_BASE, MOST_BASE = 1.5, 1e12
# Bases that are expected; of two names for the same list the one with such a base is given.
USUAL_BASES = (1e4, 5e5, 1e6, 1e5, 5e6, 1e7, 8e6, 2e4, 1.6e5, 1.5e5, 1e3, 100.0, 5e4)

# Pairs that suffice to tell whether a list was rounded.
FEW_PAIRS = 4


class FrequencyList(NamedTuple):
    """A list of frequencies with the rule that gives it."""

    base: float  # 0 where a single pair turns by 1 radian per token, which any base gives
    frequencies: Array  # radians per token, of every pair of the layout
    rules: tuple[Finding, ...] = ()  # how the list differs from the plain one of its base
    fault: Finding | None = None  # the bug that gives such a list
    fitted: bool = False  # whether the base was read off the measurement


class MeasuredFrequencies(NamedTuple):
    """Frequencies by which angles grow, as far as the angles grow evenly."""

    omega: Array
    error: Array  # how far each may be off
    good: int  # the number of places, from the first on, whose angles they give
    kind: str  # the type of the angles


def measured_frequencies(
    angles: Array, places: Array, unit: float, kind: str = "float32"
) -> MeasuredFrequencies:
    """Return the frequency of each pair, measured by its angles at places in growing order.

    The places are 0, 1, and then farther and farther, slowly enough that no turn is missed: the
    frequency by the places before says how many whole turns a pair has made at the next place, and
    the angle there gives the frequency more exactly. Angles are of a type.
    """
    first_error = 4 * unit * np.minimum(np.abs(angles[0]), 1.0)
    omega: Array = wrap(angles[1] - angles[0])
    error, good = _tolerance(omega, omega, unit, kind) + first_error, len(places)
    for row, place in enumerate(places[2:], 2):
        residual = wrap(angles[row] - angles[0] - place * omega)
        allowed = _tolerance(place * omega, omega, unit, kind) + first_error
        if (np.abs(residual) > 2 * allowed + place * error).any():
            good = row
            break
        omega = np.where(allowed / place < error, omega + residual / place, omega)
        error = np.minimum(allowed / place, error)
    return MeasuredFrequencies(omega, error, good, kind)


def _tolerance(exact: Array, omega: Array, unit: float, kind: str) -> Array:
    """Return how far a measured angle may be from the exact one, position times frequency."""
    of_entries: Array = 4 * unit * np.minimum(np.abs(exact), 1.0) + 2 * UNIT[kind]
    return of_entries + angle_error(exact, omega, kind)


def rule_of(
    measured: MeasuredFrequencies, angles: Array, places: Array, index: Any, total: int, unit: float
) -> tuple[FrequencyList, str] | None:
    """Return the list that gives all angles, with the 16-bit type it was rounded to, or None.

    Of a layout of `total` pairs those numbered in `index` turn. The type is "" for a list that was
    not rounded.
    """
    omega, error = np.zeros((2, total))
    omega[index], error[index] = measured.omega, measured.error
    for short in ("", *SHORT) if len(index) >= FEW_PAIRS else ("",):
        rounding = last_place(omega, short) if short else 0.0
        for each in lists_near(omega, (error + rounding) / np.maximum(np.abs(omega), 1e-300)):
            listed = rounded_to(each.frequencies, short or "float64")[index]
            exact = places[:, np.newaxis] * listed
            allowed = _tolerance(exact, listed, unit, measured.kind)
            if (np.abs(wrap(angles - exact)) <= allowed).all():
                return each, short
    return None


def lists_near(measured: Array, error: Array) -> list[FrequencyList]:
    """Return the lists that the measured one may be, those of usual bases first.

    An entry of `measured` is off by at most `error`, as a part of itself. Entries of 0 at the end
    do not turn.
    """
    return sorted(_lists_near(measured, error), key=lambda each: each.base not in USUAL_BASES)


def _lists_near(measured: Array, error: Array) -> Iterator[FrequencyList]:
    """Yield the lists that the measured one may be, the simplest first."""
    total, count = len(measured), int(np.count_nonzero(measured))
    half = total // 2
    if total == 2 * half > 2 and np.allclose(measured[:half], measured[half:], 1e-3):
        for each in lists_near(measured[:half], error[:half]):
            rules = (*each.rules, Finding("two_coordinates"))
            yield each._replace(rules=rules, frequencies=np.tile(each.frequencies, 2))
    yield from _growing(measured)
    turning, index = measured[:count], np.arange(total)
    if count == 0 or (turning <= 0).any():
        return
    if count == 1:
        yield FrequencyList(0.0, np.where(index < 1, 1.0, 0.0))
        return
    still = (Finding("still_pairs", count=total - count),) if count < total else ()
    for base, fitted in _bases(turning, error[:count], total):
        ratio = base ** (-1 / total)
        plain = np.where(index < count, ratio**index, 0.0)
        for start, rules, fault in _starts(float(turning[0]), ratio, float(error[0])):
            # As many numbers read off as there are frequencies would name any list.
            if count >= 2 + fitted + (start != 1):
                yield FrequencyList(base, start * plain, (*rules, *still), fault, fitted)
    if count == total >= FEW_PAIRS:
        for base in USUAL_BASES:
            listed = base ** (index / (1 - total))
            if (np.abs(measured / listed - 1) <= 3 * error + 1e-12).all():
                yield FrequencyList(base, listed, (Finding("last_pair_at_base"),))
    if count < total:  # the still pairs may belong to another coordinate
        for each in lists_near(turning, error[:count]):
            about = {"pairs": count, "still": total - count}
            one = Finding("one_coordinate", **about, base_of_all=each.base ** (total / count))
            listed = np.pad(each.frequencies, (0, total - count))
            yield each._replace(rules=(*each.rules, one), frequencies=listed)
    fast = max(3, count // 4)
    if fast < count == total:
        for base, fitted in _bases(turning[:fast], error[:fast], total):
            if not fitted:
                yield from _slowed(measured, base ** (-index / total), base, error)


def _growing(measured: Array) -> Iterator[FrequencyList]:
    """Yield the list of a usual base whose exponent lacks its minus sign.

    Such frequencies grow beyond half a turn per token, where a measurement loses whole turns.
    """
    for base in USUAL_BASES:
        grown = base ** (np.arange(len(measured)) / len(measured))
        if len(measured) >= FEW_PAIRS and (np.abs(wrap(measured - grown)) <= 1e-3).all():
            yield FrequencyList(base, grown, fault=Finding("exponent_without_minus", base=base))


def _bases(turning: Array, error: Array, pairs: int) -> Iterator[tuple[float, bool]]:
    """Yield the bases that a list may have, each with whether it was fitted.

    The first pair and the one that tells most give the fall from pair to pair. Usual bases come
    first, then round ones, and last the one that was fitted.
    """
    index = np.arange(1, len(turning))
    falls = np.log(turning[0] / turning[1:]) / index
    doubts = (error[0] + error[1:]) / index
    best = int(doubts.argmin())
    value = math.exp(min(float(falls[best]) * pairs, 100.0))
    off = math.expm1(min(1.0, 2 * float(doubts[best]) * pairs)) + 1e-9
    if not LEAST_BASE < value < MOST_BASE:
        return
    rounded = (float(f"{value:.{digits}e}") for digits in range(3))
    for base in dict.fromkeys((*USUAL_BASES, *rounded)):
        if base > LEAST_BASE and abs(base / value - 1) <= off:
            yield base, False
    yield value, True


def _starts(
    first: float, ratio: float, off: float
) -> Iterator[tuple[float, tuple[Finding, ...], Finding | None]]:
    """Yield the first frequencies that a list may have, likely ones first.

    Each comes with the rules, and with the bug, that give a list such a beginning.
    """
    slower = dict.fromkeys(float(f"{1 / first:.{digits}e}") for digits in range(4))
    starts: list[tuple[float, tuple[Finding, ...], Finding | None]] = [(1.0, (), None)]
    starts += [(value, (), fault) for value, fault in SPEEDS.items()]
    starts += [(ratio, (), Finding("pairs_counted_from_1"))]
    starts += [(1 / n, (Finding("all_slower", times=n),), None) for n in slower if n != 1]
    yield from (each for each in starts if abs(first / each[0] - 1) <= 3 * off + 1e-12)


def _slowed(measured: Array, plain: Array, base: float, error: Array) -> Iterator[FrequencyList]:
    """Yield Llama 3's and YaRN's lists, which keep the fast pairs and slow the last by a factor."""
    most = float((plain / measured)[np.flatnonzero(error < 0.02)].max(initial=1.0))
    for factor in {round(2 * most) / 2, 2.0 ** round(math.log2(most))} - {1.0}:
        rule: Any = {"rope_theta": base, "factor": factor}
        for length in LENGTHS:
            rule["original_max_position_embeddings"] = length
            about = {"factor": factor, "length": length}
            omega = llama3(2 * len(plain), low_freq_factor=1, high_freq_factor=4, **rule)
            yield FrequencyList(base, omega, (Finding("llama3_scaling", **about),))
            for cut in (True, False):
                omega = yarn(2 * len(plain), truncate=cut, **rule)
                yield FrequencyList(base, omega, (Finding("yarn_scaling", **about, truncate=cut),))


def leaving_pairs(omega: Array, error: Array) -> Finding | None:
    """Return which pairs of a list by no rule leave the list of a usual base, which most follow.

    A speed of 1.01 means that a pair turns 1.01 times as fast as in that list. Where too few follow
    a list, the first pair that turns faster than the one before is returned, if there is one.
    """
    total = len(omega)
    inverse = {base: base ** (np.arange(total) / total) for base in USUAL_BASES}
    leaves = {
        base: np.abs(omega * times - 1) > np.maximum(1e-5, 4 * error * times)
        for base, times in inverse.items()
    }
    base = min(USUAL_BASES, key=lambda base: np.count_nonzero(leaves[base]))
    apart = np.flatnonzero(leaves[base])
    if apart.size and total - apart.size >= max(FEW_PAIRS, total // 4):
        speed = np.where(leaves[base], omega * inverse[base], 1.0)
        runs = [
            (int(run[0]), int(run[-1]), float(speed[run].min()), float(speed[run].max()))
            for run in np.split(apart, np.flatnonzero(np.diff(apart) > 1) + 1)
        ]
        # A rule slows pairs only, and each at least as much as the one before.
        slows = (speed <= 1).all() and (np.diff(speed) <= 1e-6).all() and speed[-1] > 0
        return Finding("slowed_by_no_rule" if slows else "pairs_off_list", base=base, runs=runs)
    faster = np.flatnonzero((omega < 0) | (np.diff(omega, prepend=np.inf) > -1e-6 * omega))
    if not faster.size:
        return None
    pair = int(faster[0])
    return Finding("pair_faster", pair=pair, frequency=float(omega[pair]))
