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


def coarsest(values: Array, slack: float = 0.0) -> str:
    """Return the coarsest type that holds all of the values, up to `slack` of each."""
    for kind in BITS:
        if (np.abs(rounded_to(values, kind) - values) <= slack * np.abs(values)).all():
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
    return angles - math.tau * np.rint(angles / math.tau)
