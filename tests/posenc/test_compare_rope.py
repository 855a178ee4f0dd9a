"""Where two rotary functions part: the first position, the columns, and how."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotate, scaling
from posenc.diagnose import compare_rope

LAST = 131_073


def halves(x, positions):
    return rope(x, positions, layout="halves")


def switching(x, positions):
    omega = frequencies(64) / (1 if positions.max() < 4096 else 4)
    return rope(x, positions, frequencies=omega)


def forgets_the_cache(x, positions):
    return rope(x, np.arange(positions.size) + (positions[0] if positions.size > 1 else 0))


OTHERS = {
    "base": (lambda x, k: rope(x, k, base=5e5), 1, "the same pairs, other angles"),
    "counts from 1": (lambda x, k: rope(x, k + 1), 0, "the same pairs, other angles"),
    "pairing": (halves, 1, "the first turns neighbours, the second halves"),
    "sign": (lambda x, k: rope(x, -k), 1, "turns the other way round"),
    "factor": (lambda x, k: 1.25 * rope(x, k), 0, "the second is 1.25 times the first"),
    "table of 2048 rows": (
        lambda x, k: rope(x, np.minimum(k, 2047)),
        2048,
        "the same pairs, other angles",
    ),
    "list switch": (switching, 4096, "what they do depends on the length"),
    "table of 700 rows": (
        lambda x, k: rope(x, np.minimum(k, 699)),
        700,
        "the same pairs, other angles",
    ),
    "no positions": (lambda x, _: x, 1, "the second does not turn at all"),
    "half of the head": (
        lambda x, k: rope(x, k, frequencies=frequencies(32)),
        1,
        "the same pairs, other angles",
    ),
    "the end of the head alone": (
        lambda x, k: np.concatenate([x[..., :32], rope(x[..., 32:], k)], axis=-1),
        1,
        "the second makes 0 in column 0 of a 1 in column 1, the first -0.841.",
    ),
    "row 0 of zeros": (
        lambda x, k: rope(x, k) * (k > 0)[:, None],
        0,
        "the second gives zeros alone",
    ),
    "a column twice as large": (
        lambda x, k: rope(x, k) * (1 + (np.arange(64) == 3)),
        0,
        "the second makes 2 in column 3 of a 1 in column 3, the first 1.",
    ),
    "2048 rows, then an error": (
        lambda x, k: rope(x, np.arange(2048)[k]),
        2048,
        "the second ends there. It raised IndexError: index 2048",
    ),
    "no number": (
        lambda x, k: np.where(k[:, None] < 128, rope(x, k), np.nan),
        128,
        "from nan to nan",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_first_position_is_named_and_how_the_two_differ(name):
    other, position, how = OTHERS[name]
    found = compare_rope(rope, other, 64)
    assert not found.same
    assert found.position == position
    assert how in found.text
    assert f"at position {position}" in str(found)
    assert not found.alone
    back = compare_rope(other, rope, 64)
    assert (back.same, back.position) == (False, position)


def test_the_columns_are_those_of_the_pair_that_differs():
    changed = frequencies(64)
    changed[5] *= 1.5
    for layout, columns in (("interleaved", (10, 11)), ("halves", (5, 37))):
        one, other = (
            lambda x, k, how=how: rope(x, k, **how)
            for how in ({"layout": layout}, {"layout": layout, "frequencies": changed})
        )
        assert compare_rope(one, other, 64).columns == columns


def test_a_forgotten_cache_shows_one_token_at_a_time():
    found = compare_rope(rope, forgets_the_cache, 64)
    assert found.alone
    assert found.position == 1
    assert found.text.startswith("Together they agree; one token at a time they part at position 1")


@pytest.mark.parametrize(
    "other",
    [
        lambda x, k: rope(x.astype(np.float32), k),
        lambda x, k: rotate(x, (np.float32(k[:, None]) * np.float32(frequencies(64)))),
        lambda x, k: rope(x, k, frequencies=scaling.linear(64, factor=1)).tolist(),
    ],
)
def test_float32_is_no_difference(other):
    found = compare_rope(rope, other, 64)
    assert found.same
    assert found.position is found.columns is None
    assert found.differences[-1][0] == LAST
    assert f"up to {LAST}" in found.text


def test_frequencies_in_16_bits_are_good_near_and_bad_far():
    short = frequencies(64).astype(np.float16).astype(float)
    found = compare_rope(rope, lambda x, k: rope(x, k, frequencies=short), 64)
    assert 1 < found.position < 128
    assert dict(found.differences)[1] < 1e-3


def short_table(x, positions):
    return rope(x, np.arange(2048)[positions])


def test_functions_that_end_are_compared_as_far_as_they_go():
    found = compare_rope(short_table, short_table, 64)
    assert found.same
    assert found.differences[-1][0] == 2047
    assert "Both end at position 2048. It raised IndexError: index 2048" in found.text


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (lambda x, _: x[0], "shape (1, 8, 1, 8) it returned shape (8, 1, 8)."),
        (lambda *_: None, "It returned what is no array of finite real numbers: None."),
        (lambda *_: {}["cos"], "It raised KeyError: 'cos'."),
    ],
)
def test_what_is_no_x_turned_is_said(other, said):
    found = compare_rope(rope, other, 8)
    assert (found.same, found.position) == (False, 0)
    assert found.text.startswith("They part at position 0: the second ends there.")
    assert found.text.endswith(said)


def test_no_position_is_asked_beyond_the_last():
    def function(x, positions):
        assert positions.max() <= 500
        return rope(x, positions)

    assert compare_rope(function, function, 64, last=500).differences[-1][0] == 500


def refuses_a_batch(x, positions):
    if len(x) > 1:
        raise ValueError("one text at a time")
    return rope(x, positions)


def still_from(axis, count):
    def function(x, positions):
        turned = rope(x, positions)
        rest = (*[slice(None)] * axis, slice(count, None))
        turned[rest] = x[rest]
        return turned

    return function


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            still_from(2, 64),
            "in a prompt of 4 200 tokens: at token 64 (position 64), text 0, head 0",
        ),
        (refuses_a_batch, "in a batch of three: of the second, It raised ValueError: one text"),
        (still_from(0, 2), "in a batch of three: at token 1 (position 1), text 2, head 0"),
        (
            lambda x, k: rope(x, np.sort(k)),
            "in positions in another order: at token 0 (position 7)",
        ),
    ],
)
def test_what_only_another_use_shows_is_said_with_its_place(other, said):
    found = compare_rope(rope, other, 16)
    assert not found.same
    assert said in found.text


def test_a_rule_is_named_only_if_it_holds_at_other_positions_too():
    found = compare_rope(rope, lambda x, k: rope(x, np.where(k > 5, -k, k)), 64)
    assert found.position == 6
    assert "turns the other way round" not in found.text


@pytest.mark.parametrize("width", [64, 128])
def test_heads_that_are_not_turned_are_no_columns(width):
    found = compare_rope(rope, still_from(1, 40), width)
    assert "in head 40 of" in found.text
    assert "the second does not do the same to all heads." in found.text
    assert found.columns is None
