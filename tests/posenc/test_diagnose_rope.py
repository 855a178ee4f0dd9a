"""What a function does to queries and keys: settings are read back, and each bug has its name."""

import pickle
import re
import tracemalloc

import numpy as np
import pytest

from posenc import frequencies, rope, rotate, scaling
from posenc.diagnose import check_rope
from tests.posenc.by_formula import rounded_to_bfloat16 as bfloat16

LLAMA_3 = {
    "factor": 8,
    "low_freq_factor": 1,
    "high_freq_factor": 4,
    "original_max_position_embeddings": 8192,
}
YARN = {"factor": 16, "original_max_position_embeddings": 4096}


def with_frequencies(omega, layout="interleaved", **options):
    return lambda x, positions: rope(x, positions, frequencies=omega, layout=layout, **options)


def table_of(positions, width=64, doubled=True):
    """Return cosines and sines as most ports keep them, each angle twice."""
    angles = positions[:, np.newaxis] * frequencies(width)
    angles = np.concatenate([angles, angles], axis=-1) if doubled else np.repeat(angles, 2, axis=-1)
    return np.cos(angles), np.sin(angles)


def rotate_half(x):
    low, high = np.split(x, 2, axis=-1)
    return np.concatenate([-high, low], axis=-1)


def rotate_every_two(x):
    return np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)


# ---------------------------------------------------------------------------- settings


def test_pairs_may_be_taken_as_complex_numbers():
    # PyTorch's view_as_complex asks for columns that lie side by side, as NumPy's view does.
    def as_complex(x, positions):
        angles = np.outer(positions, frequencies(x.shape[-1]))
        return (x.view(np.complex128) * np.exp(1j * angles)).view(np.float64)

    assert check_rope(as_complex, 64).rotary


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
@pytest.mark.parametrize("width", [16, 64])
def test_layout_and_base(layout, dtype, base, width):
    report = check_rope(lambda x, p: rope(x, p, base=base, layout=layout).astype(dtype), width)
    assert report.rotary, str(report)
    assert (report.layout, report.base, report.width) == (layout, base, width)
    np.testing.assert_allclose(report.frequencies, frequencies(width, base=base), rtol=2e-2)
    number = f"{base:,.0f}".replace(",", " ")
    assert report.text == f"RoPE: {layout}, base {number}, all {width} columns."


def test_what_ports_write_is_the_layout_they_mean():
    def neox(x, positions):
        cosine, sine = table_of(positions)
        return x * cosine + rotate_half(x) * sine

    def gpt_j(x, positions):
        cosine, sine = table_of(positions, doubled=False)
        return x * cosine + rotate_every_two(x) * sine

    assert check_rope(neox, 64).layout == "halves"
    assert check_rope(gpt_j, 64).layout == "interleaved"


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_partial_width(layout):
    report = check_rope(with_frequencies(frequencies(16), layout), 64)
    assert report.rotary
    assert (report.layout, report.width, report.base) == (layout, 16, 10_000)
    assert "the first 16 of 64 columns" in report.text


@pytest.mark.parametrize(
    ("omega", "width", "base", "said"),
    [
        (scaling.linear(64, factor=4), 64, 10_000, "all pairs 4 times slower"),
        (scaling.ntk_aware(64, factor=4), 64, 10_000 * 4 ** (64 / 62), "base 41829.4"),
        (scaling.llama3(128, **LLAMA_3), 128, 500_000, "slow pairs 8 times slower (Llama 3)"),
        (scaling.yarn(128, **YARN), 128, 10_000, "slow pairs 16 times slower (YaRN)"),
        (
            scaling.p_rope(64, partial_rotary_factor=0.25),
            64,
            10_000,
            "the last 24 pairs still (p-RoPE)",
        ),
        (
            frequencies(64)[:8],
            64,
            10,
            "base 10 (the fastest pairs of a whole head with base 10 000)",
        ),
        (frequencies(8, base=100.0), 64, 100, "halves, base 100, the first 8 of 64 columns"),
        (1e4 ** (-np.arange(32) / 31), 64, 1e4 ** (32 / 31), "tensor2tensor's spacing"),
    ],
)
def test_scaled_frequencies(omega, width, base, said):
    report = check_rope(with_frequencies(omega, "halves"), width)
    assert report.rotary, str(report)
    assert said in str(report)
    assert report.base == pytest.approx(base, rel=1e-5)
    turning = report.frequencies[: len(omega)]
    np.testing.assert_allclose(turning, omega[: len(turning)], rtol=1e-8, atol=1e-15)


