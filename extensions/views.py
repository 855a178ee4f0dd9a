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

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import ReferenceRole

from extensions.generated import directive
from posenc_course import views

SOURCES = sorted(Path(views.__file__).parent.glob("*.*"))
# The role in the source of a page, with its words: tests of prose read these alone.
TOUCH = re.compile(r"\{touch\}`([^<`]*?)\s*<[^>`]*>`")


def value(text: str) -> Any:
    """Return the value that a text stands for: a number, a bool, a list of these, or the text.

    "32" stands for a number, "true" for a bool, "2 0 1" for a list, and all else for itself.
    """
    try:
        parts = [json.loads(part) for part in text.split()]
    except ValueError:  # no JSON, such as "dog bites"
        return text
    return parts[0] if len(parts) == 1 else parts


class TouchRole(ReferenceRole):
    """``{touch}`words <trait=value, ...>` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return ([the words in a ``span``], []); its ``data-set`` has a value for each trait.

        No message of an error is ever in the second list.
        """
        pairs = [part.partition("=") for part in self.target.split(",")]
        settings = json.dumps({name.strip(): value(text.strip()) for name, _, text in pairs})
        tags = f'<span class="touch" data-set="{escape(settings)}">', "</span>"
        begin, end = (nodes.raw("", tag, format="html") for tag in tags)
        return [begin, nodes.Text(self.title), end], []


def view(name: str) -> str:
    """Return the HTML of the moving figure `name` as it starts, as a notebook would store it."""
    return getattr(views, name)().html()


def setup(app: Sphinx) -> None:
    """Add the directive ``{view}`` and the role ``{touch}``."""
    app.add_directive("view", directive(view, sources=SOURCES, arguments=1))
    app.add_role("touch", TouchRole())
