"""The exercises of the chapter "Wavelengths"."""

import numpy as np

from posenc_course.exercises.judging import Function


def _wavelengths(width, base, share=2):
    return 2 * np.pi * float(base) ** (share * np.arange(width // 2) / width)


def finished(length, width, base):
    """Return how many pairs finish a turn in the steps of a text."""
    return int((_wavelengths(width, base) <= length - 1).sum())


def _last(length, width, base):
    """Return the place on the ladder, not rounded, that a turn of length - 1 tokens has."""
    with np.errstate(divide="ignore"):
        return width / 2 * np.log((length - 1) / (2 * np.pi)) / np.log(base)


def base_for(length, width, slow):
    """Return the base above which none of the `slow` slowest pairs finishes a turn."""
    return _base(length - 1, width, width // 2 - slow)


def _base(tokens, width, i):
    return (tokens / (2 * np.pi)) ** (width / (2 * i))


def telling(gap, width, base, blur):
    """Return the numbers of the pairs whose tip moves by more than `blur` in `gap` tokens."""
    return _above(blur, _moved(gap, width, base))


def _moved(gap, width, base):
    return 2 * np.abs(np.sin(_turned(gap, width, base) / 2))


def _turned(gap, width, base):
    return 2 * np.pi * gap / _wavelengths(width, base)


def _above(blur, lengths):
    return np.flatnonzero(lengths > blur)


EXERCISES = {
    "ex-wavelengths-count": Function(
        finished,
        "A pair finishes a turn if its wavelength fits into the steps of the text.",
        inputs=(
            (16, 512, 10_000),
            (512, 512, 10_000),
            (2048, 64, 150_000),
            (10**9, 64, 10_000),
            (1, 8, 10_000),
            (100, 4, 100),
        ),
        wrong=[
            lambda length, width, base: finished(length, width, 10_000),  # noqa: ARG005
            "It is right for base 10 000. Does the argument base reach the formula?",
            lambda length, width, base: int((_wavelengths(width, base, 1) <= length - 1).sum()),
            "The wavelengths grow too slowly. What is the exponent of pair i?",
            lambda length, width, base: int((_wavelengths(width, base) <= length).sum()),
            "It is right for most texts. How many steps lead from the first of L tokens to the "
            "last?",
            lambda length, width, base: 2 * finished(length, width, base),
            "That counts columns. Pairs are asked for.",
            lambda length, width, base: width // 2 - finished(length, width, base),
            "That counts the pairs that do not finish a turn.",
            lambda length, width, base: max(finished(length, width, base) - 1, 0),
            "One too few. The pairs are counted from 0.",
            lambda length, width, base: (
                max(int(np.floor(_last(length, width, base))) + 1, 0) if length > 1 else 0
            ),
            "For a very long text that is more pairs than there are.",
            lambda length, width, base: finished(2 * np.pi * (length - 1) + 1, width, base),
            "That compares with the tokens per radian. How many radians make a turn?",
            lambda length, width, base: int(
                (2 * np.pi * float(base) ** (2 * np.arange(width) / width) <= length - 1).sum()
            ),
            "For a long text that is more than there are. How many pairs are there?",
            lambda length, width, base: int((_wavelengths(width, 1 / base) <= length - 1).sum()),
            "Your wavelengths get shorter from pair to pair. Look at the sign of the exponent.",
            lambda length, width, base: finished(length, 512, base),  # noqa: ARG005
            "It is right for d = 512. Does the argument width reach the formula?",
            lambda length, width, base: (
                min(max(int(np.floor(_last(length, width, base))), 0), width // 2)
                if length > 1
                else 0
            ),
            "Pairs count from 0: if the last to finish is pair 24, how many are there?",
        ],
        tolerance=0.0,
    ),
    "ex-wavelengths-base": Function(
        base_for,
        "The fastest of the slow pairs needs as many tokens for a turn as the text has steps.",
        inputs=((2048, 64, 16), (100_000, 128, 1), (512, 512, 100), (65, 8, 2)),
        wrong=[
            lambda length, width, slow: _base(length, width, width // 2 - slow),
            "Very close. How many steps lead from the first of L tokens to the last?",
            lambda length, width, slow: _base(length - 1, width, width // 2 - slow + 1),
            "That is for one slow pair fewer. The pairs are counted from 0.",
            lambda length, width, slow: _base(length - 1, width, width // 2 - slow - 1),
            "That is for one slow pair more. The pairs are counted from 0.",
            lambda length, width, slow: _base(length - 1, width, width - slow),
            "There are `width // 2` pairs.",
            lambda length, width, slow: _base(2 * (length - 1), width, width // 2 - slow),
            "With that n the fastest of these pairs makes only half a turn.",
            lambda length, width, slow: np.ceil(base_for(length, width, slow)),
            "The base need not be a whole number. Exactly as many tokens are asked for.",
            lambda length, width, slow: np.round(base_for(length, width, slow)),
            "The base need not be a whole number. Do not round it.",
            lambda length, width, slow: _base(length - 1, width, width // 2 - 1),  # noqa: ARG005
            "That is right for the last pair alone. Does the argument slow reach the formula?",
            lambda length, width, slow: (
                ((length - 1) / (2 * np.pi)) ** (2 * (width // 2 - slow) / width)
            ),
            "Which power undoes the power 2i/d?",
            lambda length, width, slow: _base(2 * np.pi * (length - 1), width, width // 2 - slow),
            "The fastest of those pairs turns by one radian in the text. A turn has more.",
            lambda length, width, slow: np.floor(base_for(length, width, slow)),
            "The base need not be a whole number. Keep what is after the decimal point.",
            lambda length, width, slow: _base(length - 1, width, slow),
            "That takes slow for the number of a pair. What is the number of the fastest of the "
            "slow pairs?",
            lambda length, width, slow: _base(length - 1, width, (width // 2 - slow) / 2),
            "The exponent of pair i is 2i/d, not i/d.",
            lambda length, width, slow: _base(
                (2 * np.pi) ** 2 * (length - 1), width, width // 2 - slow
            ),
            "Set 2π times the power of n equal to the steps. Does 2π multiply or divide them in "
            "the end?",
            lambda length, width, slow: 1 / base_for(length, width, slow),
            "That n is below 1, and makes pairs faster. Look at the sign of the exponent.",
        ],
    ),
    "ex-wavelengths-noise": Function(
        telling,
        "A tip moves along a straight line of length 2 |sin(ωΔ/2)|, wherever it starts.",
        inputs=(
            (1, 512, 10_000, 0.01),
            (710, 512, 10_000, 0.01),
            (44, 16, 100, 0.1),
            (3, 8, 1000, 0.5),
            (25, 16, 100, 0.2),  # pair 0 is just short of four turns
        ),
        wrong=[
            lambda gap, width, base, blur: _above(blur, 2 * np.sin(_turned(gap, width, base) / 2)),
            "Some pairs are missing. A length is never negative.",
            lambda gap, width, base, blur: _above(blur, _moved(gap, width, base) / 2),
            "That is half the line, the side of half the triangle.",
            lambda gap, width, base, blur: _above(blur, _turned(gap, width, base)),
            "It is right for small gaps. That is how far a hand has turned; a hand that has gone "
            "round once is back.",
            lambda gap, width, base, blur: len(telling(gap, width, base, blur)),
            "That is how many there are. Their numbers are asked for.",
            lambda gap, width, base, blur: _moved(gap, width, base) > blur,
            "That says yes or no for each pair. The numbers of those with yes are asked for.",
            lambda gap, width, base, blur: np.flatnonzero(_moved(gap, width, base) <= blur),
            "Those are the pairs that do not tell.",
            lambda gap, width, base, blur: telling(gap, width, base, blur) + 1,
            "It looks as if you count from 1. Pairs count from 0.",
            lambda _gap, width, base, blur: telling(1, width, base, blur),
            "It does not depend on the gap.",
            lambda gap, width, base, blur: _above(blur, _moved(2 * gap, width, base) / 2),
            "That looks at the sines alone. The tip of a hand has a y too.",
            lambda gap, width, base, blur: _above(blur, _moved(2 * gap, width, base)),
            "That is the line for twice the turn. Which angle has half the triangle?",
            lambda gap, width, base, blur: _above(blur, _turned(gap, width, base) % (2 * np.pi)),
            "A hand that is just short of a whole turn has hardly moved. How long is the straight "
            "line?",
            lambda gap, width, base, blur: _above(blur, np.repeat(_moved(gap, width, base), 2)),
            "Those are columns, two for each pair.",
            lambda gap, width, base, _blur: _moved(gap, width, base),
            "That is how far each tip moves. The numbers of those that move enough are asked for.",
            lambda gap, width, _base, blur: telling(gap, width, 10_000, blur),
            "It is right for base 10 000. Does your base reach the formula?",
        ],
    ),
}
