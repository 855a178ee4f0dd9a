"""Questions on Part I: the encoding."""

import math
from fractions import Fraction

import numpy as np

from posenc import (
    attention,
    binary_code,
    frequencies,
    rotate,
    shift_matrix,
    sinusoidal,
    wavelengths,
)
from posenc_course.exam.question import Asked, Part, by_base_2, proof, question, shown

TRIPLES = [(0.6, 0.8), (0.8, 0.6), (0.28, 0.96), (0.96, 0.28)]
WORDS = ["ant", "bee", "cat", "dog", "eel", "fox"]


@question("why-order-matters", grade=1)
def attention_by_hand(rng):
    """One word looks around."""
    rows = rng.integers(0, 3, size=(3, 2))
    a, b, c = rng.permutation(WORDS)[:3]
    scores = rows @ rows[0]
    weights = by_base_2(scores)
    out = [sum(weights * column) for column in rows.T]
    by_scores = scores / max(scores.sum(), 1)
    return Asked(
        f"The text “{a} {b} {c}” has the rows ${shown(rows[0], 0)}$, ${shown(rows[1], 0)}$ and "
        f"${shown(rows[2], 0)}$. Each row is query, key and value. Scores are dot products, not "
        f"divided by a root. Weights are powers of 2 of the scores, divided by their sum; every "
        f"word sees the whole text.",
        Part(
            f"Give the three weights with which “{a}” looks at the words, as fractions or to "
            f"two decimals.",
            3,
            weights,
            ("shares out the scores, without the powers", by_scores),
            ("powers that were not divided by their sum", 2.0**scores),
        ),
        Part(
            f"With which row does “{a}” leave?",
            2,
            out,
            ("a mean without weights", rows.mean(axis=0)),
            ("weights from the scores, without the powers", by_scores @ rows),
        ),
        Part(
            f"And with which row in the text “{c} {b} {a}”?",
            2,
            out,
            ("weights that stayed at the places when the words moved", weights[::-1] @ rows),
        ),
        f"The scores are ${shown(scores, 0)}$, their powers ${shown(2.0**scores, 0)}$, with the "
        f"sum ${shown((2.0**scores).sum(), 0)}$. In the other order the same products are added "
        f"in a different order, so the row is the same.",
    )


@question("why-order-matters", grade=3)
def block_follows(rng):
    """A block with residual and MLP."""
    rows = rng.integers(-1, 3, size=(4, 2))
    w1, w2 = rng.integers(-1, 2, size=(2, 2, 2))
    order = rng.permutation(4)

    y = rows + attention(np.log(2) * np.sqrt(2) * rows, rows, rows)[0]
    before = y + np.maximum(y @ w1, 0) @ w2
    return Asked(
        r"A block makes $Y = X + f(X)$ and then $Z = Y + \operatorname{MLP}(Y)$. Here $f$ is "
        r"attention without mask and without positions, and the MLP takes each row by itself: "
        r"$\operatorname{MLP}(y) = \max(yW_1, 0)\,W_2$. For the rows $X$ below it gives the rows "
        r"$Z$:"
        f"\n\n$$\nX = {shown(rows, 0)}, \\qquad Z = {shown(before)}\n$$",
        Part(
            f"The rows of $X$ are put in the order ${shown(order, 0)}$: that old row comes "
            f"first, and so on, counted from 0. Write down the new $Z$.",
            3,
            before[order],
            ("rows that belong to places: the order was not noticed at all", before),
            (
                "the way back: row 0 was sent to the place that the order names first, not "
                "fetched from there",
                before[np.argsort(order)],
            ),
        ),
        proof(
            "Prove for every $X$ and every permutation matrix $P$ that the block makes $PZ$ "
            "of $PX$. You may use $f(PX) = P\\,f(X)$.",
            {
                r"The residual: $PX + f(PX) = PX + P f(X) = P(X + f(X)) = PY$.": 2,
                r"The MLP, in words or in symbols: each row of $PY$ is a row of $Y$, and is "
                r"taken by itself, by the same rule at every place; or $P$ stands on the left, "
                r"$W_1$ and $W_2$ on the right, and $\max$ looks at one entry. So "
                r"$\operatorname{MLP}(PY) = P\operatorname{MLP}(Y)$.": 3,
                r"The second residual: $PY + P\operatorname{MLP}(Y) = PZ$.": 2,
            },
            (
                "takes a rule for one row for a rule for the whole table",
                "“The MLP mixes all entries, so the order counts”",
            ),
            ("an example is not a proof for every $X$", "one example that works out"),
        ),
        "Every row of the new $Z$ is an old one, at the place to which its word has moved.",
    )


