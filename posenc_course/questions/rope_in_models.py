"""The questions of the page `rope-in-models`."""

import numpy as np

from posenc import frequencies
from posenc_check import scaled_frequencies
from posenc_course.questions.kinds import choice, number

gap = np.abs(frequencies(128) - frequencies(128, base=500_000.0))
rope_in_models_1 = choice(
    "A config has rope_theta 500 000; your code missed it and took 10 000. A prompt has 100 "
    "tokens, far fewer than in training. Are its angles right?",
    options={
        "Yes, the base is for long texts": "Does the list of frequencies know how long the prompt "
        "is?",
        "No, all pairs but the first are off at every position after 0": "",
        "No, all pairs are off at every position": "What is the frequency of pair 0 for each base? "
        "And the angle at position 0?",
    },
    because="The list is the same for all lengths. At position 100 the worst pair is off by "
    f"{100 * gap.max():.0f} radians, more than one turn.",
    nudge="The angle is position times frequency. Which frequencies changed?",
)

rope_in_models_2 = number(
    "A head has 96 columns and partial_rotary_factor 0.25. How many frequencies are in the list?",
    answer=scaled_frequencies(96, {"rope_theta": 1e4, "partial_rotary_factor": 0.25})[0].size,
    wrong={
        24: "That many columns turn. How many pairs is that?",
        48: "The whole head has that many pairs. Which part of it turns?",
    },
    because="A quarter of the 96 columns, 24, turn, and two columns share a frequency.",
    nudge="Columns that turn first, then pairs.",
)

rope_in_models_3 = choice(
    "In a layer without positions, the first two words of a text change places, and each enters as "
    "before. The mask is causal, and a later word looks back. Does this layer's output for the "
    "later word change?",
    options={
        "Yes": "With all angles 0, a score depends on the two words alone. What does a sum of "
        "weighted values do with their order?",
        "No": "",
    },
    because="The later word sees both, with the same scores as before; a sum has no order. Deeper "
    "layers may notice, as may the two words themselves.",
    nudge="Which words may the later word look at, before and after?",
)

rope_in_models_4 = choice(
    "relative_attention_num_buckets is 32 and relative_attention_max_distance 128, looking back "
    "only. Which of these pairs of distances does one layer tell apart?",
    options={
        "3 and 4": "",
        "100 and 101": "Fifteen buckets are shared by the distances from 16 to 112. How many "
        "distances are in the last of them?",
        "200 and 5000": "Look at the printout: which bucket is each in?",
    },
    because="Distances up to 15 have a bucket each. Further on they share, and from 113 on all are "
    "in the last.",
    nudge="Which distances have a bucket of their own?",
)

rope_in_models_ex_1 = number(
    "A head of 4 columns has rope_theta 10 000. After how many tokens does its slower pair finish "
    "a turn? Round to a whole number.",
    answer=2 * np.pi * 10_000.0 ** (2 / 4),
    unit="tokens",
    tolerance=0.6,
    wrong={
        2 * np.pi * 10_000: "There is no pair d/2: the last exponent is −2/4.",
        2 * np.pi: "That is pair 0.",
    },
    because="The last pair is i = 1, with 10 000^(−2/4) = 1/100 radians per token: 2π · 100 tokens "
    "a turn.",
    nudge="Its frequency is 10 000^(−2i/d) for i = 1.",
)

rope_in_models_ex_2 = number(
    "GPT-J has rotary_dim 64 and heads of 256 columns. Which partial_rotary_factor says the same?",
    answer=64 / 256,
    wrong={
        32 / 256: "32 is the number of pairs. The factor counts columns.",
        4: "That is the inverse.",
    },
    because="64 of 256 columns turn: a quarter.",
    nudge="Columns that turn, as a part of all columns.",
)
