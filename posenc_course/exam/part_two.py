"""Questions on Part II: using the encoding, and where it breaks."""

import math
from fractions import Fraction

import numpy as np

from posenc import alibi_slopes, rotate, sinusoidal
from posenc_course.exam.question import Asked, Part, by_base_2, proof, question, shown
from posenc_course.experiments.bug_zoo import BUGS


@question("similarity", grade=1)
def distance_of_rows(rng):
    """How far apart are two rows."""
    root, k, gap = int(rng.choice([5, 8, 10])), int(rng.integers(10, 90)), int(rng.integers(2, 6))
    rows = sinusoidal([k, k + gap], 4, base=root**2)
    apart = np.linalg.norm(rows[1] - rows[0])
    return Asked(
        f"The encoding has width $d = 4$ and base $n = {root**2}$.",
        Part(
            f"How far apart are the rows of positions {k} and {k + gap}? Two decimals.",
            3,
            apart,
            ("the square of the distance", apart**2),
            ("arcs in place of chords", math.hypot(gap, gap / root)),
            (
                "the whole angle; a chord takes half of it",
                2 * math.hypot(math.sin(gap), math.sin(gap / root)),
            ),
        ),
        Part(
            f"And the rows of positions 0 and {gap}?",
            1,
            apart,
            ("counted tokens", gap),
            ("takes row 0 for a row of zeros; its cosines are 1", math.sqrt(2)),
        ),
        rf"The hands turn by {gap} and {gap}/{root} radians. Their chords are $2\sin({gap}/2)$ "
        rf"and $2\sin({gap}/{2 * root})$; square, add, take the root. The position does not come "
        rf"in.",
    )


@question("similarity", grade=2)
def nearest_twin(rng):
    """Which row is nearest."""
    root = int(rng.choice([4, 5, 7, 9, 10]))
    back = round(math.tau * root)
    others = rng.permutation(np.arange(7, back - 6))[:2].tolist()
    places = sorted([1, back, *others])
    chords = np.abs(2 * np.sin(np.outer(places, [1 / 2, 1 / (2 * root)])))
    apart = np.hypot(*chords.T)
    hands = ["fast" if fast > slow else "slow" for fast, slow in chords]
    listed = ", ".join(map(str, places))
    return Asked(
        f"Four columns, base $n = {root**2}$: one hand turns by 1 radian per token, the other by "
        f"1/{root}.",
        Part(
            f"Which of the positions {listed} is nearest to position 0 by its row?",
            3,
            places[apart.argmin()],
            ("the neighbour, without a look at the turns", 1),
            *(
                (f"at {place} the {hand} hand is farther from its start than the other", place)
                for place, hand in zip(places[1:-1], hands[1:-1], strict=True)
            ),
        ),
        Part(
            "How far away is its row? Two decimals.",
            2,
            apart.min(),
            ("the distance of the neighbour", apart[0]),
        ),
        proof(
            "Can a row come back exactly, at another whole position? Say why.",
            {
                "No.": 1,
                r"Hand 0 would have to make whole turns: $k = 2\pi t$ with $t$ whole, and "
                r"then $\pi$ would be a ratio of whole numbers.": 2,
            },
            (
                "there both hands are back, but the longest wavelength is no whole number",
                "“yes, after the longest wavelength”",
            ),
        ),
        f"Distances, in this order: ${shown(apart)}$. After {back} tokens the slow hand has made "
        f"about one turn.",
    )


