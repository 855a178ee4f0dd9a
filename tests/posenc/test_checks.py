"""The door for arguments: what passes through it, how fast, and how much room is asked for."""

import tracemalloc
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

# Exceptions that are the caller's own


class Late(Exception):
    """What a caller's clock raises."""


class Failing:
    """An object whose every conversion raises an error that says nothing about the object."""

    def __init__(self, error):
        self.error = error

    def _raise(self, *_, **__):
        raise self.error

    __array__ = __index__ = __float__ = __len__ = _raise


@pytest.mark.parametrize("error", [MemoryError("no room"), Late("time is up"), OSError("disk")])
@pytest.mark.parametrize(
    "call",
    [
        lambda failing: sinusoidal(failing, 8),
        lambda failing: sinusoidal(3, failing),
        lambda failing: sinusoidal(3, 8, base=failing),
        lambda failing: rope(failing, 3),
        lambda failing: attention(np.eye(2), failing, np.eye(2)),
    ],
)
def test_an_error_that_is_not_about_the_value_passes_through(call, error):
    with pytest.raises(type(error), match=str(error)):
        call(Failing(error))


@pytest.mark.parametrize("error", [RuntimeError, KeyError, ValueError, ZeroDivisionError])
def test_an_error_about_the_value_is_a_refusal(error):
    with pytest.raises((TypeError, ValueError), match=r"^positions must be"):
        sinusoidal(Failing(error("no number")), 8)


# Lists and ranges


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
        ([2**53 + 1, 1.5], "9007199254740993"),
        ([-(2**53) - 1], "-9007199254740993"),
        ([2**63, 2**63 + 1], "9223372036854775809"),
        ([10**400, 1], "1000000"),
        (range(2**53 - 3, 2**53 + 9, 2), "9007199254740993"),
        ([1, float("nan")], "nan"),
        ([[1, 2], [3]], r"\[3\]"),
    ],
)
def test_lists_and_ranges_are_not_rounded(positions, said):
    with pytest.raises(ValueError, match=f"^positions must be .*{said}"):
        sinusoidal(positions, 8)


@pytest.mark.parametrize("made", [bytearray(b"abc"), [bytearray(b"ab")], b"abc", [b"ab"]])
def test_bytes_are_no_positions(made):
    with pytest.raises(TypeError, match=r"^positions must be .*, got .*b'a"):
        sinusoidal(made, 8)


@pytest.mark.parametrize("kind", ["list", "range"])
def test_plain_numbers_are_not_looked_at_one_by_one(monkeypatch, kind):
    def slow(*_):
        raise AssertionError("one by one")

    monkeypatch.setattr(_checks, "_number", slow)
    numbers = range(0, 200, 2)
    _checks.real_array(list(numbers) if kind == "list" else numbers, "positions")


# Byte order


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
@pytest.mark.parametrize(("d_model", "base"), [(4, 1e7), (4, 1e14), (64, 10_000.0)])
def test_reading_back_does_not_depend_on_byte_order(order, kind, d_model, base):
    table = sinusoidal([300], d_model, base=base, dtype=kind)

    def said(table):
        try:
            return decode_positions(table, base=base).tolist()
        except ValueError as error:
            return str(error).partition(", got row")[0]

    assert said(table.astype(order + kind)) == said(table.astype("=" + kind))


# Room


def peak(call):
    call()  # fills what is kept for the next call
    tracemalloc.start()
    result = call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / result.nbytes


@pytest.mark.parametrize(
    ("call", "most"),
    [
        (lambda: shift_matrix(1, 1_000), 1.1),
        (lambda: binary_code(20_000, 53), 1.1),
        (lambda: alibi_bias(1, 1_000, 1_000), 1.1),
        (lambda: attention(*[np.ones((1_000, 4))] * 3, causal=True)[1], 1.4),
    ],
    ids=["shift", "binary", "alibi", "attention"],
)
def test_no_more_is_made_than_is_asked_for(call, most):
    assert peak(call) <= most


@pytest.mark.parametrize(
    ("call", "megabytes"),
    [
        (lambda: shift_matrix(1, 1_000), 8),
        (lambda: binary_code(np.zeros(10_000), 1), 0.32),
        (lambda: alibi_bias(4, 500, 500), 8),
        (lambda: attention(*[np.ones((1_000, 1))] * 3), 8),
        (lambda: attention(*[np.ones((1_000, 1))] * 3, bias=np.zeros((2, 1, 1))), 16),
    ],
    ids=["shift", "binary", "alibi", "attention", "bias"],
)
def test_what_does_not_fit_is_refused_before_it_is_made(monkeypatch, call, megabytes):
    call()
    monkeypatch.setattr(_checks, "MEMORY", int(0.99e6 * megabytes))
    with pytest.raises(ValueError, match="must fit in the memory of this machine"):
        call()


def test_scores_of_a_million_by_a_million_are_refused():
    rows = np.zeros((10**6, 1))
    with pytest.raises(ValueError, match=r"scores .* must fit in the memory .*got 1000000"):
        attention(rows, rows, rows)
