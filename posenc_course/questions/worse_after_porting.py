"""The questions of the page `worse-after-porting`."""

from posenc_course.questions.kinds import choice, number

worse_after_porting_1 = choice(
    "A port of a model trained on 8192 tokens answers short prompts as the original does. At 100 "
    "tokens it is a little worse, at 1000 much worse. Which of these can be the cause?",
    options={
        "It pairs neighbours instead of halves": "From which position on is that wrong?",
        "Its frequencies went through bfloat16": "",
        "Its table ends after 4096 rows": "Would 1000 tokens notice?",
        "It turns the other way round": "From which position on is that wrong?",
    },
    because="A small error of each frequency grows with the position.",
    nudge="Which of these is small near the beginning, and grows?",
)

worse_after_porting_2 = number(
    "SmolLM3 has no_rope_layers: 1, 1, 1, 0, and so on through its 36 layers. How many layers turn "
    "queries and keys?",
    answer=sum([1, 1, 1, 0] * 9),
    wrong={9: "That is how many do not. What does a 1 mean?"},
    because="The name misleads: 1 means that the layer turns. Nine of 36 layers have no positions.",
    nudge="A 1 means that the layer turns.",
)

worse_after_porting_ex_1 = number(
    "A cosine table has 4096 rows, and code that looks up a later row takes the last one. What is "
    "the first position at which it turns wrongly?",
    answer=4096,
    wrong={4095: "That row exists. Rows count from 0."},
    because="Rows 0 to 4095 exist. Position 4096 is turned as 4095.",
    nudge="Rows count from 0.",
)

worse_after_porting_ex_2 = choice(
    "Two functions turn the same pairs by the same list, but in opposite directions. Which test "
    "cannot tell them apart?",
    options={
        "position 0": "",
        "position 1": "Pair 0 turns by 1 radian, or by −1.",
        "a score of two tokens that are 5 apart": "The score has cos(5ω) and sin(5ω). Which of "
        "them changes its sign?",
    },
    because="At position 0 nothing turns, in either direction.",
    nudge="Where is the angle 0?",
)

worse_after_porting_ex_3 = number(
    "A frequency of 0.3 radians per token is stored as 0.3008. After how many tokens is the angle "
    "off by 1 radian? Round to a whole number.",
    answer=1 / 0.0008,
    unit="tokens",
    wrong={1 / 0.3: "That is when the angle itself is 1 radian."},
    because="Each token adds 0.0008 radians: 1/0.0008 = 1250 tokens.",
    nudge="By how much is each token's angle off?",
)
