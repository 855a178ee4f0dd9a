"""The one door for arguments: each check returns a value as the mathematics uses it, or raises.

A message repeats what was passed and says what is allowed. Nothing is rounded or guessed:
``512.0`` is no width, ``True`` is no number, and 2**53 + 1 is no float64.
"""

import math
import operator
import os
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

# Beyond this neighbouring float64 angles are more than a radian apart.
LARGEST_ANGLE = 2.0**53

# Wider than any model; the frequencies of this width still take less than a second.
LARGEST_WIDTH = 2**18


def whole_number(value: Any, name: str, *, least: int, most: int | None = None) -> int:
    """Return `value` as an int, if it is an integer type between `least` and `most`."""
    allowed = f"an integer of at least {least}" + (f" and at most {most}" if most else "")
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be {allowed}, got {shown(value)}")
    number = operator.index(value)
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} must be {allowed}, got {shown(value)}")
    return number


def even_width(d_model: SupportsIndex, name: str = "d_model") -> int:
    """Return `d_model` as an int, if it is a positive even integer, and no absurd one."""
    number = whole_number(d_model, name, least=2, most=LARGEST_WIDTH)
    if number % 2:
        pairs = "a sine and a cosine for each frequency"
        raise ValueError(f"{name} must be even, {pairs}, got {number}")
    return number


def whole_numbers(values: Any, name: str, *, least: int, most: int | None = None) -> list[int]:
    """Return a sequence or an array of one axis as a list of ints, each checked."""
    return [whole_number(each, name, least=least, most=most) for each in listed(values, name)]


def listed(values: Any, name: str, what: str = "integers") -> list[Any]:
    """Return a sequence or an array as the list of its entries along the first axis."""
    several = isinstance(values, Sequence) or bool(getattr(values, "shape", None))
    if not several or isinstance(values, str | bytes):
        raise TypeError(f"{name} must be a sequence of {what}, got {shown(values)}")
    return list(values)


def real_number(value: Any, name: str) -> float:
    """Return `value` as a float, if it is one finite real number."""
    if type(value) is float and math.isfinite(value):  # an array would cost more than the rest
        return value
    what = f"{name} must be a finite real number that float64 holds exactly"
    try:
        array = real_array(value, name)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what}, got {shown(value)}") from None
    if array.ndim:
        raise TypeError(f"{name} must be one number, got {shown(value)}")
    return float(array)


