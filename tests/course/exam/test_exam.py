"""The questions of the exam, for twenty seeds; and the sheets that are made of them."""

import re
from fractions import Fraction

import numpy as np
import pytest

from extensions.contents import chapters, notebooks_in_toc, title
from posenc_course.exam import QUESTIONS, chosen, code, key, sheet
from posenc_course.exam.question import same, shown
from posenc_course.exam.sheet import VERSIONS, exact
from tests.course.exam import pocket_calculator
from tests.pages import read

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
        assert all(part.wrong for part in asked.parts)
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
    assert {one.grade for one in QUESTIONS.values() if not one.section} == GRADES
    for grade in GRADES:
        assert sum(question.grade == grade for question in QUESTIONS.values()) >= 6


def test_no_solution_says_that_a_number_is_itself(drawn):
    itself = re.compile(r"(?:^|[.:;*] )(\w+) = \1[.,;]")
    assert itself.search("*Solution.* 32 = 32.")
    assert not [
        one.solution for asked in drawn.values() for one in asked if itself.search(one.solution)
    ]


def test_a_section_that_a_question_needs_stands_after_the_card_of_its_chapter():
    for path in notebooks_in_toc():
        notebook = read(path)
        label, _ = title(notebook)
        text = "\n\n".join(cell.source for cell in notebook.cells)
        for question in QUESTIONS.values():
            if question.section and question.chapter == label:
                assert f"({question.section})=" in text.partition("## Going further")[2]


def test_what_the_class_has_not_read_is_not_asked():
    for seed in SEEDS:
        names = chosen(minutes=30, seed=seed, sections="order-mask shift-sines")
        assert {QUESTIONS[name].section for name in names} <= {"", "order-mask", "shift-sines"}
        assert not any(QUESTIONS[name].section for name in chosen(minutes=60, seed=seed))
    assert "section: order-mask" in key(["masked-line"], 1)


@pytest.mark.parametrize(
    ("minutes", "sections"),
    [(15, ""), (20, ""), (30, ""), (45, ""), (60, ""), (20, "all"), (45, "all"), (90, "all")],
)
def test_a_sheet_has_a_point_for_each_minute_and_chapters_in_turn(minutes, sections):
    for seed in SEEDS:
        names = chosen(minutes=minutes, seed=seed, sections=sections)
        assert len({*names}) == len(names)
        assert sum(QUESTIONS[name].ask(seed).points for name in names) == minutes
        if minutes >= 45:
            assert {QUESTIONS[name].grade for name in names} == GRADES
    assert f"{minutes} points in all" in sheet(names, seed)


def test_another_seed_asks_other_questions():
    sheets = {tuple(chosen(minutes=45, seed=seed, sections="all")) for seed in SEEDS}
    assert len(sheets) == len(SEEDS)
    many = [chosen(minutes=45, seed=seed, sections="all") for seed in range(60)]
    assert {name for names in many for name in names} == {*QUESTIONS}


def test_only_the_chapters_that_are_named_are_asked_about():
    for seed in SEEDS:
        names = chosen(minutes=20, seed=seed, chapters={"formula", "rotation"})
        assert {QUESTIONS[name].chapter for name in names} == {"formula", "rotation"}
        # There are 5, 5, 7 and 7 points: 19 are the most below 20.
        assert sum(QUESTIONS[name].points for name in names) == 19


@pytest.mark.parametrize("name", QUESTIONS)
def test_versions_differ_in_every_question(name):
    for seed in range(5):
        versions = [QUESTIONS[name].ask(seed, version) for version in range(len(VERSIONS))]
        numbers = [one.numbers for one in versions]
        assert all(one not in numbers[:place] for place, one in enumerate(numbers))
        assert QUESTIONS[name].ask(seed).numbers == numbers[0]
        # Neighbours have as much to reckon: rows and matrices of the same size.
        sizes = [[np.shape(part.key) for part in one.parts] for one in versions]
        assert all(size == sizes[0] for size in sizes)


def test_the_letter_of_the_right_choice_changes():
    letters = {
        part.lettered(part.key)
        for seed in SEEDS
        for part in QUESTIONS["which-bug"].ask(seed).parts
        if part.options
    }
    assert letters == {*"ABCD"}


def test_the_code_of_an_exam_is_not_its_seed():
    codes = {code(chosen(seed=seed), seed) for seed in SEEDS}
    assert len(codes) == len(SEEDS)
    assert all(re.fullmatch("[A-Z]{4}", one) for one in codes)


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


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"minutes": 0}, "minutes must be from 15 to .*, got 0"),
        ({"minutes": 1000}, "minutes must be from 15 to .*, got 1000"),
        ({"minutes": 45.5}, "minutes must be a whole number from 0, got 45.5"),
        ({"seed": -3}, "seed must be a whole number from 0, got -3"),
        ({"names": "twin twins"}, "no question is named 'twin'; did you mean 'twins'?"),
        ({"names": "zzz"}, "no question is named 'zzz'; the page of exam questions lists all"),
        ({"chapters": {"sine-recap"}}, "of at least 15 points, and these have 5, and 10 with"),
        ({"sections": "order-msk"}, "such as 'order-mask', got 'order-msk'"),
        ({"minutes": 90}, "have 70 points in all, and .* with those on sections after the cards"),
    ],
)
def test_what_cannot_be_chosen_is_said(settings, words):
    with pytest.raises(ValueError, match=words):
        chosen(**settings)


def test_answers_are_compared_as_a_marker_does():
    assert same(0.84, np.sin(1), 2)
    assert not same(0.81, np.sin(1), 2)
    assert not same([1, 2], [1, 2, 3], 0)
    assert not same(12, 13, 0)
    assert not same("where", 1, 0)
