"""Rotary functions as people have them: conventions of libraries, and bugs from public reports.

Each is written for this file in NumPy; its comment says where such code was met. What is right must
be named with its settings, and what is wrong with its cause or with where it first differs.
"""

import math

import numpy as np
import pytest

from posenc import axes, frequencies, rope, scaling
from posenc_check import assert_rope, check_rope, compare_rope
from tests.by_formula import rounded_to_bfloat16, turn
from tests.field.test_scaled_tables import llama3, yarn

WIDTH = 64
OMEGA = frequencies(WIDTH)
LLAMA_3 = {"factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}
LLAMA_3 |= {"original_max_position_embeddings": 8192, "rope_theta": 5e5}


def bfloat16(values):
    return rounded_to_bfloat16(values).astype(float)


def float16(values):
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float16).astype(float)


def rows_of(k):
    """Return positions of shape (tokens,) or (texts, tokens) so that they broadcast with heads."""
    return np.asarray(k, float)[..., np.newaxis, :, np.newaxis]


def halves(x, k, omega=OMEGA, keep=lambda values: values):
    """Return RoPE in halves, as most code writes it, with positions of any text on their own."""
    angles = rows_of(k) * omega
    cosine, sine = keep(np.cos(angles)), keep(np.sin(angles))
    return of_halves(x, cosine, sine)


def of_halves(x, cosine, sine):
    m = cosine.shape[-1]
    a, b, rest = x[..., :m], x[..., m : 2 * m], x[..., 2 * m :]
    return np.concatenate([a * cosine - b * sine, b * cosine + a * sine, rest], axis=-1)


def with_rotate_half(x, k, rotate_half):
    angles = np.concatenate([rows_of(k) * OMEGA] * 2, axis=-1)
    return x * np.cos(angles) + rotate_half(x) * np.sin(angles)


def parts(x, sign_of_low=-1, sign_of_high=1):
    low, high = np.split(x, 2, axis=-1)
    return np.concatenate([sign_of_low * high, sign_of_high * low], axis=-1)


# --- Bugs


def one_token_each(x, k, right=halves):  # mlx 3494, mlx-rs 359, vllm-metal 496
    turned = np.array(right(x, k))
    if x.shape[2] == 1:
        turned[1:] = 0
    return turned


def one_token_each_unturned(x, k):  # the same kernel, with x in the buffer of the result
    turned = halves(x, k)
    if x.shape[2] == 1:
        turned[1:] = x[1:]
    return turned


def by_text(x, k):  # the axes of batch and tokens are swapped: GlobalPointer, the zoo's batch axis
    return halves(x.swapaxes(0, 2), np.arange(len(x))).swapaxes(0, 2) + 0 * np.sum(k)


def by_head(x, k):  # queries of (batch, tokens, heads, d) are taken for (batch, heads, tokens, d)
    return halves(x.swapaxes(1, 2), np.arange(x.shape[1])).swapaxes(1, 2) + 0 * np.sum(k)


def viewed(x, k):  # view for transpose
    texts, heads, tokens, width = x.shape
    swapped = x.reshape(texts, tokens, heads, width)
    angles = np.asarray(k, float)[:, np.newaxis, np.newaxis] * OMEGA
    return of_halves(swapped, np.cos(angles), np.sin(angles)).reshape(x.shape)


def remembered():
    """Return RoPE whose cosines are cached by length alone: rotary-embedding-torch 11."""
    cache = {}

    def function(x, k):
        return halves(x, cache.setdefault(x.shape[2], k))

    return function


def never_reset():
    """Return dynamic NTK that keeps the longest list: transformers 25306, 27226, 27033."""
    longest = 2048

    def function(x, k):
        nonlocal longest
        longest = max(longest, int(np.max(k)) + 1)
        lengths = {"sequence_length": longest, "max_position_embeddings": 2048}
        return halves(x, k, scaling.dynamic_ntk(64, factor=2, **lengths))

    return function


def counted_on(x, k):  # one kernel runs over the rows of all texts: exllama 101
    rows = np.arange(len(x))[:, np.newaxis] * x.shape[2] + np.broadcast_to(k, (len(x), x.shape[2]))
    return halves(x, rows)


def first_row(x, k):  # cosines of shape (1, tokens, d) for all texts: Liger-Kernel 477
    return halves(x, k[0] if np.ndim(k) > 1 else k)


