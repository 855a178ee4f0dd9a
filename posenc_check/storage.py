"""How the numbers of a table are stored: in a float type, or printed to decimals or digits.

What is stored differs from what was computed by at most half of its last place. That half is all
the room that a formula gets when `posenc_check.formulas` compares it with a table.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Significant bits of each type, coarsest first, and its least number that has all of them.
BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
LEAST = {"bfloat16": 2.0**-126, "float16": 2.0**-14, "float32": 2.0**-126, "float64": 2.0**-1022}

# Numbers that are looked at before all are, and numbers of which a print by NumPy is made again.
SAMPLE, PRINTED = 997, 200

# By how many bits numbers must show that they had a type before they were printed.
EVIDENT_BITS = 24


def last_place(values: Array, kind: str) -> Array:
    """Return the last place of each number in a float type."""
    exponent = np.frexp(np.maximum(np.abs(values), LEAST[kind]))[1]
    return np.asarray(np.ldexp(1.0, exponent - BITS[kind]))


def rounded_to(values: npt.ArrayLike, kind: str) -> Array:
    """Return values rounded to a float type, ties to even, as float64."""
    exact = np.asarray(values, np.float64)
    if kind == "float64":
        return exact
    if kind == "float32":
        return exact.astype(np.float32).astype(np.float64)
    unit = last_place(exact, kind)
    return np.asarray(np.round(exact / unit) * unit)


class Storage(NamedTuple):
    """How numbers are stored.

    `kind` is a float type, or "decimals" or "digits" with their number in `places`. `before` is the
    float type that numbers had which were then printed. A view may have undone a factor and a shift
    of the stored numbers: the numbers it shows are ``factor * stored + shift``.
    """

    kind: str
    places: int = 0
    before: str = ""
    factor: float = 1.0
    shift: float = 0.0

    def unit(self, values: Array) -> Array:
        """Return the last place of each stored number, of its kind alone."""
        if self.kind == "decimals":
            return np.full(np.shape(values), 10.0**-self.places)
        if self.kind == "digits":
            size = np.abs(values)
            power = np.floor(np.log10(np.where(size > 0, size, 1e-99)) + 1e-12)
            return np.asarray(10.0 ** (power - self.places + 1))
        return last_place(values, self.kind)

    def half(self, values: Array) -> Array:
        """Return how far each number may be from the one that was computed."""
        stored = (values - self.shift) / self.factor if self.factor != 1 or self.shift else values
        half = self.unit(stored) / 2
        if self.before:
            printed = np.maximum(half, np.abs(rounded_to(stored, self.before) - stored))
            half = printed + last_place(np.abs(stored) + half, self.before) / 2
        return np.asarray(self.factor * (1 + 1e-9) * half)

    def least_half(self, values: Array) -> Array | float:
        """Return at most `half(values)`, which costs less to compute."""
        plain = not self.before and self.factor == 1 and not self.shift
        if plain and self.kind == "decimals":
            return 10.0**-self.places / 2
        if plain and self.kind in BITS:
            return np.abs(values) * 2.0 ** -(BITS[self.kind] + 1)
        return self.half(values)

    def round(self, values: Array) -> Array:
        """Return computed numbers in the precision in which the table is stored."""
        stored = (values - self.shift) / self.factor
        stored = rounded_to(stored, self.before) if self.before else stored
        if self.kind in BITS:
            return rounded_to(stored, self.kind)
        unit = self.unit(stored)
        return np.asarray(np.round(stored / unit) * unit)

    def undone(self, factor: float, shift: float) -> "Storage":
        """Return the storage of numbers that were multiplied by a factor and then shifted."""
        return self._replace(factor=factor * self.factor, shift=factor * self.shift + shift)


_SHORT = [Storage("bfloat16"), Storage("float16"), *(Storage("decimals", n) for n in range(8))]
_SHORT += [Storage("digits", n) for n in range(3, 8)]
_LONG = [Storage("float32"), *(Storage("decimals", n) for n in range(8, 14))]
_LONG += [Storage("digits", n) for n in range(8, 14)]


def storage_of(table: npt.NDArray[Any]) -> Storage:
    """Return the coarsest storage that holds every number of a table."""
    if table.dtype == np.float16:
        return Storage("float16")
    single = table.dtype == np.float32
    some = table.ravel()[:: max(1, table.size // SAMPLE)].astype(np.float64)
    slack = 2.0**-23 if single else 2.0**-51
    ways = [*_SHORT, Storage("float32")] if single else [*_SHORT, *_LONG]
    ways = [way for way in ways if _holds(way, some, slack)]
    telling = some[(some != 0) & (np.abs(some) < 1)]
    ways.sort(key=lambda way: -np.log(way.unit(telling)).sum())
    for way in ways:
        whole = way.kind == "float32" and single
        if whole or _holds(way, table.astype(np.float64, copy=False).ravel(), slack):
            return printed(way, some)
    return Storage("float64")


def _holds(way: Storage, values: Array, slack: float) -> bool:
    """Return whether all values are numbers of a storage, up to what their own type has lost."""
    lost = 0.0 if way.kind in BITS else slack
    return bool((np.abs(way.round(values) - values) <= lost * np.abs(values)).all())


def printed(way: Storage, values: npt.NDArray[Any]) -> Storage:
    """Return the storage of a print with the type the numbers had before, where they show one.

    Numbers of a type lie apart by more than a print's last place, so that few printed numbers are
    near one of them by chance. NumPy prints as few digits as tell a number from its neighbours.
    """
    if way.kind in BITS:
        return way
    values = np.unique(np.abs(values[:: max(1, len(values) // PRINTED)]).astype(np.float64))
    values = values[values > 0]
    for kind in ("bfloat16", "float16", "float32"):
        apart = last_place(values, kind) / way.unit(values)
        if np.log2(np.maximum(apart, 1.0)).sum() < EVIDENT_BITS:
            continue
        held = rounded_to(values, kind)
        near = np.abs(held - values) <= way.unit(values) / 2 * (1 + 1e-9)
        if kind != "bfloat16":
            short = held.astype(kind)
            near |= [float(str(number)) for number in short] == values
            eight = [float(np.format_float_positional(number, precision=8)) for number in short]
            near |= eight == values
        if near.all():
            return way._replace(before=kind)
    return way
