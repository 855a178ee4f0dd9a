"""A function of PyTorch's tensors is taken as it is, where PyTorch is there."""

import pytest

from posenc import rope
from posenc_check import assert_rope, check_rope, compare_rope

torch = pytest.importorskip("torch")


def rotate_half(x):
    low, high = x.chunk(2, dim=-1)
    return torch.cat((-high, low), dim=-1)


def rotary(x, positions, offset=0):
    """Return RoPE as most models have it: it takes nothing but tensors."""
    assert isinstance(x, torch.Tensor)
    omega = 1.0 / 10_000 ** (torch.arange(0, 64, 2, dtype=torch.float32) / 64)
    angles = (positions + offset)[..., None].float() * omega
    angles = torch.cat((angles, angles), dim=-1)
    return x * angles.cos() + rotate_half(x) * angles.sin()


def in_bfloat16(x, positions):
    """Return the same as a layer in bfloat16 does."""
    return rotary(x.bfloat16(), positions).bfloat16()


def single(x, positions):
    """Return the same with weights in float32, which refuse x in float64."""
    return rotary(torch.nn.functional.linear(x, torch.eye(64)), positions)


@pytest.mark.parametrize("function", [rotary, in_bfloat16, single])
def test_a_torch_function_is_read(function):
    report = check_rope(function, 64)
    assert report.problems == ()
    assert (report.layout, report.base, report.width) == ("halves", 1e4, 64)


def test_a_bug_of_a_torch_function_is_named():
    report = check_rope(lambda x, k: rotary(x, k, offset=1), 64)
    assert [(fault.kind, fault.steps) for fault in report.faults] == [("position_offset", 1)]


def test_a_torch_function_is_asserted_and_compared():
    assert_rope(rotary, 64, expect={"rope_theta": 1e4}, length=8192)
    assert_rope(in_bfloat16, 64, expect={"rope_theta": 1e4}, tolerance=0.02)
    with pytest.raises(AssertionError, match="first differ at position 1"):
        assert_rope(rotary, 64, expect={"rope_theta": 5e5})
    assert compare_rope(rotary, lambda x, k: rope(x, k, layout="halves"), 64).same
