"""Generated arguments for every public function: `make fuzz` runs 100 000 cases.

Each case knows what its arguments mean before posenc sees them. If they mean something, the result
must agree with a slow reference in exact integers, fractions and 40-digit numbers; if they do not,
a TypeError or a ValueError must repeat what was passed. No argument may change, whatever state the
caller is in, and no case may take seconds. To add a function, write a generator and name it in
`CASES`.
"""

import argparse
import copy
import decimal
import math
import random
import sys
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable
from contextlib import ExitStack
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import mpmath
import numpy as np

import posenc

DIGITS = 40
SLOWEST = 5.0  # seconds a case may take on a busy machine
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
            *(True, False, np.True_, None, "3", b"3", "", 2j, np.complex64(1), {1}, {}, object),
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


def whole_number(rng, least, most):
    """Draw an integer of an integer type."""
    draw = rng.random()
    if draw < 0.04:
        return Drawn(no_numbers_nor_indices(rng), None)
    if draw < 0.08:
        wrong = [least - 1, -(2**70), float(least), Fraction(least), Decimal(least), [least]]
        return Drawn(rng.choice([*wrong, np.float64(least), math.nan, np.array([least])]), None)
    number = rng.randint(least, most)
    kinds = [int, int, np.int64, np.uint32, np.array] + [np.uint8] * (number < 256)
    return Drawn(rng.choice(kinds)(number), number)


def no_numbers_nor_indices(rng):
    return rng.choice([no_numbers, lambda rng: rng.choice([math.nan, math.inf, Decimal("NaN")])])(
        rng
    )


def width(rng, most=12):
    """Draw an even width."""
    if rng.random() < 0.05:
        return Drawn(rng.choice([0, 1, 3, -2, 10**8, 2**70, 10**5_000, 7, np.int8(5)]), None)
    drawn = whole_number(rng, 2, most)
    if drawn.meaning is not None and drawn.meaning % 2:
        return Drawn(drawn.value, None)
    return drawn


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


# What is true


