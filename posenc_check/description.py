"""What a formula says of a table, as findings, and as a program."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from posenc_check.findings import Finding
from posenc_check.formulas import Formula, Indices, Ladder, relative_doubt
from posenc_check.search import Explained
from posenc_check.storage import Array, rounded_to
from posenc_check.views import View

# Steps of positions that have a name.
NAMED_STEPS = {"degrees": math.pi / 180, "turns": math.tau}


def findings_of(found: Explained, others: Sequence[Any]) -> tuple[Finding, ...]:
    """Return what formulas say of a view; `others` has the other bases of each."""
    view, formulas, rows = found.view, found.formulas, found.rows
    first, ladder = formulas[0], formulas[0].ladder
    if first.order.layout == "frequencies":
        return (Finding("list", count=first.width, **ladder._asdict()),)
    parts: list[Finding] = []
    if found.split:
        parts.append(Finding("coordinates", count=len(formulas), split=found.split))
    else:
        parts.append(Finding("sinusoidal" if first.order.in_pairs else "not_sinusoidal"))
    for number, (formula, columns) in enumerate(zip(formulas, found.columns, strict=True)):
        if found.split:
            ends = int(columns[0]), int(columns[-1])
            together = ends[1] - ends[0] + 1 == len(columns)
            parts.append(Finding("coordinate", number=number, columns=ends if together else None))
        parts += _of_formula(formula, view, others[number], rows)
    padding = np.setdiff1d(np.arange(len(view.table)), rows)
    if len(padding):
        parts.append(Finding("padding", rows=padding.tolist()))
    parts.append(Finding("storage", storage=view.storage))
    if first.arithmetic.angles == "float32":
        parts.append(Finding("angles", stored="float32"))
    if len(formulas) == 1 and not view.findings and is_papers(first) and not len(padding):
        parts.append(Finding("paper", rows=len(rows)))
    size = len(rows), view.table.shape[1]
    parts.append(Finding("compared", rows=size[0], columns=size[1], storage=view.storage))
    return tuple(parts)


def differences(found: Explained) -> Finding:
    """Return where a view differs from the nearest formula."""
    rows, difference = found.rows, found.difference
    assert difference is not None
    row, column, by = difference.first
    return Finding(
        "differs",
        count=difference.wrong,
        rows=rows[np.flatnonzero(difference.rows)].tolist(),
        columns=np.flatnonzero(difference.columns).tolist(),
        table_rows=len(rows),
        table_columns=found.view.table.shape[1],
        row=int(rows[row]),
        column=column,
        first_difference=by,
        largest_difference=difference.most,
    )


def is_papers(formula: Formula) -> bool:
    """Return whether a formula is the paper's, from position 0 or for one row alone."""
    of = formula.order.layout, formula.order.cosines_first, formula.scale
    positions = formula.positions
    counted = len(positions) == 1 or bool((positions == np.arange(len(positions))).all())
    usual = formula.pairs == 1 or formula.ladder == Ladder(1e4, "paper")
    exact = not formula.arithmetic.short
    return of == ("interleaved", False, 1.0) and counted and usual and exact


def _of_formula(formula: Formula, view: View, others: Any, rows: Indices) -> Iterator[Finding]:
    """Yield what is said of one formula: its order, base, positions, factor and types."""
    width, ladder = formula.width, formula.ladder
    yield Finding(
        "layout",
        layout=formula.order.layout,
        cosines_first=formula.order.cosines_first,
        spacing=ladder.spacing,
        width=width,
    )
    if formula.pairs == 1 and formula.order.in_pairs:
        yield Finding("one_pair")
    elif ladder.spacing in ("octaves", "octaves of pi"):
        yield Finding("octaves", pi=ladder.spacing == "octaves of pi", width=width)
    else:
        doubt = relative_doubt(formula, view.storage)
        yield Finding(
            "base", base=ladder.base, spacing=ladder.spacing, within=doubt, also=others, width=width
        )
    yield _positions(formula.positions, rows, formula.omega)
    if formula.doubt:
        yield Finding("positions_read", doubt=formula.doubt)
    for what, kind in zip(("positions", "frequencies", "angles"), formula.arithmetic, strict=False):
        if kind in ("bfloat16", "float16"):
            yield Finding("short", what=what, stored=kind)
    if f"{formula.scale:.6g}" != "1":
        half = float(view.storage.half(np.array([0.7 * formula.scale]))[0])
        yield Finding("scale", factor=formula.scale, width=width, within=half / formula.scale)


