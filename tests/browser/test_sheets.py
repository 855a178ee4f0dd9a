"""Sheets that promise to be on one page, or on two, are printed on as many."""

import pypdfium2
import pytest

from tests.browser.conftest import BOOK, html

PAGES = {"board": 3, "notation": 1, "attention": 2}


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
