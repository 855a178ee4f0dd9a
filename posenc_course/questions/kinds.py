"""The four kinds of question: a number, a choice, blanks in a table, a prediction."""

from __future__ import annotations

import math

import numpy as np

from posenc._checks import real_array, real_number, shown
from posenc_course.questions.question import (
    Question,
    checked_tolerance,
    close,
    hints,
    in_words,
    keypad,
    rounded,
    words,
)
from posenc_course.widget import markup

__all__ = ["Blanks", "Choice", "Number", "Predict"]


def _with_unit(text, unit):
    return f"{text} {unit}".rstrip()


def _options(options):
    """Return the options as a list, and for those that have a hint, their places and the hints."""
    if not isinstance(options, dict) or len(options) < 2:
        raise ValueError(
            f"options must be a dict of two texts or more, each with a hint or '', got {options!r}"
        )
    hinted = enumerate(words(hint, "a hint", optional=True) for hint in options.values())
    return [words(option, "an option") for option in options], [pair for pair in hinted if pair[1]]


def _for_wrong_ones(told, right):
    """Return pairs of a choice and its hint as lists, if none is for the right choice."""
    for choice, hint in told:
        if choice == right:
            raise ValueError(f"a hint must be for another choice than the answer, got {hint!r}")
    return [list(pair) for pair in told]


def _place(option, options, name):
    if option not in options:
        raise ValueError(f"{name} must be one of the options {options!r}, got {option!r}")
    return options.index(option)


def _paragraph(text):
    return f"<p>{markup(text)}.</p>\n"


def _list_of(options):
    items = "".join(f"<li>{markup(option)}</li>\n" for option in options)
    return f"<ul>\n{items}</ul>\n"


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
        answer = rounded(real_number(answer, "answer"))
        tolerance = checked_tolerance(tolerance, answer)
        pairs = hints(wrong or {}, answer, tolerance)
        content = {
            "answer": answer,
            "tolerance": tolerance,
            "unit": words(unit, "unit", optional=True),
            "wrong": pairs,
            "shown": _with_unit(in_words(answer, tolerance), unit),
            "keypad": keypad(answer, [value for value, _ in pairs]),
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
    answer : str, or list of str
        The right option. Where it is a list, several may be ticked.
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
    ...     answer="No",
    ...     because="It adds the same terms in a different order.",
    ...     nudge="Write down both sums.",
    ... ).named("order-1")
    Choice('order-1')
    """

    kind = "choice"

    def __init__(self, text, *, options, answer, wrong=None, **said):
        options, pairs = _options(options)
        several = not isinstance(answer, str)
        if several and not (isinstance(answer, list) and answer):
            raise TypeError(f"answer must be an option, or a list of options, got {shown(answer)}")
        right = sorted(_place(one, options, "answer") for one in (answer if several else [answer]))
        if len(set(right)) < len(right):
            raise ValueError(f"the answers must differ from each other, got {answer!r}")
        if wrong and not several:
            raise ValueError(f"wrong must be left out where one option is chosen, got {wrong!r}")
        told = [([place], hint) for place, hint in pairs]
        for group, hint in (wrong or {}).items():
            places = sorted(_place(one, options, "a wrong answer") for one in group)
            told.append((places, words(hint, "a hint")))
        content = {
            "options": options,
            "several": several,
            "answer": right,
            "wrong": _for_wrong_ones(told, right),
        }
        super().__init__(text, content, **said)

    def _fallback(self):
        options = self.question["options"]
        answer = " and ".join(f"“{options[place]}”" for place in self.question["answer"])
        return _list_of(options), _paragraph(answer)


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
        table = np.atleast_2d(real_array(answer, "answer"))
        names = [
            [words(name, "a name", optional=True) for name in group] for group in (rows, columns)
        ]
        shape = tuple(map(len, names))
        if table.shape != shape or not table.size:
            raise ValueError(
                f"answer must have a number for each of {shape[0]} rows and {shape[1]} columns, "
                f"got shape {table.shape}"
            )
        tolerance = checked_tolerance(tolerance, table)
        pairs = []
        for other, hint in wrong:
            numbers = np.atleast_2d(real_array(other, "a wrong table"))
            if numbers.shape != shape:
                raise ValueError(f"a wrong table must have shape {shape}, got {numbers.shape}")
            for known, what in [(table, "the answer"), *((one, "the others") for one, _ in pairs)]:
                if close(numbers, np.array(known), tolerance).all():
                    raise ValueError(f"a wrong table must differ from {what}, got {numbers!r}")
            pairs.append([_table(numbers), words(hint, "a hint")])
        content = {
            "answer": _table(table),
            "rows": names[0],
            "columns": names[1],
            "tolerance": tolerance,
            "wrong": pairs,
            "shown": [[in_words(value, tolerance) for value in row] for row in _table(table)],
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
    """A guess to commit to, and only then the answer beside it.

    There are three forms. A **slider**: after the commitment the answer is drawn beside the guess
    on a number line. A slider with a **curve** (`x` and `y`): the guess is marked in empty axes,
    and the curve is drawn after the commitment. A **choice** (`options`), after which the curve, if
    there is one, is drawn.

    Parameters
    ----------
    text, because : str
        As for every question: see `posenc_course.questions`. `because` is said after any guess.
    answer : float or str
        The right value, or the right option.
    nudge : str, optional
        Said after a guess that is off and has no hint: where to look in the drawing.
    slider : (float, float, float), optional
        The ends of the slider and its step, for a number.
    unit : str, optional
        The unit of the number.
    tolerance : float, optional
        How far from the answer is still right; by default half a step.
    options : dict of str to str, optional
        What there is to choose from, in place of a slider, as for a `Choice`.
    wrong : dict of float to str, optional
        The hint for each typical wrong guess.
    x, y : (array_like of real numbers, shape (n,), str), optional
        The curve: the numbers of each axis, and its name with the unit.
    at : float, optional
        The x whose value on the curve is asked for. Without it the guess is a place on the x axis.

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
        because,
        nudge="",
        slider=None,
        unit="",
        tolerance=None,
        options=None,
        wrong=None,
        x=None,
        y=None,
        at=None,
    ):
        if (options is None) == (slider is None):
            raise ValueError(
                "a prediction must have either a slider or options, "
                f"got slider {slider!r} and options {shown(options)}"
            )
        if options is None:
            content = _slider(answer, slider, unit, tolerance, wrong or {})
        else:
            content = _guesses(answer, options)
        content |= _curve(x, y)
        if at is None:
            content |= {"on": "x", "at": None}
        else:
            content |= {"on": "y", "at": real_number(at, "at")}
        super().__init__(text, content, because=because, nudge=nudge)

    def _fallback(self):
        options = self.question["options"]
        return _list_of(options) if options else "", _paragraph(self.question["shown"])