def _positions(positions: Array, rows: Indices, omega: Array) -> Finding:
    """Return the rule that the positions of rows follow, or the first of them."""
    first, most, last = (float(x) for x in (positions[0], positions.max(), positions[-1]))
    if len(positions) == 1:
        return Finding("one_position", position=first)
    steps = np.diff(positions) / np.diff(rows)
    step, count = float(np.median(steps)), np.arange(len(positions))
    whole = bool((positions == np.round(positions)).all())
    room = 0.0 if whole else 1e-9 * abs(step) + 1e-9
    if step and np.abs(steps - step).max() <= room:
        begin, row = first - step * float(rows[0]), 0
        if rows[0] and begin < 0 <= first:  # after a row of zeros, as that of a class token
            begin, row = first, int(rows[0])
        names = [name for name, value in NAMED_STEPS.items() if abs(abs(step) / value - 1) < 1e-5]
        second = float(omega[omega < 1].max(initial=0))
        if second and abs(abs(step) / second - 1) < 1e-5:
            names.append("pairs from 1")
        name = names[0] if names else ""
        return Finding("steps", first=begin, row=row, step=step, name=name, last=last)
    least, times = float(positions.min()), int(np.argmax(positions != first)) or 1
    rules: list[tuple[Finding, Any]] = [
        (
            Finding("positions_short", first=first, stored=kind),
            rounded_to(first + count, kind),
        )
        for kind in ("bfloat16", "float16")
    ]
    rules += [
        (
            Finding("last_repeated", first=first, last=most),
            np.minimum(first + count, most),
        ),
        (
            Finding("starting_over", first=first, last=most),
            first + count % max(most - first + 1, 1),
        ),
        (
            Finding("falling_and_rising", first=first, least=least, last=last),
            least + np.abs(count - (first - least)),
        ),
        (
            Finding("each_repeated", first=first, times=times),
            first + count // times,
        ),
        (
            Finding("shuffled", least=least, most=most),
            least + np.argsort(np.argsort(positions)),
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


def program_of(formulas: Sequence[Formula], shares: Sequence[Indices], view: View) -> str:
    """Return a program in NumPy that makes a table, before views were undone, as text."""
    lines = ["import numpy as np", ""]
    width = sum(len(columns) for columns in shares)
    lines.append(f"table = np.zeros(({len(formulas[0].positions)}, {width}))")
    for formula, columns in zip(formulas, shares, strict=True):
        lines += _lines(formula, columns)
    storage = view.storage
    if storage.kind == "decimals":
        lines.append(f"table = table.round({storage.places})")
    elif storage.kind in ("float16", "float32"):
        lines.append(f"table = table.astype(np.{storage.kind})")
    return "\n".join(lines) + "\n"


def _lines(formula: Formula, columns: Indices) -> Iterator[str]:
    """Yield the lines that fill the columns of one formula."""
    positions, ladder, of = formula.positions, formula.ladder, formula.arithmetic
    ahead = np.diff(positions)
    if len(ahead) and (ahead == ahead[0]).all() and ahead[0]:
        first, step = float(positions[0]), float(ahead[0])
        yield f"positions = {first!r} + {step!r} * np.arange({len(positions)})"
    else:
        yield f"positions = np.array({positions.tolist()})"
    pairs = formula.pairs
    if ladder.rules or ladder.spacing == "octaves of pi":
        yield f"omega = np.array({formula.omega.tolist()})"
    else:
        steps = math.log(ladder.base) / -math.log(formula.omega[1]) if pairs > 1 else 1.0
        yield f"omega = {ladder.base!r} ** (-np.arange({pairs}) / {round(2 * steps) / 2:g})"
    if formula.order.layout == "frequencies":
        yield "table[:] = omega"
        return
    cast = f".astype(np.{of.angles})" if of.angles in ("float16", "float32") else ""
    yield f"angles = positions{cast}[:, np.newaxis] * omega{cast}"
    factor = f"{formula.scale!r} * " if formula.scale != 1 else ""
    for name, (at, share) in zip(("sin", "cos"), formula.order.shares(formula.width), strict=True):
        own = columns[at]
        if len(own):
            step = int(own[1] - own[0]) if len(own) > 1 else 1
            to = f"{own[0]}:{own[-1] + 1}" + (f":{step}" if step > 1 else "")
            of_pairs = (
                ""
                if len(own) == pairs
                else f"[:, {share.start or 0}:{share.stop or pairs}:{share.step or 1}]"
            )
            yield f"table[:, {to}] = {factor}np.{name}(angles{of_pairs})"
