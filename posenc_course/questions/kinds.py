"""The four kinds of question: a number, a choice, blanks in a table, a prediction.

A kind is a function of the question's words and numbers; it returns what a page must know to ask
it. `text` is the question: plain text, with `code` in backticks. `because` is the reason in one
sentence, said after a right answer (after any guess, in a prediction). `nudge` is what to think
about, said after a wrong answer that has no hint.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

Asked = dict[str, Any]  # what a page must know to ask a question; question.js reads its keys


def number(
    text: str,
    *,
    answer: float,
    because: str,
    nudge: str,
    unit: str = "",
    tolerance: float | None = None,
    wrong: Mapping[float, str] | None = None,
) -> Asked:
    """Return a question whose answer is a number, as the dict that a page asks it from.

    The reader may type a comma or a point, any minus sign, a fraction, a root or a multiple of π,
    with or without the unit.

    Parameters
    ----------
    answer : float
        The right answer, computed.
    unit : str, optional
        The unit, shown beside the field.
    tolerance : float, optional
        How far from the answer is still right. By default 0 for a whole number, else half a
        percent of the answer.
    wrong : dict of float to str, optional
        The hint for each typical wrong answer, computed too.

    Examples
    --------
    >>> from posenc import frequencies, wavelengths
    >>> asked = number(
    ...     "How far does the hand of pair 2 turn in 5 tokens?",
    ...     answer=5 * frequencies(8, base=256)[2],
    ...     unit="radians",
    ...     tolerance=0.01,
    ...     wrong={wavelengths(8, base=256)[2]: "That is the wavelength, in tokens."},
    ...     because="Each token turns it by 0.0625, five tokens by five times that.",
    ...     nudge="Start from the turn in one token.",
    ... )
    >>> asked["shown"]
    '0.31 radians'
    """
    answer = _rounded(answer)
    tolerance = _tolerance(tolerance, answer)
    wrong_numbers = _hints(wrong)
    return {
        **_words("number", text, because, nudge),
        "answer": answer,
        "tolerance": tolerance,
        "unit": unit,
        "wrong": wrong_numbers,
        "shown": f"{in_words(answer, tolerance)} {unit}".rstrip(),  # there may be no unit
        "keypad": _keypad(answer, *(number for number, _ in wrong_numbers)),
    }


def choice(
    text: str,
    *,
    options: Mapping[str, str],
    because: str,
    nudge: str,
    answer: str | list[str] | None = None,
    wrong: Mapping[tuple, str] | None = None,
) -> Asked:
    """Return a question whose answer is one of a few options, or several of them, as a dict.

    Parameters
    ----------
    options : dict of str to str
        From each option, in the order shown, to the hint for whoever chooses it, which is "" if
        there is none. Where several may be ticked, a right one has the hint for whoever ticks it
        alone.
    answer : str, or list of str, optional
        The right option, or the list of the right ones, of which several may be ticked then. By
        default it is the option without a hint, of which there must be one.
    wrong : dict of tuple to str, optional
        Where several may be ticked, the hint for just those of a tuple.

    Examples
    --------
    >>> asked = choice(
    ...     "Attention without positions reads `dog bites man` and `man bites dog`. Does it see "
    ...     "a difference?",
    ...     options={"Yes": "What is left of a sum when its terms change places?", "No": ""},
    ...     because="It adds the same terms in a different order.",
    ...     nudge="Write down both sums.",
    ... )
    >>> asked["answer"]
    [1]
    """
    if answer is None:  # unpacked, so that there must be just one
        (answer,) = (option for option, hint in options.items() if not hint)
    several = not isinstance(answer, str)

    def places(chosen):
        """Return the places of some options, counted from 0, as a list in ascending order."""
        return sorted([*options].index(option) for option in chosen)

    return {
        **_words("choice", text, because, nudge),
        "options": [*options],
        "several": several,
        "answer": places(answer if several else [answer]),
        # As lists of two, since a key of JSON could not be a list of places.
        "wrong": [[[place], hint] for place, hint in enumerate(options.values()) if hint]
        + [[places(group), hint] for group, hint in (wrong or {}).items()],
    }


def blanks(
    text: str,
    *,
    answer: ArrayLike,
    columns: Sequence[str],
    because: str,
    nudge: str,
    rows: Sequence[str] = ("",),
    tolerance: float | None = None,
    wrong: Sequence[tuple[ArrayLike, str]] = (),
) -> Asked:
    """Return a question with a small table of numbers to fill in, checked cell by cell, as a dict.

    Parameters
    ----------
    answer : array_like of real numbers, shape (n_rows, n_columns) or (n_columns,)
        The right table, computed.
    rows, columns : sequence of str
        The names of the rows and columns. A table of one row needs no `rows`.
    tolerance : float, optional
        How far from the answer is still right, the same for all cells. By default 0 for whole
        numbers, else half a percent of the largest.
    wrong : sequence of (array_like, str), optional
        Typical wrong tables, each with its hint, said to whoever fills in all of that table.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> asked = blanks(
    ...     "Fill in the first pair of each row, to two decimals.",
    ...     answer=sinusoidal(3, 4, base=100)[:, :2],
    ...     rows=["k = 0", "k = 1", "k = 2"],
    ...     columns=["sin k", "cos k"],
    ...     tolerance=0.006,
    ...     wrong=[(sinusoidal([1, 2, 3], 4, base=100)[:, :2], "You counted from 1.")],
    ...     because="Pair 0 turns by one radian per token.",
    ...     nudge="Row k holds the sine and the cosine of k.",
    ... )
    >>> asked["shown"][1]
    ['0.84', '0.54']
    """
    table = _table(answer)
    tolerance = _tolerance(tolerance, answer)
    wrong_tables = [[_table(other), hint] for other, hint in wrong]
    return {
        **_words("blanks", text, because, nudge),
        "answer": table,
        "rows": [*rows],
        "columns": [*columns],
        "tolerance": tolerance,
        "wrong": wrong_tables,
        "shown": [[in_words(value, tolerance) for value in row] for row in table],
        # A sign or a comma that only a wrong table needs must be on the keypad of a phone, too.
        "keypad": _keypad(table, *(other for other, _ in wrong_tables)),
    }


def predict(
    text: str,
    *,
    answer: float,
    slider: tuple[float, float, float],
    because: str,
    nudge: str = "",
    unit: str = "",
    tolerance: float | None = None,
    wrong: Mapping[float, str] | None = None,
    x: tuple[ArrayLike, str] = ((), ""),
    y: tuple[ArrayLike, str] = ((), ""),
    at: float | None = None,
) -> Asked:
    """Return a question whose answer is guessed on a slider before it is shown, as a dict.

    The answer is drawn beside the guess on a number line. With a **curve** (`x` and `y`) the guess
    is marked in empty axes, and the curve is drawn after the commitment.

    Parameters
    ----------
    nudge : str, optional
        Where to look in the drawing.
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

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> table = sinusoidal(64, 4, base=100)
    >>> distance = np.linalg.norm(table - table[0], axis=1)
    >>> asked = predict(
    ...     "Width 4 and base 100: which position is nearest to position 0?",
    ...     slider=(1, 63, 1),
    ...     answer=1 + np.argmin(distance[1:]),
    ...     wrong={1: "The first clock has moved by a whole radian there."},
    ...     because="At 63 both hands are back near their start.",
    ...     x=(np.arange(64), "position"),
    ...     y=(distance, "distance from position 0"),
    ... )
    >>> asked["shown"]
    '63'
    """
    low, high, step = map(_rounded, slider)
    answer = _rounded(answer)
    tolerance = float(step / 2 if tolerance is None else tolerance)
    steps_to_middle = round((high - low) / 2 / step)
    return {
        **_words("predict", text, because, nudge),
        "low": low,
        "high": high,
        "step": step,
        "start": _rounded(low + steps_to_middle * step),
        "unit": unit,
        "answer": answer,
        "tolerance": tolerance,
        "wrong": _hints(wrong),
        "shown": f"{in_words(answer, tolerance)} {unit}".rstrip(),
        "x": [float(f"{value:.5g}") for value in x[0]],  # five digits are enough to draw
        "y": [float(f"{value:.5g}") for value in y[0]],
        "x_label": x[1],
        "y_label": y[1],
        "at": None if at is None else float(at),
    }


def _words(kind: str, text: str, because: str, nudge: str) -> Asked:
    """Return the dict of what all kinds of question have, with a key to be filled in when asked."""
    return {"kind": kind, "key": "", "text": text, "because": because, "nudge": nudge}


def _hints(wrong: Mapping[float, str] | None) -> list[list]:
    """Return a list of [wrong number, hint] for each typical wrong answer, empty for None."""
    # Lists of two, since the keys of JSON are texts.
    return [[_rounded(value), hint] for value, hint in (wrong or {}).items()]


def _table(array: ArrayLike) -> list[list[float]]:
    """Return an array as a list of rows, of lists of numbers to ten digits; a vector is one row."""
    return [[_rounded(value) for value in row] for row in np.atleast_2d(array)]


def _rounded(value: float) -> float:
    """Return a number rounded to ten significant digits, as a plain float."""
    # Further digits may differ between machines, and what is stored should not.
    return float(f"{float(value):.10g}")


def _tolerance(tolerance: float | None, answers: ArrayLike) -> float:
    """Return a given tolerance, else 0 if all answers are whole, else 0.5 % of the largest."""
    if tolerance is not None:
        return float(tolerance)
    answers = np.asarray(answers, dtype=float)
    return 0.0 if (answers == np.round(answers)).all() else 0.005 * float(np.abs(answers).max())


def _keypad(*numbers: ArrayLike) -> str:
    """Return the inputmode of a field for numbers: "text" if one is negative, else "decimal"."""
    # The "decimal" keypad of a phone has no minus.
    return "text" if min(map(np.min, numbers)) < 0 else "decimal"


def in_words(value: float, tolerance: float) -> str:
    """Return a number as text, as a page shows it: with no more digits than the tolerance needs."""
    if value.is_integer():  # 0 is one of these, and has no logarithm
        return _grouped(value, 0)
    exponent = math.floor(math.log10(abs(value)))  # of the power of 10 of the first digit
    # The most decimals. Half of the last place is then at most the tolerance, so the rounded number
    # is right; without a tolerance it is the tenth digit, the last that is stored.
    finest = math.ceil(-math.log10(2 * tolerance)) if tolerance else 9 - exponent
    # From the first digit that is not 0 on, one decimal more each time. Negative ones are whole
    # tens, hundreds, ...
    for digits in range(min(-exponent, finest), finest + 1):
        text = _grouped(value, digits)
        # Within half of the tolerance, since a shown answer should not be barely right.
        enough = abs(round(value, digits) - value) <= tolerance / 2
        # With decimals, 1.0 for 0.999 would look exact: one more is shown, up to the finest.
        if enough and (digits < 1 or not round(value, digits).is_integer()):
            break
    return text


def _grouped(value: float, digits: int) -> str:
    """Return a number as text with so many decimals, thin spaces from 10 000 on, a true minus."""
    value = round(value, digits) + 0.0  # makes 0 of -0, which would have a minus
    # Negative digits have rounded to tens, hundreds, ..., and leave no decimals.
    text = f"{value:,.{max(digits, 0)}f}"
    gap = "\u202f" if abs(value) >= 1e4 else ""  # four digits are read without one
    return text.replace(",", gap).replace("-", "\u2212")
