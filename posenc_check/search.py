"""The search for sines and cosines in pairs: frequencies and positions that give a table.

A guess is fitted to a few rows and pairs of one order of columns, and then compared with all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from posenc_check.formula import EXACT, FAR, SHORTS, SINGLES, Formula, Indices, Misses, spread
from posenc_check.rounding import EIGHTS, UNIT, WHOLES, Array, Rounding, rounded, wrap

# Rows and pairs on which a guess is fitted and first tried; rows that show how a pair turns; how
# often fitted numbers are moved, and how often rows that they do not give are added; how many of
# the first guesses are tried in short types.
ROWS, PAIRS, HEAD, SETTLES, TRIES, FIRST = 48, 64, 24, 6, 4, 12

# How much more than chance a match must be, in bits, before it gets a name.
ENOUGH_BITS = 16

# Bases that are tried where the numbers are too few or coarse to tell one.
USUAL = (1e4, 5e5, 1e6, 1e7, 1e3, 1e2, 1e5)
SPACINGS = ("paper", "tensor2tensor")

# A base whose logarithm is above this is none.
MOST_LOG = 70

# The first position of a table is looked for below this, and from so many before 0 on.
FARTHEST, BEFORE = 131_072, 4096


class Rule(NamedTuple):
    """Frequencies exp(-β i) by a base and a spacing."""

    base: float
    spacing: str  # "paper", "tensor2tensor" or "measured"
    beta: float
    doubt: float = 0.0  # how far ln of the base may be off


class Guess(NamedTuple):
    """Frequencies, a factor, and the position of each row."""

    rule: Rule
    scale: float
    places: Array
    fitted: bool = False  # whether the positions, a line or each by itself, were read off


class Order(NamedTuple):
    """Which pair each column is of, and whether it has the cosines."""

    layout: str
    cosines_first: bool
    pair: Indices
    cosine: Any


class Found(NamedTuple):
    """A formula fitted to a table, the words for it, and where the table is not the formula's."""

    formula: Formula
    misses: Misses
    rows: Indices  # the rows that follow it
    rule: Rule
    layout: str  # the order of columns
    cosines_first: bool = False
    sinusoidal: bool = True  # whether each row is an encoding in the order of `layout`
    few: bool = False  # whether it fits by chance
    defects: str = ""  # what is wrong in a few columns
    parts: tuple[tuple[Indices, Found], ...] = ()  # columns and formula of each coordinate

    def numbers(self) -> Array:
        """Return the table of the formula."""
        if not self.parts:
            return self.formula.numbers()[0]
        table = np.empty((len(self.rows), sum(len(columns) for columns, _ in self.parts)))
        for columns, part in self.parts:
            table[:, columns] = part.numbers()
        return table


def fit_line(at: Any, values: Array, weight: Array) -> tuple[float, float, float, float]:
    """Return a line's slope and its value at 0, and how far each of them may be off."""
    square = weight**2 / (weight**2).sum()
    middle, mean = float(square @ at), float(square @ values)
    size = float(square @ (at - middle) ** 2)
    slope = float(square @ ((at - middle) * (values - mean))) / size
    doubt = 1 / math.sqrt(size * float((weight**2).sum()))
    return slope, mean - slope * middle, doubt, doubt * math.sqrt(size + middle**2)


def centred(slopes: Array, over: Array, bound: Array) -> Array:
    """Return x that makes the largest of |slopes @ x - over| / bound least, by a barrier."""
    rooms = np.maximum(bound, 1e-12 * bound.max())[:, np.newaxis]
    sizes = np.maximum(np.abs(slopes / rooms).max(axis=0), 1e-300)
    scaled, gone = slopes / rooms / sizes, over / rooms[:, 0]
    # Each number has two sides, and what is left of its room on both stays above 0.
    sides, gone = np.c_[np.r_[scaled, -scaled], np.ones(2 * len(over))], np.r_[gone, -gone]
    values = np.r_[np.zeros(len(sizes)), 1.05 * np.abs(gone).max()]
    for turn in range(18):
        left = sides @ values - gone
        slope, bend = sides.T @ (1 / left), (sides / left[:, np.newaxis] ** 2).T @ sides
        slope[-1] -= len(over) / values[-1] * 2.0 ** min(turn, 12)
        if not np.isfinite(bend).all():
            break
        step = np.linalg.lstsq(bend, slope, rcond=None)[0]
        most = float((-(sides @ step) / left).max())
        values = values + step * min(1.0, 0.95 / max(most, 1e-9))
    return np.asarray(values[:-1] / sizes)


