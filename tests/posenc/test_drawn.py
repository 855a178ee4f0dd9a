"""Drawn arguments: what a call returns is what it means, in 40 digits or by a plain loop."""

import itertools

import mpmath
import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from posenc import axes, scaling, sinusoidal

mpmath.mp.dps = 40
LAYOUTS = ("interleaved", "halves")
layouts = st.sampled_from(LAYOUTS)
bases = st.sampled_from([10_000.0, 500_000.0, 100.0, 2.0, 0.5, 6.2, 0.001, 1e30])
widths = st.integers(1, 6).map(lambda pairs: 2 * pairs)
pairs_of = st.integers(1, 32).map(lambda pairs: 2 * pairs)
factors = st.sampled_from([1.0, 1.5, 2.0, 4.0, 8.0, 32.0, 0.5])
tokens = st.integers(1, 131_072)


def ladder(width, base):
    return [mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / width) for i in range(width // 2)]


def columns(width, layout):
    pairs = range(width // 2)
    halves = layout == "halves"
    return [(i, i + width // 2) if halves else (2 * i, 2 * i + 1) for i in pairs]


def near(made, true, bound):
    assert abs(mpmath.mpf(float(made)) - true) <= bound, (float(made), mpmath.nstr(true, 20))


# The encoding


@st.composite
def positions(draw):
    """Draw positions in a form that callers have, and the numbers that they mean."""
    firsts = st.integers(-(10**7), 10**7) | st.integers(-99, 99).map(lambda n: n / 2)
    firsts |= st.floats(-1e6, 1e6) | st.integers(10**12, 10**13)
    runs = st.tuples(firsts, st.integers(1, 40), st.sampled_from([1, -1, 0]))
    drawn = draw(st.lists(runs, max_size=5))
    numbers = [first + step * i for first, count, step in drawn for i in range(count)]
    forms = [list, tuple, lambda n: np.array(n, ">f8"), lambda n: np.reshape(n, (2, -1))]
    if all(isinstance(k, int) for k in numbers):
        forms += [lambda n: np.array(n, np.int64), lambda n: np.array(n, np.longdouble)]
    numbers += numbers[-1:] * (len(numbers) % 2)  # an even count, for two rows of positions
    return draw(st.sampled_from(forms))(numbers), numbers


@settings(max_examples=60)
@given(
    drawn=positions(),
    width=widths | st.sampled_from([64, 512]),
    base=bases,
    layout=layouts,
    data=st.data(),
)
def test_every_entry_is_within_the_bound(drawn, width, base, layout, data):
    given_positions, numbers = drawn
    table = sinusoidal(given_positions, width, base=base, layout=layout)
    assert table.shape == (*np.shape(given_positions), width)
    if not numbers:
        return
    table, omega = table.reshape(-1, width), ladder(width, base)
    for row in {0, len(numbers) - 1, data.draw(st.integers(0, len(numbers) - 1))}:
        for w, (sine, cosine) in zip(omega, columns(width, layout), strict=True):
            angle = mpmath.mpf(numbers[row]) * w
            # The promise is 1.6e-15; up to position 1 000 000 no error above 3.1e-16 is known.
            bound = (5e-16 if abs(numbers[row]) <= 10**6 else 1.6e-15) + 2.0**-73 * abs(angle)
            near(table[row, sine], mpmath.sin(angle), bound)
            near(table[row, cosine], mpmath.cos(angle), bound)


@given(
    first=st.integers(0, 999) | st.integers(-500, 10**6),
    count=st.integers(16, 300),
    width=st.sampled_from([2, 6, 64, 512, 2048]),
    dtype=st.sampled_from(["f2", "f4", "f8", ">f4"]),
)
def test_a_run_has_the_bits_of_a_longer_one_and_is_rounded_once(first, count, width, dtype):
    run = sinusoidal(range(first, first + count), width, dtype=dtype)
    longer = sinusoidal(range(first - 100, first + count + 100), width)
    np.testing.assert_array_equal(run, longer[100:-100].astype(dtype))
    positions = list(map(float, range(first, first + count)))
    np.testing.assert_array_equal(run, sinusoidal(positions, width, dtype=dtype))
    if 0 <= first < 1000:
        np.testing.assert_array_equal(run, sinusoidal(first + count, width, dtype=dtype)[first:])
    halves = sinusoidal(positions, width, dtype=dtype, layout="halves")
    np.testing.assert_array_equal(np.hstack([run[:, 0::2], run[:, 1::2]]), halves)


# Stretched frequencies, pair by pair


def check(omega, true, relative=1e-13):
    assert len(omega) == len(true)
    for made, exact in zip(omega, true, strict=True):
        near(made, exact, abs(exact) * relative)


@given(width=pairs_of, base=bases, factor=factors, part=st.sampled_from([0, 0.25, 0.3, 0.5, 1]))
def test_linear_and_p_rope(width, base, factor, part):
    slowed = [w / factor for w in ladder(width, base)]
    check(scaling.linear(width, factor=factor, rope_theta=base), slowed)
    turning = int(part * width) // 2
    found = scaling.p_rope(width, partial_rotary_factor=part, factor=factor, rope_theta=base)
    check(found, [w if i < turning else 0 for i, w in enumerate(slowed)])


@given(width=pairs_of, base=bases, factor=factors, length=tokens, trained=tokens)
def test_raised_bases(width, base, factor, length, trained):
    assume(width > 2)

    def raised(growth):
        raised = base * mpmath.mpf(growth) ** (mpmath.mpf(width) / (width - 2))
        assume(abs(raised - 1) > 1e-6)
        return ladder(width, raised)

    check(scaling.ntk_aware(width, factor=factor, rope_theta=base), raised(factor), 1e-11)
    settings = {"sequence_length": length, "max_position_embeddings": trained}
    growth = mpmath.mpf(factor) * max(length, trained) / trained - (factor - 1)
    found = scaling.dynamic_ntk(width, factor=factor, rope_theta=base, **settings)
    check(found, raised(growth), 1e-11)


@given(width=pairs_of, base=bases, factor=factors, trained=tokens, truncate=st.booleans())
def test_yarn(width, base, factor, trained, truncate):
    assume(base > 1)
    settings = {"original_max_position_embeddings": trained, "truncate": truncate}
    found = scaling.yarn(width, factor=factor, rope_theta=base, **settings)
    # The number of the pair that makes 32 turns over the text in training, and of that with 1.
    low, high = (
        width / 2 * mpmath.log(trained / (2 * mpmath.pi * turns)) / mpmath.log(base)
        for turns in (32, 1)
    )
    if truncate:
        low, high = mpmath.floor(low), mpmath.ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    assume(high - low > 0.1)
    ramp = [min(max((i - low) / (high - low), 0), 1) for i in range(width // 2)]
    omega = zip(ladder(width, base), ramp, strict=True)
    check(found, [(1 - r) * w + r * w / factor for w, r in omega], 1e-11)


@given(width=pairs_of, base=bases, factor=factors, trained=tokens, low=factors, span=factors)
def test_llama3(width, base, factor, trained, low, span):
    bounds = {"low_freq_factor": low, "high_freq_factor": low + span}
    settings = {"original_max_position_embeddings": trained, "rope_theta": base}
    true = []
    for w in ladder(width, base):
        kept = min(max((trained * w / (2 * mpmath.pi) - low) / span, 0), 1)
        true.append(kept * w + (1 - kept) * w / factor)
    check(scaling.llama3(width, factor=factor, **bounds, **settings), true, 1e-11)


@given(factor=factors, mscale=factors, trained=tokens, place=st.integers(0, 10**6))
def test_factors_of_scores(factor, mscale, trained, place):
    log = mpmath.log(max(factor, 1))
    for alone in ({}, {"mscale": mscale}, {"mscale": mscale, "mscale_all_dim": 0}):
        check([scaling.yarn_attention_factor(factor=factor, **alone)], [log / 10 + 1])
    both = {"mscale": mscale, "mscale_all_dim": 1.0}
    true = (mscale * log / 10 + 1) / (log / 10 + 1)
    check([scaling.yarn_attention_factor(factor=factor, **both)], [true])
    length = {"original_max_position_embeddings": trained + 1}
    true = mpmath.sqrt(1 + log / mpmath.log(trained + 1))
    check([scaling.longrope_attention_factor(factor=factor, **length)], [true])
    true = 1 + mscale * mpmath.log(1 + place // (trained + 1))
    check(scaling.attention_temperature([place], beta=mscale, **length), [true])


# Several coordinates


@given(lengths=st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_a_grid_is_read_line_by_line(lengths):
    expected = [list(place) for place in itertools.product(*map(range, lengths))]
    assert axes.grid_positions(*lengths).tolist() == expected


@given(sides=st.lists(st.integers(1, 5), min_size=1, max_size=3), data=st.data(), layout=layouts)
def test_each_part_of_an_axial_table_is_the_encoding_of_one_coordinate(sides, data, layout):
    order = data.draw(st.permutations(range(len(sides))))
    table = axes.axial_sinusoidal(sides, 4 * len(sides), order=order, layout=layout)
    for place in itertools.product(*map(range, sides)):
        parts = [sinusoidal([place[axis]], 4, layout=layout)[0] for axis in order]
        np.testing.assert_allclose(table[place], np.concatenate(parts), rtol=0, atol=2e-15)


@given(later=st.integers(0, 6), more=st.integers(0, 3), count=st.integers(0, 3))
def test_pairs_are_dealt_in_turn_while_sections_last(later, more, count):
    sections = [later + more, *[later] * count]
    left, expected = sections[:], []
    for pair in range(sum(sections)):
        axis = pair % len(sections)
        axis = axis if left[axis] and pair < len(sections) * later else 0
        left[axis] -= 1
        expected.append(axis)
    assert axes.mrope_axes(sections, interleaved=True).tolist() == expected
    one_by_one = [axis for axis, section in enumerate(sections) for _ in range(section)]
    assert axes.mrope_axes(sections).tolist() == one_by_one


@given(
    seed=st.integers(0, 999), coordinates=st.integers(1, 3), layout=layouts, rest=st.integers(0, 3)
)
def test_each_pair_turns_by_its_frequency_times_its_coordinate(seed, coordinates, layout, rest):
    rng = np.random.default_rng(seed)
    rows, places = rng.normal(size=(3, 8 + rest)), rng.integers(-50, 50, size=(3, coordinates))
    omega, which = rng.uniform(-2, 2, size=4), rng.integers(coordinates, size=4)
    turned = axes.axial_rope(rows, places, omega, which, layout=layout)
    np.testing.assert_array_equal(turned[:, 8:], rows[:, 8:])
    for row, place, made in zip(rows, places, turned, strict=True):
        for w, axis, (a, b) in zip(omega, which, columns(8, layout), strict=True):
            hand = complex(row[a], row[b]) * np.exp(1j * place[axis] * w)
            np.testing.assert_allclose(made[[a, b]], [hand.real, hand.imag], atol=1e-12)
