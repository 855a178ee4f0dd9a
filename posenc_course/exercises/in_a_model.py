"""The exercises of the chapter "In a model"."""

import numpy as np

from posenc import decode_positions, sinusoidal
from posenc_course.exercises.judging import exercise
from posenc_course.words import N_

WIDTH = 32  # of the rows; more than the most places of an input, 4, which leaves directions free


def _taken_apart(seed: int, places: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return (words + encodings of the places, W), where W keeps the words and wipes out encodings.

    The words lie in the directions that the encodings of the places leave free.
    """
    rng = np.random.default_rng(seed)
    rows = sinusoidal(places, WIDTH)
    # The directions are orthogonal to one another, and the rows span the first of them, as many as
    # there are rows.
    directions = np.linalg.svd(rows)[2]
    free = directions[len(rows) :]  # orthogonal to all rows
    W = free.T @ free  # the projection onto what these directions span
    words = rng.normal(size=(len(rows), len(free))) @ free
    return words + rows, W


# A position that is read off loses digits.
@exercise(
    "ex-model-place",
    [_taken_apart(1, [3, 1, 4]), _taken_apart(2, [0, 9, 2, 6]), _taken_apart(3, [40])],
    tolerance=1e-6,
)
def read_places(sums, W):
    """Return an array of the positions in sums of words and encodings; W keeps the words alone."""
    return decode_positions(sums - sums @ W)


def _changed_or_no_letters(given: np.ndarray, before: tuple, after: tuple) -> str:
    """Return a hint on a changed input, or on letters that are no integers; "" for neither."""
    (tokens,), (tokens_after,) = before, after  # `twin` has one argument
    if not np.array_equal(tokens, tokens_after):
        return N_("It changes its input. Work on a copy.")
    if given.dtype.kind == "f":
        return N_("It returns numbers with a fraction, which serve no look-up. Keep them whole.")
    return ""


@exercise(
    "ex-model-twin",
    [
        (np.array([0, 4, 1, 2]),),
        (np.array([[1, 5, 0], [0, 1, 7]]),),
        (np.array([3, 3, 1, 6, 0, 2]),),
    ],
    slips=[_changed_or_no_letters],
)
def twin(tokens):
    """Return a new array: the texts with the letters 0 and 1 exchanged."""
    return np.where(tokens == 0, 1, np.where(tokens == 1, 0, tokens))
