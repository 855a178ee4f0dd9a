"""The sentences of findings: each kind has one, and none is read by code."""

import ast
import re
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
    assert set(kinds_in(module)) - {*words.SENTENCES, *words.COMPOSED} == set()


def test_no_kind_has_two_sentences():
    kinds = [kind for part in words.CATALOG.values() for kind in part]
    assert sorted(kinds) == sorted(set(kinds))


def test_every_text_that_is_chosen_is_in_the_catalog():
    """A name is chosen by a literal, or begins with one: "role first" with "role "."""
    for name in re.findall(r'text\(\s*f?"([^"{]+)', Path(words.__file__).read_text("utf-8")):
        assert any(kind.startswith(name) for kind in words.SENTENCES), name


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
