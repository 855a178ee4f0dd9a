"""Float types: numbers rounded to one, and how far these may be from the exact ones."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
AnyTable = npt.NDArray[Any]
Indices = npt.NDArray[np.integer[Any]]

# Significant bits of each float type, coarsest first, and its least number that has all of them.
BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
LEAST = {"bfloat16": 2.0**-126, "float16": 2.0**-14, "float32": 2.0**-126, "float64": 2.0**-1022}
# The types of 16 bits, coarsest first.
SHORT = ("bfloat16", "float16")
# The unit roundoff of each type.
UNIT = {name: 2.0**-bits for name, bits in BITS.items()}

# Stands for 0 in a divisor, where the quotient is then so large a tolerance that it allows
# everything, and in a logarithm.
TINY = 1e-300


def last_place(values: Array, kind: str) -> Array:
    """Return the step between neighbouring numbers of a float type (ulp), at each value."""
    # Below the least number with all of its bits, the steps get no smaller.
    exponent = np.frexp(np.maximum(np.abs(values), LEAST[kind]))[1]  # sizes are below 2**exponent
    return np.asarray(np.ldexp(1.0, exponent - BITS[kind]))


def rounded_to(values: npt.ArrayLike, kind: str) -> Array:
    """Return values rounded to a float type of `BITS`, ties to even, as float64."""
    exact = np.asarray(values, np.float64)
    if kind == "bfloat16":  # which NumPy lacks
        step = last_place(exact, kind)
        return np.asarray(np.round(exact / step) * step)
    with np.errstate(over="ignore"):  # what is too large for the type becomes inf
        return exact.astype(kind, copy=False).astype(np.float64, copy=False)


def coarsest(values: Array) -> str:
    """Return the name of the coarsest float type that holds all these finite values exactly."""
    return next(kind for kind in BITS if (rounded_to(values, kind) == values).all())


def angle_error(angle: Array, omega: Array, kind: str) -> Array:
    r"""Return by how many radians each angle kω may be off that is computed in a float type.

    With u the unit roundoff of the type the angle is computed in, and ω the exponential of
    x = ln ω: the factor of x and its product with i round twice, which moves ω by 2u\|x\|; the
    exponential, or a power and its inverse, and a scaled frequency add at most 2u + u\|x\|; the
    product with k adds u. Together \|kω\| u (3 + 3 \|ln ω\|).
    """
    # A pair may turn backwards, by a frequency below 0: the logarithm is of its size. A pair that
    # does not turn has angles of 0, whatever is put in for its logarithm.
    logs = np.log(np.where(omega == 0, 1.0, np.abs(omega)))
    return np.asarray(np.abs(angle) * UNIT[kind] * (3.0 + 3.0 * np.abs(logs)))


def wrap(angles: Any) -> Any:
    """Return angles in radians, each moved by whole turns to between -π and π."""
    return angles - math.tau * np.rint(angles / math.tau)
