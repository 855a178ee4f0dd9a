"""The facts of a page: what it states, what is refused, and how they are worded."""

import json

import pytest

from extensions import facts
from extensions.contents import pages_in_toc


def notebook(tmp_path, **metadata):
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps({"metadata": metadata, "cells": []}), encoding="utf-8")
    return path


def test_a_notebook_and_a_page_in_markdown_state_the_same(tmp_path):
    stated = {"question": "How far?", "minutes": {"read": 3, "pencil": 60}, "looks": ["sheet"]}
    page = tmp_path / "page.md"
    page.write_text(f"---\ncourse: {json.dumps(stated)}\n---\n# Title\n", encoding="utf-8")
    found = facts.facts_of(page)
    assert found == facts.facts_of(notebook(tmp_path, course=stated))
    assert (found.question, found.looks, found.card) == ("How far?", ("sheet",), "")
    assert found.total_minutes == 60
    assert facts.times(found) == "3 minutes to read, 60 with a pencil"
    german = {"{} minutes to read": "{} Minuten lesen", "{} with a pencil": "{} mit Stift"}
    assert facts.times(found, {**german, ", ": "; "}.get) == "3 Minuten lesen; 60 mit Stift"


def test_a_page_may_state_nothing(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A title\n\n---\ncourse: none\n---\n", encoding="utf-8")
    assert facts.facts_of(page) == facts.facts_of(notebook(tmp_path)) == facts.Facts()


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ("How far?", "must be a mapping"),
        ({"asks": "How far?"}, r"\['asks'\], and may have"),
        ({"question": 3}, "question is 3, and must be text"),
        ({"minutes": 8}, "minutes is 8, and must map"),
        ({"minutes": {"walk": 8}}, "minutes is {'walk': 8}, and must map"),
        ({"minutes": {"read": 0}}, "minutes is {'read': 0}, and must map"),
        ({"minutes": {"read": True}}, "minutes is {'read': True}, and must map"),
        ({"looks": ["blue"]}, r"looks has \['blue'\], and may have"),
    ],
)
def test_what_no_page_states_is_refused(tmp_path, stated, reason):
    with pytest.raises(ValueError, match=reason):
        facts.facts_of(notebook(tmp_path, course=stated))


@pytest.mark.parametrize("path", pages_in_toc(), ids=lambda path: path.stem)
def test_every_page_of_the_book_states_what_is_allowed(path):
    assert isinstance(facts.facts_of(path), facts.Facts)
