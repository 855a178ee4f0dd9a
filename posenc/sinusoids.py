"""The sinusoidal encoding: its table, the matrix that shifts it, and the way back to positions."""

from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from posenc._checks import (
    LAYOUTS,
    AnyFloats,
    FloatArray,
    Layout,
    even_width,
    known_layout,
    new_array,
    position_array,
    position_range,
    positive_base,
    real_array,
    real_number,
    shown,
    table_to_fill,
)
from posenc._table import fill_positions, fill_range, rows_of_pairs
from posenc.frequencies import frequencies, wavelengths

# The cosine between an encoding and the nearest exact one: noise that is nearly half as long as
# the encoding still passes.
LEAST_FIT = 0.9


def sinusoidal(
    positions: ArrayLike,
    d_model: SupportsIndex,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    dtype: DTypeLike = np.float64,
    out: AnyFloats | None = None,
) -> AnyFloats:
    r"""Return the sinusoidal positional encoding of each position.

    Parameters
    ----------
    positions : int or array_like of real numbers
        An int n means the positions 0 to n - 1. An array of any shape means the positions
        it holds; they may be negative or fractional. A float means one position.
    d_model : int
        Width of the encoding, positive and even.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    layout : {"interleaved", "halves"}, optional
        Interleaved puts sin(k ω_i) in column 2i and cos(k ω_i) in column 2i + 1.
        Halves puts all sines before all cosines.
    dtype : data-type, optional
        A NumPy float type. The computation is in float64 and rounded to it once.
    out : ndarray, shape positions.shape + (d_model,), optional
        A C-contiguous array of a NumPy float type to fill and return in place of a new one;
        `dtype` is then not used. It may overlap `positions`.

    Returns
    -------
    ndarray of `dtype`, shape positions.shape + (d_model,)
        Values in [-1, 1], without unit. For an int n the shape is (n, d_model).

    Raises
    ------
    TypeError
        If `positions` are no real numbers, `d_model` is no integer, `base` no real number,
        `dtype` no float type, or `out` no array of one.
    ValueError
        If a count is negative, a position is NaN, infinite, or not held exactly by float64,
        an angle is above 2**53 radians, where float64 has no fractions, `d_model` is odd, not
        positive or above 262 144, `base` is not positive, not finite, or 1, the layout is
        unknown, `out` has another shape or cannot be filled, the table would not fit in
        memory, or `positions` is an integer array of no axes, which could mean a count.

    See Also
    --------
    shift_matrix : The matrix that moves every encoding by the same number of tokens.

    Notes
    -----
    .. math:: P_{k,2i} = \sin(k\,\omega_i), \qquad P_{k,2i+1} = \cos(k\,\omega_i)

    The error of a float64 entry is at most ``1.6e-15 + 2**-73 * abs(k * ω_i)``, for every
    width, base and position, if NumPy's sine and cosine are off by at most one unit in the
    last place. The bound follows from how the table is made; up to position 1 000 000 the
    largest error known is 6.6e-16. Other types are rounded from this once.

    Consecutive whole positions, 16 or more, are made by rotation: a few rows come from sines,
    and turning them gives the others. An int, a range, and runs in an array, such as those of
    a cache or of a packed batch, take this way, and a row has the same bits in each of them
    and in tables of any length. Very large tables are shared between up to three threads,
    where these can be had. Other positions are evaluated one by one.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> print(sinusoidal(3, 4, base=100).round(3))
    [[ 0.     1.     0.     1.   ]
     [ 0.841  0.54   0.1    0.995]
     [ 0.909 -0.416  0.199  0.98 ]]
    >>> sinusoidal([[0, 7], [2.5, -1]], 512).shape
    (2, 2, 512)
    """
    width, checked_base = even_width(d_model), positive_base(base)
    known_layout(layout)
    whole = position_range(positions)
    if whole is not None:
        count = max(0, whole.stop - whole.start)
        table = table_to_fill(out, (count, width), dtype)
        fill_range(np.asarray(table), layout, whole.start, checked_base)
        return table
    checked = position_array(positions)
    table = table_to_fill(out, (*checked.shape, width), dtype)
    if np.may_share_memory(checked, table):
        checked = checked.copy()
    rows = np.asarray(table).reshape(-1, width)
    fill_positions(rows, layout, checked.reshape(-1), checked_base)
    return table


