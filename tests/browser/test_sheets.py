"""Sheets that promise to be on one page, or on two, are printed on as many."""

import pypdfium2
import pytest

from tests.browser.conftest import BOOK, html

PAGES = {"board": 3, "notation": 1, "attention": 2, "cheat_sheet": 1}


@pytest.mark.parametrize("name", PAGES)
def test_a_sheet_has_the_pages_that_it_promises(tab, tmp_path, name):
    page = tab()
    page.goto((BOOK / "book" / f"{name}.html").as_uri())
    page.evaluate("document.fonts.ready")
    page.pdf(path=tmp_path / "sheet.pdf", prefer_css_page_size=True)
    with pypdfium2.PdfDocument(tmp_path / "sheet.pdf") as pdf:
        texts = [sheet.get_textpage().get_text_range() for sheet in pdf]
    assert len(texts) == PAGES[name]
    if name == "board":  # each begins with its title
        titles = [
            title.get_text("", strip=True) for title in html("book/board.html").select("article h2")
        ]
        for title, text in zip(titles, texts, strict=True):
            assert title.rstrip("#") in text


# Where the last of the tables of the cheat sheet ends, and how small its text is. What a formula
# writes above or below its line is smaller.
SHEET = """() => {
  const bottoms = [...document.querySelectorAll("article table")].map((table) =>
    table.getBoundingClientRect().bottom);
  const own = [...document.querySelectorAll("article *")].filter((element) =>
    element.checkVisibility() && !element.closest(".katex, button")
    && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const sizes = own.map((element) => parseFloat(getComputedStyle(element).fontSize));
  return [Math.max(...bottoms) + scrollY, Math.min(...sizes)];
}"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1920, 1080)])
def test_the_cheat_sheet_stands_on_one_screen(open_page, width, height):
    page = open_page("book/cheat_sheet.html", width, height)
    bottom, smallest = page.evaluate(SHEET)
    assert bottom <= height
    assert smallest >= 14
    assert page.locator(".contents-button").is_visible()
