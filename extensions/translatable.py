"""Sphinx extension: words that Sphinx alone would leave out of a page's catalog.

A stored output holds a widget's data in English. While a page is read, each output with a widget is
a node whose words Sphinx writes into the catalog of the page, and replaces by their translation,
as it does with paragraphs. Then the node is HTML again, as it was stored. A displayed formula that
says something in words is a message too: the translation has other words in the same formula. And
cells of tables that Sphinx would pass over are made ready for it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from extensions import contents
from posenc_course import views
from posenc_course.questions.question import Question
from posenc_course.views.traits import Sentence

# What of a text are no words: code, formulas, what a role names, and names of functions.
NO_WORDS = re.compile(
    r"```.*?```|`[^`<]*`|\$[^$]*\$|\{[\w:-]+\}|<[^<>]*>|\]\([^)]*\)|https?://\S+|\b(?:sin|cos|ln)\b",
    re.DOTALL,
)
LETTERS = re.compile(r"[A-Za-z]{2,}")  # a single letter is the name of a number
WORDS_OF_FORMULA = re.compile(r"(?<=\\text\{)[^{}\\]*(?=\})")  # rope\_theta is a name


def has_words(text: str) -> bool:
    """Return whether a text has a word to translate, beside numbers, formulas and code."""
    return LETTERS.search(NO_WORDS.sub(" ", text)) is not None


def formula_has_words(formula: str) -> bool:
    r"""Return whether a formula of TeX says something in words, in a ``\text{}``."""
    return any(map(has_words, WORDS_OF_FORMULA.findall(formula)))


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, on one line and without backticks.

    An empty text has none, and is an error.
    """
    # Up to a full stop, Chinese or not, or to the end of a text that has none.
    sentence = re.match(r".+?(?:\u3002|\.(?=\s|$)|$)", text.strip(), re.DOTALL)[0]
    return " ".join(sentence.replace("`", "").split())


def caption_of(name: str) -> str:
    """Return the line below a moving figure: the first sentence of the docstring of its class."""
    return first_sentence(getattr(views, name).__doc__)


# ---------------------------------------------------------------------------- the data of a widget


def question_in(asked: Mapping[str, Any], translated: Callable[[str], str]) -> dict[str, Any]:
    """Return a copy of a question's data in which all words are ``translated(words)``.

    The English unit stays under ``measure``: it says whether an angle is in radians.
    """
    question = dict(asked)
    # Of these texts and lists of texts a question has those that its kind needs. A label of an
    # axis, or a unit, may be "".
    for key in ("text", "because", "nudge", "unit", "x_label", "y_label"):
        if question.get(key):
            question[key] = translated(question[key])
    for key in ("options", "rows", "columns"):
        if key in question:
            question[key] = [translated(text) for text in question[key]]
    # Each typical wrong answer with its hint: the answer is a number or a list of them, no words.
    question["wrong"] = [[answer, translated(hint)] for answer, hint in question["wrong"]]
    if unit := asked.get("unit"):  # "3 pairs" is shown: the number stays, the unit is translated
        question["shown"] = question["shown"].removesuffix(unit) + question["unit"]
        question["measure"] = unit
    return question


def view_in(
    name: str, state: Mapping[str, Any], translated: Callable[[str], str]
) -> dict[str, Any]:
    """Return a copy of a moving figure's data; its sentences and its suggestion are translated.

    `name` is that of its class, whose traits of the kind `Sentence` hold the sentences.
    """
    sentences = {key for key, trait in getattr(views, name)._settings.items()
                 if isinstance(trait, Sentence)}  # fmt: skip
    return {
        key: translated(value) if key in sentences | {"_suggestion"} else value
        for key, value in state.items()
    }


def data_in(element: Tag, translated: Callable[[str], str]) -> dict[str, Any]:
    """Return the data in an element that stands for a moving figure or a question, translated."""
    state = json.loads(element["data-state"])
    if "data-view" in element.attrs:
        return view_in(element["data-view"], state, translated)
    return question_in(state, translated)


def translated_html(html: str, translated: Callable[[str], str]) -> str:
    """Return the HTML of an output with the words of its widgets translated.

    They are translated in the data for a script, and in what stands there without one.
    """
    soup = BeautifulSoup(html, "html.parser")
    for element in soup.select("div[data-state]"):
        state = data_in(element, translated)
        if "data-view" in element.attrs:
            element["data-state"] = json.dumps(state, ensure_ascii=False)
            element.p.string = state["_suggestion"]  # the first paragraph of its static form
        else:
            element.replace_with(BeautifulSoup(Question(state["key"], state).html(), "html.parser"))
    return str(soup)


def words_in(html: str) -> list[str]:
    """Return the texts of the widgets in an output that have words, each once, in reading order."""
    texts: dict[str, None] = {}  # a set that keeps its order

    def note(text: str) -> str:
        """Note a text that has words, once, and return it as it is."""
        if has_words(text):
            texts[text] = None
        return text

    for element in BeautifulSoup(html, "html.parser").select("div[data-state]"):
        data_in(element, note)  # "translates" each text to itself
    return list(texts)


