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

Indices = npt.NDArray[np.integer[Any]]

U32, U64 = UNIT["float32"], UNIT["float64"]

# Numbers that are compared at a time, so that their arrays stay small.
BLOCK = 2**18

# A number that may be off by more than this part of the factor shows nothing: it is counted as
# different.
WIDEST, WIDEST_LOOSE = 0.02, 0.5

# Sines in float32 may be off by one and a half of their last places, as a part of each.
SINE_ERROR = 1.5 * 2 * U32


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

    def pairs(self, width: int) -> int:
        """Return how many frequencies a table of this width has."""
        return (width + 1) // 2 if self.in_pairs else width

    def shares(self, width: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Return the columns of the sines and of the cosines, each with their frequencies."""
        pairs, half = slice(None), (width + 1) // 2
        none = (slice(0, 0), slice(0, 0))
        if self.layout == "frequencies":
            return (pairs, pairs), none
        if self.layout == "sines":
            return (pairs, pairs), none
        if self.layout == "cosines":
            return none, (pairs, pairs)
        if self.layout == "by column":
            both = slice(0, None, 2), slice(1, None, 2)
            sines, cosines = both[::-1] if self.cosines_first else both
            return (sines, sines), (cosines, cosines)
        first, second = slice(0, half), slice(half, None)
        if self.layout == "interleaved":
            first, second = slice(0, None, 2), slice(1, None, 2)
        of_second = slice(0, width - half)
        if self.cosines_first:
            return (second, of_second), (first, pairs)
        return (first, pairs), (second, of_second)


class Ladder(NamedTuple):
    """The frequencies of a base: base^(-i/steps), where `spacing` says what the steps are.

    With the paper's spacing and pairs 0, 1, ... the steps are half of the width. With that of
    tensor2tensor the last pair has 1/base. "octaves" are 1, 2, 4, ..., also times π. The `rules`
    say how a model has changed these frequencies.
    """

    base: float
    spacing: str
    rules: tuple[Finding, ...] = ()

    def frequencies(self, order: Order, width: int) -> Array:
        """Return the frequency of each pair, or of each column that has its own."""
        pairs = order.pairs(width)
        steps = {
            "paper": width / 2 if order.in_pairs else float(width),
            "of an even width": (width + 1) / 2,
            "tensor2tensor": max(pairs - 1, 1),
            "twice the number": width / 2,
            "octaves": -1.0,
            "octaves of pi": -1.0,
        }[self.spacing]
        start = math.pi if self.spacing == "octaves of pi" else 1.0
        return np.asarray(start * self.base ** (np.arange(pairs) / -steps))


class Arithmetic(NamedTuple):
    """The types in which positions, frequencies and their products, the angles, are computed."""

    positions: str = "float64"
    frequencies: str = "float64"
    angles: str = "float64"
    divides: bool = False  # whether positions are divided by 1/ω

    @property
    def short(self) -> str:
        """Return the type of 16 bits that something is rounded to, or an empty string."""
        return next((kind for kind in self[:3] if kind in ("bfloat16", "float16")), "")


# Ways to compute angles, the plainest first. Frequencies of type float32 are read off the table.
EXACT = Arithmetic()
SINGLE = Arithmetic("float32", "float32", "float32")
WAYS = (EXACT, SINGLE, SINGLE._replace(divides=True), Arithmetic("float32", "float64", "float32"))

# Where a type of 16 bits comes in: in positions, frequencies or angles, or in all of them.
SHORT_WAYS = tuple(
    Arithmetic(*types)
    for kind in ("bfloat16", "float16")
    for types in (
        (kind, "float64", "float64"),
        ("float64", kind, "float64"),
        ("float64", "float64", kind),
        (kind, kind, kind),
    )
)


class Formula(NamedTuple):
    """A program that gives a table: an order of columns, frequencies, positions and a factor."""

    order: Order
    ladder: Ladder
    width: int
    positions: Array
    omega: Array  # radians per token of each pair
    scale: float = 1.0
    arithmetic: Arithmetic = EXACT
    doubt: float = 0.0  # of each position, where it was read from the numbers

    @property
    def pairs(self) -> int:
        """Return how many frequencies the formula has."""
        return len(self.omega)

    def angles(self, rows: Any = slice(None)) -> Array:
        """Return the angles of some rows, in the types of the formula."""
        of = self.arithmetic
        positions = rounded_to(self.positions[rows, np.newaxis], of.positions)
        if of.divides:
            return rounded_to(positions / rounded_to(1 / self.omega, of.frequencies), of.angles)
        return rounded_to(positions * rounded_to(self.omega, of.frequencies), of.angles)

    def numbers(self, rows: Any = slice(None)) -> Array:
        """Return some rows of the table, before they are stored."""
        if self.order.layout == "frequencies":
            return self.positions[rows, np.newaxis] * self.omega
        angles = self.angles(rows)
        table = np.empty((len(angles), self.width))
        sines, cosines = self.order.shares(self.width)
        np.sin(angles[:, sines[1]], out=table[:, sines[0]])
        np.cos(angles[:, cosines[1]], out=table[:, cosines[0]])
        if self.scale != 1:
            table *= self.scale
        return table

    def of_rows(self, rows: Any) -> Formula:
        """Return the formula of some rows."""
        return self._replace(positions=self.positions[rows])


class Difference(NamedTuple):
    """Where a table is not a formula's."""

    wrong: int  # numbers that differ
    of: int  # numbers that were compared
    rows: Indices  # how many of each row and of each column
    columns: Indices
    first: tuple[int, int, float] = (-1, -1, 0.0)  # a row, a column, and by how much
    most: float = 0.0  # the largest difference


def compared(
    table: npt.NDArray[Any], formula: Formula, storage: Storage, loose: bool = False
) -> Difference:
    """Compare every number of a table with a formula's.

    Each may be off by half of its last place, and by what arithmetic costs: in float64 a few last
    places of each angle, and unless the table is in float64, a last place of a sine in float32.
    Angles in shorter types are computed in these types. With `loose`, for a first look, angles may
    be off by all that float32 costs.
    """
    loose = loose or formula.order.layout == "frequencies"  # which are exponentials in float32
    kind = "float32" if loose else "float64"
    sine_error = SINE_ERROR if loose or storage.kind != "float64" else 0.0
    scale, omega = abs(formula.scale), np.abs(formula.omega)
    widest = (WIDEST_LOOSE if loose else WIDEST) * scale
    rows, columns = np.zeros(len(table), int), np.zeros(table.shape[1], int)
    first, most = (-1, -1, 0.0), 0.0
    block = max(1, BLOCK // formula.width)
    for top in range(0, len(table), block):
        part = slice(top, top + block)
        given = table[part].astype(np.float64, copy=False)
        off = formula.numbers(part)
        off -= given
        np.abs(off, out=off)
        exact_angles = np.abs(formula.positions[part, np.newaxis]) * omega
        slack = angle_error(exact_angles, omega, kind) + formula.doubt * omega + 4 * U64
        bound = np.empty_like(off)
        for at, of in formula.order.shares(formula.width):
            bound[:, at] = scale * slack[:, of]
        if sine_error:
            bound += sine_error * np.minimum(np.abs(given) + sine_error, 2 * scale)
        bound[bound > widest] = -np.inf
        wrong = ~(off <= bound + storage.least_half(given))
        if wrong.any():  # the precise room of the few that need it
            few = np.nonzero(wrong)
            wrong[few] = ~(off[few] <= bound[few] + storage.half(given[few]))
        if wrong.any():
            rows[part], columns = wrong.sum(axis=1), columns + wrong.sum(axis=0)
            off[~wrong] = 0
            if first[0] < 0:
                row = int(wrong.any(axis=1).argmax())
                column = int(wrong[row].argmax())
                first = (top + row, column, float(off[row, column]))
            most = max(most, float(off.max()))
    return Difference(int(rows.sum()), table.size, rows, columns, first, most)


def in_float32(
    table: npt.NDArray[Any], formula: Formula, storage: Storage, rows: Indices
) -> Formula:
    """Return a formula whose frequencies are the float32 numbers that some rows of a table show.

    Code gets frequencies by exponentials or powers, each with roundings of its own, so that they
    are off by a few last places: at position 1500 an angle is then off by 1e-4. Each number of the
    table leaves an interval for its pair's frequency, and all of them have a float32 in common.
    """
    part, some = table[rows].astype(np.float64, copy=False), formula.of_rows(rows)
    omega = formula.omega
    most = angle_error(omega, omega, "float32")
    for _ in range(2):  # the second time from near by, where sines are straight
        apart = _frequency_error(part, some._replace(omega=omega), storage)
        omega = np.clip(omega + apart, formula.omega - most, formula.omega + most)
    divides = formula.arithmetic.divides
    kept = _nearest_float32(omega, divides)
    wrong = _wrong_by_pair(part, some._replace(omega=kept), storage)
    for step in (1, -1, 2, -2, 3, -3):  # of float32, from the middle of the interval
        if not wrong.any() or np.count_nonzero(wrong) > max(4, len(omega) // 4):
            break
        tried = np.where(wrong > 0, _nearest_float32(omega, divides, step), kept)
        left = _wrong_by_pair(part, some._replace(omega=tried), storage)
        kept, wrong = np.where(left < wrong, tried, kept), np.minimum(left, wrong)
    return formula._replace(omega=kept)


def _frequency_error(table: Array, formula: Formula, storage: Storage) -> Array:
    """Return what has to be added to each frequency of a formula, as the numbers of a table say."""
    omega, scale, positions = formula.omega, formula.scale, formula.positions[:, np.newaxis]
    angles = positions * omega
    low, high = np.full(len(omega), -np.inf), np.full(len(omega), np.inf)
    middle = np.zeros(len(omega))
    values = np.sin(angles), np.cos(angles)
    slopes = values[1], -values[0]
    shares = formula.order.shares(formula.width)
    for (at, of), value, slope in zip(shares, values, slopes, strict=True):
        given = table[:, at]
        if not given.shape[1]:
            continue
        change = scale * positions * slope[:, of]  # of a number, with its frequency
        room = storage.half(given) + 3 * U32 * np.abs(given)
        room += (np.abs(positions) * U32 + formula.doubt) * omega[of] * abs(scale)
        steep = np.abs(change) + 1e-300
        apart = (given - scale * value[:, of]) / np.copysign(steep, change)
        low[of] = np.maximum(low[of], (apart - room / steep).max(axis=0))
        high[of] = np.minimum(high[of], (apart + room / steep).min(axis=0))
        best = np.argmin(room / steep, axis=0)
        middle[of] = apart[best, np.arange(apart.shape[1])]
    return np.where(low <= high, (low + high) / 2, middle)


def _nearest_float32(omega: Array, divides: bool, step: int = 0) -> Array:
    """Return frequencies whose float32, or that of their inverse, is some last places away."""
    single = (1 / omega if divides else omega).astype(np.float32)
    moved = (single.view(np.int32) + np.int32(step)).view(np.float32).astype(np.float64)
    return np.asarray(1 / moved if divides else moved)


def _wrong_by_pair(table: Array, formula: Formula, storage: Storage) -> Indices:
    """Return how many numbers of each pair are not the formula's."""
    wrong = compared(table, formula, storage).columns
    by_pair = np.zeros(formula.pairs, int)
    for at, of in formula.order.shares(formula.width):
        by_pair[of] += wrong[at]
    return by_pair


def relative_doubt(formula: Formula, storage: Storage) -> float:
    """Return by which part the base may be off before a number changes by its last place."""
    share = np.arange(len(formula.omega)) / max(len(formula.omega) - 1, 1) * formula.omega
    reach = float(np.abs(formula.positions).max(initial=0) * share.max(initial=0))
    unit = 2 * float(storage.half(np.array([0.7 * abs(formula.scale)]))[0]) / abs(formula.scale)
    return unit / max(reach, 1e-300)


def sure_bits(formula: Formula, storage: Storage) -> float:
    """Return by how many bits the agreement of a table and a formula beats chance.

    A pair at a position agrees by chance with a probability of about its room. What was chosen to
    fit counts against it: the base, the first position and the step, and each position that no rule
    of these two gives.
    """
    scale = abs(formula.scale)
    room = float(storage.half(np.array([0.7 * scale]))[0]) / scale
    bits = min(max(-math.log2(room) - 1, 0.0), 20.0)
    positions = np.unique(formula.positions)
    farthest = float(np.abs(positions).max())
    if farthest > 2**24:  # float32 holds no such position, and no table has it
        return 0.0
    far = math.log2(2 + farthest * float(formula.omega.max()))
    steps = np.diff(formula.positions)
    even = len(steps) < 2 or float(np.ptp(steps)) <= 1e-9 * max(farthest, 1.0)
    each = far + bits if formula.doubt else 0.0 if even else far
    chosen = len(positions) * each + 2 * far + 4 * digits(formula.ladder.base)
    return len(positions) * len(formula.omega) * bits - chosen


def spread(count: int, most: int) -> Indices:
    """Return at most `most` indices below `count`, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def digits(value: float) -> int:
    """Return how many significant digits a number, or its inverse where it is below 1, has."""
    value = 1 / value if 0 < value < 1 else value
    return len(f"{value:.9e}".split("e")[0].rstrip("0").rstrip("."))
