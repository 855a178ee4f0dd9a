"""Sphinx extension: the page of exam questions lists them, and shows a sheet.

``{exam-questions}`` writes a table of all questions, ``{exam-sheet} 45 7`` the ready sheet for 45
minutes with the numbers of seed 7. The printed book leaves both out.
"""

from extensions.generated import directive
from posenc_course.exam import QUESTIONS, chosen, sheet


def listed():
    """The table of all questions."""
    lines = ["| Question | Name | Chapter | Grade | Points |", "|---|---|---|---|---|"]
    for name, question in QUESTIONS.items():
        chapter, points = f"{{ref}}`{question.chapter}`", question.ask(1).points
        lines.append(f"| {question.title} | `{name}` | {chapter} | {question.grade} | {points} |")
    return "\n".join(lines)


def ready(minutes, seed):
    """A sheet for so many minutes, with the numbers of a seed."""
    return sheet(chosen(minutes=int(minutes)), int(seed))


def setup(app):
    """Register the extension with Sphinx."""
    app.add_directive("exam-questions", directive(listed, classes=["on-screen"]))
    app.add_directive("exam-sheet", directive(ready, arguments=2, classes=["on-screen"]))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
