"""What is said of a table that formulas give, as findings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc_check.findings import Finding
from posenc_check.formulas import (
    EVEN,
    PAPER_BASE,
    Formula,
    Order,
    compared,
    digits,
    relative_doubt,
    spread,
)
from posenc_check.reading import FLOAT32_ANGLE
from posenc_check.rounding import Indices, angle_error
from posenc_check.search import Fit
from posenc_check.storage import Storage

Bases = tuple[tuple[float, str], ...]  # bases with their spacings

LISTED = 6  # positions that a sentence lists


def findings_of(fit: Fit, storage: Storage) -> tuple[Finding, ...]:
    """Return all findings on a fit's formulas, sure or nearest, in the order of their sentences."""
    table, formulas, rows = fit.view.table, fit.formulas, fit.rows
    # Several coordinates are named only where they are alike in their order. One program makes them
    # all: the first stands for the others in its range and in the type of its angles, too.
    first = formulas[0]
    # A list has no columns of sines to speak of.
    if first.order.layout == "frequencies" and len(table) == 1:
        kind = "list" if fit.sure else "like_list"
        values = {"base": first.base, "spacing": first.spacing, "rules": first.rules}
        return (Finding(kind, count=first.width, **values),)
    findings = []
    if first.from_0_to_1:
        findings.append(Finding("from_0_to_1"))
    if fit.split:
        order = {"cosines_first": first.order.cosines_first, "in_pairs": first.order.in_pairs}
        findings.append(Finding("coordinates", count=len(formulas), split=fit.split, **order))
    else:
        findings.append(Finding("sinusoidal" if first.order.in_pairs else "not_sinusoidal"))
    for number, (formula, columns) in enumerate(zip(formulas, fit.columns, strict=True)):
        if fit.split:
            begin, last = int(columns[0]), int(columns[-1])
            side_by_side = last - begin + 1 == len(columns)
            ends = (begin, last) if side_by_side else None  # other columns are told by their split
            findings.append(Finding("coordinate", number=number, columns=ends))
        other_bases = _bases_in_other_spacing(formula, fit, columns, storage)
        findings += _findings_of_formula(formula, storage, rows, other_bases)
    zeros = np.setdiff1d(np.arange(len(table)), rows)  # all rows that a fit leaves out are zeros
    if zeros.size:
        findings.append(Finding("padding", rows=zeros.tolist()))
    findings.append(Finding("storage", storage=storage))
    if first.angles_in == "float32":
        findings.append(Finding("angles", stored="float32"))
    # What has to be undone first is not the paper's table, whatever is seen afterwards.
    as_given = not fit.view.findings and not zeros.size and len(formulas) == 1
    if as_given and _is_papers(first):
        findings.append(Finding("paper", rows=len(rows)))
    findings.append(Finding("compared", rows=len(rows), columns=table.shape[1], storage=storage))
    return tuple(findings)


def differences(fit: Fit) -> Finding:
    """Return the finding on which numbers differ from the nearest formula's, and by how much."""
    # Several coordinates are named only where they give every number: what differs has one formula.
    wrong, (formula,) = fit.wrong, fit.formulas
    # Rows have one number among those that the formula gives, and another in the table, which may
    # have rows of zeros between them.
    rows, columns = np.flatnonzero(wrong.any(axis=1)), np.flatnonzero(wrong.any(axis=0))
    rows_of_table = fit.rows[rows]
    off = np.abs(formula.numbers(rows) - fit.view.table[rows_of_table])
    off[~wrong[rows]] = 0.0  # what agrees is off by rounding alone
    column = int(wrong[rows[0]].argmax())  # the first that differs in the first such row
    return Finding(
        "differs",
        count=int(wrong.sum()),
        rows=rows_of_table.tolist(),
        columns=columns.tolist(),
        table_rows=len(wrong),
        table_columns=wrong.shape[1],
        row=int(rows_of_table[0]),
        column=column,
        first_difference=float(off[0, column]),
        largest_difference=float(off.max()),
    )


def _is_papers(formula: Formula) -> bool:
    """Return whether a formula is the paper's, for positions 0, 1, 2, ... or any one position."""
    one_pair = len(formula.omega) == 1  # which is the same for every base
    counted = (formula.positions == np.arange(len(formula.positions))).all()
    return bool(
        formula.order == Order("interleaved")
        and (counted or len(formula.positions) == 1)  # any row alone is a row of the paper's table
        and (one_pair or (formula.base, formula.spacing) == (PAPER_BASE, "paper"))
        and formula.scale == 1
        and not formula.from_0_to_1
        and not formula.rules
    )


def _findings_of_formula(
    formula: Formula, storage: Storage, rows: Indices, other_bases: Bases
) -> Iterator[Finding]:
    """Yield findings on a formula's order, base and positions, and on its factor if that is not 1.

    Those on the base and on positions that were read off say by how much these may be off.
    """
    order, width = formula.order, formula.width
    shared = {"spacing": formula.spacing, "width": width}
    yield Finding("layout", **order._asdict(), **shared)
    if not formula.positions.any():
        pass  # position 0 is the same for every base
    elif len(formula.omega) == 1:
        yield Finding("one_pair")
    elif formula.base == 1:
        yield Finding("one_frequency", width=width)
    elif formula.spacing in ("octaves", "octaves of pi"):
        yield Finding("octaves", pi=formula.spacing == "octaves of pi", width=width)
    elif formula.spacing == "periods":
        yield Finding("periods", width=width)
    else:
        doubt = relative_doubt(formula, storage)
        yield Finding(
            "base", base=formula.base, **shared, within=doubt, also=other_bases, rules=formula.rules
        )
    yield _position_rule(formula, rows)
    if formula.doubt:
        yield Finding("positions_read", doubt=formula.doubt)
    if f"{formula.scale:.6g}" != "1":  # with the digits that its sentence has
        error = storage.relative_error(formula.amplitude)
        yield Finding("scale", factor=formula.scale, width=width, within=error)


