"""Sphinx extension: mathematics is set when the book is built, by KaTeX.

A page then needs a style sheet and fonts, and no script: formulas are there at first paint, with
scripts off, and from disk. Beside the glyphs each formula carries MathML, which screen readers
read and from which a reader copies. KaTeX runs in V8 (mini-racer); ``extensions/katex`` holds it
and ``theme/static/katex`` its style sheet and fonts.
"""

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import NoReturn

from bs4 import BeautifulSoup
from docutils import nodes
from py_mini_racer import JSEvalException, MiniRacer
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

SOURCE = Path(__file__).with_name("katex") / "katex.min.js"
logger = logging.getLogger(__name__)


@cache
def engine() -> MiniRacer:
    """Return V8 with KaTeX in it, which is started with the first formula."""
    v8 = MiniRacer()
    v8.eval(SOURCE.read_text(encoding="utf-8"))
    return v8


@cache
def typeset(formula: str, *, display: bool) -> str:
    """Return a formula in TeX as HTML with MathML, or raise ValueError where KaTeX refuses it.

    With `display` it is one that stands on a line of its own.
    """
    # "strict" also refuses what KaTeX takes and LaTeX does not.
    options = {"displayMode": display, "strict": "error"}
    try:
        html = engine().call("katex.renderToString", formula, options)
        # KaTeX writes this into the MathML of a matrix, where Firefox warns that it is no length.
        return html.replace(' columnspacing=""', "")
    except JSEvalException as error:
        # The error has KaTeX's words on one line; the others say where in its script it arose.
        reason = re.search(r"ParseError: (.*)", str(error))[1]
        raise ValueError(f"{reason} in {formula!r}") from None


@cache
def letters(formula: str) -> int:
    """Return how many letters and signs a formula shows, or its TeX has where KaTeX refuses it."""
    try:
        html = typeset(formula, display=False)
    except ValueError:
        return len(formula)  # `set_formula` warns of it
    # The element of that class has the glyphs; beside it the MathML has the same signs again.
    glyphs = BeautifulSoup(html, "html.parser").find(class_="katex-html")
    return len(glyphs.get_text())


def set_formula(node: nodes.Node, formula: str, display: bool) -> str:
    """Return a formula as HTML; warn of one that KaTeX refuses, and return its TeX as code.

    The warning names the place of the node.
    """
    try:
        return typeset(formula, display=display)
    except ValueError as error:
        logger.warning("formula: %s", error, location=node)
        return f"<code>{escape(formula)}</code>"


def visit_inline(translator: HTML5Translator, node: nodes.math) -> NoReturn:
    """Write a formula within a line; raise `SkipNode`, since the node is written with that."""
    formula = set_formula(node, node.astext(), display=False)
    # The translator of a browser leaves alone what has the class "notranslate".
    translator.body.append(translator.starttag(node, "span", "", CLASS="math notranslate"))
    translator.body.append(f"{formula}</span>")
    raise nodes.SkipNode


def visit_display(translator: HTML5Translator, node: nodes.math_block) -> NoReturn:
    """Write a formula on a line of its own, with its number and a link to it; raise `SkipNode`."""
    formula = set_formula(node, node.astext(), display=True)
    # The translator of a browser leaves alone what has the class "notranslate".
    translator.body.append(translator.starttag(node, "div", CLASS="math notranslate"))
    translator.body.append(formula)
    if node["number"]:  # a formula with a label
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def needs_style(app, pagename, templatename, context, doctree) -> None:  # noqa: ARG001
    """Tell the template whether a page has a formula, and so needs KaTeX's style sheet."""
    # A page that is no page of the book, as that of the search, has no body.
    context["has_math"] = 'class="katex"' in context.get("body", "")


def setup(app):
    # None: nothing is written when a node ends, since the functions skip it.
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    app.connect("html-page-context", needs_style)
