"""The numbers of each question, drawn from a generator: names for the words in `questions.md`.

A function is named after its question. It returns every name that an expression in the words of
the question uses, with its value.
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

Names = dict[str, Any]

TRIPLES = [(0.6, 0.8), (0.8, 0.6), (0.28, 0.96), (0.96, 0.28)]  # sines and cosines of one angle
WORDS = ["ant", "bee", "cat", "dog", "eel", "fox"]
CASES = {
    "integer arange": "the exponent $2i/d$ is rounded down to a whole number",
    "doubled exponent": "the factor 2 of the exponent is applied twice, $4i/d$",
    "off-by-one i": "each column has a frequency of its own, not each pair",
    "mixed layouts": "all sines come first and then all cosines, not in turn",
}


def by_base_2(scores: np.ndarray) -> np.ndarray:
    """Return the attention weights that powers of 2 make of whole scores, as fractions."""
    powers = np.array([Fraction(2) ** int(score) for score in scores])
    return powers / powers.sum()


def attention_by_hand(rng: Generator) -> Names:
    """Return three words, their rows, and the scores, the weights and the output of the first.

    Beside these are the shares of the scores, which some take for the weights.
    """
    rows = rng.integers(0, 3, size=(3, 2))
    a, b, c = rng.permutation(WORDS)[:3]
    scores = rows @ rows[0]
    weights = by_base_2(scores)
    out = [sum(weights * column) for column in rows.T]
    by_scores = scores / max(scores.sum(), 1)  # all scores may be 0, which are not divided
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


def block_follows(rng: Generator) -> Names:
    """Return four rows, what a block with random weights makes of them, and a new order."""
    rows = rng.integers(-1, 3, size=(4, 2))
    w1, w2 = rng.integers(-1, 2, size=(2, 2, 2))
    order = rng.permutation(4)
    # This factor undoes the root of the width and turns powers of e into powers of 2.
    queries = np.log(2) * np.sqrt(2) * rows
    y = rows + attention(queries, rows, rows)[0]
    z = y + np.maximum(y @ w1, 0) @ w2
    return {"rows": rows, "z": z, "order": order}


def masked_line(rng: Generator) -> Names:
    """Return the values of three words, even so that two have a whole mean, and the mean of all."""
    first, second, third = 2 * rng.permutation(np.arange(1, 10))[:3]
    mean = Fraction(int(first + second + third), 3)
    return {"first": first, "second": second, "third": third, "mean": mean}


def hand_turned(rng: Generator) -> Names:
    """Return the tip of a hand, the sine and cosine of an angle, and the tip turned both ways."""
    (x, y), (sine, cosine) = (TRIPLES[k] for k in rng.permutation(4)[:2])
    x, y = x * rng.choice([-1, 1]), y * rng.choice([-1, 1])
    b = np.arctan2(sine, cosine)
    # `rotate` turns anticlockwise, so that a clockwise turn has a negative angle.
    turned, back = rotate([[x, y], [x, y]], [[-b], [b]])
    return {"x": x, "y": y, "sine": sine, "cosine": cosine, "turned": turned, "back": back}


def wave_read(rng: Generator) -> Names:
    """Return the first crest of a wave, its wavelength in tokens, and its radians per token."""
    first, length = rng.integers(1, 6), rng.choice([10, 16, 20, 24, 30, 40])
    return {"first": first, "length": length, "omega": math.tau / length}


def row_by_formula(rng: Generator) -> Names:
    """Return a position, a square base with its root, and the row of width 4 at the position."""
    k, root = rng.integers((2, 3), (25, 21))
    n = root**2
    return {"k": k, "root": root, "n": n, "row": sinusoidal([k], 4, base=n)[0]}


def speed_of_pair(rng: Generator) -> Names:
    """Return an encoding, one of its pairs, and how many tokens each pair needs for a radian."""
    factor, pairs = rng.choice([2, 3, 10]), rng.choice([4, 6, 8])
    # A power of `factor` as the base makes each pair slower than the last by just that factor.
    i, n, d = rng.integers(2, pairs), factor**pairs, 2 * pairs
    inverse = (1 / frequencies(d, base=n)).round().astype(int)
    return {"factor": factor, "pairs": pairs, "i": i, "n": n, "d": d, "inverse": inverse}


def word_and_position(rng: Generator) -> Names:
    """Return a table of four words, the text that `ids` makes of them, and one of its places.

    With the place come the word that stands there and the encodings of the first five places.
    """
    table = rng.integers(-2, 3, size=(4, 4))
    words = rng.permutation(WORDS)[:4]
    ids = rng.permutation(4)
    k = rng.integers(1, 4)
    word, encoding = table[ids[k]], sinusoidal(5, 4, base=100)
    return {"table": table, "words": words, "ids": ids, "k": k, "word": word, "encoding": encoding}


def wrong_axis(rng: Generator) -> Names:
    """Return the shape of a batch, a text of it and a token, neither of which is the first."""
    batch, length = rng.integers(3, 7), rng.integers(8, 15)
    text, token = rng.integers(1, batch), rng.integers(1, length)
    return {"batch": batch, "length": length, "text": text, "token": token}


def finished_pairs(rng: Generator) -> Names:
    """Return the wavelengths of an encoding, how many end within a text, and a wider encoding."""
    factor, pairs = rng.integers((3, 4), (9, 7))
    d, n = 2 * pairs, factor**pairs
    # Pair i has the wavelength tau * factor**i, so that pairs 0 and 1 finish and the last does not.
    length = int(round(math.tau * factor ** rng.uniform(1.3, pairs - 1.6), -1))
    wide_n, wide_length = 1000 * rng.integers(1, 100), 50 * rng.integers(2, 40)
    waves = wavelengths(d, base=n)
    count = (waves <= length - 1).sum()
    # The number of the pair, not rounded, whose wavelength is the way through the text, at d = 512.
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


def base_for_length(rng: Generator) -> Names:
    """Return a width, a length of text, and the tokens per radian of a hand with one turn in it."""
    d, length = rng.choice([4, 6, 8]), 100 * rng.integers(1, 10) + 1
    return {"d": d, "length": length, "reach": (length - 1) / math.tau}


def wrong_sign(rng: Generator) -> Names:
    """Return a shift matrix with one wrong sign, where that is, and the matrix as it should be.

    With them come the angle of the pair with the wrong sign, and the wrong matrix times its
    transpose, which is not the identity.
    """
    shift, pair = rng.integers(2, 7), rng.integers(2)
    first, second = 2 * pair, 2 * pair + 1
    row, column = ((first, second), (second, first))[rng.integers(2)]
    true = shift_matrix(shift, 4, base=25)
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


def one_matrix(rng: Generator) -> Names:
    """Return a frequency, a shift in tokens, and the matrix that turns a pair by both."""
    omega, shift = rng.integers(1, 10) / 10, rng.integers(2, 7)
    return {"omega": omega, "shift": shift, "matrix": shift_matrix(omega * shift, 2)}


def sines_alone(rng: Generator) -> Names:
    """Return a wavelength, two positions with the same sine, and their sines after a shift."""
    length = rng.choice([12, 16, 20, 24])
    k, shift = rng.integers(1, length // 4, size=2)  # so short that the shifted sines differ
    other = length // 2 - k
    sines = np.sin(math.tau / length * np.array([k + shift, other + shift]))
    return {"length": length, "k": k, "other": other, "shift": shift, "sines": sines}


def count_in_bits(rng: Generator) -> Names:
    """Return a number with its bits, a step at which several bits flip, and one of the bits."""
    mixed = [k for k in range(17, 60) if k.bit_count() > 1]  # 32 has a single bit to add up
    k, i = rng.choice(mixed), rng.integers(2, 6)
    # One below 8, 16 or 32, or three times that: it ends in three 1s or more, which all flip.
    low = 2 ** rng.integers(3, 6) * rng.choice([1, 3]) - 1
    bits, before, after = binary_code([k, low, low + 1], 7)
    flips = (before != after).sum()
    powers = " + ".join(f"{2**at}" for at in np.flatnonzero(bits))
    return {"k": k, "i": i, "low": low, "bits": bits, "flips": flips, "powers": powers}


def no_matrix_counts(rng: Generator) -> Names:
    """Return a width, m, and the sums of the codes of m + 1 and m + 4, and of m + 2 and m + 3."""
    width, word = [(5, "five"), (6, "six"), (7, "seven")][rng.integers(3)]
    m = 4 * rng.integers(1, 2 ** (width - 2) - 1)  # a multiple of 4, with room for m + 4
    code = binary_code(m + 5, width)
    sums = np.array([code[m + 1] + code[m + 4], code[m + 2] + code[m + 3]])
    return {"width": width, "word": word, "m": m, "sums": sums}


def distance_of_rows(rng: Generator) -> Names:
    """Return a position, a gap, and how far apart the rows of width 4 and base root**2 are."""
    root, k, gap = rng.choice([5, 8, 10]), rng.integers(10, 90), rng.integers(2, 6)
    one, other = sinusoidal([k, k + gap], 4, base=root**2)
    return {"root": root, "k": k, "gap": gap, "apart": math.dist(one, other)}


def nearest_twin(rng: Generator) -> Names:
    """Return four positions and the distance of the row of each from that of position 0.

    One is the neighbour of 0, one is where the slow hand is back after a turn, and two are between.
    """
    root = rng.choice([4, 5, 7, 9, 10])
    back = round(math.tau * root)  # tokens in a turn of the slow hand
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


def kernel_by_hand(rng: Generator) -> Names:
    """Return a gap, two rows of width 4 and base root**2 so far apart, and their dot product."""
    root, gap, k = rng.choice([4, 5, 8, 10]), rng.integers(1, 7), rng.integers(20, 900)
    one, other = sinusoidal([k, k + gap], 4, base=root**2)
    product = one @ other
    return {"root": root, "gap": gap, "k": k, "one": one, "other": other, "product": product}


def where_it_looks(rng: Generator) -> Names:
    """Return the shifts of a query and of a key, and the position that looks around."""
    a, b, k = rng.integers(1, 7), rng.integers(1, 7), rng.integers(15, 40)
    return {"a": a, "b": b, "k": k}


def one_answer(rng: Generator) -> Names:
    """Return three weights and offers, the constant c, the sum z, and the probability q of z."""
    weights = np.array([(5, 3, 2), (6, 3, 1), (4, 4, 2), (7, 2, 1)][rng.integers(4)]) / 10
    offers, c = rng.integers(-4, 5, size=3), rng.integers(-1, 2)
    z = c + weights @ offers
    q = 1 / (1 + np.exp(-z))
    return {"weights": weights, "offers": offers, "c": c, "z": z, "q": q}


def twins(rng: Generator) -> Names:
    """Return a probability q, so far from 0.5 that the losses of the two answers differ clearly."""
    return {"q": rng.choice([*range(10, 46), *range(55, 91)]) / 100}


def which_bug(rng: Generator) -> Names:
    """Return one of the four bugs, row k of a layer with each, and whether a row's length tells.

    With them come the three other bugs, another position, and the correct table.
    """
    name = rng.choice(list(CASES))
    d = rng.choice([6, 8])
    k, other = rng.permutation([1, 2, 3])[:2]
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


def turned_score(rng: Generator) -> Names:
    """Return a query at k and a key at m with their score, and the score at exchanged places."""
    q, key = rng.integers(-3, 4, size=(2, 2))
    k, m = rng.integers(0, 9, size=2)

    def score(at, to):
        """Return the score of the query at one position with the key at another."""
        quarter = -math.pi / 2  # clockwise
        return round((rotate([q], [[at * quarter]]) @ rotate([key], [[to * quarter]]).T).item())

    right, reverse = score(k, m), score(m, k)
    return {"q": q, "key": key, "k": k, "m": m, "score": score, "right": right, "reverse": reverse}


def halves_as_neighbours(rng: Generator) -> Names:
    """Return a query, a key a gap later, and their score in halves and wrongly as neighbours."""
    q, key = rng.integers(-2, 4, size=(2, 6))
    gap = rng.choice([1, 3])
    turns = gap * np.array([math.pi, math.pi / 2, 0])
    right, loaded = (round(q @ rotate(key, turns, layout=x)) for x in ("halves", "interleaved"))
    return {"q": q, "key": key, "gap": gap, "right": right, "loaded": loaded}


def only_the_difference(rng: Generator) -> Names:
    """Return two positions, a gap, and how far an angle c k**2 grows over the gap from each."""
    c, gap = rng.integers(1, 6) / 10, rng.integers(2, 5)
    first, later = rng.integers(0, 3), rng.integers(4, 8)
    differences = [c * ((k + gap) ** 2 - k**2) for k in (first, later)]
    return {"c": c, "gap": gap, "first": first, "later": later, "differences": differences}


def alibi_reach(rng: Generator) -> Names:
    """Return the number of a head of ALiBi, counted from 1, its slope, and a gap in tokens."""
    h, gap = rng.integers(2, 6), rng.integers(4, 13)
    return {"h": h, "gap": gap, "slope": alibi_slopes(8)[h - 1]}


def hundred_words(rng: Generator) -> Names:
    """Return a query, a key, rows to add, the scores, and what ALiBi costs and a bucket adds."""
    q, key = rng.integers(0, 4, size=(2, 2))
    rows = rng.integers(-2, 3, size=(4, 2))
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


def by_the_key(rng: Generator) -> Names:
    """Return a slope, a length, a position k, and two biases: by the distance, and by the key."""
    # A steeper slope has a shorter text, so that the weights stay short fractions.
    slope, length = [(1, 4), (1, 5), (1, 6), (1, 7), (2, 4), (2, 5), (3, 4)][rng.integers(7)]
    k = rng.integers(1, length - 1)
    keys = np.arange(length)
    near, rising = -slope * abs(k - keys), slope * keys
    return {"slope": slope, "length": length, "k": k, "near": near, "rising": rising}
