"""What each moving figure asks its reader to try, done by mouse, by finger and by keys.

A native list of choices, which opens above the page, is the system's own: a mouse and a finger open
it where it stands, and what they take there is told to the page as a browser tells it.
"""

import re

import pytest

from posenc_course.views import (
    ClockHand,
    ClockWall,
    CollisionExplorer,
    EncodingGrows,
    FormulaReader,
    MovedPoint,
    RotatedPair,
    RoundedHands,
    RoundedRows,
    SameTurn,
    SentenceEncoder,
    ShuffledWords,
    SimilarityKernel,
    StretchedLadder,
    TableInspector,
    TwoArrows,
    TwoCounters,
    WavelengthLadder,
)
from posenc_course.views.view import View
from tests.browser.conftest import page_of
from tests.browser.test_views import HANDLE, Shown, spoken

CENTRE = "(el) => el.scrollIntoView({ block: 'center', behavior: 'instant' })"
# Where the thumb of a slider is at a share of its way, from the left of it.
THUMB = """(slider, share) => {
  share ??= (slider.value - slider.min) / (slider.max - slider.min);
  return 11 + share * (slider.clientWidth - 22);
}"""
# Milliseconds, of a clock that the test moves: after the first a finger holds what is under it, and
# in the second a hand turns to where it is set.
REST, TURN = 400, 700


class Reader:
    """One who moves the parts of a figure in one way."""

    def __init__(self, view, way):
        self.view, self.page, self.way = view, view.page, way
        self.session = view.page.context.new_cdp_session(view.page)

    def part(self, role, name):
        found = self.view.el.get_by_role(role, name=re.compile(f"^{re.escape(name)}")).first
        found.evaluate(CENTRE)
        return found

    def push(self, start, end, rest=0):
        """Go from a place on the screen to another, pressed."""
        way = [[a + (b - a) * n / 8 for a, b in zip(start, end, strict=True)] for n in range(9)]
        if self.way == "mouse":
            self.page.mouse.move(*start)
            self.page.mouse.down()
            for place in way:
                self.page.mouse.move(*place)
            self.page.mouse.up()
            return
        for at, (x, y) in enumerate(way):
            kind = "touchMove" if at else "touchStart"
            points = [{"x": x, "y": y}]
            self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            if not at:
                self.page.clock.run_for(rest)
        self.session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def press(self, name, role="button"):
        part = self.part(role, name)
        if self.way == "keys":
            part.press("Space")
        elif self.way == "mouse":
            part.click()
        else:
            part.tap()

    def tick(self, name):
        self.press(name, "checkbox")

    def slide(self, name, share):
        """Put a slider to a share of its way: 0 for its begin, 1 for its end."""
        slider = self.part("slider", name)
        if self.way == "keys":
            slider.press("End" if share == 1 else "Home")
            for _ in range(round(10 * share) if 0 < share < 1 else 0):
                slider.press("PageUp")
            return
        box = slider.bounding_box()
        start, end = (
            (box["x"] + slider.evaluate(THUMB, at), box["y"] + box["height"] / 2)
            for at in (None, share)
        )
        self.push(start, end)

    def choose(self, name, option):
        choice = self.part("combobox", name)
        if self.way == "keys":
            choice.focus()
            self.page.keyboard.type(option)
            return
        choice.click() if self.way == "mouse" else choice.tap()
        assert choice.evaluate("(el) => document.activeElement === el")
        self.page.keyboard.press("Escape")
        choice.select_option(label=option)

    def write(self, name, text):
        field = self.part("textbox", name)
        if self.way == "keys":
            field.focus()
        elif self.way == "mouse":
            field.click()
        else:
            field.tap()
        assert field.evaluate("(el) => document.activeElement === el")
        field.evaluate("(el) => el.select()")
        # The keyboard of a phone sends texts and no keys.
        (self.page.keyboard.insert_text if self.way == "finger" else self.page.keyboard.type)(text)

    def drag(self, right, down, *sliders):
        """Drag what can be held in the drawing; keys move its sliders instead."""
        if self.way == "keys":
            for name, share in sliders:
                self.slide(name, share)
            return
        self.view.canvas.evaluate(CENTRE)
        start = self.view.canvas.evaluate(HANDLE)
        self.push(start, (start[0] + right, start[1] + down), REST)

    def seen(self):
        """Return what the figure says, and all words around it, when its hands have turned."""
        self.page.clock.run_for(TURN)
        return spoken(self.view), self.view.whole.inner_text()


def does(act, *given, find="", same=""):
    """An act of a reader; its words then hold one pattern, and what another finds as before."""
    return act, given, find, same


