"""How an answer is judged: by what it does on several inputs, and never by how it is written.

Whatever the answer is, judging it raises nothing. What a reader wrote may have any type, may
raise, recurse, return another function or an endless generator, or compare equal to everything.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import functools
import importlib
import inspect
import pkgutil
import re
import reprlib
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from posenc._checks import shown
from posenc_course.words import N_, _, joined

OPEN = N_("not answered yet")


class Verdict(NamedTuple):
    """What is said about an answer; open means that nothing is filled in yet."""

    state: Literal["right", "wrong", "open"]
    text: str


def check(name, value):
    """Print whether an answer is right, and if not, what is off.

    Parameters
    ----------
    name : str
        The label of the exercise.
    value : object
        What the reader wrote: a function, an array or a number. It may be anything at all.

    Raises
    ------
    ValueError
        If no exercise of that label is checked.

    Examples
    --------
    >>> from posenc_course.exercises import check
    >>> check("ex-rotation-turn", ...)
    ex-rotation-turn: not answered yet
    >>> check("ex-rotation-turn", 42)
    ex-rotation-turn: Not yet. The check wants a function, and this is 42.
    """
    print(f"{name}: {assess(name, value).text}")


def assess(name, value):
    """Return the `Verdict` that `check` prints."""
    exercise = exercises().get(str(name))
    if exercise is None:
        raise ValueError(
            "name must be the label of an exercise that is checked, such as 'ex-rotation-turn', "
            f"got {shown(name)}"
        )
    try:
        return exercise.judge(value)
    except BaseException:  # an answer that cannot even be looked at
        return not_yet(_("This cannot be read as an answer."))


def not_yet(hint):
    """Return the verdict on a wrong answer, with what is off."""
    return Verdict("wrong", joined(_("Not yet."), str(hint)))


@functools.cache
def exercises():
    """Return the exercises of all chapters, by label."""
    package = importlib.import_module("posenc_course.exercises")
    for module in pkgutil.iter_modules(package.__path__, "posenc_course.exercises."):
        importlib.import_module(module.name)
    known = dict(_REFERENCES)
    words = Path(__file__).with_name("answers.md").read_text(encoding="utf-8")
    for section in words.split("\n## ")[1:]:
        label, because, *lines = filter(None, section.splitlines())
        pairs = [re.fullmatch(r"- `(.+?)`: (.+)", line).groups() for line in lines]
        own = known[label].reference
        # Of the same arguments, with the names of the same module.
        start, names = f"lambda {str(inspect.signature(own))[1:-1]}: ", own.__globals__
        wrong = [(eval(start + expression, names), hint) for expression, hint in pairs]
        known[label] = replace(known[label], because=because, wrong=wrong)
    return known


class _Refused(Exception):
    """What was given cannot be compared; the message says why."""


# --- Reading what a reader's code gives ------------------------------------------------------


def _called(value):
    """Return a text for something of any type, short and without its address."""
    kind = type(value)
    if kind in (int, float, complex, str, bool):
        return reprlib.repr(value)
    return _("a value of type {}").format(kind.__name__)


def _numbers(value, group):
    """Return what a call gives as an array of numbers, or refuse it. Nothing endless is unrolled.

    `group` is how the input of the call is shown.
    """
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        array = np.asarray(value)
        if array.dtype.kind == "O":
            array = array.astype(float)  # fractions, decimals, integers of any length
        if array.dtype.kind in "iufb":
            return array + 0  # 1 for True, so that signs can be compared
    words = _("For {group} it returns {value}. Real numbers are asked for, in rows of one length.")
    raise _Refused(words.format(group=group, value=_called(value)))


def _is_open(value):
    return value is None or value is Ellipsis


def _off(one, other, tolerance):
    """Return which entries of an array differ from another's, NaN among them."""
    one, other = one.astype(float), other.astype(float)
    return ~(np.abs(one - other) <= tolerance * np.maximum(1.0, np.abs(other)))


def _near(one, other, tolerance):
    """Tell whether two arrays have the same shape and numbers."""
    return one.shape == other.shape and not _off(one, other, tolerance).any()


def _says_something(function):
    """Tell whether a function does more than return a constant, as an untouched cell does."""
    if not inspect.isfunction(function):
        return True
    doing_nothing = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
    return any(step.opname not in doing_nothing for step in dis.get_instructions(function))


