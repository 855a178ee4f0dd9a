"""Argument checks: each returns the value in the form the mathematics uses, or raises.

A message repeats what was passed and says what is allowed. Nothing is rounded or guessed:
``512.0`` is no width, ``True`` is no number.
"""

import math
import operator
import reprlib

import numpy as np

LAYOUTS = ("interleaved", "halves")

# Above this a float64 cannot tell neighbouring whole numbers apart.
LARGEST_EXACT_INTEGER = 2**53


def whole_number(value, name, *, least, most=None):
    """Return `value` as an int, if it is an integer type between `least` and `most`."""
    error = TypeError
    if not isinstance(value, bool | np.bool_):
        try:
            number = operator.index(value)
            if number >= least and (most is None or number <= most):
                return number
            error = ValueError
        except TypeError:
            pass
    allowed = f"an integer of at least {least}" + (f" and at most {most}" if most else "")
    raise error(f"{name} must be {allowed}, got {shown(value)}")


def even_width(d_model):
    """Return `d_model` as an int, if it is a positive even integer."""
    number = whole_number(d_model, "d_model", least=2)
    if number % 2:
        raise ValueError(
            f"d_model must be even, a sine and a cosine for each frequency, got {number}"
        )
    return number


def real_number(value, name):
    """Return `value` as a float, if it is one finite real number."""
    if type(value) is float and math.isfinite(value):  # an array would cost more than the rest
        return value
    try:
        array = real_array(value, name)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a finite real number, got {shown(value)}") from None
    if array.ndim:
        raise TypeError(f"{name} must be one number, got {shown(value)}")
    return float(array)


def positive_base(base):
    """Return `base` as a float, if it is positive, finite and not 1."""
    number = real_number(base, "base")
    if number <= 0 or number == 1:
        raise ValueError(f"base must be positive, finite and not 1, got {shown(base)}")
    return number


def known_layout(layout):
    """Return `layout`, if it is one of `LAYOUTS`."""
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {LAYOUTS}, got {shown(layout)}")
    return layout


def float_type(dtype):
    """Return `dtype` as a NumPy dtype, if it is a real floating-point type."""
    # np.dtype(None) is float64: a forgotten argument would pass unseen.
    if dtype is not None:
        try:
            checked = np.dtype(dtype)
            if checked.kind == "f":
                return checked
        # NumPy parses strings: a stray "," is a SyntaxError.
        except (TypeError, ValueError, SyntaxError):
            pass
    raise TypeError(f"dtype must be a NumPy float type such as np.float32, got {shown(dtype)}")


def real_array(values, name, *, infinity_allowed=False):
    """Return `values` as a float64 array, if all are real numbers that float64 can hold."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} must have no masked entries, got {shown(values)}")
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} must be an array of real numbers with one shape, got {shown(values)}"
        ) from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be real numbers, got {shown(values)}")
    with np.errstate(over="ignore"):
        converted = array.astype(np.float64, copy=array.dtype.kind != "f")
    rounded = _rounded_entries(array, converted)
    if rounded:
        raise ValueError(
            f"{name} must be numbers that float64 holds exactly, as all integers up to 2**53, "
            f"got {rounded[0]} in {shown(values)}"
        )
    wrong = np.isnan(converted) if infinity_allowed else ~np.isfinite(converted)
    if wrong.any():
        allowed = "not be NaN" if infinity_allowed else "be finite"
        raise ValueError(f"{name} must {allowed}, got {converted[wrong][0]} in {shown(values)}")
    return converted


def _rounded_entries(array, converted):
    """Return the finite entries of an array that its conversion to float64 has changed."""
    if array.dtype.kind == "f":
        if array.dtype.itemsize <= converted.dtype.itemsize:
            return []
        return list(array[(converted != array) & np.isfinite(array)])
    # NumPy compares an integer with a float by rounding the integer; Python does not.
    large = np.abs(converted) >= LARGEST_EXACT_INTEGER
    return [entry for entry in array[large].tolist() if entry != float(entry)]


def position_count(positions):
    """Return n for an int n, which stands for the positions 0 to n - 1; None for an array."""
    if isinstance(positions, int | np.integer) and not isinstance(positions, bool):
        return whole_number(positions, "positions as a count", least=0)
    return None


def position_array(positions):
    """Return `positions` as a float64 array: an int n stands for 0 to n - 1."""
    count = position_count(positions)
    if count is not None:
        return np.arange(count, dtype=np.float64)
    return real_array(positions, "positions")


def table_to_fill(out, shape, dtype):
    """Return a new table of `shape` and `dtype`, or `out` if that is one to fill."""
    if out is None:
        return np.empty(shape, dtype=float_type(dtype))
    if not isinstance(out, np.ndarray) or out.dtype.kind != "f":
        raise TypeError(f"out must be an array of a NumPy float type, got {shown(out)}")
    if out.shape != shape or not (out.flags.c_contiguous and out.flags.writeable):
        raise ValueError(
            f"out must be a writeable C-contiguous array of shape {shape}, "
            f"got one of shape {out.shape} with strides {out.strides}"
        )
    return out


def shown(value):
    """Return the text by which a message repeats `value`, short even for a large array."""
    if isinstance(value, np.ndarray) and value.size > 8:
        extremes = f", from {value.min()} to {value.max()}" if value.dtype.kind in "iuf" else ""
        return f"an array of {value.dtype} and shape {value.shape}{extremes}"
    return reprlib.repr(value)
