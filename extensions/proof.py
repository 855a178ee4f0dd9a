"""Sphinx extension: ``{prf:proof}``, a box that begins with the word *Proof*.

That of sphinx-proof writes the word into the text, where a translation would not find the text
again, and gives all boxes one id.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Proof(SphinxDirective):
    """A box with a proof; ``extensions/head.py`` writes the word once it has been translated."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return [box], the proof in a box; its first paragraph has the class ``begins-proof``."""
        box = nodes.admonition(classes=["proof"])
        self.state.nested_parse(self.content, self.content_offset, box)
        box.next_node(nodes.paragraph)["classes"].append("begins-proof")
        return [box]


def setup(app: Sphinx) -> None:
    """Put `Proof` in place of the directive of sphinx-proof, which is set up before."""
    app.setup_extension("sphinx_proof")
    app.add_directive_to_domain("prf", "proof", Proof, override=True)
