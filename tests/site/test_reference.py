"""The reference page: every public function is on it, and in its list at the top of a section."""

import importlib
import re
from pathlib import Path

import pytest

import posenc

PAGE = (Path(__file__).parents[2] / "book" / "reference.md").read_text(encoding="utf-8")
# A directive, its options, and the names that it lists.
LISTS = re.compile(r"\.\. autosummary::\n   :nosignatures:\n\n((?:   \w+\n)+)")
SECTIONS = PAGE.split("\n## ")[1:]


def names_of(section):
    return [name for found in LISTS.findall(section) for name in found.split()]


def test_the_first_sections_have_the_functions_of_posenc():
    listed = [name for section in SECTIONS[:2] for name in names_of(section)]
    assert sorted(listed) == sorted(posenc.__all__)
    described = re.findall(r"\.\. autofunction:: (\w+)", PAGE)
    assert described == listed


@pytest.mark.parametrize("section", SECTIONS[2:], ids=lambda section: section.split("`")[1])
def test_the_others_have_a_module_each(section):
    (module,) = re.findall(r"\.\. automodule:: ([\w.]+)\n   :members:", section)
    assert f"`{module}`" in section.partition("\n")[0]
    assert f".. currentmodule:: {module}\n" in section
    assert sorted(names_of(section)) == sorted(importlib.import_module(module).__all__)
