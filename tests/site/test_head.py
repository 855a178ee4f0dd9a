"""The head of a page in words."""

from docutils import nodes
from sphinx import addnodes

from extensions.facts import Facts
from extensions.head import question_line, times_line


def test_the_question_is_the_text_that_a_translation_replaces():
    line = question_line(Facts(question='Why does "later" mean the same?'))
    assert line["classes"] == ["question"]
    assert line.rawsource == line.astext() == 'Why does "later" mean the same?'


def test_the_times_lead_to_the_card_of_a_page_that_has_one():
    facts = Facts(minutes={"read": 8, "pencil": 27}, card="rotation-card")
    line = times_line(facts, "book/06_rotation")
    assert line.astext() == "Time 8 minutes to read, 27 with a pencil. In a hurry: the card."
    card = line.next_node(addnodes.pending_xref)
    assert (card["reftype"], card["reftarget"]) == ("ref", "rotation-card")
    assert line.source is None, "what has a source is translated with the page, and this is not"


def test_a_page_without_a_card_has_no_way_to_one():
    line = times_line(Facts(minutes={"page": 15}), "book/attention")
    assert line.astext() == "Time 15 minutes."
    assert [type(part) for part in line] == [nodes.strong, nodes.Text]
