"""The questions of the page `worked-example`."""

import numpy as np

from posenc import sinusoidal
from posenc_course.questions.kinds import blanks, choice, number

robot = sinusoidal(4, 4, base=100)
# The embedding of the chapter, a row for each of a, am, I and robot.
E = np.array([[0, 2, -1, 1], [1, 0, 2, -1], [2, 1, 0, 1], [-1, 1, 1, 2]])
am = E[1]
worked_example_7 = blanks(
    "In “Am I a robot”, the word “am” comes first. What does the model get for it now?",
    answer=[am + robot[0]],
    rows=["am"],
    columns=["column 0", "column 1", "column 2", "column 3"],
    tolerance=0.006,
    wrong=[
        ([am + robot[1]], "That is “am” at position 1. Which position does it have now?"),
        ([am], "That is the word's own row. What is added to it?"),
        ([robot[0]], "That is the position's row. To which row is it added?"),
        ([E[2] + robot[0]], "That is “I” at position 0. Here it is “am” that comes first."),
    ],
    because="(1, 0, 2, −1) + (0, 1, 0, 1) = (1, 1, 2, 0).",
    nudge="Take the row of “am” in E, and add the row of its new position.",
)

worked_example_5 = number(
    "Let the row of a position have 512 entries. How long is it at position 3, and how long at "
    "position 3000? It is one number, and needs no calculator.",
    answer=np.linalg.norm(sinusoidal([3], 512)),
    tolerance=0.01,
    wrong={
        np.sqrt(512): "That would be a 1 for each column. How many 1s do a sine and its cosine "
        "give together?",
        256: "That is the sum of the squares. The length is its root.",
        512: "A sine and its cosine share one hand: sin² + cos² = 1. Add that up over all hands, "
        "and take the root.",
        1: "One hand has length 1. How many hands are there?",
    },
    because="Each of the 256 hands adds sin² + cos² = 1 to the square of the length, and the root "
    "of 256 is 16.",
    nudge="Add up the squares, one pair after the other.",
)

worked_example_6 = number(
    "How many rows of encoding do you need for this batch?",
    answer=np.arange(10).size,
    wrong={
        40: "That is one for each token. Do tokens at the same position of different sentences "
        "need different rows?",
        4: "That is one for each sentence. What about its ten tokens?",
        512: "That is the number of columns.",
    },
    because="Position 3 has one row, and all four sentences use it.",
    nudge="How many different positions are there?",
)

changed = (sinusoidal(4, 4) != robot).any(axis=0)
worked_example_4 = choice(
    "You raise the base from 100 to the usual 10 000. Which columns of the encoding change? Tick "
    "all of them.",
    options={
        "column 0": "What is 100 to the power 0, and 10 000 to the power 0?",
        "column 1": "What is 100 to the power 0, and 10 000 to the power 0?",
        "column 2": "",
        "column 3": "",
    },
    answer=[f"column {column}" for column in np.flatnonzero(changed)],
    because="Hand 0 turns by 1 for every base. The other slows from a tenth to a hundredth of a "
    "radian per token.",
    nudge="Work out the two frequencies again, with n = 10 000.",
)

worked_example_1 = choice(
    "The sentence is now “Where do words stand”, one token for each word. Which part of the sum is "
    "the same as for “I am a robot”?",
    options={
        "the looked-up rows": "These are other words, so they have other rows in the table E.",
        "the rows of the encoding": "",
        "both": "These are other words. Which of the two parts knows that?",
        "neither": "What goes into the formula of the encoding: the word, or its position?",
    },
    because="The formula knows positions only, and any four tokens stand at 0, 1, 2 and 3.",
    nudge="Which of the two parts looks at the words?",
)

row = sinusoidal([20], 4, base=100)
worked_example_ex_3 = blanks(
    "The row of position 20.",
    answer=row,
    rows=["k = 20"],
    columns=["sin k", "cos k", "sin (k/10)", "cos (k/10)"],
    tolerance=0.006,
    wrong=[
        (sinusoidal([19], 4, base=100), "That is the row of position 19. Positions count from 0."),
        (
            sinusoidal([np.radians(20)], 4, base=100),
            "A calculator set to degrees shows that. Set it to radians.",
        ),
        (sinusoidal([20], 4), "That is the row for base 10 000. Here n is 100."),
    ],
    because="The slow hand is ten times slower, so at position 20 it shows what the fast hand "
    "showed at position 2.",
    nudge="The two angles are 20 and 2.",
)

worked_example_ex_1 = blanks(
    "To four decimals.",
    answer=np.array([[np.sin(0.1), np.cos(0.1)]]),
    rows=["angle 0.1"],
    columns=["sin", "cos"],
    tolerance=0.00006,
    wrong=[
        (np.array([[0.1, 1.0]]), "Close, but within four decimals each second term counts."),
        (np.array([[0.1 + 0.1**3 / 6, 1 + 0.1**2 / 2]]), "The second terms are taken away."),
        (np.array([[0.1 - 0.1**3 / 6, 1 - 0.1**2]]), "The square of the angle is halved."),
    ],
    because="0.1 cubed is 0.001, a sixth of which is 0.00017; 0.1 squared is 0.01, half of which "
    "is 0.005.",
    nudge="The sine needs 0.1 times 0.1 times 0.1, the cosine 0.1 times 0.1.",
)
