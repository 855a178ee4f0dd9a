"""The encoding, its frequencies and its shift: against the formula and against the theorems."""

import hashlib
import math
import re
from collections import deque
from functools import partial

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import frequencies, shift_matrix, sinusoidal, wavelengths
from posenc.frequencies import split_frequencies

NAN, INF = math.nan, math.inf
LAYOUTS = ["interleaved", "halves"]
widths = st.integers(1, 32).map(lambda pairs: 2 * pairs)
bases = st.sampled_from([0.5, 2.0, 100.0, 10_000.0, 500_000.0, 1_000_000.0])
positions = st.floats(-10_000, 10_000)
offsets = st.floats(-1_000, 1_000)
layouts = st.sampled_from(LAYOUTS)

# The rounding of an angle of 10 000 radians is 2e-12, and a power doubles that a few times.
close = partial(np.testing.assert_allclose, rtol=0, atol=1e-10)


def double_loop(positions, d_model, base=10_000.0):
    """Return the encoding by the formula as the paper states it, one entry after another."""
    table = []
    for k in positions:
        row = []
        for i in range(d_model // 2):
            row.append(math.sin(k / base ** (2 * i / d_model)))
            row.append(math.cos(k / base ** (2 * i / d_model)))
        table.append(row)
    return np.array(table)


def digest(array):
    return hashlib.sha256(array.tobytes()).hexdigest()


# The formula


@pytest.mark.parametrize("base", [0.5, 2, 100, 10_000.0, 1_000_000])
@pytest.mark.parametrize("d_model", [2, 4, 6, 10, 128, 512])
def test_table_equals_the_plain_double_loop(d_model, base):
    expected = double_loop(range(100), d_model, base)
    np.testing.assert_allclose(sinusoidal(100, d_model, base=base), expected, rtol=0, atol=2e-12)


def test_position_zero_is_zeros_and_ones_exactly():
    np.testing.assert_array_equal(sinusoidal(1, 6), [[0, 1, 0, 1, 0, 1]])
    np.testing.assert_array_equal(sinusoidal(1, 6, layout="halves"), [[0, 0, 0, 1, 1, 1]])


@given(position=positions, d_model=widths, base=bases)
def test_layouts_are_a_permutation_of_each_other(position, d_model, base):
    interleaved = sinusoidal([position], d_model, base=base)
    halves = sinusoidal([position], d_model, base=base, layout="halves")
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    np.testing.assert_array_equal(halves, interleaved[:, order])


@given(position=positions, d_model=widths)
def test_negative_position_mirrors_the_sines_and_keeps_the_cosines(position, d_model):
    ahead, behind = sinusoidal([position, -position], d_model)
    np.testing.assert_array_equal(behind[0::2], -ahead[0::2])
    np.testing.assert_array_equal(behind[1::2], ahead[1::2])


def test_fractional_position_lies_on_the_curves_between_its_neighbours():
    np.testing.assert_allclose(
        sinusoidal([2.5], 4, base=100),
        [[math.sin(2.5), math.cos(2.5), math.sin(0.25), math.cos(0.25)]],
        rtol=0,
        atol=1e-15,
    )


# Frequencies and wavelengths


@pytest.mark.parametrize("base", [0.5, 100, 10_000.0])
@pytest.mark.parametrize("d_model", [2, 6, 512])
def test_frequencies_equal_the_formula(d_model, base):
    expected = [1 / base ** (2 * i / d_model) for i in range(d_model // 2)]
    np.testing.assert_allclose(frequencies(d_model, base=base), expected, rtol=1e-14)
    assert frequencies(d_model, base=base)[0] == 1


@given(pairs=st.integers(1, 300), exponent=st.floats(-300, 300), i=st.integers(0, 299))
def test_every_frequency_is_the_nearest_float64_and_its_parts_hold_78_bits(pairs, exponent, i):
    base, pair = 10.0**exponent, i % pairs
    if base == 1:
        return
    with mpmath.workdps(60):
        exact = mpmath.mpf(base) ** (-mpmath.mpf(pair) / pairs)
        assert frequencies(2 * pairs, base=base)[pair] == float(exact)
        _, upper, lower = split_frequencies(2 * pairs, base)
        in_two_parts = mpmath.mpf(upper[pair]) + mpmath.mpf(lower[pair])
        assert abs(in_two_parts - exact) <= exact * mpmath.mpf(2) ** -78 + 5e-324
        assert upper.view(np.int64)[pair] % 2**27 == 0


@given(d_model=widths, base=bases)
def test_frequency_times_wavelength_is_one_turn(d_model, base):
    omega, wavelength = frequencies(d_model, base=base), wavelengths(d_model, base=base)
    assert omega.shape == wavelength.shape == (d_model // 2,)
    assert omega.dtype == wavelength.dtype == np.float64
    np.testing.assert_allclose(omega * wavelength, 2 * math.pi, rtol=1e-14)


@given(d_model=widths, base=bases)
def test_wavelengths_are_a_geometric_progression_that_stops_short_of_base_turns(d_model, base):
    wavelength = wavelengths(d_model, base=base)
    np.testing.assert_allclose(wavelength[1:] / wavelength[:-1], base ** (2 / d_model), rtol=1e-12)
    assert wavelength[0] == 2 * math.pi
    assert math.isclose(wavelength[-1], 2 * math.pi * base ** ((d_model - 2) / d_model))
    assert not math.isclose(wavelength[-1], 2 * math.pi * base)


# Golden values


def test_last_wavelength_of_width_512_is_60611_477():
    assert f"{wavelengths(512)[-1]:.3f}" == "60611.477"


def test_last_pair_of_row_512_of_width_512():
    sine, cosine = sinusoidal([512], 512)[0, -2:]
    assert (f"{sine:.7f}", f"{cosine:.7f}") == ("0.0530507", "0.9985918")


# Theorems


@given(position=positions, offset=offsets, d_model=widths, base=bases, layout=layouts)
def test_distance_depends_on_the_offset_alone(position, offset, d_model, base, layout):
    encode = partial(sinusoidal, d_model=d_model, base=base, layout=layout)
    here = np.linalg.norm(encode([position + offset]) - encode([position]))
    at_zero = np.linalg.norm(encode([offset]) - encode([0.0]))
    close(here, at_zero)


@given(position=positions, offset=offsets, d_model=widths, base=bases, layout=layouts)
def test_shift_matrix_moves_any_position_by_the_offset(position, offset, d_model, base, layout):
    encode = partial(sinusoidal, d_model=d_model, base=base, layout=layout)
    shift = shift_matrix(offset, d_model, base=base, layout=layout)
    close(shift @ encode([position])[0], encode([position + offset])[0])


@given(first=offsets, second=offsets, d_model=widths, base=bases, layout=layouts)
def test_two_shifts_compose_into_one_in_either_order(first, second, d_model, base, layout):
    shift = partial(shift_matrix, d_model=d_model, base=base, layout=layout)
    close(shift(first) @ shift(second), shift(first + second))
    close(shift(second) @ shift(first), shift(first + second))


@given(offset=offsets, d_model=widths, base=bases, layout=layouts)
def test_shift_matrix_is_a_rotation_whose_inverse_is_its_transpose(offset, d_model, base, layout):
    shift = shift_matrix(offset, d_model, base=base, layout=layout)
    close(shift @ shift.T, np.eye(d_model))
    close(shift_matrix(-offset, d_model, base=base, layout=layout), shift.T)
    close(np.linalg.det(shift), 1)


def test_no_shift_prints_without_negative_zeros():
    assert not np.signbit(shift_matrix(0, 6)).any()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_block_of_one_pair_is_a_rotation_by_minus_the_angle(layout):
    c, s = math.cos(1), math.sin(1)
    np.testing.assert_allclose(shift_matrix(1, 2, layout=layout), [[c, s], [-s, c]], atol=1e-15)


def test_shift_matrix_is_block_diagonal_when_interleaved():
    c0, s0, c1, s1 = math.cos(3), math.sin(3), math.cos(0.3), math.sin(0.3)
    expected = [[c0, s0, 0, 0], [-s0, c0, 0, 0], [0, 0, c1, s1], [0, 0, -s1, c1]]
    np.testing.assert_allclose(shift_matrix(3, 4, base=100), expected, rtol=0, atol=1e-15)


def test_shift_matrix_is_four_diagonals_in_halves():
    c0, s0, c1, s1 = math.cos(3), math.sin(3), math.cos(0.3), math.sin(0.3)
    expected = [[c0, 0, s0, 0], [0, c1, 0, s1], [-s0, 0, c0, 0], [0, -s1, 0, c1]]
    matrix = shift_matrix(3, 4, base=100, layout="halves")
    np.testing.assert_allclose(matrix, expected, rtol=0, atol=1e-15)


# Shapes and types


@pytest.mark.parametrize(
    ("given_positions", "shape"),
    [
        (5, (5,)),
        (0, (0,)),
        (np.int64(5), (5,)),
        (np.uint8(5), (5,)),
        (range(5), (5,)),
        (5.0, ()),
        (np.float32(5), ()),
        (np.array(5.0), ()),
        ([], (0,)),
        ([0, 1, 2], (3,)),
        ((0, 1, 2), (3,)),
        ([[0, 7, 1], [2.5, -1, 3]], (2, 3)),
        (np.zeros((2, 0, 3)), (2, 0, 3)),
        (np.zeros((2, 1, 3), dtype=np.int8), (2, 1, 3)),
    ],
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_result_has_the_shape_of_the_positions_and_the_width(given_positions, shape, layout):
    table = sinusoidal(given_positions, 8, layout=layout)
    assert type(table) is np.ndarray
    assert table.shape == (*shape, 8)
    assert table.dtype == np.float64


@pytest.mark.parametrize("count", [0, 1, 7, np.int64(7)])
def test_int_means_the_positions_from_0_to_one_less(count):
    np.testing.assert_array_equal(sinusoidal(count, 6), sinusoidal(np.arange(count), 6))


def test_zero_dimensional_float_array_is_one_position_as_a_float_is():
    np.testing.assert_array_equal(sinusoidal(np.array(3.0), 6), sinusoidal(3.0, 6))


@pytest.mark.parametrize(
    "same",
    [
        deque([2.5, 2**52, -0.5]),
        [np.float32(2.5), np.int64(2**52), np.array(-0.5)],
        np.array([2.5, 2**52, -0.5], np.longdouble),
    ],
    ids=["deque", "numpy", "long"],
)
def test_number_that_float64_holds_is_read_whatever_its_type(same):
    np.testing.assert_array_equal(
        sinusoidal(same, 6, base=2), sinusoidal([2.5, 2.0**52, -0.5], 6, base=2)
    )


def test_every_position_of_a_block_stands_in_its_place():
    block = np.array([[0.0, 7.0, 1.0], [2.5, -1.0, 3.0]])
    table = sinusoidal(block, 6)
    for place in np.ndindex(block.shape):
        np.testing.assert_allclose(table[place], double_loop([block[place]], 6)[0], atol=1e-14)


def test_float32_positions_are_computed_in_float64():
    far = np.array([16_777_215, 1_234_567.5], dtype=np.float32)
    np.testing.assert_array_equal(sinusoidal(far, 64), sinusoidal(far.astype(np.float64), 64))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, "float32", ">f4", "half"])
def test_dtype_rounds_the_float64_result_once(dtype, layout):
    far = np.array([0, 1, 2.5, -3, 65_504, 1_000_000, 123_456_789])
    table = sinusoidal(far, 64, layout=layout, dtype=dtype)
    assert table.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(table, sinusoidal(far, 64, layout=layout).astype(dtype))


def test_float32_result_at_a_long_position_is_right_to_float32():
    far = [1_000_000, 2_500_000]
    np.testing.assert_allclose(
        sinusoidal(far, 64, dtype=np.float32), double_loop(far, 64), rtol=0, atol=2.0**-24
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_longdouble_result_is_the_float64_result(layout):
    table = sinusoidal(5, 8, layout=layout, dtype=np.longdouble)
    assert table.dtype == np.longdouble
    np.testing.assert_array_equal(table, sinusoidal(5, 8, layout=layout))


# Inputs and results


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.float64])
def test_positions_are_never_changed_and_may_be_read_only(dtype):
    given_positions = np.arange(12, dtype=dtype).reshape(3, 4)
    given_positions.setflags(write=False)
    before = digest(given_positions)
    table = sinusoidal(given_positions, 8)
    assert digest(given_positions) == before
    assert not np.shares_memory(table, given_positions)


@pytest.mark.parametrize(
    "make",
    [
        partial(frequencies, 8),
        partial(wavelengths, 8),
        partial(sinusoidal, 5, 8),
        partial(shift_matrix, 5, 8),
    ],
    ids=["frequencies", "wavelengths", "sinusoidal", "shift_matrix"],
)
def test_each_call_returns_a_fresh_array_to_write_on(make):
    first = make()
    kept = first.copy()
    first[...] = 7
    np.testing.assert_array_equal(make(), kept)


def test_extreme_but_possible_numbers_give_finite_values():
    assert np.isfinite(frequencies(512, base=1e-300)).all()
    assert np.isfinite(frequencies(512, base=1.7e308)).all()
    assert np.isfinite(wavelengths(512, base=1e300)).all()
    assert np.abs(sinusoidal([2.0**53, -(2.0**53), 5e-324], 8)).max() <= 1


# What is refused, and how


@pytest.mark.skipif(
    np.finfo(np.longdouble).nmant == np.finfo(np.float64).nmant,
    reason="longdouble is float64 on this machine",
)
@pytest.mark.parametrize(("text", "shown"), [("0.1", "0.1"), ("1e400", "1.e+4")])
def test_longdouble_position_that_float64_cannot_hold_is_refused(text, shown):
    with pytest.raises(ValueError, match=f"^positions .*{re.escape(shown)}"):
        sinusoidal(np.array([np.longdouble(text)]), 8)
