"""The printed book: every chapter, every glyph, and no answer beside its question."""

import functools
import re

import numpy as np
import pikepdf
import pypdfium2
import pytest

from extensions.contents import pages_in_toc
from extensions.figure_twins import PAPER
from scripts import paper
from tests.browser.conftest import ROOT, html
from tests.course.test_questions import STORED

PDF = ROOT / "build" / "where-words-stand.pdf"
DOCUMENT = ROOT / "build" / "paper" / "book.html"

pytestmark = pytest.mark.skipif(not PDF.exists(), reason=f"no printed book at {PDF}")

NAMES = [path.stem for path in pages_in_toc() if f"book/{path.stem}" not in paper.ON_SCREEN]
ENDS = ["Hints", "Answers to the questions", "Solutions to the exercises"]
BYTES = 14_000_000
# More pages than the text fills: a chapter begins on a page of its own, and within chapters some
# room is lost before what may not be broken.
LOST = 0.03
# How far down a page at least something stands, but on the last page of a chapter: what may not be
# broken, such as a figure, is lower than the rest. A few pages before a taller one end earlier.
FILLED, EXCEPT = 0.7, 12
EDGES = 23 / 297, 22 / 297  # parts of a page that are its margins above and below
# What the book brings along, and Matplotlib's; a machine's own fonts have no place in it.
FONTS = r"/[A-Z]{6}\+(Words(Serif|Sans)|KaTeX_|DejaVuSans)"

OUTSIDE = """() => {
  const room = document.querySelector("main").getBoundingClientRect();
  return [...document.querySelectorAll("main :is(pre, .line, table, td, img, .katex-html, p)")]
    .filter((element) => {
      const column = element.closest("#answers .entry, #hints .entry");
      const box = column ? column.getBoundingClientRect() : room;
      const within = element.clientWidth === 0 || element.scrollWidth <= element.clientWidth + 1;
      return element.getBoundingClientRect().right > box.right + 1 || !within;
    })
    .map((element) => `${element.closest("article")?.id}: ${element.textContent.slice(0, 60)}`);
}"""


def squeezed(text):
    """A text without spaces, hyphens at line ends and the marks of wrapped lines."""
    return re.sub(r"[\s\xad\ufffe↪]+", "", text)


@functools.cache
def texts():
    with pypdfium2.PdfDocument(PDF) as pdf:
        return [page.get_textpage().get_text_bounded() for page in pdf]


@functools.cache
def headings():
    """(title, page from 0) of each chapter, as the bookmarks of the PDF have them."""
    with pypdfium2.PdfDocument(PDF) as pdf:
        return [
            (" ".join(mark.get_title().split()), mark.get_dest().get_index())
            for mark in pdf.get_toc(max_depth=1)
        ]


def test_every_chapter_is_there_in_order():
    titles = [title for title, _ in headings()]
    assert titles[:3] == ["Where Words Stand", "Contents", "About this book"]
    assert titles[-3:] == ENDS
    chapters = dict(zip(NAMES, titles[2:-3], strict=True))
    for name in NAMES[1:]:
        heading = html(f"book/{name}.html").h1
        expected = heading.get_text().removesuffix("#").strip()
        opening = heading.find_parent("header")
        if opening and (number := re.search(r"Chapter (\d+)", opening.get_text())):
            expected = f"{number[1]} {expected}"
        assert chapters[name] == expected
    pages = [page for _, page in headings()]
    assert pages == sorted(set(pages)), "each chapter begins on a page of its own"
    for title, page in headings():
        assert squeezed(title) in squeezed(texts()[page])


def test_the_contents_name_the_right_pages():
    (page,) = {page for title, page in headings() if title == "Contents"}
    listed = squeezed(texts()[page])
    for title, at in headings()[2:]:
        assert f"{squeezed(title)}{at + 1}" in listed, title


def glyphs(pdf):
    """(page, font, glyph numbers) of every piece of text, as the browser writes them: <002A> Tj."""
    for at, page in enumerate(pdf.pages, start=1):
        page.contents_coalesce()
        drawn = page.Contents.read_bytes()
        fonts, font = page.resources.get("/Font", {}), None
        pieces = re.findall(rb"(/\w+) \S+ Tf\s|<((?:[0-9A-F]{4})+)> Tj\s", drawn)
        assert len(pieces) == len(re.findall(rb"\sT[fjJ]\s|\s['\"]\s", drawn)), at
        for name, codes in pieces:
            if name:
                font = fonts[name.decode()]
            else:
                yield at, font, codes


def test_no_glyph_is_missing():
    assert not [at for at, text in enumerate(texts(), start=1) if "\ufffd" in text]
    with pikepdf.open(PDF) as pdf:
        written = list(glyphs(pdf))
        fonts = {font.objgen: (at, font) for at, font, _ in reversed(written)}
        names = {objgen: str(font.BaseFont) for objgen, (_, font) in fonts.items()}
        for objgen, (at, font) in fonts.items():
            assert font.Subtype == "/Type0", f"page {at}: {names[objgen]} is no outline font"
            assert re.match(FONTS, names[objgen]), f"page {at}: {names[objgen]} is not of the book"
            (below,) = font.DescendantFonts
            assert {"/FontFile2", "/FontFile3"} & set(below.FontDescriptor.keys())
        for at, font, codes in written:
            lost = any(codes.startswith(b"0000", place) for place in range(0, len(codes), 4))
            assert not lost, f"page {at}: a character that {names[font.objgen]} does not have"
    assert len(fonts) > 8


