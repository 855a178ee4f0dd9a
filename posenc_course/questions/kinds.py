"""The four kinds of question: a number, a choice, blanks in a table, a prediction."""

from __future__ import annotations

import numpy as np

from posenc_course.questions.question import Question, in_words, keypad, rounded, tolerance_of
from posenc_course.widget import markup

__all__ = ["Blanks", "Choice", "Number", "Predict"]


def _with_unit(text, unit):
    return f"{text} {unit}".rstrip()


def _hints(wrong):
    return [[rounded(value), hint] for value, hint in (wrong or {}).items()]


def _paragraph(text):
    return f"<p>{markup(text)}.</p>\n"


class Number(Question):
    """A question whose answer is a number.

    The reader may type a comma or a point, any minus sign, a fraction, a root or a multiple of π,
    with or without the unit.

    Parameters
    ----------
    text : str
        The question.
    answer : float
        The right answer, computed.
    unit : str, optional
        The unit, shown beside the field.
    tolerance : float, optional
        How far from the answer is still right. By default 0 for a whole number, else half a
        percent of the answer.
    wrong : dict of float to str, optional
        The hint for each typical wrong answer, computed too.
    **said : str
        `because` and `nudge`, as for every question: see `posenc_course.questions`.

    Examples
    --------
    >>> from posenc import frequencies, wavelengths
    >>> Number(
    ...     "How far does the hand of pair 2 turn in 5 tokens?",
    ...     answer=5 * frequencies(8, base=256)[2],
    ...     unit="radians",
    ...     tolerance=0.01,
    ...     wrong={wavelengths(8, base=256)[2]: "That is the wavelength, in tokens."},
    ...     because="Each token turns it by 0.0625, five tokens by five times that.",
    ...     nudge="Start from the turn in one token.",
    ... ).named("rotation-1")
    Number('rotation-1')
    """

    kind = "number"

    def __init__(self, text, *, answer, unit="", tolerance=None, wrong=None, **said):
        answer = rounded(answer)
        tolerance = tolerance_of(tolerance, answer)
        pairs = _hints(wrong)
        content = {
            "answer": answer,
            "tolerance": tolerance,
            "unit": unit,
            "wrong": pairs,
            "shown": _with_unit(in_words(answer, tolerance), unit),
            "keypad": keypad(answer, *(value for value, _ in pairs)),
        }
        super().__init__(text, content, **said)

    def _fallback(self):
        return "", _paragraph(self.question["shown"])


class Choice(Question):
    """A question whose answer is one of a few options, or several of them.

    Parameters
    ----------
    text : str
        The question.
    options : dict of str to str
        What there is to choose from, in the order shown, each with the hint for whoever chooses
        it, or "". Where several may be ticked, a right one has the hint for it alone.
    answer : str, or list of str, optional
        The right option; by default the one that has no hint. Where it is a list, several may be
        ticked.
    wrong : dict of tuple to str, optional
        Where several may be ticked, the hint for just those of a tuple.
    **said : str
        `because` and `nudge`, as for every question: see `posenc_course.questions`.

    Examples
    --------
    >>> Choice(
    ...     "Attention without positions reads `dog bites man` and `man bites dog`. Does it see "
    ...     "a difference?",
    ...     options={"Yes": "What is left of a sum when its terms change places?", "No": ""},
    ...     because="It adds the same terms in a different order.",
    ...     nudge="Write down both sums.",
    ... ).named("order-1")
    Choice('order-1')
    """

    kind = "choice"

    def __init__(self, text, *, options, answer=None, wrong=None, **said):
        if answer is None:
            (answer,) = (option for option, hint in options.items() if not hint)
        hints = options.values()
        options = [*options]
        several = not isinstance(answer, str)

        def places(chosen):
            return sorted(map(options.index, chosen))

        content = {
            "options": options,
            "several": several,
            "answer": places(answer if several else [answer]),
            "wrong": [[[place], hint] for place, hint in enumerate(hints) if hint]
            + [[places(group), hint] for group, hint in (wrong or {}).items()],
        }
        super().__init__(text, content, **said)

    def _fallback(self):
        options = self.question["options"]
        answer = " and ".join(f"“{options[place]}”" for place in self.question["answer"])
        items = "".join(f"<li>{markup(option)}</li>\n" for option in options)
        return f"<ul>\n{items}</ul>\n", _paragraph(answer)


