"""What is this table? A table of numbers, read back to the formula that made it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import check_room, plain_tensor, real_array, shown
from posenc.diagnose.rounding import BITS, SHORT, UNIT, Array, angle_error, number, rounded
from posenc.diagnose.search import (
    FARTHEST,
    MOST_LOG,
    PAIRS,
    Indices,
    Ladder,
    find_ladder,
    read_positions,
    spread,
)

__all__ = ["TableReport", "inspect_table"]

# Rows that show whether pairs lie on circles, and entries that show how a table is rounded.
SAMPLE, ENTRIES = 24, 20_000

# Rows on which hypotheses are tried.
ROWS = 48

# An angle that may be off by more, in radians, says nothing.
VAGUE = 0.1

# Numbers that are compared at a time.
BLOCK = 2**19

# How far a pair may be off its circle, as a part of it, in a table that is only rounded.
ROUND = 0.02

# Guesses that are compared with every row, of those that fit some.
TRIES = 4

# The part of the rows that may be spoilt in a table whose other rows leave no doubt.
SPOILT = 0.25

# The part of the columns that may differ from a table before it gets no name.
FEW_COLUMNS = 1 / 8

# How much more than chance a match must be, in bits, before it gets a name.
ENOUGH_BITS = 24

# What the angles of a row must say, in bits, before a table that nothing explains is none.
LEAST_BITS_OF_A_ROW = 40

# Tables of several coordinates, side by side: what part of the columns each has.
SPLITS = (
    (1 / 2, 1 / 2),
    (1 / 3, 1 / 3, 1 / 3),
    (1 / 4, 1 / 4, 1 / 4, 1 / 4),
    (1 / 4, 3 / 8, 3 / 8),  # CogVideoX
    (1 / 8, 7 / 16, 7 / 16),  # HunyuanVideo
)

# Tables with an angle of its own in each column j: the exponent is so many times j/d.
COLUMNS = {
    1: "each column has a frequency of its own, by its number in place of its pair's",
    2: "each column has a frequency of its own, by twice its number: 2*i of an i that is even, as "
    "in a tutorial that is often copied",
    0: "every column turns by one radian per token: the exponent is 0, as 2*(i//2)//d is",
}

# Numbers beyond these are not rounded as the others are.
LEAST_ENTRY, MOST_ENTRY = 1e-30, 1e30


class TableReport(NamedTuple):
    """What `inspect_table` found; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    sinusoidal : bool
        Whether every row is an encoding of one formula. The fields below are None if not.
    text : str
        The finding in words.
    change : tuple of str
        What to do to the table to get the paper's, step by step; empty if nothing.
    layout : {"interleaved", "halves"}
        The order of the columns.
    cosines_first : bool
        Whether cosines stand where the paper has sines.
    base : float
        The constant n in the paper's formula that gives these frequencies.
    spacing : {"paper", "tensor2tensor", "either"}
        "tensor2tensor" if ``base`` is n^(d/(d-2)) of a round n: then ω goes down to exactly 1/n.
        "either" if the rounding hides which.
    positions : ndarray of float64
        The position of each row, in tokens; NaN in a row of zeros.
    scale : float
        What the sines and cosines are multiplied by.
    rounding : str
        The type or the digits that the entries are rounded to: "float16", "4 decimals".
    angles : {"float64", "float32", None}
        The type that the angles were computed in, as far as the rounding lets it be seen.
    parts : tuple of TableReport
        For a table of several coordinates, one report for each stretch of columns.
    error : float
        The largest difference of an entry from the formula.
    roundings : float
        The same in units of the rounding: unit roundoffs of the type, or halves of a last digit.
    ground : str
        What the finding holds of, and how closely.
    """

    sinusoidal: bool
    text: str
    change: tuple[str, ...] = ()
    layout: str | None = None
    cosines_first: bool | None = None
    base: float | None = None
    spacing: str | None = None
    positions: Array | None = None
    scale: float | None = None
    rounding: str | None = None
    angles: str | None = None
    parts: tuple[TableReport, ...] = ()
    error: float | None = None
    roundings: float | None = None
    ground: str = ""

    def __str__(self) -> str:
        """Return the finding in words, what to change, and the ground."""
        change = f"To get the paper's table: {'; '.join(self.change)}." if self.change else ""
        return " ".join(filter(None, [self.text, change, self.ground]))


def inspect_table(table: npt.ArrayLike) -> TableReport:
    r"""Say what a table of positional encodings is, and how it differs from the paper's.

    Parameters
    ----------
    table : array_like of real numbers, shape (..., d)
        A whole table, a few of its rows, or one row, of any float type: each row complete. It
        may be a parameter of PyTorch, in bfloat16 too.

    Returns
    -------
    TableReport
        Fields for a program; ``str`` of it is the answer in words.

    Raises
    ------
    TypeError
        If the table does not hold real numbers.
    ValueError
        If an entry is NaN or infinite, all are below 1e-30 or one is above 1e30, there is no row
        of at least two columns, or the table would not fit in memory a few times over.

    Notes
    -----
    In the right order of columns, sine and cosine of a pair lie on a circle. The angles of
    one row are :math:`k \omega_i`, so in the slow pairs, which have not turned round yet, they
    are the frequencies up to one factor. From there the positions are read as in
    `decode_positions`, and the ratio of the frequencies is refined on a few rows and pairs. What
    fits by chance gets no name.

    The rest is comparison. For a base, a spacing and positions, simple ones first, every entry v
    of every row must be within

    .. math:: u\,|v| + s\,\bigl(2 a + |k \omega|\, a\, (3 + 3\, |\ln \omega|)\bigr)

    of the formula, where u is the unit roundoff of the entries' type (twice it, if they are
    multiplied by s), and a that of the angles. The sine is good to two units. ω is the
    exponential of :math:`x = -2i \ln n / d`, whose two products move it by :math:`2 a |x|`;
    the exponential, or a power and its inverse, adds :math:`2a + a|x|`, and kω is rounded once
    more. Angles are compared with a of float64 first, then with that of float32. Entries with a
    few decimals are off by half of the last one, and by the float32 that was cut. What is
    read off the table, as a base of many digits, moves the angles by what the fit leaves open; it
    is printed in the digits that are known.

    Of a list of frequencies whose last pairs are still, the first is named by the width of the
    whole, where the next pair would have turned by more than four roundings; what stands still to
    the last bit may turn by less than a rounding over the furthest position. A list that is cut
    *before* the width is counted leaves no trace: the first m frequencies of width d and base n
    are all frequencies of width 2m and base n^(2m/d), so only 10 000 is looked for there. With
    half of the pairs still the same numbers are those of two coordinates, one of them 0: that is
    said if their base is 10 000.

    Where at most an eighth of the columns differ, and all others follow a table of positions
    counted by one, in a base of at most two digits, the table and those columns are named, and it
    is none. That takes three rows, eight columns and entries to 2 % of the largest. A few *rows*
    that differ come first.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5; tensor2tensor,
    layers/common_attention.py, ``get_timing_signal_1d``.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import sinusoidal
    >>> from posenc.diagnose import inspect_table
    >>> print(inspect_table(sinusoidal(50, 64)).text)
    Sinusoidal: interleaved, base 10 000, first position 0. This is the paper's table.
    >>> theirs = sinusoidal(np.arange(2, 9), 64, layout="halves", dtype=np.float16)
    >>> print(inspect_table(theirs).text)
    Sinusoidal: halves, base 10 000, first position 2, rounded to float16.
    >>> inspect_table(np.eye(8)).sinusoidal
    False
    """
    values = real_array(plain_tensor(table), "table")
    if values.ndim == 0 or values.shape[-1] < 2 or values.size == 0:
        raise ValueError(f"table must have a row of at least two columns, got shape {values.shape}")
    check_room((4, *values.shape), np.float64, "table")
    most = float(np.abs(values).max())
    if most and not LEAST_ENTRY <= most <= MOST_ENTRY:
        raise ValueError(
            f"table must have entries of at least {LEAST_ENTRY:g} and at most {MOST_ENTRY:g}, "
            f"got {shown(table)}"
        )
    copies = math.prod(values.shape[:-2])
    same = copies > 1 and values.shape[-2] > 1
    if same and (values == values[(0,) * (values.ndim - 2)]).all():
        values = values[(0,) * (values.ndim - 2)]
    else:
        copies = 1
    with np.errstate(all="ignore"):
        report = _inspected(values.reshape(-1, values.shape[-1]))
    if copies == 1:
        return report
    ground = f"{report.ground} The table is {number(copies)} times the same.".strip()
    positions = None if report.positions is None else np.tile(report.positions, copies)
    return report._replace(ground=ground, positions=positions)


def _inspected(rows: Array) -> TableReport:
    report = _whole(rows)
    if report.sinusoidal or rows.size < 8:
        return report
    cut = _whole(rows, cut=True)
    if report.layout or (cut.sinusoidal and _usual(cut)):
        return cut if cut.sinusoidal else report
    vague = report.text.startswith("Too few")
    for shares in SPLITS:
        for stacked in (False, True):
            parts = _parts(rows, shares, stacked)
            # Where digits are few, slow pairs stand still as a coordinate that is 0 does.
            if parts and all(part.sinusoidal for part in parts.parts):
                return parts
            coarse = vague or (parts and not _usual(parts) and "decimals" in str(parts.rounding))
            if parts and not coarse:
                return cut if cut.sinusoidal and not _usual(parts) else parts
    if cut.sinusoidal:
        return cut
    if min(rows.shape) > 1:
        turned = _whole(rows.T)
        if turned.sinusoidal:
            text = turned.text.replace("Sinusoidal: ", "Transposed, sinusoidal in its columns: ")
            text = text.removesuffix(" This is the paper's table.")
            return turned._replace(text=text, change=("transpose it", *turned.change))
    return report


def _usual(report: TableReport) -> bool:
    return report.base == 1e4 or report.spacing == "tensor2tensor"


def _whole(rows: Array, cut: bool = False) -> TableReport:
    """Return the report on rows of one coordinate, all of whose pairs turn or, `cut`, the first."""
    padding = np.flatnonzero(~rows.any(axis=1))
    kept: Array = np.delete(rows, padding, axis=0) if padding.size else rows
    if not kept.size:
        return _no("all entries are 0")
    odd = kept.shape[1] % 2
    if odd and kept[:, -1].any():
        return _no(f"an odd number of columns, {kept.shape[1]}, and the last is not 0")
    columns = kept[:, : kept.shape[1] - odd]
    if _stands_still(columns):
        return _few("every row is that of position 0, which is the same for every base")
    held = np.setdiff1d(np.arange(len(rows)), padding)
    found = _cut(columns, held) if cut else _found(columns, held)
    if isinstance(found, str):
        return _few(found, ", or digits") if found.startswith("they ") else _no(found)
    return _report(found, len(rows), padding, bool(odd))


def _no(reason: str) -> TableReport:
    return TableReport(False, f"Not a sinusoidal table: {reason}.")


def _few(reason: str, more: str = "") -> TableReport:
    advice = f"Add rows, that of position 1 too{more}."
    return TableReport(False, f"Too few numbers to tell: {reason}. {advice}")


# How the entries are rounded


class _Rounding(NamedTuple):
    """What the entries are rounded to: how far off they are, of their own size or in all."""

    name: str
    relative: float
    absolute: float

    def unit(self, scale: float) -> float:
        return max(self.absolute, self.relative * abs(scale))


def _rounding(values: Array, slack: float = 0.0) -> _Rounding:
    """Return the coarsest rounding of all entries, each known up to a part of itself."""
    values = values.reshape(-1)[:: max(1, values.size // ENTRIES)]
    single = bool((rounded(values, "float32") == values).all())
    slack = max(slack, 2.0**-24 if single else 2.0**-52)
    whole = (values == np.round(values)).all()
    for digits in range(1, 9):
        unit = 10.0**-digits
        if whole or unit < 100 * slack:
            break
        if (np.abs(values - np.round(values / unit) * unit) <= slack * np.abs(values)).all():
            before = UNIT["float32"] if digits < 8 else 0.0
            return _Rounding(f"{digits} decimals", before, 0.5 * unit)
    for name in BITS:
        near = np.abs(rounded(values, name) - values)
        if (near <= (slack * np.abs(values) if slack > 2.0**-24 else 0.0)).all():
            return _Rounding(name, UNIT[name], 2.0**-25 if name == "float16" else 0.0)
    return _Rounding("float64", UNIT["float64"], 0.0)


def _scaled_after(columns: Array, size: float) -> tuple[_Rounding, float] | None:
    """Return the rounding of a table that was multiplied by √d or 1/√d after it, and the factor."""
    width = columns.shape[1]
    for factor in (width**0.5, width**-0.5):
        for kind in ("float64", "float32", *SHORT):
            value = float(rounded(factor, kind))
            if abs(size / value - 1) < ROUND:
                kept = _rounding(columns / value, 2.0**-22)
                if BITS.get(kept.name, 0) < 24:
                    return kept._replace(absolute=kept.absolute * value), value
    return None


# One coordinate


class _Columns(NamedTuple):
    """The two numbers of each pair, each of shape (rows, pairs), read as s sin and s cos."""

    sines: Array
    cosines: Array
    scale: float

    def some(self, rows: Indices, index: Indices) -> _Columns:
        where = np.ix_(rows, index)
        return _Columns(self.sines[where], self.cosines[where], self.scale)

    def angles(self) -> Array:
        sign = math.copysign(1.0, self.scale)
        return np.asarray(np.arctan2(sign * self.sines, sign * self.cosines))


class _Rule(NamedTuple):
    """Frequencies by one hypothesis, and how far ln n may be off."""

    n: float
    spacing: str  # "paper", "tensor2tensor", "either" or "measured"
    rounded_to: str
    omega: Array
    doubt: float
    total: int = 0  # pairs, with those at the end that do not turn


class _Places(NamedTuple):
    """Positions of the rows by one hypothesis; `fitted` if they are read off the table."""

    kind: str  # "whole", "line" or "own"
    values: Any
    fitted: bool = False
    line: tuple[float, float] | None = None  # the position of row 0, and the step


class _Compared(NamedTuple):
    """The largest error of each row as a part of the bound, for angles of two types, and of all."""

    float64: Array
    float32: Array
    error: float

    def angles(self, limit: float) -> str:
        """Return the type of angles that explains every row, or nothing."""
        if (self.float64 <= limit).all():
            return "float64"
        return "float32" if (self.float32 <= limit).all() else ""


class _Fit(NamedTuple):
    """A table by its name, and the rows that do not fit it."""

    columns: _Columns
    rounding: _Rounding
    rule: _Rule
    places: _Places
    rows: Indices
    angles: str
    bad: Array
    error: float
    halves: bool = False
    cosines_first: bool = False
    differ: str = ""  # the columns that do not fit, where only a few do not

    def column(self, pair: int, kind: int) -> int:
        """Return the column of a pair's sine (0) or cosine (1)."""
        second = kind != self.cosines_first
        return pair + second * len(self.rule.omega) if self.halves else 2 * pair + second


