"""What every question shares: its key, its words, and the two hosts it can be asked in."""

from __future__ import annotations

import json
import math
import re
from html import escape
from pathlib import Path

import anywidget
import numpy as np
from traitlets import Dict

from course.views.view import View
from posenc._checks import real_array, real_number, shown

__all__ = ["Question", "hints", "in_words", "module", "rounded", "words"]

_HERE = Path(__file__).parent
_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*-[1-9][0-9]*")


def module():
    """Return the text of the one ES module of all questions.

    Every stored question holds it, so it goes without comments and without indentation.

    Returns
    -------
    str
        A module that declares ``render`` and ``mount`` and exports nothing.
    """
    text = (_HERE / "question.js").read_text(encoding="utf-8")
    text = re.sub(r"^export (?=(function|const) )", "", text, flags=re.MULTILINE)
    lines = map(str.strip, text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


def style_sheet():
    """Return the style sheet of a view and that of a question, without indentation.

    Returns
    -------
    str
        The rules, a declaration on each line.
    """
    text = View._css + (_HERE / "question.css").read_text(encoding="utf-8")
    return "".join(f"{line.strip()}\n" for line in text.splitlines())


def words(text, name, *, optional=False):
    """Return `text`, if it is plain words: no LaTeX, no HTML, each backtick with its partner."""
    if optional and text == "":
        return ""
    if not isinstance(text, str) or not text.strip():
        raise TypeError(f"{name} must be a text that is not empty, got {shown(text)}")
    plain = re.sub(r"`[^`]*`", "", text)
    for pattern, what in ((r"\$|\\", "LaTeX"), (r"</?[a-z]", "HTML"), (r"`", "a single backtick")):
        if re.search(pattern, plain):
            raise ValueError(
                f"{name} must be plain text with `code` in backticks, got {what} in {text!r}"
            )
    return text


def rounded(value):
    """Return a number to ten digits, so that every machine stores the same."""
    return float(f"{float(value):.10g}")


def in_words(value, tolerance):
    """Return a number as the page shows it: as many digits as the tolerance asks for."""
    if float(value).is_integer() and abs(value) < 1e15:
        text = f"{int(value):,}".replace(",", "\u202f") if abs(value) >= 1e4 else str(int(value))
    else:
        digits = -math.floor(math.log10(tolerance)) if tolerance else 6
        text = f"{value:.{digits}f}" if 0 <= digits <= 8 else f"{value:.4g}"
        text = re.sub(r"e([-+])0*", lambda found: "e" + found[1].replace("+", ""), text)
    return text.replace("-", "\u2212")


def default_tolerance(answers):
    """Return 0 for whole numbers, else half a percent of the largest."""
    answers = np.asarray(answers, dtype=float)
    return 0.0 if (answers == np.round(answers)).all() else 0.005 * float(np.abs(answers).max())


def checked_tolerance(tolerance, answers):
    """Return `tolerance` as a float that is not negative; None means the default."""
    if tolerance is None:
        return default_tolerance(answers)
    number = real_number(tolerance, "tolerance")
    if number < 0:
        raise ValueError(f"tolerance must not be negative, got {tolerance!r}")
    return number


def close(one, other, tolerance):
    """Tell whether two numbers agree within `tolerance`, as the page does."""
    return np.abs(one - other) <= tolerance * (1 + 1e-9) + 1e-9 * np.abs(other)


def hints(wrong, answer, tolerance):
    """Return the typical wrong numbers and their hints as pairs, if no wrong one is right.

    Parameters
    ----------
    wrong : dict of float to str
        The hint for each typical wrong answer.
    answer, tolerance : float
        The right answer and how far from it is still right.

    Returns
    -------
    list of (float, str)
        In the order of `wrong`.
    """
    if not isinstance(wrong, dict):
        raise TypeError(f"wrong must be a dict of answers and hints, got {shown(wrong)}")
    pairs = []
    for value, hint in wrong.items():
        number = rounded(real_number(value, "a wrong answer"))
        if close(number, answer, tolerance):
            raise ValueError(
                f"a wrong answer must differ from the answer {answer:g} by more than the "
                f"tolerance {tolerance:g}, got {number:g}"
            )
        pairs.append([number, words(hint, "a hint")])
    return pairs


def keypad(*numbers):
    """Return the keyboard of a phone that can type the numbers: the decimal one has no minus."""
    lowest = min(real_array(part, "numbers").min(initial=0.0) for part in numbers)
    return "text" if lowest < 0 else "decimal"


class Question(anywidget.AnyWidget):
    """A question that answers back, with or without a kernel.

    A subclass puts what the page must know into a dict and what stands where scripts do not run
    into a few lines of HTML.

    Parameters
    ----------
    key : str
        The name under which the reader's browser keeps the answer: ``<chapter label>-<n>``,
        ``<chapter label>-ex-<n>`` for an exercise. Once in the book.
    text : str
        The question: plain text, with `code` in backticks.
    because : str
        The reason in one sentence, said after a right answer.
    nudge : str
        What to think about, said after a wrong answer that has no hint of its own.
    **content
        What the kind adds: the answer, its tolerance, options, hints.

    Raises
    ------
    ValueError
        If the key has another form, or a text holds LaTeX or HTML.
    TypeError
        If a text is missing or empty.
    """

    kind = None
    question = Dict().tag(sync=True)
    _esm = module() + "\nexport default { render };\n"
    _css = style_sheet()

    def __init__(self, key, text, *, because, nudge, **content):
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise ValueError(
                "key must be the chapter's label and a number, as 'rotation-1' or "
                f"'rotation-ex-1', got {key!r}"
            )
        shared = {
            "kind": self.kind,
            "key": key,
            "text": words(text, "text"),
            "because": words(because, "because"),
            "nudge": words(nudge, "nudge", optional=self.kind == "predict"),
        }
        super().__init__(question={**shared, **content})

    @property
    def key(self):
        """The name of the question."""
        return self.question["key"]

    def _fallback(self):
        """Return HTML: what there is to fill in or choose from, and the answer."""
        raise NotImplementedError

    def html(self):
        """Return the question as HTML that answers without a kernel.

        The text depends on the question alone. Where scripts do not run it shows the question
        and a folded answer. The style sheet and the script are the same for all questions, so
        a page with several of them needs each once (``extensions/questions_index.py``).

        Returns
        -------
        str
            A style sheet, an element that holds the question, and the script that asks it.
        """
        state = escape(json.dumps(self.question, ensure_ascii=False))
        fields, answer = self._fallback()
        return (
            f"<style>\n/* posenc question */\n{self._css}</style>\n"
            f'<div class="posenc posenc-question" data-question="{self.key}" '
            f'data-state="{state}">\n'
            f"<p><b>{markup(self.question['text'])}</b></p>\n{fields}"
            f"<details><summary>The answer</summary>\n{answer}"
            f"<p>{markup(self.question['because'])}</p></details>\n</div>\n"
            f'<script type="module">\n/* posenc question */\n{module()}mount();\n</script>'
        )

    def __repr__(self):
        """Return the kind of question and its key, which does not give the answer away."""
        return f"{type(self).__name__}({self.key!r})"

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, "text/plain": repr(self), "text/html": self.html()}, metadata


def markup(text):
    """Return plain text as HTML, what stands in backticks as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))
