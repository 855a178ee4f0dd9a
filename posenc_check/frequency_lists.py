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
from posenc_check.rounding import (
    SHORT,
    UNIT,
    Array,
    Indices,
    angle_error,
    last_place,
    rounded_to,
    wrap,
)

# The lengths that models were trained with. Qwen3 is served as a model of 40 960.
TRAINED_WITH = (*(2**power for power in range(9, 19)), 40_960)
# The ramps of YaRN that models have: the paper's; that of gpt-oss, which is not cut to whole pairs;
# that of Mistral Medium 3.5; and that of Kimi K2, which begins where it ends: the list is also
# Llama 3's with high_freq_factor 1, as Llama 4 Scout has it.
YARN_RAMPS: tuple[dict[str, Any], ...] = (
    {"beta_fast": 32, "truncate": True},
    {"beta_fast": 32, "truncate": False},
    {"beta_fast": 4, "truncate": True},
    {"beta_fast": 1, "truncate": True},
)
# The rules that a table of one coordinate may have. For several coordinates a rotary function has
# one list, and a table has its columns divided.
SCALINGS = {"llama3_scaling", "yarn_scaling", "all_slower", "still_pairs"}
# The first frequency of a list, for each bug that changes all frequencies by one known factor.
SPEEDS = {
    2.0: Finding("turned_twice"),
    math.pi / 180: Finding("degrees_as_radians"),
    1 / math.tau: Finding("turns_as_radians"),
    math.tau: Finding("radians_as_turns"),
}

# A base outside of these is a sign of another rule: no model has one. The list of a head that is
# the beginning of one for all heads has a base near 1.
LEAST_BASE, MOST_BASE = 1.01, 1e12
# Bases that are expected, the most common first. Of two names for the same list the one with such a
# base is given.
USUAL_BASES = (1e4, 5e5, 1e6, 1e5, 5e6, 1e7, 8e6, 2e4, 1.6e5, 1.5e5, 1e3, 100.0, 5e4)

# So many pairs tell whether a list was rounded, and which base gives most of a list.
FEW_PAIRS = 4

# A list is tried if its frequencies are off by up to so many errors of the measured ones. That is
# generous, since all angles, or all numbers, are compared with the list afterwards.
TRIED = 3
# Two lists are worth comparing if their frequencies agree to this: to this part of each where they
# stand twice, and to so many radians per token where they grow.
SIMILAR = 1e-3

# An angle that is measured by a sine and a cosine may be off by so many roundings of them.
ROUNDINGS_OF_ENTRIES = 4

# Frequencies that differ by less than this part are equal where pairs are compared in order.
EQUAL = 1e-6

# What was computed in float64 and is equal may differ by this part.
FLOAT64 = 1e-12


class FrequencyList(NamedTuple):
    """A list of frequencies with the rule that gives it."""

    base: float  # 0 where a single pair turns by 1 radian per token, which any base gives
    frequencies: Array  # radians per token, of every pair of the layout
    rules: tuple[Finding, ...] = ()  # how the list differs from the plain one of its base
    fault: Finding | None = None  # the bug that gives such a list


class MeasuredFrequencies(NamedTuple):
    """Frequencies by which angles grow, as far as the angles grow evenly."""

    omega: Array  # radians per token, of each pair
    error: Array  # how far each may be off
    good: int  # the number of places, from the first on, whose angles they give
    kind: str  # the float type of the angles


def measured_frequencies(
    angles: Array, places: Array, unit: float, kind: str = "float32"
) -> MeasuredFrequencies:
    """Return the frequency of each pair, with its error, read off its angles (places, pairs).

    The places are 0, 1, and then farther and farther, slowly enough that no turn is missed: the
    frequency by the places before says how many whole turns a pair has made at the next place, and
    the angle there gives the frequency more exactly. Sines and cosines are rounded by a part `unit`
    at most, and angles are of the type `kind`.
    """
    # The angle at place 0, which is not 0 where positions are counted from another, is rounded too.
    first_error = ROUNDINGS_OF_ENTRIES * unit * np.minimum(np.abs(angles[0]), 1.0)
    omega: Array = wrap(angles[1] - angles[0])
    error = _tolerance(omega, omega, unit, kind) + first_error
    good = len(places)
    for row, place in enumerate(places[2:], 2):
        residual = wrap(angles[row] - angles[0] - place * omega)
        tolerance = _tolerance(place * omega, omega, unit, kind) + first_error
        # The frequency so far may be off by its error, and each of the two angles by theirs.
        if (np.abs(residual) > 2 * tolerance + place * error).any():
            good = row
            break
        finer = tolerance / place < error  # the farther place says more of such a pair
        omega = np.where(finer, omega + residual / place, omega)
        error = np.minimum(tolerance / place, error)
    return MeasuredFrequencies(omega, error, good, kind)


