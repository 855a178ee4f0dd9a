"""Every view on every page of the built book, moved by keyboard and by pointer."""

import nbformat
import numpy as np
import pytest

from posenc_course.views import (
    ClockWall,
    EncodingGrows,
    RotatedPair,
    SameTurn,
    ShuffledWords,
    TwoCounters,
)
from tests.browser.conftest import BOOK, MEASURED, PLACES, ROOT, page_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not BOOK.exists(), reason=f"no built book at {BOOK}"),
]

every_view = pytest.mark.parametrize("place", PLACES, ids=str)
LARGEST_ADDITION = 12 * 1024  # bytes, compressed
LARGEST_WITH_A_METHOD = 20 * 1024  # where the page finds out what only Python could say
LONGEST_REDRAW = 16  # milliseconds


def open_view(page, origin, place):
    """Open the page of a view and return the view once it is drawn."""
    page.goto(f"{origin}/{place.page}", wait_until="domcontentloaded")
    view = page.locator("div.posenc[data-view]").nth(place.number)
    view.locator("canvas").first.wait_for()
    # A font that comes late moves lines, and `ready` does not wait for one not yet asked for.
    page.evaluate(
        "Promise.all([...document.fonts].filter((face) => face.family.includes('Words'))"
        ".map((face) => face.load())).then(() => null)"
    )
    settle(page)
    return view


def settle(page):
    """Wait until a change is on the screen, a word that glides included."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))")


LOOK = """(el) => {
  const canvas = el.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Uint32Array(data.buffer).reduce((sum, pixel) => (sum * 31 + pixel) | 0, 0);
}"""


def drawing(view):
    """Return a number for the pixels of a view's canvas, once two looks in a row agree."""
    before = None
    for _ in range(60):
        now = view.evaluate(LOOK)
        if now == before:
            break
        before = now
        settle(view.page)
    return now


def spoken(view):
    return view.locator("canvas").first.get_attribute("aria-label")


def must_change(view, act, what):
    before, said = (
        view.evaluate(LOOK),
        spoken(view),
    )  # at rest, since the last change was waited for
    act()
    assert drawing(view) != before, f"{what} did not change the drawing"
    assert spoken(view) != said, f"{what} did not change the text alternative"


