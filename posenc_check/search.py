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

from posenc_check.formulas import Formula, compared, in_float32, spread, sure_bits
from posenc_check.reading import guesses, list_guesses, unpaired_guesses
from posenc_check.storage import Array, Storage
from posenc_check.views import AnyTable, Indices, View, sides

# By how many bits agreement must beat chance before a formula is named.
SURE_BITS = 24

# The first and the other rows on which a guess is tried first, and the part of their numbers that
# may differ in a guess that can be the nearest.
HEAD, ROWS, MAY_DIFFER = 4, 48, 0.4

# A table that differs from a formula in less than this part of its numbers is near it: no table of
# another kind is looked for.
NEAR = 0.02

# Two coordinates with at least such a correlation lie on a line.
ON_A_LINE = 0.999

# Numbers, and the least number of rows, off which frequencies in float32 are read.
READ, READ_ROWS = 2**17, 96


class Match(NamedTuple):
    """A formula, and which numbers of a table differ from it."""

    formula: Formula
    wrong: npt.NDArray[np.bool_]


class Fit(NamedTuple):
    """Formulas that give a view of a table, or the nearest one, and what differs."""

    view: View
    rows: Indices  # those that the formulas give; all others are zeros
    formulas: tuple[Formula, ...]
    columns: tuple[Indices, ...]  # of each formula
    split: str = ""  # how coordinates share the columns; empty for one formula
    sure: bool = False  # whether every number agrees, and more do than chance explains
    wrong: npt.NDArray[np.bool_] = np.zeros((1, 1), bool)  # which numbers of the rows differ

    @property
    def part_wrong(self) -> float:
        """Return which part of the numbers differs."""
        return float(self.wrong.mean())

    @property
    def near(self) -> bool:
        """Return whether some numbers differ, but few."""
        return 0 < self.part_wrong < NEAR


def explained(view: View, storage: Storage) -> Iterator[Fit]:
    """Yield what gives every number of a view, until one is sure; or else the nearest formula."""
    table, every = view.table, np.arange(len(view.table))
    rows = np.flatnonzero(table.any(axis=1))
    nonzero = table if len(rows) == len(table) else table[rows]
    attempts = [(nonzero, rows, guesses(nonzero, rows, storage))]
    attempts.append((table, every, unpaired_guesses(table)))
    if len(table) == 1:
        attempts.insert(0, (table, every, list_guesses(table[0].astype(np.float64), storage)))
    for part, of_rows, candidates in attempts:
        match = best_match(part, storage, candidates)
        if match is not None:
            sure = not match.wrong.any() and _is_sure(match.formula, storage)
            columns = (np.arange(table.shape[1]),)
            formula = (match.formula,)
            fit = Fit(view, of_rows, formula, columns, "", sure, match.wrong)
            yield fit
            if fit.sure or fit.near:
                return
    for split, shares in sides(table.shape[1]):
        formulas = _coordinates(nonzero, shares, rows, storage)
        if formulas:
            yield Fit(view, rows, formulas, tuple(shares), split, sure=True)
            return


def _coordinates(
    table: AnyTable, shares: list[Indices], rows: Indices, storage: Storage
) -> tuple[Formula, ...]:
    """Return a formula for each part of the columns, all of one order and ladder; or nothing."""
    formulas: list[Formula] = []
    for columns in shares:
        begin, end = int(columns[0]), int(columns[-1]) + 1
        part = table[:, begin:end] if end - begin == len(columns) else table[:, columns]
        match = best_match(part, storage, guesses(part, rows, storage))
        if match is None or match.wrong.any():
            return ()
        formulas.append(match.formula)
    turning = [formula for formula in formulas if formula.positions.any()]
    alike = len({(formula.order, formula.base, formula.spacing) for formula in turning}) == 1
    sure = all(_is_sure(formula, storage) for formula in turning)
    apart = not _one_ladder([formula.positions for formula in turning])
    return tuple(formulas) if alike and sure and apart else ()


def _one_ladder(positions: list[Array]) -> bool:
    """Return whether one coordinate is a line of another: these are parts of one coordinate."""
    moving = [each for each in positions if np.ptp(each) > 0]
    return any(
        abs(np.corrcoef(one, other)[0, 1]) > ON_A_LINE and (one != other).any()
        for one, other in combinations(moving, 2)
    )


def _is_sure(formula: Formula, storage: Storage) -> bool:
    """Return whether more numbers agree with a formula than chance explains.

    Where a position is no whole number, two pairs fit too many formulas.
    """
    whole = not formula.doubt and not (formula.positions % 1).any()
    return (whole or len(formula.omega) > 2) and sure_bits(formula, storage) >= SURE_BITS


def best_match(table: AnyTable, storage: Storage, candidates: Iterable[Formula]) -> Match | None:
    """Return the first formula that gives every number of a table, or else the nearest one."""
    some = np.union1d(np.arange(min(HEAD, len(table))), spread(len(table), ROWS))
    nearest: Formula | None = None
    fewest = MAY_DIFFER  # the part of the numbers of some rows that differ from the nearest
    for formula in candidates:
        part = float(compared(table[some], formula.of_rows(some), storage, first_look=True).mean())
        if 0 < part >= fewest:
            continue
        if part < fewest:
            nearest, fewest = formula, part
        best = None
        for match in _computed(table, formula, storage, some):
            if not match.wrong.any():
                return match
            if best is None or match.wrong.sum() < best.wrong.sum():
                best = match
        if best is not None and best.wrong.mean() < NEAR:
            return best
    if nearest is None:
        return None
    wrong = compared(table, nearest, storage, first_look=True)
    return Match(nearest, wrong if wrong.any() else compared(table, nearest, storage))


def _computed(
    table: AnyTable, formula: Formula, storage: Storage, some: Indices
) -> Iterator[Match]:
    """Yield a formula in each way to compute it that gives some rows of a table.

    Frequencies in float32 are read off many rows, and again with those rows that then differ.
    """
    for kind in ("float64", "float32"):
        variant = formula._replace(angles_in=kind)
        if not compared(table[some], variant.of_rows(some), storage).any():
            yield Match(variant, compared(table, variant, storage))
    for divides in (False, True):
        rows = np.union1d(some, spread(len(table), max(READ_ROWS, READ // formula.width)))
        variant = formula._replace(angles_in="float32", divides=divides)
        differ = rows
        while differ.size:
            omega = in_float32(table[rows], variant.of_rows(rows), storage).omega
            single = variant._replace(omega=omega)
            if compared(table[some], single.of_rows(some), storage).any():
                break
            wrong = compared(table, single, storage)
            yield Match(single, wrong)
            if wrong.mean() >= NEAR:
                break
            differ = np.setdiff1d(np.flatnonzero(wrong.any(axis=1)), rows)[:ROWS]
            rows = np.union1d(rows, differ)
