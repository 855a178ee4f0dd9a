"""The widget of a question, and what it shows where no script runs."""

from pathlib import Path

from traitlets import Dict

from posenc_course.questions.kinds import Asked
from posenc_course.widget import Widget, markup
from posenc_course.words import _

_HERE = Path(__file__).parent


class Question(Widget):
    """A question that answers back, with or without a kernel.

    Parameters
    ----------
    key : str
        Its name, under which the reader's browser keeps the answer.
    asked : dict
        What one of the four kinds returns.
    """

    question = Dict().tag(sync=True)
    _class = "posenc posenc-question"
    _mark = "question"
    _mount = "mount();"
    _module = _HERE / "question.js"
    _sheets = (_HERE.parent / "views" / "view.css", _HERE / "question.css")
    _run = "it takes your answer"

    def __init__(self, key: str, asked: Asked) -> None:
        """Give the widget its data, which is what was asked under its key."""
        super().__init__(question={**asked, "key": key})

    def html(self) -> str:
        """Return the HTML of the question that a notebook stores, with its answer in a fold."""
        asked, fields = self.question, ""
        sentence = "<p>" + _("{answer}.") + "</p>\n"  # Chinese ends a sentence with another sign
        if asked["kind"] == "blanks":  # the table, empty and then filled in
            empty = [["…"] * len(row) for row in asked["shown"]]
            fields, answer = self._table(empty), self._table(asked["shown"])
        elif asked["kind"] == "choice":
            options = asked["options"]
            items = "".join(f"<li>{markup(option)}</li>\n" for option in options)
            fields = f"<ul>\n{items}</ul>\n"
            right = _(" and ").join(f"“{options[place]}”" for place in asked["answer"])
            answer = sentence.format(answer=markup(right))
        else:  # a number or a prediction, whose field only a script can show
            answer = sentence.format(answer=markup(asked["shown"]))
        title = _("The answer")
        static = (
            f"<p><b>{markup(asked['text'])}</b></p>\n{fields}"
            f"<details><summary>{title}</summary>\n{answer}"
            f"<p>{markup(asked['because'])}</p></details>\n"
        )
        return self.stored(asked["key"], asked, static)

    def _table(self, entries: list[list[str]]) -> str:
        """Return rows of texts as an HTML table, with the question's names of rows and columns."""

        def line(tag: str, heading: str, texts: list[str]) -> str:
            """Return a table row as HTML: its heading, then each text in a `tag`, td or th."""
            cells = "".join(f"<{tag}>{markup(text)}</{tag}>" for text in texts)
            return f"<tr><th>{markup(heading)}</th>{cells}</tr>\n"

        rows = zip(self.question["rows"], entries, strict=True)
        body = "".join(line("td", *row) for row in rows)
        head = line("th", "", self.question["columns"])  # the corner is empty
        return f"<table>\n{head}{body}</table>\n"

    def __repr__(self) -> str:
        """Return "Number('rotation-11')", the kind and the key, and nothing of the answer."""
        return f"{self.question['kind'].title()}({self.question['key']!r})"
