"""Questions on a page, answered: right, wrong, unreadable, by keyboard, and what is kept of it.

One page has a question of each form that the book asks; what all of them say is judged without a
page, in tests/course/test_questions.py.
"""

import itertools
import json

import pytest

from posenc_course.questions import Question
from tests.browser.conftest import page_of
from tests.course.test_questions import STORED, right_answers, written_down

STORE = "where-words-stand:answers"
KEPT = f"localStorage.getItem('{STORE}')"
# A browser that keeps nothing refuses to be asked.
BLOCKED = "Object.defineProperty(window, 'localStorage', { get() { throw 1; } });"
# A question of each form that the book asks: of one kind, and with something in the same places.
FORMS = {(ask["kind"], *(part for part, value in ask.items() if value)): ask for _, ask in STORED}


@pytest.fixture
def visit(tab, server):
    """Return a function that opens a page and gives its questions.

    The pages are served: from a file, Chromium 150 loses what a page has just stored in two of a
    hundred reloads, in a private window or not; of 360 reloads of a served page it lost nothing.
    """

    def open_page(name="forms.html", *, blocked=False, **options):
        page = tab(**options)
        if blocked:
            page.add_init_script(BLOCKED)
        asks = [ask for path, ask in STORED if name == f"book/{path.stem}.html"]
        if not asks:
            asks = [*FORMS.values()]
            forms = page_of(*(Question(ask["key"], ask) for ask in asks))
            page.route("**/forms.html", lambda route: route.fulfill(body=forms))
        page.goto(f"{server}/{name}")
        return page, [Asked(page, ask) for ask in asks]

    return open_page


class Asked:
    """A question on the page, and what it asks."""

    def __init__(self, page, ask):
        self.ask = ask
        self.page = page
        self.el = page.locator(f'[data-question="{ask["key"]}"]')

    def button(self, name):
        return self.el.get_by_role("button", name=name, exact=True)

    def reply(self):
        return self.el.get_by_role("status").inner_text().replace("\xa0", " ")

    def done(self):
        return self.el.get_attribute("data-answer") == "done"

    def start_over(self):
        self.button("Start over").click()
        assert self.reply() == ""
        assert not self.done()

    def check(self, given):
        """Enter an answer, send it, and return what is said."""
        return self.page.evaluate(ENTER, [entered(self.ask, given)])[0]


def plain(text):
    return " ".join(text.replace("`", "").split())


def some_wrong_answer(ask):
    """Return an answer that is off, listed or not, as a reader would enter it."""
    if ask["kind"] == "number":
        return str(round(abs(ask["answer"]) * 7.3 + 10 + 100 * ask["tolerance"], 3))
    if ask["kind"] == "blanks":
        return [["77" for _ in row] for row in ask["answer"]]
    if ask["kind"] == "choice":
        return [next(at for at in range(len(ask["options"])) if [at] != ask["answer"])]
    return max(ask["low"], ask["high"], key=lambda end: abs(end - ask["answer"]))


def entered(ask, given):
    """Return a question's key, and what stands in each of its inputs when an answer is given."""
    if ask["kind"] == "blanks":
        return ask["key"], [*itertools.chain(*given)]
    if ask["kind"] == "choice":
        return ask["key"], [place in given for place in range(len(ask["options"]))]
    return ask["key"], [given if ask["kind"] == "number" else f"{given:g}"]


# Enter answers by the page's own fields, send them, and say what is said to each.
ENTER = """(all) => all.map(([key, fields]) => {
  const el = document.querySelector(`[data-question="${key}"]`);
  el.querySelectorAll("input").forEach((input, at) => {
    if (typeof fields[at] === "boolean") input.checked = fields[at];
    else input.value = fields[at];
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  el.querySelector("form").requestSubmit();
  return el.querySelector("[role=status]").innerText.replaceAll("\\u00a0", " ");
})"""
# What was answered before is forgotten.
AGAIN = "document.querySelectorAll('.posenc-again:not([hidden])').forEach((b) => b.click())"


def test_what_cannot_be_read_says_so_and_counts_for_nothing(visit):
    page, questions = visit()
    for question in questions:
        kind, key = question.ask["kind"], question.ask["key"]
        if kind == "predict":  # a slider always stands somewhere
            continue
        fields = [False if kind == "choice" else "<b>1</b>"] * question.el.locator("input").count()
        (said,) = page.evaluate(ENTER, [[key, fields]])
        assert (
            said in ("Choose one first.", "Tick at least one.")
            or "does not read as a number" in said
        )
        assert not question.done()
        assert not question.button("Show the answer").is_visible()
    assert page.evaluate(KEPT) is None


