"""Python on the page: an exercise checked where it stands, a cell changed, what can go wrong.

The Python is an older one than readers get (see ``site``).
"""

import gzip
import json
import re
from pathlib import Path

from extensions.contents import read
from posenc import sinusoidal
from posenc_check.pasted import verdict
from tests.browser.conftest import BOOK, FRAMES, ROOT, with_python
from tests.browser.test_answers import BLOCKED, STORE
from tests.browser.test_pages import OVER, SIDEWAYS, THEME, amiss, faint

pytestmark = with_python

PAGE = "book/06_rotation.html"
CHAPTER = ROOT / "book" / "06_rotation.ipynb"
LABEL = "ex-rotation-turn"
CHECK = f'check("{LABEL}"'
HEAVIEST = 9.5  # megabytes until the first answer: the page says about 9
LONG = 120_000  # milliseconds, on a machine that does other things too


def cell_of(page, label=LABEL):
    return page.locator(f"[data-label={label}]")


def agree(page):
    """Let a page load Python without asking, as it does when it has been loaded before."""
    page.evaluate("localStorage.setItem('where-words-stand:python', 'true')")


def told(cell, words, timeout=LONG):
    """Wait until a cell says something; return all it says."""
    place = cell.locator(".try-told", has_text=re.compile(words))
    place.wait_for(timeout=timeout)
    return place.inner_text()


def check(cell, code, words):
    cell.locator("textarea").fill(code)
    cell.locator("textarea").press("Control+Enter")
    return told(cell, words)


# ---------------------------------------------------------------------------- a pasted table


def test_a_pasted_table_is_named_by_python_after_the_same_consent(tab, site):
    page = tab()
    page.goto(f"{site}/book/18_right_table.html")
    form = page.locator(".posenc:has(textarea)").first
    reading = form.locator(".posenc-reading")
    choose = form.locator("select")
    choose.select_option(label="Whisper, width 16")  # known without Python
    reading.get_by_text("tensor2tensor's spacing").wait_for()  # drawn at the next frame
    rows = "\n".join(
        " ".join(map(str, row)) for row in sinusoidal(range(3, 9), 16).round(5).tolist()
    )
    form.locator("textarea").fill(rows)
    form.get_by_role("button", name="Say what it is").click()
    form.get_by_role("button", name="Load Python").click()
    reading.get_by_text("first position 3").wait_for(timeout=LONG)
    assert reading.inner_text().strip() == verdict(rows)
    form.locator("textarea").fill("0.1 0.2 ... 0.3")
    form.get_by_role("button", name="Say what it is").click()  # agreed once
    reading.get_by_text("cut short").wait_for(timeout=LONG)


# ---------------------------------------------------------------------------- the first use


def test_nothing_is_loaded_before_the_reader_agrees(tab, site):
    page = tab(viewport={"width": 1300, "height": 900})
    asked, megabytes = [], []
    page.context.on("request", lambda request: asked.append(request.url))

    def weigh(response):
        body = response.body()
        ending = Path(response.url).suffix
        megabytes.append(len(body if ending in (".whl", ".zip") else gzip.compress(body, 6)) / 1e6)

    page.goto(f"{site}/{PAGE}")
    cell = cell_of(page)
    cell.locator("textarea").focus()
    before = len(asked)
    page.keyboard.press("Control+Enter")
    box = cell.get_by_role("group", name="Python in this browser")
    assert "about 9 MB" in box.inner_text()
    assert "cdn.jsdelivr.net" in box.inner_text()
    assert page.evaluate("document.activeElement.textContent") == "Load Python"
    assert not amiss(page)
    for theme in ("light", "dark"):
        page.evaluate(THEME, theme)
        assert not faint(page), theme
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # not now
    assert box.count() == 0
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    assert asked[before:] == []

    page.on("response", weigh)
    page.keyboard.press("Control+Enter")
    box.get_by_role("button", name="Load Python").click()
    told(cell, "^not answered yet")
    assert sum(megabytes) < HEAVIEST
    page.reload()
    cell.locator(".try-run").click()  # agreed once, not asked again
    told(cell, "^(Loading|Starting) Python")
    assert len(megabytes) > 8


def test_from_disk_the_way_is_said_and_what_is_typed_stays(tab):
    page = tab()
    page.goto(f"{BOOK.as_uri()}/{PAGE}")
    said = check(cell_of(page), "mine", "^Python cannot run here")
    assert "make serve" in said
    assert cell_of(page).locator("textarea").input_value() == "mine"


def test_no_network_is_said_and_can_be_tried_again(tab, open_page):
    """The site as it was built, whose Pyodide is outside, where this browser cannot go."""
    page = open_page(PAGE)
    agree(page)
    cell = cell_of(page)
    for _ in range(2):
        said = check(cell, "mine = 1", "^Python could not be loaded")
        assert "cdn.jsdelivr.net does not answer" in said
        assert "What you typed is kept" in said
    page.reload()
    assert cell.locator("textarea").input_value() == "mine = 1"
    assert all(address.startswith("https://cdn.jsdelivr.net/") for address in tab.outside)
    tab.outside.clear()


