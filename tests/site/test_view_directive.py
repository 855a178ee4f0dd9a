"""A page in Markdown shows a moving figure, and a still one where scripts do not run."""

import re

import pytest
from sphinx.testing.util import SphinxTestApp

from course.views import EncodingGrows, FormulaReader

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
    without_scripts = re.search(r"<noscript>(.*?)</noscript>", html, flags=re.DOTALL)[1]
    assert without_scripts == f'<div class="posenc">{EncodingGrows().still()}</div>'


def test_a_view_without_a_still_form(build):
    html, _ = build("# Page\n\n```{view} FormulaReader\n```\n")
    assert FormulaReader().html() in html
    assert "<noscript>" not in html


def test_an_unknown_view_is_named(build):
    _, warnings = build("# Page\n\n```{view} EncodingGrow\n```\n")
    assert "there is no view 'EncodingGrow'; course.views has ClockHand, " in warnings
