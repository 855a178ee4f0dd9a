"""Guesses at tables without pairs: sines or cosines alone, a frequency in each column, and lists.

As in `posenc_check.reading`, a guess may be wrong; `posenc_check.formulas.compared` decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_check.formulas import Formula, Ladder, Order
from posenc_check.frequency_lists import USUAL_BASES, lists_near
from posenc_check.reading import ORDERS, circles, looked_up, round_scale
from posenc_check.rounding import UNIT, Array
from posenc_check.storage import Storage

# If so large a part of the pairs lies on one circle, a table has pairs.
PAIRED = 0.95

# Cosines are at most as large as their factor, and in a few rows almost as large.
ALMOST = 0.95

# The first rows, from which the factor is read.
HEAD = 96


def unpaired_guesses(table: npt.NDArray[Any], storage: Storage) -> Iterator[Formula]:
    """Yield formulas of columns that have no other of their pair beside them."""
    width, head = table.shape[1], table[:HEAD].astype(np.float64)
    most_on_circles = max(circles(head, order, storage)[2] for order in ORDERS)
    if width < 3 or len(table) < 2 or most_on_circles > PAIRED:
        return
    size = float(np.abs(head).max())
    scale = 1.0 if ALMOST <= size <= 1 else round_scale(size, width, 0.02)
    ladders = [Ladder(base, "paper") for base in USUAL_BASES]
    for order in (Order("cosines"), Order("sines"), Order("by column"), Order("by column", True)):
        by_column = [Ladder(1e4, "twice the number")] if order.layout == "by column" else []
        for ladder in (*ladders, *by_column):
            omega = ladder.frequencies(order, width)
            formula = Formula(order, ladder, width, np.zeros(1), omega, scale)
            positions = looked_up(table, formula, storage)
            if positions is not None:
                yield formula._replace(positions=positions)


def list_guesses(row: Array, storage: Storage) -> Iterator[Formula]:
    """Yield formulas of a row that is no encoding but a list of frequencies that fall."""
    order, width = Order("frequencies"), len(row)
    if width < 3 or (row <= 0).any() or (np.diff(row) >= 0).any():
        return
    error = storage.half(row) / row + 8 * UNIT["float32"]
    for found in lists_near(row, error):
        if found.fault is None:
            ladder = Ladder(found.base, "paper", found.rules)
            yield Formula(order, ladder, width, np.ones(1), found.frequencies)
