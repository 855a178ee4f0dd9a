"""The colours of the book: one table, and everything that draws agrees with it."""

import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from extensions.figure_twins import GROUND, PAPER, in_the_dark
from posenc_course.figures import style

CSS = Path(style.__file__).parents[1] / "views" / "view.css"
ROW = re.compile(r"^([A-Z]+) .*``(\w{6})``  ``(\w{6})``  ``--(\w+)``$", re.MULTILINE)
TABLE = {
    name: (light, dark, variable) for name, light, dark, variable in ROW.findall(style.__doc__)
}


def dark_twin(light):
    (dark,) = in_the_dark([[round(255 * channel) for channel in to_rgb(f"#{light}")]])
    return to_hex(dark / 255)[1:]


def in_css(selector, variable):
    text = CSS.read_text(encoding="utf-8")
    block = text[text.index(selector) :]
    return re.search(rf"--{variable}: #?([^;]+);", block[: block.index("}")])[1]


def contrast(one, other):
    """WCAG 2.2, relative luminance and contrast ratio."""

    def luminance(colour):
        channels = np.array(to_rgb(f"#{colour}"))
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        return linear @ [0.2126, 0.7152, 0.0722]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_the_table_has_every_colour():
    assert len(TABLE) == 8
    for name, (light, _, _) in TABLE.items():
        assert getattr(style, name) == f"#{light}"


@pytest.mark.parametrize("name", [name for name in TABLE if name != "PAPER"])
def test_the_dark_colours_are_computed(name):
    light, dark, _ = TABLE[name]
    assert dark_twin(light) == dark


def test_the_ground_of_both_themes():
    assert to_hex(np.array(PAPER) / 255)[1:] == TABLE["PAPER"][0]
    assert to_hex(np.array(GROUND) / 255)[1:] == TABLE["PAPER"][1]


@pytest.mark.parametrize("name", ["SINE", "COSINE", "SHIFT", "HIGHLIGHT", "NEUTRAL", "FAINT"])
def test_moving_figures_have_the_same_colours(name):
    light, dark, variable = TABLE[name]
    assert in_css(".posenc {", variable) == light
    assert in_css('html[data-theme="dark"] .posenc', variable) == dark


def test_moving_figures_have_the_same_map():
    light = [colour[1:] for colour in style._COLOURS]
    colours = mpl.colormaps[style.DIVERGING]
    assert [to_hex(colours(at))[1:] for at in (0.0, 0.5, 1.0)] == [light[0], "ffffff", light[-1]]
    paper = [TABLE["PAPER"][0] if at == 5 else colour for at, colour in enumerate(light)]
    assert in_css(".posenc {", "map").split() == paper
    dark = [dark_twin(colour) for colour in light]
    assert in_css('html[data-theme="dark"] .posenc', "map").split() == dark


@pytest.mark.parametrize("name", ["SINE", "COSINE", "SHIFT", "INK", "NEUTRAL"])
def test_words_in_a_colour_can_be_read(name):
    light, dark, _ = TABLE[name]
    assert contrast(light, TABLE["PAPER"][0]) >= 4.5
    assert contrast(dark, TABLE["PAPER"][1]) >= 4.5


def test_borders_of_controls_can_be_seen():
    assert contrast(in_css(".posenc {", "edge"), TABLE["PAPER"][0]) >= 3
    dark = in_css('html[data-theme="dark"] .posenc', "edge")
    assert contrast(dark, TABLE["PAPER"][1]) >= 3


def test_what_is_lighter_is_darker_in_the_dark():
    greys = in_the_dark(np.repeat(np.arange(256)[:, None], 3, axis=1))
    assert (np.diff(greys.astype(int), axis=0) <= 0).all()
