"""What a question of an exam is: words from `questions.md`, and numbers that are drawn for them.

Whole numbers are asked for exactly, others to two decimals where nothing else is said.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from posenc_course.exam import numbers

VALUE = re.compile(r"«(.+?)(?::(\d))?»")  # an expression, and its decimals
ANSWER = re.compile(r"\*\*(.+)\*\* \*\((\d)\)\*")  # an answer, and its points
# A question's name, a section that it needs if any, its chapter, and its grade.
ABOUT = re.compile(r"`([\w-]+)` on (?:`([\w-]+)` of )?`([\w-]+)`: (\w+)")
STEP = re.compile(r"(\d) points?: (.+)")
OPTION, WRONG = "- Or: ", "Wrong: "
# After so many draws a question has no numbers for one more version. Where it had some, at most 54
# draws found them, in six versions of 15 seeds.
DRAWS = 1000


class Step(NamedTuple):
    """A step of a proof, and its points."""

    points: int
    text: str


class Wrong(NamedTuple):
    """What is typically answered instead: its words, what it shows, and its value or None."""

    text: str
    shows: str
    value: object = None


class Part:
    """One thing that is asked, and its answer.

    `key` is a number, an array or one of the `options`, and `answer` is the same in words or TeX; a
    proof has neither, and its points are those of its `steps`.
    """

    def __init__(self, words: str, names: dict[str, Any], rng: np.random.Generator):
        """Read a part from its Markdown, with the values that its expressions have in `names`.

        It is "(a) What is asked", then options if any, then "**answer** *(points)*" unless it is a
        proof, and last a list of steps and of wrong answers, all parted by empty lines.
        """
        asks, *middle, notes = words.split("\n\n")
        self.letter = asks[1]  # of "(a) What is asked"
        self.asks = filled(asks.partition(" ")[2], names)
        self.options = []
        if middle and middle[0].startswith(OPTION):
            options = filled(middle.pop(0), names).removeprefix(OPTION).split(f"\n{OPTION}")
            # `questions.md` may list the right one first.
            self.options = [options[at] for at in rng.permutation(len(options))]
        # The first item of the list begins a text, every other one a line.
        lines = notes.removeprefix("- ").split("\n- ")
        self.steps = [step(line, names) for line in lines if not line.startswith(WRONG)]
        self.wrong = [self.wrong_answer(line, names) for line in lines if line.startswith(WRONG)]
        self.points = sum(one.points for one in self.steps)  # 0 if it is no proof
        self.answer, self.key, self.digits = "", None, 0
        if middle:  # it is no proof, and the answer is what is left
            self.answer, points = ANSWER.fullmatch(filled(middle[0], names)).groups()
            self.points = int(points)
            found = VALUE.search(middle[0])
            # An answer without an expression is one of the options, in words.
            self.key, self.digits = valued(found, names) if found else (self.answer, 0)

    def wrong_answer(self, line: str, names: dict[str, Any]) -> Wrong:
        """Return the `Wrong` that a line "Wrong: its words: what it shows" describes.

        Its value is that of the expression with which the line begins, or the option that it names,
        or None.
        """
        line = line.removeprefix(WRONG)
        # Most lines begin with an expression between two dollars.
        found = re.match(r"\$" + VALUE.pattern + r"\$: ", line)
        if found:
            text = found[0].removesuffix(": ")
            shows = filled(line[found.end() :], names)
            return Wrong(filled(text, names), shows, valued(found, names)[0])
        line = filled(line, names)
        for option in self.options:  # before a split at ": ", which an option may hold
            if line.startswith(f"{option}: "):
                return Wrong(option, line.removeprefix(f"{option}: "), option)
        text, _, shows = line.partition(": ")
        return Wrong(text, shows)

    def lettered(self, option: str) -> str:
        """Return the letter of one of the options, from "A" for the first that is shown."""
        return "ABCDEF"[self.options.index(option)]


def step(line: str, names: dict[str, Any]) -> Step:
    """Return the `Step` that a line such as "2 points: The residual: ..." describes."""
    points, text = STEP.fullmatch(filled(line, names)).groups()
    return Step(int(points), text)


class Asked:
    """A question with its numbers, in Markdown with TeX: its text, its parts, and its solution."""

    def __init__(self, question: "Question", names: dict[str, Any], rng: np.random.Generator):
        """Fill the words of a question with the values of `names`; `rng` orders the options."""
        self.title, self.grade = question.title, question.grade
        # `Question.ask` compares the shapes of all values, so that a version asks for as many
        # numbers as the others: it would else be more work, or less.
        values = (valued(found, names)[0] for found in VALUE.finditer(question.words))
        self.shapes = [np.shape(value) for value in values]
        # Each part begins with its letter, which stays with it, as the solution's "*Solution" does.
        text, *parts, solution = re.split(r"\n\n(?=\([a-f]\) |\*Solution)", question.words)
        self.text = filled(text, names)
        self.solution = filled(solution, names)
        self.parts = [Part(part, names, rng) for part in parts]

    @property
    def points(self) -> int:
        """The points of all parts together."""
        return sum(part.points for part in self.parts)

    @property
    def tells_apart(self) -> bool:
        """Whether no typical wrong answer could be taken for the right one."""
        return not any(
            same(part.key, wrong.value, part.digits)
            for part in self.parts
            for wrong in part.wrong
            if wrong.value is not None
        )

    @property
    def numbers(self) -> list:
        """[text, (asked, answer) of each part ...], in words with numbers, to compare versions."""
        return [self.text, *((part.asks, part.answer) for part in self.parts)]


@dataclass(frozen=True)
class Question:
    """A question without its numbers: `ask` draws them."""

    title: str
    chapter: str  # the label of the chapter that it is about
    section: str  # the label of a section after the card that it needs, or ""
    grade: str  # compute, apply or prove
    words: str
    draw: Callable[[np.random.Generator], dict[str, Any]]  # a function of `numbers`

    def ask(self, seed: int, version: int = 0) -> Asked:
        """Return the question with numbers of a seed, for which every wrong answer is wrong.

        Numbers are drawn until no typical wrong answer could be taken for the right one. Those of a
        version (0 is A) are as many as in the versions before it, and not the same.
        """
        before = [self.ask(seed, earlier) for earlier in range(version)]
        # The title gives each question draws of its own, whatever else is on the sheet. Without it,
        # questions that draw from the same range would begin with the same number.
        of_title = crc32(self.title.encode())
        for attempt in range(DRAWS):
            rng = np.random.default_rng([seed, of_title, attempt, version])
            names = self.draw(rng)
            # The words may also use the functions and tables of `numbers`.
            asked = Asked(self, vars(numbers) | names, rng)
            fits_before = all(
                asked.numbers != one.numbers and asked.shapes == one.shapes for one in before
            )
            if asked.tells_apart and fits_before:
                return asked
        raise RuntimeError(f"{self.title}: in {DRAWS} draws no numbers serve version {version}")

    @cached_property
    def points(self) -> int:
        """The points of the question, which are the same for the numbers of every seed."""
        return self.ask(seed=0).points


def read(words: str) -> Iterator[tuple[str, Question]]:
    """Yield (name, question) for each section of `questions.md`, whose text `words` is."""
    for section in words.split("\n## ")[1:]:  # what stands before the first is for authors
        title, about, words = section.strip().split("\n\n", 2)
        name, needed, chapter, grade = ABOUT.fullmatch(about).groups("")  # "" for no section
        draw = getattr(numbers, name.replace("-", "_"))
        yield name, Question(title, chapter, needed, grade, words, draw)


def filled(words: str, names: dict[str, Any]) -> str:
    """Return words with the value of each «expression» in its place, as `shown` writes it."""
    return VALUE.sub(lambda found: shown(*valued(found, names)), words)


def valued(found: re.Match, names: dict[str, Any]) -> tuple[Any, int]:
    """Return (value, decimals to show) of an expression that the pattern `VALUE` found.

    Without a number of decimals these are 0 for whole numbers and else 2.
    """
    value = eval(found[1], names)  # an expression of `questions.md`, which is part of the course
    whole = np.asarray(value).dtype.kind in "iu"
    return value, int(found[2] or (0 if whole else 2))


def same(one: Any, other: Any, digits: int) -> bool:
    """Tell whether a marker could take one answer for the other: at most two off in the last digit.

    An answer without decimals must be right, and words must be equal.
    """
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    one, other = np.array(one, float), np.array(other, float)
    # Two in the last decimal, and a little for the rounding of float64. Whole numbers have that
    # little alone.
    slack = 2.001 * 10.0**-digits if digits else 1e-9
    # `rtol` is there to switch off NumPy's own, by which 100 001 could be taken for 100 000.
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-12, atol=slack)


def shown(value: Any, digits: int = 2) -> str:
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
        text = f"{round(float(value), digits) + 0.0:,.{digits}f}"  # + 0.0: no minus before 0
        if abs(value) < 10_000:  # four digits are read without a gap
            return text.replace(",", "")
        return text.replace(",", r"\,")
    if value.ndim == 1:
        return "(" + r",\ ".join(shown(entry, digits) for entry in value) + ")"
    lines = (" & ".join(shown(entry, digits) for entry in row) for row in value)
    return r"\begin{pmatrix} " + r" \\ ".join(lines) + r" \end{pmatrix}"


QUESTIONS = dict(read(Path(__file__).with_name("questions.md").read_text(encoding="utf-8")))
