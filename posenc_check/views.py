"""Where a table lies in what was given: each view says as findings what it undid.

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
from posenc_check.rounding import Array

AnyTable = npt.NDArray[Any]
Back = Callable[[Array], Array]
Indices = npt.NDArray[np.integer[Any]]

# Ways to share columns among coordinates side by side: the parts of each.
SHARES = ((1, 1), (1, 1, 1), (2, 1, 1), (2, 3, 3))


class View(NamedTuple):
    """A table in what was given, what was undone to see it, and the way back."""

    table: AnyTable
    findings: tuple[Finding, ...] = ()
    backs: tuple[Back, ...] = ()

    def step(
        self, kind: str, table: AnyTable, back: Callable[[Array], Array], **about: Any
    ) -> View:
        """Return the view after one more step, with its finding unless the kind is empty."""
        findings = (*self.findings, Finding(kind, **about)) if kind else self.findings
        return View(table, findings, (back, *self.backs))

    def given(self, table: Array) -> Array:
        """Return a table of this view as it was given."""
        for back in self.backs:
            table = back(table)
        return table

    def flattened(self) -> View:
        """Return the view with all axes but the last as rows."""
        shape = self.table.shape
        return self.step("", self.table.reshape(-1, shape[-1]), lambda t: t.reshape(shape))


def views(array: AnyTable) -> Iterator[View]:
    """Yield the tables that an array may hold, the plainest first."""
    for view in _arranged(View(array)):
        view = _without_index(view)
        for narrow in _without_zeros(view):
            yield _without_twins(narrow)


def _arranged(view: View) -> Iterator[View]:
    """Yield the rows and columns of an array of any number of axes."""
    shape = view.table.shape
    if len(shape) > 2 and shape[-1] == 2:
        pairs = view.table.reshape(*shape[:-2], -1)
        yield from _arranged(view.step("pairs_axis", pairs, lambda t: t.reshape(shape)))
    view = _without_copies(view)
    table = view.table
    yield view.flattened()
    if table.ndim > 2:
        first = table.reshape(len(table), -1).T
        yield view.step("channels_first", first, lambda t: t.T.reshape(table.shape))
    elif table.ndim == 2 and len(table) > 1:
        yield view.step("transposed", table.T, lambda t: t.T)


def _without_copies(view: View) -> View:
    """Return the view of one table of a batch of equal ones, or the same view."""
    array, shape = view.table, view.table.shape
    for axes in range(array.ndim - 2, 0, -1):
        one, copies = array[(0,) * axes], math.prod(shape[:axes])
        if (copies == 1 or len(one) > 1) and (array == one).all():
            kind = "copies" if copies > 1 else ""
            return view.step(kind, one, lambda t: np.broadcast_to(t, shape), count=copies)
    return view


def _without_index(view: View) -> View:
    """Return the view without a first column of whole numbers that grow or fall."""
    table = view.table
    if len(table) < 3 or table.shape[1] < 4:
        return view
    index = table[:, 0].astype(np.float64)
    steps = np.diff(index) * np.sign(index[1] - index[0])
    if np.ptp(index) <= 2 or (index % 1).any() or (steps <= 0).any():
        return view
    return view.step("index_column", table[:, 1:], lambda t: np.c_[index, t])


def _without_zeros(view: View) -> Iterator[View]:
    """Yield the view without columns of zeros at its right; they may be sines of position 0."""
    table = view.table
    width = int(np.flatnonzero(table.any(axis=0)).max(initial=-1)) + 1
    zeros = table.shape[1] - width
    if zeros and width > 1:
        pad = (0, 0), (0, zeros)
        yield view.step("zero_columns", table[:, :width], lambda t: np.pad(t, pad), count=zeros)
    if not zeros or table.shape[1] % 2 == 0:
        yield view


def _without_twins(view: View) -> View:
    """Return the view with one of two equal halves, or of two equal columns side by side."""
    table, half = view.table, view.table.shape[1] // 2
    if table.shape[1] % 2 == 0 and half > 1:
        if (table[:, :half] == table[:, half:]).all():
            return view.step("halves_equal", table[:, :half], lambda t: np.tile(t, 2))
        if (table[:, 0::2] == table[:, 1::2]).all():
            once = table[:, 0::2]
            return view.step("neighbours_equal", once, lambda t: np.repeat(t, 2, axis=1))
    return view


def sides(width: int) -> Iterator[tuple[str, list[Indices]]]:
    """Yield the ways to share columns among coordinates: first among one, then two or three."""
    columns = np.arange(width)
    yield "", [columns]
    for parts in SHARES:
        if width % (4 * sum(parts)) == 0:
            ends = np.cumsum(parts)[:-1] * width // sum(parts)
            yield "side by side", np.split(columns, ends)
    for count in (2, 3):
        if width % (4 * count) == 0:
            each = columns.reshape(2, count, -1).swapaxes(0, 1).reshape(count, -1)
            yield "sines, then cosines", list(each)
            each = columns.reshape(-1, count, 2).swapaxes(0, 1).reshape(count, -1)
            yield "pairs in turn", list(each)
