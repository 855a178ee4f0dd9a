"""The book on paper: one PDF of the built pages, set by Chromium.

    python -m scripts.paper            (make pdf, which builds the pages first)

The chapters are joined into one document and printed. What a page folds away is settled for a
reader without a mouse: code that only draws or checks is left out, proofs are opened, answers,
hints and solutions go to the end, moving figures are drawn as they start. Then the document is
printed again with the page of every reference, which is known once it has been printed.
"""

import gc
import hashlib
import json
import os
import re
import shutil
import zlib
from contextlib import contextmanager
from datetime import date
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import pikepdf
import yaml
from bs4 import BeautifulSoup, Tag
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from extensions.contents import ROOT, parts
from extensions.figure_twins import PAPER
from extensions.repository_links import git
from posenc import sinusoidal
from posenc_course.figures.style import DIVERGING

PAGES = ROOT / "_build" / "html"
THEME = ROOT / "theme" / "static"
TARGET = ROOT / "build" / "where-words-stand.pdf"
STYLE = Path(__file__).with_name("paper.css")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu"]

# Left on the screen: the docstrings, which are installed with posenc, and what prints from its own
# page or command: the chapters' cards once more, and what lies on the teacher's desk.
ON_SCREEN = {
    *("book/reference", "book/cards", "book/attention", "book/board", "book/notation"),
    *("book/exam", "book/assignment"),
}
# What a reader looks up after trying: the word of the link that leads there, the chapter's title.
AT_THE_END = {
    "hints": ("hints", "Hints"),
    "answers": ("answer", "Answers to the questions"),
    "solutions": ("solution", "Solutions to the exercises"),
}
LEFT_OUT = (
    "script, style, noscript, .headerlink, .copy, .only-dark, .begin, .toctree-wrapper, .term,"
    " .katex-mathml, .next, .on-screen, .needs-script"
)
LONG_CODE = 24  # lines, a third of a page; what is not longer stays on one page
UNKNOWN = "000"  # where a page number will be

FONTS = {
    "words-serif": (400, 600, 700),
    "words-serif-italic": (400,),
    "words-sans": (400, 600, 700),
}

# Canvases become pictures, on white, with the words that a screen reader hears. A line of code that
# goes on below itself is marked, for paper.css to show that.
STILL = """() => {
  for (const canvas of document.querySelectorAll(".posenc canvas")) {
    const pen = canvas.getContext("2d");
    pen.resetTransform();
    pen.globalCompositeOperation = "destination-over";
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    const picture = document.createElement("img");
    picture.src = canvas.toDataURL();
    picture.alt = canvas.getAttribute("aria-label") || "";
    canvas.replaceWith(picture);
  }
  for (const part of document.querySelectorAll(".posenc :is(.posenc-controls, .posenc-spoken)")) {
    part.remove();
  }
  for (const line of document.querySelectorAll("pre .line")) {
    const { height } = line.getBoundingClientRect();
    line.classList.toggle("wrapped", height > 1.5 * parseFloat(getComputedStyle(line).lineHeight));
  }
}"""

# References get the page of what they lead to.
NUMBER = """(pages) => {
  for (const place of document.querySelectorAll(".page-of")) {
    if (!(place.dataset.of in pages)) throw new Error(`no page has ${place.dataset.of}`);
    place.textContent = pages[place.dataset.of];
  }
}"""


class Book:
    """The chapters, and what moves from them to the end."""

    def __init__(self, folder: Path):
        """Make all chapters ready; pictures that are made for paper are written into a folder."""
        self.folder = folder
        self.parts = {name: part for name, part in parts().items() if name not in ON_SCREEN}
        self.names = {Path(name).name for name in self.parts}
        self.ends = {kind: {} for kind in AT_THE_END}  # what each chapter moves there
        self.styles, self.scripts, self.address = {}, {}, ""
        self.chapters = [Chapter(self, name) for name in self.parts]


