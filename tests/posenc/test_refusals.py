"""What is refused, and in which words: the argument is named, and what was passed is repeated.

`refusals.txt` has calls, each with what is said below it; values of one argument that several calls
take stand here.
"""

import itertools
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import posenc
import posenc_check
from posenc import axes
from tests.check import test_settings


def read(name):
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


NAMES = {}
# With the settings of the tests of scaling; `rope` is the function, not the module.
for module in (axes, posenc_check, posenc, test_settings):
    NAMES |= vars(module)
NAMES |= {
    "INF": math.inf,
    "EYE": np.eye(3),
    "ROWS": np.zeros((5, 4)),
    "HEADS": {"hidden_size": 4096, "num_attention_heads": 32},
    "TWO": {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4}},
}


@pytest.mark.parametrize(
    ("call", "error", "words"), re.findall(r"(\S.*)\n    (\w+): (.*)\n", read("refusals.txt"))
)
def test_call_is_refused_in_these_words(call, error, words):
    kind = {"TypeError": TypeError, "ValueError": ValueError}[error]
    with pytest.raises(kind, match=re.escape(words)):
        eval(call, NAMES)


# Values of an argument that several functions take


NOT_WHOLE = [4.0, "4", None, True, 4 + 0j, [4], math.nan]
NOT_REAL = ["3", None, True, 2j, {1}, b"3"]
NOT_FINITE = [math.nan, math.inf, -math.inf]
NOT_ARRAYS = [["1", "2"], [1, None], [[1, 2], [3]], [math.nan, 0.0], np.array([1j, 2])]
LOST = [2**53 + 1, 10**400, Fraction(1, 3)]
REFUSED = {
    "d_model": (
        ["frequencies(v)", "sinusoidal(3, v)", "shift_matrix(1, v)"],
        [*NOT_WHOLE, 0, 3, -2, 10**8, np.array([8, 8])],
    ),
    "base": (
        [
            "wavelengths(8, base=v)",
            "sinusoidal(3, 8, base=v)",
            "rope([[1.0, 2.0]], 1, base=v)",
            "decode_positions([0.0, 1.0], base=v)",
        ],
        [*NOT_REAL, *NOT_FINITE, *LOST, 0, 1, -10_000.0, [2.0]],
    ),
    "positions": (
        ["sinusoidal(v, 8)", "binary_code(v, 53)", "rope(np.eye(2), v)"],
        [*NOT_REAL, *NOT_FINITE, *NOT_ARRAYS, -1, [2**53 + 1, 0]],
    ),
    "offset": (["shift_matrix(v, 8)"], [*NOT_REAL, *NOT_FINITE, *LOST, [1]]),
    "width": (["binary_code([0], v)"], [*NOT_WHOLE, 0, -1, 54]),
    "layout": (
        ["sinusoidal(3, 8, layout=v)", "rotate([1.0, 2.0], [1.0], layout=v)"],
        [None, "", "half", "Halves", 1, b"halves", np.array(["halves", "halves"])],
    ),
    "dtype": (
        ["sinusoidal(3, 8, dtype=v)", "alibi_bias(1, 1, 1, dtype=v)"],
        [None, int, "int8", "bfloat16", complex],
    ),
    "encodings": (["decode_positions(v)"], [*NOT_REAL, *NOT_ARRAYS, [1.0], [[]]]),
    "x": (["rotate(v, [1.0])"], [*NOT_REAL, *NOT_ARRAYS]),
    "queries": (["attention(v, EYE, EYE)"], [*NOT_REAL, *NOT_ARRAYS, [1.0, 2.0]]),
    "n_heads": (["alibi_bias(v, 1, 1)"], [*NOT_WHOLE, 0, -8, 2**40]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_value_is_refused_and_repeated(name):
    calls, values = REFUSED[name]
    for call, value in itertools.product(calls, values):
        with pytest.raises((TypeError, ValueError)) as caught:
            eval(call, NAMES, {"v": value})
        what, _, given = str(caught.value).partition(" got ")
        assert name in what, value
        assert repr(value)[:6] in given or (np.ndim(value) and "shape" in given), (value, given)
