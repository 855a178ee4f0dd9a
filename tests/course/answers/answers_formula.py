"""Answers to the exercises of the chapter "The formula", right and wrong."""

import math

import numpy as np

from posenc import sinusoidal


def entry(k, j, d, n=10_000):
    pair, second = divmod(j, 2)
    angle = k / n ** (2 * pair / d)
    return np.cos(angle) if second else np.sin(angle)


def entry_as_a_shifted_sine(k, j, d, n=10_000):
    angle = k * math.exp(-math.log(n) * (j - j % 2) / d)
    return math.sin(angle + (j % 2) * math.pi / 2)


def entry_from_the_table(k, j, d, n=10_000):
    return sinusoidal([k], d, base=n)[0, j]


def interleave(halves):
    table = np.empty_like(halves)
    h = halves.shape[1] // 2
    table[:, 0::2] = halves[:, :h]
    table[:, 1::2] = halves[:, h:]
    return table


def interleave_by_order(halves):
    d = halves.shape[1]
    order = [*range(0, d, 2), *range(1, d, 2)]
    return halves[:, np.argsort(order)]


def interleave_as_a_list(halves):
    sines, cosines = np.hsplit(halves, 2)
    return [
        [value for pair in zip(s, c, strict=True) for value in pair]
        for s, c in zip(sines, cosines, strict=True)
    ]


def base_for(L, d, first):
    angle = np.arcsin(0.1)
    return np.ceil(((L - 1) / angle) ** (d / (2 * first)))


def base_by_search(L, d, first):
    def calm(n):
        return math.sin((L - 1) * n ** (-2 * first / d)) < 0.1

    low, high = 10, 10**12  # restless, calm
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if calm(middle) else (middle, high)
    return high


def in_place(halves):
    width = halves.shape[1]
    table = halves
    table[:, 0::2] = halves[:, : width // 2]
    table[:, 1::2] = halves[:, width // 2 :]
    return table


# For each exercise: right answers in different styles, and wrong ones with words of their hint.
ANSWERS = {
    "ex-formula-entry": {
        "right": [entry, entry_as_a_shifted_sine, entry_from_the_table],
        "wrong": [
            (
                lambda k, j, d, n=10_000: np.sin(k / n ** (2 * j / d) + j % 2 * np.pi / 2),
                "The exponent holds the column",
            ),
            (
                lambda k, j, d, n=10_000: (np.cos if j % 2 else np.sin)(k / n ** (j / d)),
                "same angle as the sine before it",
            ),
            (
                lambda k, j, d, n=10_000: np.sin(k / n ** (2 * (j // 2) / d)),
                "Which columns hold a cosine?",
            ),
            (
                lambda k, j, d, n=10_000: (np.sin if j % 2 else np.cos)(k / n ** (j // 2 * 2 / d)),
                "The sine comes first",
            ),
            (lambda k, j, d, n=10_000: entry(k, j, d), "Does the argument n"),  # noqa: ARG005
            (lambda k, j, d, n=10_000: sinusoidal([k], d, base=n)[:, j], "One value is asked for"),
            (lambda k, j, d, n=10_000: round(entry(k, j, d, n), 4), "Very close"),
            (lambda k, j: np.sin(k + j), "it raises TypeError"),
        ],
    },
    "ex-formula-inverse": {
        "right": [interleave, interleave_by_order, interleave_as_a_list],
        "wrong": [
            (lambda halves: sinusoidal(*halves.shape), "the one that is given"),
            (in_place, "overwritten"),
            (lambda halves: halves.copy(), "still in halves"),
            (lambda halves: halves[:, [*range(0, halves.shape[1], 2)]], "Look at the shape"),
            (
                lambda halves: np.hstack([halves[:, 0::2], halves[:, 1::2]]),
                "takes the columns apart once more",
            ),
            (
                lambda halves: interleave(np.hstack(np.hsplit(halves, 2)[::-1])),
                "The cosines come first",
            ),
            (lambda halves: interleave(halves).T, "transposed"),
            (
                lambda halves: np.stack(np.hsplit(halves, 2), axis=2),
                "The numbers fit, but not the shape",
            ),
            (lambda halves: halves[:, [0, 4, 1, 5, 2, 6, 3, 7]], "it raises IndexError"),
        ],
    },
    "ex-formula-base": {
        "right": [base_for, base_by_search],
        "wrong": [
            (
                lambda L, d, first: math.ceil((L / math.asin(0.1)) ** (d / 2 / first)),
                "end at position L - 1",
            ),
            (lambda L, d, first: math.ceil(((L - 1) / 0.1) ** (d / 2 / first)), "angle is 0.1"),
            (
                lambda L, d, first: ((L - 1) / math.asin(0.1)) ** (d / 2 / first),
                "Which whole number",
            ),
            (lambda L, d, first: base_for(L, d, first) - 1, "a hair above 0.1"),
            (
                lambda L, d, first: math.ceil(((L - 1) / math.asin(0.1)) ** (d / first)),
                "Look at the exponent",
            ),
            (lambda _L, _d, _first: 10_000, "Look at the input L = 100, d = 32, first = 8"),
        ],
    },
}
