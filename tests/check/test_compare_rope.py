"""Where two rotary functions part: the first position, the columns, and how."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotate, scaling
from posenc_check import compare_rope
from tests.check.test_rope import listed, some


def switching(x, positions):
    omega = frequencies(64) / (1 if positions.max() < 4096 else 4)
    return rope(x, positions, frequencies=omega)


OTHERS = {
    "base": (lambda x, k: rope(x, k, base=5e5), 1, "base 500 000"),
    "counts from 1": (lambda x, k: rope(x, k + 1), 0, "Position k is turned as position k + 1."),
    "pairing": (lambda x, k: rope(x, k, layout="halves"), 1, "RoPE: halves"),
    "list switch": (switching, 4096, "other frequencies in texts of 4 097 tokens or more"),
    "table of 700 rows": (lambda x, k: rope(x, np.minimum(k, 699)), 700, "Positions stop at 699"),
    "a column": (
        lambda x, k: rope(x, k) * (1 + (np.arange(64) == 3)),
        *(0, "a 1 in column 3: column 3 is 1 with the first, 2 with the second."),
    ),
    "heads that are not turned": (some(1, 40), 1, "Head 40 and all after it are not turned."),
    "a forgotten cache": (lambda x, k: rope(x, k * (k.size > 1)), 1, "turned as position 0."),
    "a rule near, another far": (
        lambda x, k: rope(x, np.where(k > 5, -k, k)),
        *(6, "second: No cause known here gives its numbers."),
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_first_position_is_named_and_what_the_two_are(name):
    other, position, said = OTHERS[name]
    found = compare_rope(rope, other, 64)
    assert not found.same
    assert found.position == position
    assert said in found.text
    assert "check_rope says of the first: RoPE: interleaved, base 10 000, all 64" in found.text
    back = compare_rope(other, rope, 64)
    assert (back.same, back.position) == (False, position)


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
    assert "up to 131073" in found.text


def test_frequencies_in_16_bits_are_good_near_and_bad_far():
    found = compare_rope(rope, listed(frequencies(64).astype(np.float16).astype(float)), 64)
    assert 1 < found.position < 128
    assert dict(found.differences)[1] < 1e-3


def test_functions_that_end_are_compared_as_far_as_they_go():
    found = compare_rope(*[lambda x, k: rope(x, np.arange(2048)[k])] * 2, 64)
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
    assert found.text.startswith("They part at position 0, in one token alone: the second gives no")
    assert found.text.endswith(said)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (some(2, 64), "at position 64, in a prompt of 4 200 tokens, token 64, text 0, head 0: col"),
        (
            lambda x, k: rope(x, k).reshape(1, *x.shape[1:]),
            "in a batch of three: the second gives no numbers. It raised ValueError: cannot",
        ),
        (some(0, 2), "at position 1, in a batch of three, token 1, text 2"),
        (lambda x, k: rope(x, np.sort(k)), "at position 7, in positions in another order, token 0"),
    ],
)
def test_what_only_another_use_shows_is_said_with_its_place(other, said):
    found = compare_rope(rope, other, 16)
    assert not found.same
    assert said in found.text
