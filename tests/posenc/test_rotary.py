"""Rotary embedding: against the formula."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotate
from tests.posenc.by_formula import turn

LAYOUTS = ["interleaved", "halves"]


def angles_at(places, width, base=10_000.0):
    """Return the angles of each place, of a base."""
    return np.multiply.outer(places, base ** (-np.arange(0, width, 2) / width))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("width", [2, 4, 10, 64])
@pytest.mark.parametrize("base", [10_000.0, 100, 500_000, 0.5])
def test_rope_equals_the_formula(rng, layout, width, base):
    rows = rng.normal(size=(7, width))
    turned = rope(rows, 7, base=base, layout=layout)
    expected = turn(rows, angles_at(range(7), width, base), layout)
    np.testing.assert_allclose(turned, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "places"),
    [
        ((3, 5, 4), np.arange(5)),
        ((3, 5, 4), np.arange(15).reshape(3, 5)),
        ((3, 5, 4), np.array([[2], [7], [1]])),
        ((3, 5, 4), np.array([6.0])),
        ((2, 3, 5, 4), np.arange(10).reshape(2, 1, 5)),
        ((2, 2, 5, 4), np.arange(10).reshape(2, 1, 5)),
    ],
)
def test_positions_broadcast_over_the_leading_axes(rng, shape, places):
    rows = rng.normal(size=shape)
    expected = turn(rows, angles_at(np.broadcast_to(places, shape[:-1]), 4), "interleaved")
    np.testing.assert_allclose(rope(rows, places), expected, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float16, np.int8, np.float64, np.longdouble])
def test_result_is_float64_and_shares_no_memory(dtype):
    rows = np.arange(12).reshape(3, 4).astype(dtype)
    turned = rope(rows, 3)
    assert type(turned) is np.ndarray
    assert turned.dtype == np.float64
    assert not np.shares_memory(turned, rows)
    np.testing.assert_array_equal(turned, rope(rows.astype(float).tolist(), [0, 1, 2]))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("far", [0, 1_000_000])
def test_float32_stays_float32_and_its_angles_are_rounded_once(rng, layout, far):
    rows = rng.normal(size=(3, 40, 64)).astype(np.float32)
    before = rows.copy()
    turned = rope(rows, np.arange(far, far + 40), layout=layout)
    assert turned.dtype == np.float32
    assert not np.shares_memory(turned, rows)
    np.testing.assert_array_equal(rows, before)
    exact = rope(rows.astype(np.float64), np.arange(far, far + 40), layout=layout)
    # Two roundings of a sine or cosine, two of a product, one of a sum; float32 angles would be
    # off by 0.03 at position 1 000 000. A pair is at most √2 times as long as its larger number.
    assert np.abs(turned - exact).max() < 1.5e-7 * 2.5 * np.sqrt(2) * np.abs(rows).max()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_fewer_frequencies_turn_the_first_columns_among_themselves(rng, layout):
    rows = rng.normal(size=(9, 17))
    turned = rope(rows, 9, frequencies=frequencies(6), layout=layout)
    np.testing.assert_array_equal(turned[:, :6], rope(rows[:, :6], 9, layout=layout))
    np.testing.assert_array_equal(turned[:, 6:], rows[:, 6:])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("shape", "angles"),
    [
        ((4,), (2,)),
        ((4,), (1,)),
        ((5,), (2,)),
        ((5,), (0,)),
        ((3, 8), (4,)),
        ((3, 8), (3, 2)),
        ((2, 3, 8), (3, 3)),
        ((2, 3, 8), (2, 1, 4)),
        ((2, 3, 5, 8), (3, 1, 3)),  # of each head, as mixed axial frequencies are
        ((2, 3, 5, 8), (2, 1, 5, 4)),
    ],
)
def test_rotate_equals_the_formula(rng, layout, shape, angles):
    rows, theta = rng.normal(size=shape), rng.normal(size=angles, scale=10)
    expected = turn(rows, np.broadcast_to(theta, (*shape[:-1], angles[-1])), layout)
    np.testing.assert_allclose(rotate(rows, theta, layout=layout), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_in_any_order_in_memory_turn_alike(rng, layout, dtype):
    rows, theta = rng.normal(size=(4, 6, 8)).astype(dtype), rng.normal(size=(6, 3))
    expected = rotate(rows, theta, layout=layout)
    orders = (np.asfortranarray(rows), np.repeat(rows, 2, axis=-1)[..., ::2], rows[:, :, ::-1])
    for other in (*orders[:2], orders[2][:, :, ::-1], rows.astype(rows.dtype.newbyteorder())):
        found = rotate(other, theta, layout=layout)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)
