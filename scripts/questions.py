"""The questions for a learning platform: Moodle XML and QTI 2.1, below build/questions.

    python -m scripts.questions                         (make questions)
    python -m scripts.questions --variants 20 --seed 7  (make questions VARIANTS=20 SEED=7)

Exam questions come in several variants, so that each student can get other numbers: a quiz draws
one at random from the category of its question. The questions of the pages have the numbers that
the page has. Typical wrong answers are answered with what they show.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from extensions import contents
from extensions.contents import ROOT
from posenc_course.exam import QUESTIONS
from posenc_course.exam.sheet import HELP, MARKING, answered, noted, whole
from posenc_course.widget import markup
from scripts import moodle, qti

BUILD = ROOT / "build" / "questions"
# With 100 variants of each question the files have 36 MB; many questions have fewer that differ.
MOST_VARIANTS = 100


class Number(NamedTuple):
    """A number to type: the answer, how far off is still right, and replies to wrong ones."""

    answer: float
    tolerance: float
    replies: list  # of (number, reply)
    nudge: str = ""


class Choice(NamedTuple):
    """Options to choose from: each with whether it is right, and the reply to it."""

    options: list  # of (text, is right, reply)
    several: bool = False
    nudge: str = ""


class Essay(NamedTuple):
    """A proof or a reason, which a person marks: what the key says of it."""

    key: str


class Field(NamedTuple):
    """What is asked, its points, and where the answer goes: rows of inputs."""

    asks: str
    points: int
    rows: list  # of lists of Number, Choice or Essay
    heads: tuple = ((), ())  # of the rows and of the columns


class Item(NamedTuple):
    """A question for a platform; its texts are Markdown with TeX, or HTML without any."""

    name: str
    title: str
    category: str
    text: str
    fields: list
    solution: str
    key: tuple = ()  # of an exam question, in Markdown: what its marker reads
    markdown: bool = True


# ---------------------------------------------------------------------------- exam questions


def entries(value):
    """Return a number, a row or a matrix as a float64 array of rows, (rows, columns)."""
    return np.atleast_2d(np.asarray(value, float))


def numbers_to_type(part) -> list:
    """Return rows of `Number`, one for each number of an answer, with replies to wrong ones."""
    key = entries(part.key)
    # As `exam.question.same` has it: at most two off in the last decimal, and a little for the
    # rounding of float64. Whole numbers are exact.
    slack = 2.001 * 10.0**-part.digits if part.digits else 0.0
    rows = []
    for row, column in np.ndindex(key.shape):
        replies = {}
        for wrong in part.wrong:
            if wrong.value is None or entries(wrong.value).shape != key.shape:
                continue
            number = float(entries(wrong.value)[row, column])
            # One number of a wrong row may be right, or near that of another wrong row.
            if all(abs(number - other) > 2 * slack for other in [key[row, column], *replies]):
                replies[round(number, part.digits)] = wrong.shows
        answer = float(round(key[row, column], part.digits or 0))
        if column == 0:
            rows.append([])
        rows[-1].append(Number(answer, slack, list(replies.items())))
    return rows


def field_of(part) -> Field:
    """Return the `Field` of a part of an exam question."""
    asks = f"({part.letter}) {part.asks}"
    if part.steps:
        return Field(asks, part.points, [[Essay(noted(part))]])
    if part.options:
        replies = {wrong.value: wrong.shows for wrong in part.wrong}
        options = [(one, one == part.key, replies.get(one, "")) for one in part.options]
        return Field(asks, part.points, [[Choice(options)]])
    return Field(asks, part.points, numbers_to_type(part))


def key_of(asked) -> tuple:
    """Return texts in Markdown for who marks an exam question: its answers with their points."""
    parts = [
        [f"({part.letter}) {answered(part)}*({part.points})*", noted(part)] for part in asked.parts
    ]
    return MARKING, *(text for part in parts for text in part)


def exam_items(variants: int, seed: int) -> Iterator[Item]:
    """Yield an `Item` for each variant of each exam question, with numbers of its own."""
    for name, question in QUESTIONS.items():
        drawn = []  # the numbers of each variant
        # A question of few numbers may draw the same again, or have fewer variants than asked for.
        for attempt in range(20 * variants):
            asked = question.ask(seed + attempt)
            if asked.numbers in drawn:
                continue
            drawn.append(asked.numbers)
            text = f"{asked.text}\n\n*{HELP}*"
            fields = [field_of(part) for part in asked.parts]
            label = f"{name}-{len(drawn):02}"
            category = f"Exam/{question.chapter}/{asked.title}"
            yield Item(label, asked.title, category, text, fields, asked.solution, key_of(asked))
            if len(drawn) == variants:
                break


# ---------------------------------------------------------------------------- a page's questions


def input_of(state: dict) -> list:
    """Return rows of `Number` or `Choice`, as a page's question has its inputs."""
    nudge = markup(state["nudge"])
    if state["kind"] == "choice":
        replies = {places[0]: reply for places, reply in state["wrong"] if len(places) == 1}
        options = [
            (markup(option), place in state["answer"], markup(replies.get(place, "")))
            for place, option in enumerate(state["options"])
        ]
        return [[Choice(options, state["several"], nudge)]]
    if state["kind"] == "blanks":
        rows = []
        for row, answers in enumerate(state["answer"]):
            inputs = []
            for column, answer in enumerate(answers):
                replies = {}
                for table, reply in state["wrong"]:
                    if abs(table[row][column] - answer) > 2 * state["tolerance"]:
                        replies.setdefault(table[row][column], markup(reply))
                inputs.append(Number(answer, state["tolerance"], list(replies.items()), nudge))
            rows.append(inputs)
        return rows
    replies = [(number, markup(reply)) for number, reply in state["wrong"]]
    return [[Number(state["answer"], state["tolerance"], replies, nudge)]]


