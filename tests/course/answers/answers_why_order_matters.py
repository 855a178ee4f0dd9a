"""Answers to the exercises of the chapter "Why order matters", right and wrong."""

import numpy as np


def follows(layer, rows, order):
    return np.allclose(layer(rows[order]), layer(rows)[order])


def follows_by_a_matrix(layer, rows, order):
    permutation = np.eye(len(rows))[order]
    return np.abs(layer(permutation @ rows) - permutation @ layer(rows)).max() < 1e-9


def follows_back_home(layer, rows, order):
    return bool(np.allclose(layer(rows[order])[np.argsort(order)], layer(rows)))


def causal_weights(scores):
    hidden = np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def causal_weights_by_a_loop(scores):
    table = [[0.0] * len(scores) for _ in scores]
    for k in range(len(scores)):
        total = sum(np.exp(scores[k][: k + 1]))
        for j in range(k + 1):
            table[k][j] = np.exp(scores[k][j]) / total
    return table


def masked_too_late(scores):
    weights = np.exp(scores)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.tril(weights)


def without_itself(scores):
    weights = np.exp(scores) * np.tri(len(scores), k=-1)
    return weights / weights.sum(axis=1, keepdims=True)


def without_keepdims(scores):
    weights = np.exp(scores) * np.tri(len(scores))
    return weights / weights.sum(axis=1)


ANSWERS = {
    "ex-order-follows": {
        "right": [follows, follows_by_a_matrix, follows_back_home],
        "wrong": [
            (
                lambda f, rows, order: np.allclose(np.sort(f(rows[order]), 0), np.sort(f(rows), 0)),
                "sorts",
            ),
            (
                lambda f, rows, order: np.allclose(f(rows[order]).mean(0), f(rows).mean(0)),
                "Look at",
            ),
            (
                lambda f, rows, order: np.allclose(
                    f(rows[order]).round(2), f(rows)[order].round(2)
                ),
                "Rounding",
            ),
            (lambda f, rows, order: np.allclose(f(rows[order]), f(rows)), "should follow"),
            (lambda f, rows, order: np.array_equal(f(rows[order]), f(rows)[order]), "last bit"),
            (lambda f, rows, order: np.allclose(f(rows), f(rows[order])[order]), "its own way"),
            (lambda f, rows, order: not follows(f, rows, order), "the opposite"),
            (lambda _f, _rows, _order: 1, "yes to every layer"),
            (lambda f, rows, order: np.isclose(f(rows[order]), f(rows)[order]), "One value"),
            (lambda f, rows: follows(f, rows, [1, 0, 2, 3]), "it raises TypeError"),
        ],
    },
    "ex-order-mask": {
        "right": [causal_weights, causal_weights_by_a_loop],
        "wrong": [
            (without_keepdims, "the sum of a different row"),
            (lambda s: np.exp(s) / np.exp(s).sum(axis=1, keepdims=True), "Where is the mask?"),
            (masked_too_late, "no longer sum to 1"),
            (lambda s: causal_weights(s[::-1, ::-1])[::-1, ::-1], "those after it"),
            (without_itself, "NaN or infinite"),
            (lambda s: causal_weights(s).T, "It is transposed"),
            (lambda s: causal_weights(s / np.sqrt(len(s))), "already divided"),
            (lambda s: causal_weights(s)[-1], "and should be (4, 4)"),
        ],
    },
}
