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
from posenc_check.rounding import TINY, UNIT, AnyTable, Array, Indices, angle_error, rounded_to
from posenc_check.storage import Storage

U32, U64 = UNIT["float32"], UNIT["float64"]

PAPER_BASE = 1e4

# Rows on which something is tried before it is tried on all.
ROWS = 48

# A number that may be off by more than this part of the amplitude tells nothing about a formula,
# and counts as different. A first look, whose tolerance is larger at every position, accepts more.
WIDEST, WIDEST_AT_FIRST = 0.02, 0.5

# Sines in float32 may be off by one and a half of their last places, as a part of each.
SINE_ERROR = 1.5 * 2 * U32

# Of a number that agrees with a formula at most so many bits are counted as evidence, since most
# code computes in float32; each digit of a base and each position that was chosen costs some.
MOST_BITS = 20
BITS_OF_DIGIT = 4

# Positions with decimals are evenly spaced if their steps differ by no more than this part of the
# largest, which is more than float64 rounds them by.
EVEN = 1e-9


class Share(NamedTuple):
    """Some columns of a table, and the numbers of the frequencies that they have, in order."""

    columns: slice
    frequencies: slice


class Order(NamedTuple):
    """How sines and cosines share the columns.

    `layout` is "interleaved" or "halves"; "sines" or "cosines", where a column stands for a pair;
    or "by column", where each column has a frequency of its own. "frequencies" are a list of them
    in one row, or the angles in each row, which have no sines.
    """

    layout: str
    cosines_first: bool = False

    @property
    def in_pairs(self) -> bool:
        """Return whether each frequency has a sine and a cosine."""
        return self.layout in ("interleaved", "halves")

    def frequencies(self, base: float, spacing: str, width: int) -> Array:
        """Return all frequencies of a table of some width, in radians per token: base^(-i/steps).

        There is one for each pair, or for each column without pairs. The spacing gives the steps.
        "octaves" are base^i, 1, 2, 4, ... for base 2, and "octaves of pi" are these times π.
        "periods" grow from 0.004 to 0.004 * base.
        """
        index = np.arange(self.count(width))
        if spacing == "octaves":
            return np.asarray(base**index)
        if spacing == "octaves of pi":
            return np.asarray(math.pi * base**index)
        if spacing == "periods":
            periods = 0.004 * base ** (index / self.steps("tensor2tensor", width))
            return np.asarray(math.tau / periods)
        return np.asarray(base ** (-index / self.steps(spacing, width)))

    def count(self, width: int) -> int:
        """Return how many frequencies a table of some width has."""
        return (width + 1) // 2 if self.in_pairs else width  # the last pair may lack a column

    def steps(self, spacing: str, width: int) -> float:
        """Return in how many steps, from each frequency to the next, frequencies fall to 1/base."""
        if spacing == "tensor2tensor":  # the last frequency is 1/base
            return float(max(self.count(width) - 1, 1))  # a single one is 1, whatever the steps
        if self.in_pairs or spacing == "twice the number":
            return width / 2
        return float(width)  # the paper's formula with a column's number in place of its pair's

    def shares(self, width: int) -> tuple[Share, Share]:
        """Return (share of the sines, share of the cosines): their columns and frequencies.

        Of a list of "frequencies", which has neither, each column counts as one of the first share.
        """
        if self.layout in ("sines", "cosines", "frequencies"):
            all_columns, none = Share(slice(None), slice(None)), Share(slice(0, 0), slice(0, 0))
            return (none, all_columns) if self.layout == "cosines" else (all_columns, none)
        half = (width + 1) // 2
        if self.layout == "halves":
            first, second = slice(0, half), slice(half, None)
        else:
            first, second = slice(0, None, 2), slice(1, None, 2)
        if self.in_pairs:  # the last pair of an odd width has one column alone
            of_first, of_second = slice(None), slice(0, width - half)
        else:  # "by column": frequency i is that of column i
            of_first, of_second = first, second
        shares = Share(first, of_first), Share(second, of_second)
        return (shares[1], shares[0]) if self.cosines_first else shares


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
    doubt: float = 0.0  # tokens by which a position that was read from the numbers may be off
    rules: tuple[Finding, ...] = ()  # how a model changed a list of frequencies

    @property
    def powers(self) -> Array:
        """Return the frequencies without a factor before the power, which adds no error to it."""
        return self.omega / self.omega[0] if self.spacing == "periods" else self.omega

    @property
    def amplitude(self) -> float:
        """Return half of the distance from the lowest to the highest number of a column."""
        return abs(self.scale) / 2 if self.from_0_to_1 else abs(self.scale)

    def angles(self, rows: Any = slice(None)) -> Array:
        """Return the angles kω (rows, frequencies) of some rows or all, computed in `angles_in`."""
        positions = self.positions[rows, np.newaxis]
        if self.angles_in == "float64":
            return np.asarray(positions * self.omega)
        positions = rounded_to(positions, "float32")
        if self.divides:
            return rounded_to(positions / rounded_to(1 / self.omega, "float32"), "float32")
        return rounded_to(positions * self.omega, "float32")

    def numbers(self, rows: Any = slice(None)) -> Array:
        """Return some rows of the table (rows, width), or all, before a storage rounds them.

        A list of frequencies has the angles themselves in place of sines and cosines.
        """
        angles = self.angles(rows)
        if self.order.layout == "frequencies":
            return angles
        table = np.empty((len(angles), self.width))
        sines, cosines = self.order.shares(self.width)
        np.sin(angles[:, sines.frequencies], out=table[:, sines.columns])
        np.cos(angles[:, cosines.frequencies], out=table[:, cosines.columns])
        if self.scale != 1:  # a product with 1 would take time
            table *= self.scale
        return (table + 1) / 2 if self.from_0_to_1 else table

    def sizes_of_sines(self, table: Array) -> Array:
        """Return how large the sine or cosine in each number of a table is, times its factor.

        In (T + 1)/2 the sine is T/2, whose size is the distance from 1/2.
        """
        return np.abs(table - 0.5 if self.from_0_to_1 else table)

    def of_rows(self, rows: Any) -> Formula:
        """Return this formula with the positions of some rows alone: of indices, or a slice."""
        return self._replace(positions=self.positions[rows])

    def by_columns(self, of_frequencies: Array) -> Array:
        """Return values of each frequency (..., pairs) as values of each column (..., width)."""
        columns = np.empty((*of_frequencies.shape[:-1], self.width))
        for share in self.order.shares(self.width):
            columns[..., share.columns] = of_frequencies[..., share.frequencies]
        return columns


