"""The keys a second time, from the formulas on the page, with loops and the `math` module alone."""

import math
from fractions import Fraction

__all__ = ["attend", "bits", "block", "dot", "encoding", "speed", "times", "turn", "turn_matrix"]


def speed(i, d, n):
    """Return the radians per token of pair i."""
    return math.exp(-2 * i / d * math.log(n))


def encoding(k, d, n):
    """Return row k of the interleaved table."""
    return [f(k * speed(i, d, n)) for i in range(d // 2) for f in (math.sin, math.cos)]


def dot(one, other):
    """Return the dot product."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def times(rows, matrix):
    """Multiply each row by a matrix."""
    return [[dot(row, column) for column in zip(*matrix, strict=True)] for row in rows]


def turn(x, y, quarters):
    """Turn (x, y) by so many quarter turns."""
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def turn_matrix(b):
    """Return R(b), which turns a sine and its cosine by b."""
    return [[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]]


def attend(query, keys, values, base=math.e, bias=None):
    """Return what one query takes home, and its weights; exact for whole numbers and base 2."""
    bias = bias or [0] * len(keys)
    powers = [
        (Fraction(2) if base == 2 else base) ** (dot(query, key) + b)
        for key, b in zip(keys, bias, strict=True)
    ]
    weights = [one / sum(powers) for one in powers]
    return [dot(weights, column) for column in zip(*values, strict=True)], weights


def block(rows, w1, w2, causal=False):
    """Run a block: attention by the rows themselves, a residual, an MLP, a residual."""
    out = []
    for k, x in enumerate(rows):
        seen = rows[: k + 1] if causal else rows
        taken, _ = attend(x, seen, seen, base=2)
        y = [a + b for a, b in zip(x, taken, strict=True)]
        (hidden,) = times([y], w1)
        (added,) = times([[max(h, 0) for h in hidden]], w2)
        out.append([a + b for a, b in zip(y, added, strict=True)])
    return out


def bits(k, width):
    """Return the bits of k, the fastest first."""
    return [int(digit) for digit in reversed(f"{k:0{width}b}")][:width]
