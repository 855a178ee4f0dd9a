"""The numbers of each question, drawn from a generator: names for the words in `questions.md`.

A function is named after its question. It returns every name that an expression in the words of
the question uses, with its value. What is drawn is small enough to compute by hand, and numbers for
which a typical wrong answer would be right are drawn again (`Question.ask`).
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import Generator

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

ByName = dict[str, Any]  # the values of the names in a question's words

# (sine, cosine) of four angles, each exact in two decimals.
TRIPLES = [(0.6, 0.8), (0.8, 0.6), (0.28, 0.96), (0.96, 0.28)]
WORDS = ["ant", "bee", "cat", "dog", "eel", "fox"]
# Four bugs of the zoo by name, as the options of a question describe them.
CASES = {
    "integer arange": "the exponent $2i/d$ is rounded down to a whole number",
    "doubled exponent": "the factor 2 of the exponent is applied twice, $4i/d$",
    "off-by-one i": "each column has a frequency of its own, not each pair",
    "mixed layouts": "all sines come first and then all cosines, not in turn",
}


def by_base_2(scores: np.ndarray) -> np.ndarray:
    """Return the powers of 2 of whole scores, divided by their sum: an array of fractions."""
    # Python's ints, as a fraction of NumPy's could overflow.
    powers = np.array([Fraction(2) ** int(score) for score in scores])
    return powers / powers.sum()


def attention_by_hand(rng: Generator) -> ByName:
    """Return three words and their rows, and the first word's scores, weights, and output.

    The weights are powers of 2, not of e, divided by their sum. Also returned is `by_scores`, a
    typical mistake: the scores themselves, divided by their sum.
    """
    rows = rng.integers(0, 3, size=(3, 2))  # 0 to 2: no score above 8, no power of 2 above 256
    a, b, c = rng.permutation(WORDS)[:3]
    scores = rows @ rows[0]
    weights = by_base_2(scores)
    out = [sum(weights * column) for column in rows.T]
    by_scores = scores / max(scores.sum(), 1)  # 1 where all scores are 0, to divide by no 0
    return {
        "a": a,
        "b": b,
        "c": c,
        "rows": rows,
        "scores": scores,
        "weights": weights,
        "by_scores": by_scores,
        "out": out,
    }


def block_follows(rng: Generator) -> ByName:
    """Return four rows, what a block with random weights makes of them, and a new order."""
    # Some entries are below 0, or the maximum in the MLP would cut off nothing.
    rows = rng.integers(-1, 3, size=(4, 2))
    w1, w2 = rng.integers(-1, 2, size=(2, 2, 2))  # two 2 x 2 matrices of the MLP
    # Where the order is the old one, a typical wrong answer is right, and all is drawn again.
    order = rng.permutation(4)
    # `attention` divides by the root of the width, 2, and takes powers of e. With this factor the
    # weights are made of powers of 2, as on the rest of the sheet.
    queries = np.log(2) * np.sqrt(2) * rows
    y = rows + attention(queries, rows, rows)[0]
    z = y + np.maximum(y @ w1, 0) @ w2
    return {"rows": rows, "z": z, "order": order}


def masked_line(rng: Generator) -> ByName:
    """Return the values of three words, different even numbers up to 18, and their mean."""
    # Even, so that the mean of two of them, another wrong answer, is a whole number as they are.
    first, second, third = 2 * rng.permutation(np.arange(1, 10))[:3]
    mean = Fraction(int(first + second + third), 3)
    return {"first": first, "second": second, "third": third, "mean": mean}


def hand_turned(rng: Generator) -> ByName:
    """Return a tip x, y, an angle's sine and cosine, and the tip `turned` clockwise, and `back`."""
    # Two different triples: with the same angle twice, one of the turns would end on an axis.
    (x, y), (sine, cosine) = (TRIPLES[k] for k in rng.permutation(4)[:2])
    x, y = x * rng.choice([-1, 1]), y * rng.choice([-1, 1])  # in any of the four quarters
    b = np.arctan2(sine, cosine)
    # `rotate` turns anticlockwise, so that a clockwise turn has a negative angle.
    turned, back = rotate([[x, y], [x, y]], [[-b], [b]])
    return {"x": x, "y": y, "sine": sine, "cosine": cosine, "turned": turned, "back": back}


