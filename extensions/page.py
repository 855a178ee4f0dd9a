"""Sphinx extension: the page around a chapter, and what the site needs beside its pages.

- What a page knows of itself for its head and its opening: part, number, question, minutes, what
  comes next, a description (``described``).
- The body as the book writes it: figures with their dark twins, wide things that scroll in a box
  of their own, solutions folded without a script, headings of tables that are headings
  (``Body``).
- The scripts and style sheets of moving figures and questions, as files that pages share.
- The index of the search, the list of the questions on each page, the sitemap, a 404 page, a root
  page, a card for each page.

The theme is the folder ``theme``; its ``layout.html`` is the page.
"""

import hashlib
import json
import re
from html import escape
from html.entities import html5
from pathlib import Path

import yaml
from bs4 import BeautifulSoup
from docutils import nodes
from sphinx import addnodes

from extensions import code_cells, contents, widgets
from extensions.cards import card_picture
from extensions.facts import facts_of
from extensions.figure_twins import figure, store
from extensions.link_card import link_card
from extensions.repository_links import GITHUB
from extensions.spaces import numbers_kept, sums_kept
from extensions.views import DRAWN
from posenc_course import views

THEME = contents.ROOT / "theme"
KEYWORDS = THEME / "search_words.yml"

# What the first screen of a page is set in.
FONTS = [f"fonts/words-{name}.woff2" for name in ("serif", "serif-italic", "sans")]
MATH_FONTS = ["katex/fonts/KaTeX_Main-Regular.woff2", "katex/fonts/KaTeX_Math-Italic.woff2"]

# What closes a sentence or a bracket; the last two are quotation marks.
CLOSING = re.compile(r"[).,:;?!\]\u2019\u201d]+")
SHORT = 3  # the parts of a formula, between which KaTeX lets a line end
SHORT_FORMULA = 22  # letters of a formula that is not broken at all
LONG_TABLE = 15  # rows
SHORT_CODE = 16  # letters; code with fewer stays on one line
LONG_NAME = re.compile(r"[\w./]{16,}")
# The key of a question. Those of exercises (rotation-ex-1) are left out of the list by which the
# contents mark a chapter as answered: a chapter can be read without them.
KEY = re.compile(r'data-question="((?:(?!-ex-)[^"])+)"')
# What the check of an exercise prints.
VERDICT = re.compile(r"^[\w-]+: Right\. ", re.MULTILINE)


# ---------------------------------------------------------------------------- what a page is


# HTML's names of signs, and commands that have another name or sign there.
SIGNS = {name.rstrip(";"): sign for name, sign in html5.items()} | {
    "varepsilon": "ε", "varphi": "φ", "sqrt": "√", "cdot": "·", "dots": "…", "ldots": "…",
    "cdots": "…", "infty": "∞", "neq": "≠", "sin": "sin", "cos": "cos", "log": "log", "exp": "exp",
}  # fmt: skip
# What a label stands for where its number is not known.
LABELS = {"thm": "the theorem", "eq": "the formula", "fig": "the figure", "tab": "the table"}


def formula(tex):
    """A formula as a line of text: its letters and signs, without the commands that place them."""
    tex = re.sub(r"\\(?:begin|end)\s*\{[^{}]*\}|\[\d+pt\]", " ", tex)
    tex = re.sub(r"\\(?:mathrm|text|mathbf|operatorname|boldsymbol)\s*\{([^{}]*)\}", r"\1", tex)
    tex = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2", tex)
    tex = re.sub(r"([_^])\{([^{}]{2,})\}", r"\1(\2)", tex).replace("-", "\N{MINUS SIGN}")
    tex = re.sub(r"\\([A-Za-z]+) ?", lambda command: SIGNS.get(command[1], " "), tex)
    return " ".join(re.sub(r"[{}\\&]", " ", tex).split())


def label(node):
    """What a reference says that is resolved only when its page is written."""
    if node.get("refexplicit") or node.get("reftype") in ("term", "obj"):
        return node.astext()
    return LABELS.get(node.get("reftarget", "").partition("-")[0], "")


# A name in code that a reader may look for.
NAME = re.compile(r"\b(?!np\.|plt\.)[A-Za-z]\w*[_.][A-Za-z][\w.]*")