def _bases_in_other_spacing(
    formula: Formula, fit: Fit, columns: Indices, storage: Storage
) -> Bases:
    """Return ((base, spacing),) of the other spacing that gives every number as well, or ().

    Where a table is too short to tell the spacings apart, that is the same base. For a base that is
    not round it may be another base, which has the same frequencies in the other spacing.
    """
    order, pairs, width = formula.order, len(formula.omega), formula.width
    spacings = {"paper": "tensor2tensor", "tensor2tensor": "paper"}
    # A single pair is the same in each, and the spacing of tensor2tensor is one of pairs.
    if formula.spacing not in spacings or pairs < 2 or order.layout == "by column" or formula.rules:
        return ()
    other = spacings[formula.spacing]
    candidates = [formula.base]
    if digits(formula.base) > 2:  # the base is no round number
        # base^(1/steps) is the ratio of neighbouring frequencies, and is kept.
        steps = order.steps(other, width) / order.steps(formula.spacing, width)
        same_ratio = formula.base**steps
        candidates.append(float(f"{same_ratio:.6e}"))  # with a digit more than its sentence has
    for base in candidates:
        omega = order.frequencies(base, other, width)
        if formula.angles_in == "float32":  # frequencies that code in float32 cannot tell apart
            exact = order.frequencies(formula.base, formula.spacing, width)
            alike = bool((np.abs(exact - omega) <= angle_error(omega, omega, "float32")).all())
        else:
            alike = _gives(formula._replace(omega=omega), fit, columns, storage)
        if alike:
            return ((base, other),)
    return ()


def _gives(formula: Formula, fit: Fit, columns: Indices, storage: Storage) -> bool:
    """Return whether a formula gives every number in some columns of a fit's rows."""
    every = np.arange(len(fit.rows))
    for part in (spread(len(every)), every):  # a few rows refuse most formulas, and sooner
        numbers = fit.view.table[np.ix_(fit.rows[part], columns)]
        if compared(numbers, formula.of_rows(part), storage).any():
            return False
    return True


def _position_rule(formula: Formula, rows: Indices) -> Finding:
    """Return the finding on the rule that positions of rows follow, or that lists the first few."""
    positions = formula.positions
    first, last = float(positions[0]), float(positions[-1])
    if not np.ptp(positions):
        return Finding("one_position", position=first, rows=len(positions))
    # Whole positions are exact. Others were rounded by float64, by a part of the position: where
    # steps are small, that may be more than EVEN of a step, which is why 1 token is added. What was
    # read off is off by its doubt, and farther where angles were rounded to float32.
    step = (last - first) / float(rows[-1] - rows[0])  # rows of zeros between them count as steps
    tolerance = 2 * formula.doubt + (EVEN * (abs(step) + 1) if (positions % 1).any() else 0.0)
    if formula.doubt and formula.angles_in == "float32":
        tolerance += FLOAT32_ANGLE * float(np.abs(positions).max())
    if step and np.abs(first + step * (rows - rows[0]) - positions).max() <= tolerance:
        of_row_0 = first - step * float(rows[0])
        of_row_0 = of_row_0 if abs(of_row_0) > tolerance else 0.0
        if rows[0] and of_row_0 < 0 <= first:  # row 0 is no position before 0, but a class token's
            return Finding("steps", first=first, row=int(rows[0]), step=step, last=last)
        return Finding("steps", first=of_row_0, row=0, step=step, last=last)
    # Rules for positions that do not go on in steps from row to row.
    least, most = float(positions.min()), float(positions.max())
    count = np.arange(len(positions))
    begins = np.flatnonzero(np.diff(positions, prepend=np.nan))  # rows unlike the one before
    times = int(begins[1])  # as many rows begin with the first position
    step = float(positions[times]) - first
    number = np.rint((positions - first) / step)  # of steps from the first position
    if np.abs(first + step * number - positions).max() > tolerance:
        number[:] = np.nan  # which is no count of steps
    values = {"first": first, "step": step, "times": times}
    over = Finding("starting_over", last=first + step * float(number.max()), **values)
    fallen = Finding("falling_and_rising", first=first, least=least, last=last)
    order = np.argsort(np.argsort(positions))  # which of all positions each is, by size
    repeated = len(positions) % times == 0 and (number == count // times).all()
    falls = bool((np.diff(number) < 0).any())  # which is where a count starts over
    rules = [
        (Finding("each_repeated", **values), repeated),
        (over, falls and (number == count // times % (number.max() + 1)).all()),
        (Finding("shuffled", least=least, most=most), (positions == least + order).all()),
        (fallen, (positions == least + np.abs(count - (first - least))).all()),
    ]
    for finding, holds in rules:
        # Positions that go on in steps, with gaps between the rows, have none of the rules.
        if holds and (number != count).any():
            return finding
    # Where the listed positions are counted on from the first, say the row where the count ends.
    counted = int(np.argmax(positions != first + count))
    beyond = counted >= LISTED
    listed = [
        Finding("repeated", position=float(positions[row]), times=int(rows_alike))
        for row, rows_alike in zip(begins, np.diff(begins, append=len(positions)), strict=True)
    ]
    return Finding(
        "listed",
        positions=listed[:LISTED],
        more=len(listed) > LISTED,
        counted=bool((positions == count).all()),
        least=least,
        most=most,
        row=int(rows[counted]) if beyond else None,
        at=float(positions[counted]) if beyond else None,
    )
