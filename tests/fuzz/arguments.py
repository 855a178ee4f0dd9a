"""Arguments of every kind, each with what it means, or None if it means nothing."""

import math
import warnings
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import mpmath
import numpy as np

LAYOUTS = "interleaved", "halves"


class Case(NamedTuple):
    """A call, and the check of its result; without a check it must be refused."""

    arguments: tuple
    options: dict
    check: Callable | None


class Drawn(NamedTuple):
    """An argument, and what it means; None if it means nothing."""

    value: object
    meaning: object


class Hostile:
    """An object that raises whatever is asked of it."""

    def __init__(self, error):
        self.error = error

    def _raise(self, *_, **__):
        raise self.error("no")

    __array__ = __float__ = __index__ = __int__ = __len__ = __getitem__ = __repr__ = _raise


# Single numbers


def no_numbers(rng):
    """Return something that is no real number at all."""
    return rng.choice(
        [
            *(
                True,
                False,
                np.True_,
                None,
                "3",
                b"3",
                bytearray(b"3"),
                "",
                2j,
                np.complex64(1),
                {1},
                {},
                object,
            ),
            *(np.array(True), np.timedelta64(5), np.datetime64("2024-01-01"), "nan", ...),
            *(iter([1]), lambda: 1, NotImplemented, 3 + 0j, np.ma.masked, np.str_("3")),
            *(Hostile(RuntimeError), Hostile(KeyError), Hostile(ValueError), np.array("3")),
        ]
    )


