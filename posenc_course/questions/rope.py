"""The questions of the page `rope`."""

import numpy as np

from posenc import rope, rotate
from posenc_course.questions.kinds import blanks, choice, number


def score(k: int, m: int) -> float:
    """Return the score of (2, 1) at k and (1, 2) at m, a quarter turn clockwise per token."""
    quarter = -np.pi / 2  # `rotate` turns anticlockwise
    exact = rotate([2.0, 1.0], [k * quarter]) @ rotate([1.0, 2.0], [m * quarter])
    return round(exact, 9)  # the computed cosine of a quarter turn is not quite 0


rope_1 = number(
    "The same query (2, 1) and key (1, 2), still with a quarter turn per token. Now the query is "
    "at position 1001 and the key at position 1000. What is the score?",
    answer=score(1001, 1000),
    wrong={
        score(1000, 1001): "That is the key one token after the query. Here it is one token "
        "before: which way does it turn?",
        4: "That is the score without any turn. How far apart are they?",
    },
    because="The difference is −1, so turn the key back once, to (−2, 1): 2·(−2) + 1·1 = −3.",
    nudge="Only the difference counts. Leave the query where it is, and turn the key by m − k = −1 "
    "quarter turns.",
)

rope_3 = number(
    "Let position k turn the pair by 0.1 · k² radians. From the query at 0 to the key at 3 the "
    "difference between the two turns is 0.9. How large is it from 5 to 8?",
    answer=0.1 * 8**2 - 0.1 * 5**2,
    unit="radians",
    tolerance=0.01,
    wrong={
        0.1 * 3**2: "That is for 0 and 3. Compute both squares anew.",
        0.1 * 8**2: "That is the turn of the key. Subtract that of the query.",
    },
    because="0.1 · (64 − 25) = 3.9: the same difference of positions, and a different score.",
    nudge="0.1 · 8² minus 0.1 · 5².",
)

row = np.arange(1.0, 9.0)[np.newaxis]
one_token = [rope(row, [0], layout=layout) for layout in ("halves", "interleaved")]
rope_4 = choice(
    "Somebody compares code that turns halves with the original, which is interleaved, on a text "
    "of one token. Do the scores differ?",
    options={
        "Yes": "Which position does the token have, and by which angle is it turned?",
        "No": "",
    },
    answer="No" if np.allclose(*one_token) else "Yes",
    because="Position 0 is turned by 0 in both, so the test sees nothing. Compare longer texts.",
    nudge="By how much is the first token turned?",
)

rope_2 = choice(
    "A model has been trained on texts of 1000 tokens. It now reads a longer one, and the query is "
    "at position 4500. For which keys before it is the difference m − k new to the model?",
    options={
        "For all of them": "How far back is the key at position 4497? Has a query ever looked that "
        "far back in training?",
        "For those at positions 1000 to 4499": "Those positions are new. Is the difference from "
        "4500 to 4497 new?",
        "For those 1000 or more tokens back": "",
        "For none": "What is the largest difference in 1000 tokens?",
    },
    because="In training the largest difference was 999, from the last token to the first. A key "
    "three back is turned as it always was.",
    nudge="The score does not know 4500, only the difference.",
)

rope_ex_1 = blanks(
    "The score of (2, 1) and (1, 2), a quarter turn per token.",
    answer=[[score(0, m) for m in range(5)]],
    rows=["score"],
    columns=["0", "1", "2", "3", "4"],
    wrong=[
        (
            [[score(m, 0) for m in range(5)]],
            "Those are the scores of keys that come before the query. Turn the key forward: (1, 2) "
            "becomes (2, −1).",
        )
    ],
    because="4, 3, −4, −3 and 4 again: four quarter turns make a full one.",
    nudge="Leave the query, and turn the key from (x, y) to (y, −x).",
)

rope_ex_2 = blanks(
    "The score to two decimals, the distance in whole tokens.",
    answer=[[round(np.cos(6 * 0.25), 2)], [round(2 * np.pi / 0.25)]],
    rows=["score, six tokens apart", "distance"],
    columns=["your answer"],
    tolerance=0.006,
    wrong=[
        (
            [[round(np.sin(6 * 0.25), 2)], [round(2 * np.pi / 0.25)]],
            "The dot product of two arrows of length 1 is the cosine of the angle between them.",
        ),
        (
            [[round(np.cos(6 * 0.25), 2)], [round(np.pi / 0.25)]],
            "There the key points the opposite way. When is it back?",
        ),
    ],
    because="The angle is 1.5 radians, and cos 1.5 = 0.07. A full turn takes 2π / 0.25 = 25.1 "
    "tokens, nearly 25.",
    nudge="First the angle between them, then its cosine. A full turn is 2π.",
)