def test_attention_factor():
    report = check_rope(lambda x, p: 1.2772589 * rope(x, p), 64)
    assert report.rotary
    assert report.attention_factor == pytest.approx(1.2772589)
    assert "times 1.27726" in report.text


def test_neighbours_in_and_halves_out_are_told():
    def deepseek(x, positions):
        turned = rope(x, positions)
        return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)

    report = check_rope(deepseek, 64)
    assert report.rotary
    assert "neighbours go in and halves come out" in report.text


def test_angles_in_float32_are_told_with_what_they_cost():
    def short(x, positions):
        omega = frequencies(64).astype(np.float32)
        angles = positions.astype(np.float32)[:, np.newaxis] * omega
        return rotate(x.astype(np.float32), angles)

    report = check_rope(short, 64)
    assert report.rotary
    assert "angles in float32 (off by" in report.text
    assert 1e-4 < report.far[131_071] < 2e-2
    assert max(check_rope(rope, 64).far.values()) < 1e-10


def test_frequencies_that_change_with_the_text_are_told():
    def dynamic(x, positions):
        omega = scaling.dynamic_ntk(
            64, factor=2, sequence_length=int(positions[-1]) + 1, max_position_embeddings=2048
        )
        return rope(x, positions, frequencies=omega)

    report = check_rope(dynamic, 64)
    assert report.rotary
    assert report.base == 10_000
    assert "other frequencies in texts of 2 049 tokens or more (dynamic, factor 2)." in report.text


def test_frequencies_that_are_kept_until_a_longer_text_are_no_single_list():
    longest = 2048

    def dynamic(x, positions):
        nonlocal longest
        longest = max(longest, int(positions.max()) + 1) if positions.max() >= 2048 else 2048
        omega = scaling.dynamic_ntk(
            64, factor=2, sequence_length=longest, max_position_embeddings=2048
        )
        return rope(x, positions, frequencies=omega)

    report = check_rope(dynamic, 64)
    assert report.rotary
    assert "(dynamic, factor 2), kept for later texts until one has fewer than 2 049" in report.text


def test_table_that_ends_is_read_as_far_as_it_goes():
    def short_table(x, positions):
        return rope(x, np.arange(500)[positions])

    report = check_rope(short_table, 64)
    assert report.rotary
    assert "only to position 499, then raised IndexError" in report.text


# ---------------------------------------------------------------------------- bugs


def mixed_layouts(x, positions):
    cosine, sine = table_of(positions)  # for halves
    return x * cosine + rotate_every_two(x) * sine


def mixed_the_other_way(x, positions):
    cosine, sine = table_of(positions, doubled=False)  # for neighbours
    return x * cosine + rotate_half(x) * sine


def no_minus(x, positions):
    cosine, sine = table_of(positions)
    return x * cosine + np.roll(x, 32, axis=-1) * sine


def other_sign(x, positions):
    cosine, sine = table_of(positions)
    return x * cosine - rotate_half(x) * sine


def axes_swapped(x, positions):
    angles = np.arange(x.shape[1])[:, np.newaxis, np.newaxis] * frequencies(x.shape[-1])
    del positions
    return rotate(x, np.broadcast_to(angles, (*x.shape[1:-1], angles.shape[-1])))


def angles_in_half(x, positions):
    angles = positions.astype(np.float16)[:, np.newaxis] * frequencies(64).astype(np.float16)
    return rotate(x.astype(np.float32), angles)


def positions_in(short, exact=np.float64):
    return lambda x, p: rope(x, np.asarray(short(p), float)).astype(exact)


def raises(_x, _positions):
    raise KeyError("cos_cached")


