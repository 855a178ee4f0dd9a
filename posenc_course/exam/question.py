"""What a question of an exam is: words from `questions.md`, and numbers that are drawn for them.

Whole numbers are asked for exactly, others to two decimals where nothing else is said.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from posenc_course.exam import numbers

VALUE = re.compile(r"«(.+?)(?::(\d))?»")
ANSWER = re.compile(r"\*\*(.+)\*\* \*\((\d)\)\*")
ABOUT = re.compile(r"`([\w-]+)` on (?:`([\w-]+)` of )?`([\w-]+)`: (\w+)")
STEP = re.compile(r"(\d) points?: (.+)")
OPTION, WRONG = "- Or: ", "Wrong: "


class Step(NamedTuple):
    """A step of a proof, and its points."""

    points: int
    text: str


class Wrong(NamedTuple):
    """What is typically answered instead: its words, what it shows, and its value if it has one."""

    text: str
    shows: str
    value: object = None


class Part:
    """One thing that is asked, and its answer.

    `key` is a number, an array or one of the `options`, and `answer` is the same in words or TeX; a
    proof has neither, and its points are those of its `steps`.
    """

    def __init__(self, words, names, rng):
        asks, *middle, notes = words.split("\n\n")
        self.letter, self.asks = asks[1], filled(asks[4:], names)
        self.options = []
        if middle and middle[0].startswith(OPTION):
            options = filled(middle.pop(0), names).removeprefix(OPTION).split(f"\n{OPTION}")
            self.options = [options[at] for at in rng.permutation(len(options))]
        lines = notes.removeprefix("- ").split("\n- ")
        self.steps = [step(line, names) for line in lines if not line.startswith(WRONG)]
        self.wrong = [self.wrong_answer(line, names) for line in lines if line.startswith(WRONG)]
        self.points = sum(one.points for one in self.steps)
        self.answer, self.key, self.digits = "", None, 0
        if middle:
            self.answer, points = ANSWER.fullmatch(filled(middle[0], names)).groups()
            self.points = int(points)
            found = VALUE.search(middle[0])
            self.key, self.digits = valued(found, names) if found else (self.answer, 0)

    def wrong_answer(self, line, names):
        """Return what a line says of a wrong answer: a value, an option, or words."""
        line = line.removeprefix(WRONG)
        found = re.match(r"\$" + VALUE.pattern + r"\$: ", line)
        if found:
            shows = filled(line[found.end() :], names)
            return Wrong(filled(found[0][:-2], names), shows, valued(found, names)[0])
        line = filled(line, names)
        for option in self.options:
            if line.startswith(f"{option}: "):
                return Wrong(option, line.removeprefix(f"{option}: "), option)
        text, _, shows = line.partition(": ")
        return Wrong(text, shows)

    def lettered(self, option):
        """Return the letter of an option."""
        return "ABCDEF"[self.options.index(option)]


def step(line, names):
    """Return a step of a proof."""
    points, text = STEP.fullmatch(filled(line, names)).groups()
    return Step(int(points), text)


class Asked:
    """A question with its numbers, in Markdown with TeX: its text, its parts, and its solution."""

    def __init__(self, question, names, rng):
        self.title, self.grade = question.title, question.grade
        values = (valued(found, names)[0] for found in VALUE.finditer(question.words))
        self.shapes = [np.shape(value) for value in values]
        text, *parts, solution = re.split(r"\n\n(?=\([a-f]\) |\*Solution)", question.words)
        self.text = filled(text, names)
        self.solution = filled(solution, names)
        self.parts = [Part(part, names, rng) for part in parts]

    @property
    def points(self):
        """The points of all parts."""
        return sum(part.points for part in self.parts)

    @property
    def tells_apart(self):
        """Whether no typical wrong answer could be taken for the right one."""
        return not any(
            same(part.key, wrong.value, part.digits)
            for part in self.parts
            for wrong in part.wrong
            if wrong.value is not None
        )

    @property
    def numbers(self):
        """What is given and what is asked for, which differs from version to version."""
        return [self.text, *((part.asks, part.answer) for part in self.parts)]


@dataclass(frozen=True)
class Question:
    """A question without its numbers."""

    title: str
    chapter: str  # the label of the chapter that it is about
    section: str  # the label of a section after the card that it needs, or ""
    grade: str  # compute, apply or prove
    words: str
    draw: Callable

    def ask(self, seed, version=0):
        """Draw numbers until no typical wrong answer could be taken for the right one.

        The numbers of a version are those of no version before it, and as many.
        """
        own = crc32(self.title.encode())  # so that the choice of questions changes no numbers
        before = [self.ask(seed, earlier) for earlier in range(version)]
        for attempt in range(1000):
            rng = np.random.default_rng([seed, own, attempt, version])
            names = self.draw(rng)
            asked = Asked(self, vars(numbers) | names, rng)
            fits = all(
                asked.numbers != one.numbers and asked.shapes == one.shapes for one in before
            )
            if asked.tells_apart and fits:
                return asked
        raise RuntimeError(f"{self.title}: in 1000 draws no numbers serve version {version}")

    @cached_property
    def points(self):
        """The points of the question, which are the same for all numbers."""
        return self.ask(0).points


def read(words):
    """Yield the names of the questions in a text, each with its question."""
    for section in words.split("\n## ")[1:]:
        title, about, words = section.strip().split("\n\n", 2)
        name, section, chapter, grade = ABOUT.fullmatch(about).groups("")
        draw = getattr(numbers, name.replace("-", "_"))
        yield name, Question(title, chapter, section, grade, words, draw)


def filled(words, names):
    """Return words with the value of each expression in its place."""
    return VALUE.sub(lambda found: shown(*valued(found, names)), words)


def valued(found, names):
    """Return the value of an expression that was found, and its decimals."""
    value = eval(found[1], names)
    whole = np.asarray(value).dtype.kind in "iu"
    return value, int(found[2] or (0 if whole else 2))


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


QUESTIONS = dict(read(Path(__file__).with_name("questions.md").read_text(encoding="utf-8")))