@question("why-order-matters", grade=3)
def masked_line(rng):
    """The line that a causal mask breaks."""
    values = rng.permutation(np.arange(1, 10))[:3] * 2
    first, second, third = values.tolist()
    mean = Fraction(first + second + third, 3)
    return Asked(
        "The proof that attention follows a permutation $P$ has four lines. For $PX$ in place of "
        "$X$:\n\n1. queries, keys and values are $PQ$, $PK$ and $PV$;\n"
        r"2. the scores are $(PQ)(PK)^\top = P S P^\top$;"
        "\n"
        r"3. the weights are $P A P^\top$;"
        "\n"
        r"4. the output is $P A P^\top P V = P A V$."
        "\n\nNow a causal mask hides from each word what comes after it.",
        Part(
            "Which line is the first to fail?",
            1,
            3,
            ("takes the mask for a part of the scores; before it is put on, they follow", 2),
            ("sees that the result fails, and not where", 4),
            ("thinks that the mask changes queries and keys", 1),
        ),
        proof(
            "Say why, in two sentences or by a formula.",
            {
                "The mask belongs to places: row $k$ of the weights may use the columns 0 to "
                "$k$, whichever words stand there.": 1,
                r"So the mask stays when the words move, and hides other words than before. As a "
                r"formula, with the mask as a table $B$: what goes into the softmax becomes "
                r"$PSP^\top + B$. The line would need $P(S + B)P^\top$, and $PBP^\top$ is "
                r"not $B$, unless $P$ moves nothing.": 2,
            },
            (
                "softmax row by row does; the mask does not",
                "“because softmax does not go with $P$”",
            ),
        ),
        Part(
            f"A word with the value {first} stands before two others, with {second} and "
            f"{third}. All scores are equal. What does it take home, and what in the text "
            f"({third}, {second}, {first})? Two numbers.",
            3,
            [first, mean],
            ("no mask: the mean of all three both times", [mean, mean]),
            ("a mask that hides the past", [mean, first]),
        ),
        f"First in its text, the word sees itself alone. Last, it sees all three, and takes home "
        f"({first} + {second} + {third})/3.",
    )


@question("sine-recap", grade=1)
def hand_turned(rng):
    """A hand is turned."""
    (x, y), (sb, cb) = (TRIPLES[k] for k in rng.permutation(4)[:2])
    x, y = x * rng.choice([-1, 1]), y * rng.choice([-1, 1])
    b = np.arctan2(sb, cb)
    turned, back = rotate([[x, y], [x, y]], [[-b], [b]])
    return Asked(
        rf"The tip of a hand of length 1 is at $x = {shown(x)}$ and $y = {shown(y)}$: $x$ is to "
        rf"the right, $y$ up. An angle $b$ has $\sin b = {shown(sb)}$ and $\cos b = {shown(cb)}$. "
        rf"Tips are $(x, y)$.",
        Part(
            "Where is the tip after a turn by $b$, clockwise? Four decimals.",
            3,
            turned,
            ("turned the other way: both signs of the sine of $b$", back),
            ("added tip and turn; that arrow is no longer 1 long", [x + sb, y + cb]),
            ("$x$ and $y$ exchanged", turned[::-1]),
            digits=4,
        ),
        Part(
            "And where is the first hand after a quarter turn, clockwise?",
            2,
            [y, -x],
            ("a quarter turn anticlockwise", [-y, x]),
            ("exchanged the two and forgot that what pointed right now points down", [y, x]),
        ),
        r"The hand is at an angle $a$ with $\sin a = x$ and $\cos a = y$. New $x$: $\sin a\cos b + "
        r"\cos a\sin b$; new $y$: $\cos a\cos b - \sin a\sin b$. A quarter turn has $\sin b = 1$, "
        r"$\cos b = 0$: the new $y$ is minus the old $x$.",
    )