def page_items() -> Iterator[Item]:
    """Yield an `Item` for each question of the pages, as the notebooks store it."""
    for path in contents.notebooks_in_toc():
        notebook = contents.read(path)
        _, title = contents.title(notebook)
        for state in contents.questions(notebook):
            text = markup(state["text"])
            if state.get("unit"):
                text += f" (in {markup(state['unit'])})"
            heads = (tuple(state.get("rows", ())), tuple(state.get("columns", ())))
            field = Field("", 1, input_of(state), heads)
            because, key = markup(state["because"]), state["key"]
            category = f"Pages/{title}"
            yield Item(key, f"{title}: {key}", category, text, [field], because, markdown=False)


# ---------------------------------------------------------------------------- files


def parser_with(formula) -> MarkdownIt:
    """Return the parser that makes HTML of Markdown; `formula` gives the HTML of a formula."""
    parser = MarkdownIt("commonmark", {"typographer": True, "xhtmlOut": True})
    parser.enable(["table", "smartquotes"])
    return parser.use(dollarmath_plugin, renderer=formula)


def make(variants=10, seed=1, folder=BUILD):
    """Write moodle.xml and qti21.zip into a folder; return [their paths]."""
    if not 1 <= whole("variants", variants) <= MOST_VARIANTS:
        raise ValueError(f"variants must be from 1 to {MOST_VARIANTS}, got {variants}")
    items = [*exam_items(variants, whole("seed", seed)), *page_items()]
    folder.mkdir(parents=True, exist_ok=True)
    return [
        moodle.write(items, folder / "moodle.xml", parser_with(moodle.formula)),
        qti.write(items, folder / "qti21.zip", parser_with(qti.formula)),
    ]


def main() -> None:
    """Write the files of questions that the command line asks for, and print their sizes."""
    parser = argparse.ArgumentParser(prog="questions", description=__doc__.partition("\n")[0])
    parser.add_argument("--variants", type=int, default=10, help="of each exam question")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        for path in make(given.variants, given.seed):
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
