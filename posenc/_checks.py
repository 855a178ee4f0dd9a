"""The one door for arguments: each check returns a value as the mathematics uses it, or raises.

A message repeats what was passed and says what is allowed. Nothing is rounded or guessed:
``512.0`` is no width, ``True`` is no number. Python's own numbers are read before NumPy sees
them, since NumPy rounds a large integer that stands beside a float.
"""

import math
import numbers
import operator
import os
import reprlib
import sys
from collections.abc import Sequence
from itertools import chain
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

# Wider than any model; the frequencies of this width still take a fraction of a second.
LARGEST_WIDTH = 2**18

MOST_AXES = 32  # parts of NumPy take no more

# What Python, NumPy and PyTorch raise where a value cannot be read as a number. Anything else,
# such as a MemoryError or a timeout of the caller, is not about the value and passes through.
UNREADABLE = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)

TEXT = str | bytes | bytearray  # sequences, though not of numbers

# Python's and NumPy's own numbers: float64 holds each that is below 2**53.
PLAIN_NUMBERS = {int, float, *(np.dtype(kind).type for kind in "bhilqBHILQefd")}


# One number


def whole_number(value: Any, name: str, *, least: int, most: int | None = None) -> int:
    """Return `value` as an int, if it is an integer type between `least` and `most`."""
    error: type[Exception] = TypeError
    if not _is_boolean(value) and not np.ma.is_masked(value):
        try:
            number = operator.index(value)
            if number >= least and (most is None or number <= most):
                return number
            error = ValueError
        except UNREADABLE:
            pass
    allowed = f"an integer of at least {least}"
    allowed += "" if most is None else f" and at most {most}"
    raise error(f"{name} must be {allowed}, got {shown(value)}")


def even_width(d_model: SupportsIndex, name: str = "d_model") -> int:
    """Return `d_model` as an int, if it is a positive even integer, and no absurd one."""
    number = whole_number(d_model, name, least=2, most=LARGEST_WIDTH)
    if number % 2:
        raise ValueError(
            f"{name} must be even, a sine and a cosine for each frequency, got {number}"
        )
    return number


def whole_numbers(values: Any, name: str, *, least: int, most: int | None = None) -> list[int]:
    """Return a sequence or an array of one axis as a list of ints, each checked."""
    entries = listed(values, name, "integers")
    return [whole_number(entry, name, least=least, most=most) for entry in entries]


def listed(values: Any, name: str, what: str) -> list[Any]:
    """Return a sequence or an array as the list of its entries along the first axis."""
    try:
        sequence = isinstance(values, Sequence) and not isinstance(values, TEXT)
        count = len(values) if sequence or hasattr(values, "__array__") else None
    except UNREADABLE:  # an array of no axes, or an object that cannot say
        count = None
    if count is None:
        raise TypeError(f"{name} must be a sequence of {what}, got {shown(values)}")
    check_room((count,), np.float64, name)
    return list(values)


def real_number(value: Any, name: str) -> float:
    """Return `value` as a float, if it is one finite real number."""
    if type(value) is float and math.isfinite(value):  # an array would cost more than the rest
        return value
    try:
        array = real_array(value, name)
    except TypeError:
        raise TypeError(f"{name} must be a finite real number, got {shown(value)}") from None
    except ValueError:
        raise ValueError(
            f"{name} must be a finite real number that float64 holds exactly, got {shown(value)}"
        ) from None
    if array.ndim:
        raise TypeError(f"{name} must be one number, got {shown(value)}")
    return float(array)


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


# One of a few


def known_layout(layout: Layout) -> Layout:
    """Return `layout`, if it is one of `LAYOUTS`."""
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {LAYOUTS}, got {shown(layout)}")
    return layout


def float_type(dtype: Any) -> np.dtype[np.floating[Any]]:
    """Return `dtype` as a NumPy dtype, if it is a real floating-point type."""
    # np.dtype(None) is float64: a forgotten argument would pass unseen.
    if dtype is not None:
        try:
            checked: np.dtype[Any] = np.dtype(dtype)
            if checked.kind == "f":
                return checked
        except (*UNREADABLE, SyntaxError):  # NumPy parses strings, such as a stray ","
            pass
    raise TypeError(f"dtype must be a NumPy float type such as np.float32, got {shown(dtype)}")


# Arrays


