"""The search for sines and cosines in pairs: frequencies and positions that give a table.

A guess is fitted to a few rows and pairs of one order of columns, and then compared with all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from posenc.diagnose.formula import EXACT, FAR, SHORTS, SINGLES, Formula, Indices, Misses
from posenc.diagnose.rounding import EIGHTS, UNIT, WHOLES, Array, Rounding, wrap

# Rows and pairs on which a guess is fitted and first tried; rows that show how a pair turns; how
# often fitted numbers are moved, and how often rows that they do not give are added; how many of
# the nearest guesses are tried in short types.
ROWS, PAIRS, HEAD, SETTLES, TRIES, NEAREST = 48, 64, 24, 6, 4, 3

# How much more than chance a match must be, in bits, before it gets a name.
ENOUGH_BITS = 16

# Bases, and steps of positions, that are tried where the numbers are too few or coarse to tell one.
USUAL = (1e4, 5e5, 1e6, 1e7, 1e3, 1e2, 1e5)
SPACINGS = ("paper", "tensor2tensor")
STEPS = (0.1, 0.2, 0.25, 0.5)

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
    """Frequencies, and positions on a line or, in `places`, each by itself."""

    rule: Rule
    scale: float
    begin: float = 0.0
    step: float = 1.0
    places: Any = None
    fitted: bool = False  # whether the line, or each place, was read off the numbers


class Found(NamedTuple):
    """A formula fitted to a table, the words for it, and where the table is not the formula's."""

    formula: Formula
    rounding: Rounding
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


def spread(count: int, most: int) -> Indices:
    """Return at most `most` whole numbers from 0 to count - 1, evenly spread."""
    return np.linspace(0, count - 1, min(count, most)).round().astype(int)


def fit_line(at: Any, values: Array, weight: Array) -> tuple[float, float, float, float]:
    """Return a line's slope and its value at 0, and how far each of them may be off."""
    square = weight**2 / (weight**2).sum()
    middle, mean = float(square @ at), float(square @ values)
    size = float(square @ (at - middle) ** 2)
    slope = float(square @ ((at - middle) * (values - mean))) / size
    doubt = 1 / math.sqrt(size * float((weight**2).sum()))
    return slope, mean - slope * middle, doubt, doubt * math.sqrt(size + middle**2)


def begins(phase: Array, omega: Array, step: float, rough: float) -> list[float]:
    """Return the best multiples of a step under which three of four pairs have their angle.

    Steps that go down begin at the other end.
    """
    some = spread(len(omega), 16)
    phase, omega, length = phase[some], omega[some], 512
    blocks = step * np.arange(-BEFORE, FARTHEST, length)[:, np.newaxis]
    within = step * np.arange(length)[:, np.newaxis]
    match = (np.exp(1j * (phase - blocks * omega)) @ np.exp(-1j * within * omega).T).real.ravel()
    best = np.argpartition(-match, 32)[:32]
    places = (blocks + within.T).ravel()[best]
    off = np.abs(wrap(phase - places[:, np.newaxis] * omega))
    order = np.lexsort((np.abs(places), -np.round(match[best], 12)))
    right = (off > 0.05 + 8 * rough).mean(axis=1) <= 0.25
    return [float(places[at]) for at in order if right[at]][:3]


def read_positions(
    angles: Array, index: Indices, beta: float, windings: int = 12
) -> tuple[Array, Array]:
    """Return the position of each row, and how far its worst angle is off."""
    omega = np.exp(-beta * index)
    longest, places, worst = math.tau / omega[-1], np.zeros(len(angles)), np.full(len(angles), 9.0)
    # The slowest pair may have turned round more than once.
    most = min(windings, max(3, math.ceil(64 / longest)))
    for winding in sorted(range(-most, most + 1), key=abs):
        rows = np.flatnonzero(worst > 0.05)
        own, found = angles[rows], angles[rows, -1] / omega[-1] + winding * longest
        for pair in range(len(omega) - 2, -1, -1):  # read by ever faster pairs
            found += wrap(own[:, pair] - found * omega[pair]) / omega[pair]
        left = np.abs(wrap(own - found[:, np.newaxis] * omega)).max(axis=1)
        better = left < 0.5 * worst[rows]
        places[rows[better]], worst[rows[better]] = found[better], left[better]
    return places, worst


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


