"""The way back: the position that an encoding stands for."""

import numpy as np
from numpy.typing import ArrayLike

from posenc._checks import LAYOUTS, FloatArray, Layout, real_array, shown
from posenc.frequencies import frequencies
from posenc.sinusoids import sine_and_cosine_columns

# The least cosine between an encoding and the exact one of its position: noise that is nearly half
# as long as the encoding still passes.
LEAST_FIT = 0.9

# In tokens. The range begins at -1/2 itself: rounded to bfloat16, positions from there on are read
# up to 0.002 tokens too low, and twice that is let in. The range ends before λ - 1/2.
EDGE = 4e-3


def decode_positions(
    encodings: ArrayLike, *, base: float = 10_000.0, layout: Layout = "interleaved"
) -> FloatArray:
    r"""Return the position, in tokens, of each encoding; raise a ValueError if one fits nowhere.

    Parameters
    ----------
    encodings : array_like of real numbers, shape (..., d_model)
        Vectors as `sinusoidal` makes them, of any float type; small errors are allowed.
    base, layout : float, {"interleaved", "halves"}, optional
        Those of the encodings, as for `sinusoidal`.

    Returns
    -------
    ndarray of float64, shape (...)
        Positions in tokens, not rounded, from -1/2 to half a token below the longest
        wavelength λ. Within 0.004 tokens of an edge, either edge may be returned.

    Notes
    -----
    The angle of the slowest pair gives a first estimate. Each faster pair then refines it: its
    angle is known up to full turns, and the estimate tells which turn is meant. The error left is
    that of the fastest pair. Over all whole positions below λ - 1/2, with ``d_model=512`` and
    ``base=10_000`` (λ = 60 611.5 tokens), it is below 1e-10 tokens for encodings rounded to
    float64, 1e-7 for float32 and 1e-3 for float16.

    A faster pair finds the right turn only while the ratio of two neighbours' frequencies,
    ``base ** (2 / d_model)``, or its inverse, is below 2**52 for encodings in float64, 2**23 in
    float32 and 2**10 in float16. Where it is large, with few pairs and a large base, nearly every
    vector is close to the encoding of some position: then a wrong base or layout passes unseen.
    Refused are a vector whose cosine with every encoding of the range is below 0.9, and a pair
    (0, 0), which has no angle. A position out of range is read as one a multiple of λ away, if all
    pairs repeat there.

    Examples
    --------
    >>> from posenc import decode_positions, sinusoidal
    >>> print(decode_positions(sinusoidal([3, 141, 59_265], 512)).round(6))
    [3.0000e+00 1.4100e+02 5.9265e+04]
    """
    table = real_array(encodings, "encodings")
    width = table.shape[-1] if table.ndim else 0
    if width == 0 or width % 2:
        raise ValueError(
            "encodings must have a last axis of even length, a sine and a cosine for each "
            f"frequency, got shape {table.shape}"
        )
    omega = frequencies(width, base=base)
    with np.errstate(all="ignore"):  # a vector of zeros becomes NaN, and is refused below
        positions, cosines = _decode(table, omega, layout)
        if (cosines >= LEAST_FIT).all():
            return positions
        (other,) = set(LAYOUTS) - {layout}
        _, other_cosines = _decode(table, omega, other)
    hint = f'; they fit layout="{other}"' if (other_cosines >= LEAST_FIT).all() else ""
    refused = cosines < LEAST_FIT
    index = tuple(np.argwhere(refused)[0].tolist())  # () if there is one vector alone
    where = f"row {index} of " if index else ""
    raise ValueError(
        "encodings must be near the encoding of a position in the range, with no pair (0, 0)"
        f"{hint}, got {where}{shown(encodings)}"
    )


def _decode(table: FloatArray, omega: FloatArray, layout: Layout) -> tuple[FloatArray, FloatArray]:
    """Return (position of each encoding, its cosine with the exact encoding there).

    In place of the cosine stands -1 where a pair is (0, 0), and where the position is out of range.
    """
    # The length of a vector does not count, and its square must not overflow. A vector of zeros
    # becomes NaN, and has no position then.
    table = table / np.abs(table).max(axis=-1, keepdims=True)
    columns = sine_and_cosine_columns(layout, table.shape[-1])
    sines, cosines = (table[..., chosen] for chosen in columns)
    angles = np.arctan2(sines, cosines)
    slowest, *faster = np.argsort(omega)  # a base below 1 has the slowest pair first
    wavelength = 2 * np.pi / omega[slowest]
    # arctan2 gives angles from -π to π, and those of the range go from about 0 to 2π. Near either
    # end a small error decides between two turns: follow both, and keep the one that fits all
    # pairs.
    start = angles[..., slowest] / omega[slowest]
    positions = np.stack([start, start + wavelength])
    for pair in faster:
        # Of the turns that the pair may have made, the one nearest to the positions known so far.
        missing = angles[..., pair] - positions * omega[pair]
        positions += (missing - 2 * np.pi * np.round(missing / (2 * np.pi))) / omega[pair]
    # The cosine with the exact encoding, whose length is √m for m pairs: pair by pair, so that no
    # table of exact encodings is made.
    fit = np.zeros(positions.shape)
    for pair, frequency in enumerate(omega):
        turned = positions * frequency
        fit += sines[..., pair] * np.sin(turned) + cosines[..., pair] * np.cos(turned)
    fit /= np.linalg.norm(table, axis=-1) * np.sqrt(len(omega))
    without_angle = ((sines == 0) & (cosines == 0)).any(axis=-1)
    fit[..., without_angle] = -1
    # Half a token below the first whole position, 0, to half a token below the wavelength.
    in_range = (positions >= -0.5 - EDGE) & (positions < wavelength - 0.5)
    fit = np.where(in_range, fit, -1)
    first_fits = fit[0] >= fit[1]
    best_fit = np.where(first_fits, fit[0], fit[1])
    return np.where(first_fits, positions[0], positions[1]), best_fit
