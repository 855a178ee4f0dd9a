"""What does this function do to queries and keys? A rotary embedding, read back from its effect."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain, tee
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import even_width, float_type, real_array, shown, whole_numbers
from posenc.diagnose.ladder import Ladder, hypotheses
from posenc.diagnose.probe import (
    BESIDE,
    NEAR,
    NotTurnedError,
    Probe,
    Turns,
    first_between,
    joined,
    refusal,
)
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
    rounded,
    wrap,
)

__all__ = ["RopeReport", "check_rope"]

# Positions far down a text. Each is about twice the one before, so that the frequency that all
# before agree on tells how often a pair has turned; odd ones are rounded by a short float.
FAR: tuple[int, ...] = (
    31,
    47,
    63,
    95,
    127,
    191,
    255,
    257,
    383,
    511,
    767,
    1023,
    1537,
    2047,
    2049,
    3071,
    4095,
)
FAR = (*FAR, 6143, 8191, 12_287, 16_383, 24_001, 32_001, 49_999, 65_535, 100_001, 131_071)

# What may have become of positions, or of frequencies, before they were multiplied.
SHORTENED: dict[str, Callable[[Array], Array]] = {
    "": lambda values: values,
    "bfloat16": lambda values: rounded(values, "bfloat16"),
    "float16": lambda values: rounded(values, "float16"),
    "bfloat16, cut off": lambda values: values - values % 2.0 ** (np.frexp(values)[1] - 8),
}

# Pairs that a list of 16 bits must have before its rounding says anything.
LEAST_PAIRS = 4


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
    roundings : float
        Their largest difference from the named ones, in unit roundoffs of that type.
    ground : str
        What the finding holds of, and what was not looked at.
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
    roundings: float | None = None
    ground: str = ""

    def __str__(self) -> str:
        """Return the finding in words, problems first, and its ground last."""
        return " ".join(filter(None, [*self.problems, self.text, self.ground]))


@np.errstate(all="ignore")
def check_rope(
    function: Callable[..., Any],
    head_dim: int,
    *,
    frequencies: npt.ArrayLike | None = None,
    positions: npt.ArrayLike | None = None,
    dtype: npt.DTypeLike = np.float64,
) -> RopeReport:
    r"""Probe a function that applies RoPE: name its settings, or the bug it has.

    Parameters
    ----------
    function : callable
        ``function(x, positions)`` returns x turned: x is an array of shape (batch, heads,
        tokens, head_dim), positions an int array of shape (tokens,). Wrap code that takes
        something else; it may compute in any type, as its result shows.
    head_dim : int
        Columns of a head, even.
    frequencies : array_like of real numbers, shape (m,), optional
        The list that the function should have, to be looked for before those known by name.
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
        are not one row of finite numbers.

    Notes
    -----
    What RoPE does at one position is a matrix. Unit vectors show which columns mix. Two vectors,
    with ones in the first or the second column of each pair, then show every sine and cosine as
    the function rounds it. Each further position tells the frequencies more finely, and lists
    that are known by name are compared with them.

    A list gets its name if every sine and cosine, at every position probed, is within

    .. math:: 2 u\,|v| + 2 a + |k \omega|\, a\, (3 + 3\, |\ln \omega|)

    of its exact value v, where u is the unit roundoff of the results, and a that of the angles,
    float64 or float32. The first term is for v, rounded once itself and once more with a factor.
    The second is for the sine, good to two units. In the third, ω is the exponential of a
    product of two rounded numbers, or a power and its inverse, and kω is rounded again. Lists and
    positions rounded to 16 bits are compared in the same way.

    An error that the function raises is reported, unless it is none of its own: a timeout, an
    interrupt and a MemoryError reach the caller.

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
    probe = Probe(function, width, float_type(dtype))
    try:
        near = probe.first_tokens()
        company = list(probe.company(near))
        path = _far_down(probe, near, () if company else far)
        return _Reading(probe, path, company, expected).report()
    except NotTurnedError as problem:
        return RopeReport(False, "", (str(problem),))


# Down the text


class _Path(NamedTuple):
    """The turns at all positions that could be probed, and what ended the way."""

    places: Array
    turns: Turns
    ended: int = 0  # the first position that fails
    why: str = ""
    raised: bool = False
    changed: int = 0  # the first position whose text has other frequencies
    settled: bool = False  # whether they are the same in longer texts