@question("sine-recap", grade=2)
def wave_read(rng):
    """Reading a wave."""
    first, length = int(rng.integers(1, 6)), int(rng.choice([10, 16, 20, 24, 30, 40]))
    omega = 2 * np.pi / length
    return Asked(
        rf"A wave $\sin(\omega k + \varphi)$ has its first crest at position {first} and the "
        rf"next at position {first + length}.",
        Part(
            r"Give $\omega$ in radians per token, to three decimals.",
            2,
            omega,
            ("turns per token: a turn has $2\\pi$ radians", 1 / length),
            ("degrees per token", 360 / length),
            ("counted from position 0, not from crest to crest", 2 * np.pi / (first + length)),
            digits=3,
        ),
        Part(
            r"Give the phase $\varphi$, between $-\pi$ and $\pi$, to two decimals.",
            3,
            math.remainder(np.pi / 2 - omega * first, math.tau),
            (
                "starts from twelve; at a crest the hand points straight to the right",
                -omega * first,
            ),
            ("turned on where it must be turned back", np.pi / 2 + omega * first),
        ),
        rf"A turn takes {length} tokens, so $\omega = 2\pi/{length}$. At a crest the angle is "
        rf"$\pi/2$: $\varphi = \pi/2 - {first}\,\omega$.",
    )


@question("formula", grade=1)
def row_by_formula(rng):
    """A row by the formula."""
    k, root = (int(x) for x in rng.integers((2, 3), (25, 21)))
    n = root**2
    row = sinusoidal([k], 4, base=n)[0]
    return Asked(
        f"The encoding has width $d = 4$ and base $n = {n}$. It is interleaved, sine first.",
        Part(
            f"Write down the row of position {k}, to two decimals.",
            5,
            row,
            ("counts positions from 1", sinusoidal([k - 1], 4, base=n)[0]),
            ("a calculator in degrees", sinusoidal([np.radians(k)], 4, base=n)[0]),
            ("cosine before sine", row[[1, 0, 3, 2]]),
            ("all sines first: a different layout", sinusoidal([k], 4, base=n, layout="halves")[0]),
            ("the exponent doubled: $4i/d$ for $2i/d$", sinusoidal([k], 4, base=n**2)[0]),
        ),
        rf"The hands turn by 1 and by $1/\sqrt{{{n}}} = 1/{root}$ radian per token, so the "
        rf"angles are {k} and {k}/{root}.",
    )


@question("formula", grade=1)
def speed_of_pair(rng):
    """Which hand is how fast."""
    factor, pairs = int(rng.choice([2, 3, 10])), int(rng.choice([4, 6, 8]))
    i, n = int(rng.integers(2, pairs)), factor**pairs
    d = 2 * pairs
    inverse = (1 / frequencies(d, base=n)).round().astype(int)
    return Asked(
        rf"The encoding has width $d = {d}$ and base $n = {shown(n, 0)} = {factor}^{{{pairs}}}$. "
        rf"It is interleaved, sine first.",
        Part(
            f"Pair {i} turns by $1/x$ radian per token. Give $x$.",
            2,
            inverse[i],
            ("counts pairs from 1", inverse[i - 1]),
            ("the exponent $4i/d$: the 2 is in twice", factor ** (2 * i)),
            ("multiplies where it must raise to a power", i * factor),
        ),
        Part(
            "Which two columns of the table does it fill? Columns count from 0.",
            1,
            [2 * i, 2 * i + 1],
            ("the columns of the layout in halves", [i, i + pairs]),
            ("counts columns from 1", [2 * i + 1, 2 * i + 2]),
        ),
        Part(
            f"The row is made twice as long, {2 * d}, with the same base. Which pair has "
            f"this speed now?",
            2,
            2 * i,
            ("thinks that new pairs come only at the end", i),
            ("thinks that new pairs come before the old ones", i + pairs),
        ),
        rf"From pair to pair the speed falls by $n^{{2/d}} = {factor}$, so $x = "
        rf"{factor}^{{{i}}}$. With twice the pairs, one new pair stands between every two old "
        rf"ones.",
    )