def positive_number(value: Any, name: str) -> float:
    """Return `value` as a float, if it is a positive number."""
    number = real_number(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be positive, got {shown(value)}")
    return number


def positive_base(base: Any, name: str = "base") -> float:
    """Return `base` as a float, if it is positive, finite and not 1."""
    number = real_number(base, name)
    if number <= 0 or number == 1:
        raise ValueError(f"{name} must be positive, finite and not 1, got {shown(base)}")
    return number


def true_or_false(value: Any, name: str) -> bool:
    """Return `value` as a bool, if it is one."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def known_layout(layout: Layout) -> Layout:
    """Return `layout`, if it is one of `LAYOUTS`."""
    if layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {LAYOUTS}, got {shown(layout)}")
    return layout


def float_type(dtype: Any) -> np.dtype[np.floating[Any]]:
    """Return `dtype` as a NumPy dtype, if it is a real floating-point type."""
    try:
        checked: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):  # NumPy parses strings, such as a stray ","
        checked = np.dtype(object)
    if dtype is None or checked.kind != "f":  # np.dtype(None) is float64
        raise TypeError(f"dtype must be a NumPy float type such as np.float32, got {shown(dtype)}")
    return checked


def real_array(values: Any, name: str, *, infinity_allowed: bool = False) -> FloatArray:
    """Return `values` as a float64 array, if all are real numbers that float64 can hold.

    The array may be `values` itself: it is read, never written.
    """
    array = _as_array(values, name)
    with np.errstate(over="ignore"):
        converted = array.astype(np.float64, copy=False)
    rounded: Any = False
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        rounded = (array > LARGEST_EXACT_INTEGER) | (array < -LARGEST_EXACT_INTEGER)
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        rounded = (array != converted) & np.isfinite(array)
    if np.any(rounded):
        raise ValueError(
            f"{name} must be numbers that float64 holds exactly, as all integers up to 2**53, "
            f"got {array[rounded][0]} in {shown(values)}"
        )
    wrong = np.isnan(converted) if infinity_allowed else ~np.isfinite(converted)
    if wrong.any():
        allowed = "not be NaN" if infinity_allowed else "be finite"
        raise ValueError(f"{name} must {allowed}, got {converted[wrong][0]} in {shown(values)}")
    return converted


def float_array(values: Any, name: str, *, finite: bool = True) -> AnyFloats:
    """Return `values` as a float32 array if they are one, and as a float64 array otherwise.

    With `finite` False the caller looks for NaN and infinity in what it makes of a float32 array.
    """
    values = plain_tensor(values)
    array = np.asarray(values) if hasattr(values, "__array__") else np.empty(0)
    single = array.dtype.kind == "f" and array.dtype.itemsize == 4
    if single and (not finite or np.isfinite(array).all()):
        return array.astype(np.float32, copy=False)  # in the byte order of this machine
    return real_array(values, name)


def _as_array(values: Any, name: str) -> NDArray[Any]:
    """Return `values` as an array of integers or floats."""
    if isinstance(values, range):
        check_room((abs(values.stop - values.start) // abs(values.step),), np.float64, name)
    values = plain_tensor(values)
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        raise ValueError(
            f"{name} must be an array of real numbers with one shape, got {shown(values)}"
        ) from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be real numbers, got {shown(values)}")
    check_room(array.shape, np.float64, name)
    return array


def broadcast(*shapes: Shape) -> Shape | None:
    """Return the shape that arrays of these shapes broadcast to, or None."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def plain_tensor(values: Any) -> Any:
    """Return a tensor of PyTorch as one that NumPy can read; anything else as it is."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(values, torch.Tensor):
        return values
    if values.is_meta:
        raise ValueError(f"a tensor must have numbers, got one on the device meta: {shown(values)}")
    plain = values.detach().cpu()
    return plain.float() if plain.dtype == torch.bfloat16 else plain


def position_count(positions: Any) -> int | None:
    """Return n for an int n, which stands for the positions 0 to n - 1; None for an array."""
    if isinstance(positions, int | np.integer) and not isinstance(positions, bool):
        return whole_number(positions, "positions as a count", least=0)
    no_axes = getattr(positions, "shape", None) == () and not isinstance(positions, np.generic)
    # An int is a count and a list is positions: an array that is neither could be meant as either.
    if no_axes and _as_array(positions, "positions").dtype.kind in "iu":
        raise ValueError(
            "positions must be an int n, for the positions 0 to n - 1, or have an axis, as "
            f"[n], for the position n, got the array of no axes {shown(positions)}"
        )
    return None


def position_range(positions: Any) -> range | None:
    """Return the range that an int n or a range in steps of 1 stands for; None for others."""
    count = position_count(positions)
    if count is not None:
        return range(count)
    if isinstance(positions, range) and positions.step == 1:
        farthest = max(abs(positions.start), abs(positions.stop))
        return positions if farthest <= LARGEST_EXACT_INTEGER else None
    return None


def position_array(positions: Any) -> FloatArray:
    """Return `positions` as a float64 array: an int n stands for 0 to n - 1."""
    whole = position_range(positions)
    return real_array(positions if whole is None else whole, "positions")


def _memory() -> int:
    """Return the bytes of memory of this machine, as far as it says."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not every system has sysconf
        return sys.maxsize


MEMORY = _memory()


def new_array(shape: Shape, dtype: Any, name: str) -> NDArray[Any]:
    """Return an array of `shape` and `dtype` to be filled, if this machine has room for it."""
    check_room(shape, dtype, name)
    return np.empty(shape, dtype)


def check_room(shape: Shape, dtype: Any, name: str) -> None:
    """Raise a ValueError if an array of `shape` and `dtype` exceeds this machine's memory."""
    if math.prod((np.dtype(dtype).itemsize, *shape)) > MEMORY:
        raise ValueError(
            f"{name} must fit in the memory of this machine, {MEMORY / 2**30:.1f} GiB, "
            f"got shape {shown(shape)} of {np.dtype(dtype)}"
        )


def shown(value: object) -> str:
    """Return the text by which a message repeats `value`, short even for a large array."""
    if isinstance(value, np.ndarray) and value.size > 8:
        extremes = f", from {value.min()} to {value.max()}" if value.dtype.kind in "iuf" else ""
        return f"an array of {value.dtype} and shape {value.shape}{extremes}"
    try:
        text = reprlib.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= 300 else f"{text[:220]} ... {text[-40:]}"
