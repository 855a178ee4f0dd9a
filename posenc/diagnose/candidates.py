"""The tables that are known: each candidate fits a formula to the numbers, and is then compared.

A candidate takes a table and its rounding and yields what it fitted. `explained` returns those that
give every number; what is added here is tried with everything else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from posenc.diagnose.formula import EXACT, FAR, SHORTS, SINGLES, Formula, Misses
from posenc.diagnose.ladder import hypotheses
from posenc.diagnose.rounding import UNIT, Array, Rounding, number, wrap
from posenc.diagnose.search import Indices, begins, fit_line, read_positions, spread

# Rows and pairs on which a formula is fitted and first tried.
ROWS, PAIRS, SAMPLE = 48, 64, 24

# Guesses that fit a few rows and are compared with all, in one order of columns; and how often a
# fitted number is moved.
TRIES, SETTLES = 6, 24

# The part of the numbers that may differ before other kinds of tables are looked for.
NEAR = 0.25

# How much more than chance a match must be, in bits, before it gets a name.
ENOUGH_BITS = 24

# Bases that are tried where the numbers are too few or too coarse to tell one.
USUAL = (1e4, 5e5, 1e6, 1e7, 1e3, 1e2, 1e5)


class Found(NamedTuple):
    """A formula fitted to a table, the words for it, and where the table is not the formula's."""

    formula: Formula
    rounding: Rounding
    layout: str  # the order of columns
    cosines_first: bool
    base: float
    spacing: str  # "paper", "tensor2tensor" or "measured"
    doubt: float  # how far ln of the base may be off
    misses: Misses
    rows: Indices  # the rows that follow it
    notes: tuple[tuple[str, str], ...] = ()  # what else is said, and what to change
    sinusoidal: bool = True  # whether each row is an encoding in the order of `layout`
    few: bool = False  # whether it fits by chance
    defects: tuple[str, ...] = ()  # what is wrong in a few columns
    parts: tuple[Found, ...] = ()  # of each coordinate


class Rule(NamedTuple):
    """Frequencies by a base and a spacing; `slip` is how far β may be off if it is measured."""

    base: float
    spacing: str
    beta: float
    slip: float
    doubt: float


class Guess(NamedTuple):
    """Frequencies, and the positions of the rows: on a line, or each by itself."""

    rule: Rule
    line: Any  # the position of row 0, and the step
    places: Any
    fitted: bool  # whether the line was
    scale: float


def explained(table: Array, rounding: Rounding, rows: Indices, deep: int = 2) -> Found | None:
    """Return the simplest formula that gives every number, or else the nearest, or None."""
    best = plain(table, rounding, rows)
    if best is not None and (not best.misses.wrong or not deep):
        return best
    near = best is not None and best.misses.near
    for candidate in (_repaired(table, rounding, best), cut(table, rounding, rows)):
        for found in candidate:
            if not found.misses.wrong:
                return found
    for other in () if near else CANDIDATES:
        for found in other(table, rounding, rows, deep - 1):
            if not found.misses.wrong:
                return found
            if best is None or found.misses.far < best.misses.far:
                best = found
    return best


# One coordinate, all columns


