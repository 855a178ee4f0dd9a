"""The exam on paper: every formula is set, and nothing is asked of the network."""

import re

import pytest
from bs4 import BeautifulSoup

from extensions.contents import ROOT
from posenc_course.exam import QUESTIONS, chosen, key_blocks, sheet_blocks
from scripts.exam import as_html, documents, labels, main


@pytest.mark.parametrize("blocks", [sheet_blocks, key_blocks])
@pytest.mark.parametrize("seed", [1, 7])
def test_every_formula_is_set_and_nothing_is_asked_of_the_network(blocks, seed):
    html = as_html("Exam", blocks(chosen("all"), seed), "")
    seen = re.sub(r"<(style|annotation)\b.*?</\1>", "", html, flags=re.DOTALL)
    assert "$" not in seen
    assert not re.findall(r"\*\*|\\[a-z]+\{", re.sub(r"<code.*?</code>", "", seen, flags=re.DOTALL))
    assert all(
        address.startswith("file:") for address in re.findall(r'(?:src|href)="([^"]+)"', html)
    )


def test_a_matrix_of_four_rows_has_its_brackets():
    """The drawing of a tall bracket is an SVG, whose numbers are parted by plain spaces."""
    html = as_html("Exam", sheet_blocks(["block-follows"], 7), "")
    boxes = [svg["viewbox"] for svg in BeautifulSoup(html, "html.parser").select("svg")]
    assert boxes
    assert all(re.fullmatch(r"-?\d+ -?\d+ \d+ \d+", box, re.ASCII) for box in boxes)


def test_each_part_has_room_for_its_answer_on_the_sheet_alone():
    names = chosen(seed=7)
    files = [*documents(7, names, 2, "make exam")]
    for _, title, blocks, written_on in files:
        soup = BeautifulSoup(as_html(title, blocks, "", room=written_on), "html.parser")
        parts = sum(len(QUESTIONS[name].ask(7).parts) for name in names)
        assert len(soup.select(".room")) == (parts if written_on else 0)
        assert "7" not in title


def test_a_question_stays_with_its_text_and_a_part_with_its_room():
    html = as_html("Exam", sheet_blocks(["wrong-sign"], 7), "", room=True)
    groups = BeautifulSoup(html, "html.parser").select(".together")
    kinds = [
        [one["class"][0] for one in group.find_all("div", recursive=False)] for group in groups
    ]
    first = ["title", "text", "part", "room"]
    assert kinds == [["help"], first, ["part", "room"], ["part", "room"]]


def test_chapters_are_named_by_their_numbers():
    assert labels("") is None
    assert labels("1-3, 6") == {"why-order-matters", "sine-recap", "formula", "rotation"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--chapters", "1-99"], 'such as "1-7" or "1,3,9", got \'1-99\''),
        (["--chapters", "one"], "got 'one'"),
        (["--versions", "0"], "versions must be from 1 to 6, got 0"),
        (["--seed=-3"], "seed must be a whole number from 0, got -3"),
    ],
)
def test_the_command_says_what_is_allowed(arguments, words, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["exam", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert words in capsys.readouterr().err


def told(arguments, capsys, monkeypatch):
    """Return what the command says and what it warns of, without a browser."""
    monkeypatch.setattr("sys.argv", ["exam", *arguments])
    monkeypatch.setattr("scripts.exam.make", lambda seed, *_, **__: [ROOT / str(seed)])
    main()
    return capsys.readouterr()


def test_without_a_seed_a_new_one_is_drawn_and_a_small_one_is_warned_of(capsys, monkeypatch):
    seeds = [told([], capsys, monkeypatch) for _ in range(3)]
    assert len({said.out for said in seeds}) == 3
    assert all(int(said.out) >= 10_000 and not said.err for said in seeds)
    said = told(["--seed", "7"], capsys, monkeypatch)
    assert said.out == "7\n"
    assert "Seed 7 is easily guessed" in said.err
