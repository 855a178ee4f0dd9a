"""How far the encoding is from the true value, known to 50 digits. `pytest -s` prints the worst."""

import random
import tracemalloc
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from posenc import frequencies, rotation, sinusoidal

DIGITS = 50

# Length, width and base. The last five have frequencies that float64 holds exactly: there plain
# sines are at their best.
TABLES = [
    (300, 4, 10_000.0),
    (5_000, 512, 10_000.0),
    (200_001, 64, 1_000_000.0),
    (1_000_001, 16, 10_000.0),
    (1_000_001, 6, 123.4567),
    (100_000, 16, 0.01),
    (100_000, 16, 1e30),
    (1_000_001, 2, 10_000.0),
    (100_000, 4, 4.0),
    (100_000, 8, 16.0),
    (100_000, 12, 4096.0),
    (100_000, 6, 1 / 64),
]

# Lengths of several blocks of rows and, from width 64 on, of several stretches. Width 2, whose
# frequency is 1, takes no turns.
SEVERAL_BLOCKS = [(70_000, 2), (20_000, 6), (17_000, 64), (4_500, 512), (600, 4_096)]

# Half the distance from 1 to the next smaller number of the type, and a little for the rest.
ROUNDED_ONCE = {"float32": 3.01e-8, "float16": 2.45e-4}


def told_positions(n):
    """Return the first, the last, those about powers of 2, and random positions below n."""
    about_powers = {2**b + step for b in range(n.bit_length()) for step in (-1, 0, 1)}
    drawn = random.Random(n).sample(range(n), min(n, 30))
    return sorted(k for k in {*about_powers, *drawn, n - 2, n - 1} if 0 <= k < n)


def true_table(positions, d_model, base):
    """Return the interleaved table to 50 digits, as rows of mpmath numbers."""
    with mpmath.workdps(DIGITS):
        omega = [mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / d_model) for i in range(d_model // 2)]
        rows = []
        for k in positions:
            exact = Fraction(k)
            angles = [mpmath.mpf(exact.numerator) * w / exact.denominator for w in omega]
            rows.append([wave(angle) for angle in angles for wave in (mpmath.sin, mpmath.cos)])
        return rows


def worst(table, positions, true):
    """Return the largest error of an interleaved table, and where it is, in words."""
    with mpmath.workdps(DIGITS):
        errors = [
            (float(abs(mpmath.mpf(float(entry)) - value)), k, column)
            for k, entries, values in zip(positions, table, true, strict=True)
            for column, (entry, value) in enumerate(zip(entries, values, strict=True))
        ]
    error, k, column = max(errors)
    return error, f"{table.dtype}: error {error:.3e} at position {k}, column {column}"


def plain_sines(positions, d_model, base):
    angles = np.array(positions, dtype=float)[:, np.newaxis] * frequencies(d_model, base=base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), d_model)


@pytest.mark.parametrize(("n", "d_model", "base"), TABLES)
def test_table_is_as_exact_as_its_type_allows(n, d_model, base):
    positions = told_positions(n)
    true = true_table(positions, d_model, base)
    plain, _ = worst(plain_sines(positions, d_model, base), positions, true)
    for dtype in ("float64", "float32", "float16"):
        table = sinusoidal(n, d_model, base=base, dtype=dtype)[positions]
        error, words = worst(table, positions, true)
        print(f"\n{n} x {d_model}, base {base:g}, {words}; plain float64 sines {plain:.3e}", end="")
        if dtype == "float64":
            assert error <= 5e-16, words
            assert error <= 2 * plain, words
        else:
            assert error <= ROUNDED_ONCE[dtype], words


