"""The questions of the page `right-table`."""

import numpy as np

from posenc import sinusoidal
from posenc_course.questions.kinds import choice, number

row = np.roll(sinusoidal([1], 512, layout="halves")[0], 256)
right_table_1 = choice(
    "Row 1 of a table of width 512 begins "
    + ", ".join(f"{entry:.4f}" for entry in row[:4])
    + ". Which layout does it have?",
    options={
        "Interleaved, sine and cosine in turn": "Then the first number would be sin 1 = 0.8415, "
        "and the second cos 1.",
        "Halves, all sines first": "Then the first number would be sin 1 = 0.8415.",
        "Halves, all cosines first": "",
    },
    because="The first number is cos 1, and the next three are cosines of slightly smaller angles.",
    nudge="sin 1 = 0.8415 and cos 1 = 0.5403. Which comes first, and what follows it?",
)

right_table_2 = number(
    "“Compare row 0” is common advice. You compare two functions that apply RoPE, one in halves, "
    "one with neighbours. What is the first position at which their results differ?",
    answer=1,
    wrong={0: "By which angle is position 0 turned?"},
    because="At position 0 every pair is turned by 0, whatever the pairs are. From position 1 on "
    "the two differ.",
    nudge="The angle is position times frequency.",
)

right_table_3 = choice(
    "A function turns position k as if it were k + 1, for queries and for keys. How do the "
    "attention scores change?",
    options={
        "Not at all": "",
        "They move by one token": "The query moves, and the key moves too.",
        "They are all wrong": "What does a score of turned vectors depend on?",
    },
    because="RoPE's scores depend on the distance alone. The bug shows where other code turns the "
    "other side, as with a shared cache.",
    nudge="Both sides are turned by one token more.",
)

right_table_4 = number(
    "The rotation is applied twice, to two tokens that are 5 apart. At what distance would their "
    "score be correct?",
    answer=10,
    unit="tokens",
    wrong={
        5: "Each of the two is turned by twice its position. And the difference?",
        20: "Each is turned twice, once more than it should be. By how much does the difference "
        "grow?",
    },
    because="Positions k and m act as 2k and 2m, so every distance is doubled.",
    nudge="Twice the position, on both sides.",
)

right_table_ex_1 = number(
    "Width 8, base 10 000, halves. What is the third number of row 1, to two decimals?",
    answer=sinusoidal(2, 8, layout="halves")[1, 2],
    tolerance=0.003,
    wrong={
        sinusoidal(2, 8)[1, 2]: "That is the third number of the interleaved row.",
        sinusoidal(2, 8)[1, 5]: "In halves the cosines come after all the sines.",
    },
    because="The third column is the sine of pair 2, whose frequency is 10 000^(−4/8) = 0.01.",
    nudge="Which pair is in the third column?",
)

right_table_ex_2 = number(
    "In tensor2tensor's spacing the frequencies are 10 000^(−i/(d/2 − 1)). What is the last "
    "frequency for width 8?",
    answer=10_000.0 ** (-3 / 3),
    unit="radians per token",
    wrong={
        10_000.0 ** (-6 / 8): "That is the paper's spacing, which stops one rung before 1/10 000."
    },
    because="The last pair is i = 3, and 3/3 = 1: the ladder reaches exactly 1/10 000.",
    nudge="The pairs are 0 to 3.",
)
