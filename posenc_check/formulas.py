"""A table as a program: sines and cosines of positions times frequencies, and the comparison.

A formula is accepted where it gives every number of a table within the table's storage. How it was
found does not count: `posenc_check.reading` may guess wrongly, and only `compared` decides.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.findings import Finding
from posenc_check.rounding import UNIT, Array, angle_error
from posenc_check.storage import Storage, rounded_to
from posenc_check.views import AnyTable, Indices

U32, U64 = UNIT["float32"], UNIT["float64"]

# Numbers that are compared at a time, so that their arrays stay small.
BLOCK = 2**18

# A number that may be off by more than this part of the factor shows nothing: it is counted as
# different.
WIDEST, WIDEST_AT_FIRST = 0.02, 0.5

# Sines in float32 may be off by one and a half of their last places, as a part of each.
SINE_ERROR = 1.5 * 2 * U32

# Float32 numbers that are tried for a frequency: how many last places from the middle of those
# that a table allows.
STEPS = (0, 1, -1, 2, -2, 3, -3)


class Order(NamedTuple):
    """How sines and cosines share the columns.

    `layout` is "interleaved" or "halves"; "sines" or "cosines", where a column stands for a pair;
    or "by column", where each column has a frequency of its own. A list of "frequencies" is one row
    that has them and no sines.
    """

    layout: str
    cosines_first: bool = False

    @property
    def in_pairs(self) -> bool:
        """Return whether a sine and a cosine share each frequency."""
        return self.layout in ("interleaved", "halves")

    def frequencies(self, base: float, spacing: str, width: int) -> Array:
        """Return the frequencies of a base: base^(-i/steps), where the spacing gives the steps.

        With the paper's they are half of the width, or all of it where each column has a frequency.
        With tensor2tensor's the last pair has 1/base. "octaves" are 1, 2, 4, ..., also times π.
        """
        pairs = (width + 1) // 2 if self.in_pairs else width
        steps = {
            "paper": width / 2 if self.in_pairs else float(width),
            "tensor2tensor": max(pairs - 1, 1),
            "twice the number": width / 2,
            "octaves": -1.0,
            "octaves of pi": -1.0,
        }[spacing]
        start = math.pi if spacing == "octaves of pi" else 1.0
        return np.asarray(start * base ** (np.arange(pairs) / -steps))

    def shares(self, width: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Return the columns of the sines and of the cosines, each with their frequencies."""
        every, none, half = slice(None), slice(0, 0), (width + 1) // 2
        if not self.in_pairs and self.layout != "by column":
            both = (every, every), (none, none)
            return both[::-1] if self.layout == "cosines" else both
        columns = slice(0, None, 2), slice(1, None, 2)
        if self.layout == "halves":
            columns = slice(0, half), slice(half, None)
        of = (every, slice(0, width - half)) if self.in_pairs else columns
        if self.cosines_first:
            return (columns[1], of[1]), (columns[0], of[0])
        return (columns[0], of[0]), (columns[1], of[1])


