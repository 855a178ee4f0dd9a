"""The languages of the book beside English, and the catalogs of their messages."""

import functools
from collections.abc import Mapping
from pathlib import Path

from babel.messages.pofile import read_po

from extensions import contents

LOCALE = contents.ROOT / "locale"
# Each language by Sphinx's name for it: its folder on the site, its name in a page's markup, and
# what its readers call it.
FOLDERS = {"en": "", "zh_CN": "zh"}
TAGS = {"en": "en", "zh_CN": "zh-CN"}
NAMES = {"en": "English", "zh_CN": "中文"}
OTHERS = tuple(language for language in FOLDERS if language != "en")
# The pages that are translated whole; of the others, the title and the question are.
READ_WHOLE = (
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
    """Return the catalogs of a language, by their names: a page's, or one of `WORDS`."""
    folder = LOCALE / language / "LC_MESSAGES"
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path
        for path in sorted(folder.rglob("*.po"))
    }


@functools.cache
def words(language: str, domain: str) -> Mapping[str, str]:
    """Return the translated words of a domain; those whose English has changed are left out."""
    path = catalogs(language).get(domain)
    if path is None:
        return {}
    with path.open("rb") as file:
        catalog = read_po(file)
    found = {}
    for message in catalog:
        text = message.string
        one, text = (message.id[0], text[0]) if message.pluralizable else (message.id, text)
        if one and text and not message.fuzzy:
            found[one] = text
    return found
