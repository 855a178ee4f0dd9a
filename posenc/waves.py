"""The waves of the encoding: how fast each pair turns, and how many tokens a turn takes."""

import math
from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np

from posenc.checks import even_width, positive_base


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
    omega, _, _ = split_frequencies(even_width(d_model), positive_base(base))
    return omega.copy()


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


@lru_cache(maxsize=16)
def split_frequencies(d_model, base):
    """Return ω rounded, its upper half, and what that half lacks, each of shape (d_model/2,).

    The last two add up to ω with about 80 bits, which long positions need: a rounded ω is off
    by up to 1e-16 of itself, and a million tokens later the angle by 1e-10 radians.
    """
    with localcontext(prec=40):
        ratio = Decimal(base) ** (Decimal(-2) / d_model)
        exact = [Decimal(1)]
        for _ in range(d_model // 2 - 1):
            exact.append(exact[-1] * ratio)
        omega = np.array(exact, dtype=np.float64)
        if not np.isfinite(omega).all():
            raise ValueError(f"base must give frequencies that float64 can hold, got {base}")
        upper = upper_half(omega)
        lower = []
        for whole, half in zip(exact, upper, strict=True):
            rest = whole - Decimal(half)
            # What 40 digits do not tell from 0 is 0: a base of 16 has frequencies like 1/4.
            lower.append(0.0 if abs(rest) < whole.scaleb(-35) else float(rest))
    return omega, upper, np.array(lower)


def upper_half(numbers):
    """Return float64 `numbers` with the lower 27 of their 53 significant bits set to 0."""
    return (numbers.view(np.int64) & -(2**27)).view(np.float64)