# ---------------------------------------------------------------------------- nodes


class widget_output(nodes.raw, addnodes.translatable):
    """An output with widgets, while its page is read; ``caption`` is the line below it, or ""."""

    def preserve_original_messages(self) -> None:
        """Set ``words``, the translations by their English, to none: the output keeps its words."""
        self["words"] = {}

    def extract_original_messages(self) -> list[str]:
        """Return the messages for the catalog: the caption, if there is one, and the words."""
        caption = self["caption"]
        return [*([caption] if caption else []), *words_in(self.astext())]

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Note in ``words`` the translation of one message."""
        self["words"][original_message] = translated_message


class formula_with_words(nodes.math_block, addnodes.translatable):
    """A displayed formula with words, while its page is read."""

    def preserve_original_messages(self) -> None:
        """Set ``formula``, what the page will show, to the formula as it is written."""
        self["formula"] = self.astext().strip()

    def extract_original_messages(self) -> list[str]:
        """Return [formula]: the whole of it is one message."""
        return [self.astext().strip()]

    def apply_translated_message(self, _original_message: str, translated_message: str) -> None:
        """Set ``formula`` to the translation: the same formula with other words."""
        self["formula"] = translated_message


class Formulas(SphinxTransform):
    """Make a node with words of each displayed formula that has some; the others are no message."""

    default_priority = 5  # before Sphinx notes the words of a page

    def apply(self, **_options) -> None:
        """Put a `formula_with_words` in place of each displayed formula that has words."""
        # A list, here and below, as the tree changes on the way.
        for node in list(self.document.findall(nodes.math_block)):
            if formula_has_words(node.astext()):
                formula = formula_with_words("", node.astext(), **node.attributes)
                # Sphinx translates only what has a source.
                formula.source, formula.line = node.source, node.line
                node.replace_self(formula)
            else:  # Sphinx would make a message of each displayed formula
                node["translatable"] = False


class Outputs(SphinxTransform):
    """Make a node with words of each output with widgets."""

    default_priority = 5  # before Sphinx notes the words of a page

    def apply(self, **_options) -> None:
        """Put a `widget_output` in place of each output with widgets, and note its caption.

        The caption is that of the first moving figure, or "".
        """
        for node in list(self.document.findall(nodes.raw)):
            widgets = contents.widgets(node.astext())
            if widgets:
                moving = [widget.view for widget in widgets if widget.view]
                # `page.py` shows captions in cells alone. Elsewhere one would be a message of the
                # catalog that no page shows.
                in_cell = any("cell_output" in parent.get("classes", ()) for parent in above(node))
                caption = caption_of(moving[0]) if moving and in_cell else ""
                output = widget_output("", node.astext(), caption=caption, **node.attributes)
                output.source, output.line = node.source, node.line
                node.replace_self(output)


class TableCells(SphinxTransform):
    """Say where the cells of a table in a fold come from: Sphinx passes over what has no source."""

    default_priority = 5  # before Sphinx notes the words of a page

    def apply(self, **_options) -> None:
        """Give each paragraph in a cell of a table, where it names no source, that of the page."""
        for entry in self.document.findall(nodes.entry):
            for cell in entry.findall(nodes.paragraph):
                if not cell.source:
                    # A catalog names a line: 0 stands for one that docutils does not know.
                    cell.source, cell.line = self.document["source"], cell.line or 0


class Translated(SphinxTransform):
    """Make HTML of these nodes again, with the translation of their words."""

    default_priority = 30  # the translation has 20

    def apply(self, **_options) -> None:
        """Put HTML and formulas, translated, in place of the nodes that had words to translate."""
        if self.app.builder.name == "gettext":
            return  # this builder writes the catalogs, and needs the nodes with words
        for node in list(self.document.findall(widget_output)):
            # The plain node gets all attributes but this one.
            words, html = node.attributes.pop("words"), node.astext()
            if words:
                html = translated_html(html, lambda text, words=words: words.get(text, text))
            plain = nodes.raw("", html, **node.attributes)
            plain["caption"] = words.get(node["caption"], node["caption"])
            plain.source, plain.line = node.source, node.line
            node.replace_self(plain)
        for node in list(self.document.findall(formula_with_words)):
            formula = node.attributes.pop("formula")
            # Source and text: `languages.InEnglish` looks for words in the source.
            plain = nodes.math_block(formula, formula, **node.attributes)
            plain.source, plain.line = node.source, node.line
            node.replace_self(plain)


def above(node: nodes.Node) -> Iterator[nodes.Element]:
    """Yield each node that a node stands in: its parent, the parent of that, up to the document."""
    while node := node.parent:
        yield node


def setup(app: Sphinx) -> None:
    """Add the nodes with words, and the transforms that make and unmake them."""
    app.add_node(widget_output)
    app.add_node(formula_with_words)
    app.add_transform(Outputs)
    app.add_transform(Formulas)
    app.add_transform(TableCells)
    app.add_transform(Translated)
