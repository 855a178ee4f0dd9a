"""What the translator writes for single nodes: no page is built."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document

from extensions.translator import Translator, element, exercise_code, opening


@pytest.fixture
def translator():
    """A translator that has no page yet."""
    found = Translator.__new__(Translator)
    found.body, found.in_mailto = [], False
    return found


def written(translator, node):
    """What a translator writes for a node and its children."""

    class Walker(nodes.NodeVisitor):
        def dispatch_visit(self, node):
            if isinstance(node, nodes.Text):
                translator.body.append(node.astext())
            else:
                getattr(translator, f"visit_{node.tagname}")(node)

        def dispatch_departure(self, node):
            if not isinstance(node, nodes.Text):
                getattr(translator, f"depart_{node.tagname}")(node)

    node.walkabout(Walker(new_document("page", get_default_settings())))
    return "".join(translator.body)


def test_an_element_has_its_tag_its_classes_and_its_attributes(translator):
    inside = element("b", nodes.Text("Why"))
    node = element("details", inside, classes=["told"], html={"data-after": 'a "b"'})
    assert written(translator, node) == (
        '<details class="told" data-after="a &quot;b&quot;"><b>Why</b></details>'
    )


def test_the_header_of_a_page_has_no_id_of_its_own(translator):
    assert written(translator, opening("", ids=["turns"])) == '<header class="opening"></header>\n'


def test_the_check_of_an_exercise_stands_apart_from_its_code(translator):
    translator.highlighter = SimpleNamespace(
        highlight_block=lambda text, language, **_options: f"{language}:{text}\n"
    )
    node = exercise_code("", "turn = ...", check="check(turn)", language="python")
    with pytest.raises(nodes.SkipNode):
        translator.visit_exercise_code(node)
    assert '<pre>python:turn = ...<span class="asked">\n\n\npython:check(turn)</span>\n</pre>' in (
        "".join(translator.body)
    )


def test_a_link_to_a_heading_is_hidden_from_screen_readers_and_the_tab_key(translator):
    translator.config = SimpleNamespace(html_permalinks=True, html_permalinks_icon="#")
    translator.builder = SimpleNamespace(add_permalinks=True)
    translator.add_permalink_ref(nodes.section("", ids=["turns"]), "Link")
    (link,) = translator.body
    assert 'href="#turns"' in link
    assert 'aria-hidden="true"' in link
    assert 'tabindex="-1"' in link


def test_a_source_has_neither_a_role_nor_a_label(translator):
    node = nodes.citation("", nodes.label("", "V17"), element("p", nodes.Text("Vaswani")))
    assert written(translator, node) == '<div class="citation">\n<p>Vaswani</p></div>\n'
