"""Cases for `posenc.axes`: loops over places, axes and pairs."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np

from tests.fuzz.arguments import Case, Drawn, array, base, layout, nested, whole_number
from tests.fuzz.stretched import truth_value
from tests.fuzz.truth import columns, of, same, too_large, true_frequencies, turned


def integers(rng, numbers, most):
    """Draw a sequence of integers; sometimes one that is none."""
    draw = rng.random()
    if draw < 0.05:
        return Drawn(rng.choice([None, 3, "12", b"12", 2.5, {0, 1}, np.array(1), object]), None)
    if draw < 0.15:
        wrong = rng.choice([-1, 1.0, True, None, "1", Fraction(1), most, 2**70, [0]])
        return Drawn([*numbers[:-1], wrong], None)
    kinds = [list, tuple, lambda ints: np.array(ints, dtype=np.int64)]
    kinds += [lambda ints: np.array(ints, dtype=np.uint8), lambda ints: [*map(np.int32, ints)]]
    return Drawn(rng.choice(kinds)(numbers), numbers)


def grid_positions(rng):
    drawn = [whole_number(rng, 0, 5) for _ in range(rng.randint(0, 4))]
    if rng.random() < 0.1:
        drawn.append(Drawn(rng.choice([2**40, 2**62, 2**63, 10**30]), None))
        drawn[:-1] = [Drawn(max(1, one.meaning or 1), 1) for one in drawn[:-1]]
        drawn[0] = Drawn(2**40, None)
    lengths = [one.meaning for one in drawn]

    def check(grid):
        assert grid.dtype == np.float64
        assert grid.shape == (math.prod(lengths), len(lengths))
        expected = [list(place) for place in itertools.product(*map(range, lengths))]
        assert grid.tolist() == expected

    good = lengths and None not in lengths
    return Case(tuple(one.value for one in drawn), {}, check if good else None)


def axial_sinusoidal(rng):
    count, n, columns_of = rng.randint(1, 3), base(rng), layout(rng)
    d_model = whole_number(rng, 2 * count, 8 * count)
    if d_model.meaning and d_model.meaning % (2 * count):
        d_model = Drawn(d_model.value, None)
    along = []
    for _ in range(count):
        if rng.random() < 0.6:
            length = rng.randint(0, 4)
            along.append(Drawn(length, [Fraction(k) for k in range(length)]))
        else:
            drawn = array(rng, (rng.randint(1, 4),))
            along.append(Drawn(drawn.value, drawn.meaning and drawn.meaning[1]))
    if rng.random() < 0.05:
        along[0] = Drawn(rng.choice([[[1]], np.array(3.5), 2.5, -1, 2**62]), None)
    order = Drawn(None, list(range(count)))
    if rng.random() < 0.6:
        order = integers(rng, rng.sample(range(count), count), count)
        if order.value is None:
            return None
    positions = rng.choice([list, tuple])(one.value for one in along)
    good = None not in (d_model.meaning, n.meaning, columns_of.meaning, order.meaning)
    good = good and all(one.meaning is not None for one in along)
    if rng.random() < 0.04:
        positions, good = rng.choice([3, None, "ab", 2.5, (), [], {1: 2}, object]), False
    check = None
    if good:
        part = d_model.meaning // count
        far = [too_large(one.meaning, part, n.meaning) for one in along]
        if None in far or any(
            large and not one.meaning for large, one in zip(far, along, strict=True)
        ):
            return None

        def check(table):
            assert table.dtype == np.float64
            assert table.shape == (*(len(one.meaning) for one in along), d_model.meaning)
            omega = true_frequencies(part, n.meaning)
            places = list(np.ndindex(table.shape[:-1]))
            for place in rng.sample(places, min(4, len(places))):
                for number, axis in enumerate(order.meaning):
                    k = of(along[axis].meaning[place[axis]])
                    row = table[place][number * part :]
                    for w, (sine, cosine) in zip(
                        omega, columns(part, columns_of.meaning), strict=True
                    ):
                        bound = 1.6e-15 + 2.0**-73 * float(abs(k * w))
                        same(row[sine], mpmath.sin(k * w), bound, "sine")
                        same(row[cosine], mpmath.cos(k * w), bound, "cosine")

        check = None if any(far) else check
    options = {"order": order.value, "base": n.value, "layout": columns_of.value}
    return Case((positions, d_model.value), options, check)


def axial_frequencies(rng):
    count = whole_number(rng, 1, 4)
    axes = count.meaning or 1
    n, chosen = base(rng), 2 * axes * rng.randint(1, 4)
    head_dim = Drawn(chosen, chosen)
    if rng.random() < 0.4:
        head_dim = whole_number(rng, 2 * axes, 8 * axes)
    interleaved = truth_value(rng, rng.random() < 0.5)
    check = None
    meanings = count.meaning, head_dim.meaning, n.meaning, interleaved.meaning
    if None not in meanings and head_dim.meaning % (2 * axes) == 0:
        part = head_dim.meaning // axes
        true = []
        for axis in range(axes):
            if interleaved.meaning:
                true += true_frequencies(head_dim.meaning, n.meaning)[axis::axes]
            else:
                true += true_frequencies(part, n.meaning)

        def check(result):
            omega, which = result
            assert which.tolist() == [i // (part // 2) for i in range(head_dim.meaning // 2)]
            for made, exact in zip(omega, true, strict=True):
                same(made, exact, abs(exact) * 2.0**-52 + mpmath.mpf(5e-324), "frequency")

        check = None if max(true) > np.finfo(float).max else check
    options = {"base": n.value, "interleaved": interleaved.value}
    return Case((head_dim.value, count.value), options, check)


def axial_ladders(rng):
    drawn, n = (
        integers(rng, [2 * rng.randint(1, 6) for _ in range(rng.randint(1, 4))], -2),
        base(rng),
    )
    if rng.random() < 0.05:
        drawn = Drawn(rng.choice([[], [3], [4, 0]]), None)
    check = None
    if None not in (drawn.meaning, n.meaning):
        true = [w for width in drawn.meaning for w in true_frequencies(width, n.meaning)]

        def check(result):
            omega, which = result
            assert which.tolist() == [a for a, w in enumerate(drawn.meaning) for _ in range(w // 2)]
            for made, exact in zip(omega, true, strict=True):
                same(made, exact, abs(exact) * 2.0**-52 + mpmath.mpf(5e-324), "frequency")

        check = None if max(true) > np.finfo(float).max else check
    return Case((drawn.value,), {"base": n.value}, check)


def mrope_axes(rng):
    sections = [rng.randint(0, 6) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.4:
        later = rng.randint(0, 6)
        sections = [later + rng.randint(0, 3)] + [later] * rng.randint(0, 3)
    drawn = integers(rng, sections, rng.choice([-5, 2**62]))
    interleaved = truth_value(rng, rng.random() < 0.5)
    if rng.random() < 0.03:
        drawn = Drawn([], None)
    expected = None
    if None not in (drawn.meaning, interleaved.meaning):
        expected = [axis for axis, section in enumerate(sections) for _ in range(section)]
        if interleaved.meaning:
            expected = dealt(sections)

    def check(axes):
        assert axes.tolist() == expected

    options = {"interleaved": interleaved.value}
    return Case((drawn.value,), options, check if expected is not None else None)


def dealt(sections):
    """Return the axis of each pair, dealt in turn; None where the pairs end before a section."""
    left, axes = [sum(sections), *sections[1:]], []
    for pair in range(sum(sections)):
        axis = pair % len(sections)
        axis = axis if left[axis] else 0
        left[axis] -= 1
        axes.append(axis)
    return None if any(left[1:]) else axes


def axial_rope(rng):
    n_axes, rows, d = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 9)
    pairs, order = rng.randint(0, d // 2), layout(rng)
    x = array(rng, (rows, d), [Fraction(rng.uniform(-9, 9)) for _ in range(rows * d)])
    places = array(rng, (rows, n_axes))
    omega = array(
        rng, (pairs,), [Fraction(rng.choice([1, 0.1, 0, -2.5, rng.random()])) for _ in range(pairs)]
    )
    which = integers(rng, [rng.randrange(n_axes) for _ in range(pairs)], n_axes)
    draw = rng.random()
    if draw < 0.05:
        places = Drawn(rng.choice([[1, 2], 3.0, np.zeros((rows + 1, n_axes)), []]), None)
    elif draw < 0.1:
        omega = Drawn(np.ones(pairs + 1), None)
    elif draw < 0.15 and pairs:
        omega = Drawn(np.full(pairs, 1e300), None)
        places = Drawn(np.full((rows, n_axes), rng.choice([1e300, 12])), None)
    check = None
    if None not in (x.meaning, order.meaning, places.meaning, omega.meaning, which.meaning):
        kind = getattr(x.value, "dtype", np.dtype(float))

        def check(result):
            unit = 2.0**-20 if kind == np.float32 else 1e-14
            entries = nested([of(number) for number in x.meaning[1]], (rows, d))
            grid = nested(places.meaning[1], (rows, n_axes))
            assert result.shape == (rows, d)
            for row, place, made in zip(entries, grid, result, strict=True):
                angles = [
                    of(place[a]) * of(w)
                    for w, a in zip(omega.meaning[1], which.meaning, strict=True)
                ]
                bound = 20 * (unit + 2.0**-52 * float(max(map(abs, angles), default=0)))
                for one, exact in zip(made, turned(row, angles, order.meaning), strict=True):
                    same(one, exact, bound, "turned entry")

    arguments = tuple(drawn.value for drawn in (x, places, omega, which))
    return Case(arguments, {"layout": order.value}, check)
