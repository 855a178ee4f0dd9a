"""The words of a page, for its search, and a description for those who link to it."""

import re
from collections.abc import Iterator
from html.entities import html5

from docutils import nodes
from sphinx import addnodes
from sphinx.locale import _

from posenc_course.words import N_

# HTML's names of signs, and commands that have another name or sign there.
SIGNS = {name.rstrip(";"): sign for name, sign in html5.items()} | {
    "varepsilon": "ε", "varphi": "φ", "sqrt": "√", "cdot": "·", "dots": "…", "ldots": "…",
    "cdots": "…", "infty": "∞", "neq": "≠", "sin": "sin", "cos": "cos", "log": "log", "exp": "exp",
}  # fmt: skip
# What a label stands for, by its first part, as thm of thm-shift, where its number is not known.
LABELS = {"thm": N_("the theorem"), "eq": N_("the formula")}
# A name in code that a reader may look for.
NAME = re.compile(r"\b(?!np\.|plt\.)[A-Za-z]\w*[_.][A-Za-z][\w.]*")
DESCRIPTION = 160  # letters; search engines show about as many
LINES_SHOWN = 3  # paragraphs of a description: more would take cells of tables from some pages


def formula_in_text(tex: str) -> str:
    """Return a formula of TeX as a line of text without commands: ``ω_i = n^(−2i/d)``."""
    # Environments, and the distances of their lines, as [2pt], are left out. A distance within a
    # line is a space, but for \!, which moves signs together. Of a bracket its size is left out.
    tex = re.sub(r"\\(?:begin|end)\s*\{[^{}]*\}|\[\d+(?:pt|ex)\]|\\[,:;]", " ", tex)
    tex = re.sub(r"\\!|\\(?:left|right)(?![A-Za-z])", "", tex)
    # The name of a function stands apart from letters on both sides: sin a cos b, but cos(b). Of
    # two spaces before it, a command there takes one (below).
    function = r"\\(sin|cos|log|exp)(?![A-Za-z])"
    tex = re.sub(rf"(?<=[\w}}]) ?(?={function})", "  ", tex)
    tex = re.sub(rf"{function} ?(?=[^\W_]|\\)", r"\1 ", tex)
    # A pattern takes no braces within its braces. Of a change of font the letters stay; an exponent
    # or index of several letters stands in brackets, as the one of 1/n^(2i/d), and may have an
    # index itself; a fraction becomes a/b.
    tex = re.sub(r"\\(?:mathrm|text|mathbf|operatorname)\{([^{}]*)\}", r"\1", tex)
    for _level in range(2):
        tex = re.sub(r"([_^])\{([^{}]{2,})\}", r"\1(\2)", tex)
    tex = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", tex)
    tex = tex.replace("-", "\N{MINUS SIGN}")  # as the page shows it
    # Of the other commands those of `SIGNS` are signs, and the rest is left out. A space behind a
    # command only ends its name.
    tex = re.sub(r"\\([A-Za-z]+) ?", lambda command: SIGNS.get(command[1], " "), tex)
    return " ".join(re.sub(r"[{}\\&]", " ", tex).split())


def reference_text(node: addnodes.pending_xref) -> str:
    """Return the words of a reference that is not resolved yet: its own, or those of `LABELS`.

    They are in the language of the build; "" for a label of another kind.
    """
    # A term or a name of a function is written as it is shown; other references get their words
    # when they are resolved, and have a label until then, as "thm-shift".
    if node.get("refexplicit") or node.get("reftype") in ("term", "obj"):
        return node.astext()
    kind = node["reftarget"].partition("-")[0]
    return str(_(LABELS[kind])) if kind in LABELS else ""


def in_sight(code: nodes.literal_block) -> bool:
    """Return whether a block is code that a page shows, not a cell's output and not folded."""
    # myst-nb puts the code of a cell into a box, and its output into another, both in the cell's.
    # That has a class for each tag of the cell, as "tag_hide-input".
    box, cell = code.parent, code.parent.parent
    folded = any(name.startswith("tag_hide") for name in cell["classes"])
    return not folded and "output" not in box["classes"]


