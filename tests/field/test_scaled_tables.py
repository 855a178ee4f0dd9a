"""The tables that servers and models keep of scaled frequencies have the name of the rule.

vLLM keeps cosines beside sines for every position, in float32 or in the type of the model. The
rules are written out here, pair by pair, from the code of the models.
"""

import math

import numpy as np
import pytest

from posenc_check import inspect_table
from tests.field.recipes import side, turned
from tests.field.storages import ARRAYS


def plain(width, base):
    return [base ** (-2 * pair / width) for pair in range(width // 2)]


def llama3(width, base, factor, low=1.0, high=4.0, trained=8192):
    """Return frequencies as meta-llama/llama-models has them: apply_scaling."""
    scaled = []
    for omega in plain(width, base):
        turns = trained * omega / (2 * math.pi)
        if turns > high:
            scaled.append(omega)
        elif turns < low:
            scaled.append(omega / factor)
        else:
            smooth = (turns - low) / (high - low)
            scaled.append((1 - smooth) * omega / factor + smooth * omega)
    return scaled


def yarn(width, base, factor, trained, fast=32.0, slow=1.0, whole=True):
    """Return frequencies as in jquesnelle/yarn, with the ramp of gpt-oss if not `whole`."""

    def pair_with(turns):
        return width * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

    first, last = pair_with(fast), pair_with(slow)
    if whole:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, width - 1)
    scaled = []
    for pair, omega in enumerate(plain(width, base)):
        slowed = min(max((pair - first) / (last - first), 0.0), 1.0)
        scaled.append(omega / factor * slowed + omega * (1 - slowed))
    return scaled


def cache(omega, length, factor=1.0):
    sines, cosines = turned(np.arange(length), np.array(omega, np.float32))
    return side(cosines, sines) * np.float32(factor)


GPT_OSS = yarn(64, 150_000, 32, 4096, whole=False)
MODELS = {
    "Llama 3.1": (llama3(128, 5e5, 8), 1.0, 5e5, ("llama3_scaling", 8, 8192)),
    "Llama 3.2": (llama3(64, 5e5, 32), 1.0, 5e5, ("llama3_scaling", 32, 8192)),
    "Qwen 3": (yarn(128, 1e6, 4, 32_768), 1.1386294361, 1e6, ("yarn_scaling", 4, 32_768)),
    "DeepSeek V3": (yarn(64, 1e4, 40, 4096), 1.0, 1e4, ("yarn_scaling", 40, 4096)),
    "gpt-oss": (GPT_OSS, 1.3465735903, 150_000, ("yarn_scaling", 32, 4096)),
    "Kimi K2": (yarn(64, 5e4, 32, 4096, fast=1), 1.0, 5e4, ("yarn_scaling", 32, 4096)),
}


@pytest.mark.parametrize("storage", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", MODELS)
def test_a_scaled_cache_has_its_rule(name, storage):
    omega, factor, base, rule = MODELS[name]
    given = ARRAYS[storage](cache(omega, 100, factor))
    report = inspect_table(given)
    assert report.named, str(report)
    assert report.base == base
    assert report.scale == pytest.approx(factor, rel=1e-6)
    np.testing.assert_array_equal(report.positions, np.arange(100))
    (found,) = report.formula.rules
    assert (found.kind, found.factor, found.length) == rule
    np.testing.assert_allclose(report.formula.omega, omega, rtol=1e-5)
    unit = {"float32": 2.0**-23, "bfloat16": 2.0**-8}[storage]
    assert np.abs(np.asarray(report.reproduce(), float) - given).max() <= 2 * unit * factor
    assert f"slow pairs {rule[1]} times slower" in report.text
    assert "take the frequencies 10 000^(-2i/" in str(report)


def test_pairs_that_stand_still_are_counted():
    # Gemma 4's full layers: a quarter of the pairs turn, with exponents over all of them.
    omega = [*plain(512, 1e6)[:64], *[0.0] * 192]
    report = inspect_table(cache(omega, 50))
    assert report.base == 1e6
    assert [(rule.kind, rule.count) for rule in report.formula.rules] == [("still_pairs", 192)]


@pytest.mark.parametrize(
    "omega",
    [
        llama3(128, 5e5, 5.3),  # no model has such a factor
        llama3(128, 5e5, 8, trained=6000),
        yarn(64, 1e4, 8, 4096, fast=16, slow=2),
        [*plain(128, 1e6)[:32], *np.array(plain(128, 1e6)[32:]) / 8],
    ],
    ids=["factor", "length", "betas", "a step"],
)
def test_another_scaling_gets_no_name(omega):
    report = inspect_table(ARRAYS["float16"](cache(omega, 100)))
    assert not report.named, str(report)


@pytest.mark.parametrize(
    ("omega", "rows", "decimals"),
    [([1.0, 1e-3, 1e-6], 8, 3), ([1.0, 1e-2, 1e-5], 5, 4), ([1.0, 0.032, 1e-3, 1.9e-5], 3, 2)],
)
def test_a_pair_too_slow_for_a_print_is_not_said_to_stand(omega, rows, decimals):
    angles = np.outer(np.arange(rows), omega)
    report = inspect_table(side(np.sin(angles), np.cos(angles)).round(decimals))
    assert not report.named, str(report)


def test_sines_twice_and_cosines_twice_are_no_scaled_list():
    sines, cosines = turned(np.arange(40), np.array(plain(32, 1e4)))
    report = inspect_table(side(sines, sines, cosines, cosines))
    assert report.base == 1e4, str(report)
    assert report.formula.rules == ()
