"""Where a table lies in what was given: each view says as findings what it undid.

A view has rows for positions and columns for sines and cosines. Each step adds a finding, the
simpler table, and a function that leads back from a table to what was given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from posenc_check.findings import Finding
from posenc_check.rounding import AnyTable, Array, Indices, wrap

WayBack = Callable[[Array], Array]

# How coordinates side by side divide the columns among them: equally, or with a half or a quarter
# for the first one, as Diffusers does for time in videos; then the 16 + 56 + 56 columns of Flux and
# HunyuanVideo, and the 44 + 42 + 42 of Wan.
DIVISIONS = ((1, 1), (1, 1, 1), (2, 1, 1), (2, 3, 3), (2, 7, 7), (22, 21, 21))


# The findings on a table that repeats columns as rotary code does, which keeps cosines alone. Equal
# pairs, and equal quarters, have the sines beside the cosines.
REPEATED = {"halves_equal", "neighbours_equal"}


class View(NamedTuple):
    """A table in what was given, what was undone to see it, and the way back."""

    table: AnyTable
    findings: tuple[Finding, ...] = ()
    ways_back: tuple[WayBack, ...] = ()  # the last step's first

    def step(self, table: AnyTable, way_back: WayBack, finding: Finding | None = None) -> View:
        """Return the view of a simpler table of this one, its way back and a finding added."""
        findings = self.findings if finding is None else (*self.findings, finding)
        return View(table, findings, (way_back, *self.ways_back))

    def given(self, table: Array) -> Array:
        """Return a table of this view in the shape and order in which it was given."""
        for way_back in self.ways_back:
            table = way_back(table)
        return table

    @property
    def repeated(self) -> bool:
        """Return whether the table in which this one was seen has each column of it twice."""
        return any(finding.kind in REPEATED for finding in self.findings)

    def flattened(self) -> View:
        """Return the view of a table of two axes, with all axes but the last as rows."""
        shape = self.table.shape
        return self.step(self.table.reshape(-1, shape[-1]), lambda table: table.reshape(shape))


def views(array: AnyTable) -> Iterator[View]:
    """Yield views of the tables (rows, columns) that an array may hold, likely ones first."""
    # An index and zeros stand beside the table: its columns repeat only without them.
    for arranged in _rows_and_columns(View(array)):
        for view in _without_zeros(_without_index(arranged)):
            yield _without_repeated_columns(view)


def _rows_and_columns(view: View) -> Iterator[View]:
    """Yield views of two axes: leading axes as rows, then channels first or transposed, if any.

    Where the last axis has two numbers, they may be a pair: its axis is joined with the one before.
    So is that of matrices, of which each has the numbers of its pair twice.
    """
    table, shape = view.table, view.table.shape
    if len(shape) > 3 and shape[-2:] == (2, 2) and _all_turn(table):
        pairs = table[..., 0].reshape(*shape[:-3], -1)
        finding = Finding("matrices")
        joined = view.step(pairs, lambda back: _matrices(back.reshape(shape[:-1])), finding)
        yield from _rows_and_columns(joined)
        return
    pairs_last = len(shape) > 2 and shape[-1] == 2
    if pairs_last:
        pairs = table.reshape(*shape[:-2], -1)
        joined = view.step(pairs, lambda back: back.reshape(shape), Finding("pairs_axis"))
        yield from _rows_and_columns(joined)
    view = _without_copies(view)
    table = view.table
    # Two numbers of each of many pairs are hardly the rows of a table of one pair.
    rows_of_pairs = pairs_last and table.ndim > 2
    if not rows_of_pairs:
        yield view.flattened()
    if table.ndim > 2:
        channels_last = table.reshape(len(table), -1).T
        finding = Finding("channels_first")
        yield view.step(channels_last, lambda back: back.T.reshape(table.shape), finding)
    elif table.ndim == 2 and len(table) > 1:  # one row, transposed, has a single column
        yield view.step(table.T, lambda back: back.T, Finding("transposed"))
    if rows_of_pairs and _turns_evenly(table.reshape(-1, 2)):
        yield view.flattened()


def _turns_evenly(pairs: AnyTable) -> bool:
    """Return whether each row (n, 2) is turned as far from the one before, as in a table of one."""
    steps = np.diff(np.arctan2(*pairs.T.astype(np.float64)))
    return bool((np.abs(wrap(steps - steps[0])) < 0.1).all())  # roughly, as rounded to 1 decimal


def _all_turn(matrices: AnyTable) -> bool:
    """Return whether all matrices (..., 2, 2) have the form of a turn: cos, -sin; sin, cos."""
    (cos, minus_sin), (sin, cos_again) = np.moveaxis(matrices, (-2, -1), (0, 1))
    return bool((cos == cos_again).all() and (minus_sin == -sin).all())


def _matrices(pairs: Array) -> Array:
    """Return the matrices (..., 2, 2) of turns, whose first columns (..., 2) are cos, sin."""
    return np.stack([pairs, np.flip(pairs, -1) * [-1, 1]], axis=-1)


def _without_copies(view: View) -> View:
    """Return the view of one of the equal tables along leading axes; else the view itself."""
    array, shape = view.table, view.table.shape
    for axes in range(array.ndim - 2, 0, -1):  # as many leading axes as possible; two axes are left
        one, count = array[(0,) * axes], math.prod(shape[:axes])
        # Equal tables of a single row are the equal rows of one table.
        if count == 1 or (len(one) > 1 and (array == one).all()):
            finding = Finding("copies", count=count) if count > 1 else None  # 1 is no repetition
            return view.step(one, lambda table: np.broadcast_to(table, shape), finding)
    return view


def _without_index(view: View) -> View:
    """Return the view without a first column of whole numbers that grow or fall, or else itself."""
    # Files of comma-separated values often begin each row with its number.
    table = view.table
    # Two numbers always grow or fall, and beside the index a table has more than one pair.
    if len(table) < 3 or table.shape[1] < 4:
        return view
    index = table[:, 0].astype(np.float64)
    steps = np.diff(index)
    monotonic = (steps > 0).all() or (steps < 0).all()
    # Sines and cosines may be -1, 0 and 1 in turn: an index covers more than these.
    if np.ptp(index) <= 2 or (index % 1).any() or not monotonic or are_multiples(table):
        return view
    rest = table[:, 1:]
    return view.step(rest, lambda back: np.c_[index, back], Finding("index_column"))


def are_multiples(table: AnyTable) -> bool:
    """Return whether rows are about one row times their first number, as angles at positions are.

    Three rows tell: sines and cosines do not grow so, also where they stand beside an index that
    does.
    """
    three_rows = table[[len(table) // 3, len(table) // 2, -1]].astype(np.float64)
    farthest = three_rows[np.abs(three_rows[:, 0]).argmax()]
    off = three_rows * farthest[0] - np.outer(three_rows[:, 0], farthest)
    others = np.abs(farthest[1:]).max(initial=0.0)
    return bool(farthest[0] != 0 and np.abs(off).max() <= 0.01 * np.abs(farthest[0]) * others)


def _without_zeros(view: View) -> Iterator[View]:
    """Yield the view without the zero columns at its right, and itself if they may belong to it.

    Of a single row, which may be a list of frequencies, the view itself comes first: zeros at its
    end say how many pairs do not turn. Of more rows it comes last, since padding is likelier.
    """
    table = view.table
    width = int(np.flatnonzero(table.any(axis=0)).max(initial=-1)) + 1
    zeros = table.shape[1] - width
    if len(table) == 1:
        yield view
    if zeros and width > 1:  # one column is no table
        padding, finding = ((0, 0), (0, zeros)), Finding("zero_columns", count=zeros)
        yield view.step(table[:, :width], lambda back: np.pad(back, padding), finding)
    # Zeros at the right of an even width may be sines that are 0 in every row. An odd width with
    # zeros has a column beside whole pairs, which is padding.
    if len(table) > 1 and (not zeros or table.shape[1] % 2 == 0):
        yield view


def _without_repeated_columns(view: View) -> View:
    """Return the view with one of two equal parts of the columns, or the view itself.

    What still has equal parts is no table twice: every pair has the same frequency.
    """
    once = _one_of_equal_parts(view)
    return view if once is None or _one_of_equal_parts(once) else once


def _one_of_equal_parts(view: View) -> View | None:
    """Return the view of one of two equal parts of the columns; None without such parts.

    Equal are the halves, neighbours, pairs, or the parts of each half, as sines, sines, cosines,
    cosines.
    """
    table, (rows, width) = view.table, view.table.shape
    if width < 4:  # what is left has a pair at least
        return None
    kinds = {
        "halves_equal": (1, width // 2),
        "neighbours_equal": (width // 2, 1),
        "pairs_equal": (width // 4, 2),
        "quarters_equal": (2, width // 4),
    }
    for kind, (blocks, columns) in kinds.items():
        if 2 * blocks * columns != width:
            continue
        parts = table.reshape(rows, blocks, 2, columns)
        # One row refuses most tables, and sooner.
        if all((some[:, :, 0] == some[:, :, 1]).all() for some in (parts[-1:], parts)):

            def way_back(once: Array, shape: tuple[int, ...] = (rows, blocks, 1, columns)) -> Array:
                return np.repeat(once.reshape(shape), 2, axis=2).reshape(rows, -1)

            return view.step(parts[:, :, 0].reshape(rows, -1), way_back, Finding(kind))
    return None


def divided_columns(width: int, of_pair: int = 2) -> Iterator[tuple[str, list[Indices]]]:
    """Yield (name, columns of each coordinate) of ways to divide columns among two or three.

    Each coordinate has two pairs at least, of so many columns each. Three coordinates stand side by
    side, as do cosines alone; only two with whole pairs share their columns in another way.
    """
    columns = np.arange(width)
    for parts in DIVISIONS:
        fewest = width * min(parts) // (of_pair * sum(parts))  # pairs of a coordinate
        if width % (of_pair * sum(parts)) == 0 and fewest > 1:
            ends = np.cumsum(parts)[:-1] * width // sum(parts)
            yield "side by side", np.split(columns, ends)
    if of_pair == 2 and width % 8 == 0:  # two pairs for each of two coordinates
        blocks = columns.reshape(2, 2, -1)  # the sines of each, then the cosines of each
        yield "sines, then cosines", [blocks[:, 0].ravel(), blocks[:, 1].ravel()]
        pairs = columns.reshape(-1, 2, 2)
        yield "pairs in turn", [pairs[:, 0].ravel(), pairs[:, 1].ravel()]
