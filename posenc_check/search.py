"""The search for the programs that give a table: which columns, which formulas, which types.

A formula is named where its program gives every number of a table. Each is tried on some rows
before it is tried on all, and in each way to compute it that the field has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.formulas import (
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

Guesses = Callable[[AnyTable, Indices, Storage], Iterator[Formula]]
Differs = npt.NDArray[np.bool_]  # which numbers of a table differ from a formula


class Match(NamedTuple):
    """A formula, compared with every number of a table."""

    formula: Formula
    wrong: Differs  # which numbers of the table differ from the formula's


# By how many bits agreement must beat chance before a formula is named: 1 in 17 million by chance.
SURE_BITS = 24

# A formula that differs in more than this part of the numbers of the sample rows is not compared
# with all rows. That is more than `posenc_check.table.MOST_WRONG` of all numbers: the sample always
# has the first rows, which people change more often than others.
MAY_DIFFER = 0.4

# A table that differs from a formula in less than this part of its numbers is near it: no formula
# of another kind is looked for, which would take longer. Chosen by eye: in reports on 191 tables of
# the field, with wrong numbers or drawn, 0.001 and 0.1 give the same words.
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
    without pairs, frequencies or angles, and several coordinates.
    """
    table = view.table
    all_rows: Indices = np.arange(len(table))
    # Rows of zeros are padding, or a class token's.
    rows: Indices = np.flatnonzero(table.any(axis=1))
    nonzero = table if len(rows) == len(table) else table[rows]  # a copy only where needed
    searches = [
        (nonzero, rows, guesses(nonzero, rows, storage)),
        (nonzero, rows, scaled_guesses(nonzero, rows, storage)),
        # Without pairs, a row of zeros may be the sines of position 0.
        (table, all_rows, unpaired_guesses(table, storage)),
        (table, all_rows, list_guesses(table, storage)),
    ]
    for searched, searched_rows, candidates in searches:
        match = _best_match(searched, storage, candidates)
        if match is None:
            continue
        sure = not match.wrong.any() and _is_sure(match.formula, storage)
        columns = (np.arange(table.shape[1]),)
        fit = Fit(view, searched_rows, (match.formula,), columns, sure=sure, wrong=match.wrong)
        yield fit
        if fit.sure or fit.near:
            return
    of_coordinates: list[tuple[AnyTable, Indices, Guesses, int]] = [(nonzero, rows, guesses, 2)]
    if view.repeated:
        of_coordinates.append((table, all_rows, _guesses_alone, 1))
    for searched, searched_rows, guess, of_pair in of_coordinates:
        for split, divided in divided_columns(table.shape[1], of_pair):
            formulas = _formulas_of_coordinates(searched, divided, searched_rows, storage, guess)
            if formulas:
                yield Fit(view, searched_rows, formulas, tuple(divided), split, sure=True)
                return


