"""What is this table? A table of numbers, read back to the formula that made it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._checks import numbers, plain_tensor, real_array, shown, whole_number
from posenc_check import words
from posenc_check.description import findings_of, program_of
from posenc_check.findings import Finding
from posenc_check.formulas import (
    DIVIDED,
    EXACT,
    READ,
    SHORTS,
    SINGLE,
    Arithmetic,
    Difference,
    Formula,
    Indices,
    Ladder,
    compared,
    digits,
    in_float32,
    relative_doubt,
    spread,
    sure_bits,
)
from posenc_check.reading import (
    guesses,
    list_guesses,
    lone_guesses,
    paired,
    round_bases,
)
from posenc_check.rounding import UNIT, Array
from posenc_check.storage import Storage, printed, storage_of
from posenc_check.views import AnyTable, View, sides, views

__all__ = ["TableReport", "inspect_table"]

# Numbers beyond these are not stored as the others are.
LEAST_ENTRY, MOST_ENTRY = 1e-30, 1e30

# By how many bits agreement must beat chance before a formula is named.
SURE_BITS = 24

# Rows on which a guess is tried first, and the part of their numbers that may differ.
HEAD, ROWS, MAY_DIFFER = 4, 48, 0.4

# A table that differs from a formula in less than this part of its numbers is near it; after so
# many near formulas, or a single one of the nearest, no other is tried. So many guesses are tried
# in types of 16 bits.
NEAR, NEAR_ONES, NEAREST, IN_SHORT = 0.02, 3, 1e-5, 6


# Ways to compute a table, the plainest first.
WAYS = (
    EXACT,
    EXACT._replace(sines="float32"),
    SINGLE,
    DIVIDED,
    Arithmetic("float32", "float64", "float32", "float32"),
)


class Match(NamedTuple):
    """A formula, and where a table differs from it."""

    formula: Formula
    difference: Difference
    sure: bool = False  # whether it gives every number, of more numbers than chance explains

    @property
    def agrees(self) -> bool:
        """Return whether the formula gives every number."""
        return not self.difference.wrong


@dataclass(frozen=True)
class TableReport:
    """What `inspect_table` found; ``str(report)`` says it in a few sentences.

    Attributes
    ----------
    findings : tuple of Finding
        All that the sentences say, as kinds and values.
    formulas : tuple of Formula
        What gives every number: a formula for each coordinate; none where nothing was named.
    columns : tuple of ndarray
        The columns of each formula.
    view : View
        Where the table lies in what was given.
    """

    findings: tuple[Finding, ...]
    view: View
    formulas: tuple[Formula, ...] = ()
    columns: tuple[Indices, ...] = ()
    dtype: Any = np.float64

    def __str__(self) -> str:
        """Return the findings in words, how to get the paper's table, and what was compared."""
        steps = "; ".join(self.change)
        change = f"{words.text('to_paper')} {steps}." if steps else ""
        ground = words.table_report(f for f in self.findings if f.kind == "compared")
        return " ".join(filter(None, [self.text, change, ground]))

    @property
    def text(self) -> str:
        """What the table is, in words."""
        return words.table_report(f for f in self.findings if f.kind != "compared")

    @property
    def named(self) -> bool:
        """Whether a formula gives every number."""
        return bool(self.formulas)

    @property
    def sinusoidal(self) -> bool:
        """Whether every row is an encoding: a sine and a cosine of each pair of one formula."""
        layouts = {formula.order.layout for formula in self.formulas}
        return bool(layouts) and layouts <= {"interleaved", "halves"}

    @property
    def change(self) -> tuple[str, ...]:
        """What to do to the table to get the paper's, step by step; empty if nothing."""
        return words.cures(self.findings) if self.sinusoidal and not self.parts else ()

    @property
    def parts(self) -> tuple[TableReport, ...]:
        """For a table of several coordinates, a report for each."""
        if len(self.formulas) < 2:
            return ()
        each = zip(self.formulas, self.columns, strict=True)
        return tuple(replace(self, formulas=(f,), columns=(c,)) for f, c in each)

    @property
    def formula(self) -> Formula | None:
        """The formula of the table, or of its first coordinate."""
        return self.formulas[0] if self.formulas else None

    @property
    def layout(self) -> str | None:
        """The order of columns: "interleaved", "halves", "sines", "cosines" or "by column"."""
        return None if self.formula is None else self.formula.order.layout

    @property
    def cosines_first(self) -> bool | None:
        """Whether cosines stand where the paper has sines."""
        return None if self.formula is None else self.formula.order.cosines_first

    @property
    def base(self) -> float | None:
        """The base n of the frequencies, in their spacing."""
        return None if self.formula is None else self.formula.ladder.base

    @property
    def spacing(self) -> str | None:
        """The exponents: "paper" i/(d/2), "tensor2tensor" i/(d/2 - 1), "octaves"; or "either"."""
        if self.formula is None:
            return None
        base = [finding for finding in self.findings if finding.kind == "base"]
        same = any(other == self.base for each in base for other, _ in each.also)
        return "either" if same else self.formula.ladder.spacing

    @property
    def positions(self) -> Array | None:
        """The position of each row, in tokens; NaN in a row of zeros."""
        if self.formula is None:
            return None
        positions = np.full(len(self.view.table), np.nan)
        positions[self._rows] = self.formula.positions
        return positions

    @property
    def scale(self) -> float | None:
        """What sines and cosines are multiplied by."""
        return None if self.formula is None else self.formula.scale

    @property
    def rounding(self) -> str:
        """The type, or the decimals or digits, that the numbers are stored in: "4 decimals"."""
        return words.storage_name(self.view.storage)

    @property
    def angles(self) -> str | None:
        """The type that angles were computed in; None where the storage hides it."""
        if self.formula is None:
            return None
        kind = self.formula.arithmetic.angles
        half = float(self.view.storage.half(np.array(0.7)))
        hidden = 4 * half > 1e-8 * float(np.abs(self.formula.positions).max())
        return None if kind == "float64" and hidden else kind

    @property
    def program(self) -> str:
        """A program in NumPy that makes the table, as text; empty where nothing was named."""
        return program_of(self.formulas, self.columns, self.view) if self.formulas else ""

    @property
    def _rows(self) -> Indices:
        """The rows that the formulas give; all others are zeros."""
        every = self.formula is not None and len(self.formula.positions) == len(self.view.table)
        return np.arange(len(self.view.table)) if every else self.view.rows

    def reproduce(self) -> npt.NDArray[Any]:
        """Return the table that the named formula gives, stored as the given one is.

        Returns
        -------
        ndarray
            Of the shape of the table, and of its float type.

        Raises
        ------
        ValueError
            If no formula was found for the whole table.
        """
        if not self.formulas or len(self.formulas[0].positions) != len(self._rows):
            raise ValueError(
                f"no known formula gives this table, so it cannot be reproduced: {self.text}"
            )
        table = np.zeros(self.view.table.shape)
        for formula, columns in zip(self.formulas, self.columns, strict=True):
            table[np.ix_(self._rows, columns)] = self.view.storage.round(formula.numbers())
        return self.view.given(table).astype(self.dtype)


