"""The search for the programs that give a table: which columns, which formulas, which types.

A formula is named where its program gives every number of a table. Each is tried on some rows
before it is tried on all, and in each way to compute it that the field has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.formulas import (
    ROWS,
    Formula,
    compared,
    float32_frequencies,
    spread,
    sure_bits,
)
from posenc_check.reading import guesses, list_guesses, scaled_guesses, unpaired_guesses
from posenc_check.rounding import AnyTable, Array, Indices
from posenc_check.storage import Storage
from posenc_check.views import View, divided_columns

Differs = npt.NDArray[np.bool_]  # which numbers of a table differ from a formula


class Match(NamedTuple):
    """A formula, and where it does not give a table."""

    formula: Formula
    wrong: Differs  # which numbers of the table differ from the formula's


# By how many bits agreement must beat chance before a formula is named.
SURE_BITS = 24

# A formula that differs in more than this part of the numbers of some rows is not the nearest one.
# This part is more than the quarter that may differ in all rows: some rows always have the first
# ones among them, which people change more often than others.
MAY_DIFFER = 0.4

# A table that differs from a formula in less than this part of its numbers is near it: no table of
# another kind is looked for.
FEW_WRONG = 0.02


class Fit(NamedTuple):
    """Formulas that give a view of a table, or the nearest one, and what differs."""

    view: View
    rows: Indices  # those that the formulas give; all others are zeros
    formulas: tuple[Formula, ...]
    columns: tuple[Indices, ...]  # of each formula
    split: str = ""  # how coordinates share the columns; empty for one formula
    sure: bool = False  # whether every number agrees, and more do than chance explains
    wrong: Differs = np.zeros((1, 1), bool)  # by default, nothing differs

    @property
    def part_wrong(self) -> float:
        """Return which part of the numbers differs, from 0 to 1."""
        return float(self.wrong.mean())

    @property
    def near(self) -> bool:
        """Return whether some numbers differ from the formula, but few."""
        return 0 < self.part_wrong < FEW_WRONG


def explained(view: View, storage: Storage) -> Iterator[Fit]:
    """Yield the best fit of each kind of formula to a view, up to the first that is sure or near.

    The kinds, the most common first, are formulas in pairs, those with scaled frequencies, formulas
    without pairs, a list of frequencies, and several coordinates.
    """
    table, every_row = view.table, np.arange(len(view.table))
    rows = np.flatnonzero(table.any(axis=1))  # rows of zeros are padding, or a class token's
    nonzero = table if len(rows) == len(table) else table[rows]  # a copy only where needed
    attempts = [
        (nonzero, rows, guesses(nonzero, rows, storage)),
        (nonzero, rows, scaled_guesses(nonzero, rows, storage)),
        # Without pairs, a row of zeros may be the sines of position 0.
        (table, every_row, unpaired_guesses(table, storage)),
    ]
    if len(table) == 1:  # a list of frequencies is one row, too
        listed = list_guesses(table[0].astype(np.float64), storage)
        attempts.append((table, every_row, listed))
    for part, of_rows, candidates in attempts:
        match = _best_match(part, storage, candidates)
        if match is None:
            continue
        sure = not match.wrong.any() and _is_sure(match.formula, storage)
        columns = (np.arange(table.shape[1]),)
        fit = Fit(view, of_rows, (match.formula,), columns, sure=sure, wrong=match.wrong)
        yield fit
        if fit.sure or fit.near:
            return
    for split, of_coordinates in divided_columns(table.shape[1]):
        formulas = _formulas_of_coordinates(nonzero, of_coordinates, rows, storage)
        if formulas:
            yield Fit(view, rows, formulas, tuple(of_coordinates), split, sure=True)
            return


def _formulas_of_coordinates(
    table: AnyTable, of_coordinates: list[Indices], rows: Indices, storage: Storage
) -> tuple[Formula, ...]:
    """Return a formula for the columns of each coordinate, or () unless all are sure and alike.

    Alike are an order, a base and a spacing. Positions on a line are none of two coordinates.
    """
    formulas: list[Formula] = []
    for columns in of_coordinates:
        begin, end = int(columns[0]), int(columns[-1]) + 1
        neighbours = end - begin == len(columns)  # a slice needs no copy
        part = table[:, begin:end] if neighbours else table[:, columns]
        match = _best_match(part, storage, guesses(part, rows, storage))
        if match is None or match.wrong.any():
            return ()
        formulas.append(match.formula)
    # A coordinate that is 0 everywhere shows no frequencies. If all are, nothing is alike.
    turning = [formula for formula in formulas if formula.positions.any()]
    alike = len({(formula.order, formula.base, formula.spacing) for formula in turning}) == 1
    sure = all(_is_sure(formula, storage) for formula in turning)
    if not alike or not sure or _any_on_a_line([formula.positions for formula in turning]):
        return ()
    return tuple(formulas)


def _any_on_a_line(positions: list[Array]) -> bool:
    """Return whether two coordinates have different positions that are linear in each other.

    Then they are no coordinates: the slow pairs of a single table look like a table of positions
    that are closer together.
    """
    moving = [each for each in positions if np.ptp(each) > 0]  # others have no correlation
    # The correlation need not be 1, since positions that are read off are rounded to whole ones.
    # Equal positions are no positions that are closer together: both coordinates may be the same.
    return any(
        abs(np.corrcoef(one, other)[0, 1]) > 0.999 and (one != other).any()
        for one, other in combinations(moving, 2)
    )


def _is_sure(formula: Formula, storage: Storage) -> bool:
    """Return whether a formula that gives every number has more of them than chance explains.

    Where a position is no whole number, two pairs fit too many formulas.
    """
    whole = not formula.doubt and not (formula.positions % 1).any()
    return (whole or len(formula.omega) > 2) and sure_bits(formula, storage) >= SURE_BITS


def _best_match(table: AnyTable, storage: Storage, candidates: Iterable[Formula]) -> Match | None:
    """Return the first formula that gives every number of a table, else the nearest; None if far.

    A formula that gives all numbers but a few ends the search, too, after the next ones that differ
    from it in their positions alone.
    """
    # The first rows are always among them: tables are often changed there, as for a class token.
    # What differs there counts when the nearest formula is chosen.
    some = spread(len(table), first=4)
    nearest: list[Formula] = []  # all that some rows do not tell apart
    fewest = MAY_DIFFER  # the part of the numbers of some rows that differ from the nearest
    best: Match | None = None
    fewest_wrong = FEW_WRONG  # the part of all numbers that differ from the best
    for formula in candidates:
        # A wrong number may have led to a wrong position of its row, so that the whole row differs.
        if best and _without_positions(formula) != _without_positions(best.formula):
            break
        part = float(compared(table[some], formula.of_rows(some), storage, first_look=True).mean())
        if part > fewest:  # it cannot give every number, and an earlier one is nearer
            continue
        if part < fewest:
            nearest, fewest = [], part
        nearest.append(formula)
        for match in _in_each_precision(table, formula, storage, some):
            part_of_all = float(match.wrong.mean())
            if part_of_all == 0:
                return match
            if part_of_all < fewest_wrong:
                best, fewest_wrong = match, part_of_all
        # With a wrong position more than one number of the row differs.
        if best and best.wrong.sum(axis=1).max() <= 1:
            return best
    if best or not nearest:
        return best
    # What differs even from the roughest arithmetic is what a person looks for first. If nothing
    # does, what differs from the formula in float64 is reported.
    matches = (Match(each, compared(table, each, storage, first_look=True)) for each in nearest)
    match = min(matches, key=lambda match: int(match.wrong.sum()))
    if match.wrong.any():
        return match
    return Match(match.formula, compared(table, match.formula, storage))


def _without_positions(formula: Formula) -> tuple[Any, ...]:
    """Return what a guess has beside its positions: order, base, spacing, and its range."""
    return formula.order, formula.base, formula.spacing, formula.from_0_to_1, formula.rules


def _in_each_precision(
    table: AnyTable, formula: Formula, storage: Storage, some: Indices
) -> Iterator[Match]:
    """Yield matches of a formula in float64, with angles in float32, and then frequencies, too.

    What does not give all of `some` rows is left out, since a comparison with all rows takes long.
    """
    for kind in ("float64", "float32"):
        variant = formula._replace(angles_in=kind)
        if not compared(table[some], variant.of_rows(some), storage).any():
            yield Match(variant, compared(table, variant, storage))
    for divides in (False, True):  # code multiplies positions by ω, or divides them by 1/ω
        variant = formula._replace(angles_in="float32", divides=divides)
        yield from _with_float32_frequencies(table, variant, storage, some)


def _with_float32_frequencies(
    table: AnyTable, formula: Formula, storage: Storage, some: Indices
) -> Iterator[Match]:
    """Yield matches whose float32 frequencies are read off more and more rows of a table."""
    # About 2**15 numbers are read, and of wide tables at least 96 rows.
    rows = np.union1d(some, spread(len(table), max(96, 2**15 // formula.width)))
    while True:
        omega = float32_frequencies(table[rows], formula.of_rows(rows), storage)
        single = formula._replace(omega=omega)
        if compared(table[some], single.of_rows(some), storage).any():
            return
        wrong = compared(table, single, storage)
        yield Match(single, wrong)
        unread = np.setdiff1d(np.flatnonzero(wrong.any(axis=1)), rows)[:ROWS]
        # More rows make frequencies finer. So many wrong numbers are wrong for another reason.
        if not unread.size or wrong.mean() >= FEW_WRONG:
            return
        rows = np.union1d(rows, unread)
