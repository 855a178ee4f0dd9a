"""Verdicts on what is right in some setting, and on what is drawn at random.

What is right must never be condemned, and what is random must get no name.
"""

import numpy as np
import pytest

from posenc import frequencies, scaling
from posenc_check import check_rope
from tests.by_formula import rounded_to_bfloat16, turn

LAYOUTS = ("interleaved", "halves")
TYPES = {
    "float64": lambda values: values,
    "float32": lambda values: values.astype(np.float32),
    "float16": lambda values: values.astype(np.float16),
    "bfloat16": rounded_to_bfloat16,
    ">f4": lambda values: values.astype(">f4"),
}


def rope_of(omega, layout, kind, begin, width, angles=np.float32):
    """Return a function that turns columns from `begin` on, with angles of one type."""

    def function(x, positions):
        turned = np.array(x, float)
        k = positions.astype(angles)[:, np.newaxis]
        part = turned[..., begin : begin + width]
        turned[..., begin : begin + width] = turn(part, k * omega.astype(angles), layout)
        return TYPES[kind](turned)

    return function


def right_function(rng):
    """Draw RoPE in some setting, and what must be said of it."""
    width = int(2 ** rng.integers(4, 9))
    part = width if rng.random() < 0.6 else width // 2
    base = float(rng.choice([1e4, 5e5, 1e6, 1e7, 1.5e5, 2e3]))
    kind, layout = rng.choice(list(TYPES)), rng.choice(LAYOUTS)
    omega = frequencies(part, base=base)
    trained = {"original_max_position_embeddings": int(2 ** rng.integers(11, 16))}
    factor = float(rng.choice([2, 4, 8, 16, 32]))
    rule = rng.choice(["plain", "plain", "linear", "llama3", "yarn", "p-RoPE"])
    if rule == "linear":
        omega = omega / factor
    elif rule == "llama3":
        turns = {"low_freq_factor": 1, "high_freq_factor": 4}
        omega = scaling.llama3(part, factor=factor, rope_theta=base, **turns, **trained)
    elif rule == "yarn":
        omega = scaling.yarn(part, factor=factor, rope_theta=base, **trained)
    elif rule == "p-RoPE" and layout == "halves":
        omega[len(omega) // 4 :] = 0
    else:
        rule = "plain"
    angles = rng.choice([np.float32, np.float64])
    begin = int(rng.choice([0, width - part]))
    return rope_of(omega, layout, kind, begin, part, angles), width, (layout, base, rule, kind)


def condemned(count, seed):
    """Return the right functions that are condemned or misnamed."""
    found, rng = [], np.random.default_rng(seed)
    for _ in range(count):
        function, width, (layout, base, rule, kind) = right_function(rng)
        report = check_rope(function, width)
        named = report.layout == layout and (report.base is None or report.base == base)
        if not (report.rotary and named):
            found.append((layout, base, rule, kind, width, str(report)))
    return found


def undeserved(count, seed):
    """Return the functions with random frequencies that get a name."""
    found, rng = [], np.random.default_rng(seed)
    for _ in range(count):
        pairs = int(rng.choice([2, 4, 8, 16, 32]))
        omega = np.sort(np.exp(rng.uniform(-9, 0, size=pairs)))[::-1]
        if rng.random() < 0.3:  # a ladder at both ends, and anything between
            omega = frequencies(2 * pairs)
            middle = slice(pairs // 4, 3 * pairs // 4)
            omega[middle] = np.exp(rng.uniform(-9, 0, size=len(omega[middle])))
            if pairs < 8:
                continue
        kind = rng.choice(list(TYPES))
        report = check_rope(rope_of(omega, "halves", kind, 0, 2 * pairs), 2 * pairs)
        if report.base is not None or report.rules:
            found.append((kind, omega, str(report)))
    return found


@pytest.mark.parametrize("mistakes", [condemned, undeserved], ids=lambda f: f.__name__)
def test_no_verdict_is_a_mistake(mistakes):
    assert mistakes(20, seed=1) == []
