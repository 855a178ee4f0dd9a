"""The questions of the page `promises`."""

import numpy as np

from posenc import sinusoidal, wavelengths
from posenc_course.questions.kinds import choice, number, predict

distance = np.linalg.norm(sinusoidal(128, 4, base=100) - sinusoidal([0], 4, base=100), axis=1)
promises_2 = predict(
    "Four columns, d = 4 and n = 100: one hand turns once in 6.28 tokens, the other in 62.8. Which "
    "of the positions 1 to 127 is nearest to position 0?",
    slider=(1, 127, 1),
    answer=1 + distance[1:].argmin(),
    x=(np.arange(128), "position"),
    y=(distance, "distance from position 0"),
    wrong={
        1: "The neighbour is 0.96 away. Is there a position where both hands are back?",
        6: "There the fast hand is nearly back. Where is the slow one?",
    },
    because="63 tokens are just over ten turns of the first hand and one of the second.",
    nudge="Look for a position where both hands are nearly back.",
)

promises_1 = choice(
    "Every pair of columns goes round and round. After how many tokens does the whole row come "
    "back exactly?",
    options={
        "After 2π · 10 000 tokens": "Is that a whole number of tokens? And do all the other hands "
        "finish a turn there?",
        "After the longest wavelength": "There the slowest hand is back. Where is the fastest?",
        "Never": "",
    },
    because="Pair 0 turns by 1 radian per token, a full turn is 2π, and no whole number except 0 "
    "is a multiple of 2π.",
    nudge="Look at the fastest pair alone: after how many whole tokens is it back exactly?",
)

far, farther = np.linalg.norm(sinusoidal([100, 1000], 512) - sinusoidal([0], 512), axis=1)
promises_5 = choice(
    f"Rows 100 tokens apart are at a distance of {far:.1f}. What distance do you expect at "
    "1000 tokens?",
    options={
        f"{10 * far:.1f}, ten times as much": "Every row has length 16. How far apart can two rows "
        "be at most?",
        f"{farther:.1f}": "",
        f"{far / 10:.2f}": "Would rows 1000 tokens apart be ten times easier to confuse than rows "
        "100 apart?",
    },
    because="No chord is longer than the clock is wide, so the distance never exceeds 32.",
    nudge="All rows lie on a sphere of radius 16.",
)

promises_3 = choice(
    "The minute hand points at 23 minutes, the hour hand a little past four. Which of them do you "
    "need to get the time exactly?",
    options={
        "Both": "",
        "The minute hand alone is enough": "23 past which hour?",
        "The hour hand alone is enough": "Can you tell 4:20 from 4:25 by it?",
    },
    because="The slow hand says roughly when, and the fast hand then says it exactly.",
    nudge="Which of the hands says roughly when, and which says it exactly?",
)

promises_4 = choice(
    "All three fit positions 0 to 511 to within half a token. Guess: which of them still read "
    "position 600 to within one token?",
    options={
        "small weights": "Small weights have to lean on many columns, which help within the 512 "
        "positions. What do the fast columns do beyond them?",
        "least squares": "",
        "one column": "",
    },
    answer=["least squares", "one column"],
    because="They answer 600.0 and 599.4; the one with small weights answers 515.",
    nudge="The fit does not decide it. What does each of the three prefer?",
)

promises_ex_1 = number(
    "The distance, to two decimals.",
    answer=2 * np.sin(1.5),
    tolerance=0.005,
    wrong={
        3: "That is the arc. The distance is the chord.",
        2 * np.sin(3): "The chord takes half of the angle.",
        4 * np.sin(1.5) ** 2: "That is its square.",
    },
    because="2 · sin(3/2) is 1.99: the hand has nearly made half a turn.",
    nudge="Put Δ = 3 and ω = 1 into the length of the chord.",
)

promises_ex_3 = number(
    "The last whole position before the slowest hand has gone round.",
    answer=int(wavelengths(8)[-1]),
    wrong={
        1000: "In 1000 tokens this hand turns by one radian. How many make a full turn?",
        int(wavelengths(8)[-1]) + 1: "There the slowest hand has just gone round, and starts anew.",
        62831: "That is from 2π · 10 000. The slowest of four hands is ten times as fast.",
    },
    because="After 2π · 1000 = 6283.2 tokens even the slowest hand has gone round: 6283 can be "
    "read, 6284 cannot.",
    nudge="When has the slowest hand made a full turn?",
)