MUTANTS = {
    "mixed layouts": (mixed_layouts, "The two columns of a pair turn by different angles"),
    "mixed the other way": (
        mixed_the_other_way,
        "The two columns of a pair turn by different angles",
    ),
    "no minus": (no_minus, "a minus sign is missing before one of the two sines"),
    "other sign": (other_sign, "It turns the other way"),
    "minus positions": (lambda x, p: rope(x, -p), "It turns the other way"),
    "from 1": (lambda x, p: rope(x, p + 1), "Position k is turned as position k + 1."),
    "from -1": (lambda x, p: rope(x, p - 1), "Position k is turned as position k - 1."),
    "axes swapped": (axes_swapped, "the axes of heads and tokens are swapped"),
    "positions ignored": (
        lambda x, p: rope(x, len(p)),
        "tokens are counted from the start of each call, and a token alone, as with a cache, is "
        "turned as position 0.",
    ),
    "cache off by one": (
        lambda x, p: rope(x, p + 1 if len(p) == 1 else p),
        "In a call of one token, as with a cache, position k is turned as position k + 1.",
    ),
    "applied twice": (lambda x, p: rope(rope(x, p), p), "the rotation is applied two times"),
    "degrees": (lambda x, p: rope(x, p * np.pi / 180), "Angles in degrees are taken for radians."),
    "pairs from 1": (
        with_frequencies(1e4 ** (-np.arange(1, 33) / 32)),
        "The pairs are counted from 1",
    ),
    "one frequency": (with_frequencies(np.ones(32)), "All 32 pairs have one frequency, 1."),
    "each frequency twice": (
        with_frequencies(np.repeat(frequencies(64)[::2], 2)),
        "Pairs 0 and 1 have the same frequency.",
    ),
    "angles in half": (
        lambda x, p: rotate(x, np.outer(p, frequencies(64)).astype(np.float16)),
        "Its angles are rounded to float16.",
    ),
    "angles in bfloat16": (
        lambda x, p: rotate(x, bfloat16(np.outer(p, frequencies(64)))),
        "Its angles are rounded to bfloat16.",
    ),
    "a module in half": (
        angles_in_half,
        "Its positions and its frequencies are rounded to float16, and so is each angle",
    ),
    "positions in bfloat16": (
        positions_in(bfloat16),
        "Its positions are rounded to bfloat16: position 257 is turned as position 256.",
    ),
    "positions in bfloat16, result in float32": (
        positions_in(bfloat16, np.float32),
        "Its positions are rounded to bfloat16: position 257 is turned as position 256.",
    ),
    "positions and result in bfloat16": (
        lambda x, p: bfloat16(rope(x, np.asarray(bfloat16(p), float))),
        "Its positions are rounded to bfloat16: position 257 is turned as position 256.",
    ),
    "positions cut to bfloat16": (
        lambda x, p: rope(x, (p.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)),
        "Its positions are rounded to bfloat16, cut off: position 257 is turned as position 256.",
    ),
    "positions in float16": (
        positions_in(np.float16),
        "Its positions are rounded to float16: position 2 049 is turned as position 2 048.",
    ),
    "positions and result in float16": (
        positions_in(np.float16, np.float16),
        "Its positions are rounded to float16: position 2 049 is turned as position 2 048.",
    ),
    "a table of 257 rows": (
        lambda x, p: rope(x, np.minimum(p, 256)),
        "Positions stop at 256: position 257 and all after it are turned as position 256.",
    ),
    "a table of 2049 rows": (
        lambda x, p: rope(x, np.minimum(p, 2048)),
        "Positions stop at 2 048: position 2 049 and all after it are turned as position 2 048.",
    ),
    "clamped": (lambda x, p: rope(x, np.minimum(p, 10)), "Positions stop at 10: "),
    "clamped far out": (lambda x, p: rope(x, np.minimum(p, 999)), "Positions stop at 999: "),
    "nothing": (lambda x, _: x, "nothing, at any position."),
    "always the same": (lambda x, p: rope(x, np.full(len(p), 5)), "the same at every position"),
    "part scaled": (lambda x, p: rope(x, p) * np.linspace(1, 2, 64), "It is no rotation"),
    "added": (
        lambda x, p: x + p[:, np.newaxis],
        "Columns do not turn in pairs: column 0 of x reaches 64",
    ),
    "raises": (raises, "It raised KeyError: 'cos_cached'"),
    "one axis lost": (lambda x, _: x[0], "From shape (1, 3, 24, 64) it returned shape (3, 24, 64)"),
    "infinite": (lambda x, _: x * np.inf, "It returned what is no array of finite real numbers"),
}


def test_no_two_bugs_have_the_same_text():
    texts = {str(check_rope(function, 64)) for function, _ in MUTANTS.values()}
    assert len(texts) >= len({said for _, said in MUTANTS.values()})


# ---------------------------------------------------------------------------- 16 bits

