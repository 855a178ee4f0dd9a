"""Where scripts do not run, a page shows a moving figure as it starts."""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from extensions import stills, widgets
from posenc import sinusoidal
from posenc_course import views
from posenc_course.views import EncodingGrows, ShuffledWords, TableInspector, WavelengthLadder

SVG = "{http://www.w3.org/2000/svg}"
ALONE = [getattr(views, name) for name in views.__all__]
ALONE = [kind for kind in ALONE if kind is not TableInspector]


@pytest.mark.parametrize("kind", ALONE, ids=lambda kind: kind.__name__)
def test_each_view_draws_itself(kind):
    view = kind()
    size, svg, words = stills.still(kind, view.data())
    assert size[0] == 640
    assert len(words) > 30
    assert not re.search(r"NaN|undefined|function|var\(", svg)
    picture = ElementTree.fromstring(svg)
    assert len(list(picture.iter())) > 10
    for element in picture.iter():
        for name in ("fill", "stroke"):
            assert re.fullmatch(r"none|#[0-9a-f]{6}", element.get(name, "none"))
    assert stills.still(kind, view.data()) == (size, svg, words)


def test_a_view_that_shows_nothing_before_a_move_has_no_still():
    assert stills.still(TableInspector, TableInspector().data()) is None


def test_words_to_press_stand_in_their_rows():
    _, svg, _ = stills.still(ShuffledWords, ShuffledWords(order=[2, 0, 1]).data())
    rows = {word: float(y) for y, word in re.findall(r'<text x="8" y="([\d.]+)"[^>]*>(\w+)<', svg)}
    assert sorted(rows, key=rows.get) == ["man", "dog", "bites"]


def test_the_state_is_what_is_drawn():
    view = WavelengthLadder(length=128)
    _, svg, words = stills.still(WavelengthLadder, view.data())
    assert "L = 128" in svg
    assert words != stills.still(WavelengthLadder, WavelengthLadder().data())[2]


def test_colours_of_a_table_are_its_signs():
    _, svg, _ = stills.still(EncodingGrows, EncodingGrows(position=9).data())
    pictures = [element.get("href") for element in ElementTree.fromstring(svg).iter(f"{SVG}image")]
    tables = [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(one.partition(",")[2]))).convert("RGB"))
        for one in pictures
    ]
    (table,) = [table.astype(int) for table in tables if table.shape[:2] == (10, 32)]
    encoding = sinusoidal(10, 32, base=100)
    greener = table[..., 1] - (table[..., 0] + table[..., 2]) / 2
    strong = np.abs(encoding) > 0.3
    assert ((greener > 0) == (encoding > 0))[strong].all()


def test_a_page_shows_it_without_scripts(tmp_path):
    soup = BeautifulSoup(EncodingGrows().html() + TableInspector().html(), "html.parser")
    widgets.add_stills(soup, tmp_path, lambda path, _resource: f"../{path}")
    image = soup.select_one("[data-view=EncodingGrows] > noscript > img")
    assert (tmp_path / image["src"].removeprefix("../")).read_text().startswith("<svg ")
    assert image["alt"].startswith("A clock hand draws")
    assert "Try this" in soup.select_one("[data-view=TableInspector]").get_text()
