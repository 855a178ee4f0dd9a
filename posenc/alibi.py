"""Linear biases of attention scores (ALiBi)."""

from typing import SupportsIndex

import numpy as np
from numpy.typing import DTypeLike

from posenc import _checks as checks
from posenc._checks import AnyFloats, FloatArray


def alibi_slopes(n_heads: SupportsIndex) -> FloatArray:
    r"""Return the slope of each head's linear bias (ALiBi).

    Parameters
    ----------
    n_heads : int
        Number of attention heads, from 1 to 262 144.

    Returns
    -------
    ndarray of float64, shape (n_heads,)
        Score lost for each token of distance, positive.

    Notes
    -----
    For a power of two, head h of H (counted from 1) has the slope 2^(-8h/H). For other
    counts, the largest power of two below comes first, followed by every other slope of the
    next power, as in the authors' code.

    References
    ----------
    Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear Biases Enables
    Input Length Extrapolation", 2022.

    Examples
    --------
    >>> from posenc import alibi_slopes
    >>> print(alibi_slopes(4))
    [0.25       0.0625     0.015625   0.00390625]
    """
    count = checks.whole_number(n_heads, "n_heads", least=1, most=checks.LARGEST_WIDTH)
    power = 2 ** (count.bit_length() - 1)
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-4 * np.arange(1, 2 * power, 2) / power)
    return np.concatenate([slopes, between[: count - power]])


def alibi_bias(
    n_heads: SupportsIndex,
    n_queries: SupportsIndex,
    n_keys: SupportsIndex,
    *,
    dtype: DTypeLike = np.float64,
) -> AnyFloats:
    r"""Return the bias that ALiBi adds to the attention scores.

    Parameters
    ----------
    n_heads : int
        Number of attention heads, from 1 to 262 144.
    n_queries, n_keys : int
        Lengths in tokens. The queries are the last `n_queries` of the `n_keys` positions.
    dtype : data-type, optional
        A NumPy float type. The computation is in float64 and rounded to it once.

    Returns
    -------
    ndarray of `dtype`, shape (n_heads, n_queries, n_keys)
        Minus the slope of the head (`alibi_slopes`, with its source) times the distance in
        tokens: :math:`-\mu_h \,\lvert k - m \rvert`. The bias is the same for keys before and
        after the query, where the authors' models look back alone; a causal mask is a matter of
        the attention.

    Examples
    --------
    >>> from posenc import alibi_bias
    >>> print(alibi_bias(8, 3, 3)[0])
    [[ 0.  -0.5 -1. ]
     [-0.5  0.  -0.5]
     [-1.  -0.5  0. ]]
    """
    slopes, kind = alibi_slopes(n_heads), checks.float_type(dtype)
    queries = checks.whole_number(n_queries, "n_queries", least=1)
    keys = checks.whole_number(n_keys, "n_keys", least=1)
    if queries > keys:
        raise ValueError(f"n_keys must be at least n_queries, {queries}, got {keys}")
    bias = np.empty((slopes.size, queries, keys), kind)
    closeness = -np.abs(np.arange(keys - queries, keys)[:, np.newaxis] - np.arange(keys))
    with np.errstate(over="ignore"):  # float16 ends at 65504, and a key further off is hidden
        np.multiply(slopes[:, np.newaxis, np.newaxis], closeness, out=bias, casting="same_kind")
    return bias