def test_nothing_is_cut_off_and_all_the_code_that_is_shown_is_printed(tab):
    page = tab(viewport={"width": 794, "height": 1123})
    page.emulate_media(media="screen")
    page.goto(DOCUMENT.as_uri())
    page.wait_for_function("!document.querySelector('.posenc[data-state]')")
    assert not page.evaluate(OUTSIDE)
    # PDFium writes U+0002 for a hyphen at the end of a line, as in a number that is wrapped there.
    printed = squeezed("".join(texts()).replace("\x02", "-"))
    shown = set(map(squeezed, page.locator("pre .line").all_text_contents()))
    assert len(shown) > 1000
    assert not [line for line in shown if line not in printed]
    for name in NAMES:
        for block in html(f"book/{name}.html").select(".cell:not([class*=hide]) > .cell_input pre"):
            for line in block.get_text().splitlines():
                assert squeezed(line) in printed, (name, line)


def test_no_answer_stands_beside_its_question():
    first = dict(headings())["Answers to the questions"]
    before, after = squeezed("".join(texts()[:first])), squeezed("".join(texts()[first:]))
    asks = [ask for path, ask in STORED if path.stem in NAMES]
    assert len(asks) > 100
    for ask in asks:
        because = squeezed(ask["because"])
        assert because in after, ask["key"]
        assert because not in before, ask["key"]
        assert squeezed(ask["text"]) in before, ask["key"]


def test_solutions_are_at_the_end():
    first = dict(headings())["Solutions to the exercises"]
    titles = [
        re.search(r"Exercise [\d.]+", solution.summary.get_text())[0]
        for name in NAMES
        for solution in html(f"book/{name}.html").select("details.solution")
    ]
    assert len(titles) > 50
    printed = re.findall(r"Exercise (?:\d+\.)*\d+", "\n".join(texts()[first:]))
    assert [title for title in printed if title in set(titles)][: len(titles)] == titles


def test_links_lead_to_pages_of_the_book_or_to_the_web():
    with pikepdf.open(PDF) as pdf:
        inside, outside = set(), set()
        for page in pdf.pages:
            for note in page.get("/Annots", []):
                if "/Dest" in note:
                    inside.add(str(note.Dest))
                else:
                    outside.add(str(note.A.URI))
        known = set(map(str, pdf.Root.Dests.keys()))
    assert len(inside) > 500
    assert inside <= known
    assert not [address for address in outside if not address.startswith("https://")]


def test_figures_are_there_with_their_words():
    still = sum(len(html(f"book/{name}.html").select("article a.figure")) for name in NAMES)
    moving = sum(len(html(f"book/{name}.html").select("article [data-view]")) for name in NAMES)
    with pikepdf.open(PDF) as pdf:
        assert str(pdf.Root.Lang) == "en"
        tags = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary)]
        words = [str(tag.get("/Alt", "")) for tag in tags if tag.get("/S") == "/Figure"]
        title = str(pdf.open_metadata()["dc:title"])
    assert title == "Where Words Stand"
    assert moving > 10
    assert len(words) == still + moving + 1  # and the cover
    assert all(words)


@functools.cache
def filled():
    """How far down each page the last thing stands, as a part of the room between its margins."""
    found = []
    with pypdfium2.PdfDocument(PDF) as pdf:
        for page in pdf:
            grey = page.render(scale=0.3, grayscale=True).to_numpy().squeeze()
            room = grey[int(EDGES[0] * len(grey)) : int((1 - EDGES[1]) * len(grey))]
            dark = np.flatnonzero((room < 235).any(axis=1))
            found.append((dark[-1] + 1) / len(room) if dark.size else 0)
    return found


def test_it_is_no_larger_than_it_need_be():
    assert PDF.stat().st_size <= BYTES
    assert len(texts()) <= (1 + LOST) * sum(filled()) + len(headings())
    heads = len("Where Words Stand") + len("000") + max(len(title) for title, _ in headings())
    empty = [at for at, text in enumerate(texts(), start=1) if len(squeezed(text)) < heads]
    assert set(empty) <= {1}


def test_pages_are_full_but_the_last_of_a_chapter():
    last = {page - 1 for _, page in headings()} | {len(texts()) - 1}
    short = {at + 1: part for at, part in enumerate(filled()) if at not in last and part < FILLED}
    assert len(short) <= EXCEPT, short
    assert min(short.values(), default=1) >= 0.5, short


def test_pictures_stand_on_white():
    cream = np.array(PAPER, np.int16)
    with pikepdf.open(PDF) as pdf:
        images = [one for one in pdf.objects if isinstance(one, pikepdf.Stream)]
        images = [one for one in images if one.get("/Subtype") == "/Image"]
        assert len(images) > 100
        for image in images:
            pixels = np.asarray(pikepdf.PdfImage(image).as_pil_image().convert("RGB"), np.int16)
            near = [abs(pixels[..., at] - cream[at]) <= 1 for at in range(3)]
            assert (near[0] & near[1] & near[2]).mean() < 0.001
