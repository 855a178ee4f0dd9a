"""How the numbers of a table are stored: in a float type, or printed to decimals or digits.

What is stored differs from what was computed by at most half of its last place. That half is all
the room that a formula gets when `posenc_check.formulas` compares it with a table.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Significant bits of each float type, coarsest first, and its least number that has all of them.
BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
LEAST = {"bfloat16": 2.0**-126, "float16": 2.0**-14, "float32": 2.0**-126, "float64": 2.0**-1022}

# About so many numbers of a table are looked at before all are. The count is a prime, so that they
# do not all come from a few columns.
SAMPLE = 997

# A print shows that its numbers had a 16-bit type if chance explains it less often than 1 in 2**24.
EVIDENT_BITS = 24

# Stands for 0, which has no logarithm: its digits have steps that are smaller than any number.
NEXT_TO_0 = 1e-99

JUST_BELOW = 0.99  # this part of an amplitude is below it

# Half of a last place is widened by this part, for the rounding of the comparison itself.
COMPARISON = 1e-9

# Digits and decimals that are tried for the print of a float32, and of a float64. A number that was
# read from a print differs from its rounding by at most the last place of the type.
MOST_PLACES = {"float32": 8, "float64": 14}
LEAST_DIGITS = 3  # significant ones that are tried, at the least; decimals are tried from 0 on
LAST_PLACE = {"float32": 2.0**-23, "float64": 2.0**-51}


def last_place(values: Array, kind: str) -> Array:
    """Return the step between neighbouring numbers of a float type (ulp), at each value."""
    exponent = np.frexp(np.maximum(np.abs(values), LEAST[kind]))[1]
    return np.asarray(np.ldexp(1.0, exponent - BITS[kind]))


def rounded_to(values: npt.ArrayLike, kind: str) -> Array:
    """Return values rounded to a float type of `BITS`, ties to even, as float64."""
    exact = np.asarray(values, np.float64)
    if kind == "float64":
        return exact
    if kind == "float32":
        return exact.astype(np.float32).astype(np.float64)
    unit = last_place(exact, kind)
    return np.asarray(np.round(exact / unit) * unit)


class Storage(NamedTuple):
    """How numbers are stored.

    `kind` is a float type of `BITS`, or "decimals" or "digits" (significant ones) with their number
    in `places`. `before` is the 16-bit float type that printed numbers had before; "" for none.
    """

    kind: str
    places: int = 0
    before: str = ""

    def step(self, values: Array) -> Array:
        """Return the step between neighbouring stored numbers, at each value."""
        if self.kind == "decimals":
            return np.full(np.shape(values), 10.0**-self.places)
        if self.kind == "digits":
            size = np.where(values == 0, NEXT_TO_0, np.abs(values))
            exponent = np.floor(np.log10(size) + 1e-12)  # the logarithm of 1000 may be below 3
            return np.asarray(10.0 ** (exponent - (self.places - 1)))
        return last_place(values, self.kind)

    def tolerance(self, stored: Array) -> Array:
        """Return how far each stored number may be from the one that was computed."""
        half = self.step(stored) / 2
        if self.before:
            # The 16-bit number nearest to the print was printed. It may be farther than half of the
            # print's last place, since NumPy prints as few digits as tell it from its neighbours.
            of_print = np.maximum(half, np.abs(rounded_to(stored, self.before) - stored))
            # That number may be half of the print's last place larger than the print, where the
            # last places of the type may be twice as large.
            half = of_print + last_place(np.abs(stored) + half, self.before) / 2
        return np.asarray((1 + COMPARISON) * half)

    def relative_error(self, amplitude: float) -> float:
        """Return how far numbers just below an amplitude may be off, as a part of it."""
        # Sines are below their amplitude. Where that is a power of 2, the step halves below it.
        below = np.array([JUST_BELOW * amplitude])
        return float(self.tolerance(below)[0]) / amplitude

    def round(self, computed: Array) -> Array:
        """Return computed numbers rounded to this storage, as float64."""
        values = rounded_to(computed, self.before) if self.before else computed
        if self.kind in BITS:
            return rounded_to(values, self.kind)
        step = self.step(values)
        return np.asarray(np.round(values / step) * step)

    def holds(self, values: Array, slack: float) -> bool:
        """Return whether rounding to this storage changes no number by more than a part `slack`."""
        return bool((np.abs(self.round(values) - values) <= slack * np.abs(values)).all())


def storage_of(table: npt.NDArray[Any]) -> Storage:
    """Return the coarsest storage that holds every number of a table of float16, 32 or 64."""
    kind = "float32" if table.dtype == np.float32 else "float64"
    some = table.ravel()[:: max(1, table.size // SAMPLE)].astype(np.float64)
    storages = [Storage(short) for short in ("bfloat16", "float16", "float32")]
    storages += [Storage("decimals", places) for places in range(MOST_PLACES[kind])]
    storages += [Storage("digits", places) for places in range(LEAST_DIGITS, MOST_PLACES[kind])]

    def holds(storage: Storage, values: Array) -> bool:
        # Numbers of a type are exact; a print that was read is rounded to the type of the table.
        return storage.holds(values, 0.0 if storage.kind in BITS else LAST_PLACE[kind])

    storages = [storage for storage in storages if holds(storage, some)]
    # The coarsest first, by the steps at sines and cosines; those of 0 and 1 are exact in each.
    inside = some[(some != 0) & (np.abs(some) < 1)]
    storages.sort(key=lambda storage: -np.log(storage.step(inside)).sum())
    for storage in storages:
        if storage.kind == table.dtype or holds(storage, table.ravel().astype(np.float64)):
            return with_type_before_print(storage, some)
    return Storage("float64")


def with_type_before_print(storage: Storage, values: npt.NDArray[Any]) -> Storage:
    """Return the storage with the 16-bit type that printed values had before, if they show one.

    Numbers of such a type lie farther apart than printed ones, so that few printed numbers are near
    one of them by chance.
    """
    if storage.kind in BITS:
        return storage
    some = np.abs(values[:: max(1, values.size // SAMPLE)]).astype(np.float64)
    some = np.unique(some[some > 0])
    for kind in ("bfloat16", "float16"):
        nearest = rounded_to(some, kind)
        prints_of_type = np.abs(nearest - some) <= storage.step(some) / 2 * (1 + COMPARISON)
        if kind == "float16":  # NumPy prints as few digits as tell a number from its neighbours
            prints_of_type |= nearest.astype(np.float16).astype(str).astype(np.float64) == some
        # A print is near a number of the type with the probability of its step in theirs.
        printed_per_step = np.maximum(last_place(some, kind) / storage.step(some), 1.0)
        if prints_of_type.all() and np.log2(printed_per_step).sum() >= EVIDENT_BITS:
            return storage._replace(before=kind)
    return storage
