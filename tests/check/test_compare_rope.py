"""Where two rotary functions part: the first position, the columns, and how."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotate, scaling
from posenc_check import assert_rope, compare_rope
from tests.check.test_rope import listed, some


def switching(x, positions):
    omega = frequencies(64) / (1 if positions.max() < 4096 else 4)
    return rope(x, positions, frequencies=omega)


# Functions that differ from RoPE: the first position, and the last finding of `check_rope` on them.
OTHERS = {
    "base": (lambda x, k: rope(x, k, base=5e5), 1, "rope"),
    "counts from 1": (lambda x, k: rope(x, k + 1), 0, "position_offset"),
    "pairing": (lambda x, k: rope(x, k, layout="halves"), 1, "rope"),
    "list switch": (switching, 4096, "other_list_in_long_texts"),
    "table of 700 rows": (lambda x, k: rope(x, np.minimum(k, 699)), 700, "positions_end"),
    "a column": (lambda x, k: rope(x, k) * (1 + (np.arange(64) == 3)), 0, "unexplained"),
    "heads that are not turned": (some(1, 40), 1, "heads_differ"),
    "a forgotten cache": (lambda x, k: rope(x, k * (x.shape[2] > 1)), 1, "alone_at_zero"),
    "a rule near, another far": (lambda x, k: rope(x, np.where(k > 5, -k, k)), 6, "unexplained"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_first_position_is_named_and_what_the_two_are(name):
    other, position, kind = OTHERS[name]
    found = compare_rope(rope, other, 64)
    assert not found.same
    assert found.position == position
    one, second = found.reports
    assert (one.layout, one.base, one.rotary) == ("interleaved", 1e4, True)
    assert kind in {each.kind for each in (*second.findings, *second.remarks)}
    assert "check_rope says of the first: RoPE: interleaved, base 10 000, all 64" in str(found)


def test_the_position_is_the_same_the_other_way_round():
    other, position, _ = OTHERS["table of 700 rows"]
    assert compare_rope(other, rope, 64).position == position


def test_the_numbers_of_the_column_that_differs_most_are_given():
    found = compare_rope(rope, lambda x, k: rope(x, k) * (1 + (np.arange(64) == 3)), 64)
    differ = found.findings[0]
    assert (differ.kind, differ.one, differ.column) == ("differ_for_unit", 3, 3)
    assert differ.numbers == (1.0, 2.0)
    assert "a single token that is 1 in column 3 and 0 elsewhere, column 3 is 1 with" in found.text


def test_the_columns_are_those_of_the_pair_that_differs():
    changed = frequencies(64)
    changed[5] *= 1.5
    for layout, columns in (("interleaved", (10, 11)), ("halves", (5, 37))):
        both = (listed(omega, layout) for omega in (frequencies(64), changed))
        assert compare_rope(*both, 64).columns == columns


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
    assert found.differences[-1][0] == 131_073
    assert (found.findings[0].kind, found.findings[0].last) == ("same", 131_073)


def test_frequencies_in_16_bits_are_good_near_and_bad_far():
    found = compare_rope(rope, listed(frequencies(64).astype(np.float16).astype(float)), 64)
    assert 1 < found.position < 128
    assert dict(found.differences)[1] < 1e-3


def test_the_first_position_is_found_between_the_places_that_are_looked_at_alone():
    omega = frequencies(64).astype(np.float16).astype(float)
    exact, other = (np.outer(range(200), each) for each in (frequencies(64), omega))
    apart = np.maximum(abs(np.cos(exact) - np.cos(other)), abs(np.sin(exact) - np.sin(other)))
    first = np.flatnonzero(apart.max(axis=1) > 0.02)[0]
    assert compare_rope(rope, listed(omega), 64, tolerance=0.02).position == first


def test_functions_that_end_are_compared_as_far_as_they_go():
    found = compare_rope(*[lambda x, k: rope(x, np.arange(2048)[k])] * 2, 64)
    assert found.same
    assert found.differences[-1][0] == 2047
    end = found.findings[1]
    assert (end.kind, end.position, end.problem.error) == ("both_end", 2048, "IndexError")


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (lambda x, _: x[0], "returned_other_shape"),
        (lambda *_: None, "returned_no_numbers"),
        (lambda *_: {}["cos"], "raised"),
    ],
)
def test_what_is_no_x_turned_is_said(other, kind):
    found = compare_rope(rope, other, 8)
    assert (found.same, found.position) == (False, 0)
    (gives_none,) = found.findings
    assert (gives_none.kind, gives_none.role) == ("one_gives_none", "second")
    assert gives_none.problem.kind == kind


@pytest.mark.parametrize(
    ("other", "position", "use", "place"),
    [
        (some(2, 64), 64, "call_length", {"token": 64, "text": 0}),
        (lambda x, k: rope(x, k).reshape(1, *x.shape[1:]), 0, "call_batch", {"role": "second"}),
        (some(0, 2), 1, "call_batch", {"text": 2}),
        (lambda x, k: rope(x, np.sort(k)), 0, "call_order", {}),
    ],
)
def test_what_only_another_use_shows_is_said_with_its_place(other, position, use, place):
    differ = compare_rope(rope, other, 16).findings[0]
    assert (differ.position, differ.call.kind) == (position, use)
    assert vars(differ) | place == vars(differ)


def test_a_table_that_ends_is_asserted_as_far_as_it_must_go():
    def ends(x, k):
        return rope(x, np.arange(700)[k])

    assert_rope(ends, 64, expect={"rope_theta": 1e4}, length=700)
    with pytest.raises(AssertionError, match="at position 700, in one token alone") as caught:
        assert_rope(ends, 64, expect={"rope_theta": 1e4}, length=701)
    (comparison,) = caught.value.args
    assert comparison.position == 700


def test_what_check_rope_says_of_each_ends_before_what_it_looked_at():
    # Of a function that turns nothing there is no more to say than that.
    result = compare_rope(rope, lambda x, _positions: x, 64)
    of_each = {each.role: each.findings for each in result.findings if each.kind == "report_of"}
    assert [each.kind for each in of_each["first"]] == ["rope"]
    assert [each.kind for each in of_each["second"]] == ["nothing_turned"]


def test_a_difference_that_cancels_in_equal_numbers_is_found():
    def wrong(x, positions):
        result = rope(x, positions).copy()
        there = (positions >= 600) & (positions < 700)
        result[..., 0] += np.where(there, 2e-3 * (x[..., 2] - x[..., 4]), 0.0)
        return result

    def right(x, positions):
        return rope(x, positions)

    comparison = compare_rope(right, wrong, 32)
    assert (comparison.position, comparison.columns) == (600, (0, 2))
