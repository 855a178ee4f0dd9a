"""What moving figures and questions share: one widget, three places it is shown in.

In a notebook that runs, anywidget calls the ES module's ``render({ model, el })`` with the
widget's model. A stored output holds the widget's data and a static form of it, and nothing that
acts: a change of a script or a style sheet rewrites no notebook. The built book gives each page
the scripts and style sheets of the kinds that stand on it, as files that pages share
(``extensions/widgets.py``); there ``mount`` reads the data and calls the same ``render``.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import anywidget

# Of names, which may stand on several lines, or of all that a module has, passed on.
_IMPORT = re.compile(r'^(?:import [^;]*?|export \*) from "(\.{1,2}/\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)  # of a function, a class or a constant


def joined(path: Path) -> str:
    """Return an ES module and all that it imports as one script: each file once, its imports first.

    Each file is a module by itself, which is how it is linted and tested. Joined, its imports
    are already in scope, and nothing is exported. What it imports stands beside it, or above.
    """
    texts: dict[str, str] = {}  # by the names of the files, in the order of the script

    def add(file: Path) -> None:
        """Add the text of a file to `texts`, behind those of the files that it imports."""
        text = file.read_text(encoding="utf-8")
        for name in _IMPORT.findall(text):
            if Path(name).name not in texts:
                add(file.parent / name)
        texts[file.name] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(path)
    return "\n".join(texts.values())


def markup(text: str) -> str:
    """Return plain text as HTML, what stands in backticks as code."""
    # Quotes stay, since the text becomes no attribute.
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))


class Widget(anywidget.AnyWidget):
    """A moving figure or a question.

    A subclass names its ES module and its style sheets, and has a method `html`, which returns what
    `stored` makes of its data.
    """

    # The names of these begin with an underscore since they are not for readers, to whom a view
    # offers its settings. Whoever builds a page reads them, as `extensions` does.
    _class = "posenc"  # the class of its element on a page
    _mark = None  # "view" or "question": the attribute data-... with its kind or its key
    _mount = None  # the call by which the module draws what stands on a page
    _module = None  # Path of the ES module
    _sheets = ()  # Paths of the style sheets
    _run = None  # what happens when the cell is run, to follow "Run this cell, and"

    def __init_subclass__(cls, **options):
        """Set the script and style sheet that anywidget reads, `_esm` and `_css`, of a kind.

        A class that names no module or sheets of its own inherits what was read.
        """
        super().__init_subclass__(**options)
        if "_module" in vars(cls):
            # anywidget calls the `render` of what a module exports by default.
            cls._esm = f"{joined(cls._module)}\nexport default {{ render }};\n"
        if "_sheets" in vars(cls):
            cls._css = "".join(path.read_text(encoding="utf-8") for path in cls._sheets)

    @classmethod
    def files(cls) -> dict[str, str]:
        """Return {name: text} of the files that a page with a widget of this kind needs.

        The script is a classic one, since a browser loads no module from disk. Its braces keep its
        names to itself.
        """
        script = f'"use strict";\n{{\n{joined(cls._module)}\n{cls._mount}\n}}\n'
        sheets = {path.name: path.read_text(encoding="utf-8") for path in cls._sheets}
        return {**sheets, cls._module.name: script}

    def stored(self, name: str, data: dict, static: str) -> str:
        """Return the HTML that a notebook stores: an element with the data and a static form.

        `name` is what a page calls it, its kind or its key, `data` what the page must know, as
        JSON can hold it, and `static` HTML for where scripts do not run. The text depends on these
        alone, so it is the same at every run. It has no ids: two widgets that start alike can share
        a page.
        """
        state = escape(json.dumps(data, ensure_ascii=False))
        return (
            f'<div class="{self._class}" data-{self._mark}="{name}" data-state="{state}">\n{static}'
            f'<p class="posenc-run"><em>Run this cell, and {self._run}.</em></p>\n</div>'
        )

    def _repr_mimebundle_(self, **options) -> tuple[dict, dict]:
        """Return (data by MIME type, metadata): the live widget, its text and its static HTML."""
        data, metadata = super()._repr_mimebundle_(**options)
        return {**data, "text/plain": repr(self), "text/html": self.html()}, metadata
