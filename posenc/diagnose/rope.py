"""What does this function do to queries and keys? A program with a name that does the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import even_width, float_type, real_array, shown, whole_numbers
from posenc.diagnose import programs
from posenc.diagnose.ladder import Ladder, hypotheses
from posenc.diagnose.probe import (
    BESIDE,
    HEADS,
    NEAR,
    Call,
    NotTurnedError,
    Probe,
    first_between,
)
from posenc.diagnose.programs import CHANGES, SHORTENED, Program, sentence
from posenc.diagnose.rounding import BITS, SHORT, UNIT, Array, angle_error, coarsest, number, wrap

__all__ = ["RopeReport", "check_rope"]

# Positions far down a text. Each is about twice the one before, so that the frequency that all
# before agree on tells how often a pair has turned; odd ones are rounded by a short float.
FAR: tuple[int, ...] = (31, 47, 63, 95, 127, 191, 255, 257, 383, 511, 767, 1023, 1537, 2047, 2049)
FAR = (*FAR, 3071, 4095, 6143, 8191, 12_287, 16_383, 24_001, 32_001, 49_999, 65_535)
FAR = (*FAR, 100_001, 131_071)

# What is said of the list that the caller passed.
PASSED = "the frequencies that were passed"

# Angles at which every first token is turned, where a whole turn has another sign or function.
STARTS = {programs.NEGATIVE: math.pi, programs.EXCHANGED: -math.pi / 2}

# Pairs that a list of 16 bits must have before its rounding says anything.
LEAST_PAIRS = 4

# No pair of a model is as many times slower in long texts.
SLOWEST = 2**20

# Where a change takes a number for each pair, it is named only if none with fewer numbers does.
FREE = ("lists", "growths", "columns")

# Angles may be kept in these types; in the last two they are a bug.
KINDS = ("float64", "float32", "float16", "bfloat16")


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
    offset : float
        The position that the first token is turned by: 0, if all is well.
    attention_factor : float
        What the turned columns are multiplied by, at the first tokens.
    far : dict
        The largest error of an angle, in radians, at each position probed far down a text.
    rounding : str
        The coarsest type that holds the sines and cosines.
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
    offset: float = 0.0
    attention_factor: float = 1.0
    far: dict[int, float] | None = None
    rounding: str | None = None
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
def check_rope(
    function: Callable[..., Any],
    head_dim: int,
    *,
    frequencies: npt.ArrayLike | None = None,
    positions: npt.ArrayLike | None = None,
    dtype: npt.DTypeLike = np.float64,
) -> RopeReport:
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
    frequencies : array_like of real numbers, shape (m,), optional
        The list that the function should have, at most ``head_dim / 2`` numbers. If it has
        another, that is a problem.
    positions : sequence of int, optional
        Positions to probe beyond the first 24, in growing order, each at most a few times the
        one before. By default 27 of them, up to 131 071.
    dtype : data-type, optional
        The NumPy float type of x.

    Returns
    -------
    RopeReport
        Fields for a program; ``str`` of it is the answer in words.

    Raises
    ------
    TypeError
        If `function` cannot be called, `head_dim` or a position is no integer, `frequencies` are
        no real numbers, or `dtype` is no float type.
    ValueError
        If `head_dim` is odd, below 2 or above 262 144, a position is below 24, or `frequencies`
        are not one row of finite numbers, at most one for each pair of columns.

    Notes
    -----
    Unit vectors show which columns mix. Further positions tell how fast each pair turns, ever more
    finely. From that a program is made: which columns turn together, by which list of frequencies
    and with which change, if there is one. It runs on everything that the function was given: the
    first tokens, twice; tokens alone, with gaps, in another order, in a batch, of 64 heads; far
    positions; a prompt of 4200 tokens, and the first tokens after it. What is said is the name of
    a program that gives all numbers, as far as they are rounded. If two changes do, both are
    named; if none does, the first number that differs is.

    A list gets its name if it gives every angle that was measured. With u the unit roundoff of the
    results, and a that of the angles, float64 or float32, it may be off by

    .. math:: 4 u\,|k \omega| + 2 a + |k \omega|\, a\, (3 + 3\, |\ln \omega|),

    where the first term grows to 4u at the most. It is for the sine and the cosine, the second for
    how they are computed. In the third, ω is the exponential of a product of two rounded numbers,
    or a power and its inverse, and kω is rounded again. Lists and positions rounded to 16 bits are
    compared in the same way.

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
    far = FAR
    if positions is not None:
        far = tuple(whole_numbers(positions, "positions", least=NEAR, most=2**53))
    expected = None if frequencies is None else real_array(frequencies, "frequencies")
    if expected is not None and expected.ndim != 1:
        raise ValueError(f"frequencies must have one axis, got shape {expected.shape}")
    if expected is not None and not 0 < len(expected) <= width // 2:
        raise ValueError(
            f"frequencies must be at most {width // 2} for a head_dim of {width}, got "
            f"{len(expected)}: {shown(frequencies)}"
        )
    probe = Probe(function, width, float_type(dtype))
    try:
        return _Reading(probe, far, expected, positions is not None).report()
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
    """Return the frequencies that explain most rows, of angles of the finest type that does."""
    fits: list[_Fit] = []
    for kind in KINDS:
        fits.append(_followed(angles, places, unit, kind))
        if fits[-1].good == len(places):
            return fits[-1]
        if kind == "float32" and max(fit.good for fit in fits) >= NEAR:
            break
    return max(fits, key=lambda fit: fit.good)


def _followed(angles: Array, places: Array, unit: float, kind: str) -> _Fit:
    """Follow each pair: from row to row its angle tells its frequency ever more finely."""
    begin, good = places[0], len(places)
    first = 4 * unit * np.minimum(np.abs(angles[0]), 1.0)  # what the first angle is off by
    omega: Array = wrap(angles[1] - angles[0]) / (places[1] - begin)
    doubt = _room(omega, omega, unit, kind) + first
    for row in range(2, len(places)):
        step = max(places[row] - begin, 1.0)
        left = wrap(angles[row] - angles[0] - step * omega)
        near = _room(step * omega, omega, unit, kind) + first
        if (np.abs(left) > 2 * near + step * doubt).any():
            good = row
            break
        omega = np.where(near / step < doubt, omega + left / step, omega)
        doubt = np.minimum(near / step, doubt)
    error = doubt / np.maximum(np.abs(omega), 1e-300)
    return _Fit(omega, error, wrap(angles[0] - begin * omega), good, kind)


def _without_a_rule(omega: Array) -> str:
    """Return what no list of a model has, if a list has it."""
    if (omega < 0).any():
        return f"Pair {np.flatnonzero(omega < 0)[0]} turns the other way."
    if len(omega) > 1 and np.ptp(omega) <= 1e-3 * omega[0]:
        return f"All {len(omega)} pairs have one frequency, {number(float(omega[0]))}."
    same = np.flatnonzero(np.abs(omega[1:] / omega[:-1] - 1) < 1e-6)
    faster = np.flatnonzero(omega[1:] > omega[:-1] * (1 + 1e-6))
    if same.size:
        return f"Pairs {same[0]} and {same[0] + 1} have the same frequency."
    return f"Pair {faster[0] + 1} turns faster than pair {faster[0]}." if faster.size else ""


# Programs that may be it


class _Miss(NamedTuple):
    call: Call
    text: int
    head: int
    token: int
    column: int
    amount: float

    @property
    def place(self) -> int:
        """Return the position of the token that a program misses."""
        positions = self.call.at.positions
        return int(positions[min(self.text, len(positions) - 1), 0, self.token])


class _Reading:
    """All calls of a function, and the search for the program that gives their numbers."""

    def __init__(
        self, probe: Probe, far: tuple[int, ...], expected: Array | None, asked: bool
    ) -> None:
        self.probe, self.expected = probe, expected
        self.ended, self.end = 0, NotTurnedError("")
        self.limits: tuple[int, ...] | None = None
        probe.near()
        probe.find_pairs()
        self._walk(far, asked)
        drawn = [call.result for call in probe.calls if call.result is not None]
        self.unit = max((coarsest(each.ravel()) for each in drawn), key=BITS.__getitem__)
        # A table may have been rounded to a coarser type, before a factor or after.
        size = float(np.median(np.hypot(self.rows[0], self.rows[2])[:NEAR])) if self.count else 0.0
        kinds = [self.unit, coarsest(self.rows)] if self.count else [self.unit]
        if size and (before := coarsest(self.rows / size, 2.0**-22)) in SHORT:
            kinds.append(before)
        self.stored = min(kinds, key=BITS.__getitem__)
        self.close = max(8 * UNIT[self.stored], 1e-6)
        self.layout, self.begin, self.total = self._layout()

    @property
    def count(self) -> int:
        """Return the number of pairs that turn."""
        return len(self.probe.first)

    def _walk(self, far: tuple[int, ...], asked: bool) -> None:
        """Make the calls, those of growing length first."""
        probe = self.probe
        near = probe.rows("the first tokens, unit vectors", range(NEAR))
        if near is None:
            raise probe.calls[-1].problem or NotTurnedError("")
        self.alone = probe.rows("one token alone", [0])
        probe.as_used()
        seen, places, self.far = [near], list(range(NEAR)), []

        def fails(k: int) -> NotTurnedError | None:
            return probe.ask("", probe.draw(1, 3, 4), [*BESIDE, k]).problem

        for place in far:
            found = probe.rows(f"a text with position {number(place)}", [*BESIDE, place])
            if found is None:
                probe.calls.pop()
                self.ended = first_between(places[-1], place, lambda k: bool(fails(k)))
                self.end = fails(self.ended) or self.end
                break
            self.far.append(probe.calls[-1])
            seen.append(found[:, -1:])
            places.append(place)
        self.rows, self.places = np.concatenate(seen, axis=1), np.array(places, float)
        for place in places[len(places) // 2 :: 4]:
            heads = HEADS if place > places[-1] / 4 else 2
            probe.see("one token alone", probe.draw(1, heads, 1), [place])
        # The rows of long texts, with their positions: first all together, in no order.
        order = np.append(probe.rng.permutation(len(places) - 1), len(places) - 1)
        rows = probe.rows("near and far positions together", self.places[order], texts=3)
        self.long = [(rows if rows is None else rows[:, np.argsort(order)], self.places)]
        probe.text(self.ended or (places[-1] + 1 if asked else math.inf))
        probe.own_positions()

    def _layout(self) -> tuple[str | None, int, int]:
        """Return the layout, its first column, and how many pairs it has, with still ones."""
        if not self.count:
            return None, 0, 0
        first, apart = self.probe.first, self.probe.second - self.probe.first
        begin, step = int(first[0]), int(apart[0])
        ordered = (first == begin + (1 + (step == 1)) * np.arange(self.count)).all()
        if ordered and (apart == step).all():
            if step == 1 and (self.count > 1 or begin % 2 == 0):
                return "interleaved", begin, self.count
            if step >= self.count and begin + 2 * step <= self.probe.width:
                return "halves", begin, step
        return None, 0, self.count

    def _padded(self, omega: Array) -> Array:
        """Return a list with zeros for the pairs of the layout that do not turn."""
        return np.pad(omega, (0, self.total - len(omega)))

    # Comparing

    def _off(self, program: Program, call: Call, rows: Any) -> Array:
        assert call.result is not None
        found = call.result[:, :, rows]
        return program.off(call.at._replace(rows=rows), found, UNIT[self.unit])

    def missed(self, program: Program, calls: list[Call] | None = None) -> Iterator[_Miss]:
        """Yield the first number that a program does not give, of each call, small ones first."""
        for call in sorted(calls or self.probe.calls, key=lambda call: call.at.x.size):
            count = call.at.x.shape[2]
            parts: list[Any] = [slice(None)]
            if count > 512:
                spread = np.unique(np.r_[0:80, np.geomspace(80, count - 1, 80).astype(int)])
                parts = [spread, *(slice(k, k + 512) for k in range(0, count, 512))]
            for rows in parts if call.result is not None else ():
                off = self._off(program, call, rows)
                if (off > 0).any():
                    token = int((off > 0).any(axis=(0, 1, 3)).argmax())
                    worst = off[:, :, token]
                    where = [int(n) for n in np.unravel_index(worst.argmax(), worst.shape)]
                    token = int(np.arange(count)[rows][token])
                    yield _Miss(call, where[0], where[1], token, where[2], float(worst.max()))
                    break

    def gives(self, program: Program, missed: list[_Miss], calls: list[Call] | None = None) -> bool:
        """Return whether a program gives what was missed, and then all numbers of some calls."""
        try:
            for miss in missed:
                if (self._off(program, miss.call, slice(miss.token, miss.token + 1)) > 0).any():
                    return False
            return next(self.missed(program, calls), None) is None
        except (ValueError, IndexError):  # a number of another shape
            return False

    # Readings

    def readings(self) -> Iterator[tuple[Program, bool]]:
        """Yield programs that the numbers may be read as, the usual one first.

        With each comes whether its list is only a guess from some of the numbers.
        """
        if not self.count:
            yield self._program(np.zeros((1, 0))), True
            return
        a, b, c, d = self.rows
        row, other, head = a - 1j * b, d + 1j * c, a + 1j * c
        for each in ((row, other), (head, head), (row, row), (other, other)):
            z = np.concatenate(each, axis=1)
            fit = _fitted(np.angle(z), self.places, UNIT[self.stored])
            yield from ((program, False) for program in self._read(fit, z))
            apart = np.abs(row - other)[:NEAR].max() / np.abs(row).max()
            if apart <= 16 * UNIT[self.unit] and fit.good >= NEAR and np.ptp(row, axis=0).max():
                return  # it is a rotation by the position, whatever else it does
        # The angles may not be those of positions at all, or only the cosines are right.
        alone = self.rows if self.alone is None else self.alone
        fixed = np.arctan2(-b[0], d[0]), np.arctan2(alone[2][0], alone[0][0])
        guesses = [
            (each, 4 * UNIT[self.unit] / each) for each in fixed if np.abs(each).max() > 1e-6
        ]
        for part in (a, c):
            omega = np.arccos(np.clip(part[1] / np.abs(part[:NEAR]).max(), -1, 1))
            guesses.append((omega, 4 * UNIT[self.unit] / omega**2 + 1e-9))
        for omega, error in guesses:
            known = hypotheses(omega, np.minimum(error, 0.3), np.zeros_like(omega))
            for ladder in [*islice(known, 6), None]:
                listed = omega if ladder is None else ladder.frequencies
                yield self._program(listed[np.newaxis], ladder=ladder, kind="float32"), True

    def _program(self, lists: Array, factor: float = 1.0, **options: Any) -> Program:
        """Return the program with a list, and what each column that does not turn is times."""
        probe, call, times = self.probe, self.probe.calls[0], np.ones(self.probe.width)
        still = np.setdiff1d(np.arange(probe.width), np.r_[probe.first, probe.second])
        if len(still) and call.result is not None:
            by = np.median(call.result[..., probe.out[still]] / call.at.x[..., still], (0, 1, 2))
            for known in (1.0, factor):
                by = np.where(np.abs(by - known) <= 8 * UNIT[self.unit], known, by)
            times[still] = by
        return Program(probe.first, probe.second, probe.out, lists, factor, times, **options)

    def _factor(self, lengths: Array) -> float:
        """Return what most lengths at the first tokens are, or those at position 0."""
        usual = float(np.median(lengths[:NEAR]))
        alike = lengths[:NEAR][np.abs(lengths[:NEAR] - usual) <= 0.02 * usual]
        factor = float(alike.mean()) if alike.size else usual
        if np.ptp(np.median(lengths[:NEAR], axis=1)) > self.close * factor and lengths[0].min():
            factor = float(np.median(lengths[0]))
        return 1.0 if abs(factor - 1) < self.close else factor

    def _read(self, fit: _Fit, z: Array) -> Iterator[Program]:
        """Yield the programs with the frequencies of the first columns and of the second ones."""
        probe, count, factor = self.probe, self.count, self._factor(np.abs(z))
        if not factor:
            return
        first, second = np.split(fit.omega, 2)
        doubt = 8 * np.maximum(*np.split(fit.error * np.abs(fit.omega), 2)) + 1e-12
        columns = np.arange(count)
        changes: list[tuple[str, Any]] = []
        if (np.abs(np.abs(first) - np.abs(second)) <= doubt).all():
            signs = bool((first < 0).all()), bool((second < 0).all())
            known = {(True, True): programs.BACKWARDS, (True, False): programs.NO_MINUS}
            known[False, True] = programs.TWO_MINUS
            changes = [(known[signs], None)] if signs in known else []
        else:
            order = np.argsort(np.r_[probe.first, probe.second], kind="stable")
            table, rank = fit.omega[order], np.argsort(order)
            if np.abs(table[:count] - table[count:]).max() <= doubt.max():
                columns, deal = order[:count], rank % count
            elif np.abs(table[::2] - table[1::2]).max() <= doubt.max():
                columns, deal = order[::2], rank // 2
            else:  # each column has a frequency of its own
                lists, error = (each.reshape(2, -1) for each in (fit.omega, fit.error))
                yield self._program(lists, factor, kind=fit.kind, doubt=error * np.abs(lists))
                return
            changes = [(programs.MIXED, deal.reshape(2, -1))]
        sign = -1.0 if (fit.omega[columns] < 0).all() else 1.0
        omega, error = sign * fit.omega[columns], fit.error[columns]
        changes += self._start(wrap(sign * fit.start[columns]), omega)
        if [said for said, _ in changes] == [programs.BACKWARDS, programs.EXCHANGED]:
            changes.pop(0)
        rows = (np.arange(len(z)) < fit.good) & (np.abs(z).min(axis=1) > 0)
        places = self.places[rows] + dict(changes).get(programs.OFFSET, 0.0)
        angles = sign * np.angle(z[rows][:, columns]) - sum(
            STARTS.get(said, 0) for said, _ in changes
        )
        named = self._named(fit, omega, error, places, angles)
        doubt = error * np.abs(omega)
        for ladder, kind, short in () if programs.PHASES in dict(changes) else named:
            rounds = [(programs.LIST_IN.format(short), ladder.frequencies)] if short else []
            untold = self._rough(fit) and (ladder.fitted or "spacing" in ladder.words)
            options: dict[str, Any] = {"ladder": None if untold else ladder, "kind": kind}
            options["changes"] = (*rounds, *changes)
            yield self._program(ladder.frequencies[np.newaxis, :count], factor, **options)
            if fit.kind not in SHORT:
                return
        kind = "float64" if fit.kind == "float64" and self.stored not in SHORT else "float32"
        options = {"changes": tuple(changes), "kind": kind, "doubt": doubt}
        yield self._program(omega[np.newaxis], factor, **options)

    def _named(
        self, fit: _Fit, omega: Array, error: Array, places: Array, angles: Array
    ) -> Iterator[tuple[Ladder, str, str]]:
        """Yield lists known by name that explain every angle, with its type and their rounding."""
        measured, errors = self._padded(omega), self._padded(error)
        if fit.kind in SHORT:
            near = hypotheses(measured, errors, np.full_like(measured, 2 * UNIT[fit.kind]))
            yield from ((ladder, "float32", "") for ladder in islice(near, 6))
            return
        passed = []
        if self.expected is not None and self.expected.shape == measured.shape:
            passed.append(Ladder(0.0, PASSED, self.expected))
        shorts = tuple(SHORTENED) if len(omega) >= LEAST_PAIRS and not self._rough(fit) else ("",)
        kinds = KINDS[1:2] if self.stored in SHORT else KINDS[:2]  # 16 bits do not tell
        for fitted, short in [*product([False], shorts), (True, "")]:
            name, _, cut = short.partition(",")
            slack = np.full_like(measured, 2 * UNIT.get(name, 0.0))
            if name == "float16":  # below its least number it has fewer bits
                slack *= np.maximum(1, 2.0**-14 / np.where(measured != 0, measured, 1.0))
            middle = measured * (1 + UNIT[name]) if cut else measured
            near = (each for each in hypotheses(middle, errors, slack) if each.fitted == fitted)
            for ladder, kind in product([*passed, *near], kinds):
                listed = SHORTENED[short](ladder.frequencies)[: len(omega)]
                near_by = 4 * error + angle_error(np.ones_like(listed), listed, kind)
                if (np.abs(listed - omega) > near_by * np.abs(omega)).any():
                    continue
                line = places[:, np.newaxis] * listed
                room = (1 + fitted) * _room(line, listed, UNIT[self.stored], kind)
                if (np.abs(wrap(angles - line)) <= room).all():
                    yield ladder, kind, short
                    return

    def _rough(self, fit: _Fit) -> bool:
        """Return whether 16 bits tell no rare rule, as the list is not that of far positions."""
        return self.stored in SHORT and fit.good < len(self.places)

    def _start(self, start: Array, omega: Array) -> list[tuple[str, Any]]:
        """Return what makes the first token turned already: an offset, or other angles."""
        for said, angle in {"": 0.0, **STARTS}.items():
            if np.abs(wrap(start - angle)).max() <= self.close:
                return [(said, None)] if said else []
        if not np.abs(omega).max() > self.close:
            return [(programs.SAME, start)]
        order = np.argsort(np.abs(omega))
        offset = float(start[order[0]] / omega[order[0]])
        for pair in order[1:]:
            offset += float(wrap(start[pair] - offset * omega[pair]) / omega[pair])
        for steps in (1, 2, 4):
            whole = round(offset * steps) / steps if math.isfinite(offset) else 0.0
            if abs(whole - offset) <= self.close * (2 + abs(offset)):
                offset = whole
                break
        off = np.abs(wrap(start - offset * omega)).max()
        fits = off <= 8 * self.close * (1 + abs(offset)) and abs(offset) < 2**20
        return [(programs.OFFSET, offset) if fits else (programs.PHASES, start)]

    # Explaining

    def explained(self) -> tuple[Program | None, list[str], Program, list[_Miss]]:
        """Return the program that gives all numbers, and other names for it.

        Then comes the nearest one without changes, and what it misses.
        """
        nearest: tuple[Program, list[_Miss], list[tuple[str, Any]]] | None = None
        for program, guess in self.readings():
            missed = list(islice(self.missed(program), 1))
            if not missed:
                return program, [], program, []
            changes: list[tuple[str, Any]] = []
            if guess and self.count:
                changes = _changes({})
            elif self.count and len(program.lists) == 1:
                self._ask_at_limits(program)
                missed = list(self.missed(program))
                changes = _changes(self._clues(program, missed))
            found = [each for each in changes if self.gives(program.changed(each), missed)]
            if found:
                few = [each for each in found if CHANGES[each[0]].by not in FREE] or found
                others = list(dict.fromkeys(sentence(*each) for each in few))[1:]
                said, n = few[0]
                if CHANGES[said].by == "dynamic" and len(n) > 2:  # the list was no more than near
                    program = program._replace(lists=n[2], ladder=None)
                return program.changed(few[0]), others, program, missed
            if nearest is None or (not guess and len(missed) < len(nearest[1])):
                nearest = program, missed, changes
        assert nearest is not None
        return self._with_two(*nearest), [], *nearest[:2]

    def _with_two(
        self, program: Program, missed: list[_Miss], changes: list[tuple[str, Any]]
    ) -> Program | None:
        """Return a program with two changes that give all numbers, one of them those of a call."""
        singles = list(dict(reversed(changes)).items())  # the first number of each
        for one in singles:
            tried = program.changed(one)
            if any(self.gives(tried, [miss], [miss.call]) for miss in missed[:4]):
                for other in singles:
                    for both in ([one, other], [other, one]) if one[0] != other[0] else ():
                        if self.gives(program.changed(*both), missed):
                            return program.changed(*both)
        return None

    def _ask_at_limits(self, program: Program) -> None:
        """Look from each side of the position at which a text is first turned otherwise, once."""
        if self.limits is not None:
            return
        self.limits, probe, good = (), self.probe, NEAR - 1
        for call in self.far:
            bad = int(call.at.longest)
            if any(self.missed(program, [call])):
                break
            good = bad
        else:
            return
        between = [2**k for k in range(4, 18) if good < 2**k <= bad]
        self.limits = tuple(between)
        after = [call for call in probe.calls if call.name.endswith("after a longer text")]
        if any(self.missed(program, after)):
            return  # the order of calls matters

        def is_bad(k: int) -> bool:
            call = probe.ask("", probe.draw(1, 2, 4), [*BESIDE, k])
            return call.result is None or any(self.missed(program, [call]))

        limit = first_between(good, bad, is_bad)
        self.limits = (limit, *(k for k in between if k != limit))
        for place in (limit - 1, limit):
            name = f"a text with position {number(place)}"
            probe.see(name, probe.draw(1, 2, 4), [*BESIDE, place])
            probe.see("one token alone", probe.draw(1, 2, 1), [place])
        beyond = limit + self.places[limit + self.places <= self.places[-1]]
        if len(beyond) > 2:
            name = f"tokens from position {number(limit)} on"
            self.long.append((probe.rows(name, beyond), beyond))
        probe.after()

    def _clues(self, program: Program, missed: list[_Miss]) -> dict[str, list[Any]]:
        """Return the numbers that changes may need, each from what a program misses."""
        longer = [miss for miss in missed if miss.call.at.x.shape[2] > 8]
        where = {"tokens": {miss.token for miss in longer}, "heads": set(), "texts": set()}
        for miss in missed:
            off = self._off(program, miss.call, slice(miss.token, miss.token + 1)) > 0
            for key, rows in zip(("texts", "heads"), np.nonzero(off), strict=False):
                where[key].add(int(rows.min()))
        clues: dict[str, list[Any]] = {key: sorted(of - {0})[:3] for key, of in where.items()}
        known = list((self.limits or ())[:2])
        places = {miss.place for miss in longer} - {0, *(self.limits or ())}
        limits = clues["positions"] = known + sorted(places)[:2]
        clues |= {"lists": [], "dynamic": []}
        for each, long in self.long:
            if each is not None:
                self._other_list(program, limits, each, long, clues)
        a, b, c, d = self.rows
        first, second = (np.hypot(*each) / abs(program.factor) for each in ((a, b), (c, d)))
        columns, last = np.array(program.still), float(self.places[-1])
        columns[self.probe.out[self.probe.first]] = first[0]
        columns[self.probe.out[self.probe.second]] = second[0]
        most = float(np.median([first[-1], second[-1]])) - 1
        steps = [n for n in limits if n <= last and abs(most) > 1e-6]
        return clues | {
            "growths": [np.log(first[-1]) / last] if np.ptp([first, second]) > 0 else [],
            "columns": [columns] if np.ptp(columns) > 0 else [],
            "temperatures": [(n, most / math.log1p(last // n)) for n in steps],
        }

    def _other_list(
        self, program: Program, limits: list[int], rows: Array, places: Array, clues: dict[str, Any]
    ) -> None:
        """Add the list of a long text, and factors of dynamic NTK, with lengths to begin at."""
        a, b, c, d = rows
        z = np.concatenate([a - 1j * b, d + 1j * c], axis=1)
        fit = _fitted(np.angle(z), places, UNIT[self.stored])
        other = fit.omega.reshape(2, -1)[:1]
        still = (other < program.lists[:1] / SLOWEST).any()
        if fit.good < len(places) or still or _without_a_rule(other[0]):
            return  # no list of a model
        clues["lists"] += [(n, other) for n in limits if n >= NEAR]
        slower, last = float(program.lists[0, -1] / other[0, -1]), float(max(places))
        for n in limits:
            if n <= last and 1 < slower < math.inf:
                factor = (slower - 1) / ((last + 1) / n - 1)
                whole = round(factor * 4) / 4
                if abs(whole / factor - 1) < 0.02:
                    steps = np.arange(self.count) / max(1, self.count - 1)
                    near = other * (whole * (last + 1) / n - (whole - 1)) ** steps
                    clues["dynamic"] += [(n, whole), (n, whole, near)]
                clues["dynamic"].append((n, factor))

    # The report

    def report(self) -> RopeReport:
        """Return what is said of the program, or of the first number that none gives."""
        program, others, nearest, missed = self.explained()
        probe, listed = self.probe, self._padded(nearest.lists[0])
        problems: list[str] = []
        said: list[str] = []
        ladder, factor, offset = None, 1.0, 0.0
        far: dict[int, float] | None = None
        if program is None:
            problems.append(self._unknown(missed))
        else:
            ladder, factor = program.ladder, program.factor
            offset = dict(program.changes).get(programs.OFFSET, 0.0)
            for key, n in program.changes:
                (said if CHANGES[key].right else problems).append(sentence(key, n))
            if others:
                last = said if CHANGES[program.changes[-1][0]].right else problems
                last[-1] += f" Or, which these calls do not tell apart: {' Or: '.join(others)}"
            problems += self._list_problems(program)
            still = np.setdiff1d(program.still, (1.0, factor))
            if len(still):
                problems.append(f"Columns that do not turn are multiplied by {still[0]:.6g}.")
            elif factor != 1 and (program.still != 1).any():
                said.append(f"as {np.sum(program.still != 1)} columns that do not turn are")
            if not self.count:
                turns = "turns" if any(problems) else "changes"
                problems.append(f"It {turns} nothing, at any position.")
            order, usual = self._order_said(len(listed))
            (said if usual else problems).append(order)
            far = self._far_off(program, offset)
        text = ""
        if program is not None and self.count:
            angles_said = self.unit not in SHORT and not program.changes
            parts = [
                self.layout or "no known layout",
                _base_said(ladder, listed, probe.width),
                _columns_said(self.begin, 2 * len(listed), probe.width),
                ladder.words if ladder else "",
                f"times {factor:.6g}" if factor != 1 else "",
                *said,
                self._end_said(),
                _angles_said(program.kind, far or {}) if angles_said else "",
            ]
            text = f"RoPE: {', '.join(filter(None, parts))}."
        problems = [*filter(None, problems), *dict.fromkeys(probe.notes), *self._ends()]
        return RopeReport(
            not problems,
            text,
            tuple(problems),
            self.layout,
            2 * len(listed),
            listed,
            (ladder.base or None) if ladder else None,
            ladder.words if ladder else "",
            offset,
            factor,
            far,
            self.stored if program else None,
            self._ground(),
            program,
        )

    def _list_problems(self, program: Program) -> Iterator[str]:
        """Yield what is wrong with the pairs and with the list of a program."""
        first, ladder = self.probe.first, program.ladder
        if len(first) and self.layout is None:
            pairs = list(zip(first.tolist(), self.probe.second.tolist(), strict=True))[:3]
            yield f"The pairs are in no known layout; the first are {pairs}."
        if len(program.lists) > 1:
            yield "The two columns of a pair turn by different angles."
            return
        omega = program.lists[0] if ladder is None else ladder.frequencies
        omega = omega[omega != 0]
        if self.expected is not None and (ladder is None or ladder.words != PASSED):
            expected = self.expected[self.expected != 0]
            said = "It does not have the frequencies that were passed: "
            if len(expected) != len(omega):
                yield f"{said}it turns {len(omega)} pairs, and {len(expected)} were passed."
            else:
                pair = int(np.abs(omega / expected - 1).argmax())
                got, asked = omega[pair], expected[pair]
                yield f"{said}pair {pair} turns by {got:.9g} radian per token, not {asked:.9g}."
        yield ladder.problem if ladder else _without_a_rule(omega)

    def _far_off(self, program: Program, offset: float) -> dict[int, float]:
        """Return how far the angles at far positions are from position times frequency."""
        a, b = self.rows[:2, NEAR:]
        places = self.places[NEAR:]
        angles = np.outer(places + offset, program.lists[0])
        off = np.abs(wrap(np.arctan2(-b, a) - angles)).max(axis=1, initial=0.0)
        return dict(zip(places.astype(int).tolist(), off.tolist(), strict=True))

    def _ends(self) -> Iterator[str]:
        """Yield what is wrong with the calls that gave no numbers."""
        if self.ended and not self.end.raised:
            yield f"From position {number(self.ended)} on: {self.end}"
        for call in self.probe.calls:
            beyond = self.ended and call.at.longest >= self.ended
            if call.problem and not beyond:
                yield f"{call.name[0].upper()}{call.name[1:]}: {call.problem}"
                return

    def _unknown(self, missed: list[_Miss]) -> str:
        """Return the measured difference, where nothing known gives the numbers."""
        miss = min(missed, key=lambda miss: miss.place)
        texts, heads, *_ = miss.call.at.x.shape
        head = f", head {miss.head}" if heads > 1 else ""
        text = f", text {miss.text}" if texts > 1 else ""
        layout = self.layout or "the pairs that its unit vectors show"
        return (
            "No cause known here gives its numbers. From plain RoPE with the same frequencies "
            f"({layout}) they differ first in {miss.call.name}, token {number(miss.token)}, at "
            f"position {number(miss.place)}, column {miss.column}{head}{text}: by "
            f"{miss.amount:.2g}."
        )

    def _order_said(self, pairs: int) -> tuple[str, bool]:
        """Return in which order columns come out, and whether models do so."""
        order = self.probe.out
        dealt = np.arange(len(order))
        wrong = np.flatnonzero(order != dealt)
        if not wrong.size:
            return "", True
        if self.layout == "interleaved":
            turning = np.arange(self.begin, self.begin + 2 * pairs)
            dealt[turning[0::2]], dealt[turning[1::2]] = np.split(turning, 2)
            if (order == dealt).all():
                said = "(as DeepSeek; harmless if queries and keys do)"
                return f"neighbours go in and halves come out {said}", True
        column = int(wrong[0])
        return f"Columns come out in another order: column {column} as {order[column]}.", False

    def _end_said(self) -> str:
        if not self.ended or not self.end.raised:
            return ""
        why = str(self.end)[3:].rstrip(".")
        return f"only to position {number(self.ended - 1)}, then {why}"

    def _ground(self) -> str:
        """Return what the finding holds of, and what was not looked at."""
        calls = [call for call in self.probe.calls if call.result is not None]
        left_out = "a text with", "the same", "the first tokens, unit"
        names = [call.name for call in calls if not call.name.startswith(left_out)]
        last = number(max(call.at.longest for call in calls))
        own = any(len(call.at.positions) > 1 for call in calls)
        unseen = "" if own else ", positions of the shape (batch, tokens), which it does not take"
        longest = number(max(call.at.x.shape[2] for call in calls))
        return (
            f"Looked at {len(calls)} calls: positions 0 to {NEAR - 1} and {len(self.far)} more up "
            f"to {last}; {'; '.join(dict.fromkeys(names))}. x was {self.probe.dtype}, and the "
            f"numbers are {self.unit}. Not looked at: positions beyond {last}{unseen}, more than "
            f"{longest} tokens in a call."
        )


def _changes(clues: dict[str, list[Any]]) -> list[tuple[str, Any]]:
    """Return all changes, each with the numbers that it may have."""
    return [
        (said, n)
        for said, change in CHANGES.items()
        for n in (clues.get(change.by, []) if change.by else [None])
    ]


def _base_said(ladder: Ladder | None, omega: Array, width: int) -> str:
    if ladder is None:
        return "frequencies by no rule known here"
    base, turning = ladder.base, 2 * len(omega)
    if not base:
        return "" if ladder.words else f"{number(float(omega[0]))} radian per token"
    if turning < width and base < 1000:
        over_all = base ** (width / turning)
        whole = float(f"{over_all:.1e}")
        if abs(over_all / whole - 1) < 1e-4 and whole < 1e9:
            of = f"(the fastest pairs of a whole head with base {number(whole)})"
            return f"base {number(base)} {of}"
    return f"base {number(base)}"


def _columns_said(begin: int, turning: int, width: int) -> str:
    if turning == width:
        return f"all {width} columns"
    ends = {0: "first", width - turning: "last"}
    if begin in ends:
        return f"the {ends[begin]} {turning} of {width} columns"
    return f"columns {begin} to {begin + turning - 1} of {width}"


def _angles_said(kind: str, far: dict[int, float]) -> str:
    if kind == "float64" or max(far.values(), default=0.0) < 1e-4:
        return ""
    place = max(far, key=far.__getitem__)
    return f"angles in float32 (off by {far[place]:.1g} at position {number(place)})"
