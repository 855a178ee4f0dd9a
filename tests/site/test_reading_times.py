"""The minutes that the index lists are those that the chapters state."""

import re

from extensions.contents import ROOT
from extensions.reading_times import substitutions

INDEX = (ROOT / "book" / "index.md").read_text(encoding="utf-8")


def test_index_lists_part_1_in_order_with_minutes_that_exist():
    listed = re.findall(r"\{\{ (minutes_\d\d) \}\}", INDEX)
    assert listed == [f"minutes_{number:02}" for number in range(8)]
    assert set(re.findall(r"\{\{ (\w+) \}\}", INDEX)) <= set(substitutions())
