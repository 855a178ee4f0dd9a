"""The questions of the page `bug-zoo`."""

import numpy as np

from posenc_course.experiments.bug_zoo import BUGS, SAME, TESTS, verdict
from posenc_course.questions.kinds import choice, number, predict

bug_zoo_3 = number(
    "j runs over all columns, and only every second entry of wk is used. The result is a correct "
    "table of a different base. Which base?",
    answer=10_000**2,
    wrong={
        10_000: "Then pair i would need the exponent 2i/d. Which j belongs to pair i?",
        100: "The exponent doubles; it is not cut in half.",
        20_000: "A factor of 2 in the exponent is not a factor of the base.",
    },
    because="Pair i uses j = 2i, so its exponent is 4i/d, and 10 000 to the power of 4i/d is 100 "
    "000 000 to the power of 2i/d.",
    nudge="Write the exponent of pair i with j = 2i, then read it as that of a larger base.",
)

bug_zoo_2 = choice(
    "Off-by-one i: each sine is right, each cosine takes its frequency from its own column. You "
    "draw the difference from the correct table, blank where it is 0. What do you see?",
    options={
        "Blank columns and coloured columns in turn": "",
        "The left half is blank": "That would be a bug of the slow pairs. Where are the cosines?",
        "The first row is coloured, the rest blank": "In row 0 every angle is 0, whatever the "
        "frequency.",
    },
    because="The sines are in the even columns, the cosines in the odd ones.",
    nudge="Which columns hold the sines, and which the cosines?",
)


def caught_by(test) -> int:
    """Return how many of the ten bugs make a test fail or crash."""
    return sum(verdict(test, layer) != "passes" for layer in BUGS.values())


bug_zoo_1 = predict(
    "A test that comes to mind first: all values lie in [−1, 1]. How many of these ten bugs does "
    "it catch?",
    slider=(0, 10, 1),
    answer=caught_by(TESTS["stays_in_range"]),
    because="Whatever you put into a sine, the value stays in that range. The one bug it catches "
    "crashes under every test of values.",
    nudge="What would a wrong frequency have to do to leave the range?",
)


def first_position(layer) -> None:
    """Raise AssertionError unless a layer gives position 1 of the first text the formula's row."""
    zeros = np.zeros((3, 50, 16))  # three texts of 50 tokens, in rows of 16 numbers
    row = layer(zeros)[0, 1]  # what the layer adds, since the rest is 0
    angles = 10_000.0 ** (-np.arange(0, 16, 2) / 16)
    interleaved = np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
    assert np.allclose(row, interleaved, atol=SAME)


bug_zoo_6 = predict(
    "One test compares a single row with the formula: that of position 1, in the first of three "
    "texts. How many of the ten bugs does it catch?",
    slider=(0, 10, 1),
    answer=caught_by(first_position),
    because="It misses the odd width, which has no such row, and the float32 angles, which are "
    "correct near the start.",
    nudge="Go through the table of the ten: which of them get row 1 right, at an even width?",
)

bug_zoo_5 = choice(
    "You find a doubled exponent in a model whose weights many people use. What do you do?",
    options={
        "Correct it in the next release": "What do the old weights expect, and what do they get "
        "then?",
        "Add the correct table under a flag, and keep the old one for the old weights": "",
        "Nothing: the loss is fine": "Somebody may train a new model with this code, or load the "
        "weights into correct code.",
    },
    because="Old weights need the old table, new ones deserve the correct one.",
    nudge="Who reads the table: old weights, new weights, or both?",
)

bug_zoo_ex_3 = number(
    "The base of the stranger's table:",
    answer=(1 / 0.2) ** 4,
    tolerance=15,
    wrong={
        5: "That is the factor from one pair to the next. How many such steps lead from 1 to the "
        "base?",
        125: "The last of four pairs has the exponent 3/4. The base has 1.",
        25: "Pair 1 of width 8 has the exponent 2/8, not 1/2.",
    },
    because="The angles are 1, 0.2, 0.04 and 0.008, so each pair is 5 times slower, and with four "
    "pairs the base is 5 · 5 · 5 · 5 = 625.",
    nudge="Read the angle of pair 1. Which power of the base is it?",
)

bug_zoo_ex_2 = number(
    "The sum of the squares of a row of width 512:",
    answer=512 / 2,
    wrong={
        512: "Each pair adds sin² + cos². How many pairs are there?",
        np.sqrt(256): "That is the length. You need the sum of the squares.",
    },
    because="Each of the 256 pairs adds sin² + cos² = 1.",
    nudge="What does one pair add?",
)
