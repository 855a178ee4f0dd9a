"""The door for arguments: what passes through it, how fast, and how much room is asked for."""

from fractions import Fraction

import numpy as np
import pytest

from posenc import (
    _checks,
    alibi_bias,
    attention,
    binary_code,
    decode_positions,
    rope,
    shift_matrix,
    sinusoidal,
)


@pytest.mark.parametrize(
    "positions",
    [
        range(0, 2_000, 2),
        range(50, -50, -3),
        range(-(2**51), -(2**51) + 100, 7),
        range(2**53 - 100, 2**53, 11),
        range(5, 5, 2),
        [1, 2.5, -3],
        (2**53, 2**54, 0.5),
        [2.0**60, 1e-300],
        [[1, 2], [3, 4.5]],
        ([1, 2], (3, 4)),
        [[], []],
        list(np.arange(4)),
        list(np.array([0.5, 1.5], np.float16)),
    ],
    ids=str,
)
def test_lists_and_ranges_are_the_numbers_in_them(positions):
    read = _checks.real_array(positions, "positions")
    exact = np.array(positions, dtype=object)
    assert read.shape == exact.shape
    assert read.dtype == np.float64
    assert [Fraction(x) for x in read.ravel().tolist()] == [
        Fraction(x.item() if hasattr(x, "item") else x) for x in exact.ravel()
    ]


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ([-(2**53) - 1], "-9007199254740993"),
        ([2**63, 2**63 + 1], "9223372036854775809"),
        (range(2**53 - 3, 2**53 + 9, 2), "9007199254740993"),
        ([1, float("nan")], "nan"),
        ([[1, 2], [3]], r"\[3\]"),
    ],
)
def test_lists_and_ranges_are_not_rounded(positions, said):
    with pytest.raises(ValueError, match=f"^positions must be .*{said}"):
        sinusoidal(positions, 8)


# Byte order


def test_a_tensor_of_torch_is_read_whatever_it_is_trained_for():
    torch = pytest.importorskip("torch")
    rows = torch.tensor([[1.0, 2.0, 3.0, 4.0]] * 3, dtype=torch.bfloat16)
    expected = rope(rows.float().numpy(), 3)
    np.testing.assert_array_equal(rope(rows, torch.arange(3)), expected)
    trained = torch.tensor(sinusoidal([7.0, 40.0], 64), requires_grad=True)
    np.testing.assert_allclose(decode_positions(trained), [7, 40], atol=1e-10)
    np.testing.assert_allclose(decode_positions(trained.bfloat16()), [7, 40], atol=0.1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: shift_matrix(1, 1_000),
        lambda: binary_code(np.zeros(100_000), 2),
        lambda: alibi_bias(4, 500, 500),
        lambda: attention(*[np.ones((500, 1))] * 3),
        lambda: attention(*[np.ones((300, 1))] * 3, bias=np.zeros((2, 1, 1))),
    ],
    ids=["shift", "binary", "alibi", "attention", "bias"],
)
def test_what_does_not_fit_is_refused_before_it_is_made(monkeypatch, call):
    monkeypatch.setattr(_checks, "MEMORY", 1_000_000)
    with pytest.raises(ValueError, match=r"must fit in the memory of this machine.*got shape \("):
        call()
