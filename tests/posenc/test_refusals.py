"""What is refused, and in which words: the argument is named, and what was passed is repeated.

`refusals.txt` has calls, each with what is said below it; `refused_values.txt` has values of one
argument, with the calls that take it.
"""

import math
import re
from collections import deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc import axes, config, diagnose, scaling


def read(name):
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


NAMES = {}
for module in (axes, config, diagnose, posenc):  # `rope` is the function, not the module
    NAMES |= vars(module)
NAMES |= {"np": np, "scaling": scaling, "INF": math.inf, "EYE": np.eye(3), "ROWS": np.zeros((5, 4))}
NAMES |= {
    "BASE": {"rope_theta": 10_000.0},
    "YARN": {"factor": 16.0, "original_max_position_embeddings": 4096},
    "LLAMA_3": {
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
    "LONG": {
        "short_factor": [1.0] * 64,
        "long_factor": [2.0] * 64,
        "original_max_position_embeddings": 4096,
    },
    "HEADS": {"hidden_size": 4096, "num_attention_heads": 32},
    "TWO": {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4}},
}


@pytest.mark.parametrize(
    ("call", "error", "words"), re.findall(r"(\S.*)\n    (\w+): (.*)\n", read("refusals.txt"))
)
def test_call_is_refused_in_these_words(call, error, words):
    with pytest.raises((TypeError, ValueError), match=re.escape(words)) as caught:
        eval(call, NAMES)
    assert caught.type.__name__ == error


# ---------------------------------------------------------------------------- values of an argument


def nested_in_itself():
    endless = []
    endless.append(endless)
    return endless


NAMES |= {"NAN": math.nan, "Decimal": Decimal, "Fraction": Fraction, "deque": deque}
NAMES["nested_in_itself"] = nested_in_itself
# The argument, a call that takes it, the error, a value, and the part of it that is shown.
VALUES = [
    (name, call, *case)
    for name, calls, cases in re.findall(
        r"(\w+) in (.*)\n((?:    .*\n)+)", read("refused_values.txt")
    )
    for call in calls.split("; ")
    for case in re.findall(r"(\w+): (.*?)(?:  # (.*))?\n", cases)
]


@pytest.mark.parametrize(("name", "call", "error", "value", "shown"), VALUES)
def test_value_is_refused_and_repeated(name, call, error, value, shown):
    made = eval(value, NAMES)
    shown = shown or (str(made) if isinstance(made, np.generic) else repr(made))
    with pytest.raises(
        (TypeError, ValueError), match=f"(?s)^{name} .*{re.escape(shown)}"
    ) as caught:
        eval(call, NAMES | {"_": made})
    assert caught.type.__name__ == error
    if name == "layout":
        assert "interleaved" in str(caught.value)
        assert "halves" in str(caught.value)