@pytest.mark.parametrize("base", [100.0, 10_000.0, 1_000_000.0])
def test_given_positions_are_exact_wherever_they_are(base):
    positions = [0.5, -3.25, 2.718281828, 12_345.678, 1e6, 1e6 + 0.1, -12_345_678.9]
    true = true_table(positions, 32, base)
    error, words = worst(sinusoidal(positions, 32, base=base), positions, true)
    print(f"\nbase {base:g}, {words}", end="")
    assert error <= 2.3e-16, words


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize(("n", "d_model"), SEVERAL_BLOCKS)
def test_layouts_hold_the_same_bits(n, d_model, dtype):
    interleaved = sinusoidal(n, d_model, dtype=dtype)
    halves = sinusoidal(n, d_model, layout="halves", dtype=dtype)
    np.testing.assert_array_equal(halves[:, : d_model // 2], interleaved[:, 0::2])
    np.testing.assert_array_equal(halves[:, d_model // 2 :], interleaved[:, 1::2])


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize(("longest", "d_model"), SEVERAL_BLOCKS)
def test_longer_table_begins_with_the_bits_of_a_shorter_one(longest, d_model, layout):
    table = sinusoidal(longest, d_model, layout=layout)
    for n in told_positions(longest):
        np.testing.assert_array_equal(sinusoidal(n, d_model, layout=layout), table[:n])


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("n", [24_576, 25_000])
def test_table_made_by_threads_holds_the_bits_of_one_made_without(monkeypatch, n, layout):
    table = np.full((n, 512), np.nan, np.float32)
    monkeypatch.setattr(rotation.os, "cpu_count", lambda: 3)
    monkeypatch.setattr(rotation.os, "process_cpu_count", lambda: 3, raising=False)
    sinusoidal(n, 512, layout=layout, out=table)
    monkeypatch.setattr(rotation, "MOST_THREADS", 1)
    np.testing.assert_array_equal(table, sinusoidal(n, 512, layout=layout, dtype=np.float32))


@pytest.mark.parametrize(("n", "d_model", "rows"), [(4_096, 512, 42), (1_000_001, 16, 304)])
def test_few_rows_take_sines(monkeypatch, n, d_model, rows):
    asked = []

    def counted(positions, *others):
        asked.append(len(positions))
        return rows_of_pairs(positions, *others)

    rows_of_pairs = rotation.rows_of_pairs
    monkeypatch.setattr(rotation, "rows_of_pairs", counted)
    rotation._first_rows.cache_clear()
    rotation._turns_by_blocks.cache_clear()
    sinusoidal(n, d_model, dtype=np.float32)
    assert sum(asked) == rows


def test_error_in_a_thread_is_raised(monkeypatch):
    monkeypatch.setattr(rotation.os, "cpu_count", lambda: 3)
    monkeypatch.setattr(rotation.os, "process_cpu_count", lambda: 3, raising=False)

    def fill(numbers):
        if 2 in numbers:
            raise MemoryError("no room for part 2")

    with pytest.raises(MemoryError, match="part 2"):
        rotation._share(fill, 3, 3)


# Not every entry is as near as those above: a search through 600 million found 5.9e-16.
@pytest.mark.parametrize(("n", "d_model", "apart"), [(9_000, 128, 5e-16), (100_000, 64, 7e-16)])
def test_count_and_given_positions_agree(n, d_model, apart):
    table = sinusoidal(n, d_model)
    np.testing.assert_allclose(table, sinusoidal(np.arange(n), d_model), rtol=0, atol=apart)


@pytest.mark.parametrize("positions", [200, 4_000, np.arange(200)], ids=["few", "many", "given"])
def test_tiny_numbers_are_no_error_whatever_numpy_is_told(positions):
    with np.errstate(all="raise"):
        table = sinusoidal(positions, 512, dtype=np.float16)
    assert np.isfinite(table).all()


def test_table_does_not_change_the_buffer_of_numpy():
    before = np.getbufsize()
    sinusoidal(3_000, 128)
    assert np.getbufsize() == before


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_making_a_table_takes_little_memory_beside_it(dtype, layout):
    tracemalloc.start()
    table = sinusoidal(32_768, 1_024, layout=layout, dtype=dtype)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 1.05 * table.nbytes


# Filling an array that is there


@pytest.mark.parametrize("positions", [40, 2_000, [[0.5, 3], [-1, 7]]])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", ">f8"])
def test_given_array_is_filled_and_returned(positions, layout, dtype):
    expected = sinusoidal(positions, 64, layout=layout, dtype=dtype)
    out = np.full(expected.shape, np.nan, dtype)
    assert sinusoidal(positions, 64, layout=layout, out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_one_block_of_a_larger_array_is_filled():
    batch = np.zeros((3, 600, 8), np.float32)
    sinusoidal(600, 8, out=batch[1])
    np.testing.assert_array_equal(batch[1], sinusoidal(600, 8, dtype=np.float32))
    assert not batch[0].any()
    assert not batch[2].any()


def read_only(shape):
    array = np.zeros(shape)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "error"),
    [
        ([[0.0] * 8] * 5, TypeError),
        (np.zeros((5, 8), int), TypeError),
        (np.zeros((5, 8), complex), TypeError),
        (np.zeros((5, 6)), ValueError),
        (np.zeros((6, 8)), ValueError),
        (np.zeros((8, 5)).T, ValueError),
        (np.zeros((5, 16))[:, ::2], ValueError),
        (read_only((5, 8)), ValueError),
    ],
    ids=["list", "int", "complex", "width", "length", "transposed", "strided", "read-only"],
)
def test_array_that_cannot_be_filled_is_refused(out, error):
    with pytest.raises(error, match=r"^out must be"):
        sinusoidal(5, 8, out=out)