@question("similarity", grade=1)
def kernel_by_hand(rng):
    """The dot product of two rows."""
    root, gap, k = (
        int(rng.choice([4, 5, 8, 10])),
        int(rng.integers(1, 7)),
        int(rng.integers(20, 900)),
    )
    rows = sinusoidal([k, k + gap], 4, base=root**2)
    product, cosines = rows[0] @ rows[1], [math.cos(gap), math.cos(gap / root)]
    return Asked(
        f"Width $d = 4$, base $n = {root**2}$. Let $p_k$ be the row of position $k$.",
        Part(
            rf"Compute $p_{{{k}}} \cdot p_{{{k + gap}}}$, to two decimals.",
            3,
            product,
            ("a mean over the hands; the product adds them", product / 2),
            ("multiplied the hands; the product adds them", math.prod(cosines)),
            ("sines; it is the cosine of the angle between", math.sin(gap) + math.sin(gap / root)),
        ),
        Part(
            rf"And $p_{{{k + gap}}} \cdot p_{{{k}}}$?",
            1,
            product,
            ("gives the distance a sign; the cosine has none", -product),
        ),
        Part(
            "And the square of the distance between the two rows?",
            2,
            ((rows[1] - rows[0]) ** 2).sum(),
            ("took 1 for the square of a row; it is $d/2$, once for each row", 2 - 2 * product),
            ("the mixed term counts twice", 4 - product),
        ),
        rf"Only the angles between the hands count: $\cos {gap} + \cos({gap}/{root})$. Each row "
        rf"has the square 2, so the square of their distance is $2 + 2 - 2\,p_k \cdot p_l$.",
    )


@question("similarity", grade=2)
def where_it_looks(rng):
    """Where a head looks."""
    a, b, k = (int(rng.integers(*limits)) for limits in ((1, 7), (1, 7), (15, 40)))
    return Asked(
        r"A head sees the rows $p_k$ of positions alone, at width 64. They are written from left "
        r"to right, so $p_k\,M(1)^\top = p_{k+1}$. "
        rf"Its matrices are $W_Q = M({a})^\top$ and $W_K = M({b})^\top$.",
        Part(
            f"At which position does position {k} look hardest?",
            3,
            k + a - b,
            (
                "turned the key's shift into the query's, or solved for the wrong position",
                k - a + b,
            ),
            ("added both shifts; the key is turned too", k + a + b),
            ("forgot that the key is turned", k + a),
            ("the peak without the turns", k),
        ),
        Part(
            "How large is that score, without the division by a root?",
            1,
            64 // 2,
            ("a 1 for each column; a hand has two", 64),
            ("the root of the width", 8),
        ),
        Part(
            "What does a factor of 20 on $W_Q$ change, where the head looks or how sharply? "
            "Answer: where, or how sharply.",
            1,
            "how sharply",
            ("a factor moves no peak: it stretches the lead before the softmax", "where"),
        ),
        rf"The query at $k$ is the row of $k + {a}$, the key at $l$ that of $l + {b}$. They "
        rf"agree best where they are equal: $l = k + {a} - {b}$. Then all 32 hands add 1.",
    )


@question("in-a-model", grade=1)
def one_answer(rng):
    """From weights to an answer."""
    weights = np.array([(5, 3, 2), (6, 3, 1), (4, 4, 2), (7, 2, 1)][int(rng.integers(4))]) / 10
    offers, c = rng.integers(-4, 5, size=3), int(rng.integers(-1, 2))
    z = c + weights @ offers
    q = 1 / (1 + np.exp(-z))
    return Asked(
        rf"In the model that learns order, A gives three tokens the weights "
        rf"${shown(weights, 1)}$. They offer ${shown(offers, 0)}$, and $c = {c}$. The "
        rf"probability of “A first” is $q = 1/(1 + e^{{-z}})$.",
        Part(
            "Give $z$, to one decimal.",
            1,
            z,
            ("no weights", c + offers.sum()),
            ("a mean without weights", offers.mean()),
            digits=1,
        ),
        Part(
            "Give $q$, to two decimals.",
            2,
            q,
            ("the probability of “B first”: the sign in the exponent", 1 - q),
        ),
        Part(
            "Give the loss if A does come first, to two decimals.",
            2,
            -np.log(q),
            ("the loss if B comes first", -np.log(1 - q)),
            ("the miss, without the logarithm", 1 - q),
        ),
        rf"$z = {shown(z, 1)}$, $q = {shown(q)}$, and the loss is $-\ln q$.",
    )


