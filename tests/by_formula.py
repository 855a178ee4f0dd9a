"""What rounds tables, and turned rows written from the formula, for tests of verdicts."""

import numpy as np


def rounded_to_bfloat16(values):
    """Round to the upper half of a float32, to even at a tie."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


ROUNDINGS = {
    "float64": lambda table: table,
    "float32": lambda table: table.astype(np.float32),
    "float16": lambda table: table.astype(np.float16),
    "bfloat16": rounded_to_bfloat16,
    "4 decimals": lambda table: table.round(4),
}


def turn(x, angles, layout):
    """Turn the first columns of x, of shape (..., d), by angles, of shape (..., m)."""
    m = angles.shape[-1]
    first, second = (slice(0, 2 * m, 2), slice(1, 2 * m, 2))
    if layout == "halves":
        first, second = slice(0, m), slice(m, 2 * m)
    turned, a, b = np.array(x), x[..., first], x[..., second]
    turned[..., first] = a * np.cos(angles) - b * np.sin(angles)
    turned[..., second] = a * np.sin(angles) + b * np.cos(angles)
    return turned
