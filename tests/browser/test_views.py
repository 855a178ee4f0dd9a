"""Every view of the built book, loaded once: keyboard, pointer, finger, theme, size."""

import contextlib
import re

import numpy as np
import pytest
from playwright.sync_api import TimeoutError as PageTimeout

from posenc_course.views import (
    ClockWall,
    RotatedPair,
    SameTurn,
    ShuffledWords,
    TwoCounters,
    WavelengthLadder,
)
from posenc_course.views.view import View
from tests.browser.conftest import FRAMES, IN_SIGHT, PLACES, page_of
from tests.browser.test_pages import OVER, REST, SIDEWAYS, THEME

SWIPE = 120  # pixels

LOOK = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(data.buffer);
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 1) sum = (Math.imul(sum, 31) + pixels[at]) | 0;
  return sum;
}"""
AT_REST = f"""(canvas) => ({FRAMES})().then(() =>
  [({LOOK})(canvas), canvas.getAttribute("aria-label")])"""
CHANGED = f"""([canvas, pixels, said]) =>
  ({LOOK})(canvas) !== pixels && canvas.getAttribute("aria-label") !== said"""
# A page that a finger has pushed runs on for a while.
RUN_OUT = f"""async () => {{
  for (let before = null; before !== scrollY;) {{
    before = scrollY;
    await ({FRAMES})();
  }}
}}"""
# A place where the drawing shows that it can be held.
HANDLE = """(el) => {
  const { x, y, width, height } = el.getBoundingClientRect();
  const columns = [60, 200, 350];
  for (let right = 20; right < width; right += 20) columns.push(right);
  for (let down = 30; down < height; down += 20) {
    for (const right of columns) {
      const at = { clientX: x + right, clientY: y + down };
      el.dispatchEvent(new PointerEvent("pointermove", at));
      if (["grab", "pointer"].includes(el.style.cursor)) return [at.clientX, at.clientY];
    }
  }
}"""
# Where the controls of a view begin, on the page, for many values of one slider.
PLACES_OF_A_SLIDER = f"""async (slider) => {{
  const [low, high] = [slider.min, slider.max].map(Number);
  const tops = [];
  for (let at = 0; at <= 8; at += 1) {{
    slider.value = low + ((high - low) * at) / 8;
    slider.dispatchEvent(new Event("input"));
    await ({FRAMES})();
    tops.push(Math.round(slider.getBoundingClientRect().top + scrollY));
  }}
  return tops;
}}"""
# What plays, if it has not come to its end meanwhile, stops where it is pressed or moved.
PRESSED = """(button) => {
  if (button.innerText === "Pause") button.click();
  return button.innerText;
}"""
MOVED = """(button) => {
  const detail = { position: 0.5 };
  button.dispatchEvent(new CustomEvent("posenc:set", { bubbles: true, detail }));
  return button.innerText;
}"""


class Shown:
    """A view on a page: its canvas, and what it says.

    ``whole`` and ``drawing`` are its elements, found once: to find one takes longer than to ask it.
    """

    def __init__(self, page, number=0):
        self.page, self.number = page, number
        self.el = page.locator("div.posenc[data-view]").nth(number)
        self.canvas = self.el.locator("canvas").first
        self.canvas.wait_for()
        self.whole, self.drawing = self.el.element_handle(), self.canvas.element_handle()
        self.kind = self.el.get_attribute("data-view")

    def all(self, selector):
        return self.el.locator(selector).all()

    def look(self):
        """The drawing at rest, as a number and as words."""
        return self.drawing.evaluate(AT_REST)

    def changes(self, act, what):
        """Do something, and wait until both the drawing and its words are others."""
        before = self.look()
        act()
        arg = [self.drawing, *before]
        try:
            self.page.wait_for_function(CHANGED, arg=arg, timeout=10_000)
        except PageTimeout as late:
            raise AssertionError(f"{what} did not change the drawing and its words") from late


def spoken(view):
    return view.drawing.get_attribute("aria-label")


def move_sliders(view):
    for slider in view.all("input[type=range]"):
        name = slider.locator("xpath=..").inner_text()
        at_end = slider.evaluate("(input) => input.value === input.max")
        slider.focus()
        view.changes(lambda: slider.press("ArrowLeft" if at_end else "ArrowRight"), name)
        assert slider.get_attribute("aria-valuetext")
        box = slider.bounding_box()
        share = slider.evaluate("(i) => (i.value - i.min) / (i.max - i.min)")
        there = {"x": box["width"] * (0.3 if share > 0.5 else 0.8), "y": box["height"] / 2}
        view.changes(lambda: slider.click(position=there), name)


def switch_and_choose(view):
    for box in view.all("input[type=checkbox]"):
        view.changes(lambda: box.press("Space"), "the switch")
        view.changes(box.click, "the switch")
    for select in view.all("select"):
        last = select.locator("option").count() - 1
        at_end = select.evaluate("(el) => el.selectedIndex") == last
        view.changes(lambda: select.select_option(index=1 if at_end else last), "the choice")
        view.changes(lambda: select.press("ArrowUp"), "the choice")


def type_a_sentence(view):
    for text in view.all("input[type=text]"):
        view.changes(lambda: text.fill("dog dog dog"), "the sentence")
        view.changes(lambda: text.press("Backspace"), "the sentence")
        text.fill("")
        assert text.get_attribute("aria-invalid") == "true"
        text.fill("I am a robot")


def move_a_word(view):
    """Give words, if a view has some, another order than a button leads to."""
    for word in view.all(".posenc-word")[:1]:
        word.press("ArrowDown")


def press_buttons(view):
    def disturb():
        for slider in view.all("input[type=range]"):
            slider.press("ArrowLeft")
            slider.press("ArrowLeft")
        move_a_word(view)

    for button in view.all(".posenc-row button"):
        name = button.inner_text()
        for act, stopped in ((button.click, MOVED), (lambda: button.press("Enter"), PRESSED)):
            disturb()
            view.changes(act, name)
            if name == "Play":
                assert button.evaluate(stopped) == "Play"


# A hand must be turned by half of its turn per token to reach the next.
FAR = {"SameTurn": (40, 80), "RotatedPair": (60, -80)}


def drag_the_drawing(view):
    view.el.evaluate("(el) => el.scrollIntoView({ behavior: 'instant' })")
    if words := view.all(".posenc-word"):
        view.changes(lambda: words[0].press("ArrowDown"), "an arrow key on a word")
        view.changes(lambda: words[0].press("ArrowUp"), "an arrow key on a word")
        boxes = words[0].bounding_box(), words[-1].bounding_box()
        start, end = ([box["x"] + 20, box["y"] + 20] for box in boxes)
    else:
        start = view.canvas.evaluate(HANDLE)
        assert start, "the drawing cannot be held anywhere"
        far = FAR.get(view.kind, (30, 45))
        end = (start[0] + far[0], start[1] + far[1])

    def drag():
        mouse = view.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=6)
        mouse.up()

    view.changes(drag, "dragging")


def follow_the_theme(view):
    looks = set()
    for theme, ground in (("light", "rgb(252, 251, 248)"), ("dark", "rgb(22, 25, 29)")):
        view.page.evaluate(THEME, theme)
        looks.add(view.look()[0])
        found = view.el.evaluate("(el) => getComputedStyle(el).getPropertyValue('--ground')")
        assert found == ground
    assert len(looks) == 2


def swipe(session, x, y):
    """A finger goes up from a place, in small steps, and is lifted."""
    for kind, gone in [
        ("touchStart", 0),
        *(("touchMove", gone) for gone in range(15, SWIPE + 1, 15)),
        ("touchEnd", None),
    ]:
        touches = [] if gone is None else [{"x": x, "y": y - gone}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def scroll_by_a_swipe(view):
    """A finger on the drawing scrolls the page, unless it holds a handle."""
    session = view.page.context.new_cdp_session(view.page)
    held, trapped = 0, []
    for across in (0.15, 0.5, 0.85):
        for down in (0.3, 0.7):
            view.canvas.evaluate(
                """(el, down) => {
                  const box = el.getBoundingClientRect();
                  const to = scrollY + box.top + down * box.height - innerHeight / 2;
                  scrollTo({ top: to, behavior: "instant" });
                }""",
                down,
            )
            said = view.look()[1]
            box, before = view.canvas.bounding_box(), view.page.evaluate("scrollY")
            swipe(session, box["x"] + across * box["width"], box["y"] + down * box["height"])
            view.page.evaluate(RUN_OUT)
            now = view.look()[1]
            if view.page.evaluate("scrollY") > before + SWIPE / 3:
                assert now == said, "it scrolled and was moved"
            elif now != said:
                held += 1
            else:
                trapped.append((across, down))
    assert len(trapped) <= 1, trapped  # a handle may be held without being moved
    assert held <= 2


def touch_everything(view):
    """A finger moves each control, and the drawing, where it rests before it moves."""
    finger = view.page.touchscreen

    def tap(element, across=0.5):
        element.evaluate("(el) => el.scrollIntoView({ block: 'center', behavior: 'instant' })")
        box = element.bounding_box()
        finger.tap(box["x"] + across * box["width"], box["y"] + box["height"] / 2)

    for slider in view.all("input[type=range]"):
        share = slider.evaluate("(i) => (i.value - i.min) / (i.max - i.min)")
        view.changes(lambda: tap(slider, 0.3 if share > 0.5 else 0.8), "a tap on a slider")
    for control in view.all("input[type=checkbox], .posenc-row button"):
        move_a_word(view)
        view.changes(lambda: tap(control), "a tap")
        control.evaluate(PRESSED)
    if view.all(".posenc-word"):
        return
    # A hand that turns little from token to token follows every drag.
    for slider in view.el.get_by_role("slider", name="turn per token").all():
        slider.press("Home")
    view.canvas.evaluate("(el) => el.scrollIntoView({ block: 'center', behavior: 'instant' })")
    x, y = view.canvas.evaluate(HANDLE)
    before = view.page.evaluate("scrollY")
    view.changes(lambda: press_and_drag(view, x, y), "a finger that rests, and then drags")
    assert view.page.evaluate("scrollY") == before


def press_and_drag(view, x, y):
    session = view.page.context.new_cdp_session(view.page)
    right, down = FAR.get(view.kind, (45, 90))
    for gone in np.linspace(0, 1, 10):
        touches = [{"x": x + gone * right, "y": y + gone * down}]
        kind = "touchMove" if gone else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        if not gone:
            view.page.wait_for_timeout(400)  # what a finger that rests takes to hold, and more
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def stay_under_the_finger(view):
    for slider in view.all("input[type=range]"):
        tops = slider.evaluate(PLACES_OF_A_SLIDER)
        # A number that is a digit longer may need one more line, and then keeps it.
        name = slider.get_attribute("aria-valuetext")
        assert tops == sorted(tops), (name, tops)
        assert tops[-1] - tops[0] <= 30, (name, tops)


def grow_with_the_text(view):
    size = "(el) => el.getContext('2d').getTransform().a / devicePixelRatio"
    view.page.set_viewport_size({"width": 1300, "height": 900})
    view.page.evaluate(FRAMES)
    assert view.canvas.evaluate(size) == 1
    larger = view.page.add_style_tag(content="html { font-size: 150% !important; }")
    view.page.wait_for_function(f"(el) => Math.abs(({size})(el) - 1.5) < 0.01", arg=view.drawing)
    larger.evaluate("(style) => style.remove()")
    view.page.set_viewport_size(PHONE)


PHONE = {"width": 390, "height": 844}
FIRST = {kind: (name, number) for name, number, kind in reversed(PLACES)}


@contextlib.contextmanager
def named(view):
    """Say of which view a failure is."""
    try:
        yield
    except Exception as error:
        error.add_note(f"This is {view.kind}, number {view.number} of its page.")
        raise


def moves_by_every_means(view, first):
    assert view.el.get_attribute("data-state") is None
    assert view.el.locator("canvas").count() == 1
    assert spoken(view)
    assert "Try this:" in view.el.inner_text()
    acts = [drag_the_drawing, move_sliders, switch_and_choose, type_a_sentence, press_buttons]
    if view.kind == "TableInspector":  # a picture is not moved; test_python.py presses its button
        acts = [switch_and_choose]
    if not first:  # another of a kind has other settings, and the same script
        acts = acts[:1]
    for act in (*acts, follow_the_theme):
        act(view)


def fits_a_phone(view, first):
    acts = [scroll_by_a_swipe, touch_everything, stay_under_the_finger, grow_with_the_text]
    if view.kind == "TableInspector":
        acts.remove(touch_everything)
    for act in acts if first else [stay_under_the_finger]:
        act(view)


@pytest.mark.parametrize("name", dict.fromkeys(name for name, *_ in PLACES))
def test_views_move_by_every_means_and_fit_everywhere(open_page, name):
    page = open_page(name, 1280, 1400, reduced_motion="reduce", has_touch=True)
    page.evaluate(REST)
    numbers = [number for place, number, _ in PLACES if place == name]
    views = [Shown(page, number) for number in numbers]
    for look in (moves_by_every_means, fits_a_phone):
        for view in views:
            with named(view):
                look(view, first=FIRST[view.kind] == (name, view.number))
        page.set_viewport_size(PHONE)


# -------------------------------------------------------------------- the drawing and its numbers


@pytest.fixture
def alone(screens):
    """Return a function that shows a view alone on a page, whose clock the test moves."""

    def show(view, **options):
        page = screens(**options)
        page.set_content(page_of(view))
        return Shown(page)

    return show


# What stands beside each slider, the words of the figure, and its drawing.
SEEN = f"""(el) => {{
  const texts = (selector) => [...el.querySelectorAll(selector)].map((found) => found.textContent);
  const words = [el.querySelector("canvas").ariaLabel, ...texts(".posenc-reading")];
  const tops = [...el.querySelectorAll(".posenc-word")].map((word) => word.style.top);
  return [texts("label:has([type=range]) b"), words, ({LOOK})(el.querySelector("canvas")), tops];
}}"""
STEP_ON = """(slider) => {
  slider.stepUp(3);
  slider.dispatchEvent(new Event("input"));
}"""
# Set a slider between its steps.
PUT = """(slider, value) => {
  slider.step = "any";
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}"""
PRESS = "(button) => button.click()"
KINDS = sorted(View.__subclasses__(), key=lambda kind: kind.__name__)
PLAYED = [kind for kind in KINDS if ".player(" in kind._module.read_text(encoding="utf-8")]


def seen_in_frames(view, count=30):
    """What is seen of a figure at the end of each of so many frames."""
    seen = []
    for _ in range(count):
        view.page.clock.run_for(16)
        seen.append(view.whole.evaluate(SEEN))
    return seen


def check_frames(seen, still):
    """Each frame must be what a figure without motion shows at the number of that frame.

    Returns the numbers beside the slider that moves, of the frames that could be compared: a hand
    on its way has a decimal at a whole number too, which a figure at rest has not.
    """
    columns = list(zip(*(numbers for numbers, *_ in seen), strict=True))
    moving = [at for at, column in enumerate(columns) if len(set(column)) > 1]
    if not moving:
        return []
    (at,) = moving
    slider = still.all("input[type=range]")[at].element_handle()
    compared = []
    for frame in seen:
        number = re.search(r"[-\N{MINUS SIGN}]?\d+(\.\d+)?", frame[0][at])[0]
        if number.endswith(".0"):
            continue
        slider.evaluate(PUT, float(number.replace("\N{MINUS SIGN}", "-")))
        still.page.clock.run_for(16)
        assert still.whole.evaluate(SEEN) == frame
        compared.append(number)
    return compared


@pytest.mark.parametrize("kind", PLAYED)
def test_what_plays_shows_its_numbers_and_pause_stops_it(alone, kind):
    view, still = alone(kind()), alone(kind(), reduced_motion="reduce")
    play = view.el.get_by_role("button", name="Play")
    assert view.all("input[type=range]")[0].evaluate("(slider) => slider.value !== slider.max")
    play.evaluate(PRESS)
    assert len(set(check_frames(seen_in_frames(view, 40), still))) >= 4
    view.el.get_by_role("button", name="Pause").evaluate(PRESS)
    first, *later = seen_in_frames(view, 10)
    assert all(frame == first for frame in later)
    assert check_frames([first, first], still) == []
    play.evaluate(PRESS)
    for _ in range(60):  # five minutes: longer than any takes to its end
        if not play.count():
            view.page.clock.fast_forward(5000)
    assert play.count() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_set_by_a_slider_shows_its_numbers_on_the_way(alone, kind):
    view, still = alone(kind()), alone(kind(), reduced_motion="reduce")
    sliders = zip(view.all("input[type=range]"), still.all("input[type=range]"), strict=True)
    for slider, same in sliders:
        slider.evaluate(STEP_ON)
        check_frames(seen_in_frames(view, 12), still)
        view.page.clock.run_for(1000)
        same.evaluate(PUT, slider.evaluate("(slider) => Number(slider.value)"))
        still.page.clock.run_for(16)
        assert view.whole.evaluate(SEEN) == still.whole.evaluate(SEEN)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_moves_before_it_is_touched(alone, kind):
    view = alone(kind())
    view.page.clock.run_for(16)
    assert view.canvas.evaluate(IN_SIGHT)
    first = view.whole.evaluate(SEEN)
    assert all(frame == first for frame in seen_in_frames(view, 4))
    view.page.clock.run_for(5000)
    assert view.whole.evaluate(SEEN) == first


@pytest.mark.parametrize(
    ("method", "scores"),
    [("adds a hand", ("4", "0", "4", "8")), ("turns the arrow", ("3", "3", "3", "3"))],
)
def test_two_words_that_move_on_keep_their_score_only_if_they_turn(alone, method, scores):
    """(2, 1) and (1, 2) at 1 and 2, at 2 and 3, ..., with a hand of a quarter turn per token."""
    view = alone(RotatedPair(), reduced_motion="reduce")
    view.page.get_by_role("combobox").select_option(method)
    for score in scores:
        view.page.clock.run_for(100)
        assert spoken(view).endswith(f" = {score}.")
        view.page.get_by_role("button", name="Move both on by one token").click()


def test_the_ladder_stops_at_the_lengths_that_its_chapter_names(alone):
    view = alone(WavelengthLadder(length=8))
    slider = view.page.get_by_role("slider", name="length of the text")
    stops = set()
    for _ in range(int(slider.get_attribute("max")) + 1):
        stops.add(slider.get_attribute("aria-valuetext").removesuffix(" tokens"))
        slider.press("ArrowRight")
    assert {"50", "512", "2\u202f048", "20\u202f000"} <= stops


@pytest.mark.parametrize(("length", "said"), [(8, "1 of 4 hands finishes "), (64, "2 of 4 ")])
def test_one_hand_finishes_and_two_finish(alone, length, said):
    assert said in spoken(alone(WavelengthLadder(length=length)))


def test_a_handle_looks_as_if_it_can_be_held(alone):
    view = alone(SameTurn())
    x, y = view.canvas.evaluate(HANDLE)
    cursor = "(el) => el.style.cursor"
    mouse = view.page.mouse
    mouse.move(x, y)
    assert view.canvas.evaluate(cursor) == "grab"
    mouse.down()
    assert view.canvas.evaluate(cursor) == "grabbing"
    mouse.up()
    assert view.canvas.evaluate(cursor) == "grab"
    mouse.move(1, 1)
    view.canvas.evaluate("(el) => el.dispatchEvent(new PointerEvent('pointermove'))")
    assert view.canvas.evaluate(cursor) == ""


# Of each control of a view, once it is in the middle of what is below the drawing: how much of the
# drawing is in sight, and whether the control is what is met at its middle.
WITH_ITS_CONTROLS = """(el) => {
  const drawing = el.querySelector("canvas");
  const bar = document.querySelector("header").getBoundingClientRect().bottom;
  return [...el.querySelectorAll(".posenc-controls :is(input, button, select)")].map((control) => {
    control.scrollIntoView({ block: "end", behavior: "instant" });
    scrollBy(0, 20);
    const [box, place] = [drawing, control].map((one) => one.getBoundingClientRect());
    const [x, y] = [place.left + place.width / 2, place.top + place.height / 2];
    const seen = Math.min(box.bottom, innerHeight) - Math.max(box.top, bar);
    return [seen / box.height, control.contains(document.elementFromPoint(x, y))];
  });
}"""


@pytest.mark.parametrize("name", ["05_wavelengths", "07_binary", "09_rope"])
def test_a_drawing_stays_in_sight_while_its_controls_are_worked_on_a_phone(open_page, name):
    page = open_page(f"book/{name}.html", 390, 844)
    views = page.locator(".posenc[data-view]").all()
    assert views
    for view in views:
        view.locator("canvas").first.wait_for()
        controls = view.evaluate(WITH_ITS_CONTROLS)
        assert controls
        for seen, met in controls:
            assert seen > 0.9
            assert met


@pytest.mark.parametrize("kind", [ClockWall, RotatedPair, SameTurn, TwoCounters])
def test_a_hand_turns_unless_less_motion_is_asked_for(alone, kind):
    def looks(view):
        """What is drawn in the second after a slider is moved."""
        view.el.locator("input[type=range]").first.evaluate(
            "(slider) => { slider.stepUp(); slider.dispatchEvent(new Event('input')); }"
        )
        seen = []
        for milliseconds in (*[16] * 12, 1000):
            view.page.clock.run_for(milliseconds)
            seen.append(view.drawing.evaluate(LOOK))
        return seen

    turning, still = looks(alone(kind())), looks(alone(kind(), reduced_motion="reduce"))
    assert len(set(still)) == 1  # where it is set, from the first frame on
    assert turning[-1] == still[-1]
    assert len(set(turning)) > 3


def test_the_opening_page_without_scripts_and_on_its_first_screen(open_page):
    page = open_page("book/index.html", java_script_enabled=False)
    picture = page.get_by_role("img", name="A clock hand draws")
    assert picture.bounding_box()["width"] > 300
    assert picture.evaluate("(image) => image.naturalWidth") > 300
    assert page.get_by_role("link", name="Begin with chapter 1").first.is_visible()
    page = open_page("book/index.html", 1300, 900)
    picture = page.locator(".posenc canvas").bounding_box()
    assert picture["y"] + picture["height"] < 900


def test_two_words_that_are_pressed_change_places(tab):
    page = tab(reduced_motion="reduce")
    page.set_content(page_of(ShuffledWords()))
    view = Shown(page)
    dog, bites, man = view.all(".posenc-word")

    def act(word):
        word.press("Enter")
        page.evaluate(FRAMES)

    act(dog)
    assert dog.get_attribute("aria-pressed") == "true"
    assert "dog is picked" in view.el.inner_text()
    act(man)
    assert "man bites dog" in spoken(view)
    assert "The order makes no difference." in spoken(view)
    assert dog.get_attribute("aria-pressed") == "false"
    act(bites)
    act(bites)  # a second press lets go
    act(dog)
    assert "dog is picked" in view.el.inner_text()


def test_shuffled_words_computes_what_numpy_does(tab):
    vectors = np.array([[1.5, -1], [0, 3], [2, 0.5]])
    rows = vectors[[2, 1, 0]] + [[0, 1], [1, 0], [0, -1]]  # a hand, by quarter turns
    powers = 2.0 ** (rows @ rows.T) * np.tri(3)  # with a mask
    outputs = powers @ rows / powers.sum(axis=1, keepdims=True)
    page = tab()
    view = ShuffledWords(vectors=vectors, order=[2, 1, 0], positions=True, mask=True)
    page.set_content(page_of(view))
    said = spoken(Shown(page)).replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
    for word, row in zip(("man", "bites", "dog"), outputs, strict=True):
        first, second = (f"{value:.2f}".rstrip("0").rstrip(".") for value in row)
        assert f"{word} ({first}, {second})" in said


# ---------------------------------------------------------------------------- larger text


def test_twice_the_text_size_fits_a_phone(tab, server):
    page = tab(viewport={"width": 390, "height": 844})
    for name in ("index", "03_formula", "06_rotation"):
        page.goto(f"{server}/book/{name}.html")
        page.add_style_tag(content="html { font-size: 200% !important; }")
        page.evaluate(FRAMES)
        assert not page.evaluate(OVER), page.evaluate(SIDEWAYS)