def _far_down(probe: Probe, near: Turns, far: tuple[int, ...]) -> _Path:
    places, found = list(range(NEAR)), [near]
    beside = near.at(list(BESIDE))

    def path(**ended: Any) -> _Path:
        return _Path(np.array(places, float), joined(found), **ended)

    for place in far:
        why, _ = probe.why_not(place)
        if why:
            first = first_between(places[-1], place, lambda k: bool(probe.why_not(k)[0]))
            why, raised = probe.why_not(first)
            return path(ended=first, why=why, raised=raised)
        turns = probe.turns([*BESIDE, place])
        if turns.at(slice(-1)).differ(beside):
            first = first_between(places[-1], place, lambda k: probe.beside(k).differ(beside))
            after = probe.beside(first)  # before a longer text, which some functions remember
            longest = next(k for k in reversed(far) if not probe.why_not(k)[0])
            settled = not after.differ(probe.beside(longest))
            return path(changed=first, settled=settled and longest > 2 * first)
        places.append(place)
        found.append(turns.at(slice(-1, None)))
    return path()


# How fast the pairs turn


class _Speeds(NamedTuple):
    """The frequencies as measured, and how far each may be off, as a part of itself."""

    omega: Array
    error: Array
    positions: str = ""  # what has become of positions
    wrong: int = 0  # the row of the first position that does not fit


def _speeds(angles: Array, places: Array, stored: str) -> _Speeds:
    """Return the frequencies under which all angles grow evenly, or as far as they do."""
    for kind in ("float64", "float32"):
        for name, changed in SHORTENED.items():
            speeds = _followed(angles, changed(places), stored, kind)
            if not speeds.wrong:
                return speeds._replace(positions=name if (changed(places) != places).any() else "")
    return _followed(angles, places, stored, "float32")


def _followed(angles: Array, places: Array, stored: str, kind: str) -> _Speeds:
    """Follow each pair from position to position: its angle tells its frequency ever more finely.

    A sine and a cosine of unit roundoff u give an angle to 4u, and to 4u of itself while it is
    small.
    """
    start = np.minimum(np.abs(angles[0]), 1.0)

    def seen(line: Array, omega: Array) -> Array:
        size = np.clip(np.abs(line), LEAST[stored], 1.0)
        kept = 4 * UNIT[stored] * (size + start)
        bound: Array = kept + 2 * UNIT[kind] + angle_error(line, omega, kind)
        return bound

    omega: Array = wrap(angles[1] - angles[0])
    doubt = seen(omega, omega)
    for row in range(2, len(places)):
        line = places[row] * omega
        left = wrap(angles[row] - angles[0] - line)
        near = seen(line, omega)
        if (np.abs(left) > 2 * near + places[row] * doubt).any():
            return _Speeds(omega, doubt / np.maximum(np.abs(omega), 1e-300), wrong=row)
        step = max(float(places[row]), 1.0)
        omega = np.where(near / step < doubt, omega + left / step, omega)
        doubt = np.minimum(near / step, doubt)
    return _Speeds(omega, doubt / np.maximum(np.abs(omega), 1e-300))


# The list and its name


class _Named(NamedTuple):
    """The list that fits, with the type that its entries were rounded to, and that of angles."""

    ladder: Ladder
    rounded_to: str
    angles: str

    def omega(self) -> Array:
        """Return the frequencies as the function has them."""
        return SHORTENED[self.rounded_to](self.ladder.frequencies)


class _Seen(NamedTuple):
    """Cosines and sines divided by their length, at positions, as some type holds them."""

    places: Array
    cosines: Array
    sines: Array
    stored: str

    def difference(self, omega: Array) -> float:
        """Return the largest difference from the cosines and sines of some frequencies."""
        angle = self.places[:, np.newaxis] * omega
        off = np.abs(self.cosines - np.cos(angle)), np.abs(self.sines - np.sin(angle))
        return float(max(each.max() for each in off))

    def misfit(self, omega: Array, kind: str) -> float:
        """Return the largest difference as a part of what rounding explains."""
        angle = self.places[:, np.newaxis] * omega
        worst = 0.0
        for found, right in ((self.cosines, np.cos(angle)), (self.sines, np.sin(angle))):
            allowed = entry_error(right, angle, omega, kind, self.stored)
            worst = max(worst, float((np.abs(found - right) / allowed).max()))
        return worst


