"""One head that sees positions alone, trained from many starts to look where a task wants it.

The experiment of the chapter "Similarity and attention".
"""

import numpy as np

from posenc import frequencies, sinusoidal

WIDTH, TEXT = 32, 64  # numbers in a row, tokens in a text
# Adam's usual settings: which share of the mean gradient, and of the mean squared gradient, is kept
# at a step, which share is new, and what keeps its division from 0.
MEAN_KEPT, MEAN_NEW = 0.9, 0.1
SQUARE_KEPT, SQUARE_NEW = 0.999, 0.001
TINY = 1e-8


def train(
    wanted: np.ndarray,
    last_beginning: int,
    *,
    seed: int,
    starts: int = 20,
    steps: int = 400,
    rate: float = 0.01,
) -> list[np.ndarray]:
    """Return [A before, A after] training: A = W_Q W_Kᵀ of each head, shape (starts, 32, 32) each.

    The score of two positions is row times A times row. Training is by Adam.
    `wanted` has the token that each of the 64 must look at; one with a negative number may look
    anywhere. A text begins at a random position from 0 to `last_beginning`.
    """
    # By default 400 steps, a compromise: of seed 0 all 20 heads look at the wanted tokens from 100
    # steps on, and their least relative share grows from 0.40 there to 0.71 after 400 steps and to
    # 0.78 after 800, which take twice the time.
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(2, starts, WIDTH, WIDTH)) / np.sqrt(WIDTH)  # W_Q, W_K
    # W is never changed in place, so `first` keeps the beginning.
    first, mean, square = W, np.zeros_like(W), np.zeros_like(W)
    asking = np.flatnonzero(wanted >= 0)
    goal = np.zeros((TEXT, TEXT))  # 1 is the wanted weight; in the row of a token that asks none, 0
    goal[asking, wanted[asking]] = 1
    for step in range(1, steps + 1):
        P = sinusoidal(rng.integers(last_beginning + 1) + np.arange(TEXT), WIDTH)
        Q, K = P @ W  # (starts, 64, 32) each
        # The softmax of each head's scores, which end below 60: powers of e overflow from 709 on.
        weights = np.exp(Q @ K.swapaxes(1, 2) / np.sqrt(WIDTH))
        weights /= weights.sum(axis=-1, keepdims=True)
        # The loss is the mean of -ln of the wanted weights over the tokens that ask. Its slope by
        # a score is the weight less 1 where it is wanted, and 0 in the rows of the other tokens.
        slope = (weights - goal) * goal.sum(axis=1, keepdims=True)
        # The loss is a mean over the tokens that ask, and scores were divided by the root.
        slope /= len(asking) * np.sqrt(WIDTH)
        # The slopes by W_Q and by W_K: a score is P W_Q (P W_K)ᵀ.
        gradient = np.stack([P.T @ (slope @ K), P.T @ (slope.swapaxes(1, 2) @ Q)])
        # Adam: both means begin at 0, and are divided by what that makes them too small by.
        mean = MEAN_KEPT * mean + MEAN_NEW * gradient
        square = SQUARE_KEPT * square + SQUARE_NEW * gradient**2
        direction = mean / (1 - MEAN_KEPT**step)
        size = np.sqrt(square / (1 - SQUARE_KEPT**step)) + TINY
        W = W - rate * direction / size
    return [W_Q @ W_K.swapaxes(1, 2) for W_Q, W_K in (first, W)]


def relative_part(A: np.ndarray) -> np.ndarray:
    """Return the nearest matrix with rows (a, b) and (-b, a) in each 2 x 2 block of its diagonal.

    `A` may have leading axes, which stay. Outside these 2 x 2 blocks the matrix is 0. It turns each
    pair, makes it longer, and does nothing else.
    """
    hands = np.eye(A.shape[-1] // 2)
    quarter = np.kron(hands, [[0, 1], [-1, 0]])  # turns each pair by a quarter turn
    # A matrix of that form is the same between a quarter turn and its inverse. The mean of both
    # takes out of each block what is not.
    commuting = (A + quarter @ A @ quarter.T) / 2
    on_the_diagonal = np.kron(hands, np.ones((2, 2)))  # 1 in the blocks, and 0 elsewhere
    return commuting * on_the_diagonal


def relative_share(A: np.ndarray) -> np.ndarray:
    """Return for each matrix which share, 0 to 1, of its squares is in its relative part."""
    return (relative_part(A) ** 2).sum(axis=(-2, -1)) / (A**2).sum(axis=(-2, -1))


def turns(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (by how many tokens each block of the relative part turns, by what it scales a pair).

    Both have the shape (..., d/2). A positive number of tokens looks back.
    """
    kept = relative_part(A)
    # The blocks' first rows, (a, b), are on the diagonal and on the one above. Every second entry
    # there is of a second row, or between two blocks.
    a = np.diagonal(kept, axis1=-2, axis2=-1)[..., 0::2]
    b = np.diagonal(kept, 1, axis1=-2, axis2=-1)[..., 0::2]
    # An angle in radians, divided by the radians per token.
    return np.arctan2(b, a) / frequencies(A.shape[-1]), np.hypot(a, b)


def found(A: np.ndarray, wanted: np.ndarray, beginning: int) -> np.ndarray:
    """Return for each head the share of its tokens, 0 to 1, that look hardest at the wanted one.

    The first token stands at the position `beginning`. The first three are left out, as they have
    no token three back.
    """
    P = sinusoidal(np.arange(beginning, beginning + TEXT), WIDTH)
    # The largest score has the largest weight, so no softmax is needed.
    looks = (P @ A @ P.T).argmax(axis=-1)  # (starts, 64)
    return (looks == wanted)[:, 3:].mean(axis=1)
