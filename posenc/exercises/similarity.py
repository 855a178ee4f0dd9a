"""The exercises of the chapter "Similarity and attention"."""

import numpy as np

from posenc.dot_product import attention
from posenc.exercises.judging import Function
from posenc.sinusoids import shift_matrix, sinusoidal
from posenc.waves import frequencies

__all__ = ["EXERCISES"]

FARTHEST = 200


def look_back(table, back):
    """Return where each token of a causal head looks hardest, a number of tokens back."""
    return _head(table, -back, causal=True)


def first_rise(d):
    """Return the smallest distance from which the dot product of two rows rises."""
    kernel = np.cos(np.multiply.outer(np.arange(FARTHEST + 2), frequencies(d))).sum(axis=-1)
    return int(np.flatnonzero(np.diff(kernel) > 0)[0])


def _head(table, shift, *, causal, volume=1000):
    queries = volume * table @ shift_matrix(shift, table.shape[1]).T
    _, weights = attention(queries, table, table, causal=causal)
    return weights.argmax(axis=-1)


EXERCISES = {
    "similarity-3": Function(
        look_back,
        "The turn sets where the head looks, the volume how sharply, and the mask only hides "
        "what this head does not want.",
        inputs=[(sinusoidal(8, 64), 2), (sinusoidal(12, 32), 3)],
        wrong=[
            (
                lambda table, back: _head(table, back, causal=True),
                "Every token looks at itself: nothing turns it, or it turns ahead and the mask "
                "holds it back.",
            ),
            (
                lambda table, back: _head(table, back, causal=False),
                "It looks ahead, and no mask stops it.",
            ),
            (
                lambda table, back: _head(table, -back - 1, causal=True),
                "It looks one token too far back.",
            ),
        ],
    ),
    "similarity-4": Function(
        first_rise,
        "Where many fast hands come back to the same side together, the sum can rise.",
        inputs=[(16,), (64,), (128,), (512,)],
        wrong=[
            (
                lambda d: first_rise(d) + 1,
                "That is where the rise ends. It begins one token before.",
            ),
            (
                lambda d: int(
                    np.argmin(
                        np.cos(np.multiply.outer(np.arange(FARTHEST), frequencies(d))).sum(axis=-1)
                    )
                ),
                "That is where K is smallest. It rises for the first time long before.",
            ),
            (
                lambda d: int(np.flatnonzero(np.diff(np.cos(np.arange(FARTHEST)) + 0 * d) > 0)[0]),
                "That is the first rise of pair 0 alone. K adds all the pairs.",
            ),
        ],
    ),
}
