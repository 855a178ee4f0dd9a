"""A table as a program: frequencies, positions, an order of columns, and what they go through."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc.diagnose.rounding import BITS, SHORT, UNIT, Array, Rounding, rounded

Indices = npt.NDArray[np.integer[Any]]

# Numbers that are compared at a time, and rows that show which float32 a frequency is.
BLOCK, TELLING = 2**19, 24

# From this part of the largest number on, a number is not that of a formula at all.
FAR = 0.05

EXACT = ("float64", "float64", "float64")

# What angles go through, in float32: products, quotients, or exact ones that are cast.
SINGLE = ("float32", "float32", "float32")
SINGLES = ((SINGLE, False), (SINGLE, True), (("float64", "float64", "float32"), False))

# What positions, frequencies and angles go through, where one of them or all are short.
SHORTS = tuple(
    through
    for kind in SHORT
    for through in (
        (kind, "float64", "float64"),
        ("float64", kind, "float64"),
        ("float64", "float64", kind),
        (kind, kind, kind),
    )
)


class Formula(NamedTuple):
    """Sines and cosines of position times frequency, and which of them stands in which column."""

    omega: Array  # radians per token of each pair
    places: Array  # the position of each row
    holds: Indices  # column j holds number holds[j] of all sines and then all cosines,
    gain: Array  # times this, of each column
    through: tuple[str, str, str] = EXACT  # what positions, frequencies and angles are rounded to
    divides: bool = False  # whether positions are divided by 1/ω
    ulps: Any = 0  # by how many of its last places each frequency is off

    def only(self, rows: Any, columns: Any = slice(None)) -> Formula:
        """Return the formula of some rows and columns."""
        pairs, holds = len(self.omega), self.holds[columns]
        used, at = np.unique(holds % pairs, return_inverse=True)
        return self._replace(
            omega=self.omega[used],
            places=self.places[rows],
            holds=at + len(used) * (holds >= pairs),
            gain=self.gain[columns],
            ulps=self.ulps if np.ndim(self.ulps) == 0 else self.ulps[used],
        )

    def numbers(self, unit: float = UNIT["float64"], fine: bool = False) -> tuple[Array, Array]:
        """Return the table, and how far each number may be off for how it was computed.

        `unit` is that of the angles. Those that are rounded have sines in float32, unless the
        numbers are `fine`.
        """
        places, pairs = rounded(self.places, self.through[0])[:, np.newaxis], len(self.omega)
        omega = rounded(1 / self.omega if self.divides else self.omega, self.through[1])
        if np.any(self.ulps):
            omega = omega + self.ulps * np.ldexp(1.0, np.frexp(omega)[1] - BITS[self.through[1]])
        angle = places / omega if self.divides else places * omega
        logs = np.abs(np.log(self.omega))
        slack = np.abs(angle) * (unit * (3 + 3 * logs))
        if self.through[2] != "float64":
            angle, unit = rounded(angle, self.through[2]), UNIT["float64" if fine else "float32"]
        both = np.empty((len(angle), 2 * pairs))
        np.sin(angle, out=both[:, :pairs])
        np.cos(angle, out=both[:, pairs:])
        both, slack = both[:, self.holds], slack[:, self.holds % pairs]
        slack += 4 * unit * np.abs(both)
        both *= self.gain
        slack *= np.abs(self.gain)
        return both, slack

    def bounded(
        self, table: Array, rounding: Rounding, unit: float = UNIT["float64"]
    ) -> tuple[Array, Array]:
        """Return how far each number of a table is off, and how far it may be."""
        own, slack = self.numbers(unit, rounding.bits == BITS["float64"])
        twice = rounding.bits and np.abs(self.gain).max() != 1  # before and after the factor
        own -= table
        slack += rounding.half(table) * (2 if twice else 1)
        return np.abs(own, out=own), slack

    def misses(self, table: Array, rounding: Rounding) -> Misses:
        """Compare every number of a table with the formula's."""
        rows, columns = np.zeros(len(table), int), np.zeros(table.shape[1], int)
        worst, first, far = np.zeros(table.shape[1]), (-1, -1, 0.0), 0.0
        most = FAR * float(np.abs(self.gain).max())
        height = max(1, BLOCK // table.shape[1])
        for start in range(0, len(table), height):
            block = slice(start, start + height)
            off, bound = self.only(block).bounded(table[block], rounding)
            wrong = off > bound
            rows[block], columns = wrong.sum(axis=1), columns + wrong.sum(axis=0)
            if not wrong.any():
                continue
            off = np.where(wrong, off, 0.0)
            worst = np.maximum(worst, off.max(axis=0))
            far += float(np.minimum(off / most, 1.0).sum()) / table.size
            if first[0] < 0:
                row = int(wrong.any(axis=1).argmax())
                column = int(off[row].argmax())
                first = (start + row, column, float(off[row, column]))
        return Misses(rows, columns, worst, first, far)

    def compared(self, table: Array, rounding: Rounding) -> tuple[Formula, Misses]:
        """Return the formula and where a table is not its; what float32 made of ω is chosen."""
        if self.through[1] == "float32":
            return self.in_float32(table, rounding)
        return self, self.misses(table, rounding)

    def in_float32(self, table: Array, rounding: Rounding) -> tuple[Formula, Misses]:
        """Return the formula with the float32 numbers near its frequencies that fit a table best.

        An exponential or a power in float32 is a few last places off, and each library has its own.
        Rows that tell more are added where numbers are too coarse for the first and last to do.
        """
        count, pair = len(table), self.holds % len(self.omega)
        rows = np.unique(np.r_[np.arange(count)[:TELLING], np.arange(count)[-TELLING:]])
        logs, columns = np.log(self.omega), np.arange(len(pair))
        most, ulps = min(64, 4 + int(3 * np.abs(logs).max())), np.zeros(len(logs))
        for _ in range(4):
            some, given = self.only(rows, columns), table[np.ix_(rows, columns)]
            least, used = np.full(len(logs), np.inf), np.isin(np.arange(len(logs)), pair[columns])
            for last in sorted(range(-most, most + 1), key=abs):
                apart, bound = some._replace(ulps=float(last)).bounded(given, rounding)
                off = np.zeros(len(logs))
                worst = (apart / np.maximum(bound, 1e-300)).max(axis=0)
                np.maximum.at(off, pair[columns], worst)
                nearer = (off < least) & (least > 1) & used
                least[nearer], ulps[nearer] = off[nearer], last
            made = self._replace(ulps=ulps.copy())
            misses = made.misses(table, rounding)
            left = np.argsort(-misses.rows)[:TELLING]
            again = np.union1d(rows, left[misses.rows[left] > 0])
            if not misses.wrong or not misses.near or len(again) == len(rows):
                break
            rows, columns = again, np.flatnonzero(np.isin(pair, pair[misses.columns > 0]))
        return made, misses


class Misses(NamedTuple):
    """Where a table is not a formula's."""

    rows: Indices  # wrong numbers in each row, and in each column
    columns: Indices
    worst: Array  # the largest difference of a wrong number in each column
    first: tuple[int, int, float]  # the first row with one, its worst column, and how far it is off
    far: float  # the mean of all differences, each at most 1, in parts of 0.05

    @property
    def wrong(self) -> int:
        """Return how many numbers are wrong."""
        return int(self.rows.sum())

    @property
    def near(self) -> bool:
        """Return whether few numbers are wrong, or all of them by little."""
        few = self.wrong <= 0.25 * len(self.rows) * len(self.columns)
        return self.far < 0.01 or (self.columns > 0).mean() <= 0.25 or (few and self.far < 0.25)
