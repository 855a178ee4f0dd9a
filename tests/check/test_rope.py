"""What a function does to queries and keys: settings are read back, and each bug has its name."""

import pickle
import re
import tracemalloc

import numpy as np
import pytest

from posenc import frequencies, rope, rotate, scaling
from posenc_check import check_rope
from tests.by_formula import rounded_to_bfloat16 as bfloat16
from tests.by_formula import turn

LLAMA_3 = {"factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}
LLAMA_3 |= {"original_max_position_embeddings": 8192}
YARN = {"factor": 16, "original_max_position_embeddings": 4096}
OMEGA = frequencies(64)


def listed(omega, layout="interleaved"):
    return lambda x, k: rope(x, k, frequencies=omega, layout=layout)


def part(begin, layout):
    """Return RoPE of 16 columns alone."""

    def function(x, k):
        turned, columns = x.copy(), slice(begin, begin + 16)
        turned[..., columns] = rope(x[..., columns], k, layout=layout)
        return turned

    return function


def some(axis, count, turn=rope):
    """Return RoPE for the first of some axis alone: texts, heads or tokens; the rest is x."""

    def function(x, k):
        turned = np.array(turn(x, k))
        rest = (*[slice(None)] * axis, slice(count, None))
        turned[rest] = x[rest]
        return turned

    return function


def rotate_half(x):
    low, high = np.split(x, 2, axis=-1)
    return np.concatenate([-high, low], axis=-1)


def rotate_every_two(x):
    return np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)


def port(of=rotate_half, doubled=True, sign=1, table=np.asarray):
    """Return what most ports do, with cosines and sines that have each angle twice."""

    def function(x, k):
        angles = k[:, np.newaxis] * OMEGA
        angles = np.tile(angles, 2) if doubled else np.repeat(angles, 2, axis=-1)
        return x * table(np.cos(angles)) + sign * of(x) * table(np.sin(angles))

    return function


def overwritten(x, k):
    angles = k[:, np.newaxis] * OMEGA
    low, high = x[..., :32], x[..., 32:]
    low[...] = low * np.cos(angles) - high * np.sin(angles)
    high[...] = high * np.cos(angles) + low * np.sin(angles)
    return x


def as_complex(x, k):  # asks for columns that lie side by side, as PyTorch's view_as_complex does
    return (x.view(np.complex128) * np.exp(1j * k[:, np.newaxis] * OMEGA)).view(np.float64)


def deepseek(x, k):
    turned = rope(x, k)
    return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)


def axes_swapped(x, k):
    angles = np.arange(x.shape[1])[:, np.newaxis, np.newaxis] * OMEGA
    return rotate(x, np.broadcast_to(angles, (*x.shape[1:-1], 32))) + 0 * k[:, np.newaxis]


def as_float32(x, k):
    angles = np.float32(k)[..., np.newaxis] * np.float32(OMEGA)
    return rotate(x.astype(np.float32), angles)


def longrope(x, k):
    factors = np.linspace(1, 1.5, 32) if k.max() < 4096 else np.linspace(1, 40, 32) ** 1.2
    return rope(x, k, frequencies=OMEGA / factors, layout="halves")


def xpos(step, kind=np.float64):
    def function(x, k):
        return (rope(x, k) * np.repeat(np.exp(step * k[:, np.newaxis]), 2, axis=-1)).astype(kind)

    return function


