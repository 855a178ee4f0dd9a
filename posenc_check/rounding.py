"""How numbers are rounded, and how far a stored sine may therefore be from the exact one."""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Significant bits of each type, coarsest first; its unit roundoff is 2**-bits.
BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
UNIT = {name: 2.0**-bits for name, bits in BITS.items()}
SHORT = ("bfloat16", "float16")

# The smallest number that a type still holds with all its bits.
LEAST = {"bfloat16": 2.0**-126, "float16": 2.0**-14, "float32": 2.0**-126, "float64": 2.0**-1022}


# The steps of whole numbers with a factor, and types of eight bits: bits, least and largest number.
WHOLES = {"int8": (127, 128), "uint8": (255, 127.5), "int4": (7, 8), "int16": (32767, 32768)}
EIGHTS = {
    "float8_e5m2": (3, 2.0**-14, (1.0, 57344.0)),
    "float8_e4m3": (4, 2.0**-6, (1.0, 448.0, 240.0)),
}

# Entries that show how a table is rounded, and what they must say, in bits, against chance.
ENTRIES, ENOUGH = 20_000, 16

# Numbers that show whether a type was printed.
PRINTED = 500


def _binary(values: Array, bits: int, least: float) -> Array:
    unit = np.ldexp(1.0, np.frexp(np.maximum(np.abs(values), least))[1] - bits)
    result: Array = np.round(values / unit) * unit
    return result


def rounded(values: npt.ArrayLike, kind: str) -> Array:
    """Return values rounded to a type, ties to even, as float64."""
    exact = np.asarray(values, np.float64)
    return exact if kind == "float64" else _binary(exact, BITS[kind], LEAST[kind])


class Rounding(NamedTuple):
    """What numbers are rounded to: significant bits or digits, or whole numbers of a `step`.

    What was rounded to the type `before` may then have been printed in this way.
    """

    name: str
    bits: int = 0
    digits: int = 0
    step: float = 1.0
    least: float = 0.0
    kept: float = 0.0  # what the type that holds the numbers takes from them, as a part of each
    before: str = ""

    def half(self, values: Array) -> Array:
        """Return half of the last place of each number: how far it may be from what it was."""
        size = np.abs(values)
        half: Any = self.step / 2
        if self.bits:
            reach = np.maximum((1 + 1e-9) * size / self.step, self.least)
            half = np.ldexp(self.step / 2, np.frexp(reach)[1] - self.bits)
        elif self.digits:
            half = self.step / 2 * _place(size, self.digits) * (size > 0)  # a zero is exact
        if self.before:
            apart = np.maximum(half, np.abs(rounded(values, self.before) - values))
            half = apart + _of_type(self.before).half(size + half)
        # Before it was rounded, it may have been a float32, which 8 decimals show nearly whole.
        single = UNIT["float32"] * size
        shown = single <= half / 4 if self.bits else single <= 2 * half
        result: Array = half + np.where(shown, single, half / 4) + self.kept * size
        return result

    def round(self, values: Array) -> Array:
        """Return numbers rounded in this way."""
        values = rounded(values, self.before) if self.before else values
        if self.bits:
            return _binary(values / self.step, self.bits, self.least) * self.step
        place = _place(np.abs(values), self.digits) if self.digits else 1.0
        return np.asarray(np.round(values / (self.step * place)) * (self.step * place))


def _of_type(kind: str) -> Rounding:
    return Rounding(kind, BITS[kind], least=LEAST[kind])


def _place(size: Array, digits: int) -> Array:
    """Return the unit of the last of so many significant digits, of each number."""
    with np.errstate(divide="ignore"):
        power = np.floor(np.log10(np.where(size > 0, size, 1.0)) + 1e-12)
    result: Array = np.power(10.0, power - digits + 1)
    return result


