"""What a function does to queries and keys: settings are read back, and each bug has its name."""

import pickle
import tracemalloc

import numpy as np
import pytest

from posenc import frequencies, rope, rotate, scaling
from posenc_check import check_rope, words
from posenc_check.findings import Finding
from posenc_check.probe import Call
from posenc_check.programs import CHANGES
from tests.by_formula import rounded_to_bfloat16 as bfloat16
from tests.by_formula import turn
from tests.field import test_functions as field

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


def as_float32(x, k):
    angles = np.float32(k)[..., np.newaxis] * np.float32(OMEGA)
    return rotate(x.astype(np.float32), angles)


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


HALVES, NEIGHBOURS = {"layout": "halves"}, {"layout": "interleaved"}
PLAIN = {"base": 1e4, "begin": 0, "width": 64, "factor": 1.0, "rules": (), "parts": 1}
FIRST_16 = {"base": 1e4, "begin": 0, "width": 16}
# Functions that are right: what their setting says, and the kinds of the remarks.
RIGHT = {
    "plain": (rope, NEIGHBOURS | PLAIN, []),
    "complex numbers": (as_complex, NEIGHBOURS | PLAIN, []),
    "a buffer": (reused, NEIGHBOURS | PLAIN, []),
    "other bytes": (lambda x, k: rope(x, k).astype(">f2"), NEIGHBOURS | PLAIN, []),
    "a factor": (lambda x, k: 1.2772589 * rope(x, k), {"factor": 1.2772589, "width": 64}, []),
    "DeepSeek": (deepseek, NEIGHBOURS | PLAIN, ["neighbours_to_halves"]),
    "float32": (as_float32, NEIGHBOURS | PLAIN, []),
    "one pair": (listed([1.0]), {"base": 0.0, "frequency": 1.0, "width": 2}, []),
    "the last": (part(48, "interleaved"), NEIGHBOURS | FIRST_16 | {"begin": 48}, []),
    "the middle": (part(16, "halves"), HALVES | FIRST_16 | {"begin": 16}, []),
    "dynamic": (kept(False), {"base": 1e4}, ["dynamic"]),
    "Transformers": (kept(True), {"base": 1e4}, ["dynamic_kept"]),
    "other frequencies": (listed(1 / np.arange(1, 33)), {"base": None, "width": 64}, []),
    "two coordinates": (
        listed(np.tile(frequencies(32), 2)),
        *({"base": 1e4, "rules": (Finding("two_coordinates"),)}, []),
    ),
    "p-RoPE of neighbours": (
        listed(OMEGA * (np.arange(32) < 8)),
        *({"base": 1e4, "rules": (Finding("still_pairs", count=24),)}, []),
    ),
    "a table that ends": (lambda x, k: rope(x, np.arange(500)[k]), PLAIN, ["ends"]),
}
# Functions with a bug, and what must be found.
BROKEN = {
    "mixed layouts": (port(rotate_every_two), "columns_of_other_layout", {}),
    "mixed the other way": (port(doubled=False), "columns_of_other_layout", {}),
    "other sign": (port(sign=-1), "turned_backwards", {}),
    "in place": (overwritten, "in_place", {}),
    "from -49": (
        lambda x, k: rope(x, k - 49).astype(np.float32),
        *("position_offset", {"steps": -49}),
    ),
    "first position": (
        lambda x, k: rope(x, k[..., :1] + np.arange(x.shape[2])),
        *("first_position_only", {}),
    ),
    "cache off by one": (lambda x, k: rope(x, k + (x.shape[2] == 1)), "alone_one_ahead", {}),
    "cache forgotten": (lambda x, k: rope(x, k * (x.shape[2] > 1)), "alone_at_zero", {}),
    "applied twice": (lambda x, k: rope(rope(x, k), k), "turned_twice", {}),
    "degrees": (lambda x, k: rope(x, k * np.pi / 180), "degrees_as_radians", {}),
    "pairs from 1": (listed(1e4 ** (-np.arange(1, 33) / 32)), "pairs_counted_from_1", {}),
    "angles in half": (angles_in(np.float16), "angles_rounded", {"dtype": "float16"}),
    "in bfloat16": (
        positions_in(bfloat16, np.float32),
        *("positions_rounded", {"dtype": "bfloat16"}),
    ),
    "11 rows": (lambda x, k: rope(x, np.minimum(k, 10)), "positions_end", {"position": 11}),
    "row 0 of zeros": (
        lambda x, k: rope(x, k) * (k > 0)[..., np.newaxis],
        "zeros_at_position_0",
        {},
    ),
    "a table in bfloat16 that ends": (
        lambda x, k: port(table=bfloat16)(x, np.minimum(k, 4095)),
        *("positions_end", {"position": 4096}),
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


def program_of(report):
    """Return a function of x and positions that turns as the program of a report does."""
    before = []  # positions of earlier calls, for a cause that remembers them

    def function(x, positions):
        call = Call.of(Finding("call_own"), np.asarray(x, float), positions, tuple(before))
        before.append(call.positions)
        return report.program.turned(call)

    return function


def fresh(function):
    """Return a function that remembers nothing yet."""
    return function() if function.__name__ == "fresh" else function


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
def test_the_settings_of_a_right_function_are_read(name, rng):
    function, settings, remarks = RIGHT[name]
    report = check_rope(fresh(function), 64)
    assert not report.faults, str(report)
    assert [each.kind for each in report.remarks] == remarks
    for key, value in settings.items():
        assert getattr(report.setting, key) == pytest.approx(value), key
    assert_gives_the_numbers(report, name, function, rng)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
def test_a_bug_is_named_with_its_values(name, rng):
    function, kind, values = BROKEN[name]
    report = check_rope(fresh(function), 64)
    assert not report.rotary
    (fault,) = (each for each in report.faults if each.kind == kind)
    assert vars(fault) | values == vars(fault)
    assert_gives_the_numbers(report, name, function, rng)


def assert_gives_the_numbers(report, name, function, rng):
    """Check a program on calls that no verdict was made of."""
    ours, theirs, off = program_of(report), fresh(function), []
    kinds = {each.kind for each in (*report.faults, *report.remarks)}
    short = any(kind.endswith(("rounded", "bits")) for kind in kinds) or "other bytes" in name
    for x, places in calls(rng):
        if name == "a table that ends" and places.max() > 499:
            continue
        expected = np.asarray(theirs(x.copy(), places), float)
        room = 0.05 if short else 0.01 if name == "float32" else 1e-4
        off += (np.abs(ours(x, places) - expected) > room).ravel().tolist()
    # An angle between two of 16 bits may be rounded to either.
    assert np.mean(off) <= (1e-3 if "angles_rounded" in kinds else 0)
    back = pickle.loads(pickle.dumps(report))
    np.testing.assert_array_equal(program_of(back)(x, [3] * 100), program_of(report)(x, [3] * 100))
    assert repr(back).startswith("RopeReport(")
    assert str(back) == str(report)


def test_every_cause_has_a_sentence_and_a_test():
    named = {kind for _, kind, _ in BROKEN.values()}
    named |= {kind for *_, kinds in RIGHT.values() for kind in kinds}
    named |= {kind for kinds in field.CAUSES.values() for kind in kinds}
    named |= {kind for _, _, kinds, _ in field.RIGHT.values() for kind in kinds}
    named |= {"list_rounded"}  # test_results_in_sixteen_bits_are_right_and_a_list_is_named
    assert set(CHANGES) - named == set()
    assert set(CHANGES) - set(words.SENTENCES) == set()


@pytest.mark.parametrize(
    ("omega", "width", "base", "said"),
    [
        (scaling.linear(64, factor=4), 64, 10_000, "all pairs 4 times slower"),
        (scaling.ntk_aware(64, factor=4), 64, 10_000 * 4 ** (64 / 62), "base 41829.4"),
        (
            scaling.llama3(128, **LLAMA_3),
            128,
            500_000,
            "slow pairs 8 times slower (Llama 3, trained with 8 192 tokens)",
        ),
        (
            scaling.yarn(128, **YARN),
            128,
            10_000,
            "slow pairs 16 times slower (YaRN, trained with 4 096 tokens)",
        ),
        (OMEGA * (np.arange(32) < 8), 64, 10_000, "the last 24 pairs still (p-RoPE"),
        (frequencies(8, base=100.0), 64, 100, "halves, base 100, the first 8 of 64 columns"),
    ],
)
def test_scaled_frequencies(omega, width, base, said):
    report = check_rope(listed(omega, "halves"), width)
    assert report.rotary, str(report)
    assert said in str(report)
    assert report.base == pytest.approx(base, rel=1e-5)
    turning = report.frequencies[: len(omega)]
    np.testing.assert_allclose(turning, omega[: len(turning)], rtol=1e-8, atol=1e-15)


@pytest.mark.parametrize("omega", [[1.0, 0.37], [0.5, 0.5 / 37, 0.5 / 37**2]])
def test_as_many_frequencies_as_a_rule_has_numbers_have_no_base(omega):
    report = check_rope(listed(np.array(omega), "halves"), 2 * len(omega))
    assert (report.rotary, report.base) == (True, None), str(report)


CAST = {"bfloat16": bfloat16, "float16": np.float16}


def cast(omega, of_list, short):
    """Return RoPE in halves with float32 angles and short results, its list rounded or not."""
    listed = of_list(omega).astype(np.float32)
    return lambda x, k: short(turn(np.float32(x), np.float32(k)[:, np.newaxis] * listed, "halves"))


@pytest.mark.parametrize(
    ("kind", "base", "width", "scaled"),
    [("bfloat16", 5e5, 128, True), ("float16", 1e4, 64, False)],
)
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_results_in_sixteen_bits_are_right_and_a_list_is_named(kind, scaled, base, width):
    omega, short = frequencies(width, base=base), CAST[kind]
    omega = scaling.llama3(width, rope_theta=base, **LLAMA_3) if scaled else omega
    right, cut = (check_rope(cast(omega, of, short), width) for of in (np.asarray, short))
    assert right.rotary, str(right)
    for report in (right, cut):
        assert report.base == base, str(report)
        assert (
            "slow pairs 8 times slower (Llama 3, trained with 8 192 tokens)" in report.text
        ) == scaled
    pair = int(np.abs(np.asarray(short(omega), float) - omega).argmax())
    (fault,) = (each for each in cut.faults if scaled or each.kind == "list_rounded")
    assert scaled or (fault.dtype, fault.pair) == (kind, pair)


def from_600(wrong):
    return lambda x, k: (wrong if k.max() >= 600 else rope)(x, k)


def too_long(*_):
    raise ValueError("too long")


def with_a_hole(x, k):
    if (k == 5119).any():  # where a limit is looked for
        raise ValueError("a hole")
    return rope(x, np.where(k < 5000, k, k + 1))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (with_a_hole, "at position 5 000, column"),
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


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, TimeoutError])
def test_the_callers_own_errors_pass_through(error):
    def function(x, k):
        if k.max() > 100:
            raise error
        return rope(x, k)

    with pytest.raises(error):
        check_rope(function, 64)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, TimeoutError])