def _tolerance(exact: Array, omega: Array, unit: float, kind: str) -> Array:
    """Return by how many radians each measured angle may be off its exact one, kω."""
    # A small angle is its sine, and rounding is a part of it. No sine or cosine is above 1.
    of_sines: Array = ROUNDINGS_OF_ENTRIES * unit * np.minimum(np.abs(exact), 1.0)
    # Sines and cosines may be computed in the type of the angles, and stored in a finer one: both
    # are rounded once more then.
    return of_sines + 2 * UNIT[kind] + angle_error(exact, omega, kind)


def rule_of(
    measured: MeasuredFrequencies,
    angles: Array,
    places: Array,
    turning: Indices,
    total: int,
    unit: float,
) -> tuple[FrequencyList, str] | None:
    """Return (list by a rule that gives all angles, its 16-bit type or ""); None without one.

    Of a layout of `total` pairs those numbered in `turning` turn. The type is "" for a list that
    was not rounded.
    """
    omega, error = np.zeros((2, total))  # pairs that do not turn stay at 0
    omega[turning], error[turning] = measured.omega, measured.error
    for short in ("", *SHORT) if len(turning) >= FEW_PAIRS else ("",):
        # A list that was rounded is farther from its rule than the measurement is off.
        rounding = last_place(omega, short) if short else 0.0
        relative_error = (error + rounding) / np.where(omega == 0, 1.0, np.abs(omega))
        for by_rule in lists_near(omega, relative_error):
            frequencies = rounded_to(by_rule.frequencies, short or "float64")[turning]
            exact = places[:, np.newaxis] * frequencies
            tolerance = _tolerance(exact, frequencies, unit, measured.kind)
            if (np.abs(wrap(angles - exact)) <= tolerance).all():
                return by_rule, short
    return None


def scaled_list(angles: Array, places: Array, unit: float) -> FrequencyList | None:
    """Return the list by a rule of scaling that the angles of a table show; None for no or several.

    The angles (places, pairs) and the places are those of `measured_frequencies`. Of lists by one
    rule the first is taken, which has a usual base if one has. Where angles are too coarse to tell
    rules apart, as Llama 3's for two lengths of text, none is right for sure.
    """
    measured = measured_frequencies(angles, places, unit)
    if measured.good < len(places):  # the angles do not grow evenly
        return None
    omega, error = measured.omega, measured.error
    near = [
        each
        for each in lists_near(omega, error / np.where(omega == 0, 1.0, np.abs(omega)))
        if each.rules and each.fault is None and {rule.kind for rule in each.rules} <= SCALINGS
        if (np.abs(each.frequencies - omega) <= TRIED * error).all()
        if _still_for_sure(each, float(TRIED * ROUNDINGS_OF_ENTRIES * unit / places[-1]))
    ]
    if not near:
        return None
    first = near[0]  # of a usual base, if one is
    for rival in near[1:]:
        # A list whose base no model has comes near the list of another rule by chance. It is no
        # rival of a list with a usual base.
        as_likely = (rival.base in USUAL_BASES) == (first.base in USUAL_BASES)
        # Two rules may give one list, as YaRN's two ramps where they end at whole pairs.
        alike = np.allclose(rival.frequencies, first.frequencies, rtol=EQUAL, atol=0.0)
        if rival.rules != first.rules and as_likely and not alike:
            return None
    return first


def _still_for_sure(known: FrequencyList, least: float) -> bool:
    """Return whether the pairs of a list that stand still would turn by `least` in a plain one.

    Radians per token less than that do not show in a table, so that a slow pair seems to stand.
    """
    total = len(known.frequencies)
    still = known.frequencies == 0
    plain = known.base ** (-np.arange(total) / total)
    return not still.any() or float(plain[still][0]) > least


