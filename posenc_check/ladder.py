"""Which list of frequencies do angles follow? Hypotheses, each with the list that it gives."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from posenc.scaling import llama3, yarn
from posenc_check.rounding import SHORT, UNIT, Array, angle_error, number, rounded, wrap

# The lengths that models were trained with, and the factors that begin a ladder with a bug.
LENGTHS = tuple(2**power for power in range(9, 19))
SPEEDS = {
    2.0: "All pairs turn twice as fast: the rotation is applied two times.",
    math.pi / 180: "Angles in degrees are taken for radians.",
}
FROM_1 = "The pairs are counted from 1: the first has the second's frequency."

# Bases that stand for a rule of their own would be found anywhere beyond this.
LEAST_BASE, MOST_BASE = 1.5, 1e12


# Rows of angles that tell how they were computed, and pairs that tell whether a list was rounded.
FEW_ROWS, FEW_PAIRS = 24, 4


class Ladder(NamedTuple):
    """A list of frequencies by its rule; `fitted` if a number in it was read off the data."""

    base: float
    words: str
    frequencies: Array
    problem: str = ""
    fitted: bool = False


class Followed(NamedTuple):
    """Frequencies under which angles grow evenly, as far as they do."""

    omega: Array
    error: Array  # how far each may be off, as a part of itself
    good: int  # so many rows fit
    kind: str  # the type of the angles


def followed(angles: Array, places: Array, unit: float) -> Followed:
    """Follow each pair: from row to row its angle tells its frequency ever more finely.

    Angles in 16 bits, a bug, are looked for where the first tokens have no others.
    """
    found, first = [], 4 * unit * np.minimum(np.abs(angles[0]), 1.0)
    for kind in ("float32", *reversed(SHORT)):
        omega: Array = wrap(angles[1] - angles[0])
        doubt, good = _room(omega, omega, unit, kind) + first, len(places)
        for row, step in enumerate(places[2:], 2):
            left = wrap(angles[row] - angles[0] - step * omega)
            near = _room(step * omega, omega, unit, kind) + first
            if (np.abs(left) > 2 * near + step * doubt).any():
                good = row
                break
            omega = np.where(near / step < doubt, omega + left / step, omega)
            doubt = np.minimum(near / step, doubt)
        found.append(Followed(omega, doubt / np.maximum(np.abs(omega), 1e-300), good, kind))
        if kind == "float32" and good >= FEW_ROWS:
            break
    return max(found, key=lambda each: each.good)


def _room(line: Array, omega: Array, unit: float, kind: str) -> Array:
    """Return how far a measured angle may be from the one that a frequency gives."""
    bound: Array = 4 * unit * np.minimum(np.abs(line), 1.0) + 2 * UNIT[kind]
    return bound + angle_error(line, omega, kind)


def named(of: Followed, angles: Array, places: Array, total: int, unit: float) -> Any:
    """Return the list that gives all angles, and the type it was rounded to; None if none does.

    Pairs of a layout of `total` pairs that do not turn are zeros. A fitted list comes last.
    """
    count = len(of.omega)
    omega, error = (np.pad(each, (0, total - count)) for each in of[:2])
    shorts = ("", *SHORT) if count >= FEW_PAIRS else ("",)
    for fitted, short in (*((False, short) for short in shorts), (True, "")):
        slack = np.full_like(omega, 2 * UNIT.get(short, 0.0))
        if short == "float16":  # below its least number it has fewer bits
            slack *= np.maximum(1, 2.0**-14 / np.where(omega != 0, omega, 1.0))
        for ladder in hypotheses(omega, error, slack):
            listed = rounded(ladder.frequencies, short or "float64")[:count]
            line = places[:, np.newaxis] * listed
            off = np.abs(wrap(angles - line)) - _room(line, listed, unit, of.kind)
            if ladder.fitted == fitted and (off <= 0).all():
                return ladder, short
    return None


def hypotheses(measured: Array, error: Array, slack: Array) -> Iterator[Ladder]:
    """Yield the lists that the measured one may be, the simplest first.

    Each entry of `measured` is off by at most `error`, as a part of itself, from a list whose
    entries are rounded, by at most `slack` of each. Entries of 0 at the end do not turn.
    """
    total, count, off = len(measured), int(np.count_nonzero(measured)), error + slack
    half = total // 2
    if half > 1 and total == 2 * half and np.allclose(measured[:half], measured[half:], 1e-3):
        for ladder in hypotheses(measured[:half], error[:half], slack[:half]):
            words = ", ".join(filter(None, [ladder.words, "the list twice, for two coordinates"]))
            yield ladder._replace(words=words, frequencies=np.tile(ladder.frequencies, 2))
    turning, index = measured[:count], np.arange(total)
    if count == 0 or (turning <= 0).any() or measured[count:].any():
        return
    if count == 1:
        if abs(turning[0] - 1) <= off[0]:
            yield Ladder(0.0, "", np.where(index < 1, 1.0, 0.0))
        return
    still = f"the last {total - count} pairs still (p-RoPE)" if count < total else ""
    for base, spaced, fitted in _bases(turning, off[:count], total):
        beta = math.log(base) / (total - spaced)
        plain = np.where(index < count, np.exp(-beta * index), 0.0)
        said = f"{number(base)} in tensor2tensor's spacing" if spaced else ""
        for start, words, problem in _starts(float(turning[0]), beta, float(off[0])):
            # Two numbers read off two frequencies would name any list.
            if count >= 2 + fitted + (start != 1):
                joined = ", ".join(filter(None, [said, words, still]))
                paper = math.exp(beta * total) if spaced else base
                yield Ladder(paper, joined, start * plain, problem, fitted)
    fast = max(3, count // 4)
    if fast < count == total:
        for base, spaced, fitted in _bases(turning[:fast], off[:fast], total):
            if not spaced and not fitted:
                yield from _slowed(measured, base ** (-index / total), base, off)


def _bases(turning: Array, error: Array, pairs: int) -> Iterator[tuple[float, bool, bool]]:
    """Yield (base, tensor2tensor's spacing, fitted): round ones within the doubt, then any."""
    index = np.arange(len(turning))
    weights = 1 / np.minimum(error, 1.0)
    line, spread = np.polyfit(index, np.log(turning), 1, w=weights, cov="unscaled")
    slope, doubt = -float(line[0]), 6 * math.sqrt(spread[0, 0]) + 1e-12
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
                new = whole % 10 or digits == 1  # else it had fewer digits
                if new and base > LEAST_BASE and abs(base / value - 1) <= off + 1e-9:
                    yield base, spaced, False
    yield math.exp(slope * pairs), False, True


def _starts(first: float, beta: float, off: float) -> Iterator[tuple[float, str, str]]:
    """Yield (first frequency, what is said, the bug it is), the likely ones first."""
    slower = dict.fromkeys(float(f"{1 / first:.{digits}e}") for digits in range(4))
    starts = [(1.0, "", ""), *((value, "", problem) for value, problem in SPEEDS.items())]
    starts += [(math.exp(-beta), "", FROM_1)]
    starts += [(1 / n, f"all pairs {number(n)} times slower", "") for n in slower if n != 1]
    yield from (each for each in starts if abs(first / each[0] - 1) <= 3 * off + 1e-12)


def _slowed(measured: Array, plain: Array, base: float, off: Array) -> Iterator[Ladder]:
    """Yield lists whose fast pairs are the plain ones and whose slow pairs are slower."""
    known = np.flatnonzero(off < 0.02)
    slower, near = plain / measured, 4 * off + 1e-5
    # The fastest pair is never slowed, and each other at least as much as the one before.
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
            for name, omega in (
                ("Llama 3", llama3(2 * len(plain), **rule, **turns)),
                *(("YaRN", yarn(2 * len(plain), truncate=cut, **rule)) for cut in (True, False)),
            ):
                yield Ladder(base, f"slow pairs {number(factor)} times slower ({name})", omega)
