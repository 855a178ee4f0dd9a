"""The exercises of the chapter "Why order matters"."""

import numpy as np

from posenc import sinusoidal
from posenc.attention import attention
from posenc_course.exercises.judging import Function

_RNG = np.random.default_rng(7)
ROWS = _RNG.normal(size=(4, 6))
MATRICES = _RNG.normal(size=(3, 6, 6))


def bare_attention(rows):
    """Return what self-attention makes of the rows."""
    queries, keys, values = (rows @ matrix for matrix in MATRICES)
    return attention(queries, keys, values)[0]


def attention_with_positions(rows):
    """Return what self-attention makes of the rows with an encoding added."""
    return bare_attention(rows + sinusoidal(len(rows), rows.shape[1], base=100))


def running_sums(rows):
    """Return for each row the sum of the rows up to it."""
    return np.cumsum(rows, axis=0)


def doubled(rows):
    """Return the rows times two: each row by itself."""
    return 2 * rows


def sorted_columns(rows):
    """Return each column in ascending order: the same output for every order of the rows."""
    return np.sort(rows, axis=0)


def faint_positions(rows):
    """Return the rows with a trace of their positions added."""
    return rows + np.arange(len(rows))[:, np.newaxis] / 10_000


def follows(layer, X, order):
    """Tell whether reordering the rows reorders the output in the same way."""
    return bool(np.allclose(layer(X[order]), layer(X)[order]))


def causal_weights(S):
    """Return the softmax of each row of scores up to the diagonal."""
    weights = np.exp(S) * np.tri(len(S))
    return weights / weights.sum(axis=1, keepdims=True)


def _softmax(scores, axis=1):
    weights = np.exp(scores)
    return weights / weights.sum(axis=axis, keepdims=True)


EXERCISES = {
    "ex-order-follows": Function(
        follows,
        "Reorder and then compute, or compute and then reorder: the two must agree.",
        inputs=[
            (bare_attention, ROWS, [1, 2, 3, 0]),
            (attention_with_positions, ROWS, [1, 2, 3, 0]),
            (running_sums, ROWS, [2, 1, 0, 3]),
            (doubled, ROWS, [3, 1, 0, 2]),
            (bare_attention, ROWS, [3, 2, 1, 0]),
            (sorted_columns, ROWS, [1, 2, 3, 0]),
            (faint_positions, ROWS, [1, 2, 3, 0]),
        ],
        wrong=[
            lambda layer, X, order: np.allclose(layer(X[order]), layer(X)),
            "That asks whether the output stays the same. It should follow the order.",
            lambda layer, X, order: (layer(X[order]) == layer(X)[order]).all(),
            "Two sums of the same numbers in another order may differ in the last bit. Allow for "
            "rounding.",
            lambda layer, X, order: np.allclose(layer(X[order])[order], layer(X)),
            "That is right for a swap, which is its own way back. Not every order is.",
            lambda layer, X, order: np.allclose(
                np.sort(layer(X[order]), axis=0), np.sort(layer(X), axis=0)
            ),
            "It says yes to a layer that sorts every column, whatever the order. Compare row by "
            "row.",
            lambda layer, X, order: np.allclose(layer(X[order]), layer(X)[order], atol=0.01),
            "It says yes to a layer that adds a ten-thousandth of the position. Rounding is much "
            "smaller than that.",
            lambda layer, X, order: not follows(layer, X, order),
            "It says the opposite: `True` should mean that the output follows.",
            lambda _layer, _X, _order: True,
            "It says yes to every layer, even to one that adds positions.",
        ],
    ),
    "ex-order-mask": Function(
        causal_weights,
        "Row k shares its weight among the tokens 0 to k, and what comes after gets none.",
        inputs=[
            (_RNG.normal(size=(4, 4)),),
            (np.array([[0.7]]),),
            (np.log([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0]]),),
        ],
        wrong=[
            _softmax,
            "Each token still sees those after it. Where is the mask?",
            lambda S: _softmax(S) * np.tri(len(S)),
            "The rows no longer sum to 1: the hidden tokens took their share before they were "
            "hidden.",
            lambda S: _softmax(S * np.tri(len(S))),
            "A score of 0 is not hidden. Its exponential is 1.",
            lambda S: np.exp(S) * np.tri(len(S)) / (np.exp(S) * np.tri(len(S))).sum(axis=1),
            "Entries were divided by the sum of a different row. Compare the shape of the sums "
            "with that of the table.",
            lambda S: causal_weights(S / np.sqrt(len(S))),
            "The scores come already divided by the root.",
            lambda S: _softmax(np.where(np.tri(len(S)).T > 0, S, -np.inf)),
            "Each token sees itself and those after it. It should see those before.",
            lambda S: _softmax(np.where(np.tri(len(S)) > 0, S, -np.inf), axis=0),
            "The columns sum to 1. It should be the rows.",
        ],
    ),
}
