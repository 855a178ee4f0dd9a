"""The frequencies of the encoding: how fast each pair turns, and how many tokens a turn takes."""

import math
from typing import SupportsIndex

import numpy as np

from posenc._checks import FloatArray, even_width, positive_base
from posenc._kept import kept


def frequencies(d_model: SupportsIndex, *, base: float = 10_000.0) -> FloatArray:
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
        If `d_model` is odd, not positive or above 262 144, or `base` not positive, not finite,
        or 1, or so extreme that the result would overflow.

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


def wavelengths(d_model: SupportsIndex, *, base: float = 10_000.0) -> FloatArray:
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
        If `d_model` is odd, not positive or above 262 144, or `base` not positive, not finite,
        or 1, or so extreme that the result would overflow.

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


@kept
def split_frequencies(d_model: int, base: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return ω rounded, its first 26 bits, and the rest, each of shape (d_model/2,).

    The last two add up to ω with about 80 bits, which distant positions need: a rounded ω is off
    by up to 1e-16 of itself, and a million tokens later the angle by 1e-10 radians.
    """
    pairs = d_model // 2
    # Whole numbers, as many times 2**-bits: exact, and the same wherever they are computed.
    bits = 160 + abs(math.frexp(base)[1])
    one = 1 << bits
    exact = [one]
    if pairs > 1:
        ratio = _ratio(base, pairs, bits)
        for _ in range(pairs - 1):
            exact.append(exact[-1] * ratio >> bits)
    upper = [whole >> (low := whole.bit_length() - 26) << low for whole in exact]
    try:
        # Python divides integers with one rounding.
        columns = [
            [whole / one for whole in exact],
            [whole / one for whole in upper],
            [(whole - first) / one for whole, first in zip(exact, upper, strict=True)],
        ]
    except OverflowError:
        raise ValueError(f"base must give frequencies that float64 can hold, got {base}") from None
    rounded, first, rest = np.array(columns)
    return rounded, first, rest


def _ratio(base: float, pairs: int, bits: int) -> int:
    """Return base ** (-1 / pairs), the ratio of two frequencies, as a multiple of 2**-bits."""
    one = 1 << bits
    numerator, denominator = base.as_integer_ratio()
    first, parts = math.pow(base, -1 / pairs).as_integer_ratio()
    ratio = (first << bits) // parts
    # Newton's method. The 50 digits of float64 that are right become 80, and then 150 and all.
    for _ in range(3):
        power = one
        for digit in f"{pairs:b}":
            power = power * power >> bits
            if digit == "1":
                power = power * ratio >> bits
        lacks = one - power * numerator // denominator  # base * ratio**pairs should be 1
        ratio += ratio * lacks // (pairs << bits)
    return ratio
