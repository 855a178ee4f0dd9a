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
    """Return the options as a list of different texts, two at least."""
    if isinstance(options, str) or len(options) < 2:
        raise ValueError(f"options must be two texts or more, got {shown(options)}")
    texts = [words(option, "an option") for option in options]
    if len(set(texts)) < len(texts):
        raise ValueError(f"options must differ from each other, got {options!r}")
    return texts


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
    key, text, because, nudge : str
        As for every question: see `posenc_course.questions`.
    answer : float
        The right answer, computed.
    unit : str, optional
        The unit, shown beside the field.
    tolerance : float, optional
        How far from the answer is still right. By default 0 for a whole number, else half a
        percent of the answer.
    wrong : dict of float to str, or sequence of (float, str), optional
        The hint for each typical wrong answer, computed too.

    Examples
    --------
    >>> from posenc import frequencies, wavelengths
    >>> Number(
    ...     "rotation-1",
    ...     "How far does the hand of pair 2 turn in 5 tokens?",
    ...     answer=5 * frequencies(8, base=256)[2],
    ...     unit="radians",
    ...     tolerance=0.01,
    ...     wrong={wavelengths(8, base=256)[2]: "That is the wavelength, in tokens."},
    ...     because="Each token turns it by 0.0625, five tokens by five times that.",
    ...     nudge="Start from the turn in one token.",
    ... )
    Number('rotation-1')
    """

    kind = "number"

    def __init__(self, key, text, *, answer, because, nudge, unit="", tolerance=None, wrong=None):
        answer = rounded(real_number(answer, "answer"))
        tolerance = checked_tolerance(tolerance, answer)
        pairs = hints(wrong or {}, answer, tolerance)
        super().__init__(
            key,
            text,
            because=because,
            nudge=nudge,
            answer=answer,
            tolerance=tolerance,
            unit=words(unit, "unit", optional=True),
            wrong=pairs,
            shown=_with_unit(in_words(answer, tolerance), unit),
            keypad=keypad(answer, [value for value, _ in pairs]),
        )

    def _fallback(self):
        return "", _paragraph(self.question["shown"])


class Choice(Question):
    """A question whose answer is one of a few options, or several of them.

    Parameters
    ----------
    key, text, because, nudge : str
        As for every question: see `posenc_course.questions`.
    options : sequence of str
        What there is to choose from, in the order shown.
    answer : str, or list or tuple of str
        The right option. Where it is a list or a tuple, several may be ticked.
    wrong : dict of str to str, optional
        The hint for each wrong option. Where several may be ticked a key may also be a tuple
        of options: the hint for just those.

    Examples
    --------
    >>> Choice(
    ...     "order-1",
    ...     "Attention without positions reads `dog bites man` and `man bites dog`. Does it see "
    ...     "a difference?",
    ...     options=["Yes", "No"],
    ...     answer="No",
    ...     wrong={"Yes": "What is left of a sum when its terms change places?"},
    ...     because="It adds the same terms in a different order.",
    ...     nudge="Write down both sums.",
    ... )
    Choice('order-1')
    """

    kind = "choice"

    def __init__(self, key, text, *, options, answer, because, nudge, wrong=None):
        options = _options(options)
        several = not isinstance(answer, str)
        if several and (not isinstance(answer, list | tuple) or not answer):
            raise TypeError(f"answer must be an option, or a list of options, got {shown(answer)}")
        right = [_place(one, options, "answer") for one in (answer if several else [answer])]
        if len(set(right)) < len(right):
            raise ValueError(f"the answers must differ from each other, got {answer!r}")
        if not isinstance(wrong or {}, dict):
            raise TypeError(f"wrong must be a dict of options and hints, got {shown(wrong)}")
        pairs = []
        for chosen, hint in (wrong or {}).items():
            group = list(chosen) if isinstance(chosen, tuple) else [chosen]
            places = [_place(one, options, "a wrong answer") for one in group]
            if len(group) > 1 and not several:
                raise ValueError(f"a wrong answer must be one option, got {chosen!r}")
            if set(places) == set(right):
                raise ValueError(f"a wrong answer must differ from the answer, got {chosen!r}")
            pairs.append([sorted(places), words(hint, "a hint")])
        super().__init__(
            key,
            text,
            because=because,
            nudge=nudge,
            options=options,
            several=several,
            answer=sorted(right),
            wrong=pairs,
        )

    def _fallback(self):
        options = self.question["options"]
        answer = " and ".join(f"“{options[place]}”" for place in self.question["answer"])
        return _list_of(options), _paragraph(answer)


class Blanks(Question):
    """A small table of numbers to fill in, checked cell by cell.

    Parameters
    ----------
    key, text, because, nudge : str
        As for every question: see `posenc_course.questions`.
    answer : array_like of real numbers, shape (n_rows, n_columns) or (n_columns,)
        The right table, computed.
    rows, columns : sequence of str
        The names of the rows and columns. A table of one row needs no `rows`.
    corner : str, optional
        The heading of the column of row names.
    given : array_like of bool, shape of `answer`, optional
        Where True, the cell is printed and not asked for.
    tolerance : float, optional
        How far from the answer is still right, the same for all cells. By default 0 for whole
        numbers, else half a percent of the largest.
    wrong : sequence of (array_like, str), optional
        Typical wrong tables, each with its hint, said to whoever fills in all of that table.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> Blanks(
    ...     "worked-example-2",
    ...     "Fill in the first pair of each row, to two decimals.",
    ...     answer=sinusoidal(3, 4, base=100)[:, :2],
    ...     rows=["k = 0", "k = 1", "k = 2"],
    ...     columns=["sin k", "cos k"],
    ...     tolerance=0.006,
    ...     wrong=[(sinusoidal([1, 2, 3], 4, base=100)[:, :2], "You counted from 1.")],
    ...     because="Pair 0 turns by one radian per token.",
    ...     nudge="Row k holds the sine and the cosine of k.",
    ... )
    Blanks('worked-example-2')
    """

    kind = "blanks"

    def __init__(
        self,
        key,
        text,
        *,
        answer,
        columns,
        because,
        nudge,
        rows=("",),
        corner="",
        given=None,
        tolerance=None,
        wrong=(),
    ):
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
        printed = np.zeros(shape, bool) if given is None else np.atleast_2d(given).astype(bool)
        if printed.shape != shape or printed.all():
            raise ValueError(
                f"given must have shape {shape} and leave a cell to fill in, got {shown(given)}"
            )
        tolerance = checked_tolerance(tolerance, table[~printed])
        pairs = []
        for other, hint in wrong:
            numbers = np.atleast_2d(real_array(other, "a wrong table"))
            if numbers.shape != shape:
                raise ValueError(f"a wrong table must have shape {shape}, got {numbers.shape}")
            for known, what in [(table, "the answer"), *((one, "the others") for one, _ in pairs)]:
                if close(numbers, np.array(known), tolerance)[~printed].all():
                    raise ValueError(f"a wrong table must differ from {what}, got {numbers!r}")
            pairs.append([_table(numbers), words(hint, "a hint")])
        super().__init__(
            key,
            text,
            because=because,
            nudge=nudge,
            answer=_table(table),
            rows=names[0],
            columns=names[1],
            corner=words(corner, "corner", optional=True),
            given=printed.tolist(),
            tolerance=tolerance,
            wrong=pairs,
            shown=[[in_words(value, tolerance) for value in row] for row in _table(table)],
            keypad=keypad(table[~printed], *(numbers for numbers, _ in pairs)),
        )

    def _fallback(self):
        ask = self.question

        def cells(tag, texts):
            return "".join(f"<{tag}>{markup(text)}</{tag}>" for text in texts)

        def table(entries):
            rows = (
                f"<tr>{cells('th', [name])}{cells('td', row)}</tr>\n"
                for name, row in zip(ask["rows"], entries, strict=True)
            )
            head = cells("th", [ask["corner"], *ask["columns"]])
            return f"<table>\n<tr>{head}</tr>\n{''.join(rows)}</table>\n"

        asked = [
            [text if printed else "…" for text, printed in zip(*pair, strict=True)]
            for pair in zip(ask["shown"], ask["given"], strict=True)
        ]
        return table(asked), table(ask["shown"])


class Predict(Question):
    """A guess to commit to, and only then the answer beside it.

    There are three forms. A **slider** (`low`, `high`, `step`): after the commitment the answer
    is drawn beside the guess on a number line. A slider with a **curve** (`x`, `y` too): the
    guess is marked in empty axes, and the curve is drawn after the commitment. A **choice**
    (`options`), after which the curve, if there is one, is drawn.

    Parameters
    ----------
    key, text, because : str
        As for every question: see `posenc_course.questions`. `because` is said after any guess.
    answer : float or str
        The right value, or the right option.
    nudge : str, optional
        Said after a guess that is off and has no hint: where to look in the drawing.
    low, high, step : float, optional
        The ends of the slider and its step, for a number.
    unit : str, optional
        The unit of the number.
    tolerance : float, optional
        How far from the answer is still right; by default half a step.
    options : sequence of str, optional
        What there is to choose from, in place of a slider.
    wrong : dict, optional
        The hint for each typical wrong guess, by number or by option.
    x, y : array_like of real numbers, shape (n,), optional
        The curve.
    x_label, y_label : str, optional
        The names of its axes, with units. Needed with a curve.
    on : {"x", "y"}, optional
        The axis on which the guess lies: a place on the horizontal axis (the default) or a value
        on the vertical one.
    at : float, optional
        With ``on="y"``: the x whose value is asked for, so that the guess is a point.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc import sinusoidal
    >>> table = sinusoidal(64, 4, base=100)
    >>> distance = np.linalg.norm(table - table[0], axis=1)
    >>> Predict(
    ...     "wavelengths-3",
    ...     "Width 4 and base 100: which position is nearest to position 0?",
    ...     low=1,
    ...     high=63,
    ...     step=1,
    ...     answer=1 + np.argmin(distance[1:]),
    ...     wrong={1: "The first clock has moved by a whole radian there."},
    ...     because="At 63 both hands are back near their start.",
    ...     x=np.arange(64),
    ...     y=distance,
    ...     x_label="position",
    ...     y_label="distance from position 0",
    ... )
    Predict('wavelengths-3')
    """

    kind = "predict"

    def __init__(
        self,
        key,
        text,
        *,
        answer,
        because,
        nudge="",
        low=None,
        high=None,
        step=None,
        unit="",
        tolerance=None,
        options=None,
        wrong=None,
        x=None,
        y=None,
        x_label="",
        y_label="",
        on="x",
        at=None,
    ):
        numbers = (low, high, step)
        if (options is None) == any(number is None for number in numbers):
            raise ValueError(
                "a prediction must have either low, high and step, or options, "
                f"got low, high, step {numbers!r} and options {shown(options)}"
            )
        if options is None:
            content = _slider(answer, numbers, unit, tolerance, wrong or {})
        else:
            content = _guesses(answer, options, wrong or {})
        content |= _curve(x, y, x_label, y_label)
        if on not in ("x", "y"):
            raise ValueError(f"on must be 'x' or 'y', got {on!r}")
        content |= {"on": on, "at": None if at is None else real_number(at, "at")}
        super().__init__(key, text, because=because, nudge=nudge, **content)

    def _fallback(self):
        options = self.question["options"]
        return _list_of(options) if options else "", _paragraph(self.question["shown"])


def _slider(answer, numbers, unit, tolerance, wrong):
    low, high, step = (rounded(real_number(one, "low, high and step")) for one in numbers)
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


def _guesses(answer, options, wrong):
    options = _options(options)
    place = _place(answer, options, "answer")
    if not isinstance(wrong, dict):
        raise TypeError(f"wrong must be a dict of options and hints, got {shown(wrong)}")
    if answer in wrong:
        raise ValueError(f"a wrong answer must differ from the answer, got {answer!r}")
    pairs = [
        [_place(option, options, "a wrong answer"), words(hint, "a hint")]
        for option, hint in wrong.items()
    ]
    shown_ = f"“{options[place]}”"
    return {"options": options, "answer": place, "wrong": pairs, "shown": shown_, "unit": ""}


def _curve(x, y, x_label, y_label):
    if x is None and y is None:
        return {"x": None}
    if x is None or y is None:
        raise ValueError("a curve must have both x and y, got one of them")
    places, values = real_array(x, "x"), real_array(y, "y")
    if places.ndim != 1 or places.shape != values.shape or places.size < 2:
        raise ValueError(
            "x and y must be as many numbers each, two at least, "
            f"got shapes {places.shape} and {values.shape}"
        )
    if places.min() == places.max():
        raise ValueError(f"x must hold different numbers, got {shown(x)}")
    return {
        "x": [float(f"{value:.5g}") for value in places],
        "y": [float(f"{value:.5g}") for value in values],
        "x_label": words(x_label, "x_label"),
        "y_label": words(y_label, "y_label"),
    }


def _table(array):
    return [[rounded(value) for value in row] for row in array]
