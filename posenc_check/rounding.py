"""How far numbers of a float type may be from the exact ones."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_check.storage import BITS, rounded_to

Array = npt.NDArray[np.float64]

# The unit roundoff of each type, coarsest first.
UNIT = {name: 2.0**-bits for name, bits in BITS.items()}
SHORT = ("bfloat16", "float16")

# Stands for 0 in a divisor: the quotient is then so large a tolerance that it allows everything.
TINY = 1e-300


def coarsest(values: Array) -> str:
    """Return the name of the coarsest float type that holds all values exactly."""
    return next((kind for kind in BITS if (rounded_to(values, kind) == values).all()), "float64")


def angle_error(angle: Array, omega: Array, kind: str) -> Array:
    r"""Return by how many radians a computed angle kω may be off.

    With u the unit roundoff of the type the angle is computed in, and ω the exponential of
    x = ln ω: the factor of x and its product with i round twice, which moves ω by 2u\|x\|; the
    exponential, or a power and its inverse, and a scaled frequency add at most 2u + u\|x\|; the
    product with k adds u. Together \|kω\| u (3 + 3 \|ln ω\|).
    """
    # A pair that does not turn has angles of 0, whatever is put in for its logarithm.
    logs = np.log(np.where(omega == 0, 1.0, np.abs(omega)))
    bound: Array = np.abs(angle) * UNIT[kind] * (3.0 + 3.0 * np.abs(logs))
    return bound


def wrap(angles: Any) -> Any:
    """Return angles in radians, moved by whole turns to between -π and π."""
    return angles - math.tau * np.rint(angles / math.tau)