def shift_matrix(
    offset: float, d_model: SupportsIndex, *, base: float = 10_000.0, layout: Layout = "interleaved"
) -> FloatArray:
    r"""Return the matrix that moves every encoding by `offset` tokens.

    Parameters
    ----------
    offset : float
        The shift Δ in tokens, of either sign, whole or not.
    d_model : int
        Width of the encoding, positive and even.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    layout : {"interleaved", "halves"}, optional
        The order of the columns of the encodings it acts on, as in `sinusoidal`.

    Returns
    -------
    ndarray of float64, shape (d_model, d_model)
        M(Δ), orthogonal, with ``sinusoidal(k + offset) == M @ sinusoidal(k)`` for every k.
        A whole table has positions as rows: ``table @ M.T`` shifts it.

    Raises
    ------
    TypeError
        If `offset` or `base` is no real number, or `d_model` no integer.
    ValueError
        If `offset` is NaN, infinite, or has an angle above 2**53 radians, `d_model` is odd, not
        positive or above 262 144, `base` is not positive, not finite, or 1, the layout is
        unknown, or the matrix would not fit in memory.

    Notes
    -----
    In the (sin, cos) order of one pair, the block of pair i is a rotation by -ω_i Δ:

    .. math::
        \begin{pmatrix} \cos \omega_i\Delta & \sin \omega_i\Delta \\
        -\sin \omega_i\Delta & \cos \omega_i\Delta \end{pmatrix}

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5, states that such a
    matrix exists; the sum formulas of sine and cosine prove it.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import shift_matrix, sinusoidal
    >>> table = sinusoidal(12, 8)
    >>> np.allclose(shift_matrix(5, 8) @ table[2], table[7])
    True
    """
    width = even_width(d_model)
    offsets = np.array([real_number(offset, "offset")])
    (pairs,) = rows_of_pairs(offsets, width, positive_base(base))
    columns = np.arange(width)
    sines, cosines = (columns[chosen] for chosen in sine_and_cosine_columns(layout, width))
    matrix = new_array((width, width), np.float64, "offset and d_model")
    matrix[...] = 0
    matrix[sines, sines] = matrix[cosines, cosines] = pairs.imag
    matrix[sines, cosines] = pairs.real
    matrix[cosines, sines] = -pairs.real
    matrix += 0.0  # turns -0.0 into 0.0: no shift is the identity
    return matrix