def test_the_callers_own_errors_pass_through_where_a_result_is_read(error):
    class Result:
        def __array__(self, *_args, **_kinds):
            raise error

    with pytest.raises(error):
        check_rope(lambda x, k: Result() if k.max() > 100 else rope(x, k), 64)


def test_two_pairs_far_apart_are_no_layout():
    def function(x, k):
        turned = x.copy()
        for begin in (0, 40):
            both = slice(begin, begin + 2)
            turned[..., both] = rope(x[..., both], k, frequencies=[1 / (1 + begin)])
        return turned

    report = check_rope(function, 64)
    assert report.layout is None
    assert not report.rotary


@pytest.mark.parametrize(
    ("width", "first", "second"),
    [(8, [0, 1], [6, 7]), (8, [0], [7]), (8, [0, 1, 4], [2, 3, 6])],
)
def test_halves_are_whole_blocks(width, first, second):
    def function(x, k):
        turned = x.copy()
        columns = first + second
        turned[..., columns] = rope(x[..., columns], k, layout="halves")
        return turned

    report = check_rope(function, width)
    assert [fault.kind for fault in report.faults] == ["unknown_layout"]
    assert f"no known layout, {'base 10 000' if first[1:] else '1 radian per token'}" in report.text
    assert report.text.endswith(f", {2 * len(first)} of {width} columns.")