SHORT = {"bfloat16": bfloat16, "float16": lambda values: np.asarray(values, np.float16)}


def cast(omega, way, kind):
    """Return RoPE in halves with float32 angles, with one thing rounded to 16 bits."""
    short = SHORT[kind]

    def function(x, positions):
        list_of = short(omega).astype(np.float32) if way == "module" else omega.astype(np.float32)
        at = short(positions) if way == "positions" else positions
        angles = np.asarray(at, np.float32)[:, np.newaxis] * list_of
        cosine, sine = np.cos(angles), np.sin(angles)
        if way != "positions":
            cosine, sine = (short(part).astype(np.float32) for part in (cosine, sine))
        low, high = np.split(np.asarray(x, np.float32), 2, axis=-1)
        turned = np.concatenate([low * cosine - high * sine, high * cosine + low * sine], axis=-1)
        return turned if way == "cache" else short(turned)

    return function


SAYS = {
    "right": None,
    "module": "Its frequencies were rounded to {}: pair ",
    "cache": "Its cosines and sines were rounded to {}, as in a cached table",
    "positions": "Its positions are rounded to {}: position ",
}


@pytest.mark.parametrize("kind", SHORT)
@pytest.mark.parametrize("way", SAYS)
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(("base", "width"), [(1e4, 64), (5e5, 128), (1e6, 128), (1e7, 256)])
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_sixteen_bits_are_right_or_named(kind, way, scaled, base, width):
    omega = frequencies(width, base=base)
    omega = scaling.llama3(width, rope_theta=base, **LLAMA_3) if scaled else omega
    report = check_rope(cast(omega, way, kind), width)
    text = str(report)
    if kind == "float16" and omega[-1] < 2**-24:  # held as 0 or as the least number there is
        assert report.base in (base, None), text
        return
    assert report.base == base, text
    assert ("slow pairs 8 times slower (Llama 3)" in text) == scaled, text
    assert report.rotary == (way == "right"), text
    assert way == "right" or SAYS[way].format(kind) in report.problems[0], text


def test_rounded_frequencies_are_said_with_the_pair_and_the_position():
    report = check_rope(cast(frequencies(128, base=5e5), "module", "bfloat16"), 128)
    off = np.abs(bfloat16(frequencies(128, base=5e5)) - frequencies(128, base=5e5))
    pair, place = off.argmax(), np.ceil(1 / off.max())
    assert f"pair {pair} is off by a radian from position {place:.0f} on." in report.problems[0]


def test_a_list_that_was_cut_to_16_bits_is_named():
    cut = (frequencies(128, base=5e5).astype(np.float32).view(np.uint32) & 0xFFFF0000).view("f4")
    report = check_rope(with_frequencies(cut.astype(float)), 128)
    assert not report.rotary
    assert report.base == 5e5
    assert "Its frequencies were rounded to bfloat16, cut off: pair " in report.problems[0]


# ---------------------------------------------------------------------------- what models do


def part(begin, end, layout):
    def function(x, positions):
        turned = x.copy()
        turned[..., begin:end] = rope(x[..., begin:end], positions, layout=layout)
        return turned

    return function


def longrope(x, positions):
    factors = np.linspace(1, 1.5, 32) if positions.max() < 4096 else np.linspace(1, 40, 32) ** 1.2
    return rope(x, positions, frequencies=frequencies(64) / factors, layout="halves")


def xpos(x, positions):
    each = (np.arange(0, 64, 2) + 25.6) / 89.6
    return rope(x, positions) * np.repeat(each ** (positions[:, np.newaxis] / 512), 2, axis=-1)


def slow_xpos(x, positions):
    each = np.exp(np.linspace(-1e-5, -1e-6, 32) * positions[:, np.newaxis])
    return (rope(x, positions) * np.repeat(each, 2, axis=-1)).astype(np.float16)


