"""Where a table lies in what was given: each view says as a finding what it undid.

A view has rows for positions and columns for sines and cosines. Each step adds a finding, the
simpler table, and a function that leads back from a table to what was given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.findings import Finding
from posenc_check.formulas import Indices
from posenc_check.rounding import Array
from posenc_check.storage import Storage

AnyTable = npt.NDArray[Any]
Back = Callable[[Array], Array]

# Ways to share columns among coordinates side by side: the parts of each.
SHARES = ((1, 1), (1, 1, 1), (2, 1, 1), (2, 3, 3))


class View(NamedTuple):
    """A table in what was given, what was undone to see it, and the way back."""

    table: AnyTable
    storage: Storage
    findings: tuple[Finding, ...] = ()
    backs: tuple[Back, ...] = ()

    def step(self, finding: Finding | None, table: AnyTable, back: Back) -> View:
        """Return the view after one more step."""
        findings = self.findings if finding is None else (*self.findings, finding)
        return self._replace(table=table, findings=findings, backs=(back, *self.backs))

    def given(self, table: Array) -> Array:
        """Return a table of this view as it was given."""
        for back in self.backs:
            table = back(table)
        return table

    def flattened(self) -> View:
        """Return the view with all axes but the last as rows."""
        shape = self.table.shape
        rows = self.table.reshape(-1, shape[-1])
        return self.step(None, rows, lambda table: table.reshape(shape))

    @property
    def rows(self) -> Indices:
        """Return the rows that are not all zeros."""
        return np.flatnonzero(self.table.any(axis=1))


def views(array: AnyTable, storage: Storage) -> Iterator[View]:
    """Yield the tables that an array may hold, the plainest first."""
    for view in _arranged(View(array, storage)):
        yield from _simplified(view)


def _arranged(view: View) -> Iterator[View]:
    """Yield the rows and columns of an array of any number of axes."""
    array = view.table
    if array.ndim > 2 and array.shape[-1] == 2:
        flat = array.reshape(*array.shape[:-2], -1)
        paired = view.step(Finding("pairs_axis"), flat, _reshaping(array.shape))
        yield from _arranged(paired)
    if array.ndim > 2:
        view, array = _without_copies(view)
    if array.ndim < 3:
        rows = view.flattened()
        yield rows
        if len(rows.table) > 1:
            yield view.step(Finding("transposed"), rows.table.T, lambda t: t.T)
        return
    shape = array.shape
    yield view.flattened()
    first = array.reshape(len(array), -1).T
    yield view.step(Finding("channels_first"), first, lambda t: t.T.reshape(shape))


def _reshaping(shape: tuple[int, ...]) -> Back:
    """Return what gives a table a shape."""
    return lambda table: table.reshape(shape)


def _repeating(shape: tuple[int, ...]) -> Back:
    """Return what repeats a table along leading axes."""
    return lambda table: np.broadcast_to(table, shape)


def _without_copies(view: View) -> tuple[View, AnyTable]:
    """Return one table of a batch of equal ones, with the view of it; else what is given."""
    array = view.table
    for axes in range(array.ndim - 2, 0, -1):
        lead, one = array.shape[:axes], array[(0,) * axes]
        copies = math.prod(lead)
        if (copies == 1 or one.shape[0] > 1) and (array == one).all():
            finding = Finding("copies", count=copies) if copies > 1 else None
            view = view.step(finding, one, _repeating(array.shape))
            return view, one
    return view, array


def _simplified(view: View) -> Iterator[View]:
    """Yield a view, and it without an index column, zeros on the right, copies of columns."""
    view = _without_index(view)
    padded = _without_zeros(view)
    if padded is not None:
        yield from _numbers_between(padded)
    if padded is None or view.table.shape[1] % 2 == 0:
        yield from _numbers_between(view)


def _numbers_between(view: View) -> Iterator[View]:
    """Yield a view, each set of its columns once; and from -1 to 1 where it is from 0 to 1."""
    view = _without_twins(view)
    yield view
    table = view.table
    if table.min() >= 0 and table.max() <= 1 and np.ptp(table) > 0.5:
        undone = 2 * table.astype(np.float64) - 1
        undone_view = view.step(Finding("from_0_to_1"), undone, lambda t: t)
        yield undone_view._replace(storage=view.storage.undone(2.0, -1.0))


def _without_index(view: View) -> View:
    """Return the view without a first column of whole numbers that grow."""
    table = view.table
    if len(table) < 3 or table.shape[1] < 4:
        return view
    index = table[:, 0].astype(np.float64)
    steps = np.diff(index) * np.sign(index[1] - index[0])
    if np.ptp(index) <= 2 or (index % 1).any() or (steps <= 0).any():
        return view
    return view.step(Finding("index_column"), table[:, 1:], lambda t: np.c_[index, t])


def _without_zeros(view: View) -> View | None:
    """Return the view without columns of zeros at its right, or None where there are none."""
    table = view.table
    width = int(np.flatnonzero(table.any(axis=0)).max(initial=-1)) + 1
    zeros = table.shape[1] - width
    if not zeros or width < 2:
        return None
    finding = Finding("zero_columns", count=zeros)
    return view.step(finding, table[:, :width], lambda t: np.pad(t, ((0, 0), (0, zeros))))


def _without_twins(view: View) -> View:
    """Return the view with one of two equal halves, or of two equal columns side by side."""
    table, half = view.table, view.table.shape[1] // 2
    if table.shape[1] % 2 or half < 2:
        return view
    if (table[:, :half] == table[:, half:]).all():
        return view.step(Finding("halves_equal"), table[:, :half], lambda t: np.tile(t, 2))
    if (table[:, 0::2] == table[:, 1::2]).all():
        twice = table[:, 0::2]
        return view.step(Finding("neighbours_equal"), twice, lambda t: np.repeat(t, 2, axis=1))
    return view


def sides(width: int) -> Iterator[tuple[str, list[Indices]]]:
    """Yield the ways to share columns among two or three coordinates."""
    columns = np.arange(width)
    for parts in SHARES:
        if width % (4 * sum(parts)) == 0:
            ends = np.cumsum(parts)[:-1] * width // sum(parts)
            yield "side by side", np.split(columns, ends)
    for count in (2, 3):
        if width % (4 * count) == 0:
            each = columns.reshape(2, count, -1).swapaxes(0, 1).reshape(count, -1)
            yield "sines, then cosines", list(each)
