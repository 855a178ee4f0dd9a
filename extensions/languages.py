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
LEAST_TRANSLATED = 1 / 4  # the share of such a page's parts with a translation, or a note says so
# The catalogs of words in code, with the files that have them: of the page, of moving figures and
# questions, and of what is said to the code of a reader.
WORDS = {
    "sphinx": ("extensions/*.py", "theme/*.html", "theme/static/*.js"),
    "course": (
        "posenc_course/widget.py",
        "posenc_course/views/*.js",
        "posenc_course/questions/question.*[jp][sy]",
    ),
    "exercises": ("posenc_course/cells.py", "posenc_course/exercises/*.py"),
}  # fmt: skip


def catalogs(language: str) -> dict[str, Path]:
    """Return the files of a language's catalogs by name: that of a page, or one of `WORDS`."""
    folder = LOCALE / language / "LC_MESSAGES"
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path
        for path in sorted(folder.rglob("*.po"))
    }


@functools.cache
def words(language: str, domain: str, context: str | None = None) -> Mapping[str, str]:
    """Return the translations of a domain by their English; "fuzzy" ones are left out.

    A domain is the name of a catalog. A word may have another translation in a context, as
    ``figure``.
    """
    path = catalogs(language).get(domain)
    if path is None:
        return {}
    with path.open("rb") as file:
        catalog = read_po(file)
    found = {}
    for message in catalog:
        english, text = message.id, message.string
        if message.pluralizable:  # of its forms the singular stands for all
            english, text = english[0], text[0]
        # A catalog begins with a message "", which holds facts about the catalog.
        if english and text and not message.fuzzy and message.context == context:
            found[english] = text
    return found


# ---------------------------------------------------------------------------- where files are


def folder_of(app: Sphinx) -> str:
    """Return the folder of the site for the pages of a build, or "" for the site itself."""
    return FOLDERS.get(app.config.language, "")


def site_of(app: Sphinx) -> Path:
    """Return the folder of the site, which has what the pages of all languages share."""
    out = Path(app.outdir)
    return out.parent if folder_of(app) else out


def way_up(app: Sphinx) -> str:
    """Return the way from the root of a build's pages to the site: "", or "../"."""
    return "../" if folder_of(app) else ""


def notebook_of(app: Sphinx, page: str) -> str:
    """Return the name of the notebook that a page hands out: in its language, if there is one."""
    translated = folder_of(app) and page in TRANSLATED_WHOLE
    return page.replace("book/", f"book/{folder_of(app)}/") if translated else page


def share_files(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Let `pathto` of a template lead to the site's files, which all languages share.

    ``notebook`` becomes the name of the notebook that the page hands out.
    """
    up, own = way_up(app), context["pathto"]

    def pathto(otheruri, resource=False, *args, **kwargs):
        """Return the way from the page to a page of its language, or to a file of the site."""
        return own(up + otheruri if resource else otheruri, resource, *args, **kwargs)

    context["pathto"] = pathto
    context["notebook"] = notebook_of(app, pagename)


def addresses(page: str) -> dict[str, str]:
    """Return by language the address of a page from the root of the site, as ``zh/page.html``."""
    folders = {language: f"{folder}/" if folder else "" for language, folder in FOLDERS.items()}
    return {language: f"{folder}{page}.html" for language, folder in folders.items()}


def offer_languages(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Tell the template of a page its language, and where the page is in the others."""
    language = app.config.language
    up, there = way_up(app), addresses(pagename)
    context["language_tag"] = TAGS[language]
    context["folder"] = f"{folder_of(app)}/" if folder_of(app) else ""
    context["site_root"] = context["content_root"] + up
    context["alternates"] = [(TAGS[one], address) for one, address in there.items()]
    context["other_languages"] = [
        (TAGS[one], NAMES[one], context["content_root"] + up + address)
        for one, address in there.items()
        if one != language
    ]
    context["page_words"] = app.page_words
    context["exercise_words"] = app.exercise_words


# ---------------------------------------------------------------------------- the words of scripts


def use_words(app: Sphinx) -> None:
    """Put the words of a build's language to use in Python, and write two files for scripts.

    What is said to a reader's code is a file of its own, which comes with Python.
    """
    language = app.config.language
    found = {**words(language, "sphinx"), **words(language, "course")}
    course_words.use(found)
    app.page_words = app.exercise_words = ""
    if found and app.builder.name == "html":
        folder = f"_static/{folder_of(app)}"
        text = f"window.bookWords={json.dumps(found, ensure_ascii=False)};\n"
        app.page_words = stored(site_of(app), f"{folder}/words.js", text)
        of_exercises = json.dumps(words(language, "exercises"), ensure_ascii=False)
        app.exercise_words = stored(site_of(app), f"{folder}/exercises.json", of_exercises)


def stored(site: Path, name: str, text: str) -> str:
    """Write a file of the site, with a digest of its text in its name; return its path there.

    A browser that keeps files never has an old one under a new name.
    """
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
        """Mark each part of a page that has no translation, or say so of all below its title."""
        if self.config.language == "en" or self.app.builder.name != "html":
            return
        parts = [
            node for node in self.document.findall(nodes.TextElement)
            if node.get("translated") is not None and has_words(node.rawsource)
        ]  # fmt: skip
        translated = [node for node in parts if node["translated"]]
        # Titles are translated on all pages: paragraphs say how far this one is.
        prose = [node for node in translated if isinstance(node, nodes.paragraph)]
        enough = len(prose) > LEAST_TRANSLATED * len(parts)
        whole = self.env.docname in TRANSLATED_WHOLE and enough
        for node in parts:
            if not node["translated"]:
                node["html"] = {"lang": "en"}
                if whole:
                    node["classes"].append("in-english")
        title = self.document.next_node(nodes.title)
        if not whole and parts and title is not None:
            note = nodes.paragraph("", _("The text of this page is in English."))
            note["classes"] = ["page-in-english"]
            title.parent.insert(title.parent.index(title) + 1, note)


class Terms(SphinxDirective):
    """``{terms-of-translation}``: how terms are translated, on a page in another language."""

    def run(self) -> list[nodes.Node]:
        """Return a heading and what `terms.md` of the language has; nothing if there is none."""
        path = LOCALE / self.config.language / "terms.md"
        if not path.is_file():
            return []
        self.env.note_dependency(str(path))
        box = nodes.container()
        lines = path.read_text(encoding="utf-8").splitlines()
        self.state.nested_parse(StringList(lines, source=str(path)), self.content_offset, box)
        for part in box.findall(nodes.TextElement):  # they are in the language already
            part["translatable"] = False
        title = nodes.rubric("", _("How terms are translated"), translatable=False)
        return [title, *box.children]


# ---------------------------------------------------------------------------- Sphinx


def tidy(app: Sphinx, error: Exception | None) -> None:
    """Remove from the folder of a language the files that its pages take from the site instead."""
    if not error and app.builder.name == "html" and folder_of(app):
        for name in ("_static", "_sources"):
            shutil.rmtree(Path(app.outdir, name), ignore_errors=True)


def setup(app):
    """Connect what a build in another language needs."""
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
            "external_toc_path": str(contents.ROOT / "_toc.yml"),
            "latex_individualpages": False,  # jupyter-book takes it out, and fails without it
            "language": asked.language,
            "nitpicky": asked.n,
        },
        warningiserror=asked.W,
        keep_going=asked.keep_going,
        freshenv=asked.all,
        quiet=asked.quiet,
    )
    if isinstance(failed, Exception):
        raise failed
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
