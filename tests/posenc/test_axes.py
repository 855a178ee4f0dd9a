"""Positions with several coordinates; drawn places and axes are in test_drawn.py."""

import numpy as np

from posenc import frequencies
from posenc.axes import axial_frequencies, axial_ladders, axial_rope


def test_each_axis_has_its_own_ladder_or_its_share_of_one():
    omega, axes = axial_frequencies(16, 2, base=100)
    np.testing.assert_array_equal(omega, [*frequencies(8, base=100)] * 2)
    np.testing.assert_array_equal(axes, [0] * 4 + [1] * 4)
    omega, axes = axial_frequencies(12, 3, base=100, interleaved=True)
    np.testing.assert_array_equal(omega, frequencies(12, base=100)[[0, 3, 1, 4, 2, 5]])
    np.testing.assert_array_equal(axes, [0, 0, 1, 1, 2, 2])


def test_axes_with_parts_of_different_widths_have_ladders_of_their_own():
    omega, axes = axial_ladders([44, 42, 42], base=256)
    np.testing.assert_array_equal(axes, [0] * 22 + [1] * 21 + [2] * 21)
    np.testing.assert_array_equal(omega[:22], frequencies(44, base=256))
    np.testing.assert_array_equal(omega[43:], frequencies(42, base=256))
    same, _ = axial_ladders([8, 8])
    np.testing.assert_array_equal(same, axial_frequencies(16, 2)[0])


def test_positions_of_each_batch(rng):
    rows, places = rng.normal(size=(2, 3, 5, 8)), rng.integers(0, 9, size=(2, 1, 5, 2))
    turned = axial_rope(rows.astype(np.float32), places, *axial_frequencies(8, 2))
    assert turned.dtype == np.float32
    for batch, head in np.ndindex(2, 3):
        one = axial_rope(rows[batch, head], places[batch, 0], *axial_frequencies(8, 2))
        np.testing.assert_allclose(turned[batch, head], one, atol=1e-6)
