"""The decks of slides, as pages and as PDF, and a handout with the notes of each.

    python -m scripts.slides                  (make slides, which builds the pages first)
    python -m scripts.slides --lecture 01 03  (make slides LECTURE="01 03")

The build of the book writes the decks (extensions/slides.py); this writes them again, and prints
each to a PDF beside it. A handout has four slides on a page, each with what the teacher says to
it. A lecture is one deck of several.
"""

import argparse
import base64
import io
from html import escape
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from bs4 import BeautifulSoup

from extensions.slides import DECKS, FOLDER, Deck, decks, write_all, write_deck
from scripts.paper import PAGES, empty_page, static_fonts

SANS = '--book-sans: "Paper Sans"; --book-serif: "Paper Serif";'
STYLE = Path(__file__).with_name("handout.css")
DOTS = 2  # of a slide's picture in a handout, for each of its points


class Lecture(NamedTuple):
    """One deck of several."""

    name: str
    title: str
    question: str
    slides: list


def lecture(numbers):
    """Return a `Lecture` with the slides of the decks of these numbers, as ["01", "03"]."""
    paths = {path.stem[:2]: path for path in sorted(DECKS.glob("*.yml"))}
    unknown = [number for number in numbers if number not in paths]
    if unknown:
        raise ValueError(f"lecture must be numbers of decks, {' '.join(paths)}, got {unknown[0]!r}")
    parts = [Deck(paths[number]) for number in numbers]
    return Lecture(
        f"lecture-{'-'.join(numbers)}",
        " · ".join(part.title for part in parts),
        " ".join(part.question for part in parts),
        [slide for part in parts for slide in part.slides],
    )


def printed(page, deck, fonts):
    """Print a deck into a PDF beside its page; return the path of the PDF."""
    source = PAGES / FOLDER / f"{deck.name}.html"
    page.goto(f"{source.as_uri()}?print-pdf", wait_until="load")
    page.add_style_tag(content=f"{fonts}\n:root {{ {SANS} }}")
    page.evaluate("document.fonts.ready")
    page.wait_for_function(
        "document.querySelectorAll('.pdf-page').length === Reveal.getTotalSlides()"
        " && !document.querySelector('.posenc[data-state]')"
    )
    # As in `paper.open_document`: a moving figure is painted in the frame after a change.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 150)))")
    target = source.with_suffix(".pdf")
    page.pdf(path=target, prefer_css_page_size=True, print_background=True, tagged=True)
    return target


def handout(page, deck, slides, fonts, folder):
    """Print the slides of the PDF `slides`, each with its notes; return the path of the handout."""
    rows = []
    with pypdfium2.PdfDocument(slides) as pdf:
        for number, (sheet, section) in enumerate(zip(pdf, deck.slides, strict=True), start=1):
            picture = io.BytesIO()
            sheet.render(scale=DOTS).to_pil().convert("RGB").save(picture, "JPEG", quality=85)
            data = base64.b64encode(picture.getvalue()).decode()
            soup = BeautifulSoup(section, "html.parser")
            words = soup.select_one(".body").get_text(" ", strip=True)
            rows.append(
                f'<section><img src="data:image/jpeg;base64,{data}" alt="{escape(words)}">'
                f"<div><b>{number}</b>{soup.aside.decode_contents()}</div></section>"
            )
    katex = (PAGES / "_static" / "katex" / "katex.min.css").as_uri()
    source = folder / f"{deck.name}-handout.html"
    source.write_text(
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<title>{escape(deck.title)}: handout</title><link rel="stylesheet" href="{katex}">'
        f"<style>{fonts}\n{STYLE.read_text(encoding='utf-8')}</style></head>"
        f"<body><h1>{escape(deck.title)}</h1>{''.join(rows)}</body></html>",
        encoding="utf-8",
    )
    page.goto(source.as_uri(), wait_until="load")
    page.evaluate("document.fonts.ready")
    target = slides.with_name(f"{deck.name}-handout.pdf")
    page.pdf(path=target, prefer_css_page_size=True, tagged=True)
    return target


def make(numbers=(), build=Path("build")):
    """Write and print all decks, or the lecture of some; return the files."""
    folder = (build / "slides").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    fonts = static_fonts()
    asked = [lecture(numbers)] if numbers else decks()
    write_all(PAGES)  # also what a lecture loads
    if numbers:
        write_deck(asked[0], PAGES)
    files = []
    # As large as a slide, by slides.js, and without the motion of figures that grow.
    with empty_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce") as page:
        for deck in asked:
            slides = printed(page, deck, fonts)
            files += [slides, handout(page, deck, slides, fonts, folder)]
    return files


def main() -> None:
    """Write and print the decks that the command line asks for, and print their sizes."""
    parser = argparse.ArgumentParser(prog="slides", description=__doc__.partition("\n")[0])
    parser.add_argument("--lecture", nargs="*", default=[], metavar="NUMBER", help="such as 01 03")
    try:
        for path in make(parser.parse_args().lecture):
            print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
