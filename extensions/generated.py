"""A directive that stands for a text in Markdown, which is made when the book is built."""

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList


def directive(text, sources=(), arguments=0, classes=()):
    """The directive that writes what `text` returns for its arguments.

    A changed file of `sources` is a changed page. With `classes` the text stands in a box of its
    own.
    """

    class Generated(Directive):
        required_arguments = arguments

        def run(self):
            for path in sources:
                self.state.document.settings.env.note_dependency(str(path))
            container = nodes.container(classes=list(classes))
            content = StringList(text(*self.arguments).splitlines(), source=text.__module__)
            self.state.nested_parse(content, self.content_offset, container)
            return [container] if classes else container.children

    return Generated