def lists_near(measured: Array, error: Array) -> list[FrequencyList]:
    """Return lists by known rules that the measured frequencies may be, usual bases first.

    Of lists of usual bases the simplest are first. An entry of `measured` is off by at most
    `error`, as a part of itself. Entries of 0 do not turn.
    """
    total, count = len(measured), int(np.count_nonzero(measured))
    lists = [*_of_two_coordinates(measured, error), *_of_several_coordinates(measured, error)]
    lists += [*_growing(measured), *_multiplied(measured)]
    turning, of_turning = measured[:count], error[:count]
    if count == 1 and turning > 0:
        # In the list of any base, pair 0 turns by 1 radian per token, and no other shows the base.
        lists.append(FrequencyList(0.0, np.where(np.arange(total) < 1, 1.0, 0.0)))
    elif count > 1 and (turning > 0).all():
        lists += _falling(turning, of_turning, total)
        if count == total:
            lists += [*_last_pair_at_base(measured, error), *_slowed(measured, error)]
        else:
            lists += _of_one_coordinate(turning, of_turning, total)
    elif FEW_PAIRS <= count <= total / 2:
        lists += _between_still_pairs(measured, error)
    return sorted(lists, key=lambda each: each.base not in USUAL_BASES)


def _of_two_coordinates(measured: Array, error: Array) -> Iterator[FrequencyList]:
    """Yield lists of all pairs whose second half repeats the first, as of two coordinates.

    There are none unless the measured halves are alike. Each rule is looked for in the first half,
    and its list is given twice. A single pair in each half is no list.
    """
    half = len(measured) // 2
    if len(measured) != 2 * half or half < 2:
        return
    # This only says whether a list is worth trying: all angles decide later, within their errors.
    # By default `allclose` adds 1e-8 radian per token, for pairs too slow to be measured to 0.1 %.
    if not np.allclose(measured[:half], measured[half:], rtol=SIMILAR):
        return
    for each in lists_near(measured[:half], error[:half]):
        rules = (*each.rules, Finding("two_coordinates"))
        yield each._replace(rules=rules, frequencies=np.tile(each.frequencies, 2))


def _of_several_coordinates(measured: Array, error: Array) -> Iterator[FrequencyList]:
    """Yield lists of all pairs that are plain lists of one base side by side, as of coordinates.

    Each begins where a pair turns by 1 radian per token. A single pair is no list.
    """
    begins = np.flatnonzero(np.abs(measured - 1) <= SIMILAR)
    counts = np.diff([*begins, len(measured)])
    if len(counts) < 2 or begins[0] != 0 or counts.min() < 2:
        return
    first = int(counts[0])
    for base, is_fitted in _bases(measured[:first], error[:first], first):
        if not is_fitted:  # bases with many digits are left out
            lists = [base ** (-np.arange(count) / count) for count in counts]
            rule = Finding("several_coordinates", pairs=counts.tolist())
            yield FrequencyList(base, np.concatenate(lists), (rule,))


def _growing(measured: Array) -> Iterator[FrequencyList]:
    """Yield the list of a usual base whose exponent lacks its minus sign.

    Such frequencies grow beyond half a turn per token, where a measurement loses whole turns.
    """
    # A few pairs may agree with such a list by chance, up to whole turns.
    for base in USUAL_BASES if len(measured) >= FEW_PAIRS else ():
        growing = base ** (np.arange(len(measured)) / len(measured))
        if (np.abs(wrap(measured - growing)) <= SIMILAR).all():
            yield FrequencyList(base, growing, fault=Finding("exponent_without_minus", base=base))


def _multiplied(measured: Array) -> Iterator[FrequencyList]:
    """Yield the list of a usual base whose pairs turn some times as fast, by a multiple of 1/4.

    The first pairs may pass half a turn per token, where a measurement loses whole turns. The last
    one shows how many times as fast they are.
    """
    total = len(measured)
    for base in USUAL_BASES if total >= FEW_PAIRS else ():
        plain = base ** (-np.arange(total) / total)
        times = round(4 * float(measured[-1] / plain[-1])) / 4
        if times > 1 and (np.abs(wrap(measured - times * plain)) <= SIMILAR).all():
            fault = SPEEDS.get(times, Finding("all_faster", times=times))
            yield FrequencyList(base, times * plain, fault=fault)


def _between_still_pairs(measured: Array, error: Array) -> Iterator[FrequencyList]:
    """Yield the list of a usual base of which some pairs turn and others, before them too, do not.

    Each is at its place in the list, as where one of several coordinates is looked at.
    """
    turn = measured != 0
    for base in USUAL_BASES:
        frequencies = np.where(turn, base ** (-np.arange(len(measured)) / len(measured)), 0.0)
        if (np.abs(measured - frequencies) <= (TRIED * error + FLOAT64) * frequencies).all():
            rule = Finding("some_pairs_still", pairs=np.flatnonzero(turn).tolist())
            yield FrequencyList(base, frequencies, (rule,))


