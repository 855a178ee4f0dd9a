"""The exercises of the chapter "RoPE in the models people run"."""

import numpy as np

from posenc.exercises.judging import Function
from posenc.rotary import rope
from posenc.waves import frequencies

__all__ = ["EXERCISES"]


def turn_part(x, positions, width):
    """Return x with the first columns turned in halves, by a ladder of their own width."""
    return rope(x, positions, frequencies=frequencies(width), layout="halves")


def ntk_base(base, d, factor):
    """Return the base whose last frequency is slower by the factor."""
    return base * factor ** (d / (d - 2))


def _rows(seed, tokens, d):
    return np.random.default_rng(seed).normal(size=(tokens, d))


EXERCISES = {
    "rope-in-models-3": Function(
        turn_part,
        "The part has a ladder of its own, and what is beyond it stays as it was.",
        inputs=[
            (_rows(1, 5, 16), np.arange(5), 8),
            (_rows(2, 3, 12), np.array([7, 0, 100]), 4),
            (_rows(3, 4, 8), np.arange(4), 8),
        ],
        wrong=[
            (
                lambda x, positions, width: rope(x, positions, frequencies=frequencies(width)),
                "These are neighbours. GPT-NeoX turns column i with column i + width/2.",
            ),
            (
                lambda x, positions, width: rope(
                    x,
                    positions,
                    frequencies=frequencies(x.shape[-1])[: width // 2],
                    layout="halves",
                ),
                "These are the first frequencies of the whole head. The part has its own ladder.",
            ),
            (
                lambda x, positions, width: rope(x, positions, layout="halves") + 0 * width,
                "The whole head turns. Only the first columns should.",
            ),
        ],
    ),
    "rope-in-models-4": Function(
        ntk_base,
        "The last rung is at (d-2)/d of the ladder, and the exponent makes up for it.",
        inputs=[(10_000.0, 128, 8), (500_000.0, 64, 2), (10_000.0, 4, 3)],
        wrong=[
            (
                lambda base, d, factor: base * factor + 0 * d,
                "That is a little too small: the last frequency is not 1/n, as there is no pair "
                "d/2.",
            ),
            (
                lambda base, d, factor: base * factor ** ((d - 2) / d),
                "The exponent is upside down. Solve for the new base once more.",
            ),
            (
                lambda base, d, factor: base / factor ** (d / (d - 2)),
                "With that base the last pair turns faster. It should be slower.",
            ),
        ],
    ),
}
