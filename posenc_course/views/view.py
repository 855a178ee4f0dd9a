"""What every moving figure shares: its values, and the one thing to try."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from traitlets import Dict, Enum, Float, Int, TraitType, Unicode

from posenc_course.widget import Widget, markup

_HERE = Path(__file__).parent


class View(Widget):
    """A figure the reader can move, with or without a kernel.

    A subclass has a module of its name (`TwoArrows` has ``two_arrows.js``), declares its traits,
    and says in its docstring, in a paragraph that begins with "Try this:", the one thing to try. A
    second such paragraph is for figures in which the trait that it names (``_other``) is set.
    Which values fit each other, the module sees to, with a kernel or without: a position beyond
    the end of a text that got shorter is drawn at its end.

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

    _mark = "view"
    _run = "the figure moves"
    _sheets = (_HERE / "view.css",)
    _other = None  # the name of the trait that asks for the second suggestion
    _suggestion = Unicode().tag(sync=True)  # with `_limits` what the module shows beside the traits
    _limits = Dict().tag(sync=True)

    def __init_subclass__(cls, **options):
        """Set what follows from a subclass's name, traits and docstring.

        That is the file of its module, the traits that a page shares, a docstring and a signature
        that list them, and the call that draws it.
        """
        # Each call of a view makes one more class of it, with traits that anywidget adds. That
        # class inherits all of this.
        if View in cls.__bases__:
            # TwoArrows has the module two_arrows.js: "_" stands before a capital within the name.
            file_name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()
            cls._module = _HERE / f"{file_name}.js"
            cls._settings = {
                name: trait
                for name, trait in vars(cls).items()
                if isinstance(trait, TraitType) and not name.startswith("_")
            }
            for trait in cls._settings.values():
                trait.tag(sync=True)
            settings = (f"{name} : {trait.info()}" for name, trait in cls._settings.items())
            underline = "-" * len("Parameters")
            cls.__doc__ = "\n".join([inspect.getdoc(cls), "", "Parameters", underline, *settings])
            cls._mount = f'mount("{cls.__name__}", render, {json.dumps(cls.limits())});'
            cls.__signature__ = inspect.Signature(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=trait.default())
                for name, trait in cls._settings.items()
            )
        super().__init_subclass__(**options)  # after `_module` is set, whose file it reads

    def __init__(self, **state):
        """Make a view with these values for its traits; an unknown name is a TypeError."""
        # traitlets itself would only warn of these.
        unknown = [name for name in state if not self.has_trait(name)]
        if unknown:
            allowed = ", ".join(self._settings)
            raise TypeError(f"{type(self).__name__} has no {unknown[0]!r}; it takes {allowed}")
        super().__init__(**state)
        self._suggestion = self.suggestion()
        self._limits = self.limits()

    @classmethod
    def limits(cls) -> dict[str, Sequence]:
        """Return {name: (least, most)} of the traits that are numbers, {name: values} of Enums."""
        traits = cls._settings.items()
        numbers = {name: trait for name, trait in traits if isinstance(trait, (Int, Float))}
        ends = {name: (trait.min, trait.max) for name, trait in numbers.items()}
        return ends | {name: trait.values for name, trait in traits if isinstance(trait, Enum)}

    def suggestion(self) -> str:
        """Return what to try: the docstring's first such text, or its last if `_other` is set."""
        paragraphs = inspect.getdoc(type(self)).split("\n\n")
        tries = [" ".join(p.split()) for p in paragraphs if p.startswith("Try this:")]
        other_is_set = self._other is not None and getattr(self, self._other)
        return tries[-1] if other_is_set else tries[0]

    def state(self) -> dict[str, Any]:
        """Return {name: value} of the view's own traits, in the order that it declares them."""
        return {name: getattr(self, name) for name in self._settings}

    def data(self) -> dict[str, Any]:
        """Return what a page must know to draw the view: `state()` and its `_suggestion`."""
        return {**self.state(), "_suggestion": self._suggestion}

    def html(self) -> str:
        """Return the HTML that a notebook stores: the view's data, and a text of what to try."""
        return self.stored(type(self).__name__, self.data(), f"<p>{markup(self._suggestion)}</p>\n")

    def __repr__(self):
        """Return the call that makes this view."""
        values = ", ".join(f"{name}={value!r}" for name, value in self.state().items())
        return f"{type(self).__name__}({values})"