class Chapter:
    """One built page, made ready for paper."""

    def __init__(self, book: Book, name: str):
        """Read the built page of a name, and change its HTML for paper step by step."""
        self.book, self.name = book, Path(name).name
        html = (PAGES / f"{name}.html").read_text(encoding="utf-8")
        self.soup = parsed(html)
        canonical = self.soup.find("link", rel="canonical")
        if canonical:
            book.address = canonical["href"].removesuffix(f"{name}.html")
        self.article = self.soup.find("article")
        self.article["class"] = ["bd-article"]
        self.article["id"] = self.name
        self.number = self.article.attrs.pop("data-number", "")
        self.questions = 0
        # Ids are made unique before parts of the page move to the end of the book. The last step
        # opens the folds that the others have left.
        for step in (
            *(self.names, self.views, self.drop, self.heading, self.cells),
            *(self.figures, self.code, self.questions_out, self.exercises, self.folds),
        ):
            step()
        self.title = self.text("h1")

    def text(self, selector: str) -> str:
        """Return the words of the first element that a selector finds, or "" if it finds none."""
        element = self.article.select_one(selector)
        return " ".join(element.get_text().split()) if element else ""

    def new(self, tag: str, classes: str = "", html: str = "", **attributes: str) -> Tag:
        """Return a new element that holds some HTML."""
        element = self.soup.new_tag(tag, attrs=attributes)
        if classes:
            element["class"] = classes.split()
        element.append(parsed(html))
        return element

    # --- names and links ---------------------------------------------------------------------

    def names(self) -> None:
        """Give every anchor a name of its own in the whole book."""
        for element in self.article.find_all(id=True):
            element["id"] = anchor(self.name, element["id"])
        for link in self.article.find_all("a", href=True):
            self.link(link)

    def link(self, link: Tag) -> None:
        """Let a link lead to its place in the book, with the page, or out of the book."""
        target, _, name = link["href"].partition("#")
        # An address on the web stays as it is. The link round a picture goes in `figures`.
        if re.match(r"[a-z]+:", target) or "figure" in link.get("class", []):
            return
        page = Path(target).stem if target else self.name
        if (target and not target.endswith(".html")) or page not in self.book.names:
            if self.book.address:
                link["href"] = f"{self.book.address}book/{link['href']}"
            else:
                link.name, link.attrs = "span", {}
            return
        link["href"] = "#" + (anchor(page, name) if name else page)
        # Terms and sources stand in alphabetical order, and are found without the number of a page.
        if page not in (self.name, "glossary", "references"):
            link["class"] = [*link.get("class", []), "far"]
            link.append(parsed(page_of(link["href"].lstrip("#"))))

    # --- what paper cannot do ----------------------------------------------------------------

    def views(self):
        """Note the style sheets and scripts of the moving figures."""
        for link in self.soup.select("head link[rel=stylesheet], head script[src]"):
            address = link.get("href") or link.get("src")
            path = (PAGES / "book" / address.partition("?")[0]).resolve()
            if link.name == "link":
                self.book.styles[path] = True
            elif "views" in path.parts:
                self.book.scripts[path] = True
        for view in self.article.select("[data-view]"):
            state = json.loads(view["data-state"])
            state["_suggestion"] = "On the page this figure moves. " + state["_suggestion"]
            view["data-state"] = json.dumps(state)

    def drop(self) -> None:
        """Leave out what only a screen has."""
        for element in self.article.select(LEFT_OUT):
            element.decompose()
        # A PDF has no MathML beside the glyphs, so they are what a screen reader reads.
        for glyphs in self.article.select(".katex-html"):
            del glyphs["aria-hidden"]

    def heading(self) -> None:
        """Write a chapter's number before its title; give the first page a title of its own."""
        heading = self.article.find("h1")
        # The title of the first page is that of the book, which stands on the cover.
        if self.name == "index":
            heading.string = "About this book"
        if self.number:
            heading.insert(0, self.new("span", "number", f"{self.number} "))

    def cells(self):
        """Leave out the code that a page folds away as plumbing; open what else it folds.

        Lines that say "not answered yet" go as well, since nothing runs on paper, and so do cells
        that have nothing left to show.
        """
        for fold in self.article.select("details.plumbing"):
            fold.decompose()
        for fold in self.article.select("details.hide"):
            # Code below its output has a sign for a name, and the words in an attribute.
            words = fold.select_one(".collapsed")
            name = words.get_text(strip=True) if words else fold.summary["aria-label"]
            fold.summary.replace_with(self.new("p", "opened-title", escape(name)))
            fold.name, fold["class"] = "div", ["opened"]
        for output in self.article.select(".unanswered"):
            output.decompose()
        for cell in self.article.select(".cell_output, .cell"):
            if not cell.get_text(strip=True) and not cell.select_one("img, [data-view]"):
                cell.decompose()

    # --- pictures, code ----------------------------------------------------------------------

    def figures(self) -> None:
        """Show each figure as it was drawn, on white."""
        for link in self.article.select("a.figure"):
            image = link.find("img")
            image.attrs.pop("loading", None)
            source = (PAGES / "book" / image["src"]).resolve()
            image["src"] = on_white(source, self.book.folder).as_uri()
            link.name, link.attrs = "div", {"class": ["figure"]}

    def code(self) -> None:
        """Make an element of each line of code, of which paper.css says where a page may end."""
        for block in self.article.select("pre"):
            # This element alone goes over several lines, and would be cut where they part.
            for check in block.select(".asked"):
                check.unwrap()
            lines = block.decode_contents().rstrip("\n").split("\n")
            html = "".join(f'<span class="line">{line}</span>' for line in lines)
            code = parsed(f"<pre>{html}</pre>").pre
            block.replace_with(code)
            code["class"] = ["long"] if len(lines) > LONG_CODE else []
            for line in code.select(".line"):
                # Such a line begins a block or a bracket. By paper.css no page ends with it, where
                # code is so long that it goes over two pages.
                if line.get_text().rstrip().endswith((":", "(", "[", "{")):
                    line["class"].append("begins-block")

    # --- to the end --------------------------------------------------------------------------

    def to_the_end(self, kind, number, label, content, back):
        """Add an entry at the end of the book; return the link that leads there, as HTML."""
        here = anchor(kind, f"{self.name}-{number}")
        link = f'<a href="#{back}">{escape(label)}{page_of(back)}</a>'
        entry = self.new("div", "entry", f'<p class="entry-title">{link}</p>', id=here)
        for part in content:
            entry.append(part.extract())
        self.book.ends[kind].setdefault(self, []).append(entry)
        return f'<a class="far" href="#{here}">{AT_THE_END[kind][0]}{page_of(here)}</a>'

    def question_box(self, box, fold):
        """Number a question, and move its answer to the end."""
        self.questions += 1
        number = f"{self.number}.{self.questions}" if self.number else str(self.questions)
        box["id"] = anchor(self.name, f"question-{self.questions}")
        fold.summary.decompose()
        label, content = f"Question {number}", list(fold.children)
        link = self.to_the_end("answers", self.questions, label, content, box["id"])
        box.insert(0, self.new("p", "question-title", f"<b>{label}</b> {link}"))

    def questions_out(self) -> None:
        """Number the questions, those in folds too, and move their answers to the end."""
        for box in self.article.select("div.posenc-question"):
            box["class"] = ["asked"]
            box.attrs.pop("data-state", None)
            fold = box.find("details", recursive=False).extract()
            self.question_box(box, fold)
        for fold in self.article.select("details.asks"):
            summary = fold.summary.get_text(" ", strip=True)
            box = self.new("div", "asked", f"<p><b>{escape(summary)}</b></p>")
            fold.insert_before(box)
            self.question_box(box, fold.extract())

    def exercises(self) -> None:
        """Move the hints and the solutions of exercises to the end."""
        for exercise in self.article.select("div.exercise"):
            number = re.search(r"[\d.]+", exercise.select_one(".caption-number").get_text())[0]
            hints = [
                part for fold in exercise.select("details") for part in self.flat(fold.extract())
            ]
            solutions = []
            for sibling in exercise.find_next_siblings():
                classes = sibling.get("class", [])
                if "exercise" in classes or sibling.name == "section":
                    break
                if "solution" in classes:
                    solutions += sibling.extract().section.find_all(recursive=False)
                elif sibling.name == "details":
                    hints += self.flat(sibling.extract())
            places = [
                self.to_the_end(kind, number, f"Exercise {number}", content, exercise["id"])
                for kind, content in (("hints", hints), ("solutions", solutions))
                if content
            ]
            if places:
                title = exercise.select_one(".admonition-title")
                title.append(self.new("span", "elsewhere", " · ".join(places)))

    def flat(self, fold: Tag) -> list[Tag]:
        """Return the hints of a fold, and of the folds in it, one after the other."""
        inner = [part for deeper in fold.select("details") for part in self.flat(deeper.extract())]
        content = fold.select_one(".sd-summary-content")
        content.name = "div"
        del content["class"]  # those that sphinx-design gives to what is in a fold
        return [content.extract(), *inner]

    # --- the rest ----------------------------------------------------------------------------

    def folds(self):
        """Open what is still folded: proofs, and the same in PyTorch."""
        for fold in self.article.select("details.told"):
            fold.summary.decompose()
            fold.unwrap()
        for fold in self.article.select("details"):
            summary = fold.summary
            summary.name, summary["class"] = "p", ["opened-title"]
            fold.name, fold["class"] = "div", ["opened"]


