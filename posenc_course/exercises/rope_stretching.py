"""The exercises of the chapter "Stretching: four ways to a longer text"."""

import numpy as np

from posenc import frequencies, scaling
from posenc_course.exercises.judging import Function


def ntk_base(base, d, factor):
    """Return the base whose last frequency is slower by the factor."""
    return base * factor ** (d / (d - 2))


def new_angles(omega, slowed, trained, longer):
    """Return how many pairs meet angles in a longer text that they had not met in training."""
    reached = trained * np.asarray(omega)
    further = longer * np.asarray(slowed) > reached * (1 + 1e-6)
    return int(((reached < 2 * np.pi) & further).sum())


OMEGA = frequencies(128, base=500_000.0)
TRAINED = {"original_max_position_embeddings": 8192, "rope_theta": 500_000.0}

EXERCISES = {
    "ex-rope-stretching-base": Function(
        ntk_base,
        "The last rung is at (d-2)/d of the ladder, and the exponent makes up for it.",
        inputs=[(10_000.0, 128, 8), (500_000.0, 64, 2), (10_000.0, 4, 3)],
        wrong=[
            lambda base, d, factor: base * factor + 0 * d,
            "That is too small: the last frequency is not 1/n, as there is no pair d/2.",
            lambda base, d, factor: base * factor ** ((d - 2) / d),
            "The exponent is upside down. Solve for the new base once more.",
            lambda base, d, factor: base / factor ** (d / (d - 2)),
            "With that base the last pair turns faster. It should be slower.",
        ],
    ),
    "ex-rope-stretching-new": Function(
        new_angles,
        "Further than in training counts as new only where the circle was not full.",
        inputs=[
            (OMEGA, scaling.ntk_aware(128, factor=8, rope_theta=500_000.0), 8192, 65_536),
            (OMEGA, scaling.yarn(128, factor=8, **TRAINED), 8192, 65_536),
            (OMEGA, OMEGA, 8192, 16_384),
            (OMEGA, scaling.yarn(128, factor=8, **TRAINED), 8192, 131_072),
        ],
        wrong=[
            lambda omega, slowed, trained, longer: int(
                (longer * slowed > trained * omega * (1 + 1e-6)).sum()
            ),
            "Fast pairs are counted too. They got round in training, and met every angle.",
            lambda omega, slowed, trained, longer: int(
                (0 * slowed * longer + trained * omega < 2 * np.pi).sum()
            ),
            "These are all slow pairs. How far does each get in the longer text?",
            lambda omega, slowed, trained, longer: int(
                ((trained * omega < 1) & (longer * slowed > trained * omega * (1 + 1e-6))).sum()
            ),
            "A full turn is 2π radians, not 1.",
        ],
    ),
}
