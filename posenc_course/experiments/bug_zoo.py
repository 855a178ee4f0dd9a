"""Ten wrong layers, the correct one, and twelve tests: the zoo of the chapter "A bug zoo".

A layer takes words of shape (batch, length, d) and returns them plus the encoding. Each wrong
one is cut down to its bug; none is for use. A test takes a layer, and where that is wrong raises or
returns False.
"""

import math
from collections.abc import Callable

import numpy as np

from posenc import sinusoidal

Layer = Callable[[np.ndarray], np.ndarray]  # words of shape (batch, length, d) to the same shape


def _weave(sines: np.ndarray, cosines: np.ndarray) -> np.ndarray:
    """Return two tables of shape (L, d/2) as one of shape (L, d), sine and cosine in turn."""
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def _angles(L: int, d: int) -> np.ndarray:
    """Return the right angles in radians of L positions and all pairs, shape (L, d/2)."""
    # A float, as NumPy raises no int to a negative power.
    return np.arange(L)[:, np.newaxis] * 10_000.0 ** (-np.arange(0, d, 2) / d)


def _adding(table_of: Callable[[int, int], np.ndarray]) -> Layer:
    """Return the layer that adds the table of shape (L, d) that `table_of(L, d)` makes."""

    def layer(x):
        """Return the words plus the table; raise a ValueError for an odd width."""
        _, L, d = x.shape
        if d % 2:  # as a right layer does, or the test of odd widths would find a second bug
            raise ValueError(f"the width must be even, got {d}")
        return x + table_of(L, d)

    return layer


def _turning(omega: Callable[[int], np.ndarray]) -> Layer:
    """Return the layer that adds interleaved hands of the d/2 frequencies `omega(d)`."""

    def table(L, d):
        """Return the interleaved table of L positions and d columns."""
        angles = np.arange(L)[:, np.newaxis] * omega(d)
        return _weave(np.sin(angles), np.cos(angles))

    return _adding(table)


def _off_by_one(L: int, d: int) -> np.ndarray:
    """Return a table in which the columns of a pair have frequencies of their own (wrong)."""
    positions = np.arange(L)[:, np.newaxis]
    omega = 10_000.0 ** (-np.arange(d) / d)  # one for each column, not pair
    return _weave(np.sin(positions * omega[0::2]), np.cos(positions * omega[1::2]))


