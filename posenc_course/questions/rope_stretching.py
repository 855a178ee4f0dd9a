"""The questions of the page `rope-stretching`."""

import numpy as np

from posenc import frequencies, scaling
from posenc_course.questions.kinds import choice, number, predict

d, theta, length = 128, 500_000.0, 8192  # those of Llama 3
omega = frequencies(d, base=theta)
turns = length * omega / (2 * np.pi)  # in a training text

slowed = scaling.yarn(d, factor=8, rope_theta=theta, original_max_position_embeddings=length)
gap = np.abs(omega - slowed)

rope_stretching_5 = choice(
    "Your code ignores the yarn setting. A prompt has 100 tokens, far fewer than in training. "
    "Are its angles right?",
    options={
        "Yes, the setting is for long texts": "Does the list of frequencies know how long the "
        "prompt is?",
        "No, pairs from 19 on are off at every position after 0": "",
        "No, all pairs are off": "Compare pair 0 before and after, in the printout above.",
    },
    because="The list is the same for all lengths. At position 100 the worst pair is off by "
    f"{100 * gap.max():.2f} radians, at 1000 by {1000 * gap.max():.2f}: the longer the text, "
    "the worse.",
    nudge="The angle is position times frequency. Which frequencies changed?",
)

rope_stretching_2 = choice(
    "Which of the four leave pair 10 exactly as it was?",
    options={
        "linear": "Linear divides every frequency by the same factor.",
        "NTK-aware": "A new base moves every rung but the first. How far has pair 16 moved in the "
        "printout?",
        "YaRN": "",
        "Llama 3.1": "",
    },
    answer=["YaRN", "Llama 3.1"],
    because=f"Pair 10 goes round {turns[10]:.0f} times in a training text, so both rules keep it.",
    nudge="How often does pair 10 go round in a training text? Which rules ask for that?",
)

ntk = omega / scaling.ntk_aware(d, factor=16, rope_theta=theta)
rope_stretching_3 = predict(
    "Now the factor is 16. NTK-aware scaling slows pair 0 by a factor of 1 and pair 63 by 16. By "
    "what factor does it slow pair 32, near the middle?",
    slider=(1, 16, 0.5),
    answer=ntk[32],
    tolerance=0.6,
    at=32,
    x=(np.arange(64), "pair i"),
    y=(ntk, "times slower"),
    wrong={8.5: "That is half-way by adding. The ladder goes by factors."},
    because="A larger base multiplies each step of the ladder by the same number, so half-way up "
    "is the square root: about 4.",
    nudge="The ladder goes by factors, not by sums.",
)

rope_stretching_4 = choice(
    "A server that runs Transformers keeps the cached keys of a prompt. Under which rope_type may "
    "a text that has grown past the trained length keep using them?",
    options={
        "dynamic": "Its base rises with the length of the text. Look at the printout.",
        "longrope": "It has two lists. When does one take the place of the other?",
        "llama3": "",
    },
    because="There the list of llama3 is fixed once for all lengths, and so are the keys.",
    nudge="Whose list depends on the length?",
)

rope_stretching_ex_1 = number(
    "Linear interpolation has factor 4. Which position turned every pair, before stretching, as "
    "far as position 1000 turns it now?",
    answer=1000 * scaling.linear(8, factor=4)[0] / frequencies(8)[0],
    unit="tokens",
    wrong={4000: "The pairs turn slower, not faster."},
    because="All frequencies are divided by 4, which is the same as dividing the position by 4.",
    nudge="k times ω/4 is the same angle as what times ω?",
)

rope_stretching_ex_2 = number(
    "YaRN stretches by 4. By what number is each score multiplied, to two decimals?",
    answer=scaling.yarn_attention_factor(factor=4) ** 2,
    tolerance=0.006,
    wrong={
        scaling.yarn_attention_factor(factor=4): "That is what a query is multiplied by. And the "
        "key?"
    },
    because="Query and key are each multiplied by 0.1 ln 4 + 1 = 1.139, and the score by its "
    "square.",
    nudge="A score is a product of a query and a key.",
)