def test_the_book_has_the_views_of_its_sources():
    stored = [
        output.data["text/html"].count('<div class="posenc" data-view=')
        for path in sorted((ROOT / "book").glob("*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    written = [path.read_text().count("```{view}") for path in (ROOT / "book").glob("*.md")]
    if (ROOT / "_build" / "html").resolve() == BOOK:
        assert len(PLACES) == sum(stored) + sum(written)
    assert "EncodingGrows" in {place.kind for place in PLACES if place.page == "book/index.html"}


def test_rows_appear_once_unless_less_motion_is_asked_for(tab):
    def looks(page):
        page.set_content(page_of(EncodingGrows()))
        seen = []
        for _ in range(2):
            seen.append(page.locator("canvas").evaluate("(el) => el.toDataURL()"))
            page.wait_for_timeout(1600)
        return seen

    first, last = looks(tab())
    assert first != last
    still, again = looks(tab(reduced_motion="reduce"))
    assert still == again == last


def test_a_move_ends_the_growth(tab):
    page = tab()
    page.set_content(page_of(EncodingGrows()))
    slider = page.get_by_role("slider", name="position k")
    slider.press("ArrowRight")
    settle(page)
    moved = page.locator("canvas").evaluate("(el) => el.toDataURL()")
    page.wait_for_timeout(1600)
    assert page.locator("canvas").evaluate("(el) => el.toDataURL()") == moved
    assert "has 34 of its 48 rows" in spoken(page)


# The looks of a canvas, frame by frame, from a press on a slider until a second after.
LOOKS = f"""async (el) => {{
  const [look, looks] = [{LOOK}, []];
  const slider = el.querySelector("input[type=range]");
  slider.stepUp();
  slider.dispatchEvent(new Event("input"));
  const end = performance.now() + 1000;
  while (performance.now() < end) {{
    await new Promise(requestAnimationFrame);
    looks.push(look(el));
  }}
  return looks;
}}"""


@pytest.mark.parametrize("kind", [ClockWall, RotatedPair, SameTurn, TwoCounters])
def test_a_hand_turns_unless_less_motion_is_asked_for(tab, kind):
    def looks(page):
        page.set_content(page_of(kind()))
        return page.locator("div.posenc").evaluate(LOOKS)

    turning, still = looks(tab()), looks(tab(reduced_motion="reduce"))
    assert len(set(still)) == 1  # where it is set, from the first frame on
    assert turning[-1] == still[-1]
    assert len(set(turning)) > 3


def test_the_opening_page_has_a_picture_without_scripts(tab, server):
    page = tab(java_script_enabled=False)
    page.goto(f"{server}/book/index.html")
    picture = page.get_by_role("img", name="A clock hand draws")
    assert picture.bounding_box()["width"] > 300
    assert page.get_by_role("link", name="Begin with chapter 1").first.is_visible()


def test_the_opening_page_begins_on_its_first_screen(tab, server):
    page = tab(viewport={"width": 1300, "height": 900})
    page.goto(f"{server}/book/index.html")
    picture = page.locator(".posenc canvas").bounding_box()
    assert picture["y"] + picture["height"] < 900
    page.get_by_role("link", name="Begin with chapter 1").first.click()
    assert "/01_why_order_matters.html" in page.url


@every_view
def test_view_is_drawn_once_and_described(tab, origin, place):
    page = tab()
    view = open_view(page, origin, place)
    assert view.get_attribute("data-state") is None
    assert view.locator("canvas").count() == 1
    assert spoken(view)
    assert "Try this:" in view.inner_text()
    loaded = page.evaluate("[...document.scripts].map((script) => script.src).join()")
    assert "require" not in loaded
    assert "html-manager" not in loaded
    assert not page.outside


def move_sliders(view):
    for slider in view.locator("input[type=range]").all():
        name = slider.locator("xpath=..").inner_text()
        at_end = slider.evaluate("(input) => input.value === input.max")
        slider.focus()
        must_change(view, lambda: slider.press("ArrowLeft" if at_end else "ArrowRight"), name)
        assert slider.get_attribute("aria-valuetext")
        box = slider.bounding_box()
        share = slider.evaluate("(i) => (i.value - i.min) / (i.max - i.min)")
        there = {"x": box["width"] * (0.3 if share > 0.5 else 0.8), "y": box["height"] / 2}
        must_change(view, lambda: slider.click(position=there), name)


def switch_and_choose(view):
    for box in view.locator("input[type=checkbox]").all():
        must_change(view, lambda: box.press("Space"), "the switch")
        must_change(view, box.click, "the switch")
    for select in view.locator("select").all():
        last = select.locator("option").count() - 1
        at_end = select.evaluate("(el) => el.selectedIndex") == last
        must_change(view, lambda: select.select_option(index=1 if at_end else last), "the choice")
        must_change(view, lambda: select.press("ArrowUp"), "the choice")


def type_a_sentence(view):
    for text in view.locator("input[type=text]").all():
        must_change(view, lambda: text.fill("dog dog dog"), "the sentence")
        must_change(view, lambda: text.press("Backspace"), "the sentence")
        text.fill("")
        assert text.get_attribute("aria-invalid") == "true"
        text.fill("I am a robot")


def press_buttons(view):
    def disturb():
        for slider in view.locator("input[type=range]").all():
            slider.press("ArrowLeft")
            slider.press("ArrowLeft")
        for word in view.locator(".posenc-word").all()[:1]:
            word.press("ArrowDown")

    for button in view.locator(".posenc-row button").all():
        name = button.inner_text()
        for act in (button.click, lambda: button.press("Enter")):
            disturb()
            before = drawing(view)
            act()
            if name == "Play":
                view.page.wait_for_timeout(700)
                button.click()
                assert button.inner_text() == "Play"
            assert drawing(view) != before, f"{name} did not change the drawing"


def drag_the_drawing(view):
    page = view.page
    if view.get_attribute("data-view") == "TableInspector":
        return  # what is pasted is drawn, and is not there to be moved
    words = view.locator(".posenc-word")
    view.evaluate("(el) => el.scrollIntoView()")
    if words.count():
        must_change(view, lambda: words.first.press("ArrowDown"), "an arrow key on a word")
        must_change(view, lambda: words.first.press("ArrowUp"), "an arrow key on a word")
        first, last = words.first.bounding_box(), words.last.bounding_box()
        start, end = ((box["x"] + 20, box["y"] + 20) for box in (first, last))
    else:
        start = a_place_to_hold(view)
        # A hand of one radian per token must be turned by half of that to reach the next.
        far = (40, 80) if view.get_attribute("data-view") == "SameTurn" else (30, 45)
        end = (start[0] + far[0], start[1] + far[1])

    def drag():
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=6)
        page.mouse.up()

    must_change(view, drag, "dragging")


def a_place_to_hold(view):
    """Return a point where the drawing shows that it can be held."""
    place = view.locator("canvas").evaluate(
        """(el) => {
          const { x, y, width, height } = el.getBoundingClientRect();
          const columns = [60, 200, 350];
          for (let right = 20; right < width; right += 20) columns.push(right);
          for (let down = 30; down < height; down += 20) {
            for (const right of columns) {
              const at = { clientX: x + right, clientY: y + down };
              el.dispatchEvent(new PointerEvent("pointermove", at));
              if (el.style.cursor === "pointer") return [at.clientX, at.clientY];
            }
          }
        }"""
    )
    assert place, "the drawing cannot be held anywhere"
    return place


@every_view
def test_every_control_moves_the_view(tab, origin, place):
    page = tab(reduced_motion="reduce", viewport={"width": 1280, "height": 1400})
    view = open_view(page, origin, place)
    for act in (drag_the_drawing, move_sliders, switch_and_choose, type_a_sentence, press_buttons):
        act(view)


@every_view
def test_colours_follow_the_theme(tab, server, place):
    page = tab()
    view = open_view(page, server, place)
    images = []
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        settle(page)
        images.append(drawing(view))
        ground, ink = view.evaluate(
            """(el) => [
              getComputedStyle(el.parentElement).backgroundColor, getComputedStyle(el).color,
            ]"""
        )
        assert ground == "rgba(0, 0, 0, 0)"
        assert ink == {"light": "rgb(31, 41, 51)", "dark": "rgb(227, 229, 232)"}[theme]
    assert images[0] != images[1]


@every_view
def test_layout_holds_on_a_phone(tab, server, place):
    page = tab(viewport={"width": 320, "height": 640}, device_scale_factor=2, has_touch=True)
    view = open_view(page, server, place)
    # Fonts that come late widen words for a moment.
    page.evaluate("document.fonts.ready")
    fits = "(el) => el.scrollWidth <= el.clientWidth"
    page.wait_for_function(fits, arg=view.element_handle(), timeout=5000)
    assert view.evaluate("(el) => el.getBoundingClientRect().right <= innerWidth")
    for control in view.locator("input, select, button, label.posenc-switch").all():
        if control.get_attribute("type") != "checkbox":  # its label is the target
            assert control.bounding_box()["height"] >= 44
            assert control.bounding_box()["width"] >= 44


@every_view
def test_view_is_small_and_fast(tab, server, place):
    page = tab()
    view = open_view(page, server, place)
    # A redraw at the largest setting: every slider at its end, then each one moved by steps.
    redraw = view.evaluate(
        """async (el, limit) => {
          const sliders = [...el.querySelectorAll('input[type=range]')];
          const text = el.querySelector('input[type=text]');
          const other = el.querySelector('.posenc-row button') ?? el.querySelector('select');
          const change = (input) => input.dispatchEvent(new Event('input', { bubbles: true }));
          const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          if (text) { text.value = 'a b c d e f g h i j k l m n o p'; change(text); }
          el.querySelectorAll('input[type=checkbox]').forEach((box) => box.click());
          for (const slider of sliders) { slider.value = slider.max; change(slider); }
          await frame();
          const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
          // Other programs can only add to a frame's time: the quickest of five rounds counts.
          let quickest = Infinity;
          for (let round = 0; round < 5 && !(quickest < limit); round += 1) {
            const worst = [];
            for (const slider of sliders.length ? sliders : [other]) {
              const times = [];
              for (let step = 0; step < 15; step += 1) {
                if (slider.type === 'range') {
                  if (step % 2) slider.stepUp(2); else slider.stepDown(2);
                  window.frameTimes.length = 0;
                  change(slider);
                } else if (slider.type === 'select-one') {
                  slider.selectedIndex = 1 + (step % (slider.length - 1));
                  window.frameTimes.length = 0;
                  slider.dispatchEvent(new Event('change'));
                } else {
                  window.frameTimes.length = 0;
                  slider.click();
                }
                await frame();
                times.push(Math.max(...window.frameTimes));
              }
              worst.push(median(times));
            }
            quickest = Math.min(quickest, Math.max(...worst));
          }
          return quickest;
        }""",
        LONGEST_REDRAW,
    )
    MEASURED[place][1] = redraw
    computes = place.kind == "TableInspector"
    assert MEASURED[place][0] <= (LARGEST_WITH_A_METHOD if computes else LARGEST_ADDITION)
    assert redraw < LONGEST_REDRAW


def test_one_word_has_no_other_order(tab):
    page = tab()
    page.set_content(page_of(ShuffledWords(sentence="dog", order=[0])))
    page.get_by_role("button", name="Shuffle").click(timeout=5_000)
    assert "dog" in spoken(page)


@pytest.mark.parametrize("press", ["click", "Enter", "Space"])
def test_two_words_that_are_pressed_change_places(tab, press):
    page = tab(reduced_motion="reduce")
    page.set_content(page_of(ShuffledWords()))
    view = page.locator("div.posenc[data-view]")
    dog, bites, man = view.locator(".posenc-word").all()

    def act(word):
        if press == "click":
            word.click()
        else:
            word.press(press)

    act(dog)
    settle(page)
    assert dog.get_attribute("aria-pressed") == "true"
    assert "dog is picked" in view.inner_text()
    act(man)
    settle(page)
    assert "man bites dog" in spoken(view)
    assert "The order makes no difference." in spoken(view)
    assert dog.get_attribute("aria-pressed") == "false"
    act(bites)
    act(bites)  # a second press lets go
    act(dog)
    settle(page)
    assert "dog is picked" in view.inner_text()


def test_shuffled_words_computes_what_numpy_does(tab):
    vectors = np.array([[1.5, -1], [0, 3], [2, 0.5]])
    rows = vectors[[2, 1, 0]] + [[0, 1], [1, 0], [0, -1]]  # a hand, by quarter turns
    powers = 2.0 ** (rows @ rows.T) * np.tri(3)  # with a mask
    outputs = powers @ rows / powers.sum(axis=1, keepdims=True)
    page = tab()
    view = ShuffledWords(vectors=vectors, order=[2, 1, 0], positions=True, mask=True)
    page.set_content(page_of(view))
    said = spoken(page).replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
    for word, row in zip(("man", "bites", "dog"), outputs, strict=True):
        first, second = (f"{value:.2f}".rstrip("0").rstrip(".") for value in row)
        assert f"{word} ({first}, {second})" in said


def test_shuffled_words_opens_with_a_swap_that_a_touch_ends(tab):
    page = tab()
    page.set_content(page_of(ShuffledWords(vectors=[[1, 1], [0, 3], [2, 1]])))
    dog = page.locator(".posenc-word").first
    page.wait_for_function("document.querySelector('.posenc-word').style.top !== '26px'")
    assert "“dog bites man”" in spoken(page)  # only the drawing moves
    page.keyboard.press("Tab")
    page.wait_for_function("document.querySelector('.posenc-word').style.top === '26px'")
    assert dog.inner_text() == "dog"


def test_shuffled_words_stays_still_where_motion_is_reduced(tab):
    page = tab(reduced_motion="reduce")
    page.set_content(page_of(ShuffledWords()))
    page.wait_for_timeout(1500)
    assert page.locator(".posenc-word").first.evaluate("word => word.style.top") == "26px"
