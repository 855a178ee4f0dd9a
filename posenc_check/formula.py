"""A table as a program: a frequency for each column, positions, and what they go through."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc_check.rounding import BITS, SHORT, UNIT, Array, Rounding, rounded

Indices = npt.NDArray[np.integer[Any]]

# Numbers that are compared at a time; rows that show which float32 a frequency is, and how often
# others are added to them.
BLOCK, TELLING, TELLINGS = 2**19, 24, 4

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
    """Sines and cosines of position times frequency, in columns that each have their own."""

    omega: Array  # radians per token of each column
    places: Array  # the position of each row
    cosine: npt.NDArray[np.bool_]  # whether a column has cosines
    gain: Array  # what each column is multiplied by
    through: tuple[str, str, str] = EXACT  # what positions, frequencies and angles are rounded to
    divides: bool = False  # whether positions are divided by 1/ω
    ulps: Any = 0.0  # by how many of its last places each frequency is off

    def only(self, rows: Any, columns: Any = slice(None)) -> Formula:
        """Return the formula of some rows and columns."""
        return self._replace(
            omega=self.omega[columns],
            places=self.places[rows],
            cosine=self.cosine[columns],
            gain=self.gain[columns],
            ulps=np.broadcast_to(self.ulps, self.omega.shape)[columns],
        )

    def numbers(self, unit: float = UNIT["float64"], fine: bool = False) -> tuple[Array, Array]:
        """Return the table, and how far each number may be off for how it was computed.

        `unit` is that of the angles. Where something is rounded, sines are in float32, unless the
        numbers are `fine`.
        """
        places = rounded(self.places, self.through[0])[:, np.newaxis]
        omega = rounded(1 / self.omega if self.divides else self.omega, self.through[1])
        omega = omega + self.ulps * np.ldexp(1.0, np.frexp(omega)[1] - BITS[self.through[1]])
        angle = places / omega if self.divides else places * omega
        slack = np.abs(angle) * (unit * (3 + 3 * np.abs(np.log(self.omega))))
        if self.through != EXACT:
            angle, unit = rounded(angle, self.through[2]), UNIT["float64" if fine else "float32"]
        own = np.empty_like(angle)
        for function, columns in ((np.sin, ~self.cosine), (np.cos, self.cosine)):
            own[:, columns] = function(angle[:, columns])
        slack += 4 * unit * np.abs(own)
        own *= self.gain
        slack *= np.abs(self.gain)
        return own, slack

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
        """Return the formula and where a table is not its.

        An exponential or a power in float32 is a few last places off, and each library has its own:
        those near its frequencies are taken that fit the table best, by ever smaller steps. Rows
        that tell more are added where the first and others do not.
        """
        if self.through[1] != "float32":
            return self, self.misses(table, rounding)
        omega, of = np.unique(self.omega, return_inverse=True)  # a pair has one, in two columns
        most, ulps = 4 + 3 * np.abs(np.log(omega)), np.zeros(len(omega))
        rows = np.union1d(np.arange(min(len(table), TELLING)), spread(len(table), TELLING))
        for _ in range(TELLINGS):
            some, given, least = self.only(rows), table[rows], np.full(len(ulps), np.inf)
            for step in (0, 32, 16, 8, 4, 2, 1, 1):
                for tried in np.clip([ulps - step, ulps + step], -most // 1, most // 1):
                    off, bound = some._replace(ulps=tried[of]).bounded(given, rounding)
                    worst = np.zeros(len(omega))
                    np.maximum.at(worst, of, (off / np.maximum(bound, 1e-300)).max(axis=0))
                    nearer = worst < least
                    least[nearer], ulps[nearer] = worst[nearer], tried[nearer]
            made = self._replace(ulps=ulps[of])
            misses = made.misses(table, rounding)
            again = np.union1d(rows, np.argsort(-misses.rows)[: min(TELLING, misses.wrong)])
            if not misses.near or len(again) == len(rows):
                break
            rows = again
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


def spread(count: int, most: int) -> Indices:
    """Return at most `most` whole numbers from 0 to count - 1, evenly spread."""
    return np.linspace(0, count - 1, min(count, most)).round().astype(int)
