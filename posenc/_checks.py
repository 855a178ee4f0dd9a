"""The one door for arguments: each check returns a value as the mathematics uses it, or raises.

A wrong type is a TypeError, a wrong value a ValueError. The message calls the argument by `name`,
repeats what was passed and says what is allowed. Nothing is rounded or guessed: ``512.0`` is no
width, ``True`` is no number, and 2**53 + 1 is no float64.
"""

import math
import operator
import reprlib
import sys
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

Layout: TypeAlias = Literal["interleaved", "halves"]
FloatArray: TypeAlias = NDArray[np.float64]
AnyFloats: TypeAlias = NDArray[np.floating[Any]]
Shape: TypeAlias = tuple[int, ...]

LAYOUTS: tuple[Layout, Layout] = ("interleaved", "halves")

# Above this a float64 cannot tell neighbouring whole numbers apart.
LARGEST_EXACT_INTEGER = 2**53

# A message writes out an array of up to so many entries, and describes a larger one.
MOST_SHOWN = 8

# Wider than any model; the frequencies of this width still take about a second.
LARGEST_WIDTH = 2**18


def whole_number(value: Any, name: str, *, least: int, most: int = LARGEST_EXACT_INTEGER) -> int:
    """Return an integer, no bool, from `least` to `most` as an int; raise an error for all else."""
    message = f"{name} must be an integer of at least {least} and at most {most}, got "
    if isinstance(value, bool):  # which Python would read as 0 or 1
        raise TypeError(message + shown(value))
    try:
        number = operator.index(value)  # an integer of NumPy, too, but not 512.0
    except TypeError:
        raise TypeError(message + shown(value)) from None
    if not least <= number <= most:
        raise ValueError(message + shown(value))
    return number


def even_width(d_model: SupportsIndex, name: str = "d_model") -> int:
    """Return an even integer from 2 to LARGEST_WIDTH as an int; raise an error for all else."""
    number = whole_number(d_model, name, least=2, most=LARGEST_WIDTH)
    if number % 2:
        raise ValueError(
            f"{name} must be even, a sine and a cosine for each frequency, got {number}"
        )
    return number


def whole_numbers(values: Any, name: str, most: int = LARGEST_EXACT_INTEGER) -> list[int]:
    """Return a sequence or 1-D array of integers from 0 to `most` as a list of ints, or raise."""
    return [whole_number(each, name, least=0, most=most) for each in entries(values, name)]


def entries(values: Any, name: str, kind: str = "integers") -> list[Any]:
    """Return the entries of a sequence, or of an array along its first axis, as a list, or raise.

    `kind` says in the message what the entries must be; they are not looked at.
    """
    # An array, of PyTorch too, is no Sequence. If it is one number, its shape is ().
    has_axis = getattr(values, "shape", ()) != ()
    is_text = isinstance(values, str | bytes)  # a Sequence, but of letters
    if is_text or not (has_axis or isinstance(values, Sequence)):
        raise TypeError(f"{name} must be a sequence of {kind}, got {shown(values)}")
    return list(values)


def at_least_one(values: Sequence[Any], name: str) -> Sequence[Any]:
    """Return `values`, one entry for each axis, unchanged; raise a ValueError if they are empty."""
    if not values:
        raise ValueError(f"{name} must have an entry for each axis, at least one, got none")
    return values


def real_number(value: Any, name: str) -> float:
    """Return one finite real number as a float, or raise; an integer must be exact in float64.

    The int 10**20 is exact, and 2**53 + 1 is not. Integers of NumPy end at 2**53.
    """
    # `type`, since a bool, which `real_array` refuses, is an instance of int.
    if type(value) is float and math.isfinite(value):  # an array takes as long as a short table
        return value
    if type(value) is int:  # which may be larger than the integers of an array
        return _exact_float(value, name)
    array = real_array(value, name)
    if array.ndim:
        raise TypeError(f"{name} must be one number, got {shown(value)}")
    return float(array)


def _exact_float(value: int, name: str) -> float:
    """Return an int of any size as a float; raise a ValueError if float64 would round it."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf  # which is refused below
    if not math.isfinite(number) or int(number) != value:
        allowed = "exact in float64, as all integers up to 2**53"
        raise ValueError(f"{name} must be {allowed}, got {shown(value)}")
    return number


def positive_number(value: Any, name: str) -> float:
    """Return a finite number above 0 as a float; raise an error for all else."""
    number = real_number(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be positive, got {shown(value)}")
    return number


def not_negative_number(value: Any, name: str) -> float:
    """Return 0 or a finite number above 0 as a float; raise an error for all else."""
    number = real_number(value, name)
    if number < 0:
        raise ValueError(f"{name} must not be negative, got {shown(value)}")
    return number


def positive_base(base: Any, name: str = "base") -> float:
    """Return a finite number above 0 other than 1 as a float; raise an error for all else.

    With base 1 all pairs would turn alike.
    """
    number = real_number(base, name)
    if number <= 0 or number == 1:
        raise ValueError(f"{name} must be positive, finite and not 1, got {shown(base)}")
    return number


def true_or_false(value: Any, name: str) -> bool:
    """Return a bool of Python or NumPy as a bool; raise a TypeError for all else, as "false"."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def known_layout(layout: Layout) -> Layout:
    """Return `layout` as it is, if it is one of `LAYOUTS`; raise a ValueError for all else."""
    # An array is not looked for, since it would be compared entry by entry.
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {LAYOUTS}, got {shown(layout)}")
    return layout


