"""The questions of the page `beyond`."""

import numpy as np

from posenc_course.questions.kinds import choice, number, predict

beyond_8 = choice(
    "Two words are neighbours, at positions 3 and 4. Then a hundred words are put in front. With "
    "which encodings does their score stay, whatever the words are?",
    options={
        "sinusoids": "The distance between the two rows stays. But they are added to words: does "
        "the dot product of the two sums stay?",
        "learned rows": "What does row 103 have to do with row 3?",
        "buckets": "True. One more of them sees the distance alone.",
        "ALiBi": "True. One more of them sees the distance alone.",
    },
    answer=["buckets", "ALiBi"],
    because="Buckets and ALiBi see the distance alone, and it is 1 before and after. Rows that are "
    "added to words bring their own position along.",
    nudge="Ask for each what it looks up: a position, or a distance?",
)

beyond_4 = predict(
    "Slope 1/2: a key ten tokens back matches as well as the key at the query's own position. What "
    "percentage of that key's weight does it get?",
    slider=(0, 100, 0.1),
    unit="%",
    answer=round(100 * np.exp(-10 / 2), 1),
    tolerance=0.3,
    because="It has lost 10 · 1/2 = 5 from its score, and exp(−5), which is 0.37 to the power "
    "5, is 0.007.",
    nudge="The score falls by ten times the slope; the weight is the exponential of it.",
)

beyond_5 = choice(
    "One layer, no mask, and the whole text reversed. Which encodings do not notice?",
    options={
        "sinusoids": "The words keep their rows, but the rows of the table stay where they are.",
        "buckets of |k − m|": "True. One more of them knows a distance without a sign.",
        "RoPE": "The turn has a direction: cos(Δω + a) is not cos(−Δω + a), unless a is 0 or half "
        "a turn.",
        "ALiBi": "True. One more of them knows a distance without a sign.",
    },
    answer=["buckets of |k − m|", "ALiBi"],
    because="Both know |k − m| alone, and a reversed text keeps every distance.",
    nudge="Which of them can tell before from after, and not just near from far?",
)

beyond_ex_3 = number(
    "In tokens, to one decimal.",
    answer=8 * np.log(10),
    unit="tokens",
    tolerance=0.06,
    wrong={
        8 * np.log(10 / 9): "Then a tenth is lost. A tenth should be left.",
        np.log(10) / 8: "Divide by the slope: flat heads look far.",
        8 * 0.9: "Then the score has lost 0.9. It is the weight that falls.",
    },
    because="exp(−Δ/8) = 1/10 gives Δ = 8 ln 10.",
    nudge="Solve exp(−slope · Δ) = 1/10.",
)

beyond_ex_4 = number(
    "What the token at position 9 takes home, as a decimal.",
    answer=1 / 10,
    tolerance=0.002,
    wrong={
        1 / 9: "How many tokens does it see, itself included? Positions begin at 0.",
        1: "That would need all the weight on the first word. Why should the first word get more "
        "than the others?",
        0: "Does it not see the first word?",
    },
    because="It sees ten tokens, 0 to 9, and gives each the weight 1/10.",
    nudge="Equal keys get equal weights. How many tokens does it see?",
)

beyond_ex_5 = number(
    "By how much the score at 15 is larger than that at 10, seen from 20.",
    answer=(15 - 10) / 4,
    tolerance=0.005,
    wrong={
        10 / 4: "That is what the key at 10 has lost. How much has the key at 15 lost?",
        5: "That is in tokens. Multiply it by the slope.",
        -5 / 4: "The nearer one has lost less.",
    },
    because="The keys are 10 and 5 tokens away, so they have lost 2.5 and 1.25.",
    nudge="What does each of the two keys lose?",
)
