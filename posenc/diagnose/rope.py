"""What does this function do to queries and keys? A program with a name that does the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import even_width, shown
from posenc.diagnose import programs
from posenc.diagnose.ladder import Ladder, hypotheses
from posenc.diagnose.probe import (
    BESIDE,
    HEADS,
    NEAR,
    OWN,
    PROMPT,
    Call,
    NotTurnedError,
    Probe,
    first_between,
)
from posenc.diagnose.programs import CHANGES, Program, sentence
from posenc.diagnose.rounding import (
    BITS,
    ENTRIES,
    SHORT,
    UNIT,
    Array,
    angle_error,
    coarsest,
    number,
    rounded,
    wrap,
)

__all__ = ["RopeReport", "check_rope"]

# Positions far down a text. Each is about twice the one before, so that the frequency that all
# before agree on tells how often a pair has turned; odd ones are rounded by a short float.
FAR: tuple[int, ...] = (31, 47, 63, 95, 127, 191, 255, 257, 383, 511, 767, 1023, 1537, 2047, 2049)
FAR = (*FAR, 3071, 4095, 6143, 8191, 12_287, 16_383, 24_001, 32_001, 49_999, 65_535)
FAR = (*FAR, 100_001, 131_071)

# Pairs that a list of 16 bits must have before its rounding says anything.
LEAST_PAIRS = 4

# How far from 0 the count of the first token is looked for.
MOST_OFFSET = 64

UNTOLD = " Or, which these calls do not tell apart: "


class RopeReport(NamedTuple):
    """What `check_rope` found; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    rotary : bool
        Whether the function is a rotary embedding without a bug. Its settings may be any.
    text : str
        The finding in words.
    problems : tuple of str
        What is wrong, one sentence each; empty if nothing.
    layout : {"interleaved", "halves", None}
        Which columns turn together.
    width : int
        Columns that turn.
    frequencies : ndarray of float64
        Radians per token of each pair, as measured.
    base : float
        The base of those frequencies, if they follow a rule known here, before they were scaled.
    scaling : str
        How they differ from the ladder of that base, in words; empty if they do not.
    attention_factor : float
        What the turned columns are multiplied by, at the first tokens.
    ground : str
        What the finding holds of, and what was not looked at.
    program : Program or None
        What gives the same numbers; None if nothing known here does.
    """

    rotary: bool
    text: str
    problems: tuple[str, ...] = ()
    layout: str | None = None
    width: int = 0
    frequencies: Array | None = None
    base: float | None = None
    scaling: str = ""
    attention_factor: float = 1.0
    ground: str = ""
    program: Program | None = None

    def __str__(self) -> str:
        """Return the finding in words, problems first, and its ground last."""
        return " ".join(filter(None, [*self.problems, self.text, self.ground]))

    def reproduce(self) -> Callable[[npt.ArrayLike, npt.ArrayLike], Array]:
        """Return a function of x and positions that gives the numbers that were measured.

        Like the function that was examined it may remember the longest text so far.

        Raises
        ------
        ValueError
            If no known cause reproduces them.
        """
        if self.program is None:
            raise ValueError(f"no program known here gives the same numbers, got {self}")
        program = self.program
        before: list[float] = []

        def function(x: npt.ArrayLike, positions: npt.ArrayLike) -> Array:
            result = program(x, positions, tuple(before))
            before.append(float(np.max(positions)))
            return result

        return function


@np.errstate(all="ignore")
def check_rope(function: Callable[..., Any], head_dim: int) -> RopeReport:
    r"""Call a function that applies RoPE as it is used: name its settings, or the bug it has.

    Parameters
    ----------
    function : callable
        ``function(x, positions)`` returns x turned: x is an array of shape (batch, heads,
        tokens, head_dim), positions an int array of shape (tokens,). Wrap code that takes
        something else; it may compute in any type, as its result shows. It may also take
        positions of the shape (batch, tokens), or raise an error there.
    head_dim : int
        Columns of a head, even.

    Returns
    -------
    RopeReport
        Fields for a program; ``str`` of it is the answer in words.

    Raises
    ------
    TypeError
        If `function` cannot be called, or `head_dim` is no integer.
    ValueError
        If `head_dim` is odd, below 2 or above 262 144.

    Notes
    -----
    Unit vectors show which columns mix, and further positions how fast each pair turns. From that a
    program is made: which columns turn together, by which list of frequencies, and with which
    change, if there is one. It runs on everything that the function was given, and what is said is
    the name of a program that gives all numbers, as far as they are rounded. If two changes do,
    both are named; if none does, the first number that differs is.

    An error that the function raises is reported, unless it is none of its own: a TimeoutError, a
    MemoryError, and what is no Exception, as an interrupt, reach the caller.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2024.

    Examples
    --------
    >>> from posenc import rope
    >>> from posenc.diagnose import check_rope
    >>> print(check_rope(lambda x, positions: rope(x, positions, layout="halves"), 64).text)
    RoPE: halves, base 10 000, all 64 columns.
    >>> print(check_rope(lambda x, positions: rope(x, positions + 1), 64).problems[0])
    Position k is turned as position k + 1.
    """
    if not callable(function):
        raise TypeError(f"function must be callable, got {shown(function)}")
    width = even_width(head_dim, "head_dim")
    try:
        return _Reading(Probe(function, width)).report()
    except NotTurnedError as problem:
        return RopeReport(False, "", (str(problem),))


# How fast the columns turn


class _Fit(NamedTuple):
    """Frequencies under which angles grow evenly, as far as they do."""

    omega: Array
    error: Array  # how far each may be off, as a part of itself
    start: Array  # the angle at position 0
    good: int  # so many rows fit
    kind: str  # the type of the angles


def _room(line: Array, omega: Array, unit: float, kind: str) -> Array:
    """Return how far a measured angle may be from the one that a frequency gives."""
    bound: Array = 4 * unit * np.minimum(np.abs(line), 1.0) + 2 * UNIT[kind]
    return bound + angle_error(line, omega, kind)


def _fitted(angles: Array, places: Array, unit: float) -> _Fit:
    """Return the frequencies that explain most rows; angles in 16 bits, a bug, come last."""
    fits = [_followed(angles, places, unit, kind) for kind in ("float32", *reversed(SHORT))]
    return fits[0] if fits[0].good >= NEAR else max(fits, key=lambda fit: fit.good)


def _followed(angles: Array, places: Array, unit: float, kind: str) -> _Fit:
    """Follow each pair: from row to row its angle tells its frequency ever more finely."""
    good = len(places)
    first = 4 * unit * np.minimum(np.abs(angles[0]), 1.0)  # what the first angle is off by
    omega: Array = wrap(angles[1] - angles[0])
    doubt = _room(omega, omega, unit, kind) + first
    for row, step in enumerate(places[2:], 2):
        left = wrap(angles[row] - angles[0] - step * omega)
        near = _room(step * omega, omega, unit, kind) + first
        if (np.abs(left) > 2 * near + step * doubt).any():
            good = row
            break
        omega = np.where(near / step < doubt, omega + left / step, omega)
        doubt = np.minimum(near / step, doubt)
    return _Fit(omega, doubt / np.maximum(np.abs(omega), 1e-300), angles[0], good, kind)


def _without_a_rule(omega: Array) -> str:
    """Return what no list of a model has, if a list has it."""
    fast = np.flatnonzero((omega < 0) | (omega > np.append(np.inf, omega[:-1]) * (1 - 1e-6)))
    if not fast.size:
        return ""
    speed = number(float(omega[fast[0]]))
    return f"Pair {fast[0]} turns by {speed} a token; in a model each turns less, none backwards."


# Programs that may be it


class _Miss(NamedTuple):
    call: Call
    token: int
    text: int
    head: int
    column: int
    amount: float

    @property
    def place(self) -> int:
        """Return the position of the token."""
        return int(self.call.at.positions[self.text, 0, self.token])


class _Reading:
    """All calls of a function, and the search for the program that gives their numbers."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self.ended = 0
        self.end: Call | None = None  # the first call beyond
        self.limits: list[int] = []
        probe.near()
        self.count = len(probe.first)  # pairs that turn
        self._walk()
        some = [call.result.ravel()[:ENTRIES] for call in probe.calls if call.result is not None]
        self.unit = coarsest(np.concatenate(some))
        # A table may be of a coarser type, before a factor or after.
        self.stored = min(self.unit, coarsest(self.rows), key=BITS.__getitem__)
        self.close = max(8 * UNIT[self.stored], 1e-6)
        self.layout, self.begin, self.total = self._layout()

    def _walk(self) -> None:
        """Make the calls, those of growing length first."""
        probe = self.probe
        near = probe.rows("the first tokens, unit vectors", range(NEAR))
        if near is None:
            raise NotTurnedError(probe.calls[-1].problem)
        probe.as_used()
        seen, places, self.far = [near], list(range(NEAR)), []

        def fails(k: int) -> bool:
            return bool(probe.ask("", probe.draw(1, 3, 4), [*BESIDE, k]).problem)

        for place in FAR:
            found = probe.rows(f"a text with position {number(place)}", [*BESIDE, place])
            if found is None:
                self.end = probe.calls.pop()
                self.ended = first_between(places[-1], place, fails)
                break
            self.far.append(probe.calls[-1])
            seen.append(found[:, -1:])
            places.append(place)
        self.rows, self.places = np.concatenate(seen, axis=1), np.array(places, float)
        for place in places[len(places) // 2 :: 4]:
            heads = HEADS if place > places[-1] / 4 else 2
            probe.see("one token alone", probe.draw(1, heads, 1), [place])
        # The rows of one long text, with all positions in no order but the last.
        order = np.append(probe.rng.permutation(len(places) - 1), len(places) - 1)
        rows = probe.rows("near and far positions together", self.places[order], texts=3)
        self.long = None if rows is None else rows[:, np.argsort(order)]
        probe.text(self.ended or PROMPT)

    def _layout(self) -> tuple[str | None, int, int]:
        """Return the layout, its first column, and how many pairs it has, with still ones."""
        if not self.count:
            return None, 0, 0
        first, apart = self.probe.first, self.probe.second - self.probe.first
        begin, step = int(first[0]), int(apart[0])
        ordered = (first == begin + (1 + (step == 1)) * np.arange(self.count)).all()
        if ordered and (apart == step).all():
            if step == 1:
                return "interleaved", begin, self.count
            if step >= self.count and begin + 2 * step <= self.probe.width:
                return "halves", begin, step
        return None, 0, self.count

    # Comparing

    def _off(self, program: Program, call: Call, rows: Any) -> Array:
        assert call.result is not None
        found = call.result[:, :, rows]
        return program.off(call.at._replace(rows=rows), found, UNIT[self.unit])

    def missed(self, program: Program, calls: list[Call] | None = None) -> Iterator[_Miss]:
        """Yield the first number that a program does not give, of each call, small ones first."""
        for call in sorted(calls or self.probe.calls, key=lambda call: call.at.x.size):
            for begin in range(0, call.at.x.shape[2] if call.result is not None else 0, 512):
                off = self._off(program, call, slice(begin, begin + 512))
                if (off > 0).any():
                    row, text, head, column = np.argwhere(np.moveaxis(off > 0, 2, 0))[0].tolist()
                    amount = float(off[text, head, row, column])
                    yield _Miss(call, begin + row, text, head, column, amount)
                    break

    def gives(self, program: Program, missed: list[_Miss], calls: list[Call] | None = None) -> bool:
        """Return whether a program gives what was missed, and then all numbers of some calls."""
        at = ((miss.call, slice(miss.token, miss.token + 1)) for miss in missed)
        return not any((self._off(program, *each) > 0).any() for each in at) and not any(
            self.missed(program, calls)
        )

    # Readings

    def readings(self) -> Iterator[Program]:
        """Yield programs that the numbers may be read as, the usual one first."""
        a, b, c, d = self.rows
        row, other = a - 1j * b, d + 1j * c
        for both in ((row, other), (row, row)) if self.count else ():
            z = np.concatenate(both, axis=1)
            fit = _fitted(np.angle(z), self.places, UNIT[self.stored])
            yield from self._read(fit, z)
            apart = np.abs(row - other)[:NEAR].max() / np.abs(row).max()
            if apart <= 16 * UNIT[self.unit] and fit.good >= NEAR and np.ptp(row, axis=0).max():
                return  # it is a rotation by the position, whatever else it does
        # The angles may be those of the head, whose number is 1 for the second unit vector.
        omega = np.arctan2(-b[0], d[0])
        if (np.abs(omega) > 1e-6).any():
            error = np.minimum(4 * UNIT[self.unit] / omega, 0.3)
            for ladder in islice(hypotheses(omega, error, np.zeros_like(omega)), 6):
                program = self._program(ladder.frequencies[np.newaxis], ladder=ladder)
                program = program.changed((programs.BY_HEAD, None))
                if not any(self.missed(program)):
                    yield program
        yield self._program(np.zeros((1, self.count)))

    def _program(self, lists: Array, factor: float = 1.0, **options: Any) -> Program:
        """Return the program with a list: what does not turn is times the factor, or as it was."""
        probe, call = self.probe, self.probe.calls[0]
        assert call.result is not None
        times = call.result[0, 0, -1, probe.out] / call.at.x[0, 0, -1]
        times = np.where(np.abs(times - factor) <= 16 * UNIT[self.unit] * abs(factor), factor, 1.0)
        return Program(probe.first, probe.second, probe.out, lists, factor, times, **options)

    def _read(self, fit: _Fit, z: Array) -> Iterator[Program]:
        """Yield the programs with the frequencies of the first columns and of the second ones."""
        count, doubt = self.count, 4 * fit.error * np.abs(fit.omega) + 1e-12
        rank = np.argsort(np.argsort(np.r_[self.probe.first, self.probe.second]))
        # Both columns of a pair have its frequency, or those of a table in halves or neighbours.
        for deal in (np.tile(np.arange(count), 2), rank % count, rank // 2):
            columns = np.unique(deal, return_index=True)[1]
            off = np.abs(np.abs(fit.omega[columns][deal]) - np.abs(fit.omega))
            if (off <= doubt + doubt[columns][deal]).all():
                break
        else:
            return
        changes: list[tuple[str, Any]] = []
        if (deal[:count] != deal[count:]).any():
            changes.append((programs.MIXED, deal.reshape(2, -1)))
        sign = -1.0 if (fit.omega[columns] < 0).all() else 1.0
        omega, error = sign * fit.omega[columns], fit.error[columns]
        if offset := self._offset(wrap(sign * fit.start[columns]), omega):
            changes.append((programs.OFFSET, offset))
        rows = (np.arange(len(z)) < fit.good) & (np.abs(z).min(axis=1) > 0)
        angles = sign * np.angle(z[rows][:, columns])
        factor = float(np.median(np.abs(z[0]))) or 1.0
        factor = 1.0 if abs(factor - 1) < self.close else factor
        if named := self._named(fit.kind, omega, error, self.places[rows] + offset, angles):
            ladder, short = named
            listed, of_list = ladder.frequencies, []
            if short:
                off = np.abs(rounded(listed, short) - listed)
                lost = int(off.argmax()), number(np.ceil(1 / off.max()))
                of_list = [(programs.LIST_IN.format(short), lost)]
            program = self._program(listed[np.newaxis, :count], factor, ladder=ladder)
            yield program.changed(*of_list, *changes)
            if fit.kind not in SHORT:
                return
        doubt = error * np.abs(omega)
        yield self._program(omega[np.newaxis], factor, doubt=doubt).changed(*changes)

    def _named(
        self, kind: str, omega: Array, error: Array, places: Array, angles: Array
    ) -> tuple[Ladder, str] | None:
        """Return a list known by name that explains every angle, and what it was rounded to."""
        # Pairs of the layout that do not turn are zeros.
        measured, errors = (np.pad(each, (0, self.total - self.count)) for each in (omega, error))
        shorts = ("", *SHORT) if len(omega) >= LEAST_PAIRS else ("",)
        for fitted, short in [*((False, short) for short in shorts), (True, "")]:
            slack = np.full_like(measured, 2 * UNIT.get(short, 0.0))
            if short == "float16":  # below its least number it has fewer bits
                slack *= np.maximum(1, 2.0**-14 / np.where(measured != 0, measured, 1.0))
            for ladder in hypotheses(measured, errors, slack):
                listed = rounded(ladder.frequencies, short or "float64")[: len(omega)]
                line = places[:, np.newaxis] * listed
                room = _room(line, listed, UNIT[self.stored], kind)
                if ladder.fitted == fitted and (np.abs(wrap(angles - line)) <= room).all():
                    return ladder, short
        return None

    def _offset(self, start: Array, omega: Array) -> int:
        """Return the position, if there is one, by which the first token is turned already."""
        steps = sorted(range(-MOST_OFFSET, MOST_OFFSET + 1), key=abs)
        off = np.abs(wrap(start - np.multiply.outer(steps, omega))).max(axis=1)
        near = np.flatnonzero(off <= 8 * self.close * (1 + np.abs(steps)))
        return steps[near[0]] if near.size else 0

    # Explaining

    def explained(self) -> tuple[list[Program], Program, list[_Miss]]:
        """Return programs that give all numbers, the nearest without changes, and what it misses.

        There is more than one if the calls do not tell the changes apart, and none may be known.
        """
        nearest: tuple[Program, list[_Miss], list[tuple[str, Any]]] | None = None
        for program in self.readings():
            if not any(self.missed(program)):
                return [program], program, []
            self._ask_at_limits(program)
            missed = list(self.missed(program))
            clues = self._clues(program, missed) if self.count else {}
            changes = [
                (said, n)
                for said, change in CHANGES.items()
                for n in (clues.get(change.by, []) if change.by else [None])
            ]
            changed = [program.changed(each) for each in changes]
            if found := [each for each in changed if self.gives(each, missed)]:
                return found, program, missed
            if nearest is None or len(missed) < len(nearest[1]):
                nearest = program, missed, changes
        assert nearest is not None
        program, missed, changes = nearest
        # Two changes, one of which gives the numbers of a call: the first number of each is tried.
        singles = list(dict(reversed(changes)).items())
        pairs = (
            program.changed(*both)
            for one in singles
            if any(self.gives(program.changed(one), [miss], [miss.call]) for miss in missed[:4])
            for other in singles
            if other[0] != one[0]
            for both in ((one, other), (other, one))
        )
        both = next((each for each in pairs if self.gives(each, missed)), None)
        return [both] if both else [], program, missed

    def _ask_at_limits(self, program: Program) -> None:
        """Look from each side of the position at which a text is first turned otherwise, once."""
        wrong = [any(self.missed(program, [call])) for call in self.far]
        if self.limits or not any(wrong):
            return
        probe, row = self.probe, NEAR + wrong.index(True)
        good, bad = (int(k) for k in self.places[row - 1 : row + 1])

        def is_bad(k: int) -> bool:
            name = f"a text with position {number(k)}"
            call = probe.see(name, probe.draw(1, 2, 4), [*BESIDE, k])
            return call.result is None or any(self.missed(program, [call]))

        limit = first_between(good, bad, is_bad)
        # A list that changes slowly shows it later, and mostly changes at a power of two.
        self.limits = [limit, *(2**k for k in range(4, 18) if good < 2**k <= bad)]
        for place in (limit - 1, limit):
            probe.see("one token alone", probe.draw(1, 2, 1), [place])
        probe.after()

    def _clues(self, program: Program, missed: list[_Miss]) -> dict[str, list[Any]]:
        """Return the numbers that changes may need, each from what a program misses."""
        longer = [miss for miss in missed if miss.call.at.x.shape[2] > 8]
        where = {
            "tokens": {miss.token for miss in longer},
            "heads": {miss.head for miss in missed},
            "texts": {miss.text for miss in missed},
        }
        clues: dict[str, list[Any]] = {key: sorted(of - {0})[:3] for key, of in where.items()}
        places = sorted({miss.place for miss in longer} - {0, *self.limits})
        clues["positions"] = self.limits[:2] + places[:2]
        last = float(self.places[-1])
        limits = [n for n in clues["positions"] if NEAR <= n <= last]
        lengths = np.hypot(*self.rows[:2]) / abs(program.factor)
        most = float(np.median(lengths[-1])) - 1
        clues["growths"] = [np.log(lengths[-1]) / last] if np.ptp(lengths) > 0 else []
        if abs(most) > 1e-6:
            clues["temperatures"] = [(n, most / math.log1p(last // n)) for n in limits]
        if self.long is None:
            return clues
        fit = _fitted(np.arctan2(-self.long[1], self.long[0]), self.places, UNIT[self.stored])
        other, slower = fit.omega, float(program.lists[0, -1] / fit.omega[-1])
        still = (other < program.lists[0] / 2**20).any()  # no model slows a pair as much
        if fit.good < len(self.places) or still or _without_a_rule(other):
            return clues
        clues["lists"] = [(n, other[np.newaxis]) for n in limits]
        clues["dynamic"] = []
        steps = np.arange(self.count) / max(1, self.count - 1)
        for n in limits if 1 < slower < math.inf else ():
            factor = (slower - 1) / ((last + 1) / n - 1)
            whole = round(4 * factor) / 4
            # A long text may show the list of short ones more finely.
            near = other * (whole * (last + 1) / n - (whole - 1)) ** steps
            of = ((whole, program.lists), (whole, near[np.newaxis]), (factor, program.lists))
            clues["dynamic"] += [(n, *each) for each in of]
        return clues

    # The report

    def report(self) -> RopeReport:
        """Return what is said of the program, or of the first number that none gives."""
        found, nearest, missed = self.explained()
        program = found[0] if found else None
        listed = np.pad(nearest.lists[0], (0, self.total - self.count))
        ladder, text = program.ladder if program else None, ""
        findings = list(self._findings(found) if found else [])
        problems = [said for right, said in findings if said and not right]
        if program is None:
            problems = [self._unknown(missed)]
        elif self.count:
            parts = [
                self.layout or "no known layout",
                _base_said(ladder, listed),
                _columns_said(self.begin, 2 * len(listed), self.probe.width),
                ladder.words if ladder else "",
                f"times {program.factor:.6g}" if program.factor != 1 else "",
                *(said for right, said in findings if right),
            ]
            text = f"RoPE: {', '.join(filter(None, parts))}."
        problems += dict.fromkeys(self.probe.notes)
        if self.end and not self.end.raised:
            problems.append(f"From position {number(self.ended)} on: {self.end.problem}")
        for call in self.probe.calls:
            if call.problem and not 0 < self.ended <= call.at.longest:
                problems.append(f"{call.name[0].upper()}{call.name[1:]}: {call.problem}")
                break
        return RopeReport(
            not problems,
            text,
            tuple(problems),
            self.layout,
            2 * len(listed),
            listed,
            (ladder.base or None) if ladder else None,
            ladder.words if ladder else "",
            nearest.factor,
            self._ground(),
            program,
        )

    def _findings(self, found: list[Program]) -> Iterator[tuple[bool, str]]:
        """Yield what is said of programs that give all numbers, each with whether models do so."""
        program = found[0]
        for said, n in program.changes[:-1]:
            yield CHANGES[said].right, sentence(said, n)
        if program.changes:
            names = dict.fromkeys(sentence(*each.changes[-1]) for each in found)
            yield CHANGES[program.changes[-1][0]].right, UNTOLD.join(names)
        probe, ladder = self.probe, program.ladder
        if not self.count:
            said = "turns" if program.changes else "changes"
            yield False, f"It {said} nothing, at any position."
        elif self.layout is None:
            pairs = list(zip(probe.first.tolist(), probe.second.tolist(), strict=True))[:3]
            yield False, f"The pairs are in no known layout; the first are {pairs}."
        omega = program.lists[0] if ladder is None else ladder.frequencies
        omega = omega[omega != 0]
        yield False, ladder.problem if ladder else _without_a_rule(omega)
        sure = omega[program.doubt < omega * 2.0**-18]
        if ladder is None and len(sure) >= LEAST_PAIRS and coarsest(sure, 2.0**-18) in SHORT:
            held = f"hold no more bits than {coarsest(sure, 2.0**-18)} has"
            yield False, f"Its frequencies follow no rule known here, and {held}."
        still = np.delete(program.still, [*program.first, *program.second])
        if (still != 1).any():
            yield True, f"as {np.sum(still != 1)} columns that do not turn are"
        # Neighbours of the layout that come out as halves.
        dealt, turning = np.arange(probe.width), self.begin + np.arange(2 * self.total)
        dealt[turning[0::2]], dealt[turning[1::2]] = np.split(turning, 2)
        if self.layout == "interleaved" and self.total > 1 and (probe.out == dealt).all():
            said = "(as DeepSeek; harmless if queries and keys do)"
            yield True, f"neighbours go in and halves come out {said}"
        elif (wrong := np.flatnonzero(probe.out != np.arange(probe.width))).size:
            said = f"column {wrong[0]} as {probe.out[wrong[0]]}"
            yield False, f"Columns come out in another order: {said}."
        if self.end and self.end.raised:
            why = self.end.problem[3:].rstrip(".")
            yield True, f"only to position {number(self.ended - 1)}, then {why}"
        exact = program._replace(kind="float64")
        short = self.unit not in SHORT and not program.changes and any(self.missed(exact))
        yield True, "angles in float32" if short else ""

    def _unknown(self, missed: list[_Miss]) -> str:
        """Return the measured difference, where nothing known gives the numbers."""
        miss = min(missed, key=lambda miss: (miss.call.at.longest, miss.place))
        layout = self.layout or "the pairs that its unit vectors show"
        return (
            "No cause known here gives its numbers. From plain RoPE with the same frequencies "
            f"({layout}) they differ first in {miss.call.name}, token {number(miss.token)}, at "
            f"position {number(miss.place)}, column {miss.column}, head {miss.head}, text "
            f"{miss.text}: by {miss.amount:.2g}."
        )

    def _ground(self) -> str:
        """Return what the finding holds of, and what was not looked at."""
        calls = [call for call in self.probe.calls if call.result is not None]
        left_out = "a text with", "the first tokens, unit"
        names = [call.name for call in calls if not call.name.startswith(left_out)]
        last = number(max(call.at.longest for call in calls))
        unseen = (
            ""
            if OWN in names
            else ", positions of the shape (batch, tokens), which it does not take"
        )
        longest = number(max(call.at.x.shape[2] for call in calls))
        return (
            f"Looked at {len(calls)} calls: positions 0 to {NEAR - 1} and {len(self.far)} more up "
            f"to {last}; {'; '.join(dict.fromkeys(names))}. x was float64, and the "
            f"numbers are {self.unit}. Not looked at: positions beyond {last}{unseen}, more than "
            f"{longest} tokens in a call."
        )


def _base_said(ladder: Ladder | None, omega: Array) -> str:
    if ladder is None:
        return "frequencies by no rule known here"
    if ladder.base:
        return f"base {number(ladder.base)}"
    return "" if ladder.words else f"{number(float(omega[0]))} radian per token"


def _columns_said(begin: int, turning: int, width: int) -> str:
    if turning == width:
        return f"all {width} columns"
    ends = {0: "first", width - turning: "last"}
    if begin in ends:
        return f"the {ends[begin]} {turning} of {width} columns"
    return f"columns {begin} to {begin + turning - 1} of {width}"
