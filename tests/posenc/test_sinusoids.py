"""The encoding, its frequencies and its shift: what each promises, and what a table costs.

How exact an entry is stands in test_drawn.py and test_exactness.py.
"""

import tracemalloc
from functools import partial
from unittest.mock import Mock

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import binary_code, frequencies, shift_matrix, sinusoidal, sinusoids
from posenc.frequencies import split_frequencies

LAYOUTS = ["interleaved", "halves"]
widths = st.integers(1, 32).map(lambda pairs: 2 * pairs)
bases = st.sampled_from([0.5, 2.0, 100.0, 10_000.0, 500_000.0, 1_000_000.0])
positions = st.floats(-10_000, 10_000)
offsets = st.floats(-1_000, 1_000)
layouts = st.sampled_from(LAYOUTS)

# The rounding of an angle of 10 000 radians is 2e-12, and a power doubles that a few times.
close = partial(np.testing.assert_allclose, rtol=0, atol=1e-10)


def test_a_base_may_be_an_int_of_any_size_that_float64_holds():
    np.testing.assert_array_equal(frequencies(8, base=10**20), frequencies(8, base=1e20))


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


@given(position=positions, offset=offsets, d_model=widths, base=bases, layout=layouts)
def test_shift_matrix_moves_any_position_by_the_offset(position, offset, d_model, base, layout):
    encode = partial(sinusoidal, d_model=d_model, base=base, layout=layout)
    shift = shift_matrix(offset, d_model, base=base, layout=layout)
    close(shift @ encode([position])[0], encode([position + offset])[0])


def test_no_shift_prints_without_negative_zeros():
    assert not np.signbit(shift_matrix(0, 6)).any()


@pytest.mark.parametrize(
    ("given_positions", "shape"),
    [
        (0, (0,)),
        (np.uint8(5), (5,)),
        (range(5, -5, -2), (5,)),
        (np.float32(5), ()),
        (np.zeros((2, 0, 3)), (2, 0, 3)),
    ],
)
def test_result_has_the_shape_of_the_positions_and_the_width(given_positions, shape):
    table = sinusoidal(given_positions, 8)
    assert type(table) is np.ndarray
    assert table.shape == (*shape, 8)
    assert table.dtype == np.float64


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, "float32", ">f4", "half"])
def test_dtype_rounds_the_float64_result_once(dtype, layout):
    far = np.array([0, 1, 2.5, -3, 65_504, 1_000_000, 123_456_789])
    table = sinusoidal(far, 64, layout=layout, dtype=dtype)
    assert table.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(table, sinusoidal(far, 64, layout=layout).astype(dtype))


def test_frequencies_are_fresh_to_write_on():
    frequencies(8)[...] = 7
    np.testing.assert_allclose(frequencies(8), [1, 0.1, 0.01, 0.001])


def test_a_caller_who_wants_errors_of_floats_raised_gets_none_for_a_sine_next_to_0():
    with np.errstate(all="raise"):
        assert sinusoidal(40, 8, base=1e70, dtype=np.float32)[39, 6] == 0
        assert sinusoidal([1e-300], 512)[0, 0] == 1e-300
        assert shift_matrix(1e-300, 512)[0, 1] == 1e-300


# Bits, against Python's own notation


@pytest.mark.parametrize("width", [1, 2, 3, 7, 10])
def test_all_codes_of_a_width_equal_pythons_format(width):
    expected = [[int(bit) for bit in reversed(f"{k:0{width}b}")] for k in range(2**width)]
    np.testing.assert_array_equal(binary_code(2**width, width), expected)


@pytest.mark.parametrize("width", [1, 3, 53])
def test_the_last_position_is_all_ones_and_the_next_is_refused(width):
    np.testing.assert_array_equal(binary_code([2**width - 1], width), np.ones((1, width)))
    with pytest.raises(ValueError, match=f"{width} bits.*{2**width}"):
        binary_code([2**width], width)


# ---------------------------------------------------------------------------- what it costs


# A block of rows, and a turn for each block.
@pytest.mark.parametrize(
    ("positions", "d_model", "sines"),
    [
        (4_096, 512, 256 + 16),
        (1_000_001, 16, 8192 + 123),
        (np.resize(np.arange(5_000, 5_300), (4, 300)), 512, 256 + 2),
        (np.resize(np.arange(5_000, 5_300), 1_200), 512, 256 + 2),
    ],
    ids=["count", "far", "batch", "runs"],
)
def test_few_rows_take_sines(monkeypatch, positions, d_model, sines):
    rows = Mock(wraps=sinusoids._sines_and_cosines)
    monkeypatch.setattr(sinusoids, "_sines_and_cosines", rows)
    sinusoids._rows.cache_clear()
    sinusoidal(positions, d_model, dtype=np.float32)
    assert sum(len(call.args[0]) for call in rows.call_args_list) == sines


def test_table_does_not_change_the_buffer_of_numpy():
    before = np.setbufsize(4096)
    sinusoidal(3_000, 128)
    assert np.setbufsize(before) == 4096


def test_what_is_kept_for_the_next_call_is_bounded():
    split_frequencies.cache_clear()
    sinusoids._rows.cache_clear()
    tracemalloc.start()
    for base in range(2, 30):
        sinusoidal(range(1_000_000, 1_000_020), 64, base=base)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held <= 18e6


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_making_a_table_takes_little_memory_beside_it(dtype, layout):
    tracemalloc.start()
    table = sinusoidal(32_768, 1_024, layout=layout, dtype=dtype)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 1.05 * table.nbytes
