"""The numbers of each question, drawn from a generator: names for the words in `questions.md`."""

import math
from fractions import Fraction

import numpy as np

from posenc import (
    alibi_slopes,
    attention,
    binary_code,
    frequencies,
    rotate,
    shift_matrix,
    sinusoidal,
    wavelengths,
)
from posenc_course.experiments.bug_zoo import BUGS

TRIPLES = [(0.6, 0.8), (0.8, 0.6), (0.28, 0.96), (0.96, 0.28)]
WORDS = ["ant", "bee", "cat", "dog", "eel", "fox"]
CASES = {
    "integer arange": "the exponent $2i/d$ is rounded down to a whole number",
    "doubled exponent": "the factor 2 of the exponent is applied twice, $4i/d$",
    "off-by-one i": "each column has a frequency of its own, not each pair",
    "mixed layouts": "all sines come first and then all cosines, not in turn",
}


def by_base_2(scores):
    """Return the weights that powers of 2 make of whole scores, as fractions."""
    powers = np.array([Fraction(2) ** int(score) for score in scores])
    return powers / powers.sum()


def attention_by_hand(rng):
    rows = rng.integers(0, 3, size=(3, 2))
    a, b, c = rng.permutation(WORDS)[:3]
    scores = rows @ rows[0]
    weights = by_base_2(scores)
    out = [sum(weights * column) for column in rows.T]
    by_scores = scores / max(scores.sum(), 1)
    return locals()


def block_follows(rng):
    rows = rng.integers(-1, 3, size=(4, 2))
    w1, w2 = rng.integers(-1, 2, size=(2, 2, 2))
    order = rng.permutation(4)
    y = rows + attention(np.log(2) * np.sqrt(2) * rows, rows, rows)[0]
    z = y + np.maximum(y @ w1, 0) @ w2
    return locals()


def masked_line(rng):
    first, second, third = 2 * rng.permutation(np.arange(1, 10))[:3]
    mean = Fraction(int(first + second + third), 3)
    return locals()


def hand_turned(rng):
    (x, y), (sine, cosine) = (TRIPLES[k] for k in rng.permutation(4)[:2])
    x, y = x * rng.choice([-1, 1]), y * rng.choice([-1, 1])
    b = np.arctan2(sine, cosine)
    turned, back = rotate([[x, y], [x, y]], [[-b], [b]])
    return locals()


def wave_read(rng):
    first, length = rng.integers(1, 6), rng.choice([10, 16, 20, 24, 30, 40])
    omega = math.tau / length
    return locals()


def row_by_formula(rng):
    k, root = rng.integers((2, 3), (25, 21))
    n = root**2
    row = sinusoidal([k], 4, base=n)[0]
    return locals()


def speed_of_pair(rng):
    factor, pairs = rng.choice([2, 3, 10]), rng.choice([4, 6, 8])
    i, n, d = rng.integers(2, pairs), factor**pairs, 2 * pairs
    inverse = (1 / frequencies(d, base=n)).round().astype(int)
    return locals()


def word_and_position(rng):
    table = rng.integers(-2, 3, size=(4, 4))
    words = rng.permutation(WORDS)[:4]
    ids = rng.permutation(4)
    k = rng.integers(1, 4)
    word, encoding = table[ids[k]], sinusoidal(5, 4, base=100)
    return locals()


def wrong_axis(rng):
    batch, length = rng.integers(3, 7), rng.integers(8, 15)
    text, token = rng.integers(1, batch), rng.integers(1, length)
    return locals()


def finished_pairs(rng):
    factor, pairs = rng.integers((3, 4), (9, 7))
    d, n = 2 * pairs, factor**pairs
    length = int(round(math.tau * factor ** rng.uniform(1.3, pairs - 1.6), -1))
    wide_n, wide_length = 1000 * rng.integers(1, 100), 50 * rng.integers(2, 40)
    waves = wavelengths(d, base=n)
    count = (waves <= length - 1).sum()
    last = 256 * math.log((wide_length - 1) / math.tau) / math.log(wide_n)
    return locals()


def base_for_length(rng):
    d, length = rng.choice([4, 6, 8]), 100 * rng.integers(1, 10) + 1
    reach = (length - 1) / math.tau
    return locals()


def wrong_sign(rng):
    shift, pair = rng.integers(2, 7), rng.integers(2)
    first, second = 2 * pair, 2 * pair + 1
    row, column = ((first, second), (second, first))[rng.integers(2)]
    true = shift_matrix(shift, 4, base=25)
    wrong = true.copy()
    wrong[row, column] *= -1
    b = shift * (1, 0.2)[pair]
    gram = wrong @ wrong.T
    return locals()


def one_matrix(rng):
    omega, shift = rng.integers(1, 10) / 10, rng.integers(2, 7)
    matrix = shift_matrix(omega * shift, 2)
    return locals()