def shown(code):
    """Tell whether a page shows a block of code: cells may be folded, and outputs are not code."""
    cell = code.parent.parent
    return "output" not in code.parent["classes"] and not any(
        name.startswith("tag_hide") for name in getattr(cell, "attributes", {}).get("classes", [])
    )


def plain(node):
    """The words of a node as a reader sees them: no folded code, no TeX, no labels."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.literal_block):
        names = dict.fromkeys(NAME.findall(node.astext())) if shown(node) else ()
        return f" Code with {', '.join(names)}. " if names else ""
    if isinstance(node, (nodes.raw, nodes.comment)) or is_entry(node):
        return ""
    if isinstance(node, addnodes.desc_signature):
        return f"{node.get('fullname', '')}. "
    if isinstance(node, nodes.Element) and node.get("refdomain") == "cite":
        return ""
    if isinstance(node, addnodes.pending_xref):
        return label(node)
    if isinstance(node, (nodes.math, nodes.math_block)):
        return formula(node.astext())
    between = "" if isinstance(node, (nodes.TextElement, nodes.inline)) else " "
    text = between.join(plain(child) for child in node.children)
    # What a reference left out leaves no brackets and no space before a mark.
    return re.sub(r"\s+([.,;:])(?=\s|$)", r"\1", re.sub(r"\s+\(\s*\)", "", text))


def shortened(text, most=160):
    """A text cut after a sentence, or else after a word."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    ends = [match.end() for match in re.finditer(r"[.?!](?= )", text[:most])]
    if ends and ends[-1] > most / 2:
        return text[: ends[-1]]
    return text[: most - 1].rsplit(" ", 1)[0] + "…"


def described(doctree):
    """Return the question of a page, and a description made of it and of the first paragraphs."""
    question, lines = "", []
    for paragraph in list(doctree.findall(nodes.paragraph))[:12]:
        text = " ".join("".join(map(plain, paragraph.children)).split())
        if "question" in paragraph["classes"]:
            question = text
        elif "times" not in paragraph["classes"] and not isinstance(
            paragraph.parent, nodes.list_item
        ):
            lines.append(text)
    description = shortened(" ".join([question, *lines[:3]]).strip())
    return {"question": question, "description": description}


def is_entry(node):
    """Tell what the search shows: a section with a heading, a term, a question with an address."""
    if isinstance(node, nodes.section):
        return node.first_child_matching_class(nodes.title) is not None
    if isinstance(node, nodes.definition_list_item):
        return "glossary" in node.parent["classes"]
    return isinstance(node, nodes.paragraph) and "asked-often" in node["classes"]


def entries(doctree):
    """[anchor, heading, words, kind] of all that the search shows; the first is the page."""
    kinds = {nodes.definition_list_item: "term", nodes.paragraph: "question"}
    for at, node in enumerate(doctree.findall(is_entry)):
        head = next(node.findall(lambda n: isinstance(n, (nodes.title, nodes.term, nodes.strong))))
        ids = node["ids"] or head["ids"]
        words = " ".join(plain(child) for child in node.children if child is not head)
        kind = kinds.get(type(node), "")
        yield [ids[0] if at and ids else "", plain(head), " ".join(words.split()), kind]


def mark_questions(app, doctree):
    """Give each question of the page of questions an address of its own."""
    if app.env.docname.rpartition("/")[2] == "questions":
        for paragraph in doctree.findall(nodes.paragraph):
            strong = paragraph.next_node(nodes.strong)
            if strong and paragraph.astext().startswith(strong.astext()):
                paragraph["ids"].append(nodes.make_id(strong.astext()))
                paragraph["classes"].append("asked-often")


def add_captions(_app, doctree):
    """Write a line under each figure of a cell.

    It is the first sentence of what the picture shows, or of the docstring of what moves.
    """
    for output in doctree.findall(nodes.container):
        if output.get("nb_element") != "cell_code_output":
            continue
        moving = DRAWN.search("".join(raw.astext() for raw in output.findall(nodes.raw)))
        if moving:
            words = getattr(views, moving[1]).__doc__
        elif output.next_node(nodes.image):
            words = output.parent["cell_metadata"]["mystnb"]["image"]["alt"]
        else:
            continue
        line = re.match(r".+?(?:\.(?=\s|$)|$)", words.strip(), re.DOTALL)[0]
        line = " ".join(line.replace("`", "").split())
        output += nodes.paragraph("", line, classes=["figure-caption"])


