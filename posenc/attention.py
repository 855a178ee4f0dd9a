"""Scaled dot-product attention, the layer that positions are made for, and ALiBi's biases."""

import math
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc import _checks as checks
from posenc._checks import AnyFloats, FloatArray


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # inf and NaN are looked for below
def attention(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    bias: ArrayLike | None = None,
    causal: bool = False,
) -> tuple[AnyFloats, AnyFloats]:
    r"""Return (what each query gathers from the values, the weights by which it does).

    Parameters
    ----------
    queries, keys : array_like of real numbers, shapes (..., n_queries, d_k), (..., n_keys, d_k)
        What each query looks for, and what each key offers. Leading axes of all inputs broadcast.
    values : array_like of real numbers, shape (..., n_keys, d_v)
        What each key hands over, one value for each key.
    bias : array_like of real numbers, broadcasts to (..., n_queries, n_keys), optional
        Added to the scores before the softmax. -inf hides a key from a query: a mask, True where a
        key is seen, is given as ``np.where(mask, 0, -np.inf)``. Every query must keep a key.
        Truth values, and integers of which all are 0 or 1, are refused, since they are a mask.
        Floats are added whatever they are: ``np.tril(np.ones((n, n)))`` hides no key.
    causal : bool, optional
        Hide from each query the keys after it. Fewer queries than keys are the last ones, as
        in decoding with a cache.

    Returns
    -------
    outputs : ndarray, shape (..., n_queries, d_v)
        Weighted means of the values: float32 if queries, keys and values are, else float64.
    weights : ndarray of the same type, shape (..., n_queries, n_keys)
        Not negative; each row sums to 1.

    Notes
    -----
    .. math:: \operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + B\right) V

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import attention
    >>> tokens = np.eye(3)
    >>> outputs, weights = attention(tokens, tokens, tokens, causal=True)
    >>> print(weights.round(2))
    [[1.   0.   0.  ]
     [0.36 0.64 0.  ]
     [0.26 0.26 0.47]]
    """
    named = ((queries, "queries"), (keys, "keys"), (values, "values"))
    q, k, v = (checks.float_array(array, name) for array, name in named)
    shapes_fit = (
        min(q.ndim, k.ndim, v.ndim) >= 2
        and q.shape[-1] == k.shape[-1] > 0  # scores are divided by the root of d_k
        and k.shape[-2] == v.shape[-2]
        and checks.broadcast(q.shape[:-2], k.shape[:-2], v.shape[:-2]) is not None
    )
    if not shapes_fit:
        raise ValueError(
            "queries, keys and values must have shapes (..., n_queries, d_k), (..., n_keys, d_k) "
            "and (..., n_keys, d_v), of at least one column, and leading axes that broadcast, "
            f"got shapes {q.shape}, {k.shape} and {v.shape}"
        )
    # One type for all, so that float32 queries and keys weigh float64 values by float64 weights.
    kind = np.result_type(q, k, v)
    q, k, v = (array.astype(kind, copy=False) for array in (q, k, v))
    # A score that is too large for its type becomes inf, or NaN where two of them are added.
    scores: AnyFloats = q @ np.swapaxes(k, -1, -2)
    scores /= math.sqrt(q.shape[-1])
    added = _numbers_to_add(0.0 if bias is None else bias)
    leading_of_values = (*v.shape[:-2], 1, 1)
    joint = checks.broadcast(added.shape, scores.shape, leading_of_values)
    # A bias may add leading axes to the scores, such as one for heads, but no queries or keys.
    if joint is None or joint[-2:] != scores.shape[-2:]:
        raise ValueError(
            f"bias must broadcast to the scores of shape {scores.shape}, and its leading axes with "
            f"those of the values of shape {v.shape}, got shape {added.shape}"
        )
    scores = scores + added.astype(kind)
    # Only a -inf of the bias hides a key. Any other -inf, and NaN, comes of what is refused.
    hidden = np.isneginf(scores) & np.isneginf(added)
    if not (np.isfinite(scores) | hidden).all():
        raise ValueError(
            f"queries, keys and bias must give scores that {kind} can hold, or a bias of -inf, to "
            f"hide a key, got queries up to {np.abs(q).max()} and keys up to "
            f"{np.abs(k).max()} in size, and bias {checks.shown(bias)}"
        )
    if checks.true_or_false(causal, "causal"):
        n_queries, n_keys = scores.shape[-2:]
        if n_queries > n_keys:
            raise ValueError(
                "causal attention must have at least as many keys as queries, "
                f"got {n_queries} queries and {n_keys} keys"
            )
        # The queries are the last ones: query i stands at position i + n_keys - n_queries.
        seen = np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool)
        np.copyto(scores, -np.inf, where=~seen)
    weights = _softmax(scores)
    outputs: AnyFloats = weights @ v
    # A value that is not finite makes an output so, even where its weight is 0.
    if not np.isfinite(outputs).all():
        raise ValueError(f"values must be finite, and their means, got {checks.shown(values)}")
    return outputs, weights