def sines_alone(rng):
    """Two positions with the same sine, which a shift parts."""
    length = rng.choice([12, 16, 20, 24])
    k, shift = rng.integers(1, length // 4, size=2)  # so short that the shifted sines differ
    other = length // 2 - k
    sines = np.sin(math.tau / length * np.array([k + shift, other + shift]))
    return locals()


def count_in_bits(rng):
    mixed = [k for k in range(17, 60) if k.bit_count() > 1]  # 32 has a single bit to add up
    k, i = rng.choice(mixed), rng.integers(2, 6)
    low = 2 ** rng.integers(3, 6) * rng.choice([1, 3]) - 1
    bits, before, after = binary_code([k, low, low + 1], 7)
    flips = (before != after).sum()
    powers = " + ".join(f"{2**at}" for at in np.flatnonzero(bits))
    return locals()


def no_matrix_counts(rng):
    width, word = [(5, "five"), (6, "six"), (7, "seven")][rng.integers(3)]
    m = 4 * rng.integers(1, 2 ** (width - 2) - 1)
    code = binary_code(m + 5, width)
    sums = np.array([code[m + 1] + code[m + 4], code[m + 2] + code[m + 3]])
    return locals()


def distance_of_rows(rng):
    root, k, gap = rng.choice([5, 8, 10]), rng.integers(10, 90), rng.integers(2, 6)
    one, other = sinusoidal([k, k + gap], 4, base=root**2)
    apart = math.dist(one, other)
    return locals()


def nearest_twin(rng):
    root = rng.choice([4, 5, 7, 9, 10])
    back = round(math.tau * root)
    others = rng.permutation(np.arange(7, back - 6))[:2]
    places = sorted([1, back, *others])
    chords = np.abs(2 * np.sin(np.outer(places, [1 / 2, 1 / (2 * root)])))
    apart = np.hypot(*chords.T)
    hands = ["fast" if fast > slow else "slow" for fast, slow in chords]
    listed = ", ".join(map(str, places))
    return locals()


def kernel_by_hand(rng):
    root, gap, k = rng.choice([4, 5, 8, 10]), rng.integers(1, 7), rng.integers(20, 900)
    one, other = sinusoidal([k, k + gap], 4, base=root**2)
    product = one @ other
    return locals()


def where_it_looks(rng):
    a, b, k = rng.integers(1, 7), rng.integers(1, 7), rng.integers(15, 40)
    return locals()


def one_answer(rng):
    weights = np.array([(5, 3, 2), (6, 3, 1), (4, 4, 2), (7, 2, 1)][rng.integers(4)]) / 10
    offers, c = rng.integers(-4, 5, size=3), rng.integers(-1, 2)
    z = c + weights @ offers
    q = 1 / (1 + np.exp(-z))
    return locals()


def twins(rng):
    q = rng.choice([*range(10, 46), *range(55, 91)]) / 100
    return locals()


def which_bug(rng):
    name = rng.choice(list(CASES))
    d = rng.choice([6, 8])
    k, other = rng.permutation([1, 2, 3])[:2]
    rows = {case: BUGS[case](np.zeros((2, 4, d)))[1, k] for case in CASES}
    row = rows[name]
    x, y, z = (case for case in CASES if case != name)
    correct = sinusoidal(4, d)
    squares = row @ row
    catches = "catches" if abs(squares - d / 2) > 1e-9 else "does not catch"
    return locals()


def turned_score(rng):
    q, key = rng.integers(-3, 4, size=(2, 2))
    k, m = rng.integers(0, 9, size=2)

    def score(at, to):
        quarter = -math.pi / 2
        return round((rotate([q], [[at * quarter]]) @ rotate([key], [[to * quarter]]).T).item())

    right, reverse = score(k, m), score(m, k)
    return locals()


def halves_as_neighbours(rng):
    q, key = rng.integers(-2, 4, size=(2, 6))
    gap = rng.choice([1, 3])
    turns = gap * np.array([math.pi, math.pi / 2, 0])
    right, loaded = (round(q @ rotate(key, turns, layout=x)) for x in ("halves", "interleaved"))
    return locals()


def only_the_difference(rng):
    c, gap = rng.integers(1, 6) / 10, rng.integers(2, 5)
    first, later = rng.integers(0, 3), rng.integers(4, 8)
    differences = [c * ((k + gap) ** 2 - k**2) for k in (first, later)]
    return locals()


def alibi_reach(rng):
    h, gap = rng.integers(2, 6), rng.integers(4, 13)
    slope = alibi_slopes(8)[h - 1]
    return locals()


def hundred_words(rng):
    q, key = rng.integers(0, 4, size=(2, 2))
    rows = rng.integers(-2, 3, size=(4, 2))
    below, bucket = rng.choice([2, 4]), rng.integers(1, 10) / 10
    product, cost = q @ key, 1 / below
    before, after = (q + rows[0]) @ (key + rows[1]), (q + rows[2]) @ (key + rows[3])
    return locals()


def by_the_key(rng):
    # A steeper slope has a shorter text, so that the weights stay short fractions.
    slope, length = [(1, 4), (1, 5), (1, 6), (1, 7), (2, 4), (2, 5), (3, 4)][rng.integers(7)]
    k = rng.integers(1, length - 1)
    keys = np.arange(length)
    near, rising = -slope * abs(k - keys), slope * keys
    return locals()