def _falling(turning: Array, error: Array, total: int) -> Iterator[FrequencyList]:
    """Yield lists of `total` pairs that fall by one ratio; pairs after the turning ones are 0."""
    count, index = len(turning), np.arange(total)
    still = (Finding("still_pairs", count=total - count),) if count < total else ()
    for base, is_fitted in _bases(turning, error, total):
        ratio = base ** (-1 / total)
        plain = np.where(index < count, ratio**index, 0.0)
        for start, rules, fault in _starts(float(turning[0]), ratio, float(error[0])):
            # Numbers read off the list, a fitted base and a start other than 1, agree with as many
            # frequencies by themselves. Two more must agree: one is often near by chance.
            read_off = int(is_fitted) + int(start != 1)
            if count >= read_off + 2:
                yield FrequencyList(base, start * plain, (*rules, *still), fault)


def _last_pair_at_base(measured: Array, error: Array) -> Iterator[FrequencyList]:
    """Yield the list of a usual base whose last frequency is 1/base, as tensor2tensor has them."""
    total = len(measured)
    for base in USUAL_BASES if total >= FEW_PAIRS else ():
        frequencies = base ** (-np.arange(total) / (total - 1))
        if (np.abs(measured / frequencies - 1) <= TRIED * error + FLOAT64).all():
            yield FrequencyList(base, frequencies, (Finding("last_pair_at_base"),))


def _of_one_coordinate(turning: Array, error: Array, total: int) -> Iterator[FrequencyList]:
    """Yield lists by a rule for the turning pairs alone, as of one of two coordinates, then 0s."""
    count = len(turning)
    for of_turning in lists_near(turning, error):
        # The base whose list over all pairs begins with these frequencies.
        base_of_all = of_turning.base ** (total / count)
        rule = Finding("one_coordinate", pairs=count, still=total - count, base_of_all=base_of_all)
        frequencies = np.pad(of_turning.frequencies, (0, total - count))
        yield of_turning._replace(rules=(*of_turning.rules, rule), frequencies=frequencies)


def _bases(turning: Array, error: Array, pairs: int) -> Iterator[tuple[float, bool]]:
    """Yield (base, whether all its digits were read off the list) for bases of a falling list.

    There are none if the base would be below LEAST_BASE or above MOST_BASE. The first pair and the
    one that tells most give the decay from pair to pair. Usual bases come first, then the fitted
    one in 1 or 2 digits, as a power of 2 or in 3 digits, and last as it is.
    """
    index = np.arange(1, len(turning))
    decays = np.log(turning[0] / turning[1:]) / index
    doubts = (error[0] + error[1:]) / index
    best = int(doubts.argmin())
    log_of_base = float(decays[best]) * pairs
    if not math.log(LEAST_BASE) < log_of_base < math.log(MOST_BASE):
        return
    fitted = math.exp(log_of_base)
    # Twice the doubt of the decay over all pairs, and more than float64 rounds a logarithm by.
    doubt_of_log = 2 * float(doubts[best]) * pairs + 1e-9
    one, two, three = (float(f"{fitted:.{digits}e}") for digits in range(3))
    round_ones = (one, two, 2.0 ** round(math.log2(fitted)), three)
    for base in dict.fromkeys((*USUAL_BASES, *round_ones)):  # each once, in this order
        if base > LEAST_BASE and abs(math.log(base) - log_of_base) <= doubt_of_log:
            # Not counted as read off: few lists have a usual or a round base by chance.
            yield base, False
    yield fitted, True


def _starts(
    first: float, ratio: float, error: float
) -> Iterator[tuple[float, tuple[Finding, ...], Finding | None]]:
    """Yield (first frequency, rules, bug or None) for each start that a list may have.

    Likely ones come first. `first` is the measured frequency, off by `error` as a part of itself,
    and `ratio` that of neighbouring frequencies.
    """
    starts: list[tuple[float, tuple[Finding, ...], Finding | None]] = [(1.0, (), None)]
    starts += [(speed, (), fault) for speed, fault in SPEEDS.items()]
    starts += [(ratio, (), Finding("pairs_counted_from_1"))]
    # Positions may be divided by a number of 1 to 4 digits. A divisor of 1 stands above already.
    divisors = dict.fromkeys(float(f"{1 / first:.{places}e}") for places in range(4))  # each once
    starts += [(1 / n, (Finding("all_slower", times=n),), None) for n in divisors if n != 1]
    for start, rules, fault in starts:
        if abs(first / start - 1) <= TRIED * error + FLOAT64:
            yield start, rules, fault


