"""Sphinx extension: the page around a chapter, and what the site needs beside its pages.

- What a page knows of itself and of the others: part, number, title, question, a description, its
  neighbours.
- The index of the search, the list of the questions on each page, the sitemap, a 404 page, a root
  page, a picture of each page for those who link to it.

The theme is the folder ``theme``; its ``layout.html`` is the page. What stands in its middle is put
together in ``body.py``, ``code_cells.py`` and ``widgets.py``.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.locale import _

from extensions import contents, languages, widgets
from extensions.cards import card_picture
from extensions.facts import facts_of
from extensions.link_card import link_card
from extensions.repository_links import GITHUB
from extensions.search_index import described, search_entries
from extensions.translatable import first_sentence
from extensions.translator import chapter_words

THEME = contents.ROOT / "theme"
KEYWORDS = THEME / "search_words.yml"

# What the first screen of a page is set in.
FONTS = [f"fonts/words-{name}.woff2" for name in ("serif", "serif-italic", "sans")]
MATH_FONTS = ["katex/fonts/KaTeX_Main-Regular.woff2", "katex/fonts/KaTeX_Math-Italic.woff2"]

PART_1 = range(1, 8)  # the chapters of Part I

# Of the name of a page that has a letter for a number, as F7_codes.
APPENDIX = re.compile(r"([A-Z]\d*)_")

# ---------------------------------------------------------------------------- what a page is


def mark_questions(app: Sphinx, doctree: nodes.document) -> None:
    """Give each question an id, made of its words, and the class ``asked-often``.

    Only a page that looks like ``asked-often`` has questions: its paragraphs that begin in bold.
    """
    if "asked-often" in facts_of(Path(app.env.doc2path(app.env.docname))).looks:
        for paragraph in doctree.findall(nodes.paragraph):
            # The parser may leave an empty text before the bold one.
            strong = next((part for part in paragraph if part.astext()), None)
            if isinstance(strong, nodes.strong):
                paragraph["ids"].append(nodes.make_id(strong.astext()))
                paragraph["classes"].append("asked-often")


def add_captions(_app: Sphinx, doctree: nodes.document) -> None:
    """Add a paragraph of the class ``figure-caption`` to the output of each cell with a figure.

    It is the first sentence of the words for who does not see a picture, or of the docstring of a
    moving figure, which ``extensions/translatable.py`` has noted.
    """
    for output in doctree.findall(nodes.container):
        if output.get("nb_element") != "cell_code_output":  # what myst-nb says of its boxes
            continue
        captions = [raw["caption"] for raw in output.findall(nodes.raw) if raw.get("caption")]
        captions += [first_sentence(image["alt"]) for image in output.findall(nodes.image)]
        if captions:
            # One caption for a cell, also for one of several figures: captions are numbered.
            output += nodes.paragraph("", captions[0], classes=["figure-caption"])


def collect(app: Sphinx, environment: BuildEnvironment) -> list[str]:
    """Set four attributes of `app` from what all pages say; return [], no page to write again.

    ``book_pages`` has the facts of each page by its name, in reading order, for templates and
    transforms; ``book_terms`` has (term, meaning) of the glossary by anchor; ``book_search`` is the
    index of the search; ``book_questions`` is a script with the keys of each page's questions.
    """
    keywords = yaml.safe_load(KEYWORDS.read_text(encoding="utf-8"))
    # What readers in the language of the build look for as well; English has no such file.
    translated = KEYWORDS.with_name(f"search_words_{app.config.language}.yml")
    if translated.is_file():
        for name, more in yaml.safe_load(translated.read_text(encoding="utf-8")).items():
            keywords[name] = [*keywords.get(name, []), *more]
    app.book_pages, app.book_terms, questions = {}, {}, {}
    # The key "same" has words of one meaning; all others are names of pages.
    app.book_search = {"same": keywords.pop("same"), "pages": []}
    for name, part in contents.parts().items():
        doctree = environment.get_doctree(name)
        title = environment.titles[name]
        question, description = described(doctree)
        number = ".".join(map(str, title.get("secnumber", ())))  # "" for a page without one
        head = {"title": title.astext(), "number": number, "question": question}
        looks = facts_of(Path(environment.doc2path(name))).looks
        letters = APPENDIX.match(Path(name).name)
        app.book_pages[name] = {
            "name": name,
            "part": str(_(part)) if part else "",  # of "" gettext returns facts about the catalog
            "looks": looks,
            **head,
            "description": description,
            "figures": number or (letters[1] if letters else ""),  # begins their numbers
        }
        words = keywords.get(re.sub(r"^\d+_", "", Path(name).name), [])  # 06_rotation: rotation
        sections = list(search_entries(doctree))
        app.book_search["pages"].append(
            {"page": f"{name}.html", **head, "words": words, "sections": sections}
        )
        for anchor, word, meaning, kind in sections:
            if kind == "term":
                app.book_terms[anchor] = word, meaning
        html = "".join(raw.astext() for raw in doctree.findall(nodes.raw))
        keys = [widget.question for widget in contents.widgets(html) if widget.question]
        # A chapter is answered without its exercises, as rotation-ex-1.
        if keys := [key for key in keys if "-ex-" not in key]:
            questions[name] = keys
    app.book_questions = f"window.posencQuestions={json.dumps(questions)};\n"
    return []


# ---------------------------------------------------------------------------- context


def pages_address(repository: str) -> str:
    """Return the address at which GitHub Pages shows the book of a repository; "" for "".

    `repository` is its web address on GitHub.
    """
    if not repository:
        return ""
    owner, name = repository.removeprefix(GITHUB).split("/")
    host = f"{owner.lower()}.github.io"
    # A repository of that name is the site of its owner, which has no folder.
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def set_up(app: Sphinx, config: Config) -> None:  # noqa: ARG001
    """Set ``myst_substitutions``, ``html_baseurl`` and ``book_digest`` of the configuration.

    A page writes ``{{ minutes_01 }}`` for the minutes that chapter 01 states, and
    ``{{ minutes_part_1 }}`` for the hours and minutes of all chapters of Part I together. The
    address of the book, if none is configured, is that on GitHub Pages. The digest is of scripts
    and style sheets: Sphinx writes all pages again where it is new, and pages ask for these files
    with it, so that no browser shows an old one.
    """
    # By the two digits that the name of a chapter begins with.
    minutes = {path.name[:2]: facts_of(path).total_minutes for path in contents.chapters()}
    hours, rest = divmod(sum(minutes[f"{number:02}"] for number in PART_1), 60)
    words = {f"minutes_{number}": str(count) for number, count in minutes.items()}
    config.myst_substitutions = {"minutes_part_1": f"{hours} hours {rest} minutes", **words}
    if not config.html_baseurl:
        config.html_baseurl = pages_address(config.repository)
    static = THEME / "static"
    files = sorted([*static.glob("*.css"), *static.glob("*.js"), *widgets.SOURCES])
    # 8 of its 64 digits are enough to tell new files from old ones.
    config.book_digest = hashlib.sha256(b"".join(map(Path.read_bytes, files))).hexdigest()[:8]


def page_list(context: Mapping[str, Any]) -> str:
    """Return the sections below a page's title as an HTML list; "" for fewer than two.

    `context` is that of Sphinx, whose "toc" is a list with lists in it. Sections of sections are
    left out.
    """
    soup = BeautifulSoup(context.get("toc", ""), "html.parser")
    inner = soup.select("ul > li > ul")  # below the title of the page
    if not inner:
        return ""
    for deeper in inner[0].select("ul"):
        deeper.decompose()
    return str(inner[0]) if len(inner[0].find_all("li")) > 1 else ""


def last_context(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Set what the template of a page needs and no other extension has set, as ``before``.

    What a transform of the page has noted is set too. Each is empty where a page has none of it.
    """
    pages, order = app.book_pages, list(app.book_pages)
    # A page that is in no table of contents, as that of the search, has no neighbours: with a place
    # behind the last page both conditions below are false.
    at = order.index(pagename) if pagename in pages else len(order)
    noted = doctree.attributes if doctree else {}  # by the transforms of the page
    context.update(
        page_styles=noted.get("styles", []),
        page_scripts=noted.get("scripts", []),
        page_cells=noted.get("cells", ""),
        has_workings=noted.get("workings", False),
        page=pages.get(pagename, {}),
        pages=pages,
        before=pages[order[at - 1]] if 0 < at < len(order) else None,
        after=pages[order[at + 1]] if at < len(order) - 1 else None,
        fonts=FONTS + (MATH_FONTS if context.get("has_math") else []),
        page_list=page_list(context),
        address=app.config.html_baseurl,
        digest=app.config.book_digest,
        # A part of the address of that script, as the 8 digits of `book_digest` are of the others.
        questions=hashlib.sha256(app.book_questions.encode()).hexdigest()[:8],
    )


