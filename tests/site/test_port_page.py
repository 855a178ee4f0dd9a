"""The page for whoever ports a model: its blocks run, and print what stands under them."""

import re

import pytest

from scripts.outputs import ROOT

PAGE = (ROOT / "book/12_port.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```\n\n```none\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_block_says_what_it_prints():
    assert len(BLOCKS) == PAGE.count("print(") == 1


@pytest.mark.parametrize(("code", "printed"), BLOCKS)
def test_blocks_print_what_stands_under_them(code, printed, capsys):
    exec(compile(code, "block", "exec"), {})
    assert " ".join(capsys.readouterr().out.split()) == " ".join(printed.split())