@question("in-a-model", grade=3)
def twins(rng):
    """Twins."""
    q = int(rng.choice([*range(10, 46), *range(55, 91)])) / 100
    return Asked(
        r"Each text has A and B once; its twin has the two exchanged. The answer, the "
        r"probability $q$ that A comes first, is made from the row with which A leaves one layer "
        r"of attention, without positions and without a mask. The loss is $-\ln q$ if A comes "
        r"first and $-\ln(1 - q)$ if not.",
        proof(
            "Prove that a text and its twin get the same $q$. You may use $f(PX) = P\\,f(X)$: "
            "such attention $f$ follows every permutation matrix $P$.",
            {
                "The twin has the same rows in a different order: it is $PX$.": 1,
                "Attention follows, $f(PX) = P\\,f(X)$, so A's row is the same, and $q$ is "
                "made from it alone.": 2,
            },
            ("the claim, said again", "“there are no positions, so it cannot know”"),
        ),
        Part(
            f"The model says $q = {q}$. Give the mean loss on a text and its twin, to two "
            f"decimals.",
            2,
            np.mean(-np.log([q, 1 - q])),
            ("the loss on the text alone", -math.log(q)),
            ("the least possible; this $q$ costs more", -math.log(0.5)),
        ),
        proof(
            r"Prove that the mean is at least $\ln 2$, whatever $q$ is.",
            {
                r"The mean is $-\tfrac12 \ln\bigl(q(1 - q)\bigr)$.": 1,
                r"$q(1 - q) = \tfrac14 - (q - \tfrac12)^2 \le \tfrac14$, and $-\tfrac12 \ln "
                r"\tfrac14 = \ln 2$.": 2,
            },
            ("shows that the value occurs, not that nothing is below it", "only $q = 0.5$ put in"),
        ),
        "It tosses a coin: right on at most one of the two.",
    )


CASES = {
    "integer arange": "the exponent $2i/d$ is rounded down to a whole number",
    "doubled exponent": "the 2 of the exponent is in twice, $4i/d$",
    "off-by-one i": "a frequency for each column, not for each pair",
    "mixed layouts": "all sines and then all cosines, not in turn",
}


@question("right-table", grade=2)
def which_bug(rng):
    """Find the bug: read a row."""
    name = str(rng.choice(list(CASES)))
    d = int(rng.choice([6, 8]))
    k, other = (int(one) for one in rng.permutation([1, 2, 3])[:2])
    row = BUGS[name](np.zeros((2, 4, d)))[1, k]
    begins = {case: BUGS[case](np.zeros((2, 4, d)))[1, k, :4] for case in CASES}
    correct = sinusoidal(4, d)
    squares = (row**2).sum()
    catches = "catches" if abs(squares - d / 2) > 1e-9 else "does not catch"
    return Asked(
        f"A layer should add the interleaved encoding, sine first, with $d = {d}$ and "
        f"$n = 10\\,000$. It is given zeros. In every text, row {k} of what comes out is, to four "
        f"decimals,\n\n$$\n{shown(row, 4)} .\n$$",
        Part(
            f"Which bug is it: {'; '.join(CASES.values())}?",
            3,
            CASES[name],
            *(
                (f"there row {k} would begin with ${shown(begins[other], 4)}$", CASES[other])
                for other in CASES
                if other != name
            ),
        ),
        Part(
            "Which sum do the squares of this row have? Two decimals.",
            2,
            squares,
            ("the length; the squares were asked for", math.sqrt(squares)),
            ("a 1 for each column; a sine and its cosine share it", d),
        ),
        Part(
            f"What would row {other} of a correct table have in columns 2 and 3? Four decimals.",
            2,
            correct[other, 2:4],
            (f"row {other - 1}; rows count from 0", correct[other - 1, 2:4]),
            ("pair 2; columns 2 and 3 are pair 1", correct[other, 4:6]),
            digits=4,
        ),
        f"The squares should add up to {d // 2}, so a test of the length of a row {catches} this "
        rf"bug. In row {other}, pair 1 of a correct table has the angle "
        rf"${other} \cdot n^{{-2/{d}}}$.",
    )