def inspect_table(table: npt.ArrayLike, decimals: int | None = None) -> TableReport:
    r"""Say what a table of positional encodings is, and how it differs from the paper's.

    Parameters
    ----------
    table : array_like of real numbers, shape (..., d)
        A whole table, a few of its rows, or one row, of any float type: each row complete. It may
        be a parameter of PyTorch, in bfloat16 too, or have its channels first.
    decimals : int, optional
        How many decimals the numbers were printed with, if they come from a print. Otherwise the
        float type of the table and the numbers themselves show how they are stored.

    Returns
    -------
    TableReport
        Findings for a program; ``str`` of it is the answer in words, and its ``reproduce()`` gives
        the table again.

    Raises
    ------
    TypeError
        If the table does not hold real numbers.
    ValueError
        If an entry is NaN or infinite, all are below 1e-30 or one is above 1e30, or there is no row
        of at least two columns.

    Notes
    -----
    Candidates are programs: an order of columns, frequencies, positions, a factor, and the types
    that are computed in. A formula is named only if its program gives every number of the table, to
    half of the last place in which the table is stored, and if there are more such numbers than
    chance explains. In the right order of columns, sine and cosine of a pair lie on a circle; their
    angles :math:`k \omega_i` show the frequencies, and with them the positions, which then are
    rounded to what code has. Such a guess may be wrong, and no harm is done: only the comparison
    accepts. Where no formula gives every number, the report has the nearest one that was tried, and
    where the table differs from it.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5; tensor2tensor,
    layers/common_attention.py, ``get_timing_signal_1d``.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import sinusoidal
    >>> from posenc_check import inspect_table
    >>> print(inspect_table(sinusoidal(50, 64)).text)
    Sinusoidal: interleaved, base 10 000, first position 0. This is the paper's table.
    >>> theirs = sinusoidal(np.arange(2, 9), 64, layout="halves", dtype=np.float16)
    >>> report = inspect_table(theirs)
    >>> report.layout, report.base, report.rounding
    ('halves', 10000.0, 'float16')
    >>> print(report.text)
    Sinusoidal: halves, base 10 000, first position 2, rounded to float16.
    >>> bool((report.reproduce() == theirs).all())
    True
    >>> inspect_table(np.eye(8)).named
    False
    """
    storage = None
    if decimals is not None:
        storage = Storage("decimals", whole_number(decimals, "decimals", least=0, most=17))
    return inspected(table, storage)


