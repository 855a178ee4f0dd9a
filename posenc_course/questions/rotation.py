"""The questions of the page `rotation`."""

import numpy as np

from posenc import frequencies, sinusoidal
from posenc_course.questions.kinds import blanks, choice, number

table = sinusoidal(100, 16, base=100)

one_hand = sinusoidal(9, 2)
arrow = one_hand[3] - one_hand[1]  # the gold one of the chapter, two tokens from position 1
two = np.array([[np.cos(2), np.sin(2)], [-np.sin(2), np.cos(2)]])  # R(2)
tip = one_hand[6]  # (-0.28, 0.96)
later = two @ tip
rotation_11 = number(
    "Somewhere in a long text you find the tip (−0.28, 0.96) of the hand with 1 radian per token, "
    "but nobody tells you the position. What is the x of the tip two tokens later, to two "
    "decimals?",
    answer=later[0],
    tolerance=0.006,
    wrong={
        (tip + arrow)[0]: "Both products are positive. And if you added the gold arrow of "
        "position 1: at other positions it is a different arrow.",
        later[1]: "That is y. Which row gives x?",
        (two.T @ tip)[0]: "Compare the corners: in this matrix the 0.91 at the upper right has "
        "no minus.",
        (np.abs(two) @ tip)[0]: "The upper left entry is −0.42. A minus times a minus is a plus.",
    },
    because="−0.42 · (−0.28) + 0.91 · 0.96 = 0.12 + 0.87 = 0.99. The matrix never asks for the "
    "position.",
    nudge="Multiply the top row of R(2) by the two numbers of the tip, and add.",
)

there = np.linalg.norm(table[5] - table[3])
rotation_1 = choice(
    "In a table with d = 16, subtract row 3 from row 5: that arrow of 16 numbers leads two "
    f"tokens ahead, and it is {there:.2f} long. Now subtract row 40 from row 42. What do you "
    "get?",
    options={
        "The same arrow": "Then adding one arrow would move every row. Draw a hand two tokens "
        "apart, once from the top of its clock and once from the bottom. Do the two arrows point "
        "the same way?",
        "An arrow of the same length that points another way": "",
        "An arrow of another length": "Each arrow joins the tips of two hands. Has the angle "
        "between those hands changed?",
    },
    because="Each of the eight hands turns by its own fixed angle, so its arrow keeps its length, "
    "while its direction depends on where the hand is.",
    nudge="Draw one hand and the same hand two tokens later, and the arrow from tip to tip. Then "
    "let both go on.",
)

near, far = table[3] @ table[8], table[60] @ table[65]
rotation_4 = number(
    f"The dot product of rows 3 and 8 is {near:.2f}. What is that of rows 60 and 65, to two "
    "decimals?",
    answer=far,
    tolerance=0.006,
    wrong={
        table[60] @ table[60]: "That is the product of a row with itself. How far apart are 60 and "
        "65?",
        -near: "Turn both rows back by 57 tokens. Where do they arrive?",
    },
    because="M(57) turns rows 3 and 8 into rows 60 and 65, and a turn of both changes neither "
    "their lengths nor the angle between them.",
    nudge="Which matrix takes row 3 to row 60? Where does it take row 8?",
)

start = sinusoidal([1], 4, base=100)[0, 0::2]
rotation_8 = choice(
    "Keep only the sines of two hands, of 1 and 0.1 radians per token. Then row 0 is (0, 0) "
    f"and row 1 is ({start[0]:.2f}, {start[1]:.2f}). How many matrices take row 0 to row 1?",
    options={
        "None": "",
        "Exactly one": "Choose any matrix and multiply (0, 0) by it.",
        "Many": "Choose any matrix and multiply (0, 0) by it.",
    },
    because="Any matrix takes (0, 0) to (0, 0), and row 1 is not that.",
    nudge="What does a matrix make of (0, 0)?",
)

rotation_10 = choice(
    "Three other tables. For which of them does the proof of this chapter give one matrix that "
    "takes every row to the row two tokens later?",
    options={
        "One hand, at the angle of k² radians at position k": "From position 0 to 2 the angle goes "
        "from 0 to 4, and from position 1 to 3 it goes from 1 to 9. The proof needs one turn b for "
        "both. Is there one?",
        "Two hands, of 2.5 and of 0.37 radians per token": "",
        "One hand of 1 radian per token, and only its sine is stored": "The proof multiplies the "
        "sine and the cosine. Here row 0 is the one number 0, and any matrix leaves 0 at 0. But "
        "what is row 2?",
    },
    because="The proof asks two things of a hand: that it turns by the same angle in every token, "
    "whatever that angle is, and that both its sine and its cosine are stored. With k² the turns "
    "differ, 4 and then 8 radians. With the sine alone, row 0 is 0 and stays 0 under every matrix, "
    "but row 2 is sin 2 = 0.91.",
    nudge="Go through the proof. What does it need to know about a hand?",
)

rotation_3 = choice(
    "From row 20 to row 25, pair 0 turns by 5 radians. Turn all eight pairs of row 20 by 5 "
    "radians. Which of them get the numbers of row 25?",
    options={
        "All eight": "Do all eight hands turn at the same speed?",
        "Only pair 0": "",
        "Every second pair": "Which of the other hands turns as fast as hand 0?",
        "None": "For pair 0 the angle of 5 radians is the right one.",
    },
    # How many of the eight pairs turn by 5 radians in 5 tokens.
    answer={8: "All eight", 1: "Only pair 0"}[int((5 * frequencies(16, base=100) == 5).sum())],
    because="5 radians is 5 times ω₀. All the other pairs have a smaller ω, so they turn less.",
    nudge="How far does the hand of each pair turn in 5 tokens?",
)

answer = np.array([[0, 1], [-1, 0]])
rotation_ex_1 = blanks(
    "The matrix of a pair with wavelength 12 tokens, for a shift of 3 tokens.",
    answer=answer,
    rows=["new sine", "new cosine"],
    columns=["old sine", "old cosine"],
    tolerance=0.005,
    wrong=[
        (
            answer.T,
            "Multiply (0, 1) and then (1, 0) by your matrix. A hand must go from the top to the "
            "right, and from the right to the bottom.",
        ),
        (-np.eye(2), "Half a turn takes 6 tokens. How far is it in 3?"),
        (np.eye(2), "The hand moves in 3 tokens. By what part of a turn?"),
    ],
    because="3 of 12 tokens are a quarter turn, where the cosine is 0 and the sine is 1.",
    nudge="What part of a turn are 3 tokens?",
)

rotation_ex_2 = number(
    "M(3) times the transpose of M(4) times M(0.5) is M(Δ). What is Δ?",
    answer=3 - 4 + 0.5,
    unit="tokens",
    tolerance=0.001,
    wrong={
        3 + 4 + 0.5: "The transpose of M(4) is the way back.",
        3 * -4 * 0.5: "Matrices multiply; what do their shifts do?",
        3 * 4 * 0.5: "Matrices multiply; what do their shifts do?",
    },
    because="The transpose of M(4) is M(−4), and shifts add up: 3 − 4 + 0.5.",
    nudge="Write the transpose as a shift first.",
)
