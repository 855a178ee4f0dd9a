"""The extensions that make a page: formulas, addresses, words to search, pictures."""

import re

import numpy as np
import pytest
import yaml
from PIL import Image

from extensions import figure_twins, katex_math, page
from extensions.contents import pages_in_toc


@pytest.mark.parametrize("formula", [r"\omga", r"\frac{1}", "a & b", r"\begin{pmatrix} 1"])
def test_a_formula_that_is_none_is_refused(formula):
    with pytest.raises(ValueError, match="in '"):
        katex_math.typeset(formula, display=True)


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("https://github.com/ann/words", "https://ann.github.io/words/"),
        ("https://github.com/Ann/Words", "https://ann.github.io/Words/"),
        ("https://github.com/ann/ann.github.io", "https://ann.github.io/"),
        ("", ""),
    ],
)
def test_where_pages_are_published(repository, address):
    assert page.pages_address(repository) == address


def test_words_to_search_belong_to_pages():
    words = yaml.safe_load(page.KEYWORDS.read_text(encoding="utf-8"))
    names = {re.sub(r"^\d+_", "", path.stem) for path in pages_in_toc()}
    assert set(words) - {"same"} <= names


def test_twins_of_a_figure(tmp_path):
    pixels = np.full((40, 60, 3), 255, np.uint8)
    pixels[10:20] = (0, 114, 178)
    png = tmp_path / "figure.png"
    Image.fromarray(pixels).save(png)
    light, dark, size = figure_twins.store(png.read_bytes(), tmp_path, tmp_path / "kept")
    assert size == (60, 40)
    with Image.open(tmp_path / light) as on_page, Image.open(tmp_path / dark) as at_night:
        assert on_page.convert("RGB").getpixel((0, 0)) == figure_twins.PAPER
        assert at_night.convert("RGB").getpixel((0, 0)) == figure_twins.GROUND
        assert at_night.convert("RGB").getpixel((30, 15)) == (0x60, 0xB9, 0xFE)
    html = figure_twins.figure_html([light, dark], size, 'It says "so".')
    assert html.count('alt="It says &quot;so&quot;."') == 2
    assert 'width="30" height="20"' in html