def float_type(dtype: Any) -> np.dtype[np.floating[Any]]:
    """Return a real floating-point type of NumPy as a dtype; raise a TypeError for all else."""
    try:
        checked: np.dtype[Any] = np.dtype(dtype)
        is_float = dtype is not None and checked.kind == "f"  # np.dtype(None) is float64
    except (TypeError, ValueError):  # torch.float32, "bfloat16", (np.float32, -1)
        is_float = False
    if not is_float:
        raise TypeError(f"dtype must be a NumPy float type such as np.float32, got {shown(dtype)}")
    return checked


def real_array(values: Any, name: str) -> FloatArray:
    """Return finite real numbers as a float64 array; raise for others, and for integers past 2**53.

    The array may be `values` itself: it is read, never written.
    """
    # `numbers` refuses what float64 would round, so that this changes no number.
    array = numbers(values, name).astype(np.float64, copy=False)
    _refuse(~np.isfinite(array), "finite", array, values, name)
    return array


def float_array(values: Any, name: str) -> AnyFloats:
    """Return real numbers as a float32 array if they are one, else as float64; inf and NaN pass.

    The caller looks for these two in its own result.
    """
    array = numbers(values, name)
    single = array.dtype.kind == "f" and array.dtype.itemsize == 4  # in any byte order
    return array.astype(np.float32 if single else np.float64, copy=False)


def numbers(values: Any, name: str) -> NDArray[Any]:
    """Return real numbers as an array of their own type, float or integer; raise for all else.

    Integers beyond 2**53 in size are refused. So are longdoubles of that size that float64 would
    round: they may be positions, and the nearest float64 would be another whole position.
    """
    try:
        array = np.asarray(plain_tensor(values))
    except ValueError:  # rows that differ in length
        raise ValueError(
            f"{name} must be an array of real numbers with one shape, got {shown(values)}"
        ) from None
    if array.dtype.kind not in "iuf" or np.ma.is_masked(values):  # np.asarray drops the mask
        raise TypeError(f"{name} must be real, got {shown(values)}")
    if _contains_bool(values):
        raise TypeError(f"{name} must be real, without True or False, got {shown(values)}")
    if array.dtype.kind in "iu" or array.dtype.itemsize > 8:  # float64 itself has 8 bytes
        # No absolute values: that of the least int64 is no int64.
        large = (array > LARGEST_EXACT_INTEGER) | (array < -LARGEST_EXACT_INTEGER)
        if array.dtype.kind == "f":  # a longdouble, which is refused only if it would change
            with np.errstate(over="ignore"):  # to inf, another number
                large &= array.astype(np.float64) != array
        _refuse(large, "exact in float64, as all integers up to 2**53", array, values, name)
    return array


def _contains_bool(values: Any) -> bool:
    """Return whether a nested list or tuple has True or False in it, which NumPy reads as 1 or 0.

    Arrays may be entries of it: one of truth values beside one of numbers becomes numbers, too.
    """
    if isinstance(values, np.ndarray):
        return bool(values.dtype == np.bool_)
    if not isinstance(values, list | tuple):
        return False
    types = {*map(type, values)}  # few, however long the list: a call for each number takes long
    if types & {bool, np.bool_}:
        return True
    nested = any(issubclass(each, list | tuple | np.ndarray) for each in types)
    return nested and any(map(_contains_bool, values))


def _refuse(wrong: NDArray[Any], allowed: str, array: NDArray[Any], values: Any, name: str) -> None:
    """Raise a ValueError with the first number of `array` where `wrong` is True, if there is one.

    The message repeats `values`, which is what the caller passed for the array.
    """
    if wrong.any():
        where = f" in {shown(values)}" if array.ndim else ""  # one number alone is all of them
        raise ValueError(f"{name} must be {allowed}, got {array[wrong][0]}{where}")


def broadcast(*shapes: Shape) -> Shape | None:
    """Return the shape that arrays of these shapes broadcast to, or None if they do not fit."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def plain_tensor(values: Any) -> Any:
    """Return a tensor of PyTorch as one that NumPy can read; anything else as it is."""
    torch = sys.modules.get("torch")  # who has a tensor has imported torch; posenc never does
    if torch is None or not isinstance(values, torch.Tensor):
        return values
    plain = values.detach().cpu()  # NumPy reads no tensor that has a gradient, or is on a GPU
    return plain.float() if plain.dtype == torch.bfloat16 else plain  # a type that NumPy lacks


def position_count(positions: Any) -> int | None:
    """Return n if `positions` is an int n, for the positions 0 to n - 1; None for other numbers.

    An array of one integer without an axis raises an error, since it could be meant either way.
    """
    # A bool is an int, too; `real_array` refuses it.
    if isinstance(positions, int | np.integer) and not isinstance(positions, bool):
        return whole_number(positions, "positions as a count", least=0)
    without_axis = getattr(positions, "shape", None) == ()
    if without_axis and numbers(positions, "positions").dtype.kind in "iu":
        raise ValueError(
            "positions must be an int n, for the positions 0 to n - 1, or have an axis, as [n], "
            f"got {shown(positions)}"
        )
    return None


def position_array(positions: Any) -> FloatArray:
    """Return `positions` as a float64 array of their shape; an int n stands for 0 to n - 1."""
    count = position_count(positions)
    return real_array(positions if count is None else np.arange(count), "positions")


def shown(value: object) -> str:
    """Return a text of `value` for a message: its cut repr, or a large array's shape and range."""
    if isinstance(value, np.ndarray) and value.size > MOST_SHOWN:
        # Only of real numbers, since texts, objects and complex numbers may have no order.
        extremes = f", from {value.min()} to {value.max()}" if value.dtype.kind in "iuf" else ""
        return f"an array of {value.dtype} and shape {value.shape}{extremes}"
    return reprlib.repr(value)
