"""The page for whoever ports a model: its blocks run, and print what stands under them."""

import re

from scripts.outputs import ROOT

PAGE = (ROOT / "book/12_port.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n([^`]*)^```\n\n```none\n([^`]*)^```$", PAGE, re.MULTILINE)


def test_each_block_prints_what_stands_under_it_after_those_before_it(capsys):
    assert len(BLOCKS) == PAGE.count("```none") == 2
    names = {}
    for code, printed in BLOCKS:
        exec(compile(code, "block", "exec"), names)
        assert " ".join(capsys.readouterr().out.split()) == " ".join(printed.split())
