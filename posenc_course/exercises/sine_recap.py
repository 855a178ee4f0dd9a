"""The exercises of the chapter "A sine recap"."""

import numpy as np

from posenc_course.exercises.judging import exercise


@exercise(
    "ex-sine-recap-pair",
    ((np.arange(6), 4.0), (np.arange(5), 24), (np.array([3, 27, 100]), 2 * np.pi)),
)
def pair(k, wavelength):
    """Return the sine and the cosine of one hand at positions k, shape (positions, 2)."""
    return _hand(2 * np.pi * k / wavelength)


def _hand(angle: float | np.ndarray) -> np.ndarray:
    """Return the tip (sine, cosine) of a hand at each angle, shape (..., 2)."""
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1)


@exercise(
    "ex-sine-recap-opening",
    (
        (_hand(0.5), _hand(1.25)),
        (_hand(2.25), _hand(0.5)),
        (_hand(3.0), _hand(-3.0)),  # on two sides of six o'clock
        (_hand(-2.5), _hand(2.75)),
        (_hand(2.0), _hand(2.0)),
    ),
)
def opening(first, second):
    """Return the radians, from -π to π, by which the first hand turns clockwise to the second."""
    # Sine and cosine of the difference of two angles, of which (x, y) are sine and cosine.
    sine = second[0] * first[1] - second[1] * first[0]
    cosine = second[0] * first[0] + second[1] * first[1]
    return np.arctan2(sine, cosine)


def _angle(hand: np.ndarray) -> float:
    """Return the angle of a hand with the tip (x, y), in radians clockwise from twelve."""
    return np.arctan2(hand[0], hand[1])


@exercise(
    "ex-sine-recap-mixture", ((3.0, 4.0), (3.0, -4.0), (-5.0, 12.0), (-1.0, -1.0), (2.0, 0.0))
)
def one_wave(p, q):
    """Return the array [A, φ] for which A sin(θ + φ) is p sin θ + q cos θ at every θ."""
    # By the sum formula p is A cos φ and q is A sin φ.
    return np.array([np.hypot(p, q), np.arctan2(q, p)])
