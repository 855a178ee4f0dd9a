"""No question of the book says something false to whoever is off: see tests/course/replies.py."""

import re

import numpy as np
import pytest

from posenc_course.questions.question import close
from tests.course.replies import (
    Judge,
    dicts_written,
    mixes,
    slips,
    stored,
    words,
    written,
)

STORED, WRITTEN = list(stored()), written()
each = {
    kind: pytest.mark.parametrize(
        "ask", [ask for _, ask in STORED if ask["kind"] == kind], ids=lambda ask: ask["key"]
    )
    for kind in ("blanks", "number", "predict")
}


@pytest.fixture(scope="module")
def judge():
    return Judge()


@each["blanks"]
def test_a_hint_is_for_all_of_a_wrong_table_and_others_hear_what_is_right(judge, ask):
    asked = list(mixes(ask))
    given = [[repr(cell) for cell in cells] for cells, _ in asked]
    for (cells, taken), verdict in zip(asked, judge.verdicts(ask, given), strict=True):
        whole = [
            hint
            for table, hint in ask["wrong"]
            if close(np.array(cells), np.ravel(table), ask["tolerance"]).all()
        ]
        reply = words(verdict)
        assert [hint for _, hint in ask["wrong"] if hint in reply] == whole[:1]
        assert verdict["marks"] == [at not in taken for at in range(len(cells))]
        right = len(cells) - len(taken)
        if not whole and right:
            assert f"{right} of {len(cells)} fit." in reply
        assert whole or ask["nudge"] in reply


@each["number"]
def test_a_reply_to_a_slip_is_true(judge, ask):
    answer, tolerance = ask["answer"], ask["tolerance"]
    asked = list(slips(ask))
    verdicts = judge.verdicts(ask, [repr(value) for _, value in asked])
    for (_, value), verdict in zip(asked, verdicts, strict=True):
        reply = words(verdict)
        assert verdict.get("right", False) == bool(close(value, answer, tolerance))
        if verdict.get("right"):
            continue
        hints = [wrong for wrong, hint in ask["wrong"] if hint == reply]
        assert all(close(value, wrong, tolerance) for wrong in hints)
        if hints:
            continue
        for pattern, holds in {
            "too large|nearer to 0": value > answer if answer >= 0 else value < answer,
            "too small|further below 0": value < answer if answer >= 0 else value > answer,
            "Look at the sign": value * answer < 0,
            "^Nearly": abs(value - answer) <= abs(answer) / 5,
        }.items():
            told = reply.removesuffix(ask["nudge"])
            assert holds or not re.search(pattern, told), (value, reply)


def test_no_two_hints_are_for_the_same_answer():
    """A dict keeps the last of two equal keys, and the question never sees the first."""
    for _, ask in STORED:
        for name, count in dicts_written(WRITTEN[ask["key"]]):
            if name == "options" or ask["kind"] != "choice":
                assert count == len(ask[name]), ask["key"]


def test_each_question_that_is_written_is_asked():
    assert sorted(WRITTEN) == sorted(ask["key"] for _, ask in STORED)