def words_of(node: nodes.Node) -> str:
    """Return the words of a node as a reader sees them: no folded code, no TeX, no labels.

    "" stands for a part that the search lists by itself, as a section, and for a cited source. Of
    code the names stay.
    """
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.literal_block):
        names = dict.fromkeys(NAME.findall(node.astext())) if in_sight(node) else ()  # each once
        return f" Code with {', '.join(names)}. " if names else ""
    if isinstance(node, (nodes.raw, nodes.comment)) or is_entry(node):
        return ""
    if isinstance(node, addnodes.desc_signature):  # of a function in the reference, its name
        return f"{node.get('fullname', '')}. "
    if isinstance(node, nodes.Element) and node.get("refdomain") == "cite":
        return ""  # until it is resolved, it has the key of a source, as vaswani2017
    if isinstance(node, addnodes.pending_xref):
        return reference_text(node)
    if isinstance(node, (nodes.math, nodes.math_block)):
        return formula_in_text(node.astext())
    # The parts of a line of text touch each other; blocks, as paragraphs of a list, do not.
    between = "" if isinstance(node, (nodes.TextElement, nodes.inline)) else " "
    text = between.join(words_of(child) for child in node.children)
    if isinstance(node, nodes.row):  # a sentence by itself: an excerpt shows one row, not a table
        # The last cell may end with a full stop of its own.
        return f"{text.strip().removesuffix('.')}. "
    # A reference that is left out leaves no brackets and no space before a mark.
    return re.sub(r"\s+([.,;:])(?=\s|$)", r"\1", re.sub(r"\s+\(\s*\)", "", text))


def shortened(text: str, most: int = DESCRIPTION) -> str:
    """Return the beginning of a text on one line: at most `most` letters, whole sentences or words.

    A text that is cut within a sentence ends with "…".
    """
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    ends = [match.end() for match in re.finditer(r"[.?!](?= )", text[:most])]
    if ends and ends[-1] > most / 2:  # else sentences alone would say too little
        return text[: ends[-1]]
    return text[: most - 1].rsplit(" ", 1)[0] + "…"  # the last word may be cut: it is left out


def described(doctree: nodes.document) -> tuple[str, str]:
    """Return (question, description) of a page; the description begins with the question.

    Then it has the first paragraphs, cut to `DESCRIPTION` letters. A page may have no question: "".
    """
    question, lines = "", []
    for paragraph in doctree.findall(nodes.paragraph):
        # `words_of` leaves out a paragraph that the search lists by itself, as a question often
        # asked. Its children are not left out.
        text = " ".join("".join(map(words_of, paragraph.children)).split())
        if "question" in paragraph["classes"]:
            question = text
            continue
        # Times and the note that a page is in English describe no page, nor does an item of a list,
        # which may be a link or a part of a sentence, as on the first page.
        is_note = {"times", "page-in-english"} & {*paragraph["classes"]}
        if not is_note and not isinstance(paragraph.parent, nodes.list_item):
            lines.append(text)
    description = shortened(" ".join([question, *lines[:LINES_SHOWN]]).strip())
    return question, description


def is_entry(node: nodes.Node) -> bool:
    """Return whether the search lists a node: a titled section, a term, a question often asked."""
    if isinstance(node, nodes.section):
        return node.first_child_matching_class(nodes.title) is not None
    if isinstance(node, nodes.definition_list_item):
        return "glossary" in node.parent["classes"]
    return isinstance(node, nodes.paragraph) and "asked-often" in node["classes"]


def search_entries(doctree: nodes.document) -> Iterator[list[str]]:
    """Yield [anchor, heading, words, kind] of all that the search lists; the first is the page.

    `anchor` is an id, "" for the page itself; `kind` is "term", "question", or "" for a section.
    They are lists, as they are written as JSON.
    """
    kinds = {nodes.definition_list_item: "term", nodes.paragraph: "question", nodes.section: ""}
    for place, node in enumerate(doctree.findall(is_entry)):
        # A section begins with its title, a term with itself, a question in bold.
        head = next(node.findall(lambda n: isinstance(n, (nodes.title, nodes.term, nodes.strong))))
        ids = node["ids"] or head["ids"]  # a term has the id of its item
        words = " ".join(words_of(child) for child in node.children if child is not head)
        anchor = ids[0] if place else ""
        yield [anchor, words_of(head), " ".join(words.split()), kinds[type(node)]]
