"""The questions of the page `serving`."""

from posenc_course.questions.kinds import choice, number

serving_1 = number(
    "A prompt of 37 tokens came with 5 tokens of padding before it, so the cache holds 42 keys. At "
    "which position is the first new token?",
    answer=37,
    wrong={
        42: "That is the number of keys. Which of them count?",
        38: "Positions count from 0.",
        0: "That is where it would be without the prompt.",
    },
    because="The prompt has the positions 0 to 36, so the next one is 37. The keys of the padding "
    "do not count.",
    nudge="Which position does the last token of the prompt have?",
)

serving_2 = choice(
    "A batch is padded on the left. The padding is masked, but positions count it. The model uses "
    "plain RoPE. What happens to the scores between words?",
    options={
        "Nothing": "",
        "They fade": "Does a turn change the length of a query?",
        "They belong to other distances": "All words of a row move by the same number. And their "
        "distances?",
    },
    because="All positions of a row grow by the same number, and RoPE's scores depend on "
    "differences alone.",
    nudge="What is the distance between two words, before and after?",
)

serving_3 = choice(
    "Two requests begin with the same 500 tokens, and then differ. Which cached keys can both use "
    "as they are?",
    options={
        "Those of the 500 tokens": "",
        "All that belong to equal words": "The same word further on has a different position, and "
        "has read a different text.",
        "None, the texts differ": "Does a token of the beginning look at what comes after it?",
    },
    because="In a causal model a token depends on itself and on what comes before: same tokens, "
    "same positions, same keys.",
    nudge="What does a key of a causal model depend on?",
)

serving_4 = number(
    "bfloat16 has 8 significant bits. Near position 10 000, how far apart are two neighbouring "
    "numbers it can hold?",
    answer=2 ** (13 - 7),
    unit="tokens",
    wrong={
        1: "That needs 14 bits: 10 000 is above 8192 = 2^13.",
        8: "Eight is the number of bits. What is the last of them worth?",
        128: "From 8192 on, the first bit is worth 2^13 and the eighth 2^6.",
    },
    because="The first bit is worth 2^13 and the eighth 2^6 = 64, so 64 tokens share a position.",
    nudge="The first bit of 10 000 is worth 8192. What is the eighth worth?",
)

serving_ex_1 = number(
    "Texts of 5, 3 and 4 tokens are packed into one row, and positions begin again at each. Which "
    "position does the token at index 9 of the row have? Indices count from 0.",
    answer=9 - (5 + 3),
    wrong={9: "Positions begin again at each text.", 2: "Positions count from 0."},
    because="The third text begins at index 8, so index 9 is its position 1.",
    nudge="At which index does the third text begin?",
)

serving_ex_2 = number(
    "float16 has 11 significant bits. What is the first whole position that it cannot hold?",
    answer=2**11 + 1,
    wrong={2**11: "It can hold that one: a single bit is set."},
    because="Up to 2^11 = 2048 every whole number fits, and from there on only every second one.",
    nudge="From which number on is the last bit worth 2?",
)
