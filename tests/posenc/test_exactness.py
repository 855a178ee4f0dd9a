"""How far the encoding is from the true value, known to 50 digits. `pytest -s` prints the worst."""

import random
import tracemalloc
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from posenc import frequencies, sinusoidal, sinusoids
from posenc.frequencies import split_frequencies

DIGITS = 50

# Length, width and base. The last five have frequencies that float64 holds exactly.
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

# Of the shorter types half the distance from 1 to the next smaller number, and a little more.
ROUNDED_ONCE = {"float64": 5e-16, "float32": 3.01e-8, "float16": 2.45e-4}


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


@pytest.mark.parametrize(("n", "d_model", "base"), TABLES)
def test_table_is_as_exact_as_its_type_allows(n, d_model, base):
    positions = told_positions(n)
    true = true_table(positions, d_model, base)
    for dtype in ROUNDED_ONCE:
        table = sinusoidal(n, d_model, base=base, dtype=dtype)[positions]
        error, words = worst(table, positions, true)
        print(f"\n{n} x {d_model}, base {base:g}, {words}", end="")
        assert error <= ROUNDED_ONCE[dtype], words


def largest_error_of_a_pair(d_model, base, pair, n):
    """Return the largest error of one pair of columns over all n positions, and its position.

    Sampling misses the largest errors: the worst entries of the two lists have to meet. Here
    all meet. The true values are products of two lists with 11 more bits than float64 has.
    """
    part = 2**14
    with mpmath.workdps(DIGITS):
        omega = mpmath.mpf(base) ** (-mpmath.mpf(2 * pair) / d_model)
        rows = extended([mpmath.expj(-k * omega) * 1j for k in range(128)])
        turns = extended([mpmath.expj(-k * omega) for k in range(0, part, 128)])
        starts = extended([mpmath.expj(-k * omega) for k in range(0, n, part)])
    hands = (turns[:, np.newaxis] * rows).ravel()
    largest = []
    for start, turn in zip(range(0, n, part), starts, strict=True):
        made = sinusoidal(range(start, start + part), d_model, base=base)[:, 2 * pair :][:, :2]
        true = turn * hands
        errors = np.maximum(np.abs(made[:, 0] - true.real), np.abs(made[:, 1] - true.imag))
        largest.append((float(errors.max()), start + int(errors.argmax())))
    return max(largest)


def extended(numbers):
    """Return complex mpmath numbers with the 64 bits of x86's long double."""
    parts = []
    for part in ([z.real for z in numbers], [z.imag for z in numbers]):
        first = np.array(part, dtype=float)
        rest = np.array([p - float(f) for p, f in zip(part, first, strict=True)], dtype=float)
        parts.append(first.astype(np.longdouble) + rest)
    return parts[0] + 1j * parts[1]


# The bound is the docstring's; it is derived in the fine print. The largest error that was ever
# found is 3.1e-16, in the third of these pairs.
@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double is no longer here")
@pytest.mark.parametrize(
    ("d_model", "base", "pair", "n"),
    [
        (64, 6.2, 1, 500_000),
        (64, 1450347.58, 1, 500_000),
        (64, 10_000.0, 5, 500_000),
        (512, 10_000.0, 17, 100_000),
        (16, 0.25, 3, 1_000_000),
        (8, 1e-3, 2, 1_000_000),
        (4, 1e30, 0, 1_000_000),
    ],
)
def test_no_entry_of_all_exceeds_the_stated_bound(d_model, base, pair, n):
    error, k = largest_error_of_a_pair(d_model, base, pair, n)
    print(f"\nwidth {d_model}, base {base:g}, pair {pair}: {error:.3e} at position {k}", end="")
    assert error <= 1.6e-15 + 2.0**-73 * k * frequencies(d_model, base=base)[pair]


@pytest.mark.parametrize("scale", [1e3, 1e7, 1e9, 1e12, 1e15])
def test_error_of_distant_positions_stays_within_the_stated_loss(scale):
    drawn = np.random.default_rng(int(np.log10(scale))).uniform(-scale, scale, 30)
    positions = [*drawn.tolist(), *(float(int(k)) for k in drawn)]
    for base in (100.0, 10_000.0, 0.5):
        farthest_angle = scale * max(frequencies(8, base=base))
        bound = 1.6e-15 + 2.0**-73 * farthest_angle
        error, words = worst(
            sinusoidal(positions, 8, base=base), positions, true_table(positions, 8, base)
        )
        print(f"\nto {scale:g}, base {base:g}, {words}, bound {bound:.1e}", end="")
        assert error <= bound, words
        first = int(drawn[0])
        run = sinusoidal(range(first, first + 20), 8, base=base)
        error, words = worst(run[-1:], [first + 19], true_table([first + 19], 8, base))
        assert error <= bound, words


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
    rows, asked = sinusoids._sines_and_cosines, []

    def counted(k, *others):
        asked.append(len(k))
        return rows(k, *others)

    monkeypatch.setattr(sinusoids, "_sines_and_cosines", counted)
    sinusoids._rows.cache_clear()
    sinusoidal(positions, d_model, dtype=np.float32)
    assert sum(asked) == sines


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
