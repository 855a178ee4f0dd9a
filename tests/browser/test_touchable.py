"""Words of the prose that set the moving figure beside them."""

import itertools
import json

import pytest

from posenc_course import views
from tests.browser.conftest import BOOK, FRAMES, IN_SIGHT, OPENED, html, page_of
from tests.browser.test_pages import REST

INPUTS = """(el) => [...el.querySelectorAll("input, select")]
  .map((input) => input.type === "checkbox" ? input.checked : input.value).join("; ")"""
# The figure that was marked when its words were pressed; the mark stays for a second.
MARKED = """addEventListener("posenc:set", ({ target }) => queueMicrotask(() => {
  window.marked = target.classList.contains("touched") && target;
}), true);"""
UNCOVERED = """(el) => [...el.getClientRects()].every(({ left, right, top, bottom }) =>
  el.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)))"""

# Waits until the words of a figure have been the same for ten frames: its hands have arrived.
ARRIVED = """(el) => new Promise((done) => {
  let [words, frames] = ["", 0];
  const look = () => {
    frames = el.textContent === words ? frames + 1 : 0;
    words = el.textContent;
    frames < 10 ? requestAnimationFrame(look) : done();
  };
  look();
})"""
# Of the page, with its fraction of a pixel: what is a quarter too low is not seen in every chapter.
TALL = "document.documentElement.getBoundingClientRect().height"


def pressed_in_turn(page):
    """Return, for each touch of a page, the number of its figure and the figure as it then is."""
    states, reached = [], []
    for element in page.select(".touch, [data-view]"):
        if element.name == "span":
            reached.append((max(len(states) - 1, 0), json.loads(element["data-set"])))
            continue
        state = json.loads(element["data-state"])
        del state["_suggestion"]
        states.append((element["data-view"], state))
    for number, settings in reached:
        kind, state = states[number]
        state |= settings
        yield number, getattr(views, kind)(**state)


def state_of(figure):
    return figure.locator("canvas").get_attribute("aria-label"), figure.evaluate(INPUTS)


@pytest.mark.parametrize("width", [1300, 390])
def test_every_touch_sets_its_figure_and_keeps_its_sentence(tab, server, width):
    pages = {
        name: list(pressed_in_turn(html(name)))
        for name in OPENED
        if 'class="touch"' in (BOOK / name).read_text(encoding="utf-8")
    }
    assert pages
    plain, page = tab(reduced_motion="reduce"), tab(reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 844})
    page.add_init_script(MARKED)
    plain.set_content(page_of(*(view for touched in pages.values() for _, view in touched)))
    plain.evaluate(FRAMES)
    wanted = iter(plain.locator("div.posenc").all())
    keys = itertools.cycle(["Enter", "Space", "click"])
    for name, touched in pages.items():
        page.goto(f"{server}/{name}", wait_until="domcontentloaded")
        figures = page.locator("div.posenc[data-view]")
        for words, (number, _) in zip(page.locator(".touch").all(), touched, strict=True):
            key, figure = next(keys), figures.nth(number)
            assert words.get_attribute("title") == "Press, and the figure shows it"
            words.evaluate("(el) => el.scrollIntoView({ block: 'center', behavior: 'instant' })")
            page.evaluate(FRAMES)
            at = words.bounding_box()
            words.click() if key == "click" else words.press(key)
            assert figure.evaluate("(el) => el === window.marked")
            page.evaluate(FRAMES)
            assert words.bounding_box() == pytest.approx(at, abs=1)
            assert words.evaluate(UNCOVERED), f"{name}: {words.inner_text()}"
            assert state_of(figure) == state_of(next(wanted)), f"{name}: {words.inner_text()}"
            assert figure.locator("canvas").evaluate(IN_SIGHT), f"{name}: {words.inner_text()}"
            assert figure.evaluate("(el) => !el.getAnimations().length")


def test_a_figure_that_came_to_its_words_goes_back(open_page):
    page = open_page("book/09_rope.html", 390, 844)
    page.evaluate(REST)
    brought = page.locator(".posenc.brought")
    words = page.locator(".touch").last
    words.click()
    brought.evaluate(ARRIVED)  # on its way a hand has decimals, which may need a line more
    page.keyboard.press("Escape")
    brought.wait_for(state="detached")
    page.evaluate(FRAMES)
    tall = page.evaluate(TALL)
    for leave in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_role("button", name="Put it back").click(),
        lambda: page.evaluate("scrollTo({ top: 0, behavior: 'instant' })"),
    ):
        words.click()
        brought.wait_for()
        assert page.evaluate(TALL) == tall
        leave()
        brought.wait_for(state="detached")
        page.evaluate(FRAMES)
        assert page.evaluate(TALL) == tall