def temperature(x, k):
    return rope(x, k) * (0.1 * np.log(k // 8192 + 1) + 1)[:, np.newaxis]


def kept(keeps):
    """Return dynamic NTK, which may keep the list of the longest text until one is short."""

    def fresh():
        longest = 0

        def function(x, k):
            nonlocal longest
            length = int(k.max()) + 1
            longest = max(longest, length) if keeps and length >= 2048 else length
            about = {"sequence_length": max(longest, 2048), "max_position_embeddings": 2048}
            return rope(x, k, frequencies=scaling.dynamic_ntk(64, factor=2, **about))

        return function

    return fresh


def reused(x, k, buffers={}):  # noqa: B006
    buffer = buffers.setdefault(x.shape, np.empty(x.shape))
    buffer[...] = rope(x, k)
    return buffer


def positions_in(short, exact=np.float64):
    return lambda x, k: rope(x, np.asarray(short(k), float)).astype(exact)


def angles_in(short):
    return lambda x, k: rotate(x, short(k[..., np.newaxis] * OMEGA))


DYNAMIC = "other frequencies in texts of 2 049 tokens or more (dynamic, factor 2)"
PER_PAIR = "a length that depends on the position, by a factor of its own per token in each pair"
TEMPERATURE = "a length that depends on the position, as an attention temperature does (1 + 0.1 ln("
RIGHT = {
    "plain": (rope, "RoPE: interleaved, base 10 000, all 64 columns."),
    "NeoX": (port(), "RoPE: halves, base 10 000, all 64 columns."),
    "GPT-J": (port(rotate_every_two, False), "RoPE: interleaved, base 10 000, all 64"),
    "complex numbers": (as_complex, "RoPE: interleaved, base 10 000, all 64 columns."),
    "a buffer": (reused, "interleaved, base 10 000, all 64 columns."),
    "other bytes": (lambda x, k: rope(x, k).astype(">f2"), "base 10 000, all 64 columns."),
    "a factor": (lambda x, k: 1.2772589 * rope(x, k), "all 64 columns, times 1.27726."),
    "a factor of all": (lambda x, k: 1.5 * listed(frequencies(16))(x, k), "as 48 columns that do"),
    "DeepSeek": (deepseek, "neighbours go in and halves come out"),
    "float32": (as_float32, "angles in float32."),
    "one pair": (listed([1.0]), "1 radian per token, the first 2 of 64 columns"),
    "the first 16": (listed(frequencies(16)), "interleaved, base 10 000, the first 16 of 64"),
    "halves of 16": (part(0, "halves"), "halves, base 10 000, the first 16 of 64 columns"),
    "the last": (part(48, "interleaved"), "interleaved, base 10 000, the last 16 of 64"),
    "the middle": (part(16, "halves"), "columns 16 to 31 of 64"),
    "LongRoPE": (longrope, "4 097 tokens or more (one list for all of them, as LongRoPE)"),
    "dynamic": (kept(False), f"{DYNAMIC}."),
    "Transformers": (kept(True), f"{DYNAMIC}, kept for later texts until one has"),
    "xPos": (xpos(np.linspace(-2e-5, -1e-6, 32)), PER_PAIR),
    "slow xPos": (xpos(np.linspace(-1e-5, -1e-6, 32), np.float16), PER_PAIR),
    "temperature": (temperature, TEMPERATURE),
    "other frequencies": (listed(1 / np.arange(1, 33)), "frequencies by no rule known here"),
    "two coordinates": (listed(np.tile(frequencies(32), 2)), "the list twice, for two coordinates"),
    "a table that ends": (lambda x, k: rope(x, np.arange(500)[k]), "only to position 499, then"),
}
BROKEN = {
    "mixed layouts": (port(rotate_every_two), "the table is in one layout, the pairs in the other"),
    "mixed the other way": (port(doubled=False), "the table is in one layout, the pairs in the"),
    "no minus": (port(lambda x: np.roll(x, 32, -1)), "a minus sign is missing before one of the"),
    "other sign": (port(sign=-1), "It turns the other way"),
    "in place": (overwritten, "In place: the first column of a pair is overwritten"),
    "from 1": (lambda x, k: rope(x, k + 1), "Position k is turned as position k + 1."),
    "from -49": (lambda x, k: rope(x, k - 49).astype(np.float32), "as position k - 49."),
    "axes swapped": (axes_swapped, "the axes of heads and tokens are swapped"),
    "positions ignored": (lambda x, k: rope(x, k.shape[-1]), "are counted from the start of each"),
    "first position": (lambda x, k: rope(x, k[0] + np.arange(len(k))), "Only the first position"),
    "cache off by one": (lambda x, k: rope(x, k + (len(k) == 1)), "cache, position k is turned as"),
    "cache forgotten": (lambda x, k: rope(x, k * (len(k) > 1)), "cache, every token is turned as"),
    "first row for all": (lambda x, k: rope(x, k[0] if k.ndim > 1 else k), "the first text of a"),
    "applied twice": (lambda x, k: rope(rope(x, k), k), "the rotation is applied two times"),
    "degrees": (lambda x, k: rope(x, k * np.pi / 180), "Angles in degrees are taken for radians."),
    "degrees, stretched": (listed(np.pi / 180 * scaling.yarn(64, **YARN)), "Angles in degrees"),
    "pairs from 1": (listed(1e4 ** (-np.arange(1, 33) / 32)), "The pairs are counted from 1"),
    "one frequency": (listed(np.ones(32)), "Pair 1 turns by 1 a token; in a model each turns less"),
    "angles in half": (angles_in(np.float16), "Its angles are rounded to float16."),
    "angles in bfloat16": (angles_in(bfloat16), "Its angles are rounded to bfloat16."),
    "a list cut off": (
        listed((np.float32(OMEGA).view(np.uint32) & 0xFFFF0000).view(np.float32)),
        "no rule known here, and hold no more bits than bfloat16 has.",
    ),
    "a table in bfloat16": (port(table=bfloat16), "Its cosines and sines were rounded to bfloat16"),
    "in bfloat16": (positions_in(bfloat16, np.float32), "position 257 is turned as position 256."),
    "in float16": (positions_in(np.float16), "position 2 049 is turned as position 2 048."),
    "257 rows": (lambda x, k: rope(x, np.minimum(k, 256)), "are turned as position 256."),
    "11 rows": (lambda x, k: rope(x, np.minimum(k, 10)), "Positions stop at 10: "),
    "the input far": (
        lambda x, k: np.where((k < 4096)[..., np.newaxis], rope(x, k), x),
        "Position 4 096 and all after it are not turned.",
    ),
    "the input in long texts": (
        lambda x, k: x if k.max() >= 4096 else rope(x, k),
        "Texts of 4 097 tokens or more are not turned.",
    ),
    "row 0 of zeros": (
        lambda x, k: rope(x, k) * (k > 0)[..., np.newaxis],
        "Position 0 gives zeros",
    ),
    "a tile of 64": (some(2, 64), "Token 64 of a call and all after it are not turned."),
    "four heads": (some(1, 4), "Head 4 and all after it are not turned."),
    "two texts": (some(0, 2), "Text 2 of a batch and all after it are not turned."),
    "40 heads, 2048 rows": (
        lambda x, k: some(1, 40)(x, np.minimum(k, 2047)),
        "Head 40 and all after it are not turned. Positions stop at 2 047: ",
    ),
}


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


def fresh(function):
    """Return a function that remembers nothing yet."""
    return function() if function.__name__ == "fresh" else function


@pytest.mark.parametrize("name", [*RIGHT, *BROKEN])
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
def test_what_is_named_gives_the_functions_numbers(name, rng):
    function, said = (RIGHT | BROKEN)[name]
    report = check_rope(fresh(function), 64)
    assert said in str(report)
    assert report.rotary == (name in RIGHT)
    ours, theirs = report.reproduce(), fresh(function)
    short = "bfloat16" in str(report) or "float16" in str(report)
    off = []
    for x, places in calls(rng):
        if name == "a table that ends" and places.max() > 499:
            continue
        expected = np.asarray(theirs(x.copy(), places), float)
        room = 0.05 if short else 0.01 if name == "float32" else 1e-4
        off += (np.abs(ours(x, places) - expected) > room).ravel().tolist()
    # An angle between two of 16 bits may go either way.
    assert np.mean(off) <= (1e-3 if "angles are rounded" in str(report) else 0)
    back = pickle.loads(pickle.dumps(report._replace(text="")))
    np.testing.assert_array_equal(back.reproduce()(x, [3] * 100), report.reproduce()(x, [3] * 100))
    assert repr(back).startswith("RopeReport(")


@pytest.mark.parametrize(
    ("omega", "width", "base", "said"),
    [
        (scaling.linear(64, factor=4), 64, 10_000, "all pairs 4 times slower"),
        (scaling.ntk_aware(64, factor=4), 64, 10_000 * 4 ** (64 / 62), "base 41829.4"),
        (scaling.llama3(128, **LLAMA_3), 128, 500_000, "slow pairs 8 times slower (Llama 3)"),
        (scaling.yarn(128, **YARN), 128, 10_000, "slow pairs 16 times slower (YaRN)"),
        (OMEGA * (np.arange(32) < 8), 64, 10_000, "the last 24 pairs still (p-RoPE)"),
        (OMEGA[:8], 64, 10, "base 10, the first 16 of 64 columns"),
        (frequencies(8, base=100.0), 64, 100, "halves, base 100, the first 8 of 64 columns"),
        (1e4 ** (-np.arange(32) / 31), 64, 1e4 ** (32 / 31), "tensor2tensor's spacing"),
    ],
)
def test_scaled_frequencies(omega, width, base, said):
    report = check_rope(listed(omega, "halves"), width)
    assert report.rotary, str(report)
    assert said in str(report)
    assert report.base == pytest.approx(base, rel=1e-5)
    turning = report.frequencies[: len(omega)]
    np.testing.assert_allclose(turning, omega[: len(turning)], rtol=1e-8, atol=1e-15)


def test_a_dynamic_list_in_bfloat16_is_read_off_long_texts():
    def function(x, k):
        about = {"sequence_length": max(k.max() + 1, 512), "max_position_embeddings": 512}
        omega = scaling.dynamic_ntk(16, factor=4, rope_theta=12_345, **about)
        return bfloat16(rope(x, k, frequencies=omega, layout="halves"))

    report = check_rope(function, 16)
    assert report.rotary, str(report)
    assert "(dynamic, factor 4)" in report.text


CAST = {"bfloat16": bfloat16, "float16": np.float16}


def cast(omega, of_list, short):
    """Return RoPE in halves with float32 angles and short results, its list rounded or not."""
    listed = of_list(omega).astype(np.float32)
    return lambda x, k: short(turn(np.float32(x), np.float32(k)[:, np.newaxis] * listed, "halves"))


@pytest.mark.parametrize("kind", CAST)
@pytest.mark.parametrize(
    ("base", "width", "scaled"), [(1e4, 64, False), (5e5, 128, True), (1e7, 256, False)]
)
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_results_in_sixteen_bits_are_right_and_a_list_is_named(kind, scaled, base, width):
    omega, short = frequencies(width, base=base), CAST[kind]
    omega = scaling.llama3(width, rope_theta=base, **LLAMA_3) if scaled else omega
    right, cut = (check_rope(cast(omega, of, short), width) for of in (np.asarray, short))
    assert right.rotary, str(right)
    if kind == "float16" and omega[-1] < 2**-24:  # held as 0 or as the least number there is
        assert not cut.rotary
        return
    for report in (right, cut):
        assert report.base == base, str(report)
        assert ("slow pairs 8 times slower (Llama 3)" in report.text) == scaled
    pair = int(np.abs(np.asarray(short(omega), float) - omega).argmax())
    said = f"Its frequencies were rounded to {kind}: pair {pair} is off by a radian from position"
    assert scaled or cut.problems[0].startswith(said)


def from_600(wrong):
    return lambda x, k: (wrong if k.max() >= 600 else rope)(x, k)


def too_long(*_):
    raise ValueError("too long")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (from_600(lambda x, _: x * np.nan), "From position 600 on: It returned what is no array"),
        (from_600(lambda x, _: x[0]), "From position 600 on: From shape (1, 3, 4, 64) it returned"),
        (from_600(too_long), "only to position 599, then raised ValueError: too long"),
        (lambda x, k: rope(x, np.where(k < 600, k, 7 + k / 3)), "at position 600, column"),
        (lambda x, k: x + k[:, np.newaxis], "column 0 of x reaches 64"),
        (lambda *_: {}["cos_cached"], "It raised KeyError: 'cos_cached'"),
        (lambda x, _: x, "It turns nothing, at positions [0, 7, 23]."),
        (lambda x, _: x[0], "From shape (1, 3, 24, 64) it returned shape (3, 24, 64)"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_failures_are_reported(function, said):
    report = check_rope(function, 64)
    assert report.rotary == ("only to position" in said)
    assert said in str(report)
    if report.program is None:
        with pytest.raises(ValueError, match="no program"):
            report.reproduce()


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, TimeoutError])
def test_the_callers_own_errors_pass_through(error):
    def function(x, k):
        if k.max() > 100:
            raise error
        return rope(x, k)

    with pytest.raises(error):
        check_rope(function, 64)


def test_verdict_states_its_ground():
    ground = check_rope(lambda x, k: rope(x, np.arange(101)[k]).astype(np.float32), 64).ground
    assert ": positions 0 to 23 and 4 more up to 100; the first tokens; " in ground
    assert "numbers are float32. Not looked at: positions beyond 100, more than 101 tok" in ground


def test_width_1024_takes_little_memory():
    tracemalloc.start()
    try:
        report = check_rope(rope, 1024)
        call = 4200 * 1024 * 8  # a prompt: x, what is passed, what returns, and on the way to it
        assert tracemalloc.get_traced_memory()[1] < 6 * call
    finally:
        tracemalloc.stop()
    assert report.rotary


def spoilt(rng, omega, layout):
    """Yield functions that are wrong in ways that no change of a program is."""
    limit, step = int(rng.integers(30, 50_000)), int(rng.integers(2, 200))
    near, pair = int(rng.integers(1, 4000)), int(rng.integers(len(omega)))
    slow = omega.copy()
    slow[pair] *= 0.7

    def right(x, k, omega=omega):
        return rope(x, k, frequencies=omega, layout=layout)

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
    yield from (far(lambda x, k: right(x, -k)), long(lambda x, k: right(x, -k)))
    yield lambda x, k: right(x, k) * np.where(k < 80_000, 1.0, 2.0)[..., np.newaxis]
    yield from (lambda x, k: -right(x, k), lambda x, k: right(x, 0 * k + 5))
    yield lambda x, k: right(x, k) * np.linspace(1, 2, 32)
    yield from (long(lambda x, k: 1.5 * right(x, k)), long(lambda x, k: right(x, k + 1)))
    yield from (every(1), every(2), remembered)
    tile = some(2, 40, right)
    yield lambda x, k: x if k.max() >= 3000 else tile(x, k)  # the length hides the tile
    yield lambda x, k: right(x, np.where(k == near, near + 1, k))
    yield lambda x, k: right(x, k // 2 * 2)
    yield lambda x, k: right(x, np.where(k < near, k, near + (k - near) // 4))
    yield lambda x, k: right(x, k) + 0.02 * x**3
    yield lambda x, k: np.clip(right(x, k), -5, 5)  # only large queries show it
    yield lambda x, k: right(x, k, slow if k.size > near // 2 + 64 else omega)
    yield long(lambda x, k: right(x, k, omega * (np.arange(len(omega)) < 8)))
    yield lambda x, k: right(x, k)[:, ::-1]
    yield lambda x, k: right(x, 3 * np.log1p(k))
    yield lambda x, k: right(x, k - k % 16)
    yield lambda x, k: right(x, k) + 0.1 * np.roll(x, 1, axis=2)


@pytest.mark.parametrize("short", [np.float64, np.float32, np.float16, bfloat16])
def test_what_has_no_name_is_neither_right_nor_named(short, rng):
    layout = rng.choice(["interleaved", "halves"])
    omega = frequencies(32, base=float(rng.choice([1e3, 1e4, 5e5])))
    for function in spoilt(rng, omega, layout):
        report = check_rope(lambda x, k, f=function: short(f(x, k)), 32)
        assert not report.rotary, str(report)
        assert report.program is None
        assert re.match("No cause known|It is not deterministic|Columns do not", str(report))
