"""The exercises of the chapter "Stretching: four ways to a longer text"."""

import numpy as np

from posenc import frequencies, scaling
from posenc_course.exercises.judging import exercise

OMEGA = frequencies(128, base=500_000.0)
TRAINED = {"original_max_position_embeddings": 8192, "rope_theta": 500_000.0}


@exercise("ex-rope-stretching-base", [(10_000.0, 128, 8), (500_000.0, 64, 2), (10_000.0, 4, 3)])
def ntk_base(base, d, factor):
    """Return the base whose last frequency is slower by the factor."""
    return base * factor ** (d / (d - 2))


@exercise(
    "ex-rope-stretching-new",
    [
        (OMEGA, scaling.ntk_aware(128, factor=8, rope_theta=500_000.0), 8192, 65_536),
        (OMEGA, scaling.yarn(128, factor=8, **TRAINED), 8192, 65_536),
        (OMEGA, OMEGA, 8192, 16_384),
        (OMEGA, scaling.yarn(128, factor=8, **TRAINED), 8192, 131_072),
    ],
)
def new_angles(omega, slowed, trained, longer):
    """Return how many pairs meet angles in a longer text that they had not met in training."""
    reached = trained * np.asarray(omega)
    further = longer * np.asarray(slowed) > reached * (1 + 1e-6)
    return int(((reached < 2 * np.pi) & further).sum())