def wave_read(rng: Generator) -> ByName:
    """Return the first crest of a wave, its wavelength in tokens, and its radians per token."""
    # In a wave of 56 tokens or more, a typical wrong answer (a turn in `first + length` tokens) may
    # have the right radians per token to two in the third decimal. The crest is in the first half.
    first, length = rng.integers(1, 6), rng.choice([10, 16, 20, 24, 30, 40])
    return {"first": first, "length": length, "omega": math.tau / length}


def row_by_formula(rng: Generator) -> ByName:
    """Return a position, a square base with its root, and the row of width 4 at the position."""
    # k from 2 to 24: who counts from 1 takes k - 1, and row 0 has no angles. The root from 3 to 20:
    # at 1 both hands would be alike.
    k, root = rng.integers((2, 3), (25, 21))
    n = root**2  # a square, so that the slow hand turns by 1/root
    return {"k": k, "root": root, "n": n, "row": sinusoidal([k], 4, base=n)[0]}


def speed_of_pair(rng: Generator) -> ByName:
    """Return an encoding's settings, one pair i of it, and each pair's tokens per radian."""
    factor, pairs = rng.choice([2, 3, 10]), rng.choice([4, 6, 8])  # a base of 10**8 at most
    # A power of `factor` as the base makes each pair slower than the last by just that factor. At
    # pairs 0 and 1 the power factor**i is too easy.
    i, n, d = rng.integers(2, pairs), factor**pairs, 2 * pairs
    inverse = (1 / frequencies(d, base=n)).round().astype(int)  # whole but for rounding
    return {"factor": factor, "pairs": pairs, "i": i, "n": n, "d": d, "inverse": inverse}


def word_and_position(rng: Generator) -> ByName:
    """Return a table of four words, a text as their `ids`, a place k, its word, and encodings.

    These are the encodings of positions 0 to 4: a typical slip takes that of k + 1.
    """
    table = rng.integers(-2, 3, size=(4, 4))  # whole: only the encoding has decimals
    words = rng.permutation(WORDS)[:4]
    ids = rng.permutation(4)
    k = rng.integers(1, 4)  # not 0, where all sines are 0
    word, encoding = table[ids[k]], sinusoidal(5, 4, base=100)  # the base of the question's words
    return {"table": table, "words": words, "ids": ids, "k": k, "word": word, "encoding": encoding}


def wrong_axis(rng: Generator) -> ByName:
    """Return a batch's number of texts and their length, and a text and a token, not the first."""
    # More tokens than texts: with as many, two wrong answers would be the same number.
    batch, length = rng.integers(3, 7), rng.integers(8, 15)
    # Not the first: with a 0 in them, products and sums hide slips.
    text, token = rng.integers(1, batch), rng.integers(1, length)
    return {"batch": batch, "length": length, "text": text, "token": token}


def finished_pairs(rng: Generator) -> ByName:
    """Return numbers by name: of an encoding, and of how many of its pairs finish a turn in a text.

    With them come the length of a text for d = 512, a base, and the number of the last pair that
    finishes a turn in it, not rounded.
    """
    factor, pairs = rng.integers((3, 4), (9, 7))  # the factor from 3 to 8, and 4 to 6 pairs
    d, n = 2 * pairs, factor**pairs
    # Pair i has the wavelength tau * factor**i. A length of that at i from 1.3 to pairs - 1.6, to
    # the nearest 10, lets pairs 0 and 1 finish and the last not.
    length = int(round(math.tau * factor ** rng.uniform(1.3, pairs - 1.6), -1))
    # About as large as in models: a base from 1000 to 99 000, a text from 100 to 1950 tokens.
    wide_n, wide_length = 1000 * rng.integers(1, 100), 50 * rng.integers(2, 40)
    waves = wavelengths(d, base=n)
    count = (waves <= length - 1).sum()
    # At d = 512: the number of the pair, not rounded, whose wavelength is all steps of the text.
    last = 256 * math.log((wide_length - 1) / math.tau) / math.log(wide_n)
    return {
        "factor": factor,
        "pairs": pairs,
        "d": d,
        "n": n,
        "length": length,
        "waves": waves,
        "count": count,
        "wide_n": wide_n,
        "wide_length": wide_length,
        "last": last,
    }


