"""How a chapter is made stays out of its reader's way: signs, the switch, paper."""

import pypdfium2

from extensions.cards import card_of
from extensions.contents import notebooks_in_toc, read
from tests.browser.conftest import BOOK, FRAMES
from tests.browser.test_pages import OVER, TOO_WIDE


def test_a_sign_opens_how_a_thing_is_made(open_page):
    page = open_page("book/06_rotation.html", 1300, 900)
    signs = page.locator("details.made > summary:visible")
    assert signs.count() >= 4
    sign, code = signs.first, page.locator("details.made[open] pre").first
    made = page.locator("div.cell:has(> details.made[open]) > .cell_output")
    for width in (320, 390, 700, 1300):
        page.set_viewport_size({"width": width, "height": 900})
        for each in signs.all():
            box = each.bounding_box()
            assert min(box["width"], box["height"]) >= 24
            assert 0 <= box["x"] <= width - 24
            assert each.get_attribute("aria-label")
        sign.press("Enter")
        assert code.is_visible()
        box = made.bounding_box()
        assert code.bounding_box()["y"] > box["y"] + box["height"] / 2
        assert not page.evaluate(OVER)
        sign.press("Enter")
        assert not code.is_visible()


def test_the_switch_shows_the_rest_and_is_kept(server, open_page):
    page = open_page("book/06_rotation.html", 1300, 900)
    rest = page.locator("details.workings:visible")
    assert rest.count() == 0
    switch = page.get_by_role("switch", name="Show how this page is made")
    assert switch.get_attribute("aria-checked") == "false"
    switch.focus()
    page.keyboard.press("Enter")
    assert rest.count() >= 3
    assert switch.get_attribute("aria-checked") == "true"
    assert 0 <= switch.bounding_box()["y"] <= 856
    page.reload()
    assert rest.count() >= 3
    switch.click()
    page.goto(f"{server}/book/05_wavelengths.html")
    assert rest.count() == 0


def test_on_paper_answers_come_after_the_exercises(open_page):
    page = open_page("book/04_worked_example.html", 700, 1000)  # where a picture answers, too
    before = page.evaluate("document.querySelector('article').textContent")
    page.evaluate("() => document.querySelector('.workings-switch').click()")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    telling = "article :is(details.solution, details.told)"
    ask = page.locator(f"article .exercise, {telling}").evaluate_all(
        "(all) => all.map((el) => el.matches('.exercise'))"
    )
    assert ask == sorted(ask, reverse=True)
    assert ask.count(False) >= 3
    assert page.locator(f"{telling}:not([open])").count() == 0
    assert page.locator("article .exercise").last.locator("details").count() == 0
    assert page.locator("details.plumbing:visible").count() == 0
    titles = page.locator(".at-the-end > h3").all_text_contents()
    assert len(set(titles)) == len(titles) >= 3
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.querySelector('article').textContent") == before
    assert page.locator("article details.solution[open]").count() == 0


def test_paper_is_light_in_the_dark_and_leaves_no_answer_asked_for(open_page):
    drawn = f"""() => document.fonts.ready.then({FRAMES})
      .then(() => document.querySelector('.posenc canvas').toDataURL())"""
    page, light = (
        open_page("book/06_rotation.html", 700, color_scheme=theme, reduced_motion="reduce")
        for theme in ("dark", "light")
    )
    dark, paper = page.evaluate(drawn), light.evaluate(drawn)
    assert dark != paper
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(drawn) == paper
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert not page.locator(":is(.bar, .editor, .try, .change):visible").count()
    words = page.locator(".touch").first
    assert words.evaluate("(el) => getComputedStyle(el).textDecorationLine") == "none"
    assert page.locator("article details:not([open])").count() == 0
    assert not page.evaluate(TOO_WIDE, "pre")
    assert not page.get_by_text("not answered yet").filter(visible=True).count()
    page.emulate_media(media="screen", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(drawn) == dark


def test_the_print_button_waits_for_the_pictures(tab, server):
    page = tab(viewport={"width": 700, "height": 600})  # which has no picture yet
    page.goto(f"{server}/book/06_rotation.html")
    page.evaluate("""() => {
      window.print = () => {
        window.blank = [...document.querySelectorAll(".bd-article img")]
          .filter((image) => image.checkVisibility() && !image.naturalWidth).length;
      };
    }""")
    page.locator(".menu-button").click()
    page.locator(".print-button").click()
    page.wait_for_function("window.blank !== undefined")
    assert page.evaluate("window.blank") == 0


def test_the_cards_print_on_eight_sheets(tab, tmp_path):
    page = tab()
    page.goto((BOOK / "book" / "cards.html").as_uri())
    page.pdf(path=tmp_path / "cards.pdf", format="A4")
    sheets = pypdfium2.PdfDocument(tmp_path / "cards.pdf")
    printed = "".join(sheet.get_textpage().get_text_range() for sheet in sheets)
    chapters = [book for book in map(read, notebooks_in_toc()) if card_of(book)]
    titles = [book.cells[0].source.split("\n")[1].removeprefix("# ") for book in chapters]
    assert len(sheets) <= 8
    assert titles
    for title in titles:  # a long one takes two lines
        assert "".join(title.split()) in "".join(printed.split())
