"""The search for the programs that give a table: which columns, which formulas, which types.

A formula is named where its program gives every number of a table. Each is tried on some rows
before it is tried on all, and in each way to compute it that the field has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.formulas import Formula, compared, spread, sure_bits
from posenc_check.reading import guesses, list_guesses, unpaired_guesses
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

    The kinds, the most common first, are formulas in pairs, formulas without pairs, a list of
    frequencies, and several coordinates.
    """
    table, every_row = view.table, np.arange(len(view.table))
    rows = np.flatnonzero(table.any(axis=1))  # rows of zeros are padding, or a class token's
    nonzero = table if len(rows) == len(table) else table[rows]  # a copy only where needed
    attempts = [
        (nonzero, rows, guesses(nonzero, storage)),
        # Without pairs, a row of zeros may be the sines of position 0.
        (table, every_row, unpaired_guesses(table)),
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
        formulas = _formulas_of_coordinates(nonzero, of_coordinates, storage)
        if formulas:
            yield Fit(view, rows, formulas, tuple(of_coordinates), split, sure=True)
            return


def _formulas_of_coordinates(
    table: AnyTable, of_coordinates: list[Indices], storage: Storage
) -> tuple[Formula, ...]:
    """Return a formula for the columns of each coordinate, or () unless all are sure and alike.

    Alike are an order, a base and a spacing. Positions on a line are none of two coordinates.
    """
    formulas: list[Formula] = []
    for columns in of_coordinates:
        part = table[:, columns]
        match = _best_match(part, storage, guesses(part, storage))
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

    A single pair is the same for every base. Where a position is no whole number, two pairs fit too
    many formulas.
    """
    whole = not formula.doubt and not (formula.positions % 1).any()
    enough_pairs = len(formula.omega) >= (2 if whole else 3)
    return enough_pairs and sure_bits(formula, storage) >= SURE_BITS


def _best_match(table: AnyTable, storage: Storage, candidates: Iterable[Formula]) -> Match | None:
    """Return the first formula that gives every number of a table, else the nearest; None if far.

    Each formula is tried with angles in float64, and then with what angles in float32 may be off. A
    table in float64 with angles in float32 is none of the field. A formula that gives all numbers
    but a few ends the search, too, after the others of its order: a base with too few digits may
    lack a few, and so may positions, since a wrong number may have led to a wrong one of its row.
    """
    kinds = ("float64",) if storage.kind == "float64" else ("float64", "float32")
    # The first rows are always among them: tables are often changed there, as for a class token.
    some = spread(len(table), first=4)
    best, fewest = None, MAY_DIFFER  # the nearest formula, and the part of numbers that differ
    for formula in candidates:
        if best and fewest < FEW_WRONG and formula.order != best.order:
            break
        for kind in kinds:
            variant = formula._replace(angles_in=kind)
            part = float(compared(table[some], variant.of_rows(some), storage).mean())
            if part == 0:  # a comparison with all rows takes long
                wrong = compared(table, variant, storage)
                part = float(wrong.mean())
                if part == 0:
                    if fewest >= FEW_WRONG or _is_sure(variant, storage):
                        return Match(variant, wrong)
                    continue  # what may fit by chance is no better than what lacks a few numbers
            if part < fewest:
                best, fewest = variant, part
    return Match(best, compared(table, best, storage)) if best else None