def temperature(x, positions):
    return rope(x, positions) * (0.1 * np.log(positions // 8192 + 1) + 1)[:, np.newaxis]


BUFFER = {}


def reused(x, positions):
    buffer = BUFFER.setdefault(x.shape, np.empty(x.shape))
    buffer[...] = rope(x, positions)
    return buffer


def as_complex(x, positions):
    turned = x.view(np.complex128) * np.exp(1j * positions[:, np.newaxis] * frequencies(64))
    return turned.view(np.float64)


@pytest.mark.parametrize(
    ("function", "width", "said"),
    [
        (with_frequencies([1.0]), 64, "1 radian per token, the first 2 of 64 columns"),
        (part(0, 16, "halves"), 64, "halves, base 10 000, the first 16 of 64 columns"),
        (part(448, 512, "halves"), 512, "halves, base 10 000, the last 64 of 512 columns"),
        (part(448, 512, "interleaved"), 512, "interleaved, base 10 000, the last 64 of 512"),
        (part(16, 48, "halves"), 64, "columns 16 to 47 of 64"),
        (longrope, 64, "in texts of 4 097 tokens or more (one list for all of them, as LongRoPE)"),
        (xpos, 64, "a length that depends on the position, by a factor of its own per token"),
        (slow_xpos, 64, "a length that depends on the position, by a factor of its own per token"),
        (temperature, 64, "a length that depends on the position, as an attention temperature"),
        (reused, 64, "interleaved, base 10 000, all 64 columns."),
        (lambda x, p: rope(x, p).astype(">f4"), 64, "base 10 000, all 64 columns."),
        (lambda x, p: rope(x, p).astype(">f2"), 64, "base 10 000, all 64 columns."),
        (as_complex, 64, "interleaved, base 10 000, all 64 columns."),
        (with_frequencies(np.tile(frequencies(32), 2)), 64, "the list twice, for two coordinates"),
        (with_frequencies(1 / np.arange(1, 33)), 64, "frequencies by no rule known here"),
    ],
)
def test_what_models_do_is_no_bug(function, width, said):
    report = check_rope(function, width)
    assert report.rotary, str(report)
    assert said in report.text


def test_list_that_is_passed_is_looked_for():
    factors = np.linspace(1, 1.5, 32)
    report = check_rope(longrope, 64, frequencies=frequencies(64) / factors)
    assert "the frequencies that were passed" in report.text


def fails_from(place, how):
    def function(x, positions):
        turned = rope(x, positions)
        if positions.max() < place:
            return turned
        if how == "nan":
            turned[..., positions >= place, :] = np.nan
        return turned[..., :-1] if how == "shape" else turned

    return function


def in_a_batch(x, positions):
    return np.concatenate([rope(text, positions + row)[np.newaxis] for row, text in enumerate(x)])


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (fails_from(600, "nan"), "From position 600 on: It returned what is no array"),
        (fails_from(10, "nan"), "From position 10 on: It returned what is no array"),
        (fails_from(32, "shape"), "From position 32 on: From shape (1, 3, 4, 64) it returned"),
        (lambda x, p: rope(x, np.where(p < 600, p, 7 + p / 3)), "at position 600, column"),
        (
            lambda x, p: rope(x, p[0] + np.arange(len(p))),
            "Only the first position of a call is used",
        ),
        (in_a_batch, "Each text of a batch is turned by one position more than the text before."),
        (lambda x, p: -rope(x, p), "All signs of the result are the opposite."),
    ],
)
def test_failures_from_some_token_on_are_reported(function, said):
    report = check_rope(function, 64)
    assert not report.rotary
    assert said in str(report)


def test_error_of_the_function_is_reported_with_its_message():
    def function(x, positions):
        if positions.max() >= 777:
            raise ValueError("too long")
        return rope(x, positions)

    assert "only to position 776, then raised ValueError: too long" in str(check_rope(function, 64))


class TimeIsUp(BaseException):
    pass


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, TimeoutError, TimeIsUp])
def test_the_callers_own_errors_pass_through(error):
    def function(x, positions):
        if positions.max() > 100:
            raise error
        return rope(x, positions)

    with pytest.raises(error):
        check_rope(function, 64)


def test_verdict_states_its_ground():
    report = check_rope(lambda x, p: rope(x, p).astype(np.float32), 64, positions=[40, 100])
    assert ": positions 0 to 23 and 2 more up to 100; " in report.ground
    assert "; a prompt of 101 tokens; " in report.ground
    assert "x was float64, and the numbers are float32. Not looked at: " in report.ground
    assert "positions beyond 100, more than 101 tokens in a call." in report.ground
    assert report.rounding == "float32"


