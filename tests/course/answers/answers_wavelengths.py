"""Answers to the exercises of the chapter "Wavelengths", right and wrong."""

import math

import numpy as np

from posenc import sinusoidal, wavelengths


def finished(length, width, base):
    return (wavelengths(width, base=base) <= length - 1).sum()


def finished_by_a_loop(length, width, base):
    count, wavelength = 0, 2 * math.pi
    while count < width // 2 and wavelength <= length - 1:
        count += 1
        wavelength = 2 * math.pi * base ** (2 * count / width)
    return count


def finished_by_formula(length, width, base):
    if length - 1 < 2 * math.pi:
        return 0
    last = width / 2 * math.log((length - 1) / (2 * math.pi)) / math.log(base)
    return min(math.floor(last) + 1, width // 2)


def base_for(length, width, slow):
    return ((length - 1) / (2 * np.pi)) ** (width / (width - 2 * slow))


def base_by_halving(length, width, slow):
    low, high = 0.0, 100.0  # of ln n
    for _ in range(200):
        middle = (low + high) / 2
        tokens = 2 * math.pi * math.exp(middle * (1 - 2 * slow / width))
        low, high = (middle, high) if tokens < length - 1 else (low, middle)
    return math.exp(low)


def telling(gap, width, base, blur):
    omega = base ** (-2 * np.arange(width // 2) / width)
    return np.flatnonzero(2 * np.abs(np.sin(gap * omega / 2)) > blur)


def telling_from_the_table(gap, width, base, blur):
    hands = sinusoidal([5, 5 + gap], width, base=base).reshape(2, -1, 2)
    moved = np.linalg.norm(hands[1] - hands[0], axis=1)
    return [i for i, far in enumerate(moved) if far > blur]


# For each exercise: right answers in different styles, and wrong ones with words of their hint.
ANSWERS = {
    "ex-wavelengths-count": {
        "right": [finished, finished_by_a_loop, finished_by_formula],
        "wrong": [
            (lambda length, width, base: finished(length + 1, width, base), "How many steps"),
            (lambda length, width, base: 2 * finished(length, width, base), "counts columns"),
            (lambda length, _width, base: finished(length, 512, base), "right for d = 512"),
            (lambda length, width, base: finished(length, width, 1 / base), "sign of the exponent"),
            (lambda length, width, base: finished(length, 2 * width, base**2), "more than there"),
            (
                lambda length, width, base: max(finished(length, width, base) - 1, 0),
                "counted from 0",
            ),
            (
                lambda length, width, base: width // 2 - finished(length, width, base),
                "do not finish",
            ),
            (
                lambda length, width, base: (
                    0
                    if length < 8
                    else math.floor(
                        width / 2 * math.log((length - 1) / (2 * math.pi)) / math.log(base)
                    )
                    + 1
                ),
                "more pairs than there are",
            ),
            (
                lambda length, width, base: math.floor(
                    width / 2 * math.log((length - 1) / (2 * math.pi)) / math.log(base)
                ),
                "it raises ValueError",
            ),
        ],
    },
    "ex-wavelengths-base": {
        "right": [base_for, base_by_halving],
        "wrong": [
            (lambda length, width, slow: round(base_for(length, width, slow)), "Do not round it"),
            (lambda length, width, slow: int(base_for(length, width, slow)), "Keep what is after"),
            (
                lambda length, width, slow: base_for(length, width, width // 2 - slow),
                "takes slow for the number",
            ),
            (lambda length, width, slow: base_for(length, width, slow) ** 2, "not i/d"),
            (lambda length, width, slow: base_for(length + 1, width, slow), "How many steps"),
            (lambda length, width, slow: base_for(length, width, slow - 1), "slow pair fewer"),
            (lambda length, width, slow: base_for(length, width, slow + 1), "slow pair more"),
            (lambda length, width, slow: base_for(2 * length - 1, width, slow), "half a turn"),
            (
                lambda length, width, slow: (
                    ((length - 1) / (2 * np.pi)) ** ((width - 2 * slow) / width)
                ),
                "undoes the power",
            ),
        ],
    },
    "ex-wavelengths-noise": {
        "right": [telling, telling_from_the_table],
        "wrong": [
            (
                lambda gap, width, base, blur: np.flatnonzero(
                    2 * np.sin(gap * base ** (-2 * np.arange(width // 2) / width) / 2) > blur
                ),
                "never negative",
            ),
            (lambda gap, *others: telling(2 * gap, *others), "twice the turn"),
            (
                lambda gap, width, base, blur: np.flatnonzero(
                    gap * base ** (-2 * np.arange(width // 2) / width) % (2 * np.pi) > blur
                ),
                "short of a whole turn",
            ),
            (
                lambda gap, width, base, blur: np.flatnonzero(
                    gap * base ** (-2 * np.arange(width // 2) / width) > blur
                ),
                "has gone round once is back",
            ),
            (
                lambda gap, width, base, blur: [1 + i for i in telling(gap, width, base, blur)],
                "count from 1",
            ),
            (lambda gap, width, base, blur: len(telling(gap, width, base, blur)), "how many"),
            (lambda _gap, *others: telling(1, *others), "depend on the gap"),
        ],
    },
}