@question("rope", grade=1)
def turned_score(rng):
    """A turned score."""
    q, key = rng.integers(-3, 4, size=(2, 2))
    k, m = (int(x) for x in rng.integers(0, 9, size=2))

    def score(at, to):
        quarter = -np.pi / 2
        return round((rotate([q], [[at * quarter]]) @ rotate([key], [[to * quarter]]).T).item())

    right, reverse = score(k, m), score(m, k)
    return Asked(
        rf"One pair of RoPE turns by a quarter turn clockwise per token, which takes $(x, y)$ "
        rf"to $(y, -x)$. The query is ${shown(q, 0)}$, the key ${shown(key, 0)}$, before they are "
        rf"turned.",
        Part(
            f"Give their score with the query at position {k} and the key at {m}.",
            3,
            right,
            ("nothing turned", int(q @ key)),
            ("the key turned and the query not", score(0, m)),
            ("turned anticlockwise", reverse),
        ),
        Part(
            f"And with the query at {k + 1000} and the key at {m + 1000}?",
            1,
            right,
            ("a turn between the two that depends on where they are", reverse),
        ),
        Part(
            f"And with the query at {m} and the key at {k}?",
            2,
            reverse,
            ("thinks that a turn has no direction", right),
        ),
        f"From the query to the key there are {m - k} quarter turns: leave the query and turn "
        f"the key by that many, back where the number is negative.",
    )


@question("rope", grade=2)
def halves_as_neighbours(rng):
    """Find the bug: halves read as neighbours."""
    q, key = rng.integers(-2, 4, size=(2, 6))
    gap = int(rng.choice([1, 3]))
    hands = np.array([np.pi, np.pi / 2, 0])
    layouts = ("halves", "interleaved")
    right, loaded = (round(q @ rotate(key, gap * hands, layout=layout)) for layout in layouts)

    return Asked(
        f"A head of width 6 was trained with RoPE in *halves*: pair $i$ has the columns $i$ and "
        f"$i + 3$. Per token, pair 0 makes half a turn, pair 1 a quarter turn, and pair 2 is so "
        f"slow that you may take its angle for 0. The query, at position 0, is ${shown(q, 0)}$; "
        f"the key, at position {gap}, is ${shown(key, 0)}$ before it is turned. A quarter turn "
        f"takes $(x, y)$ to $(-y, x)$.",
        Part(
            "Give the score as it was trained.",
            3,
            right,
            ("neighbours paired: the bug itself", loaded),
            ("nothing turned", int(q @ key)),
        ),
        Part(
            "The weights are loaded into code that pairs *neighbours*, columns $2i$ and $2i "
            "+ 1$. Which score comes out, without an error?",
            3,
            loaded,
            ("thinks that the code sees the layout", right),
        ),
        Part(
            "In which order must the six columns of $W_Q$ and $W_K$ be put, so that scores are "
            "right whatever the three angles are? List the old columns.",
            2,
            [0, 3, 1, 4, 2, 5],
            ("the way back: neighbours to halves", [0, 2, 4, 1, 3, 5]),
            ("the halves exchanged; still no neighbours", [3, 4, 5, 0, 1, 2]),
        ),
        Part(
            "At which difference of positions does the test “same score as before” see "
            "nothing, whatever the rows and the angles are? One number.",
            1,
            0,
            ("there every pair but the slow one turns", 1),
            (
                "right for the angles given here alone: at every multiple of 4 all three hands "
                "are back",
                4,
            ),
        ),
        "At difference 0 nothing is turned, so any pairing gives the plain product: a test with "
        "one token passes.",
    )


