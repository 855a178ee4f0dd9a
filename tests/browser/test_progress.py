"""What the book remembers on this device: where the reader was."""

from tests.browser.test_pages import LARGEST_SHIFT, REST, SHIFTS

PLACE = "where-words-stand:place"


def scrolled(page, selector, place):
    """Scroll to what is named, and wait until the browser keeps that place."""
    page.evaluate("(s) => document.querySelector(s).scrollIntoView()", selector)
    kept = "([key, place]) => (localStorage.getItem(key) ?? '').includes(place)"
    page.wait_for_function(kept, arg=[PLACE, place])


def test_the_first_page_and_the_contents_offer_to_go_on(tab, server):
    page = tab()
    page.add_init_script(SHIFTS)
    page.goto(f"{server}/book/index.html")
    assert not page.locator(".go-on").count()
    page.goto(f"{server}/book/05_wavelengths.html")
    scrolled(page, "#wavelengths-card, #the-card", "The card")
    page.goto(f"{server}/book/index.html")
    offer = page.locator(".begin .go-on")
    assert offer.inner_text() == "Go on: Wavelengths, “The card”"
    page.evaluate(REST)
    assert page.evaluate("window.shifted") <= LARGEST_SHIFT
    offer.click()
    page.wait_for_load_state("load")
    assert "/book/05_wavelengths.html#" in page.url
    place = "document.getElementById(location.hash.slice(1)).getBoundingClientRect().top"
    page.wait_for_function(f"Math.abs({place}) < 200")
    page.goto(f"{server}/book/glossary.html")
    assert page.locator(".bd-links .go-on").count() == 1
    page.goto(f"{server}/book/05_wavelengths.html")
    scrolled(page, ".onward-next", "The rotation proof")  # after a chapter, the next one
    page.goto(f"{server}/book/index.html")
    assert offer.inner_text() == "Go on: The rotation proof"
    assert offer.get_attribute("href").endswith("/book/06_rotation.html")
