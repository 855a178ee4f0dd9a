"""A page in Markdown shows a moving figure."""

import pytest
from sphinx.testing.util import SphinxTestApp

from course.views import EncodingGrows

CONF = """
extensions = ["myst_parser", "extensions.views"]
"""


@pytest.fixture
def build(tmp_path):
    """Return a function that builds one page and returns its HTML and the warnings."""
    apps = []

    def run(text):
        (tmp_path / "conf.py").write_text(CONF)
        (tmp_path / "index.md").write_text(text)
        app = SphinxTestApp("html", srcdir=tmp_path)
        apps.append(app)
        app.build()
        return (tmp_path / "_build/html/index.html").read_text(), app.warning.getvalue()

    yield run
    for app in apps:
        app.cleanup()


def test_a_view_is_there_as_a_stored_output_shows_it(build):
    html, _ = build("# Page\n\n```{view} EncodingGrows\n```\n")
    assert EncodingGrows().html() in html


def test_an_unknown_view_is_named(build):
    _, warnings = build("# Page\n\n```{view} EncodingGrow\n```\n")
    assert "there is no view 'EncodingGrow'; course.views has ClockHand, " in warnings
