"""The questions of the page `in-a-model`."""

from posenc_course.questions.kinds import Asked, choice, number, predict

in_a_model_1 = choice(
    "Without positions the model gets 50 % right. Would more training help?",
    options={
        "Yes, it learns slowly": "Exchange A and B in a text. What changes in the model's input, "
        "apart from the order of the rows?",
        "No, never": "",
        "Only with longer rows": "Is there anything in the rows that a model could see with more "
        "columns?",
    },
    because="A text and its twin have the same rows in a different order, so A's row comes out the "
    "same for both, and one of the two answers is wrong.",
    nudge="Think of chapter 1: what does attention do when two rows change places?",
)

in_a_model_4 = choice(
    "Texts of 12 tokens begin at position 12. Which models still know which letter came first?",
    options={
        "learned": "Has training ever touched the vectors of positions from 12 on?",
        "sinusoidal": "These rows exist. Has any training text shown what they mean?",
        "RoPE": "",
    },
    answer=["RoPE"],
    because="RoPE's scores depend on the distance alone, so for it nothing has changed.",
    nudge="Ask for each model what a later beginning changes in its scores.",
)

in_a_model_6 = choice(
    "A model without positions has learned to say “A first” with q = 0.8, to all texts. Half of "
    "all texts have A before B. What should it do to lower its loss?",
    options={
        "Raise q: it is right where A comes first": "What does the twin of such a text cost then?",
        "Lower q to 0.5": "",
        "Nothing: its loss is as low as it can be": "Compute the mean of −ln 0.8 and −ln 0.2, and "
        "compare it with ln 2.",
    },
    because="At q = 0.8 the mean is (0.22 + 1.61)/2 = 0.92, and at 0.5 it is 0.69. To be sure "
    "costs more on the twin than it saves on the text.",
    nudge="For each text there is a twin. What do the two cost together?",
)


def in_a_model_5(right: float) -> Asked:
    """Return the prediction whose answer is `right`, the percentage that a training measured."""
    return predict(
        "With a causal mask and no positions at all, what percentage of right answers do you "
        "expect at length 48, four times the trained length?",
        slider=(0, 100, 1),
        unit="%",
        answer=right,
        tolerance=10,
        wrong={50: "Without a mask, yes. What does A see now, when B comes later?"},
        because="A sees B exactly when B comes first, so whether A finds a B is the answer.",
        nudge="What can A see when B comes before it? And when B comes after it?",
    )


def in_a_model_2(share: float) -> Asked:
    """Return the prediction of `share`, measured as a part of 1 and asked for as a percentage."""
    return predict(
        "With d = 512 and random matrices, a place has length 16 and a word about 1. What share "
        "of the variance of the scores belongs to place with place?",
        slider=(0, 100, 1),
        unit="%",
        answer=round(100 * share),
        tolerance=10,
        because="Lengths multiply: 16 · 16 for place with place, against 1 · 1 for word with "
        "word, before they are squared.",
        nudge="A score is a product of two rows: multiply their lengths, 16 and 16, 16 and 1, 1 "
        "and 1.",
    )


in_a_model_ex_1 = number(
    "In per cent, to the nearest whole number.",
    answer=100 * 9 / 11,
    tolerance=0.6,
    unit="%",
    wrong={
        100 * 9 / 12: "B cannot be where A is. How many positions are left?",
        100 * 2 / 11: "That is how often B comes later.",
    },
    because="Of the eleven positions left for B, nine come before position 9.",
    nudge="Count the positions left for B, and how many of them come before 9.",
)

in_a_model_ex_3 = number(
    "The factor f, to one decimal.",
    answer=34_828**0.25,
    tolerance=0.06,
    wrong={
        34_828**0.5: "The variance grows with the fourth power of f.",
        512**0.5: "That is the paper's factor, √512, which is larger than the one asked for.",
        16: "That is what the lengths alone would give, 65 536 to the power of 1/4. What was "
        "measured?",
    },
    because="f⁴ = 34 828 gives f = 13.7; the paper's √512 = 22.6 makes words louder than places.",
    nudge="Solve f⁴ = 34 828: take the square root twice.",
)
