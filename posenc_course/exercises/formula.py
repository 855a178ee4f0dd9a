"""The exercises of the chapter "The formula"."""

import numpy as np

from posenc import sinusoidal
from posenc_course.exercises.judging import Function


def entry(k, j, d, n=10_000):
    """Return the number in row k and column j of the table."""
    return _wave(j, k / n ** (2 * (j // 2) / d))


def _wave(j, angle):
    return np.cos(angle) if j % 2 else np.sin(angle)


def interleave(halves):
    """Return a table in halves with its columns interleaved."""
    h = halves.shape[1] // 2
    return np.stack([halves[:, :h], halves[:, h:]], axis=2).reshape(halves.shape)


def _overwritten(halves):
    h = halves.shape[1] // 2
    halves[:, 0::2] = halves[:, :h]
    halves[:, 1::2] = halves[:, h:]
    return halves


def base_for(L, d, first):
    """Return the smallest whole base whose pairs from `first` on are calm for L tokens."""
    return np.ceil(_base(L - 1, np.arcsin(0.1), first / d))


def _base(last, angle, share):
    return (last / angle) ** (1 / (2 * share))


EXERCISES = {
    "ex-formula-entry": Function(
        entry,
        "Column j belongs to pair j // 2, and what is left over says sine or cosine.",
        inputs=((0, 1, 8), (3, 0, 8), (7, 5, 8), (10, 6, 30, 100), (99, 301, 512), (25, 3, 4, 16)),
        wrong=[
            lambda k, j, d, n=10_000: _wave(j, k / n ** (2 * j / d)),
            "The exponent holds the column. It asks for the number of the pair.",
            lambda k, j, d, n=10_000: _wave(j, k / n ** (j / d)),
            "The sines are right. A cosine has the same angle as the sine before it.",
            lambda k, j, d, n=10_000: _wave(j, k / n ** ((j // 2) / d)),
            "The hands slow down by too small a factor. Look at the exponent again.",
            lambda k, j, d, n=10_000: entry(k, j - j % 2, d, n),
            "The angles are right. Which columns hold a cosine?",
            lambda k, j, d, n=10_000: _wave(j + 1, k / n ** (2 * (j // 2) / d)),
            "Sine and cosine have changed places. The sine comes first.",
            lambda k, j, d, n=10_000: _wave(int(j >= d / 2), k / n ** (2 * (j // 2) / d)),
            "Sines in the left half and cosines in the right: that is the other layout. Here they "
            "alternate.",
            lambda k, j, d, n=10_000: _wave(j, k * n ** (2 * (j // 2) / d)),
            "The hands get faster from pair to pair. They are to get slower.",
            lambda k, j, d, n=10_000: entry(k + 1, j, d, n),
            "It looks as if you count positions from 1. They count from 0.",
            lambda k, j, d, n=10_000: entry(k, j, d),  # noqa: ARG005
            "It is right for base 10 000. Does the argument n reach the formula?",
        ],
    ),
    "ex-formula-inverse": Function(
        interleave,
        "The sines go to columns 0, 2, 4, ..., the cosines to 1, 3, 5, ...",
        inputs=(
            *((sinusoidal(6, width, layout="halves"),) for width in (4, 8, 30)),
            (sinusoidal(9, 6, base=100, layout="halves")[4:],),
        ),
        wrong=[
            lambda halves: halves,
            "The table is still in halves.",
            lambda halves: sinusoidal(*halves.shape),
            "That builds a new table, with base 10 000 from position 0. Use the one that is given.",
            _overwritten,
            "Some columns were overwritten before they were read: `table = halves` is a second "
            "name, not a second table.",
            lambda halves: np.hstack([halves[:, 0::2], halves[:, 1::2]]),
            "That takes the columns apart once more. Which way round is the question?",
            lambda halves: interleave(np.roll(halves, halves.shape[1] // 2, axis=1)),
            "The cosines come first. The first column should be a sine.",
        ],
    ),
    "ex-formula-base": Function(
        base_for,
        "The sine of pair `first` is largest at the last position, L - 1, and the base grows "
        "until that sine is 0.1.",
        inputs=((100, 32, 8), (50, 64, 20), (1000, 512, 128), (20, 12, 3)),
        tolerance=1e-10,
        wrong=[
            lambda L, d, first: np.ceil(_base(L, np.arcsin(0.1), first / d)),
            "L tokens end at position L - 1.",
            lambda L, d, first: np.ceil(_base(L - 1, 0.1, first / d)),
            "That is where the angle is 0.1. At which angle is the sine 0.1?",
            lambda L, d, first: _base(L - 1, np.arcsin(0.1), first / d),
            "There the sine is just 0.1. Which whole number comes next?",
            lambda L, d, first: np.floor(_base(L - 1, np.arcsin(0.1), first / d)),
            "There the sine is a hair above 0.1 still.",
            lambda L, d, first: np.ceil(_base(L - 1, np.arcsin(0.1), (first - 1) / d)),
            "With that base the pairs from `first` - 1 on are calm.",
            lambda L, d, first: np.ceil(_base(L - 1, np.arcsin(0.1), (first + 1) / d)),
            "With that base only the pairs after `first` are calm.",
            lambda L, d, first: np.ceil(_base(L - 1, np.arcsin(0.1), first / d / 2)),
            "Look at the exponent again: pair i turns by n to the power -2i/d.",
        ],
    ),
}
