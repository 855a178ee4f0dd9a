"""Renew the message catalogs of the translations, which translators fill.

    python -m scripts.messages           (make messages)
    python -m scripts.messages --count   (make translated: what is done, as a table)

Sphinx writes a template of each page, and Babel one of the words in code; sphinx-intl puts what is
new into the catalogs of each language, in ``locale/``. A second run changes nothing: catalogs hold
no date, no place in a file, and a message on one line.
"""

import importlib.resources
import io
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po
from jupyter_book.sphinx import build_sphinx
from sphinx_intl.basic import update

from extensions import contents, labels
from extensions.contents import ROOT
from extensions.facts import facts_of
from extensions.languages import LOCALE, OTHERS, TRANSLATED_WHOLE, WORDS, catalogs
from extensions.translatable import has_words

TEMPLATES = ROOT / "build" / "gettext"
GATHERED = "book/cards"  # made of pieces of other pages, whose translation it takes
# Lines of a catalog's header that change by themselves, or that nobody fills in.
LEFT_OUT = ("POT-Creation-Date", "PO-Revision-Date", "Last-Translator", "Language-Team",
            "Report-Msgid-Bugs-To", "Generated-By")  # fmt: skip
HEADER = """\
# Where Words Stand: messages to translate, made by `make messages`.
# CONTRIBUTING.md says how to fill them in. Licence: that of the original."""


def extracted(path: Path) -> Iterator[str | tuple[str, ...]]:
    """Yield the messages of a file, Python, JavaScript or a template; (one, many) of a plural."""
    method = {".py": "python", ".js": "javascript", ".html": "jinja2"}[path.suffix]
    options = {"parse_template_string": "true"} if method == "javascript" else {}
    keywords = {"_": None, "N_": None, "ngettext": (1, 2), "plural": (1, 2)}
    yield from (
        message
        for _, message, _, _ in extract_from_file(method, path, keywords=keywords, options=options)
    )


def words_of(domain: str) -> Iterator[str | tuple[str, ...]]:
    """Yield the messages of a domain of words in code, file by file, and those that data have."""
    for pattern in WORDS[domain]:
        for path in sorted(ROOT.glob(pattern)):
            yield from extracted(path)
    if domain == "exercises":
        yield from answers()
    if domain == "sphinx":
        yield from filter(None, dict.fromkeys(contents.parts().values()))
        for path in map(contents.path_of, TRANSLATED_WHOLE):
            if path.suffix == ".ipynb":
                for cell in contents.read(path).cells:
                    prompts = cell.metadata.get("mystnb", {})
                    yield from (text for name, text in prompts.items() if name != "image")


def answers() -> Iterator[str]:
    """Yield what is said to answers: the reasons, and the hints to typical wrong ones."""
    words = importlib.resources.files("posenc_course.exercises").joinpath("answers.md")
    for section in words.read_text(encoding="utf-8").split("\n## ")[1:]:
        _, because, *lines = filter(None, section.splitlines())
        yield because
        yield from (line.partition("`: ")[2] for line in lines)


def template_of_page(name: str, catalog: Catalog) -> Catalog:
    """Return a page's messages that have words; of a page in English, its title and question."""
    messages = [one for one in catalog if has_words(one.id)]
    if name not in TRANSLATED_WHOLE:
        question = facts_of(contents.path_of(name)).question
        messages = [one for at, one in enumerate(messages) if at == 0 or one.id == question]
    template = Catalog()
    for message in messages:
        template.add(message.id)
    if name in TRANSLATED_WHOLE and (path := contents.path_of(name)).suffix == ".ipynb":
        for label in labels.labels(contents.read(path)):
            template.add(label, context=labels.CONTEXT)
    return template


def write(path: Path, catalog: Catalog) -> None:
    """Write a catalog, with a message on one line and without dates."""
    catalog.project, catalog.version = "Where Words Stand", ""
    catalog.header_comment, catalog.fuzzy = HEADER, False
    for message in catalog:
        message.flags &= {"fuzzy"}  # Babel takes a role in braces for a format of Python
    path.parent.mkdir(parents=True, exist_ok=True)
    file = io.BytesIO()
    write_po(file, catalog, width=0, ignore_obsolete=True)
    lines = file.getvalue().decode().splitlines(keepends=True)
    kept = (line for line in lines if not line.startswith(tuple(f'"{name}:' for name in LEFT_OUT)))
    path.write_text("".join(kept), encoding="utf-8")


