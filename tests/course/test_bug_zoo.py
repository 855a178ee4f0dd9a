"""The file of tests that readers take home, on the ten wrong layers.

Which tests catch which bugs, chapter 18 and page F13 assert.
"""

from pathlib import Path

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_course.experiments.bug_zoo import BUGS, correct

FILE = Path(__file__).parents[2] / "book" / "downloads" / "test_positions.py"


def caught(**layer):
    """Return whether each test of the file fails, on its own layer or on another."""
    home = {}
    exec(FILE.read_text(encoding="utf-8"), home)
    home |= layer
    for test in [value for name, value in home.items() if name.startswith("test_")]:
        try:
            test()
            yield False
        except (Exception, pytest.fail.Exception):
            yield True


def test_the_file_passes_right_layers_and_catches_each_bug():
    assert not any(caught())
    assert not any(caught(layer=correct))
    for name, bug in BUGS.items():
        assert any(caught(layer=bug)), name


def test_the_file_catches_positions_of_16_bits():
    def short(x):
        return x + sinusoidal(np.float16(np.arange(x.shape[1])), x.shape[2])

    assert list(caught(layer=short)) == [True, False]
