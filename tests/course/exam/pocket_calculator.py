"""A student who has the sheet and a pocket calculator: the answers again, from formulas and `math`.

A function is named after its question. It gets the numbers on the sheet, in the order of reading,
and gives an answer to each part that asks for one, the proofs left out. A question whose key is one
step from its text has none: a second copy of the step would show nothing.
"""

import re
from math import cos, dist, e, exp, floor, log, pi, prod, sin

TAU = 2 * pi


def numbers(text):
    """Return the numbers of a text, which puts a small space between thousands."""
    found = re.findall(r"-?\d+(?:\.\d+)?", text.replace(r"\,", ""))
    return [float(one) if "." in one else int(one) for one in found]


def row(k, d, n):
    return [f(k * n ** (-2 * i / d)) for i in range(d // 2) for f in (sin, cos)]


def dot(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def shares(powers):
    return [power / sum(powers) for power in powers]


def pairs_of(entries):
    return list(zip(entries[::2], entries[1::2], strict=True))


def quarter(x, y, turns):
    """Turn (x, y) clockwise."""
    for _ in range(turns % 4):
        x, y = y, -x
    return x, y


def attention_by_hand(*entries):
    rows = pairs_of(entries[:6])
    weights = shares([2 ** dot(rows[0], other) for other in rows])
    out = [dot(weights, column) for column in zip(*rows, strict=True)]
    return weights, out, out


def hand_turned(_, x, y, sine, cosine):
    return [x * cosine + y * sine, y * cosine - x * sine], [y, -x]


def row_by_formula(d, n, k):
    return [row(k, d, n)]


def speed_of_pair(d, n, _factor, _pairs, i, *_):
    return n ** (2 * i / d), [2 * i, 2 * i + 1], 2 * i


def finished_pairs(d, n, _factor, _pairs, _same, length, wide, wide_n, wide_length, _):
    waves = [TAU * n ** (2 * i / d) for i in range(d // 2)]
    many = [TAU * wide_n ** (2 * i / wide) for i in range(wide // 2)]
    counts = [
        sum(wave <= steps - 1 for wave in these)
        for these, steps in ((waves, length), (many, wide_length))
    ]
    return waves, *counts


def base_for_length(d, length):
    n = exp(log((length - 1) / TAU) / (1 - 2 / d))
    return floor(n + 0.5), "as before"


def wrong_sign(shift, _d, n, _, *rest):
    matrix = [rest[4 * k : 4 * k + 4] for k in range(4)]
    for pair in range(2):
        b = shift * n ** (-pair / 2)
        for (at, to), value in {(0, 1): sin(b), (1, 0): -sin(b)}.items():
            line, column = 2 * pair + at, 2 * pair + to
            if matrix[line][column] * value < 0:
                block = [[cos(b), sin(b)], [-sin(b), cos(b)]]
                block[at][to] *= -1
                return [line, column], value, dot(*block)
    return None


def one_matrix(*given):
    b = given[-2] * given[-1]
    return [[[cos(b), sin(b)], [-sin(b), cos(b)]]]


def sines_alone(_one, _two, length, k, other, shift, *_):
    return [[sin(TAU * (place + shift) / length) for place in (k, other)]]


def count_in_bits(_, k, low, high, i):
    flips = sum(a != b for a, b in zip(f"{low:09b}", f"{high:09b}", strict=True))
    return [int(digit) for digit in f"{k:07b}"[::-1]], flips, 2 * 2**i


def distance_of_rows(d, n, k, later, *_):
    apart = dist(row(k, d, n), row(later, d, n))
    return apart, apart


def nearest_twin(n, *rest):
    apart = {place: dist(row(place, 4, n), row(0, 4, n)) for place in rest[3:7]}
    return min(apart, key=apart.get), min(apart.values())


def kernel_by_hand(d, n, k, later, *_):
    one, other = row(k, d, n), row(later, d, n)
    return dot(one, other), dot(other, one), dist(one, other) ** 2


def where_it_looks(d, _one, _also, a, b, k, _):
    def agree(m):
        return dot(row(k + a, d, 10_000), row(m + b, d, 10_000))

    found = max(range(k + 20), key=agree)
    return found, agree(found), "how sharply it looks"


def twins(_, q, *_rest):
    return [-(log(q) + log(1 - q)) / 2]


def turned_score(a, b, c, d, k, m, *_):
    def score(at, to):
        return dot(quarter(a, b, at), quarter(c, d, to))

    return score(k, m), score(k + 1000, m + 1000), score(m, k)


def halves_as_neighbours(*entries):
    query, gap, key = entries[7:13], entries[13], entries[14:20]

    def score(columns):
        turns = (2 * gap, gap, 0)
        return sum(
            # Forwards is anticlockwise here.
            dot((query[a], query[b]), quarter(key[a], key[b], -turn))
            for (a, b), turn in zip(columns, turns, strict=True)
        )

    trained = [(0, 3), (1, 4), (2, 5)]
    return score(trained), score([(0, 1), (2, 3), (4, 5)]), [c for pair in trained for c in pair], 0


def alibi_reach(*entries):
    gap, head = entries[-2:]
    return e ** (-gap / 2**head), 2**head * log(2)


def hundred_words(*entries):
    q, key = entries[0:2], entries[3:5]
    rows = [entries[at : at + 2] for at in (6, 9, 12, 15)]
    late = [
        prod([q[0] + a[0], key[0] + b[0]]) + prod([q[1] + a[1], key[1] + b[1]])
        for a, b in (rows[:2], rows[2:])
    ]
    above, below, bucket = entries[18:21]
    return late, [dot(q, key) - above / below, dot(q, key) + bucket]


def by_the_key(_, length, slope, k):
    near = shares([2.0 ** (-slope * abs(k - m)) for m in range(length)])
    return near, shares([2.0 ** (slope * m) for m in range(length)])