def sliced(x, k):  # the table is cut from 0 on, whatever comes: Megatron-LM 453, executorch 2010
    return halves(x, np.arange(x.shape[2])) + 0 * np.sum(k)


def cast(short):
    """Return RoPE all in 16 bits: gpt-neox 1003, transformers 25681 and 29496."""
    omega = short(OMEGA)

    def function(x, k):
        angles = short(short(rows_of(k)) * omega)
        cosine, sine = short(np.cos(angles)), short(np.sin(angles))
        return short(of_halves(short(x), cosine, sine)).astype(np.float32)

    return function


def unequal(x, k):  # columns 0 to 31 and 32 to 63 turn by different angles: ncnn 6833
    angles = np.concatenate([rows_of(k) * OMEGA, 3 * rows_of(k) * OMEGA], axis=-1)
    return x * np.cos(angles) + parts(x) * np.sin(angles)


def off_by_one(x, k):  # a frequency for each column, not for each pair: the zoo's off-by-one i
    angles = rows_of(k) * 1e4 ** (-np.arange(WIDTH) / WIDTH)
    return x * np.cos(angles) + parts(x) * np.sin(angles)


def dealt(x, k):  # tokens before heads in memory, one row of angles for each in turn: IRON 188
    texts, heads, tokens, _ = x.shape
    row = np.arange(tokens) * heads + np.arange(heads)[:, np.newaxis]
    places = np.broadcast_to(np.asarray(k, float).reshape(-1, tokens), (texts, tokens))
    angles = places[:, row % tokens][..., np.newaxis] * OMEGA
    return of_halves(x, np.cos(angles), np.sin(angles))


def inverted(omega):
    """Return Llama 3's list with its ramp upside down."""
    smooth = np.clip((8192 * omega / math.tau - 1) / 3, 0, 1)
    return smooth * omega / 8 + (1 - smooth) * omega


def without_2_pi(omega):
    smooth = np.clip((8192 * omega - 1) / 3, 0, 1)
    return (1 - smooth) * omega / 8 + smooth * omega


def one_off(pair, times):
    omega = OMEGA.copy()
    omega[pair] *= times
    return omega


def first_head_alone(x, k, others):  # a kernel that is launched for one head: aprender PR 2079
    turned = np.array(halves(x, k))
    turned[:, 1:] = others * x[:, 1:]
    return turned


def of_hidden_size(columns, base):
    """Return the list of a module that got the hidden size for the width of a head."""
    return np.array([base ** (-2 * pair / columns) for pair in range(32)])