# ---------------------------------------------------------------------------- the site


def extra_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield (name, context, template) of three pages: the search, the 404 page, and the root.

    The root leads on to the first page of the book. Only the site itself, in English, has a 404
    page.
    """
    yield "search", {}, "search.html"
    # A host shows one page for all addresses that lead nowhere: the 404.html at the site's root.
    # By `lost` its template has the links lead from the root, whatever the address is.
    if not languages.folder_of(app):
        yield "404", {"title": _("No such page"), "lost": True}, "404.html"
    # The root of the site, or of a language: the first page of the book lies in a folder below.
    yield "index", {"first": next(iter(app.book_pages.values()))}, "root.html"


def site_map(base: str, pages: list[str]) -> str:
    """Return the sitemap as XML: each page in each language, with its addresses in all languages.

    `base` is the address of the site, with a slash at its end.
    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    )
    for page in pages:
        there = languages.addresses(page)
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{languages.TAGS[language]}" '
            f'href="{base}{address}"/>'
            for language, address in there.items()
        )
        lines += [f"<url><loc>{base}{address}</loc>{links}</url>" for address in there.values()]
    return "\n".join([*lines, "</urlset>", ""])  # "" ends the last line


def write_site(app: Sphinx, error: Exception | None) -> None:
    """Write the index of the search; for the site also that of questions, a sitemap, link cards."""
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    # Without spaces, as each reader who searches loads it.
    text = json.dumps(app.book_search, ensure_ascii=False, separators=(",", ":"))
    (out / "search_book.js").write_text(f"window.bookSearch={text};\n", encoding="utf-8")
    if languages.folder_of(app):
        return  # the rest is the same in all languages
    (out / "_static" / "questions_index.js").write_text(app.book_questions, encoding="utf-8")
    places = site_map(app.config.html_baseurl, list(app.book_pages))
    (out / "sitemap.xml").write_text(places, encoding="utf-8")
    cards = out / "_static" / "cards"
    cards.mkdir(parents=True, exist_ok=True)
    for name, page in app.book_pages.items():
        # The first page is no chapter and in no part: "".
        where = chapter_words(page["number"]) if page["number"] else page["part"]
        target = cards / f"{Path(name).name}.png"
        picture = card_picture(app.env.doc2path(name))
        target.write_bytes(link_card(page["title"], page["question"], where, picture))


def setup(app: Sphinx) -> None:
    """Add the theme, and connect what is done before, at and after the writing of pages."""
    app.add_html_theme("where_words_stand", str(THEME))
    app.add_config_value("book_digest", "", "html", types=[str])
    # After `repository_links` has found the repository, at the usual priority of 500.
    app.connect("config-inited", set_up, priority=900)
    app.connect("doctree-read", mark_questions)
    app.connect("doctree-read", add_captions)
    app.connect("env-get-updated", collect, priority=900)  # Sphinx numbers the chapters at 500
    app.connect("html-page-context", last_context, priority=950)  # after all other extensions
    app.connect("html-collect-pages", extra_pages)
    app.connect("build-finished", write_site)
