"""The decks are made of the chapters: no number of their own, and never a paragraph."""

import re
from decimal import Decimal

import pytest
from bs4 import BeautifulSoup

from extensions.contents import ROOT
from extensions.slides import DECKS, Deck, parted
from scripts.slides import lecture
from tests.book.test_book import computed_numbers, prose_numbers

WORDS, LINES = 60, 14  # on a slide: words that are read, lines of code with what they print
DECKS_MADE = {path.stem: Deck(path) for path in sorted(DECKS.glob("*.yml"))}
each_deck = pytest.mark.parametrize("deck", DECKS_MADE.values(), ids=DECKS_MADE)


def soups(deck):
    return [BeautifulSoup(slide, "html.parser") for slide in deck.slides]


@each_deck
def test_every_number_comes_from_the_notebook_and_quotation_marks_are_those_of_the_book(deck):
    computed = computed_numbers(ROOT / "book" / f"{deck.source.name}.ipynb", asked=True)
    for slide in soups(deck):
        for part in slide.select(".katex, pre, .posenc"):
            part.decompose()
        for number, around in prose_numbers(slide.get_text(" | ")):
            assert Decimal(number) in computed, f"{deck.name}: {number} in: … {around} …"
        for part in slide.select("code"):
            part.decompose()
        assert not re.search("[\"']", slide.get_text())


@each_deck
def test_a_slide_is_a_question_a_picture_or_a_few_lines(deck):
    for slide in soups(deck):
        code = "\n".join(block.get_text().strip() for block in slide.select("pre"))
        assert len(code.splitlines()) <= LINES + 4
        assert sum(bool(line.strip()) for line in code.splitlines()) <= LINES
        for part in slide.select("aside, pre, table, .formula, .katex, .posenc, .source"):
            part.decompose()
        words = re.findall(r"\S*\w\S*", slide.get_text(" "))
        assert len(words) <= WORDS, " ".join(words)


@each_deck
def test_the_teacher_is_told_what_to_say(deck):
    for entry in [deck.data, *deck.data["slides"]]:
        assert "note" in entry or "card" in entry, entry
        assert "question" not in entry or "slides" in entry or "answer" in entry, entry
    notes = "".join(slide.aside.get_text() for slide in soups(deck))
    assert "Time:" in notes


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("a = 1\n\n\nb = 2", ["a = 1\n\nb = 2"]),
        ("\n".join(["a = 1"] * 9) + "\n\n" + "\n".join(["b = 2"] * 9), 2),
        ("for a in b:\n" + "\n".join(["    a()\n"] * 20), 1),
    ],
)
def test_long_code_is_parted_between_statements(source, parts):
    found = parted(source, 0)
    assert found == parts or len(found) == parts


def test_code_stays_beside_what_it_prints():
    source = "\n\n".join(["\n".join(["a = 1"] * 4), "\n".join(["b = 2"] * 8), "print(a)\nprint(b)"])
    assert parted(source, 5)[1].count("b = 2") == 8


def test_a_lecture_has_the_slides_of_its_decks_and_refuses_others():
    made = lecture(["01", "03"])
    parts = [DECKS_MADE["01_why_order_matters"], DECKS_MADE["03_formula"]]
    assert made.slides == parts[0].slides + parts[1].slides
    assert made.name == "lecture-01-03"
    with pytest.raises(ValueError, match=r"numbers of decks, 00 01 .*, got '99'"):
        lecture(["01", "99"])


def test_the_conditions_of_an_answer_stand_below_it():
    (first,) = DECKS_MADE["01_why_order_matters"].source.card("answer")
    soup = BeautifulSoup(first, "html.parser")
    assert "(" not in soup.select_one(".answer").get_text()
    assert soup.select_one(".aside").get_text().startswith("This holds if")


def test_the_times_of_the_plans_add_up():
    """A plan's cell gives each part its minutes in brackets, a deck's those of its notes."""
    page = (ROOT / "book" / "teachers.md").read_text(encoding="utf-8")
    stated = {
        deck.source.label: int(re.search(r"\*Time:\* (\d+) minutes", deck.data["note"])[1])
        for deck in DECKS_MADE.values()
    }
    rows = re.findall(
        r"^\* - \*\*(90 minutes.*|\d: .+)\*\*\n  - (.+)\n  - (.+)", page, re.MULTILINE
    )
    assert len(rows) == 6
    for name, in_class, presented in rows:
        cells = in_class if name.startswith("90") else f"{in_class} {presented}"
        minutes = [int(number) for number in re.findall(r"\((\d+)\)", cells)]
        assert sum(minutes) <= 90, name
        for label, number in re.findall(r"\{ref\}`(?:[^`<]*<)?([\w-]+)>?` \((\d+)\)", in_class):
            assert stated.get(label, int(number)) == int(number), label
    assert sum(map(int, re.findall(r"\((\d+)\)", rows[0][1]))) == 90