def _named(measured: Array, error: Array, seen: _Seen, expected: Array | None) -> _Named | None:
    """Return the first list known by name that explains every cosine and sine."""
    turns = measured != 0
    kinds = ("float64", "float32")
    passed = []
    if expected is not None and expected.shape == measured.shape:
        passed.append(Ladder(0.0, "the frequencies that were passed", expected))
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


def _explains(found: _Named, measured: Array, error: Array, seen: _Seen) -> bool:
    """Return whether a list is near the measured one, and then has every cosine and sine.

    A list with a fitted number is off by as much again as what it was fitted to.
    """
    turns = measured != 0
    omega = found.omega()[turns]
    doubt = 4 * error[turns] + angle_error(np.ones_like(omega), omega, found.angles)
    if (np.abs(omega - measured[turns]) > doubt * measured[turns]).any():
        return False
    return seen.misfit(omega, found.angles) <= 1 + found.ladder.fitted


def _without_a_rule(omega: Array) -> Iterator[str]:
    """Yield what no list of a model has."""
    if len(omega) > 1 and np.ptp(omega) <= 1e-3 * omega[0]:
        yield f"All {len(omega)} pairs have one frequency, {number(float(omega[0]))}."
        return
    same = np.flatnonzero(np.abs(omega[1:] / omega[:-1] - 1) < 1e-6)
    faster = np.flatnonzero(omega[1:] > omega[:-1] * (1 + 1e-6))
    if same.size:
        yield f"Pairs {same[0]} and {same[0] + 1} have the same frequency."
    elif faster.size:
        yield f"Pair {faster[0] + 1} turns faster than pair {faster[0]}."


# The report