# For each paragraph that begins with "Try this:", its figure and what it asks to do.
TRIES = {
    "ClockHand": (
        ClockHand(),
        does("press", "Play"),
        does("drag", 30, 30, ("position k", 0.5)),
    ),
    "ClockHand, ahead": (ClockHand(phase=0.5), does("slide", "phase", 1)),
    "ClockWall": (
        ClockWall(),
        does("slide", "position k", 0.7, same=r"dot product [\d.]+, distance [\d.]+"),
    ),
    "CollisionExplorer": (
        CollisionExplorer(),
        does("slide", "numbers in a row, d", 1, find="a step of 1"),
    ),
    "EncodingGrows": (
        EncodingGrows(position=10),
        does("drag", 25, 60, ("position k", 0.6)),
        does("drag", 60, 25, ("hand i", 0.7)),
    ),
    "FormulaReader": (
        FormulaReader(),
        does("drag", 0, 60, ("position k", 0.6)),
        does("drag", 60, 0, ("hand i", 0.8)),
    ),
    "FormulaReader, same angle": (
        FormulaReader(same_angle=True),
        does("drag", 80, 60, ("position k", 0.6), ("hand i", 0.7)),
    ),
    "MovedPoint": (
        MovedPoint(),
        *[does("press", "Turn by 30°")] * 3,
        does("press", "Leave"),
        does("press", "Quarter turn", find=r"Mp = \(1\.00, −3\.00\)"),
    ),
    "RotatedPair": (
        RotatedPair(),
        does("press", "Move both on by one token", same=r" = \S+\.$"),
        does("choose", "what a position does", "adds a hand", find=" = 0.$"),
        does("press", "Move both on by one token", find=" = 4.$"),
    ),
    "RoundedHands": (
        RoundedHands(),
        does("press", "Play"),
        does("slide", "hands", 1),
        does("tick", "Round"),
    ),
    "RoundedRows": (
        RoundedRows(),
        does("slide", "how much is rounded", 0, find="Rounded by 0 %"),
    ),
    "SameTurn": (
        SameTurn(),
        does("slide", "position k", 0.5, same=r"The angle to turn is \S+ radians"),
    ),
    "SentenceEncoder": (
        SentenceEncoder(),
        does("press", "Swap the first two words", find="am I a robot"),
        does("write", "sentence", "robot robot robot", find="“robot robot robot”: 3 words"),
    ),
    "ShuffledWords": (
        ShuffledWords(),
        does("press", "dog"),
        does("press", "man", find="In “man bites dog”"),
    ),
    "ShuffledWords, with a mask": (
        ShuffledWords(mask=True),
        does("press", "dog"),
        does("press", "man", find="In “man bites dog”"),
        does("tick", "Hide from each word what comes after it"),
    ),
    "SimilarityKernel": (
        SimilarityKernel(),
        does("slide", "position k", 0.8, same=r"score of 0 and 3: \S+"),
    ),
    "StretchedLadder": (
        StretchedLadder(),
        does("choose", "method", "YaRN"),
        does("slide", "factor s", 0),
    ),
    "TableInspector": (
        TableInspector(),
        does("write", "paste rows of a table", "0.84 0.54 0.01 1.00"),
    ),
    "TwoArrows": (
        TwoArrows(),
        does("slide", "b, x", 0.2),
        does("slide", "b, y", 0.9),
    ),
    "TwoCounters": (
        TwoCounters(),
        does("press", "Step on", find="8 of 8 bits flipped, and the row of hands moved by 1.12"),
        does("press", "Step on", find="1 of 8 bits flipped, and the row of hands moved by 1.12"),
    ),
    "WavelengthLadder": (
        WavelengthLadder(),
        does("slide", "length of the text, L", 0.5),
        does("slide", "base n", 0),
        does("slide", "base n", 1),
    ),
    "WavelengthLadder, any width": (
        WavelengthLadder(any_width=True),
        does("slide", "numbers in a row, d", 0.6),
        does("slide", "base n", 0.7),
    ),
}


def test_every_suggestion_is_tried():
    wanted = {
        (kind.__name__, suggestion)
        for kind in View.__subclasses__()
        for suggestion in re.findall(r"(?ms)^ *(Try this:.*?)(?:\n *\n|\Z)", kind.__doc__)
    }
    tried = {(type(view).__name__, view.suggestion()) for view, *_ in TRIES.values()}
    assert {(kind, " ".join(text.split())) for kind, text in wanted} == tried


@pytest.mark.parametrize("way", ["mouse", "finger", "keys"])
@pytest.mark.parametrize("name", TRIES)
def test_what_is_asked_can_be_done(screens, name, way):
    figure, *acts = TRIES[name]
    width = 390 if way == "finger" else 1000
    page = screens(viewport={"width": width, "height": 844}, has_touch=way == "finger")
    page.set_default_timeout(5000)
    page.set_content(page_of(figure))
    reader = Reader(Shown(page), way)
    for act, given, find, same in acts:
        before = reader.seen()
        getattr(reader, act)(*given)
        now = reader.seen()
        assert now != before or act == "write", (act, given)
        assert re.search(find, now[0]), (find, now[0])
        if same:
            assert re.search(same, now[0])[0] == re.search(same, before[0])[0]
