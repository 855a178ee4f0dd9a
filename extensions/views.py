"""Sphinx extension: a moving figure on a page that is not a notebook.

A page in Markdown writes

    ```{view} EncodingGrows
    ```

and gets the view of that name from ``course.views``, as a stored output would show it.
"""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from course import views

SOURCES = sorted(Path(views.__file__).parent.glob("*.*"))


class ViewDirective(SphinxDirective):
    """``{view} Name``: the moving figure of that name, as it starts."""

    required_arguments = 1

    def run(self):
        """Return the view's HTML; other formats get nothing."""
        name = self.arguments[0]
        if name not in views.__all__:
            allowed = ", ".join(views.__all__)
            raise self.error(f"there is no view {name!r}; course.views has {allowed}")
        for path in SOURCES:  # a changed view is a changed page
            self.env.note_dependency(str(path))
        view = getattr(views, name)()
        return [nodes.raw("", view.html(), format="html")]


def setup(app):
    """Register with Sphinx."""
    app.add_directive("view", ViewDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
