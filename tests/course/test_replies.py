"""No question of the book says something false to whoever is off, by a slip or by one wrong cell.

The questions are those of the stored notebooks; what judges is the page's own script, in V8.
"""

import html
import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from extensions.contents import notebooks_in_toc, read
from posenc_course import questions
from posenc_course.questions.question import Question
from tests.course.v8 import Module

ASKED = re.compile(
    r'<div class="posenc posenc-question" data-question="[^"]*" data-state="([^"]*)"'
)

# What becomes of a right number by a usual error.
SLIPS = {
    "the other sign": lambda x: -x,
    "the inverse": lambda x: 1 / x if x else math.nan,
    "in degrees": math.degrees,
    "in radians": math.radians,
    "twice": lambda x: 2 * x,
    "half": lambda x: x / 2,
    "one more": lambda x: x + 1,
    "one less": lambda x: x - 1,
    "without 2π": lambda x: x / (2 * math.pi),
    "with 2π": lambda x: x * 2 * math.pi,
    "ten times": lambda x: 10 * x,
    "a hundredth": lambda x: x / 100,
    "squared": lambda x: x * x,
    "3 % less": lambda x: 0.97 * x,
}


def close(one, other, tolerance):
    return np.abs(one - other) <= tolerance * (1 + 1e-9) + 1e-9 * np.abs(other)


def stored():
    """(notebook, what is asked) of each stored question, in reading order."""
    for path in notebooks_in_toc():
        for cell in read(path).cells:
            for output in cell.get("outputs", []):
                for state in ASKED.findall(output.get("data", {}).get("text/html", "")):
                    yield path, json.loads(html.unescape(state))


def mixes(ask):
    """(cells, which of them are from the wrong table) of right cells mixed with wrong ones."""
    right = [*itertools.chain(*ask["answer"])]
    for table, _ in ask["wrong"]:
        wrong = [*itertools.chain(*table)]
        cells = range(len(right))
        differs = [at for at in cells if not close(wrong[at], right[at], ask["tolerance"])]
        for count in range(1, len(differs) + 1):
            for taken in itertools.islice(itertools.combinations(differs, count), 300):
                yield [wrong[at] if at in taken else right[at] for at in cells], taken


def slips(ask):
    """(what went wrong, the number) of each usual error that gives a number."""
    for what, slip in SLIPS.items():
        value = slip(ask["answer"])
        if math.isfinite(value) and value != ask["answer"]:
            yield what, value


def written_down(ask, value):
    """Return a number as a reader might write it down: to six digits, or as it is."""
    short = f"{value:.6g}"
    return short if abs(float(short) - value) <= ask["tolerance"] / 2 else str(value)


def right_answers(ask):
    """Return the right answer in every spelling that must be accepted."""
    if ask["kind"] == "number":
        text = written_down(ask, ask["answer"])
        spellings = [text, text.replace(".", ","), text.replace("-", "\u2212"), f" {text} "]
        return [*spellings, ask["shown"], f"{text} {ask['unit']}", repr(ask["answer"])]
    if ask["kind"] == "blanks":
        table = [[written_down(ask, value) for value in row] for row in ask["answer"]]
        return [table, [[text.replace(".", ",") for text in row] for row in table], ask["shown"]]
    return [ask["answer"]]


def wrong_answers(ask):
    """Return (answer, the words it must get) for each wrong answer that is listed."""
    for answer, hint in ask["wrong"]:
        if ask["kind"] == "number":
            yield written_down(ask, answer), hint
        elif ask["kind"] == "blanks":
            yield [[written_down(ask, value) for value in row] for row in answer], hint
        else:
            yield answer, hint


def words(verdict):
    """The reply as one text."""
    if verdict.get("right"):
        return "Yes."
    return next(verdict[key] for key in ("wrong", "seen", "partly", "unread") if key in verdict)


STORED = list(stored())
each = {
    kind: pytest.mark.parametrize(
        "ask", [ask for _, ask in STORED if ask["kind"] == kind], ids=lambda ask: ask["key"]
    )
    for kind in ("blanks", "number", "predict")
}


@pytest.fixture(scope="module")
def verdicts():
    """Return a function of a question and answers: what the page's judge says to each."""
    module = Module(Question._module)
    return lambda ask, given: module.each(f"(one) => judge({json.dumps(ask)}, one)", given)


def texts(part):
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for one in part.values() if isinstance(part, dict) else part:
            yield from texts(one)


@pytest.mark.parametrize("ask", [ask for _, ask in STORED], ids=lambda ask: ask["key"])
def test_a_question_is_in_form(verdicts, ask):
    """The answer is right, each typical wrong one gets its hint, and all words are plain."""
    wrong = list(wrong_answers(ask))
    given = [*right_answers(ask), *(answer for answer, _ in wrong)]
    if ask["kind"] == "blanks":
        given = [[*itertools.chain(*table)] for table in given]
    hints = ["Yes."] * len(right_answers(ask)) + [hint for _, hint in wrong]
    for answer, hint, verdict in zip(given, hints, verdicts(ask, given), strict=True):
        assert hint
        assert hint in words(verdict), answer
    assert all([ask["text"], ask["because"], ask["nudge"] or ask["kind"] == "predict"])
    for text in texts(ask):
        plain = re.sub(r"`[^`]*`", "", text)
        assert not re.search(r"\$|\\|`|</?[a-z]", plain), text


@each["blanks"]
def test_a_hint_is_for_all_of_a_wrong_table_and_others_hear_what_is_right(verdicts, ask):
    asked = list(mixes(ask))
    given = [[repr(cell) for cell in cells] for cells, _ in asked]
    for (cells, taken), verdict in zip(asked, verdicts(ask, given), strict=True):
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
def test_a_reply_to_a_slip_is_true(verdicts, ask):
    answer, tolerance = ask["answer"], ask["tolerance"]
    asked = list(slips(ask))
    given = [repr(value) for _, value in asked]
    for (_, value), verdict in zip(asked, verdicts(ask, given), strict=True):
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


def test_each_question_that_is_written_is_asked():
    files = Path(questions.__file__).parent.glob("*.py")
    code = "".join(path.read_text(encoding="utf-8") for path in files)
    written = [
        name.replace("_", "-") for name in re.findall(r"^def (\w+_\d+)\(", code, re.MULTILINE)
    ]
    assert sorted(written) == sorted(ask["key"] for _, ask in STORED)