def test_width_1024_takes_little_memory():
    tracemalloc.start()
    try:
        report = check_rope(rope, 1024)
        call = 4200 * 1024 * 8  # a prompt: x, what is passed, what returns, and on the way to it
        assert tracemalloc.get_traced_memory()[1] < 6 * call
    finally:
        tracemalloc.stop()
    assert report.rotary


# ---------------------------------------------------------------------------- what is named is so


def wrong_from(place, wrong):
    """Return RoPE that does something else to positions from one on, or to texts that have one."""

    def by_position(x, positions):
        return np.where((positions < place)[:, np.newaxis], rope(x, positions), wrong(x, positions))

    def by_text(x, positions):
        return (wrong if positions.max() >= place else rope)(x, positions)

    return by_position, by_text


def kept(sticky):
    """Return dynamic NTK, which may keep the list of the longest text so far."""
    longest = 0

    def function(x, positions):
        nonlocal longest
        longest = max(longest if sticky else 0, int(positions.max()) + 1)
        length = max(longest, 2048)
        about = {"sequence_length": length, "max_position_embeddings": 2048}
        return rope(x, positions, frequencies=scaling.dynamic_ntk(64, factor=2, **about))

    return function


def some(axis, count):
    """Return RoPE for the first of some axis alone: texts, heads or tokens."""

    def function(x, positions):
        turned = rope(x, positions)
        rest = (*[slice(None)] * axis, slice(count, None))
        turned[rest] = x[rest]
        return turned

    return function


def overwritten(x, positions):
    cosine, sine = (part[:, :32] for part in table_of(positions))
    low, high = x[..., :32], x[..., 32:]
    low[...] = low * cosine - high * sine
    high[...] = high * cosine + low * sine
    return x


def cosine_twice(x, positions):
    cosine, _ = table_of(positions)
    return x * cosine + rotate_half(x) * cosine


def first_row_for_all(x, positions):
    return rope(x, positions[0] if positions.ndim > 1 else positions)


def both_wrong(x, positions):
    return some(1, 40)(x, np.minimum(positions, 2047))


KINDS = {
    "the input from 4096 on": (wrong_from(4096, lambda x, _: x)[0], "Position 4 096 and all after"),
    "the input in long texts": (wrong_from(4096, lambda x, _: x)[1], "nothing is turned"),
    "zeros from 4096 on": (wrong_from(4096, lambda x, _: 0 * x)[0], "give zeros"),
    "zeros in long texts": (wrong_from(4096, lambda x, _: 0 * x)[1], "all is zeros"),
    "back from 4096 on": (wrong_from(4096, lambda x, k: rope(x, -k))[0], "turn the other way"),
    "back in long texts": (wrong_from(4096, lambda x, k: rope(x, -k))[1], "turn the other way"),
    "a tile of 64": (some(2, 64), "Token 64 of a call and all after it are not turned."),
    "four heads": (some(1, 4), "Head 4 and all after it are not turned."),
    "two texts": (some(0, 2), "Text 2 of a batch and all after it are not turned."),
    "sorted": (lambda x, k: rope(x, np.sort(k)), "Positions are sorted"),
    "starts over": (lambda x, k: rope(x, k % 700), "position 700 is turned as position 0"),
    "sticky": (lambda: kept(True), "(dynamic, factor 2), and keeps them"),
    "in place": (overwritten, "In place: the first column of a pair is overwritten"),
    "cosine for sine": (cosine_twice, "The cosine stands in the place of the sine."),
    "first row for all": (first_row_for_all, "The positions of the first text of a batch"),
    "from 513": (lambda x, k: rope(x, k + 513).astype(np.float32), "position k + 513"),
    "row 0 of zeros": (lambda x, k: rope(x, k) * (k > 0)[:, np.newaxis], "Position 0 gives zeros."),
    "40 heads, 2048 rows": (both_wrong, "Positions stop at 2 047: "),
    "40 heads, 2048 rows, again": (both_wrong, "Head 40 and all after it are not turned."),
}
RIGHT = {
    "plain": rope,
    "dynamic": lambda: kept(False),
    "LongRoPE": longrope,
    "xPos": xpos,
    "temperature": temperature,
    "a part": part(16, 48, "halves"),
    "other frequencies": with_frequencies(1 / np.arange(1, 33)),
}


def fresh(function):
    """Return a function that remembers nothing yet."""
    return (
        function()
        if getattr(function, "__code__", None) and not function.__code__.co_argcount
        else function
    )


