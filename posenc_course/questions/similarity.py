"""The questions of the page `similarity`."""

import numpy as np

from posenc import sinusoidal
from posenc_course.questions.kinds import Asked, blanks, choice, number, predict

similarity_7 = choice(
    "You are told the dot product of the rows of k and m, and nothing else. What does this number "
    "never tell you?",
    options={
        "Whether k and m are the same position": "How large is S(0)? Can any other distance reach "
        "it?",
        "Which of the two comes first": "",
        "Anything about how far apart they are": "On the whole, near rows have the larger dot "
        "product. Look at the curve.",
    },
    because="The cosine is even, S(−Δ) = S(Δ), and a dot product does not know which vector came "
    "first. (It does not always give the distance away either: with d = 512, S(199) and S(300) are "
    "86.37 and 86.40.)",
    nudge="Exchange k and m. What happens to the dot product?",
)

curve = sinusoidal(101, 512) @ sinusoidal([0], 512)[0]
similarity_3 = predict(
    "With d = 512, S falls as the distance grows, and then for the first time it rises. At which "
    "distance does the first rise begin?",
    slider=(0, 100, 1),
    unit="tokens",
    answer=np.flatnonzero(np.diff(curve) > 0)[0],
    tolerance=6,
    x=(np.arange(101), "distance Δ (tokens)"),
    y=(curve, "S(Δ)"),
    because="From 43 to 44 tokens, because 44 tokens are almost exactly seven turns of pair 0.",
    nudge="The fastest hand goes round once in 2π tokens. After which whole number of tokens is it "
    "nearly back?",
)

long = sinusoidal(200, 64)
random_Q, random_K = np.random.default_rng(5).normal(size=(2, 64, 64)) / np.sqrt(64)
scores = long @ random_Q @ random_K.T @ long.T
near, far = (f"{scores[k, k + 5]:.1f}".replace("-", "−") for k in (10, 100))
similarity_5 = choice(
    f"Through a random A, positions 10 and 15 have the score {near}. What do you expect for 100 "
    "and 105?",
    options={
        "The same": "What in a random matrix knows that both pairs are five apart?",
        "Nearly the same": "Would a small change of both positions change the score a little? Here "
        "both change by 90.",
        "Some other number": "",
    },
    because=f"It is {far}: a random matrix mixes the pairs, and the distance is lost.",
    nudge="A rotation keeps each pair of columns to itself. Does a random matrix?",
)


def similarity_6(three_back: float, position_0: float) -> Asked:
    """Return the prediction of the share `three_back`, for which `position_0` is a wrong answer."""
    return predict(
        "Before training, the relative share is about 0.03. Guess its median over 20 starts, "
        "after training on “three back” in texts that begin at position 0.",
        slider=(0, 1, 0.01),
        answer=three_back,
        tolerance=0.1,
        wrong={
            round(position_0, 2): "The head has learned the task, and the task asks for a distance."
        },
        because="Most of A now turns the pairs, although nothing in the program mentions pairs.",
        nudge="The figure below has a dot for every start.",
    )


similarity_ex_3 = blanks(
    "To three decimals.",
    answer=[[2, round(np.cos([1, 0.1]).sum(), 3)]],
    rows=["S"],
    columns=["0", "1"],
    tolerance=0.002,
    wrong=[
        (
            [[4, round(np.cos([1, 0.1]).sum(), 3)]],
            "S(0): there are four columns, but two hands, and each adds cos 0 = 1.",
        ),
        ([[2, round(np.cos([1, 0.1]).prod(), 3)]], "S(1): add the two cosines."),
    ],
    because="Each of the two hands adds 1 at Δ = 0; at Δ = 1 they add 0.540 and 0.995.",
    nudge="S(Δ) = cos Δ + cos 0.1 Δ.",
)

here, there = sinusoidal([0, 5], 64)
similarity_ex_1 = number(
    "The distance, to two decimals.",
    answer=np.linalg.norm(there - here),
    tolerance=0.006,
    wrong={
        64 - 2 * here @ there: "That is the square of the distance.",
        np.sqrt(32 - 2 * 0.5 * here @ there): "Each row has squared length 32, and there are two "
        "rows.",
    },
    because="The squared distance is 64 − 2 · 23.5 = 17, and √17 is about 4.12.",
    nudge="Multiply out (p − q) · (p − q).",
)

pairs = 128 // 2
similarity_ex_2 = number(
    "The free numbers of a relative head with d = 128 that makes queries and keys with the same "
    "matrix:",
    answer=pairs,
    wrong={
        128**2: "That is the full matrix.",
        2 * pairs: "That is for two matrices. What is left of each block with one?",
    },
    because="Each bᵢ is 0, so each of the 64 pairs has one free number. With two matrices it has "
    "two.",
    nudge="How many blocks are there, and what may still be chosen in each?",
)
