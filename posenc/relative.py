"""Encodings that act inside attention: rotary embedding and linear biases."""

import numpy as np

from posenc.checks import position_array, positive_base, real_array, whole_number
from posenc.rotation import rows_of_pairs
from posenc.sinusoids import sine_and_cosine_columns


def rope(x, positions, *, base=10_000.0, layout="interleaved"):
    r"""Rotate each pair of columns by an angle that grows with the position (RoPE).

    Parameters
    ----------
    x : array_like of real numbers, shape (..., n_positions, d)
        Queries or keys; heads and batches stand in the leading axes. d is positive and even.
    positions : int or array_like of real numbers
        An int n means the positions 0 to n - 1, and n must be n_positions. An array holds
        the positions, of either sign, whole or not; it must broadcast to (..., n_positions).
    base : float, optional
        The constant n of the formula, positive, finite and not 1.
    layout : {"interleaved", "halves"}, optional
        Which columns form pair i. Interleaved pairs 2i with 2i + 1, as RoFormer and GPT-J;
        halves pairs i with i + d/2, as GPT-NeoX and the Llama port in Transformers.

    Returns
    -------
    ndarray of float64, shape (..., n_positions, d)
        Each row has the length of the row of `x`.

    Raises
    ------
    TypeError
        If `x` or `positions` are no real numbers, or `base` no real number.
    ValueError
        If an entry is NaN or infinite, d is odd or 0, the positions do not fit `x`, `base`
        is not positive, not finite, or 1, or the layout is unknown.

    See Also
    --------
    shift_matrix : The same rotation, of encodings instead of queries and keys.

    Notes
    -----
    Pair i of the row at position k turns by k ω_i:

    .. math::
        \begin{pmatrix} a \\ b \end{pmatrix} \mapsto
        \begin{pmatrix} \cos k\omega_i & -\sin k\omega_i \\
        \sin k\omega_i & \cos k\omega_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}

    The dot product of a rotated query and a rotated key depends on their positions through
    the difference alone.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import rope
    >>> rows = np.ones((8, 4))
    >>> turned = rope(rows, 8)
    >>> print((turned[2] @ turned[5]).round(6), (turned[4] @ turned[7]).round(6))
    0.019115 0.019115
    """
    rows = real_array(x, "x")
    if rows.ndim < 2:
        raise ValueError(f"x must have at least two axes, positions and d, got shape {rows.shape}")
    width = rows.shape[-1]
    if width == 0 or width % 2:
        raise ValueError(
            "x must have a last axis of even length, two columns for each frequency, "
            f"got shape {rows.shape}"
        )
    places = position_array(positions)
    # A count of 1 would broadcast, and put every row at position 0.
    if np.ndim(positions) == 0 and places.ndim == 1 and places.size != rows.shape[-2]:
        raise ValueError(
            f"positions as a count must be {rows.shape[-2]}, the rows of x of shape "
            f"{rows.shape}, got {places.size}"
        )
    try:
        np.broadcast_to(places, rows.shape[:-1])
    except ValueError:
        raise ValueError(
            f"positions must broadcast to {rows.shape[:-1]}, the leading axes of x, "
            f"got shape {places.shape}"
        ) from None
    first, second = sine_and_cosine_columns(layout, width)
    turns = rows_of_pairs(places.reshape(-1), width, positive_base(base))
    turns = turns.reshape(*places.shape, width // 2)
    sine, cosine = turns.real, turns.imag
    turned = np.empty_like(rows)
    turned[..., first] = cosine * rows[..., first] - sine * rows[..., second]
    turned[..., second] = sine * rows[..., first] + cosine * rows[..., second]
    return turned


def alibi_slopes(n_heads):
    r"""Return the slope of each head's linear bias (ALiBi).

    Parameters
    ----------
    n_heads : int
        Number of attention heads, positive.

    Returns
    -------
    ndarray of float64, shape (n_heads,)
        Score lost for each token of distance, positive.

    Raises
    ------
    TypeError
        If `n_heads` is no integer.
    ValueError
        If `n_heads` is not positive.

    See Also
    --------
    alibi_bias : The biases themselves.

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
    count = whole_number(n_heads, "n_heads", least=1)
    power = 2 ** (count.bit_length() - 1)
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-4 * np.arange(1, 2 * power, 2) / power)
    return np.concatenate([slopes, between[: count - power]])


def alibi_bias(n_heads, n_queries, n_keys):
    r"""Return the bias that ALiBi adds to the attention scores.

    Parameters
    ----------
    n_heads : int
        Number of attention heads, positive.
    n_queries, n_keys : int
        Lengths in tokens. The queries are the last `n_queries` of the `n_keys` positions.

    Returns
    -------
    ndarray of float64, shape (n_heads, n_queries, n_keys)
        Minus the slope of the head times the distance in tokens. The bias is the same for
        keys before and after the query; a causal mask is a matter of the attention.

    Raises
    ------
    TypeError
        If an argument is no integer.
    ValueError
        If an argument is not positive, or there are more queries than keys.

    See Also
    --------
    alibi_slopes : The slopes alone.
    attention : Takes the bias.

    Notes
    -----
    .. math:: B_{h,k,m} = -\mu_h \,\lvert k - m \rvert

    for the query at position k and the key at position m, with the slope μ_h of head h.

    References
    ----------
    Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear Biases Enables
    Input Length Extrapolation", 2022.

    Examples
    --------
    >>> from posenc import alibi_bias
    >>> print(alibi_bias(8, 3, 3)[0])
    [[ 0.  -0.5 -1. ]
     [-0.5  0.  -0.5]
     [-1.  -0.5  0. ]]
    """
    slopes = alibi_slopes(n_heads)
    queries = whole_number(n_queries, "n_queries", least=1)
    keys = whole_number(n_keys, "n_keys", least=1)
    if queries > keys:
        raise ValueError(
            f"there must be at least as many keys as queries, got {queries} queries and {keys} keys"
        )
    distances = np.abs(np.arange(keys - queries, keys)[:, np.newaxis] - np.arange(keys))
    return slopes[:, np.newaxis, np.newaxis] * -distances