def _slider(answer, slider, unit, tolerance, wrong):
    low, high, step = (rounded(real_number(one, "an end or a step")) for one in slider)
    answer = rounded(real_number(answer, "answer"))
    if not (low <= answer <= high and 0 < step <= high - low):
        raise ValueError(
            "the slider must hold the answer, got "
            f"answer {answer:g}, low {low:g}, high {high:g}, step {step:g}"
        )
    tolerance = checked_tolerance(step / 2 if tolerance is None else tolerance, answer)
    if tolerance < step / 2:
        raise ValueError(
            f"tolerance must be at least half a step, or no guess is right, got {tolerance:g} "
            f"for step {step:g}"
        )
    # As the browser steps: from low, and never beyond high.
    last = math.floor((high - low) / step * (1 + 1e-9))
    nearest = low + min(round((answer - low) / step), last) * step
    if not close(nearest, answer, tolerance):
        raise ValueError(
            f"a step of the slider must be the answer within the tolerance {tolerance:g}, got "
            f"answer {answer:g}, and {nearest:g} is the nearest step"
        )
    return {
        "low": low,
        "high": high,
        "step": step,
        "start": rounded(low + min(round((high - low) / 2 / step), last) * step),
        "unit": words(unit, "unit", optional=True),
        "answer": answer,
        "tolerance": tolerance,
        "wrong": hints(wrong, answer, tolerance),
        "shown": _with_unit(in_words(answer, tolerance), unit),
        "options": None,
    }


def _guesses(answer, options):
    options, pairs = _options(options)
    place = _place(answer, options, "answer")
    told = _for_wrong_ones(pairs, place)
    return {"options": options, "answer": place, "wrong": told, "shown": f"“{answer}”", "unit": ""}


def _curve(x, y):
    if x is None and y is None:
        return {"x": None}
    if x is None or y is None:
        raise ValueError("a curve must have both x and y, got one of them")
    places, values = real_array(x[0], "x"), real_array(y[0], "y")
    if places.ndim != 1 or places.shape != values.shape or places.size < 2:
        raise ValueError(
            "x and y must be as many numbers each, two at least, "
            f"got shapes {places.shape} and {values.shape}"
        )
    if places.min() == places.max():
        raise ValueError(f"x must hold different numbers, got {shown(x[0])}")
    return {
        "x": [float(f"{value:.5g}") for value in places],
        "y": [float(f"{value:.5g}") for value in values],
        "x_label": words(x[1], "the name of x"),
        "y_label": words(y[1], "the name of y"),
    }


def _table(array):
    return [[rounded(value) for value in row] for row in array]