def test_after_two_wrong_answers_the_answer_may_be_seen(visit):
    _, questions = visit()
    for question in questions:
        answer = some_wrong_answer(question.ask)
        said = question.check(answer)
        if question.ask["kind"] == "predict":
            assert plain(question.ask["because"]) in said
            continue
        assert said.startswith("Not yet. ")
        assert plain(question.ask["because"]) not in said
        assert not question.button("Show the answer").is_visible()
        question.check(answer)
        question.button("Show the answer").click()
        assert question.reply().startswith("The answer: ")
        assert plain(question.ask["because"]) in question.reply()
        if question.ask["kind"] == "number":
            assert plain(question.ask["shown"]) in plain(question.reply())
        assert not question.button("Show the answer").is_visible()
        assert question.done()


def by_keyboard(question):
    """Give the right answer with the keyboard alone and return what is said."""
    page, ask = question.page, question.ask
    question.el.evaluate("(el) => { el.tabIndex = -1; el.focus(); }")
    press = page.keyboard.press

    def focused():
        inside = "(el) => el.contains(document.activeElement) && document.activeElement !== el"
        return question.el.evaluate(inside)

    press("Tab")
    assert focused()
    if ask["kind"] == "number":
        page.keyboard.type(written_down(ask, ask["answer"]))
    elif ask["kind"] == "blanks":
        for place, value in enumerate(itertools.chain(*ask["answer"])):
            if place:
                press("Tab")
            page.keyboard.type(written_down(ask, value))
    elif ask["kind"] == "predict":
        press("Home")
        steps = round((ask["answer"] - ask["low"]) / ask["step"])
        for _ in range(steps):
            press("ArrowRight")
    elif ask["several"]:
        for place in range(len(ask["options"])):
            if place:
                press("Tab")
            if place in ask["answer"]:
                press("Space")
    else:
        press("Space")
        for _ in range(ask["answer"][0]):
            press("ArrowDown")
    press("Enter")
    assert focused(), "the focus is lost"
    return question.reply()


def test_the_keyboard_is_enough_and_nothing_need_be_kept(visit):
    _, questions = visit(blocked=True, forced_colors="active", reduced_motion="reduce")
    for question in questions:
        said = by_keyboard(question)
        assert said == f"Yes. {plain(question.ask['because'])}", question.ask["key"]
        assert question.done()
        question.start_over()


def test_answers_are_kept(visit):
    page, questions = visit()
    said = [question.check(right_answers(question.ask)[0]) for question in questions]
    page.reload()
    assert [question.reply() for question in questions] == said
    assert all(question.done() for question in questions)
    keys = [question.ask["key"] for question in questions]
    assert list(json.loads(page.evaluate(KEPT))) == keys
    questions[0].start_over()
    page.reload()
    assert list(json.loads(page.evaluate(KEPT))) == keys[1:]
    assert [question.done() for question in questions] == [False, *(True for _ in keys[1:])]


def test_a_page_tells_after_its_answers_and_forgets_and_remembers_them(visit):
    page, questions = visit("book/04_worked_example.html", viewport={"width": 1300, "height": 900})
    first, *rest = questions
    link = page.locator(".bd-sidebar-primary .bd-links a.current.reference").last
    first.check(right_answers(first.ask)[0])
    assert link.get_by_role("img", name="1 of").count() == 1
    fold = page.locator("details.told")  # a picture that tells the answer waits for it
    key = fold.get_attribute("data-after")
    (asked,) = [question for question in rest if question.ask["key"] == key]
    assert not fold.get_by_role("img").is_visible()
    asked.check(right_answers(asked.ask)[0])
    fold.get_by_role("img").wait_for()
    for question in rest:
        question.check(right_answers(question.ask)[0])
    sign = link.get_by_role("img", name="all questions answered")
    assert sign.count() == 1
    page.get_by_role("button", name="Forget my answers").click()
    assert page.evaluate(KEPT) is None
    assert sign.count() == 0
    assert not any(question.done() or question.reply() for question in questions)
    with page.expect_navigation():
        page.get_by_role("button", name="Bring them back").press("Enter")
    assert all(question.done() for question in questions)


def test_what_storage_holds_cannot_break_a_question(visit):
    page, questions = visit()
    keys = [question.ask["key"] for question in questions]
    entries = [3, None, "x", [], {"given": {}}, {"given": [99]}, {"given": 1e9, "tries": "x"}]
    right = [entered(q.ask, right_answers(q.ask)[0]) for q in questions]
    for text in ("no json", "7", *(json.dumps(dict.fromkeys(keys, entry)) for entry in entries)):
        page.evaluate("([store, text]) => localStorage.setItem(store, text)", [STORE, text])
        page.reload()
        page.evaluate(AGAIN)
        assert all(said.startswith("Yes. ") for said in page.evaluate(ENTER, right)), text