def _missing_transpose(L: int, d: int) -> np.ndarray:
    """Return a table whose angles were transposed and then only given the right shape (wrong)."""
    angles = _angles(L, d).T.reshape(L, d // 2)  # meant: no reshape, or .T once more
    return _weave(np.sin(angles), np.cos(angles))


def _batch_axis(x: np.ndarray) -> np.ndarray:
    """Return the words plus a row for each text, not for each position (wrong)."""
    batch, _, d = x.shape
    return x + sinusoidal(batch, d)[:, np.newaxis]  # (batch, 1, d): fits any length


def _missing_slice(x: np.ndarray) -> np.ndarray:
    """Return the words plus 64 rows, which raises unless a text has 64 tokens or one (wrong)."""
    return x + sinusoidal(64, x.shape[-1])  # meant: the first x.shape[1] rows


def _odd_width(x: np.ndarray) -> np.ndarray:
    """Return the words plus the right table; an odd width raises an unclear error (wrong)."""
    _, L, d = x.shape
    angles = _angles(L, d)
    table = np.zeros((L, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)  # for an odd d there is one column too few here
    return x + table


def _mixed_layouts(L: int, d: int) -> np.ndarray:
    """Return a table with all sines first and then all cosines (wrong)."""
    angles = _angles(L, d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def _float32_angles(L: int, d: int) -> np.ndarray:
    """Return a table of angles that were rounded to 32 bits before the sine (wrong)."""
    omega = _angles(2, d)[1]  # the angles at position 1 are the frequencies
    angles = np.arange(L, dtype=np.float32)[:, np.newaxis] * np.float32(omega)
    return _weave(np.sin(angles), np.cos(angles))


correct = _turning(lambda d: 10_000.0 ** (-np.arange(0, d, 2) / d))

BUGS = {
    "integer arange": _turning(lambda d: 10_000.0 ** -(np.arange(0, d, 2) // d)),  # meant: / d
    "swapped power": _turning(lambda d: (np.arange(0, d, 2) / d) ** (1 / 10_000)),  # the reverse
    "doubled exponent": _turning(lambda d: 10_000.0 ** (-2 * np.arange(0, d, 2) / d)),  # 2 twice
    "off-by-one i": _adding(_off_by_one),
    "missing transpose": _adding(_missing_transpose),
    "batch axis": _batch_axis,
    "missing slice": _missing_slice,
    "odd width": _odd_width,
    "mixed layouts": _adding(_mixed_layouts),
    "float32 angles": _adding(_float32_angles),
}


# --- The tests ---------------------------------------------------------------------------------

SAME = 1e-6  # entries that differ by less are equal: what float64 rounds is far smaller
SAME_STEP = 1e-5  # the same for sums of several entries, and for entries far down
FAR = 32_000  # a position at which angles in float32 have lost their last digits


# The three sizes differ, and none is 1: else a wrong axis could fit.
def _added(layer: Layer, batch: int = 3, length: int = 50, d: int = 16) -> np.ndarray:
    """Return what a layer adds to words that are all zeros, shape (batch, length, d)."""
    return layer(np.zeros((batch, length, d)))


def frequencies_of(layer: Layer) -> np.ndarray:
    """Return the 8 frequencies of a layer at width 16, from -π to π, read off its row 1."""
    row = _added(layer)[0, 1]
    return np.arctan2(row[0::2], row[1::2])


def _test_stays_in_range(layer: Layer) -> bool:
    """Tell whether all that a layer adds lies from -1 to 1."""
    return np.abs(_added(layer)).max() <= 1 + SAME


def _test_keeps_shape(layer: Layer) -> bool:
    """Tell whether what comes out has the shape of the words, for a text of one token too."""
    # With one token, rows that were not sliced repeat it instead of raising.
    return all(layer(np.zeros(shape)).shape == shape for shape in ((3, 50, 16), (3, 1, 16)))


def _test_starts_with_0_1(layer: Layer) -> None:
    """Raise AssertionError unless row 0 is 0, 1, 0, 1, ...: every hand begins at twelve."""
    np.testing.assert_allclose(_added(layer)[0, 0], [0, 1] * 8, atol=SAME)


def _test_batch_is_alike(layer: Layer) -> None:
    """Raise AssertionError unless all texts of a batch get the same rows."""
    first, *others = _added(layer)
    for other in others:
        np.testing.assert_allclose(other, first, atol=SAME)


def _test_longer_starts_alike(layer: Layer) -> None:
    """Raise AssertionError unless a longer text begins with the rows of a shorter one."""
    short, long = _added(layer, length=20), _added(layer, length=50)
    np.testing.assert_allclose(long[:, :20], short, atol=SAME)


def _test_rows_differ(layer: Layer) -> bool:
    """Tell whether every two of the first 50 rows are more than 0.1 apart."""
    rows = _added(layer)[0]
    apart = np.linalg.norm(rows[:, np.newaxis] - rows, axis=-1)
    # A row is at 0 from itself, so the diagonal is left out. Correct rows are at least 1 apart.
    return apart[~np.eye(len(rows), dtype=bool)].min() > 0.1


def _test_keeps_length(layer: Layer) -> None:
    """Raise AssertionError unless the squares of each row add up to d/2, 1 for each pair."""
    squares = (_added(layer) ** 2).sum(axis=-1)
    np.testing.assert_allclose(squares, 16 / 2, rtol=SAME_STEP)


def _test_steps_alike(layer: Layer) -> None:
    """Raise AssertionError unless every step from row to row is equally long, far down too."""
    rows = _added(layer, batch=1, length=FAR + 1)[0]
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    np.testing.assert_allclose(steps, steps[0], atol=SAME_STEP)


def _test_frequencies_fall(layer: Layer) -> bool:
    """Tell whether each pair turns more slowly than the one before it."""
    return (np.diff(frequencies_of(layer)) < 0).all()


def _test_last_frequency(layer: Layer) -> bool:
    """Tell whether the slowest pair has the frequency of the formula."""
    expected = 10_000.0 ** (-14 / 16)  # -(d - 2) / d for d = 16
    return np.isclose(frequencies_of(layer)[-1], expected)


def _test_far_position(layer: Layer) -> bool:
    """Tell whether the row of position 32 000 is that of the formula, computed in float64."""
    row = _added(layer, batch=1, length=FAR + 1)[0, FAR]
    angles = [FAR / 10_000 ** (2 * i / 16) for i in range(16 // 2)]  # Python's: 64 bits
    expected = np.ravel([(math.sin(angle), math.cos(angle)) for angle in angles])  # interleaved
    return (np.abs(row - expected) < SAME_STEP).all()


def _test_refuses_odd_width(layer: Layer) -> bool:
    """Tell whether an odd width raises a ValueError that says "even"; other errors pass through."""
    try:
        layer(np.zeros((3, 50, 15)))
    except ValueError as error:
        return "even" in str(error)
    return False


# Every function above whose name begins with _test_, in the order of the file.
TESTS = {
    name.removeprefix("_test_"): test
    for name, test in dict(globals()).items()
    if name.startswith("_test_")
}


def verdict(test: Callable, layer: Layer) -> str:
    """Return "passes", "fails" (an AssertionError or False), or "crashes" (any other error)."""
    try:
        held = test(layer)
    except AssertionError:
        return "fails"
    except Exception:
        return "crashes"
    # A test that asserts returns None where all is well, and others return a bool, some NumPy's.
    return "fails" if isinstance(held, bool | np.bool_) and not held else "passes"
