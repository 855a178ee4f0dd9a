"""What the page's own judge, in V8, says to the answers that each stored question knows."""

import importlib
import itertools
import pkgutil
import re

import pytest

from extensions.contents import notebooks_in_toc, read
from extensions.contents import questions as stored_in
from posenc_course import questions
from posenc_course.questions.question import Question
from tests.course.v8 import Module

STORED = [(path, ask) for path in notebooks_in_toc() for ask in stored_in(read(path))]


def written_down(ask, value):
    """Return a number as a reader might write it down: to six digits, or as it is."""
    short = f"{value:.6g}"
    return short if abs(float(short) - value) <= ask["tolerance"] / 2 else str(value)


def as_given(ask, answer):
    """Return an answer as a reader gives it."""
    if ask["kind"] == "number":
        return written_down(ask, answer)
    if ask["kind"] == "blanks":
        return [[written_down(ask, value) for value in row] for row in answer]
    return answer


def right_answers(ask):
    """Return the right answer in every form that must be accepted."""
    answer = as_given(ask, ask["answer"])
    if ask["kind"] == "number":
        return [answer, ask["shown"], f"{answer} {ask['unit']}"]
    return [answer, ask["shown"]] if ask["kind"] == "blanks" else [answer]


def reply(verdict):
    """The reply as one text."""
    if verdict.get("right"):
        return "Yes."
    return next(verdict[key] for key in ("wrong", "seen", "partly", "unread") if key in verdict)


@pytest.fixture(scope="module")
def module():
    return Module(Question._module)


def texts(part):
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for one in part.values() if isinstance(part, dict) else part:
            yield from texts(one)


@pytest.mark.parametrize("ask", [ask for _, ask in STORED], ids=lambda ask: ask["key"])
def test_a_question_is_in_form(module, ask):
    """The answer is right, each typical wrong one gets its hint, and all words are plain."""
    expected = [(right, "Yes.") for right in right_answers(ask)]
    expected += [(as_given(ask, wrong), hint) for wrong, hint in ask["wrong"]]
    for answer, hint in expected:
        given = [*itertools.chain(*answer)] if ask["kind"] == "blanks" else answer
        (verdict,) = module.each("([ask, given]) => judge(ask, given)", [[ask, given]])
        assert hint
        assert hint in reply(verdict), answer
    assert all([ask["text"], ask["because"], ask["nudge"] or ask["kind"] == "predict"])
    for text in texts(ask):
        plain = re.sub(r"`[^`]*`", "", text)
        assert not re.search(r"\$|\\|`|</?[a-z]", plain), text


def test_each_question_that_is_written_is_asked():
    pages = [
        one.name for one in pkgutil.iter_modules(questions.__path__, "posenc_course.questions.")
    ]
    written = [
        name.replace("_", "-")
        for page in pages
        for name in vars(importlib.import_module(page))
        if re.search(r"_\d+$", name)
    ]
    assert sorted(written) == sorted(ask["key"] for _, ask in STORED)