def true_frequencies(d_model, base):
    return [
        mpmath.mpf(base.numerator) / base.denominator if False else power(base, -2 * i, d_model)
        for i in range(d_model // 2)
    ]


def power(base, numerator, denominator):
    exact = mpmath.mpf(base.numerator) / mpmath.mpf(base.denominator)
    return exact ** (mpmath.mpf(numerator) / denominator)


def of(number):
    return mpmath.mpf(number.numerator) / mpmath.mpf(number.denominator)


def columns(d_model, layout):
    pairs = d_model // 2
    if layout == "interleaved":
        return [(2 * i, 2 * i + 1) for i in range(pairs)]
    return [(i, i + pairs) for i in range(pairs)]


def too_large(places, d_model, base):
    """Return whether an angle is above 2**53, None if that is a close call."""
    omega = true_frequencies(d_model, base)
    angle = max((abs(of(k)) for k in places), default=0) * max(omega)
    if max(omega) > sys.float_info.max:
        return True
    if abs(angle / 2**53 - 1) < 1e-6:
        return None
    return bool(angle > 2**53)


def same(made, true, bound, what):
    """Check one number against the true one."""
    difference = abs(mpmath.mpf(float(made)) - true)
    assert difference <= bound, f"{what}: {float(made)!r}, but true is {mpmath.nstr(true, 20)}"


def check_rows(rng, table, places, d_model, base, layout, kind=np.float64):
    """Check some rows of a table of encodings."""
    assert table.dtype == kind
    rows = np.asarray(table).reshape(-1, d_model)
    assert len(rows) == len(places)
    omega = true_frequencies(d_model, base)
    unit = {2: 2.0**-11, 4: 2.0**-24}.get(np.dtype(kind).itemsize, 0.0)
    for n in rng.sample(range(len(places)), min(4, len(places))):
        for i, (sine, cosine) in enumerate(columns(d_model, layout)):
            angle = of(places[n]) * omega[i]
            bound = 1.6e-15 + 2.0**-73 * float(abs(angle)) + 0.51 * unit
            same(rows[n, sine], mpmath.sin(angle), bound, f"sine {i} of {places[n]}")
            same(rows[n, cosine], mpmath.cos(angle), bound, f"cosine {i} of {places[n]}")


# One generator for each function


def sinusoidal(rng):
    d_model, n, order = width(rng), base(rng), layout(rng)
    draw = rng.random()
    if draw < 0.25:
        count = whole_number(rng, 0, 60)
        bad = isinstance(count.value, np.ndarray) or count.meaning is None
        drawn = Drawn(
            count.value,
            None if bad else ((count.meaning,), [Fraction(k) for k in range(count.meaning)]),
        )
        if (
            count.meaning is None
            and isinstance(count.value, float | Fraction | Decimal)
            and math.isfinite(count.value)
        ):
            drawn = Drawn(count.value, ((), [Fraction(count.value)]))
        if isinstance(count.value, list):
            drawn = Drawn(count.value, ((1,), [Fraction(count.value[0])]))
        if isinstance(count.value, np.ndarray) and count.value.ndim:
            drawn = Drawn(count.value, ((1,), [Fraction(int(count.value[0]))]))
    elif draw < 0.35:
        start, count = rng.choice([0, 5, -30, 10**6, 2**52]), rng.randint(0, 60)
        step = rng.choice([1, 1, 2, -1])
        positions = range(start, start + step * count, step)
        drawn = Drawn(positions, ((count,), [Fraction(k) for k in positions]))
    else:
        shape = rng.choice([(), (0,), (1,), (5,), (40,), (2, 3), (3, 20), (2, 0), (1, 1, 4)])
        drawn = array(rng, shape)
        if shape == () and drawn.meaning:
            value = drawn.value
            drawn = Drawn(
                float(value) if isinstance(value, int | np.ndarray | np.integer) else value,
                drawn.meaning,
            )
    kind = rng.choice([np.float64] * 4 + [np.float32, "f2", np.longdouble])
    options = {"base": n.value, "layout": order.value, "dtype": kind}
    good = None not in (d_model.meaning, n.meaning, order.meaning, drawn.meaning)
    if rng.random() < 0.03:
        options["dtype"], good = (
            rng.choice([None, int, "U4", ",", complex, object, 5, {}, []]),
            False,
        )
    check = None
    if good:
        shape, places = drawn.meaning
        large = too_large(places, d_model.meaning, n.meaning)
        if large is None:
            return None
        if rng.random() < 0.15:
            out = np.full((*shape, d_model.meaning), math.nan, rng.choice(["f8", "f4", ">f8"]))
            options["out"], kind = out, out.dtype

        def check(table):
            assert "out" not in options or table is options["out"]
            assert table.shape == (*shape, d_model.meaning)
            check_rows(
                rng, table, places, d_model.meaning, n.meaning, order.meaning, np.dtype(kind)
            )

        check = None if large and places else check
        if max(true_frequencies(d_model.meaning, n.meaning)) > sys.float_info.max and not places:
            return None
    return Case((drawn.value, d_model.value), options, check)


def frequencies(rng):
    d_model, n = width(rng, 600), base(rng)
    check = None
    if None not in (d_model.meaning, n.meaning):
        true = true_frequencies(d_model.meaning, n.meaning)

        def check(omega):
            assert omega.shape == (d_model.meaning // 2,)
            for made, exact in zip(omega, true, strict=True):
                same(made, exact, abs(exact) * 2.0**-52 + mpmath.mpf(5e-324), "frequency")

        check = None if max(true) > sys.float_info.max else check
    return Case((d_model.value,), {"base": n.value}, check)


def wavelengths(rng):
    case = frequencies(rng)
    if case.check is None:
        return case
    d_model, n = int(case.arguments[0]), Fraction(float(case.options["base"]))
    true = [2 * mpmath.pi / omega for omega in true_frequencies(d_model, n)]
    if max(true) > sys.float_info.max or min(true) < 1e-300:
        return None

    def check(lengths):
        for made, exact in zip(lengths, true, strict=True):
            same(made, exact, abs(exact) * 2.0**-51, "wavelength")

    return Case(case.arguments, case.options, check)


def shift_matrix(rng):
    d_model, n, order = width(rng), base(rng), layout(rng)
    offset = real_number(rng, [0, 1, -5, 2.5, 1e-300, 1e6, 12_345.678, 2**40])
    check = None
    if None not in (d_model.meaning, n.meaning, order.meaning, offset.meaning):
        large = too_large([offset.meaning], d_model.meaning, n.meaning)
        if large is None:
            return None

        def check(matrix):
            size = d_model.meaning
            expected = np.zeros((size, size), dtype=object)
            bound = 1.6e-15
            pairs = zip(
                true_frequencies(size, n.meaning), columns(size, order.meaning), strict=True
            )
            for omega, (s, c) in pairs:
                angle = of(offset.meaning) * omega
                bound = max(bound, 1.6e-15 + 2.0**-73 * float(abs(angle)))
                expected[s, s] = expected[c, c] = mpmath.cos(angle)
                expected[s, c], expected[c, s] = mpmath.sin(angle), -mpmath.sin(angle)
            assert matrix.shape == expected.shape
            for made, true in zip(matrix.ravel(), expected.ravel(), strict=True):
                same(made, true, bound, "matrix")

        check = None if large else check
    return Case((offset.value, d_model.value), {"base": n.value, "layout": order.value}, check)


def binary_code(rng):
    bits = whole_number(rng, 1, 53)
    most = 2**bits.meaning - 1 if bits.meaning else 3
    shape = rng.choice([(0,), (1,), (4,), (2, 3), (20,)])
    drawn = array(rng, shape, [Fraction(rng.randint(0, most)) for _ in range(math.prod(shape))])
    if rng.random() < 0.1:
        wrong = rng.choice([-1, 2.5, most + 1 if most < 2**52 else -3])
        drawn = Drawn([0, wrong], None)
    check = None
    if bits.meaning is not None and drawn.meaning is not None:

        def check(code):
            assert code.shape == (*shape, bits.meaning)
            rows = code.reshape(-1, bits.meaning).tolist()
            for row, k in zip(rows, drawn.meaning[1], strict=True):
                assert row == [int(k) >> b & 1 for b in range(bits.meaning)]

    return Case((drawn.value, bits.value), {}, check)


def decode_positions(rng):
    d_model, n = 2 * rng.randint(1, 16), rng.choice([100.0, 10_000.0, 2.0, 0.5])
    order = layout(rng)
    end = 2 * math.pi * max(1, n ** ((d_model - 2) / d_model)) - 0.5
    shape = rng.choice([(), (0,), (3,), (2, 2)])
    places = [rng.uniform(-0.49, end - 0.01) for _ in range(math.prod(shape))]
    with mpmath.workdps(DIGITS):
        omega = true_frequencies(d_model, Fraction(n))
        flat = []
        for k in places:
            row = [0.0] * d_model
            for w, (s, c) in zip(omega, columns(d_model, order.meaning or "halves"), strict=True):
                row[s], row[c] = float(mpmath.sin(k * w)), float(mpmath.cos(k * w))
            flat += [Fraction(x) for x in row]
    drawn = array(rng, (*shape, d_model), flat)
    check = None
    if drawn.meaning is not None and order.meaning is not None:
        kind = getattr(drawn.value, "dtype", np.dtype(float))

        def check(read):
            assert read.shape == shape
            bound = 1e-9 if kind.itemsize >= 8 else 1e-2
            np.testing.assert_allclose(read.ravel(), places, rtol=0, atol=bound)

    if drawn.meaning is None and isinstance(drawn.value, list) and not drawn.value:
        return None
    return Case((drawn.value,), {"base": n, "layout": order.value}, check)


def rope(rng):
    d_model, n, order = 2 * rng.randint(1, 4), base(rng), layout(rng)
    rows = rng.randint(1, 4)
    x = array(rng, (rows, d_model), [Fraction(rng.uniform(-9, 9)) for _ in range(rows * d_model)])
    places = array(rng, (rows,))
    check = None
    if None not in (x.meaning, n.meaning, order.meaning, places.meaning):
        if too_large(places.meaning[1], d_model, n.meaning) is not False:
            return None
        kind = getattr(x.value, "dtype", np.dtype(float))

        def check(turned):
            unit = 2.0**-20 if kind == np.float32 else 1e-14
            entries = np.array(x.meaning[1], dtype=object).reshape(rows, d_model)
            for row, k, made in zip(entries, places.meaning[1], turned, strict=True):
                omega = true_frequencies(d_model, n.meaning)
                for w, (first, second) in zip(omega, columns(d_model, order.meaning), strict=True):
                    angle, a, b = of(k) * w, of(row[first]), of(row[second])
                    sine, cosine = mpmath.sin(angle), mpmath.cos(angle)
                    bound = 20 * (unit + 2.0**-52 * float(abs(angle)))  # plain angles
                    same(made[first], a * cosine - b * sine, bound, "rope")
                    same(made[second], a * sine + b * cosine, bound, "rope")

    return Case((x.value, places.value), {"base": n.value, "layout": order.value}, check)


def attention(rng):
    n_queries, n_keys, d, wide = (rng.randint(1, 3) for _ in range(4))
    shapes = (n_queries, d), (n_keys, d), (n_keys, wide)
    drawn = [
        array(rng, shape, [Fraction(rng.uniform(-9, 9)) for _ in range(math.prod(shape))])
        for shape in shapes
    ]
    check = None
    if all(each.meaning is not None for each in drawn):
        queries, keys, values = (
            [[of(x) for x in row] for row in nested(each.meaning[1], shape)]
            for each, shape in zip(drawn, shapes, strict=True)
        )

        def check(result):
            outputs, weights = result
            unit = 1e-13 if outputs.dtype == np.float64 else 1e-4
            for i, query in enumerate(queries):
                scores = [
                    sum(a * b for a, b in zip(query, key, strict=True)) / mpmath.sqrt(d)
                    for key in keys
                ]
                powers = [mpmath.exp(score) for score in scores]
                for m, each in enumerate(powers):
                    same(weights[i, m], each / sum(powers), unit, "weight")
                for c in range(wide):
                    true = sum(p * v[c] for p, v in zip(powers, values, strict=True)) / sum(powers)
                    same(outputs[i, c], true, 20 * unit, "output")

    return Case(tuple(each.value for each in drawn), {}, check)


def true_slopes(count):
    largest = 1 << count.bit_length() - 1
    first = [mpmath.mpf(2) ** (mpmath.mpf(-8 * h) / largest) for h in range(1, largest + 1)]
    between = [mpmath.mpf(2) ** (mpmath.mpf(-4 * h) / largest) for h in range(1, 2 * largest, 2)]
    return first + between[: count - largest]


def alibi_slopes(rng):
    heads = whole_number(rng, 1, 40)

    def check(slopes):
        for made, true in zip(slopes, true_slopes(heads.meaning), strict=True):
            same(made, true, 1e-15, "slope")

    return Case((heads.value,), {}, check if heads.meaning is not None else None)


def alibi_bias(rng):
    heads, queries, keys = (whole_number(rng, 1, 9) for _ in range(3))
    numbers = [each.meaning for each in (heads, queries, keys)]
    check = None
    if None not in numbers and queries.meaning <= keys.meaning:

        def check(bias):
            assert bias.shape == tuple(numbers)
            slopes = true_slopes(heads.meaning)
            first = keys.meaning - queries.meaning
            for h, q, k in np.ndindex(bias.shape):
                same(bias[h, q, k], -slopes[h] * abs(q + first - k), 1e-14, "bias")

    return Case((heads.value, queries.value, keys.value), {}, check)


CASES = {
    posenc.sinusoidal: sinusoidal,
    posenc.frequencies: frequencies,
    posenc.wavelengths: wavelengths,
    posenc.shift_matrix: shift_matrix,
    posenc.binary_code: binary_code,
    posenc.decode_positions: decode_positions,
    posenc.rope: rope,
    posenc.attention: attention,
    posenc.alibi_slopes: alibi_slopes,
    posenc.alibi_bias: alibi_bias,
}


# Running them


def hostile_state(rng, stack):
    """Put the caller into a state that must make no difference."""
    draw = rng.random()
    if draw < 0.3:
        stack.enter_context(np.errstate(all="raise"))
    elif draw < 0.5:
        traps = [decimal.FloatOperation, decimal.Inexact, decimal.Rounded, decimal.Subnormal]
        context = decimal.Context(prec=2, Emax=3, Emin=-3, traps=traps)
        stack.enter_context(decimal.localcontext(context))
    elif draw < 0.6:
        stack.enter_context(np.printoptions(precision=1, threshold=1))


def kept(value):
    """Return a copy of an argument to compare with later."""
    if isinstance(value, np.ndarray):
        return value.copy()
    return copy.copy(value) if isinstance(value, list | deque) else None


def unchanged(value, copied):
    if isinstance(value, np.ndarray):
        return (
            value.dtype == copied.dtype
            and np.asarray(value).tobytes() == np.asarray(copied).tobytes()
        )
    if isinstance(value, list | deque):
        return len(value) == len(copied) and all(a is b for a, b in zip(value, copied, strict=True))
    return True


def repeats(message, case):
    """Return whether a message says what it got, by a piece of an argument or of its shape."""
    said = message.partition("got ")[2]
    pieces = [str(each.shape) for each in case.arguments if isinstance(each, np.ndarray)]
    for value in flattened([*case.arguments, *case.options.values()]):
        try:
            pieces += [repr(value)[:4], str(value)[:4], type(value).__name__]
            if isinstance(value, Fraction | Decimal | np.floating | mpmath.mpf):
                pieces.append(repr(float(value))[:4])
        except (
            ValueError,
            RuntimeError,
            KeyError,
            OverflowError,
        ):  # an integer too long, or one that raises
            pieces += [type(value).__name__, "0x", "-0x"]
    return bool(said) and len(message) < 600 and any(piece and piece in said for piece in pieces)


def flattened(values):
    for value in values:
        yield value
        if isinstance(value, list | tuple | deque) and len(value) < 100:
            yield from flattened(value)


def run(function, case, rng):
    """Run one case: return "value" or "refused", or raise an AssertionError that tells all."""
    values = [*case.arguments, *(v for k, v in case.options.items() if k != "out")]
    copies = [kept(value) for value in values]
    start = time.perf_counter()
    refused = None
    with ExitStack() as stack:
        hostile_state(rng, stack)
        try:
            result = function(*case.arguments, **case.options)
        except (TypeError, ValueError) as error:
            refused = error
    assert time.perf_counter() - start < SLOWEST, "it took too long"
    for value, copied in zip(values, copies, strict=True):
        assert unchanged(value, copied), "an argument was changed"
    if case.check is None:
        assert refused is not None, "nothing was refused"
        assert repeats(str(refused), case), f"a poor message: {refused}"
        return "refused"
    assert refused is None, f"refused: {refused}"
    with mpmath.workdps(DIGITS):
        case.check(result)
    return "value"


def fuzz(count, seed):
    """Run `count` cases and return how many of each function gave what."""
    counts = Counter()
    functions = list(CASES)
    with warnings.catch_warnings(), mpmath.workdps(DIGITS):
        warnings.simplefilter("error")
        for number in range(count):
            rng = random.Random(f"{seed} {number}")
            function = functions[number % len(functions)]
            case = CASES[function](rng)
            if case is None:  # too close to call
                counts[function.__name__, "left out"] += 1
                continue
            try:
                counts[function.__name__, run(function, case, rng)] += 1
            except Exception as error:
                raise AssertionError(
                    f"case {number} of seed {seed}: {function.__name__}{described(case)}: "
                    f"{type(error).__name__}: {error}"
                ) from error
    return counts


def described(case):
    try:
        return f"(*{case.arguments!r}, **{case.options!r})"
    except Exception:  # some have no repr
        return "(...)"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    start = time.perf_counter()
    counts = fuzz(chosen.cases, chosen.seed)
    print(f"{'':<18}{'value':>9}{'refused':>9}{'left out':>9}")
    for function in CASES:
        row = (counts[function.__name__, kind] for kind in ("value", "refused", "left out"))
        print(f"{function.__name__:<18}" + "".join(f"{number:>9}" for number in row))
    print(f"{chosen.cases} cases in {time.perf_counter() - start:.0f} s, seed {chosen.seed}")


if __name__ == "__main__":
    main()
