"""The exam on paper: every formula is set, and nothing is asked of the network."""

import re

import pytest

from posenc_course.exam import chosen, key, sheet
from scripts.exam import as_html


@pytest.mark.parametrize("write", [sheet, key])
@pytest.mark.parametrize("seed", [1, 7])
def test_every_formula_is_set_and_nothing_is_asked_of_the_network(write, seed):
    html = as_html(write(chosen("all"), seed), "")
    seen = re.sub(r"<(style|annotation)\b.*?</\1>", "", html, flags=re.DOTALL)
    assert "$" not in seen
    assert not re.findall(r"\*\*|\\[a-z]+\{", re.sub(r"<code.*?</code>", "", seen, flags=re.DOTALL))
    assert all(
        address.startswith("file:") for address in re.findall(r'(?:src|href)="([^"]+)"', html)
    )
