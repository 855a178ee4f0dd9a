"""The minutes that the index lists are those that the chapters state."""

import re

import nbformat
import pytest

from extensions.contents import ROOT, minutes
from extensions.reading_times import in_hours, substitutions

INDEX = (ROOT / "book" / "index.md").read_text(encoding="utf-8")


def test_index_lists_part_1_in_order_with_minutes_that_exist():
    listed = re.findall(r"\{\{ (minutes_\d\d) \}\}", INDEX)
    assert listed == [f"minutes_{number:02}" for number in range(8)]
    assert set(re.findall(r"\{\{ (\w+) \}\}", INDEX)) <= set(substitutions())


def test_the_sum_is_that_of_the_seven_chapters():
    texts = [
        next((ROOT / "book").glob(f"{number:02}_*.ipynb")).read_text() for number in range(1, 8)
    ]
    stated = [int(re.search(r"(\d+) (?:minutes\.|with a pencil)", text)[1]) for text in texts]
    assert substitutions()["minutes_part_1"] == in_hours(sum(stated))


@pytest.mark.parametrize(
    ("count", "text"),
    [(165, "2 hours 45 minutes"), (60, "1 hour"), (61, "1 hour 1 minute"), (0, "0 minutes")],
)
def test_minutes_in_words(count, text):
    assert in_hours(count) == text


def test_a_chapter_that_states_no_time_is_shown():
    cell = nbformat.v4.new_markdown_cell("# Silent")
    with pytest.raises(ValueError, match=r"must state \*\*Time\*\* N minutes, got '# Silent'"):
        minutes(nbformat.v4.new_notebook(cells=[cell]))