class _Reading:
    """What the turns along a path say, put together."""

    def __init__(
        self, probe: Probe, path: _Path, problems: list[str], expected: Array | None
    ) -> None:
        self.probe, self.path, self.problems = probe, path, problems
        self.expected = expected
        self.said: list[str] = []
        self.sign = 1.0

    def report(self) -> RopeReport:
        path, probe = self.path, self.probe
        turns = path.turns
        lengths = np.hypot(turns.cosines, turns.sines)
        stored = self._stored(float(np.median(lengths[0])))
        factor, scale = self._lengths(lengths, stored)
        angles = np.arctan2(turns.sines, turns.cosines)
        speeds = _speeds(angles, path.places, stored)
        self.sign = sign = -1.0 if (speeds.omega < 0).all() else 1.0
        if sign < 0:
            self.problems.append("It turns the other way: the sign of the sines is the opposite.")
        angles, speeds = sign * angles, speeds._replace(omega=sign * speeds.omega)
        layout, begin, ladder, error = self._layout(speeds)
        if speeds.wrong:
            self.problems.append(self._uneven(angles, speeds, stored))
            rows = path.places < path.places[speeds.wrong]
        else:
            rows = np.ones(len(path.places), bool)
        places = SHORTENED[speeds.positions](path.places)
        offset = self._offset(angles[0], speeds.omega, stored)
        if speeds.positions:
            row = int(np.flatnonzero(places != path.places)[0])
            self.problems.append(
                f"Its positions are rounded to {speeds.positions}: position "
                f"{number(path.places[row])} is turned as position {number(places[row])}."
            )
        places = places[rows] + offset
        cosines, sines = (part[rows] / scale[rows] for part in (turns.cosines, turns.sines))
        seen = _Seen(places, cosines, sign * sines, stored)
        named = _named(ladder, error, seen, self.expected)
        omega = speeds.omega
        if named:
            omega = named.omega()[ladder != 0]
            self._rounded_list(named)
            self.problems += [named.ladder.problem] if named.ladder.problem else []
        elif not speeds.wrong:
            self.problems += _without_a_rule(omega)
        worst = seen.difference(omega)
        off = np.abs(wrap(angles[rows] - places[:, np.newaxis] * omega)).max(axis=1)
        probed = path.places[rows]
        far = {int(k): float(e) for k, e in zip(probed[NEAR:], off[NEAR:], strict=True)}
        self._cached_table(stored, worst)
        said = [
            layout or "no known layout",
            _base_said(named, omega, 2 * len(ladder), probe.width),
            _columns_said(begin, 2 * len(ladder), probe.width),
            named.ladder.words if named else "",
            *self.said,
            self._order_said(layout, begin, 2 * len(ladder)),
            self._changed_said(),
            self._end_said(),
            "" if stored in SHORT else _angles_said(named, far),
        ]
        roundings = worst / UNIT[stored]
        return RopeReport(
            rotary=not self.problems,
            text=f"RoPE: {', '.join(filter(None, said))}.",
            problems=tuple(self.problems),
            layout=layout,
            width=2 * len(ladder),
            frequencies=ladder,
            base=(named.ladder.base or None) if named else None,
            scaling=named.ladder.words if named else "",
            offset=offset,
            attention_factor=factor,
            far=far,
            rounding=stored,
            roundings=roundings,
            ground=self._ground(probed, stored, worst, bool(named)),
        )

    def _lengths(self, lengths: Array, stored: str) -> tuple[float, Array]:
        """Return what the pairs are multiplied by, at the first tokens and in each entry."""
        near = max(8 * UNIT[stored], 1e-6)
        factor = float(np.median(lengths[:NEAR]))
        factor = 1.0 if abs(factor - 1) < near else factor
        if (np.abs(lengths / factor - 1) <= near).all():
            if factor != 1:
                self.said.append(f"times {factor:.6g}")
            return factor, np.full_like(lengths, factor)
        by_token = np.ptp(lengths, axis=1) <= near * np.median(lengths, axis=1)
        if by_token.all():
            row = int(np.abs(lengths[:, 0] / factor - 1).argmax())
            self.said.append(
                "with a length that depends on the position, as an attention temperature does "
                f"(times {lengths[row, 0]:.6g} at position {number(self.path.places[row])})"
            )
            return float(lengths[0, 0]), lengths
        later = self.path.places[1:, np.newaxis]
        growth = np.log(lengths[1:] / lengths[0]) / later
        last = growth[-1]  # the furthest row tells it most finely
        even = np.abs(growth - last) <= 4 * near / later + 1e-3 * np.abs(last)
        if even.all():
            if np.abs(last).max() * later[-1] > near:
                self.said.append(
                    "with a length that depends on the position, by a factor of its own per token "
                    "in each pair, as in xPos"
                )
                return factor, lengths
            self.problems.append("It is no rotation: some pairs are longer than others.")
        else:
            self.problems.append(
                "It is no rotation: sine² + cosine² changes with the position and the pair."
            )
        return factor, lengths

    def _stored(self, factor: float) -> str:
        """Return the coarsest type that holds the sines and cosines, before a factor or after."""
        entries = np.stack([self.path.turns.cosines, self.path.turns.sines])
        kinds = [coarsest(entries)]
        if factor != 1:
            kinds.append(coarsest(entries / factor, 2.0**-22))
            kinds[1] = kinds[1] if kinds[1] in SHORT else kinds[0]
        return min(kinds, key=BITS.__getitem__)

    def _layout(self, speeds: _Speeds) -> tuple[str | None, int, Array, Array]:
        """Return the layout, its first column, and the frequencies with those of still pairs."""
        first, second = self.probe.first, self.probe.second
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
            pairs = list(zip(first.tolist(), second.tolist(), strict=True))[:3]
            self.problems.append(f"The pairs are in no known layout; the first are {pairs}.")
        ladder, error = np.zeros(total), np.zeros(total)
        ladder[:count], error[:count] = speeds.omega, speeds.error
        return layout, begin, ladder, error

    def _offset(self, start: Array, omega: Array, stored: str) -> float:
        """Return the position that the first token is turned by, read by ever faster pairs."""
        near = 8 * UNIT[stored] + 1e-6
        if np.abs(start).max() <= near:
            return 0.0
        if np.abs(wrap(start - math.pi)).max() <= near:
            self.problems.append("All signs of the result are the opposite.")
            return 0.0
        order = np.argsort(np.abs(omega))
        offset = float(start[order[0]] / omega[order[0]])
        for pair in order[1:]:
            offset += float(wrap(start[pair] - offset * omega[pair]) / omega[pair])
        for steps in (1, 2, 4):
            whole = round(offset * steps) / steps
            if abs(whole - offset) <= near * (2 + abs(offset)):
                offset = whole
                break
        if np.abs(wrap(start - offset * omega)).max() > 8 * near * (1 + abs(offset)):
            self.problems.append("The first token is turned already, by no one position.")
            return 0.0
        said = f"{'+' if offset > 0 else '-'} {number(abs(offset))}"
        self.problems.append(f"Position k is turned as position k {said}.")
        return offset

    def _uneven(self, angles: Array, speeds: _Speeds, stored: str) -> str:
        """Return the sentence on angles that do not grow evenly."""
        places, row = self.path.places, speeds.wrong
        left = np.abs(wrap(angles[row] - angles[0] - places[row] * speeds.omega))
        coarse = float((left / np.maximum(np.abs(places[row] * speeds.omega), 1e-12)).max())
        if row < NEAR and coarse < 2.0**-6:
            worst = f"{left.max():.1g} at position {number(places[row])}"
            return f"Its angles are rounded to float16 or bfloat16: off by {worst}."
        bad = int(places[row])
        if row >= NEAR:

            def is_bad(place: int) -> bool:
                turns = self.probe.turns([place])
                line = place * speeds.omega
                found = self.sign * np.arctan2(turns.sines, turns.cosines)[0] - angles[0]
                near = 16 * UNIT[stored] + np.abs(line) * (speeds.error + 1e-6)
                return bool((np.abs(wrap(found - line)) > near).any())

            bad = first_between(int(places[row - 1]), bad, is_bad)
        return (
            "The angles do not grow evenly with the position: position "
            f"{number(bad)} is the first that is turned otherwise."
        )

    def _rounded_list(self, named: _Named) -> None:
        if named.rounded_to:
            off = np.abs(named.omega() - named.ladder.frequencies)
            pair = int(off.argmax())
            self.problems.append(
                f"Its frequencies were rounded to {named.rounded_to}: pair {pair} is off by a "
                f"radian from position {number(math.ceil(1 / off[pair]))} on."
            )

    def _cached_table(self, stored: str, worst: float) -> None:
        if stored in SHORT and BITS[coarsest(self.path.turns.drawn)] > BITS[stored]:
            self.problems.append(
                f"Its cosines and sines were rounded to {stored}, as in a cached table: they are "
                f"off by up to {worst:.1g}, at every position."
            )

    def _order_said(self, layout: str | None, begin: int, width: int) -> str:
        order = self.probe.order
        if (order == np.arange(len(order))).all():
            return ""
        dealt, turning = np.arange(len(order)), np.arange(begin, begin + width)
        dealt[turning[0::2]], dealt[turning[1::2]] = np.split(turning, 2)
        if layout == "interleaved" and (order == dealt).all():
            return (
                "neighbours go in and halves come out "
                "(as DeepSeek; harmless if queries and keys do)"
            )
        return "columns come out in another order"

    def _changed_said(self) -> str:
        if not self.path.changed:
            return ""
        which = "one list for all of them, as LongRoPE" if self.path.settled else "dynamic"
        longer = number(self.path.changed + 1)
        return f"other frequencies in texts of {longer} tokens or more ({which})"

    def _end_said(self) -> str:
        path = self.path
        if not path.ended:
            return ""
        said = refusal(path.ended, path.why)
        if not path.raised:
            self.problems.append(said)
            return ""
        return f"only to position {number(path.ended - 1)}, then {path.why[3:].rstrip('.')}"

    def _ground(self, places: Array, stored: str, worst: float, named: bool) -> str:
        """Return what the finding holds of, and what was not looked at."""
        looked = f"Looked at positions 0 to {NEAR - 1}"
        if len(places) > NEAR:
            looked += f" and {len(places) - NEAR} more up to {number(places[-1])}"
        to = "the named rotation" if named else "angles that grow evenly"
        short = self.path.ended or self.path.changed
        beyond = "further ones" if short else f"positions beyond {number(places[-1])}"
        times = _decade(worst / UNIT[stored])
        size = "a rounding" if times == 1 else f"{number(times)} roundings"
        return (
            f"{looked}; one token and many, with gaps, one text and two. The numbers are "
            f"{stored}, within {_decade(worst):.0e} of {to}, {size}. Not looked at: {beyond}."
        )


def _decade(value: float) -> float:
    """Return the next power of ten; the exact figures are fields of the report."""
    return 10.0 ** math.ceil(math.log10(value) - 1e-9) if value > 0 else 0.0


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


def _angles_said(named: _Named | None, far: dict[int, float]) -> str:
    if named is None or named.angles == "float64" or max(far.values(), default=0.0) < 1e-4:
        return ""
    place = max(far, key=far.__getitem__)
    return f"angles in float32 (off by {far[place]:.1g} at position {number(place)})"
