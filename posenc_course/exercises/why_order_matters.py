"""The exercises of the chapter "Why order matters"."""

import numpy as np

from posenc import sinusoidal
from posenc.attention import attention
from posenc_course.exercises.judging import exercise

_RNG = np.random.default_rng(7)
ROWS = _RNG.normal(size=(4, 6))
MATRICES = _RNG.normal(size=(3, 6, 6))


def bare_attention(rows: np.ndarray) -> np.ndarray:
    """Return what self-attention with fixed random matrices, without positions, makes of rows."""
    queries, keys, values = (rows @ matrix for matrix in MATRICES)
    return attention(queries, keys, values)[0]


def attention_with_positions(rows: np.ndarray) -> np.ndarray:
    """Return what `bare_attention` makes of the rows with a sinusoidal encoding added."""
    return bare_attention(rows + sinusoidal(len(rows), rows.shape[1]))


def running_sums(rows: np.ndarray) -> np.ndarray:
    """Return for each row the sum of the rows up to it and with it."""
    return np.cumsum(rows, axis=0)


def doubled(rows: np.ndarray) -> np.ndarray:
    """Return the rows times two: each row by itself."""
    return 2 * rows


def sorted_columns(rows: np.ndarray) -> np.ndarray:
    """Return each column in ascending order: the same output for every order of the rows."""
    return np.sort(rows, axis=0)


def faint_positions(rows: np.ndarray) -> np.ndarray:
    """Return the rows with a ten-thousandth of its position added to each."""
    # So little that a careless tolerance misses it, and far more than rounding.
    return rows + np.arange(len(rows))[:, np.newaxis] / 10_000


@exercise(
    "ex-order-follows",
    [
        (bare_attention, ROWS, [1, 2, 3, 0]),
        (attention_with_positions, ROWS, [1, 2, 3, 0]),
        (running_sums, ROWS, [2, 1, 0, 3]),
        (doubled, ROWS, [3, 1, 0, 2]),
        (bare_attention, ROWS, [3, 2, 1, 0]),  # an order that is its own way back
        (sorted_columns, ROWS, [1, 2, 3, 0]),
        (faint_positions, ROWS, [1, 2, 3, 0]),
    ],
)
def follows(layer, X, order):
    """Tell whether a layer gives rows in a new order its outputs in the same new order."""
    # Sums in another order may round in another way.
    return bool(np.allclose(layer(X[order]), layer(X)[order]))


@exercise(
    "ex-order-mask",
    [
        (_RNG.normal(size=(4, 4)),),
        (np.array([[0.7]]),),
        (np.log([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0]]),),
    ],
)
def causal_weights(S):
    """Return the softmax of each row of scores up to the diagonal, and 0 behind it."""
    weights = np.exp(S) * np.tri(len(S))  # 0 for later tokens, before the sums are taken
    return weights / weights.sum(axis=1, keepdims=True)


def _softmax(scores: np.ndarray, axis: int = 1) -> np.ndarray:
    """Return the softmax of scores without a mask, along an axis."""
    weights = np.exp(scores)
    return weights / weights.sum(axis=axis, keepdims=True)