@np.errstate(all="ignore")
def inspected(table: Any, storage: Storage | None) -> TableReport:
    """Return the report on a table of numbers, whose print may be known."""
    array, dtype = _checked(table)
    storage = storage_of(array) if storage is None else printed(storage, array.ravel())
    return replace(report_on(array, storage), dtype=dtype)


def _checked(table: Any) -> tuple[AnyTable, Any]:
    """Return a table as float16, float32 or float64, with the type of its numbers."""
    plain = plain_tensor(table)
    array = numbers(plain, "table")
    if array.dtype not in (np.float16, np.float32):
        array = real_array(plain, "table")
    if array.ndim == 0 or array.shape[-1] < 2 or array.size == 0:
        raise ValueError(f"table must have a row of at least two columns, got shape {array.shape}")
    if not np.isfinite(array).all():
        real_array(plain, "table")
    most = float(max(array.max(), -array.min()))
    if most and not LEAST_ENTRY <= most <= MOST_ENTRY:
        raise ValueError(
            f"table must have entries of at least {LEAST_ENTRY:g} and at most {MOST_ENTRY:g}, "
            f"got {shown(table)}"
        )
    dtype = np.asarray(plain).dtype
    return array, dtype if dtype.kind == "f" else np.dtype(np.float64)


def report_on(array: AnyTable, storage: Storage) -> TableReport:
    """Return the report on an array of numbers whose storage is known."""
    shape = array.shape
    plain = View(array, storage).step(
        None, array.reshape(-1, shape[-1]), lambda table: table.reshape(shape)
    )
    if not array.any():
        return TableReport((Finding("zeros"),), plain)
    if len(plain.table) == 1:
        for formula in list_guesses(plain.table[0].astype(float), storage):
            match = _match(plain.table, formula, storage)
            if match.sure:
                return _report(plain, [match], [np.arange(shape[-1])], plain.rows)
    reason = _reason_for_too_few(plain.table)
    if reason is not None:
        return TableReport((Finding(reason),), plain)
    too_few: TableReport | None = None
    nearest: tuple[View, Match] | None = None
    for view in views(array, storage):
        if view.table.shape[1] < 2:
            continue
        for report in _explained(view):
            if isinstance(report, Match):
                if nearest is None or _share(report, view) < _share(nearest[1], nearest[0]):
                    nearest = view, report
                continue
            if report.named:
                return report
            too_few = too_few or report
        if nearest is not None and _share(nearest[1], nearest[0]) < NEAR:
            break
    if too_few is not None:
        return too_few
    if nearest is None:
        return TableReport((Finding("unknown"),), plain)
    return _unknown(*nearest)


def _share(match: Match, view: View) -> float:
    """Return which part of the numbers of a view differs from a formula."""
    return match.difference.wrong / view.table.size


def _reason_for_too_few(table: AnyTable) -> str | None:
    """Return the kind of finding for a table that is the same everywhere."""
    alike = bool((table == table[0]).all())
    if alike and any(
        not sines.any() and not np.ptp(cosines) for sines, cosines in paired(table[0])
    ):
        return "position_0"
    if len(np.unique(table[:ROWS])) < 3 and len(np.unique(table)) < 3:
        return "two_values"
    if len(table) > 1 and alike:
        return "rows_alike"
    return None


