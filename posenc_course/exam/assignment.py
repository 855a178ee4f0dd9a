"""What checks the assignment: tests for students, and a second set that is drawn at marking.

`check(globals())` in a student's notebook prints the first set. The second has numbers that nobody
knew before the seed was chosen; `posenc_course.exam.mark` asks both.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.random import Generator

from posenc_course.exam.submission import same
from posenc_course.experiments.order_task import (
    KINDS,
    TRAINED,
    answer,
    begin,
    percent_right,
    texts,
)


class Unanswered(Exception):
    """What a function of a submission did in place of an answer, as a sentence."""


# In the second set texts have fewer than so many tokens, and begin before this position. Their last
# token then stands at position 37 at most: learned positions end at 47.
ANY_LENGTH, ANY_BEGINNING = 20, 20
# A share of right answers is taken over so many pairs of places of A and B: enough to tell a wrong
# share, and in a fifth of the time that all 66 of 12 tokens take.
SOME_PLACES = 12
SHORTEST_WITH_SOME = 6  # tokens that have at least so many pairs of places: 6 have 15, 5 have 10


def _answered(function: Callable) -> Callable:
    """Return a student's function, made to raise where it answers None or changes its inputs."""

    def call(*arguments):
        """Return the answer; None raises a NotImplementedError, a changed input a ValueError."""
        before = copy.deepcopy(arguments)
        answer = function(*arguments)
        if answer is None:
            raise NotImplementedError("it returns nothing yet")
        if not all(map(same, before, arguments)):
            raise ValueError("it changes what it is given")
        return answer

    return call


def _one_start(kind: str, rng: Generator) -> tuple[dict, dict]:
    """Return random weights by name twice: for training, with an axis of one start, and without.

    A student's functions get those without that axis.
    """
    with_starts = begin(kind, rng, starts=1)
    # c begins as 0, and a 0 would hide that a student leaves it out.
    with_starts["c"] = rng.normal(size=(1, 1))
    return with_starts, {name: value[0] for name, value in with_starts.items()}


def _of_z(z_of: Callable, kind: str, rng: Generator, second_set: bool) -> str:
    """Return a sentence on what is off with a student's z of one text, "" if it is right."""
    with_starts, weights = _one_start(kind, rng)
    length = rng.integers(2, ANY_LENGTH) if second_set else TRAINED  # 2: A and B alone
    # From 1 on: at position 0 nobody sees that a student leaves `first` out.
    first = rng.integers(1, ANY_BEGINNING) if second_set else 0
    text = texts(length, rng, keep=1)[rng.integers(2)]  # a text or its twin
    expected = answer(with_starts, text[np.newaxis], kind, first_place=first).item()
    z = z_of(weights, text, kind, first)
    if np.isclose(float(z), expected):  # `float` refuses all but one number, as marking does
        return ""
    return f"at {length} tokens from position {first}, z is {expected:.4f}, and it gives {z}"


def _of_right(right: Callable, kind: str, rng: Generator, second_set: bool) -> str:
    """Return a sentence on what is off with a student's share of right answers, "" if right."""
    with_starts, weights = _one_start(kind, rng)
    first = rng.integers(1, ANY_BEGINNING) if second_set else 0
    length = rng.integers(SHORTEST_WITH_SOME, ANY_LENGTH) if second_set else TRAINED
    texts_and_twins = texts(length, rng, keep=SOME_PLACES)
    percent = percent_right(with_starts, texts_and_twins, kind, first_place=first).item()
    expected = percent / 100
    share = right(weights, texts_and_twins, kind, first)
    if np.isclose(float(share), expected):  # `float` refuses all but one number, as marking does
        return ""
    return f"{expected:.4f} are right, and it gives {share}"


def _of_swap(swap_test: Callable, kind: str, rng: Generator, second_set: bool) -> str:
    """Return a sentence on what is off with a student's `swap_test`, "" if it is right.

    That tells whether a model's z notices that two tokens change places.
    """
    with_starts, _ = _one_start(kind, rng)
    text = texts(TRAINED, rng, keep=1)[0]
    first, later = np.flatnonzero(text < 2)  # the places of A (0) and B (1)

    def z(tokens):
        """Return the model's z of one text, a list (as the marking sends it) or an array."""
        return answer(with_starts, np.asarray(tokens)[np.newaxis], kind).item()

    noticed = kind != "none"  # a model without positions gives a text and its twin the same z
    answer_to_swap = swap_test(z, text, first, later)
    if bool(answer_to_swap) != noticed:
        return f"A and B change places: noticed is {noticed}, and it gives {answer_to_swap}"
    # Of the tests, this alone fails who exchanges the letters A and B wherever they stand, and not
    # the tokens at the two places. The first set, which students see, does not give it away.
    if second_set and swap_test(z, text, first, first):
        return "a token that changes places with itself cannot be noticed"
    return ""


TESTS = {"z_of": _of_z, "right": _of_right, "swap_test": _of_swap}


def problems(
    functions: Mapping[str, Any], seed: int = 0, *, second_set: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield ("function, kind of model", what is off or "") for each test and each of four kinds.

    `functions` has those of a student by the names of `TESTS`. The second set has texts of other
    lengths, that begin elsewhere.
    """
    for name, test in TESTS.items():
        for number, kind in enumerate(KINDS):
            # A new generator for each test, so that all students get the same numbers: a test of a
            # function that is not defined draws none.
            rng = np.random.default_rng([seed, number, second_set])
            try:
                problem = test(_answered(functions[name]), kind, rng, second_set)
            except Unanswered as error:  # its message is a sentence for the student already
                problem = str(error)
            except Exception as error:  # a student's code may raise anything
                problem = f"{type(error).__name__}: {error}"
            yield f"{name}, {kind}", problem


def check(functions: Mapping[str, Any], seed: int = 0, *, second_set: bool = False) -> float:
    """Print a line for each test, and return the share of tests that pass, from 0 to 1."""
    problem_of = dict(problems(functions, seed, second_set=second_set))
    for test, problem in problem_of.items():
        # The longest name, "swap_test, sinusoidal", has 21 letters.
        print(f"{test:24} {problem or 'right'}")
    return sum(not problem for problem in problem_of.values()) / len(problem_of)