def collect(app, environment):
    """Read once what every page's head, opening and search entry need.

    Sphinx numbers the chapters when it asks which pages are to be written again: none, of ours.
    """
    keywords = yaml.safe_load(KEYWORDS.read_text(encoding="utf-8"))
    app.book_pages, app.book_terms, questions = {}, {}, {}
    app.book_search = {"same": keywords.pop("same"), "pages": []}
    for name, part in contents.parts().items():
        doctree = environment.get_doctree(name)
        title, words = environment.titles[name], described(doctree)
        number = ".".join(map(str, title.get("secnumber", ())))
        head = {"title": title.astext(), "number": number, "question": words["question"]}
        looks = facts_of(Path(environment.doc2path(name))).looks
        app.book_pages[name] = {"name": name, "part": part, "looks": looks, **head, **words}
        words = keywords.get(re.sub(r"^\d+_", "", Path(name).name), [])
        sections = list(entries(doctree))
        app.book_search["pages"].append(
            {"page": f"{name}.html", **head, "words": words, "sections": sections}
        )
        for anchor, word, meaning, kind in sections:
            if kind == "term":
                app.book_terms[anchor] = word, meaning
        written = "".join(raw.astext() for raw in doctree.findall(nodes.raw))
        if keys := KEY.findall(written):
            questions[name] = keys
    app.book_questions = f"window.posencQuestions={json.dumps(questions)};\n"
    return []


# ---------------------------------------------------------------------------- the body


