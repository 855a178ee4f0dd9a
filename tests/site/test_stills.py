"""Where scripts do not run, a page shows a moving figure as it starts."""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from extensions import stills
from posenc import sinusoidal
from posenc_course.views import EncodingGrows, ShuffledWords, TableInspector

SVG = "{http://www.w3.org/2000/svg}"


def test_a_view_that_shows_nothing_before_a_move_has_no_still():
    assert stills.still(TableInspector, TableInspector().data()) is None


def test_words_to_press_stand_in_their_rows():
    _, svg, _ = stills.still(ShuffledWords, ShuffledWords(order=[2, 0, 1]).data())
    rows = {word: float(y) for y, word in re.findall(r'<text x="8" y="([\d.]+)"[^>]*>(\w+)<', svg)}
    assert sorted(rows, key=rows.get) == ["man", "dog", "bites"]


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
