"""Rotary embedding: pairs of columns turned by angles, and angles that grow with the position."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from posenc import _checks as checks
from posenc._checks import AnyFloats, FloatArray, Layout, Shape
from posenc.frequencies import angles_of, frequencies

DEFAULT_BASE = 10_000.0  # of `rope`, which cannot tell whether this number was given or left out


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # inf and NaN are refused below
def rotate(x: ArrayLike, angles: ArrayLike, *, layout: Layout = "interleaved") -> AnyFloats:
    r"""Return a copy of `x`, float32 or float64, whose pairs of columns are turned by `angles`.

    Parameters
    ----------
    x : array_like of real numbers, shape (..., d)
        Vectors. float32 stays float32; every other type is computed in float64.
    angles : array_like of real numbers, shape (..., m)
        Radians, one angle for each pair. The leading axes broadcast to those of `x`. With 2m
        below d, the first 2m columns turn and the others stay as they are.
    layout : {"interleaved", "halves"}, optional
        Which columns form pair i of the 2m. Interleaved pairs 2i with 2i + 1, as GPT-J;
        halves pairs i with i + m, as GPT-NeoX.

    Returns
    -------
    ndarray of float32 or float64, the shape of `x`
        A new array; each row has the length of the row of `x`.

    Notes
    -----
    A pair (a, b) is the complex number a + jb, and turning it by θ is one product, as Su et al.
    have it ("RoFormer: Enhanced Transformer with Rotary Position Embedding", 2024, section 3.4.2):

    .. math:: (a + jb)\,(\cos\theta + j \sin\theta)

    Sines and cosines are those of the float64 angles that are given, however large, and are
    rounded once to the type of the result.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import rotate
    >>> quarter = np.pi / 2
    >>> print(rotate([1, 0, 3, 4], [quarter, 0]).round(6))
    [0. 1. 3. 4.]
    >>> print(rotate([1, 0, 3, 4], [quarter, 0], layout="halves").round(6))
    [-3.  0.  1.  4.]
    """
    rows = checks.float_array(x, "x")
    checks.known_layout(layout)
    theta = checks.real_array(angles, "angles")
    shape = (*rows.shape[:-1], *theta.shape[-1:])
    fits = rows.ndim and theta.ndim and 2 * theta.shape[-1] <= rows.shape[-1]
    if not fits or checks.broadcast(theta.shape, shape) != shape:
        raise ValueError(
            "angles must be at most one for two columns of x, with leading axes that broadcast to "
            f"those of x, got shapes {theta.shape} and {rows.shape}"
        )
    turns = np.cos(theta) + 1j * np.sin(theta)
    kind = np.result_type(rows.dtype, np.complex64)  # complex64 for float32, complex128 for float64
    turns = turns.astype(kind, copy=False)
    # A copy, whose neighbouring columns are neighbours in memory whatever the order of x.
    turned, m = np.array(rows, order="C"), theta.shape[-1]
    if layout == "interleaved":  # two neighbours in memory are a complex number already
        pairs = turned[..., : 2 * m].view(turns.dtype)
        pairs *= turns
    else:
        pairs = np.empty(shape, turns.dtype)
        pairs.real, pairs.imag = rows[..., :m], rows[..., m : 2 * m]
        pairs *= turns
        turned[..., :m], turned[..., m : 2 * m] = pairs.real, pairs.imag
    if not np.isfinite(turned).all():
        raise ValueError(f"x must be finite, turned or not, got {checks.shown(x)}")
    return turned


def rope(
    x: ArrayLike,
    positions: ArrayLike,
    *,
    base: float = 10_000.0,
    frequencies: ArrayLike | None = None,
    layout: Layout = "interleaved",
) -> AnyFloats:
    r"""Return a float32 or float64 copy of `x`, each pair turned by position times frequency: RoPE.

    Parameters
    ----------
    x : array_like of real numbers, shape (..., n_positions, d)
        Queries or keys; heads and batches are leading axes. d is positive and even.
        float32 stays float32; every other type is computed in float64.
    positions : int or array_like of real numbers
        An int n means the positions 0 to n - 1, and n must be n_positions. An array holds the
        positions, of either sign, whole or not. Its shape is (n_positions,), or it has an axis
        for each leading axis of `x`: positions of shape (batch, n_positions) for `x` of shape
        (batch, heads, n_positions, d) are given as ``positions[:, None, :]``.
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    frequencies : array_like of real numbers, shape (m,), optional
        Radians per token of each pair, in place of those of a base. With 2m below d, only
        the first 2m columns turn, and d may be odd.
    layout : {"interleaved", "halves"}, optional
        Which columns form pair i, as in `rotate`. RoFormer, GPT-J and the port of Llama 4 in
        Transformers are interleaved; GPT-NeoX and the port of Llama have halves.

    Returns
    -------
    ndarray of float32 or float64, shape (..., n_positions, d)
        Each row has the length of the row of `x`.

    Notes
    -----
    Pair i of the row at position k turns by k ω_i, as in `rotate`, where the source is named. The
    dot product of a rotated query and a rotated key depends on their positions through the
    difference alone. Angles are float64 numbers, rounded: at position k they are off by up to
    2.3e-16 k ω_i radians, so by 2e-10 at position 1 000 000 and by 2 at 2**53 radians, where the
    numbers end that are taken. Sines and cosines are rounded once, to the type of the result.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import rope
    >>> rows = np.ones((8, 4))
    >>> turned = rope(rows, 8)
    >>> print((turned[2] @ turned[5]).round(6), (turned[4] @ turned[7]).round(6))
    0.019115 0.019115
    """
    rows = checks.float_array(x, "x")
    if rows.ndim < 2:
        raise ValueError(f"x must have at least two axes, positions and d, got shape {rows.shape}")
    omega = _frequencies_or_given(rows.shape, base, frequencies)
    of_rows = _positions_of_rows(positions, rows.shape)
    return rotate(rows, angles_of(of_rows[..., np.newaxis], omega), layout=layout)


def _frequencies_or_given(shape: Shape, base: Any, given: Any) -> FloatArray:
    """Return the given frequencies, or, if they are None, those of a base for an x of `shape`.

    Raises if more than one is given for two columns of x, or a base other than the default with
    them.
    """
    width = shape[-1]
    if given is None:
        if width == 0 or width % 2:
            raise ValueError(
                "x must have a last axis of even length, two columns for each frequency, "
                f"got shape {shape}"
            )
        return frequencies(width, base=base)
    # An array is never the default base. To compare it with a number would give an array.
    if np.ndim(base) or base != DEFAULT_BASE:
        raise ValueError(f"base must not be given where frequencies are, got {checks.shown(base)}")
    omega = checks.real_array(given, "frequencies")
    if omega.ndim != 1 or 2 * omega.size > width:
        raise ValueError(
            f"frequencies must have one axis of at most {width // 2}, one for two columns of x of "
            f"shape {shape}, got shape {omega.shape}"
        )
    return omega


def _positions_of_rows(positions: Any, shape: Shape) -> FloatArray:
    """Return the position of each row of an x of `shape`: it broadcasts to shape[:-1]."""
    count = checks.position_count(positions)
    # A count of 1 would broadcast, and put every row at position 0.
    if count is not None and count != shape[-2]:
        raise ValueError(
            f"positions as a count must be {shape[-2]}, the rows of x of shape {shape}, got {count}"
        )
    checked = checks.position_array(positions)
    # One number would put every row at the same position, and two axes would meet those of three
    # from the right: the positions of a batch would become those of its heads.
    one_for_each = checked.ndim in (1, len(shape) - 1)
    if not one_for_each or checks.broadcast(checked.shape, shape[:-1]) != shape[:-1]:
        hint = ""
        if not checked.ndim:
            hint = "; for the same position in every row write [k]"
        elif len(shape) > 3 and checked.shape == (shape[0], shape[-2]):  # of a batch, without heads
            heads = "None, " * (len(shape) - 3)
            hint = f"; for those of each batch write positions[:, {heads}:]"
        raise ValueError(
            "positions must be a count, or have one axis or an axis for each leading axis of x and "
            f"broadcast to {shape[:-1]}, got shape {checked.shape}{hint}"
        )
    return checked
