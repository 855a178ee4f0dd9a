"""Which list of frequencies is it? Hypotheses, each with the list that it gives exactly."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from posenc.diagnose.rounding import Array, number
from posenc.scaling import llama3, yarn

# The lengths that models were trained with, and the factors that begin a ladder with a bug.
LENGTHS = tuple(2**power for power in range(9, 19))
SPEEDS = {
    2.0: "All pairs turn twice as fast: the rotation is applied two times.",
    math.pi / 180: "Angles in degrees are taken for radians.",
}

# Bases that stand for a rule of their own would be found anywhere beyond this.
LEAST_BASE, MOST_BASE = 1.5, 1e12


class Ladder(NamedTuple):
    """A list of frequencies by its rule; `fitted` if a number in it was read off the data."""

    base: float
    words: str
    frequencies: Array
    problem: str = ""
    fitted: bool = False


def hypotheses(measured: Array, error: Array, slack: Array) -> Iterator[Ladder]:
    """Yield the lists that the measured one may be, the simplest first.

    Each entry of `measured` is off by at most `error`, as a part of itself, from a list whose
    entries are rounded, by at most `slack` of each. Entries of 0 at the end do not turn.
    """
    total, count = len(measured), int(np.count_nonzero(measured))
    half = total // 2
    if half > 1 and total == 2 * half and np.allclose(measured[:half], measured[half:], 1e-3):
        for ladder in hypotheses(measured[:half], error[:half], slack[:half]):
            words = ", ".join(filter(None, [ladder.words, "the list twice, for two coordinates"]))
            yield ladder._replace(words=words, frequencies=np.tile(ladder.frequencies, 2))
    turning, index = measured[:count], np.arange(total)
    if count == 0 or (turning <= 0).any() or measured[count:].any():
        return
    if count == 1:
        if abs(turning[0] - 1) <= error[0] + slack[0]:
            yield Ladder(0.0, "", np.where(index < 1, 1.0, 0.0))
        return
    weights = 1 / (error + slack)[:count]
    still = f"the last {total - count} pairs still (p-RoPE)" if count < total else ""
    for fast in (count, max(3, count // 4)):
        slope, doubt = _slope(np.log(turning[:fast]), weights[:fast])
        for base, spaced, fitted in _bases(slope, doubt, total):
            steps = total - 1 if spaced else total
            beta = math.log(base) / steps
            paper = base if not spaced else math.exp(beta * total)
            plain = np.where(index < count, np.exp(-beta * index), 0.0)
            said = f"{number(base)} in tensor2tensor's spacing" if spaced else ""
            if fast == count:
                for start, words, problem in _starts(
                    float(turning[0]), beta, float(error[0] + slack[0])
                ):
                    # Two numbers read off two frequencies would name any list.
                    if count < 2 + fitted + (start != 1):
                        continue
                    joined = ", ".join(filter(None, [said, words, still]))
                    yield Ladder(paper, joined, start * plain, problem, fitted)
            if fast < count == total and not spaced and not fitted:  # the base of the fast pairs
                yield from _slowed(measured, plain, base, error + slack)


def _slope(logs: Array, weights: Array) -> tuple[float, float]:
    """Return the slope of a line through the logarithms, and how far it may be off."""
    index, square = np.arange(len(logs)), weights**2
    middle = float((square * index).sum() / square.sum())
    spread = float((square * (index - middle) ** 2).sum())
    slope = -float((square * (index - middle) * logs).sum()) / spread
    return slope, 6 / math.sqrt(spread) + 1e-12


def _bases(slope: float, doubt: float, pairs: int) -> Iterator[tuple[float, bool, bool]]:
    """Yield (base, tensor2tensor's spacing, fitted): round ones within the doubt, then any."""
    if not math.log(LEAST_BASE) < slope * pairs < math.log(MOST_BASE):
        return
    off = math.expm1(min(1.0, doubt * pairs))
    for digits in (1, 2, 3):
        for spaced in (False, True) if pairs > 1 else (False,):
            value = math.exp(slope * (pairs - spaced))
            unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
            near = round(value / unit)
            reach = min(10, math.ceil(off * value / unit)) if digits < 3 else 0
            for whole in sorted(range(near - reach, near + reach + 1), key=lambda n: abs(n - near)):
                base = float(f"{whole * unit:.{digits - 1}e}")
                if whole % 10 == 0 and digits > 1:  # it had fewer digits
                    continue
                if base > LEAST_BASE and abs(base / value - 1) <= off + 1e-9:
                    yield base, spaced, False
    yield math.exp(slope * pairs), False, True


def _starts(first: float, beta: float, off: float) -> Iterator[tuple[float, str, str]]:
    """Yield (first frequency, what is said, the bug it is), the likely ones first."""
    off = 3 * off + 1e-12
    if abs(first - 1) <= off:
        yield 1.0, "", ""
    for value, problem in SPEEDS.items():
        if abs(first / value - 1) <= off:
            yield value, "", problem
    if abs(math.log(first) + beta) <= off:
        problem = "The pairs are counted from 1: the first has the second's frequency."
        yield math.exp(-beta), "", problem
    for digits in (1, 2, 3, 4):
        slower = float(f"{1 / first:.{digits - 1}e}")
        if slower != 1 and abs(first * slower - 1) <= off:
            yield 1 / slower, f"all pairs {number(slower)} times slower", ""
            break


def _slowed(measured: Array, plain: Array, base: float, off: Array) -> Iterator[Ladder]:
    """Yield lists whose fast pairs are the plain ones and whose slow pairs are slower."""
    width = 2 * len(plain)
    known = np.flatnonzero(off < 0.02)
    slower, near = plain / measured, 4 * off + 1e-5
    # The fastest pair is never slowed, and each other at least as much as the one before.
    falls = slower[1:] < slower[:-1] * (1 - near[1:] - near[:-1])
    if len(known) < 4 or abs(slower[0] - 1) > near[0] or falls.any():
        return
    most = float(slower[known[-1]])
    if most < 1.01:
        return
    reach = 3 * float(off[known[-1]]) + 1e-6
    factors = {float(round(2 * most) / 2), float(round(most)), 2.0 ** round(math.log2(most))}
    for factor in sorted(factors, key=lambda value: abs(value - most)):
        if factor <= 1 or abs(factor / most - 1) > reach:
            continue
        said = f"slow pairs {number(factor)} times slower"
        for length in LENGTHS:
            about = {"factor": factor, "original_max_position_embeddings": length}
            omega = llama3(width, low_freq_factor=1, high_freq_factor=4, rope_theta=base, **about)
            yield Ladder(base, f"{said} (Llama 3)", omega)
            for cut in (True, False):
                omega = yarn(width, rope_theta=base, truncate=cut, **about)
                yield Ladder(base, f"{said} (YaRN)", omega)
    # Any other ramp: what is kept of the fast frequency is a line, over turns or over pairs.
    kept = (measured / plain - 1 / most) / (1 - 1 / most)
    ramp = (kept > 0.02) & (kept < 0.98)
    if ramp.sum() < 4:
        return
    for name, axis in (("Llama 3", plain), ("YaRN", np.arange(float(len(plain))))):
        line = np.polynomial.Polynomial.fit(axis[ramp], kept[ramp], 1)
        share = np.clip(line(axis), 0, 1)
        omega = plain * (share + (1 - share) / most)
        yield Ladder(base, f"slow pairs {most:.6g} times slower ({name})", omega, fitted=True)
