"""Ten wrong layers, the correct one, and twelve tests: the zoo of the chapter "A bug zoo".

A layer takes words of shape (batch, length, d) and returns them plus the encoding. Each wrong
one is cut down to its bug; none is for use. A test takes a layer, and where that is wrong raises or
returns False.
"""

import math

import numpy as np

from posenc import sinusoidal


def _weave(sines, cosines):
    """Put two tables of shape (L, d/2) together, sine and cosine in turn."""
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def _angles(L, d):
    return np.arange(L)[:, np.newaxis] * 10_000.0 ** (-np.arange(0, d, 2) / d)


def _adding(table_of):
    """Return the layer that adds the table that `table_of(L, d)` makes."""

    def layer(x):
        _, L, d = x.shape
        if d % 2:  # as a right layer does, or the test of odd widths would find a second bug
            raise ValueError(f"the width must be even, got {d}")
        return x + table_of(L, d)

    return layer


def _turning(omega):
    """Return the layer whose hands turn by the frequencies that `omega` gives for a width."""

    def table(L, d):
        angles = np.arange(L)[:, np.newaxis] * omega(d)
        return _weave(np.sin(angles), np.cos(angles))

    return _adding(table)


def _off_by_one(L, d):
    positions = np.arange(L)[:, np.newaxis]
    omega = 10_000.0 ** (-np.arange(d) / d)  # one for each column, not pair
    return _weave(np.sin(positions * omega[0::2]), np.cos(positions * omega[1::2]))


def _missing_transpose(L, d):
    angles = _angles(L, d).T.reshape(L, d // 2)  # meant: no reshape, or .T once more
    return _weave(np.sin(angles), np.cos(angles))


def _batch_axis(x):
    batch, _, d = x.shape
    return x + sinusoidal(batch, d)[:, np.newaxis]  # (batch, 1, d): fits any length


def _missing_slice(x):
    return x + sinusoidal(64, x.shape[-1])  # meant: the first x.shape[1] rows


def _odd_width(x):
    _, L, d = x.shape
    angles = _angles(L, d)
    table = np.zeros((L, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)  # one column short if d is odd
    return x + table


def _mixed_layouts(L, d):
    angles = _angles(L, d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def _float32_angles(L, d):
    angles = np.arange(L, dtype=np.float32)[:, np.newaxis] * np.float32(_angles(2, d)[1])
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


def _added(layer, batch=3, length=50, d=16):
    """Return what a layer adds. No two sizes are equal and none is 1: that hides wrong axes."""
    return layer(np.zeros((batch, length, d)))


def frequencies_of(layer):
    """Return the frequencies of a layer of width 16, from -π to π, read off its row 1."""
    row = _added(layer)[0, 1]
    return np.arctan2(row[0::2], row[1::2])


def _test_stays_in_range(layer):
    return np.abs(_added(layer)).max() <= 1 + 1e-6


def _test_keeps_shape(layer):
    return all(layer(np.zeros(shape)).shape == shape for shape in ((3, 50, 16), (3, 1, 16)))


def _test_starts_with_0_1(layer):
    np.testing.assert_allclose(_added(layer)[0, 0], [0, 1] * 8, atol=1e-6)


def _test_batch_is_alike(layer):
    first, *others = _added(layer)
    for other in others:
        np.testing.assert_allclose(other, first, atol=1e-6)


def _test_longer_starts_alike(layer):
    short, long = _added(layer, length=20), _added(layer, length=50)
    np.testing.assert_allclose(long[:, :20], short, atol=1e-6)


def _test_rows_differ(layer):
    rows = _added(layer)[0]
    apart = np.linalg.norm(rows[:, np.newaxis] - rows, axis=-1)
    return apart[~np.eye(len(rows), dtype=bool)].min() > 0.1


def _test_keeps_length(layer):
    squares = (_added(layer) ** 2).sum(axis=-1)
    np.testing.assert_allclose(squares, 16 / 2, rtol=1e-5)


def _test_steps_alike(layer):
    rows = _added(layer, batch=1, length=32_001)[0]
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    np.testing.assert_allclose(steps, steps[0], atol=1e-5)


def _test_frequencies_fall(layer):
    return (np.diff(frequencies_of(layer)) < 0).all()


def _test_last_frequency(layer):
    expected = 10_000.0 ** (-14 / 16)  # -(d - 2) / d for d = 16
    return np.isclose(frequencies_of(layer)[-1], expected)


def _test_far_position(layer):
    row = _added(layer, batch=1, length=32_001)[0, 32_000]
    angles = [32_000 / 10_000 ** (2 * i / 16) for i in range(16 // 2)]  # Python's: 64 bits
    expected = np.ravel([(math.sin(angle), math.cos(angle)) for angle in angles])
    return (np.abs(row - expected) < 1e-5).all()


def _test_refuses_odd_width(layer):
    try:
        layer(np.zeros((3, 50, 15)))
    except ValueError as error:
        return "even" in str(error)
    return False


# In the order in which they stand above.
TESTS = {
    name.removeprefix("_test_"): test
    for name, test in dict(globals()).items()
    if name.startswith("_test_")
}


def verdict(test, layer):
    """Return what a test says of a layer: "passes", "fails", or "crashes" at any other error."""
    try:
        held = test(layer)
    except AssertionError:
        held = False
    except Exception:
        return "crashes"
    return "fails" if isinstance(held, bool | np.bool_) and not held else "passes"