class Body:
    """The body of a page, taken apart and put together as the book writes it."""

    def __init__(self, app, pagename, html, pathto):
        self.app, self.pagename, self.pathto = app, pagename, pathto
        self.soup = BeautifulSoup(html, "html.parser")
        self.styles, self.scripts = [], []
        self.workings = False  # whether the page has code without an output, behind its switch
        self.cells = ""  # the file with the page's code, where a reader can run some of it

    def html(self):
        for step in (
            self.widgets,
            self.figures,
            self.folds,
            self.plumbing,
            self.told_by_pictures,
            self.code,
            self.numbers,
            self.names,
            self.verdicts,
            self.tables,
            self.proofs,
            self.references,
            self.captions,
            self.terms,
            self.ids,
            self.opening,
        ):
            step()
        return str(self.soup)

    def widgets(self):
        """The files of moving figures and questions. No cell is run here, so none is to be."""
        self.styles, self.scripts = widgets.files(self.soup, self.app.outdir)
        widgets.add_stills(self.soup, self.app.outdir, self.pathto)
        for words in self.soup.select("p.posenc-run"):
            words.decompose()

    def figures(self):
        images = Path(self.app.outdir) / "_images"
        images.mkdir(exist_ok=True)
        # Sphinx copies pictures after the pages are written: they are read where they come from.
        where = {name: path for path, name in self.app.builder.images.items()}
        for image in self.soup.find_all("img"):
            source = image.get("src", "")
            name = Path(source).name
            if name not in where:
                continue
            png = (Path(self.app.srcdir) / where[name]).read_bytes()
            light, dark, size = store(png, images, Path(self.app.outdir).parent / "figures")
            base = source[: source.rindex("/") + 1]
            html = figure([base + light, base + dark], size, image.get("alt", ""))
            image.replace_with(BeautifulSoup(html, "html.parser"))

    def folds(self):
        for summary in self.soup.select("details > summary"):
            summary.attrs.pop("aria-label", None)
            for marker in summary.select(".sd-summary-state-marker"):
                marker.decompose()
        for box in self.soup.select("div.admonition.dropdown"):
            title = box.find("p", class_="admonition-title", recursive=False)
            box.name, title.name = "details", "summary"
            for link in title.find_all("a"):
                link.unwrap()  # a summary is a button; a link in it could not be reached

    def plumbing(self):
        """Put how a thing is made behind a quiet sign at its corner, the rest behind a switch.

        ``made``: the code of an output, opened by its sign; it stands below what it makes.
        ``workings``: code without an output, shown by the switch at the foot of the page.
        ``plumbing``: what of both does not go on paper.
        """
        for fold in self.soup.select("details.hide"):
            name = fold.select_one("summary .collapsed").get_text(strip=True)
            below = fold.find_next_sibling("div", class_="cell_output")
            plumbing = fold.find_parent(class_="tag_to-be-read") is None
            if plumbing:
                fold["class"] = [*fold["class"], "plumbing"]
            if below is not None:
                fold["class"] = [*fold["class"], "made"]
                fold.summary.replace_with(self.sign(name))
                below.insert_after(fold.extract())
            elif plumbing:
                fold["class"] = [*fold["class"], "workings"]
                self.workings = True

    def sign(self, name):
        """The sign that opens code: two brackets to see, a name to hear."""
        summary = self.soup.new_tag("summary", attrs={"aria-label": name, "title": name})
        summary.append(self.soup.new_tag("span", attrs={"aria-hidden": "true"}, string="</>"))
        return summary

    def code(self):
        """The exercises in code, and the cells that a reader may change and run."""
        notebook = Path(self.app.srcdir) / f"{self.pagename}.ipynb"
        if notebook.is_file():
            self.cells = code_cells.mark(self.soup, notebook, self.app.outdir)

    def told_by_pictures(self):
        """A picture that would tell the answer waits, folded, for the question before it."""
        for output in self.soup.select("div.cell.tag_tells-the-answer > div.cell_output"):
            question = output.find_previous(attrs={"data-question": True})
            attributes = {"class": "told", "data-after": question["data-question"]}
            fold = output.wrap(self.soup.new_tag("details", attrs=attributes))
            summary = self.soup.new_tag("summary", string="The picture, once you have answered")
            fold.insert(0, summary)
            for code in fold.find_next_siblings("details"):
                fold.append(code.extract())

    def numbers(self):
        """The parts of a number, a sum or a short formula stay on one line, with what closes it."""
        for text in self.soup.find_all(string=re.compile(r"\d")):
            if not text.find_parent(["pre", "code", "math", "script", "style", "annotation"]):
                whole = sums_kept(text)
                if whole != text:
                    text.replace_with(whole)
        for element in self.soup.select("div[data-question]"):
            element["data-state"] = numbers_kept(element["data-state"])
        for formula in self.soup.select("span.math"):
            after = formula.next_sibling
            short = len(formula.select(".base")) <= SHORT
            if short and isinstance(after, str) and (closing := CLOSING.match(after)):
                after.replace_with(after[closing.end() :])
                formula.wrap(self.soup.new_tag("span", attrs={"class": "closed"}))
                formula.insert_after(closing[0])
            elif (
                not formula.find_parent("table")
                and len(formula.find(class_="katex-html").text) <= SHORT_FORMULA
            ):
                formula["class"] = [*formula["class"], "closed"]

    def names(self):
        """Where a name may be broken: in a column after an underscore or before a capital.

        Short code in a sentence is not broken at all, and an address after each of its parts.
        """

        def parts(text, pattern):
            text.replace_with(BeautifulSoup(re.sub(pattern, "<wbr>", escape(text)), "html.parser"))

        for text in self.soup.find_all(string=LONG_NAME):
            if text.find_parent(["td", "th"]) and not text.find_parent(["math", "annotation"]):
                parts(text, r"(?<=[a-z\d])(?=[A-Z])|(?<=[/_])(?=\w)")
        for name in self.soup.select(":is(td, th) code span.pre"):
            for text in name.find_all(string=re.compile("_.")):
                parts(text, "(?<=_)(?!$)")
        for link in self.soup.select("div.citation a.external"):
            for text in link.find_all(string=re.compile("^http")):
                parts(text, r"(?<=[/_.-])(?=\w)")
        for code in self.soup.find_all("code"):
            if len(code.get_text()) < SHORT_CODE and not code.find_parent(["td", "th", "pre"]):
                code["class"] = [*code.get("class", []), "short"]

    def verdicts(self):
        """What a check says is a sentence, and is broken into lines; other output is not."""
        for output in self.soup.select(".cell_output pre"):
            if VERDICT.search(output.get_text()):
                output["class"] = [*output.get("class", []), "verdict"]

    def tables(self):
        for heading in self.soup.find_all("th"):
            if not heading.get_text(strip=True) and not heading.find("img"):
                heading.name = "td"
        for table in self.soup.find_all("table"):
            table.attrs.pop("border", None)
            box = table.wrap(self.soup.new_tag("div", attrs={"class": "wide"}))
            if (count := len(table.select("tbody > tr"))) >= LONG_TABLE:
                self.long_table(box, count)
            heads = [" ".join(cell.get_text().split()) for cell in table.select("thead > tr > *")]
            looks = self.app.book_pages.get(self.pagename, {}).get("looks", ())
            if "card-tables" in looks and len(heads) > 2:
                self.cards(table, box, heads)

    def long_table(self, box, count):
        """A field that keeps the rows with a word in sight; the style sheet does the rest."""
        box["class"] = ["wide", "long"]
        field = f"<label>Show rows with <input type=search></label> <output>{count}</output>"
        line = f'<p class="rows-with needs-script">{field}</p>'
        box.insert_before(BeautifulSoup(line, "html.parser"))

    def cards(self, table, box, heads):
        """Each cell keeps the head of its column, which a card writes before it."""
        box["class"] = [*box["class"], "cards"]
        for row in table.select("tbody > tr"):
            for head, cell in list(zip(heads, row.find_all("td"), strict=False))[1:]:
                if head and cell.get_text(strip=True):
                    cell["data-head"] = head

    def proofs(self):
        """The word that a proof begins with, in italics."""
        for first in self.soup.select("div.proof p:first-of-type"):
            text = first.find(string=True)
            if text and text.startswith("Proof."):
                text.replace_with(self.soup.new_tag("em", string="Proof."), text[len("Proof.") :])

    def references(self):
        """Bibliographies: the roles they are given are not allowed where they stand."""
        for element in self.soup.find_all(role=["list", "doc-biblioentry", "doc-noteref"]):
            del element["role"]
        for sign in self.soup.select("div.citation > span:is(.label, .backrefs)"):
            sign.decompose()

    def captions(self):
        """The figures of a chapter are numbered, 6.1, 6.2, as their captions stand."""
        page = self.app.book_pages.get(self.pagename, {})
        letters = re.match(r"book/([A-Z]\d*)_", self.pagename)
        before = page.get("number") or (letters[1] if letters else "")
        for at, caption in enumerate(self.soup.select("p.figure-caption"), 1):
            name = f"Figure {before}.{at}" if before else f"Figure {at}"
            caption.insert(0, self.soup.new_tag("b", string=name))
            caption.b.insert_after(" ")

    def terms(self):
        """What a linked term means goes with the page, to be shown where the term stands."""
        shown = {}
        for link in self.soup.select("a.internal[href*='#term-']"):
            name = link["href"].partition("#")[2]
            if name not in self.app.book_terms or self.pagename.endswith("/glossary"):
                continue
            link["data-term"] = f"about-{name}"
            if name not in shown:
                word, meaning = self.app.book_terms[name]
                box = {"class": "term", "id": f"about-{name}", "popover": "", "role": "note"}
                shown[name] = self.soup.new_tag("div", attrs=box)
                there = self.soup.new_tag("a", attrs={"href": link["href"]}, string=word)
                shown[name].extend([there, f": {meaning}"])
        self.soup.extend(shown.values())

    def ids(self):
        """Some extensions give one id to all their boxes; a heading that is read ends unmarked."""
        for link in self.soup.select("a.headerlink"):
            link["aria-hidden"], link["tabindex"] = "true", "-1"
        seen = set()
        for element in self.soup.find_all(id=True):
            name = element["id"]
            if name in seen or re.fullmatch(r"(proof|exercise|solution)(-content)?", name):
                del element["id"]
            seen.add(name)

    def opening(self):
        """Put what stands before the first subject of a chapter into a header."""
        page = self.app.book_pages.get(self.pagename, {})
        heading = self.soup.find("h1")
        if heading is None:
            return
        for number in heading.select("span.section-number"):
            number.decompose()
        if not page.get("question"):
            return
        header = heading.wrap(self.soup.new_tag("header", attrs={"class": "opening"}))
        where = [page["part"], page["number"] and f"Chapter {page['number']}"]
        words = " · ".join(filter(None, where))
        header.insert(0, self.soup.new_tag("p", attrs={"class": "where"}, string=words))
        for following in header.find_next_siblings():
            if following.name in ("section", "div", "details"):
                break
            header.append(following.extract())
            if "times" in following.get("class", []):
                break


