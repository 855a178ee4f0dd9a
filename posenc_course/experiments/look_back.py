"""One head that sees positions alone, trained from many starts to look where a task wants it.

The experiment of the chapter "Similarity and attention".
"""

import numpy as np

from posenc import frequencies, sinusoidal

WIDTH, TEXT = 32, 64


def train(wanted, last_beginning, *, seed, starts=20, steps=400, rate=0.01):
    """Train heads with Adam to give their weight to one wanted position.

    `wanted` has the token that each of the 64 must look at; one with a negative number may look
    anywhere. A text begins at a random position from 0 to `last_beginning`. Returned are the
    matrices A = W_Q W_Kᵀ between the rows of two positions, before and after: shape
    (starts, 32, 32) each.
    """
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(2, starts, WIDTH, WIDTH)) / np.sqrt(WIDTH)  # W_Q, W_K
    first, mean, square = W, np.zeros_like(W), np.zeros_like(W)
    asking = np.flatnonzero(wanted >= 0)
    goal = np.zeros((TEXT, TEXT))
    goal[asking, wanted[asking]] = 1
    for step in range(1, steps + 1):
        P = sinusoidal(rng.integers(last_beginning + 1) + np.arange(TEXT), WIDTH)
        Q, K = P @ W  # (starts, 64, 32) each
        weights = np.exp(Q @ K.swapaxes(1, 2) / np.sqrt(WIDTH))
        weights /= weights.sum(axis=-1, keepdims=True)
        slope = (weights - goal) * goal.sum(axis=1, keepdims=True)
        slope /= len(asking) * np.sqrt(WIDTH)  # of the loss, by each score
        gradient = np.stack([P.T @ (slope @ K), P.T @ (slope.swapaxes(1, 2) @ Q)])
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        far = mean / (1 - 0.9**step)
        W = W - rate * far / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return [Q @ K.swapaxes(1, 2) for Q, K in (first, W)]


def relative_part(A):
    """Return the nearest matrix whose blocks on the diagonal have the rows (a, b) and (-b, a)."""
    hands = np.eye(A.shape[-1] // 2)
    quarter = np.kron(hands, [[0, 1], [-1, 0]])  # each pair turned by a quarter
    return (A + quarter @ A @ quarter.T) / 2 * np.kron(hands, np.ones((2, 2)))


def relative_share(A):
    """Return the squared entries of the relative part, as a share of all squared entries."""
    return (relative_part(A) ** 2).sum(axis=(-2, -1)) / (A**2).sum(axis=(-2, -1))


def turns(A):
    """Return by how many tokens each block of the relative part turns, and its length.

    A positive number of tokens looks back.
    """
    kept = relative_part(A)
    a = np.diagonal(kept, axis1=-2, axis2=-1)[..., 0::2]
    b = np.diagonal(kept, 1, axis1=-2, axis2=-1)[..., 0::2]
    return np.arctan2(b, a) / frequencies(A.shape[-1]), np.hypot(a, b)


def found(A, wanted, beginning):
    """Return which share of the tokens, from the fourth on, each head sends to the wanted one.

    The first token stands at the position `beginning`.
    """
    P = sinusoidal(np.arange(beginning, beginning + TEXT), WIDTH)
    looks = (P @ A @ P.T).argmax(axis=-1)  # (starts, 64)
    return (looks == wanted)[:, 3:].mean(axis=1)