def rule_of(base: float, spacing: str, total: float, doubt: float = 0.0) -> Rule:
    """Return the frequencies of a base whose exponents go down by 1/total."""
    steps = total - (spacing == "tensor2tensor")
    return Rule(base, spacing, math.log(base) / max(steps, 0.5), doubt)


def rules_near(beta: float, sigma: float, totals: list[float]) -> list[Rule]:
    """Return frequencies near those of a fit: 10 000, then bases of few digits, then the fit.

    A base of a single digit comes before all others, as 500 000 before the 97 000 that has nearly
    its frequencies in the other spacing.
    """
    ranked: dict[Rule, Any] = {}
    for total in totals:
        doubt = 6 * sigma * total + 4e-6  # float32 moves all frequencies to the same side
        for spacing in SPACINGS if total > 1 else SPACINGS[:1]:
            exact = beta * (total - (spacing == "tensor2tensor"))
            near = [f"{math.exp(exact):.{n}e}" for n in range(7)] if 0 < exact < MOST_LOG else []
            for base in {1e4, *map(float, near)} - {1.0}:
                off, digits = abs(math.log(base) - exact), digits_of(base)
                if off <= (max(doubt, 0.1) if digits == 1 else doubt):
                    rank = (base != 1e4, digits, spacing != "paper", off)
                    ranked.setdefault(rule_of(base, spacing, total, doubt), rank)
    doubt = 6 * sigma * totals[0] + 4e-6
    measured = Rule(math.exp(beta * totals[0]), "measured", beta, doubt)
    return [*sorted(ranked, key=lambda rule: ranked[rule])[:8], measured]


def digits_of(value: float) -> int:
    """Return the number of significant digits of a number."""
    return len(f"{value:.9e}".partition("e")[0].rstrip("0")) - 1


def fraction(value: float, most: int = 64) -> float:
    """Return the fraction of small whole numbers near a value, as patches of an image have."""
    return float(Fraction(value).limit_denominator(most))


