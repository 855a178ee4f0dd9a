"""The ten wrong layers: which tests catch them, and the file of tests that readers take home."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_course.experiments.bug_zoo import BUGS, TESTS, correct, frequencies_of, verdict

FILE = Path(__file__).parents[2] / "book" / "downloads" / "test_positions.py"


@pytest.fixture
def home():
    names = {}
    exec(FILE.read_text(encoding="utf-8"), names)
    return names


def outcomes(home):
    tests = [value for name, value in home.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        try:
            test()
        except (Exception, pytest.fail.Exception):
            yield "caught"
        else:
            yield "passed"


def test_the_file_passes_as_it_stands_and_on_the_correct_layer(home):
    assert list(outcomes(home)) == ["passed", "passed"]
    home["layer"] = correct
    assert list(outcomes(home)) == ["passed", "passed"]


@pytest.mark.parametrize("name", BUGS)
def test_the_file_catches_each_bug(home, name):
    home["layer"] = BUGS[name]
    assert "caught" in list(outcomes(home))


def test_the_file_catches_positions_of_16_bits(home):
    home["layer"] = lambda x: x + sinusoidal(np.float16(np.arange(x.shape[1])), x.shape[2])
    assert list(outcomes(home)) == ["caught", "passed"]


def test_the_correct_layer_adds_the_encoding_and_passes_every_test():
    words = np.random.default_rng(0).normal(size=(2, 30, 12))
    np.testing.assert_allclose(correct(words) - words, [sinusoidal(30, 12)] * 2, atol=1e-12)
    assert {verdict(test, correct) for test in TESTS.values()} == {"passes"}


def test_which_tests_catch_all_ten():
    caught = {
        test: {bug for bug in BUGS if verdict(TESTS[test], BUGS[bug]) != "passes"} for test in TESTS
    }
    assert not any(set(BUGS) <= caught[test] for test in TESTS)
    enough = [
        pair for pair in combinations(TESTS, 2) if set(BUGS) <= caught[pair[0]] | caught[pair[1]]
    ]
    assert enough == [("far_position", "refuses_odd_width")]
    assert caught["stays_in_range"] | caught["keeps_shape"] == {"missing slice"}


def test_frequencies_are_read_off_row_1():
    for name, power in {"integer arange": 0, "doubled exponent": 2}.items():
        expected = 10_000.0 ** (-power * np.arange(0, 16, 2) / 16)
        np.testing.assert_allclose(frequencies_of(BUGS[name]), expected, rtol=1e-12)
