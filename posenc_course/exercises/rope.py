"""The exercises of the chapters on RoPE, on what came of it, and on the other encodings."""

import numpy as np

from posenc import frequencies, scaling
from posenc.axes import grid_positions
from posenc.rotary import rope, rotate
from posenc_course.exercises.judging import exercise


def _rows(seed: int, tokens: int, d: int) -> np.ndarray:
    """Return rows of normal random numbers, shape (tokens, d)."""
    return np.random.default_rng(seed).normal(size=(tokens, d))


@exercise("ex-beyond-bias", [(5, 0.5), (8, 1 / 256), (3, 0.25), (1, 0.5)])
def bias(length, slope):
    """Return what ALiBi adds to the scores of a text without a mask, shape (length, length)."""
    here = np.arange(length)
    return -slope * np.abs(here[:, np.newaxis] - here)


@exercise("ex-rope-move", [(_rows(3, 5, 8), 3), (_rows(4, 4, 6), 1), (_rows(5, 3, 4), 12)])
def move(turned_keys, by):
    """Return turned keys, each turned back by `by` tokens: as they were at earlier positions."""
    return rope(turned_keys, np.full(len(turned_keys), -by))


@exercise(
    "ex-beyond-port", [(_rows(1, 6, 8),), (_rows(2, 10, 10),), (np.arange(24.0).reshape(4, 6),)]
)
def port(W):
    """Return W with its interleaved columns in halves: 0, 2, 4, ... and then 1, 3, 5, ..."""
    return np.concatenate([W[:, 0::2], W[:, 1::2]], axis=1)


@exercise("ex-beyond-ntk", [(10_000, 128, 4), (10_000, 64, 16), (500_000, 8, 2.5), (100, 4, 1)])
def raised_base(base, d, s):
    """Return the base whose slowest wavelength is s times that of `base`, at width d."""
    # The slowest wavelength is 2π times the base to the power (d - 2) / d.
    return base * s ** (d / (d - 2))


@exercise("ex-rope-axes-grid", [(2, 3), (3, 2), (1, 4), (4, 5)])
def places_of(rows, columns):
    """Return (row, column) of each patch, line by line: shape (rows * columns, 2)."""
    return grid_positions(rows, columns)


@exercise(
    "ex-rope-axes-angles",
    [
        (grid_positions(2, 3), frequencies(8)),
        (grid_positions(3, 5), frequencies(4)),
        (np.array([[7, 0], [2, 9]]), frequencies(6)),
    ],
)
def angles_of(places, omega):
    """Return the angles of m pairs by the row and m by the column of n places, shape (n, 2m)."""
    return np.concatenate([np.outer(places[:, 0], omega), np.outer(places[:, 1], omega)], axis=1)


@exercise(
    "ex-rope-in-models-part",
    [
        (_rows(1, 5, 16), np.arange(5), 8),
        (_rows(2, 3, 12), np.array([7, 0, 100]), 4),
        (_rows(3, 4, 8), np.arange(4), 8),
    ],
)
def turn_part(x, positions, width):
    """Return x, its first `width` columns turned in halves by the frequencies of that width."""
    # `rope` leaves the columns that have no frequency as they are.
    return rope(x, positions, frequencies=frequencies(width), layout="halves")


@exercise(
    "ex-rope-in-models-base",
    [
        ({"rope_theta": 500_000.0, "rope_scaling": None},),
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 1_000_000.0}},),
        ({"rope_theta": 10_000.0, "rope_scaling": {"type": "linear", "factor": 2.0}},),
    ],
)
def base_of(config):
    """Return the base of a config, from its `rope_parameters`, or where it has none, its top."""
    return (config.get("rope_parameters") or config)["rope_theta"]


# Those of Llama 3.
OMEGA = frequencies(128, base=500_000.0)
TRAINED = {"original_max_position_embeddings": 8192, "rope_theta": 500_000.0}


@exercise("ex-rope-stretching-base", [(10_000.0, 128, 8), (500_000.0, 64, 2), (10_000.0, 4, 3)])
def ntk_base(base, d, factor):
    """Return the base whose last frequency, at width d, is that of `base` divided by the factor."""
    # The last frequency is the base to the power -(d - 2) / d.
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
    reached = trained * omega
    # Angles that are equal but for rounding are not new.
    further = longer * slowed > reached * (1 + 1e-6)
    # A pair that had made a full turn had met all angles.
    return int(((reached < 2 * np.pi) & further).sum())


@exercise("ex-serving-positions", [([3, 2],), ([5, 1, 4],), ([2, 2, 2],)])
def packed_positions(lengths):
    """Return an array: the positions of texts of these lengths in one row, each text from 0 on."""
    return np.concatenate([np.arange(length) for length in lengths])


def _keys(seed: int, tokens: int, d: int) -> np.ndarray:
    """Return random keys turned by RoPE for positions 0 to tokens - 1, shape (tokens, d)."""
    return rope(_rows(seed, tokens, d), tokens)


@exercise("ex-serving-move", [(_keys(1, 4, 8), 30), (_keys(2, 2, 16), -3), (_keys(3, 5, 4), 100)])
def move_keys(cached, by):
    """Return turned keys, interleaved, turned by `by` tokens more."""
    return rotate(cached, by * frequencies(cached.shape[-1]))
