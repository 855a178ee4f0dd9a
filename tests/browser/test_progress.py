"""What the book remembers on this device: where the reader was, and what was answered."""

import json

from tests.browser.test_pages import LARGEST_SHIFT, REST, SHIFTS

PLACE, ANSWERS = "where-words-stand:place", "where-words-stand:answers"


def scrolled(page, selector, place):
    """Scroll to what is named, and wait until the browser keeps that place."""
    page.evaluate("(s) => document.querySelector(s).scrollIntoView()", selector)
    kept = "([key, place]) => (localStorage.getItem(key) ?? '').includes(place)"
    page.wait_for_function(kept, arg=[PLACE, place])


def test_the_first_page_and_the_contents_offer_to_go_on(tab, server):
    page = tab()
    page.add_init_script(SHIFTS)
    page.goto(f"{server}/book/index.html", wait_until="load")
    assert not page.locator(".go-on").count()
    page.goto(f"{server}/book/05_wavelengths.html", wait_until="load")
    scrolled(page, "#wavelengths-card, #the-card", "The card")
    page.goto(f"{server}/book/index.html", wait_until="load")
    offer = page.locator(".begin .go-on")
    assert offer.inner_text() == "Go on: Wavelengths, “The card”"
    page.evaluate(REST)
    assert page.evaluate("window.shifted") <= LARGEST_SHIFT
    offer.click()
    page.wait_for_load_state("load")
    assert "/book/05_wavelengths.html#" in page.url
    place = "document.getElementById(location.hash.slice(1)).getBoundingClientRect().top"
    page.wait_for_function(f"Math.abs({place}) < 200")
    page.goto(f"{server}/book/glossary.html", wait_until="load")
    assert page.locator(".bd-links .go-on").count() == 1


def test_after_a_chapter_the_next_one_is_offered(tab, server):
    page = tab()
    page.goto(f"{server}/book/05_wavelengths.html", wait_until="load")
    scrolled(page, ".onward-next", "The rotation proof")
    page.goto(f"{server}/book/index.html", wait_until="load")
    offer = page.locator(".begin .go-on")
    assert offer.inner_text() == "Go on: The rotation proof"
    assert offer.get_attribute("href").endswith("/book/06_rotation.html")


def test_what_storage_holds_leads_nowhere_else(tab, server):
    page = tab()
    page.goto(f"{server}/book/index.html")
    elsewhere = ('{"to": "//elsewhere", "title": "x"}', '{"to": "book/x"}')
    for entry in ("no json", "7", "null", *elsewhere):
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [PLACE, entry])
        page.reload()
        assert not page.locator(".go-on").count(), entry


def test_the_contents_count_what_is_answered(tab, server):
    page = tab()
    page.goto(f"{server}/book/05_wavelengths.html", wait_until="load")
    keys = page.evaluate("window.posencQuestions['book/05_wavelengths']")
    link = page.locator(".bd-sidebar-primary .bd-links a.current.reference").last
    for done, words in ((1, f"1 of {len(keys)} questions answered"), (len(keys), "all questions")):
        answers = json.dumps({key: {"done": True} for key in keys[:done]})
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [ANSWERS, answers])
        page.reload(wait_until="load")
        assert words in link.locator(".posenc-done").get_attribute("aria-label")


def test_what_was_forgotten_comes_back(tab, server):
    page = tab(viewport={"width": 1300, "height": 900})
    page.goto(f"{server}/book/05_wavelengths.html", wait_until="load")
    key = page.evaluate("window.posencQuestions['book/05_wavelengths'][0]")
    answers = json.dumps({key: {"done": True}})
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [ANSWERS, answers])
    page.reload(wait_until="load")
    page.get_by_role("button", name="Forget my answers").click()
    assert page.evaluate("(key) => localStorage.getItem(key)", ANSWERS) is None
    with page.expect_navigation():
        page.get_by_role("button", name="Bring them back").press("Enter")
    assert page.evaluate("(key) => localStorage.getItem(key)", ANSWERS) == answers
