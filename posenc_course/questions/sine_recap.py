"""The questions of the page `sine-recap`."""

import numpy as np

from posenc_course.questions.kinds import blanks, choice, number

tip, turn = np.array([0.28, 0.96]), np.array([0.6, 0.8])  # (sine, cosine) of a and of b
on = [tip[0] * turn[1] + tip[1] * turn[0], tip[1] * turn[1] - tip[0] * turn[0]]
back = [tip[0] * turn[1] - tip[1] * turn[0], tip[1] * turn[1] + tip[0] * turn[0]]
sine_recap_4 = blanks(
    "The tip of a hand is at (0.28, 0.96). The hand turns by an angle b with sin b = 0.6 and cos b "
    "= 0.8. Where is its tip now?",
    answer=[on],
    rows=["after the turn"],
    columns=["x", "y"],
    tolerance=0.006,
    wrong=[
        (
            [tip + turn],
            "You added the numbers of the tip and of the turn. That arrow is longer than 1: it is "
            "the angles that add up.",
        ),
        ([back], "That is the hand turned anticlockwise. Look at the signs."),
        (
            [tip * turn],
            "You multiplied sine by sine and cosine by cosine. Each of the two lines has two "
            "products.",
        ),
        ([on[::-1]], "Those are the two numbers. Which one is x?"),
    ],
    because="The new x is 0.28 · 0.8 + 0.96 · 0.6 = 0.224 + 0.576 = 0.8, and the new y is −0.28 · "
    "0.6 + 0.96 · 0.8 = −0.168 + 0.768 = 0.6.",
    nudge="Four products: put the numbers into the two lines of new x and new y.",
)

hand = np.array([0.8, 0.6])
quarter, mirrored = [hand[1], -hand[0]], [-hand[0], hand[1]]
sine_recap_2 = blanks(
    "The tip of a hand at angle θ has x = 0.8 and y = 0.6. Where is the tip of these two?",
    answer=[quarter, mirrored],
    rows=["hand at θ + π/2", "hand at −θ"],
    columns=["x", "y"],
    tolerance=0.006,
    wrong=[
        (
            [hand[::-1], mirrored],
            "After a quarter turn what pointed right points down. What sign does y have there?",
        ),
        (
            [-np.array(quarter), mirrored],
            "Turned clockwise by a quarter, this hand points down and to the right. Check both "
            "signs.",
        ),
        (
            [quarter, -hand],
            "At −θ the tip is as far up as before. Which of the two numbers changes its sign?",
        ),
        (
            [quarter, [hand[0], -hand[1]]],
            "At −θ the tip is above the middle, to the left. Check both signs.",
        ),
    ],
    because="A quarter turn makes the old y the new x, and minus the old x the new y. Going "
    "backwards changes only the sign of x.",
    nudge="Sketch the hand first, then turn the paper.",
)

sine_recap_1 = choice(
    "The tip of a hand of length 1 is at x = 0.5. Where can the hand point? Tick every direction "
    "that is possible.",
    options={
        "Up and to the right": "That is one place. Let the hand go on through three o'clock: does "
        "it meet x = 0.5 again?",
        "Up and to the left": "",
        "Down and to the right": "That is one place. Did the hand pass x = 0.5 before it came to "
        "three o'clock?",
        "Down and to the left": "",
    },
    answer=["Up and to the right", "Down and to the right"],
    wrong={
        ("Up and to the right", "Up and to the left"): "At one of these the tip is left of the "
        "middle. What is its x there?"
    },
    because="The hand passes x = 0.5 twice in each turn, once in the upper half of the clock and "
    "once in the lower half. Only y tells which.",
    nudge="Draw the clock and an upright line at x = 0.5.",
)

omega = 0.05
sine_recap_6 = number(
    "A hand turns by 0.05 radians per token. How many tokens until its wave repeats? Give one "
    "decimal.",
    answer=2 * np.pi / omega,
    unit="tokens",
    tolerance=0.07,  # 6.28 in place of 2π gives 125.6
    wrong={
        1 / omega: "By then the hand has turned by 1 radian. How many make a full turn?",
        2 * np.pi: "That is right for 1 radian per token. This hand is slower.",
        2 * np.pi * omega: "You multiplied. Does a slower hand take fewer tokens?",
        360 / omega: "A full turn is 360 degrees, but ω is in radians.",
        np.pi / omega: "By then the hand points the opposite way.",
    },
    because="A full turn is 2π radians, and at 0.05 radians per token it takes 2π/0.05 tokens.",
    nudge="Divide a full turn by the turn per token.",
)

sine_recap_5 = choice(
    "One hand turns by 0.5 radians per token, another by 0.5 + 2π. They start together, and you "
    "look at them only at whole positions. What do you see?",
    options={
        "The second wave is much faster": "Between the tokens it is. Where do the two hands point "
        "at position 1?",
        "The same values for both": "",
        "The second wave is upside down": "Then its hand would point the opposite way at every "
        "token. They start together: how far does 2π take a hand?",
    },
    because="The second hand makes one full turn more from each token to the next, and no token is "
    "there to see it.",
    nudge="How far has each hand turned from one token to the next?",
)

sine_recap_ex_2 = choice(
    "sin θ cos θ, where θ grows by ω radians per token, is the wave of a hand whose turn per token "
    "is …",
    options={
        "ω/2": "The factor 1/2 in front is the amplitude. What stands under the sine?",
        "ω": "Try θ = 0 and θ = π: the product is 0 at both. Is it also 0 in between?",
        "2ω": "",
        "ω²": "Multiplying a sine by a cosine does not multiply their speeds. Which of the two "
        "lines of the card holds the product sin θ cos θ?",
    },
    because="sin 2θ = 2 sin θ cos θ, so the product is half of sin 2θ.",
    nudge="Turn the hand at θ by θ once more. What is the new x?",
)

per_turn = 27 - 3  # from one crest to the next
crest_omega = 2 * np.pi / per_turn
crest_phase = np.pi / 2 - 3 * crest_omega  # a crest, a quarter turn, is at position 3
sine_recap_ex_1 = blanks(
    "Fill in the three numbers of the wave, to two decimals.",
    answer=[[per_turn, crest_omega, crest_phase]],
    rows=["wave"],
    columns=["wavelength (tokens)", "ω (radians per token)", "φ (radians)"],
    tolerance=0.006,
    wrong=[
        (
            [[per_turn, crest_omega, -3 * crest_omega]],
            "With that phase the hand is at twelve at position 3. At a crest it points straight to "
            "the right.",
        ),
        (
            [[per_turn, crest_omega, np.pi / 2 + 3 * crest_omega]],
            "The hand turns clockwise from position 0 to 3. So where did it start?",
        ),
        (
            [[per_turn, 1 / per_turn, crest_phase]],
            "That ω is in turns per token. How many radians is a turn?",
        ),
        ([[per_turn, 360 / per_turn, 45]], "Those are degrees."),
    ],
    because="A turn takes 24 tokens; π/2 at position 3 means π/2 − 3ω, which is π/4, at position "
    "0.",
    nudge="A turn takes 27 − 3 tokens. That gives ω, and a crest, where the hand points straight "
    "to the right, gives φ. Both are in radians.",
)
