"""Which sentences are listed as claims about a whole range."""

import doctest

import pytest

from extensions.contents import ROOT, pages_in_toc
from scripts import quantifiers


def test_the_example_holds():
    assert doctest.testmod(quantifiers).failed == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It never repeats. It may turn.", ["It never repeats."]),
        ("For all pairs\nof a row. At least two!", ["For all pairs of a row.", "At least two!"]),
        ("Noah is anyone's ally, nobody else's.", []),
        ("```python\nall(x)  # every row\n```\nAny row.", ["Any row."]),
        ("```{exercise}\n:label: ex-all\n\nTake any row.\n```", ["Take any row."]),
        ("```{x}\n```\nAll end.\n```{y}\n```\nNo.", ["All end.", "No."]),
        ("(all)=\n# No row\n\nText.", ["# No row"]),
        ("So every\n\n$$\nx\n$$ (eq-all)\n\nis 1. It is.", ["So every … is 1."]),
        ("Any\n\n$$\nx.\n$$\n\nIt is.", ["Any …."]),
        (
            "So $|x|$ is all. {ref}`Here <no>` it is.",
            ["So $|x|$ is all."],
        ),
        ("| a | always |\n|---|---|\n| only | b |", ["always", "only"]),
        ("- one item\n- no item\n", ["- no item"]),
        ('He says "all." Then he goes.', ['He says "all.']),
        ("term\n  It holds all.\n\nother\n  It holds.", ["It holds all."]),
    ],
)
def test_what_is_listed(text, found):
    assert quantifiers.quantified(text) == found


def test_every_page_can_be_read():
    for path in pages_in_toc(ROOT):
        assert quantifiers.sentences(quantifiers.prose(path)), path