@question("worked-example", grade=1)
def word_and_position(rng):
    """Word plus position."""
    table = rng.integers(-2, 3, size=(4, 4))
    words = rng.permutation(WORDS)[:4]
    ids = rng.permutation(4)
    k = int(rng.integers(1, 4))
    row = (table[ids] + sinusoidal(4, 4, base=100))[k]
    lines = "\n".join(f"| {j} | {word} | ${shown(table[j], 0)}$ |" for j, word in enumerate(words))
    return Asked(
        f"A model has these rows of words, and adds the interleaved encoding, sine first, with "
        f"$d = 4$, $n = 100$.\n\n| id | word | row |\n|---|---|---|\n{lines}",
        Part(
            f"The text is “{' '.join(words[ids])}”. Which row does the model get for "
            f"“{words[ids[k]]}”? Two decimals.",
            4,
            row,
            ("the id taken for the position", table[ids[k]] + sinusoidal([ids[k]], 4, base=100)[0]),
            ("positions counted from 1", table[ids[k]] + sinusoidal([k + 1], 4, base=100)[0]),
            ("base 10 000 for 100", table[ids[k]] + sinusoidal([k], 4)[0]),
            (
                "the row of the word fetched by the position",
                table[k] + sinusoidal([k], 4, base=100)[0],
            ),
        ),
        f"The word has id {ids[k]} and stands at position {k}, so its angles are {k} and "
        f"{k / 10}: ${shown(table[ids[k]], 0)} + {shown(sinusoidal([k], 4, base=100)[0])}$.",
    )


@question("worked-example", grade=2)
def wrong_axis(rng):
    """Find the bug: one axis too far."""
    batch, length = int(rng.integers(3, 7)), int(rng.integers(8, 15))
    text, token = int(rng.integers(1, batch)), int(rng.integers(1, length))
    return Asked(
        f"A batch `x` holds {batch} texts of {length} tokens at width 8: its shape is `({batch}, "
        f"{length}, 8)`. `table` has the shape `(64, 8)`, with one row for each position. A "
        f"program adds\n\n```python\nx = x + table[:{batch}, np.newaxis]\n```\n\nand runs "
        f"without an error.",
        Part(
            f"Which shape does the indexed table, `table[:{batch}, np.newaxis]`, have? Three "
            f"numbers.",
            1,
            (batch, 1, 8),
            ("the new axis before, not after, the slice", (1, batch, 8)),
        ),
        Part(
            f"Texts and tokens count from 0. Which position was token {token} of text {text} "
            f"given?",
            2,
            text,
            ("reads what the program should do, not what it does", token),
            ("counts on from text to text", text * length + token),
        ),
        Part(
            "How many different rows were added to the tokens of one text?",
            1,
            1,
            ("one for each token, as it should be", length),
            ("one for each text", batch),
        ),
        proof(
            "Write the line as it should be, and name a test that sees the mistake.",
            {
                f"`x = x + table[:{length}]`, or `table[:x.shape[1]]`: the last two axes "
                f"match, and the first is shared.": 1,
                "For example: give zeros, and compare the rows of one text with the table; or "
                "give two equal texts in one batch, and ask for equal outputs.": 2,
            },
            (
                "the shape is correct: shapes do not say which axis holds the positions",
                "a test of the shape",
            ),
        ),
        f"Shapes line up from the right: `({batch}, 1, 8)` repeats along the tokens, so every "
        f"*text* is given a position and its tokens none of their own.",
    )