def orders(table: Array) -> list[tuple[str, bool, Indices]]:
    """Return (layout, cosines first, the index of `Formula`) for each order of columns.

    The likely ones come first: those under which the slow pairs have turned least.
    """
    width = table.shape[1]
    pairs, column = (width + 1) // 2, np.arange(width)
    found = []
    for layout in ("interleaved", "halves") if width % 2 == 0 else ("interleaved",):
        apart = layout == "interleaved"
        pair, second = (column // 2, column % 2) if apart else (column % pairs, column // pairs)
        for swapped in (False, True):
            index = pair + pairs * (second != swapped)
            slow = (index >= pairs) & (pair >= pairs - max(1, pairs // 4))
            found.append((-abs(float(table[:ROWS, slow].sum())), layout, swapped, index))
    return [found_[1:] for found_ in sorted(found, key=lambda each: each[0])]


def plain(table: Array, rounding: Rounding, rows: Indices, total: float = 0.0) -> Found | None:
    """Return the formula of sines and cosines in pairs that fits best, in any order of columns.

    `total` is half of the width that the exponents are counted by, where it is not the table's.
    """
    best = None
    for layout, swapped, index in orders(table):
        search = _Search(table, rounding, rows, index, total)
        for found in search.found():
            found = found._replace(layout=layout, cosines_first=swapped)
            if not found.misses.wrong and not found.few:
                return found
            if best is None or found.misses.far < 0.9 * best.misses.far:
                best = found
        if best is not None and best.misses.near and table.shape[1] > 8:
            break  # few pairs are near in any order
    return best


class _Search:
    """The search for frequencies and positions in one order of columns."""

    def __init__(
        self, table: Array, rounding: Rounding, rows: Indices, index: Indices, total: float
    ) -> None:
        self.table, self.rounding, self.rows, self.index = table, rounding, rows, index
        width = table.shape[1]
        self.pairs = (width + 1) // 2
        halves = [width / 2] if width % 2 == 0 else [width / 2, self.pairs]
        self.totals = [total] if total else halves
        self.place = np.zeros(2 * self.pairs, int)
        self.place[index] = np.arange(width)
        self.sample = spread(len(table), ROWS)

    def found(self) -> Iterator[Found]:
        """Yield what fits a few rows and pairs, compared with all, and then the nearest."""
        both = np.arange(self.table.shape[1] // 2)
        some = self.table[spread(len(self.table), SAMPLE)]
        one, other = some[:, self.place[both]], some[:, self.place[self.pairs + both]]
        radii = np.hypot(one, other)
        size = float(np.median(radii))
        if not size:
            return
        self.rough = float(self.rounding.half(np.array([0.7 * size]))[0]) / size
        circles = (np.abs(radii / size - 1) <= 3 * self.rough + 3e-6).mean(axis=0) >= 0.5
        if circles.mean() < 0.5:
            return
        slow = other[:, -max(1, len(both) // 4) :].mean()
        for sign in (1.0, -1.0) if slow >= 0 else (-1.0, 1.0):
            good = both[circles]
            self.few = good[spread(len(good), PAIRS)]
            self.size, self.close = sign * size, False
            yield from self._signed()
            if self.close and self.pairs > 4:
                return

    def angles(self, rows: Any) -> Array:
        part = self.table[rows] * math.copysign(1.0, self.size)
        first, second = self.place[self.few], self.place[self.pairs + self.few]
        return np.asarray(np.arctan2(part[:, first], part[:, second]))

    def chance(self, guess: Guess, single: bool) -> bool:
        """Return whether numbers fit by chance: what they tell, less what is chosen to fit them."""
        rule, line = guess.rule, guess.line
        if self.pairs == 1:
            return len(self.table) < 4
        if not self.most:  # every row has a position of its own
            places = np.unique(guess.places[self.sample])
            rough = np.minimum(3 * self.rough + 1e-6 + 6e-7 * np.abs(places), 0.3)
            each = len(self.few) * np.log2(math.pi / rough) - 2 * np.log2(2 + np.abs(places))
            return float(each[places != 0].sum()) - 20 < ENOUGH_BITS
        digits = len(f"{rule.base:.9e}".partition("e")[0].rstrip("0")) - 1
        chosen = min(self.most, 4.0 + 3.4 * digits) if not rule.slip else self.most
        if line is None or not float(line[1]).is_integer():
            chosen += self.most if guess.fitted else min(self.most, 14.0)
        if single:
            loose = 1 + 3 * UNIT["float32"] * np.abs(guess.places).max() / self.rough
            chosen += min(4, len(self.few)) * math.log2(loose)  # the others are held to it
        return self.bits - chosen < ENOUGH_BITS - 8

    def turns(self) -> list[Rule]:
        """Return frequencies by how far each pair turns from row to row, if that is alike."""
        begin = np.arange(min(len(self.table), SAMPLE))
        if len(begin) < 2 or (np.diff(self.rows[begin]) != 1).any() or self.pairs == 1:
            return []
        angles = self.angles(begin)
        turn = np.median(wrap(np.diff(angles, axis=0)), axis=0)
        reach = 1
        while 2 * reach < len(begin):
            reach *= 2
            more = np.median(wrap(angles[reach:] - angles[:-reach] - reach * turn), axis=0)
            turn = turn + more / reach
        # A column with another sign turns its pair the other way.
        way = 1.0 if np.median(turn) >= 0 else -1.0
        # Far down, angles in float32 are as rough as they show.
        left = wrap(angles - angles[0] - turn * begin[:, np.newaxis])
        shown = np.abs(left - np.median(left, axis=0)).mean(axis=0) if reach > 2 else 0.0
        shown = np.where(shown > 3 * self.rough + 1e-6, np.minimum(shown, 0.01), 0.0)
        error = (self.rough + shown + 1e-7) / reach
        told = (way * turn > 8 * error) & (way * turn < 3.1)
        if told.sum() < 2 or told.sum() < 0.5 * (np.abs(turn) > 8 * error).sum():
            return []
        index, weight = self.few[told], (way * turn / error)[told]
        logs = np.log(way * turn[told])
        for _ in range(4):  # a pair that turns otherwise is left out
            slope, start, sigma = fit_line(index, logs, weight)
            left = np.abs(logs - start - slope * index) * weight
            kept = left <= max(8.0, 4 * float(np.median(left)))
            if kept.all() or kept.sum() < max(2, 0.6 * len(kept)):
                break
            index, weight, logs = index[kept], weight[kept], logs[kept]
        if slope >= -1e-9 or (left[kept] > 8).mean() > 0.2:
            return []
        more = len(self.table) / reach  # all rows are compared in the end
        known = np.log2(weight * more)
        self.bits, self.most = float(known.sum()), float(known.max())
        self.step = way * math.exp(start)
        self.few = np.setdiff1d(self.few, self.few[told & (np.isin(self.few, index, invert=True))])
        rules = _rules(-float(slope), sigma, self.totals)
        return [rule._replace(doubt=rule.doubt / more) for rule in rules]

    def usual(self) -> list[Rule]:
        """Return the usual frequencies under which a few rows, each by itself, have a position."""
        if self.pairs == 1:
            return [Rule(1e4, "paper", math.log(1e4), 0.0, 0.0)]
        some = self.sample[spread(len(self.sample), 8)]
        at = spread(len(self.few), 16)
        angles, near = self.angles(some)[:, at], []
        for base in USUAL:
            for spacing in ("paper", "tensor2tensor"):
                rule = _rule(base, spacing, self.totals[0])
                _, worst = read_positions(angles, self.few[at], rule.beta, 0)
                if np.median(worst) <= 0.05 + 8 * self.rough:
                    near.append(rule)
        return near

    def guesses(self) -> Iterator[Guess]:
        """Yield frequencies with positions, whole ones first, and then what is fitted."""
        self.bits, self.most, self.step = math.inf, 0.0, 1.0
        turned = self.turns()
        rows, angles = self.rows, self.angles(self.sample)
        by = float(np.round(self.step))
        step = by if by and abs(self.step - by) < 0.02 * abs(by) else _known(self.step, 3)
        fits: list[Rule] = []
        for rule in self.usual() if self.pairs == 1 else turned:
            omega = np.exp(-rule.beta * self.few)
            mean = np.exp(1j * (angles - step * rows[self.sample, np.newaxis] * omega)).mean(axis=0)
            if np.median(np.abs(mean)) > 0.9:
                grid = math.copysign(1.0, step) if step == by else step
                found = begins(np.angle(mean), omega, grid, self.rough, 0)
                if not found and not fits:
                    found = begins(np.angle(mean), omega, grid, self.rough, 3)
                for begin in found:
                    yield Guess(rule, (begin, step), begin + step * rows, False, self.scale)
            fits.append(rule)
        if self.pairs == 1:
            return
        most = self.most
        for rule in [] if self.close else [*turned[:3], *self.usual()]:
            self.most = most if rule in turned else 0.0
            places, _ = read_positions(self.angles(slice(None)), self.few, rule.beta)
            yield Guess(rule, None, np.round(places) + 0.0, False, self.scale)
        self.most = most
        for rule in fits[-1:] + fits[:3]:
            own = angles - self.step * rows[self.sample, np.newaxis] * np.exp(-rule.beta * self.few)
            phase = np.angle(np.exp(1j * own).mean(axis=0))[np.newaxis]
            begin = float(read_positions(phase, self.few, rule.beta)[0][0])
            known = (
                (_known(begin, n), _known(self.step, n, math.exp(-rule.beta))) for n in range(2, 8)
            )
            for line in dict.fromkeys(known):
                yield Guess(rule, line, line[0] + line[1] * rows, False, self.scale)
            line = begin, self.step
            yield Guess(rule, line, line[0] + line[1] * rows, True, self.scale)

    def formula(self, guess: Guess) -> Formula:
        omega = np.exp(-guess.rule.beta * np.arange(self.pairs))
        gain = np.full(self.table.shape[1], guess.scale)
        return Formula(omega, guess.places[np.newaxis], self.index, gain)

    def settled(self, guess: Guess, rows: Indices, columns: Any, **through: Any) -> Guess:
        """Return a guess whose fitted numbers are moved until what they give is near enough.

        First by least squares, then by what is beyond its rounding.
        """
        given = self.table[rows][:, columns]
        free = [guess.rule.slip > 0, guess.fitted, guess.fitted, self.loose]

        def moved(values: Array) -> Guess:
            beta, begin, step, scale = (float(value) for value in values)
            places = begin + step * self.rows if guess.fitted else guess.places
            line = (begin, step) if guess.fitted else guess.line
            return Guess(guess.rule._replace(beta=beta), line, places, guess.fitted, scale)

        values = np.array([guess.rule.beta, *(guess.line or (0.0, 0.0)), guess.scale])
        for turn in range(SETTLES):
            some = self.formula(moved(values))._replace(**through).only(rows, columns)
            (own, _), (off, bound) = some.numbers(), some.bounded(given, self.rounding)
            room = (0.9 + 0.1 * turn / SETTLES) * bound if turn > 2 else 0.0
            beyond = np.maximum(off - room, 0)
            if not beyond.any() or not np.median(off) <= 0.2 * abs(guess.scale):
                break
            if turn == 3 and (off > 2 * bound).any():  # none is near all of them
                break
            slopes, used = [], beyond > 0
            for at in np.flatnonzero(free):
                near = values.copy()
                near[at] += 1e-7 * max(abs(near[at]), 1e-3)
                other, _ = self.formula(moved(near)).only(rows, columns).numbers()
                slopes.append((other - own)[used] / (near[at] - values[at]))
            over = (beyond * np.sign(given - own))[used]
            values[free] += np.linalg.lstsq(np.stack(slopes, 1), over, rcond=None)[0]
            if values[0] <= 0:
                return guess
        return moved(values)

    def judged(self, guess: Guess, **through: Any) -> Found:
        """Return a formula that fits a few rows and pairs, compared with all."""
        made = self.formula(guess)._replace(**through)
        if made.through[1] == "float32":
            made = made.in_float32(self.table, self.rounding)
        misses = made.misses(self.table, self.rounding)
        rows, again = self.sample, guess
        for _ in range(3 if self.free(guess) and made.through == EXACT else 0):
            if not misses.wrong or not misses.near:
                break
            rows = np.union1d(rows, np.argsort(-misses.rows)[:SAMPLE])
            again = self.settled(again, rows, slice(None), **through)
            other = self.formula(again)._replace(**through)
            left = other.misses(self.table, self.rounding)
            if not left.wrong:
                guess, made, misses = again, other, left
        rule = guess.rule
        base = math.exp(rule.beta * self.totals[0]) if rule.slip else rule.base
        about = (base, rule.spacing, rule.doubt, misses, self.rows)
        return Found(made, self.rounding, "", False, *about, few=self.chance(guess, made.single))

    def free(self, guess: Guess) -> bool:
        return guess.fitted or guess.rule.slip > 0 or self.loose

    def _signed(self) -> Iterator[Found]:
        columns = np.r_[self.place[self.few], self.place[self.pairs + self.few]]
        given = self.table[np.ix_(self.sample, columns)]
        self.scale, self.loose = _scale(given, self.size, self.rough, 2 * self.pairs)
        nearest: tuple[float, Any] = (math.inf, None)
        singles: list[Rule] = []
        rules: list[Rule] = []
        tries = 0
        for guess in self.guesses():
            rules += [guess.rule] if guess.rule not in rules else []
            if self.close and guess.fitted and nearest[1] is not None:
                break
            off, bound = self._seen(guess, columns, given)
            if self.free(guess) and (off > bound).any() and np.median(off) < 0.1 * abs(self.scale):
                guess = self.settled(guess, self.sample, columns)
                off, bound = self._seen(guess, columns, given)
            if (off <= bound).all():
                found = self.judged(guess)
                yield found
                few, tries = found.misses.wrong <= 0.05 * self.table.size, tries + 1
                self.close = self.close or few
                # No other guess mends a few rows or columns of fine numbers.
                if (few and self.rough < 1e-6) or tries == TRIES:
                    return
                if found.misses.worst.max() > 0.01 * abs(self.scale):
                    continue
            single = self.formula(guess)._replace(single=True)
            loose, room = single.only(self.sample, columns).bounded(given, self.rounding)
            fitted = guess.fitted or guess.rule.slip or guess.rule in singles or len(singles) > 5
            if not fitted and (loose <= 2 * room + 1e-7 * abs(self.scale)).all():
                singles.append(guess.rule)
                # Numbers that are coarse do not tell which float32 a frequency was.
                if self.rough > 4 * UNIT["float32"]:
                    yield self.judged(guess, single=True)
                else:
                    for through, divides in SINGLES:
                        yield self.judged(guess, through=through, divides=divides)
            part = np.where(off > bound, off / (FAR * abs(self.scale)), 0.0)
            score = float(np.minimum(part, 1.0).mean())
            if score < 0.9 * nearest[0]:
                self.close = score < 0.01 or float((off > bound).mean()) < NEAR
                nearest = score, guess
        if nearest[1] is not None:
            yield self.judged(nearest[1])
        if self.pairs > 3 and len(self.table) > 3 and self.rough < 0.02:
            yield from self._shortened(rules)

    def _seen(self, guess: Guess, columns: Indices, given: Array) -> tuple[Array, Array]:
        return self.formula(guess).only(self.sample, columns).bounded(given, self.rounding)

    def _shortened(self, rules: list[Rule]) -> Iterator[Found]:
        """Yield the same with positions, frequencies or angles that go through a short type."""
        head = np.arange(min(len(self.table), ROWS))
        columns = np.r_[self.place[self.few], self.place[self.pairs + self.few]]
        given = self.table[np.ix_(head, columns)]
        usual = [_rule(1e4, spacing, self.totals[0]) for spacing in ("paper", "tensor2tensor")]
        bases = {(rule.base, rule.spacing): rule for rule in [*rules[:3], *usual] if not rule.slip}
        for rule in bases.values():
            first, _ = read_positions(self.angles(head[:4]), self.few, rule.beta)
            at = int(np.abs(first).argmin())
            line = (float(np.round(first[at]) - self.rows[at]), 1.0)
            guess = Guess(rule, line, line[0] + self.rows, False, self.scale)
            made = self.formula(guess)
            off, _ = made.only(head[:8], columns).bounded(given[:8], self.rounding)
            for through in SHORTS if np.median(off) < 0.02 * abs(self.scale) else ():
                cast = made._replace(through=through).only(head, columns)
                off, bound = cast.bounded(given, self.rounding)
                if (off <= bound).all():
                    yield self.judged(guess, through=through)._replace(few=False)


def _rule(base: float, spacing: str, total: float, sigma: float = 0.0) -> Rule:
    steps = total - (spacing == "tensor2tensor")
    return Rule(base, spacing, math.log(base) / max(steps, 0.5), 0.0, 6 * sigma * total)


def _rules(beta: float, sigma: float, totals: list[float]) -> Iterator[Rule]:
    """Yield frequencies near those of a fit: 10 000, then bases of few digits, then any.

    10 000 comes first, then a base of a single digit, as 500 000 before the 97 000 that has nearly
    its frequencies in the other spacing.
    """
    found: dict[tuple[float, str, float], tuple[Any, Rule]] = {}
    for total in totals:
        doubt = 6 * sigma * total + 4e-6  # float32 moves all frequencies to the same side
        for spacing in ("paper", "tensor2tensor") if total > 1 else ("paper",):
            exact = math.exp(beta * (total - (spacing == "tensor2tensor")))
            if not 1 < exact < 1e30:
                continue
            for digits in range(1, 8):
                base = float(f"{exact:.{digits - 1}e}")
                for n in {base, 1e4} if digits == 1 else {base}:
                    off = abs(math.log(n / exact)) if n > 1 else math.inf
                    if off <= (max(doubt, 0.1) if digits == 1 else doubt):
                        rank = (n != 1e4, digits, spacing != "paper", off)
                        rule = _rule(n, spacing, total)._replace(doubt=doubt)
                        found.setdefault((n, spacing, total), (rank, rule))
    ranked = sorted(found.values(), key=lambda pair: pair[0])
    yield from (rule for _, rule in ranked[:8])
    total = totals[0]
    yield Rule(
        math.exp(beta * total), "measured", beta, 6 * sigma + 1e-15 * beta, 6 * sigma * total + 4e-6
    )


def _known(value: float, digits: int, *names: float) -> float:
    """Return a number in few digits, or one that has a name, near a value."""
    near = 10.0**-digits
    for known in (math.pi / 180, math.tau, *names):
        if abs(value / known - 1) < near:
            return known
    return float(f"{value:.{digits}g}") if abs(value) > near**2 else 0.0


def _scale(part: Array, size: float, rough: float, width: int) -> tuple[float, bool]:
    """Return the factor, a known or short one if the radii allow it, and whether it is fitted."""
    radii = np.hypot(part[:, : part.shape[1] // 2], part[:, part.shape[1] // 2 :])
    exact, most = float(np.median(radii)), float(np.abs(part).max())
    near = 8 * rough / math.sqrt(radii.size) + 4 * rough
    whole = (most,) if most > 4 and (2 * part == np.round(2 * part)).all() else ()
    for known in (
        1.0,
        width**0.5,
        width**-0.5,
        *whole,
        *(float(f"{exact:.{n}e}") for n in range(4)),
    ):
        if abs(exact / known - 1) <= near:
            return math.copysign(known, size), known not in (1.0, width**0.5, width**-0.5)
    return math.copysign(exact, size), True


# Other tables: each is ten lines, and is compared as all the others are


def _again(found: Found, table: Array, **changes: Any) -> Found:
    """Return what was found with changes to its formula, compared with a table anew."""
    own = {name: changes.pop(name) for name in set(changes) & set(Found._fields)}
    formula = found.formula._replace(**changes)
    misses = formula.misses(table, own.get("rounding", found.rounding))
    return found._replace(formula=formula, misses=misses, **own)


def shifted(table: Array, rounding: Rounding, rows: Indices, deep: int) -> Iterator[Found]:
    """Yield a table between 0 and a largest number: sines and cosines plus a constant."""
    most = float(table.max())
    if table.min() < 0 or not most:
        return
    for middle in (most / 2, (most + 1) / 2) if most > 4 else (most / 2,):
        way = Rounding(rounding.name, step=2 * float(rounding.half(table).max()))
        found = explained(table - middle, way, rows, deep)
        if found is not None and found.formula.offset == 0:
            note = (f"plus {number(middle)}", f"subtract {number(middle)}")
            notes = (*found.notes, note)
            yield _again(found, table, offset=middle, rounding=rounding, notes=notes)


def cut(table: Array, rounding: Rounding, rows: Indices) -> Iterator[Found]:
    """Yield a table whose last pairs stand still."""
    width = table.shape[1]
    for _, swapped, index in orders(table) if width % 2 == 0 else ():
        pairs, place = width // 2, np.argsort(index)
        sines, cosines = table[:, place[:pairs]], table[:, place[pairs:]]
        turns = sines.any(axis=0) | (cosines != cosines[0, -1]).any(axis=0)
        count = int(np.flatnonzero(turns).max(initial=-1)) + 1
        if not 2 < count < pairs:
            continue
        kept = np.sort(np.r_[place[:count], place[pairs : pairs + count]])
        found = plain(table[:, kept], rounding, rows, total=pairs)
        if found is None or found.misses.wrong or found.cosines_first != swapped:
            continue
        omega = np.r_[found.formula.omega, np.zeros(pairs - count)]
        gain = np.full(width, found.formula.gain[0])
        ulps = found.formula.ulps
        ulps = np.r_[ulps, np.zeros(pairs - count)] if np.ndim(ulps) else ulps
        note = (f"no pair turns from pair {count} on", "let every pair turn")
        notes = (note, *found.notes)
        yield _again(found, table, omega=omega, gain=gain, holds=index, ulps=ulps, notes=notes)


def coordinates(table: Array, rounding: Rounding, rows: Indices, _: int) -> Iterator[Found]:
    """Yield two to four coordinates, side by side or all sines and then all cosines."""
    width = table.shape[1]
    for count in (2, 3, 4):
        if width % (2 * count) or width < 4 * count:
            continue
        halves = np.arange(width).reshape(2 * count, -1)
        apart = [np.r_[halves[at], halves[at + count]] for at in range(count)]
        for stacked, where in ((False, np.arange(width).reshape(count, -1)), (True, apart)):
            some = spread(len(table), ROWS)
            parts: list[Found | None] = []
            for part in where:
                still = np.ptp(table[:, part], axis=0).max() == 0
                few = None if still else plain(table[np.ix_(some, part)], rounding, rows[some])
                if not still and (few is None or few.misses.wrong):
                    break
                parts.append(None if still else plain(table[:, part], rounding, rows))
            first = next((part for part in parts if part is not None), None)
            if first is None or len(parts) < count:
                continue
            zeros = np.zeros_like(first.formula.places)
            whole = [
                _again(first, table[:, part], places=zeros) if own is None else own
                for own, part in zip(parts, where, strict=True)
            ]
            sure = [part for part in whole if part is not None and not part.misses.wrong]
            alike = {(part.base, part.spacing) for part in sure if np.any(part.formula.places)}
            in_steps = all((part.formula.places % 1 == 0).all() for part in sure)
            if len(sure) == count and len(alike) == 1 and in_steps:
                yield _joined(table, sure, [np.asarray(part) for part in where], stacked)


def _joined(table: Array, parts: list[Found], where: list[Indices], stacked: bool) -> Found:
    """Return the one formula of several coordinates."""
    formulas = [part.formula for part in parts]
    pairs = len(formulas[0].omega)
    index, total = np.zeros(table.shape[1], int), pairs * len(parts)
    for at, (formula, columns) in enumerate(zip(formulas, where, strict=True)):
        index[columns] = formula.holds % pairs + at * pairs + total * (formula.holds >= pairs)
    gain = np.empty(table.shape[1])
    for formula, columns in zip(formulas, where, strict=True):
        gain[columns] = formula.gain
    return _again(
        parts[0],
        table,
        omega=np.concatenate([formula.omega for formula in formulas]),
        places=np.concatenate([formula.places for formula in formulas]),
        holds=index,
        gain=gain,
        coordinate=np.repeat(np.arange(len(parts)), pairs),
        ulps=np.concatenate([np.broadcast_to(formula.ulps, pairs) for formula in formulas]),
        parts=tuple(parts),
        notes=(("stacked", ""),) if stacked else (),
    )


def _cast(
    table: Array, rounding: Rounding, rows: Indices, formula: Formula, base: float, *words: Any
) -> Iterator[Found]:
    """Yield what a formula with these words leaves, its angles in float64 and in float32."""
    off, bound = formula.only(slice(0, SAMPLE), slice(None)).bounded(table[:SAMPLE], rounding)
    if (off > bound + 1e-4).mean() > (0.1 if formula.blend else 0.0):
        return
    layout, swapped, spacing, *notes = words
    for through, divides in ((EXACT, False), *SINGLES):
        cast = formula._replace(through=through, divides=divides)
        cast = cast.in_float32(table, rounding) if through[1] == "float32" else cast
        misses = cast.misses(table, rounding)
        about = (layout, swapped, base, spacing, 0.0, misses, rows, tuple(notes), False)
        yield Found(cast, rounding, *about)


def caches(table: Array, rounding: Rounding, rows: Indices, _: int) -> Iterator[Found]:
    """Yield cosines alone or sines alone, as RoPE's code keeps them: once, or twice for a pair."""
    width, column = table.shape[1], np.arange(table.shape[1])
    half, pair, said = width // 2, column, "one column for each pair"
    if width % 2 == 0 and (table[:, :half] == table[:, half:]).all():
        pair, said = column % half, "each twice, in halves"
    elif width % 2 == 0 and (table[:, ::2] == table[:, 1::2]).all():
        pair, said = column // 2, "each twice, side by side"
    pairs, first = int(pair.max()) + 1, np.unique(pair, return_index=True)[1]
    if pairs < 3 or len(table) < 3:
        return
    some = table[: 4 * SAMPLE, first]
    size = float(np.abs(some).max())
    scale = 1.0 if abs(size - 1) < 0.01 else size
    for name, turned in (("cosines", np.arccos), ("sines", np.arcsin)):
        angle = np.abs(turned(np.clip(some / scale, -1, 1)))
        slow = (angle > 0.2) & (angle < 1.2) & (np.arange(pairs) >= pairs // 3)
        row = int(slow.sum(axis=1).argmax())
        for rule in _of_cache(angle, pairs) if slow.any() else ():
            omega = np.exp(-rule.beta * np.arange(pairs))
            at = float(np.round(np.median(angle[row, slow[row]] / omega[slow[row]])))
            places: Any = at - row + np.arange(len(table))
            index = pair + pairs * (name == "cosines")
            formula = Formula(omega, places[np.newaxis], index, np.full(width, scale))
            words = (f"{name} alone, as RoPE's code keeps them, {said}", False, rule.spacing)
            yield from _cast(table, rounding, rows, formula, rule.base, *words)


def _of_cache(angle: Array, pairs: int) -> Iterator[Rule]:
    """Yield rules for columns whose angles are known where they have not turned far."""
    for row in angle[1:8]:
        told = np.flatnonzero((row > 0.05) & (row < 1.4))
        if len(told) > 1 and (np.diff(row[told]) < 0).all() and (np.diff(told) == 1).all():
            beta = math.log(row[told[0]] / row[told[-1]]) / (told[-1] - told[0])
            rules = _rules(beta, 1e-4 / pairs, [float(pairs)])
            yield from (rule for rule in rules if not rule.slip)
    yield from (_rule(base, "paper", pairs) for base in USUAL)


# Tables with an angle of its own in each column j: the exponent is so many times j/d.
COLUMNS = {
    1: "each column has a frequency of its own, by its number in place of its pair's",
    2: "each column has a frequency of its own, by twice its number: 2*i of an i that is even, as "
    "in a tutorial that is often copied",
    0: "every column turns by one radian per token: the exponent is 0, as 2*(i//2)//d is",
}


def own_columns(table: Array, rounding: Rounding, rows: Indices, _: int) -> Iterator[Found]:
    """Yield a frequency for each column, as some tutorials have it."""
    width, column = table.shape[1], np.arange(table.shape[1])
    for times, said in COLUMNS.items() if width > 2 and len(table) > 1 else ():
        for begin in (0.0, 1.0):
            omega, index = 1e4 ** (-times * column / width), column + width * (column % 2)
            places: Any = begin + rows
            formula = Formula(omega, places[np.newaxis], index, np.ones(width))
            yield from _cast(table, rounding, rows, formula, 1e4, said, False, "paper")


def mixed(table: Array, rounding: Rounding, rows: Indices, _: int) -> Iterator[Found]:
    """Yield rows between two positions, mixed from both, as an interpolated table has them."""
    count, width = table.shape
    for layout, swapped, index in (
        orders(table) if count > 3 and width % 2 == 0 and width > 7 else ()
    ):
        pairs, place = width // 2, np.argsort(index)
        slow, last = place[pairs // 2], place[pairs + pairs // 2]
        radii = np.hypot(table[:, place[pairs - 1]], table[:, place[-1]])
        scale = 1.0 if abs(radii.max() - 1) < 0.01 else float(radii.max())
        for base in USUAL if np.ptp(radii) <= 0.01 * scale else ():
            for spacing in ("paper", "tensor2tensor"):
                rule = _rule(base, spacing, pairs)
                places = np.arctan2(table[:, slow], table[:, last]) * math.exp(
                    rule.beta * (pairs // 2)
                )
                step, begin = fit_line(np.arange(count), places, np.ones(count))[:2]
                omega = np.exp(-rule.beta * np.arange(pairs))
                # from end to end, or by half steps
                for ends, shift in ((count - 1, 0.0), (count, 0.5)):
                    source: Any = round(step * ends) + (not shift)
                    by = (source - (not shift)) / ends
                    if source < 2 or abs(begin - shift * (by - 1)) > 0.5:
                        continue
                    kept = np.clip((np.arange(count) + shift) * by - shift, 0, source - 1)[
                        np.newaxis
                    ]
                    formula = Formula(omega, kept, index, np.full(width, scale), blend=True)
                    note = (f"interpolated from {source} rows to {count}", "take whole positions")
                    yield from _cast(
                        table, rounding, rows, formula, base, layout, swapped, spacing, note
                    )


def _repaired(table: Array, rounding: Rounding, found: Found | None) -> Iterator[Found]:
    """Yield a table with a few columns of another sign, or in each other's place."""
    if found is None or found.few:
        return
    wrong = np.flatnonzero(found.misses.columns)
    if not 0 < len(wrong) <= max(1, table.shape[1] // 8):
        return
    formula = found.formula
    gain, index, notes = formula.gain.copy(), formula.holds.copy(), []
    own, slack = formula.only(slice(None), wrong).numbers()
    own, bound = own - formula.offset, slack + 2 * rounding.half(table[:, wrong])
    for at, column in enumerate(wrong):
        given = table[:, wrong[at]] - formula.offset
        if (np.abs(given + own[:, at]) <= bound[:, at]).all():
            gain[column] *= -1
            notes.append(f"column {column} has the opposite sign")
            continue
        for other, second in enumerate(wrong):
            same = (np.abs(given - own[:, other]) <= bound[:, at]).all()
            if same and index[column] == formula.holds[column]:
                index[column] = formula.holds[second]
                if column < second:
                    notes.append(f"columns {column} and {second} are swapped")
    yield _again(found, table, gain=gain, holds=index, defects=tuple(notes), sinusoidal=False)


CANDIDATES = (shifted, coordinates, caches, own_columns, mixed)


def listed(row: Array, rounding: Rounding) -> Any:
    """Return the list of frequencies that one row is, or None."""
    if len(row) < 3 or abs(row[0] - 1) > 0.01 or (row <= 0).any() or (np.diff(row) >= 0).any():
        return None
    error = rounding.half(row) / row
    for ladder in hypotheses(row, error, np.full(len(row), 4 * UNIT["float32"])):
        bound = rounding.half(row) + ladder.frequencies * UNIT["float32"] * (
            3 + 3 * np.abs(np.log(ladder.frequencies))
        )
        if not ladder.fitted and (np.abs(ladder.frequencies - row) <= bound).all():
            return ladder
    return None