def sine_and_cosine_columns(layout: Layout, width: int) -> tuple[slice, slice]:
    """Return the slices that pick the sine and the cosine columns of a layout."""
    if known_layout(layout) == "interleaved":
        return slice(0, width, 2), slice(1, width, 2)
    return slice(0, width // 2), slice(width // 2, width)


def decode_positions(
    encodings: ArrayLike, *, base: float = 10_000.0, layout: Layout = "interleaved"
) -> FloatArray:
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
        wavelength λ. Within the resolution of an edge, either edge may be returned.

    Raises
    ------
    TypeError
        If `encodings` are no real numbers, or `base` no real number.
    ValueError
        If the last axis is odd or empty, an entry is NaN or infinite, a pair is (0, 0) and
        so has no angle, `base` is not positive, not finite, or 1, or the layout is unknown.
        If no position in the range fits: the encoding of each has a cosine below 0.9 with
        the one given. If the type has too few digits for the gap between two pairs.

    See Also
    --------
    sinusoidal : The encoding of a position.
    wavelengths : Its last entry is the longest wavelength λ, if `base` is above 1.

    Notes
    -----
    The angle of the slowest pair gives a first estimate. Each faster pair then refines it: its
    angle is known up to full turns, and the estimate tells which turn is meant. At the ends
    of λ a small error may carry the first estimate to the other end, so two are followed, a
    turn apart; the one that fits all pairs is kept. The error left is that of the fastest
    pair. Over all whole positions below λ - 1/2, with ``d_model=512`` and ``base=10_000``
    (λ = 60 611.5 tokens), it is below 1e-10 tokens for encodings rounded to float64, 1e-7 for
    float32 and 1e-3 for float16.

    A faster pair picks the right turn while the error of the slower one, in radians, stays
    below π divided by the ratio of their frequencies, ``base ** (2 / d_model)``. So that
    ratio, or its inverse, must be below 2**52 for encodings in float64, 2**23 in float32 and
    2**10 in float16. Where it is large, with few pairs and a large base, nearly every vector
    is close to the encoding of some position: then a wrong base or layout passes unseen. A
    position out of range is read as one a multiple of λ away, if all pairs repeat there.

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
    lengths, omega = wavelengths(width, base=base), frequencies(width, base=base)
    epsilon = _spacing_of(encodings)
    ratio = max(lengths[1] / lengths[0], lengths[0] / lengths[1]) if width > 2 else 1.0
    if ratio * epsilon >= 1:
        raise ValueError(
            "encodings must have more digits to tell the turns of pairs whose frequencies differ "
            f"by a factor of {ratio:.3g}, at most {1 / epsilon:.3g} for this type, got width "
            f"{width} and base {base}"
        )
    known_layout(layout)
    with np.errstate(all="ignore"):
        positions, fit = _read(table, omega, layout, epsilon)
        if (fit >= LEAST_FIT).all():
            return positions
        (other,) = set(LAYOUTS) - {layout}
        _, other_fit = _read(table, omega, other, epsilon)
    hint = f'; they fit layout="{other}"' if (other_fit >= LEAST_FIT).all() else ""
    index = tuple(int(i) for i in np.argwhere(~(fit >= LEAST_FIT))[0])
    of_layout = (table[index][columns] for columns in sine_and_cosine_columns(layout, width))
    what = "be near the encoding of a position in the range"
    if any(sine == 0 == cosine for sine, cosine in zip(*of_layout, strict=True)):
        what = "have an angle in each pair, not (0, 0)"
    where = f"row {index} of " if index else ""
    raise ValueError(f"encodings must {what}{hint}, got {where}{shown(encodings)}")


def _spacing_of(encodings: Any) -> float:
    """Return the distance from 1 to the next number of the type of the encodings."""
    kind = np.asarray(encodings).dtype if hasattr(encodings, "__array__") else np.dtype(float)
    digits = {2: 10, 4: 23}.get(kind.itemsize, 52) if kind.kind == "f" else 52
    return 2.0**-digits


def _read(
    table: FloatArray, omega: FloatArray, layout: Layout, epsilon: float
) -> tuple[FloatArray, FloatArray]:
    """Return the positions read, and the cosine of each encoding with that of its position."""
    table = table / np.abs(table).max(axis=-1, keepdims=True, initial=0)
    columns = sine_and_cosine_columns(layout, table.shape[-1])
    sines, cosines = (table[..., chosen] for chosen in columns)
    angles = np.arctan2(sines, cosines)
    slowest, *faster = np.argsort(omega, kind="stable")
    start = angles[..., slowest] / omega[slowest]
    # The angle of the slowest pair is known up to a turn. Near either end of its wavelength a
    # small error decides which: follow both, and keep the one that fits all pairs.
    positions = np.stack([start, start + 2 * np.pi / omega[slowest]])
    for pair in faster:
        missing = angles[..., pair] - positions * omega[pair]
        positions += (missing - 2 * np.pi * np.round(missing / (2 * np.pi))) / omega[pair]
    fit = np.zeros(positions.shape)
    for pair, frequency in enumerate(omega):
        turned = positions * frequency
        fit += sines[..., pair] * np.sin(turned) + cosines[..., pair] * np.cos(turned)
    fit /= np.linalg.norm(table, axis=-1) * np.sqrt(len(omega))
    fit[..., ((sines == 0) & (cosines == 0)).any(axis=-1)] = -1
    resolution = max(1e-10, 4 * epsilon)
    in_range = (positions >= -0.5 - resolution) & (positions < 2 * np.pi / omega[slowest] - 0.5)
    fit = np.where(in_range, fit, -1)
    best = fit[0] >= fit[1]
    return np.where(best, positions[0], positions[1]), np.where(best, fit[0], fit[1])