def _numbers_to_add(bias: Any) -> NDArray[Any]:
    """Return `bias` as an array of real numbers; raise a TypeError for a mask, and for all else.

    A mask has truth values, or integers that are each 0 or 1, of which one at least is 1. Floats of
    0 and 1 pass, because a bias that is computed may come out as these.
    """
    try:
        numbers = checks.numbers(bias, "bias")
    except TypeError:  # truth values, and also complex numbers and texts
        refused = True
    else:
        # Zeros alone pass: as a mask they would hide every key, which nobody means.
        refused = numbers.dtype.kind in "iu" and {*np.unique(numbers).tolist()} in ({1}, {0, 1})
    if refused:
        raise TypeError(
            f"bias must be numbers to add to scores, got {checks.shown(bias)}; of a mask, True "
            "where a key is seen, make np.where(mask, 0, -np.inf)"
        )
    return numbers


def _softmax(scores: AnyFloats) -> AnyFloats:
    """Return `scores` with each row overwritten by its softmax, weights that sum to 1, or raise.

    A row of -inf alone, whose query sees no key, is a ValueError.
    """
    largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)  # -inf for rows without keys
    sees_nothing = np.isneginf(largest[..., 0])
    if sees_nothing.any():
        first = tuple(np.argwhere(sees_nothing)[0].tolist())
        raise ValueError(
            "every query must see at least one key, "
            f"got a bias or mask that hides all {scores.shape[-1]} keys from the query at {first}"
        )
    # Without the largest score of its row, no score is above 0, where exp could overflow. If two
    # are further apart than float64 reaches, the smaller gets -inf, and weighs nothing.
    scores -= largest
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def alibi_slopes(n_heads: SupportsIndex) -> FloatArray:
    r"""Return ALiBi's slope of each head: the score that a key loses for each token of distance.

    Parameters
    ----------
    n_heads : int
        Number of attention heads, from 1 to 262 144.

    Returns
    -------
    ndarray of float64, shape (n_heads,)
        Positive numbers.

    Notes
    -----
    For a power of two, head h of H (counted from 1) has the slope 2^(-8h/H). For other counts, the
    largest power of two below comes first, followed by every other slope of the next power, as in
    the code of the authors: Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear
    Biases Enables Input Length Extrapolation", 2022.

    Examples
    --------
    >>> from posenc import alibi_slopes
    >>> print(alibi_slopes(4))
    [0.25       0.0625     0.015625   0.00390625]
    """
    # A head has one column at least: no model has more heads than columns.
    count = checks.whole_number(n_heads, "n_heads", least=1, most=checks.LARGEST_WIDTH)
    power = 2 ** (count.bit_length() - 1)  # the largest power of two up to `count`
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    odd = np.arange(1, 2 * power, 2)  # every other head, counted from 1, of the next power of two
    between = 2.0 ** (-8 * odd / (2 * power))
    return np.concatenate([slopes, between[: count - power]])


def alibi_bias(
    n_heads: SupportsIndex,
    n_queries: SupportsIndex,
    n_keys: SupportsIndex,
    *,
    dtype: DTypeLike = np.float64,
) -> AnyFloats:
    r"""Return ALiBi's bias for each head, query and key: minus slope times distance in tokens.

    Parameters
    ----------
    n_heads, n_queries, n_keys : int
        Attention heads, as for `alibi_slopes`, and lengths in tokens. The queries are the last
        `n_queries` of the `n_keys` positions.
    dtype : data-type, optional
        A NumPy float type. The computation is in float64 and rounded to it once.

    Returns
    -------
    ndarray of `dtype`, shape (n_heads, n_queries, n_keys)
        :math:`-\mu_h \,\lvert k - m \rvert`, with the slopes of `alibi_slopes` and their source.
        The bias is the same for keys before and after the query. The authors' models look back
        only, which the causal mask of the attention does, not this bias.

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
    positions = np.arange(keys)
    # Negated while they are integers, which have no -0.0 for the token itself.
    closeness = -np.abs(positions[keys - queries :, np.newaxis] - positions)
    # Each product is rounded as it is written: no array of all products in float64 is made.
    bias = np.empty((slopes.size, queries, keys), kind)
    # float16 ends at 65504: a key that loses more than that gets -inf, and is hidden.
    with np.errstate(over="ignore"):
        np.multiply(slopes[:, np.newaxis, np.newaxis], closeness, out=bias)
    return bias