def test_a_report_says_what_was_called():
    report = check_rope(lambda x, k: rope(x, np.arange(101)[k]).astype(np.float32), 64)
    ground = report.ground
    assert (ground.near, ground.far, ground.last) == (24, 4, 100)
    assert (ground.kind_of_numbers, ground.longest, ground.own) == ("float32", 101, True)
    assert ": positions 0 to 23 and 4 more up to 100; the first tokens; " in str(report)
    assert ground.hidden == pytest.approx(6e-7, rel=0.01)
    assert ground.angle == pytest.approx(3 * 100 * 2.0**-24)
    said = (
        "less than 6e-07 of the length of a pair does not show, nor does an angle that is off by "
        "what float32 costs it, up to 2e-05 radian at the last position. Not looked at: positions "
        "beyond 100"
    )
    assert said in str(report)
    uses = [words.sentence(use) for use in ground.uses]
    assert uses
    assert len(uses) == len(set(uses))


def test_width_256_takes_little_memory():
    tracemalloc.start()
    try:
        report = check_rope(rope, 256)
        call = 4200 * 256 * 8  # a prompt: x, what is passed, what returns, and on the way to it
        assert tracemalloc.get_traced_memory()[1] < 8.5 * call
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

    yield far(lambda x, k: right(x, k + 1))
    yield from (far(lambda x, k: right(x, -k)), long(lambda x, k: right(x, -k)))
    yield from (lambda x, k: -right(x, k), lambda x, k: right(x, 0 * k + 5))
    yield lambda x, k: right(x, k) * np.linspace(1, 2, 32)
    yield from (long(lambda x, k: 1.5 * right(x, k)), long(lambda x, k: right(x, k + 1)))
    yield from (every(1), every(2))
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


STORED = [np.float64, np.float32, np.float16, bfloat16]


@pytest.mark.parametrize("number", range(len(STORED)))
def test_what_has_no_name_is_neither_right_nor_named(number, rng):
    short, layout = STORED[number], ["interleaved", "halves"][number % 2]
    omega = frequencies(32, base=float(rng.choice([1e3, 1e4, 5e5])))
    # Each function in one type: what none of the programs gives shows in any.
    for function in list(spoilt(rng, omega, layout))[number :: len(STORED)]:
        report = check_rope(lambda x, k, f=function: short(f(x, k)), 32)
        assert not report.rotary, str(report)
        assert report.program is None
        assert report.faults[0].kind in (
            "unexplained",
            "heads_differ",
            "not_deterministic",
            "no_pairs",
        )
