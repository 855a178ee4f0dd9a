"""Sphinx extension: the page of exam questions lists them, and shows a sheet.

``{exam-questions}`` writes a table of all questions, ``{exam-sheet} 45 7`` the ready sheet for 45
minutes with the numbers of seed 7. The printed book leaves both out.
"""

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from posenc_course.exam import GRADES, QUESTIONS, chosen, sheet


def listed():
    """The table of all questions."""
    lines = ["| Question | Name | Chapter | Grade | Points |", "|---|---|---|---|---|"]
    for name, question in QUESTIONS.items():
        chapter, grade = f"{{ref}}`{question.chapter}`", GRADES[question.grade]
        points = question.ask(1).points
        lines.append(f"| {question.title} | `{name}` | {chapter} | {grade} | {points} |")
    return "\n".join(lines)


class ExamQuestions(Directive):
    """List the questions."""

    def run(self):
        return self.parsed(listed(), "on-screen")

    def parsed(self, text, *classes):
        container = nodes.container(classes=list(classes))
        lines = StringList(text.splitlines(), source="posenc_course/exam")
        self.state.nested_parse(lines, self.content_offset, container)
        return [container]


class ExamSheet(ExamQuestions):
    """Show a ready sheet."""

    required_arguments = 2

    def run(self):
        minutes, seed = map(int, self.arguments)
        return self.parsed(sheet(chosen(minutes=minutes), seed), "on-screen")


def setup(app):
    """Register the extension with Sphinx."""
    app.add_directive("exam-questions", ExamQuestions)
    app.add_directive("exam-sheet", ExamSheet)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
