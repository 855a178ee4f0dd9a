"""Tables and turned rows written from the formula, and what rounds them, for tests of verdicts."""

import numpy as np


def rounded_to_bfloat16(values):
    """Round to the upper half of a float32, to even at a tie."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


# What rounds, and how far the base and the scale may then be off, as a part of themselves.
ROUNDINGS = {
    "float64": (lambda table: table, 1e-6),
    "float32": (lambda table: table.astype(np.float32), 1e-5),
    "float16": (lambda table: table.astype(np.float16), 2e-2),
    "bfloat16": (rounded_to_bfloat16, 2e-2),
    "4 decimals": (lambda table: table.round(4), 1e-2),
}


def encoded(places, omega, layout):
    """Return sines and cosines in the columns of a layout, as float64 has them."""
    angles = np.asarray(places, float)[:, np.newaxis] * omega
    pairs = np.sin(angles), np.cos(angles)
    if layout == "halves":
        return np.concatenate(pairs, axis=1)
    return np.stack(pairs, axis=-1).reshape(len(angles), -1)


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