# --- What may be off, whatever the exercise ---------------------------------------------------


def _swapped(array):
    """Return the array with each two neighbouring columns in the other order."""
    return array.reshape(*array.shape[:-1], -1, 2)[..., ::-1].reshape(array.shape)


def _halves(array):
    """Return interleaved columns as halves: columns 0, 2, 4, ... and then 1, 3, 5, ..."""
    return np.stack([array[..., 0::2], array[..., 1::2]], axis=-2).reshape(array.shape)


# (what the given array would be, for a right one; what to say)
_CHANGED = [
    (np.negative, N_("The sizes fit. Look at the signs.")),
    (np.transpose, N_("It is transposed: rows and columns change places.")),
    (_swapped, N_("Look at the order of the two columns of a pair: which one is the sine?")),
    (_halves, N_("The columns are in halves; they are asked for interleaved.")),
    (lambda array: np.roll(array, 1, 0), N_("The rows are shifted by one place.")),
    (np.rad2deg, N_("That looks like degrees. Radians are asked for.")),
    (np.deg2rad, N_("That looks like radians. Degrees are asked for.")),
    (lambda array: array[::-1], N_("The order is reversed.")),
]


def _counts_from_one(given, right):
    return right.ndim >= 1 and len(right) > 2 and _near(given[:-1], right[1:], 1e-6)


def _alike(pairs):
    """Say what all pairs of (given, right) arrays have in common, or nothing."""
    if any(not np.isfinite(given.astype(float)).all() for given, _ in pairs):
        return _("Some entries are NaN or infinite. Is there a division by 0?")
    same_shape = all(given.shape == right.shape for given, right in pairs)
    if same_shape and all(_counts_from_one(given, right) for given, right in pairs):
        return _("It looks as if you count from 1. Positions and indices count from 0.")
    for change, words in _CHANGED:
        with contextlib.suppress(ValueError, IndexError):  # of columns that are odd, of a number
            changed = [(given, change(right), right) for given, right in pairs]
            if all(_near(given, other, 1e-6) for given, other, _ in changed) and any(
                not _near(other, right, 1e-6) for _, other, right in changed
            ):
                return _(words)
    if not same_shape:
        given, right = next(pair for pair in pairs if pair[0].shape != pair[1].shape)
        if right.ndim == 0:
            words = _("One value is asked for, and this is an array of shape {}.")
            return words.format(given.shape)
        fit = given.size == right.size and _near(given.ravel(), right.ravel(), 1e-6)
        words = (
            _("The numbers fit, but not the shape: it is {given} and should be {right}.")
            if fit
            else _("Look at the shape: it is {given} and should be {right}.")
        )
        return words.format(given=given.shape, right=right.shape)
    if all(_near(given, right, 1e-3) for given, right in pairs):
        if any(given.dtype in (np.float32, np.float16) for given, _ in pairs):
            return _("Right to the digits of a short float. Compute in float64.")
        return _("Very close, but too far off for rounding. Is a number rounded on the way?")
    return ""


