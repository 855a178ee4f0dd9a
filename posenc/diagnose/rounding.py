"""The one measure of error: how far a stored sine may be from the exact one."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

# Significant bits of each type, coarsest first; its unit roundoff is 2**-bits.
BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
UNIT = {name: 2.0**-bits for name, bits in BITS.items()}
SHORT = ("bfloat16", "float16")

# The smallest number that a type still holds with all its bits.
LEAST = {"bfloat16": 2.0**-126, "float16": 2.0**-14, "float32": 2.0**-126, "float64": 2.0**-1022}


def rounded(values: npt.ArrayLike, kind: str) -> Array:
    """Return values rounded to a type, ties to even, as float64."""
    exact = np.asarray(values, np.float64)
    step = np.maximum(np.abs(exact), LEAST[kind])
    unit = np.ldexp(1.0, np.frexp(step)[1] - BITS[kind])
    result: Array = np.round(exact / unit) * unit
    return result


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


def entry_error(values: Array, angle: Array, omega: Array, angles: str, stored: str) -> Array:
    """Return how far a sine or cosine may be from the exact one, angle and storage together.

    Stored, it is off by u of its own size, and by as much again if it was multiplied by a
    factor before; the sine itself is off by two units of the type it is computed in.
    """
    kept = 2.0 * UNIT[stored] * np.maximum(np.abs(values), LEAST[stored])
    bound: Array = kept + angle_error(angle, omega, angles) + 2.0 * UNIT[angles]
    return bound


def wrap(angles: Any) -> Any:
    """Return angles moved by whole turns to between -π and π."""
    return angles - math.tau * np.round(angles / math.tau)


def number(value: float) -> str:
    """Return a number as text, thousands set apart."""
    if value == round(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.6g}"
