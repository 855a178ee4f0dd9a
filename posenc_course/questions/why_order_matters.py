"""The questions of the page `why-order-matters`."""

import numpy as np

from posenc_course.questions.kinds import blanks, choice, number

X = np.array([[1, 1], [0, 3], [2, 1]])  # the rows of "dog bites man"
DOG, _, MAN = X
HAND = np.array([[0, 1], [1, 0], [0, -1]])  # added at positions 0 to 2: a quarter turn per token


def row_out(query: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the mean of rows, weighed by 2 to their score with a query: attention's output row."""
    powers = 2.0 ** (rows @ query)  # of 2, not of e, as in the chapter
    return powers @ rows / powers.sum()


texts = {"man dog bites": X[[2, 0, 1]], "dog bites man man": X[[0, 1, 2, 2]]}
(other,) = (text for text, rows in texts.items() if not np.allclose(row_out(DOG, rows), (1, 1.8)))
why_order_matters_8 = choice(
    "In which text does “dog” get a row other than (1, 1.8)?",
    options={
        "man dog bites": "Write the sum down: are any of its products new?",
        "dog bites man man": "",
        "In none of them": "The theorem is about order. Does each text have the same words, in the "
        "same proportions?",
    },
    answer=other,
    because="With a second “man” the powers add up to 28, and “man” takes 16 of 28, more than "
    "half.",
    nudge="Add up the powers, 4 for “dog” and 8 for each other word.",
)

two_scores = np.array([0, np.log(3)])
parts = np.exp(two_scores)
why_order_matters_ex_2 = number(
    "A word sees two words. Their scores, already divided by the root, are 0 and ln 3. What weight "
    "does the second word get?",
    answer=parts[1] / parts.sum(),
    tolerance=0.001,
    wrong={
        parts[0] / parts.sum(): "That is the weight of the first word.",
        two_scores[1] / two_scores.sum(): "Take e to the score before you divide by the sum.",
        parts[1]: "That is the power. The two weights must add up to 1.",
    },
    because="The powers are 1 and 3, so the weights are 1/4 and 3/4.",
    nudge="Take e to each score, then divide each power by their sum.",
)

texts = {
    "dog bites man / man bites dog": (X, X[[2, 1, 0]]),
    "dog man / dog dog man": (X[[0, 2]], X[[0, 0, 2]]),
}
means = {
    pair: [np.mean([row_out(query, rows) for query in rows], axis=0) for rows in both]
    for pair, both in texts.items()
}
(told_apart,) = (pair for pair, both in means.items() if not np.allclose(*both))
why_order_matters_3 = choice(
    "A classifier sees the mean of the output rows and nothing else. Which texts can it tell "
    "apart?",
    options={
        "dog bites man / man bites dog": "A mean does not change when its terms change places.",
        "dog man / dog dog man": "",
        "Both pairs": "One of the two pairs has the same rows in another order.",
        "Neither pair": "A second “dog” takes a second share of the attention.",
    },
    answer=told_apart,
    because="A second “dog” changes the proportions of the words, and with them the weights.",
    nudge="Which pair has the same rows, only in another order?",
)

why_order_matters_5 = number(
    "A token takes home 0.125. At which position is it, counted from 0?",
    answer=1 / 0.125 - 1,
    wrong={
        1 / 0.125: "That is how many tokens it sees. The first token, at position 0, sees one.",
        0.125: "That is what it takes home. How many tokens does it see?",
    },
    because="It sees eight tokens, the first among them: position 7 takes home 1/8.",
    nudge="The token at position k sees k + 1 tokens and takes the mean of their values.",
)

by_man = X @ MAN
powers_of_man = 2.0**by_man
weights_of_man = powers_of_man / powers_of_man.sum()
why_order_matters_ex_3 = blanks(
    "What “man” finds; the weights to two decimals:",
    answer=[by_man, powers_of_man, weights_of_man],
    rows=["score", "power", "weight"],
    columns=["with dog", "with bites", "with man"],
    tolerance=0.006,
    wrong=[
        (
            [[2, 3, 3], [4, 8, 8], [0.2, 0.4, 0.4]],
            "That is what “dog” finds, with the query (1, 1).",
        ),
        (
            [by_man, powers_of_man, by_man / by_man.sum()],
            "Divide the powers by their sum, not the scores.",
        ),
    ],
    because="The powers 8, 8 and 32 add up to 48.",
    nudge="A score is the dot product of (2, 1) with a row, its power is 2 to the score, and a "
    "weight is a power divided by the sum of the three.",
)

there, back = X + HAND, X[::-1] + HAND
why_order_matters_7 = blanks(
    "“Man bites dog”, with the rows of the hand: man (2, 1) + (0, 1) = (2, 2), bites (0, 3) + (1, "
    "0) = (1, 3), dog (1, 1) + (0, −1) = (1, 0). Each of these rows is query, key and value. What "
    "is the new row of “dog”?",
    answer=row_out(back[2], back),
    columns=["first entry", "second entry"],
    tolerance=0.006,
    wrong=[
        (row_out(there[0], there), "That is its row in “dog bites man”."),
        (row_out(DOG, back), "The query changes too: “dog” now asks with (1, 0)."),
        ([1, 1.8], "That is its row without positions. Begin with the new scores."),
        (row_out(back[0], back), "That is the row of “man”. “Dog” asks with (1, 0)."),
    ],
    because="The query (1, 0) finds the scores 2, 1, 1, the powers 4, 2, 2 and the weights 0.5, "
    "0.25, 0.25.",
    nudge="Three scores with the query (1, 0), three powers, their sum 8.",
)

why_order_matters_ex_4 = number(
    "The word at position 0 can change places with the word at position …",
    answer=2 * np.pi / (np.pi / 2),
    wrong={
        2: "There the hand points the opposite way. What does it add?",
        5: "Count from 0: five words end at position 4.",
    },
    because="After four quarter turns the hand is back at twelve, so both positions get (0, 1).",
    nudge="At which of the five positions is the added row the same as at 0?",
)
