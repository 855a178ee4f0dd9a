"""What a formula says of a table, as findings, and as a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from posenc_check.findings import Finding
from posenc_check.formulas import Formula, compared, digits, relative_doubt, spread
from posenc_check.rounding import angle_error
from posenc_check.search import Fit
from posenc_check.storage import Array, Storage
from posenc_check.views import Indices

Twin = tuple[tuple[float, str], ...]  # bases with their spacings

# Rows in which another spacing is tried before it is tried in all.
ROWS = 48


def findings_of(fit: Fit, storage: Storage) -> tuple[Finding, ...]:
    """Return what formulas say of a table."""
    table, formulas, rows = fit.view.table, fit.formulas, fit.rows
    first = formulas[0]
    if first.order.layout == "frequencies":
        about = {"base": first.base, "spacing": first.spacing, "rules": first.rules}
        return (Finding("list", count=first.width, **about),)
    parts = [Finding("sinusoidal" if first.order.in_pairs else "not_sinusoidal")]
    if fit.split:
        parts = [Finding("coordinates", count=len(formulas), split=fit.split)]
    if first.from_0_to_1:
        parts.insert(0, Finding("from_0_to_1"))
    for number, (formula, columns) in enumerate(zip(formulas, fit.columns, strict=True)):
        if fit.split:
            ends = int(columns[0]), int(columns[-1])
            together = ends[1] - ends[0] + 1 == len(columns)
            parts.append(Finding("coordinate", number=number, columns=ends if together else None))
        parts += _of_formula(formula, storage, rows, _twin(formula, fit, columns, storage))
    padding = np.setdiff1d(np.arange(len(table)), rows)
    if len(padding):
        parts.append(Finding("padding", rows=padding.tolist()))
    parts.append(Finding("storage", storage=storage))
    if first.angles_in == "float32":
        parts.append(Finding("angles", stored="float32"))
    if not fit.view.findings and not len(padding) and len(formulas) == 1 and _is_papers(first):
        parts.append(Finding("paper", rows=len(rows)))
    parts.append(Finding("compared", rows=len(rows), columns=table.shape[1], storage=storage))
    return tuple(parts)


def differences(fit: Fit) -> Finding:
    """Return where a table differs from the nearest formula."""
    wrong, (formula,) = fit.wrong, fit.formulas
    rows, columns = np.flatnonzero(wrong.any(axis=1)), np.flatnonzero(wrong.any(axis=0))
    off = np.abs(formula.numbers(rows) - fit.view.table[fit.rows[rows]]) * wrong[rows]
    column = int(wrong[rows[0]].argmax())
    return Finding(
        "differs",
        count=int(wrong.sum()),
        rows=fit.rows[rows].tolist(),
        columns=columns.tolist(),
        table_rows=len(wrong),
        table_columns=wrong.shape[1],
        row=int(fit.rows[rows[0]]),
        column=column,
        first_difference=float(off[0, column]),
        largest_difference=float(off.max()),
    )


def _is_papers(formula: Formula) -> bool:
    """Return whether a formula is the paper's, from position 0 or for one row alone."""
    counted = (formula.positions == np.arange(len(formula.positions))).all()
    usual = len(formula.omega) == 1 or (formula.base, formula.spacing) == (1e4, "paper")
    return bool(
        formula.order == ("interleaved", False)
        and (counted or len(formula.positions) == 1)
        and usual
        and formula.scale == 1
    )


def _of_formula(formula: Formula, storage: Storage, rows: Indices, twin: Twin) -> Iterator[Finding]:
    """Yield what is said of one formula: its order, base, positions and factor."""
    order, width = formula.order, formula.width
    ladder = {"spacing": formula.spacing, "width": width}
    yield Finding("layout", **order._asdict(), **ladder)
    if len(formula.omega) == 1 and order.in_pairs:
        yield Finding("one_pair")
    elif formula.spacing in ("octaves", "octaves of pi"):
        yield Finding("octaves", pi=formula.spacing == "octaves of pi", width=width)
    else:
        doubt = relative_doubt(formula, storage)
        yield Finding("base", base=formula.base, **ladder, within=doubt, also=twin)
    yield _positions(formula.positions, rows)
    if formula.doubt:
        yield Finding("positions_read", doubt=formula.doubt)
    if f"{formula.scale:.6g}" != "1":
        noise = storage.noise(formula.amplitude)
        yield Finding("scale", factor=formula.scale, width=width, within=noise)


