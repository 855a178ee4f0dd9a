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

# Numbers that are looked at before all are.
SAMPLE = 997

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
    float type of 16 bits that numbers had which were then printed.
    """

    kind: str
    places: int = 0
    before: str = ""

    def unit(self, values: Array) -> Array:
        """Return the last place of each number, as its kind has it."""
        if self.kind == "decimals":
            return np.full(np.shape(values), 10.0**-self.places)
        if self.kind == "digits":
            size = np.abs(values)
            power = np.floor(np.log10(np.where(size > 0, size, 1e-99)) + 1e-12)
            return np.asarray(10.0 ** (power - self.places + 1))
        return last_place(values, self.kind)

    def half(self, values: Array) -> Array:
        """Return how far each number may be from the one that was computed."""
        half = self.unit(values) / 2
        if self.before:
            printed = np.maximum(half, np.abs(rounded_to(values, self.before) - values))
            half = printed + last_place(np.abs(values) + half, self.before) / 2
        return np.asarray((1 + 1e-9) * half)

    def noise(self, size: float) -> float:
        """Return half of the last place of numbers of a size, as a part of this size."""
        return float(self.half(np.array([0.99 * size]))[0]) / size

    def round(self, values: Array) -> Array:
        """Return computed numbers as the storage has them."""
        values = rounded_to(values, self.before) if self.before else values
        if self.kind in BITS:
            return rounded_to(values, self.kind)
        unit = self.unit(values)
        return np.asarray(np.round(values / unit) * unit)

    def holds(self, values: Array, slack: float) -> bool:
        """Return whether all numbers are stored so; a print may be off by a part of each."""
        slack = 0.0 if self.kind in BITS else slack
        return bool((np.abs(self.round(values) - values) <= slack * np.abs(values)).all())


def storage_of(table: npt.NDArray[Any]) -> Storage:
    """Return the coarsest storage that holds every number of a table."""
    single = table.dtype == np.float32
    most, slack = (8, 2.0**-23) if single else (14, 2.0**-51)  # decimals that a type can show
    some = table.ravel()[:: max(1, table.size // SAMPLE)].astype(np.float64)
    ways = [Storage(kind) for kind in ("bfloat16", "float16", "float32")]
    ways += [Storage("decimals", places) for places in range(most)]
    ways += [Storage("digits", places) for places in range(3, most)]
    ways = [way for way in ways if way.holds(some, slack)]
    telling = some[(some != 0) & (np.abs(some) < 1)]
    ways.sort(key=lambda way: -np.log(way.unit(telling)).sum())
    for way in ways:
        if way.kind == table.dtype or way.holds(table.ravel().astype(np.float64), slack):
            return printed(way, some)
    return Storage("float64")


def printed(way: Storage, values: npt.NDArray[Any]) -> Storage:
    """Return the storage of a print with the type of 16 bits that its numbers show, if any.

    Numbers of such a type lie apart by more than a print's last place, so that few printed numbers
    are near one of them by chance. NumPy prints as few digits as tell a number from its neighbours.
    """
    some = np.abs(values[:: max(1, values.size // SAMPLE)]).astype(np.float64)
    values = np.unique(some[some > 0])
    for kind in ("bfloat16", "float16") if way.kind not in BITS else ():
        apart = last_place(values, kind) / way.unit(values)
        held = rounded_to(values, kind)
        near = np.abs(held - values) <= way.unit(values) / 2 * (1 + 1e-9)
        if kind == "float16":
            near |= held.astype(np.float16).astype(str).astype(np.float64) == values
        if near.all() and np.log2(np.maximum(apart, 1.0)).sum() >= EVIDENT_BITS:
            return way._replace(before=kind)
    return way
