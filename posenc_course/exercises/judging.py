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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from posenc._checks import shown
from posenc_course.words import N_, _, joined

OPEN = N_("not answered yet")
# How far apart two arrays may be that count as the same wrong answer: more than a mistake made in
# float32 is off by, some 1e-7, and less than 1e-4, which would take two wrong bases for one.
SAME = 1e-6
# How far off numbers may be that count as right but for their digits: as far as float16, whose
# rounding is off by up to 5e-4 of a number.
CLOSE = 1e-3
# By eye, for a message of a few lines: entries of an array that it shows (of a longer one it gives
# the shape), and letters that it repeats of an error's own message.
SHORT, LONGEST_ERROR = 8, 200


class Verdict(NamedTuple):
    """What is said about an answer: it is right, wrong, or open (not filled in yet), and a text."""

    state: Literal["right", "wrong", "open"]
    text: str


def check(name: str, value: Any) -> None:
    """Print "LABEL: " and whether an answer is right, and if not, what is off.

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


def assess(name: str, value: Any) -> Verdict:
    """Return the verdict on an answer, which `check` prints; an unknown label is a ValueError."""
    exercise = exercises().get(str(name))  # a list, say, cannot be looked up as it is
    if exercise is None:
        raise ValueError(
            "name must be the label of an exercise that is checked, such as 'ex-rotation-turn', "
            f"got {shown(name)}"
        )
    try:
        return exercise.judge(value)
    # Only looking at the answer can raise here: a class's own `__array__` may raise anything. A
    # check gives a verdict and raises nothing.
    except BaseException:
        return not_yet(_("This cannot be read as an answer."))


def not_yet(hint: object) -> Verdict:
    """Return the verdict "wrong" with the text "Not yet." and `hint`, a text or a `_Refused`."""
    return Verdict("wrong", joined(_("Not yet."), str(hint)))


@functools.cache
def exercises() -> dict[str, Function]:
    """Return the exercises of all chapters by label, with the words that `answers.md` has."""
    # Each module beside this one notes its exercises in _REFERENCES when it is imported.
    for module in pkgutil.iter_modules([str(Path(__file__).parent)], "posenc_course.exercises."):
        importlib.import_module(module.name)
    by_label = {}
    words = Path(__file__).with_name("answers.md").read_text(encoding="utf-8")
    for section in words.split("\n## ")[1:]:  # what stands before the first is for authors
        label, because, *lines = filter(None, section.splitlines())  # without empty lines
        pairs = [re.fullmatch(r"- `(.+?)`: (.+)", line).groups() for line in lines]
        reference = _REFERENCES[label].reference
        # A wrong answer is an expression: it becomes a function with the arguments of the right
        # answer, which sees the names of the right answer's module.
        arguments = str(inspect.signature(reference))[1:-1]  # without the parentheses
        wrong = [
            (eval(f"lambda {arguments}: {expression}", reference.__globals__), hint)
            for expression, hint in pairs
        ]
        by_label[label] = replace(_REFERENCES[label], because=because, wrong=wrong)
    return by_label


class _Refused(Exception):
    """Raised where an answer cannot be compared with the right one; its message is the hint."""


# --- Reading what a reader's code gives ------------------------------------------------------


def _called(value: Any) -> str:
    """Return how a message names a value: a number or text cut short, or "a value of type ..."."""
    kind = type(value)
    # Only of these is the `repr` harmless: that of a class of a reader's may raise.
    if kind in (int, float, complex, str, bool):
        return reprlib.repr(value)
    return _("a value of type {}").format(kind.__name__)


def _numbers(value: Any, group: str) -> np.ndarray:
    """Return the output of a call as an array of real numbers, or raise `_Refused`.

    `group` is how the input of the call is shown.
    """
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        array = np.asarray(value)  # an endless generator is one object, and is not unrolled
        if array.dtype.kind == "O":
            array = array.astype(float)  # fractions, decimals, integers of any length
        if array.dtype.kind in "iufb":  # integers, unsigned ones, floats, booleans
            return array + 0  # 1 for True, of which no negative can be taken
    words = _("For {group} it returns {value}. Real numbers are asked for, in rows of one length.")
    raise _Refused(words.format(group=group, value=_called(value)))


def _is_open(value: Any) -> bool:
    """Tell whether a value is that of an untouched cell: None, or `...`."""
    return value is None or value is Ellipsis


def _off(one: np.ndarray, other: np.ndarray, tolerance: float) -> np.ndarray:
    """Return an array of booleans: which entries of `one` differ from `other`, as a NaN does.

    `tolerance` is relative to the size of an entry of `other` where that is above 1.
    """
    one, other = one.astype(float), other.astype(float)  # unsigned integers have no difference
    # Not `>`, which is False for a NaN.
    return ~(np.abs(one - other) <= tolerance * np.maximum(1.0, np.abs(other)))


def _near(one: np.ndarray, other: np.ndarray, tolerance: float) -> bool:
    """Tell whether two arrays have the same shape, and by `_off` no entries that differ."""
    return one.shape == other.shape and not _off(one, other, tolerance).any()


def _says_something(function: Callable) -> bool:
    """Tell whether a function does more than return a constant; an untouched cell does not."""
    if not inspect.isfunction(function):  # of another callable no instructions can be read
        return True
    # All instructions of a function with the body `...`, in any version of Python.
    doing_nothing = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
    return any(step.opname not in doing_nothing for step in dis.get_instructions(function))


# --- What may be off, whatever the exercise ---------------------------------------------------


def _swapped(array: np.ndarray) -> np.ndarray:
    """Return the array with columns 0 and 1 exchanged, 2 and 3, ...; odd numbers: a ValueError."""
    return array.reshape(*array.shape[:-1], -1, 2)[..., ::-1].reshape(array.shape)


def _halves(array: np.ndarray) -> np.ndarray:
    """Return interleaved columns as halves, 0, 2, ..., 1, 3, ...; odd numbers: a ValueError."""
    return np.stack([array[..., 0::2], array[..., 1::2]], axis=-2).reshape(array.shape)


# (a mistake, as a function of the right array; what to say of an array that it gives). Where two
# mistakes give the same, the first is named.
_MISTAKES = [
    (np.negative, N_("The sizes fit. Look at the signs.")),
    (np.transpose, N_("It is transposed: rows and columns change places.")),
    (_swapped, N_("Look at the order of the two columns of a pair: which one is the sine?")),
    (_halves, N_("The columns are in halves; they are asked for interleaved.")),
    (lambda array: np.roll(array, 1, 0), N_("The rows are shifted by one place.")),
    (np.rad2deg, N_("That looks like degrees. Radians are asked for.")),
    (np.deg2rad, N_("That looks like radians. Degrees are asked for.")),
    (lambda array: array[::-1], N_("The order is reversed.")),
]


def _counts_from_one(given: np.ndarray, right: np.ndarray) -> bool:
    """Tell whether each given row but the last is the right row one later; False below 3 rows."""
    # This is no entry of _MISTAKES, as the right array does not tell the last row that is given.
    # One row that fits, of two, may be chance.
    return right.ndim >= 1 and len(right) > 2 and _near(given[:-1], right[1:], SAME)


def _common_mistake(pairs: list[tuple[np.ndarray, np.ndarray]]) -> str:
    """Return the hint on a mistake that explains all pairs of (given, right) arrays, or ""."""
    # A NaN is near no number, so that no comparison below would find a mistake.
    if any(not np.isfinite(given.astype(float)).all() for given, _ in pairs):
        return _("Some entries are NaN or infinite. Is there a division by 0?")
    same_shape = all(given.shape == right.shape for given, right in pairs)
    if same_shape and all(_counts_from_one(given, right) for given, right in pairs):
        return _("It looks as if you count from 1. Positions and indices count from 0.")
    for mistake, words in _MISTAKES:
        # A mistake with pairs raises for an odd number of columns, or for a number without any.
        with contextlib.suppress(ValueError, IndexError):
            mistaken = [mistake(right) for _given, right in pairs]
            explains = all(
                _near(given, wrong, SAME) for (given, _), wrong in zip(pairs, mistaken, strict=True)
            )
            # A mistake that changes no right number, as a sign of zeros, explains nothing. It must
            # change those of one input; on others it may not show.
            changes = any(
                not _near(wrong, right, SAME)
                for (_, right), wrong in zip(pairs, mistaken, strict=True)
            )
            if explains and changes:
                return _(words)
    if not same_shape:
        given, right = next(pair for pair in pairs if pair[0].shape != pair[1].shape)
        if right.ndim == 0:  # () means nothing to most readers
            words = _("One value is asked for, and this is an array of shape {}.")
            return words.format(given.shape)
        fit = given.size == right.size and _near(given.ravel(), right.ravel(), SAME)
        words = (
            _("The numbers fit, but not the shape: it is {given} and should be {right}.")
            if fit
            else _("Look at the shape: it is {given} and should be {right}.")
        )
        return words.format(given=given.shape, right=right.shape)
    if all(_near(given, right, CLOSE) for given, right in pairs):
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
    inputs: Sequence[tuple]
    because: str = ""
    wrong: Sequence[tuple[Callable, str]] = ()
    slips: Sequence[Callable[[np.ndarray, tuple, tuple], str]] = ()
    tolerance: float = 1e-8

    def judge(self, value: Any) -> Verdict:
        """Return the verdict on an answer of any type: right, wrong with a hint, or open."""
        if _is_open(value):
            return Verdict("open", _(OPEN))
        try:
            given = self._outputs(value)
        except _Refused as refusal:
            return not_yet(refusal)
        if given is None:
            return Verdict("open", _(OPEN))
        right = self._expected(self.reference)
        if all(_near(one, two, self.tolerance) for one, two in zip(given, right, strict=True)):
            return Verdict("right", joined(_("Right."), _(self.because)))
        return not_yet(self._what_is_off(given, right))

    def _what_is_off(self, given: list[np.ndarray], right: list[np.ndarray]) -> str:
        """Return the hint on a wrong answer: of a typical one, of a common mistake, or where."""
        for other, hint in self.wrong:  # first, as these know the exercise
            typical = zip(given, self._expected(other), strict=True)
            # A wrong answer may be off from the typical one as much as a right one may be off.
            if all(_near(one, two, max(self.tolerance, SAME)) for one, two in typical):
                return _(hint)
        pairs = list(zip(given, right, strict=True))
        return _common_mistake(pairs) or self._where(given, right)

    def _outputs(self, value: Any) -> list[np.ndarray] | None:
        """Return the numbers that an answer gives for each of the inputs, None where it is open.

        Raise `_Refused` where it is no function, gives no numbers, or makes one of the `slips`.
        """
        if not callable(value):
            words = _("The check wants a function, and this is {}.")
            raise _Refused(words.format(_called(value)))
        used = copy.deepcopy(self.inputs)  # an answer may change its arguments
        # All calls come before any is looked at: an answer is open if each of them is.
        outputs = [
            self._call(value, group, arguments)
            for group, arguments in zip(self.inputs, used, strict=True)
        ]
        if all(map(_is_open, outputs)):
            # A function that does something and returns None has forgotten the `return`.
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

    def _call(self, function: Callable, group: tuple, arguments: tuple) -> Any:
        """Return what a function returns for `arguments`; raise `_Refused` where it raises.

        The message shows `group`, the same arguments before any call changed them.
        """
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return function(*arguments)
        except BaseException as error:  # also SystemExit, or what a reader derived from it
            text = " ".join(str(error).split())[:LONGEST_ERROR]  # on one line
            raised = f"{type(error).__name__}{f': {text}' if text else '.'}"
            raised += _line(function, error)
            words = _("For {group} it raises {error}")
            raise _Refused(words.format(group=self._shown(group), error=raised)) from None

    def _expected(self, answer: Callable) -> list[np.ndarray]:
        """Return an array for each of the inputs: what `answer`, a function of ours, gives."""
        # The copies keep the inputs, as some typical wrong answers change them; + 0 makes numbers
        # of booleans, as `_numbers` does.
        return [np.asarray(answer(*copy.deepcopy(group))) + 0 for group in self.inputs]

    def _where(self, given: list[np.ndarray], right: list[np.ndarray]) -> str:
        """Return the hint "Look at the input ..., entry ...", with the first entry that is off.

        Where an answer is right for other inputs, that is said first.
        """
        off = [not _near(one, two, self.tolerance) for one, two in zip(given, right, strict=True)]
        number = off.index(True)  # there is one, or the answer would be right
        entry = np.argwhere(_off(given[number], right[number], self.tolerance))[0].tolist()
        place = self._shown(self.inputs[number])
        # Shapes are equal here, since `_common_mistake` speaks of those that are not. A single
        # number has no entries, and its place is [].
        look = _("Look at {place}, entry {entry}.") if entry else _("Look at {place}.")
        lead = [] if all(off) else [_("It is right for some inputs.")]
        return joined(*lead, look.format(place=place, entry=entry))

    def _shown(self, group: tuple) -> str:
        """Return "the input k = 3, d = 8", so that a reader can repeat the call."""
        names = inspect.signature(self.reference).parameters
        named = zip(names, group, strict=False)  # a call may leave defaults out
        values = ", ".join(f"{name} = {_argument(one)}" for name, one in named)
        return _("the input {}").format(values)


_REFERENCES: dict[str, Function] = {}


def exercise(label: str, inputs: Sequence[tuple], **options: Any) -> Callable:
    """Return a decorator that notes a right answer under a label, with its inputs, as `Function`.

    The options are those of `Function`.
    """

    def keep(reference: Callable) -> Callable:
        """Note the right answer, and return it as it is."""
        _REFERENCES[label] = Function(reference, inputs, **options)
        return reference

    return keep


def _line(function: Callable, error: BaseException) -> str:
    """Return " (line 3)", the last line of the function's file that led to an error, or ""."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    return f" (line {lines[-1]})" if lines else ""


def _argument(value: Any) -> str:
    """Return the text for one argument: of a long array its shape, of a function its name."""
    if isinstance(value, np.ndarray):
        if value.size <= SHORT:
            return str(value.round(3).tolist())  # more digits would help nobody
        return _("an array of shape {}").format(value.shape)
    return value.__name__ if inspect.isfunction(value) else shown(value)
