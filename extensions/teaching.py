"""Sphinx extension: what the pages for teachers list, made when the book is built.

- ``{chapters-for-teachers}``: for each numbered chapter the question that it answers, its minutes,
  what it asks the reader and its exercises, from the notebook.
- ``{exam-questions}``: a table of all exam questions. ``{exam-sheet} 45 7``: the sheet of
  seed 7 for 45 minutes. The printed book leaves both out.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

from extensions import contents
from extensions.facts import facts_of
from extensions.generated import directive
from posenc_course.exam import QUESTIONS, chosen, sheet

EXERCISE = re.compile(r"^`{3,}\{exercise\}.*\n:label: (\S+)", re.MULTILINE)
CHECK = re.compile(r"""^check\(["']([\w-]+)["']""", re.MULTILINE)
ONE_ANSWER = ("number", "choice")  # what fits a quiz; a prediction is a guess, a table is work


def counted(number: int, one: str, many: str) -> str:
    """Return a number and its noun as text, as "2 exercises": `one` is the singular."""
    return f"{number} {one if number == 1 else many}"


def markdown(path: Path) -> str:
    """Return what the page for teachers says of the chapter in the notebook `path`, as Markdown.

    That is its question and minutes, its questions for a quiz, how many other ones it asks, and
    its exercises.
    """
    notebook, facts = contents.read(path), facts_of(path)
    text = "\n\n".join(cell.source for cell in notebook.cells)
    asked = contents.questions(notebook)
    in_text = [ask for ask in asked if "-ex-" not in ask["key"]]  # an exercise is rotation-ex-1
    quiz = [ask for ask in in_text if ask["kind"] in ONE_ANSWER]
    label, _ = contents.title(notebook)
    lines = [f"**{{ref}}`{label}`**, {facts.total_minutes} minutes. {facts.question}"]
    lines += ["", "For a quiz:", "", *(f"1. {ask['text']}" for ask in quiz)]
    also = []
    if others := len(in_text) - len(quiz):
        also.append(counted(others, "table or prediction", "tables and predictions"))
    if exercises := len(asked) - len(in_text):
        also.append(f"{counted(exercises, 'exercise', 'exercises')} answered on the page")
    if checks := dict.fromkeys(CHECK.findall(text)):  # each once, in order
        names = ", ".join(f"`{name}`" for name in checks)
        also.append(f"code that is checked: {names}")
    if also:
        lines += ["", f"Also: {'; '.join(also)}."]
    if labels := EXERCISE.findall(text):
        links = ", ".join(f"{{ref}}`{label}`" for label in labels)
        lines += ["", f"Homework: {links}."]
    return "\n".join([*lines, ""])  # an empty line ends the last paragraph


def all_chapters() -> str:
    """Return what the page for teachers says of all chapters, as Markdown."""
    return "\n".join(markdown(path) for path in contents.chapters())


def exam_questions() -> str:
    """Return a table in Markdown, a line for each exam question: name, chapter, grade, points."""
    lines = [
        "| Question | Name | Chapter | Section that it needs | Grade | Points |",
        "|---|---|---|---|---|---|",
    ]
    for name, question in QUESTIONS.items():
        needs = f"{{ref}}`{question.section}`: `{question.section}`" if question.section else ""
        cells = [question.title, f"`{name}`", f"{{ref}}`{question.chapter}`", needs]
        lines.append(f"| {' | '.join(cells)} | {question.grade} | {question.points} |")
    return "\n".join(lines)


def exam_sheet(minutes: str, seed: str) -> str:
    """Return the exam sheet of a seed for so many minutes, as Markdown.

    Both are whole numbers as texts: they are the arguments of a directive.
    """
    return sheet(chosen(minutes=int(minutes), seed=int(seed)), int(seed))


def setup(app: Sphinx) -> None:
    """Add the three directives that the docstring of this module names."""
    # The page that lists the chapters is read again where one of them has changed.
    chapters = contents.chapters()
    app.add_directive("chapters-for-teachers", directive(all_chapters, sources=chapters))
    app.add_directive("exam-questions", directive(exam_questions, classes=["on-screen"]))
    app.add_directive("exam-sheet", directive(exam_sheet, arguments=2, classes=["on-screen"]))