@question("wavelengths", grade=2)
def finished_pairs(rng):
    """Who finishes a turn."""
    factor, pairs = (int(x) for x in rng.integers((3, 4), (9, 7)))
    d, n = 2 * pairs, factor**pairs
    length = int(round(2 * np.pi * factor ** rng.uniform(1.3, pairs - 1.6), -1))
    wide_n, wide_length = 1000 * int(rng.integers(1, 100)), 50 * int(rng.integers(2, 40))
    count = (wavelengths(d, base=n) <= length - 1).sum()
    last = 256 * math.log((wide_length - 1) / math.tau) / math.log(wide_n)
    return Asked(
        "A pair finishes a turn in a text if its wavelength is at most the number of steps from "
        "the first token to the last.",
        Part(
            f"$d = {d}$, $n = {shown(n, 0)} = {factor}^{{{pairs}}}$. Give all wavelengths, "
            f"to one decimal.",
            2,
            wavelengths(d, base=n),
            ("tokens per radian: a turn has $2\\pi$ of them", 1 / frequencies(d, base=n)),
            ("the ladder begins one rung too high", factor * wavelengths(d, base=n)),
            digits=1,
        ),
        Part(
            f"How many of the {pairs} pairs finish a turn in ${shown(length, 0)}$ tokens?",
            1,
            count,
            ("forgot $2\\pi$", (1 / frequencies(d, base=n) <= length - 1).sum()),
            ("gave the number of the last pair; pairs count from 0", count - 1),
        ),
        Part(
            f"Now $d = 512$, $n = {shown(wide_n, 0)}$ and {wide_length} tokens. How many of "
            f"the 256 pairs finish a turn? Use a formula.",
            4,
            math.floor(last) + 1,
            ("rounded down the last $i$ and forgot pair 0", math.floor(last)),
            ("columns counted, not pairs", math.floor(2 * last) + 1),
            ("forgot $2\\pi$", math.floor(256 * math.log(wide_length - 1) / math.log(wide_n)) + 1),
        ),
        rf"$\lambda_i = 2\pi\,n^{{2i/d}} \le L - 1$ gives $i \le \frac{{d}}{{2}} "
        rf"\ln\frac{{L - 1}}{{2\pi}} / \ln n = {shown(last)}$, so pairs 0 to {math.floor(last)}.",
    )


@question("wavelengths", grade=2)
def base_for_length(rng):
    """A base for a length."""
    d, length = int(rng.choice([4, 6, 8])), 100 * int(rng.integers(1, 10)) + 1
    reach = (length - 1) / math.tau
    return Asked(
        f"A model has width $d = {d}$ and reads texts of {length} tokens. You want the slowest "
        f"hand to make one turn from the first token to the last.",
        Part(
            "Which base $n$ does that? To the nearest whole number, rounded only at the end.",
            4,
            round(reach ** (d / (d - 2))),
            ("put the last pair at exponent 1; it stands one rung lower", round(reach)),
            ("the power not undone but taken again", round(reach ** ((d - 2) / d))),
            ("forgot $2\\pi$", round((length - 1) ** (d / (d - 2)))),
        ),
        Part(
            "Does a base ten times as large let the fastest hand turn faster, slower or as before?",
            1,
            "as before",
            ("the base slows every hand but hand 0, whose exponent is 0", "slower"),
        ),
        rf"The last pair has $2i/d = {d - 2}/{d}$. From $2\pi\,n^{{{d - 2}/{d}}} = {length - 1}$ "
        rf"follows $n = ({length - 1}/2\pi)^{{{d}/{d - 2}}}$.",
    )


