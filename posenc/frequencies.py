"""The frequencies of the encoding: how fast each pair turns, and how many tokens a turn takes."""

from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import SupportsIndex

import numpy as np

from posenc._checks import FloatArray, even_width, positive_base

# Beyond this neighbouring float64 angles are more than a radian apart.
LARGEST_ANGLE = 2.0**53

# Decimal digits of a frequency before it is split. Its two parts hold some 80 bits, which are 25
# digits, and the powers of a ratio lose a few.
DIGITS = 50


def frequencies(d_model: SupportsIndex, *, base: float = 10_000.0) -> FloatArray:
    r"""Return the angular frequency of each sine and cosine pair, in radians per token.

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

    Notes
    -----
    .. math:: \omega_i = n^{-2i/d}, \qquad 0 \le i \le d/2 - 1

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    Examples
    --------
    >>> from posenc import frequencies
    >>> print(frequencies(8))
    [1.    0.1   0.01  0.001]
    """
    # The two parts, which have the digits that float64 rounds away, are for distant positions.
    omega, _upper, _rest = split_frequencies(even_width(d_model), positive_base(base))
    return omega.copy()  # split_frequencies keeps its arrays for the next call


def wavelengths(d_model: SupportsIndex, *, base: float = 10_000.0) -> FloatArray:
    r"""Return how many tokens each sine and cosine pair takes for one turn.

    Parameters
    ----------
    d_model, base : int, float
        As for `frequencies`.

    Returns
    -------
    ndarray of float64, shape (d_model/2,)
        Tokens per turn. The first is 2π; the last is 2π n^((d-2)/d), not 2πn.

    Notes
    -----
    .. math:: \lambda_i = \frac{2\pi}{\omega_i} = 2\pi\, n^{2i/d}

    Examples
    --------
    >>> from posenc import wavelengths
    >>> print(wavelengths(4, base=100).round(3))
    [ 6.283 62.832]
    """
    return 2 * np.pi / frequencies(d_model, base=base)


@lru_cache(maxsize=8)  # powers of decimals take long, and a program has few widths and bases
def split_frequencies(d_model: int, base: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return (ω rounded to float64, its first 26 bits, exact ω less those), each (d_model/2,).

    The last two add up to ω with about 80 bits, which distant positions need: a rounded ω is off
    by up to 1e-16 of itself, and a million tokens later the angle by 1e-10 radians.
    """
    with localcontext(Context(prec=DIGITS)):  # whatever digits the caller's decimals have
        ratio = Decimal(base) ** (Decimal(-2) / d_model)  # n^(-2/d)
        exact = [ratio**i for i in range(d_model // 2)]  # n^(-2i/d)
        omega = np.array([float(number) for number in exact])
        if not np.isfinite(omega).all():
            raise ValueError(f"base must leave {d_model // 2} finite frequencies, got {base}")
        upper = upper_half(omega)
        rest = [float(w - Decimal(part)) for w, part in zip(exact, upper, strict=True)]
    return omega, upper, np.array(rest)


@np.errstate(over="ignore", under="ignore")  # inf is refused below, and a tiny angle may be 0
def angles_of(positions: FloatArray, omega: FloatArray) -> FloatArray:
    """Return `positions * omega`, broadcast; raise a ValueError if one is above 2**53 in size."""
    angles = positions * omega
    if not (np.abs(angles) <= LARGEST_ANGLE).all():
        raise ValueError(
            "positions and frequencies must give angles of at most 2**53 radians, beyond which "
            f"float64 has no fractions, got positions up to {np.abs(positions).max()} and "
            f"frequencies up to {np.abs(omega).max()}"
        )
    return angles


def upper_half(numbers: FloatArray) -> FloatArray:
    """Return float64 `numbers` cut to the first 26 of their 53 significant bits."""
    mask = -(2**27)  # as an int64: 37 bits of 1, which keep their bits, before 27 bits of 0
    return (numbers.view(np.int64) & mask).view(np.float64)
