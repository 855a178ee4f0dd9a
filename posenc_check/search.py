"""The search for the programs that give a table: which views, which columns, which formulas.

A formula is named where its program gives every number of a table. Each is tried on some rows
before it is tried on all, and in each way to compute it that the field has.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from posenc_check.formulas import (
    SHORT_WAYS,
    WAYS,
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
from posenc_check.reading import guesses, round_bases
from posenc_check.rounding import Array, angle_error
from posenc_check.storage import Storage
from posenc_check.unpaired import unpaired_guesses
from posenc_check.views import AnyTable, View, sides

# By how many bits agreement must beat chance before a formula is named.
SURE_BITS = 24

# The first and the other rows on which a guess is tried first, and the part of their numbers that
# may differ in a guess that can be the nearest.
HEAD, ROWS, MAY_DIFFER = 4, 48, 0.4

# A table that differs from a formula in less than this part of its numbers is near it: no table of
# another kind is looked for.
NEAR = 0.02

# Numbers, and the least number of rows, off which frequencies in float32 are read.
READ, READ_ROWS = 2**17, 96

# So many guesses of round bases are tried in types of 16 bits, first on so many rows.
IN_SHORT, SHORT_ROWS = 6, 8


class Match(NamedTuple):
    """A formula, and where a table differs from it."""

    formula: Formula
    difference: Difference

    @property
    def agrees(self) -> bool:
        """Return whether the formula gives every number."""
        return not self.difference.wrong

    @property
    def near(self) -> bool:
        """Return whether the formula gives almost every number."""
        return self.difference.wrong < NEAR * self.difference.of


class Explained(NamedTuple):
    """A view of a table, with formulas and the columns that each of them gives."""

    view: View
    formulas: tuple[Formula, ...]
    columns: tuple[Indices, ...]
    rows: Indices  # those that the formulas give
    split: str = ""  # how coordinates share the columns; empty for one formula
    difference: Difference | None = None  # of the nearest formula, where none gives every number
    sure: bool = False  # whether more numbers agree than chance explains

    @property
    def part_wrong(self) -> float:
        """Return which part of the numbers of the view differs."""
        return 0.0 if self.difference is None else self.difference.wrong / self.view.table.size

    @property
    def near(self) -> bool:
        """Return whether some numbers differ, but few."""
        return 0 < self.part_wrong < NEAR


def explained(view: View) -> Iterator[Explained]:
    """Yield what gives every number of a view, until one is sure; or else the nearest formula."""
    table, rows, storage = view.table, view.rows, view.storage
    kept = table if len(rows) == len(table) else table[rows]
    whole = (np.arange(table.shape[1]),)
    match = best_match(kept, storage, guesses(kept, rows, storage))
    if match is not None:
        found = Explained(view, (match.formula,), whole, rows)
        if match.agrees and is_sure(match.formula, storage):
            yield found._replace(sure=True)
            return
        yield found if match.agrees else found._replace(difference=match.difference)
        if match.near and not match.agrees:
            return
    match = best_match(table, storage, unpaired_guesses(table, storage))
    if match is not None and match.agrees and is_sure(match.formula, storage):
        yield Explained(view, (match.formula,), whole, np.arange(len(table)), sure=True)
        return
    for split, shares in sides(table.shape[1]):
        formulas = _coordinates(kept, shares, rows, storage)
        if formulas:
            yield Explained(view, formulas, tuple(shares), rows, split, sure=True)
            return


def _coordinates(
    table: AnyTable, shares: list[Indices], rows: Indices, storage: Storage
) -> tuple[Formula, ...]:
    """Return a formula for each part of the columns, all of one order and ladder; or nothing."""
    formulas: list[Formula] = []
    for columns in shares:
        begin, end = int(columns[0]), int(columns[-1]) + 1
        side_by_side = end - begin == len(columns)
        part = table[:, begin:end] if side_by_side else table[:, columns]
        match = best_match(part, storage, guesses(part, rows, storage))
        if match is None or not match.agrees:
            return ()
        formulas.append(match.formula)
    turning = [formula for formula in formulas if formula.positions.any()]
    alike = len({(formula.order, formula.ladder[:2]) for formula in turning}) == 1
    sure = all(is_sure(formula, storage) for formula in turning)
    apart = not _proportional([formula.positions for formula in turning])
    return tuple(formulas) if alike and sure and apart else ()


def _proportional(positions: list[Array]) -> bool:
    """Return whether coordinates are multiples of one another: these are parts of one ladder."""
    units = [each / each[np.abs(each).argmax()] for each in positions]
    alike = all(np.allclose(unit, units[0], rtol=0, atol=1e-3) for unit in units)
    return len(units) > 1 and alike and not all((p == positions[0]).all() for p in positions)


def is_sure(formula: Formula, storage: Storage) -> bool:
    """Return whether more numbers agree with a formula than chance explains.

    Where a position is no whole number, two pairs fit too many formulas.
    """
    whole = not formula.doubt and not (formula.positions % 1).any()
    return (whole or formula.pairs > 2) and sure_bits(formula, storage) >= SURE_BITS


def best_match(table: AnyTable, storage: Storage, candidates: Iterable[Formula]) -> Match | None:
    """Return the first formula that gives every number of a table, or else the nearest one."""
    some = np.union1d(np.arange(min(HEAD, len(table))), spread(len(table), ROWS))
    nearest: Match | None = None
    closest: tuple[int, Formula] | None = None  # on some rows
    round_ones: list[Formula] = []
    for formula in candidates:
        off = compared(table[some], formula.of_rows(some), storage, loose=True)
        if not formula.doubt and digits(formula.ladder.base) < 3:
            round_ones.append(formula)
        if closest is None or off.wrong < closest[0]:
            if off.wrong > MAY_DIFFER * off.of:
                continue
            closest = off.wrong, formula
        elif off.wrong:
            continue
        for match in _computed(table, formula, storage, some):
            if match.agrees:
                return match
            if nearest is None or match.difference.wrong < nearest.difference.wrong:
                nearest = match
        if nearest is not None and nearest.near:
            return nearest
    for formula in round_ones[:IN_SHORT]:
        in_short = _in_short_types(table, formula, storage)
        if in_short is not None:
            return in_short
    if nearest is None and closest is not None:
        nearest = _measured(table, closest[1], storage)
    return nearest


def _measured(table: AnyTable, formula: Formula, storage: Storage) -> Match:
    """Return a formula that no way to compute it makes the table's, with where they differ."""
    difference = compared(table, formula, storage, loose=True)
    return Match(formula, difference if difference.wrong else compared(table, formula, storage))


