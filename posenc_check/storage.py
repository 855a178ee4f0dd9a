"""How the numbers of a table are stored: in a float type, or printed to decimals or digits.

What is stored differs from what was computed by at most half of its last place. That half is all
the room that a formula gets when `posenc_check.formulas` compares it with a table.
"""

from typing import NamedTuple

import numpy as np

from posenc_check.rounding import BITS, SHORT, TINY, AnyTable, Array, last_place, rounded_to

# About so many numbers of a table are looked at before all are.
SAMPLE = 997

# A print shows that its numbers had a 16-bit type if chance explains it less often than 1 in 2**24.
EVIDENT_BITS = 24

# Half of a last place is widened by this part, for the rounding of the comparison itself.
COMPARISON = 1e-9

# Digits and decimals that are tried for the print of a float32, and of a float64. A number that was
# read from a print differs from its rounding by at most the last place of the type. Where the
# rounding itself is computed in that type, as in float64, by twice that. With more digits, every
# number of the type would look like a print.
MOST_PLACES = {"float32": 8, "float64": 14}
LAST_PLACE = {"float32": 2.0**-23, "float64": 2.0**-51}


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
            # The digits of 0 have steps that are smaller than any number.
            size = np.maximum(np.abs(values), TINY)
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
        """Return how far numbers just below an amplitude may be off, as a part of the amplitude."""
        # Sines are below their amplitude. Where that is a power of 2, the step halves below it.
        return float(self.tolerance(np.array(0.99 * amplitude))) / amplitude

    def round(self, computed: Array) -> Array:
        """Return computed numbers rounded to this storage, as float64."""
        # Printed numbers are rounded twice: to the type that they had, and by the print.
        values = rounded_to(computed, self.before) if self.before else computed
        if self.kind in BITS:
            return rounded_to(values, self.kind)
        step = self.step(values)
        return np.asarray(np.round(values / step) * step)

    def holds(self, values: Array, kind: str) -> bool:
        """Return whether this storage holds all numbers of a table of type `kind`.

        Numbers of a float type are exact. A print that was read is rounded to the table's type.
        """
        slack = 0.0 if self.kind in BITS else LAST_PLACE[kind]
        return bool((np.abs(self.round(values) - values) <= slack * np.abs(values)).all())


def _some_of(values: AnyTable) -> AnyTable:
    """Return values (n,) in odd steps, so that they do not all come from a few columns."""
    return values[:: max(1, values.size // SAMPLE) | 1]


def storage_of(table: AnyTable) -> Storage:
    """Return the coarsest storage that holds every number of a table: a float type, or a print.

    The table is in float16, float32 or float64. A print has decimals or digits, and may have been
    made of 16-bit numbers.
    """
    # The type that a print was read into, which rounds it. A print that was read into float16 has
    # lost its decimals: its numbers count as exact ones of float64, which no short print holds.
    kind = "float32" if table.dtype == np.float32 else "float64"
    sample = _some_of(table.ravel()).astype(np.float64)
    storages = [Storage(short) for short in (*SHORT, "float32")]
    storages += [Storage("decimals", places) for places in range(MOST_PLACES[kind])]
    # Nobody prints sines with less than 3 significant digits.
    storages += [Storage("digits", places) for places in range(3, MOST_PLACES[kind])]
    storages = [storage for storage in storages if storage.holds(sample, kind)]
    # The coarsest first, by its steps at some sines and cosines. Logarithms are added, since steps
    # of a type are wider than a print's at large numbers, and narrower at small ones. 0 and 1 are
    # left out: every storage holds them.
    inside = sample[(sample != 0) & (np.abs(sample) < 1)]
    storages.sort(key=lambda storage: -np.log(storage.step(inside)).sum())
    for storage in storages:
        # A table is known to hold numbers of its own type. To look at all of them takes time.
        is_own_type = storage.kind == table.dtype.name
        if is_own_type or storage.holds(table.astype(np.float64), kind):
            return with_type_before_print(storage, sample)
    return Storage("float64")


def with_type_before_print(storage: Storage, values: AnyTable) -> Storage:
    """Return the storage with the 16-bit type that printed values had before, if they show one.

    Numbers of such a type lie farther apart than printed ones, so that few printed numbers are near
    one of them by chance.
    """
    if storage.kind in BITS:
        return storage
    sample = np.abs(_some_of(values)).astype(np.float64)
    # A number that comes twice shows no more than once, and 0 is a number of every type.
    prints = np.unique(sample[sample > 0])
    step = storage.step(prints)
    for kind in SHORT:  # the coarser first: the finer type has most of its numbers, too
        nearest = rounded_to(prints, kind)
        is_of_type = np.abs(nearest - prints) <= step / 2 * (1 + COMPARISON)
        if kind == "float16":  # NumPy prints as few digits as tell a number from its neighbours
            is_of_type |= nearest.astype(np.float16).astype(str).astype(np.float64) == prints
        # Chance puts a print near a number of the type once in so many times as the print has steps
        # in one step of the type: each print that is near one is evidence of the logarithm in bits.
        # Where the print is the coarser, every print is near one, which is no evidence.
        prints_per_number = np.maximum(last_place(prints, kind) / step, 1.0)
        if is_of_type.all() and np.log2(prints_per_number).sum() >= EVIDENT_BITS:
            return storage._replace(before=kind)
    return storage