@question("rotation", grade=2)
def wrong_sign(rng):
    """Find the bug: one wrong sign."""
    shift, pair = int(rng.integers(2, 7)), int(rng.integers(2))
    row, column = ((2 * pair, 2 * pair + 1), (2 * pair + 1, 2 * pair))[int(rng.integers(2))]
    true = shift_matrix(shift, 4, base=25)
    wrong = true.copy()
    wrong[row, column] *= -1
    b = shift * (1, 0.2)[pair]
    gram = wrong @ wrong.T
    return Asked(
        rf"This should be $M({shift})$ for $d = 4$, $n = 25$. It takes each row of the encoding, "
        rf"written from top "
        f"to bottom, to the row {shift} tokens later. One sign is wrong.\n\n$$\n{shown(wrong)}\n$$",
        Part(
            "Give the row and the column of the wrong entry, counted from 0.",
            3,
            [row, column],
            (
                "the other sine of the block: a textbook's rotation, which stores the cosine "
                "first, or a sine whose sign was not computed, or row and column exchanged",
                [column, row],
            ),
        ),
        Part(
            "Give its correct value.",
            1,
            true[row, column],
            ("what it is now", wrong[row, column]),
            ("the cosine", np.cos(b)),
        ),
        Part(
            r"Call the wrong matrix $W$. In the rows and columns of that block, $W W^\top$ has "
            r"two equal entries off the diagonal. Give their value, to two decimals; its sign "
            r"counts.",
            3,
            gram[2 * pair, 2 * pair + 1],
            ("the answer for a rotation: $W$ is none any more", 0),
            ("an entry of the diagonal", gram[2 * pair, 2 * pair]),
        ),
        rf"The block of pair {pair} is $R(b)$ with $b = {shown(b, 1)}$: $\cos b = "
        rf"{shown(np.cos(b))}$ at both places of the diagonal, $\sin b = {shown(np.sin(b))}$ at "
        rf"the upper right and its opposite at the lower left. A wrong sign makes the two rows "
        rf"of the block no longer perpendicular: their product is $\pm 2 \sin b \cos b$.",
    )