def _slowed(measured: Array, error: Array) -> Iterator[FrequencyList]:
    """Yield Llama 3's and YaRN's lists, which keep the fast pairs and slow the last by a factor.

    The base is read off the first eighth of the pairs, since YaRN may slow some of the first
    quarter: of base 500 000, trained with 4096 tokens, from pair 15 of 64 on. Two pairs would have
    a single ratio, so that three are the least.
    """
    total = len(measured)
    unslowed = max(3, total // 8)
    if unslowed >= total:  # no pair is left that a rule could slow
        return
    for base, is_fitted in _bases(measured[:unslowed], error[:unslowed], total):
        if is_fitted:  # a base, a factor and a length read off would name too many lists
            continue
        plain = base ** (-np.arange(total) / total)
        # A frequency that is known to 2 % shows by which factor a rule slows it.
        slowest = float((plain / measured)[error < 0.02].max(initial=1.0))
        # A factor is a multiple of 1/2, or it is a power of 2, where it is large and read coarsely.
        round_factors = {round(2 * slowest) / 2, 2.0 ** round(math.log2(slowest))}
        if error[-1] < 1e-4:  # fine enough to tell factors of three digits apart
            round_factors.add(float(f"{slowest:.3g}"))
        for factor in round_factors - {1.0}:  # which slows nothing
            for length in TRAINED_WITH:
                values = {"factor": factor, "length": length}  # that the sentences have
                settings: Any = {"rope_theta": base, "factor": factor}
                settings["original_max_position_embeddings"] = length
                # 1 and 4 are the numbers in Meta's code, and in the configs of Llama 3.1 and 3.2.
                omega = llama3(2 * total, low_freq_factor=1, high_freq_factor=4, **settings)
                yield FrequencyList(base, omega, (Finding("llama3_scaling", **values),))
                for ramp in YARN_RAMPS:
                    omega = yarn(2 * total, **ramp, **settings)
                    rule = Finding("yarn_scaling", **values, **ramp)
                    yield FrequencyList(base, omega, (rule,))


def leaving_pairs(omega: Array, error: Array) -> Finding | None:
    """Return the finding on pairs that leave a usual list, or on one that is too fast, or None.

    A list is that of a usual base, where enough pairs follow it: FEW_PAIRS, and a quarter of all.
    A speed of 1.01 means that a pair turns 1.01 times as fast as in that list. Where fewer follow a
    list, or all do, the finding is on the first pair that turns backwards or is not slower than the
    one before, if there is one.
    """
    total = len(omega)
    # The inverse of the list of each base, and which pairs are off it by more than float32 costs
    # (well below 1e-5 of a frequency) and than four times their error: none is blamed by mistake.
    times_slower = {base: base ** (np.arange(total) / total) for base in USUAL_BASES}
    leaves = {
        base: np.abs(omega * slower - 1) > np.maximum(1e-5, 4 * error * slower)
        for base, slower in times_slower.items()
    }
    base = min(USUAL_BASES, key=lambda base: np.count_nonzero(leaves[base]))
    leaving = np.flatnonzero(leaves[base])
    if leaving.size and total - leaving.size >= max(FEW_PAIRS, total // 4):
        speed = np.where(leaves[base], omega * times_slower[base], 1.0)
        ends_of_runs = np.flatnonzero(np.diff(leaving) > 1) + 1
        runs = [
            (int(run[0]), int(run[-1]), float(speed[run].min()), float(speed[run].max()))
            for run in np.split(leaving, ends_of_runs)
        ]
        # Known rules were tried before. Any rule slows pairs only, each at least as much as the one
        # before, and stops none.
        slows = (speed <= 1).all() and (np.diff(speed) <= EQUAL).all() and speed[-1] > 0
        return Finding("slowed_by_no_rule" if slows else "pairs_off_list", base=base, runs=runs)
    # Where most pairs are still, as for one of several coordinates, the others are compared.
    compared = np.flatnonzero(omega)
    compared = compared if 2 * len(compared) <= total + 1 else np.arange(total)
    turning = omega[compared]
    steps = np.diff(turning, prepend=np.inf)  # the first has none before it to be slower than
    faster = compared[(turning < 0) | (steps > -EQUAL * turning)]
    if not faster.size:
        return None
    pair, backwards = int(faster[0]), int(np.count_nonzero(omega < 0))
    values = {"pair": pair, "frequency": float(omega[pair]), "backwards": backwards, "total": total}
    return Finding("pair_faster", **values)
