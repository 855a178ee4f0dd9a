"""What the tampering falsifies is there: each week it would stop at the first that is not."""

import re

import pytest

from extensions.contents import ROOT
from tests.book.tamper import IN_POSENC, OTHER_BASE, OTHER_COLOURS


@pytest.mark.parametrize(("what", "file", "pattern", "replacement"), IN_POSENC)
def test_a_tampering_changes_one_place(what, file, pattern, replacement):  # noqa: ARG001
    text = (ROOT / file).read_text(encoding="utf-8")
    changed, times = re.subn(pattern, replacement, text, flags=re.DOTALL)
    assert times == 1
    compile(changed, file, "exec")


@pytest.mark.parametrize(("file", "pattern", "replacement"), [OTHER_BASE, OTHER_COLOURS])
def test_a_false_figure_can_be_drawn(file, pattern, replacement):
    text = (ROOT / file).read_text(encoding="utf-8")
    changed, times = re.subn(pattern, replacement, text, flags=re.DOTALL)
    assert times > 0
    compile(changed, file, "exec")
