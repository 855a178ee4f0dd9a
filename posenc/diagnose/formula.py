"""A table as a program: frequencies, positions, an order of columns, and what they go through."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from posenc.diagnose.rounding import BITS, SHORT, UNIT, Array, Rounding, rounded
from posenc.diagnose.search import Indices

# Numbers that are compared at a time, and rows that show which float32 a frequency is.
BLOCK, TELLING = 2**19, 24

# From this part of the largest number on, a number is not that of a formula at all.
FAR = 0.05

EXACT = ("float64", "float64", "float64")
SINGLE = ("float32", "float32", "float32")

# What angles go through, in float32: products, quotients, or exact ones that are cast.
SINGLES = ((SINGLE, False), (SINGLE, True), (("float64", "float64", "float32"), False))

# What positions, frequencies and angles go through, where one of them is short.
SHORTS = tuple(
    kinds
    for kinds in product(("float64", *SHORT), ("float64", *SHORT), ("float64", "float32", *SHORT))
    if set(kinds) & set(SHORT)
)


class Formula(NamedTuple):
    """Sines and cosines of position times frequency, and which of them stands in which column."""

    omega: Array  # radians per token of each pair
    places: Array  # the position of each row: one row of them for each coordinate
    holds: Indices  # column j holds number holds[j] of all sines and then all cosines,
    gain: Array  # times this, of each column,
    offset: float = 0.0  # plus this
    coordinate: Any = 0  # the coordinate that each pair turns by
    through: tuple[str, str, str] = EXACT  # what positions, frequencies and angles are rounded to
    divides: bool = False  # whether positions are divided by 1/ω
    ulps: Any = 0  # by how many of its last places each frequency is off
    blend: bool = False  # whether rows between whole positions are mixed from both
    single: bool = False  # whether angles may be off by what float32 takes from them

    def only(self, rows: Any, columns: Any) -> Formula:
        """Return the formula of some rows and columns."""
        pairs = len(self.omega)
        kept = self.holds[columns]
        used, at = np.unique(kept % pairs, return_inverse=True)
        return self._replace(
            omega=self.omega[used],
            places=self.places[:, rows],
            holds=at + len(used) * (kept >= pairs),
            gain=self.gain[columns],
            coordinate=self.coordinate if np.ndim(self.coordinate) == 0 else self.coordinate[used],
            ulps=self.ulps if np.ndim(self.ulps) == 0 else self.ulps[used],
        )

    def numbers(self, fine: bool = False) -> tuple[Array, Array]:
        """Return the table, and how far each number may be off for how it was computed.

        Angles in a shorter type have sines in float32, unless the numbers are `fine`.
        """
        if self.blend:
            low = np.floor(self.places + 1e-9)
            part = (self.places - low).T
            whole = self._replace(blend=False)
            (below, slack), (above, other) = (
                whole._replace(places=at).numbers(fine) for at in (low, low + 1)
            )
            return below + part * (above - below), np.maximum(slack, other)
        kinds = self.through
        places = self.places if kinds[0] == "float64" else rounded(self.places, kinds[0])
        omega = 1 / self.omega if self.divides else self.omega
        if kinds[1] != "float64":
            omega = rounded(omega, kinds[1])
            omega = omega + self.ulps * np.ldexp(1.0, np.frexp(omega)[1] - BITS[kinds[1]])
        own = places[self.coordinate].T if np.ndim(self.coordinate) else places[0][:, np.newaxis]
        angle = own / omega if self.divides else own * omega
        unit = own_unit = UNIT["float32" if self.single else "float64"]
        if kinds[2] != "float64":
            angle, unit = rounded(angle, kinds[2]), UNIT["float64" if fine else "float32"]
        logs = np.abs(np.log(np.where(self.omega > 0, self.omega, 1.0)))
        slack = np.abs(angle) * (own_unit * (3 + 3 * logs))
        pairs = len(self.omega)
        both = np.empty((len(angle), 2 * pairs))
        np.sin(angle, out=both[:, :pairs])
        np.cos(angle, out=both[:, pairs:])
        if np.array_equal(self.holds, np.arange(2 * pairs)):
            slack = np.tile(slack, 2)
        else:
            both, slack = both[:, self.holds], slack[:, self.holds % pairs]
        slack += 4 * unit * np.abs(both)
        both *= self.gain
        slack *= np.abs(self.gain)
        return both + self.offset if self.offset else both, slack

    def bounded(self, table: Array, rounding: Rounding) -> tuple[Array, Array]:
        """Return how far each number of a table is off, and how far it may be."""
        own, slack = self.numbers(rounding.bits == BITS["float64"])
        scaled = rounding.bits and np.abs(self.gain).max() != 1
        return np.abs(own - table), slack + rounding.half(table) * (2 if scaled else 1)

    def misses(self, table: Array, rounding: Rounding) -> Misses:
        """Compare every number of a table with the formula's."""
        rows, columns = np.zeros(len(table), int), np.zeros(table.shape[1], int)
        worst, first, at, far = np.zeros(table.shape[1]), (-1, -1), 0.0, 0.0
        most = FAR * float(np.abs(self.gain).max())
        height = max(1, BLOCK // table.shape[1])
        for start in range(0, len(table), height):
            block = slice(start, start + height)
            off, bound = self.only(block, slice(None)).bounded(table[block], rounding)
            wrong = off > bound
            off = np.where(wrong, off, 0.0)
            np.maximum(worst, off.max(axis=0), out=worst)
            far += float(np.minimum(off / most, 1.0).sum())
            rows[block] = wrong.sum(axis=1)
            columns += wrong.sum(axis=0)
            if first[0] < 0 and wrong.any():
                row = int(wrong.any(axis=1).argmax())
                first = (start + row, int(off[row].argmax()))
                at = float(off[row, first[1]])
        return Misses(rows, columns, worst, first, at, far / table.size)

    def in_float32(self, table: Array, rounding: Rounding) -> Formula:
        """Return the formula with the float32 numbers near its frequencies that fit a table best.

        An exponential or a power in float32 is a few last places off, and each library has its own.
        """
        rows = np.unique(np.r_[np.arange(len(table))[-TELLING:], np.arange(len(table))[:TELLING]])
        some = self.only(rows, slice(None))
        pairs, least, best = len(self.omega), np.full(len(self.omega), np.inf), np.zeros(0)
        best = np.zeros(pairs)
        logs = np.log(np.where(self.omega > 0, self.omega, 1.0))
        most = min(64, 4 + int(3 * np.abs(logs).max()))
        for ulps in sorted(range(-most, most + 1), key=abs):
            apart, bound = some._replace(ulps=float(ulps)).bounded(table[rows], rounding)
            off = np.zeros(pairs)
            np.maximum.at(off, self.holds % pairs, (apart / np.maximum(bound, 1e-300)).max(axis=0))
            nearer = off < least
            least[nearer], best[nearer] = off[nearer], ulps
        return self._replace(ulps=best)


class Misses(NamedTuple):
    """Where a table is not a formula's."""

    rows: Indices  # wrong numbers in each row, and in each column
    columns: Indices
    worst: Array  # the largest difference of a wrong number in each column
    first: tuple[int, int]  # the first row with a wrong number, and the column that is worst there
    off: float  # and by how much
    far: float  # the mean of all differences, each at most 1, in parts of 0.05

    @property
    def near(self) -> bool:
        """Return whether few numbers are wrong, or all of them by little."""
        few = self.wrong <= 0.25 * len(self.rows) * len(self.columns)
        apart = float((self.columns > 0).mean()) <= 0.25
        return self.far < 0.01 or apart or (few and self.far < 0.25)

    @property
    def wrong(self) -> int:
        """Return how many numbers are wrong."""
        return int(self.rows.sum())
