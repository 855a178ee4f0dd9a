"""The views: values, errors, text, the HTML they store, and what their scripts compute."""

import inspect
import itertools
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from traitlets import TraitError

from posenc import binary_code, frequencies, scaling, sinusoidal
from posenc_course import views
from posenc_course.views import (
    ClockHand,
    ClockWall,
    EncodingGrows,
    FormulaReader,
    RoundedHands,
    RoundedRows,
    SentenceEncoder,
    ShuffledWords,
    StretchedLadder,
    WavelengthLadder,
)
from tests.course.v8 import engine

VIEWS = [getattr(views, name) for name in views.__all__]

every_view = pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.__name__)


@every_view
def test_text_is_the_call_that_makes_the_view(kind):
    view = kind()
    again = eval(repr(view), {kind.__name__: kind})
    assert again.state() == view.state()
    assert list(inspect.signature(kind).parameters) == list(view.state())


@every_view
def test_what_is_stored_is_data_and_words(kind):
    html = kind().html()
    assert not re.findall(r"<(script|style|link)|https?://", html)
    assert kind().suggestion().startswith("Try this: ")
    assert html.count("Try this: ") == 2  # in the state, and where scripts are off
    assert "Run this cell, and the figure moves." in html
    assert len(html) < 2000


@every_view
def test_unknown_name_is_refused(kind):
    with pytest.raises(TypeError, match=f"{kind.__name__} has no 'speed'; it takes "):
        kind(speed=1)


@pytest.mark.parametrize(
    ("kind", "name", "value", "allowed"),
    [
        (ClockHand, "frequency", 4, "not be greater than 3.14.*, but a value of 4.0"),
        (ClockHand, "phase", float("nan"), "a number from -3.14159 to 3.14159, not the float nan"),
        (ClockHand, "position", np.True_, "a number from 0 to 24, not the bool np.True_"),
        (EncodingGrows, "position", 48, "a whole number from 0 to 47, not the int 48"),
        (FormulaReader, "base", 7, r"any of \[100, 1000, 10000, 1000000\], not the int 7"),
        (FormulaReader, "position", 1.5, "a whole number from 0 to 99, not the float 1.5"),
        (WavelengthLadder, "width", 5, "an even number from 4 to 1024, not the int 5"),
        (FormulaReader, "same_angle", 2, "a boolean, not the int 2"),
        (SentenceEncoder, "sentence", " ", "a sentence of 1 to 16 words, not the str ' '"),
        (ShuffledWords, "order", [0, 1.5], "an int, not the float 1.5"),
        (
            ShuffledWords,
            "vectors",
            [[0.1, 2], [float("nan"), 1]],
            r"a table of finite numbers, .*, not the list \[\[0",
        ),
        (ShuffledWords, "vectors", [[1, 2]], r"a table of shape \(3, 2\), got shape \(1, 2\)"),
    ],
)
def test_bad_value_is_repeated_with_what_is_allowed(kind, name, value, allowed):
    message = f"{name}.*{allowed}"
    view = kind()
    before = view.state()
    with pytest.raises(TraitError, match=message):
        setattr(view, name, value)
    assert view.state() == before
    with pytest.raises(TraitError, match=message):
        kind(**{name: value})


def test_numpy_numbers_and_arrays_are_numbers():
    wall = ClockWall(position=np.int64(3), base=np.float32(1000))
    assert repr(wall) == "ClockWall(position=3, shift=5, width=16, base=1000.0)"
    rows = np.arange(6).reshape(3, 2)
    assert ShuffledWords(vectors=rows).vectors == rows.tolist()


def test_the_encoding_of_the_views_is_the_one_of_python():
    positions = [0, 1, 2, 3, 7, 63, 99, 511, 1000, 2047, 4095]
    settings = [*itertools.product([2, 4, 6, 32, 128, 512], [10, 100, 10_000, 500_000, 1e7])]
    script = engine(Path(views.__file__).with_name("shared.js"))
    row = "((...given) => [...encode(...given)])"
    for width, base in settings:
        here = [script.call(row, k, width, base) for k in positions]
        table = sinusoidal(4096, width, base=base)[positions]
        np.testing.assert_allclose(here, table, rtol=0, atol=1e-12)


def test_rounded_hands_write_the_bits_of_each_position():
    script = engine(RoundedHands._module)
    written = [[script.call("digitOf", i, k, False) for i in range(3)] for k in range(8)]
    np.testing.assert_array_equal(written, binary_code(8, 3))
    angles = np.arange(9)[:, np.newaxis] / 2.0 ** np.arange(3)  # π times as slow
    slow = [[script.call("digitOf", i, k, True) for i in range(3)] for k in range(9)]
    np.testing.assert_array_equal(slow, np.sin(angles) < 0)


def test_rounded_rows_go_from_bits_to_tips():
    script = engine(RoundedRows._module)
    row = "((...given) => [...roundedRow(...given)])"
    positions = range(96, 161)
    bits = [script.call(row, k, 1)[:8] for k in positions]
    np.testing.assert_array_equal(bits, 1 - 2.0 * binary_code(positions, 8))
    angles = np.pi * (np.array(positions)[:, np.newaxis] + 0.5) / 2.0 ** np.arange(8)
    tips = [script.call(row, k, 0) for k in positions]
    np.testing.assert_allclose(tips, np.hstack([np.sin(angles), np.cos(angles)]), atol=1e-12)
    steps = np.linalg.norm(np.diff(tips, axis=0), axis=1)
    np.testing.assert_allclose(steps, steps[0], rtol=1e-12)


RULES = {
    "linear": scaling.linear,
    "NTK-aware": scaling.ntk_aware,
    "YaRN": scaling.yarn,
    "Llama 3": partial(scaling.llama3, low_freq_factor=1, high_freq_factor=4),
}
SETTINGS = [
    {"method": method, "factor": factor, "length": length, "width": width, "base": base}
    for method, factor, length, width, base in itertools.product(
        RULES, (1, 1.19, 8, 32), (512, 8192, 131_072), (4, 64, 128, 256), (10.0, 1e4, 5e5)
    )
]


def test_lists_and_counts_are_those_of_the_module_on_scaling():
    script = engine(StretchedLadder._module)
    for given in SETTINGS:
        found = script.call("stretched", given)
        d, base, length = given["width"], given["base"], given["length"]
        before = frequencies(d, base=base)
        method, factor = given["method"], given["factor"]
        ramp = method in ("YaRN", "Llama 3")
        trained = {"original_max_position_embeddings": length} if ramp else {}
        after = RULES[method](d, factor=factor, rope_theta=base, **trained)
        np.testing.assert_allclose(found["before"], before, rtol=1e-13)
        np.testing.assert_allclose(found["after"], after, rtol=1e-12, err_msg=str(given))
        reached = before * length  # the largest angle in training
        slow = reached < 2 * np.pi
        np.testing.assert_array_equal(found["slow"], slow)
        fresh = slow & (after * length * factor > reached * (1 + 1e-9))
        np.testing.assert_array_equal(found["fresh"], fresh)
        np.testing.assert_array_equal(found["kept"], np.isclose(after, before, atol=0))
