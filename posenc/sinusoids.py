"""The sinusoidal encoding: its table, and the matrix that shifts it."""

import numpy as np

from posenc.checks import (
    even_width,
    known_layout,
    new_array,
    position_array,
    position_range,
    positive_base,
    real_number,
    table_to_fill,
)
from posenc.rotation import fill_places, fill_range, rows_of_pairs


def sinusoidal(
    positions, d_model, *, base=10_000.0, layout="interleaved", dtype=np.float64, out=None
):
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
    places = position_array(positions)
    table = table_to_fill(out, (*places.shape, width), dtype)
    if np.may_share_memory(places, table):
        places = places.copy()
    rows = np.asarray(table).reshape(-1, width)
    fill_places(rows, layout, places.reshape(-1), checked_base)
    return table


def shift_matrix(offset, d_model, *, base=10_000.0, layout="interleaved"):
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
    place = np.array([real_number(offset, "offset")])
    (pairs,) = rows_of_pairs(place, width, positive_base(base))
    columns = np.arange(width)
    sines, cosines = (columns[chosen] for chosen in sine_and_cosine_columns(layout, width))
    matrix = new_array((width, width), np.float64, "offset and d_model")
    matrix[...] = 0
    matrix[sines, sines] = matrix[cosines, cosines] = pairs.imag
    matrix[sines, cosines] = pairs.real
    matrix[cosines, sines] = -pairs.real
    return matrix + 0.0  # turns -0.0 into 0.0: no shift is the identity


def sine_and_cosine_columns(layout, width):
    """Return the slices that pick the sine and the cosine columns of a layout."""
    if known_layout(layout) == "interleaved":
        return slice(0, width, 2), slice(1, width, 2)
    return slice(0, width // 2), slice(width // 2, width)