class Blanks(Question):
    """A small table of numbers to fill in, checked cell by cell.

    Parameters
    ----------
    text : str
        The question.
    answer : array_like of real numbers, shape (n_rows, n_columns) or (n_columns,)
        The right table, computed.
    rows, columns : sequence of str
        The names of the rows and columns. A table of one row needs no `rows`.
    tolerance : float, optional
        How far from the answer is still right, the same for all cells. By default 0 for whole
        numbers, else half a percent of the largest.
    wrong : sequence of (array_like, str), optional
        Typical wrong tables, each with its hint, said to whoever fills in all of that table.
    **said : str
        `because` and `nudge`, as for every question: see `posenc_course.questions`.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> Blanks(
    ...     "Fill in the first pair of each row, to two decimals.",
    ...     answer=sinusoidal(3, 4, base=100)[:, :2],
    ...     rows=["k = 0", "k = 1", "k = 2"],
    ...     columns=["sin k", "cos k"],
    ...     tolerance=0.006,
    ...     wrong=[(sinusoidal([1, 2, 3], 4, base=100)[:, :2], "You counted from 1.")],
    ...     because="Pair 0 turns by one radian per token.",
    ...     nudge="Row k holds the sine and the cosine of k.",
    ... ).named("worked-example-2")
    Blanks('worked-example-2')
    """

    kind = "blanks"

    def __init__(self, text, *, answer, columns, rows=("",), tolerance=None, wrong=(), **said):
        tolerance = tolerance_of(tolerance, answer)
        table, pairs = _table(answer), [[_table(other), hint] for other, hint in wrong]
        content = {
            "answer": table,
            "rows": [*rows],
            "columns": [*columns],
            "tolerance": tolerance,
            "wrong": pairs,
            "shown": [[in_words(value, tolerance) for value in row] for row in table],
            "keypad": keypad(table, *(numbers for numbers, _ in pairs)),
        }
        super().__init__(text, content, **said)

    def _fallback(self):
        def cells(tag, texts):
            return "".join(f"<{tag}>{markup(text)}</{tag}>" for text in texts)

        def table(entries):
            rows = (
                f"<tr>{cells('th', [name])}{cells('td', row)}</tr>\n"
                for name, row in zip(self.question["rows"], entries, strict=True)
            )
            head = cells("th", ["", *self.question["columns"]])
            return f"<table>\n<tr>{head}</tr>\n{''.join(rows)}</table>\n"

        full = self.question["shown"]
        return table([["…"] * len(row) for row in full]), table(full)


class Predict(Question):
    """A guess to commit to on a slider, and only then the answer beside it.

    The answer is drawn beside the guess on a number line. With a **curve** (`x` and `y`) the guess
    is marked in empty axes, and the curve is drawn after the commitment.

    Parameters
    ----------
    text : str
        The question.
    answer : float
        The right value.
    slider : (float, float, float)
        The ends of the slider and its step.
    unit : str, optional
        The unit of the number.
    tolerance : float, optional
        How far from the answer is still right; by default half a step.
    wrong : dict of float to str, optional
        The hint for each typical wrong guess.
    x, y : (array_like of real numbers, shape (n,), str), optional
        The curve: the numbers of each axis, and its name with the unit.
    at : float, optional
        The x whose value on the curve is asked for. Without it the guess is a place on the x axis.
    **said : str
        `because`, said after any guess, and a `nudge`, which may be left out: where to look in the
        drawing after a guess that is off and has no hint.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import sinusoidal
    >>> table = sinusoidal(64, 4, base=100)
    >>> distance = np.linalg.norm(table - table[0], axis=1)
    >>> Predict(
    ...     "Width 4 and base 100: which position is nearest to position 0?",
    ...     slider=(1, 63, 1),
    ...     answer=1 + np.argmin(distance[1:]),
    ...     wrong={1: "The first clock has moved by a whole radian there."},
    ...     because="At 63 both hands are back near their start.",
    ...     x=(np.arange(64), "position"),
    ...     y=(distance, "distance from position 0"),
    ... ).named("wavelengths-3")
    Predict('wavelengths-3')
    """

    kind = "predict"

    def __init__(
        self,
        text,
        *,
        answer,
        slider,
        unit="",
        tolerance=None,
        wrong=None,
        x=((), ""),
        y=((), ""),
        at=None,
        **said,
    ):
        low, high, step, answer = map(rounded, (*slider, answer))
        tolerance = tolerance_of(step / 2 if tolerance is None else tolerance, answer)
        content = {
            "low": low,
            "high": high,
            "step": step,
            "start": rounded(low + round((high - low) / 2 / step) * step),
            "unit": unit,
            "answer": answer,
            "tolerance": tolerance,
            "wrong": _hints(wrong),
            "shown": _with_unit(in_words(answer, tolerance), unit),
            "x": [float(f"{value:.5g}") for value in x[0]],
            "y": [float(f"{value:.5g}") for value in y[0]],
            "x_label": x[1],
            "y_label": y[1],
            "at": None if at is None else float(at),
        }
        super().__init__(text, content, **said)

    def _fallback(self):
        return "", _paragraph(self.question["shown"])


def _table(array):
    return [[rounded(value) for value in row] for row in np.atleast_2d(array)]
