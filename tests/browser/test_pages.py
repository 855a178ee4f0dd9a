"""Every page of the built book: what it loads, what it says of itself, and who can use it."""

import contextlib
import gzip
import io
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import BOOK, EACH_KIND, FRAMES, LAID_OUT, NAMES, OPENED, html
from tests.browser.test_answers import ENTER, entered, some_wrong_answer
from tests.course.test_questions import STORED

# Kilobytes, compressed, and requests.
FIRST_LOAD, NEXT_PAGE, REQUESTS = 350, 150, 40
LARGEST_SHIFT = 0.02
LARGEST_SHIFT_OF_A_DEEP_LINK = 0.1
MOST_FOLDS = 14
PHONE = 405  # pixels: 390, and a scrollbar
PACKED = (".woff2", ".webp", ".png")  # compressed already

# Contrast takes most of the time of axe, and is the same wherever text of one look stands on one
# ground: it is asked of the first text of each that is not known.
CONTRAST = """async (known) => {
  const PLAIN = "rgba(0, 0, 0, 0),none,1";
  const grounds = new Map([[null, ""]]);
  const looks = new Map();
  const seen = new Set(known);
  for (const el of document.querySelectorAll("html, body, body *")) {
    const { backgroundColor, backgroundImage, opacity, color, fontSize, fontWeight } =
      getComputedStyle(el);
    const own = [backgroundColor, backgroundImage, opacity].join().replace(PLAIN, "");
    const ground = grounds.get(el.parentElement) + own;
    grounds.set(el, ground);
    const says = [...el.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
    const look = [ground, color, fontSize, fontWeight].join();
    if (says && !seen.has(look) && el.checkVisibility() && !el.closest(".katex-html")) {
      seen.add(look);
      looks.set(look, el);
    }
  }
  if (!looks.size) return [[], []];
  const found = await axe.run([...looks.values()], { runOnly: ["color-contrast"] });
  const nodes = found.violations.flatMap((rule) => rule.nodes);
  return [nodes.map(({ html }) => html.slice(0, 160)), [...looks.keys()]];
}"""
LOOKS = set()  # of text whose contrast was asked for, on any page
# Views and questions that are wider than a phone, and controls that are too small for a finger:
# that of a tick is its label.
CONTROLS = "button, input:not([type=checkbox], [type=radio]), select, textarea, label"
CRAMPED = """(controls) => [...document.querySelectorAll(".posenc")].flatMap((el) => {
  const { left, right } = el.getBoundingClientRect();
  const small = [...el.querySelectorAll(controls)]
    .filter((control) => control.checkVisibility())
    .filter((control) => {
      const { width, height } = control.getBoundingClientRect();
      return Math.min(width, height) < 43.9;
    });
  const wide = left < 0 || right > 320 || el.scrollWidth > el.clientWidth ? [el] : [];
  return [...wide, ...small].map((found) => found.outerHTML.slice(0, 90));
})"""
SHIFTS = """
window.shifted = 0;
window.moved = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    window.shifted += entry.value;
    window.moved.push([entry.startTime, entry.value, ...entry.sources.map(({ node }) =>
      [node && (node.id || node.className || node.nodeName)])]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
# A page is at rest when its fonts and the pictures in sight are there, and two frames drawn.
REST = """async () => {
  const seen = (image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return top < innerHeight && bottom > 0 && image.checkVisibility();
  };
  await Promise.allSettled([...document.images].filter(seen).map((image) => image.decode()));
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}"""
# By how much a page is wider than what is seen of it, beside its scrollbar; and what makes it so.
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SIDEWAYS = """() => [...document.querySelectorAll("body, body *")]
  .filter((el) => el.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .filter((el) => !el.closest("pre, .wide, .katex-display, .bd-sidebar-primary, canvas, .figure"))
  .map((el) => `${el.tagName}.${el.className}`).slice(0, 5)"""
TOO_WIDE = """(what) => [...document.querySelectorAll(what)]
  .filter((el) => el.scrollWidth > el.clientWidth).map((el) => el.textContent.slice(0, 80))"""
THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"


def amiss(page):
    """What axe-core finds wrong, but for contrast: each rule with the first place."""
    # The glyphs of a formula are hidden from screen readers, which read the MathML beside them.
    but = {"exclude": [[".katex-html"]]}
    rules = {"color-contrast": {"enabled": False}}
    found = Axe().run(page, but, {"resultTypes": ["violations"], "rules": rules})
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found.response["violations"]]


def faint(page):
    """Text with too little contrast, where axe-core is already; of each look the first."""
    found, looks = page.evaluate(CONTRAST, sorted(LOOKS))
    if not found:
        LOOKS.update(looks)
    return found


def weight(response):
    """Kilobytes of a response as a server sends it."""
    body = response.body()
    packed = body if response.url.endswith(PACKED) else gzip.compress(body)
    return len(packed) / 1024


def is_light_still_and_for_everyone(tab, server, name, widths):
    """Look at a page: its weight, its shifts, its folds, and at each width what axe finds."""
    page = tab(viewport={"width": 1300, "height": 900})
    page.add_init_script(SHIFTS)
    loaded = []
    page.on("response", lambda response: loaded.append(response))
    page.goto(f"{server}/{name}")
    page.evaluate(REST)
    assert page.evaluate("shifted") <= LARGEST_SHIFT, page.evaluate("moved")
    assert not [response.url for response in loaded if not response.ok]
    assert len(loaded) <= REQUESTS
    assert sum(map(weight, loaded)) <= FIRST_LOAD
    # What the next page needs anew: its text, its figures, and the views that are its own.
    own = [r for r in loaded if re.search(r"\.html$|_images/|_static/views/", r.url)]
    assert sum(map(weight, own)) <= NEXT_PAGE

    folds = page.locator("article summary:not(.made > summary):visible").all_inner_texts()
    assert len(folds) <= MOST_FOLDS, folds
    assert not page.evaluate(TOO_WIDE, "article :is(pre, .wide)")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(FRAMES)  # views and scrolling boxes take the new width
        assert not page.evaluate(OVER), (width, page.evaluate(SIDEWAYS))
        assert not page.evaluate(TOO_WIDE, "article .wide"), width
        assert not amiss(page), width
        for theme in ("light", "dark"):
            page.evaluate(THEME, theme)
            assert not faint(page), (width, theme)
    page.set_viewport_size({"width": 320, "height": 640})
    asked = [ask for path, ask in STORED if name.endswith(f"book/{path.stem}.html")]
    page.evaluate(ENTER, [entered(ask, some_wrong_answer(ask)) for ask in asked])
    page.evaluate(FRAMES)
    assert not page.evaluate(CRAMPED, CONTROLS)
    assert not page.evaluate(OVER), page.evaluate(SIDEWAYS)
    assert not tab.said


@pytest.mark.parametrize("name", OPENED)
def test_page_is_light_still_and_for_everyone(tab, server, name):
    # What stands beside the text is the same on all pages of a kind.
    widths = (1300, PHONE) if name in EACH_KIND else (PHONE,)
    is_light_still_and_for_everyone(tab, server, name, widths)


def test_pages_open_from_disk_and_can_be_searched(tab):
    page = tab()
    for name in EACH_KIND:
        page.goto(f"{BOOK.as_uri()}/{name}")
        page.evaluate(REST)
        drawn = page.locator("div.posenc[data-view] canvas").count()
        assert drawn == page.locator("div.posenc[data-view]").count(), name
    page.keyboard.press("Control+k")
    field = page.get_by_role("searchbox", name="Search the book")
    field.fill("rotary")
    first = page.locator("#find .find-results a").first
    first.wait_for()
    assert "09_rope" in first.get_attribute("href")
    field.fill("zzzz")
    page.locator("#find .find-told").filter(has_text="Nothing found").wait_for()
    page.keyboard.press("Escape")
    assert not page.locator("#find").is_visible()
    assert not tab.said


def test_the_root_page_leads_on(server, open_page):
    page = open_page("")
    page.wait_for_url(f"{server}/book/index.html")


def test_the_contents_of_a_page_are_one_press_away(open_page):
    page = open_page("book/06_rotation.html")
    links = page.locator(".bd-toc a:visible")
    for width in (320, 390, 820, 1100):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        page.get_by_role("button", name="On this page").click()
        assert links.count() >= 3
        links.last.click()
        page.wait_for_function("scrollY > 1000")
        assert not links.count()


def test_a_term_says_what_it_means_where_it_stands(tab, open_page):
    page = open_page("book/01_why_order_matters.html", 390, 844, has_touch=True)
    link = page.locator("article [data-term]").first
    meaning = page.locator(f"#{link.get_attribute('data-term')}")
    link.scroll_into_view_if_needed()
    for act in (link.tap, lambda: link.press("Enter")):
        act()
        assert "glossary" not in page.url
        assert len(meaning.inner_text()) > len(link.inner_text()) + 10
        box, word = meaning.bounding_box(), link.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
        assert not word["y"] < box["y"] + box["height"] / 2 < word["y"] + word["height"]
        page.keyboard.press("Escape")
        assert not meaning.is_visible()
    without = tab(java_script_enabled=False)
    without.goto(page.url)
    without.locator("article [data-term]").first.click()
    assert "glossary.html#term-" in without.url


def test_a_row_of_two_lines_is_found_and_counted_as_one(open_page):
    page = open_page("book/17_libraries.html", 1300, 800)
    lines = page.locator(".long").first.locator("tbody > tr")
    field, told = page.get_by_label("Show rows with").first, page.locator(".rows-with output").first
    count = lines.count() // 2
    assert told.inner_text() == str(count)
    field.fill("GPT-J")  # in the first line of its row alone
    assert lines.filter(visible=True).count() == 2
    assert told.inner_text() == f"1 of {count}"
    field.fill("frequencies(16)")  # in second lines alone
    shown = lines.filter(visible=True)
    assert shown.count() == 2 * int(told.inner_text().split()[0]) > 0


def test_rows_of_a_long_table_are_found_by_a_word(server, open_page):
    page = open_page("book/claims.html", 1300, 800)
    rows = page.locator(".long tbody > tr")
    field, told = page.get_by_label("Show rows with"), page.locator(".rows-with output")
    count = rows.count()
    assert told.inner_text() == str(count)
    field.fill("Tensor2tensor ")
    shown = rows.filter(visible=True)
    assert 0 < shown.count() < count
    assert all("tensor2tensor" in text.lower() for text in shown.all_inner_texts())
    assert told.inner_text() == f"{shown.count()} of {count}"
    field.fill("")
    assert shown.count() == count

    page.mouse.wheel(0, 2500)  # the heads stay in sight
    head = page.locator(".long thead th").first
    bar = page.locator(".bar").bounding_box()["height"]
    page.wait_for_function("scrollY > 2000")
    assert head.bounding_box()["y"] == pytest.approx(bar, abs=1)

    page.set_viewport_size({"width": 390, "height": 800})  # on a phone a row is a card
    widths = [cell.bounding_box()["width"] for cell in rows.first.locator("td").all()]
    assert min(widths) > 300

    page.goto(f"{server}/book/notation.html")
    cell = page.locator(".cards td[data-head='Hugging Face']").first
    head = cell.evaluate("(cell) => getComputedStyle(cell, '::before').content")
    assert head == '"Hugging Face: "'


def test_every_control_of_the_bar(open_page):
    page = open_page("book/06_rotation.html", 390, 844, color_scheme="dark")
    look = "() => [document.documentElement.dataset.theme, getComputedStyle(document.body).color]"
    ink = {"dark": "rgb(227, 229, 232)", "light": "rgb(31, 41, 51)"}
    assert page.evaluate(look) == ["dark", ink["dark"]]
    switch = page.locator(".theme-button")
    for theme in ("light", "dark"):
        switch.click()
        assert page.evaluate(look) == [theme, ink[theme]]
    page.reload()
    assert page.evaluate(look) == ["dark", ink["dark"]]
    switch.click()
    assert switch.get_attribute("aria-label") == "Theme: as the system"
    assert switch.get_attribute("title") == "Theme: as the system"  # what a mouse is told

    contents = page.locator("#contents")
    assert not contents.is_visible()
    page.get_by_role("button", name="Contents").press("Enter")
    assert contents.is_visible()
    assert contents.locator("[aria-current=page]").inner_text().endswith("The rotation proof")
    page.keyboard.press("Escape")
    assert not contents.is_visible()

    page.locator(".menu-button").click()
    menu = page.locator("#page-menu")
    assert menu.get_by_role("link", name="Download this notebook").is_visible()
    page.keyboard.press("Escape")

    figure = page.locator("a.figure").first
    figure.focus()
    page.keyboard.press("Enter")
    enlarged = page.locator("#enlarged")
    assert enlarged.is_visible()
    assert enlarged.locator("img").get_attribute("alt")
    page.keyboard.press("Escape")
    assert not enlarged.is_visible()
    for control in page.locator(".bar :is(a, button):visible").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 44


def test_the_keyboard_sees_where_it_is(open_page):
    page = open_page("book/06_rotation.html", 1300, 900)
    for step in range(25):
        page.keyboard.press("Tab")
        outline, inside = page.evaluate(
            """() => {
              const here = document.activeElement;
              const { outlineStyle, outlineWidth } = getComputedStyle(here);
              return [`${outlineStyle} ${outlineWidth}`, !!here.closest("body *")];
            }"""
        )
        assert inside, f"stop {step} is nowhere"
        assert outline == "solid 3px", f"stop {step}"
    assert not page.locator(".katex[tabindex], .math[tabindex]").count()


def test_a_cell_is_copied_with_what_it_needs(open_page):
    page = open_page("book/15_axes.html", permissions=["clipboard-read", "clipboard-write"])
    cell = page.locator(".cell[data-needs]:has(.copy)").first
    cell.locator(".copy").first.evaluate("(button) => button.click()")
    cell.get_by_text("Copied").wait_for()
    code = page.evaluate("navigator.clipboard.readText()")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "copied", "exec"), {"__name__": "__main__"})
    assert printed.getvalue().strip() == cell.locator(".output").first.inner_text().strip()


def test_code_has_a_copy_button_and_what_it_prints_has_none(open_page):
    page = open_page("book/12_port.html")
    assert page.locator(".highlight-python .copy").count()
    assert not page.locator(".highlight-none .copy").count()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_without_scripts_a_chapter_reads(open_page, theme):
    page = open_page("book/06_rotation.html", java_script_enabled=False, color_scheme=theme)
    ground = page.locator("body").evaluate("(el) => getComputedStyle(el).backgroundColor")
    assert ground == {"light": "rgb(252, 251, 248)", "dark": "rgb(22, 25, 29)"}[theme]
    shown = page.locator(f"a.figure .only-{theme}").first
    shown.scroll_into_view_if_needed()
    assert shown.is_visible()
    assert page.locator(".katex-html").first.is_visible()
    needs_a_script = ".theme-button, .workings-switch, details.plumbing, .editor, .try, .change"
    assert not page.locator(f":is({needs_a_script}):visible").count()
    cell = page.locator("[data-label=ex-rotation-turn]")
    assert 'check("ex-rotation-turn"' in cell.locator(".cell_input pre").inner_text()
    assert cell.locator(".cell_output").inner_text().strip() == "ex-rotation-turn: not answered yet"
    fold = page.locator("details.solution").first
    fold.locator("summary").click()
    assert fold.get_attribute("open") is not None
    assert page.locator(".touch").first.is_visible()
    assert not page.locator(".touch[role]").count()
    page.locator(".run-button").click()
    assert "about 25 MB" in page.locator("#run").inner_text()
    link = page.get_by_role("link", name="Load and open")
    assert link.get_attribute("href") == "../lite/notebooks/index.html?path=book/06_rotation.ipynb"


@pytest.mark.parametrize("late", ["", ".css", ".js", ".woff2"])
def test_a_deep_link_stays_where_it_leads(tab, server, late):
    """Also where styles, scripts or fonts are held back until all else has been asked for."""
    page = tab(viewport={"width": 390, "height": 844})
    page.add_init_script(SHIFTS)
    if late:  # a round trip to the test: what is not held back is there first
        page.route(lambda url: late in url, lambda route: route.fallback())
    anchors = [
        section["id"] for section in html("book/06_rotation.html").select("article section[id]")
    ]
    page.goto(f"{server}/book/06_rotation.html#{anchors[-2]}")
    page.evaluate(REST)
    assert page.evaluate("shifted") <= LARGEST_SHIFT_OF_A_DEEP_LINK, page.evaluate("moved")
    aim = page.locator(f"[id='{anchors[-2]}']")
    assert 0 <= aim.bounding_box()["y"] <= 120


# Which sections are laid out when the page is parsed.
FIRST_LAID_OUT = """addEventListener("DOMContentLoaded", () => {
  window.first = [...document.querySelectorAll("article section section:not(details *)")]
    .map((section) => section.checkVisibility({ contentVisibilityAuto: true }));
});"""

# A font of the book that comes late is left out until the next page (font-display: optional), and
# text in another font has another height.
NO_WEB_FONT = """addEventListener("DOMContentLoaded", () => {
  document.head.append(Object.assign(document.createElement("style"), {
    textContent: "* { font-family: serif !important; }",
  }));
});"""


def test_what_is_far_below_is_laid_out_after_what_is_seen(tab, server):
    """A slow phone would otherwise not answer for half a second."""
    page = tab(viewport={"width": 390, "height": 844})
    page.add_init_script(FIRST_LAID_OUT)
    page.add_init_script(NO_WEB_FONT)
    page.goto(f"{server}/book/09_rope.html")
    page.wait_for_function(LAID_OUT)
    page.evaluate(REST)
    tall = page.evaluate("document.body.scrollHeight")
    first = page.evaluate("first")
    assert sum(first) < len(first) / 2
    for whole in (page.reload, lambda: page.goto(f"{server}/book/09_rope.html?#exercises")):
        whole()
        assert all(page.evaluate("first"))
        page.evaluate(REST)
        assert page.evaluate("document.body.scrollHeight") == pytest.approx(tall, abs=1)


def test_what_a_check_says_fits_a_phone(open_page):
    page = open_page("book/05_wavelengths.html", 390, 844)
    for fold in page.locator("details:has(.verdict)").all():
        fold.evaluate("(fold) => { fold.open = true; }")
    assert page.locator(".verdict pre:visible").count() >= 3
    assert not page.evaluate(TOO_WIDE, ".verdict pre")


def test_forced_colours_keep_the_controls_and_what_is_typed(open_page):
    page = open_page("book/06_rotation.html", forced_colors="active")
    border = page.locator(".bar-button:visible").first
    assert border.evaluate("(el) => getComputedStyle(el).borderTopWidth") == "1px"
    style = "(el) => [getComputedStyle(el).color, getComputedStyle(el).visibility]"
    color, _ = page.locator(".editor textarea").first.evaluate(style)
    assert not color.startswith("rgba")
    assert page.locator(".editor pre").first.evaluate(style)[1] == "hidden"


def test_the_search_page_answers_an_address_and_is_for_everyone(open_page):
    page = open_page("search.html?q=RoPE")
    page.locator(".bd-article .find-results a").first.wait_for()
    assert not amiss(page)
    assert not faint(page)


# The controls of an article that stand on a drawing; the words that are carried are part of theirs.
ON_A_DRAWING = """() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const boxes = (selector) => [...document.querySelectorAll(`.bd-article :is(${selector})`)]
    .filter(seen).map((element) => [element, element.getBoundingClientRect()]);
  const drawings = boxes(".posenc canvas, a.figure img");
  const controls = boxes("button:not(.posenc-word), summary, input, select, textarea");
  const meet = (one, other) => one.width
    && Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  return controls.filter(([, box]) => drawings.some(([, drawing]) => meet(box, drawing)))
    .map(([element]) => `${element.tagName} ${element.className} ${element.innerText}`);
}"""
WIDTHS = [320, 390, 641, 1024, 1100, 1120, 1280, 1440, 1760, 2560]


def test_no_control_stands_on_a_drawing(open_page):
    for name in OPENED:
        if 'class="figure' not in (BOOK / name).read_text(encoding="utf-8"):
            continue
        page = open_page(name)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(REST)
            assert not page.evaluate(ON_A_DRAWING), (name, width)


# ---------------------------------------------------------------------------- a wide screen

# Of each box of code that stands by itself, how wide it is.
WIDTHS_OF_CODE = """() => [...document.querySelectorAll(".bd-article div.highlight")]
  .filter((box) => box.checkVisibility() && !box.matches(".editor"))
  .filter((box) => !box.closest("li, dd, td, details, .cell_output, [data-label]"))
  .map((box) => Math.round(box.getBoundingClientRect().width))"""


@pytest.mark.parametrize("name", ["06_rotation", "12_port", "18_right_table"])
def test_boxes_of_code_are_equally_wide(open_page, name):
    page = open_page(f"book/{name}.html")
    for width in (390, 820, 1100, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert len(set(page.evaluate(WIDTHS_OF_CODE))) == 1, width


@pytest.mark.parametrize("name", ["06_rotation", "12_port"])
def test_no_box_of_code_makes_a_tablet_scroll_sideways(open_page, name):
    page = open_page(f"book/{name}.html")
    for opened in (False, True):
        page.locator("article details").evaluate_all(
            "(folds, open) => { for (const fold of folds) fold.open = open; }", opened
        )
        for width in (768, 820, 1024, 1080, 1180, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(FRAMES)
            assert not page.evaluate(OVER), (width, opened, page.evaluate(SIDEWAYS))


def test_a_note_stands_beside_its_line_where_there_is_a_margin(open_page):
    page = open_page("book/01_why_order_matters.html", 1440, 900)
    note, text = (page.locator(f"article {what}").first for what in (".sidenote", "h2 + p"))
    for width, beside in ((1280, False), (1440, True), (1920, True)):
        page.set_viewport_size({"width": width, "height": 900})
        right = text.evaluate("(el) => el.getBoundingClientRect().right")
        left, end = note.evaluate(
            "(el) => [el.getBoundingClientRect().left, el.getBoundingClientRect().right]"
        )
        assert (left > right) is beside, width
        toc = page.locator(".bd-toc").bounding_box()["x"]
        assert end < toc
        assert not page.evaluate(OVER), page.evaluate(SIDEWAYS)


# The notes that stand on a picture, on the sign of its code or on a box of code.
NOTES_ON_SOMETHING = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)]
    .filter((element) => element.checkVisibility())
    .map((element) => element.getBoundingClientRect());
  const others = boxes(".posenc canvas, a.figure img, .made > summary, .cell_input pre");
  return boxes(".sidenote").filter((note) => others.some((other) =>
    note.left < other.right && other.left < note.right
    && note.top < other.bottom && other.top < note.bottom)).length;
}"""