def in_tf32(values):
    """Return float32 numbers without the last 13 of their bits: transformers 48428."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return (bits >> 13 << 13).view(np.float32).astype(float)


UNFILLED = np.random.default_rng(5).normal(0, 0.02, 32)  # transformers 45902: to_empty


def ngpt(x, k):  # NVIDIA/ngpt issue 10: one product in place of a sum of two
    sine, cosine = np.sin(rows_of(k) * OMEGA), np.cos(rows_of(k) * OMEGA)
    swapped = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1)
    return (swapped * np.stack([cosine, sine], axis=-1)).reshape(x.shape)


def one_product(x, k):  # x cos alone
    return x * np.tile(np.cos(rows_of(k) * OMEGA), 2)


def in_int8(k):
    return (np.asarray(k) + 128) % 256 - 128


BUGS = {
    "zeros for one token each": (one_token_each, "alone_other_texts_zero", {}),
    "one token each unturned": (one_token_each_unturned, "alone_other_texts_unturned", {}),
    "batch for tokens": (by_text, "text_as_position", {}),
    "heads for tokens": (by_head, "head_as_position", {}),
    "view for transpose": (viewed, "view_for_transpose", {}),
    "a cache by length": (remembered(), "positions_by_length", {}),
    "dynamic NTK that is never reset": (
        never_reset(),
        *("dynamic_never_reset", {"position": 2048, "factor": 2.0}),
    ),
    "texts counted on": (counted_on, "texts_counted_on", {}),
    "one row for all texts": (first_row, "positions_of_first_text", {}),
    "positions ignored": (sliced, "positions_unused", {}),
    "less the first": (
        lambda x, k: halves(x, k - np.asarray(k)[..., :1]),
        *("positions_less_the_first", {}),
    ),
    "positions doubled": (  # mlx-lm 1553 by a factor, mojo_opset 253 by a stride
        lambda x, k: halves(x, 2 * np.asarray(k)),
        *("turned_twice", {}),
    ),
    "positions times 1.5": (  # mlx 261 and 356: a factor is passed where it multiplies
        lambda x, k: halves(x, 1.5 * np.asarray(k)),
        *("all_faster", {"times": 1.5}),
    ),
    "positions times 3": (
        lambda x, k: halves(x, 3 * np.asarray(k)),
        *("all_faster", {"times": 3.0}),
    ),
    "positions times 8": (
        lambda x, k: halves(x, 8 * np.asarray(k)).astype(np.float32),
        *("all_faster", {"times": 8.0}),
    ),
    "the list of 4096 columns": (
        lambda x, k: halves(x, k, of_hidden_size(4096, 1e4)),
        *("list_of_all_heads", {"base": 1e4, "pairs": 32, "columns": 4096}),
    ),
    "the list of 1024 columns": (
        lambda x, k: halves(x, k, of_hidden_size(1024, 5e5)).astype(np.float32),
        *("list_of_all_heads", {"base": 5e5, "pairs": 32, "columns": 1024}),
    ),
    "positions in TF32": (lambda x, k: halves(x, in_tf32(k)), "positions_in_tf32", {}),
    "the middles of patches": (
        lambda x, k: halves(x, np.asarray(k) + 0.5),
        *("position_offset", {"steps": 0.5}),
    ),
    "a list that was never filled in": (
        lambda x, k: halves(x, k, UNFILLED),
        *("pair_faster", {"backwards": sum(omega < 0 for omega in UNFILLED)}),
    ),
    "other heads unturned": (
        lambda x, k: first_head_alone(x, k, 1),
        *("other_heads_unturned", {}),
    ),
    "other heads zero": (lambda x, k: first_head_alone(x, k, 0), "other_heads_zero", {}),
    "modulo the window": (
        lambda x, k: halves(x, np.asarray(k) % 4096),
        *("positions_begin_again", {"position": 4096}),
    ),
    "modulo a small window": (
        lambda x, k: halves(x, np.asarray(k) % 300),
        *("positions_begin_again", {"position": 300}),
    ),
    "uint8": (
        lambda x, k: halves(x, np.asarray(k) % 256),
        *("positions_begin_again", {"position": 256}),
    ),
    "int8": (
        lambda x, k: halves(x, in_int8(k)),
        *("positions_turn_negative", {"position": 128}),
    ),
    "int16": (
        lambda x, k: halves(x, (np.asarray(k) + 2**15) % 2**16 - 2**15),
        *("positions_turn_negative", {"position": 32_768}),
    ),
    "a table that is zero beyond its rows": (  # allocated for 4096 positions, filled for 2048
        lambda x, k: halves(x, k) * (rows_of(k) < 2048),
        *("zeros_from_position", {"position": 2048}),
    ),
    "an offset of 577": (lambda x, k: halves(x, k + 577), "position_offset", {"steps": 577}),
    "an offset of -4096": (
        lambda x, k: halves(x, k - 4096).astype(np.float32),
        *("position_offset", {"steps": -4096}),
    ),
    "all in bfloat16": (cast(bfloat16), "chain_rounded", {"dtype": "bfloat16"}),
    "all in float16": (cast(float16), "chain_rounded", {"dtype": "float16"}),
    "two minuses": (
        lambda x, k: with_rotate_half(x, k, lambda x: parts(x, -1, -1)),
        *("minus_twice", {}),
    ),
    "no minus": (
        lambda x, k: with_rotate_half(x, k, lambda x: parts(x, 1, 1)),
        *("minus_missing", {}),
    ),
    "cosine and sine swapped": (
        lambda x, k: of_halves(x, np.sin(rows_of(k) * OMEGA), np.cos(rows_of(k) * OMEGA)),
        *("cosine_and_sine_swapped", {}),
    ),
    "sines in both": (
        lambda x, k: of_halves(x, np.sin(rows_of(k) * OMEGA), np.sin(rows_of(k) * OMEGA)),
        *("sines_for_cosines", {}),
    ),
    "unequal halves": (unequal, "columns_apart", {"times": pytest.approx(3)}),
    "off-by-one i": (off_by_one, "columns_apart", {}),
    "the exponent without its minus": (
        lambda x, k: halves(x, k, 1 / OMEGA),
        *("exponent_without_minus", {"base": 1e4}),
    ),
    "the same in float32": (
        lambda x, k: of_halves(
            x, *(f((rows_of(k) / OMEGA).astype(np.float32)).astype(float) for f in (np.cos, np.sin))
        ),
        *("exponent_without_minus", {"base": 1e4}),
    ),
    "integer arange": (lambda x, k: halves(x, k, np.ones(32)), "pair_faster", {"pair": 1}),
    "angles in turns": (lambda x, k: halves(x, k, OMEGA / math.tau), "turns_as_radians", {}),
    "pair 5 off by 1 %": (
        lambda x, k: halves(x, k, one_off(5, 1.01)),
        *(
            "pairs_off_list",
            {"base": 1e4, "runs": [(5, 5, pytest.approx(1.01), pytest.approx(1.01))]},
        ),
    ),
    "pair 0 twice as fast": (
        lambda x, k: halves(x, k, one_off(0, 2.0)),
        *("pairs_off_list", {"base": 1e4, "runs": [(0, 0, 2.0, 2.0)]}),
    ),
    "pair 0 still": (
        lambda x, k: halves(x, k, one_off(0, 0.0)),
        *("pairs_off_list", {"base": 1e4, "runs": [(0, 0, 0.0, 0.0)]}),
    ),
    "Llama 3, its ramp upside down": (
        lambda x, k: halves(x, k, inverted(frequencies(64, base=5e5))),
        *("pairs_off_list", {"base": 5e5}),
    ),
    "the whole head's list": (
        lambda x, k: halves(x, k, OMEGA[:8]),
        *("list_of_whole_head", {"base": 1e4, "columns": 16, "head_dim": 64}),
    ),
}
CAUSES = {name: [kind] for name, (_, kind, _) in BUGS.items()}


@pytest.mark.parametrize("name", BUGS)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_reported_bug_is_named(name):
    function, kind, values = BUGS[name]
    report = check_rope(function, WIDTH)
    found = {each.kind: each for each in report.faults}
    assert kind in found
    assert all(report.problems)  # each has its sentence
    about = vars(found[kind])
    assert {key: about[key] for key in values} == values
    # A float16 position above 65 504 is infinite, which is a finding of its own.
    assert found.keys() - {"from_position"} == {kind}
    assert report.layout == "halves"


@pytest.mark.parametrize("omega", [40.1 * OMEGA, 777.0 ** (np.arange(32) / 32)])
def test_pairs_that_pass_half_a_turn_in_a_token_may_only_look_backwards(omega):
    (problem,) = check_rope(lambda x, k: halves(x, k, omega), WIDTH).problems
    assert "or they pass half a turn in a token, which looks the same" in problem


@pytest.mark.parametrize("function", [ngpt, one_product])
def test_one_product_alone_is_no_rotation(function):
    report = check_rope(function, WIDTH)
    assert [each.kind for each in report.faults] == ["columns_alone"]
    assert "It is no rotation" in str(report)


def backwards_in_odd_heads(x, k):
    turned = np.array(halves(x, k))
    turned[:, 1::2] = halves(x[:, 1::2], -np.asarray(k))
    return turned


def head_0_unturned(x, k):
    turned = np.array(halves(x, k))
    turned[:, 0] = x[:, 0]
    return turned


@pytest.mark.parametrize("function", [backwards_in_odd_heads, head_0_unturned])
def test_heads_that_differ_have_no_list_in_common(function):
    report = check_rope(function, WIDTH)
    (fault,) = report.faults
    assert (fault.kind, fault.head, fault.position) == ("heads_differ", 1, 1)
    assert report.frequencies is None
    assert report.base is None


def uneven_positions(x, k):  # in float32, where heads but the first are divided and multiplied
    turned = halves(x, k + 0.3 * np.sin(k)).astype(np.float32)
    turned[:, 1:] = np.float32(3) * (turned[:, 1:] / np.float32(3))
    return 1.1 * turned.astype(float)


def test_what_float32_rounds_is_no_difference_of_heads():
    report = check_rope(uneven_positions, WIDTH)
    assert [each.kind for each in report.faults] == ["unexplained"]
    assert report.faults[0].by > 1


def xpos(x, k):  # torchscale xpos_relative_position.py: RetNet, LongNet
    turned = np.array(halves(x, k))
    for pair in range(32):
        scale = (2 * pair + 0.4 * 64) / (1.4 * 64)
        turned[..., [pair, pair + 32]] *= scale ** (rows_of(k) / 512)
    return turned


def ministral_3(x, k):  # transformers: get_llama_4_attn_scale
    return halves(x, k) * (1 + 0.1 * np.log(1 + np.floor(rows_of(k) / 16_384)))


def qwen_logn(x, k):  # Qwen-7B: use_logn_attn, trained with 2048 tokens
    return halves(x, k) * np.where(rows_of(k) < 2048, 1, np.log(rows_of(k) + 1) / math.log(2048))


def part_with_temperature(x, k):
    turned = np.array(x)
    turned[..., :16] = halves(x[..., :16], k, frequencies(16))
    turned[..., :16] *= 1 + 0.1 * np.log1p(rows_of(k) // 16_384)
    return turned


def one_pair_with_temperature(x, k):
    turned = np.array(halves(x, k))
    turned[..., [5, 37]] *= 1 + 0.1 * np.log1p(rows_of(k) // 16_384)
    return turned


def twice_far_down(x, k):
    return (halves(x, k) * np.where(rows_of(k) < 80_000, 1, 2)).astype(np.float32)


@pytest.mark.parametrize(
    ("function", "by_pair", "position", "end"),
    [
        (xpos, True, 1, (25.6 / 89.6) ** (131_071 / 512)),
        (ministral_3, False, 16_384, 1 + 0.1 * math.log(8)),
        (part_with_temperature, False, 16_384, 1 + 0.1 * math.log(8)),
        (one_pair_with_temperature, True, 16_384, 1),
        (qwen_logn, False, 2048, math.log(131_072) / math.log(2048)),
        (twice_far_down, False, 80_000, 2),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_factor_that_changes_with_the_position_is_told(function, by_pair, position, end):
    report = check_rope(function, WIDTH)
    (fault,) = report.faults
    assert (fault.kind, fault.by_pair) == ("factor_by_position", by_pair)
    assert (fault.base, fault.position, fault.start) == (1e4, position, pytest.approx(1))
    assert fault.end == pytest.approx(end, rel=1e-5)
    assert report.program is None


def test_a_factor_of_long_texts_alone_is_no_factor_of_a_position():
    report = check_rope(lambda x, k: (1 + (np.max(k) >= 4096)) * halves(x, k), WIDTH)
    assert [each.kind for each in report.faults] == ["unexplained"]


def test_doubled_positions_and_a_second_rotation_have_one_sentence():
    doubled = check_rope(lambda x, k: halves(x, 2 * k), WIDTH)
    twice = check_rope(lambda x, k: halves(halves(x, k), k), WIDTH)
    assert doubled.problems == twice.problems
    assert "positions are doubled" in doubled.problems[0]
    assert "applied two times" in doubled.problems[0]


def test_tokens_of_several_positions_show_no_factor():
    report = check_rope(dealt, WIDTH)
    assert [each.kind for each in report.faults] == ["unexplained"]
    assert report.attention_factor == 1
    assert report.faults[0].position > 0


# --- What is right


def reduced_in_float32(x, k):  # fast sines take whole turns off in float32: imp 1325
    angles = rows_of(k).astype(np.float32) * OMEGA.astype(np.float32)
    turn_of_circle = np.float32(math.tau)
    angles -= np.rint(angles / turn_of_circle) * turn_of_circle
    return of_halves(x, np.cos(angles), np.sin(angles)).astype(np.float32)


def in_float32_kept_in_float16(x, k):  # autocast: a cosine near the middle is rounded either way
    angles = rows_of(k).astype(np.float32) * frequencies(64, base=5e5).astype(np.float32)
    cosine, sine = (np.float32(float16(of(angles))) for of in (np.cos, np.sin))
    return of_halves(x.astype(np.float32), cosine, sine)


def longrope_of_phi_3_vision(x, k):  # its first pair turns 1.05 / 1.03 times as fast in long texts
    slower = np.full(32, 1.05) if np.max(k) < 4096 else np.linspace(1.03, 64, 32)
    return halves(x, k, OMEGA / slower)


def longrope_in_bfloat16(x, k):  # vLLM: a cache of cosines in the model's type for each list
    slower = np.ones(32) if np.max(k) < 4096 else np.linspace(1, 40, 32) ** 1.2
    return halves(x, k, OMEGA / slower, keep=bfloat16)


def with_factor(omega, factor, keep, after=1.0, above=None):
    """Return RoPE of Transformers and vLLM: keep(cos * factor), in the type of the model.

    `above` is a LongRoPE's list of texts of more than 4096 tokens.
    """

    def function(x, k):
        angles = rows_of(k) * (omega if above is None or np.max(k) < 4096 else above)
        cosine, sine = keep(factor * np.cos(angles)), keep(factor * np.sin(angles))
        return of_halves(x, after * cosine, after * sine)

    return function


GPT_OSS = np.array(yarn(64, 150_000, 32, 4096, whole=False))
GPT_OSS_FACTOR = 0.1 * math.log(32) + 1
PHI_4_MINI_FACTOR = math.sqrt(1 + math.log(32) / math.log(4096))


def mrope(sections, interleaved=False):
    """Return M-RoPE of which height alone is passed, as the code of the models deals pairs out."""
    omega = frequencies(64, base=1e6)
    _, height, _ = sections
    pairs = range(1, 3 * height, 3) if interleaved else range(sections[0], sections[0] + height)
    return lambda x, k: halves(x, k, [omega[p] if p in pairs else 0.0 for p in range(32)])


def of_image(x, k):  # Qwen2-VL's vision: rows and columns, and this is one of them
    omega, which = axes.axial_frequencies(64, 2)
    return axes.axial_rope(x, np.stack([k, 0 * k], -1), omega, which, layout="halves")


def halves_of_halves(x, k):  # croco 3: rows and columns side by side, each in halves
    return np.concatenate([rope(p, k, base=100, layout="halves") for p in np.split(x, 2, -1)], -1)


def as_complex(x, k, omega=OMEGA):  # Meta's code
    z = x.reshape(*x.shape[:-1], -1, 2)
    z = (z[..., 0] + 1j * z[..., 1]) * np.exp(1j * rows_of(k) * omega)
    return np.stack([z.real, z.imag], -1).reshape(x.shape)


def p_rope(x, k):  # Gemma 3n and 4: "proportional"
    return halves(x, k, OMEGA * (np.arange(32) < 8))


RIGHT = {
    "halves": (halves, {"layout": "halves", "base": 1e4}, [], []),
    "complex": (as_complex, {"layout": "interleaved", "base": 1e4}, [], []),
    "cosines in bfloat16": (
        lambda x, k: halves(x, k, keep=bfloat16),
        *({"base": 1e4}, ["cosines_rounded"], []),
    ),
    "cosines in float16": (
        lambda x, k: halves(x, k, keep=float16),
        *({"base": 1e4}, ["cosines_rounded"], []),
    ),
    "cosines made in float32, kept in float16": (
        in_float32_kept_in_float16,
        *({"base": 5e5}, ["cosines_rounded"], []),
    ),
    "LongRoPE, cosines in bfloat16": (
        longrope_in_bfloat16,
        *({"base": 1e4}, ["cosines_rounded", "other_list_in_long_texts"], []),
    ),
    "gpt-oss, in bfloat16": (
        with_factor(GPT_OSS, GPT_OSS_FACTOR, bfloat16),
        {"base": 150_000, "factor": pytest.approx(GPT_OSS_FACTOR, rel=1e-9)},
        *(["cosines_rounded"], ["yarn_scaling"]),
    ),
    "gpt-oss, multiplied after it is rounded": (
        with_factor(GPT_OSS, 1.0, bfloat16, after=GPT_OSS_FACTOR),
        {"base": 150_000, "factor": pytest.approx(GPT_OSS_FACTOR, rel=1e-9)},
        *(["cosines_rounded"], ["yarn_scaling"]),
    ),
    "a factor near 1, multiplied after it is rounded": (
        with_factor(OMEGA, 1.0, bfloat16, after=1.005),
        *({"base": 1e4, "factor": pytest.approx(1.005, rel=1e-9)}, ["cosines_rounded"], []),
    ),
    "Qwen3 with YaRN, in float16": (
        with_factor(np.array(yarn(64, 1e6, 4, 32_768)), 0.1 * math.log(4) + 1, float16),
        {"base": 1e6, "factor": pytest.approx(0.1 * math.log(4) + 1, rel=1e-9)},
        *(["cosines_rounded"], ["yarn_scaling"]),
    ),
    "YaRN whose factor a config has in six digits, in bfloat16": (
        with_factor(np.array(yarn(64, 1e6, 4, 32_768)), 1.13863, bfloat16),
        {"base": 1e6, "factor": pytest.approx(1.13863, rel=1e-5)},
        *(["cosines_rounded"], ["yarn_scaling"]),
    ),
    "the same in float16": (
        with_factor(np.array(yarn(64, 1e6, 4, 32_768)), 1.13862, float16),
        {"base": 1e6, "factor": pytest.approx(1.13862, rel=1e-6)},
        *(["cosines_rounded"], ["yarn_scaling"]),
    ),
    "a factor that bfloat16 hides": (
        with_factor(OMEGA, 1.000003, bfloat16),
        *({"base": 1e4, "factor": 1}, ["cosines_rounded"], []),
    ),
    "a factor of few digits": (
        with_factor(OMEGA, 1.1, bfloat16),
        *({"base": 1e4, "factor": 1.1}, ["cosines_rounded"], []),
    ),
    "a factor near 1": (
        with_factor(OMEGA, 1.0004, bfloat16),
        *({"base": 1e4, "factor": 1.0004}, ["cosines_rounded"], []),
    ),
    "Phi-4-mini, in bfloat16": (
        with_factor(OMEGA, PHI_4_MINI_FACTOR, bfloat16, above=OMEGA / np.geomspace(1, 32, 32)),
        {"base": 1e4, "factor": pytest.approx(PHI_4_MINI_FACTOR, rel=1e-3)},
        *(["cosines_rounded", "other_list_in_long_texts"], []),
    ),
    "results in bfloat16": (lambda x, k: bfloat16(halves(x, k)), {"base": 1e4}, [], []),
    "Llama 3": (
        lambda x, k: halves(x, k, scaling.llama3(64, **LLAMA_3)),
        *({"base": 5e5}, [], ["llama3_scaling"]),
    ),
    "Llama 4 Scout": (  # the list of YaRN with beta_fast 1
        lambda x, k: as_complex(x, k, np.array(llama3(64, 5e5, 16, low=1.0, high=1.0))),
        *({"base": 5e5}, [], ["yarn_scaling"]),
    ),
    "YaRN with beta_fast 4": (  # Mistral Medium 3.5
        lambda x, k: halves(x, k, np.array(yarn(64, 1e6, 64, 4096, fast=4))),
        *({"base": 1e6}, [], ["yarn_scaling"]),
    ),
    "YaRN that slows pairs of the first quarter": (
        lambda x, k: halves(x, k, np.array(yarn(64, 5e5, 32, 4096))),
        *({"base": 5e5}, [], ["yarn_scaling"]),
    ),
    "YaRN from 40 960 tokens": (  # Qwen3 as vLLM serves it
        lambda x, k: halves(x, k, np.array(yarn(64, 1e6, 3.2, 40_960))),
        *({"base": 1e6}, [], ["yarn_scaling"]),
    ),
    "LongRoPE with a pair that turns faster": (
        longrope_of_phi_3_vision,
        *({"base": 1e4}, ["other_list_in_long_texts"], ["all_slower"]),
    ),
    "whole turns taken off in float32": (reduced_in_float32, {"base": 1e4}, [], []),
    "1/base for the last pair": (  # RetNet: torchscale 80, unilm 1554
        lambda x, k: halves(x, k, 1e4 ** -np.linspace(0, 1, 32)),
        *({"base": 1e4}, [], ["last_pair_at_base"]),
    ),
    "p-RoPE": (p_rope, {"base": 1e4}, [], ["still_pairs"]),
    "p-RoPE of neighbours": (
        lambda x, k: as_complex(
            x, k, np.array([5e5 ** (-p / 32) if p < 8 else 0 for p in range(32)])
        ),
        *({"base": 5e5}, [], ["still_pairs"]),
    ),
    "rows of an image": (of_image, {"base": 1e4}, [], ["one_coordinate"]),
    "rows and columns, equal": (
        halves_of_halves,
        *({"layout": "halves", "parts": 2, "base": 100}, [], ["two_coordinates"]),
    ),
    "height of Qwen2.5-VL": (mrope([8, 12, 12]), {"base": 1e6}, [], ["some_pairs_still"]),
    "height of Qwen3-VL": (mrope([12, 10, 10], True), {"base": 1e6}, [], ["some_pairs_still"]),
    "frame, row and column of Wan": (  # all three at k: 24 + 20 + 20 columns
        lambda x, k: as_complex(x, k, np.concatenate([frequencies(n) for n in (24, 20, 20)])),
        *({"base": 1e4}, [], ["several_coordinates"]),
    ),
    "a partial head": (
        lambda x, k: halves(x, k, frequencies(16)),
        *({"base": 1e4, "width": 16, "begin": 0}, [], []),
    ),
    "half of a head": (
        lambda x, k: halves(x, k, frequencies(32, base=1e3)),
        *({"base": 1e3, "width": 32}, [], ["list_of_whole_head_too"]),
    ),
    "wavelengths without 2 pi": (  # a wrong list, but one that a rule might give
        lambda x, k: halves(x, k, without_2_pi(frequencies(64, base=5e5))),
        *({"base": None}, ["slowed_by_no_rule"], []),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_convention_is_named_without_an_alarm(name):
    function, settings, remarks, rules = RIGHT[name]
    report = check_rope(function, WIDTH)
    assert report.problems == ()
    assert [each.kind for each in report.remarks] == remarks
    assert [each.kind for each in report.rules] == rules
    assert vars(report.setting) | settings == vars(report.setting)


# --- Two functions


COMPARED = {
    "one token each": (one_token_each, 9, "call_batch_alone"),
    "texts counted on": (counted_on, 0, "call_batch"),
    "less the first": (lambda x, k: halves(x, k - np.asarray(k)[..., :1]), 1, None),
    "position 257": (lambda x, k: halves(x, np.where(k == 257, 258, k)), 257, None),
    "position 3001": (lambda x, k: halves(x, np.where(k == 3001, 0, k)), 3001, None),
    "positions in bfloat16": (lambda x, k: halves(x, bfloat16(k)), 257, None),
    "position 40 000": (lambda x, k: halves(x, np.where(k > 39_999, k + 1, k)), 40_000, None),
}


@pytest.mark.parametrize("name", COMPARED)
def test_the_first_position_at_which_two_functions_differ(name):
    other, position, use = COMPARED[name]
    found = compare_rope(halves, other, WIDTH)
    call = getattr(found.findings[0], "call", None)
    assert call is None if use is None else call.kind == use
    assert found.position == position


def test_lists_of_other_lengths_are_described_by_other_words():
    lists = [
        scaling.yarn(64, factor=4, rope_theta=1e6, original_max_position_embeddings=length)
        for length in (32_768, 131_072)
    ]
    one, other = (lambda x, k, omega=omega: halves(x, k, omega) for omega in lists)
    reports = compare_rope(one, other, WIDTH).reports
    assert [report.rules[0].length for report in reports] == [32_768, 131_072]
    assert reports[0].text != reports[1].text


# --- As a test


CONFIG = {"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4}
CONFIG |= {"max_position_embeddings": 2048, "rope_theta": 10_000.0}
YARN = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 16.0, "mscale": 1.0}
YARN |= {"mscale_all_dim": 1.0, "original_max_position_embeddings": 4096}


# A bug of each kind: in a batch, one token alone, the ends of integers, another order, far away.
ASSERTED = ("zeros for one token each", "one row for all texts", "int8", "int16", "two minuses")
ASSERTED += ("less the first", "pair 5 off by 1 %", "all in bfloat16", "position 257")


@pytest.mark.parametrize("name", ASSERTED)
def test_assert_rope_sees_a_bug(name):
    function = (BUGS | COMPARED)[name][0]
    with pytest.raises(AssertionError, match="first differ at position"):
        assert_rope(function, WIDTH, expect=CONFIG, layout="halves")


def test_the_factor_of_a_config_is_looked_at():
    # exllamav3 259, sglang 22711, vLLM 48623: mscale and mscale_all_dim cancel each other.
    omega = scaling.yarn(64, factor=16, original_max_position_embeddings=4096)
    assert_rope(lambda x, k: halves(x, k, omega), WIDTH, expect=YARN)
    with pytest.raises(AssertionError, match=r"times 1\.27726"):
        assert_rope(lambda x, k: 1.2772589 * halves(x, k, omega), WIDTH, expect=YARN)
    with pytest.raises(AssertionError, match=r"times 1\.27726"):
        assert_rope(
            lambda x, k: halves(x, k, omega),
            WIDTH,
            expect={key: value for key, value in YARN.items() if "mscale" not in key},
        )


def test_turned_by_formula_passes():
    assert_rope(lambda x, k: turn(x, np.outer(k, OMEGA), "halves"), WIDTH, expect=OMEGA)