def anchor(page: str, name: str) -> str:
    """Return an id of a place in a page: one word in a PDF, a style sheet and an address."""
    return f"{page}.{re.sub(r'[^0-9A-Za-z.-]+', '-', name)}"


def on_white(source: Path, folder: Path) -> Path:
    """Return the file of a figure on white, as it was drawn; a page has it on its own paper."""
    target = folder / f"{source.stem}.png"
    with Image.open(source) as image:
        white = [min(255, round(value * 255 / ground)) for ground in PAPER for value in range(256)]
        image.convert("RGB").point(white).save(target)
    return target


def page_of(target: str) -> str:
    """Return the element in which the page number of an id will stand, as HTML."""
    return f'<span class="page-of" data-of="{target}">{UNKNOWN}</span>'


def parsed(html: str) -> BeautifulSoup:
    """Return a document of the elements of some HTML."""
    return BeautifulSoup(html, "html.parser")


# ---------------------------------------------------------------------------- the document


def book_config() -> dict[str, Any]:
    """Return the settings in _config.yml, by name."""
    return yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))


def cover(config: dict[str, Any], folder: Path) -> str:
    """Return the cover as HTML; write its picture into a folder."""
    picture = folder / "cover.png"
    plt.imsave(picture, sinusoidal(128, 168, base=1000), cmap=DIVERGING, vmin=-1, vmax=1)
    day = git(ROOT, "log", "-1", "--format=%cs")  # of the last change
    as_of = f"As of {date.fromisoformat(day):%-d %B %Y}. " if day else ""
    return f"""<section class="cover">
<h1>{escape(config["title"])}</h1>
<p class="subtitle">Positional encoding, from first principles to RoPE</p>
<p class="author">{escape(config["author"])}</p>
<p class="rights">{as_of}Text and figures CC BY 4.0, code MIT.</p>
<img src="{picture.as_uri()}" alt="The encoding of 128 positions as a heat map:
fast columns on the left, slow ones on the right">
</section>"""


