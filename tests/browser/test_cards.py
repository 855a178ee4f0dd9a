"""The page of cards: one for each chapter on a line, whole, and eight sheets at most."""

import pypdfium2

from extensions.cards import card_of
from extensions.contents import notebooks_in_toc, read
from tests.browser.conftest import BOOK

PAGE = BOOK / "book" / "cards.html"


def test_the_cards_print_on_eight_sheets(browser, tmp_path):
    page = browser.new_page()
    page.goto(PAGE.as_uri())
    page.pdf(path=tmp_path / "cards.pdf", format="A4")
    page.close()
    sheets = pypdfium2.PdfDocument(tmp_path / "cards.pdf")
    printed = "".join(sheet.get_textpage().get_text_range() for sheet in sheets)
    text = "".join(printed.split())  # a long title takes two lines
    titles = ["".join(cell.split("\n")[1].removeprefix("# ").split()) for cell in titled_cells()]
    assert len(sheets) <= 8
    assert titles
    assert all(title in text for title in titles)


def titled_cells():
    """The first cell of each chapter that has a card."""
    for path in notebooks_in_toc():
        notebook = read(path)
        if card_of(notebook):
            yield notebook.cells[0].source
