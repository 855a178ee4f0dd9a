"""The assignment: our solution passes both sets of tests, and typical mistakes do not."""

import re

import numpy as np
import pytest

from extensions.contents import ROOT
from posenc import attention, rope
from posenc_course.exam.assignment import TESTS, check, problems
from posenc_course.exam.submission import cells_of, run
from posenc_course.experiments.order_task import train
from scripts import assignment_solution as solution
from scripts.assignment_solution import z_of

START = ROOT / "book" / "downloads" / "assignment.ipynb"
OURS = {name: getattr(solution, name) for name in TESTS}


def fails(given, **how):
    return {name for name, said in problems(OURS | given, **how) if said}


@pytest.mark.parametrize("seed", range(20))
def test_our_solution_passes_both_sets(seed):
    """It asks the attention of the book, and the sets ask the shortcut that training takes."""
    assert not fails({}, seed=seed)
    assert not fails({}, seed=seed, second_set=True)


def without_a_root(theta, text, kind, first=0):
    louder = theta | {"W_Q": 4 * theta["W_Q"]}
    return z_of(louder, text, kind, first)


def turns_the_words(theta, text, kind, first=0):
    x = theta["words"][text]
    if kind == "RoPE":
        x = rope(x, first + np.arange(len(text)))
    elif kind != "none":
        return z_of(theta, text, kind, first)
    taken, _ = attention(x @ theta["W_Q"], x @ theta["W_K"], x @ theta["u"])
    return (taken[text == 0] + theta["c"]).item()


def swaps_in_place(answer, text, i, j):
    before = answer(text)
    text[[i, j]] = text[[j, i]]
    return not np.isclose(before, answer(text))


def scales_in_place(theta, text, kind, first=0):
    found = z_of(theta, text, kind, first)
    theta["u"] *= 2
    return found


def always_from_0(theta, text, kind, first=0):  # noqa: ARG001
    return z_of(theta, text, kind)


def counts_all(theta, texts, kind, first=0):
    return float(np.mean([z_of(theta, text, kind, first) > 0 for text in texts]))


@pytest.mark.parametrize(
    ("given", "caught"),
    [
        ({"z_of": without_a_root}, "z_of, none"),
        ({"z_of": turns_the_words}, "z_of, RoPE"),
        ({"swap_test": swaps_in_place}, "swap_test, sinusoidal"),
        ({"z_of": scales_in_place}, "z_of, learned"),
        ({"swap_test": lambda *_: True}, "swap_test, none"),
        ({"right": counts_all}, "right, learned"),
        ({"right": lambda *_: 1 / 0}, "right, RoPE"),
    ],
)
def test_the_first_set_tells_what_is_off(given, caught):
    assert caught in fails(given)


def test_a_lucky_pass_of_the_first_set_does_not_pass_the_second():
    assert not fails({"z_of": always_from_0})
    assert {"z_of, learned", "z_of, sinusoidal"} <= fails(
        {"z_of": always_from_0}, seed=5, second_set=True
    )


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match=r"one of .*'RoPE'.*, got 'rope'"):
        train("rope", seed=0)


def test_the_start_runs_untouched_and_says_that_nothing_is_right_yet(capsys):
    given, errors, _ = run(cells_of(START), seconds=60)
    assert not errors
    assert capsys.readouterr().out.count("it returns nothing yet") == 12
    assert check(given, 1, second_set=True) == 0
    assert len(given["test"]) == 80


def test_the_whole_solution_runs_and_what_the_proofs_predict_comes_out(capsys, monkeypatch):
    monkeypatch.setattr(solution, "SEEDS", (0,))  # of three; all else as a teacher runs it
    solution.main()
    row = re.compile(r"  (\w+) +(.+?) +(\d+) %  \((\d+) to (\d+)\)")
    lines = capsys.readouterr().out.splitlines()[1:]
    found = {(kind, what): rest for kind, what, *rest in (row.fullmatch(x).groups() for x in lines)}
    assert len(found) == 4 * 5
    assert found.pop(("none", "swap of A and B noticed")) == ["0"] * 3
    assert {tuple(rest) for (kind, _), rest in found.items() if kind == "none"} == {("50",) * 3}
    assert found["RoPE", "length 12"] == found["RoPE", "12 tokens from 12 on"]
