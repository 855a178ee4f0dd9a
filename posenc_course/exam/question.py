"""What a question of an exam is: words from `questions.md`, and numbers that are drawn for them.

Whole numbers are asked for exactly, others to two decimals where nothing else is said.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from posenc_course.exam import numbers

VALUE = re.compile(r"«(.+?)(?::(\d))?»")
WRONG = re.compile(r"^- Wrong: \$" + VALUE.pattern, re.MULTILINE)
ANSWER = re.compile(r"\*\*(.+)\*\* \*\((\d)\)\*")


class Part:
    """One thing that is asked: its words, its points, and its notes, which the key has.

    `key` is a number, an array or a word, `answer` is the same as TeX; a proof has neither. `wrong`
    has the typical answers that are computed, since one of them might be the key.
    """

    def __init__(self, words, names):
        asks, *answer, notes = words.split("\n\n")
        self.asks, self.notes = filled(asks, names), filled(notes, names)
        self.points = sum(map(int, re.findall(r"^- (\d) points?: ", notes, re.MULTILINE)))
        self.answer, self.key, self.digits, self.wrong = "", None, 0, []
        if answer:
            self.answer, points = ANSWER.fullmatch(filled(answer[0], names)).groups()
            self.points = int(points)
            found = VALUE.search(answer[0])
            self.key, self.digits = valued(found, names) if found else (self.answer, 0)
            self.wrong = [valued(one, names)[0] for one in WRONG.finditer(notes)]


class Asked:
    """A question with its numbers, in Markdown with TeX: its text, its parts, and its solution."""

    def __init__(self, question, names):
        self.title, self.grade = question.title, question.grade
        text, *parts, solution = re.split(r"\n\n(?=\([a-f]\) |\*Solution)", question.words)
        self.text, self.solution = filled(text, names), filled(solution, names)
        self.parts = [Part(part, names) for part in parts]

    @property
    def points(self):
        """The points of all parts."""
        return sum(part.points for part in self.parts)

    @property
    def tells_apart(self):
        """Whether no typical wrong answer could be taken for the right one."""
        return not any(
            same(part.key, answer, part.digits) for part in self.parts for answer in part.wrong
        )


@dataclass(frozen=True)
class Question:
    """A question without its numbers."""

    title: str
    chapter: str  # the label of the chapter that it is about
    grade: str  # compute, apply or prove
    words: str
    draw: Callable

    def ask(self, seed):
        """Draw numbers until no typical wrong answer could be taken for the right one."""
        own = crc32(self.title.encode())  # so that the choice of questions changes no numbers
        for attempt in range(1000):
            names = self.draw(np.random.default_rng([seed, own, attempt]))
            asked = Asked(self, vars(numbers) | names)
            if asked.tells_apart:
                return asked
        raise RuntimeError(f"{self.title}: in 1000 draws a typical wrong answer is the key")


def read(words):
    """Yield the names of the questions in a text, each with its question."""
    for section in words.split("\n## ")[1:]:
        title, about, words = section.strip().split("\n\n", 2)
        name, chapter, grade = re.fullmatch(r"`(.+)` on `(.+)`: (\w+)", about).groups()
        yield name, Question(title, chapter, grade, words, getattr(numbers, name.replace("-", "_")))


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
