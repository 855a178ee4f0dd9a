"""Moving figures under a finger, on a phone, and for who reads with larger text."""

import time

import pytest

from posenc_course.views import EncodingGrows
from tests.browser.conftest import BOOK, PLACES, page_of
from tests.browser.test_views import open_view, settle

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not BOOK.exists(), reason=f"no built book at {BOOK}"),
]

every_view = pytest.mark.parametrize("place", PLACES, ids=str)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SWIPE = 120  # pixels

# Where the controls of a view begin, on the page, for many values of one slider.
PLACES_OF_A_SLIDER = """async (slider) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const start = slider.value;
  const [low, high, step] = [slider.min, slider.max, slider.step].map(Number);
  const tops = [];
  for (let at = 0; at <= 8; at += 1) {
    slider.value = low + Math.round(((high - low) * at) / 8 / step) * step;
    slider.dispatchEvent(new Event("input"));
    await frame();
    tops.push(Math.round(slider.getBoundingClientRect().top + scrollY));
  }
  slider.value = start;
  slider.dispatchEvent(new Event("input"));
  await frame();
  return tops;
}"""


def swipe(session, x, y):
    """A finger goes up from a place, in small steps, and is lifted."""

    def touch(kind, *points):
        touches = [{"x": x, "y": at} for at in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", y)
    for gone in range(15, SWIPE + 1, 15):
        touch("touchMove", y - gone)
    time.sleep(0.1)  # it rests before it is lifted, or the page would run on
    touch("touchEnd")


@every_view
def test_a_swipe_scrolls_unless_it_holds_a_handle(tab, server, place):
    page = tab(**PHONE)
    view = open_view(page, server, place)
    canvas = view.locator("canvas").first
    session = page.context.new_cdp_session(page)
    held, trapped = 0, []
    for across in (0.15, 0.5, 0.85):
        for down in (0.3, 0.7):
            canvas.evaluate(
                """(el, down) => {
                  const box = el.getBoundingClientRect();
                  const to = scrollY + box.top + down * box.height - innerHeight / 2;
                  scrollTo({ top: to, behavior: "instant" });
                }""",
                down,
            )
            settle(page)
            box, before = canvas.bounding_box(), page.evaluate("scrollY")
            said = canvas.get_attribute("aria-label")
            swipe(session, box["x"] + across * box["width"], box["y"] + down * box["height"])
            settle(page)
            if page.evaluate("scrollY") > before + SWIPE / 3:
                assert canvas.get_attribute("aria-label") == said, "it scrolled and was moved"
            elif canvas.get_attribute("aria-label") != said:
                held += 1
            else:
                trapped.append((across, down))
    assert len(trapped) <= 1, trapped  # a handle may be held without being moved
    assert held <= 2


@every_view
def test_a_slider_stays_under_the_finger(tab, server, place):
    page = tab(viewport={"width": 390, "height": 844})
    view = open_view(page, server, place)
    for slider in view.locator("input[type=range]").all():
        tops = slider.evaluate(PLACES_OF_A_SLIDER)
        # A number that is a digit longer may need one more line, and then keeps it.
        name = slider.get_attribute("aria-valuetext")
        assert tops == sorted(tops), (name, tops)
        assert tops[-1] - tops[0] <= 30, (name, tops)


def test_the_opening_figure_marks_one_row_while_it_grows(tab):
    page = tab(viewport={"width": 900, "height": 800})
    page.add_init_script(
        """window.marked = new Set();
        const write = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
          if (this.font.startsWith("600") && Number.isInteger(text)) window.marked.add(text);
          write.call(this, text, ...place);
        };"""
    )
    page.goto("about:blank")
    page.set_content(page_of(EncodingGrows()))
    page.wait_for_timeout(1700)
    said = page.locator("input[type=range]").first.get_attribute("aria-valuetext")
    assert [f"row {row}" for row in page.evaluate("[...marked]")] == [said]


@every_view
def test_labels_grow_with_the_text(tab, server, place):
    page = tab(viewport={"width": 1300, "height": 900})
    view = open_view(page, server, place)
    canvas = view.locator("canvas").first
    size = "(el) => el.getContext('2d').getTransform().a / devicePixelRatio"
    assert canvas.evaluate(size) == 1
    page.add_style_tag(content="html { font-size: 150% !important; }")
    page.wait_for_timeout(200)
    assert canvas.evaluate(size) == pytest.approx(1.5, abs=0.01)


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_scrolls_sideways_beside_a_scrollbar(launch, server, width):
    names = ["01_why_order_matters", "05_wavelengths", "A_pytorch", "F6_shifts", "F12_beyond"]
    names += ["06_rotation", "09_rope", "index"]
    browser = launch("--force-device-scale-factor=1", scrollbars=True)
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    over = {}
    for name in names:
        page.goto(f"{server}/book/{name}.html", wait_until="load")
        page.wait_for_timeout(300)
        more = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        if page.evaluate(more):
            over[name] = page.evaluate(more)
    browser.close()
    assert not over


@pytest.mark.parametrize("name", ["index", "03_formula", "06_rotation"])
def test_twice_the_text_size_fits_a_phone(tab, server, name):
    page = tab(viewport={"width": 390, "height": 844})
    page.goto(f"{server}/book/{name}.html", wait_until="load")
    page.add_style_tag(content="html { font-size: 200% !important; }")
    page.wait_for_timeout(400)
    wide = page.evaluate(
        """() => [...document.querySelectorAll("main *")]
          .filter((el) => el.getBoundingClientRect().right > innerWidth + 1 && el.checkVisibility())
          .filter((el) => !el.closest("pre, .wide, .katex-display"))
          .map((el) => `${el.tagName}.${el.className.baseVal ?? el.className} ` +
            `${Math.round(el.getBoundingClientRect().right)}`).slice(0, 6)"""
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, wide
