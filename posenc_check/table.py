"""What is this table? A table of numbers, read back to the formula that made it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc._checks import numbers, plain_tensor, real_array, shown, whole_number
from posenc_check import words
from posenc_check.description import differences, findings_of
from posenc_check.findings import Finding
from posenc_check.formulas import ROWS, Formula
from posenc_check.reading import is_position_0
from posenc_check.rounding import AnyTable, Array, Indices
from posenc_check.search import Fit, explained
from posenc_check.storage import Storage, storage_of, with_type_before_print
from posenc_check.views import View, views

__all__ = ["TableReport", "inspect_table"]

# Sines times the factor of any model lie between these. Beyond them, near the ends of float32, some
# steps of the search overflow or vanish, so that a table would not get its name.
LEAST_ENTRY, MOST_ENTRY = 1e-30, 1e30

# More decimals than this say nothing of a number near 1, whose last place in float64 is 1e-16.
MOST_DECIMALS = 17

# In 8 rows of three decimals or more, a formula of another base, spacing or first position differs
# in a third of the numbers at least. The nearest formula is named if it differs in a quarter or
# less, which keeps a distance from that third.
MOST_WRONG = 0.25


@dataclass(frozen=True)
class TableReport:
    """What `inspect_table` found; ``str(report)`` says it in a few sentences.

    What belongs to a formula is None where none was named.
    """

    findings: tuple[Finding, ...]  # all that the sentences say, as kinds and values
    view: View  # where the table lies in what was given
    storage: Storage  # how the numbers are stored
    formulas: tuple[Formula, ...] = ()  # which give every number, one for each coordinate
    columns: tuple[Indices, ...] = ()  # of each formula
    rows: Indices = field(default_factory=lambda: np.arange(0))  # of the formulas; others are zeros
    dtype: Any = np.float64  # the float type of what was given; float64 for other numbers

    def __str__(self) -> str:
        """Return the findings in words, with the steps of `change`, and last what was compared."""
        findings = list(self.findings)
        if self.change:
            # Before the last finding, which says what was compared.
            findings.insert(-1, Finding("to_paper", steps=list(self.change)))
        return words.table_report(findings)

    @property
    def text(self) -> str:
        """What the table is, in words: all findings but what was compared."""
        return words.table_report(f for f in self.findings if f.kind != "compared")

    @property
    def named(self) -> bool:
        """Whether formulas were named, which give every number."""
        return bool(self.formulas)

    @property
    def sinusoidal(self) -> bool:
        """Whether formulas were named, and each has a sine and a cosine of each frequency."""
        return self.named and all(formula.order.in_pairs for formula in self.formulas)

    @property
    def change(self) -> tuple[str, ...]:
        """The steps in words to the paper's table, from one formula in pairs; () for all others."""
        return words.cures(self.findings) if self.sinusoidal and not self.parts else ()

    @property
    def parts(self) -> tuple[TableReport, ...]:
        """For a table of several coordinates, a report for each; empty for any other."""
        if len(self.formulas) < 2:
            return ()
        return tuple(
            replace(self, formulas=(formula,), columns=(columns,))
            for formula, columns in zip(self.formulas, self.columns, strict=True)
        )

    @property
    def formula(self) -> Formula | None:
        """The formula of the table, or of its first coordinate; None if none was named."""
        return self.formulas[0] if self.formulas else None

    @property
    def layout(self) -> str | None:
        """The order of columns by its name in `Order`, as "halves"; None without a formula."""
        return None if self.formula is None else self.formula.order.layout

    @property
    def cosines_first(self) -> bool | None:
        """Whether cosines stand where the paper has sines; None without a formula."""
        return None if self.formula is None else self.formula.order.cosines_first

    @property
    def base(self) -> float | None:
        """The base n of the frequencies, in their spacing; None without a formula."""
        return None if self.formula is None else self.formula.base

    @property
    def spacing(self) -> str | None:
        """The exponents of the base by name, as "paper" or "either"; None without a formula.

        "paper" is i/(d/2), "tensor2tensor" is i/(d/2 - 1), and "either" is where both give every
        number. Rarer ones are "octaves", "octaves of pi", "periods" and "twice the number", as in
        `Order`.
        """
        if self.formula is None:
            return None
        for finding in self.findings:
            # `also` has (base, spacing) of a second base that gives every number. Where it is the
            # same base, the table is too short to tell the spacings apart.
            if finding.kind == "base" and any(base == self.base for base, _ in finding.also):
                return "either"
        return self.formula.spacing

    @property
    def positions(self) -> Array | None:
        """The position of each row (rows,) in tokens, for the first coordinate; NaN for padding."""
        if self.formula is None:
            return None
        positions = np.full(len(self.view.table), np.nan)
        positions[self.rows] = self.formula.positions
        return positions

    @property
    def scale(self) -> float | None:
        """What sines and cosines are multiplied by; None without a formula."""
        return None if self.formula is None else self.formula.scale

    @property
    def rounding(self) -> str:
        """The type, or the decimals or digits, that the numbers are stored in: "4 decimals"."""
        return words.sentence(Finding("storage name", storage=self.storage))

    @property
    def angles(self) -> str | None:
        """The float type of the angles; None without a formula, or where float32 would not show."""
        if self.formula is None:
            return None
        if self.formula.angles_in == "float32":  # tried only where float64 misses some number
            return "float32"
        # At position k of 16 to 512 columns, the largest error of the angles in float32 is between
        # 5e-9 k and 9e-8 k, as measured. It would show where it is four roundings of the storage:
        # that factor is chosen by eye.
        error_of_float32 = 1e-8 * float(np.abs(self.formula.positions).max())
        return "float64" if error_of_float32 >= 4 * self.storage.relative_error(1.0) else None

    def reproduce(self) -> npt.NDArray[Any]:
        """Return what was inspected, as the named formulas give it and as it was stored.

        Returns
        -------
        ndarray
            Of the shape and the float type of what was inspected; float64 for other numbers.

        Raises
        ------
        ValueError
            If no formula was found for the whole table.
        """
        if not self.formulas:
            raise ValueError(
                f"no known formula gives this table, so it cannot be reproduced: {self.text}"
            )
        table = np.zeros(self.view.table.shape)  # rows without a formula are padding
        for formula, columns in zip(self.formulas, self.columns, strict=True):
            table[np.ix_(self.rows, columns)] = self.storage.round(formula.numbers())
        return self.view.given(table).astype(self.dtype)


