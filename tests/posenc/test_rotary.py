"""Rotary embedding: against the formula, and what others have printed."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotate
from tests.by_formula import turn

LAYOUTS = ["interleaved", "halves"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("base", [10_000.0, 100, 500_000, 0.5])
@pytest.mark.parametrize(
    ("shape", "places"),
    [
        ((7, 2), np.arange(7)),
        ((7, 64), np.arange(7)),
        ((3, 5, 10), np.arange(5)),
        ((3, 5, 4), np.arange(15).reshape(3, 5)),
        ((3, 5, 4), np.array([[2], [7], [1]])),
        ((3, 5, 4), np.array([6.0])),
        ((2, 3, 5, 4), np.arange(10).reshape(2, 1, 5)),
        ((2, 2, 5, 4), np.arange(10).reshape(2, 1, 5)),
    ],
)
def test_rope_equals_the_formula_and_positions_broadcast(rng, layout, base, shape, places):
    rows = rng.normal(size=shape)
    omega = base ** (-np.arange(0, shape[-1], 2) / shape[-1])
    angles = np.multiply.outer(np.broadcast_to(places, shape[:-1]), omega)
    turned = rope(rows, places, base=base, layout=layout)
    np.testing.assert_allclose(turned, turn(rows, angles, layout), atol=1e-13)


def test_hugging_face_roformer_rotary():
    # huggingface/transformers, tests/models/roformer/test_modeling_roformer.py,
    # RoFormerSelfAttentionRotaryPositionEmbeddingTest, commit
    # 004d5906fc36dbee5f06708b95d626ff26b07c8c: queries count up in steps of 0.01, of shape
    # (2, 12, 16, 64); rows 0 to 5 and columns 0 to 7 of the first head. Interleaved.
    printed = [
        [0.0000, 0.0100, 0.0200, 0.0300, 0.0400, 0.0500, 0.0600, 0.0700],
        [-0.2012, 0.8897, 0.0263, 0.9401, 0.2074, 0.9463, 0.3481, 0.9343],
        [-1.7057, 0.6271, -1.2145, 1.3897, -0.6303, 1.7647, -0.1173, 1.8985],
        [-2.1731, -1.6397, -2.7358, 0.2854, -2.1840, 1.7183, -1.3018, 2.4871],
        [0.2717, -3.6173, -2.9206, -2.1988, -3.6638, 0.3858, -2.9155, 2.2980],
        [3.9859, -2.1580, -0.7984, -4.4904, -4.1181, -2.0252, -4.4782, 1.1253],
    ]
    queries = np.arange(2 * 12 * 16 * 64).reshape(2, 12, 16, 64) / 100
    np.testing.assert_array_equal(rope(queries, 16)[0, 0, :6, :8].round(4), printed)
    np.testing.assert_array_equal(rope(-queries, 16)[0, 0, :6, :8].round(4), np.negative(printed))


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
    # off by 0.03 at position 1 000 000.
    assert np.abs(turned - exact).max() < 1.5e-7 * 2.5 * np.abs(exact).max()


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
        ((5,), (2,)),
        ((5,), (0,)),
        ((3, 8), (4,)),
        ((2, 3, 8), (3, 3)),
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


def test_positions_of_a_batch_are_told_from_others_of_two_axes():
    with pytest.raises(ValueError, match=r"write positions\[:, None, :\]$"):
        rope(np.ones((2, 3, 5, 4)), np.ones((2, 5)))
    with pytest.raises(ValueError, match=r"got shape \(5, 5\)$"):
        rope(np.ones((5, 4)), np.ones((5, 5)))