def contents(book: Book) -> str:
    """Return the table of contents as HTML, with a page for every chapter."""
    lines = ['<nav class="contents"><h1 id="contents">Contents</h1>']

    def line(target: str, number: str, title: str) -> None:
        """Add a line that leads to the id `target`."""
        lines.append(
            f'<p class="entry-line"><a href="#{target}"><span class="number">{number}</span>'
            f'<span class="entry-name">{escape(title)}</span><span class="dots"></span>'
            f"{page_of(target)}</a></p>"
        )

    caption = ""
    for chapter, part in zip(book.chapters, book.parts.values(), strict=True):
        if part != caption:
            caption = part
            lines.append(f'<p class="part">{escape(part)}</p>')
        line(chapter.name, chapter.number, chapter.title.removeprefix(f"{chapter.number} "))
    lines.append('<p class="part">After trying</p>')
    for kind, (_, title) in AT_THE_END.items():
        line(kind, "", title)
    return "\n".join([*lines, "</nav>"])


def end_chapter(kind: str, groups: dict[Chapter, list[Tag]]) -> str:
    """Return the hints, the answers or the solutions of all chapters as HTML."""
    title = AT_THE_END[kind][1]
    lines = [f'<article class="bd-article at-the-end" id="{kind}"><h1>{title}</h1>']
    for chapter, entries in groups.items():
        lines.append(f"<h2>{escape(chapter.title)}</h2>")
        lines += map(str, entries)
    return "\n".join([*lines, "</article>"])


