"""One view, two hosts: a live widget in Jupyter, a page that needs no kernel elsewhere.

A view is a Python class with synced traits and an ES module that draws them. The module has
one function, ``render({ model, el })``. In JupyterLab anywidget calls it with the widget's
model. In a stored output, and so in the built book, the same text stands in a
``<script type="module">`` and gets a small stand-in for the model (``mount`` in shared.js).
"""

from __future__ import annotations

import inspect
import json
import re
from html import escape
from pathlib import Path

import anywidget
from traitlets import TraitType, Unicode

__all__ = ["View", "module"]

_HERE = Path(__file__).parent


def module(name):
    """Join shared.js and a view's module into the text of one ES module.

    Each file is a module by itself, which is how it is linted and tested. Joined, the view's
    imports from shared.js, or from a module that builds on it, are already in scope and nothing
    is left to export but ``render``.

    Parameters
    ----------
    name : str
        File name of the view's module, beside this file.

    Returns
    -------
    str
        One ES module that declares ``mount`` and ``render`` and exports nothing.
    """
    own = (_HERE / name).read_text(encoding="utf-8")
    below = dict.fromkeys(["shared.js", *re.findall(r'from "\./(\w+\.js)"', own)])
    text = "\n".join([*((_HERE / part).read_text(encoding="utf-8") for part in below), own])
    text = re.sub(r'^(import [^;]*?|export \*) from "\./\w+\.js";\n', "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?=(async )?(function|class|const) )", "", text, flags=re.MULTILINE)


class View(anywidget.AnyWidget):
    """A figure the reader can move, with or without a kernel.

    A subclass names its module (``_module``), declares its traits, and says in its docstring,
    in a paragraph that begins with "Try this:", the one thing to try.

    Parameters
    ----------
    **state
        Values for the view's own traits, by name.

    Raises
    ------
    TypeError
        If a name is not one of the view's traits.
    traitlets.TraitError
        If a value is not allowed. The message repeats it and says what is.
    """

    _module = None
    _suggestion = Unicode().tag(sync=True)
    _css = (_HERE / "view.css").read_text(encoding="utf-8")

    def __init_subclass__(cls, **options):
        """Read the module of a subclass and give its constructor a signature."""
        super().__init_subclass__(**options)
        if "_module" in vars(cls):
            cls._esm = module(cls._module) + "\nexport default { render };\n"
            cls.__signature__ = inspect.Signature(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=trait.default_value)
                for name, trait in cls._own_traits().items()
            )

    def __init__(self, **state):
        unknown = [name for name in state if not self.has_trait(name)]
        if unknown:
            allowed = ", ".join(self._own_traits())
            raise TypeError(f"{type(self).__name__} has no {unknown[0]!r}; it takes {allowed}")
        super().__init__(**state, _suggestion=self.suggestion())

    @classmethod
    def _own_traits(cls):
        """Return the traits a view declares itself, in the order they are written."""
        return {
            name: trait
            for ancestor in reversed(cls.__mro__)
            if issubclass(ancestor, View)
            for name, trait in vars(ancestor).items()
            if isinstance(trait, TraitType) and not name.startswith("_")
        }

    @classmethod
    def suggestion(cls):
        """Return the one thing to try, as the docstring says it.

        Returns
        -------
        str
            The paragraph that begins with "Try this:", on one line.
        """
        paragraphs = (inspect.getdoc(cls) or "").split("\n\n")
        return next(" ".join(p.split()) for p in paragraphs if p.startswith("Try this:"))

    def state(self):
        """Return the value of each of the view's own traits.

        Returns
        -------
        dict
            The values by name, in the order the view declares them.
        """
        return {name: getattr(self, name) for name in self._own_traits()}

    def html(self):
        """Return the view as HTML that moves without a kernel.

        The text depends on the state alone, so a stored output is the same at every run. It
        has no ids: the script finds the views of its kind that are not yet mounted, and two
        views that start alike can share a page. What stands inside the element is what a
        reader sees where scripts do not run.

        Returns
        -------
        str
            A style sheet, an element that holds the state, and the script that mounts it.
        """
        kind = type(self).__name__
        state = {**self.state(), "_suggestion": self._suggestion}
        state = escape(json.dumps(state, ensure_ascii=False))
        return (
            f"<style>\n{self._css}</style>\n"
            f'<div class="posenc" data-view="{kind}" data-state="{state}">\n'
            f"<p><em>This figure moves where scripts run: in the book, or here once you run "
            f"the cell.</em> {escape(self._suggestion)}</p>\n</div>\n"
            f'<script type="module">\n{module(self._module)}\nmount("{kind}", render);\n</script>'
        )

    def __repr__(self):
        """Return the call that makes this view."""
        values = ", ".join(f"{name}={value!r}" for name, value in self.state().items())
        return f"{type(self).__name__}({values})"

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, "text/plain": repr(self), "text/html": self.html()}, metadata
