"""Positions with several coordinates; drawn places and axes are in test_drawn.py."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotate, sinusoidal
from posenc.axes import (
    axial_frequencies,
    axial_ladders,
    axial_rope,
    axial_sinusoidal,
    grid_positions,
    mrope_axes,
)

# ---------------------------------------------------------------------------- tables


def test_three_axes_and_places_that_are_given():
    times, rows, columns = [0.5, 2], 3, np.array([1, 2, 3, 4.0])
    table = axial_sinusoidal((times, rows, columns), 12)
    assert table.shape == (2, 3, 4, 12)
    expected = [sinusoidal([k], 4)[0] for k in (2, 1, 4)]
    np.testing.assert_allclose(table[1, 1, 3], np.concatenate(expected), atol=1e-15)


def test_one_axis_is_the_table():
    np.testing.assert_array_equal(axial_sinusoidal((9,), 8), sinusoidal(9, 8))


# ---------------------------------------------------------------------------- RoPE


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


def test_interleaved_it_is_rope_of_each_axis_in_its_own_columns(rng):
    rows, places = rng.normal(size=(12, 16)), grid_positions(3, 4)
    turned = axial_rope(rows, places, *axial_frequencies(16, 2))
    np.testing.assert_allclose(turned[:, :8], rope(rows[:, :8], places[:, 0]), atol=1e-14)
    np.testing.assert_allclose(turned[:, 8:], rope(rows[:, 8:], places[:, 1]), atol=1e-14)


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("interleaved", [True, False])
def test_score_depends_on_the_difference_of_each_coordinate(rng, layout, interleaved):
    settings = axial_frequencies(24, 3, interleaved=interleaved)
    query, key = rng.normal(size=(2, 24))
    shift = np.array([1, -2, 3])
    places = rng.integers(0, 50, size=(20, 3))
    queries = axial_rope(np.tile(query, (20, 1)), places, *settings, layout=layout)
    keys = axial_rope(np.tile(key, (20, 1)), places + shift, *settings, layout=layout)
    scores = (queries * keys).sum(axis=1)
    np.testing.assert_allclose(scores, scores[0], atol=1e-11)
    other = axial_rope([key], [places[0] + shift[[1, 0, 2]]], *settings, layout=layout)
    assert abs(queries[0] @ other[0] - scores[0]) > 1e-3


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


# ---------------------------------------------------------------------------- bad arguments
