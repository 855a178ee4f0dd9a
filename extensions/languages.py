"""Sphinx extension: the book in other languages, each below a folder of its own.

    python -m extensions.languages zh_CN -W -n        (builds the pages of a language)

The English pages are the site. Those of another language lie below its folder, as ``zh/``, and take
style sheets, scripts, pictures and notebooks from the site. Sphinx translates a page by the catalog
of its name in ``locale/``, and the words of templates and extensions by ``sphinx.po``.
"""

import argparse
import functools
import hashlib
import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from babel.messages.pofile import read_po
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from extensions import contents
from extensions.translatable import has_words
from posenc_course import words as course_words

LOCALE = contents.ROOT / "locale"
# Each language by Sphinx's name for it: its folder on the site, its name in a page's markup, and
# what its readers call it.
FOLDERS = {"en": "", "zh_CN": "zh"}
TAGS = {"en": "en", "zh_CN": "zh-CN"}
NAMES = {"en": "English", "zh_CN": "中文"}
OTHERS = tuple(language for language in FOLDERS if language != "en")
# The pages that are translated whole; of the others, the title and the question are.
TRANSLATED_WHOLE = (
    "book/index",
    "book/00_tools",
    "book/01_why_order_matters",
    "book/02_sine_recap",
    "book/03_formula",
    "book/04_worked_example",
    "book/05_wavelengths",
    "book/06_rotation",
    "book/07_binary",
    "book/09_rope",
    "book/attention",
    "book/cards",
    "book/cheat_sheet",
    "book/notation",
    "book/glossary",
    "book/questions",
)
# The least share of translated paragraphs in all parts of such a page: with less, a note says that
# it is in English.
LEAST_TRANSLATED = 1 / 4
# The catalogs of words in code, with the files that have them: of the page, of moving figures and
# questions, and of what is said to the code of a reader.
WORDS = {
    "sphinx": ("extensions/*.py", "theme/*.html", "theme/static/*.js"),
    "course": (
        "posenc_course/widget.py",
        "posenc_course/views/*.js",
        "posenc_course/questions/question.js",
        "posenc_course/questions/question.py",
    ),
    "exercises": ("posenc_course/cells.py", "posenc_course/exercises/*.py"),
}  # fmt: skip


def catalogs(language: str) -> dict[str, Path]:
    """Return {name: path} of a language's catalogs, by name; a name is a page's or one of `WORDS`.

    A page's name is as ``book/06_rotation``. In English there are no catalogs.
    """
    folder = LOCALE / language / "LC_MESSAGES"
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path
        for path in sorted(folder.rglob("*.po"))
    }


@functools.cache
def words(language: str, domain: str, context: str | None = None) -> Mapping[str, str]:
    """Return {English: translation} of one catalog, named `domain`; {} where there is no catalog.

    "Fuzzy" translations, which are of an older English, are left out. Where `context` is given, as
    ``figure``, the messages of this context are meant, and otherwise those that have none.
    """
    path = catalogs(language).get(domain)
    if path is None:
        return {}
    with path.open("rb") as file:
        catalog = read_po(file)
    translations = {}
    for message in catalog:
        english, text = message.id, message.string
        if message.pluralizable:
            # Scripts look a message up by its singular. The translation has one form: Chinese has
            # no plural.
            english, text = english[0], text[0]
        # A catalog begins with a message "", which holds facts about the catalog.
        if english and text and not message.fuzzy and message.context == context:
            translations[english] = text
    return translations


# ---------------------------------------------------------------------------- where files are


def folder_of(app: Sphinx) -> str:
    """Return the name of the site's folder for the language of a build: ``zh``; "" in English."""
    return FOLDERS[app.config.language]


def site_of(app: Sphinx) -> Path:
    """Return the path of the site's root, whatever the language of the build.

    What the pages of all languages share is there; English pages are too.
    """
    out = Path(app.outdir)
    return out.parent if folder_of(app) else out


def way_up(app: Sphinx) -> str:
    """Return the way from a build's output folder to the site's root: "../", and "" in English."""
    return "../" if folder_of(app) else ""