def calls(rng):
    """Draw calls that no verdict was made of."""
    for shape, places in (
        ((1, 3, 40), np.arange(40)),
        ((1, 60, 5), np.array([300, 4, 77, 701, 18])),
        ((4, 2, 12), np.arange(12) + 500),
        ((1, 1, 700), np.arange(700) + 3700),
        ((1, 2, 3), np.array([0, 1, 60_000])),
        ((1, 2, 1), np.array([9])),
        ((1, 2, 100), np.arange(100)),
    ):
        yield rng.normal(size=(*shape, 64)), places


@pytest.mark.parametrize("name", [*KINDS, *RIGHT, *MUTANTS])
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
def test_what_is_named_gives_the_functions_numbers(name, rng):
    function, said = {**KINDS, **dict.fromkeys(RIGHT), **MUTANTS}[name] or (RIGHT[name], "")
    report = check_rope(fresh(function), 64)
    assert said in str(report)
    assert report.rotary == (name in RIGHT)
    if report.program is None:
        assert name in ("added", "raises", "one axis lost", "infinite")
        with pytest.raises(ValueError, match="no program"):
            report.reproduce()
        return
    ours, theirs = report.reproduce(), fresh(function)
    short = "bfloat16" in str(report) or "float16" in str(report)
    off = []
    for x, places in calls(rng):
        expected = np.asarray(theirs(x.copy(), places), float)
        off += (np.abs(ours(x, places) - expected) > (0.05 if short else 1e-4)).ravel().tolist()
    # An angle between two of 16 bits may go either way.
    assert np.mean(off) <= (1e-3 if "angles are rounded" in str(report) else 0)
    back = pickle.loads(pickle.dumps(report._replace(text="")))
    np.testing.assert_array_equal(back.reproduce()(x, places), report.reproduce()(x, places))
    assert repr(back).startswith("RopeReport(")


# ---------------------------------------------------------------------------- kinds with no name


def spoilt(rng, omega, layout):
    """Yield functions that are wrong in ways that no change of a program is."""
    limit, step = int(rng.integers(30, 50_000)), int(rng.integers(2, 200))
    near, pair = int(rng.integers(1, 4000)), int(rng.integers(len(omega)))
    slow = omega.copy()
    slow[pair] *= 0.7

    def right(x, places, omega=omega):
        return rope(x, places, frequencies=omega, layout=layout)

    def far(wrong):
        return lambda x, k: np.where((k >= limit)[:, np.newaxis], wrong(x, k), right(x, k))

    def long(wrong):
        return lambda x, k: (wrong if k.max() >= limit else right)(x, k)

    def every(axis):
        def function(x, k):
            turned = right(x, k)
            rows = (*[slice(None)] * axis, slice(1, None, step if axis == 2 else 2))
            turned[rows] = x[rows]
            return turned

        return function

    memory = {}

    def remembered(x, k):
        return right(x, memory.setdefault(k.size, k))

    yield from (far(lambda x, k: 1.5 * right(x, k)), far(lambda x, k: right(x, k + 1)))
    yield from (long(lambda x, k: 1.5 * right(x, k)), long(lambda x, k: right(x, k + 1)))
    yield from (every(1), every(2), remembered)
    yield lambda x, k: right(x, np.where(k == near, near + 1, k))
    yield lambda x, k: right(x, k // 2 * 2)
    yield lambda x, k: right(x, np.where(k < near, k, near + (k - near) // 4))
    yield lambda x, k: right(x, k) + 0.02 * x**3
    yield lambda x, k: right(x, k, slow if k.size > near // 2 + 64 else omega)
    yield lambda x, k: right(x, k)[:, ::-1]
    yield lambda x, k: right(x, 3 * np.log1p(k))
    yield lambda x, k: right(x, k - k % 16)
    yield lambda x, k: right(x, k) + 0.1 * np.roll(x, 1, axis=2)


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("short", [np.float64, np.float32, np.float16, bfloat16])
def test_what_has_no_name_is_neither_right_nor_named(layout, short, rng):
    omega = frequencies(32, base=float(rng.choice([1e3, 1e4, 5e5])))
    for function in spoilt(rng, omega, layout):
        report = check_rope(lambda x, k, f=function: short(f(x, k)), 32)
        assert not report.rotary, str(report)
        assert report.program is None
        assert re.match("No cause known|It is not deterministic|Columns do not", str(report))
