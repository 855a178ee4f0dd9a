"""A piece of Markdown in another language: its messages replaced by those of a catalog.

Sphinx translates a page as a tree of nodes. What is handed out as Markdown, as the notebook of a
page, is translated here, message by message, by the same catalog.
"""

import functools
import re
from collections.abc import Iterator, Mapping

from markdown_it import MarkdownIt
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.parsers.mdit import create_md_parser

DIRECTIVE = re.compile(r"\{[\w:-]+\} *(.*)")


@functools.cache
def parser() -> MarkdownIt:
    """Return the parser that makes tokens of the book's Markdown; it is made once."""
    # As in ``_config.yml``, without "substitution": catalogs have ``{{ name }}`` as it is written.
    extensions = {"amsmath", "colon_fence", "deflist", "dollarmath"}
    return create_md_parser(MdParserConfig(enable_extensions=extensions), DocutilsRenderer)


def messages(text: str) -> Iterator[tuple[str, str]]:
    """Yield (message, kind) for each text in a piece of Markdown that stands for itself, in order.

    A kind is "text" (of a paragraph, a title, a cell of a table), "title" (of a directive),
    "formula", or "code", which no catalog has.
    """
    for token in parser().parse(text):
        if token.type == "inline" and token.content:
            yield token.content, "text"
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            yield token.content.strip(), "formula"
        elif token.type in ("fence", "colon_fence") and (named := DIRECTIVE.match(token.info)):
            if named[1]:  # what stands behind the name of the directive
                yield named[1], "title"
            yield from messages(token.content)  # what a directive holds is Markdown as well
        elif token.type in ("fence", "code_block"):
            yield token.content, "code"


def translation(message: str, kind: str, words: Mapping[str, str]) -> str:
    """Return the translation of a message by a catalog's words, {English: translation}; "" if none.

    `kind` is one of those that `messages` yields.
    """
    if kind == "code":
        return ""
    if kind == "formula":  # a catalog has its lines as they are, and a text on one line
        return words.get(message, "")
    one_line = message.replace("\n", " ").strip()
    translated = words.get(one_line, "")
    if kind == "title" and not translated:  # Sphinx has the title of a theorem in brackets
        translated = words.get(f"({one_line})", "").strip("()（）")
    return translated


def translated_markdown(text: str, words: Mapping[str, str]) -> str:
    """Return a piece of Markdown with each message that `words` translates in its translation.

    All else stays as it is, to the letter. `words` are {English: translation}.
    """
    parts, done = [], 0  # the text before the place `done` is in `parts`, translated
    # Code stays, but is looked for too: a message further down may stand in it as well.
    for message, kind in messages(text):
        # A message of several lines may be indented or quoted in the text.
        lines = map(re.escape, message.split("\n"))
        place = re.compile(r"\n[ \t>]*".join(lines)).search(text, done)
        if place is None:  # markdown-it gives another text than the file has: it stays in English
            continue
        parts += [text[done : place.start()], translation(message, kind, words) or place[0]]
        done = place.end()
    return "".join([*parts, text[done:]])
