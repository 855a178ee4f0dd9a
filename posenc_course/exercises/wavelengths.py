"""The exercises of the chapter "Wavelengths"."""

import numpy as np

from posenc import frequencies, wavelengths
from posenc_course.exercises.judging import exercise


# A count of pairs is right or wrong, however large it is.
@exercise(
    "ex-wavelengths-count",
    (
        (16, 512, 10_000),
        (512, 512, 10_000),
        (2048, 64, 150_000),
        (10**9, 64, 10_000),  # all pairs
        (1, 8, 10_000),  # none: a text of one token has no step
        (100, 4, 100),
    ),
    tolerance=0.0,
)
def finished(length, width, base):
    """Return how many pairs finish a turn in the length - 1 steps of a text."""
    return int((wavelengths(width, base=base) <= length - 1).sum())


def _last(length: int, width: int, base: float) -> float:
    """Return the pair i, not rounded, that would make one turn in length - 1 tokens."""
    # This solves 2π base**(2i / width) = length - 1.
    return width / 2 * np.log((length - 1) / (2 * np.pi)) / np.log(base)


@exercise("ex-wavelengths-base", ((2048, 64, 16), (100_000, 128, 1), (512, 512, 100), (65, 8, 2)))
def base_for(length, width, slow):
    """Return the base above which none of the `slow` slowest pairs finishes a turn in a text."""
    # The fastest of these has the number width // 2 - slow.
    return _base(length - 1, width, width // 2 - slow)


def _base(tokens: float, width: int, i: float) -> float:
    """Return the base at which pair i makes one turn in a number of tokens."""
    # This solves 2π base**(2i / width) = tokens.
    return (tokens / (2 * np.pi)) ** (width / (2 * i))


@exercise(
    "ex-wavelengths-noise",
    (
        (1, 512, 10_000, 0.01),
        (710, 512, 10_000, 0.01),
        (44, 16, 100, 0.1),
        (3, 8, 1000, 0.5),
        (25, 16, 100, 0.2),  # pair 0 is just short of four turns
    ),
)
def telling(gap, width, base, blur):
    """Return an array: the numbers of pairs whose tip moves more than `blur` in `gap` tokens."""
    return np.flatnonzero(_moved(gap, width, base) > blur)


def _moved(gap: float, width: int, base: float) -> np.ndarray:
    """Return how far the tip of each pair moves in `gap` tokens: the chord of its angle."""
    return 2 * np.abs(np.sin(_turned(gap, width, base) / 2))


def _turned(gap: float, width: int, base: float) -> np.ndarray:
    """Return the angle in radians by which each pair turns in `gap` tokens."""
    return gap * frequencies(width, base=base)