# ---------------------------------------------------------------------------- context


def pages_address(repository):
    """Where GitHub Pages shows the book of a repository, or "" without one."""
    if not repository:
        return ""
    owner, name = repository.removeprefix(GITHUB).split("/")
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def set_up(app, config):  # noqa: ARG001
    """Set the address of the book, and a digest of its files: where it is new, so are all pages.

    A page writes ``{{ minutes_01 }}`` for the minutes that chapter 01 states, and
    ``{{ minutes_part_1 }}`` for the hours and minutes of all chapters of Part I together.
    """
    stated = {path.name[:2]: facts_of(path).total_minutes for path in contents.chapters()}
    hours, rest = divmod(sum(stated[f"{number:02}"] for number in range(1, 8)), 60)
    minutes = {f"minutes_{number}": str(count) for number, count in stated.items()}
    config.myst_substitutions = {"minutes_part_1": f"{hours} hours {rest} minutes", **minutes}
    if not config.html_baseurl:
        config.html_baseurl = pages_address(config.repository)
    static = THEME / "static"
    files = sorted([*static.glob("*.css"), *static.glob("*.js"), *widgets.SOURCES])
    config.book_digest = hashlib.sha256(b"".join(map(Path.read_bytes, files))).hexdigest()[:8]


def page_list(context):
    """The sections of this page, two levels."""
    soup = BeautifulSoup(context.get("toc", ""), "html.parser")
    inner = soup.select("ul > li > ul")
    if not inner:
        return ""
    for deeper in inner[0].select("ul"):
        deeper.decompose()
    return str(inner[0]) if len(inner[0].find_all("li")) > 1 else ""


