"""The decks of slides, as pages and as PDF: a page of paper for each slide.

    python -m scripts.slides           (make slides, which builds the pages first)

The build of the book writes the decks (extensions/slides.py); this writes them again, in a second,
and prints each to a PDF beside it.
"""

from pathlib import Path

from extensions.slides import FOLDER, decks, write_all
from scripts.paper import PAGES, empty_page, static_fonts

SANS = '--book-sans: "Paper Sans"; --book-serif: "Paper Serif";'


def printed(page, deck, fonts):
    """Print a deck beside its page."""
    source = PAGES / FOLDER / f"{deck.name}.html"
    page.goto(f"{source.as_uri()}?print-pdf", wait_until="load")
    page.add_style_tag(content=f"{fonts}\n:root {{ {SANS} }}")
    page.evaluate("document.fonts.ready")
    page.wait_for_function(
        "document.querySelectorAll('.pdf-page').length === Reveal.getTotalSlides()"
        " && !document.querySelector('.posenc[data-state]')"
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 150)))")
    target = source.with_suffix(".pdf")
    page.pdf(path=target, prefer_css_page_size=True, print_background=True, tagged=True)
    return target


def make(build=Path("build")):
    """Write and print all decks; return the files."""
    folder = build / "slides"
    folder.mkdir(parents=True, exist_ok=True)
    fonts = static_fonts(PAGES / "_static" / "fonts", folder.resolve())
    write_all(PAGES)
    with empty_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce") as page:
        return [printed(page, deck, fonts) for deck in decks()]


if __name__ == "__main__":
    for path in make():
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