def compared(
    table: AnyTable, formula: Formula, storage: Storage, first_look: bool = False
) -> npt.NDArray[np.bool_]:
    """Return which numbers of a table differ from a formula's: (rows, width), True where they do.

    Each may be off by half of its last place, and by what arithmetic costs: in float64 a few last
    places of each angle, and unless the table is in float64, a last place of a sine in float32.
    Angles in float32 are computed in this type. For a first look, angles may be off by all that
    float32 costs.
    """
    # Most code computes a list of frequencies in float32: it may be off by as much as such angles.
    rough = first_look or formula.order.layout == "frequencies"
    kind = "float32" if rough else "float64"
    sine_error = SINE_ERROR if rough or storage.kind != "float64" else 0.0
    amplitude, omega, powers = formula.amplitude, formula.omega, formula.powers
    widest = amplitude * (WIDEST_AT_FIRST if rough else WIDEST)
    if formula.order.layout == "frequencies":  # which are no sines, and may be large
        widest = math.inf
    wrong = np.empty(table.shape, bool)
    rows_at_a_time = max(1, 2**18 // formula.width)  # arrays of 2 MB, which a cache holds
    for top in range(0, len(table), rows_at_a_time):
        rows = slice(top, top + rows_at_a_time)
        stored = table[rows].astype(np.float64, copy=False)
        off = formula.numbers(rows)  # from here on in place, since such arrays take time to make
        off -= stored
        np.abs(off, out=off)
        angles = np.abs(formula.positions[rows, np.newaxis]) * omega
        # The last part is for the sine itself and its factor, even where the angle is 0.
        of_angles = angle_error(angles, powers, kind) + formula.doubt * omega + 4 * U64
        bound = formula.by_columns(amplitude * of_angles)
        if sine_error:  # a part of the size of the sine or the cosine
            bound += sine_error * formula.sizes_of_sines(stored)
        bound[bound > widest] = -np.inf  # such a number counts as different
        wrong[rows] = ~(off <= bound)  # not `off > bound`, which is False for NaN
        # What the storage rounds takes time to compute. Only numbers that need it get it.
        over = np.nonzero(wrong[rows])
        wrong[rows][over] = ~(off[over] <= bound[over] + storage.tolerance(stored[over]))
    return wrong


def float32_frequencies(table: AnyTable, formula: Formula, storage: Storage) -> Array:
    """Return the frequencies (pairs,) of float32 code that give the most numbers of a table.

    They are float32 numbers, or the inverses of such if the formula divides, as float64.
    Code gets frequencies by exponentials or powers, each with roundings of its own, so that they
    are off by a few last places: at position 1500 an angle is then off by 1e-4. Each number of the
    table leaves an interval for its pair's frequency, and all of them have a float32 in common.
    """
    table = table.astype(np.float64, copy=False)
    exact = formula.omega
    # How far float32 takes a frequency from the exact one. Without this limit, the corrections
    # would make the frequencies of one base from those of another.
    most = angle_error(exact, formula.powers, "float32")
    omega = exact + np.clip(_frequency_corrections(table, formula, storage), -most, most)
    middle = (1 / omega if formula.divides else omega).astype(np.float32)
    best, fewest = omega, np.full(len(omega), table.size + 1)  # more than any frequency has wrong
    # Last places from the middle, nearest first. Where numbers are stored in 16 bits or 4 decimals,
    # the right one may be the second: with one on either side, ten of the field lose their names.
    for step in (0, 1, -1, 2, -2):
        # The bits of neighbouring float32 numbers are neighbouring integers.
        single = (middle.view(np.int32) + np.int32(step)).view(np.float32).astype(np.float64)
        candidate = 1 / single if formula.divides else single
        wrong_columns = compared(table, formula._replace(omega=candidate), storage).sum(axis=0)
        wrong = np.zeros(len(omega), int)
        for share in formula.order.shares(formula.width):
            wrong[share.frequencies] += wrong_columns[share.columns]
        best = np.where(wrong < fewest, candidate, best)  # of equal ones the first
        fewest = np.minimum(wrong, fewest)
        if not fewest.any():  # the other steps would take time
            break
    return best


def _frequency_corrections(table: Array, formula: Formula, storage: Storage) -> Array:
    """Return what to add to each frequency (pairs,) so that a formula gives the numbers of a table.

    A small change c of a frequency changes a number by c times its slope. A number that is off by
    d, with a tolerance t, leaves the interval from (d - t)/slope to (d + t)/slope for c. The result
    is the middle of what all intervals of a frequency have in common. It is 0 if that is nothing,
    as where a number of the table is wrong.
    """
    omega, amplitude = formula.omega, formula.amplitude
    # Exact angles of rounded positions: what float32 rounds by is no error of a frequency.
    formula = formula._replace(
        positions=rounded_to(formula.positions, "float32"), angles_in="float64"
    )
    positions = formula.positions[:, np.newaxis]
    off = table - formula.numbers()
    tolerance = storage.tolerance(table) + SINE_ERROR * formula.sizes_of_sines(table)
    # An angle kω is rounded to float32, by u of itself, and its position may be off by the doubt.
    of_angles = (np.abs(positions) * U32 + formula.doubt) * omega
    tolerance += formula.by_columns(amplitude * of_angles)
    lowest, highest = np.full(len(omega), -np.inf), np.full(len(omega), np.inf)
    angles = positions * omega
    # Of the sine, of the cosine. A list of frequencies has angles in place of sines: for these the
    # slope is rough, which makes a worse guess, and no wrong verdict.
    derivatives = np.cos(angles), -np.sin(angles)
    shares = formula.order.shares(formula.width)
    for share, derivative in zip(shares, derivatives, strict=True):
        slope = amplitude * positions * derivative[:, share.frequencies]
        allows_all = slope == 0  # such a number is the same for every frequency
        slope[allows_all] = 1.0  # a divisor whose quotient is not used
        middle = off[:, share.columns] / slope
        half = np.where(allows_all, np.inf, tolerance[:, share.columns] / np.abs(slope))
        pairs = share.frequencies
        lowest[pairs] = np.maximum(lowest[pairs], (middle - half).max(axis=0))
        highest[pairs] = np.minimum(highest[pairs], (middle + half).min(axis=0))
    return np.where(lowest <= highest, (lowest + highest) / 2, 0.0)


def relative_doubt(formula: Formula, storage: Storage) -> float:
    """Return by which part of itself the base may be off before a number of a table shows it.

    A base that grows by a small part p changes the frequency ω of pair i of m by about p ω i/m. A
    number shows the change if it moves by a last place, which is twice the half that may be off.
    """
    last_pair = max(len(formula.omega) - 1, 1)  # a single pair is number 0, and shows no base
    change = np.arange(len(formula.omega)) / last_pair * formula.omega  # for p = 1
    farthest = np.abs(formula.positions).max()
    largest = float(farthest * change.max())  # radians; 0 if no number shows the base
    return 2 * storage.relative_error(formula.amplitude) / max(largest, TINY)


def sure_bits(formula: Formula, storage: Storage) -> float:
    """Return by how many bits the agreement of a table and a formula beats chance.

    A pair at a position agrees by chance with a probability of about its tolerance, so that it adds
    the bits of its precision. What was chosen to fit counts against the formula: the base, the
    first position and the step, and each position that no rule of these two gives.
    """
    # The tolerance goes to both sides of a number, which costs a bit.
    bits = -math.log2(storage.relative_error(formula.amplitude)) - 1
    bits = min(bits, MOST_BITS)
    positions = np.unique(formula.positions)  # a row that comes again agrees by itself
    farthest = float(np.abs(positions).max())
    if farthest > 2**24:  # no table has positions that float32 cannot hold
        return 0.0
    # A whole position was chosen among about as many as the fastest pair turns by radians.
    # With 2 more, a position near 0 costs a bit, too.
    bits_of_whole = math.log2(2 + farthest * float(formula.omega.max()))
    steps = np.diff(formula.positions)
    evenly = len(steps) < 2 or float(np.ptp(steps)) <= EVEN * farthest
    bits_of_position = 0.0 if evenly else bits_of_whole  # first position and step give even ones
    if formula.doubt:  # positions with decimals, as they were read off
        bits_of_position = bits_of_whole + bits
    chosen = len(positions) * bits_of_position + 2 * bits_of_whole  # of each, of first and step
    digits_of_base = digits(formula.base)
    # That a base has more digits than one was chosen, too, and counts as another digit. So does a
    # rule, with its factor and its length, as four digits.
    chosen += BITS_OF_DIGIT * (digits_of_base + (digits_of_base > 1) + 4 * len(formula.rules))
    # A pair that stands still agrees at each position, and pairs that turn alike agree together.
    turning = np.count_nonzero(np.unique(formula.omega))
    return len(positions) * int(turning) * bits - chosen


def spread(count: int, most: int = ROWS, first: int = 0) -> Indices:
    """Return `most` indices evenly spread below `count`, or all, and the `first` of all; sorted."""
    evenly = np.linspace(0, count - 1, min(count, most)).round().astype(int)
    return np.union1d(np.arange(min(first, count)), evenly)


def digits(value: float) -> int:
    """Return how many significant digits a number has, or its inverse where it is below 1."""
    # A base below 1 makes frequencies grow; 1e-4 is as round as 10 000. The base of a list of one
    # pair, which every base gives, is 0.
    value = 1 / value if 0 < value < 1 else value
    mantissa = f"{value:.9e}".split("e")[0]  # ten digits: what float64 rounds is far behind them
    return max(1, len(mantissa.replace(".", "").rstrip("0")))  # nothing is left of 0.000000000
