"""The questions of the page `wavelengths`."""

import numpy as np

from posenc import frequencies, wavelengths
from posenc_course.questions.kinds import choice, number


def count(length: int, width: int = 512, base: float = 10_000) -> int:
    """Return how many pairs finish a turn in a text, which has length - 1 steps."""
    return int((wavelengths(width, base=base) <= length - 1).sum())


wavelengths_9 = choice(
    "Your texts grow to 20 000 tokens. You keep four hands, and one of them should not finish a "
    "turn in a text. Which of these bases is the smallest that is large enough?",
    options={
        "625, with the factor 5": "Multiply 6.28 by 5 three times. Does hand 3 finish a turn?",
        "10 000, with the factor 10": "How long is the wavelength of hand 3? Multiply 6.28 by 10 "
        "three times.",
        "50 625, with the factor 15": "",
        "160 000, with the factor 20": "With it hand 3 does not finish a turn. But is it the "
        "smallest?",
    },
    because="The wavelength of hand 3 is 785, 6280, 21 200 or 50 300 tokens, and 21 200 is the "
    "first that is longer than the text. Longer texts need a larger base.",
    nudge="Hand 3 is the slowest. From 6.28 to its wavelength, multiply by the factor three times.",
)

wavelengths_3 = number(
    "In 512 tokens 123 of 256 pairs finish a turn. How many do in a text twice as long?",
    answer=count(1024),
    unit="pairs",
    wrong={
        count(1024) - 1: "Close. In the formula the last pair that finishes has this number. Pairs "
        "are counted from 0.",
        count(1024) + 1: "Close. A doubling brings 19 pairs, or 20 where the rounding adds one. "
        "Put L = 1024 into the formula.",
        2 * count(512): "Not twice as many. How many more did each doubling of L bring so far?",
        256: "The longest wavelength is 60 611 tokens, so some do not.",
        count(1024) - count(512): "That is how many more. How many are there in all?",
        count(2048): "That is for a text four times as long.",
    },
    because="Each doubling moves the line by the same stretch of a logarithmic axis, which holds "
    "about 19 rungs.",
    nudge="How many more pairs did each doubling bring in the list above?",
)

wavelengths_6 = number(
    "With d = 8 and base 10 000 three of the four hands finish a turn in 1000 tokens. Now take d = "
    "16, which gives eight hands, and keep the base. How many of them finish a turn in 1000 "
    "tokens?",
    answer=count(1000, 16),
    unit="hands",
    wrong={
        6: "Twice as many hands make twice as many steps. But how long is the wavelength of the "
        "sixth, hand 5?",
        3: "The hands of the shorter row stay, but new ones come between them.",
        7: "Multiply on from hand to hand: where do you pass 1000?",
        8: "How long is the wavelength of the slowest hand, hand 7?",
        4: "Hand 0 counts too, and hand 4 has 628 tokens in a turn.",
    },
    because="The factor is now 10 000 to the power 2/16, which is √10, or 3.16. So the wavelengths "
    "are 6.28, 19.9, 62.8, 199, 628 and 1990: the first five are below 1000. A longer row puts new "
    "rungs between the old ones.",
    nudge="Which factor, taken eight times, makes 10 000?",
)

wavelengths_2 = number(
    "The worked example has n = 100 and d = 4. What is its longest wavelength?",
    answer=wavelengths(4, base=100)[-1],
    unit="tokens",
    tolerance=0.5,
    wrong={
        2 * np.pi * 100: "That is 2πn, which would be the wavelength of pair 2. Which pairs do "
        "four numbers make?",
        wavelengths(4, base=100)[0]: "The shortest is 2π, or 6.28. By which factor does it grow?",
        frequencies(4, base=100)[-1]: "The last hand turns by 0.1 radian per token. How many "
        "tokens make a turn?",
    },
    because="The last pair is pair 1, where 2i/d is 1/2, and the root of 100 is 10: ten turns of "
    "pair 0. The ladder ends one rung below 2πn.",
    nudge="How many pairs are there, and what is the number of the last?",
)

wavelengths_4 = choice(
    "A row has 512 numbers, a text 512 tokens, and n is 10 000. Make n a hundred times larger. "
    "What happens?",
    options={
        "The first wavelength grows": "Put i = 0 into the formula. Where is n?",
        "The last wavelength grows": "True. The same number of rungs now stands on a longer "
        "ladder: how many are left below your L?",
        "Fewer pairs finish a turn in your text": "True. Where did their rungs go?",
        "Each token moves the encoding further": "All pairs but the first turn more slowly. Do "
        "slower hands move further?",
    },
    answer=["The last wavelength grows", "Fewer pairs finish a turn in your text"],
    because="The ladder is held at 2π and stretched from the top.",
    nudge="Raise n in the ladder, and watch both of its ends.",
)

width, length = 64, 2048
half = width // 4  # of the width // 2 pairs
reach = (length - 1) / (2 * np.pi)  # tokens per radian of a pair that makes one turn in the text
least = reach ** (width / (2 * half))  # with a larger base pair `half` finishes no turn
most = reach ** (width / (2 * (half - 1)))  # with a base up to this one pair half - 1 finishes one
wavelengths_5 = number(
    "Your model has d = 64, your texts have 2048 tokens, and you want half of the 32 pairs for "
    "near and half for far: 16 that finish a turn, 16 that do not. Which n do you choose? "
    "Any that does it will do.",
    answer=(least + most) / 2,
    tolerance=(most - least) / 2,
    because="Pair 15 must finish a turn in 2047 steps and pair 16 must not, which holds for every "
    "whole n from 106 140 to 229 580.",
    nudge="Set the ladder to d = 64 and L = 2048, then move n: a larger n lets fewer pairs finish.",
)

width, length = 64, 100_000
# The base with which the last pair makes half a turn in the text.
needed = ((length - 1) / np.pi) ** (width / (width - 2))
hundreds = 100 * np.ceil(needed / 100)
wavelengths_ex_2 = number(
    "What is the smallest n that will do, to the nearest hundred?",
    answer=hundreds,
    tolerance=hundreds - int(needed),  # a smaller n will not do
    wrong={
        hundreds - 100: "With it the slowest hand makes a little more than half a turn. What is "
        "the next hundred?",
        ((length - 1) / (2 * np.pi)) ** (width / (width - 2)): "With about that n the slowest hand "
        "makes a whole turn.",
        (length - 1) / np.pi: "That puts the last pair at exponent 1. It stands one rung lower.",
        ((length - 1) / np.pi) ** ((width - 2) / width): "Which power undoes the power (d − 2)/d?",
    },
    because="Half a turn of the last pair takes π times n to the power 62/64 tokens, which must be "
    "99 999; so 10 000 is too small.",
    nudge="How many tokens does half a turn of the last pair take?",
)

more = {base: 512 / 2 * np.log(2) / np.log(base) for base in (100, 10_000)}
wavelengths_ex_1 = number(
    "How many more pairs with each doubling, for d = 512 and n = 100?",
    answer=more[100],
    unit="pairs",
    tolerance=0.6,
    wrong={
        more[10_000]: "With n = 10 000 it is about that many.",
        2 * more[100]: "There are d/2 pairs, not d.",
        512 / 2 * 2 / np.log(100): "It is the logarithm of 2 that is added.",
    },
    because="The logarithm grows by ln 2 with each doubling, and the count by d/2 · ln 2 / ln n.",
    nudge="What does the count gain when ln L gains ln 2?",
)