def _guesses_alone(table: AnyTable, _: Indices, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of cosines or sines alone, which do not depend on the numbers of the rows."""
    return unpaired_guesses(table, storage)


def _formulas_of_coordinates(
    table: AnyTable,
    of_coordinates: list[Indices],
    rows: Indices,
    storage: Storage,
    guess: Guesses,
) -> tuple[Formula, ...]:
    """Return a formula for the columns of each coordinate, or () unless all are sure and alike.

    They are alike if they have the same order, base and spacing. `rows` has the numbers of the rows
    of the table.
    """
    formulas: list[Formula] = []
    for columns in of_coordinates:
        of_coordinate = table[:, columns]
        match = _best_match(of_coordinate, storage, guess(of_coordinate, rows, storage))
        if match is None or match.wrong.any():
            return ()
        formulas.append(match.formula)
    # A coordinate that is 0 in every row, as the time of a single picture, shows no frequencies: it
    # may have any formula. If all are 0, there are no frequencies, so that none are alike.
    moving = [formula for formula in formulas if formula.positions.any()]
    alike = len({(formula.order, formula.base, formula.spacing) for formula in moving}) == 1
    sure = all(_is_sure(formula, storage) for formula in moving)
    if not alike or not sure or _any_on_a_line([formula.positions for formula in moving]):
        return ()
    return tuple(formulas)


def _any_on_a_line(positions: list[Array]) -> bool:
    """Return whether two coordinates have different positions that are linear in each other.

    Then they are no coordinates: the slow pairs of a single table look like a table of positions
    that are closer together.
    """
    varied = [each for each in positions if np.ptp(each) > 0]  # others have no correlation
    # The correlation need not be 1, since positions that are read off are rounded to whole ones.
    # Equal positions are no positions that are closer together: both coordinates may be the same.
    return any(
        abs(np.corrcoef(one, other)[0, 1]) > 0.999 and (one != other).any()
        for one, other in combinations(varied, 2)
    )


def _is_sure(formula: Formula, storage: Storage) -> bool:
    """Return whether a formula that gives every number has more of them than chance explains.

    Where a position is no whole number, two pairs fit too many formulas.
    """
    whole = not formula.doubt and not (formula.positions % 1).any()
    return (whole or len(np.unique(formula.omega)) > 2) and sure_bits(formula, storage) >= SURE_BITS


def _best_match(table: AnyTable, storage: Storage, candidates: Iterable[Formula]) -> Match | None:
    """Return the first formula that gives every number of a table, else the nearest; None if far.

    A formula that gives all numbers but a few ends the search, too, after the next ones that differ
    from it in their positions alone.
    """
    # A comparison with a few rows refuses most formulas, and takes less time than one with all.
    # The first rows are always among them: tables are often changed there, as for a class token.
    # What differs there counts when the nearest formula is chosen.
    sample = spread(len(table), first=4)
    nearest: list[Formula] = []  # one, or several that miss as many numbers of the sample
    fewest_in_sample = MAY_DIFFER  # the part of the sample's numbers that differ from the nearest
    best: Match | None = None  # of those that give the sample, and all numbers but a few
    fewest_of_all = FEW_WRONG  # the part of all numbers that differ from the best
    for formula in candidates:
        # A wrong number may have led to a wrong position of its row, so that the whole row differs.
        if best and _without_positions(formula) != _without_positions(best.formula):
            break
        wrong = compared(table[sample], formula.of_rows(sample), storage, first_look=True)
        part = float(wrong.mean())
        if part > fewest_in_sample:  # it cannot give every number, and an earlier one is nearer
            continue
        if part < fewest_in_sample:
            nearest, fewest_in_sample = [], part
        nearest.append(formula)
        for match in _in_each_precision(table, formula, storage, sample):
            part = float(match.wrong.mean())
            if part == 0:
                return match
            if part < fewest_of_all:
                best, fewest_of_all = match, part
        # With a wrong position more than one number of the row differs.
        if best and best.wrong.sum(axis=1).max() <= 1:
            return best
    if best or not nearest:
        return best
    # All rows tell those apart whose positions differ in a row with a wrong number alone. What
    # differs even from the roughest arithmetic is what a person looks for first. If nothing does,
    # what differs from the formula in float64 is reported.
    matches = (Match(each, compared(table, each, storage, first_look=True)) for each in nearest)
    match = min(matches, key=lambda match: int(match.wrong.sum()))
    if match.wrong.any():
        return match
    return Match(match.formula, compared(table, match.formula, storage))


def _without_positions(formula: Formula) -> tuple[Any, ...]:
    """Return what a guess has beside its positions: order, base, spacing, range, and rules."""
    return formula.order, formula.base, formula.spacing, formula.from_0_to_1, formula.rules


def _in_each_precision(
    table: AnyTable, formula: Formula, storage: Storage, sample: Indices
) -> Iterator[Match]:
    """Yield matches of a formula in float64, with angles in float32, and then frequencies, too.

    What does not give all rows of the sample is left out: all rows take longer to compare.
    """
    # NeRF multiplies positions in float32 by octaves in float64.
    for kind in ("float64", "float32"):
        variant = formula._replace(angles_in=kind)
        if not compared(table[sample], variant.of_rows(sample), storage).any():
            yield Match(variant, compared(table, variant, storage))
    # Most code multiplies positions by ω, and DETR divides them by 1/ω.
    for divides in (False, True):
        variant = formula._replace(angles_in="float32", divides=divides)
        yield from _with_float32_frequencies(table, variant, storage, sample)


def _with_float32_frequencies(
    table: AnyTable, formula: Formula, storage: Storage, sample: Indices
) -> Iterator[Match]:
    """Yield matches whose float32 frequencies are read off the sample, and then off more rows."""
    read = sample
    while True:
        omega = float32_frequencies(table[read], formula.of_rows(read), storage)
        single = formula._replace(omega=omega)
        if compared(table[sample], single.of_rows(sample), storage).any():
            return
        match = Match(single, compared(table, single, storage))
        yield match
        # More rows make frequencies finer, unless too many numbers differ to differ by that alone.
        # So many rows at most are added that the number of all that are read doubles.
        rows_with_wrong = np.flatnonzero(match.wrong.any(axis=1))
        unread = np.setdiff1d(rows_with_wrong, read)[: len(read)]
        if not unread.size or match.wrong.mean() >= FEW_WRONG:
            return
        read = np.union1d(read, unread)
