"""Reading positions back: round trips, noise, and refusals."""

import math

import numpy as np
import pytest

from posenc import decode_positions, rope, sinusoidal

LAYOUTS = ["interleaved", "halves"]

# The bounds that the docstring states, in tokens.
BOUNDS = {np.float64: 1e-10, np.float32: 1e-7, np.float16: 1e-3}


def longest_wavelength(d_model, base):
    return 2 * math.pi * max(1, base ** ((d_model - 2) / d_model))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", BOUNDS)
@pytest.mark.parametrize(
    ("d_model", "base"),
    [
        (2, 10_000.0),
        (4, 100),
        (4, 10_000.0),
        (6, 2),
        (16, 500_000),
        (8, 0.5),
        (512, 1e-4),
    ],
)
def test_every_position_comes_back_at_other_widths_and_bases(d_model, base, dtype, layout):
    positions = np.arange(min(math.ceil(longest_wavelength(d_model, base) - 0.5), 20_000))
    table = sinusoidal(positions, d_model, base=base, layout=layout).astype(dtype)
    read = decode_positions(table, base=base, layout=layout)
    assert np.abs(read - positions).max() < BOUNDS[dtype]


def test_half_a_token_before_zero_is_the_start_and_half_a_token_before_the_end_is_the_end():
    for d_model, base in [(2, 10_000.0), (4, 100), (512, 10_000.0), (512, 1_000_000)]:
        end = longest_wavelength(d_model, base)
        positions = np.array([-0.5, 0.49, end - 0.51])
        read = decode_positions(sinusoidal(positions, d_model, base=base), base=base)
        np.testing.assert_allclose(read, positions, rtol=0, atol=max(1e-9, 4 * np.spacing(end)))


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_half_a_token_before_zero_is_read_if_it_is_rounded_to_the_other_side(dtype):
    for d_model, base in [(4, 100), (64, 10_000.0), (512, 10_000.0), (128, 500_000)]:
        start = sinusoidal(-0.5, d_model, base=base).astype(dtype)
        assert abs(decode_positions(start, base=base) + 0.5) < 0.004


def test_a_position_beyond_the_end_is_read_a_wavelength_earlier_if_all_pairs_repeat():
    # Ten turns of one pair are one turn of the other: nothing tells the two positions apart.
    wavelength = 20 * math.pi
    read = decode_positions(sinusoidal([63, -3], 4, base=100), base=100)
    np.testing.assert_allclose(read, [63 - wavelength, wavelength - 3], rtol=0, atol=1e-12)


def test_leading_axes_are_kept_and_the_result_is_float64():
    positions = np.arange(24).reshape(2, 3, 4)
    table = sinusoidal(positions, 16).astype(np.float32)
    read = decode_positions(table)
    assert read.shape == (2, 3, 4)
    assert read.dtype == np.float64
    np.testing.assert_array_equal(read.round(), positions)
    assert decode_positions(table[1, 2, 3]).shape == ()
    assert decode_positions(np.empty((0, 8))).shape == (0,)


@pytest.mark.parametrize("d_model", [8, 16, 512])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_wrong_layout_is_refused_and_the_other_suggested(d_model, layout):
    (other,) = set(LAYOUTS) - {layout}
    table = sinusoidal(range(100), d_model, layout=other)
    with pytest.raises(ValueError, match=f'fit layout="{other}", got row .*'):
        decode_positions(table, layout=layout)


@pytest.mark.parametrize("position", [-3, 60_611.3, 1e6])
def test_a_position_out_of_range_is_refused_where_the_pairs_do_not_repeat(position):
    with pytest.raises(ValueError, match=r"in the range, with no pair \(0, 0\), got row"):
        decode_positions(sinusoidal([position], 512))


def test_the_length_of_the_pairs_does_not_matter():
    table = sinusoidal(range(100), 16)
    np.testing.assert_allclose(decode_positions(22.6 * table), range(100), rtol=0, atol=1e-10)


@pytest.mark.parametrize("nudge", [-1e-2, -1e-5, 1e-5, 1e-2])
def test_an_error_of_the_slowest_pair_alone_does_no_harm(nudge):
    positions = np.r_[0:20, 60_590:60_611]
    table = sinusoidal(positions, 512)
    table[:, 510] += nudge
    assert np.abs(decode_positions(table) - positions).max() < 1e-9


def test_noise_of_a_tenth_still_leaves_the_nearest_whole_position():
    rng = np.random.default_rng(4)
    positions = rng.integers(0, 60_611, size=2000)
    table = sinusoidal(positions, 512) + rng.normal(0, 0.1, size=(2000, 512))
    np.testing.assert_array_equal(decode_positions(table).round(), positions)


def test_a_tensor_of_torch_is_read_whatever_it_is_trained_for():
    torch = pytest.importorskip("torch")
    rows = torch.tensor([[1.0, 2.0, 3.0, 4.0]] * 3, dtype=torch.bfloat16)
    expected = rope(rows.float().numpy(), 3)
    np.testing.assert_array_equal(rope(rows, torch.arange(3)), expected)
    trained = torch.tensor(sinusoidal([7.0, 40.0], 64), requires_grad=True)
    np.testing.assert_allclose(decode_positions(trained), [7, 40], atol=1e-10)
    np.testing.assert_allclose(decode_positions(trained.bfloat16()), [7, 40], atol=0.1)