class Formula(NamedTuple):
    """A program that gives a table: an order of columns, frequencies, positions and a factor."""

    order: Order
    base: float
    spacing: str  # as in `Order.frequencies`
    width: int
    positions: Array
    omega: Array  # radians per token of each frequency
    scale: float = 1.0
    from_0_to_1: bool = False  # whether the numbers are (T + 1)/2 of a table T
    angles_in: str = "float64"  # or "float32", where positions have this type too
    divides: bool = False  # whether positions are divided by 1/ω, which is in float32
    doubt: float = 0.0  # of each position, where it was read from the numbers
    rules: tuple[Finding, ...] = ()  # how a model changed a list of frequencies

    @property
    def amplitude(self) -> float:
        """Return the largest number that a sine becomes."""
        return abs(self.scale) / (2 if self.from_0_to_1 else 1)

    def angles(self, rows: Any = slice(None)) -> Array:
        """Return the angles of some rows, in the type of the formula."""
        positions = self.positions[rows, np.newaxis]
        if self.angles_in == "float64":
            return np.asarray(positions * self.omega)
        positions = rounded_to(positions, "float32")
        if self.divides:
            return rounded_to(positions / rounded_to(1 / self.omega, "float32"), "float32")
        return rounded_to(positions * self.omega, "float32")

    def numbers(self, rows: Any = slice(None)) -> Array:
        """Return some rows of the table, before they are stored."""
        angles = self.angles(rows)
        if self.order.layout == "frequencies":
            return angles
        table = np.empty((len(angles), self.width))
        (at_sines, of_sines), (at_cosines, of_cosines) = self.order.shares(self.width)
        np.sin(angles[:, of_sines], out=table[:, at_sines])
        np.cos(angles[:, of_cosines], out=table[:, at_cosines])
        if self.scale != 1:
            table *= self.scale
        return (table + 1) / 2 if self.from_0_to_1 else table

    def of_rows(self, rows: Any) -> Formula:
        """Return the formula of some rows."""
        return self._replace(positions=self.positions[rows])

    def by_columns(self, of_frequencies: Array) -> Array:
        """Return values of each frequency (..., pairs) as values of each column (..., width)."""
        columns = np.empty((*of_frequencies.shape[:-1], self.width))
        for at, of in self.order.shares(self.width):
            columns[..., at] = of_frequencies[..., of]
        return columns