@np.errstate(all="ignore")
def real_array(values: Any, name: str, *, infinity_allowed: bool = False) -> FloatArray:
    """Return `values` as a float64 array, if all are real numbers that float64 can hold.

    The array may be `values` itself: it is read, never written.
    """
    plain = _plain_array(values)
    array: NDArray[Any] = _as_array(values, name) if plain is None else plain
    check_room(array.shape, np.float64, name)
    if array.dtype.kind == "O":
        converted, rounded = _numbers_of(array, values, name)
    elif array.dtype.kind in "iuf":
        converted = array.astype(np.float64, copy=False)
        rounded = _rounded_entries(array, converted)
    else:
        raise TypeError(f"{name} must be real numbers, got {shown(values)}")
    if plain is None and _is_masked(values):
        raise ValueError(f"{name} must have no masked entries, got {shown(values)}")
    if rounded:
        raise ValueError(
            f"{name} must be numbers that float64 holds exactly, as all integers up to 2**53, "
            f"got {shown_in(rounded[0], values)}"
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
    if hasattr(values, "__array__") and not _is_masked(values):
        array = _as_array(values, name)
        single = array.dtype.kind == "f" and array.dtype.itemsize == 4
        if single and (not finite or np.isfinite(array).all()):
            return array.astype(np.float32, copy=False)  # in the byte order of this machine
    return real_array(values, name)


def position_count(positions: Any) -> int | None:
    """Return n for an int n, which stands for the positions 0 to n - 1; None for an array."""
    if isinstance(positions, numbers.Integral) and not _is_boolean(positions):
        return whole_number(positions, "positions as a count", least=0)
    if getattr(positions, "shape", None) == () and not isinstance(positions, np.generic):
        # An int is a count and a list is positions: an array that is neither could be meant as
        # the one or the other.
        kind = np.asarray(positions).dtype.kind if hasattr(positions, "__array__") else ""
        if kind and kind in "iu":
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


def new_array(shape: Shape, dtype: Any, name: str) -> NDArray[Any]:
    """Return an array of `shape` and `dtype` to be filled, if this machine has room for it."""
    check_room(shape, dtype, name)
    try:
        return np.empty(shape, dtype)
    except MemoryError:
        raise ValueError(
            f"{name} must fit in the memory that is free, got shape {shown(shape)} of {dtype}"
        ) from None


def check_room(shape: Shape, dtype: Any, name: str, *, arrays: float = 1) -> None:
    """Raise a ValueError if an array of `shape` and `dtype` exceeds this machine's memory.

    With `arrays` as many of its size have to fit: itself, and what is made on the way to it.
    """
    row = np.dtype(dtype).itemsize * math.prod(max(1, length) for length in shape[1:])
    row = math.ceil(row * arrays)
    if len(shape) > MOST_AXES:
        raise ValueError(f"{name} must give at most {MOST_AXES} axes, got {len(shape)}")
    if shape and row * max(1, shape[0]) > MEMORY:
        raise ValueError(
            f"{name} must fit in the memory of this machine, {MEMORY / 2**30:.1f} GiB: at most "
            f"{MEMORY // row} for the first of the axes {shown(shape)} of {np.dtype(dtype)}, "
            f"got {shown(shape[0])}"
        )


# How a message repeats a value


class _Short(reprlib.Repr):
    """Python's short form, also for integers of so many digits that Python refuses them."""

    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() < 10_000:
            return super().repr_int(x, level)
        text = hex(x)
        return f"{text[:20]}...{text[-8:]}"


_short = _Short()


@np.errstate(all="ignore")
def shown(value: object) -> str:
    """Return the text by which a message repeats `value`, short even for a large array."""
    try:
        if isinstance(value, np.ndarray) and value.size > 8:
            kind = value.dtype.kind
            extremes = f", from {value.min()} to {value.max()}" if kind in "iuf" else ""
            return f"an array of {value.dtype} and shape {value.shape}{extremes}"
        if isinstance(value, np.ma.MaskedArray):
            return f"masked array {value.tolist()}"
        text = _short.repr(value)
        return text if len(text) <= 300 else f"{text[:220]} ... {text[-40:]}"
    except UNREADABLE:  # an object may not be able to say what it is
        return f"a value of type {type(value).__name__}"


def shown_in(entry: object, values: Any) -> str:
    """Return the text for one entry of `values`, and for the values around it, if any."""
    alone = entry is values or np.ndim(values) == 0
    return shown(values) if alone else f"{shown(entry)} in {shown(values)}"


# The parts of `real_array`


def _memory() -> int:
    """Return the bytes of memory of this machine, as far as it says."""
    most = int(np.iinfo(np.intp).max)
    try:
        return min(most, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):  # not every system has sysconf
        return most


MEMORY = _memory()


def plain_tensor(values: Any) -> Any:
    """Return a tensor of PyTorch as one that NumPy can read; anything else as it is."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(values, torch.Tensor):
        return values
    if values.is_meta:
        raise ValueError(f"a tensor must have numbers, got one on the device meta: {shown(values)}")
    plain = values.detach().cpu()
    return plain.float() if plain.dtype == torch.bfloat16 else plain


def _plain_array(values: Any) -> FloatArray | None:
    """Return lists of plain numbers as float64; None if they are more than that, or rounded."""
    kinds = _kinds(values) if isinstance(values, list | tuple) else {None}
    if not PLAIN_NUMBERS.issuperset(kinds):
        return None
    try:
        array = np.array(values, dtype=np.float64)
    except (OverflowError, ValueError):  # a huge integer, or rows of different lengths
        return None
    if array.size and not kinds <= {float, np.float64}:
        exact = array.min() > -LARGEST_EXACT_INTEGER and array.max() < LARGEST_EXACT_INTEGER
        return array if exact else None
    return array


def _kinds(values: list[Any] | tuple[Any, ...]) -> set[Any]:
    """Return the types of the entries of a list, or of those of the lists in it."""
    for _ in range(MOST_AXES):
        kinds: set[Any] = set(map(type, values))
        if not kinds or not kinds <= {list, tuple}:
            break
        values = list(chain.from_iterable(values))
    return kinds


def _as_array(values: Any, name: str) -> NDArray[Any]:
    """Return `values` as an array; Python's numbers stay as they are, in one of objects."""
    if isinstance(values, range):
        length = max(0, -((values.start - values.stop) // values.step))
        check_room((length,), np.float64, name)
        # NumPy counts in float64, which is exact where no sum or product exceeds 2**53.
        if max(abs(values.start), abs(values.stop)) <= LARGEST_EXACT_INTEGER // 2:
            return np.arange(values.start, values.stop, values.step, dtype=np.float64)
    if bytearray in (_kinds(values) if isinstance(values, list | tuple) else {type(values)}):
        raise TypeError(f"{name} must be real numbers, got {shown(values)}")
    try:
        if hasattr(values, "__array__"):
            return np.asarray(values)
        return np.array(values, dtype=object)
    except ValueError:
        raise ValueError(
            f"{name} must be an array of real numbers with one shape, got {shown(values)}"
        ) from None
    except UNREADABLE as error:
        raise TypeError(f"{name} must be real numbers, got {shown(values)}") from error


def _numbers_of(
    objects: NDArray[np.object_], values: Any, name: str
) -> tuple[FloatArray, list[Any]]:
    """Return the entries of an array of objects as float64, and those that it cannot hold."""
    floats: list[float] = []
    rounded: list[Any] = []
    for entry in objects.ravel():  # .flat has fewer axes
        if type(entry) is not float:
            if isinstance(entry, list | tuple):
                raise ValueError(
                    f"{name} must be an array of real numbers with one shape, got {shown(values)}"
                )
            entry, given = _number(entry, values, name), entry
            if entry is None:
                rounded.append(given)
                entry = 0.0
        floats.append(entry)
    return np.array(floats, dtype=np.float64).reshape(objects.shape), rounded


def _number(entry: Any, values: Any, name: str) -> float | None:
    """Return a real number as a float, None if float64 does not hold it exactly."""
    if hasattr(entry, "__array__") and not isinstance(entry, np.generic):
        array = np.asarray(entry)  # of no axes, such as a tensor in a list
        entry = array[()] if array.dtype.kind in "iufb" and not array.ndim else None
    if isinstance(entry, np.integer) and not _is_boolean(entry):
        entry = int(entry)  # NumPy compares an integer with a float by rounding the integer
    exact = hasattr(entry, "as_integer_ratio")  # Decimal has it, and is not registered as real
    if _is_boolean(entry) or not (exact or isinstance(entry, numbers.Real)):
        raise TypeError(f"{name} must be real numbers, got {shown(values)}")
    try:
        number = float(entry)
        if not math.isfinite(number):
            finite = isinstance(entry, np.floating) and np.isfinite(entry)
            return None if finite else number
        # Ratios of integers: Decimal's comparison would depend on the caller's context. A
        # float of 0 is asked first, for the ratio of a tiny Decimal has too many digits.
        if number == 0 or not exact:
            return number if not entry or (number and entry == number) else None
        return number if entry.as_integer_ratio() == number.as_integer_ratio() else None
    except OverflowError:
        return None
    except UNREADABLE:  # a signalling NaN, or an object's own conversion
        raise ValueError(f"{name} must be finite real numbers, got {shown(values)}") from None


def _rounded_entries(array: NDArray[Any], converted: FloatArray) -> list[Any]:
    """Return the finite entries of an array that its conversion to float64 has changed."""
    if array.dtype.kind == "f":
        if array.dtype.itemsize <= converted.dtype.itemsize:
            return []
        return list(array[(converted != array) & np.isfinite(array)])
    if array.dtype.itemsize < 8:
        return []
    # NumPy compares an integer with a float by rounding the integer; Python does not.
    large = np.abs(converted) >= LARGEST_EXACT_INTEGER
    return [entry for entry in array[large].tolist() if entry != float(entry)]


def _is_boolean(value: Any) -> bool:
    """Return whether a value is a truth value, or counts time: neither is a number."""
    if isinstance(value, bool | np.bool_ | np.timedelta64):
        return True
    return str(getattr(value, "dtype", "")).endswith("bool")  # torch.bool among them


def _is_masked(values: Any) -> bool:
    """Return whether an array, or one in a list, has entries that are masked."""
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.ma.is_masked(values))
    if not isinstance(values, Sequence) or isinstance(values, TEXT | range):
        return False
    return any(map(_is_masked, values))
