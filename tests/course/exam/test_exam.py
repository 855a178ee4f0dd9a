"""The questions of the exam, for twenty seeds; and the sheets that are made of them."""

import re
from fractions import Fraction

import numpy as np
import pytest

from extensions.contents import chapters, notebooks_in_toc, read, title
from posenc_course.exam import LENGTHS, QUESTIONS, chosen, key, sheet
from posenc_course.exam.question import same, shown
from posenc_course.exam.sheet import exact
from tests.course.exam import pocket_calculator

SEEDS = range(20)
RECKONED = [name for name in QUESTIONS if hasattr(pocket_calculator, name.replace("-", "_"))]
GRADES = {"compute", "apply", "prove"}
ON_LINES = {title(read(path))[0] for path in chapters() if "01" <= path.name < "12"}
LABELS = {title(read(path))[0] for path in notebooks_in_toc()}


@pytest.fixture(scope="module")
def drawn():
    return {name: [question.ask(seed) for seed in SEEDS] for name, question in QUESTIONS.items()}


@pytest.mark.parametrize("name", RECKONED)
def test_who_reads_the_sheet_alone_and_reckons_finds_the_key(drawn, name):
    for asked in drawn[name]:
        parts = [part for part in asked.parts if part.answer]
        sheet = "\n".join([asked.text, *(part.asks for part in asked.parts)])
        reckoned = getattr(pocket_calculator, name.replace("-", "_"))
        found = reckoned(*pocket_calculator.numbers(sheet))
        for part, answer in zip(parts, found, strict=True):
            assert same(part.key, answer, part.digits and 6)


@pytest.mark.parametrize("name", QUESTIONS)
def test_numbers_are_readable_and_differ_from_class_to_class(drawn, name):
    texts = []
    for asked in drawn[name]:
        words = [asked.text, asked.solution]
        words += [words for part in asked.parts for words in (part.asks, part.answer)]
        assert all("- Wrong: " in part.notes for part in asked.parts)
        texts.append("\n".join(words))
    assert not [
        found
        for text in texts
        for found in re.findall(
            r"\d\.\d{5,}|np\.(float|int|array)|array\(|nan|inf\b|e-\d\d|-0\.0+\b", text
        )
    ]
    assert not [found for text in texts for found in re.findall(r"\d{6,}", text)]
    assert len(set(texts)) >= 10, "most of twenty classes get numbers of their own"


def test_there_are_enough_of_each_grade_and_chapter():
    assert len(QUESTIONS) >= 24
    assert ON_LINES <= {question.chapter for question in QUESTIONS.values()} <= LABELS
    for grade in GRADES:
        assert sum(question.grade == grade for question in QUESTIONS.values()) >= 6


@pytest.mark.parametrize("minutes", LENGTHS)
def test_a_sheet_has_a_point_for_each_minute_and_every_grade(minutes):
    names = chosen(minutes=minutes)
    assert {sum(QUESTIONS[name].ask(seed).points for name in names) for seed in SEEDS} == {minutes}
    assert {QUESTIONS[name].grade for name in names} == GRADES
    assert f"{minutes} points in all" in sheet(names, 7)


def test_a_sheet_tells_no_answer_and_its_key_all():
    names = chosen("all")
    asked, answered = sheet(names, 3), key(names, 3)
    assert "Wrong" not in asked
    assert "Solution" not in asked
    for name in names:
        for part in QUESTIONS[name].ask(3).parts:
            assert part.answer in answered


def test_a_correct_row_cannot_be_copied_from_the_wrong_one(drawn):
    for asked in drawn["which-bug"]:
        assert not [entry for entry in asked.parts[2].key if shown(entry, 4) in asked.text]


def test_fractions_are_in_the_key_where_decimals_only_round_them():
    assert exact([Fraction(1, 3), 1], 2) == r", exactly $(1/3,\ 1)$"
    assert exact([Fraction(1, 4), 1], 2) == ""


def test_numbers_do_not_depend_on_what_else_is_asked():
    alone, among = sheet(["twins"], 5), sheet(["wrong-sign", "twins"], 5)
    assert alone.partition("**1. ")[2] == among.partition("**2. ")[2]


def test_what_cannot_be_chosen_is_said():
    with pytest.raises(ValueError, match=r"minutes must be one of \[45, 90\], got 60"):
        chosen(minutes=60)
    with pytest.raises(ValueError, match=r"no question is named \['twin'\]"):
        chosen("twin twins")


def test_answers_are_compared_as_a_marker_does():
    assert same(0.84, np.sin(1), 2)
    assert not same(0.81, np.sin(1), 2)
    assert not same([1, 2], [1, 2, 3], 0)
    assert not same(12, 13, 0)
    assert not same("where", 1, 0)
