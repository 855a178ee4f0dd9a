"""Guesses at the formula of a table, read from its numbers.

In the right order of columns the sine and the cosine of a pair lie on a circle. The slow pairs have
not turned round yet, so that their angles in one row are their frequencies times one number, and
the logarithms of the frequencies lie on a line: that gives the base. With the frequencies, a row is
read like a clock. A guess may be wrong; `posenc_check.formulas.compared` decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from posenc.scaling import yarn_attention_factor
from posenc_check.formulas import PAPER_BASE, U32, U64, Formula, Order, digits, spread
from posenc_check.frequency_lists import USUAL_BASES, lists_near, scaled_list
from posenc_check.rounding import TINY, AnyTable, Array, Indices, wrap
from posenc_check.storage import Storage
from posenc_check.views import are_multiples

Base = tuple[float, str]  # a base with the spacing of its frequencies, as in `Order.frequencies`

ORDERS = [Order(layout, first) for first in (False, True) for layout in ("interleaved", "halves")]
UNPAIRED = (
    Order("cosines"),
    Order("sines"),
    Order("by column"),
    Order("by column", cosines_first=True),
)

# Frequencies that are tried where the numbers are too few or too coarse to show any.
USUAL: list[Base] = [(1e4, "paper"), (1e4, "tensor2tensor"), (1e-4, "paper"), (100.0, "paper")]
# Frequencies that double.
OCTAVES: list[Base] = [(2.0, "octaves"), (2.0, "octaves of pi")]

# Periods from 0.004 to 4 of pi0, for times from 0 to 1.
PI0: Base = (1000.0, "periods")

# An angle in float32 may be off by this part of itself.
FLOAT32_ANGLE = 2e-7

MOST_DIGITS = 8  # of a base that counts as round
MOST_OCTAVES = 32  # more than any code has

# How many bases are tried of those near an estimate. One that is off by no more than float32 costs
# has up to five in each spacing: of 5 to 8 digits, and as it is. A coarser one has more, and with
# all of them tables without a name take 1.6 times as long.
MOST_BASES = 10

# Rows are looked up among those of so many first positions by so many of their columns.
LOOKED_UP, LOOKED_AT = 2048, 16

# Two rows are alike where no number differs by so much. One decimal, the coarsest print of use,
# rounds a number by less.
ROUGHLY = 0.05


def guesses(table: AnyTable, row_numbers: Indices, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of a table in pairs that some of its rows suggest, for each order of columns.

    `row_numbers` has the number of each row of the table in what was given.
    """
    # Some rows and some pairs are enough for a guess.
    sample, pairs = _sample_rows(table), spread(table.shape[1] // 2, most=32)
    # Most rows may be equal, as of a coordinate that does not change; one may have a wrong number.
    usual_row = np.median(table[sample], axis=0)
    rows_alike = (table[sample] == usual_row).all(axis=1).mean() > 0.5
    for papers, noise in _readable(table, row_numbers, storage):
        angles = _angles(table, papers)[:, pairs]
        with_doubt = []  # formulas whose positions are no round numbers are tried last
        for base, spacing in _bases(angles[sample], pairs, papers, noise):
            omega = papers.order.frequencies(base, spacing, papers.width)
            formula = papers._replace(base=base, spacing=spacing, omega=omega)
            for positions, doubt in _positions(angles, omega[pairs], row_numbers, noise):
                # A clock misread as one position for all is no near formula of rows that differ.
                if not np.ptp(positions) and not rows_alike:
                    continue
                if doubt:
                    with_doubt.append(formula._replace(positions=positions, doubt=doubt))
                else:
                    yield formula._replace(positions=positions)
        yield from with_doubt


def scaled_guesses(table: AnyTable, row_numbers: Indices, storage: Storage) -> Iterator[Formula]:
    """Yield formulas whose frequencies a model has scaled, as those of Llama 3.1 or gpt-oss.

    The frequencies are read off rows 0, 1, 2, 4, 8 and so on: rows must follow in steps of one
    token.
    """
    places = np.r_[0, 2 ** np.arange((len(table) - 1).bit_length())]
    # Only rotary heads have scaled frequencies, and these have whole pairs. Two rows would leave
    # none that confirms their frequencies.
    if table.shape[1] % 2 or len(places) < 3:
        return
    for papers, noise in _readable(table, row_numbers, storage):
        angles = _angles(table, papers)
        # The noise is that of both numbers of a pair.
        by_rule = scaled_list(angles[places], places, noise / 2)
        if by_rule is None:
            continue
        scaled = papers._replace(base=by_rule.base, omega=by_rule.frequencies, rules=by_rule.rules)
        rule = by_rule.rules[0]
        if rule.kind == "yarn_scaling":  # its factor is known better than a radius shows it
            scale = yarn_attention_factor(factor=rule.factor)
            if abs(scale - papers.scale) <= noise * scale:
                scaled = scaled._replace(scale=scale)
        turning = by_rule.frequencies > 0  # pairs that stand still show no position
        for positions, doubt in _positions(
            angles[:, turning], by_rule.frequencies[turning], row_numbers, noise
        ):
            if not doubt:
                yield scaled._replace(positions=positions)


def _readable(
    table: AnyTable, row_numbers: Indices, storage: Storage
) -> Iterator[tuple[Formula, float]]:
    """Yield (the paper's formula, noise in radians) for each order of columns with circles.

    The formula has the order, the factor and the range of the table, and `row_numbers` as
    positions. The noise is by how much the storage may move an angle.
    """
    width, sample = table.shape[1], _sample_rows(table)
    # (T + 1)/2 has numbers around 1/2. Numbers that are nearly equal are a few slow cosines.
    may_be_from_0_to_1 = table.min() >= 0 and table.max() <= 1 and np.ptp(table) > 0.5
    for from_0_to_1 in (False, True) if may_be_from_0_to_1 else (False,):
        for order in ORDERS:
            radius, noise, share = _circles(table[sample], order, storage, from_0_to_1)
            # Columns of another order lie on many circles: to one decimal up to 0.59 of its pairs
            # seem to lie on one, to two decimals 0.16. In the right order a few wrong numbers, or
            # columns that belong to something else, may leave the circle.
            if share < 0.6:
                continue
            omega = order.frequencies(PAPER_BASE, "paper", width)
            scale = _round_scale(radius, width, noise)
            positions = row_numbers.astype(float)
            yield (
                Formula(order, PAPER_BASE, "paper", width, positions, omega, scale, from_0_to_1),
                noise,
            )


def _sample_rows(table: AnyTable) -> Indices:
    """Return the numbers of some rows: many that follow one another, and a few of the others.

    Angles show a frequency best where they make no whole turn from row to row.
    """
    return spread(len(table), first=24)


def _angles(table: AnyTable, formula: Formula) -> Array:
    """Return the angles (rows, pairs) of a table in the order of a formula, from -π to π."""
    sines, cosines = _sines_and_cosines(table, formula.order, formula.from_0_to_1)
    return np.arctan2(sines, cosines).astype(np.float64)


def _circles(
    table: AnyTable, order: Order, storage: Storage, from_0_to_1: bool
) -> tuple[float, float, float]:
    """Return (radius of the circle of most pairs, noise in radians, share of pairs on it, 0 to 1).

    The noise is by how much the storage may move an angle. All three are 0 if there is no circle.
    """
    radius = np.hypot(*_sines_and_cosines(table, order, from_0_to_1))
    amplitude = float(np.median(radius)) if radius.size else 0.0  # one column has no pair
    if not amplitude:
        return 0.0, 0.0, 0.0
    # What a few roundings of a sine, a cosine and their root cost; most code has float32 in it.
    arithmetic = 16 * U64 if storage.kind == "float64" else 4 * U32
    # Both numbers of a pair may be off, and 2 T - 1 doubles what each is off by.
    errors = 4 if from_0_to_1 else 2
    noise = errors * storage.relative_error(amplitude) + arithmetic
    # The radius of a pair may be off by as much, and so may the median.
    on_circle = np.abs(radius / amplitude - 1) <= 2 * noise
    return amplitude, noise, float(on_circle.mean())


def _sines_and_cosines(
    table: AnyTable, order: Order, from_0_to_1: bool
) -> tuple[AnyTable, AnyTable]:
    """Return (sines, cosines) of the pairs that have both, each (rows, pairs), around 0."""
    sines, cosines = order.shares(table.shape[1])
    pairs = table.shape[1] // 2
    if from_0_to_1:
        table = 2 * table.astype(np.float64) - 1
    return table[:, sines.columns][:, :pairs], table[:, cosines.columns][:, :pairs]


def is_position_0(row: AnyTable) -> bool:
    """Return whether in some order of columns all sines of a row are 0 and all cosines alike."""
    one = row[np.newaxis]
    orders = (_sines_and_cosines(one, order, from_0_to_1=False) for order in ORDERS)
    return any(not sines.any() and not np.ptp(cosines) for sines, cosines in orders)


def _round_scale(radius: float, width: int, doubt: float) -> float:
    """Return the factor that is within a doubt, a part of the radius, of it; else the radius.

    It is 1, √width or its inverse, the factor that gives rows the length 1, or a number of 1 to 3
    digits.
    """
    # As code has them, 1 most often.
    factors = [1.0, width**-0.5, width**0.5, (2 / width) ** 0.5]
    factors += [float(f"{radius:.{places}g}") for places in (1, 2, 3)]
    return next((scale for scale in factors if abs(scale - radius) <= doubt * radius), radius)


# Frequencies


def _bases(angles: Array, pairs: Indices, papers: Formula, noise: float) -> Iterator[Base]:
    """Yield (base, spacing), each once: what angles of some pairs suggest, then the usual ones."""
    tried: set[Base] = set()
    count = len(papers.omega)
    for beta, error in _decays(angles, pairs, noise):
        error_of_log = _error_of_log(error, count)
        # Octaves are exp(-β i) with β = -log 2. The periods of pi0 grow 1000-fold.
        special = OCTAVES if abs(beta + math.log(2)) < error_of_log else []
        if abs(beta * (count - 1) - math.log(PI0[0])) < error_of_log:
            special = [PI0]
        for each in [*special, *_bases_of_decay(beta, papers.order, papers.width, error_of_log)]:
            if each not in tried:
                tried.add(each)
                yield each
    usual = [*USUAL, *OCTAVES] if count <= MOST_OCTAVES else USUAL
    yield from (each for each in usual if each not in tried)


def _bases_of_decay(beta: float, order: Order, width: int, error_of_log: float) -> list[Base]:
    """Return bases, the likely first, of frequencies exp(-β i) in the paper's spacing and another.

    Those are 10 000, then bases of few digits, and the paper's spacing before tensor2tensor's. Of
    four digits or more some base in either spacing is near by chance.
    """
    candidates = [
        (base, spacing)
        for spacing in ("paper", "tensor2tensor")
        for base in _round_bases(beta * order.steps(spacing, width), error_of_log)
    ]

    def unlikely(candidate: Base) -> tuple[bool, bool, int, bool]:
        base, in_other = candidate[0], candidate[1] != "paper"
        return base != PAPER_BASE, in_other and digits(base) > 3, digits(base), in_other

    return sorted(candidates, key=unlikely)[:MOST_BASES]


def _error_of_log(error: float, pairs: int) -> float:
    """Return how far the logarithm of a base may be off, for a decay that is off by `error`."""
    # A few times the error over all pairs, and what float32 costs.
    return 5 * error * pairs + 4e-6


def _round_bases(logarithm: float, error: float) -> list[float]:
    """Return the bases of few digits with about this logarithm, and the one with just this one.

    There are none if the logarithm is no number, or too large for any base.
    """
    if not abs(logarithm) < 300.0:  # or NaN
        return []
    exact = math.exp(logarithm)
    # 10 000 is a candidate even where the error is so large that other numbers are nearer.
    bases = {float(f"{exact:.{places}e}") for places in range(MOST_DIGITS)} | {exact, PAPER_BASE}
    if logarithm < 0:  # a base below 1 is the inverse of a round number
        bases |= {1 / float(f"{1 / exact:.{places}e}") for places in range(MOST_DIGITS)}
    return [base for base in bases if abs(math.log(base) - logarithm) <= error]


def _decays(angles: Array, pairs: Indices, noise: float) -> Iterator[tuple[float, float]]:
    """Yield (β, its error) of frequencies exp(-β i) by angles (rows, pairs) of the pairs i.

    The angles of a row are its position times the frequencies, and a step's are its length times
    the frequencies. Either shows their decay from pair to pair.
    """
    steps = wrap(np.diff(angles, axis=0))
    # The two steps that turn the slowest pair farthest, since it makes no whole turn in a step. Of
    # equal ones the first are taken, the same on every machine.
    longest = np.argsort(-np.abs(steps[:, -1]), kind="stable")[:2]
    last = len(angles) - 1
    # Row 0 is left out, if there are others: it often is position 0, whose angles are all 0.
    some_rows = angles[[last, len(angles) // 2, min(1, last)]]
    estimated_from = [*steps[longest], *some_rows]
    # The steps of rows in even steps differ by less than 0.02 radians: 16-bit types and two
    # decimals move an angle by no more.
    if len(steps) and np.abs(steps[:16] - steps[0]).max() < 0.02:
        estimated_from.insert(0, steps[:16].mean(axis=0))  # finer than each single step
    for each in estimated_from:
        decay = _decay_of(each, pairs, noise)
        if decay is not None:
            yield decay


def _decay_of(angles: Array, pairs: Indices, noise: float) -> tuple[float, float] | None:
    """Return (β, its error) of angles κ exp(-β i), known up to whole turns; None if unreadable.

    The whole turns are restored from the slow pairs, which have made none, to the fast ones: the
    line through the logarithms of the slow ones says how many turns the next have made.
    """
    # The frequencies grow: count pairs from the other end. Where whole turns mislead here, the base
    # that comes out is wrong, and its formula is refused when it is compared with the table. One
    # pair, which may have made whole turns and no part of one, does not decide.
    half = max(len(angles) // 2, 1)
    if np.median(np.abs(angles[:half])) < np.median(np.abs(angles[-half:])):
        decay = _decay_of(np.flip(angles), pairs[-1] - np.flip(pairs), noise)
        return None if decay is None else (-decay[0], decay[1])
    # An angle that may be off by an eighth has a logarithm that tells little. Slower pairs than the
    # last that tells more are left out.
    visible = np.flatnonzero(np.abs(angles) > 8 * noise)
    if visible.size < 2:  # no line goes through one point alone
        return None
    slowest = visible[-1]
    pairs = pairs[: slowest + 1]
    angles = angles[: slowest + 1] * np.sign(angles[slowest])  # κ may be negative
    # From pair to pair angles grow. Before one has made a whole turn, which is 4 times 1.5 radians,
    # another is beyond 1.5 radians, unless the frequencies are far apart.
    lacks_turns = np.flatnonzero((angles <= 0) | (angles > 1.5))
    first_whole = int(lacks_turns.max(initial=-1)) + 1  # from this pair on no turn is missing
    if len(angles) - first_whole < 2:  # too few for a line
        return None
    while True:
        # The logarithm of an angle is off by noise/angle, and weighs by the square of its inverse.
        slope, at_0, error = _weighted_line(
            pairs[first_whole:], np.log(angles[first_whole:]), angles[first_whole:] ** 2
        )
        if first_whole == 0:
            return -slope, noise * error
        expected = np.exp(at_0 + slope * pairs)
        # The line is trusted for pairs up to twice as fast as the fastest whole one, or for one
        # pair more, where the next is faster than that.
        first_trusted = int((expected > 2 * expected[first_whole]).sum())
        first_whole = min(first_whole - 1, first_trusted)
        missing_turns = math.tau * np.rint((expected - angles) / math.tau)
        angles = np.where(pairs >= pairs[first_whole], angles + missing_turns, angles)
        if (angles[first_whole:] <= 0).any():  # they have no logarithm, and the line was wrong
            return None


def _weighted_line(x: Indices, values: Array, weight: Array) -> tuple[float, float, float]:
    """Return (slope, value at 0, error of the slope) of the line that fits values at x best.

    Weights are inverse variances. The error is for values that are off by 1 where the weight is 1.
    """
    share = weight / weight.sum()
    mean_x, mean = share @ x, share @ values
    variance = share @ (x - mean_x) ** 2 + TINY  # 0 if one weight is nearly all
    slope = float(share @ ((x - mean_x) * (values - mean)) / variance)
    return slope, float(mean - slope * mean_x), 1 / math.sqrt(variance * weight.sum())


# Positions


def _positions(
    angles: Array, omega: Array, row_numbers: Indices, noise: float
) -> Iterator[tuple[Array, float]]:
    """Yield (positions that rows may have in tokens, their doubt in tokens: 0 for round ones).

    They are what the clock shows, if that is round; the numbers of the rows; whole steps from a
    first position, as read and all alike; positions that were looked up; and at last what the clock
    shows, as it is.
    """
    as_read = _read_clock(angles, omega)
    octaves = (omega / omega.min() % 1 == 0).all()
    if octaves:  # all angles come again together, after a turn of the slowest pair
        period = math.tau / omega.min()
        as_read = np.unwrap(as_read, period=period)
        as_read -= period * np.round(as_read.mean() / period)  # those nearest to 0
    round_ones = _round_positions(as_read, noise / omega.max())
    if round_ones is not None:
        yield round_ones, 0.0
    yield row_numbers.astype(float), 0.0
    steps = np.round(_read_clock(wrap(np.diff(angles, axis=0)), omega))
    after_first = np.r_[0, np.cumsum(steps)]
    # A wrong number makes the steps to its row and from it wrong, and not the one in the middle.
    evenly = np.arange(float(len(angles))) * (np.median(steps) if steps.size else 0.0)
    for first in _first_positions(angles[0], omega, noise):
        yield after_first + first, 0.0
        if (evenly != after_first).any():
            yield evenly + first, 0.0
    # The clock cannot be read where no hand is so slow that it counts all turns of the others.
    if omega.min() * LOOKED_UP > math.tau:
        pairs = slice(0, LOOKED_AT // 2)  # with two columns each
        first_rows = _points_on_circles(np.outer(np.arange(LOOKED_UP), omega[pairs]))
        looked_up = _looked_up(_points_on_circles(angles[:, pairs]), first_rows)
        if looked_up is not None:
            yield looked_up, 0.0
    # Positions that seem to have few decimals may have more.
    if round_ones is None or (round_ones % 1).any():
        yield as_read, 2 * noise / float(omega.max())  # twice what the fastest hand may be off


def _points_on_circles(angles: Array) -> Array:
    """Return the sines of angles and, beside them, the cosines: (rows, 2 pairs)."""
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def _read_clock(angles: Array, omega: Array) -> Array:
    """Return the position of each row in tokens, at most half a turn of the slowest hand from 0.

    It is read like a clock, from the slow hand to the fast: the slowest one is taken to have made
    no whole turn, so that its angle, from -π to π, gives a position on either side of 0. Each
    faster hand refines the position: the slower hands say how many whole turns the hand has made.
    The position is the mean of what the hands say, weighted by squared frequencies, since the same
    error of an angle moves the position of a fast hand less.
    """
    positions, weight = np.zeros(len(angles)), 0.0
    for i in np.argsort(omega):
        whole_turns = math.tau * np.rint((positions * omega[i] - angles[:, i]) / math.tau)
        by_hand = (angles[:, i] + whole_turns) / omega[i]
        positions = (weight * positions + omega[i] ** 2 * by_hand) / (weight + omega[i] ** 2)
        weight += omega[i] ** 2
    return positions


def _round_positions(positions: Array, noise: float) -> Array | None:
    """Return positions rounded to the fewest decimals up to 3 that are near; None if none are."""
    # Several times the usual error, since a wrong guess costs no more than an exact comparison.
    error = 4 * noise + 5 * FLOAT32_ANGLE * np.abs(positions)
    for places in range(4):
        rounded = np.round(positions, places) + 0.0  # 0.0 for -0.0
        tolerance = np.minimum(error, 0.2 * 10.0**-places)  # so that chance gives few of them
        if (np.abs(rounded - positions) <= tolerance).all():
            return rounded
    return None


def _first_positions(angles: Array, omega: Array, noise: float) -> list[float]:
    """Return the whole positions at which a row has its angles, at most the three nearest to 0."""
    # The angle of a pair may give a position that is off by so many tokens. With a larger number a
    # slower pair may give it, which leaves fewer turns to try, but more positions around each turn.
    # From 7 on, hardly any more first positions are found in 16-bit tables and in prints to two
    # decimals; with 1 a tenth is lost.
    off = 7
    exact_enough = np.flatnonzero(4 * noise <= off * omega)
    if not exact_enough.size:
        return []
    slow = exact_enough[omega[exact_enough].argmin()]  # which leaves the fewest whole turns to try
    # Relative positions may begin far before 0, and no text in use is longer than two million
    # tokens. Where all pairs are fast, so many tokens are a million turns, which take seconds; 2000
    # turns take milliseconds.
    most_turns = min(2e6 * omega[slow] / math.tau, 2e3)
    turns = np.arange(-4096 * omega[slow] // math.tau, most_turns)
    by_slow_pair = np.round((angles[slow] + math.tau * turns) / omega[slow])
    around = np.arange(-off - 1, off + 2)  # one more on either side for the rounding
    positions = (by_slow_pair[:, np.newaxis] + around).ravel()
    # Each pair keeps the positions at which it has its angle, within several times the usual error.
    for i in range(len(omega)):
        tolerance = 4 * noise + FLOAT32_ANGLE * omega[i] * np.abs(positions)
        positions = positions[np.abs(wrap(positions * omega[i] - angles[i])) <= tolerance]
    return sorted(set(positions.tolist()), key=abs)[:3]


# Without pairs


def unpaired_guesses(table: AnyTable, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of columns that have no other of their pair beside them.

    Such columns show no angles. For each order and base, rows are at their numbers if both ends of
    the table are, and each row is looked up among the first rows of that base.
    """
    width = table.shape[1]
    if width < 3 or len(table) < 2:  # so few numbers are near some looked-up row by chance
        return
    count = min(width, LOOKED_AT)
    # The first row unlike row 0: of a coordinate that stays for some rows, it is the next position.
    row_1 = table[(table != table[0]).any(axis=1).argmax()]
    ends = [0, -1]
    for order in UNPAIRED:
        # Column 0 turns by 1 radian per token for every base. Where it has the number of an end of
        # the table, that end is looked for first, since most tables are refused there.
        begins_with_cosine = order.layout == "cosines" or order.cosines_first
        column_0 = (np.cos if begins_with_cosine else np.sin)(np.arange(float(LOOKED_UP)))
        rows_near = [np.flatnonzero(np.abs(column_0 - table[end, 0]) < ROUGHLY) for end in ends]
        bases: list[Base] = [(base, "paper") for base in USUAL_BASES]
        if order.layout == "by column":  # a tutorial's, whose exponent may be 2i/d of column i
            bases.append((PAPER_BASE, "twice the number"))
        else:  # a model's, which may have any base
            bases.append((PAPER_BASE, "tensor2tensor"))
            bases += _bases_of_row_1(row_1, order, storage)
        for base, spacing in dict.fromkeys(bases):
            omega = order.frequencies(base, spacing, width)
            formula = Formula(order, base, spacing, width, np.arange(float(len(table))), omega)
            # A formula of other frequencies or positions differs in the last row.
            if np.abs(formula.numbers(ends) - table[ends]).max() < ROUGHLY:
                yield formula
            first_columns = formula._replace(
                width=count, omega=omega[:count], positions=np.arange(float(LOOKED_UP))
            )
            looked_up_ends = zip(ends, rows_near, strict=True)
            if all(
                _any_near(first_columns.numbers(n), table[e, :count]) for e, n in looked_up_ends
            ):
                positions = _looked_up(table[:, :count], first_columns.numbers())
                if positions is not None:
                    yield formula._replace(positions=positions)


def _any_near(rows: Array, row: AnyTable) -> bool:
    """Return whether a row is roughly like any of some rows."""
    return bool((np.abs(rows - row).max(axis=1) < ROUGHLY).any())


def _bases_of_row_1(row: AnyTable, order: Order, storage: Storage) -> list[Base]:
    """Return the bases that sines or cosines alone suggest if this row is at position 1.

    The angles of position 1 are the frequencies, which are at most 1, so that each has one sine and
    one cosine. A model may have any base, while rows elsewhere are looked up for usual ones alone.
    """
    ratios = np.clip(row.astype(np.float64), -1.0, 1.0)
    angles = np.arccos(ratios) if order.layout == "cosines" else np.arcsin(ratios)
    # A cosine that is off by some error moves an angle of a by error/a: pairs with a above 0.1 show
    # theirs to ten errors.
    shown = np.flatnonzero(angles > 0.1)
    noise = 10 * storage.relative_error(1.0) + 4 * U32
    decay = _decay_of(angles[shown], shown, noise) if shown.size > 1 else None
    if decay is None:
        return []
    beta, error = decay
    return _bases_of_decay(beta, order, len(row), _error_of_log(error, len(row)))


def _looked_up(table: AnyTable, first_rows: Array) -> Array | None:
    """Return the position of each row of a table among rows of positions 0, 1, 2, ..., as floats.

    That of the nearest of the `first_rows` is taken. None is returned if even the nearest is far
    from the first row of the table or from its last, which is quicker to see than for all rows.
    """
    for row in table[[0, -1]]:
        if not _any_near(first_rows, row):
            return None
    # Squared distances without the square of the row itself, which is the same for all first rows.
    distances = (first_rows**2).sum(axis=1) - 2 * table @ first_rows.T
    return np.asarray(distances.argmin(axis=1), np.float64)


def list_guesses(table: AnyTable, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of a row that is no encoding but a list of frequencies, as a model keeps it.

    Each list has the one position 1, whose angles are the frequencies. Of more rows, which are
    angles at their positions, the first column has the positions.
    """
    if len(table) > 1 and not are_multiples(table):
        return
    order, width = Order("frequencies"), table.shape[1]
    positions = np.ones(1) if len(table) == 1 else table[:, 0].astype(np.float64)
    farthest = np.abs(positions).argmax()
    angles = table[farthest].astype(np.float64)
    row = angles / positions[farthest]
    if np.count_nonzero(row) < 3:  # two are in the list of some base
        return
    # A few roundings of a power in float32 are added to the rounding of the storage.
    error = storage.tolerance(angles) / np.maximum(np.abs(angles), TINY) + 8 * U32
    lists = lists_near(row, error)
    if len(table) == 1 and row.min() > 0.9:  # timescales, 1/frequency, begin at 1
        lists += [
            each._replace(base=1 / each.base, frequencies=1 / each.frequencies)
            for each in lists_near(1 / row, error)
            if each.base and not each.rules
        ]
    for frequency_list in lists:
        # What is said of a list has words for rules, and none for faults.
        if frequency_list.fault is None:
            yield Formula(
                order,
                frequency_list.base,
                spacing="paper",
                width=width,
                positions=positions,
                omega=frequency_list.frequencies,
                rules=frequency_list.rules,
            )