def _twin(formula: Formula, fit: Fit, columns: Indices, storage: Storage) -> Twin:
    """Return the base in the other spacing that gives every number as well, or nothing.

    Where a table is too short to tell the spacings apart, that is the same base. A base that is not
    round has a twin with the same frequencies.
    """
    order, pairs, width = formula.order, len(formula.omega), formula.width
    table = fit.view.table
    steps = {"paper": width / 2, "tensor2tensor": float(pairs - 1)}
    if formula.spacing not in steps or pairs < 2 or not order.in_pairs:
        return ()
    spacing = "paper" if formula.spacing == "tensor2tensor" else "tensor2tensor"
    power = steps[spacing] / steps[formula.spacing]
    twins = [float(f"{formula.base**power:.6e}")] if digits(formula.base) > 3 else []
    for base in (formula.base, *twins):
        omega = order.frequencies(base, spacing, width)
        if formula.angles_in == "float32":  # those of the formula's base, if code may have them
            off = np.abs(order.frequencies(formula.base, formula.spacing, width) - omega)
            differ = bool((off > angle_error(omega, omega, "float32")).any())
        else:
            twin = formula._replace(omega=omega)
            parts = spread(len(fit.rows), ROWS), np.arange(len(fit.rows))
            differ = any(
                compared(table[np.ix_(fit.rows[at], columns)], twin.of_rows(at), storage).any()
                for at in parts
            )
        if not differ:
            return ((base, spacing),)
    return ()


def _positions(positions: Array, rows: Indices) -> Finding:
    """Return the rule that the positions of rows follow, or the first of them."""
    first, last = float(positions[0]), float(positions[-1])
    if len(positions) == 1:
        return Finding("one_position", position=first)
    steps = np.diff(positions) / np.diff(rows)
    step, count = float(np.median(steps)), np.arange(len(positions))
    room = 1e-9 * (abs(step) + 1) if (positions % 1).any() else 0.0
    if step and np.abs(steps - step).max() <= room:
        begin, row = first - step * float(rows[0]), 0
        if rows[0] and begin < 0 <= first:  # after a row of zeros, as that of a class token
            begin, row = first, int(rows[0])
        return Finding("steps", first=begin, row=row, step=step, last=last)
    least, most = float(positions.min()), float(positions.max())
    times = int(np.argmax(positions != first)) or 1
    again = first + count % max(most - first + 1, 1)
    rules = [
        (Finding("starting_over", first=first, last=most), again),
        (Finding("each_repeated", first=first, times=times), first + count // times),
        (Finding("shuffled", least=least, most=most), least + np.argsort(np.argsort(positions))),
        (
            Finding("falling_and_rising", first=first, least=least, last=last),
            least + np.abs(count - (first - least)),
        ),
    ]
    for finding, rule in rules:
        if (rule == positions).all():
            return finding
    astray = np.flatnonzero(positions != first + count)
    listed = Finding("listed", positions=positions[:6].tolist(), more=len(positions) > 6)
    listed.row = listed.at = None
    if astray.size and astray[0] > 4:  # positions that are not among the listed
        listed.row, listed.at = int(astray[0]), float(positions[astray[0]])
    return listed


def program_of(
    formulas: Sequence[Formula], shares: Sequence[Indices], storage: Storage
) -> Iterator[str]:
    """Yield the lines of a program in NumPy that makes the rows of formulas, each all columns.

    What views undid is not made again, and neither are rows of zeros.
    """
    rows, width = len(formulas[0].positions), sum(map(len, shares))
    yield f"import numpy as np\n\ntable = np.zeros(({rows}, {width}))"
    for formula, columns in zip(formulas, shares, strict=True):
        cast = ".astype(np.float32)" if formula.angles_in == "float32" else ""
        yield f"columns = np.array({columns.tolist()})"
        yield f"positions = np.array({formula.positions.tolist()}){cast}"
        yield f"omega = np.array({formula.omega.tolist()}){cast}"
        yield "angles = positions[:, np.newaxis] * omega"
        if formula.order.layout == "frequencies":
            yield "table[:] = angles"
            continue
        for name, (at, of) in zip(("sin", "cos"), formula.order.shares(formula.width), strict=True):
            yield f"table[:, columns[{at}]] = {formula.scale!r} * np.{name}(angles[:, {of}])"
        if formula.from_0_to_1:
            yield "table[:, columns] = (table[:, columns] + 1) / 2"
    if storage.kind == "decimals":
        yield f"table = table.round({storage.places})"
    elif storage.kind in ("float16", "float32"):
        yield f"table = table.astype(np.{storage.kind})"