def read(path: Path) -> Catalog:
    """Return the `Catalog` in a file of messages, a .po."""
    with path.open("rb") as file:
        return read_po(file)


def write_templates() -> None:
    """Write a template for each page and for each domain of words in code."""
    shutil.rmtree(TEMPLATES, ignore_errors=True)
    whole = TEMPLATES / "whole"
    # As in extensions/languages.py: there is no conf.py, and jupyter-book takes the option of LaTeX
    # out and fails without it.
    failed = build_sphinx(
        ROOT, whole, path_config=ROOT / "_config.yml", noconfig=True, builder="gettext", quiet=True,
        confoverrides={
            "external_toc_path": str(ROOT / "_toc.yml"), "latex_individualpages": False,
            "gettext_compact": False, "gettext_location": False,
            # What a page shows of an output, and not the text that stands for it.
            "nb_mime_priority_overrides": [
                ("gettext", "text/html", 0), ("gettext", "image/png", 10)
            ],
        },
        doctreedir=ROOT / "_build" / ".doctrees-gettext",
    )  # fmt: skip
    if failed:
        sys.exit(1)
    for name in contents.parts():
        catalog = read(whole / f"{name}.pot")
        write(TEMPLATES / "pot" / f"{name}.pot", template_of_page(name, catalog))
    for domain in WORDS:
        template = Catalog()
        for message in words_of(domain):
            template.add(message)
        write(TEMPLATES / "pot" / f"{domain}.pot", template)


def take_from_others(language: str) -> None:
    """Give the page that is made of pieces of others the translations that these have."""
    own = catalogs(language)[GATHERED]
    found = {
        message.id: message.string
        for name, path in catalogs(language).items()
        if name.startswith("book/") and name != GATHERED
        for message in read(path)
        if message.id and message.string and not message.fuzzy and not message.context
    }
    catalog = read(own)
    for message in catalog:
        if message.id in found:
            message.string = found[message.id]
            message.flags.discard("fuzzy")
    write(own, catalog)


def counts(language: str) -> str:
    """Return how many messages of each catalog are translated, fuzzy, untranslated, as Markdown.

    A fuzzy message was translated before its English changed; the page shows it in English.
    """
    lines = [f"| {language} | translated | fuzzy | untranslated |", "|---|--:|--:|--:|"]
    sums = [0, 0, 0]
    for name, path in catalogs(language).items():
        states = [0, 0, 0]
        for message in read(path):
            if message.id:  # the first has none, and holds facts about the catalog
                # One form of two stands for both: Chinese has no plural.
                there = message.string[0] if message.pluralizable else message.string
                states[1 if message.fuzzy else 0 if there else 2] += 1
        sums = [one + more for one, more in zip(sums, states, strict=True)]
        lines.append(f"| {name} | {' | '.join(map(str, states))} |")
    return "\n".join([*lines, f"| **all** | {' | '.join(map(str, sums))} |"])


def main(options: list[str]) -> None:
    """Renew the catalogs of all languages, or count what they have."""
    if options == ["--count"]:
        print("\n\n".join(map(counts, OTHERS)))
        return
    os.chdir(ROOT)
    write_templates()
    update(str(LOCALE), str(TEMPLATES / "pot"), OTHERS, line_width=0, ignore_obsolete=True)
    for language in OTHERS:
        for name, path in catalogs(language).items():
            template = TEMPLATES / "pot" / f"{name}.pot"
            if not template.exists():  # a page that is gone
                path.unlink()
                continue
            catalog = read(path)
            catalog.update(read(template))  # its order too, which sphinx-intl may leave as it was
            write(path, catalog)
        take_from_others(language)


if __name__ == "__main__":
    main(sys.argv[1:])
