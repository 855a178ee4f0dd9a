"""The questions: the HTML they store, how their numbers are shown and read, what is replied.

What is replied is said by the page's own judge, in V8.
"""

import html
import importlib
import itertools
import json
import pkgutil
import re

import numpy as np
import pytest

from extensions.contents import ROOT, notebooks_in_toc
from extensions.contents import questions as stored_in
from extensions.teaching import markdown
from posenc import shift_matrix
from posenc_course import questions
from posenc_course import words as course_words
from posenc_course.questions import Question, blanks, number, predict
from posenc_course.questions.kinds import in_words
from tests.course.v8 import engine
from tests.pages import read

STORED = [(path, ask) for path in notebooks_in_toc() for ask in stored_in(read(path))]
WORDS = {"because": "So.", "nudge": "Think."}


def far(**options):
    return number("How far?", **{"answer": 0.3125, "tolerance": 0.01, **WORDS, **options})


@pytest.fixture(scope="module")
def page():
    """Return the questions' own module, as a page runs it."""
    return engine(Question._module)


@pytest.mark.parametrize(
    "key", ["rotation-11", "sine-recap-1", "sine-recap-4", "promises-2", "rotation-3"]
)
def test_what_is_stored_is_data_the_question_and_a_folded_answer(key):
    question = questions.ask(key)
    text, asked = question.html(), question.question
    assert not re.findall(r" id=|https?://|<(script|style|link)", text)
    assert "Run this cell, and it takes your answer." in text
    state, static = re.search(r'data-state="([^"]*)">(.*)', text, re.DOTALL).groups()
    assert json.loads(html.unescape(state)) == asked
    before, folded = static.split("<details>", 1)
    assert asked["text"] in before
    assert asked["because"] in folded
    assert asked["because"] not in before
    for option in asked.get("options") or []:
        assert f"<li>{option}</li>" in before


@pytest.mark.parametrize("key", ["rotation-11", "rotation-3"])
def test_a_folded_answer_ends_as_a_sentence_of_its_language_does(key):
    english = questions.ask(key).html()
    course_words.use({"{answer}.": "{answer}。"})
    try:
        chinese = questions.ask(key).html()
    finally:
        course_words.use({})
    (ends,) = re.findall(r"</summary>\n<p>.*\.</p>", english)
    assert ends not in chinese
    assert ends.replace(".</p>", "。</p>") in chinese


@pytest.mark.parametrize("key", ["rotation", "rotation-99", "kinds", "os-1", "", None, 3])
def test_an_unknown_question_is_repeated(key):
    with pytest.raises(ValueError, match=re.escape(f"got {key!r}")):
        questions.ask(key)


@pytest.mark.parametrize(
    ("value", "tolerance", "text"),
    [
        (0.3125, 0.01, "0.31"),
        (0.3125, 0.001, "0.312"),
        (63.0, 0.5, "63"),
        (62831.85, 5, "62\u202f830"),
        (167_912.3, 839, "168\u202f000"),
        (10_000.0, 0, "10\u202f000"),
        (-1.5, 0.05, "\u22121.5"),
        (-0.5, 0.0025, "\u22120.5"),
        (0.4397, 0.0022, "0.44"),
        (0.999, 0.02, "1.00"),
        (1e-4, 1e-6, "0.0001"),
        (-0.0004, 0.01, "0.00"),
    ],
)
def test_an_answer_has_as_many_digits_as_the_tolerance_asks_for(page, value, tolerance, text):
    assert in_words(value, tolerance) == text
    read_as = page.call("readings", text)
    assert min(abs(one - value) for one in read_as) <= tolerance + 1e-9 * abs(value)


def test_teachers_find_what_a_chapter_asks_and_sets():
    path = ROOT / "book" / "07_binary.ipynb"
    asked = [ask for ask in stored_in(read(path)) if "-ex-" not in ask["key"]]
    quiz = [f"1. {ask['text']}" for ask in asked if ask["kind"] in ("number", "choice")]
    assert len(quiz) == len(asked) - 1
    head, listed, rest = re.split(r"\n\n(?:For a quiz:\n\n|(?=Also:))", markdown(path))
    assert re.fullmatch(r"\*\*\{ref\}`binary`\*\*, \d+ minutes\. .+\?", head)
    assert listed == "\n".join(quiz)
    for words in ("Also: 1 table or prediction; ", "`ex-binary-bits`", "{ref}`ex-binary-period`"):
        assert words in rest


def test_a_relative_head_of_one_matrix_has_half_the_free_numbers():
    """Those of matrices that commute with a shift, and of the symmetric ones among them."""
    one, shift = np.eye(8), shift_matrix(1, 8)
    relative = np.kron(shift, one) - np.kron(one, shift.T)
    turned = np.arange(64).reshape(8, 8).T.ravel()
    symmetric = np.vstack([relative, np.eye(64) - np.eye(64)[turned]])
    assert 64 - np.linalg.matrix_rank(relative) == 8
    assert questions.ask("similarity-ex-2").question["answer"] == 128 / 8 * (
        64 - np.linalg.matrix_rank(symmetric)
    )


