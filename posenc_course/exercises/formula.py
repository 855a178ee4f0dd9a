"""The exercises of the chapter "The formula"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import exercise


@exercise(
    "ex-formula-entry",
    (
        (0, 1, 8),  # a cosine in the left half: a table in halves has a sine there
        (3, 0, 8),  # a sine of pair 0, whose angle is the position itself
        (7, 5, 8),  # a cosine of pair 2, where 5 // 2 and 5 / 2 differ
        (10, 6, 30, 100),  # another base than the default
        (99, 301, 512),  # a table as large as a model's
        (25, 3, 4, 16),  # another base, and the last column
    ),
)
def entry(k, j, d, n=10_000):
    """Return the number in row k and column j of the interleaved table of width d and base n."""
    return _sine_or_cosine(j, k / n ** (2 * (j // 2) / d))


def _sine_or_cosine(j: int, angle: float) -> float:
    """Return what column j holds of an angle: its sine if j is even, else its cosine."""
    return np.sin(angle) if j % 2 == 0 else np.cos(angle)


@exercise(
    "ex-formula-inverse",
    (
        *((sinusoidal(6, width, layout="halves"),) for width in (4, 8, 30)),
        (sinusoidal(9, 6, base=100, layout="halves")[4:],),
    ),
)
def interleave(halves):
    """Return a table in halves, shape (positions, d), with its columns interleaved."""
    h = halves.shape[1] // 2
    return np.stack([halves[:, :h], halves[:, h:]], axis=2).reshape(halves.shape)


def _overwritten(halves: np.ndarray) -> np.ndarray:
    """Return the argument itself, its columns moved over others that were still needed (wrong)."""
    h = halves.shape[1] // 2
    halves[:, 0::2] = halves[:, :h]
    halves[:, 1::2] = halves[:, h:]
    return halves


# With the usual tolerance, one part in 10**8, a base near 10**8 could be one too small.
@exercise(
    "ex-formula-base", ((100, 32, 8), (50, 64, 20), (1000, 512, 128), (20, 12, 3)), tolerance=1e-10
)
def base_for(L, d, first):
    """Return the smallest whole base at which the pairs from `first` on keep their sine below 0.1.

    They keep it in all of L rows. The base is a float, without a fraction.
    """
    # The fastest of them is pair `first`, and its sine is largest in the last row.
    return np.ceil(_base(L - 1, np.arcsin(0.1), first / d))


def _base(last: int, angle: float, share: float) -> float:
    """Return the base whose pair i = `share` * d turns by `angle` radians in `last` tokens."""
    # This solves last / base**(2i / d) = angle.
    return (last / angle) ** (1 / (2 * share))
