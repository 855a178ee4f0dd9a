"""Each moving figure on paper: three settings, whose it is, and what it shows."""

import re
from xml.etree import ElementTree

import pytest

from posenc_course import views
from scripts.figures import LICENCE, SETTINGS, drawn, places

SVG = "{http://www.w3.org/2000/svg}"
PLACES = places()


@pytest.mark.parametrize("name", views.__all__)
def test_three_settings_show_three_things_and_whose_they_are(name):
    state, chapter = PLACES[name]
    found = [drawn(name, {**state, **changed}, chapter) for changed in SETTINGS[name]]
    assert len({svg for svg, _ in found}) == 3
    for svg, words in found:
        picture = ElementTree.fromstring(svg)
        assert picture.find(f"{SVG}desc").text == words
        assert len(words) > 30
        assert not re.search(r"NaN|undefined|function|var\(", svg)
        colours = {part.get(name, "none") for part in picture.iter() for name in ("fill", "stroke")}
        assert all(re.fullmatch(r"none|#[0-9a-f]{6}", colour) for colour in colours)
        assert picture.findall(f"{SVG}text")[-1].text.endswith(f"{chapter} · {LICENCE}")
