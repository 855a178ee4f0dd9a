"""What a question of an exam is, and how its numbers are drawn and its key is held to account."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from zlib import crc32

import numpy as np

__all__ = [
    "GRADES",
    "QUESTIONS",
    "Asked",
    "Part",
    "Question",
    "by_base_2",
    "proof",
    "question",
    "same",
    "shown",
]

GRADES = {1: "compute", 2: "apply", 3: "prove"}
QUESTIONS = {}


class Part:
    """One thing that is asked, its answer, and what is typically answered instead.

    `key` is a number, an array or a word; whole numbers are asked for exactly, others to two
    decimals where `digits` says nothing. A proof has a `rubric`, the points of each step, in its
    place. `wrong` has pairs: what a typical answer shows, and the answer.
    """

    def __init__(self, asks, points, key, *wrong, digits=None, rubric=None):
        self.asks, self.points, self.key = asks, points, key
        self.digits = digits or (0 if np.asarray(key).dtype.kind == "i" else 2)
        self.wrong, self.rubric = dict(wrong), rubric or {}


def proof(asks, rubric, *wrong):
    """Return a part that asks for a reason; each step of its rubric has points."""
    return Part(asks, sum(rubric.values()), None, *wrong, rubric=rubric)


class Asked:
    """A question with its numbers, in Markdown with TeX: its text, its parts, and its solution."""

    def __init__(self, text, *parts_and_solution):
        self.text = text
        *self.parts, self.solution = parts_and_solution

    @property
    def points(self):
        """The points of all parts."""
        return sum(part.points for part in self.parts)

    @property
    def tells_apart(self):
        """Whether no typical wrong answer could be taken for the right one."""
        return not any(
            same(part.key, answer, part.digits)
            for part in self.parts
            for answer in part.wrong.values()
            if not part.rubric
        )


@dataclass(frozen=True)
class Question:
    """A question without its numbers."""

    title: str
    chapter: str  # the label of the chapter that it is about
    grade: int
    make: Callable

    def ask(self, seed):
        """Draw numbers until no typical wrong answer could be taken for the right one."""
        own = crc32(self.title.encode())  # so that the choice of questions changes no numbers
        draws = (np.random.default_rng([seed, own, attempt]) for attempt in range(1000))
        fit = next((one for one in map(self.make, draws) if one.tells_apart), None)
        if fit is None:
            raise RuntimeError(f"{self.title}: in 1000 draws a typical wrong answer is the key")
        return fit


def question(chapter, *, grade):
    """Enter a function in `QUESTIONS`; its docstring is the title."""

    def enter(make):
        title = make.__doc__.rstrip(".")
        QUESTIONS[make.__name__.replace("_", "-")] = Question(title, chapter, grade, make)
        return make

    return enter


def by_base_2(scores):
    """Return the weights that powers of 2 make of whole scores, as fractions."""
    powers = np.array([Fraction(2) ** int(score) for score in scores])
    return powers / powers.sum()


def same(one, other, digits):
    """Return whether a marker could take one answer for the other: two in the last decimal."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    one, other = np.array(one, float), np.array(other, float)
    slack = 2.001 * 10.0**-digits if digits else 1e-9
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-12, atol=slack)


def shown(value, digits=2):
    r"""Return a number, a row or a matrix as TeX, or a word as it is.

    Examples
    --------
    >>> from posenc_course.exam.question import shown
    >>> shown([-0.4161, 10000])
    '(-0.42,\\ 10\\,000.00)'
    """
    if isinstance(value, str):
        return value
    value = np.asarray(value, float)
    if value.ndim == 0:
        text = f"{round(float(value), digits) + 0.0:,.{digits}f}"
        return (text if abs(value) >= 10_000 else text.replace(",", "")).replace(",", r"\,")
    if value.ndim == 1:
        return "(" + r",\ ".join(shown(entry, digits) for entry in value) + ")"
    lines = (" & ".join(shown(entry, digits) for entry in row) for row in value)
    return r"\begin{pmatrix} " + r" \\ ".join(lines) + r" \end{pmatrix}"