def _explained(view: View) -> Iterator[TableReport | Match]:
    """Yield the report on a view that a formula explains; or the nearest formula."""
    table, rows = view.table, view.rows
    kept = table if len(rows) == len(table) else table[rows]
    width = table.shape[1]
    match = best_match(kept, view.storage, guesses(kept, rows, view.storage), IN_SHORT)
    if match is not None and match.agrees:
        yield _report(view, [match], [np.arange(width)], rows)
        if match.sure:
            return
    elif match is not None:
        yield match
        if match.difference.wrong < NEAR * kept.size:
            return
    every = np.arange(len(table))
    lone = best_match(table, view.storage, lone_guesses(table, every, view.storage))
    if lone is not None and lone.sure:
        yield _report(view, [lone], [np.arange(width)], every)
        return
    for split, shares in sides(width):
        matches: list[Match] = []
        for columns in shares:
            part = kept[:, columns]
            own = best_match(part, view.storage, guesses(part, rows, view.storage))
            if own is None or not own.agrees:
                break
            matches.append(own)
        turning = [m for m in matches if m.formula.positions.any()]
        alike = {(m.formula.order, m.formula.ladder) for m in turning}
        sure = all(m.sure or not m.formula.positions.any() for m in matches)
        apart = not _proportional([match.formula.positions for match in turning])
        if len(matches) == len(shares) and len(alike) == 1 and sure and apart:
            yield _report(view, matches, shares, rows, split)
            return


def _proportional(positions: list[Array]) -> bool:
    """Return whether coordinates are multiples of one another: these are parts of one ladder."""
    if len(positions) < 2:
        return False
    units = [each / each[np.abs(each).argmax()] for each in positions]
    same = all(np.allclose(unit, units[0], rtol=1e-6, atol=1e-9) for unit in units)
    return same and not all((each == positions[0]).all() for each in positions)


def best_match(
    table: AnyTable, storage: Storage, candidates: Iterable[Formula], in_short: int = 0
) -> Match | None:
    """Return the first formula that gives every number of a table, or else the nearest one."""
    some = np.union1d(np.arange(min(HEAD, len(table))), spread(len(table), ROWS))
    nearest, near_ones = None, 0
    kept: list[Formula] = []  # to try in types of 16 bits
    for formula in candidates:
        off = compared(table[some], formula.of_rows(some), storage, loose=True)
        if not formula.doubt and digits(formula.ladder.base) < 3 and len(kept) < in_short:
            kept.append(formula)
        if off.wrong > MAY_DIFFER * len(some) * table.shape[1] or (off.wrong and nearest):
            continue
        for match in _computed(table, formula, storage, some, nearest is None):
            if match.agrees:
                return match
            if nearest is None or match.difference.wrong < nearest.difference.wrong:
                nearest = match
            near_ones += match.difference.wrong < NEAR * table.size
            near_ones += NEAR_ONES * (match.difference.wrong < NEAREST * table.size)
        if near_ones >= NEAR_ONES:
            break
    if nearest is None or nearest.difference.wrong >= NEAR * table.size:
        for formula in kept:
            for arithmetic in _fitting(SHORTS, storage):
                made = formula._replace(arithmetic=arithmetic)
                if not compared(table[some], made.of_rows(some), storage).wrong:
                    match = _match(table, made, storage)
                    if match.agrees:
                        return match
    return nearest


def _fitting(ways: Iterable[Arithmetic], storage: Storage) -> list[Arithmetic]:
    """Return the ways to compute that a storage allows: what is in float64 has no float32 sines."""
    if storage.kind == "float64":
        ways = [way._replace(sines="float64") for way in ways]
    return list(dict.fromkeys(ways))


def _match(table: AnyTable, formula: Formula, storage: Storage) -> Match:
    """Return a formula with where a table differs, and whether it is sure."""
    difference = compared(table, formula, storage)
    whole = not formula.doubt and not (formula.positions % 1).any()
    sure = (
        not difference.wrong
        and (whole or formula.pairs > 2)
        and sure_bits(formula, storage) >= SURE_BITS
    )
    return Match(formula, difference, sure)


def _computed(
    table: AnyTable, formula: Formula, storage: Storage, some: Indices, measured: bool
) -> Iterator[Match]:
    """Yield a formula in each way to compute it that gives some rows of a table.

    If there is none, and it is to be `measured`, yield how far the formula is from the table.
    """
    tried = 0
    for arithmetic in _fitting(WAYS, storage):
        made = formula._replace(arithmetic=arithmetic)
        if arithmetic.frequencies == "float32":
            match = _in_float32(table, made, storage, some)
            if match is None:
                continue
        else:
            if compared(table[some], made.of_rows(some), storage).wrong:
                continue
            match = _match(table, made, storage)
        yield match
        tried += 1
        wrong = np.argsort(-match.difference.rows)[:HEAD]
        some = np.union1d(some, wrong[match.difference.rows[wrong] > 0])
    if not tried and measured:
        difference = compared(table, formula, storage, loose=True)
        if not difference.wrong:  # only the strict comparison accepts
            difference = compared(table, formula, storage)
        yield Match(formula, difference)