def last_context(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Fill in what the template needs, after every other extension has had its turn."""
    pages, order = app.book_pages, list(app.book_pages)
    at = order.index(pagename) if pagename in pages else len(order)
    body = Body(app, pagename, context.get("body", ""), context["pathto"])
    context.update(
        body=body.html(),
        made=body,
        page=pages.get(pagename, {}),
        pages=pages,
        before=pages[order[at - 1]] if 0 < at < len(order) else None,
        after=pages[order[at + 1]] if at < len(order) - 1 else None,
        fonts=FONTS + (MATH_FONTS if context.get("has_math") else []),
        page_list=page_list(context),
        address=app.config.html_baseurl,
        digest=app.config.book_digest,
        questions=hashlib.sha256(app.book_questions.encode()).hexdigest()[:8],
    )


# ---------------------------------------------------------------------------- the site


def extra_pages(app):
    """A page for addresses that lead nowhere, and the root, which leads to the first page."""
    yield "404", {"title": "No such page", "lost": True}, "404.html"
    yield "index", {"first": next(iter(app.book_pages.values()))}, "root.html"


def write_site(app, error):
    """Write what stands beside the pages."""
    if error or app.builder.name != "html":
        return
    out, base = Path(app.outdir), app.config.html_baseurl
    text = json.dumps(app.book_search, ensure_ascii=False, separators=(",", ":"))
    (out / "search_book.js").write_text(f"window.bookSearch={text};\n", encoding="utf-8")
    (out / "_static" / "questions_index.js").write_text(app.book_questions, encoding="utf-8")
    places = "".join(f"<url><loc>{base}{name}.html</loc></url>\n" for name in app.book_pages)
    (out / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}</urlset>\n',
        encoding="utf-8",
    )
    cards = out / "_static" / "cards"
    cards.mkdir(parents=True, exist_ok=True)
    for name, page in app.book_pages.items():
        where = f"Chapter {page['number']}" if page["number"] else page["part"]
        target = cards / f"{Path(name).name}.png"
        picture = card_picture(app.env.doc2path(name))
        target.write_bytes(link_card(page["title"], page["question"], where, picture))


def setup(app):
    app.add_html_theme("where_words_stand", str(THEME))
    app.add_config_value("book_digest", "", "html", types=[str])
    app.connect("config-inited", set_up, priority=900)
    app.connect("doctree-read", mark_questions)
    app.connect("doctree-read", add_captions)
    app.connect("env-get-updated", collect, priority=900)
    app.connect("html-page-context", last_context, priority=950)
    app.connect("html-collect-pages", extra_pages)
    app.connect("build-finished", write_site)