def _pairs(columns: Array, halves: bool) -> tuple[Array, Array]:
    if halves:
        return columns[:, : columns.shape[1] // 2], columns[:, columns.shape[1] // 2 :]
    return columns[:, 0::2], columns[:, 1::2]


def _cut(columns: Array, rows: Indices) -> _Fit | str:
    """Return the reading of a table whose last pairs stand still, where it shows that they do."""
    pairs = columns.shape[1] // 2
    for halves in (False, True):
        for swapped in (False, True):
            sines, cosines = _pairs(columns, halves)[:: -1 if swapped else 1]
            turns = sines.any(axis=0) | (cosines != cosines[0, -1]).any(axis=0)
            count = int(np.flatnonzero(turns).max(initial=-1)) + 1
            if not 2 < count < pairs:
                continue
            first = np.arange(count)
            kept = np.r_[first, pairs + first] if halves else np.arange(2 * count)
            fit = _found(columns[:, kept], rows, pairs)
            if isinstance(fit, str) or fit.bad.any():
                continue
            if (fit.halves, fit.cosines_first) != (halves, swapped):
                continue
            # The next pair would have turned by more than its rounding.
            steps = pairs - (fit.rule.spacing == "tensor2tensor")
            angle = float(np.abs(fit.places.values).max()) * fit.rule.n ** (-count / steps)
            scale = fit.columns.scale
            unit = fit.rounding.unit(scale)
            off = float(abs(cosines[0, -1] - scale))
            if off <= 2 * unit and abs(scale) * angle > 4 * unit:
                return fit._replace(error=max(fit.error, off))
    return "no pairs at the end stand still"


def _found(columns: Array, rows: Indices, total: int = 0) -> _Fit | str:
    """Return the best reading of the columns, or the reason why there is none."""
    rounding = _rounding(columns)
    sample = columns[spread(len(columns), SAMPLE)]
    circles, few, best = 0.0, "", None
    # One row, or one of so few digits, follows many bases: the search may not meet the right one.
    length = math.sqrt(2 * float((columns**2).mean()))
    unit = rounding.unit(length) / length
    said = columns.shape[1] // 2 * math.log2(math.pi / (3 * unit))
    loose = said < LEAST_BITS_OF_A_ROW or unit > VAGUE or 1 in (len(columns), columns.shape[1] // 2)
    spoilt = 0.0 if loose and (len(columns) < 3 or unit > 0.02) else SPOILT
    for halves in (False, True):
        one, other = _pairs(sample, halves)
        radii = np.hypot(one, other)
        size = float(np.median(radii))
        if not size:
            continue
        # One row that is spoilt is told later.
        by_row = np.sort(np.abs(radii / size - 1).max(axis=1))
        noise = float(by_row[(3 * len(by_row) - 1) // 4])
        explained = 3 * rounding.unit(size) / size + 3e-6
        if noise > ROUND + explained:
            continue
        kept = rounding
        if noise > explained:
            after = _scaled_after(columns, size)
            if after is None:
                circles = max(circles, noise)
                continue
            kept, size = after
        circles = max(circles, 1e-12)
        for at, (cosines_first, sign) in enumerate(_orientations(one / size, other / size)):
            pair = _pairs(columns, halves)
            read = _Columns(*(pair[::-1] if cosines_first else pair), sign * size)
            fit = _fitted(read, kept, rows, total)
            if isinstance(fit, str):
                few = few or fit
            elif fit is not None:
                fit = fit._replace(halves=halves, cosines_first=cosines_first)
                if fit.bad.mean() <= spoilt:
                    return fit
                if best is None or fit.bad.sum() < best.bad.sum():
                    best = fit
            # No base turns a sign or swaps columns: then the rest need not be tried.
            near = None if at or total else _but_for_columns(columns, rows)
            if near is not None and "off by" not in near.differ:
                return near
    near = None if few or total else _but_for_columns(columns, rows)
    if near is not None:
        return near
    # One row alone, as that of position 0, follows many bases.
    if best is not None and not loose and best.bad.sum() < len(rows) - 1:
        return best
    reason = few or _reason(columns, rounding, circles)
    lost = best is None and len(columns) < 4 and reason.startswith("its pairs lie on circles")
    if lost or (loose and (best is not None or reason.startswith("its pairs lie on"))):
        return few or "they lie on circles, as those of many bases do to so few numbers"
    return reason


def _orientations(one: Array, other: Array) -> list[tuple[bool, float]]:
    """Return (cosines first, sign), those first under which the slow pairs have turned least."""
    slow = slice(-max(1, one.shape[1] // 4), None)
    first, second = float(one[:, slow].mean()), float(other[:, slow].mean())
    ways = [(second, False, 1.0), (first, True, 1.0), (-second, False, -1.0), (-first, True, -1.0)]
    ways.sort(key=lambda way: -way[0])
    return [(swapped, sign) for _, swapped, sign in ways]


def _fitted(read: _Columns, rounding: _Rounding, rows: Indices, total: int) -> _Fit | str | None:
    """Return the simplest rule and positions that explain the columns, or nearly do.

    They are found on a few rows and pairs, and then compared with all.
    """
    pairs = read.sines.shape[1]
    total = total or pairs
    sample, index = spread(len(rows), ROWS), spread(pairs, PAIRS)
    some = read.some(sample, index)
    angles = some.angles()
    if len(rows) > 1 and (angles == angles[0]).all():
        return None
    rough = rounding.unit(read.scale) / abs(read.scale)
    # Rows side by side at the beginning tell frequencies of which all turn round between others.
    begin = read.some(np.union1d(sample, np.arange(min(len(rows), SAMPLE))), index).angles()
    ladder = (
        find_ladder(begin, index, rough) if pairs > 1 else Ladder(0.0, 0.0, math.inf, 0.0, True)
    )
    if ladder is None:
        return None
    scale, fitted = _scale(some, rough, 2 * total)
    read, some = read._replace(scale=scale), some._replace(scale=scale)
    best, few, tried = None, "", 0
    limit = 2.0 if fitted else 1.0
    for late, rule, places in _guesses(ladder, angles, index, (pairs, total), rows[sample]):
        if late and best and best.places.kind == "whole" and best.bad.mean() <= SPOILT:
            break
        if few and rule.rounded_to:  # what fits without being rounded is not said to be
            break
        read_off = (rule.spacing == "measured") + (places.kind != "whole")
        if pairs == 1 and (read_off or len(rows) < 4):
            continue
        # What is read off the table is known as far as its angles are.
        slip = (
            6 * ladder.sigma + 1e-15 * ladder.beta if rule.spacing == "measured" else 0.0,
            4 * rough + 1e-15 * float(np.abs(places.values).max()) if places.fitted else 0.0,
        )
        compared = _compared(some, rule.omega[index], places.values, rounding, slip, index)
        if compared.angles(limit):
            much = ladder.bits >= ENOUGH_BITS or rule.rounded_to
            vague = rule.doubt > (0.5 if places.kind == "whole" else 0.1)
            # Rows that hardly move, for their rounding, follow any line.
            vague |= len(sample) > 1 and float(np.ptp(places.values)) < 20 * slip[1]
            if 1 < pairs < 2 + read_off or vague or not much:
                few = "they fit a sinusoidal table, and would by chance"
                continue
        else:
            partly = (compared.float32 <= limit).mean() >= 0.5
            if best or rule.rounded_to or pairs == 1 or places.kind != "whole" or not partly:
                continue
        # A guess that fits a few rows may not fit all, where the next one does.
        fit = _of_all(read, rounding, _either(rule), places, rows, limit, slip)
        if fit is not None and (best is None or fit.bad.sum() < best.bad.sum()):
            best = fit
        tried += 1
        if fit is not None and not fit.bad.any():
            return fit
        # No other guess mends one row of many, or pairs that were not looked at.
        spoilt = len(rows) > ROWS if fit is None else len(rows) > ROWS and fit.bad.sum() == 1
        if spoilt or tried == TRIES:
            break
    return few or best


def _guesses(
    ladder: Ladder, angles: Array, index: Indices, pairs: tuple[int, int], rows: Indices
) -> Iterator[tuple[bool, _Rule, _Places]]:
    """Yield frequencies and positions: whole ones first, lists that were rounded last."""
    rules, found = list(_rules(ladder, *pairs)), {}
    for short, whole in ((False, True), (False, False), (True, True)):
        for rule in rules:
            if bool(rule.rounded_to) != short:
                continue
            beta = ladder.beta if short or pairs[0] == 1 else _slope(rule.omega)
            if beta not in found:
                found[beta], _ = read_positions(angles, index, beta)
            for places in _hypotheses(found[beta], rows, short or pairs[0] == 1):
                if (places.values == np.round(places.values)).all() == whole:
                    yield short or not whole, rule, places


def _of_all(
    read: _Columns,
    rounding: _Rounding,
    rule: _Rule,
    places: _Places,
    rows: Indices,
    limit: float,
    slip: tuple[float, float],
) -> _Fit | None:
    """Return the fit of all rows and pairs, by the rule and the positions of some."""
    pairs = len(rule.omega)
    tried = []
    if places.line:
        values = places.line[0] + places.line[1] * rows
        tried.append(values + 0.0)
    if not places.line or places.kind == "whole":
        index = spread(pairs, PAIRS)
        if len(places.values) == len(rows):
            tried.append(places.values)
        else:
            angles = read.some(np.arange(len(rows)), index).angles()
            measured, _ = read_positions(angles, index, _slope(rule.omega))
            tried.append(np.round(measured) + 0.0 if places.kind == "whole" else measured)
    best = None
    for values in tried:
        compared = _compared(read, rule.omega, values, rounding, slip, np.arange(pairs))
        kind = compared.angles(limit)
        wrong = compared.float64 > limit
        if (
            kind == "float32"
            and pairs > 3
            and rounding.relative < 1e-6
            and rounding.absolute < 1e-6
        ):
            # Where angles are in float32 more than a row here and there shows it.
            turned = wrong[np.abs(values) >= 0.5]
            kind = "float32" if turned.sum() > 1 or turned.mean() > 0.34 else "float64"
        if not kind:
            few = wrong.mean() <= (compared.float32 > limit).mean() + 0.2
            kind = "float64" if few else "float32"
        bad = (wrong if kind == "float64" else compared.float32 > limit) | (
            np.abs(values) > FARTHEST
        )
        fit = _Fit(
            read, rounding, rule, places._replace(values=values), rows, kind, bad, compared.error
        )
        if not bad.any():
            return fit
        if best is None or bad.sum() < best.bad.sum():
            best = fit
    return best if best is not None and best.bad.mean() <= 0.5 else None


def _but_for_columns(columns: Array, rows: Indices) -> _Fit | None:
    """Return the table that all but a few columns follow, its rows counted by one, or None."""
    pairs, most = np.arange(columns.shape[1] // 2), columns.shape[1] * FEW_COLUMNS
    if len(columns) < 3 or most < 1:
        return None
    for halves in (False, True):
        one, other = (part[:ROWS] for part in _pairs(columns, halves))
        radii = np.hypot(one, other)
        size = float(np.median(radii))
        off = np.median(np.abs(radii - size), axis=0)
        if not size or np.median(off) > ROUND * size:
            continue
        # From row to row a pair turns by its frequency, whatever the other pairs do.
        angles = np.unwrap(np.arctan2(one, other), axis=0)
        turned = (angles[-1] - angles[0]) / (rows[len(one) - 1] - rows[0])
        swapped = bool(np.median(turned) < 0)
        sound = (off <= 4 * np.median(off) + 1e-12 * size) & ((turned < 0) == swapped)
        told = np.flatnonzero(sound & (turned != 0) & (pairs > 0))
        if 2 * len(told) < len(pairs):
            continue
        slopes = -np.log(np.abs(turned[told])) / told
        beta = float(np.median(slopes))
        apart = float(np.median(np.abs(slopes - beta)))
        if apart > 0.02 * beta or not 1e-4 < beta * len(pairs) < MOST_LOG:
            continue
        pair = _pairs(columns, halves)
        read = _Columns(*(pair[::-1] if swapped else pair), size)
        few = read.some(np.arange(len(one)), told)
        rounding = _rounding(np.stack(few[:2]))
        rough = rounding.unit(size) / size
        if rough > ROUND:
            continue
        # The sign, and the position of row 0, that most pairs tell.
        told_by = []
        for sign in (1.0, -1.0):
            begins = np.round(few._replace(scale=sign).angles()[0] / np.exp(-beta * told))
            values, counts = np.unique(begins, return_counts=True)
            told_by.append((int(counts.max()), sign, float(values[counts.argmax()])))
        _, sign, begin = max(told_by)
        scale, fitted = _scale(few._replace(scale=sign * size), rough, columns.shape[1])
        places = _Places("whole", begin + rows - rows[0] + 0.0, line=(begin - rows[0], 1.0))
        ladder = Ladder(beta, apart, math.inf, 0.0, True)
        read, good = read._replace(scale=scale), np.zeros(len(rows), bool)
        fits = [
            _Fit(read, rounding, _either(rule), places, rows, "float32", good, 0.0, halves, swapped)
            for rule in _rules(ladder, len(pairs), len(pairs))
            if rule.spacing != "measured" and not rule.rounded_to
        ]
        if not fits:
            continue
        limit = 2.0 if fitted else 1.0
        nearest = min(fits, key=lambda fit: len(_differing(fit, slice(ROWS), limit)))
        for kind in ("float64", "float32"):
            fit = nearest._replace(angles=kind)
            if len(_differing(fit, slice(ROWS), limit)) <= most:
                wrong = _differing(fit, slice(None), limit)
                if 0 < len(wrong) <= most:
                    share = f"{len(wrong)} of {columns.shape[1]} columns do not fit"
                    return fit._replace(differ=f"{share}: {_columns_said(wrong, rows)}")
    return None


def _differing(fit: _Fit, rows: slice, limit: float) -> dict[int, tuple[Array, Array, Array]]:
    """Return the columns that differ from a fit's formula: their numbers, its, and the bound."""
    omega, scale, places = fit.rule.omega, fit.columns.scale, fit.places.values[rows]
    relative = fit.rounding.relative * (1.0 if abs(scale) == 1 else 2.0)
    found = {}
    width = max(1, BLOCK // len(places))
    for start in range(0, len(omega), width):
        some = omega[start : start + width]
        angle = places[:, np.newaxis] * some
        moved = angle_error(angle, some, fit.angles) + 2 * UNIT[fit.angles]
        moved = abs(scale) * np.minimum(moved, VAGUE) + fit.rounding.absolute * (1 + 1e-9)
        both = (fit.columns.sines, np.sin), (fit.columns.cosines, np.cos)
        for kind, (numbers, turn) in enumerate(both):
            right, stored = scale * turn(angle), numbers[rows, start : start + width]
            bound = limit * (relative * np.abs(right) + moved)
            for at in np.flatnonzero((np.abs(stored - right) > bound).any(axis=0)):
                column = fit.column(start + int(at), kind)
                found[column] = stored[:, at], right[:, at].copy(), bound[:, at].copy()
    return dict(sorted(found.items()))


def _columns_said(found: dict[int, tuple[Array, Array, Array]], rows: Indices) -> str:
    """Return how columns differ, the first three of them."""

    def holds(column: int, other: int, sign: float = 1.0) -> bool:
        _, right, bound = found[other]
        return bool((np.abs(found[column][0] - sign * right) <= bound).all())

    said: list[str] = []
    seen: set[int] = set()
    for column, (stored, right, bound) in found.items():
        if column in seen:
            continue
        if len(said) == 3:
            return ", ".join([*said, "..."])
        others = (c for c in found if c > column and holds(column, c) and holds(c, column))
        if holds(column, column, -1.0):
            said.append(f"column {column} has the opposite sign")
        elif other := next(others, 0):
            seen.add(other)
            said.append(f"columns {column} and {other} are swapped")
        else:
            off = np.abs(stored - right)
            row = rows[(off > bound).argmax()]
            said.append(f"column {column} is off by up to {off.max():.1g}, first in row {row}")
    return ", ".join(said)


def _slope(omega: Array) -> float:
    return math.log(omega[0] / omega[-1]) / max(1, len(omega) - 1)


def _scale(thin: _Columns, rough: float, width: int) -> tuple[float, bool]:
    """Return the factor, and whether it is read off the radii; a known or short one if it may be.

    Each radius is off by up to `rough` of itself.
    """
    radii = np.hypot(thin.sines, thin.cosines)
    size = float(np.median(radii))
    near = 8 * rough / math.sqrt(radii.size) + 1e-6
    for known in (1.0, width**0.5, width**-0.5, *(float(f"{size:.{n}e}") for n in (0, 1, 2))):
        if abs(size / known - 1) <= near or abs(size - 1) <= 3 * rough + 1e-6:
            known = 1.0 if abs(size - 1) <= 3 * rough + 1e-6 else known
            rough_guess = known not in (1.0, width**0.5, width**-0.5)
            return math.copysign(known, thin.scale), rough_guess and abs(size / known - 1) > 1e-6
    return math.copysign(size, thin.scale), True


def _either(rule: _Rule) -> _Rule:
    """Return the rule, its spacing "either" if both of the usual base give angles as near."""
    pairs = rule.total
    if rule.n != 1e4 or rule.rounded_to or pairs == 1:
        return rule
    other = "tensor2tensor" if rule.spacing == "paper" else "paper"
    exact = math.exp(_slope(rule.omega) * (pairs - (other == "tensor2tensor")))
    return rule._replace(spacing="either") if abs(math.log(exact / 1e4)) <= rule.doubt else rule


def _compared(
    read: _Columns,
    omega: Array,
    places: Any,
    rounding: _Rounding,
    slip: tuple[float, float],
    index: Indices,
) -> _Compared:
    """Compare columns with the sines and cosines of some frequencies and positions.

    Where β or the positions are read off the table, `slip` is how far each may be off.
    """
    weights = 3 + 3 * np.abs(np.log(np.where(omega == 0, 1.0, omega)))
    size = abs(read.scale)
    relative = rounding.relative * (1.0 if size == 1 else 2.0)
    exact, single = np.zeros(len(places)), np.zeros(len(places))
    error, height = 0.0, max(1, BLOCK // len(omega))
    for start in range(0, len(places), height):
        block = slice(start, start + height)
        angle = places[block, np.newaxis] * omega
        moves = (np.abs(angle) * weights + 2) * size
        slips = 0.0 if slip == (0.0, 0.0) else (np.abs(angle) * index * slip[0] + omega * slip[1])
        slips = slips * size
        for found, turn in ((read.sines, np.sin), (read.cosines, np.cos)):
            right = read.scale * turn(angle)
            off = np.abs(found[block] - right)
            error = max(error, float(off.max()))
            kept = relative * np.abs(right) + rounding.absolute * (1 + 1e-9)
            for worst, unit in ((exact, UNIT["float64"]), (single, UNIT["float32"])):
                part = (off / (kept + np.minimum(unit * moves + slips, VAGUE * size))).max(axis=1)
                np.maximum(worst[block], part, out=worst[block])
    return _Compared(exact, single, error)


def _rules(ladder: Ladder, pairs: int, total: int) -> Iterator[_Rule]:
    """Yield frequencies near those of a ladder, the likely ones first.

    10 000 comes first, then a base of a single digit, as 500 000 before the 97 000 that has nearly
    its frequencies in the other spacing, then the nearer one.
    """
    index = np.arange(pairs)
    doubt = 6 * ladder.sigma * total + 4e-6  # float32 moves all frequencies to the same side

    def rule(n: float, spacing: str, short: str = "") -> _Rule:
        steps = total - 1 if spacing == "tensor2tensor" else total
        omega = np.exp(-(ladder.beta if spacing == "measured" else math.log(n) / steps) * index)
        return _Rule(n, spacing, short, rounded(omega, short) if short else omega, doubt, total)

    if pairs == 1:
        yield rule(1e4, "paper")
        return
    found = []
    for spacing, steps in (("paper", total), ("tensor2tensor", total - 1)):
        exact = math.exp(ladder.beta * steps)
        power = 10.0 ** math.floor(math.log10(exact))
        for digit in (10, 20, 50, 100) if doubt > 2e-3 else range(10, 101):
            n = float(round(digit * power / 10)) if power >= 10 else digit * power / 10
            off = abs(math.log(n / exact))
            if n >= 2 and off <= doubt:
                near = round(off / steps, 9)  # 100 and 10 for one other pair are the same list
                found.append((n != 1e4, digit % 10 != 0, near, spacing == "tensor2tensor", n))
    ranked = [(n, "tensor2tensor" if spaced else "paper") for *_, spaced, n in sorted(found)][:6]
    for n, spacing in ranked:
        yield rule(n, spacing)
    yield rule(math.exp(ladder.beta * total), "measured")
    for n, spacing in dict.fromkeys([*ranked, (1e4, "paper"), (1e4, "tensor2tensor")]):
        for short in SHORT if pairs > 3 else ():
            yield rule(n, spacing, short)


def _hypotheses(measured: Array, rows: Indices, counted: bool) -> Iterator[_Places]:
    """Yield positions near the measured ones: whole numbers, in equal steps, or of their own."""
    whole = np.round(measured) + 0.0
    if counted:  # all rows follow the one nearest to 0
        nearest = int(np.abs(measured).argmin())
        begin = float(whole[nearest] - rows[nearest])
        yield _Places("whole", begin + rows, line=(begin, 1.0))
        return
    line = None
    if len(rows) > 1:
        step = float((whole[-1] - whole[0]) / (rows[-1] - rows[0]))
        begin = float(whole[0] - step * rows[0])
        line = (begin, step) if (begin + step * rows == whole).all() else None
    yield _Places("whole", whole, line=line)
    if len(rows) > 1:
        step = float(np.median(np.diff(measured) / np.diff(rows)))
        begin = float(np.median(measured - step * rows))
        steps = float(np.round(step))
        if line is None and steps:  # where pairs that all turn round hide some rows
            line = (float(np.round(begin)) + 0.0, steps)
            yield _Places("whole", line[0] + steps * rows, line=line)
        if np.abs(measured - begin - step * rows).max() < 0.1 * abs(step):
            step, begin = (float(value) for value in np.polyfit(rows, measured, 1))
        for digits in (2, 3, 4, 5, 6):
            line = (_known(begin, digits), _known(step, digits))
            yield _Places("line", line[0] + line[1] * rows, line=line)
        yield _Places("line", begin + step * rows, True, (begin, step))
    yield _Places("own", measured, True)


def _known(value: float, digits: int) -> float:
    """Return a number in few digits, or one that has a name, near a value."""
    near = 10.0**-digits
    for known in (math.pi / 180, math.tau):
        if abs(value / known - 1) < near:
            return known
    return float(f"{value:.{digits}g}") if abs(value) > near**2 else 0.0


# What is said


class _Said:
    """What is said of a table, and what to change in it."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.changes: list[str] = []

    def add(self, words: str, change: str = "") -> None:
        self.words.append(words)
        self.changes += [change] if change else []


def _report(fit: _Fit, count: int, padding: Indices, odd: bool) -> TableReport:
    pairs, scale = fit.rule.total, fit.columns.scale
    width = 2 * pairs
    order = "halves" if fit.halves else "interleaved"
    said = _Said()
    said.add(order + (", cosines first" if fit.cosines_first else ""))
    if fit.halves:
        said.changes.append(
            f"put column i and column i + {pairs} side by side, i from 0 to {pairs - 1}"
        )
    if fit.cosines_first:
        said.changes.append("swap the sine and the cosine of each pair")
    _say_base(said, fit, width)
    if len(fit.rule.omega) < pairs:
        still = f"no pair turns from pair {len(fit.rule.omega)} on"
        if fit.rounding.absolute:
            most = fit.rounding.absolute / float(np.abs(scale * fit.places.values).max())
            still += f" (by at most about {most:.1g} radians per token)"
        said.add(still, "let every pair turn")
    places = fit.places.values + 0.0
    flipped = bool((places <= 0).all() and (places < 0).any())
    if flipped and (len(places) == 1 or bool((np.diff(places) < 0).all())):
        places = 0.0 - places
        said.add("sines with the opposite sign", "change the sign of the sines")
    _say_positions(said, places, fit)
    if scale != 1:
        said.add(*_scale_said(scale, width))
    if padding.size:
        listed = ", ".join(map(str, padding[:3])) + (", ..." if padding.size > 3 else "")
        before = padding[-1] < fit.rows[0] and places[0] < fit.rows[0]
        change = f"{'drop' if before else 'fill'} the rows of zeros"
        said.add(f"row {listed} all zeros (padding)", change)
    if odd:
        said.add("a last column of zeros (the width is odd)", "drop the last column")
    if fit.rounding.name != "float64":
        said.add(f"rounded to {fit.rounding.name}")
    if fit.angles == "float32":
        said.add("angles in float32")
    words = ", ".join(said.words)
    if fit.differ:
        return _no(f"it would be {words}, but {fit.differ}")._replace(layout=order)
    if fit.bad.any():
        row = int(np.flatnonzero(fit.bad)[0])
        column, off = _worst_entry(fit, row)
        share = (
            f"{fit.bad.sum()} of {len(fit.rows)} rows do not fit, first row {fit.rows[row]}, whose "
            f"column {column} is off by {off:.1g}"
        )
        return _no(f"it would be {words}, but {share}")._replace(layout=order)
    positions = np.full(count, np.nan)
    positions[fit.rows] = places
    text = f"Sinusoidal: {words}."
    if not said.changes:
        text += " This is the paper's table." if count > 1 else " A row of the paper's table."
    roundings = fit.error / fit.rounding.unit(scale)
    return TableReport(
        sinusoidal=True,
        text=text,
        change=tuple(said.changes),
        layout=order,
        cosines_first=fit.cosines_first,
        base=math.exp(_slope(fit.rule.omega) * pairs)
        if fit.rule.spacing == "tensor2tensor"
        else fit.rule.n,
        spacing="paper" if fit.rule.spacing == "measured" else fit.rule.spacing,
        positions=positions,
        scale=scale,
        rounding=fit.rounding.name,
        angles=_angles_seen(fit),
        error=fit.error,
        roundings=roundings,
        ground=_ground(len(places), width, roundings, fit.rounding.name),
    )


def _worst_entry(fit: _Fit, row: int) -> tuple[int, float]:
    """Return the column of the entry of a row that is furthest off, and how far."""
    angle = fit.places.values[row] * fit.rule.omega
    both = (fit.columns.sines[row], np.sin(angle)), (fit.columns.cosines[row], np.cos(angle))
    off = np.array([np.abs(found - fit.columns.scale * right) for found, right in both])
    kind, pair = np.unravel_index(int(off.argmax()), off.shape)
    return fit.column(int(pair), int(kind)), float(off.max())


def _ground(rows: int, width: int, roundings: float, name: str) -> str:
    """Return what the finding holds of: the roundings in whole tens, hundreds, and so on.

    In float64 the last digits are those of the angles, and of the sine of each system.
    """
    most = 1000 if name == "float64" else 1
    while roundings > most * (1 + 1e-6):
        most *= 10
    unit = "half of the last decimal" if "decimals" in name else f"a rounding to {name}"
    times = f"{number(most)} times " if most > 1 else ""
    return f"All {number(rows)} × {number(width)} entries are within {times}{unit} of the formula."


def _angles_seen(fit: _Fit) -> str | None:
    """Return the type of the angles, None where the rounding of the entries hides it."""
    if fit.angles == "float32":
        return "float32"
    far = float(np.abs(fit.places.values).max())
    return "float64" if 4 * max(fit.rounding.relative, fit.rounding.absolute) < 1e-8 * far else None


def _say_base(said: _Said, fit: _Fit, width: int) -> None:
    """Say the base, how far it may be off, and the width it may have been cut from."""
    rule, n, pairs = fit.rule, fit.rule.n, width // 2
    if pairs == 1:
        said.add("one pair, of 1 radian per token for every base")
        return
    if rule.spacing == "measured":  # in the digits that are known
        known = float(f"{n:.{min(6, math.ceil(1 - math.log10(2 * rule.doubt)))}g}")
        n = n if known == 1e4 else known
    text = f"base {number(n)}"
    if rule.spacing == "either":
        text += " (too short to tell the paper's spacing from tensor2tensor's)"
    elif rule.doubt > 5e-3 and not rule.rounded_to:
        text += f" (within {max(1, round(100 * rule.doubt))} %)"
    last = f"{number(n)}^(-2i/{width})"
    if rule.spacing == "tensor2tensor":
        text += " in tensor2tensor's spacing"
        last = f"{number(n)}^(-i/{pairs - 1})"
    if rule.rounded_to:
        text += f" with frequencies rounded to {rule.rounded_to}"
        said.add(text, "take frequencies that are not rounded to 16 bits")
        return
    wider = math.log(1e4) * width / math.log(rule.n)
    cut = 2 * round(wider / 2)
    sure = rule.doubt * wider < math.log(rule.n) and abs(wider - cut) < 1e-6 * wider
    if rule.spacing == "measured" and wider < 1e5 and cut > width and sure:
        text += f", as in the first {width} columns of width {cut} and base 10 000"
        said.add(text, f"take all {cut} columns")
    elif rule.spacing == "tensor2tensor" or n != 1e4:
        doubled = width > 2 and n == 1e8 and rule.spacing == "paper"
        text += " (10 000 with twice the exponent: 2*i of an i that is even)" if doubled else ""
        said.add(text, f"take the frequencies 10 000^(-2i/{width}), not {last}")
    else:
        said.add(text)


def _say_positions(said: _Said, places: Array, fit: _Fit) -> None:
    """Say the position of each row; a row of zeros has none."""
    first, rows = float(places[0]), fit.rows
    if len(places) == 1:
        said.add(f"position {number(first)}")
        return
    steps = np.diff(places) / np.diff(rows)
    step = float(np.median(steps))
    begin = first - step * float(rows[0])
    where = ""
    if rows[0] and begin < 0 <= first:  # after a row of zeros, as that of a class token
        begin, where = first, f" in row {rows[0]}"
    begin = float(f"{begin:.6g}") if abs(begin) > 1e-9 else 0.0
    whole = fit.places.kind == "whole"
    to_zero = f"begin with position 0, not {number(begin)}" if begin else ""
    if whole and (steps == 1).all():
        said.add(f"first position {number(begin)}{where}", to_zero)
    elif step and np.abs(steps - step).max() <= (0 if whole else 1e-9 * abs(step) + 1e-9):
        step = float(f"{step:.6g}") if not whole else step
        words, change = f"first position {number(begin)}{where}", to_zero
        if step != 1:
            words += f", in steps of {number(step)}{_step_name(abs(step), fit.rule.omega)}"
            change = f"take positions in steps of 1, not {number(step)}"
        said.add(words, change)
    elif whole and _rounded_count(places):
        words = f"first position {number(first)}, positions rounded to {_rounded_count(places)}"
        said.add(words, "count the positions in integers")
    elif whole and (np.diff(np.sort(places)) == 1).all():
        low, high = number(float(places.min())), number(float(places.max()))
        said.add(f"rows shuffled, positions {low} to {high}", "sort the rows by position")
    else:
        listed = ", ".join(number(float(place)) for place in places[:5])
        off = float(np.abs(places - np.round(places)).max())
        jitter = f" (up to {off:.2g} off whole numbers)" if not whole and off < 0.3 else ""
        words = f"positions {listed}{', …' if len(places) > 5 else ''}{jitter}"
        astray = np.flatnonzero(places != first + step * (rows - rows[0]))
        if whole and astray.size and astray[0] > 4:
            row = astray[0]
            words += f" (row {rows[row]} is at {number(float(places[row]))})"
        said.add(words, "take the positions 0, 1, 2, ...")


def _step_name(step: float, omega: Array) -> str:
    """Return what a step is known as, in brackets, or nothing."""
    known = {
        "degrees taken for radians": math.pi / 180,
        "turns taken for radians": math.tau,
        "pairs counted from 1": float(omega[min(1, len(omega) - 1)]),
    }
    for name, value in known.items():
        if abs(step / value - 1) < 1e-5:
            return f" ({name})"
    return ""


def _rounded_count(places: Array) -> str:
    """Return the short type that counting up by 1 was rounded to, or nothing."""
    counted = places[0] + np.arange(len(places))
    for name in SHORT:
        if (rounded(counted, name) == places).all():
            return name
    return ""


def _scale_said(scale: float, width: int) -> tuple[str, str]:
    """Return a factor as text, by its name if it has one, and how to undo it."""
    known = (
        (-1.0, "-1", "change all signs"),
        (width**-0.5, f"1/√{width}", f"multiply by √{width}"),
        (width**0.5, f"√{width}", f"divide by √{width}"),
    )
    for value, name, back in known:
        if abs(scale / value - 1) < 5e-3:
            return f"times {name}", back
    return f"times {scale:.6g}", f"divide by {scale:.6g}"


# What is none


def _reason(columns: Array, rounding: _Rounding, circles: float) -> str:
    """Return why nothing fits."""
    if len(columns) > 1 and (columns == columns[0]).all():
        return "all rows are the same"
    cache, width = "as in RoPE's table of cosines or of sines", columns.shape[1]
    column, count = np.arange(width), np.arange(min(len(columns), SAMPLE))
    for times, said in COLUMNS.items() if width > 2 else ():
        omega = 1e4 ** (-times * column / width)
        for begin in (0, 1):
            angle = (count + begin)[:, np.newaxis] * omega
            own = np.where(column % 2, np.cos(angle), np.sin(angle))
            off = np.abs(own - columns[: len(count)])
            if (off <= rounding.relative * np.abs(own) + rounding.absolute + 1e-4).all():
                return said
    for halves, which in ((True, "both halves"), (False, "neighbouring columns")):
        one, other = _pairs(columns, halves)
        if (one == other).all():
            return f"{which} are equal, {cache}"
    if len(columns) == 1:
        listed = _list_of_frequencies(columns[0], rounding)
        if listed:
            return listed
    if circles > 1e-9:
        return f"its pairs lie near circles, but are off by up to {circles:.1g} of their radius"
    if circles:
        return "its pairs lie on circles, but no base and positions that were tried give the angles"
    cut = " (or a row is cut)" if len(columns) < 3 else ""
    return f"sine² + cosine² differs from pair to pair, in either order of columns{cut}"


def _list_of_frequencies(row: Array, rounding: _Rounding) -> str:
    """Return the sentence on a row that is a list of frequencies, or nothing."""
    pairs = len(row)
    if (row <= 0).any() or (np.diff(row) >= 0).any() or abs(row[0] - 1) > 0.01 or pairs < 3:
        return ""
    index = np.arange(pairs)
    for name, steps in (("", pairs), (" in tensor2tensor's spacing", pairs - 1)):
        exact = float(row[-1]) ** (-steps / (pairs - 1))
        for n in (float(f"{exact:.{digits}e}") for digits in (0, 1, 2)):
            omega = n ** (-index / steps)
            bound = rounding.relative * omega + rounding.absolute
            bound += UNIT["float32"] * omega * (3 + 3 * np.abs(np.log(omega)))
            if (np.abs(row - omega) <= bound).all():
                return (
                    f"a list of {pairs} frequencies, those of base {number(n)}{name} and width "
                    f"{2 * pairs}; a table has their sines and cosines at each position"
                )
    return ""


# Several coordinates


def _parts(rows: Array, shares: tuple[float, ...], stacked: bool) -> TableReport | None:
    """Return the report on a table of several coordinates, or None.

    They stand side by side, or `stacked`: the sines of all, and then the cosines of all.
    """
    width, count = rows.shape[1], len(shares)
    widths = [round(width * share) for share in shares]
    if any(part % 2 or not part for part in widths) or sum(widths) != width:
        return None
    if stacked and len(set(widths)) > 1:
        return None
    ends = np.cumsum(widths)
    pieces = np.split(rows, ends[:-1], axis=1)
    if stacked:
        halves = np.split(rows, 2 * count, axis=1)
        both = zip(halves[:count], halves[count:], strict=True)
        pieces = [np.concatenate(pair, axis=1) for pair in both]
    reports = []
    for piece in pieces:
        # A coordinate that is 0 in every row says nothing of its frequencies: no objection.
        still = _stands_still(piece)
        report = _few("position 0") if still or piece.shape[1] < 4 else _whole(piece)
        if not report.sinusoidal and not still:
            return None
        reports.append(report)
    named = [report for report in reports if report.sinusoidal]
    if not named:
        return None
    said = []
    for place, (report, end) in enumerate(zip(reports, ends, strict=True)):
        found = "position 0"
        if report.sinusoidal:
            found = report.text.removeprefix("Sinusoidal: ").partition(". ")[0].rstrip(".")
        where = f"columns {end - widths[place]} to {end - 1}"
        said.append(f"{f'coordinate {place}' if stacked else where}: {found}")
    order = "first the sines of all, then the cosines" if stacked else "side by side"
    roundings = max(report.roundings or 0.0 for report in named)
    return named[0]._replace(
        text=f"Sinusoidal in {count} coordinates, {order}; {'; '.join(said)}.",
        change=(),
        parts=tuple(reports),
        error=max(report.error or 0.0 for report in named),
        roundings=roundings,
        ground=_ground(len(rows), width, roundings, named[0].rounding or ""),
    )


def _stands_still(part: Array) -> bool:
    """Return whether all rows are the encoding of position 0, in some order of columns."""
    for halves in (True, False):
        one, other = _pairs(part[:, : part.shape[1] // 2 * 2], halves)
        for a, b in ((one, other), (other, one)):
            if b.size and not a.any() and b.any() and np.ptp(b) == 0:
                return True
    return False
