"""Frequencies as angles show them, and the rule of models that gives them.

A rule is a hypothesis: it is accepted only where the list that it gives explains every measured
angle within the error of the measurement.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from posenc.scaling import llama3, yarn
from posenc_check.findings import Finding
from posenc_check.rounding import SHORT, UNIT, Array, angle_error, wrap
from posenc_check.storage import rounded_to
from posenc_check.words import sentence

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

# Rows of angles that suffice to tell the type of the angles, and pairs that suffice to tell whether
# a list was rounded.
FEW_ROWS, FEW_PAIRS = 24, 4


class Ladder(NamedTuple):
    """A list of frequencies with the rule that gives it."""

    base: float  # 0 where a single pair turns by 1 radian per token, which any base gives
    frequencies: Array  # radians per token, of every pair of the layout
    rules: tuple[Finding, ...] = ()  # how the list differs from the plain one of its base
    fault: Finding | None = None  # the bug that gives such a list
    fitted: bool = False  # whether a number of the rule was read off the measurement

    @property
    def words(self) -> str:
        """Return how the list differs from the plain one of its base, in words."""
        return ", ".join(sentence(rule) for rule in self.rules)


class Followed(NamedTuple):
    """Frequencies that were measured: angles grow by them, as far as they grow evenly."""

    omega: Array
    error: Array  # how far each may be off, as a part of itself
    good: int  # the number of places, from the first on, whose angles they give
    kind: str  # the type of the angles


def followed(
    angles: Array, places: Array, unit: float, kinds: Sequence[str] = ("float32", *SHORT[::-1])
) -> Followed:
    """Return the frequency of each pair, measured by its angles at places in growing order.

    The frequency by the places before says how many whole turns a pair has made at the next place,
    and the angle there gives the frequency more exactly. The types that angles may have are tried
    in turn, until one explains enough places: a type of 16 bits explains any angle far out.
    """
    results, first_error = [], 4 * unit * np.minimum(np.abs(angles[0]), 1.0)
    for kind in kinds:
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
        results.append(Followed(omega, error / np.maximum(np.abs(omega), 1e-300), good, kind))
        if good >= FEW_ROWS:
            break
    return max(results, key=lambda each: each.good)


def _tolerance(exact: Array, omega: Array, unit: float, kind: str) -> Array:
    """Return how far a measured angle may be from the exact one, position times frequency."""
    of_entries: Array = 4 * unit * np.minimum(np.abs(exact), 1.0) + 2 * UNIT[kind]
    return of_entries + angle_error(exact, omega, kind)


def named(
    measured: Followed, angles: Array, places: Array, index: Any, total: int, unit: float
) -> tuple[Ladder, str] | None:
    """Return the list that gives all angles, with the 16-bit type it was rounded to, or None.

    Of a layout of `total` pairs those numbered in `index` turn. The type is "" for a list that was
    not rounded. Rules with a fitted number are tried last.
    """
    omega, error = np.zeros((2, total))
    omega[index], error[index] = measured.omega, measured.error
    shorts = ("", *SHORT) if len(index) >= FEW_PAIRS else ("",)
    for fitted, short in (*((False, short) for short in shorts), (True, "")):
        slack = np.full_like(omega, 2 * UNIT.get(short, 0.0))
        if short == "float16":  # below its least normal number it has fewer bits
            slack *= np.maximum(1, 2.0**-14 / np.where(omega != 0, omega, 1.0))
        for ladder in hypotheses(omega, error, slack):
            listed = rounded_to(ladder.frequencies, short or "float64")[index]
            exact = places[:, np.newaxis] * listed
            allowed = _tolerance(exact, listed, unit, measured.kind)
            if ladder.fitted == fitted and (np.abs(wrap(angles - exact)) <= allowed).all():
                return ladder, short
    return None


def hypotheses(measured: Array, error: Array, slack: Array) -> Iterator[Ladder]:
    """Yield the lists that the measured one may be, the simplest first.

    An entry of `measured` is off by at most `error`, as a part of itself, from an entry that was
    rounded by at most `slack`, as a part of itself. Entries of 0 at the end do not turn.
    """
    total, count, off = len(measured), int(np.count_nonzero(measured)), error + slack
    half = total // 2
    twice = total == 2 * half and np.allclose(measured[:half], measured[half:], 1e-3)
    if half > 1 and twice:
        for ladder in hypotheses(measured[:half], error[:half], slack[:half]):
            rules = (*ladder.rules, Finding("two_coordinates"))
            yield ladder._replace(rules=rules, frequencies=np.tile(ladder.frequencies, 2))
    if growing := _growing(measured):
        yield growing
    turning, index = measured[:count], np.arange(total)
    if count == 0 or (turning <= 0).any() or measured[count:].any():
        return
    if count == 1:
        if abs(turning[0] - 1) <= off[0]:
            yield Ladder(0.0, np.where(index < 1, 1.0, 0.0))
        return
    still = (Finding("still_pairs", count=total - count),) if count < total else ()
    for base, spaced, fitted in _bases(turning, off[:count], total):
        beta = math.log(base) / (total - spaced)
        plain = np.where(index < count, np.exp(-beta * index), 0.0)
        spacing = (Finding("tensor2tensor_spacing", base=base),) if spaced else ()
        for start, rules, fault in _starts(float(turning[0]), beta, float(off[0])):
            # As many numbers read off as there are frequencies would name any list.
            if count < 2 + fitted + (start != 1):
                continue
            paper = math.exp(beta * total) if spaced else base
            rules = (*spacing, *rules, *still)
            if still and base not in USUAL_BASES and not spaced:
                paper, rules = _of_one_coordinate(base, count, total, rules)
            yield Ladder(paper, start * plain, rules, fault, fitted)
    fast = max(3, count // 4)
    if fast < count == total:
        for base, spaced, fitted in _bases(turning[:fast], off[:fast], total):
            if not spaced and not fitted:
                yield from _slowed(measured, base ** (-index / total), base, off)


def _of_one_coordinate(
    base: float, count: int, total: int, rules: tuple[Finding, ...]
) -> tuple[float, tuple[Finding, ...]]:
    """Return base and rules of a list whose still pairs belong to another coordinate.

    The frequencies are the same either way. If the other base is not a usual one, base and rules
    are returned as they are.
    """
    own = base ** (count / total)
    usual = [each for each in USUAL_BASES if abs(own / each - 1) < 1e-9]
    if not usual:
        return base, rules
    one = Finding("one_coordinate", pairs=count, still=total - count, base_of_all=base)
    return usual[0], (*rules[:-1], one)


def _growing(measured: Array) -> Ladder | None:
    """Return the list of a base whose exponent lacks its minus sign, or None.

    Such frequencies grow beyond half a turn per token, where a measurement loses whole turns. The
    pairs before say how many turns a pair has lost.
    """
    total = len(measured)
    if total < FEW_PAIRS or abs(measured[0] - 1) > 1e-3:
        return None
    slope = math.log(max(float(measured[1]) % math.tau, 1e-9))
    for pair in range(2, total):
        expected = math.exp(min(slope * pair, 40.0))
        slope = math.log(max(expected + float(wrap(measured[pair] - expected)), 1e-9)) / pair
    value = math.exp(min(slope * total, 40.0))
    rounded = (float(f"{value:.{digits}e}") for digits in range(3))
    base = next((base for base in rounded if abs(base / value - 1) < 1e-4), 0.0)
    if not 10 <= base <= MOST_BASE:
        return None
    grown = base ** (np.arange(total) / total)
    return Ladder(base, grown, fault=Finding("exponent_without_minus", base=base))


def _bases(turning: Array, error: Array, pairs: int) -> Iterator[tuple[float, bool, bool]]:
    """Yield the bases that a list may have, each as (base, whether spaced, whether fitted).

    Spaced means in tensor2tensor's spacing. Round bases come first; the last is the one that a line
    through the logarithms gives, which is fitted.
    """
    index = np.arange(len(turning))
    weights = 1 / np.minimum(error, 1.0)
    line, covariance = np.polyfit(index, np.log(turning), 1, w=weights, cov="unscaled")
    slope, doubt = -float(line[0]), 6 * math.sqrt(covariance[0, 0]) + 1e-12
    if not math.log(LEAST_BASE) < slope * pairs < math.log(MOST_BASE):
        return
    off = math.expm1(min(1.0, doubt * pairs))
    for digits in (1, 2, 3):
        for spaced in (False, True):
            value = math.exp(slope * (pairs - spaced))
            unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
            near = round(value / unit)
            reach = min(10, math.ceil(off * value / unit)) if digits < 3 else 0
            for whole in sorted(range(near - reach, near + reach + 1), key=lambda n: abs(n - near)):
                base = float(f"{whole * unit:.{digits - 1}e}")
                new = whole % 10 or digits == 1  # otherwise it was tried with fewer digits
                if new and base > LEAST_BASE and abs(base / value - 1) <= off + 1e-9:
                    yield base, spaced, False
    yield math.exp(slope * pairs), False, True


def _starts(
    first: float, beta: float, off: float
) -> Iterator[tuple[float, tuple[Finding, ...], Finding | None]]:
    """Yield the first frequencies that a list may have, likely ones first.

    Each comes with the rules, and with the bug, that give a list such a beginning.
    """
    slower = dict.fromkeys(float(f"{1 / first:.{digits}e}") for digits in range(4))
    starts: list[tuple[float, tuple[Finding, ...], Finding | None]] = [(1.0, (), None)]
    starts += [(value, (), fault) for value, fault in SPEEDS.items()]
    starts += [(math.exp(-beta), (), Finding("pairs_counted_from_1"))]
    starts += [(1 / n, (Finding("all_slower", times=n),), None) for n in slower if n != 1]
    yield from (each for each in starts if abs(first / each[0] - 1) <= 3 * off + 1e-12)


def _slowed(measured: Array, plain: Array, base: float, off: Array) -> Iterator[Ladder]:
    """Yield lists whose fast pairs are the plain ones and whose slow pairs are slower."""
    known = np.flatnonzero(off < 0.02)
    slower, near = plain / measured, 4 * off + 1e-5
    # These rules never slow the fastest pair, and each other at least as much as the one before.
    falls = slower[1:] < slower[:-1] * (1 - near[1:] - near[:-1])
    if len(known) < 4 or abs(slower[0] - 1) > near[0] or falls.any():
        return
    most, reach = float(slower[known[-1]]), 3 * float(off[known[-1]]) + 1e-6
    factors = {round(2 * most) / 2, round(most), 2.0 ** round(math.log2(most))}
    for factor in sorted(factors, key=lambda value: abs(value - most)):
        for length in LENGTHS if factor > 1 and abs(factor / most - 1) <= reach else ():
            rule: Any = {"rope_theta": base, "factor": factor}
            rule["original_max_position_embeddings"] = length
            turns = {"low_freq_factor": 1, "high_freq_factor": 4}
            about = {"factor": float(factor), "length": length}
            omega = llama3(2 * len(plain), **rule, **turns)
            yield Ladder(base, omega, (Finding("llama3_scaling", **about),))
            for cut in (True, False):
                omega = yarn(2 * len(plain), truncate=cut, **rule)
                yield Ladder(base, omega, (Finding("yarn_scaling", **about, truncate=cut),))


class NearestList(NamedTuple):
    """The plain list that most pairs follow, and the pairs that leave it."""

    base: float
    runs: list[tuple[int, int, float, float]]  # first and last pair, least and largest speed
    slows: bool  # whether pairs are only ever slowed, and each at least as much as the one before


def nearest_list(measured: Array, error: Array) -> NearestList | None:
    """Return the plain list that most of the measured pairs follow, or None.

    A speed of 1.01 means that a pair turns 1.01 times as fast as in the list of the base.
    """
    total, index = len(measured), np.arange(len(measured))
    turning = [pair for pair in range(1, total) if measured[pair] > 0 and error[pair] < 1e-3]
    votes: Counter[float] = Counter()
    for pair in turning:
        value = math.exp(-math.log(measured[pair]) * total / pair)
        if LEAST_BASE < value < MOST_BASE:
            votes.update({float(f"{value:.{digits}e}") for digits in range(3)})
    best: tuple[int, float, Array] | None = None
    for base, _ in votes.most_common(4):
        speed = measured * base ** (index / total)
        leaves = np.abs(speed - 1) > np.maximum(1e-5, 4 * error)
        if best is None or total - leaves.sum() > best[0]:
            best = int(total - leaves.sum()), base, np.where(leaves, speed, 1.0)
    if best is None or best[0] < max(FEW_PAIRS, total // 4):
        return None
    _, base, speed = best
    apart = np.flatnonzero(speed != 1)
    if not apart.size:
        return None
    runs = [
        (int(run[0]), int(run[-1]), float(speed[run].min()), float(speed[run].max()))
        for run in np.split(apart, np.flatnonzero(np.diff(apart) > 1) + 1)
    ]
    slows = bool((speed <= 1).all() and (np.diff(speed) <= 1e-6).all() and speed[-1] > 0)
    return NearestList(base, runs, slows)