def inspect_table(table: npt.ArrayLike, decimals: int | None = None) -> TableReport:
    r"""Return a report on what a positional table is, and how it differs from the paper's.

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
        storage = Storage(
            "decimals", whole_number(decimals, "decimals", least=0, most=MOST_DECIMALS)
        )
    return inspected(table, storage)


@np.errstate(all="ignore")  # a wrong guess may overflow, and is refused by comparison
def inspected(table: Any, printed_as: Storage | None) -> TableReport:
    """Return the report of `inspect_table`, given how numbers were printed, or None for unknown."""
    array, dtype = _checked(table)
    if printed_as is None:
        storage = storage_of(array)
    else:
        storage = with_type_before_print(printed_as, array.ravel())
    without_findings = TableReport((), View(array).flattened(), storage, dtype=dtype)
    reason = _reason_for_no_search(without_findings.view.table)
    if reason is not None:
        return replace(without_findings, findings=(Finding(reason),))
    nearest: Fit | None = None
    for view in views(array):
        for fit in explained(view, storage):
            if fit.sure:
                return _report(without_findings, fit)
            if nearest is None or fit.part_wrong < nearest.part_wrong:
                nearest = fit
        # A table with a few wrong numbers lies in this view: other views would only take time.
        if nearest is not None and nearest.near:
            break
    if nearest is None or nearest.part_wrong > MOST_WRONG:
        advice = [Finding("sines_missing")] if next(views(array)).repeated else []
        return replace(without_findings, findings=(Finding("unknown"), *advice))
    return _report(without_findings, nearest)


def _checked(table: Any) -> tuple[AnyTable, Any]:
    """Return (array as float16, float32 or float64, float type of a reproduction); raise if unfit.

    The array has any number of axes, of which the last has two columns or more. What is refused
    besides other shapes are numbers that are not finite or real, and arrays whose largest number is
    not from LEAST_ENTRY to MOST_ENTRY in size. The two types differ where a table is in a wider
    float type, or of integers, and is read as float64.
    """
    plain = plain_tensor(table)
    if np.iscomplexobj(plain):
        raise TypeError(
            "table must be real: pass the cosines and sines of complex numbers as "
            f"np.stack([table.real, table.imag], axis=-1), got {shown(table)}"
        )
    array = numbers(plain, "table")
    # Float16 and float32 keep their type, which shows how the numbers are stored.
    if array.dtype not in (np.float16, np.float32):
        array = real_array(plain, "table")
    if array.ndim == 0 or array.shape[-1] < 2 or array.size == 0:
        raise ValueError(f"table must have a row of at least two columns, got shape {array.shape}")
    if not np.isfinite(array).all():
        real_array(plain, "table")  # raises, with the first entry that is not finite
    most = float(max(array.max(), -array.min()))  # of all sizes, without a copy of the table
    if most and not LEAST_ENTRY <= most <= MOST_ENTRY:  # a table of zeros has a finding of its own
        raise ValueError(
            f"table must have entries of at least {LEAST_ENTRY:g} and at most {MOST_ENTRY:g}, "
            f"got {shown(table)}"
        )
    dtype = np.asarray(plain).dtype
    return array, dtype if dtype.kind == "f" else np.dtype(np.float64)  # integers hold no sines


def _reason_for_no_search(table: AnyTable) -> str | None:
    """Return the kind of finding on a table that shows no frequency at all; None for others."""
    if not table.any():
        return "zeros"
    rows_alike = bool((table == table[0]).all())
    if rows_alike and is_position_0(table[0]):
        return "position_0"
    # Most tables have a third value in their first rows, and all numbers take longer to sort.
    if len(np.unique(table[:ROWS])) < 3 and len(np.unique(table)) < 3:
        return "two_values"
    return "rows_alike" if rows_alike and len(table) > 1 else None  # one row is like itself


def _report(without_findings: TableReport, fit: Fit) -> TableReport:
    """Return the report on a fit: its formulas if it is sure, else findings on the nearest one."""
    report = replace(without_findings, view=fit.view)
    of_view, of_formulas = list(fit.view.findings), findings_of(fit, report.storage)
    if fit.sure:
        named = replace(report, formulas=fit.formulas, columns=fit.columns, rows=fit.rows)
        return replace(named, findings=(*of_view, *of_formulas))
    # Unless a fit is sure, nobody knows whether this is a sinusoidal table.
    details = [f for f in of_formulas if f.kind not in ("sinusoidal", "not_sinusoidal")]
    if details[0].kind == "from_0_to_1":  # a sentence of its own, as all on the view
        of_view.append(details.pop(0))
    if not fit.wrong.any():
        return replace(report, findings=(*of_view, Finding("too_few"), *details))
    details = [f for f in details if f.kind not in ("paper", "compared")]  # not all numbers agree
    unknown = Finding("unknown"), *of_view, Finding("nearest"), *details, differences(fit)
    return replace(report, findings=unknown)
