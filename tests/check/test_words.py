"""The sentences of findings: each kind has one, and none is read by code."""

import ast
import itertools
import re
from pathlib import Path

import pytest

from posenc_check import words
from posenc_check.config import DATA
from posenc_check.findings import Finding
from posenc_check.settings import ELSEWHERE

PACKAGE = Path(words.__file__).parent
# Names of which each value has a line.
ALWAYS_BY_VALUE = {"order", "by column", "role", "rounded in", "columns that turn"}
CONFIGS = ("config", "config_report", "settings", "__main__")
# What is called with a kind.
MAKERS = ("Finding", "ConfigRefused")
FUNCTIONS = ("compare", "frequency_lists", "probe", "programs", "rope")


def kinds_in(module):
    """Return the kinds that a module names: in calls of Finding, and in tables of calls."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS:
            first = node.args[0]
            if isinstance(first, ast.Constant):
                yield first.value
        if isinstance(node, ast.Constant) and str(node.value).startswith("call_"):
            yield node.value


@pytest.mark.parametrize("module", [*FUNCTIONS, *CONFIGS])
def test_each_kind_has_a_sentence(module):
    assert set(kinds_in(module)) - {*words.SENTENCES} == set()


def test_each_key_that_acts_and_each_reason_has_a_sentence():
    acting = {f"acts {name}" for name in (*DATA["acting"], *ELSEWHERE)}
    reasons = {f"reason {name}" for name in DATA["refused"]}
    turns = {f"turns {each.get('otherwise', 'nothing')}" for each in DATA["turns_if"].values()}
    assert (acting | reasons | turns) - {*words.SENTENCES} == set()
    kinds = {name for name in words.SENTENCES if name.startswith(("reason ", "turns "))}
    assert kinds - reasons - turns == set()


def test_no_kind_has_two_sentences():
    kinds = [kind for part in words.CATALOG.values() for kind in part]
    assert sorted(kinds) == sorted(set(kinds))


def test_every_line_that_is_chosen_is_in_the_catalog():
    """A field chooses by "@name" the line "name value", or "name" where there is no such line."""
    texts = [*words.SENTENCES.values(), *itertools.chain.from_iterable(words.CURES.values())]
    chosen = {name for text in texts for name in re.findall(r":@([^{}]+)}", text)}
    assert "storage name" in chosen
    assert chosen - {*words.SENTENCES} - ALWAYS_BY_VALUE == set()
    for name in ALWAYS_BY_VALUE:
        assert any(line.startswith(f"{name} ") for line in words.SENTENCES), name


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("{n}", {"n": 131_072}, "131 072"),
        ("{n!s}", {"n": 131_072}, "131072"),
        ("{n}", {"n": 1 / 3}, "0.333333"),
        ("{n:.2g}", {"n": 1 / 3}, "0.33"),
        ("{n}", {"n": [1, 2, 1000]}, "1, 2, 1 000"),
        ("{n}", {"n": [*range(9)]}, "0, 1, 2, 3, 4, 5, ..."),
        ("{n:& or }", {"n": [*range(9)]}, "0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8"),
        ("{n:row|rows}", {"n": 1}, "row"),
        ("{n:row|rows}", {"n": 0}, "rows"),
        ("{n:row|rows}", {"n": [7]}, "row"),
        ("{n:row|rows}", {"n": [7, 8]}, "rows"),
        ("{n:|, {n} times}", {"n": 1.0}, ""),
        ("{n:|, {n} times}", {"n": 2.0}, ", 2 times"),
        ("{n:?: {n}|, with nothing}", {"n": "words"}, ": words"),
        ("{n:?: {n}|, with nothing}", {"n": None}, ", with nothing"),
        ("{n:?{m:one|two}|none}", {"n": True, "m": 2}, "two"),
        ("{n:?from {n[0]}|nowhere}", {"n": None}, "nowhere"),
        ("{n:@times}", {"n": 1, "width": 1024}, "√1024"),
        ("{n:@times}", {"n": 0, "factor": 1 / 3}, "0.333333"),
        ("{n}", {"n": Finding("transposed")}, "Transposed: rows for columns."),
    ],
)
def test_fields_are_filled_in_as_the_catalog_says(template, values, expected, monkeypatch):
    monkeypatch.setitem(words.SENTENCES, "tried", template)
    assert words.sentence(Finding("tried", **values)) == expected


@pytest.mark.parametrize("module", FUNCTIONS)
def test_no_module_of_the_verdicts_on_functions_has_a_sentence_of_its_own(module):
    """A sentence ends with a stop: docstrings and errors aside, no text of these modules does."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    aside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr | ast.Raise):
            aside |= {id(each) for each in ast.walk(node)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in aside
    ]
    assert [text for text in texts if text.endswith(".") and " " in text] == []
