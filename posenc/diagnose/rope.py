"""What does this function do to queries and keys? A program with a name that does the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain, islice, tee
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import even_width, float_type, real_array, shown, whole_numbers
from posenc.diagnose.ladder import Ladder, hypotheses
from posenc.diagnose.probe import (
    BESIDE,
    NEAR,
    Call,
    NotTurnedError,
    Probe,
    first_between,
    unequal,
)
from posenc.diagnose.programs import CHANGES, SHORTENED, Clues, Program
from posenc.diagnose.rounding import (
    BITS,
    LEAST,
    SHORT,
    UNIT,
    Array,
    angle_error,
    coarsest,
    entry_error,
    number,
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
        before: tuple[float, ...] = ()

        def function(x: npt.ArrayLike, positions: npt.ArrayLike) -> Array:
            nonlocal before
            result = program(np.asarray(x, float), positions, before)
            before = (*before, float(np.max(positions)))
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

    A list gets its name if every sine and cosine, at every position probed, is within

    .. math:: 2 u\,|v| + 2 a + |k \omega|\, a\, (3 + 3\, |\ln \omega|)

    of its exact value v, where u is the unit roundoff of the results, and a that of the angles,
    float64 or float32. The first term is for v, rounded once itself and once more with a factor.
    The second is for the sine, good to two units. In the third, ω is the exponential of a
    product of two rounded numbers, or a power and its inverse, and kω is rounded again. Lists and
    positions rounded to 16 bits are compared in the same way.

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
    positions: str = ""  # what has become of positions


def _fits(angles: Array, places: Array, stored: str) -> list[_Fit]:
    """Return the frequencies that explain most rows, the plain ones first.

    Positions may have been rounded, and angles too.
    """
    fits: list[_Fit] = []
    for kind in KINDS:
        for name in ("",) if kind in SHORT else SHORTENED:
            changed = SHORTENED[name](places)
            if name and (changed == places).all():
                continue
            fits.append(_followed(angles, changed, stored, kind)._replace(positions=name))
            if fits[-1].good == len(places):
                return fits[-1:]
        if kind == "float32" and max(fit.good for fit in fits) >= NEAR:
            break
    plain = max((fit for fit in fits if not fit.positions), key=lambda fit: fit.good)
    best = max(fits, key=lambda fit: fit.good)
    return [plain] if best.good == plain.good else [plain, best]


def _followed(angles: Array, places: Array, stored: str, kind: str) -> _Fit:
    """Follow each pair from position to position: its angle tells its frequency ever more finely.

    A sine and a cosine of unit roundoff u give an angle to 4u, and to 4u of itself while it is
    small.
    """
    small = np.minimum(np.abs(angles[0]), 1.0)

    def seen(line: Array, omega: Array) -> Array:
        size = np.clip(np.abs(line), LEAST[stored], 1.0)
        kept = 4 * UNIT[stored] * (size + small)
        bound: Array = kept + 2 * UNIT[kind] + angle_error(line, omega, kind)
        return bound

    begin = places[0]
    omega: Array = wrap(angles[1] - angles[0]) / (places[1] - begin)
    doubt = seen(omega, omega)
    good = len(places)
    for row in range(2, len(places)):
        step = places[row] - begin
        line = step * omega
        left = wrap(angles[row] - angles[0] - line)
        near = seen(line, omega)
        if (np.abs(left) > 2 * near + step * doubt).any():
            good = row
            break
        step = max(float(step), 1.0)
        omega = np.where(near / step < doubt, omega + left / step, omega)
        doubt = np.minimum(near / step, doubt)
    error = doubt / np.maximum(np.abs(omega), 1e-300)
    return _Fit(omega, error, wrap(angles[0] - begin * omega), good, kind)


# The list and its name


class _Named(NamedTuple):
    """The list that fits, with the type that its entries were rounded to, and that of angles."""

    ladder: Ladder
    rounded_to: str
    angles: str

    def omega(self) -> Array:
        """Return the frequencies as the function has them."""
        return SHORTENED[self.rounded_to](self.ladder.frequencies)


def _named(
    measured: Array, error: Array, seen: tuple[Array, Array, str], expected: Array | None
) -> _Named | None:
    """Return the first list known by name that explains every cosine and sine that was seen.

    They are seen at places as complex numbers of length 1, in some type.
    """
    kinds = ("float64", "float32")
    passed = []
    if expected is not None and expected.shape == measured.shape:
        passed.append(Ladder(0.0, "the frequencies that were passed", expected))
    turns = measured != 0
    rounded_to = tuple(SHORTENED) if turns.sum() >= LEAST_PAIRS else ("",)
    known = {}
    for short in rounded_to:
        name, _, cut = short.partition(",")
        unit = UNIT.get(name, 0.0)
        slack = 2 * unit * np.maximum(1, LEAST.get(name, 0.0) / np.where(turns, measured, 1.0))
        middle = measured * (1 + unit) if cut else measured
        known[short] = iter(tee(hypotheses(middle, error, slack), 2 * len(kinds)))
    tried = [(kind, short, False) for kind in kinds for short in rounded_to]
    for kind, short, fitted in [*tried, *((kind, "", True) for kind in kinds)]:
        for ladder in chain(passed, next(known[short])):
            found = _Named(ladder, short, kind)
            if ladder.fitted == fitted and _explains(found, measured, error, seen):
                return found
    return None


def _explains(found: _Named, measured: Array, error: Array, seen: tuple[Array, Array, str]) -> bool:
    """Return whether a list is near the measured one, and then has every cosine and sine.

    A list with a fitted number is off by as much again as what it was fitted to.
    """
    turns = measured != 0
    omega = found.omega()[turns]
    doubt = 4 * error[turns] + angle_error(np.ones_like(omega), omega, found.angles)
    if (np.abs(omega - measured[turns]) > doubt * measured[turns]).any():
        return False
    places, z, stored = seen
    z = z[:, turns[: z.shape[1]]]
    angle = places[:, np.newaxis] * omega
    times = 1 + found.ladder.fitted
    return all(
        (
            np.abs(got - right) <= times * entry_error(right, angle, omega, found.angles, stored)
        ).all()
        for got, right in ((z.real, np.cos(angle)), (z.imag, np.sin(angle)))
    )


def _without_a_rule(omega: Array) -> Iterator[str]:
    """Yield what no list of a model has."""
    if (omega < 0).any():
        yield f"Pair {np.flatnonzero(omega < 0)[0]} turns the other way."
        return
    if len(omega) > 1 and np.ptp(omega) <= 1e-3 * omega[0]:
        yield f"All {len(omega)} pairs have one frequency, {number(float(omega[0]))}."
        return
    same = np.flatnonzero(np.abs(omega[1:] / omega[:-1] - 1) < 1e-6)
    faster = np.flatnonzero(omega[1:] > omega[:-1] * (1 + 1e-6))
    if same.size:
        yield f"Pairs {same[0]} and {same[0] + 1} have the same frequency."
    elif faster.size:
        yield f"Pair {faster[0] + 1} turns faster than pair {faster[0]}."


# Programs that may be it


class _Form(NamedTuple):
    """The numbers read as those of one program, and what is said if it gives them all."""

    program: Program
    problems: tuple[str, ...]
    kind: str  # the type of the angles
    ladder: Array  # the frequencies of the pairs, those that do not turn too
    named: _Named | None
    layout: str | None
    lengths: Array  # of the columns of each pair, at all rows
    guess: bool = False  # whether its list is only near to what was measured
    distinct: bool = False  # whether the two columns of a pair have lists of their own


class _Miss(NamedTuple):
    call: Call
    where: tuple[int, ...]  # text, head, token, column
    amount: float


class _Reading:
    """All calls of a function, and the search for the program that gives their numbers."""

    def __init__(
        self, probe: Probe, far: tuple[int, ...], expected: Array | None, asked: bool
    ) -> None:
        self.probe, self.expected = probe, expected
        self.ended, self.end = 0, NotTurnedError("")
        self.sides, self.followed = False, 0
        self.limits: tuple[int, ...] = ()
        self.beyond: tuple[Array | None, Array] = None, np.zeros(0)
        self.others: list[tuple[Array, float]] | None = None
        probe.near()
        probe.find_pairs()
        self._walk(far, asked)
        drawn = [call.result for call in probe.calls if call.result is not None]
        self.unit = max((coarsest(each.ravel()) for each in drawn), key=BITS.__getitem__)

    def _walk(self, far: tuple[int, ...], asked: bool) -> None:
        """Make the calls, those of growing length first."""
        probe = self.probe
        near = probe.rows("the first tokens, unit vectors", range(NEAR))
        if near is None:
            raise probe.calls[-1].problem or NotTurnedError("")
        self.alone = probe.rows("one token alone", [0])
        probe.as_used()
        rows, places, self.far = [near], list(range(NEAR)), []
        for place in far:
            found = probe.rows(f"a text with position {number(place)}", [*BESIDE, place])
            if found is None:
                probe.calls.pop()

                def fails(k: int) -> bool:
                    return probe.ask("", probe.draw(1, 4, 4), [*BESIDE, k]).problem is not None

                self.ended = first_between(places[-1], place, fails)
                call = probe.ask("", probe.draw(1, 4, 4), [*BESIDE, self.ended])
                self.end = call.problem or self.end
                break
            self.far.append((place, probe.calls[-1]))
            rows.append(found[:, -1:])
            places.append(place)
        self.rows, self.places = np.concatenate(rows, axis=1), np.array(places, float)
        last = places[-1]
        for place in places[len(places) // 2 :: 4]:
            probe.see("one token alone", probe.draw(1, 2, 1), [place])
        self.together = probe.rows("near and far positions together", places)
        probe.text(self.ended or (last + 1 if asked else 2**53))
        probe.after()
        probe.own_positions()

    # Comparing

    def miss(self, program: Program, kind: str, calls: list[Call] | None = None) -> _Miss | None:
        """Return the first number that a program does not give."""
        for call in sorted(calls or self.probe.calls, key=lambda call: call.x.size):
            if call.result is None:
                continue
            count = call.x.shape[2]
            parts: list[Any] = [slice(None)]
            if count > 512:
                spread = np.unique(np.r_[0:80, np.geomspace(80, count - 1, 80).astype(int)])
                parts = [spread, *(slice(k, k + 512) for k in range(0, count, 512))]
            for rows in parts:
                off = self._off(program, call, kind, rows)
                if not (off <= 0).all():
                    where, amount = unequal(off)
                    text, head, token, column = where
                    token = int(np.arange(count)[rows][token])
                    return _Miss(call, (text, head, token, column), amount)
        return None

    def _off(self, program: Program, call: Call, kind: str, rows: Any = slice(None)) -> Array:
        assert call.result is not None
        at = call.at._replace(rows=rows)
        x, found = call.x[:, :, rows], call.result[:, :, rows]
        return program.off(x, found, at, UNIT[self.unit], kind)

    # Forms

    def forms(self) -> Iterator[_Form]:
        """Yield the programs that the numbers may be read as, the usual one first."""
        probe = self.probe
        if not len(probe.first):
            yield self._guess(Ladder(0.0, "", np.zeros(0)), np.zeros((1, 0)))
            return
        a, b, c, d = self.rows
        row, other, head = a - 1j * b, d + 1j * c, a + 1j * c
        yield from self._read(np.concatenate([row, other], axis=1))
        apart = np.abs(row - other)[:NEAR].max() / np.abs(row).max()
        if apart <= 16 * UNIT[self.unit] and self.followed >= NEAR and np.ptp(row, axis=0).max():
            return  # it is a rotation by the position, whatever else it does
        for each in ((head, head), (row, row), (other, other)):
            yield from self._read(np.concatenate(each, axis=1))
        # The angles may not be those of positions at all, or only the cosines are right.
        alone = self.rows if self.alone is None else self.alone
        for fixed in (np.arctan2(-b[0], d[0]), np.arctan2(alone[2][0], alone[0][0])):
            if np.abs(fixed).max() > 1e-6:
                yield from self._listed(fixed, 4 * UNIT[self.unit] / fixed, row)
        for part in (a, c):
            cosine = np.clip(part[1] / np.abs(part[:NEAR]).max(), -1, 1)
            omega = np.arccos(cosine)
            yield from self._listed(omega, 4 * UNIT[self.unit] / omega**2 + 1e-9, row)

    def _listed(self, omega: Array, error: Array, z: Array) -> Iterator[_Form]:
        """Yield forms with lists that are known by name and near to what was measured."""
        known = hypotheses(omega, np.minimum(error, 0.3), np.zeros_like(omega))
        for each in [*islice(known, 6), Ladder(0.0, "", omega)]:
            yield self._guess(each, np.abs(z))

    def _guess(self, ladder: Ladder, lengths: Array) -> _Form:
        """Return the form of plain RoPE by some list."""
        probe, lists = self.probe, ladder.frequencies[np.newaxis]
        lists = lists[:, : len(probe.first)]
        start = np.zeros_like(lists)
        program = Program(probe.first, probe.second, probe.out, lists, start, still=self._still())
        named = _Named(ladder, "", "float32") if ladder.base else None
        layout = self._layout()[0]
        return _Form(program, (), "float32", lists[0], named, layout, lengths, guess=True)

    def _still(self, factor: float = 1.0) -> Array:
        """Return what each column that does not turn is multiplied by, and 1 for the others."""
        probe = self.probe
        still = np.setdiff1d(np.arange(probe.width), np.r_[probe.first, probe.second])
        call, times = probe.calls[0], np.ones(probe.width)
        if len(still) and call.result is not None:
            by = np.median(call.result[..., probe.out[still]] / call.x[..., still], axis=(0, 1, 2))
            for known in (1.0, factor):
                by = np.where(np.abs(by - known) <= 8 * UNIT[self.unit], known, by)
            times[still] = by
        return times

    def _read(self, z: Array) -> Iterator[_Form]:
        """Yield the forms of cosines and sines of the first columns and the second ones."""
        stored = self._stored()
        lengths = np.abs(z)
        close = max(8 * UNIT[stored], 1e-6)
        usual = float(np.median(lengths[:NEAR]))
        alike = lengths[:NEAR][np.abs(lengths[:NEAR] - usual) <= 0.02 * usual]
        factor = float(alike.mean()) if alike.size else usual
        if np.ptp(np.median(lengths[:NEAR], axis=1)) > close * factor and lengths[0].min():
            factor = float(np.median(lengths[0]))
        factor = 1.0 if abs(factor - 1) < close else factor
        if not factor:
            return
        for fit in _fits(np.angle(z), self.places, stored):
            self.followed = fit.good
            yield from self._fitted(fit, z, factor, stored)

    def _fitted(self, fit: _Fit, z: Array, factor: float, stored: str) -> Iterator[_Form]:
        """Yield the forms of cosines and sines with the frequencies that explain most of them."""
        probe, count, lengths = self.probe, len(self.probe.first), np.abs(z)
        close = max(8 * UNIT[stored], 1e-6)
        problems: list[str] = []
        first, second = np.split(fit.omega, 2)
        doubt = 8 * np.maximum(*np.split(fit.error * np.abs(fit.omega), 2)) + 1e-12
        order, signs = np.arange(2 * count), np.ones(2 * count)
        if (np.abs(np.abs(first) - np.abs(second)) <= doubt).all():
            ways = [-1.0 if (each < 0).all() else 1.0 for each in (first, second)]
            signs = np.repeat(ways, count)
            if ways == [-1, -1]:
                problems.append("It turns the other way: the sign of the sines is the opposite.")
            elif ways != [1, 1]:
                problems.append(
                    "It is no rotation: a minus sign is missing before one of the two sines."
                )
        else:
            order = np.argsort(np.r_[probe.first, probe.second], kind="stable")
            table = fit.omega[order]
            twice = np.abs(table[:count] - table[count:]).max() <= doubt.max()
            if twice or np.abs(table[::2] - table[1::2]).max() <= doubt.max():
                order = order if twice else np.r_[order[::2], order[1::2]]
                problems.append(
                    "The two columns of a pair turn by different angles: the table is in one "
                    "layout, the pairs in the other."
                )
        halves = fit.omega[order] * signs, fit.error[order]
        omega, error = (each[:count] for each in halves)
        distinct = len(problems) == 0 and bool((np.abs(halves[0][count:] - omega) > doubt).any())
        if distinct:
            problems.append("The two columns of a pair turn by different angles.")
        start = (fit.start[order] * signs)[:count]
        layout, begin, ladder = self._layout(omega)
        problems += [] if layout else [f"The pairs are in no known layout; the first are {begin}."]
        errors = np.zeros_like(ladder)
        errors[:count] = error
        offset, factor, phases = self._offset(start, omega, stored, factor, problems)
        changes: list[tuple[str, Any]] = []
        if fit.positions:
            changes.append((f"positions in {fit.positions}", None))
        if offset:
            changes.append(("offset", offset))
        scale = np.where(np.abs(lengths / abs(factor) - 1) <= close, factor, lengths)
        seen_z = (z / scale)[:, order][:, :count]
        rows = (np.arange(len(z)) < fit.good) & (lengths.min(axis=1) > 0)
        places = SHORTENED[fit.positions](self.places)[rows] + offset
        seen = places, seen_z.real[rows] + 1j * (signs[:count] * seen_z.imag)[rows], stored
        named = None
        if not distinct and not phases.any():
            named = _named(ladder, errors, seen, self.expected)
        tried: list[tuple[Array, _Named | None]] = []
        tried += [(named.omega()[:count], named)] if named else []
        if named is None and fit.kind in SHORT:
            slack = np.full_like(ladder, 2 * UNIT[fit.kind])
            for each in islice(hypotheses(ladder, errors, slack), 6):
                one = _Named(each, "", "float32")
                tried.append((one.omega()[:count], one))
        tried += [(omega, None)] if not named else []
        for listed, name in tried:
            lists = np.empty(2 * count)
            lists[order] = np.tile(listed, 2)
            lists = fit.omega if distinct else lists * signs
            starts = fit.start if distinct else np.empty(2 * count)
            if not distinct:
                starts[order] = np.tile(phases, 2)
                starts = starts * signs
            same = (lists[:count] == lists[count:]).all() and (
                starts[:count] == starts[count:]
            ).all()
            cut = slice(0, 1 if same else 2)
            program = Program(
                *(probe.first, probe.second, probe.out),
                lists.reshape(2, -1)[cut],
                starts.reshape(2, -1)[cut],
                *(factor, self._still(factor), tuple(changes)),
                0.0 if name else (fit.error * np.abs(fit.omega)).reshape(2, -1)[cut],
            )
            said = [
                *problems,
                *self._list_said(name, omega if fit.good == len(self.places) else None),
            ]
            kind = name.angles if name else ("float64" if fit.kind == "float64" else "float32")
            yield _Form(
                program, tuple(said), kind, ladder, name, layout, lengths, distinct=distinct
            )

    def _stored(self) -> str:
        """Return the coarsest type that holds the sines and cosines, before a factor or after."""
        if not len(self.probe.first):
            return self.unit
        size = float(np.median(np.hypot(self.rows[0], self.rows[2])[:NEAR]))
        kinds = [coarsest(self.rows)]
        if size and abs(size - 1) > 1e-6:
            kinds.append(coarsest(self.rows / size, 2.0**-22))
            kinds[1] = kinds[1] if kinds[1] in SHORT else kinds[0]
        return min(kinds, key=BITS.__getitem__)

    def _layout(self, omega: Array | None = None) -> tuple[str | None, Any, Array]:
        """Return the layout, its first column, and the frequencies with those of still pairs."""
        first, second = self.probe.first, self.probe.second
        omega = np.zeros(len(first)) if omega is None else omega
        if not len(first):
            return None, 0, omega
        begin, apart, count = int(first[0]), int(second[0] - first[0]), len(first)
        step = 2 if apart == 1 else 1
        ordered = bool((first == begin + step * np.arange(count)).all())
        layout, total = None, count
        if ordered and (second - first == apart).all():
            if apart == 1 and (count > 1 or begin % 2 == 0):
                layout = "interleaved"
            elif apart >= count and begin + 2 * apart <= self.probe.width:
                layout, total = "halves", apart
        if layout is None:
            return None, list(zip(first.tolist(), second.tolist(), strict=True))[:3], omega
        ladder = np.zeros(total)
        ladder[:count] = omega
        return layout, begin, ladder

    def _offset(
        self, start: Array, omega: Array, stored: str, factor: float, problems: list[str]
    ) -> tuple[float, float, Array]:
        """Return the position that the first token is turned by, the factor, and other angles."""
        near, none = 8 * UNIT[stored] + 1e-6, np.zeros_like(start)
        if np.abs(start).max() <= near:
            return 0.0, factor, none
        if np.abs(wrap(start - math.pi)).max() <= near:
            problems.append("All signs of the result are the opposite.")
            return 0.0, -factor, none
        order = np.argsort(np.abs(omega))
        offset = float(start[order[0]] / omega[order[0]])
        for pair in order[1:]:
            offset += float(wrap(start[pair] - offset * omega[pair]) / omega[pair])
        for steps in (1, 2, 4):
            whole = round(offset * steps) / steps if math.isfinite(offset) else 0.0
            if abs(whole - offset) <= near * (2 + abs(offset)):
                offset = whole
                break
        fits = np.abs(wrap(start - offset * omega)).max() <= 8 * near * (1 + abs(offset))
        if fits and abs(offset) < 2**20:
            return offset, factor, none
        if not np.abs(omega).max() > near:
            problems.append("It does the same at every position.")
        elif np.abs(wrap(start - math.pi / 2)).max() > near:
            problems.append("The first token is turned already, by no one position.")
        return 0.0, factor, start

    def _list_said(self, named: _Named | None, omega: Array | None) -> Iterator[str]:
        """Yield what is wrong with the list."""
        if self.expected is not None:
            expected = self.expected[self.expected != 0]
            measured = named.ladder.frequencies if named else omega
            measured = measured[measured != 0] if measured is not None else np.zeros(0)
            if named is None or named.ladder.words != "the frequencies that were passed":
                if len(expected) != len(measured):
                    yield (
                        f"It does not have the frequencies that were passed: it turns "
                        f"{len(measured)} pairs, and {len(expected)} were passed."
                    )
                else:
                    pair = int(np.abs(measured / expected - 1).argmax())
                    yield (
                        f"It does not have the frequencies that were passed: pair {pair} turns by "
                        f"{measured[pair]:.9g} radian per token, not {expected[pair]:.9g}."
                    )
        if named is None:
            if omega is not None and (omega > 0).any():
                yield from _without_a_rule(omega)
            return
        if named.rounded_to:
            off = np.abs(named.omega() - named.ladder.frequencies)
            pair = int(off.argmax())
            yield (
                f"Its frequencies were rounded to {named.rounded_to}: pair {pair} is off by a "
                f"radian from position {number(math.ceil(1 / off[pair]))} on."
            )
        if named.ladder.problem:
            yield named.ladder.problem

    # Explaining

    def explained(self) -> tuple[_Form | None, tuple[str, ...], _Form]:
        """Return the form that gives all numbers, with other names for it, or the nearest one."""
        nearest: tuple[int, _Form] | None = None
        for form in self.forms():
            miss = self.miss(form.program, form.kind)
            if miss is None:
                return form, (), form
            if form.distinct or not len(self.probe.first):
                singles, missed = [], [miss]
            elif form.guess:
                singles, missed = self._singles(Clues()), [miss]
            else:
                self._ask_at_limits(form)
                missed = self._missed(form)
                singles = self._singles(self._clues(form, missed))
            found = [c for c in singles if self._gives(form, [c], missed)]
            if found:
                few = [c for c in found if CHANGES[c[0]].by not in FREE] or found
                others = tuple(dict.fromkeys(CHANGES[key].sentence(n) for key, n in few))
                return self._with(form, few[:1]), others[1:], form
            if nearest is None or (not form.guess and len(missed) < nearest[0]):
                nearest = len(missed), form
        assert nearest is not None
        form = nearest[1]
        pair = None if form.distinct or not len(self.probe.first) else self._pair(form)
        return None if pair is None else self._with(form, pair), (), form

    def _missed(self, form: _Form) -> list[_Miss]:
        """Return what a form misses in each call, those of few numbers first."""
        calls = sorted(self.probe.calls, key=lambda call: call.x.size)
        found = (self.miss(form.program, form.kind, [call]) for call in calls)
        return [miss for miss in found if miss]

    def _pair(self, form: _Form) -> list[tuple[str, Any]] | None:
        """Return two changes that together give all numbers, of which one gives a call's."""
        missed = self._missed(form)
        numbers = reversed(self._singles(self._clues(form, missed)))
        singles = list({key: (key, n) for key, n in numbers}.values())  # the first of each
        for one in singles:
            program = form.program.changed(one)
            if not any(self._call_given(program, form, miss) for miss in missed[:6]):
                continue
            for other in singles:
                for both in ([one, other], [other, one]):
                    if one[0] != other[0] and self._gives(form, both, missed):
                        return both
        return None

    def _call_given(self, program: Program, form: _Form, miss: _Miss) -> bool:
        try:
            return self.miss(program, form.kind, [miss.call]) is None
        except (ValueError, IndexError):  # a number of another shape
            return False

    @staticmethod
    def _with(form: _Form, changes: list[tuple[str, Any]]) -> _Form:
        return form._replace(program=form.program.changed(*changes))

    def _gives(self, form: _Form, changes: list[tuple[str, Any]], missed: list[_Miss]) -> bool:
        """Return whether changes give what was missed, and then all other numbers."""
        program = form.program.changed(*changes)
        try:
            for miss in missed:
                rows = slice(miss.where[2], miss.where[2] + 1)
                if (self._off(program, miss.call, form.kind, rows) > 0).any():
                    return False
            return self.miss(program, form.kind) is None
        except (ValueError, IndexError):  # a number of another shape
            return False

    def _singles(self, clues: Clues) -> list[tuple[str, Any]]:
        """Return all changes, each with the numbers that it may have."""
        return [
            (key, n)
            for key, change in CHANGES.items()
            for n in ((None,) if not change.by else getattr(clues, change.by, ()))
        ]

    def _ask_at_limits(self, form: _Form) -> None:
        """Look from each side of the position at which a text is first turned otherwise, once."""
        if self.sides:
            return
        self.sides = True
        program, kind, probe = form.program, form.kind, self.probe
        good, bad = NEAR - 1, 0
        for place, call in self.far:
            if self.miss(program, kind, [call]):
                bad = place
                break
            good = place
        if not bad:
            return
        between = [2**k for k in range(4, 18) if good < 2**k <= bad]
        after = [call for call in probe.calls if call.name.endswith("after a longer text")]
        if not (after and self.miss(program, kind, after)):

            def is_bad(k: int) -> bool:
                call = probe.ask("", probe.draw(1, 2, 4), [*BESIDE, k])
                return call.result is None or self.miss(program, kind, [call]) is not None

            limit = first_between(good, bad, is_bad)
            self.limits = (limit, *(k for k in between if k != limit))
            last = int(self.places[-1])
            for place in (limit - 1, limit):
                probe.see(
                    f"a text with position {number(place)}", probe.draw(1, 2, 4), [*BESIDE, place]
                )
                probe.see("one token alone", probe.draw(1, 2, 1), [place])
            beyond = limit + np.array([k for k in self.places if limit + k <= last], int)
            if len(beyond) > 2:
                rows = probe.rows(f"tokens from position {number(limit)} on", beyond)
                self.beyond = rows, beyond.astype(float)
            probe.after()
        else:
            self.limits = tuple(between)

    def _clues(self, form: _Form, missed: list[_Miss]) -> Clues:
        """Return the numbers that changes may need, each from what the form misses."""
        tokens, positions, heads, texts = set(), set(), set(), set()
        for miss in missed:
            call, (text, _, token, _) = miss.call, miss.where
            if call.x.shape[2] > 8:
                tokens.add(token)
                positions.add(
                    int(call.at.positions[min(text, len(call.at.positions) - 1), 0, token])
                )
            off = self._off(form.program, call, form.kind, slice(token, token + 1))
            bad_texts, bad_heads, *_ = np.nonzero(off > 0)
            heads.add(int(bad_heads.min()))
            texts.add(int(bad_texts.min()))
        limits = [*self.limits[:2], *sorted(positions - {0, *self.limits})[:2]]
        return Clues(
            tuple(sorted(tokens - {0})[:3]),
            tuple(limits),
            tuple(sorted(heads - {0})[:3]),
            tuple(sorted(texts - {0})[:2]),
            *self._other_lists(form, limits),
            *self._other_lengths(form, limits),
        )

    def _other_lists(self, form: _Form, limits: list[int]) -> tuple[Any, ...]:
        """Return other lists, and factors of dynamic NTK, each with the length it begins at."""
        lists, dynamic = [], []
        for omega, last in self._others():
            other = omega.reshape(2, -1)[: len(form.program.lists)]
            if list(_without_a_rule(other[0])):
                continue  # no list of a model
            lists += [(n, other) for n in limits if n >= NEAR]
            slower = float(form.program.lists[0, -1] / other[0, -1])
            for n in limits:
                if n > last or not 1 < slower < math.inf:
                    continue
                factor = (slower - 1) / ((last + 1) / n - 1)
                whole = round(factor * 4) / 4
                dynamic += [(n, whole)] if abs(whole / factor - 1) < 0.02 else []
                dynamic.append((n, factor))
        return tuple(lists), tuple(dynamic)

    def _others(self) -> list[tuple[Array, float]]:
        """Return the frequencies of one long text, and of positions from a limit on."""
        if self.others is None:
            self.others = []
            for rows, places in ((self.together, self.places), self.beyond):
                if rows is None:
                    continue
                a, b, c, d = rows
                z = np.concatenate([a - 1j * b, d + 1j * c], axis=1)
                fit = _fits(np.angle(z), places, self._stored())[0]
                if fit.good == len(places):
                    self.others.append((fit.omega, float(max(places))))
        return self.others

    def _other_lengths(self, form: _Form, limits: list[int]) -> tuple[Any, ...]:
        """Return growths of pairs, factors of columns, and attention temperatures."""
        size = form.lengths / abs(form.program.factor)
        count = len(self.probe.first)
        if size.shape[1] != 2 * count:
            return (), (), ()
        growths = (np.log(size[-1]) / self.places[-1])[:count]
        columns = np.array(form.program.still)
        columns[self.probe.out[self.probe.first]] = size[0, :count]
        columns[self.probe.out[self.probe.second]] = size[0, count:]
        last, most = float(self.places[-1]), float(np.median(size[-1])) - 1
        steps = [n for n in limits if n <= last and abs(most) > 1e-6]
        return (
            (growths,) if np.ptp(size) > 0 else (),
            (columns,) if np.ptp(columns) > 0 else (),
            tuple((n, most / math.log1p(last // n)) for n in steps),
        )

    # The report

    def report(self) -> RopeReport:
        form, others, near = self.explained()
        probe = self.probe
        problems: list[str] = []
        later = [*dict.fromkeys(probe.notes), *self._ends()]
        if form is None:
            problems += [self._unknown(near), *later]
            return RopeReport(
                False,
                "",
                tuple(problems),
                near.layout,
                2 * len(near.ladder),
                near.ladder,
                ground=self._ground(),
            )
        program = form.program
        said: list[str] = []
        named = form.named
        for key, n in program.changes:
            sentence = CHANGES[key].sentence(n)
            if others and key == program.changes[-1][0]:
                sentence += f" Or, which these calls do not tell apart: {' Or: '.join(others)}"
            (said if CHANGES[key].right else problems).append(sentence)
        problems += form.problems
        scaled = np.setdiff1d(program.still, (1.0, program.factor))
        if len(scaled):
            problems.append(f"Columns that do not turn are multiplied by {scaled[0]:.6g}.")
        elif program.factor != 1 and (program.still != 1).any():
            said.append(f"as {np.sum(program.still != 1)} columns that do not turn are")
        if not len(probe.first):
            change = "turns" if problems else "changes"
            problems.append(f"It {change} nothing, at any position.")
        order, right = self._order_said(form)
        (said if right else problems).append(order)
        problems = [each for each in [*problems, *later] if each]
        _, begin, _ = self._layout()
        turning = 2 * len(form.ladder)
        factor = program.factor
        far = self._far_off(form)
        text = [
            form.layout or "no known layout",
            _base_said(named, program.lists[0], turning, probe.width),
            _columns_said(begin if form.layout else 0, turning, probe.width),
            named.ladder.words if named else "",
            f"times {factor:.6g}" if abs(factor) != 1 else "",
            *said,
            self._end_said(),
            "" if self.unit in SHORT or program.changes else _angles_said(form.kind, far),
        ]
        return RopeReport(
            not problems,
            f"RoPE: {', '.join(filter(None, text))}." if len(probe.first) else "",
            tuple(problems),
            form.layout,
            turning,
            form.ladder,
            (named.ladder.base or None) if named else None,
            named.ladder.words if named else "",
            next((n for key, n in program.changes if key == "offset"), 0.0),
            factor,
            far,
            self._stored(),
            self._ground(),
            program,
        )

    def _far_off(self, form: _Form) -> dict[int, float]:
        """Return how far the angles of a plain program are off, at each far position."""
        a, b = self.rows[:2, NEAR:]
        off = []
        program = form.program
        angles = self.places[NEAR:, np.newaxis] * program.lists[0] + program.start[0]
        if len(self.probe.first) and angles.size:
            off = np.abs(wrap(np.arctan2(-b, a) - angles)).max(axis=1).tolist()
        return {int(k): float(e) for k, e in zip(self.places[NEAR:], off, strict=False)}

    def _ends(self) -> Iterator[str]:
        """Yield what is wrong with the calls that gave no numbers."""
        if self.ended and not self.end.raised:
            yield f"From position {number(self.ended)} on: {self.end}"
        for call in self.probe.calls:
            beyond = self.ended and call.positions.max() >= self.ended
            if call.problem and not beyond:
                yield f"{call.name[0].upper()}{call.name[1:]}: {call.problem}"
                return

    def _unknown(self, form: _Form) -> str:
        """Return the measured difference, where nothing known gives the numbers."""

        def place(miss: _Miss) -> int:
            text, _, token, _ = miss.where
            return int(miss.call.at.positions[min(text, len(miss.call.at.positions) - 1), 0, token])

        miss = min(self._missed(form), key=place)
        text, head, token, column = miss.where
        call, shape = miss.call, miss.call.x.shape
        where = [f"token {number(token)}, at position {number(place(miss))}", f"column {column}"]
        where += [f"head {head}"] if shape[1] > 1 else []
        where += [f"text {text}"] if shape[0] > 1 else []
        layout = form.layout or "the pairs that its unit vectors show"
        return (
            "No cause known here gives its numbers. From plain RoPE with the same frequencies "
            f"({layout}) they differ first in {call.name}, {', '.join(where)}: "
            f"by {miss.amount:.2g}."
        )

    def _order_said(self, form: _Form) -> tuple[str, bool]:
        """Return in which order columns come out, and whether models do so."""
        order = self.probe.out
        if (order == np.arange(len(order))).all():
            return "", True
        _, begin, _ = self._layout()
        dealt = np.arange(len(order))
        if form.layout == "interleaved":
            turning = np.arange(begin, begin + 2 * len(form.ladder))
            dealt[turning[0::2]], dealt[turning[1::2]] = np.split(turning, 2)
            if (order == dealt).all():
                return (
                    "neighbours go in and halves come out "
                    "(as DeepSeek; harmless if queries and keys do)",
                    True,
                )
        column = int(np.flatnonzero(order != np.arange(len(order)))[0])
        return f"Columns come out in another order: column {column} as {order[column]}.", False

    def _end_said(self) -> str:
        if not self.ended or not self.end.raised:
            return ""
        why = str(self.end)[3:].rstrip(".")
        return f"only to position {number(self.ended - 1)}, then {why}"

    def _ground(self) -> str:
        """Return what the finding holds of, and what was not looked at."""
        calls = [call for call in self.probe.calls if call.result is not None]
        names = list(dict.fromkeys(call.name for call in calls))
        kept = [
            name
            for name in names
            if not name.startswith(("a text with", "the same", "the first tokens, unit"))
        ]
        last = number(max(float(call.positions.max()) for call in calls))
        own = any(call.positions.ndim > 1 for call in calls)
        unseen = f"positions beyond {last}"
        unseen += "" if own else ", positions of the shape (batch, tokens), which it does not take"
        longest = max(call.x.shape[2] for call in calls)
        return (
            f"Looked at {len(calls)} calls: positions 0 to {NEAR - 1} and {len(self.far)} more up "
            f"to {last}; {'; '.join(kept)}. x was {self.probe.dtype}, and the numbers are "
            f"{self.unit}. Not looked at: {unseen}, more than {number(longest)} tokens in a call."
        )


def _base_said(named: _Named | None, omega: Array, turning: int, width: int) -> str:
    if named is None:
        return "frequencies by no rule known here"
    base = named.ladder.base
    if not base and named.ladder.words:
        return ""
    if not base:
        return f"{number(float(omega[0]))} radian per token"
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
    if begin == 0:
        return f"the first {turning} of {width} columns"
    if begin + turning == width:
        return f"the last {turning} of {width} columns"
    return f"columns {begin} to {begin + turning - 1} of {width}"


def _angles_said(kind: str, far: dict[int, float]) -> str:
    if kind == "float64" or max(far.values(), default=0.0) < 1e-4:
        return ""
    place = max(far, key=far.__getitem__)
    return f"angles in float32 (off by {far[place]:.1g} at position {number(place)})"