@question("rotation", grade=3)
def one_matrix(rng):
    """One matrix for every position."""
    length = int(rng.choice([12, 16, 20, 24]))
    k = int(rng.integers(1, length // 4))
    shift = int(rng.integers(1, length // 4))
    other = length // 2 - k
    omega = 2 * np.pi / length
    sines = np.sin(omega * np.array([k + shift, other + shift]))
    return Asked(
        r"A hand turns by $\omega$ radians per token. At position $k$ the table holds $\sin "
        r"\omega k$ and $\cos \omega k$. Pairs are written from top to bottom, sine first. You "
        r"may use the formulas for $\sin(a + b)$ and $\cos(a + b)$.",
        proof(
            r"Find a matrix that takes the pair of position $k$ to the pair of position $k + "
            r"\Delta$, and prove that it is the same for every $k$.",
            {
                r"Sets $a = \omega k$ and $b = \omega\Delta$.": 1,
                r"$\sin(a+b) = \cos b \sin a + \sin b \cos a$ and $\cos(a+b) = -\sin b \sin "
                r"a + \cos b \cos a$ as rows of a matrix.": 2,
                r"Says that the entries have $b$ alone, so neither $a$ nor $k$.": 2,
            },
            (
                "the matrix for (cosine, sine): the order of the pair not used",
                "the minus at the upper right",
            ),
            (
                "takes each row to the next, but is a different matrix for each row",
                "a matrix with $k$ in it",
            ),
            ("an arrow fits at one position", "an arrow to add"),
        ),
        Part(
            rf"The cosine is thrown away. Let the wavelength be {length} tokens. Positions "
            rf"{k} and {other} have the same sine. Give the sines {shift} "
            rf"token{'s' * (shift > 1)} later, from {k} and from {other}.",
            2,
            sines,
            ("takes equal sines for equal hands: one rises, the other falls", sines[[0, 0]]),
            ("the two exchanged", sines[::-1]),
        ),
        proof(
            "What follows for a table that holds this sine alone?",
            {
                "One and the same input would have to give two different outputs: from the "
                "sine alone no rule finds the later sine, so no matrix does.": 2
            },
            ("from one number no rule at all finds two answers", "“a larger matrix would do”"),
        ),
        rf"With $b = \omega\Delta$ the matrix is $\begin{{pmatrix}} \cos b & \sin b \\ -\sin b & "
        rf"\cos b \end{{pmatrix}}$. At {k} the hand rises, at {other} it falls.",
    )


@question("binary", grade=1)
def count_in_bits(rng):
    """Counting in bits."""
    k, i = int(rng.integers(17, 60)), int(rng.integers(2, 6))
    low = 2 ** int(rng.integers(3, 6)) * int(rng.choice([1, 3])) - 1
    code = binary_code([k, low, low + 1], 7)
    flips = (code[1] != code[2]).sum()
    return Asked(
        "Positions are written in bits, the fastest first; bits count from 0.",
        Part(
            f"Write {k} in seven bits.",
            2,
            code[0],
            ("the slowest bit first, as numbers are written", code[0][::-1]),
            ("zeros and ones exchanged", 1 - code[0]),
        ),
        Part(
            f"How many bits flip from {low} to {low + 1}?",
            2,
            flips,
            ("takes neighbours for neighbours in bits", 1),
            ("counts the ones that go off, not the one that goes on", flips - 1),
        ),
        Part(
            f"After how many positions does bit {i} start over?",
            1,
            2 ** (i + 1),
            ("a run of equal bits; a period is two runs", 2**i),
            ("periods double from bit to bit, they are not added", 2 * i),
        ),
        f"{k} = "
        + " + ".join(str(2**j) for j, bit in enumerate(code[0]) if bit)
        + f". Bit {i} is 0 for "
        f"{2**i} positions and then 1 for as many.",
    )


@question("binary", grade=3)
def no_matrix_counts(rng):
    """No matrix counts."""
    width, word = [(5, "five"), (6, "six"), (7, "seven")][rng.integers(3)]
    m = 4 * int(rng.integers(1, 2 ** (width - 2) - 1))
    code = binary_code(m + 5, width)
    sums = np.array([code[m + 1] + code[m + 4], code[m + 2] + code[m + 3]])
    return Asked(
        f"Let $c(k)$ be the {word} bits of $k$, the fastest first. Then $c({m}) + c({m + 3}) = "
        f"c({m + 1}) + c({m + 2})$, added entry by entry.",
        Part(
            f"Compute $c({m + 1}) + c({m + 4})$ and $c({m + 2}) + c({m + 3})$, as two rows.",
            2,
            sums,
            (
                "added the numbers, with carries; a matrix adds entries",
                binary_code([2 * m + 5] * 2, width + 1)[:, :width],
            ),
            ("the slowest bit first", sums[:, ::-1]),
        ),
        proof(
            "Prove that no matrix $A$ and no vector $t$ satisfy $c(k + 1) = A\\,c(k) + t$ "
            "for all $k$.",
            {
                "Supposes that there are such an $A$ and $t$.": 1,
                f"Adds two steps: $c({m + 1}) + c({m + 4}) = A\\,(c({m}) + c({m + 3})) + "
                f"2t$, and $c({m + 2}) + c({m + 3}) = A\\,(c({m + 1}) + c({m + 2})) + 2t$.": 3,
                "The right sides are equal, since the sums in them are; the left sides are not.": 2,
            },
            (
                "names the reason without showing that no matrix does it",
                "“because the carry is not linear”",
            ),
            (
                "does away with $A$ alone; $t$ may move zeros",
                "only that $c(0) = 0$ would have to stay 0",
            ),
        ),
        f"The two sums are ${shown(sums[0], 0)}$ and ${shown(sums[1], 0)}$.",
    )