@question("rope", grade=3)
def only_the_difference(rng):
    """Only the difference counts."""
    c, gap = int(rng.integers(1, 6)) / 10, int(rng.integers(2, 5))
    first, later = int(rng.integers(0, 3)), int(rng.integers(4, 8))
    differences = [c * ((k + gap) ** 2 - k**2) for k in (first, later)]
    return Asked(
        r"A query and a key are arrows in the plane, of lengths $|q|$ and $|\kappa|$ in the "
        r"directions $\alpha$ and $\beta$. Position $k$ turns an arrow by the angle $\theta(k)$.",
        proof(
            r"Let $\theta(k) = \omega k$. Prove that the score of a query at $k$ with a key "
            r"at $m$ depends on the positions through $m - k$ alone.",
            {
                r"The score is $|q|\,|\kappa|$ times the cosine of the angle between.": 1,
                "A turn changes no length.": 1,
                r"The angle is $(\beta + \omega m) - (\alpha + \omega k) = \beta - \alpha + "
                r"\omega(m - k)$.": 2,
            },
            (
                "the turns differ: what is left is $\\omega(m - k)$",
                "“both are turned, so it cancels”",
            ),
        ),
        Part(
            rf"Let $\theta(k) = {c}\,k^2$ radians. By which angle is the key turned further "
            rf"than its query, for $k = {first}$ and $m = {first + gap}$, and for $k = "
            rf"{later}$ and $m = {later + gap}$?",
            2,
            differences,
            ("squared the distance; the squares of the positions differ", [c * gap**2] * 2),
            ("the turn of the key alone", [c * (first + gap) ** 2, c * (later + gap) ** 2]),
        ),
        proof(
            r"Which functions $\theta$ with $\theta(0) = 0$ let every score depend on $m - "
            r"k$ alone? Show it.",
            {
                r"For all directions the score knows $m - k$ alone only if $\theta(m) - "
                r"\theta(k)$ does, up to full turns.": 1,
                r"With $m = k + 1$: each step adds the same angle, and the first adds "
                r"$\theta(1)$.": 1,
                r"So $\theta(k) = \theta(1)\,k$, up to full turns.": 1,
            },
            (
                "the right word; the step from $k$ to $k + 1$ is missing",
                "“linear”, without a reason",
            ),
        ),
        rf"The square: ${c}\,\bigl((k + {gap})^2 - k^2\bigr) = {c}\,(2 \cdot {gap}\,k + "
        rf"{gap * gap})$ still has $k$ in it.",
    )


@question("beyond", grade=1)
def alibi_reach(rng):
    """How far ALiBi looks."""
    h, gap = int(rng.integers(2, 6)), int(rng.integers(4, 13))
    slope = alibi_slopes(8)[h - 1]
    return Asked(
        r"ALiBi with eight heads: head $h$ has the slope $1/2^h$, for $h$ = 1 to 8. A key "
        r"matches as well as the key at the query's own position.",
        Part(
            f"The key is {gap} tokens back, in head {h}. Which part of the other key's weight "
            f"does it get? Two decimals.",
            2,
            math.exp(-slope * gap),
            ("took the slope off the weight; it comes off the score", 1 - gap / 2**h),
            ("the head before: heads count from 1 here", math.exp(-gap / 2 ** (h - 1))),
            ("forgot the slope", math.exp(-gap)),
        ),
        Part(
            "After how many tokens is half of the weight left? One decimal.",
            2,
            math.log(2) / slope,
            ("half of the score's slope; the weight is an exponential", 2 ** (h - 1)),
            ("multiplied by the slope where it divides", math.log(2) * slope),
            digits=1,
        ),
        rf"The score loses ${gap}/{2**h}$, and the weight is its exponential. Half is left where "
        rf"$\Delta/{2**h} = \ln 2$.",
    )