def base_for_length(rng: Generator) -> ByName:
    """Return a width d, a length of text, and `reach`: tokens per radian of one turn through it."""
    # Narrow: the base is reach**(d / (d - 2)), and at a large d it is near `reach`, a typical wrong
    # answer. The length has whole hundreds of steps from token to token.
    d, length = rng.choice([4, 6, 8]), 100 * rng.integers(1, 10) + 1
    return {"d": d, "length": length, "reach": (length - 1) / math.tau}


def wrong_sign(rng: Generator) -> ByName:
    """Return a shift, its matrix `true`, that with one `wrong` sign, and where the sign is.

    With them come the angle of the pair with the wrong sign, and `gram`, the wrong matrix times its
    transpose, which is not the identity.
    """
    shift, pair = rng.integers(2, 7), rng.integers(2)  # a few tokens, one of the two pairs
    first, second = 2 * pair, 2 * pair + 1  # the pair's two columns, and rows
    row, column = ((first, second), (second, first))[rng.integers(2)]  # one of its two sines
    true = shift_matrix(shift, 4, base=25)  # the width and base of the question's words
    wrong = true.copy()
    wrong[row, column] *= -1
    b = shift * (1, 0.2)[pair]  # the frequencies of width 4 and base 25
    return {
        "shift": shift,
        "pair": pair,
        "first": first,
        "second": second,
        "row": row,
        "column": column,
        "true": true,
        "wrong": wrong,
        "b": b,
        "gram": wrong @ wrong.T,
    }


def one_matrix(rng: Generator) -> ByName:
    """Return a frequency, a shift in tokens, and the 2 x 2 matrix of the turn by their product."""
    # The shift from 2 on: at 1 the frequency would be the angle, without a product.
    omega, shift = rng.integers(1, 10) / 10, rng.integers(2, 7)
    # At width 2 the only frequency is 1, so the shift is the angle.
    return {"omega": omega, "shift": shift, "matrix": shift_matrix(omega * shift, 2)}


