"""Sphinx extension: the head of a page and what comes next, in words, from the facts of the page.

A page writes ``{head}`` below its title and gets its question, its times and the way to its card;
it writes ``{next}`` where the way to the next page is to stand. The question and the sentence
on the next page are in the catalog of the page, as its other paragraphs are; the words around them
are in Sphinx's own catalog, ``sphinx.po``.
"""

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.locale import _
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from extensions.facts import CARD, HURRY, NEXT, PROOF, TIME, Facts, facts_of, times


def question_line(facts: Facts) -> nodes.paragraph:
    """Return the paragraph with the question of a page, of the class ``question``."""
    # The question is given twice, as the raw source of the paragraph and as its text: Sphinx looks
    # a translation up by the source, and puts it in place of the text.
    return nodes.paragraph(facts.question, facts.question, classes=["question"])


def times_line(facts: Facts, docname: str) -> nodes.paragraph:
    """Return the paragraph with the times of a page, and a link to its card if it has one."""
    # Its words are translated here, so that it is no message of the page's catalog.
    line = nodes.paragraph("", classes=["times"], translatable=False)
    line += [nodes.strong("", _(TIME)), nodes.Text(f" {times(facts, _)}{_('.')}")]
    if facts.card:
        # The node that {ref}`the card <...>` makes, whose link Sphinx finds when it has read all
        # pages. An unknown label is a warning.
        card = addnodes.pending_xref(
            "", nodes.inline("", _(CARD), classes=["xref", "std", "std-ref"]),
            refdoc=docname, refdomain="std", reftype="ref", reftarget=facts.card, refexplicit=True,
            refwarn=True,
        )  # fmt: skip
        line += [nodes.Text(f" {_(HURRY)} "), card, nodes.Text(_("."))]
    return line


class FactsDirective(SphinxDirective):
    """A directive that stands for facts of the page that it is on."""

    def facts(self, *needed: str) -> Facts:
        """Return the facts of the page; raise an error if a field that is `needed` is empty.

        `needed` are names of fields of `Facts`; the error stops the build at the directive.
        """
        path = Path(self.env.doc2path(self.env.docname))
        facts = facts_of(path)
        if missing := [name for name in needed if not getattr(facts, name)]:
            raise self.error(f"{path.name} states no {' and no '.join(missing)}")
        return facts


class Head(FactsDirective):
    """``{head}``: the question of the page, its times, and the way to its card."""

    def run(self) -> list[nodes.Node]:
        """Return the paragraph of the question, and that of the times if the page states some."""
        facts = self.facts("question")
        lines = [question_line(facts)]
        # Sphinx translates only what has a source. The times are written in the page's language.
        self.set_source_info(lines[0])
        if facts.minutes:
            lines.append(times_line(facts, self.env.docname))
        return lines


class Next(FactsDirective):
    """``{next}``: what comes next."""

    def run(self) -> list[nodes.Node]:
        """Return a list with the paragraph on the next page, whose Markdown is a fact.

        By its class ``next`` scripts/paper.py finds it, and leaves it out of the printed book.
        """
        text = StringList([self.facts("next").next], source=self.env.docname)
        box = nodes.container()
        self.state.nested_parse(text, self.content_offset, box)
        for line in box.children:
            line["classes"].append("next")
        return box.children


class FirstWords(SphinxTransform):
    """Write "Next:" before what comes next, and "Proof" before a proof, in the page's language.

    A translation has replaced the paragraph by then, of whose text the word is no part.
    """

    default_priority = 25  # the translation has 20

    def apply(self, **_options) -> None:
        """Write the word before each paragraph with the class ``next`` or ``begins-proof``."""
        for line in self.document.findall(nodes.paragraph):
            if "next" in line["classes"]:
                line[:0] = [nodes.strong("", _(NEXT)), nodes.Text(" ")]
            elif "begins-proof" in line["classes"]:
                line[:0] = [nodes.emphasis("", _(PROOF)), nodes.Text(" ")]


def setup(app):
    app.add_directive("head", Head)
    app.add_directive("next", Next)
    app.add_transform(FirstWords)