# What a reader may type for a number, and what is none, with | between.
TYPED = {
    0.25: "0.25|0,25|.25| 0.25 |+0.25|1/4|1/2-1/4",
    -3: "-3|−3|–3|—3|- 3",
    10_000: "10 000|10\u202f000|10,000|10'000|10_000|1e4|10^4",
    1234.5: "1,234.5",
    1e-4: "1E-4|10^-4|10^(-4)",
    3e4: "3·10^4|3×10^4",
    1e8: "10**8",
    3: "3.",
    -9: "-3^2",
    2 * np.pi / 3: "2 pi / 3",
    np.pi / 6: "2π/(3·4)",
    2 * np.sqrt(3): "2√3|2 sqrt(3)",
    (1 + np.sqrt(5)) / 2: "(1 + √5)/2|1/2(1 + √5)",
}
NOT_NUMBERS = "|abc|1..2|1 2|--|2*/3|(1|1)|()|2--3|10⁻⁴|2½|1/|/2|3x|NaN|1/0|∞|0x10|^2|√"


def test_numbers_are_read_however_they_are_typed(page):
    for value, texts in TYPED.items():
        for text in texts.split("|"):
            values = page.call("readings", text)
            assert any(np.isclose(one, value, rtol=1e-12) for one in values), f"{text}: {values}"
    assert not any(page.call("readings", text) for text in NOT_NUMBERS.split("|"))


@pytest.mark.parametrize(
    ("typed", "unit", "value"),
    [
        ("14.9°", "degrees", 14.9),
        ("1 rad", "radians per token", 1),
        ("2 pi rad", "radians", 2 * np.pi),
        ("(1/3) tokens", "tokens", 1 / 3),
        ("54 %", "%", 54),
        ("3 bananas", "", None),
        ("14.9°", "radians", None),
        ("54%", "", None),
    ],
)
def test_a_unit_may_stand_behind_a_number(page, typed, unit, value):
    found = page.call("measured", typed, unit)
    if value is None:
        assert found["other"]
    else:
        assert found == {"values": [pytest.approx(value)], "other": ""}


def said(page, ask, *given):
    """Return what the judge replies to each answer, as one text."""
    verdicts = [page.call("judge", ask, one) for one in given]
    parts = ("wrong", "seen", "partly", "unread")
    return [
        "Yes." if verdict.get("right") else next(verdict[key] for key in parts if key in verdict)
        for verdict in verdicts
    ]


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


def texts(part):
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for one in part.values() if isinstance(part, dict) else part:
            yield from texts(one)


@pytest.mark.parametrize("ask", [ask for _, ask in STORED], ids=lambda ask: ask["key"])
def test_a_question_is_in_form(page, ask):
    """The answer is right, each typical wrong one gets its hint, and all words are plain."""
    expected = [(right, "Yes.") for right in right_answers(ask)]
    expected += [(as_given(ask, wrong), hint) for wrong, hint in ask["wrong"]]
    for answer, hint in expected:
        given = [*itertools.chain(*answer)] if ask["kind"] == "blanks" else answer
        assert hint
        assert hint in said(page, ask, given)[0], answer
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


def test_a_hint_on_a_table_is_for_the_whole_of_that_table(page):
    table = {"answer": [[1, 2], [3, 4]], "rows": ["a", "b"], "columns": ["c", "d"]}
    question = blanks("Fill in.", **table, wrong=[([[1, 2], [4, 3]], "Swapped.")], **WORDS)
    for given, words in [
        ("1|2|3|4", "Yes."),
        ("1|2|4|3", "2 cells are off, marked ✗. Swapped."),
        ("1|2|4|4", "3 of 4 fit. One cell is off, marked ✗. Think."),
        ("5|6|7|8", "4 cells are off, marked ✗. Think."),
        ("1||4|", "1 of 4 fits. One cell is off, marked ✗. 2 cells are still empty. Think."),
        ("1|||", "So far all fit. 3 cells are still empty."),
        ("|||", "Fill in a cell first."),
    ]:
        assert said(page, question, given.split("|")) == [words]
    assert "does not read as a number" in said(page, question, ["1", "2", "4", "-"])[0]


def test_a_wide_tolerance_is_for_the_right_answer_alone(page):
    wide = far(answer=160_000, tolerance=60_000, wrong={10_000: "Twenty-one finish."})
    assert said(page, wide, "10 000", "9900", "5") == ["Twenty-one finish."] * 2 + [
        "That is too small. Think."
    ]


def test_near_is_told_from_far(page):
    assert said(page, far(), " ") == ["Type a number first."]
    one = far(answer=5.5, unit="radians")
    assert said(page, one, "5.4", "5.6", "-5.5", "11", "315", "-9") == [
        "Nearly. That is a little too small. Think.",
        "Nearly. That is a little too large. Think.",
        "The size fits. Look at the sign. Think.",
        "That is too large. Think.",
        "That looks like degrees. The answer is asked for in radians. Think.",
        "Look at the sign. Think.",
    ]
    below = far(answer=-5.5, unit="degrees")
    assert said(page, below, "-8", "-1", "-0.096") == [
        "The answer is nearer to 0. Think.",
        "The answer is further below 0. Think.",
        "That looks like radians. The answer is asked for in degrees. Think.",
    ]
    guess = predict("Where?", slider=(-1, 1, 0.01), answer=0.999, tolerance=0.02, because="So.")
    assert said(page, guess, 0.97, 0.5) == [
        "Nearly: you set 0.97; it is 1.00. So.",
        "You set 0.50; it is 1.00. So.",
    ]