def test_a_worker_that_is_blocked_is_said(tab, site):
    page = tab()
    page.route("**/python-worker.js*", lambda route: route.abort())
    page.goto(f"{site}/{PAGE}")
    agree(page)
    assert "What you typed is kept" in check(cell_of(page), "mine", "^Python could not be loaded")


# ---------------------------------------------------------------------------- a run


def test_code_is_changed_and_run_says_where_it_stops_and_is_stopped(tab, site):
    """All on one page, whose Python is started twice."""
    page = tab(viewport={"width": 1300, "height": 900})
    page.goto(f"{site}/{PAGE}")
    agree(page)
    cell = page.locator("main > * .cell[data-cell]:not([data-label])").first
    book = cell.locator(".cell_output").inner_text()
    cell.get_by_role("button", name="Change and run").click()
    field = cell.locator("textarea")
    assert field.evaluate("(field) => field === document.activeElement")
    code = field.input_value()
    field.press("Control+Enter")
    assert told(cell, "^The same") == "The same as the book's."
    assert cell.locator(".cell_output").inner_text() == book
    field.fill(f"{code}\nprint('mine')")
    field.press("Control+Enter")
    cell.locator(".try-out", has_text="mine").wait_for()
    assert not told(cell, "^$")

    exercise = cell_of(page)
    _, solution = (cell.source for cell in read(CHAPTER).cells if CHECK in cell.source)
    assert check(exercise, solution, "^(Not yet|Right|Your)").startswith("Right. ")
    start = "def shift_matrix(shift, omegas):\n    print('here')\n    return shift / 0\n\n\n"
    check(exercise, f"{start}shift_matrix(1, [1])", "^Your code stops in line 3")
    assert "Line 3: return shift / 0" in exercise.locator(".try-out").inner_text()
    editor = exercise.locator(".editor")
    assert editor.get_attribute("data-line") == "3"
    # In the check the reader's function is called by others, and the line is known all the same.
    said = check(exercise, start, "^Not yet")
    assert said.endswith("it raises ZeroDivisionError: division by zero (line 3)")
    assert editor.get_attribute("data-line") == "3"
    exercise.locator("textarea").press_sequentially(" ")
    assert editor.get_attribute("data-line") is None
    assert check(exercise, "while True:\n    print('x' * 100)", "^Running") == "Running."
    exercise.locator(".try-out", has_text="and more, which is not shown").wait_for()
    exercise.get_by_role("button", name="Stop").click()
    assert told(exercise, "^Stopped") == "Stopped."
    assert exercise.get_by_role("button", name="Check").is_enabled()

    page.clock.install(time=0)
    page.clock.pause_at(1000)  # a slow machine takes none of the 20 seconds
    endless = "print('begun')\nwhile True:\n    pass"
    exercise.locator("textarea").fill(endless)
    exercise.locator("textarea").press("Control+Enter")
    other = cell_of(page, "ex-rotation-read")
    other.locator(".try-run").click()
    told(other, "^Waiting for the run before")
    other.get_by_role("button", name="Stop").click()  # one that waits ends nothing else
    exercise.locator(".try-out", has_text="begun").wait_for(timeout=LONG)
    page.clock.run_for(19_000)
    assert told(exercise, ".") == "Running."
    page.clock.run_for(2_000)
    assert told(exercise, "^Stopped").startswith("Stopped after 20 seconds.")
    assert exercise.locator("textarea").input_value() == endless

    page.reload()
    cell.get_by_role("button", name="Change and run").click()
    assert field.input_value().endswith("print('mine')")
    cell.get_by_role("button", name="Start again").click()
    assert field.input_value() == code
    cell.get_by_role("button", name="Close").click()
    assert not field.is_visible()


# ---------------------------------------------------------------------------- what is kept


def test_what_is_typed_is_kept_and_forgotten_on_request(open_page):
    page = open_page(PAGE)
    field = cell_of(page).locator("textarea")
    start = field.input_value()
    field.fill("mine")
    other = cell_of(page, "ex-rotation-read").locator("textarea")
    other.fill("mine too")
    page.reload()
    assert (field.input_value(), other.input_value()) == ("mine", "mine too")
    cell_of(page).get_by_role("button", name="Start again").click()
    assert field.input_value() == start
    cell_of(page).get_by_role("button", name="Undo").click()
    assert field.input_value() == "mine"
    cell_of(page).get_by_role("button", name="Start again").click()
    page.get_by_role("button", name="Forget my answers").click()
    assert "mine" not in other.input_value()
    assert page.evaluate(f"localStorage.getItem('{STORE}')") is None


def test_an_exercise_that_was_right_says_so_until_it_changes(open_page):
    page = open_page(PAGE)
    entry = json.dumps({LABEL: {"given": "mine", "done": True}})
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [STORE, entry])
    page.reload()
    assert told(cell_of(page), "^Right, when you last checked it")
    cell_of(page).locator("textarea").press_sequentially("!")
    assert not told(cell_of(page), "^$")