def compared(
    table: AnyTable, formula: Formula, storage: Storage, first_look: bool = False
) -> npt.NDArray[np.bool_]:
    """Return which numbers of a table are not a formula's.

    Each may be off by half of its last place, and by what arithmetic costs: in float64 a few last
    places of each angle, and unless the table is in float64, a last place of a sine in float32.
    Angles in float32 are computed in this type. For a first look, angles may be off by all that
    float32 costs.
    """
    # A list of frequencies is compared alike: its exponentials are computed in float32.
    first_look = first_look or formula.order.layout == "frequencies"
    kind, sine_error = "float32" if first_look else "float64", 0.0
    if first_look or storage.kind != "float64":
        sine_error = SINE_ERROR
    size, omega = formula.amplitude, np.abs(formula.omega)
    widest = (WIDEST_AT_FIRST if first_look else WIDEST) * size
    wrong = np.empty(table.shape, bool)
    block = max(1, BLOCK // formula.width)
    for top in range(0, len(table), block):
        part = slice(top, top + block)
        given = table[part].astype(np.float64, copy=False)
        off = formula.numbers(part)
        off -= given
        np.abs(off, out=off)
        angles = np.abs(formula.positions[part, np.newaxis]) * omega
        slack = angle_error(angles, omega, kind) + formula.doubt * omega + 4 * U64
        bound = formula.by_columns(size * slack)
        if sine_error:
            bound += sine_error * np.minimum(np.abs(given) + sine_error, 2 * size)
        bound[bound > widest] = -np.inf
        wrong[part] = ~(off <= bound)
        at = np.nonzero(wrong[part])  # numbers that half of their last place may explain
        wrong[part][at] = ~(off[at] <= bound[at] + storage.half(given[at]))
    return wrong


def in_float32(table: AnyTable, formula: Formula, storage: Storage) -> Formula:
    """Return a formula whose frequencies are the float32 numbers that a table shows.

    Code gets frequencies by exponentials or powers, each with roundings of its own, so that they
    are off by a few last places: at position 1500 an angle is then off by 1e-4. Each number of the
    table leaves an interval for its pair's frequency, and all of them have a float32 in common.
    """
    table = table.astype(np.float64, copy=False)
    omega = formula.omega
    most = angle_error(omega, omega, "float32")
    for _ in range(2):  # the second time from near by, where sines are straight
        apart = _frequency_error(table, formula._replace(omega=omega), storage)
        omega = np.clip(omega + apart, formula.omega - most, formula.omega + most)
    best, fewest = omega, np.full(len(omega), len(table) * formula.width)
    for step in STEPS:
        single = (1 / omega if formula.divides else omega).astype(np.float32)
        moved = (single.view(np.int32) + np.int32(step)).view(np.float32).astype(np.float64)
        tried = np.where(fewest > 0, 1 / moved if formula.divides else moved, best)
        wrong = compared(table, formula._replace(omega=tried), storage).sum(axis=0)
        of_frequencies = np.zeros(len(omega), int)
        for at, of in formula.order.shares(formula.width):
            of_frequencies[of] += wrong[at]
        best = np.where(of_frequencies < fewest, tried, best)
        fewest = np.minimum(of_frequencies, fewest)
        if not fewest.any():
            break
    return formula._replace(omega=best)


def _frequency_error(table: Array, formula: Formula, storage: Storage) -> Array:
    """Return what has to be added to each frequency of a formula, as the numbers of a table say."""
    omega, size, positions = formula.omega, formula.amplitude, formula.positions[:, np.newaxis]
    low, high, middle = (np.full(len(omega), fill) for fill in (-np.inf, np.inf, 0.0))
    off = table - formula._replace(angles_in="float64").numbers()
    room = storage.half(table) + 3 * U32 * np.abs(table)
    room += formula.by_columns((np.abs(positions) * U32 + formula.doubt) * omega) * size
    angles = positions * omega
    slopes = np.cos(angles), -np.sin(angles)
    for (at, of), slope in zip(formula.order.shares(formula.width), slopes, strict=True):
        if not off[:, at].size:
            continue
        change = size * positions * slope[:, of]  # of a number, with its frequency
        steep = np.abs(change) + 1e-300
        apart, around = off[:, at] / np.copysign(steep, change), room[:, at] / steep
        low[of] = np.maximum(low[of], (apart - around).max(axis=0))
        high[of] = np.minimum(high[of], (apart + around).min(axis=0))
        middle[of] = np.take_along_axis(apart, around.argmin(axis=0)[np.newaxis], axis=0)[0]
    return np.where(low <= high, (low + high) / 2, middle)


def relative_doubt(formula: Formula, storage: Storage) -> float:
    """Return by which part the base may be off before a number changes by its last place."""
    share = np.arange(len(formula.omega)) / max(len(formula.omega) - 1, 1) * formula.omega
    reach = float(np.abs(formula.positions).max(initial=0) * share.max(initial=0))
    return 2 * storage.noise(formula.amplitude) / max(reach, 1e-300)


def sure_bits(formula: Formula, storage: Storage) -> float:
    """Return by how many bits the agreement of a table and a formula beats chance.

    A pair at a position agrees by chance with a probability of about its room. What was chosen to
    fit counts against it: the base, the first position and the step, and each position that no rule
    of these two gives.
    """
    bits = min(max(-math.log2(storage.noise(formula.amplitude)) - 1, 0.0), 20.0)
    positions = np.unique(formula.positions)
    farthest = float(np.abs(positions).max())
    if farthest > 2**24:  # float32 holds no such position, and no table has it
        return 0.0
    far = math.log2(2 + farthest * float(formula.omega.max()))
    steps = np.diff(formula.positions)
    even = len(steps) < 2 or float(np.ptp(steps)) <= 1e-9 * max(farthest, 1.0)
    each = far + bits if formula.doubt else 0.0 if even else far
    chosen = len(positions) * each + 2 * far + 4 * digits(formula.base)
    return len(positions) * len(formula.omega) * bits - chosen


def spread(count: int, most: int) -> Indices:
    """Return at most `most` indices below `count`, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def digits(value: float) -> int:
    """Return how many significant digits a number, or its inverse where it is below 1, has."""
    value = 1 / value if 0 < value < 1 else value
    return len(f"{value:.9e}".split("e")[0].rstrip("0").rstrip("."))
