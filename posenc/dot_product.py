"""Scaled dot-product attention, the layer that positions are made for."""

import math

import numpy as np

from posenc.checks import real_array, shown


def attention(queries, keys, values, *, bias=None, causal=False):
    r"""Return what each query gathers from the values, and the weights it uses.

    Parameters
    ----------
    queries : array_like of real numbers, shape (..., n_queries, d_k)
        What each query looks for. The leading axes of all inputs broadcast.
    keys : array_like of real numbers, shape (..., n_keys, d_k)
        What each key offers.
    values : array_like of real numbers, shape (..., n_keys, d_v)
        What each key hands over, one value for each key.
    bias : array_like of real numbers, broadcasts to (..., n_queries, n_keys), optional
        Added to the scores before the softmax. -inf hides a key from a query.
    causal : bool, optional
        Hide from query i all keys after key i; needs as many queries as keys.

    Returns
    -------
    outputs : ndarray of float64, shape (..., n_queries, d_v)
        Weighted means of the values.
    weights : ndarray of float64, shape (..., n_queries, n_keys)
        Not negative; each row sums to 1.

    Raises
    ------
    TypeError
        If an input is no array of real numbers, or `causal` no bool.
    ValueError
        If shapes do not fit, an input is NaN or infinite (a bias may be -inf), or a mask
        leaves a query no key.

    Notes
    -----
    .. math:: \operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + B\right) V

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1.

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
    queries = real_array(queries, "queries")
    keys = real_array(keys, "keys")
    values = real_array(values, "values")
    _check_shapes(queries, keys, values)
    # A score that overflows is inf, or NaN where two of them meet.
    with np.errstate(over="ignore", invalid="ignore"):
        scores = queries @ np.swapaxes(keys, -1, -2) / math.sqrt(queries.shape[-1])
    if not np.isfinite(scores).all():
        raise ValueError(
            "queries and keys must give scores that float64 can hold, got queries up to "
            f"{np.abs(queries).max()} and keys up to {np.abs(keys).max()} in size"
        )
    if bias is not None:
        scores = _biased(scores, bias, values)
    if not isinstance(causal, bool | np.bool_):
        raise TypeError(f"causal must be True or False, got {causal!r}")
    if causal:
        n_queries, n_keys = scores.shape[-2:]
        if n_queries != n_keys:
            raise ValueError(
                "causal attention must have as many queries as keys, "
                f"got {n_queries} queries and {n_keys} keys"
            )
        scores = np.where(np.tri(n_keys, dtype=bool), scores, -np.inf)
    weights = _softmax(scores)
    return weights @ values, weights


def _check_shapes(queries, keys, values):
    """Raise a ValueError unless the three shapes fit together."""
    shapes = f"got shapes {queries.shape}, {keys.shape} and {values.shape}"
    if min(queries.ndim, keys.ndim, values.ndim) < 2:
        raise ValueError(f"queries, keys and values must have at least two axes, {shapes}")
    if queries.shape[-1] != keys.shape[-1] or queries.shape[-1] == 0:
        raise ValueError(f"queries and keys must have the same width, at least 1, {shapes}")
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(f"there must be one value for each key, {shapes}")
    try:
        np.broadcast_shapes(queries.shape[:-2], keys.shape[:-2], values.shape[:-2])
    except ValueError:
        raise ValueError(f"the leading axes must broadcast, {shapes}") from None


def _biased(scores, bias, values):
    """Return scores plus bias, if the bias broadcasts without widening a row of scores."""
    checked = real_array(bias, "bias", infinity_allowed=True)
    message = (
        f"bias must broadcast to the scores of shape {scores.shape} and its leading axes to "
        f"those of the values of shape {values.shape}, got shape {checked.shape}"
    )
    try:
        joint = np.broadcast_shapes(checked.shape, scores.shape)
        np.broadcast_shapes(joint[:-2], values.shape[:-2])
    except ValueError:
        raise ValueError(message) from None
    if joint[-2:] != scores.shape[-2:]:
        raise ValueError(message)
    with np.errstate(over="ignore"):
        biased = scores + checked
    if np.isposinf(biased).any():
        raise ValueError(
            "bias must be -inf, to hide a key, or leave scores that float64 can hold, "
            f"got {checked.max()} in {shown(bias)}"
        )
    return biased


def _softmax(scores):
    """Return each row of scores as weights that sum to 1."""
    # The largest score of a row is taken off first, so that exp cannot overflow.
    largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    empty = np.isneginf(largest)
    if empty.any():
        place = tuple(int(index) for index in np.argwhere(empty[..., 0])[0])
        raise ValueError(
            "every query must see at least one key, "
            f"got a bias or mask that hides all {scores.shape[-1]} keys from the query at {place}"
        )
    # Two scores may be further apart than float64 reaches: then the smaller weighs nothing.
    with np.errstate(over="ignore"):
        exponentials = np.exp(scores - largest)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
