"""The sinusoidal encoding: its frequencies, its table, and the matrix that shifts it."""

import math

import numpy as np

from posenc.checks import (
    even_width,
    float_type,
    known_layout,
    position_array,
    positive_base,
    real_number,
)


def frequencies(d_model, *, base=10_000.0):
    r"""Return the angular frequency of each sine and cosine pair.

    Parameters
    ----------
    d_model : int
        Width of the encoding, positive and even.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.

    Returns
    -------
    ndarray of float64, shape (d_model/2,)
        Radians per token, from the first pair, which always has 1, to the last.

    Raises
    ------
    TypeError
        If `d_model` is no integer, or `base` no real number.
    ValueError
        If `d_model` is odd or not positive, or `base` not positive, not finite, or 1.

    Notes
    -----
    .. math:: \omega_i = n^{-2i/d}, \qquad 0 \le i \le d/2 - 1

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    Examples
    --------
    >>> from posenc import frequencies
    >>> print(frequencies(8))
    [1.    0.1   0.01  0.001]
    """
    width = even_width(d_model)
    with np.errstate(over="ignore"):
        omega = positive_base(base) ** (-np.arange(0, width, 2) / width)
    if not np.isfinite(omega).all():
        raise ValueError(f"base must give frequencies that float64 can hold, got {base}")
    return omega


def wavelengths(d_model, *, base=10_000.0):
    r"""Return how many tokens each sine and cosine pair takes for one turn.

    Parameters
    ----------
    d_model : int
        Width of the encoding, positive and even.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.

    Returns
    -------
    ndarray of float64, shape (d_model/2,)
        Tokens per turn. The first is 2π; the last is 2π n^((d-2)/d), not 2πn.

    Raises
    ------
    TypeError
        If `d_model` is no integer, or `base` no real number.
    ValueError
        If `d_model` is odd or not positive, or `base` not positive, not finite, or 1.

    Notes
    -----
    .. math:: \lambda_i = \frac{2\pi}{\omega_i} = 2\pi\, n^{2i/d}

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    Examples
    --------
    >>> from posenc import wavelengths
    >>> print(wavelengths(4, base=100).round(3))
    [ 6.283 62.832]
    """
    with np.errstate(over="ignore", divide="ignore"):
        lengths = 2 * math.pi / frequencies(d_model, base=base)
    if not np.isfinite(lengths).all():
        raise ValueError(f"base must give wavelengths that float64 can hold, got {base}")
    return lengths


def sinusoidal(positions, d_model, *, base=10_000.0, layout="interleaved", dtype=np.float64):
    r"""Return the sinusoidal positional encoding of each position.

    Parameters
    ----------
    positions : int or array_like of real numbers
        An int n means the positions 0 to n - 1. An array of any shape means the positions
        it holds; they may be negative or fractional.
    d_model : int
        Width of the encoding, positive and even.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    layout : {"interleaved", "halves"}, optional
        Interleaved puts sin(k ω_i) in column 2i and cos(k ω_i) in column 2i + 1.
        Halves puts all sines before all cosines.
    dtype : data-type, optional
        A NumPy float type. The computation is in float64 and rounded to it once.

    Returns
    -------
    ndarray of `dtype`, shape positions.shape + (d_model,)
        Values in [-1, 1], without unit. For an int n the shape is (n, d_model).

    Raises
    ------
    TypeError
        If `positions` are no real numbers, `d_model` is no integer, `base` no real number,
        or `dtype` no float type.
    ValueError
        If a count is negative, a position is NaN or infinite, `d_model` is odd or not
        positive, `base` is not positive, not finite, or 1, or the layout is unknown.

    See Also
    --------
    shift_matrix : The matrix that moves every encoding by the same number of tokens.

    Notes
    -----
    .. math:: P_{k,2i} = \sin(k\,\omega_i), \qquad P_{k,2i+1} = \cos(k\,\omega_i)

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
    omega = frequencies(d_model, base=base)
    sines, cosines = sine_and_cosine_columns(layout, 2 * omega.size)
    result_type = float_type(dtype)
    angles = _angles(position_array(positions)[..., np.newaxis], omega, base)
    table = np.empty((*angles.shape[:-1], 2 * omega.size), dtype=result_type)
    table[..., sines] = np.sin(angles)
    table[..., cosines] = np.cos(angles)
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
        If `offset` is NaN or infinite, `d_model` is odd or not positive, `base` is not
        positive, not finite, or 1, or the layout is unknown.

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
    angles = _angles(real_number(offset, "offset"), frequencies(d_model, base=base), base)
    width = 2 * angles.size
    columns = np.arange(width)
    sines, cosines = (columns[chosen] for chosen in sine_and_cosine_columns(layout, width))
    matrix = np.zeros((width, width))
    matrix[sines, sines] = matrix[cosines, cosines] = np.cos(angles)
    matrix[sines, cosines] = np.sin(angles)
    # 0 - x rather than -x: no shift is the identity, without a -0.
    matrix[cosines, sines] = 0 - np.sin(angles)
    return matrix


def _angles(positions, omega, base):
    """Return positions times frequencies, if float64 can hold them."""
    with np.errstate(over="ignore"):
        angles = positions * omega
    if not np.isfinite(angles).all():
        raise ValueError(
            f"positions and base must give angles that float64 can hold, got base {base} "
            f"and positions up to {np.abs(positions).max()}"
        )
    return angles


def sine_and_cosine_columns(layout, width):
    """Return the slices that pick the sine and the cosine columns of a layout."""
    if known_layout(layout) == "interleaved":
        return slice(0, width, 2), slice(1, width, 2)
    return slice(0, width // 2), slice(width // 2, width)