def lost_numbers(rng):
    """Return a number that float64 does not hold, or that is not finite."""
    return rng.choice(
        [
            *(math.nan, math.inf, -math.inf, np.float32("nan"), np.float16("inf")),
            *(2**53 + 1, -(2**53) - 1, 2**63 + 1, 10**400, -(10**5_000), np.uint64(2**64 - 1)),
            *(np.int64(-(2**63) + 1), Fraction(1, 3), Fraction(10**400, 7), Decimal("0.1")),
            *(Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity"), Decimal("1e999999")),
            *(Decimal("1e-999999"), np.array(math.nan), np.array(2**53 + 1)),
        ]
    )


def dressed(rng, number):
    """Return a number that float64 holds in one of the types that hold it."""
    exact = Fraction(number)
    forms = [
        float(exact),
        exact,
        mpmath.mpf(float(exact)),
        np.float64(exact),
        np.array(float(exact)),
    ]
    forms += [Decimal(float(exact)), np.longdouble(float(exact)), np.array(float(exact), ">f8")]
    with np.errstate(over="ignore", under="ignore"):
        short = float(np.float32(float(exact)))
    if short == exact:
        forms += [np.float32(float(exact))]
    if exact.denominator == 1:
        forms += [int(exact)] * 3
        if abs(exact) < 2**63:
            forms += [np.int64(int(exact)), np.array(int(exact))]
        if abs(exact) < 128:
            forms += [np.int8(int(exact))]
    return rng.choice(forms)


def real_number(rng, choices):
    """Draw one number among `choices`, or none."""
    if rng.random() < 0.06:
        return Drawn(rng.choice([no_numbers, lost_numbers])(rng), None)
    if rng.random() < 0.02:
        return Drawn([rng.choice(choices)], None)
    number = rng.choice(choices)
    return Drawn(dressed(rng, number), Fraction(number))


def base(rng):
    """Draw a base."""
    if rng.random() < 0.04:
        return Drawn(rng.choice([0, 1, -1, -0.0, 1.0, -10_000.0, np.float32(1), Fraction(1)]), None)
    usual = [10_000.0] * 6 + [500_000.0, 100, 16, 2, 0.5, 6.2, 0.001, 1e30, 10**20]
    rare = [1e300, 1e-300, 5e-324, 1 + 2**-52, Fraction(1, 4)]
    return real_number(rng, usual * 3 + rare)


def whole_number(rng, least, most, step=1):
    """Draw an integer of an integer type."""
    draw = rng.random()
    if draw < 0.04:
        return Drawn(no_numbers_nor_indices(rng), None)
    if draw < 0.08:
        wrong = [least - 1, -(2**70), float(least), Fraction(least), Decimal(least), [least]]
        return Drawn(rng.choice([*wrong, np.float64(least), math.nan, np.array([least])]), None)
    number = rng.randrange(least, most + 1, step)
    kinds = [int, int, np.int64, np.array]
    kinds += [np.uint32] * (number < 2**32) + [np.uint8] * (number < 256)
    return Drawn(rng.choice(kinds)(number), number)


def no_numbers_nor_indices(rng):
    return rng.choice([no_numbers, lambda rng: rng.choice([math.nan, math.inf, Decimal("NaN")])])(
        rng
    )


def width(rng, most=12):
    """Draw an even width."""
    if rng.random() < 0.05:
        return Drawn(rng.choice([0, 1, 3, -2, 10**8, 2**70, 10**5_000, 7, np.int8(5)]), None)
    return whole_number(rng, 2, most, step=2)


def layout(rng):
    """Draw a layout."""
    if rng.random() < 0.03:
        wrong = [None, "", "half", "Halves", 1, True, b"halves", ["halves"], Hostile(ValueError)]
        return Drawn(rng.choice(wrong), None)
    chosen = rng.choice(LAYOUTS)
    return Drawn(chosen, chosen)


# Arrays of numbers


def entries(rng, count, whole=False, least=-50, most=200):
    """Draw numbers that float64 holds, each of its own kind or all alike."""
    if rng.random() < 0.4:  # consecutive
        start = rng.choice([0, 0, 1, rng.randint(max(least, -40), most), max(least, 2**20 - 3)])
        return [Fraction(start + step) for step in range(count)]
    draw = [lambda: rng.randint(least, most), lambda: rng.randint(max(least, -(10**7)), 10**7)]
    if not whole:
        draw += [lambda: rng.uniform(least, most), lambda: rng.uniform(least, 1e6), lambda: 2.5]
    chosen = rng.choice(draw)
    return [Fraction(chosen()) for _ in range(count)]


def nested(flat, shape):
    """Return a flat list as lists in lists."""
    if not shape:
        return flat[0]
    step = len(flat) // shape[0] if shape[0] else 0
    return [nested(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def array_form(rng, flat, shape):
    """Return exact numbers as an array, or a sequence, of one of many kinds."""
    if shape and 0 not in shape and rng.random() < 0.35:
        as_lists = nested([dressed(rng, x) for x in flat], shape)
        forms = [as_lists, tuple(as_lists), deque(as_lists)]
        if len(shape) == 1 and all(isinstance(x, int | Fraction | Decimal) for x in as_lists):
            forms.append(np.array([*as_lists, None], dtype=object)[:-1])
        return rng.choice(forms)
    array = np.array([float(x) for x in flat]).reshape(shape)
    kinds = ["f8", "f8", ">f8", "g"]
    kinds += [k for k in ("f4", "f2", "i8", "i4", ">i2", "i1", "u8", "u1") if holds(array, k)]
    array = array.astype(rng.choice(kinds))
    draw = rng.random()
    if draw < 0.1 and array.size and shape:
        wide = np.zeros((*shape[:-1], 2 * shape[-1]), array.dtype)
        wide[..., ::2] = array
        array = wide[..., ::2]
    elif draw < 0.2 and shape:
        array = np.asfortranarray(array)
    elif draw < 0.3:
        array.flags.writeable = False
    elif draw < 0.35:
        array = np.ma.array(array, mask=False)
    elif draw < 0.4:
        array = array.view(np.recarray) if array.ndim == 1 else array
    return array


def holds(array, kind):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(
            (array.astype(kind).astype(float) == array).all()
            and np.abs(array).max(initial=0) < 2**31
        )


def array(rng, shape, numbers=None, **limits):
    """Draw an array of a shape; sometimes one that is none."""
    flat = entries(rng, math.prod(shape), **limits) if numbers is None else numbers
    if rng.random() < 0.12 and flat:
        return Drawn(spoilt(rng, flat, shape), None)
    return Drawn(array_form(rng, flat, shape), (shape, flat))


def spoilt(rng, flat, shape):
    """Return an array that has one entry too bad, or that is no array."""
    draw = rng.random()
    if draw < 0.15:
        return no_numbers(rng)
    if draw < 0.25:
        return [[1.0, 2.0], [3.0]]
    if draw < 0.35:
        mask = np.zeros(shape, bool)
        mask.flat[rng.randrange(len(flat))] = True
        return np.ma.array(np.array([float(x) for x in flat]).reshape(shape), mask=mask)
    if draw < 0.5:
        array = np.array([float(x) for x in flat]).reshape(shape)
        array.flat[rng.randrange(len(flat))] = rng.choice([math.nan, math.inf, -math.inf])
        return (
            array.astype(rng.choice(["f8", "f4", "f2"]))
            if np.abs(array[np.isfinite(array)]).max(initial=0) < 6e4
            else array
        )
    values = [float(x) for x in flat]
    bad = rng.choice([no_numbers, lost_numbers])(rng)
    values[rng.randrange(len(values))] = bad
    return nested(values, shape)