def static_font(name: str, weight: int) -> Path:
    """Return the file of a font at one weight, made once: a PDF holds no variable font."""
    source = THEME / "fonts" / f"{name}.woff2"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:8]
    path = TARGET.parent / "fonts" / f"{name}-{weight}-{digest}.ttf"
    if not path.is_file():
        font = TTFont(source, recalcTimestamp=False)
        if "fvar" in font:
            given = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
            font = instantiateVariableFont(font, given | {"wght": weight}, inplace=True)
        font.flavor = None
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")  # another process may make it, too
        font.save(unfinished)
        unfinished.replace(path)
    return path


def static_fonts() -> str:
    """Return style rules for the fonts of the pages, each weight from a file of its own."""
    rules = []
    for name, weights in FONTS.items():
        for weight in weights:
            family = "Paper Sans" if "sans" in name else "Paper Serif"
            slant = "italic" if "italic" in name else "normal"
            rules.append(
                f'@font-face {{ font-family: "{family}"; font-weight: {weight};'
                f" font-style: {slant}; src: url({static_font(name, weight).as_uri()}); }}"
            )
    return "\n".join(rules)


def page_rules(sheets: list[tuple[str, str]]) -> str:
    """Return style rules that give each (id, title) a running head on pages of its own kind."""
    rules = []
    for at, (target, title) in enumerate(sheets):
        words = title.replace("\\", "\\\\").replace('"', '\\"')
        rules.append(f'[id="{target}"] {{ page: sheet{at}; }}')
        rules.append(f'@page sheet{at} {{ @top-right {{ content: "{words}"; }} }}')
    return "\n".join(rules)


def document(folder: Path) -> str:
    """Return the whole book as one HTML document."""
    config = book_config()
    book = Book(folder)
    sheets = [(chapter.name, chapter.title) for chapter in book.chapters]
    sheets += [(kind, title) for kind, (_, title) in AT_THE_END.items()]
    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    style = STYLE.read_text(encoding="utf-8").replace("DEJAVU", fonts.as_uri())
    style = f"{static_fonts()}\n{style}\n{page_rules(sheets)}"
    # book.css takes the light colours by data-theme, and shows by "scripts" what needs scripts.
    parts = [
        '<!DOCTYPE html>\n<html lang="en" data-theme="light" class="scripts">\n<head>',
        f'<meta charset="utf-8"><title>{escape(config["title"])}</title>',
        *(f'<link rel="stylesheet" href="{path.as_uri()}">' for path in book.styles),
        f"<style>{style}</style>",
        "</head>\n<body>",
        cover(config, folder),
        "<main>",
        contents(book),
        *(str(chapter.article) for chapter in book.chapters),
        *(end_chapter(*end) for end in book.ends.items()),
        "</main>",
        *(f'<script src="{path.as_uri()}"></script>' for path in book.scripts),
        "</body>\n</html>\n",
    ]
    return "\n".join(parts)


# ---------------------------------------------------------------------------- printing


def places(path: Path) -> dict[str, int]:
    """Return the page, from 1, of every id in a PDF that a link leads to."""
    with pikepdf.open(path) as pdf:
        numbers = {page.objgen: at for at, page in enumerate(pdf.pages, start=1)}
        return {
            str(name).lstrip("/"): numbers[place[0].objgen]
            for name, place in pdf.Root.Dests.items()
        }