def notebook_of(app: Sphinx, page: str) -> str:
    """Return the name of the notebook that readers of a page download and run, without its ending.

    Of a page that is translated whole that is the translated one, as ``book/zh/06_rotation``.
    """
    translated = folder_of(app) and page in TRANSLATED_WHOLE
    return page.replace("book/", f"book/{folder_of(app)}/") if translated else page


def share_files(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Set ``pathto`` and ``notebook`` of a page's template to those for the language of the build.

    ``pathto`` leads to the site's files, which all languages share, and to pages of the language;
    ``notebook`` is what `notebook_of` returns.
    """
    way_in_build = context["pathto"]  # Sphinx's own, within the output folder of the build

    def pathto(otheruri, resource=False):
        """Return the way from the page to a page of its language, or to a file of the site.

        A file is a `resource`.
        """
        if resource:
            return way_in_build(way_up(app) + otheruri, resource)
        return way_in_build(otheruri)

    context["pathto"] = pathto
    context["notebook"] = notebook_of(app, pagename)


def addresses(page: str) -> dict[str, str]:
    """Return {language: address of the page from the site's root}, as {"zh_CN": "zh/page.html"}."""
    return {
        language: f"{folder}/{page}.html" if folder else f"{page}.html"
        for language, folder in FOLDERS.items()
    }


def offer_languages(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Tell the template of a page its language, where it is in each, and the files with words.

    Addresses are from the site's root, but those of ``other_languages`` are from the page.
    """
    language = app.config.language
    address_in = addresses(pagename)
    context["language_tag"] = TAGS[language]
    context["folder"] = f"{folder_of(app)}/" if folder_of(app) else ""
    # ``content_root`` leads from the page to the output folder of the build.
    context["site_root"] = context["content_root"] + way_up(app)
    # For search engines, which want the page itself in its list as well.
    context["alternates"] = [(TAGS[each], address) for each, address in address_in.items()]
    context["other_languages"] = [
        (TAGS[each], NAMES[each], context["site_root"] + address)
        for each, address in address_in.items()
        if each != language
    ]
    context["page_words"] = app.page_words
    context["exercise_words"] = app.exercise_words


# ---------------------------------------------------------------------------- the words of scripts


def use_words(app: Sphinx) -> None:
    """Have Python say its words in the language of a build, and write two files with words.

    Their paths from the site's root become ``app.page_words``, a script that each page loads, and
    ``app.exercise_words``, which is read where a reader's code runs. Both are "" without words, as
    in English.
    """
    language = app.config.language
    # In one table: the scripts of pages and those of moving figures both look into `bookWords`.
    of_pages = {**words(language, "sphinx"), **words(language, "course")}
    course_words.use(of_pages)
    app.page_words = app.exercise_words = ""
    if of_pages:  # English has none
        folder = f"_static/{folder_of(app)}"
        text = f"window.bookWords={json.dumps(of_pages, ensure_ascii=False)};\n"
        app.page_words = stored(site_of(app), f"{folder}/words.js", text)
        of_exercises = json.dumps(words(language, "exercises"), ensure_ascii=False)
        app.exercise_words = stored(site_of(app), f"{folder}/exercises.json", of_exercises)


def stored(site: Path, name: str, text: str) -> str:
    """Write a text into a file of the site; return its path from there, a digest in its name.

    ``_static/words.js`` becomes ``_static/words_0123456789ab.js``: a browser that keeps files never
    has an old text under a new name.
    """
    # 12 of its 64 digits are enough that no two texts share a name.
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    path = Path(name).with_stem(f"{Path(name).stem}_{digest}")
    target = site / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return path.as_posix()


# ---------------------------------------------------------------------------- what is in English


class InEnglish(SphinxTransform):
    """Mark what a translated page still says in English, or say that the whole page does.

    A paragraph is in English where its catalog has no translation, or one of an older original.
    """

    default_priority = 955  # after Sphinx has counted what is translated

    def apply(self, **_options) -> None:
        """Mark each part of a page that has no translation; note below the title if many have none.

        Only parts of a page that is translated get a class too, which sets them apart.
        """
        if self.config.language == "en":
            return
        # Sphinx notes "translated", true or false, on what it has looked up in the catalog. A part
        # without words, as a formula, is the same in all languages.
        parts = [
            node for node in self.document.findall(nodes.TextElement)
            if node.get("translated") is not None and has_words(node.rawsource)
        ]  # fmt: skip
        translated = [node for node in parts if node["translated"]]
        # Titles are translated on all pages: only paragraphs tell whether a page is.
        prose = [node for node in translated if isinstance(node, nodes.paragraph)]
        enough = len(prose) > LEAST_TRANSLATED * len(parts)
        whole = self.env.docname in TRANSLATED_WHOLE and enough
        for node in parts:
            if not node["translated"]:
                node["html"] = {"lang": "en"}  # which `translator` writes as an attribute of HTML
                if whole:  # book.css writes a small "EN" before it
                    node["classes"].append("in-english")
        if parts and not whole:
            title = self.document.next_node(nodes.title)
            note = nodes.paragraph("", _("The text of this page is in English."))
            note["classes"] = ["page-in-english"]
            title.parent.insert(title.parent.index(title) + 1, note)


class Terms(SphinxDirective):
    """``{terms-of-translation}``: how terms are translated, on a page in another language."""

    def run(self) -> list[nodes.Node]:
        """Return a heading and the nodes of the language's `terms.md`; [] where there is none."""
        path = LOCALE / self.config.language / "terms.md"
        if not path.is_file():
            return []
        self.env.note_dependency(str(path))
        box = nodes.container()
        lines = path.read_text(encoding="utf-8").splitlines()
        self.state.nested_parse(StringList(lines, source=str(path)), self.content_offset, box)
        # All of it is in the language already: Sphinx has nothing to look up in the page's catalog.
        for part in box.findall(nodes.TextElement):
            part["translatable"] = False
        title = nodes.rubric("", _("How terms are translated"), translatable=False)
        return [title, *box.children]


# ---------------------------------------------------------------------------- Sphinx


def tidy(app: Sphinx, error: Exception | None) -> None:
    """Remove from the folder of a language the files that its pages take from the site instead."""
    if not error and folder_of(app):
        for name in ("_static", "_sources"):
            shutil.rmtree(Path(app.outdir, name), ignore_errors=True)  # or there is none


def setup(app: Sphinx) -> None:
    """Connect what a build in another language needs, and add the directive and the transform."""
    app.connect("builder-inited", use_words)
    # Before all that ask for the path of a file, at the usual priority of 500.
    app.connect("html-page-context", share_files, priority=100)
    app.connect("html-page-context", offer_languages)
    app.add_directive("terms-of-translation", Terms)
    app.add_transform(InEnglish)
    app.connect("build-finished", tidy, priority=990)  # after all that write into the folder


def main(arguments: list[str]) -> int:
    """Build the pages of a language as jupyter-book builds the English ones; return 0 if built."""
    # The function behind `jupyter-book build`, since that command takes no language. It is needed
    # here alone: Sphinx loads this file as an extension too.
    from jupyter_book.sphinx import build_sphinx

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("language", choices=OTHERS)
    parser.add_argument("-W", action="store_true", help="a warning fails")
    parser.add_argument("-n", action="store_true", help="warn of every reference without a target")
    parser.add_argument("--keep-going", action="store_true", help="with -W, fail at the end")
    parser.add_argument("--all", action="store_true", help="read every page again")
    parser.add_argument("--quiet", action="store_true", help="say nothing but warnings")
    asked = parser.parse_args(arguments)
    built = contents.ROOT / "_build"
    failed = build_sphinx(
        contents.ROOT,
        built / "html" / FOLDERS[asked.language],
        path_config=contents.ROOT / "_config.yml",
        noconfig=True,  # there is no conf.py, as in jupyter-book's own call
        doctreedir=built / f".doctrees-{asked.language}",
        confoverrides={
            "latex_individualpages": False,  # jupyter-book takes it out, and fails without it
            "language": asked.language,
            "nitpicky": asked.n,
        },
        warningiserror=asked.W,
        keep_going=asked.keep_going,
        freshenv=asked.all,
        quiet=asked.quiet,
    )
    if isinstance(failed, Exception):  # jupyter-book has caught it
        raise failed
    return failed  # 1 after warnings with -W and --keep-going


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