def short(value: float, digits: int, *names: float) -> float:
    """Return a number in few digits, or one that has a name, near a value."""
    for known in (math.pi / 180, math.tau, *names):
        if abs(value / known - 1) < 10.0**-digits:
            return known
    return float(f"{value:.{digits}g}") if abs(value) > 10.0 ** (-2 * digits) else 0.0


def orders(table: Array) -> list[tuple[str, bool, Indices]]:
    """Return (layout, cosines first, what the columns hold) for each order of columns.

    The likely ones come first: those under which the slow pairs have turned least.
    """
    width, found = table.shape[1], []
    pairs, column = (width + 1) // 2, np.arange(width)
    both = {"interleaved": (column // 2, column % 2), "halves": (column % pairs, column // pairs)}
    for layout, (pair, second) in both.items():
        for swapped in (False, True) if layout == "interleaved" or width % 2 == 0 else ():
            holds = pair + pairs * (second != swapped)
            slow = (holds >= pairs) & (pair >= pairs - max(1, pairs // 4))
            found.append((-abs(float(table[:ROWS, slow].sum())), layout, swapped, holds))
    return [each[1:] for each in sorted(found, key=lambda each: each[0])]


def plain(table: Array, rounding: Rounding, rows: Indices) -> Found | None:
    """Return the formula of sines and cosines in pairs that fits best, in any order of columns."""
    best: Found | None = None
    for layout, swapped, holds in orders(table):
        search = _Search(table, rounding, rows, holds)
        for found in search.found():
            found = found._replace(layout=layout, cosines_first=swapped)
            if not found.misses.wrong and not found.few:
                return found
            if best is None or found.misses.far < 0.9 * best.misses.far:
                best = found
        if table.shape[1] > 8 and (search.lined or (best is not None and best.misses.near)):
            break  # few pairs are near in any order
    return best


class _Search:
    """The search for frequencies and positions in one order of columns."""

    def __init__(self, table: Array, rounding: Rounding, rows: Indices, holds: Indices) -> None:
        self.table, self.rounding, self.rows, self.holds = table, rounding, rows, holds
        width = table.shape[1]
        self.pairs = (width + 1) // 2
        self.totals = [width / 2] if width % 2 == 0 else [width / 2, self.pairs]
        self.place = np.zeros(2 * self.pairs, int)
        self.place[holds] = np.arange(width)
        # Whether a guess is right but for a few numbers, and whether pairs turn as if from one row.
        self.close = self.lined = False

    def found(self) -> Iterator[Found]:
        """Yield what fits a few rows and pairs, compared with all, and else the nearest."""
        both = np.arange(self.table.shape[1] // 2)
        some = self.table[spread(len(self.table), HEAD)]
        other = some[:, self.place[self.pairs + both]]
        radii = np.hypot(some[:, self.place[both]], other)
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
            self.columns = np.r_[self.place[self.few], self.place[self.pairs + self.few]]
            self.scale, self.loose = self.scaled(sign * size)
            if self.scale:
                yield from self.compared()
            if (self.close or self.lined) and self.pairs > 4:
                return

    def angles(self, rows: Any) -> Array:
        """Return the angles of a few pairs."""
        part = self.table[rows] * math.copysign(1.0, self.scale)
        first, second = self.place[self.few], self.place[self.pairs + self.few]
        return np.asarray(np.arctan2(part[:, first], part[:, second]))

    def scaled(self, size: float) -> tuple[float, bool]:
        """Return the factor, a known or short one if the radii allow it, and if it is fitted."""
        part, width = self.table[np.ix_(self.sample, self.columns)], 2 * self.pairs
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

    def turns(self) -> tuple[float, float, list[Rule]]:
        """Return how far the first pair turns from row to row, its doubt, and frequencies."""
        head = np.arange(min(len(self.table), HEAD))
        gaps = np.flatnonzero(np.diff(self.rows[head]) != 1)  # rows of zeros
        begin = max(np.split(head, gaps + 1), key=len)
        if len(begin) < 2 or self.pairs == 1:
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
        told = np.flatnonzero((turn > 8 * error) & (turn < 3.1))
        if len(told) < max(2, 0.5 * (np.abs(turn) > 8 * error).sum()):
            return 1.0, 0.0, []
        index, weight, logs = self.few[told], (turn / error)[told], np.log(turn[told])
        kept = np.full(len(told), True)
        for _ in range(4):  # a pair that turns otherwise, or the other way, is left out
            slope, start, sigma, off = fit_line(index[kept], logs[kept], weight[kept])
            left = np.abs(logs - start - slope * index) * weight
            kept, last = left <= max(8.0, 4 * float(np.median(left[kept]))), kept
            if (kept == last).all() or kept.sum() < max(2, 0.6 * len(kept)):
                break
        if slope >= -1e-9 or (left[last] > 8).mean() > 0.2:
            return 1.0, 0.0, []
        self.few = np.setdiff1d(self.few, [*index[~last], *self.few[turn < -8 * error]])
        more = reach / len(self.table)  # all rows are compared in the end
        rules = rules_near(-float(slope), sigma, self.totals)
        rules = [rule._replace(doubt=rule.doubt * more) for rule in rules]
        return way * math.exp(start), 6 * off + 4e-6, rules

    def slowest(self) -> list[Rule]:
        """Return frequencies that the pairs of one row show that have not turned round yet."""
        best: tuple[int, list[Rule]] = (2, [])
        for angles in np.abs(self.angles(self.sample)):
            told = (angles > 8 * self.rough) & (angles < 1.2)
            told[: np.flatnonzero(np.diff(angles) >= 0).max(initial=-1) + 1] = False
            if told.sum() <= best[0]:
                continue
            logs, weight = np.log(angles[told]), angles[told] / (self.rough + 1e-7)
            slope, start, sigma, _ = fit_line(self.few[told], logs, weight)
            if (np.abs(logs - start - slope * self.few[told]) * weight <= 8).all():
                best = int(told.sum()), rules_near(-float(slope), sigma, self.totals)
        return [*best[1][:3], *best[1][-1:]]

    def placed(self, guess: Guess) -> Guess:
        """Return a guess with each row's place in the middle of what its numbers allow."""
        for _ in range(3):
            made, small = self.formula(guess), 1e-6
            own = made.numbers()[0]
            slope = (made._replace(places=made.places + small).numbers()[0] - own) / small
            slope = np.where(np.abs(slope) > 1e-8 * abs(self.scale), slope, np.nan)
            off, bound = self.table - own, made.bounded(self.table, self.rounding)[1]
            ends = np.sort([(off - bound) / slope, (off + bound) / slope], axis=0)
            middle = (np.nanmax(ends[0], axis=1) + np.nanmin(ends[1], axis=1)) / 2
            guess = guess._replace(places=guess.places + np.nan_to_num(middle))
        return guess

    def guesses(self) -> Iterator[Guess]:
        """Yield frequencies with positions, whole ones first, and then what is fitted."""
        turned, doubt, turning = self.turns()
        rows, angles = self.rows[self.sample, np.newaxis], self.angles(self.sample)
        by = round(turned)
        step = float(by) if by and abs(turned - by) < 0.02 * abs(by) else short(turned, 3)
        for usual_step in STEPS:
            if abs(turned / usual_step - 1) < 1e-3 + 4 * self.rough:
                step = usual_step
        grid = math.copysign(1.0, step) if step == by else step
        usual = [rule_of(n, spacing, self.totals[0]) for n in USUAL for spacing in SPACINGS]

        def phase(rule: Rule, step: float) -> Any:
            return np.exp(1j * (angles - step * rows * np.exp(-rule.beta * self.few))).mean(axis=0)

        for rule in turning if self.pairs > 1 else usual[:1]:
            mean, omega = phase(rule, step), np.exp(-rule.beta * self.few)
            if np.median(np.abs(mean)) > 0.9:
                for begin in begins(np.angle(mean), omega, grid, self.rough):
                    self.lined = self.lined or self.rough < 0.01
                    yield Guess(rule, self.scale, begin, step)
        some = self.sample[spread(len(self.sample), 8)]
        scattered: list[Guess] = []
        told = [*turning[:3], *self.slowest()] if self.pairs > 1 else []
        for rule in dict.fromkeys([*told, *usual] if self.pairs > 1 else []):
            places, worst = read_positions(self.angles(some), self.few, rule.beta, 0)
            if rule in told or np.median(worst) <= 0.05 + 8 * self.rough:
                places, _ = read_positions(self.angles(slice(None)), self.few, rule.beta)
                gaps = np.abs(np.diff(places))
                gaps = gaps[gaps > 0.02]
                apart = fraction(float(np.median(gaps))) or 1.0 if gaps.size else 1.0
                for unit in dict.fromkeys([1.0, apart]):
                    nearest = np.round(places / unit) * unit + 0.0
                    yield Guess(rule, self.scale, places=nearest)
                if apart % 1:  # PyTorch's are in float32
                    nearest = nearest.astype(np.float32).astype(float)
                    yield Guess(rule, self.scale, places=nearest)
                if (np.abs(places - nearest) > 8 * self.rough + 1e-6).mean() > 0.2:
                    scattered.append(Guess(rule, self.scale, places=places, fitted=True))
            if rule in turning or rule.base == 1e4:  # the first row, if later ones are rough
                first = float(np.round(places[0]) - self.rows[0])
                yield Guess(rule, self.scale, first)
        for rule in turning[-1:] + turning[:3]:
            mean = np.angle(phase(rule, turned))[np.newaxis]
            begin = float(read_positions(mean, self.few, rule.beta)[0][0])
            lines = [(short(begin, n), short(turned, n, math.exp(-rule.beta))) for n in range(2, 8)]
            lines += [(fraction(begin, n), fraction(turned, n)) for n in (16, 64, 512, 4096)]
            for line in dict.fromkeys(line for line in lines if abs(line[1] / turned - 1) <= doubt):
                yield Guess(rule, self.scale, *line)
            if step != by:
                yield Guess(rule, self.scale, begin, turned, fitted=True)
        for guess in scattered:
            yield self.placed(guess)

    def formula(self, guess: Guess, **through: Any) -> Formula:
        """Return the formula of a guess."""
        omega = np.exp(-guess.rule.beta * np.arange(self.pairs))
        line = guess.begin + guess.step * self.rows
        places: Any = line if guess.places is None else guess.places
        gain = np.full(self.table.shape[1], guess.scale)
        return Formula(omega, places, self.holds, gain)._replace(**through)

    def seen(self, guess: Guess) -> tuple[Formula, Array, Array, Array]:
        """Return a guess on the sample, the numbers there, how far they are off and may be."""
        given = self.given()
        some = self.formula(guess).only(self.sample, self.columns)
        return some, given, *some.bounded(given, self.rounding)

    def given(self) -> Array:
        """Return the numbers of the sample."""
        return np.asarray(self.table[np.ix_(self.sample, self.columns)])

    def settled(self, guess: Guess) -> Guess:
        """Return a guess whose fitted numbers are moved to the middle of what the sample allows."""
        in_line = guess.fitted and guess.places is None
        free = [guess.rule.spacing == "measured", self.loose, in_line, in_line]
        values = np.array([guess.rule.beta, guess.scale, guess.begin, guess.step])

        def moved(values: Array) -> Guess:
            beta, scale, begin, step = map(float, values)
            base = math.exp(beta * self.totals[0]) if free[0] else guess.rule.base
            rule = guess.rule._replace(beta=beta, base=base)
            return guess._replace(rule=rule, scale=scale, begin=begin, step=step)

        for turn in range(SETTLES if any(free) else 0):
            some, given, off, bound = self.seen(moved(values))
            far = np.median(off) > (0.02 + self.rough) * abs(guess.scale)
            far |= turn > 2 and bool((off > 2 * bound).any())
            if far or (off <= bound).all():
                break
            slopes, own = [], some.numbers()[0]
            for at in np.flatnonzero(free):
                near = values.copy()
                near[at] += 1e-7 * max(abs(near[at]), 1e-3)
                other = self.formula(moved(near)).only(self.sample, self.columns).numbers()[0]
                slopes.append(((other - own) / (near[at] - values[at])).ravel())
            values[free] += centred(np.stack(slopes, 1), (given - own).ravel(), bound.ravel())
            if not 0 < values[0] * self.totals[0] < MOST_LOG:
                return guess
        return moved(values)

    def judged(self, guess: Guess, **through: Any) -> Found:
        """Return the formula of a guess, compared with all numbers."""
        made = self.formula(guess, **through)
        made, misses = made.compared(self.table, self.rounding)
        if misses.wrong and misses.near:  # what comes next must give the worst of these, too
            rows, columns = np.argsort(-misses.rows)[:HEAD], np.argsort(-misses.columns)[:HEAD]
            self.sample = np.union1d(self.sample, rows[misses.rows[rows] > 0])
            self.columns = np.union1d(self.columns, columns[misses.columns[columns] > 0])
        self.close = self.close or misses.wrong <= 0.05 * self.table.size
        few = self.told(guess, made) < ENOUGH_BITS
        return Found(made, self.rounding, misses, self.rows, guess.rule, "", few=few)

    def told(self, guess: Guess, made: Formula) -> float:
        """Return what the numbers tell, in bits, less what was chosen to fit them.

        A row tells its angles, and rows in equal steps each pair's turn, as well as they show.
        """
        places = np.abs(np.unique(made.places[self.sample]))
        omega, step = made.omega[self.few], abs(guess.step) if guess.places is None else 1.0
        loose = UNIT["float32"] * 3 * (made.through != EXACT)
        in_line = len(self.rows) > 1 and np.ptp(np.diff(made.places) / np.diff(self.rows)) < 1e-6

        def bits(place: Any, most: float) -> Any:
            """Return what the angles of a position say."""
            shown = np.minimum(np.outer(place, omega), most)
            return np.log2(1 + shown / (self.rough + loose * np.c_[place])).sum(axis=1)

        # 20 bits for the rule, or 3.4 a digit; 2 log2 of a position that was chosen.
        chosen = 4 + 3.4 * digits_of(guess.rule.base) if self.pairs > 1 else 0.0
        if in_line:
            fine = math.log2(1 + len(self.rows) / self.rough)
            chosen = fine if guess.rule.spacing == "measured" else min(chosen, fine)
            chosen += 2 * fine if guess.fitted else min(fine, 14.0) * (not step.is_integer())
            return float(bits(step * len(self.rows), np.inf)[0]) - chosen
        each = bits(places, math.pi) - 2 * np.log2(2 + places) + guess.fitted * np.log2(self.rough)
        return float(each[places != 0].sum()) - chosen - 8

    def compared(self) -> Iterator[Found]:
        """Yield what fits the sample, compared with all, and else what is nearest."""
        nearest: tuple[float, Any] = (math.inf, None)
        rules: list[Rule] = []
        waiting: list[tuple[float, Guess]] = []
        self.close = False
        for guess in self.guesses():
            known = guess.rule.spacing != "measured"
            if not known:
                yield from self.shortened(waiting)
            for _ in range(TRIES):
                settled = self.settled(guess)
                some, given, off, bound = self.seen(settled)
                if (off > bound).any():
                    break
                guess, nearest = settled, (0.0, None)
                yield (found := self.judged(guess))
                if not found.misses.wrong:
                    break
            if not known:
                guess = settled
            elif self.loose:  # a factor fitted to what is none of its numbers
                some, given, off, bound = self.seen(guess)
            wrong, size = off > bound, abs(guess.scale)
            far = float(np.minimum(np.where(wrong, off / (FAR * size), 0.0), 1.0).mean())
            few, score = bool(wrong.any(axis=0).mean() <= 0.25), float(wrong.mean()) + far
            if score < 0.9 * nearest[0]:
                nearest, self.close = (score, guess), few or far < 0.01
            if far > 0.9:  # no other type of angles is as far off
                continue
            room = 2 * some.bounded(given, self.rounding, UNIT["float32"])[1] - bound
            if known and guess.rule not in rules:
                if (off <= room + 1e-7 * size).all():
                    rules.append(guess.rule)
                    for through, divides in SINGLES:
                        yield self.judged(guess, through=through, divides=divides)
                elif self.pairs > 3 and len(self.table) > 3 and self.rough < 0.1:
                    waiting.append((score, guess))
            # No other guess mends a few numbers that are far off, but for those of whole rows.
            sure = self.rough < 1e-9 or (off > 20 * np.maximum(room, self.rough * size)).any()
            if few and sure and not (wrong.mean(axis=1) > 0.5).any():
                break
        yield from self.shortened(waiting)
        if nearest[1] is not None:
            yield self.judged(nearest[1])

    def shortened(self, waiting: list[tuple[float, Guess]]) -> Iterator[Found]:
        """Yield the nearest with positions, frequencies or angles that go through a short type."""
        head, columns = np.arange(min(len(self.table), ROWS)), self.columns
        given = self.table[np.ix_(head, columns)]
        for _, guess in sorted(waiting, key=lambda each: each[0])[:NEAREST]:
            made = self.formula(guess).only(head, columns)
            off, _ = made.only(head[:8]).bounded(given[:8], self.rounding)
            for through in (
                SHORTS if np.median(off) < (0.02 + self.rough) * abs(guess.scale) else ()
            ):
                off, bound = made._replace(through=through).bounded(given, self.rounding)
                if (off <= bound).all():
                    yield self.judged(guess, through=through)
        waiting.clear()