def _computed(
    table: AnyTable, formula: Formula, storage: Storage, some: Indices
) -> Iterator[Match]:
    """Yield a formula in each way to compute it that gives some rows of a table.

    Frequencies in float32 are read off many rows, and again with those rows that then differ.
    """
    for arithmetic in WAYS:
        rows = np.union1d(some, spread(len(table), max(READ_ROWS, READ // formula.width)))
        differ = rows
        while differ.size:
            made = formula._replace(arithmetic=arithmetic)
            if arithmetic.frequencies == "float32":
                made = in_float32(table, made, storage, rows)
            if compared(table[some], made.of_rows(some), storage).wrong:
                break
            match = Match(made, compared(table, made, storage))
            yield match
            if arithmetic.frequencies != "float32" or not match.near:
                break
            differ = np.setdiff1d(np.flatnonzero(match.difference.rows), rows)[:ROWS]
            rows = np.union1d(rows, differ)


def _in_short_types(table: AnyTable, formula: Formula, storage: Storage) -> Match | None:
    """Return a formula that gives every number where something is rounded to 16 bits, or None."""
    few = spread(len(table), SHORT_ROWS)
    for arithmetic in SHORT_WAYS:
        made = formula._replace(arithmetic=arithmetic)
        if not compared(table[few], made.of_rows(few), storage).wrong:
            match = Match(made, compared(table, made, storage))
            if match.agrees:
                return match
    return None


def other_ladders(found: Explained) -> list[tuple[tuple[float, str], ...]]:
    """Return for each formula another base, with its spacing, that gives every number as well."""
    pairs = zip(found.formulas, found.columns, strict=True)
    return [_other_ladder(found, formula, columns) for formula, columns in pairs]


def _other_ladder(
    found: Explained, formula: Formula, columns: Indices
) -> tuple[tuple[float, str], ...]:
    """Return another base, with its spacing, that gives every number of some columns as well.

    It has at most three digits; or where the base itself has more, it is the one that has almost
    the same frequencies in the other spacing.
    """
    ladder, last, storage = formula.ladder, formula.pairs - 1, found.view.storage
    if last < 1 or not formula.order.in_pairs or ladder.spacing not in ("paper", "tensor2tensor"):
        return ()
    steps = {"paper": formula.width / 2, "tensor2tensor": float(last)}
    doubt = min(2 * relative_doubt(formula, storage), 1.0) + 4e-6
    others = []
    for spacing in steps:
        log = math.log(ladder.base) * steps[spacing] / steps[ladder.spacing]
        for base in round_bases(log, doubt):
            odd = digits(base) > 3 and (digits(ladder.base) < 4 or spacing == ladder.spacing)
            if not odd and (base, spacing) != ladder[:2]:
                others.append(Ladder(base, spacing))
    others.sort(key=lambda other: (other.base != ladder.base, digits(other.base)))
    table = found.view.table[np.ix_(found.rows, columns)] if others else found.view.table
    return next((((o.base, o.spacing),) for o in others if _gives(table, formula, o, storage)), ())


def _gives(table: AnyTable, formula: Formula, ladder: Ladder, storage: Storage) -> bool:
    """Return whether a formula with another ladder gives every number as well."""
    omega = ladder.frequencies(formula.order, formula.width)
    if formula.ladder.base == 1e4 and np.allclose(omega, formula.omega, rtol=1e-12, atol=0):
        return False  # the usual base under another name, as 1 000 is with four pairs
    if formula.arithmetic.frequencies == "float32":  # those of the formula, if it may have them
        return bool((np.abs(formula.omega - omega) <= angle_error(omega, omega, "float32")).all())
    return not compared(table, formula._replace(ladder=ladder, omega=omega), storage).wrong
