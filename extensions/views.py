"""Sphinx extension: a moving figure on a page that is not a notebook, and words that set one.

A page in Markdown writes

    ```{view} EncodingGrows
    ```

and gets the view of that name from ``posenc_course.views``, as a stored output would show it. Any
page writes

    {touch}`row 32 <position=32, pair=3>`

and whoever presses these words sets the figure that stands before them, or else the next one
after (``theme/static/reader.js``). Without a script, and on paper, they are words.
"""

import html
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole, SphinxDirective
from traitlets import TraitError

from posenc_course import views

SOURCES = sorted(Path(views.__file__).parent.glob("*.*"))
DRAWN = re.compile(r'data-view="(\w+)" data-state="([^"]*)"')
TOUCH = re.compile(r"\{touch\}`([^<`]*?)\s*<[^>`]*>`")  # for who reads the source: the words
logger = logging.getLogger(__name__)


class ViewDirective(SphinxDirective):
    """``{view} Name``: the moving figure of that name, as it starts."""

    required_arguments = 1

    def run(self):
        """Return the view's HTML; other formats get nothing."""
        name = self.arguments[0]
        if name not in views.__all__:
            allowed = ", ".join(views.__all__)
            raise self.error(f"there is no view {name!r}; posenc_course.views has {allowed}")
        for path in SOURCES:  # a changed view is a changed page
            self.env.note_dependency(str(path))
        view = getattr(views, name)()
        return [nodes.raw("", view.html(), format="html")]


class touch(nodes.inline):
    """Words that set a figure: `settings` has a value for each trait."""


def value(text):
    """Read a setting: a number, true or false, numbers in a row as a list, or else a word."""
    try:
        parts = [json.loads(part) for part in text.split()]
    except ValueError:
        return text
    return parts[0] if len(parts) == 1 else parts


class TouchRole(ReferenceRole):
    """``{touch}`words <trait=value, ...>` ``."""

    def run(self):
        """Return the words with their settings."""
        pairs = [part.partition("=") for part in self.target.split(",")]
        settings = {name.strip(): value(text.strip()) for name, _, text in pairs}
        node = touch("", self.title, settings=settings)
        self.set_source_info(node)
        return [node], []


def reach(_app, page):
    """Make each figure as its touches set it: what it does not take is a warning."""
    figure, waiting = None, []
    for node in page.findall(lambda node: isinstance(node, (touch, nodes.raw))):
        if isinstance(node, touch):
            waiting.append(node)
        else:
            figure = DRAWN.search(node.astext()) or figure
        while figure and waiting:
            words = waiting.pop()
            state = json.loads(html.unescape(figure[2])) | words["settings"]
            del state["_suggestion"]
            try:
                getattr(views, figure[1])(**state)
            except (TypeError, TraitError) as error:
                logger.warning("touch %r: %s", words.astext(), error, location=words)
    for words in waiting:
        logger.warning("touch %r: no figure on this page", words.astext(), location=words)


def enter_touch(writer, node):
    """Begin the words in HTML, the settings beside them."""
    settings = json.dumps(node["settings"])
    writer.body.append(writer.starttag(node, "span", "", CLASS="touch", **{"data-set": settings}))


def leave_touch(writer, _node):
    """End the words in HTML."""
    writer.body.append("</span>")


def setup(app):
    """Register with Sphinx."""
    app.add_directive("view", ViewDirective)
    app.add_role("touch", TouchRole())
    app.add_node(touch, html=(enter_touch, leave_touch))
    app.connect("doctree-read", reach)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