def roundings_of(table: Array) -> list[Rounding]:
    """Return what the entries show that they are rounded to, and chance does not explain.

    The coarsest comes first, and last one that less than half of the entries show. Few entries may
    show several, as those below 1 with four digits after the point, or with four that count.
    """
    values = np.unique(np.abs(table.reshape(-1)[:: max(1, table.size // ENTRIES)]))
    most, kind = float(values[-1]), coarsest(values)
    some = values[values > 0]
    told = some[(_binary(some, 4, 0.0) != some) & (some < most)]  # others are short in any case
    ways = [Rounding("whole numbers")] if most > 4 else []
    ways += [Rounding(name, step=most / n) for name, sizes in WHOLES.items() for n in sizes]
    for name, (bits, least, largest) in EIGHTS.items():
        steps = [1.0 if size == 1 else most / size for size in largest]
        ways += [Rounding(name, bits, step=step, least=least) for step in steps]
    ways += [Rounding(f"{n} decimals", step=10.0**-n) for n in range(1, 14)]
    ways += [Rounding(f"{n} significant digits", digits=n) for n in range(2, 14)]
    lost = UNIT["float32" if kind == "float32" else "float64"]
    ways = [way._replace(kept=lost) for way in ways]
    shares = ((way, _share(way, some if way.bits else told)) for way in ways)
    held = [(way, share) for way, share in shares if share is not None]
    found = [way for way, share in held if share >= 0.5]
    if kind in SHORT or not found:
        found.append(_of_type(kind))
    sizes = np.array([way.half(some) for way in found])
    ranked = np.argsort(-np.log(sizes).sum(axis=1), kind="stable")
    # A finer one says something where it is coarser for some numbers.
    kept = [n for at, n in enumerate(ranked) if (sizes[n] > 1.01 * sizes[ranked[:at]]).any(1).all()]
    # In float32 small numbers alone show eight decimals, if there are any.
    few = [way for way, share in held if share < 0.5]
    return [_printed(way, told) for way in [*(found[n] for n in kept), *few][:2]]


def _share(way: Rounding, values: Array) -> float | None:
    """Return which part of the numbers shows that all are rounded so; None if one of them is not.

    They are so up to what their type has lost. The part is 0 where chance may have done it.
    """
    slack = 4 * way.kept * values  # with a factor there are a few roundings
    told = np.log2(np.maximum(way._replace(kept=0.0).half(values) / slack, 1.0))
    right = np.abs(way.round(values) - values) <= slack
    if not right.all():
        return None
    return float((told > 0).mean()) if told.sum() >= ENOUGH else 0.0


def _printed(way: Rounding, values: Array) -> Rounding:
    """Return the rounding of a type under that of a print, where the numbers show one."""
    if way.bits or way.name in WHOLES:
        return way
    values = values[:: max(1, len(values) // PRINTED)]
    half = way.half(values)
    for kind in ("bfloat16", "float16", "float32"):
        if np.log2(np.maximum(_of_type(kind).half(values) / half, 1.0)).sum() < ENOUGH:
            continue
        held = rounded(values, kind)
        near = np.abs(held - values) <= half
        if kind != "bfloat16":
            # NumPy prints as few digits as name a number, and at most 8 decimals.
            forms: Any = (str, "{:.8e}".format, partial(np.format_float_positional, precision=8))
            short = [[float(form(number)) for number in held.astype(kind)] for form in forms]
            near |= np.abs(np.array(short) - values).min(axis=0) <= half
        if near.all():
            return way._replace(name=kind, before=kind)
    return way


def coarsest(values: Array, slack: float = 0.0) -> str:
    """Return the coarsest type that holds all of the values, up to `slack` of each."""
    for kind in BITS:
        if (np.abs(rounded(values, kind) - values) <= slack * np.abs(values)).all():
            return kind
    return "float64"


def angle_error(angle: Array, omega: Array, kind: str) -> Array:
    r"""Return how far a computed angle kω may be from the exact one.

    With u the unit roundoff of the type the angle is computed in, and ω the exponential of
    x = ln ω: the factor of x and its product with i round twice, which moves ω by 2u\|x\|; the
    exponential, or a power and its inverse, and a scaled frequency add at most 2u + u\|x\|; the
    product with k adds u. Together \|kω\| u (3 + 3 \|ln ω\|).
    """
    logs = np.log(np.where(omega == 0, 1.0, np.abs(omega)))
    bound: Array = np.abs(angle) * UNIT[kind] * (3.0 + 3.0 * np.abs(logs))
    return bound


def wrap(angles: Any) -> Any:
    """Return angles moved by whole turns to between -π and π."""
    return angles - math.tau * np.round(angles / math.tau)


def number(value: float) -> str:
    """Return a number as text, thousands set apart."""
    if value == round(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.6g}"
