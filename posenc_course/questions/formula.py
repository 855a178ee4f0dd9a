"""The questions of the page `formula`."""

import numpy as np

from posenc import frequencies
from posenc_course.questions.kinds import blanks, choice, number

formula_7 = choice(
    "Look at position 1885. Which of the four hands points clearly away from twelve there? (You "
    "need a calculator: a full turn is 6.2832 radians.)",
    options={
        "hand 0 (1 radian per token)": "How many full turns are 1885 radians? Divide by 6.2832.",
        "hand 1 (1/10)": "How many full turns are 188.5 radians? Divide by 6.2832.",
        "hand 2 (1/100)": "How many full turns are 18.85 radians? Divide by 6.2832.",
        "hand 3 (1/1000)": "",
    },
    because="1885 / 6.2832 = 300.0, so hand 0 has made 300 full turns. Hand 1 is ten times slower "
    "and has made 30, and hand 2 has made 3. Hand 3 has turned by 1.885 radians, 0.3 of a turn.",
    nudge="How far has each hand turned by position 1885? Divide by 6.2832 for its turns.",
)

formula_4 = choice(
    "Somewhere in this table are sinusoids: waves with one wavelength throughout. Where?",
    options={
        "along each row": "Along a row k stands still and i runs. What happens to the frequency ωᵢ "
        "on the way?",
        "down each column": "",
        "both": "Along a row k stands still and i runs. What happens to the frequency ωᵢ on the "
        "way?",
        "along the arcs": "Along an arc the angle stays the same. Where does it grow evenly?",
    },
    because="Down a column i stands still, so the frequency is fixed and the angle kωᵢ grows "
    "evenly with k.",
    nudge="In sin(k ωᵢ), hold one letter still and let the other run.",
)

formula_3 = choice(
    "A table has 512 columns. What does its column 301 hold?",
    options={
        "the sine of pair 150": "The pair is found. Columns count from 0: is 301 the first or the "
        "second column of its pair?",
        "the cosine of pair 150": "",
        "the sine of pair 301": "There are only 256 pairs. Which owns 301?",
        "the cosine of pair 301": "There are only 256 pairs. Which owns 301?",
    },
    because="301 is 2 × 150 + 1, so it is the second column of pair 150: the cosine.",
    nudge="Pair i owns the columns 2i and 2i + 1.",
)

formula_5 = choice(
    "A model was trained with interleaved columns. Now its weights are loaded into a program that "
    "computes the table itself, in halves. What happens?",
    options={
        "an error: the shapes do not fit": "Both tables have L rows and d columns. What is there "
        "to complain about?",
        "nothing: it is only an order of columns": "Dot products between rows stay. But the "
        "weights were trained to find a certain hand in a certain column.",
        "no error, and wrong results": "",
    },
    because="The shapes fit, so nothing complains, but in all columns except the first and the "
    "last, a weight now meets an entry that it was not trained on.",
    nudge="Compare the shapes first, then ask what column 1 holds.",
)

formula_2 = number(
    "Keep rows of 8 numbers, and set the base to n = 16. By what factor is each hand slower than "
    "the one before?",
    answer=1 / frequencies(8, base=16)[1],
    tolerance=0.01,
    wrong={
        16 ** (1 / 8): "That splits the 16 into eight factors. How many hands fill 8 numbers?",
        16 ** (1 / 3): "That makes the last hand 16 times slower than the first. The base is "
        "reached one factor after the last hand.",
        16: "That is the base, which takes all the factors together.",
        4: "Two factors of 4 would make 16. How many factors are there?",
    },
    because="8 numbers are four hands, so four equal factors make 16, and 2 × 2 × 2 × 2 = 16.",
    nudge="How many equal factors make n?",
)

formula_6 = blanks(
    "Keep the base 10 000, and make a row 24 numbers long: twelve hands, numbered 0 to 11. Which "
    "of them are our four?",
    answer=3 * np.arange(4),
    rows=["hand i"],
    columns=["ω = 1", "ω = 1/10", "ω = 1/100", "ω = 1/1000"],
    wrong=[
        ([[1, 4, 7, 10]], "Hands are numbered from 0, and hand 0 turns by 1 radian."),
        (
            [[0, 2, 4, 6]],
            "With eight hands every second one is ours. With twelve, how many factors make 10 000, "
            "and how many make 10?",
        ),
        (
            [[0, 4, 8, 12]],
            "There is no hand 12: the last is hand 11. Twelve equal factors make 10 000, which is "
            "10 × 10 × 10 × 10. How many make 10?",
        ),
        ([[0, 1, 2, 3]], "With four hands the factor is 10. With twelve hands it is smaller."),
    ],
    because="Twelve equal factors make 10 000 = 10 × 10 × 10 × 10, so three of them make 10.",
    nudge="Hand 0 turns by 1 radian. How many of the twelve equal factors make 10?",
)

formula_ex_1 = blanks(
    "The three frequencies, in radians per token.",
    answer=frequencies(6, base=1000)[np.newaxis],
    rows=["ω"],
    columns=["hand 0", "hand 1", "hand 2"],
    tolerance=0.0005,
    wrong=[
        (
            1000 ** (-np.arange(3)[np.newaxis] / 2),
            "A last hand with ω = 1/1000 would be at the base. The base is reached one factor "
            "after the last hand.",
        ),
        (
            1000 ** (-np.arange(3)[np.newaxis] / 6),
            "Three hands make three factors, not six: a hand fills two columns.",
        ),
    ],
    because="Three equal factors make 1000, so each is 10.",
    nudge="Which factor, applied three times, makes 1000?",
)

formula_ex_2 = choice(
    "From position 7 to position −7,",
    options={
        "all entries change sign": "Look at position 0: its cosines are 1. Turn a hand a little "
        "clockwise from there, then a little back, and compare.",
        "the sines change sign": "",
        "the cosines change sign": "Near position 0 the cosines are close to 1 on either side.",
        "nothing changes": "Let a hand turn by a little, clockwise or back. Is its tip at the same "
        "x?",
    },
    because="The hands turn the other way: each tip is as far up as before, and as far to the left "
    "of the middle as it was to the right.",
    nudge="Draw one hand turned by a little clockwise, and one turned back.",
)