def _in_float32(table: AnyTable, formula: Formula, storage: Storage, some: Indices) -> Match | None:
    """Return a formula with the float32 frequencies of a table, if they give some of its rows.

    They are read from many rows, and again with those rows that then differ.
    """
    rows = np.union1d(some, spread(len(table), max(96, READ // formula.width)))
    while True:
        made = in_float32(table, formula, storage, rows)
        if compared(table[some], made.of_rows(some), storage).wrong:
            return None
        match = _match(table, made, storage)
        differ = np.setdiff1d(np.flatnonzero(match.difference.rows), rows)
        if not differ.size or match.difference.wrong > NEAR * table.size:
            return match
        rows = np.union1d(rows, differ[:ROWS])


def _report(
    view: View, matches: list[Match], shares: list[Indices], rows: Indices, split: str = ""
) -> TableReport:
    """Return the report on formulas that give every number of a view."""
    formulas = tuple(match.formula for match in matches)
    others = [_other_ladders(view, f, c, rows) for f, c in zip(formulas, shares, strict=True)]
    findings = findings_of(view, formulas, shares, others, rows, split)
    if not matches[0].sure and len(matches) == 1:
        return TableReport((*view.findings, Finding("too_few"), *findings[1:]), view)
    return TableReport((*view.findings, *findings), view, formulas, tuple(shares))


def _other_ladders(
    view: View, formula: Formula, columns: Indices, rows: Indices
) -> tuple[tuple[float, str], ...]:
    """Return the other bases, with their spacing, that give every number as well.

    They are those of at most three digits; and where the base itself has more, the one that has
    its frequencies in the other spacing.
    """
    pairs, ladder, width = len(formula.omega), formula.ladder, formula.width
    paired = formula.order.layout in ("interleaved", "halves")
    if pairs < 2 or not paired or ladder.spacing not in ("paper", "tensor2tensor"):
        return ()
    steps = {"paper": width / 2, "tensor2tensor": float(pairs - 1)}
    doubt = min(2 * relative_doubt(formula, view.storage), 1.0) + 4e-6
    others = []
    for spacing in steps:
        log = math.log(ladder.base) * steps[spacing] / steps[ladder.spacing]
        for base in round_bases(log, doubt):
            odd = digits(base) > 3 and (digits(ladder.base) < 4 or spacing == ladder.spacing)
            if not odd and (base, spacing) != ladder:
                others.append(Ladder(base, spacing))
    others.sort(key=lambda other: (other.base != ladder.base, digits(other.base)))
    part = view.table[np.ix_(rows, columns)] if others else view.table
    kept = [x for x in others if _gives(part, formula, x, view.storage)]
    return tuple((other.base, other.spacing) for other in kept[:1])


def _gives(table: AnyTable, formula: Formula, ladder: Ladder, storage: Storage) -> bool:
    """Return whether a formula with another ladder gives every number as well."""
    omega = ladder.frequencies(formula.order, formula.width)
    if formula.ladder.base == 1e4 and np.allclose(omega, formula.omega, rtol=1e-12, atol=0):
        return False  # the usual base under another name, as 1 000 is with four pairs
    if formula.arithmetic.frequencies == "float32":  # those of the formula, if it may have them
        room = (3 + 3 * np.abs(np.log(omega))) * UNIT["float32"]
        return bool((np.abs(formula.omega / omega - 1) <= room).all())
    return not compared(table, formula._replace(ladder=ladder, omega=omega), storage).wrong


def _unknown(view: View, match: Match) -> TableReport:
    """Return the report on a table that no formula gives: the nearest, and where it differs."""
    rows, difference = view.rows, match.difference
    if difference.wrong > 0.25 * view.table.size:
        return TableReport((Finding("unknown"),), view)
    columns = np.arange(view.table.shape[1])
    nearest = findings_of(view, (match.formula,), [columns], [()], rows, "")
    row, column, by = difference.first
    differs = Finding(
        "differs",
        count=difference.wrong,
        rows=rows[np.flatnonzero(difference.rows)].tolist(),
        columns=np.flatnonzero(difference.columns).tolist(),
        table_rows=len(rows),
        table_columns=len(columns),
        row=int(rows[row]),
        column=column,
        first_difference=by,
        largest_difference=difference.most,
    )
    kept = tuple(f for f in nearest[1:] if f.kind not in ("paper", "compared"))
    findings = (Finding("unknown"), *view.findings, Finding("nearest"), *kept, differs)
    return TableReport(findings, view)
