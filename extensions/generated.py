"""A directive that stands for a text in Markdown, which is made when the book is built."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList


def directive(
    text: Callable[..., str],
    sources: Iterable[Path] = (),
    arguments: int = 0,
    classes: Sequence[str] = (),
) -> type[Directive]:
    """Return the class of a directive that stands for the Markdown that `text` returns.

    The directive takes `arguments` arguments, with which `text` is called, as strings. A changed
    file of `sources` is a changed page. With `classes` the text stands in a box that has them.
    """

    class Generated(Directive):
        required_arguments = arguments

        def run(self) -> list[nodes.Node]:
            """Return the nodes of the Markdown, in a box or without."""
            for path in sources:  # Sphinx reads the page again where one has changed
                self.state.document.settings.env.note_dependency(str(path))
            container = nodes.container(classes=list(classes))
            # A warning of the Markdown names its source, the module that made it.
            content = StringList(text(*self.arguments).splitlines(), source=text.__module__)
            self.state.nested_parse(content, self.content_offset, container)
            return [container] if classes else container.children  # a box that nothing styles goes

    return Generated
