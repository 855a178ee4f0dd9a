"""The decks of slides in a browser and as PDF: nothing cut off, nothing from outside."""

import pikepdf
import pytest

from tests.browser.conftest import BOOK, FRAMES
from tests.browser.test_pages import REST, amiss, faint

FOLDER = BOOK / "slides"
DECKS = sorted(FOLDER.glob("*.html"))

pytestmark = pytest.mark.skipif(not DECKS, reason=f"no slides at {FOLDER}")

each_deck = pytest.mark.parametrize("deck", DECKS, ids=lambda path: path.stem)

# Of the slide that is shown: what reaches over its edges or its last line, or is too small to read.
LEAST = 24  # pixels of 720
AMISS = """(least) => {
  const slide = document.querySelector(".slides > section.present .slide");
  const edge = slide.getBoundingClientRect();
  const last = slide.querySelector(".source").getBoundingClientRect().top;
  const seen = [...slide.querySelectorAll(".body, .body *")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width && box.height && !element.closest(".katex-mathml, .posenc-spoken, svg");
  });
  const out = seen.filter((element) => {
    const box = element.getBoundingClientRect();
    const room = element.matches("pre, table, .formula") ? element.clientWidth : Infinity;
    return element.scrollWidth > room || box.right > edge.right - 30 || box.left < edge.left + 30
      || box.top < edge.top + 10 || box.bottom > last + 1;
  });
  const small = seen.filter((element) => element.textContent && !element.children.length
    && !element.closest(".katex, sup, sub")
    && parseFloat(getComputedStyle(element).fontSize) < least);
  return [...out, ...small].map((element) => `${element.tagName}.${element.className}`).slice(0, 5);
}"""


@pytest.fixture
def opened(tab):
    """Return a function that opens a deck, whose clock can be moved on.

    At the end the console has said nothing.
    """

    def new(deck, query=""):
        page = tab(viewport={"width": 1280, "height": 720})
        page.clock.install()
        page.goto(deck.as_uri() + query)
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        return page

    yield new
    assert not tab.said


# The size of the labels of a moving figure on the slide that is shown: 13 of its own pixels.
LABELS = """() => [...document.querySelectorAll(".slides > section.present canvas")]
  .map((canvas) => 13 * canvas.getContext("2d").getTransform().a / window.devicePixelRatio
    * canvas.getBoundingClientRect().width / canvas.offsetWidth)"""
# What each figure shows on the slide that is seen.
SHOWN = """() => [...document.querySelectorAll("section.present .posenc canvas")]
  .map((canvas) => canvas.toDataURL())"""


@each_deck
def test_each_slide_fits_can_be_read_from_the_last_row_and_does_not_move_by_itself(opened, deck):
    page = opened(deck)
    for at in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate(f"Reveal.slide({at})")
        page.evaluate(REST)
        assert not page.evaluate(AMISS, LEAST), f"slide {at + 1}"
        if shown := page.evaluate(SHOWN):
            assert all(size >= LEAST for size in page.evaluate(LABELS)), f"slide {at + 1}"
            page.clock.run_for(2000)
            assert page.evaluate(SHOWN) == shown, f"slide {at + 1}"


@each_deck
def test_everyone_can_use_it(tab, deck):
    page = tab(viewport={"width": 1280, "height": 720})
    page.goto(f"{deck.as_uri()}?print-pdf")  # all slides at once
    page.wait_for_function("document.querySelector('.pdf-page')")
    assert not amiss(page)
    assert not faint(page)
    assert page.locator(".pdf-page").count() == page.evaluate("Reveal.getTotalSlides()")


def test_the_pdfs_have_a_page_for_each_slide():
    for deck in DECKS:
        with pikepdf.open(deck.with_suffix(".pdf")) as pdf:
            slides = deck.read_text(encoding="utf-8").count('<div class="slide ')
            assert len(pdf.pages) == slides, deck.stem
            sizes = {tuple(map(float, page.mediabox)) for page in pdf.pages}
            assert sizes == {(0, 0, 960, 540)}
            assert "Marked" in str(pdf.Root.MarkInfo)


def test_keys_turn_slides_and_move_what_has_the_focus(opened):
    page = opened(FOLDER / "03_formula.html")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getIndices().h") == 1
    at = page.evaluate(
        "Reveal.getSlides().findIndex((slide) => slide.querySelector('.posenc-controls'))"
    )
    page.evaluate(f"Reveal.slide({at})")
    page.evaluate(FRAMES)
    before = page.locator("section.present .posenc-reading").inner_text()
    page.locator("section.present input[type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    page.evaluate(FRAMES)
    assert page.locator("section.present .posenc-reading").inner_text() != before
    assert page.evaluate("Reveal.getIndices().h") == at


def test_a_clicker_turns_the_slide_from_within_a_figure_and_escape_leaves_it(opened):
    page = opened(FOLDER / "01_why_order_matters.html")
    place = "Reveal.getIndices().h"
    at = page.evaluate("Reveal.getSlides().findIndex((slide) => slide.querySelector('.posenc'))")
    page.evaluate(f"Reveal.slide({at})")
    for key, turned in ("PageDown", at + 1), ("PageUp", at - 1):
        page.evaluate(f"Reveal.slide({at})")
        page.locator("section.present .posenc-word").first.click()
        page.keyboard.press(key)
        assert page.evaluate(place) == turned
    page.evaluate(f"Reveal.slide({at})")
    page.locator("section.present .posenc-word").first.click()
    page.keyboard.press("Escape")
    assert not page.evaluate("Reveal.isOverview()")
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(place) == at + 1
    page.keyboard.press("Escape")  # with no figure to leave, all slides are shown
    assert page.evaluate("Reveal.isOverview()")


def test_a_pointer_meets_the_figure_at_every_size(opened):
    page = opened(FOLDER / "03_formula.html", "#/10")
    said = set()
    for width in (1280, 1920, 640):
        page.set_viewport_size({"width": width, "height": width * 9 // 16})
        page.evaluate(FRAMES)
        box = page.locator("section.present canvas").bounding_box()
        page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.4 * box["height"])
        page.evaluate(FRAMES)
        said.add(page.locator("section.present canvas").get_attribute("aria-label"))
    assert len(said) == 1


def test_the_teacher_sees_what_to_say(opened):
    page = opened(FOLDER / "09_rope.html")
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    popup.value.wait_for_function("document.querySelector('.speaker-controls-notes .value')")
    popup.value.wait_for_function(
        "document.querySelector('.speaker-controls-notes .value').textContent.includes('Time')"
    )
