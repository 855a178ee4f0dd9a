"""The sentences of findings: each kind has one, and none is read by code."""

import ast
from pathlib import Path

import pytest

from posenc_check import words

PACKAGE = Path(words.__file__).parent
FUNCTIONS = ("compare", "ladder", "probe", "programs", "rope")


def kinds_in(module):
    """Return the kinds that a module names: in calls of Finding, and in tables of calls."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
            first = node.args[0]
            if isinstance(first, ast.Constant):
                yield first.value
        if isinstance(node, ast.Constant) and str(node.value).startswith("call_"):
            yield node.value


@pytest.mark.parametrize("module", FUNCTIONS)
def test_each_kind_of_the_verdicts_on_functions_has_a_sentence(module):
    assert set(kinds_in(module)) - set(words.FUNCTIONS) == set()


def test_no_kind_has_two_sentences():
    parts = words.TABLES, words.FUNCTIONS, words.CONFIGS
    kinds = [kind for part in parts for kind in part]
    assert sorted(kinds) == sorted(set(kinds))


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