@question("beyond", grade=2)
def hundred_words(rng):
    """A hundred words in front."""
    q, key = rng.integers(0, 4, size=(2, 2))
    rows = rng.integers(-2, 3, size=(4, 2))
    cost, bucket = Fraction(1, int(rng.choice([2, 4]))), int(rng.integers(1, 10)) / 10
    before, after = ((q + a) @ (key + b) for a, b in (rows[:2], rows[2:]))
    three = np.array([q @ key - 1 * float(cost), q @ key + bucket])
    return Asked(
        rf"A query ${shown(q, 0)}$ at position 3 meets a key ${shown(key, 0)}$ at position 4. "
        rf"Then a hundred words are put in front. There is no root to divide by.",
        Part(
            rf"Learned rows are added: ${shown(rows[0], 0)}$ at 3, ${shown(rows[1], 0)}$ at "
            rf"4, ${shown(rows[2], 0)}$ at 103, ${shown(rows[3], 0)}$ at 104. Give the score "
            rf"before and after.",
            3,
            [before, after],
            ("thinks that added rows keep a score", [before, before]),
            (
                "word with word and place with place; the two mixed products are missing",
                [
                    int(q @ key + rows[0] @ rows[1]),
                    int(q @ key + rows[2] @ rows[3]),
                ],
            ),
        ),
        Part(
            rf"Give the score after the hundred words with ALiBi of slope {cost}, and with a "
            rf"bucket that adds {bucket} for “one ahead”.",
            2,
            three,
            (
                "the cost of the position, not of the distance",
                [
                    float(q @ key) - 104 * float(cost),
                    three[1],
                ],
            ),
            ("distance is paid, not rewarded", [float(q @ key) + float(cost), three[1]]),
        ),
        proof(
            "Which of the three keep the score for every query and key, and why?",
            {
                "ALiBi and the bucket: both come in after the product, by the distance.": 1,
                "An added row is in one sum with the word, and the product of two sums has "
                "terms of word and place.": 1,
            },
            (
                "true only where the rows at 103 and 104 equal those at 3 and 4; here they do not. "
                "Give the point if the answer says so",
                "“learned rows could be learned so that it stays”",
            ),
        ),
        f"Without positions the two score ${int(q @ key)}$.",
    )


@question("beyond", grade=3)
def by_the_key(rng):
    """ALiBi by the position of the key."""
    # A steeper slope has a shorter text, so that the weights stay short fractions.
    slope, length = [(1, 4), (1, 5), (1, 6), (1, 7), (2, 4), (2, 5), (3, 4)][rng.integers(7)]
    k = int(rng.integers(1, length - 1))
    near, rising = (
        [-slope * abs(k - m) for m in range(length)],
        [slope * m for m in range(length)],
    )
    return Asked(
        rf"All queries and keys match equally well, so a score is ALiBi's bias alone. To reckon "
        rf"without a calculator, take 2 in place of e. The text has {length} tokens and the "
        rf"slope is $\mu = {slope}$. One program adds $-\mu\,|k - m|$ to the score of query $k$ "
        rf"and key $m$, another $+\mu\,m$.",
        Part(
            f"Without a mask: give the weights of query {k} in the first program, as fractions "
            f"or to two decimals.",
            2,
            by_base_2(near),
            ("far keys preferred: the sign", by_base_2(np.negative(near))),
            ("with a mask", [*by_base_2(near[: k + 1]), *[0] * (length - k - 1)]),
        ),
        Part(
            "And in the second.",
            2,
            by_base_2(rising),
            ("thinks that both are the same without a mask", by_base_2(near)),
        ),
        proof(
            "Prove that under a causal mask both programs give every query the same weights.",
            {
                r"A query sees only $m \le k$, and there $-\mu|k - m| = \mu m - \mu k$.": 1,
                r"In the row of query $k$ the term $\mu k$ is a constant; softmax divides "
                r"its power out.": 2,
            },
            ("shows it for one query", "an example"),
        ),
        f"Powers of the first: ${shown(np.exp2(near), 4)}$; of the second: "
        f"${shown(np.exp2(rising), 0)}$. A key after the query may be far away, yet its "
        f"position makes it look near.",
    )