def test_a_note_stands_on_nothing(open_page):
    named = [n for n in NAMES if 'class="sidenote' in (BOOK / n).read_text(encoding="utf-8")]
    assert len(named) >= 5
    for name in named:
        page = open_page(name, 1440, 900)
        page.evaluate(REST)
        for width in (1440, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(REST)
            assert not page.evaluate(NOTES_ON_SOMETHING), (name, width)


# How much wider than the text a figure is, for each that stands by itself.
WIDER = """(kind) => [...document.querySelectorAll(kind)]
  .filter((figure) => !figure.closest("details, li, .admonition, .tag_wide, .figure-with-words"))
  .filter((figure) => figure.closest(".cell"))
  .map((figure) => {
    const text = document.querySelector("article h2 + p").getBoundingClientRect();
    return Math.round(figure.getBoundingClientRect().width - text.width);
  })"""


@pytest.mark.parametrize(("width", "wider"), [(1280, 0), (1440, 64), (1920, 64)])
def test_figures_that_move_are_as_wide_as_those_that_do_not(open_page, width, wider):
    page = open_page("book/06_rotation.html", width, 900)
    page.locator(".posenc canvas").first.wait_for()
    moving = page.evaluate(WIDER, ".posenc[data-view]")
    assert moving
    assert set(moving) == {wider}
    if wider:
        assert set(page.evaluate(WIDER, "a.figure")) == {wider}


# For each moving figure that stands beside its text, and each line of the text's end: is the
# drawing in sight while the line is in the middle of the screen?
SEEN_WITH_ITS_TEXT = """() => [...document.querySelectorAll(".figure-with-words")].map((box) => {
  const drawing = box.querySelector("canvas");
  const text = [...box.children].slice(1).filter((part) => part.checkVisibility());
  return text.map((part) => {
    part.scrollIntoView({ block: "center", behavior: "instant" });
    const { top, bottom, left } = drawing.getBoundingClientRect();
    const { right } = part.getBoundingClientRect();
    return left > right && bottom > 0 && top < innerHeight;
  });
})"""


@pytest.mark.parametrize("name", ["05_wavelengths", "07_binary", "08_similarity"])
def test_a_figure_stays_in_sight_beside_its_text_where_there_is_room(open_page, name):
    page = open_page(f"book/{name}.html", 1920, 1000)
    seen = page.evaluate(SEEN_WITH_ITS_TEXT)
    assert seen
    for parts in seen:
        assert all(parts), parts
    assert not page.evaluate(OVER), page.evaluate(SIDEWAYS)
    page.set_viewport_size({"width": 1440, "height": 900})
    below = "(box) => getComputedStyle(box.firstElementChild).position"
    assert page.locator(".figure-with-words").first.evaluate(below) == "relative"


# For each moving figure that stands alone, and each line of the text that speaks of it: is the
# drawing in sight, below the bar, while the line is in the middle of the screen?
SEEN_ABOVE_ITS_TEXT = """() => {
  const alone = ".cell:not(.tag_wide, .figure-with-words *, .admonition *):has(.posenc canvas)";
  const ends = "section, .admonition, .cell:has(.posenc, .figure)";
  return [...document.querySelectorAll(alone)].map((cell) => {
    const text = [];
    for (let next = cell.nextElementSibling; next && !next.matches(ends); ) {
      if (next.checkVisibility()) text.push(next);
      next = next.nextElementSibling;
    }
    return text.map((part) => {
      part.scrollIntoView({ block: "center", behavior: "instant" });
      const { top, bottom } = cell.querySelector("canvas").getBoundingClientRect();
      return top < innerHeight && bottom > document.querySelector("header").offsetHeight;
    });
  });
}"""


@pytest.mark.parametrize("name", ["03_formula", "06_rotation", "07_binary"])
def test_a_figure_above_a_short_text_is_seen_with_it(open_page, name):
    page = open_page(f"book/{name}.html", 1920, 1000)
    seen = [parts for parts in page.evaluate(SEEN_ABOVE_ITS_TEXT) if parts]
    assert seen
    assert all(map(all, seen)), seen
