"""Sphinx extension: the page for teachers lists what each chapter asks and sets, from the chapter.

The directive ``{chapters-for-teachers}`` writes, for each numbered chapter, the question that it
answers, its minutes, what it asks the reader and its exercises. Nothing of it can go stale: it is
read off the notebooks.
"""

import html
import json
import re
from dataclasses import dataclass

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from extensions import contents

QUESTION = re.compile(r"^\*\*(.+\?)\*\*$", re.MULTILINE)
EXERCISE = re.compile(r"^`{3,}\{exercise\}.*\n:label: (\S+)", re.MULTILINE)
CHECK = re.compile(r"""^check\(["']([\w-]+)["']""", re.MULTILINE)
STATE = re.compile(
    r'<div class="posenc posenc-question" data-question="[^"]+" data-state="([^"]+)"'
)
ONE_ANSWER = ("number", "choice")  # what fits a quiz; a prediction is a guess, a table is work


@dataclass(frozen=True)
class Chapter:
    """What a teacher wants to know of a chapter before reading it."""

    label: str
    title: str
    minutes: int
    question: str
    asks: tuple  # what each question asks, as its page holds it
    exercises: tuple  # labels
    checks: tuple  # names of the exercises that a cell checks

    @property
    def quiz(self):
        """The questions of the text with one short answer."""
        return [ask for ask in self.asks if ask["kind"] in ONE_ANSWER and "-ex-" not in ask["key"]]

    @property
    def others(self):
        """How many questions of the text are tables or predictions."""
        in_text = [ask for ask in self.asks if "-ex-" not in ask["key"]]
        return len(in_text) - len(self.quiz)

    @property
    def pencil(self):
        """How many exercises are answered on the page."""
        return len({ask["key"] for ask in self.asks if "-ex-" in ask["key"]})


def chapter(notebook):
    """Read what a teacher wants to know off a notebook."""
    first = notebook.cells[0].source
    asks, exercises, checks = [], [], []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            exercises += EXERCISE.findall(cell.source)
            continue
        checks += CHECK.findall(cell.source)
        for output in cell.get("outputs", []):
            states = STATE.findall(output.get("data", {}).get("text/html", ""))
            asks += [json.loads(html.unescape(state)) for state in states]
    return Chapter(
        *contents.title(notebook),
        contents.minutes(notebook),
        QUESTION.search(first)[1],
        tuple(asks),
        tuple(exercises),
        tuple(dict.fromkeys(checks)),
    )


def escaped(text):
    """Return plain text as Markdown that shows it as it is, code in backticks included."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\\*_\[\]$<>{}#|~^])", r"\\\1", part)
        for part in parts
    )


def count(number, one, many):
    return f"{number} {one if number == 1 else many}"


def markdown(found):
    """Return what the page says of a chapter."""
    lines = [f"**{{ref}}`{found.label}`**, {found.minutes} minutes. {found.question}"]
    if found.quiz:
        lines += ["", "For a quiz:", ""]
        lines += [f"1. {escaped(ask['text'])}" for ask in found.quiz]
    parts = []
    if found.others:
        parts.append(count(found.others, "table or prediction", "tables and predictions"))
    if found.pencil:
        parts.append(f"{count(found.pencil, 'exercise', 'exercises')} answered on the page")
    if found.checks:
        names = ", ".join(f"`{name}`" for name in found.checks)
        parts.append(f"code that is checked: {names}")
    if parts:
        lines += ["", f"Also: {'; '.join(parts)}."]
    if found.exercises:
        links = ", ".join(f"{{ref}}`{label}`" for label in found.exercises)
        lines += ["", f"Homework: {links}."]
    return "\n".join([*lines, ""])


class ChaptersForTeachers(Directive):
    """Write what each chapter asks and sets."""

    def run(self):
        """Return the parsed text of all chapters."""
        environment = self.state.document.settings.env
        container = nodes.container()
        for path in contents.chapters():
            environment.note_dependency(str(path))
            text = StringList(markdown(chapter(contents.read(path))).splitlines(), source=str(path))
            self.state.nested_parse(text, self.content_offset, container)
        return container.children


def setup(app):
    """Register the extension with Sphinx."""
    app.add_directive("chapters-for-teachers", ChaptersForTeachers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
