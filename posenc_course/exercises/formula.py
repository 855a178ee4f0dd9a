"""The exercises of the chapter "The formula"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import exercise


@exercise(
    "ex-formula-entry",
    ((0, 1, 8), (3, 0, 8), (7, 5, 8), (10, 6, 30, 100), (99, 301, 512), (25, 3, 4, 16)),
)
def entry(k, j, d, n=10_000):
    """Return the number in row k and column j of the interleaved table of width d and base n."""
    return _wave(j, k / n ** (2 * (j // 2) / d))


def _wave(j: int, angle: float) -> float:
    """Return the sine of an angle in an even column j, its cosine in an odd one."""
    return np.cos(angle) if j % 2 else np.sin(angle)


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
