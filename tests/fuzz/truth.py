"""What is true, in exact integers, fractions and 40-digit numbers."""

import sys

import mpmath
import numpy as np

DIGITS = 40


def true_frequencies(d_model, base):
    return [power(base, -2 * i, d_model) for i in range(d_model // 2)]


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


def turned(row, angles, layout):
    """Return a row of numbers with its first pairs turned, one angle for each pair."""
    result = list(row)
    for angle, (first, second) in zip(angles, columns(2 * len(angles), layout), strict=True):
        sine, cosine = mpmath.sin(angle), mpmath.cos(angle)
        result[first] = row[first] * cosine - row[second] * sine
        result[second] = row[first] * sine + row[second] * cosine
    return result
