"""Cases for the functions that make and read encodings."""

import math
import sys
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np

from tests.fuzz.arguments import Case, Drawn, array, base, layout, real_number, whole_number, width
from tests.fuzz.truth import DIGITS, check_rows, columns, of, same, too_large, true_frequencies


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
