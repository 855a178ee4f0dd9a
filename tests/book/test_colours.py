"""The colours that the text names: each stands for something drawn, and both themes show it."""

import re

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb

from extensions.figure_twins import in_the_dark, on_paper, to_oklab
from posenc_course.figures import style
from tests.book.test_book import PAGES, each, markdown

ONE_THEME = r"\b(black|white|dark(?:er)?|pale|light(?:er)?|bright(?:er)?)\b"
HUES = {
    "blue": style.SINE,
    "orange": style.COSINE,
    "gold": style.HIGHLIGHT,
    "purple": style.SHIFT,
    "grey": style.NEUTRAL,
    "green": colormaps[style.DIVERGING](0.95),
}
# What is drawn in the colour that a page names.
DRAWN = {
    "03_formula": {
        "green": "positive entries",
        "purple": "negative entries",
        "gold": "bars of one wavelength",
    },
    "05_wavelengths": {"gold": "whole turns in the ladder, and bars of one wavelength"},
    "06_rotation": {
        "gold": "the arrow",
        "purple": "the opening and the second tip",
        "orange": "the cosine",
    },
    "08_promises": {"gold": "the nearest turn", "purple": "the estimate"},
    "10_in_a_model": {"gold": "the frame of the places trained"},
    "11_bug_zoo": {"purple": "entries too small", "green": "entries too large"},
    "16_stretching": {"gold": "pairs that meet new angles"},
    "20_right_table": {"gold": "columns of the tests that catch most"},
    "F5_wavelengths": {"blue": "the steps of the count"},
    "F6_shifts": {
        "gold": "the arrow",
        "purple": "the opening",
        "blue": "the leg of the sine",
        "orange": "the leg of the cosine",
    },
    "F7_codes": {"purple": "bits that are 1", "grey": "the paper's ladder"},
    "F8_exactness": {"blue": "the first rows", "purple": "the turns by many rows"},
    "F12_bugs": {
        "green": "entries too large",
        "purple": "entries too small",
        "grey": "rows that should not exist",
    },
    "F13_beyond": {
        "blue": "a query",
        "orange": "a key",
        "purple": "the angle between them, and scores below 0",
        "green": "scores above 0",
    },
    "board": {"blue": "the leg of the sine", "orange": "the leg of the cosine"},
    "A_pytorch": {"blue": "the cost of a table rounded once"},
}
# Things of the sentences that the sources use, and a man's name.
NOT_DRAWN = r"(?i)gray code|`gray|-gray\b|(brown|red)\b"


@each(PAGES)
def test_each_colour_named_is_drawn(path):
    text = re.sub(NOT_DRAWN, "", "\n".join(markdown(path)))
    found = set(re.findall(rf"\b({'|'.join(HUES)})\b", text.lower()))
    assert found == set(DRAWN.get(path.stem, {}))


@each(PAGES)
def test_no_colour_of_one_theme_is_named(path):
    for text in markdown(path):
        for line in text.splitlines():
            if "theme" not in line and not line.startswith(("![", ":alt:")):
                assert not re.search(ONE_THEME, line), line


@pytest.mark.parametrize("word", HUES)
def test_a_colour_keeps_its_name_in_both_themes(word):
    drawn = np.array([to_rgb(HUES[word])]) * 255
    (paper,), (dark,) = (to_oklab(twin(drawn) / 255)[:, 1:] for twin in (on_paper, in_the_dark))
    if word == "grey":
        assert max(np.hypot(*paper), np.hypot(*dark)) < 0.04
        return
    assert min(np.hypot(*paper), np.hypot(*dark)) > 0.06
    turned = np.angle(complex(*dark) / complex(*paper), deg=True)
    assert abs(turned) < 20
