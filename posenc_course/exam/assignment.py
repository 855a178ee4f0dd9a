"""What checks the assignment: tests for students, and a second set that is drawn at marking.

`check(globals())` in a student's notebook prints the first set. The second has numbers that nobody
knew before the seed was chosen; `posenc_course.exam.mark` asks both.
"""

import copy

import numpy as np

from posenc_course.experiments.order_task import KINDS, answer, begin, percent_right, texts


class Unanswered(Exception):
    """What a function of a submission did in place of an answer, as a sentence."""


def _answered(function):
    """Pass on what a function returns; nothing, or a given array that it changed, is no answer."""

    def call(*given):
        kept = copy.deepcopy(given)
        found = function(*given)
        if found is None:
            raise NotImplementedError("it returns nothing yet")
        for before, after in zip(kept, given, strict=True):
            if isinstance(after, np.ndarray) and not np.array_equal(before, after):
                raise ValueError("it changes what it is given")
        return found

    return call


def _one_start(kind, rng):
    """Random numbers of one model, as training returns them, and without the axis of starts."""
    theta = begin(kind, rng, starts=1)
    theta["c"] = rng.normal(size=(1, 1))
    return theta, {name: value[0] for name, value in theta.items()}


def _of_z(z_of, kind, rng, second):
    theta, one = _one_start(kind, rng)
    length = int(rng.integers(2, 20)) if second else 12
    first = int(rng.integers(1, 20)) if second else 0
    text = texts(length, rng, keep=1)[int(rng.integers(2))]
    expected = answer(theta, text[np.newaxis], kind, first_place=first).item()
    found = z_of(one, text, kind, first)
    if np.isclose(float(found), expected, atol=1e-8):
        return ""
    return f"at {length} tokens from position {first}, z is {expected:.4f}, and it gives {found}"


def _of_right(right, kind, rng, second):
    theta, one = _one_start(kind, rng)
    first = int(rng.integers(1, 20)) if second else 0
    some = texts(int(rng.integers(6, 20)) if second else 12, rng, keep=12)
    expected = percent_right(theta, some, kind, first_place=first).item() / 100
    found = right(one, some, kind, first)
    return "" if np.isclose(found, expected) else f"{expected:.4f} are right, and it gives {found}"


def _of_swap(swap_test, kind, rng, second):
    theta, _ = _one_start(kind, rng)
    text = texts(12, rng, keep=1)[0]
    first, later = np.flatnonzero(text < 2)

    def z(tokens):
        return answer(theta, np.asarray(tokens)[np.newaxis], kind).item()

    found = swap_test(z, text, first, later)
    if bool(found) != (kind != "none"):
        return f"A and B change places: noticed is {kind != 'none'}, and it gives {found}"
    if second and swap_test(z, text, first, first):
        return "a token that changes places with itself cannot be noticed"
    return ""


TESTS = {"z_of": _of_z, "right": _of_right, "swap_test": _of_swap}


def problems(given, seed=0, *, second=False):
    """Yield (what was tested, what is off or "") of functions by the names in `TESTS`.

    The second set has texts of other lengths, that begin elsewhere.
    """
    for name, test in TESTS.items():
        for at, kind in enumerate(KINDS):
            rng = np.random.default_rng([seed, at, second])
            try:
                said = test(_answered(given[name]), kind, rng, second)
            except Unanswered as error:
                said = str(error)
            except Exception as error:  # a student's code may raise anything
                said = f"{type(error).__name__}: {error}"
            yield f"{name}, {kind}", said


def check(given, seed=0, *, second=False):
    """Print what each test says, and return the share that passes."""
    found = dict(problems(given, seed, second=second))
    for name, said in found.items():
        print(f"{name:24} {said or 'right'}")
    return sum(not said for said in found.values()) / len(found)
