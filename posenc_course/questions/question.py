"""What every question shares: its key, its words, its numbers."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from traitlets import Dict

from posenc_course.widget import Widget, markup

__all__ = ["Question", "in_words", "keypad", "rounded", "tolerance_of"]

_HERE = Path(__file__).parent


def rounded(value):
    """Return a number to ten digits, so that every machine stores the same."""
    return float(f"{float(value):.10g}")


def in_words(value, tolerance):
    """Return a number as the page shows it: no more digits than the tolerance asks for."""
    value = float(value)
    if value.is_integer() and abs(value) < 1e15:
        return _grouped(value, 0)
    exponent = math.floor(math.log10(abs(value)))
    finest = math.ceil(-math.log10(2 * tolerance)) if tolerance else 9 - exponent
    for digits in range(min(-exponent, finest), finest + 1):
        text = _grouped(value, digits)
        off = abs(round(value, digits) - value)
        enough = off <= max(tolerance / 2, 1e-10 * abs(value))
        # 0.999 is shown as a whole number only where no digit more is asked for.
        if enough and (digits < 1 or not round(value, digits).is_integer()):
            break
    return text if exponent > -6 else _with_power(value, digits + exponent)


def _grouped(value, digits):
    value = round(value, digits) + 0.0  # no minus before 0
    text = f"{value:,.{max(digits, 0)}f}"
    # Four digits are read without a gap.
    return text.replace(",", "\u202f" if abs(value) >= 1e4 else "").replace("-", "\u2212")


def _with_power(value, digits):
    """Return a number that is near 0 as 2.5·10⁻⁹."""
    mantissa, power = f"{value:.{digits}e}".split("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    lead = "" if float(mantissa) == 1 else f"{mantissa}·"
    return f"{lead}10{raised}".replace("-", "\u2212")


def tolerance_of(tolerance, answers):
    """Return a tolerance; by default 0 for whole numbers, else half a percent of the largest."""
    if tolerance is not None:
        return float(tolerance)
    answers = np.asarray(answers, dtype=float)
    return 0.0 if (answers == np.round(answers)).all() else 0.005 * float(np.abs(answers).max())


def keypad(*numbers):
    """Return the keyboard of a phone that can type the numbers: the decimal one has no minus."""
    return "text" if min(map(np.min, numbers)) < 0 else "decimal"


class Question(Widget):
    """A question that answers back, with or without a kernel.

    A subclass puts what the page must know into a dict; its `_fallback` returns HTML: what there
    is to fill in or choose from, and the answer.

    Parameters
    ----------
    text : str
        The question: plain text, with `code` in backticks.
    content : dict
        What the kind adds: the answer, its tolerance, options, hints.
    because : str
        The reason in one sentence, said after a right answer.
    nudge : str
        What to think about, said after a wrong answer that has no hint of its own.
    """

    kind = None
    question = Dict().tag(sync=True)
    _class = "posenc posenc-question"
    _mark = "question"
    _mount = "mount();"
    _module = _HERE / "question.js"
    _sheets = (_HERE.parent / "views" / "view.css", _HERE / "question.css")
    _run = "it takes your answer"

    def __init__(self, text, content, *, because, nudge=""):
        shared = {"kind": self.kind, "key": "", "text": text, "because": because, "nudge": nudge}
        super().__init__(question={**shared, **content})

    def named(self, key):
        """Return the question with its key, under which the reader's browser keeps the answer."""
        self.question = {**self.question, "key": key}
        return self

    def name(self):
        """Return the key."""
        return self.question["key"]

    def data(self):
        """Return what is asked."""
        return self.question

    def static(self):
        """Return the question and a folded answer."""
        fields, answer = self._fallback()
        return (
            f"<p><b>{markup(self.question['text'])}</b></p>\n{fields}"
            f"<details><summary>The answer</summary>\n{answer}"
            f"<p>{markup(self.question['because'])}</p></details>\n"
        )

    def __repr__(self):
        """Return the kind of question and its key, which does not give the answer away."""
        return f"{type(self).__name__}({self.name()!r})"