def test_where_nothing_can_be_kept_it_works(tab, server):
    page = tab()
    page.add_init_script(BLOCKED)
    page.goto(f"{server}/{PAGE}")
    cell_of(page).locator("textarea").fill("mine")
    cell_of(page).locator(".try-run").click()
    cell_of(page).get_by_role("button", name="Load Python").wait_for()


# ---------------------------------------------------------------------------- the editor


KEYS = [
    (["Enter"], "def f(x):|", "def f(x):\n    |"),
    (["Enter"], "    return x|", "    return x\n|"),
    (["Enter"], "    x = 1|", "    x = 1\n    |"),
    (["Enter"], "if x:  # so|", "if x:  # so\n    |"),
    (["Tab"], "ab|", "ab  |"),
    (["Shift+Tab"], "    a|b", "a|b"),
    (["Shift+Tab"], "  |", "|"),
    (["Shift+Tab"], "a|", "a|"),
    (["Backspace"], "        |x", "    |x"),
    (["Backspace"], "      |x", "    |x"),
    (["Backspace"], "ab|", "a|"),
    (["Control+a", "Tab"], "a\n\nb|", "    a\n\n    b|"),
    (["Control+a", "Tab", "Control+a", "Shift+Tab"], "a\nb|", "a\nb|"),
    (["Tab", "Control+z"], "ab|", "ab|"),
    (["Enter", "Control+z"], "if x:|", "if x:|"),
    (["x", "y", "Control+z"], "ab|", "ab|"),
    (["x", "Tab", "Control+z", "Control+z"], "ab|", "ab|"),
    (["x", "Tab", "Control+z", "Control+z", "Control+y"], "ab|", "abx|"),
    (["x", "Tab", "Control+z", "Control+Shift+z"], "ab|", "abx |"),
]


def test_the_editor_indents(open_page):
    page = open_page(PAGE)
    field = cell_of(page).locator("textarea")
    for keys, before, after in KEYS:
        field.fill(before.replace("|", ""))
        field.evaluate("(field, at) => field.setSelectionRange(at, at)", before.index("|"))
        for key in keys:
            field.press(key)
        assert field.input_value() == after.replace("|", ""), (keys, before)
        assert field.evaluate("(field) => field.selectionEnd") == after.index("|"), (keys, before)
        layer = cell_of(page).locator(".editor pre").evaluate("(pre) => pre.textContent")
        assert layer == f"{after.replace('|', '')}\n"


def test_the_keyboard_reaches_and_leaves_everything(open_page):
    page = open_page(PAGE, 1300, 900)
    cell = cell_of(page)
    cell.locator("textarea").focus()
    assert "Your code for Exercise 6.2" in cell.locator("textarea").get_attribute("aria-label")
    assert cell.locator(".try-help").is_visible()
    page.keyboard.press("Escape")
    seen = []
    for _ in range(3):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.textContent"))
    assert seen == ["Check", "Start again", "Solution"]
    page.keyboard.press("Enter")
    fold = page.locator("details.solution:has(:focus)")
    assert fold.get_attribute("open") is not None
    assert "Exercise 6.2" in page.evaluate("document.activeElement.textContent")
    cell.locator("textarea").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.tagName") != "TEXTAREA"


def test_the_layer_below_shows_the_same_text_in_the_same_place(open_page):
    page = open_page(PAGE, 390, 844, has_touch=True, is_mobile=True)
    cell = cell_of(page)
    field = cell.locator("textarea")
    field.fill('def f(x):  # says \'why\'\n    return """a\nb""" + \'it\' + str(x)' + " + 1" * 30)
    kinds = cell.locator(".editor pre span").evaluate_all("(all) => all.map((e) => e.className)")
    assert kinds == ["k", "nf", "c1", "k", "s2", "s2"]
    field.press("Control+End")
    same = """(editor) => {
      const [layer, field] = editor.children;
      const styles = [layer, field].map((e) => getComputedStyle(e));
      const names = ["fontFamily", "fontSize", "lineHeight", "paddingLeft", "paddingTop"];
      return names.every((name) => styles[0][name] === styles[1][name])
        && layer.scrollLeft === field.scrollLeft && field.scrollLeft > 0
        && field.scrollHeight <= field.clientHeight;
    }"""
    page.evaluate(FRAMES)
    assert cell.locator(".editor").evaluate(same)
    # Below 16 px a phone zooms in on a field.
    assert field.evaluate("(field) => parseFloat(getComputedStyle(field).fontSize)") >= 16


def test_an_editor_fits_320_pixels_and_serves_everyone(open_page):
    page = open_page(PAGE, 320, 640)
    folds = page.locator("details:has(.change)")
    folds.evaluate_all("(folds) => folds.forEach((fold) => { fold.open = true; })")
    page.locator(".change").evaluate_all("(all) => all.forEach((button) => button.click())")
    cell_of(page).locator(".try-run").click()
    assert not page.evaluate(OVER), page.evaluate(SIDEWAYS)
    sizes = page.locator(".try button:visible").evaluate_all(
        "(all) => all.map((e) => e.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 44
    assert not amiss(page)
    assert not faint(page)
