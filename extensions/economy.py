"""Sphinx extension: what a build would do again and again, or for nobody, is left out.

- Sphinx's own index of words: the search of the book has another (``extensions/search_index.py``).
- The search of all installed packages for a form of a citation, once for each citation.
- The document of each translated message: Sphinx parses a message as a document of its own,
  which stays with its nodes, and is stored and read again with the page.
- The default settings of docutils for each such message, and for each text of a page: myst-parser
  makes a document with them, which it then does not use.
- The search for reference cycles, again and again through all nodes in memory: one is enough.
"""

import functools
import gc

import pybtex.plugin
from docutils import frontend
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform


class OneDocument(SphinxTransform):
    """Give all nodes of a page to the document of the page."""

    default_priority = 21  # after translated messages are put in

    def apply(self, **_options) -> None:
        """Set the document of every node of a page to the document of the page."""
        # Sphinx parses each translated message as a document of its own, which the message's nodes
        # keep. Stored with the page, they would take all these documents along.
        for node in self.document.findall():
            node.document = self.document


def collect_garbage(*_build) -> None:
    """Free the trees of all pages once they are read and their figures are numbered.

    Nothing else frees them, since the search for cycles is stopped, and writing needs the memory.
    """
    gc.collect()


def leave_out_index(app: Sphinx) -> None:
    """Make the builder write no index of words, nor the page that searches it."""
    app.builder.search = False


def setup(app: Sphinx) -> None:
    """Connect what spares a build work; the search for cycles stops now, for the whole process."""
    gc.disable()
    app.connect("env-updated", collect_garbage)
    # Each form of a citation is searched for once, and then remembered.
    pybtex.plugin.find_plugin = functools.cache(pybtex.plugin.find_plugin)
    # The settings are made once for each choice of components, and copied, since whoever asks for
    # them may change them.
    default_settings = functools.cache(frontend.get_default_settings)
    frontend.get_default_settings = lambda *components: default_settings(*components).copy()
    app.add_transform(OneDocument)
    app.connect("builder-inited", leave_out_index)
