"""A translation says what its original says: no number, formula, name or address differs.

What is not translated, or was before its original changed (fuzzy), is no mistake: the page shows it
in English. `make messages` renews the catalogs.
"""

import json
import re
from collections import Counter

import pytest
from babel.messages.pofile import read_po

from extensions.contents import ROOT
from extensions.katex_math import typeset
from extensions.languages import OTHERS, TRANSLATED_WHOLE, WORDS, catalogs
from extensions.translatable import first_sentence, has_words
from scripts.messages import extracted

CATALOGS = [
    pytest.param(path, id=f"{language}:{name}")
    for language in OTHERS
    for name, path in catalogs(language).items()
]

ROLE = re.compile(r"\{([\w:-]+)\}`([^`]*)`")
IN_FORMULA = re.compile(r"\\text\{[^{}]*\}")  # words in a formula, which may stand elsewhere
SENTENCE = re.compile(r"\b(?:sentence|vocabulary)=[^,>]*")  # of a moving figure: words
PARTS = {
    "formula": re.compile(r"\$\$?([^$]+)\$\$?"),
    "code": re.compile(r"`([^`]+)`"),
    "link": re.compile(r"\]\(([^)]*)\)"),
    "tag": re.compile(r"<(/?\w[^<>]*)>"),
    "mark": re.compile(r"\{(\w+)\|"),
    "field": re.compile(r"\{(\w*)\}"),
    "number": re.compile(r"\d+(?:\.\d+)?"),
}


def fixed_parts(text):
    """Count what a translation may not change, as (kind, text); the order of sentences may."""
    found = Counter()

    def take_role(match):
        name, inside = match.groups()
        words, named, target = inside.partition("<")
        target = (target.rpartition(">")[0] if named else inside).strip()
        found[name, SENTENCE.sub("", target).lower()] += 1
        return f" {words} " if named else " "

    text = ROLE.sub(take_role, IN_FORMULA.sub(" ", text))
    for kind, pattern in PARTS.items():
        for part in pattern.findall(text):
            found[kind, " ".join(part.split())] += 1
        # What stands in a mark, and between two tags, is still to be read.
        text = pattern.sub(" ", text)
    return found


def set_by_katex(formula):
    """Tell whether KaTeX knows every command of a formula."""
    try:
        return bool(typeset(formula, display=True))
    except ValueError:
        return False


def translated(path):
    """Yield the original and the translation of each message of a catalog that has one."""
    with path.open("rb") as file:
        for message in read_po(file):
            if message.id and message.string and not message.fuzzy:
                if message.pluralizable:
                    yield message.id[-1], message.string[0]
                else:
                    yield message.id, message.string


@pytest.mark.parametrize("path", CATALOGS)
def test_a_translation_has_the_numbers_and_names_of_its_original(path):
    differ = []
    for original, text in translated(path):
        before, after = fixed_parts(original), fixed_parts(text)
        if before != after:
            differ.append((text, {"lost": dict(before - after), "new": dict(after - before)}))
    assert differ == []


@pytest.mark.parametrize("path", CATALOGS)
def test_a_formula_of_words_differs_in_its_words_alone(path):
    def bare(formula):
        return "".join(IN_FORMULA.sub("", formula).split())

    formulas = [pair for pair in translated(path) if "\\text{" in pair[0] and "$" not in pair[0]]
    assert [text for original, text in formulas if bare(original) != bare(text)] == []
    assert [text for _, text in formulas if not set_by_katex(text)] == []


@pytest.mark.parametrize("path", CATALOGS)
def test_bold_words_of_a_translation_are_bold(path):
    """Beside a letter, bold words that begin or end with a mark of punctuation are not."""
    inner = re.compile(r"(?<=\w)\*\*(?=[^\w\s*])|(?<=[^\w\s*$`)])\*\*(?=\w)")
    in_words = [(text, re.sub(r"`[^`]*`", "`", text)) for _, text in translated(path)]
    assert [text for text, words in in_words if inner.search(words)] == []


@pytest.mark.parametrize("path", CATALOGS)
def test_a_translation_keeps_as_many_words_in_bold(path):
    counts = [(text, original.count("**"), text.count("**")) for original, text in translated(path)]
    assert [text for text, before, after in counts if before != after] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_page_and_every_kind_of_words_has_a_catalog(language):
    assert {*TRANSLATED_WHOLE, *WORDS} <= set(catalogs(language))


@pytest.mark.parametrize("path", CATALOGS)
def test_a_catalog_holds_words_alone_and_no_date(path):
    text = path.read_text(encoding="utf-8")
    assert "Creation-Date" not in text
    assert "#~" not in text
    with path.open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    if path.parent.name == "book":
        assert [one for one in ids if not has_words(one)] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Every word has a row.", True),
        ("1 · 1 + 1 · 1 = 2", False),
        ("$x = \\sin k$", False),
        ("`np.tri(L)`", False),
        ("{ref}`formula`", False),
        ("{ref}`the formula <formula>`", True),
        ("sin k", False),
    ],
)
def test_what_has_words(text, words):
    assert has_words(text) is words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A hand. It turns.", "A hand."),
        ("At d = 2.5 `x` moves. Then", "At d = 2.5 x moves."),
        ("一根指针。它在转动。", "一根指针。"),
        ("No mark", "No mark"),
    ],
)
def test_a_caption_is_the_first_sentence(text, sentence):
    assert first_sentence(text) == sentence


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("Chapter 6 has 10 000.", "第 6 章有 10 001。"),
        ("See {ref}`the card <a-card>`.", "见{ref}`卡片 <b-card>`。"),
        ("Let $k$ be 2.", "设 $m$ 为 2。"),
        ("Use `np.tri(L)`.", "用 `np.tri(M)`。"),
        ("[a page](x.md)", "[一页](y.md)"),
        ("{strong|2} left", "剩 2"),
        (r"$\text{new } x$", r"$\text{新的 } y$"),
        ("{count} cells", "几格"),
    ],
)
def test_a_difference_is_seen(original, text):
    assert fixed_parts(original) != fixed_parts(text)


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("{term}`Score` 2 of 4", "4 个中的 2 个{term}`得分 <score>`"),
        ("{touch}`Dog <sentence=dog bites, asks=1>`", "{touch}`狗 <sentence=狗 咬, asks=1>`"),
        (r"$2\text{ times}$", r"$\text{乘 }2$"),
        ("{ref}`Exercise 1.3 <ex>` of $k$", "$k$ 的{ref}`练习 1.3 <ex>`"),
    ],
)
def test_words_and_their_order_may_differ(original, text):
    assert fixed_parts(original) == fixed_parts(text)


SCRIPTS = sorted(
    path
    for pattern in sum(WORDS.values(), ())
    for path in ROOT.glob(pattern)
    if path.suffix == ".js"
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_message_of_a_script_is_found(path):
    # Babel loses a message with two fields in the middle of a template string.
    written = re.findall(r'\b_\(\s*"((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8"))
    found = set(extracted(path))
    assert [text for text in written if json.loads(f'"{text}"') not in found] == []
