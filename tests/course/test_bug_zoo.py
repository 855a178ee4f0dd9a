"""The file of tests that readers take home, on the ten wrong layers.

Which tests catch which bugs, chapter 18 and page F13 assert.
"""

from pathlib import Path

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_course.experiments.bug_zoo import BUGS, correct

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
