"""A page in Markdown shows a moving figure, and has words that set it."""

import json

import pytest
from bs4 import BeautifulSoup
from sphinx.testing.util import SphinxTestApp

from posenc_course.views import EncodingGrows

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
    assert "there is no view 'EncodingGrow'; posenc_course.views has ClockHand, " in warnings


def test_words_carry_what_they_set(build):
    page = "# Page\n\nSee {touch}`row 9 <position=9, pair=0>`.\n\n```{view} EncodingGrows\n```\n"
    html, warnings = build(page)
    words = BeautifulSoup(html, "html.parser").select_one("span.touch")
    assert words.get_text() == "row 9"
    assert json.loads(words["data-set"]) == {"position": 9, "pair": 0}
    assert "touch" not in warnings


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("place=9", "EncodingGrows has no 'place'; it takes position, pair"),
        ("position=48", "a whole number from 0 to 47"),
        ("position=1 2", "a whole number from 0 to 47"),
    ],
)
def test_what_a_figure_does_not_take_is_a_warning(build, settings, told):
    _, warnings = build(
        f"# Page\n\n```{{view}} EncodingGrows\n```\n\n{{touch}}`row <{settings}>`\n"
    )
    assert "touch 'row': " in warnings
    assert told in warnings


def test_a_touch_needs_a_figure(build):
    _, warnings = build("# Page\n\n{touch}`row 9 <position=9>`\n")
    assert "touch 'row 9': no figure on this page" in warnings
