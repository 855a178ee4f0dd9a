"""Cases for the functions that name what they are given: tables, and functions that turn."""

import math
from fractions import Fraction

import numpy as np

from tests.fuzz.arguments import (
    LAYOUTS,
    Case,
    Hostile,
    array_form,
    no_numbers,
    spoilt,
    whole_number,
)


def rounded_to_bfloat16(values):
    """Round to the upper half of a float32, to even at a tie."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


# What rounds, and how far the base and the scale may then be off, as a part of themselves.
ROUNDINGS = {
    "float64": (lambda table: table, 1e-6),
    "float32": (lambda table: table.astype(np.float32), 1e-5),
    "float16": (lambda table: table.astype(np.float16), 2e-2),
    "bfloat16": (rounded_to_bfloat16, 2e-2),
    "4 decimals": (lambda table: table.round(4), 1e-2),
}


def encoded(places, omega, layout):
    """Return sines and cosines in the columns of a layout, as float64 has them."""
    angles = np.asarray(places, float)[:, np.newaxis] * omega
    pairs = np.sin(angles), np.cos(angles)
    if layout == "halves":
        return np.concatenate(pairs, axis=1)
    return np.stack(pairs, axis=-1).reshape(len(angles), -1)


def inspect_table(rng):
    """Draw a table with a formula, one of random numbers, or what is no table."""
    draw = rng.random()
    if draw < 0.55:
        return table_with_a_formula(rng)
    rows, pairs = rng.randint(1, 6), rng.choice([1, 2, 4, 8])
    if draw < 0.8:
        table = np.array([[rng.gauss(0, 1) for _ in range(2 * pairs)] for _ in range(rows)])
        if rng.random() < 0.5:  # on circles, but anywhere
            angles = math.tau * np.array([[rng.random() for _ in range(pairs)] for _ in table])
            table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
        rounding, _ = ROUNDINGS[rng.choice(list(ROUNDINGS))]

        def check(report):
            assert not report.sinusoidal, str(report)
            assert report.base is None
            assert str(report).startswith(("Not a sinusoidal table", "Too few numbers to tell"))

        return Case((rounding(table),), {}, check)
    if draw < 0.9:
        wrong = [[], [[]], 3.0, [1.0], np.zeros((0, 4)), np.zeros((3, 1)), [[1], [2, 3]], None]
        return Case((rng.choice([*wrong, Hostile(RuntimeError), no_numbers(rng)]),), {}, None)
    flat = [Fraction(rng.uniform(-1, 1)) for _ in range(2 * pairs * rows)]
    return Case((spoilt(rng, flat, (rows, 2 * pairs)),), {}, None)


def table_with_a_formula(rng):
    width, count, layout = rng.choice([16, 32, 64]), rng.randint(12, 40), rng.choice(LAYOUTS)
    n, spacing = rng.choice([10_000.0, 10_000.0, 1_000.0, 500_000.0]), "paper"
    first, step = rng.choice([0, 0, 1, 2, 100, 5_000]), rng.choice([1, 1, 1, 2])
    base, index = n, np.arange(width // 2)
    if rng.random() < 0.3:
        n, spacing = 10_000.0, "tensor2tensor"
        base = n ** (width / (width - 2))
    places = first + step * np.arange(count)
    if rng.random() < 0.2:
        places = np.array(rng.sample(places.tolist(), count))
    table = encoded(places, base ** (-2 * index / width), layout)
    swapped = rng.random() < 0.3
    if swapped and layout == "halves":
        table = np.roll(table, width // 2, axis=1)
    elif swapped:
        table = table.reshape(count, -1, 2)[..., ::-1].reshape(count, width)
    scale = rng.choice([1.0, 1.0, 1.0, width**0.5, width**-0.5, 0.02])
    name = rng.choice(list(ROUNDINGS))
    rounding, off = ROUNDINGS[name]
    if name == "4 decimals" and scale < 1:  # hardly a digit is left
        return None
    table = rounding(scale * table)
    flat, shape = [Fraction(float(x)) for x in table.ravel()], table.shape
    given = table if rng.random() < 0.5 else array_form(rng, flat, shape)

    def check(report):
        assert report.sinusoidal, str(report)
        assert (report.layout, report.cosines_first) == (layout, swapped), str(report)
        assert report.spacing in (spacing, "either"), str(report)
        assert math.isclose(report.base, base, rel_tol=off), str(report)
        assert math.isclose(report.scale, scale, rel_tol=off), str(report)
        assert report.rounding == name, str(report)
        np.testing.assert_array_equal(report.positions, places)
        plain = (layout, swapped, base, scale) == ("interleaved", False, 10_000.0, 1.0)
        plain = plain and (places == np.arange(count)).all()
        assert plain or report.change, str(report)

    return Case((given,), {}, check)


# Functions that turn


def turn(x, angles, layout):
    """Turn the first columns of x, of shape (..., d), by angles, of shape (..., m)."""
    m = angles.shape[-1]
    first, second = (slice(0, 2 * m, 2), slice(1, 2 * m, 2))
    if layout == "halves":
        first, second = slice(0, m), slice(m, 2 * m)
    turned, a, b = np.array(x), x[..., first], x[..., second]
    turned[..., first] = a * np.cos(angles) - b * np.sin(angles)
    turned[..., second] = a * np.sin(angles) + b * np.cos(angles)
    return turned


def check_rope(rng):
    """Draw a function that applies RoPE, or one with a bug, or what is no function."""
    draw = rng.random()
    if draw < 0.5:
        return right_function(rng)
    width = rng.choice([4, 8, 16])
    if draw < 0.75:
        return Case((wrong_function(rng, width), width), {}, is_reported)
    if draw < 0.88:
        wrong = [None, 3, "rope", [], np.zeros(3), Hostile(RuntimeError), math.nan]
        return Case((rng.choice(wrong), width), {}, None)
    head_dim = whole_number(rng, 2, 16)
    odd = head_dim.meaning is None or head_dim.meaning % 2
    if not odd:
        return None
    return Case((lambda x, _: x, head_dim.value), {}, None)


def right_function(rng):
    head_dim, layout = 2 * rng.randint(4, 16), rng.choice(LAYOUTS)
    width = head_dim if rng.random() < 0.7 else 2 * rng.randint(4, head_dim // 2)
    base = rng.choice([10_000.0, 10_000.0, 500_000.0, 100.0, 1e6])
    slower = rng.choice([1.0, 1.0, 1.0, 4.0, 8.0])
    still = rng.choice([0, 0, 0, width // 4])
    factor = rng.choice([1.0, 1.0, 1.13862944])
    offset = rng.choice([0, 0, 0, 0, 1, -1, 0.5])
    kind = rng.choice([np.float64, np.float64, np.float32])
    omega = base ** (-2 * np.arange(width // 2) / width) / slower
    omega[omega.size - still :] = 0

    def function(x, positions):
        angles = (positions + offset)[:, np.newaxis] * omega
        turned = turn(x, angles, layout)
        turned[..., :width] *= factor
        return turned.astype(kind)

    def check(report):
        text = str(report)
        assert report.rotary == (offset == 0), text
        assert report.layout == layout, text
        assert math.isclose(report.attention_factor, factor, rel_tol=1e-5), text
        assert math.isclose(report.offset, offset, abs_tol=1e-3), text
        assert (offset == 0) == (not report.problems), text
        if still == 0:
            assert report.width == width, text
            off = 1e-6 if kind == np.float64 else 1e-3
            np.testing.assert_allclose(report.frequencies, omega, rtol=off)
            assert math.isclose(report.base, base, rel_tol=100 * off), text

    return Case((function, head_dim), {}, check)


def compare_rope(rng):
    """Draw two functions that turn, of which one may differ, from a first position on."""
    width, order = 2 * rng.randint(4, 12), rng.choice(LAYOUTS)
    omega = 10_000.0 ** (-2 * np.arange(width // 2) / width)
    last = rng.choice([200, 3_000, 70_000])
    others = {  # where each parts first from plain RoPE
        "none": (None, lambda x, k: turn(x, k[:, np.newaxis] * omega, order)),
        "base": (1, lambda x, k: turn(x, k[:, np.newaxis] * omega**0.5, order)),
        "sign": (1, lambda x, k: turn(x, -k[:, np.newaxis] * omega, order)),
        "from 1": (0, lambda x, k: turn(x, (k[:, np.newaxis] + 1) * omega, order)),
        "scaled": (0, lambda x, k: 1.1 * turn(x, k[:, np.newaxis] * omega, order)),
        "table": (
            last,
            lambda x, k: turn(x, np.minimum(k, last - 1)[:, np.newaxis] * omega, order),
        ),
    }
    position, other = others[rng.choice([*others])]
    both = [others["none"][1], other]
    rng.shuffle(both)
    draw = rng.random()
    if draw < 0.1:
        wrong = rng.choice([3, 7, 0, -2, 8.0, None, "8", Hostile(ValueError)])
        return Case((*both, wrong), {}, None)
    if draw < 0.2:
        return Case((*both, width), {"tolerance": rng.choice([0, -1, math.nan, "1", None])}, None)
    if draw < 0.3:
        both[rng.randint(0, 1)] = rng.choice([None, "rope", 3.0, [], Hostile(RuntimeError)])
        return Case((*both, width), {}, None)

    def check(found):
        assert (found.same, found.position) == (position is None, position), str(found)
        assert found.same == (found.columns is None)

    return Case((*both, width), {}, check)


def is_reported(report):
    assert not report.rotary, str(report)
    assert report.problems
    assert all(len(problem) < 600 for problem in report.problems)


def wrong_function(rng, width):
    """Return a function that is no rotary embedding: it raises, or returns what is none."""
    omega = 10_000.0 ** (-2 * np.arange(width // 2) / width)
    uneven = np.arange(width) % 3 == 0  # a length of its own for each token is a temperature
    calls = []

    def right(x, positions):
        return turn(x, np.asarray(positions)[:, np.newaxis] * omega, "halves")

    def raises(*_):
        raise rng.choice([RuntimeError, KeyError, TypeError, FloatingPointError, ValueError])("no")

    def raises_later(x, positions):
        calls.append(1)
        if len(calls) > later:
            raises()
        return right(x, positions)

    def changes_its_mind(x, positions):
        calls.append(1)
        return wrong if len(calls) > later else right(x, positions)

    def at_random(x, _):
        return np.array([rng.gauss(0, 1) for _ in range(x.size)]).reshape(x.shape)

    later = rng.choice([0, 1, 2, 3])
    wrong = rng.choice(
        [
            *(None, 3, "turned", [], {}, object(), Hostile(RuntimeError), np.zeros((2, 3))),
            *(np.full((1, width, 24, width), math.nan), np.array(["a"]), 1j, [[1], [2, 3]]),
            *(np.full((1, width, 24, width), 1e308), np.ma.masked, np.zeros((1, width, 24, width))),
        ]
    )
    return rng.choice(
        [
            *(raises, raises_later, changes_its_mind, changes_its_mind, at_random),
            lambda x, _: x,
            lambda x, _: x * 1e200,
            lambda x, _: -x,
            lambda x, _: x**2,
            lambda x, positions: x + positions[0],
            lambda x, _: np.zeros_like(x),
            lambda x, positions: right(x, positions) * (1 + positions[:, np.newaxis] * uneven),
            lambda x, positions: right(x, np.zeros_like(positions)),
            lambda x, positions: right(x, -positions),
            lambda x, positions: right(x, positions**2),
            lambda x, positions: right(x, positions % 7),
            lambda x, _: turn(x, np.abs(x[..., : width // 2]), "halves"),
            lambda x, positions: right(x, positions)[..., ::-1, :],
            lambda x, positions: right(x, positions).swapaxes(1, 2),
            lambda x: x,
            lambda: None,
            math.sin,
            object,
        ]
    )
