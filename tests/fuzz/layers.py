"""Cases for what attention does with positions: turning, weighing, and ALiBi."""

import math
from fractions import Fraction

import mpmath
import numpy as np

from tests.fuzz.arguments import Case, Drawn, array, base, layout, nested, whole_number
from tests.fuzz.truth import of, same, too_large, true_frequencies, turned


def rotate(rng):
    d, rows, order = rng.randint(1, 9), rng.randint(1, 3), layout(rng)
    pairs = rng.randint(0, d // 2)
    scale = rng.choice([9.0, 9.0, 1e-300, 1e100])
    x = array(rng, (rows, d), [Fraction(rng.uniform(-scale, scale)) for _ in range(rows * d)])
    shape = rng.choice([(pairs,), (1, pairs), (rows, pairs)])
    furthest = rng.choice([3.0, 1e3, 1e15, 1e22])
    sizes = [rng.uniform(-furthest, furthest) for _ in range(math.prod(shape))]
    angles = array(rng, shape, [Fraction(rng.choice([size, round(size)])) for size in sizes])
    if rng.random() < 0.1:  # too many pairs, or rows that do not fit
        wrong = rng.choice([(d // 2 + 1,), (rows + 1, 1), (2, rows, 1), ()])
        angles = Drawn(np.full(wrong, 0.5), None)
    check = None
    if None not in (x.meaning, order.meaning, angles.meaning):
        kind = np.asarray(x.value).dtype
        single = kind.kind == "f" and kind.itemsize == 4 and hasattr(x.value, "dtype")
        if single and scale == 1e-300:
            return None

        def check(result):
            assert result.dtype == (np.float32 if single else np.float64)
            assert result.shape == (rows, d)
            entries = nested([of(number) for number in x.meaning[1]], (rows, d))
            given = nested([of(number) for number in angles.meaning[1]], shape) if pairs else []
            for number, row in enumerate(entries):
                each = given
                if len(shape) == 2 and pairs:
                    each = given[number if shape[0] > 1 else 0]
                size = max(map(abs, row))
                bound = size * (2.0**-21 if single else 2.0**-50) + mpmath.mpf(5e-324)
                true = turned(row, each, order.meaning)
                for made, exact in zip(result[number], true, strict=True):
                    same(made, exact, bound, "turned entry")

    return Case((x.value, angles.value), {"layout": order.value}, check)


def rope(rng):
    d_model, n, order = 2 * rng.randint(1, 4), base(rng), layout(rng)
    rows = rng.randint(1, 4)
    x = array(rng, (rows, d_model), [Fraction(rng.uniform(-9, 9)) for _ in range(rows * d_model)])
    places = array(rng, (rows,))
    if places.meaning is not None and rng.random() < 0.05:
        far = rng.choice([2.0**52, 1e17, -1e300])
        places = Drawn([far] * rows, ((rows,), [Fraction(far)] * rows))
    check = None
    if None not in (x.meaning, n.meaning, order.meaning, places.meaning):
        large = too_large(places.meaning[1], d_model, n.meaning)
        if large is None:
            return None
        kind = getattr(x.value, "dtype", np.dtype(float))

        def check(result):
            unit = 2.0**-20 if kind == np.float32 else 1e-14
            entries = nested([of(number) for number in x.meaning[1]], (rows, d_model))
            omega = true_frequencies(d_model, n.meaning)
            for row, k, made in zip(entries, places.meaning[1], result, strict=True):
                angles = [of(k) * w for w in omega]
                true = turned(row, angles, order.meaning)
                bound = 20 * (unit + 2.0**-52 * float(max(map(abs, angles))))  # plain angles
                for one, exact in zip(made, true, strict=True):
                    same(one, exact, bound, "turned entry")

        check = None if large else check
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
