"""Sphinx extension: the nodes of a page as HTML, where the book writes them as Sphinx does not.

A transform that wants an attribute on an element of HTML sets ``node["html"]``, a mapping; one
that wants an element which no node of docutils stands for makes an `element`.
"""

from typing import NoReturn

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.writers.html5 import HTML5Translator


class element(nodes.General, nodes.Element):
    """An element of HTML: ``element("details", ..., classes=["told"])``."""

    child_text_separator = ""  # docutils would put empty lines between the texts of children

    def __init__(self, tag="div", *children, **attributes):
        """Make an element of a tag around nodes, with the attributes of a node of docutils."""
        super().__init__("", *children, tag=tag, **attributes)


class opening(nodes.section):
    """The header of a page: where it stands, its title, its question and its times."""


class exercise_code(nodes.literal_block):
    """The code of an exercise; its attribute ``check`` is the line that checks the answer."""


class Translator(HTML5Translator):
    """Write a page as Sphinx does, with the nodes above and fewer roles, numbers and signs."""

    def starttag(self, node, tagname, suffix="\n", empty=False, **attributes) -> str:
        """Return the tag that begins an element, with the attributes of ``node["html"]`` as well.

        For an element that stands for no node docutils passes an empty dict as `node`.
        """
        return super().starttag(node, tagname, suffix, empty, **attributes, **node.get("html", {}))

    def visit_element(self, node: element) -> None:
        """Write the tag that begins the element."""
        self.body.append(self.starttag(node, node["tag"], ""))

    def depart_element(self, node: element) -> None:
        """Write the tag that ends the element."""
        self.body.append(f"</{node['tag']}>")

    def visit_opening(self, _node: opening) -> None:
        """Write the tag that begins the header of a page."""
        self.body.append('<header class="opening">')  # the section around it has its id

    def depart_opening(self, _node: opening) -> None:
        """Write the tag that ends the header of a page."""
        self.body.append("</header>\n")

    def visit_exercise_code(self, node: exercise_code) -> NoReturn:
        """Write the code of an exercise, and its check below in a ``span`` of the class ``asked``.

        Raise `SkipNode`, by which docutils writes neither what is in the node nor its end.
        """
        language = node["language"]
        # The highlighter ends each with a line break; here two empty lines stand between them.
        code, check = (
            self.highlighter.highlight_block(text, language, location=node, nowrap=True).rstrip()
            for text in (node.astext(), node["check"])
        )
        self.body.append(
            f'<div class="highlight-{language} notranslate"><div class="highlight"><pre>{code}'
            f'<span class="asked">\n\n\n{check}</span>\n</pre></div></div>\n'
        )
        raise nodes.SkipNode

    def add_permalink_ref(self, node: nodes.Element, title: str) -> None:
        """Write the link to a heading, which screen readers and the Tab key leave out.

        Sphinx's own is not hidden from them. The conditions are the same.
        """
        if node["ids"] and self.config.html_permalinks and self.builder.add_permalinks:
            self.body.append(
                f'<a aria-hidden="true" class="headerlink" href="#{node["ids"][0]}" tabindex="-1"'
                f' title="{title}">{self.config.html_permalinks_icon}</a>'
            )

    def add_secnumber(self, node: nodes.Element) -> None:
        """Write the number of a section, but none before the title of a page.

        The header of the page says which chapter it is.
        """
        if self.section_level > 1:  # 1 is that of the page's title
            super().add_secnumber(node)

    def visit_citation(self, node: nodes.citation) -> None:
        """Write the tag that begins a source.

        docutils would make a list of sources, of which each has the role of an entry. That role is
        allowed only in a bibliography.
        """
        self.body.append(self.starttag(node, "div", CLASS="citation"))

    def depart_citation(self, _node: nodes.citation) -> None:
        """Write the tag that ends a source."""
        self.body.append("</div>\n")

    def visit_label(self, node: nodes.label) -> None:
        """Write a label, as of a footnote; raise `SkipNode` at that of a source, which has none."""
        if isinstance(node.parent, nodes.citation):
            raise nodes.SkipNode  # the text names author and year
        super().visit_label(node)


def chapter_words(number: str) -> str:
    """Return how a page names the chapter of a number, as "Chapter 7", in the build's language."""
    return str(_("Chapter {}")).format(number)


def setup(app: Sphinx) -> None:
    """Have pages of HTML written by `Translator`."""
    app.set_translator("html", Translator)