def sines_alone(rng: Generator) -> ByName:
    """Return a wavelength, two positions with the same sine, a shift, and their sines after it."""
    length = rng.choice([12, 16, 20, 24])  # multiples of 4, so that a quarter turn is whole
    # Both are less than a quarter turn: the two positions are not one, at the crest, and the two
    # shifted sines differ.
    k, shift = rng.integers(1, length // 4, size=2)
    other = length // 2 - k
    sines = np.sin(math.tau / length * np.array([k + shift, other + shift]))
    return {"length": length, "k": k, "other": other, "shift": shift, "sines": sines}


def count_in_bits(rng: Generator) -> ByName:
    """Return k with its bits and powers of 2, a bit i, and `low` with its `flips` to `low` + 1."""
    # Numbers of five or six bits, of which 32 has a single one to add up.
    mixed = [k for k in range(17, 60) if k.bit_count() > 1]
    k, i = rng.choice(mixed), rng.integers(2, 6)  # of the seven bits, none of the outer ones
    # One below 8, 16 or 32, or three times that: it ends in three 1s or more, which all flip.
    low = 2 ** rng.integers(3, 6) * rng.choice([1, 3]) - 1
    bits, before, after = binary_code([k, low, low + 1], 7)  # up to 127; `low` is at most 95
    flips = (before != after).sum()
    powers = " + ".join(f"{2**at}" for at in np.flatnonzero(bits))
    return {"k": k, "i": i, "low": low, "bits": bits, "flips": flips, "powers": powers}


def no_matrix_counts(rng: Generator) -> ByName:
    """Return width, its word, m, and two sums of codes: of m + 1 and m + 4, of m + 2 and m + 3."""
    width, word = [(5, "five"), (6, "six"), (7, "seven")][rng.integers(3)]
    # A multiple of 4: the two fastest bits of m to m + 3 are 00, 10, 01, 11, and the codes of m and
    # m + 3 add up to the same as those of m + 1 and m + 2. Also m + 4 fits the width.
    m = 4 * rng.integers(1, 2 ** (width - 2) - 1)
    code = binary_code(m + 5, width)  # of 0 to m + 4
    sums = np.array([code[m + 1] + code[m + 4], code[m + 2] + code[m + 3]])
    return {"width": width, "word": word, "m": m, "sums": sums}


def distance_of_rows(rng: Generator) -> ByName:
    """Return root, k, gap, and how far apart rows k and k + gap are at width 4 and base root**2."""
    # Any small root would do. The gap is less than a turn of the fast hand, 6.28 tokens, and k does
    # not change the answer.
    root, k, gap = rng.choice([5, 8, 10]), rng.integers(10, 90), rng.integers(2, 6)
    one, other = sinusoidal([k, k + gap], 4, base=root**2)
    return {"root": root, "k": k, "gap": gap, "apart": math.dist(one, other)}


def nearest_twin(rng: Generator) -> ByName:
    """Return four positions, how far `apart` each row is from row 0, and by which hand the most.

    One is the neighbour of 0, one is where the slow hand is back after a turn, and two are between.
    The width is 4 and the base root**2.
    """
    root = rng.choice([4, 5, 7, 9, 10])  # any small root would do
    back = round(math.tau * root)  # tokens in a turn of the slow hand
    # 7 tokens, a turn of the fast hand, from both ends: nearer ones could compete with the answer.
    between = rng.permutation(np.arange(7, back - 6))[:2]
    places = sorted([1, back, *between])
    # How far the tip of each hand is from where it started: a chord of the angle it has turned by.
    chords = np.abs(2 * np.sin(np.outer(places, [1 / 2, 1 / (2 * root)])))
    apart = np.hypot(*chords.T)
    hands = ["fast" if fast > slow else "slow" for fast, slow in chords]
    listed = ", ".join(map(str, places))
    return {
        "root": root,
        "back": back,
        "places": places,
        "apart": apart,
        "hands": hands,
        "listed": listed,
    }


def kernel_by_hand(rng: Generator) -> ByName:
    """Return root, k, gap, rows k and k + gap at width 4 and base root**2, and their product."""
    # Any small root would do. The gap is less than a turn of the fast hand, 6.28 tokens, and k does
    # not change the answer.
    root, gap, k = rng.choice([4, 5, 8, 10]), rng.integers(1, 7), rng.integers(20, 900)
    one, other = sinusoidal([k, k + gap], 4, base=root**2)
    product = one @ other
    return {"root": root, "gap": gap, "k": k, "one": one, "other": other, "product": product}


def where_it_looks(rng: Generator) -> ByName:
    """Return a, the shift of a query, b, that of a key, and k, the position that looks around."""
    # No answer, not even k - a, is before position 0.
    a, b, k = rng.integers(1, 7), rng.integers(1, 7), rng.integers(15, 40)
    return {"a": a, "b": b, "k": k}


def one_answer(rng: Generator) -> ByName:
    """Return three weights and offers, c, z = c + weights @ offers, and q, the probability of z."""
    # Tenths that add up to 1.
    weights = np.array([(5, 3, 2), (6, 3, 1), (4, 4, 2), (7, 2, 1)][rng.integers(4)]) / 10
    # So small that z is from -5 to 5: then q is neither 0.00 nor 1.00 in two decimals, but 0.01 to
    # 0.99.
    offers, c = rng.integers(-4, 5, size=3), rng.integers(-1, 2)
    z = c + weights @ offers
    q = 1 / (1 + np.exp(-z))
    return {"weights": weights, "offers": offers, "c": c, "z": z, "q": q}


def twins(rng: Generator) -> ByName:
    """Return a probability q in hundredths, 0.10 to 0.90, but not within 0.04 of 0.5.

    There the losses of the two answers would hardly differ.
    """
    return {"q": rng.choice([*range(10, 46), *range(55, 91)]) / 100}


def which_bug(rng: Generator) -> ByName:
    """Return a bug, width d, row k of a layer with each of four bugs, and whether its length tells.

    With them come the three other bugs, another position, and the correct table.
    """
    name = rng.choice(list(CASES))
    d = rng.choice([6, 8])  # three pairs or more: a typical wrong answer reads pair 2
    k, other = rng.permutation([1, 2, 3])[:2]  # row 0 has no angles to tell the bugs apart
    # A layer that is given zeros returns what it adds, which is the same for both texts here.
    rows = {case: BUGS[case](np.zeros((2, 4, d)))[1, k] for case in CASES}
    row = rows[name]
    x, y, z = (case for case in CASES if case != name)
    squares = row @ row
    rounding = 1e-9  # more than float64 rounds a sum of a few squares by
    catches = "catches" if abs(squares - d / 2) > rounding else "does not catch"
    return {
        "name": name,
        "d": d,
        "k": k,
        "other": other,
        "rows": rows,
        "row": row,
        "x": x,
        "y": y,
        "z": z,
        "squares": squares,
        "catches": catches,
        "correct": sinusoidal(4, d),
    }


def turned_score(rng: Generator) -> ByName:
    """Return a query at k, a key at m, their score `right`, `reverse` with k, m exchanged, `score`.

    The words of the question call `score`, a function of the two positions.
    """
    # Small whole numbers. Places between which the turn has no direction, such as k = m, make a
    # typical wrong answer right, and then `Question.ask` draws all again.
    q, key = rng.integers(-3, 4, size=(2, 2))
    k, m = rng.integers(0, 9, size=2)

    def score(at, to):
        """Return the score, a whole number, of the query at position `at` with the key at `to`."""
        quarter = -math.pi / 2  # clockwise; `rotate` turns anticlockwise
        product = rotate([q], [[at * quarter]]) @ rotate([key], [[to * quarter]]).T
        return round(product.item())  # quarter turns of whole numbers are whole but for rounding

    right, reverse = score(k, m), score(m, k)
    return {"q": q, "key": key, "k": k, "m": m, "score": score, "right": right, "reverse": reverse}


def halves_as_neighbours(rng: Generator) -> ByName:
    """Return a query, a key, their gap, and the score in halves and, wrongly, as neighbours."""
    q, key = rng.integers(-2, 4, size=(2, 6))
    gap = rng.choice([1, 3])  # odd, so that pairs 0 and 1 both turn
    turns = gap * np.array([math.pi, math.pi / 2, 0])  # half a turn per token, a quarter, and none
    # Quarter turns of whole numbers are whole but for rounding.
    right, loaded = (round(q @ rotate(key, turns, layout=x)) for x in ("halves", "interleaved"))
    return {"q": q, "key": key, "gap": gap, "right": right, "loaded": loaded}


def only_the_difference(rng: Generator) -> ByName:
    """Return c, two positions, a gap, and how far the angle c k**2 grows over the gap from each."""
    c, gap = rng.integers(1, 6) / 10, rng.integers(2, 5)  # tenths: the angles have one decimal
    first, later = rng.integers(0, 3), rng.integers(4, 8)  # never the same position
    differences = [c * ((k + gap) ** 2 - k**2) for k in (first, later)]
    return {"c": c, "gap": gap, "first": first, "later": later, "differences": differences}


def alibi_reach(rng: Generator) -> ByName:
    """Return the number h (from 1) of a head of ALiBi's eight, its slope, and a gap in tokens."""
    # In these heads and gaps the weight left is between 5 % and 88 %.
    h, gap = rng.integers(2, 6), rng.integers(4, 13)
    return {"h": h, "gap": gap, "slope": alibi_slopes(8)[h - 1]}


def hundred_words(rng: Generator) -> ByName:
    """Return a query, a key, rows to add, three scores, and what ALiBi costs and a bucket adds.

    The scores are `product`, without rows, and with rows `before` and `after` a hundred words.
    """
    q, key = rng.integers(0, 4, size=(2, 2))
    rows = rng.integers(-2, 3, size=(4, 2))
    # ALiBi's slope is 1/below: a half or a quarter, which two decimals hold.
    below, bucket = rng.choice([2, 4]), rng.integers(1, 10) / 10
    product, cost = q @ key, 1 / below
    before, after = (q + rows[0]) @ (key + rows[1]), (q + rows[2]) @ (key + rows[3])
    return {
        "q": q,
        "key": key,
        "rows": rows,
        "product": product,
        "before": before,
        "after": after,
        "below": below,
        "cost": cost,
        "bucket": bucket,
    }


def by_the_key(rng: Generator) -> ByName:
    """Return slope, length, k, and query k's biases: `near` by distance and `rising` by the key."""
    # (slope, length): a steeper slope has a shorter text, so that weights stay short fractions.
    # Each length has numbers for six sheets, as many as there are versions.
    slope, length = [(1, 4), (2, 4), (3, 4), (1, 5), (2, 5)][rng.integers(5)]
    k = rng.integers(1, length - 1)  # with keys before and after it
    keys = np.arange(length)
    near, rising = -slope * abs(k - keys), slope * keys
    return {"slope": slope, "length": length, "k": k, "near": near, "rising": rising}
