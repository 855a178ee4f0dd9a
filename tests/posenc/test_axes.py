"""Positions with several coordinates; drawn places and axes are in test_drawn.py."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotate
from posenc.axes import (
    axial_frequencies,
    axial_ladders,
    axial_rope,
    grid_positions,
    mrope_axes,
)


def test_each_axis_has_its_own_ladder_or_its_share_of_one():
    omega, axes = axial_frequencies(16, 2, base=100)
    np.testing.assert_array_equal(omega, [*frequencies(8, base=100)] * 2)
    np.testing.assert_array_equal(axes, [0] * 4 + [1] * 4)
    omega, axes = axial_frequencies(16, 2, base=100, interleaved=True)
    whole = frequencies(16, base=100)
    np.testing.assert_array_equal(omega, [*whole[0::2], *whole[1::2]])
    np.testing.assert_array_equal(axes, [0] * 4 + [1] * 4)


def test_axes_with_parts_of_different_widths_have_ladders_of_their_own():
    omega, axes = axial_ladders([44, 42, 42], base=256)
    np.testing.assert_array_equal(axes, [0] * 22 + [1] * 21 + [2] * 21)
    np.testing.assert_array_equal(omega[:22], frequencies(44, base=256))
    np.testing.assert_array_equal(omega[43:], frequencies(42, base=256))
    same, _ = axial_ladders([8, 8])
    np.testing.assert_array_equal(same, axial_frequencies(16, 2)[0])


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_halves_within_each_side_take_two_calls(rng, layout):
    # Gemma 4 pairs column i with i + d/4 within the part of each side.
    rows, places = rng.normal(size=(12, 16)), grid_positions(3, 4)
    sides = [
        rope(rows[:, 8 * axis : 8 * axis + 8], places[:, axis], layout=layout) for axis in (0, 1)
    ]
    angles = np.concatenate([places[:, [0]] * frequencies(8), places[:, [1]] * frequencies(8)], 1)
    whole = rotate(rows, angles)  # pairs of the whole head in turn
    assert np.allclose(np.concatenate(sides, axis=1), whole) == (layout == "interleaved")


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_text_under_mrope_is_rope(rng, interleaved, layout):
    rows, section = rng.normal(size=(7, 128)), [24, 20, 20] if interleaved else [16, 24, 24]
    axes = mrope_axes(section, interleaved=interleaved)
    places = np.repeat(np.arange(7)[:, np.newaxis], 3, axis=1)
    turned = axial_rope(rows, places, frequencies(128), axes, layout=layout)
    np.testing.assert_array_equal(turned, rope(rows, 7, layout=layout))


def test_sections_are_dealt_as_the_configs_say():
    axes = mrope_axes([16, 24, 24])
    assert [(axes == axis).sum() for axis in range(3)] == [16, 24, 24]
    assert (np.diff(axes) >= 0).all()
    dealt = mrope_axes([24, 20, 20], interleaved=True)
    assert [(dealt == axis).sum() for axis in range(3)] == [24, 20, 20]
    assert dealt[:60].tolist() == [0, 1, 2] * 20
    assert dealt[60:].tolist() == [0] * 4


def test_positions_of_each_batch(rng):
    rows, places = rng.normal(size=(2, 3, 5, 8)), rng.integers(0, 9, size=(2, 1, 5, 2))
    turned = axial_rope(rows.astype(np.float32), places, *axial_frequencies(8, 2))
    assert turned.dtype == np.float32
    for batch, head in np.ndindex(2, 3):
        one = axial_rope(rows[batch, head], places[batch, 0], *axial_frequencies(8, 2))
        np.testing.assert_allclose(turned[batch, head], one, atol=1e-6)