def open_document(page: Page, source: Path) -> None:
    """Open the document, with its fonts there and its moving figures drawn."""
    page.goto(source.as_uri(), wait_until="load")
    page.evaluate("document.fonts.ready")
    page.wait_for_function("!document.querySelector('.posenc[data-state]')")
    # A moving figure is painted in the frame after a change (`refresh` in shared.js). 100 ms after
    # the next frame all are.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
    page.evaluate(STILL)


def print_to(page: Page, target: Path) -> dict[str, int]:
    """Print with tags and an outline; return the page of every id."""
    page.pdf(path=target, prefer_css_page_size=True, outline=True, tagged=True)
    return places(target)


def name_bookmarks(pdf: pikepdf.Pdf, html: str) -> None:
    """Give bookmarks the words of their headings.

    Chromium joins words at the ends of lines, and repeats a line that it moves to the next page.
    """
    headings = parsed(html).find_all(re.compile("^h[1-6]$"))
    titles = [" ".join(heading.get_text().split()) for heading in headings]

    def in_order(entries):
        for entry in entries:
            yield entry
            yield from in_order(entry.children)

    with pdf.open_outline() as outline:
        for entry, title in zip(in_order(outline.root), titles, strict=True):
            entry.title = title


def pack_pictures(pdf: pikepdf.Pdf) -> None:
    """Store each picture with a table of its 256 colours.

    That takes half the bytes of three for each pixel. A figure has a few hundred colours, most of
    them at the edges of letters, and its own are kept.
    """
    for picture in pdf.objects:
        if not isinstance(picture, pikepdf.Stream) or picture.get("/Subtype") != "/Image":
            continue
        pixels = pikepdf.PdfImage(picture).as_pil_image()
        if pixels.mode != "RGB":  # a mask has one byte for each pixel already
            continue
        pixels = pixels.quantize(256, dither=Image.Dither.NONE)
        table = bytes(pixels.getpalette())
        # A colour space of PDF: that of the table's entries, the last index, three bytes an entry.
        indexed = [pikepdf.Name.Indexed, picture.ColorSpace, len(table) // 3 - 1, table]
        picture.ColorSpace = pikepdf.Array(indexed)
        picture.write(zlib.compress(pixels.tobytes(), 9), filter=pikepdf.Name.FlateDecode)


def browser() -> str | None:
    """Return the path of the browser that prints: CHROMIUM, or the first one found."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def empty_page(**settings):
    """Lend an empty page of the browser that prints, which is closed afterwards."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=browser(), args=FLAGS)
        yield launched.new_page(**settings)


def make() -> int:
    """Print the book until the page numbers in it are right; return how many pages it has."""
    # A search for cycles goes through the trees of all pages, again and again, and finds little.
    gc.disable()
    folder = TARGET.parent / "paper"
    folder.mkdir(parents=True, exist_ok=True)
    html = document(folder)
    source, draft = folder / "book.html", folder / "draft.pdf"
    with empty_page(
        viewport={"width": 794, "height": 1123},  # A4, with 96 pixels to the inch
        device_scale_factor=2,
        color_scheme="light",
        reduced_motion="reduce",  # a figure that grows is printed as it ends
    ) as page:
        page.emulate_media(media="screen")
        source.write_text(html, encoding="utf-8")
        open_document(page, source)
        known, before = print_to(page, draft), None
        while known != before:
            page.evaluate(NUMBER, known)
            before, known = known, print_to(page, draft)
    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(draft) as pdf:
        with pdf.open_metadata() as about:
            about["dc:title"] = book_config()["title"]
            about["dc:creator"] = [book_config()["author"]]
        name_bookmarks(pdf, html)
        pack_pictures(pdf)
        # The tags for screen readers are many small objects, and most of the file unless packed.
        pdf.save(
            TARGET, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True
        )
        return len(pdf.pages)


if __name__ == "__main__":
    count = make()
    size = TARGET.stat().st_size / 1e6
    print(f"{TARGET.relative_to(ROOT)}: {count} pages, {size:.1f} MB")