def orders(table: Array) -> list[Order]:
    """Return the orders of columns, first those under which the slow pairs have turned least."""
    width, found = table.shape[1], []
    pairs, column = (width + 1) // 2, np.arange(width)
    both = {"interleaved": (column // 2, column % 2), "halves": (column % pairs, column // pairs)}
    for layout, (pair, second) in both.items():
        for swapped in (False, True):
            order = Order(layout, swapped, pair, second != swapped)
            slow = order.cosine & (pair >= pairs - max(1, pairs // 4))
            found.append((-abs(float(table[:ROWS, slow].sum())), order))
    return [order for _, order in sorted(found, key=lambda each: each[0])]


def plain(table: Array, rounding: Rounding, rows: Indices) -> Found | None:
    """Return the formula of sines and cosines in pairs that fits best, in any order of columns."""
    best: Found | None = None
    for order in orders(table):
        search = _Search(table, rounding, rows, order)
        for found in search.found():
            if not found.misses.wrong and not found.few:
                return found
            if best is None or found.misses.far < 0.9 * best.misses.far:
                best = found
        near = best is not None and best.misses.near and not best.few
        if near or (search.lined and table.shape[1] > 8):  # few pairs are near in any order
            break
    return best


class _Search:
    """The search for frequencies and positions in one order of columns."""

    def __init__(self, table: Array, rounding: Rounding, rows: Indices, order: Order) -> None:
        self.table, self.rounding, self.rows, self.order = table, rounding, rows, order
        width = table.shape[1]
        self.totals = [width / 2] if width % 2 == 0 else [width / 2, (width + 1) // 2]
        of_pair = np.argsort(order.pair, kind="stable")
        self.sines, self.cosines = (of_pair[order.cosine[of_pair] == kind] for kind in (0, 1))
        # Whether a guess is right but for a few numbers, and whether pairs turn as if from one row.
        self.close = self.lined = False

    def found(self) -> Iterator[Found]:
        """Yield what fits a few rows and pairs, compared with all, and else the nearest."""
        both = np.arange(self.table.shape[1] // 2)
        some = self.table[spread(len(self.table), HEAD)]
        other = some[:, self.cosines[both]]
        radii = np.hypot(some[:, self.sines[both]], other)
        size = float(np.median(radii))
        if not size:
            return
        # How far an angle may be off for how the numbers are rounded.
        halves = self.rounding.half(np.array([0.7, 0.95, 0.999]) * size) / size
        self.rough = float(halves[:2].max())
        # A cosine near 1 may have a higher last place: a radius is as rough, and no angle is.
        circles = (np.abs(radii / size - 1) <= 3 * halves.max() + 3e-6).mean(axis=0) >= 0.5
        if circles.mean() < 0.5:
            return
        good, slow = both[circles], other[:, -max(1, len(both) // 4) :].mean()
        for sign in (1.0, -1.0) if slow >= 0 else (-1.0, 1.0):
            self.few, self.sample = good[spread(len(good), PAIRS)], spread(len(self.table), ROWS)
            self.columns = np.r_[self.sines[self.few], self.cosines[self.few]]
            self.scale, self.loose = self.scaled(sign * size)
            if self.scale:
                yield from self.compared()
            pairs = len(self.sines)  # a few are near many formulas
            if (self.close and pairs > 2) or (self.lined and pairs > 4):
                return

    def angles(self, rows: Any) -> Array:
        """Return the angles of a few pairs."""
        part = self.table[rows] * math.copysign(1.0, self.scale)
        return np.asarray(
            np.arctan2(part[:, self.sines[self.few]], part[:, self.cosines[self.few]])
        )

    def scaled(self, size: float) -> tuple[float, bool]:
        """Return the factor, a known or short one if the radii allow it, and if it is fitted."""
        part, width = self.table[np.ix_(self.sample, self.columns)], 2 * len(self.sines)
        radii = np.hypot(*np.split(part, 2, axis=1))
        room = np.hypot(*np.split(self.rounding.half(part), 2, axis=1))
        most, exact = float(np.abs(part).max()), float(np.median(radii))
        named = [1.0, width**0.5, width**-0.5]
        by_most = self.rounding.name in (*WHOLES, *EIGHTS)
        by_most |= most > 4 and bool((2 * part == np.round(2 * part)).all())
        for known in [*named, *[most] * by_most, *(float(f"{exact:.{n}e}") for n in range(4))]:
            if (np.abs(radii - known) <= 2 * room).mean() >= 0.9:
                return math.copysign(known, size), known not in named
        return math.copysign(exact, size), True

    def line(
        self, angles: Array, error: Any, most: float
    ) -> tuple[float, float, list[Rule], Indices] | None:
        """Return the frequencies on whose line the logarithms of angles lie.

        With them come the position that the angles have, how far it may be off, as a part of
        itself, and the pairs that are on the line. One that turns otherwise is left out.
        """
        told = (angles > 8 * error) & (angles < most)
        if most < 2:  # pairs before one with a larger angle have turned round
            told[: np.flatnonzero(np.diff(angles) >= 0).max(initial=-1) + 1] = False
        at = np.flatnonzero(told)
        if len(at) < max(2, 0.5 * (np.abs(angles) > 8 * error).sum() * (most > 2)):
            return None
        index, weight, logs = self.few[at], (angles / error)[at], np.log(angles[at])
        kept = np.full(len(at), True)
        for _ in range(4):
            slope, start, sigma, off = fit_line(index[kept], logs[kept], weight[kept])
            left = np.abs(logs - start - slope * index) * weight
            kept, last = left <= max(8.0, 4 * float(np.median(left[kept]))), kept
            if (kept == last).all() or kept.sum() < max(2, 0.6 * len(kept)):
                break
        if slope >= -1e-9 or (left[last] > 8).mean() > 0.2:
            return None
        return math.exp(start), off, rules_near(-slope, sigma, self.totals), at[last]

    def turns(self) -> tuple[float, float, list[Rule]]:
        """Return how far the first pair turns from row to row, its doubt, and frequencies."""
        head = np.arange(min(len(self.table), HEAD))
        gaps = np.flatnonzero(np.diff(self.rows[head]) != 1)  # rows of zeros
        begin = max(np.split(head, gaps + 1), key=len)
        if len(begin) < 2 or len(self.sines) == 1:
            return 1.0, 0.0, []
        angles, reach = self.angles(begin), 1
        turn = np.median(wrap(np.diff(angles, axis=0)), axis=0)
        while 2 * reach < len(begin):
            reach *= 2
            more = np.median(wrap(angles[reach:] - angles[:-reach] - reach * turn), axis=0)
            turn = turn + more / reach
        # A column with another sign turns its pair the other way.
        turn = turn * (way := 1.0 if np.median(turn) >= 0 else -1.0)
        # Far down, angles in float32 are as rough as they show.
        left = wrap(angles - angles[0] - way * turn * (begin - begin[0])[:, np.newaxis])
        shown = np.abs(left - np.median(left, axis=0)).mean(axis=0) if reach > 1 else 0.0
        shown = np.maximum(shown, np.median(shown))  # each step of a pair may be off by the same
        shown = np.where(shown > 3 * self.rough + 1e-6, np.minimum(shown, 0.01), 0.0)
        error = (self.rough + shown + 1e-7) / reach
        line = self.line(turn, error, 3.1)
        if line is None:  # frequencies may be rounded
            line = self.line(turn, np.maximum(error, UNIT["bfloat16"] * np.abs(turn)), 3.1)
        if line is None:
            return 1.0, 0.0, []
        step, off, rules, kept = line
        others = np.setdiff1d(np.flatnonzero(np.abs(turn) > 8 * error), kept)
        self.few = np.delete(self.few, others[np.abs(turn[others]) < 3.1])
        more = reach / len(self.table)  # all rows are compared in the end
        return way * step, 6 * off + 4e-6, [r._replace(doubt=r.doubt * more) for r in rules]

    def slowest(self) -> list[Rule]:
        """Return frequencies that the pairs of one row show that have not turned round yet."""
        error = np.full(len(self.few), self.rough + 1e-7)
        lines = [self.line(each, error, 1.2) for each in np.abs(self.angles(self.sample))]
        told = [line for line in lines if line is not None and len(line[3]) > 2]
        rules = max(told, key=lambda line: len(line[3]))[2] if told else []
        return [*rules[:3], *rules[-1:]]

    def read(
        self, angles: Array, rule: Rule, unit: float = 0.0, reach: float = 64.0
    ) -> tuple[Array, Array]:
        """Return the positions of rows of angles, multiples of a unit, and how far these are off.

        The slowest pair may have turned round: the position with the least difference is taken, or
        of those the one nearest 0. Each faster pair tells it more finely, unless it is far from
        what the others tell.
        """
        omega = np.exp(-rule.beta * self.few)
        longest = math.tau / omega[-1]
        before, after = (max(3, math.ceil(far / longest)) for far in (min(BEFORE, reach), reach))
        turns = np.array(sorted(range(-before, after + 1), key=abs))
        places, last = angles[:, -1:] / omega[-1] + longest * turns, omega[-1]
        for pair in range(len(omega) - 2, -1, -1):
            move = wrap(angles[:, pair : pair + 1] - places * omega[pair])
            near = np.abs(move) < 0.5 + 4 * self.rough * omega[pair] / last
            places, last = places + np.where(near, move / omega[pair], 0.0), omega[pair]
        places = np.round(places / unit) * unit + 0.0 if unit else places
        off = np.abs(wrap(angles[:, np.newaxis] - places[..., np.newaxis] * omega))
        most = math.ceil(0.75 * len(omega)) - 1 if len(omega) > 8 else -1
        worst = np.partition(off, most, axis=-1)[..., most]
        pick = np.arange(len(angles)), np.round(worst, 6).argmin(axis=1)
        return places[pick], worst[pick]

    def guesses(self) -> Iterator[Guess]:
        """Yield frequencies with positions, whole ones first, and then what is fitted."""
        turned, doubt, turning = self.turns()
        rows, angles = self.rows[self.sample, np.newaxis], self.angles(self.sample)
        by = round(turned)
        whole = by != 0 and abs(turned - by) < 0.02 * abs(by)
        named = [n for n in (math.pi / 180, math.tau) if abs(turned / n - 1) < 1e-3]
        step = float(by) if whole else [*named, float(f"{turned:.3g}")][0]
        usual = [rule_of(n, spacing, self.totals[0]) for n in USUAL for spacing in SPACINGS]

        def phase(rule: Rule, step: float) -> Any:
            return np.exp(1j * (angles - step * rows * np.exp(-rule.beta * self.few))).mean(axis=0)

        def line(rule: Rule, begin: float, step: float, fitted: bool = False) -> Guess:
            return Guess(rule, self.scale, begin + step * self.rows.astype(np.float64), fitted)

        for rule in turning if len(self.sines) > 1 else usual[:1]:
            mean = phase(rule, step)
            if np.median(np.abs(mean)) > 0.9:
                unit = 1.0 if whole else abs(step)
                (begin,), (off,) = self.read(np.angle(mean)[np.newaxis], rule, unit, FARTHEST)
                if off <= 0.05 + 8 * self.rough:
                    self.lined = self.lined or self.rough < 0.01
                    yield line(rule, float(begin), step)
        jittered: list[Guess] = []
        rules = [*turning[:3], *self.slowest(), *usual] if len(self.sines) > 1 else []
        for rule in dict.fromkeys(rules):
            # A hundred turns of the slowest pair, where they can be told apart.
            longest = math.tau * math.exp(rule.beta * self.few[-1])
            fine = self.rough < 1e-4 and len(self.few) > 4
            reach = min(FARTHEST, 100 * longest) if fine else 64.0
            some, worst = self.read(angles[spread(len(angles), 8)], rule, reach=reach)
            if np.median(worst) <= 0.05 + 8 * self.rough:
                around = np.round(np.median(some))
                before = around * np.exp(-rule.beta * self.few)
                places = around + self.read(wrap(self.angles(slice(None)) - before), rule)[0]
                gaps = np.append(np.abs(np.diff(places)), 1.0)
                apart = fraction(float(np.median(gaps[gaps > 0.02])))
                for unit in dict.fromkeys([1.0, apart]):
                    nearest = np.asarray(np.round(places / unit) * unit + 0.0)
                    yield Guess(rule, self.scale, nearest)
                if apart % 1:  # PyTorch's are in float32
                    nearest = rounded(nearest, "float32")
                    yield Guess(rule, self.scale, nearest)
                if (np.abs(places - nearest) > 8 * self.rough + 1e-6).mean() > 0.2:
                    jittered.append(Guess(rule, self.scale, places))
        for rule in turning[-1:] + turning[:3]:
            mean = np.angle(phase(rule, turned))[np.newaxis]
            begin = float(self.read(mean, rule)[0][0])
            for n in (16, 64, 512, 4096):
                if abs(fraction(turned, n) / turned - 1) <= doubt:
                    yield line(rule, fraction(begin, n), fraction(turned, n))
            if not whole:
                yield line(rule, begin, turned, True)
        yield from map(self.placed, jittered)

    def placed(self, guess: Guess) -> Guess:
        """Return a guess with each row's place in the middle of what its numbers allow."""
        for _ in range(3):
            made, small = self.formula(guess), 1e-6
            own, slack = made.numbers()
            slope = (made._replace(places=made.places + small).numbers()[0] - own) / small
            off, bound = self.table - own, slack + self.rounding.half(self.table)
            ends = np.sort([(off - bound) / slope, (off + bound) / slope], axis=0)
            ends[:, np.abs(slope) <= 1e-8 * abs(self.scale)] = [[-np.inf], [np.inf]]
            middle = (ends[0].max(axis=1) + ends[1].min(axis=1)) / 2
            guess = guess._replace(places=guess.places + np.nan_to_num(middle))
        return guess

    def formula(self, guess: Guess, **through: Any) -> Formula:
        """Return the formula of a guess."""
        omega = np.exp(-guess.rule.beta * self.order.pair)
        gain = np.full(self.table.shape[1], guess.scale)
        return Formula(omega, guess.places, self.order.cosine, gain)._replace(**through)

    def seen(self, guess: Guess, **through: Any) -> tuple[Formula, Array, Array, Array]:
        """Return a guess on the sample, the numbers there, how far they are off and may be."""
        some = self.formula(guess, **through).only(self.sample, self.columns)
        given = self.table[np.ix_(self.sample, self.columns)]
        return some, given, *some.bounded(given, self.rounding)

    def settled(self, guess: Guess) -> Guess:
        """Return a guess whose fitted numbers are moved to the middle of what the sample allows."""
        free = np.array([guess.rule.spacing == "measured", self.loose, guess.fitted, guess.fitted])
        rule, size, by = guess.rule, abs(guess.scale), np.zeros(4)

        def moved(by: Array) -> Guess:
            beta, scale = rule.beta + float(by[0]), guess.scale + float(by[1])
            base = math.exp(beta * self.totals[0]) if free[0] else rule.base
            places = guess.places + by[2] + by[3] * self.rows
            return Guess(rule._replace(beta=beta, base=base), scale, places, guess.fitted)

        for turn in range(SETTLES if free.any() else 0):
            some, given, off, bound = self.seen(moved(by))
            far = np.median(off) > (0.02 + self.rough) * size
            if far or (off <= bound).all() or (turn > 2 and (off > 2 * bound).any()):
                break
            small, own = np.array([rule.beta, size, 1.0, 1.0 / len(self.table)]), some.numbers()[0]
            slopes = [
                (self.seen(moved(by + step))[0].numbers()[0] - own).ravel() / step.max()
                for step in np.diag(1e-8 * small)[free]
            ]
            by[free] += centred(np.stack(slopes, 1), (given - own).ravel(), bound.ravel())
            if not 0 < (rule.beta + by[0]) * self.totals[0] < MOST_LOG:
                return guess
        return moved(by)

    def judged(self, guess: Guess, **through: Any) -> Found:
        """Return the formula of a guess, compared with all numbers."""
        made = self.formula(guess, **through)
        made, misses = made.compared(self.table, self.rounding)
        if misses.wrong and misses.near:  # what comes next must give the worst of these, too
            rows, columns = np.argsort(-misses.rows)[:HEAD], np.argsort(-misses.columns)[:HEAD]
            self.sample = np.union1d(self.sample, rows[misses.rows[rows] > 0])
            self.columns = np.union1d(self.columns, columns[misses.columns[columns] > 0])
        self.close = self.close or misses.near
        few = self.told(guess, made.through != EXACT) < ENOUGH_BITS
        order = self.order
        return Found(
            made, misses, self.rows, guess.rule, order.layout, order.cosines_first, few=few
        )

    def told(self, guess: Guess, loose: bool) -> float:
        """Return what the numbers tell, in bits, less what was chosen to fit them.

        A row tells its angles, and rows in equal steps each pair's turn, as well as they show. A
        rule takes 4 bits and 3.4 a digit, and a position that was chosen twice its logarithm.
        """
        omega = np.exp(-guess.rule.beta * self.few)
        steps = np.diff(guess.places) / np.diff(self.rows)

        def bits(place: Any, most: float) -> Any:
            """Return what the angles of a position say."""
            room = self.rough + loose * 3 * UNIT["float32"] * np.c_[place]
            return np.log2(1 + np.minimum(np.outer(place, omega), most) / room).sum(axis=1)

        chosen = 4 + 3.4 * digits_of(guess.rule.base) if len(self.sines) > 1 else 0.0
        if len(steps) and np.ptp(steps) < 1e-6:
            fine, step = math.log2(1 + len(self.rows) / self.rough), abs(float(steps[0]))
            chosen = fine if guess.rule.spacing == "measured" else min(chosen, fine)
            chosen += 2 * fine if guess.fitted else min(fine, 14.0) * (not step.is_integer())
            return float(bits(step * len(self.rows), np.inf)[0]) - chosen
        places = np.abs(np.unique(guess.places[self.sample]))
        fine = (places % 1).any() * np.log2(self.rough)
        each = bits(places, math.pi) - 2 * np.log2(2 + places) + fine
        return float(each[places != 0].sum()) - chosen - 8

    def compared(self) -> Iterator[Found]:
        """Yield what fits the sample, compared with all, and else what is nearest."""
        best, nearest = math.inf, None
        waiting: list[Guess] = []  # for short types, which come before a rule that is measured
        singles: set[Rule] = set()
        self.close = False
        for guess in self.guesses():
            known = guess.rule.spacing != "measured"
            if not known:
                yield from self.shortened(waiting)
            for _ in range(TRIES):
                settled = self.settled(guess)
                some, _, off, bound = self.seen(settled)
                if (off > bound).any():
                    break
                guess, best, nearest = settled, 0.0, None
                yield (found := self.judged(guess))
                if not found.misses.wrong:
                    break
            if not known:
                guess = settled
            elif self.loose:  # a factor fitted to what is none of its numbers
                some, _, off, bound = self.seen(guess)
            wrong, size = off > bound, abs(guess.scale)
            far = float(np.minimum(np.where(wrong, off / (FAR * size), 0.0), 1.0).mean())
            few, score = bool(wrong.any(axis=0).mean() <= 0.25), float(wrong.mean()) + far
            if score < 0.9 * best:
                best, nearest, self.close = score, guess, few or far < 0.01
            if far > 0.9:  # no other type of angles is as far off
                continue
            slack = some.numbers(UNIT["float32"])[1] + 1e-7 * size
            if known and guess.rule not in singles and (off <= bound + 2 * slack).all():
                singles.add(guess.rule)
                for through, divides in SINGLES:
                    yield self.judged(guess, through=through, divides=divides)
            elif known and guess.rule not in singles:
                waiting.append(guess)
            # No other guess mends a few numbers that are far off, but for those of whole rows.
            # What gives all of the sample, to as many digits as float32 has, is what it seems.
            sure = self.rough < (1e-9 if best else 1e-6) or (off > 20 * (bound + slack)).any()
            if few and sure and not (wrong.mean(axis=1) > 0.5).any():
                break
        yield from self.shortened(waiting)
        if nearest is not None:
            yield self.judged(nearest)

    def shortened(self, waiting: list[Guess]) -> Iterator[Found]:
        """Yield the first with positions, frequencies or angles that go through a short type."""
        many = min(len(self.sines), len(self.table)) > 3 and self.rough < 0.1
        for guess in waiting[:FIRST] if many else ():
            off = self.seen(guess)[2][: HEAD // 3]
            near = np.median(off) < (0.02 + self.rough) * abs(guess.scale)
            for through in SHORTS if near else ():
                _, _, off, bound = self.seen(guess, through=through)
                if (off <= bound).all():
                    yield self.judged(guess, through=through)
        waiting.clear()
