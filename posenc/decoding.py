"""Reading positions back from their encodings."""

import numpy as np

from posenc.checks import real_array, shown
from posenc.sinusoids import sine_and_cosine_columns
from posenc.waves import frequencies


def decode_positions(encodings, *, base=10_000.0, layout="interleaved"):
    r"""Return the position that each encoding stands for.

    Parameters
    ----------
    encodings : array_like of real numbers, shape (..., d_model)
        Vectors as `sinusoidal` makes them, of any float type; small errors are allowed.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    layout : {"interleaved", "halves"}, optional
        The order of the columns, as in `sinusoidal`.

    Returns
    -------
    ndarray of float64, shape (...)
        Positions in tokens, not rounded, from -1/2 to half a token below the longest
        wavelength λ. The encoding of a position outside this range is read as another
        position: one that differs by a multiple of λ, if all pairs repeat there.

    Raises
    ------
    TypeError
        If `encodings` are no real numbers, or `base` no real number.
    ValueError
        If the last axis is odd or empty, an entry is NaN or infinite, a pair is (0, 0) and
        so has no angle, `base` is not positive, not finite, or 1, or the layout is unknown.

    See Also
    --------
    sinusoidal : The encoding of a position.
    wavelengths : Its last entry is the longest wavelength λ, if `base` is above 1.

    Notes
    -----
    The angle of the slowest pair gives a first estimate. Each faster pair then mends it: its
    angle is known up to full turns, and the estimate tells which turn is meant. At the ends
    of λ a small error may carry the first estimate to the other end, so two are followed, a
    turn apart; the one that fits all pairs is kept. The error left is that of the fastest
    pair. Over all whole positions below λ - 1/2, with ``d_model=512`` and ``base=10_000``
    (λ = 60 611.5 tokens), it is below 1e-10 tokens for encodings rounded to float64, 1e-7 for
    float32 and 1e-3 for float16.

    A faster pair picks the right turn while the error of the slower one, in radians, stays
    below π divided by the ratio of their frequencies, ``base ** (2 / d_model)``.

    References
    ----------
    The angle of a pair is its two-argument arctangent. Refining a coarse angle by finer ones
    is how the vernier of an instrument and a set of clock hands are read.

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
    sines, cosines = (table[..., columns] for columns in sine_and_cosine_columns(layout, width))
    if ((sines == 0) & (cosines == 0)).any():
        raise ValueError(
            f"encodings must have an angle in each pair, got a pair (0, 0) in {shown(encodings)}"
        )
    angles = np.arctan2(sines, cosines)
    slowest, *faster = np.argsort(omega, kind="stable")
    longest = 2 * np.pi / omega[slowest]
    start = angles[..., slowest] / omega[slowest]
    # The angle of the slowest pair is known up to a turn. Near either end of its wavelength a
    # small error decides which: follow both, and keep the one that fits all pairs.
    positions = np.stack([start, start + longest])
    for pair in faster:
        missing = angles[..., pair] - positions * omega[pair]
        positions = positions + np.remainder(missing + np.pi, 2 * np.pi) / omega[pair]
        positions = positions - np.pi / omega[pair]
    fit = np.zeros(positions.shape)
    for pair, frequency in enumerate(omega):
        fit += np.cos(angles[..., pair] - positions * frequency)
    in_range = (positions >= -0.5) & (positions < longest - 0.5)
    best = np.where(in_range, fit, fit - 2 * width).argmax(axis=0)
    return np.where(best == 0, positions[0], positions[1])