# --- An exercise ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Function:
    """An exercise whose answer is a function.

    Parameters
    ----------
    reference : callable
        A right answer.
    inputs : sequence of tuple
        The arguments of each call, by position.
    because : str
        The reason in one sentence, said after a right answer: of `answers.md`, as `wrong` is.
    wrong : sequence of (callable, str)
        Typical wrong answers, each with its hint. An answer that gives what one of them gives, on
        all inputs, gets its hint.
    slips : sequence of callable, optional
        What else an answer must not do, even where its numbers are right. Called with what the
        answer gives, as an array of any shape, and with its arguments before the call and after
        it; returns a hint, or nothing.
    tolerance : float, optional
        How far an entry may be off, relative to its size where that is above 1. Infinite where
        any answer of the right shape is right that makes no slip.

    Examples
    --------
    >>> from posenc_course.exercises import Function
    >>> double = Function(lambda k: 2 * k, [(0,), (3,), (-1.5,)], "Twice.",
    ...                   wrong=[(lambda k: k**2, "That is the square.")])
    >>> double.judge(lambda k: k * k).text
    'Not yet. That is the square.'
    >>> double.judge(lambda k: k + k).text
    'Right. Twice.'
    """

    reference: Callable
    inputs: tuple
    because: str = ""
    wrong: tuple = ()
    slips: tuple = ()
    tolerance: float = 1e-8

    def judge(self, value):
        """Return the verdict on an answer of any type."""
        if _is_open(value):
            return Verdict("open", _(OPEN))
        try:
            given = self._outputs(value)
        except _Refused as refusal:
            return not_yet(refusal)
        if given is None:
            return Verdict("open", _(OPEN))
        right = self._expected(self.reference)
        pairs = list(zip(given, right, strict=True))
        if all(_near(one, other, self.tolerance) for one, other in pairs):
            return Verdict("right", joined(_("Right."), _(self.because)))
        return not_yet(self._what_is_off(given, right, pairs))

    def _what_is_off(self, given, right, pairs):
        for other, hint in self.wrong:
            typical = zip(given, self._expected(other), strict=True)
            if all(_near(one, two, max(self.tolerance, 1e-6)) for one, two in typical):
                return _(hint)
        return _alike(pairs) or self._where(given, right)

    def _outputs(self, value):
        if not callable(value):
            words = _("The check wants a function, and this is {}.")
            raise _Refused(words.format(_called(value)))
        used = copy.deepcopy(self.inputs)
        outputs = [
            self._call(value, group, arguments)
            for group, arguments in zip(self.inputs, used, strict=True)
        ]
        if all(map(_is_open, outputs)):
            if outputs[0] is None and _says_something(value):
                words = _(
                    "It returns nothing (None). Printing is not enough: end it with `return` and "
                    "the value."
                )
                raise _Refused(words)
            return None
        for group, output in zip(self.inputs, outputs, strict=True):
            if _is_open(output):
                words = _(
                    "For {} it returns nothing (None). Printing is not enough: end it with "
                    "`return` and the value."
                )
                raise _Refused(words.format(self._shown(group)))
        given = [
            _numbers(output, self._shown(group))
            for group, output in zip(self.inputs, outputs, strict=True)
        ]
        for slip in self.slips:
            for output, before, after in zip(given, self.inputs, used, strict=True):
                if hint := slip(output, before, after):
                    raise _Refused(_(hint))
        return given

    def _call(self, function, group, arguments):
        """Return what the function gives for its own copy of a group, or say what it raises."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return function(*arguments)
        except BaseException as error:
            text = " ".join(str(error).split())[:200]
            raised = f"{type(error).__name__}{f': {text}' if text else '.'}"
            where = _line(function, error)
            words = _("For {group} it raises {error}")
            error = f"{raised}{where}"
            raise _Refused(words.format(group=self._shown(group), error=error)) from None

    def _expected(self, answer):
        return [np.asarray(answer(*copy.deepcopy(group))) + 0 for group in self.inputs]

    def _where(self, given, right):
        off = [not _near(one, two, self.tolerance) for one, two in zip(given, right, strict=True)]
        place = off.index(True)
        first = np.argwhere(_off(given[place], right[place], self.tolerance))[0].tolist()
        place = self._shown(self.inputs[place])
        look = _("Look at {place}, entry {entry}.") if first else _("Look at {place}.")
        lead = [] if all(off) else [_("It is right for some inputs.")]
        return joined(*lead, look.format(place=place, entry=first))

    def _shown(self, group):
        """Return the arguments of a call by name, so that a reader can repeat it."""
        names = inspect.signature(self.reference).parameters
        named = zip(names, group, strict=False)
        values = ", ".join(f"{name} = {_argument(one)}" for name, one in named)
        return _("the input {}").format(values)


_REFERENCES = {}


def exercise(label, inputs, **options):
    """Make a function the reference of the exercise with a label: see `Function`."""

    def keep(reference):
        _REFERENCES[label] = Function(reference, inputs, **options)
        return reference

    return keep


def _line(function, error):
    """Return which line of the function's own file raised an error, where that is known."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    return f" (line {lines[-1]})" if lines else ""


def _argument(value):
    """Return the text for one argument: short, and without digits that help nobody."""
    if isinstance(value, np.ndarray):
        short = value.size <= 8
        if short:
            return str(value.round(3).tolist())
        return _("an array of shape {}").format(value.shape)
    return value.__name__ if inspect.isfunction(value) else shown(value)
