"""Answers to the exercises of the chapter "Does it keep its promises?", right and wrong."""

import numpy as np

from posenc import frequencies, sinusoidal


def distance_of(gap, d):
    return 2 * np.sqrt((np.sin(frequencies(d) * gap / 2) ** 2).sum())


def distance_by_cosines(gap, d):
    return (d - 2 * sum(np.cos(omega * gap) for omega in frequencies(d))) ** 0.5


def squared(gap, d):
    return distance_of(gap, d) ** 2


def whole_angle(gap, d):
    return 2 * np.sqrt((np.sin(frequencies(d) * gap) ** 2).sum())


def arc(gap, d):
    return gap * np.linalg.norm(frequencies(d))


def half_of_it(gap, d):
    return np.linalg.norm(np.sin(frequencies(d) * gap / 2))


def sum_of_chords(gap, d):
    return (2 * np.abs(np.sin(frequencies(d) * gap / 2))).sum()


def four_for_two(gap, d):
    return 4 * np.sqrt((np.sin(frequencies(d) * gap / 2) ** 2).sum())


def twin_of(d, base, length):
    table = sinusoidal(length, d, base=base)
    return 1 + int(np.linalg.norm(table[1:] - table[0], axis=1).argmin())


def twin_by_a_loop(d, base, length):
    best, nearest = np.inf, None
    for k in range(1, length):
        rows = sinusoidal([0, k], d, base=base)
        apart = np.linalg.norm(rows[1] - rows[0])
        if apart < best:
            best, nearest = apart, k
    return nearest


def counted_from_1(d, base, length):
    return twin_of(d, base, length) - 1


def itself(d, base, length):
    table = sinusoidal(length, d, base=base)
    return int(np.linalg.norm(table - table[0], axis=1).argmin())


def neighbour(d, base, length):
    return min(1, length) + 0 * (d + base)


ANSWERS = {
    "ex-promises-distance": {
        "right": [distance_of, distance_by_cosines],
        "wrong": [
            (squared, "the square of the distance"),
            (whole_angle, "half of the angle"),
            (arc, "Those are arcs"),
            (half_of_it, "half of it"),
            (four_for_two, "root of 4"),
            (sum_of_chords, "squares of the chords"),
        ],
    },
    "ex-promises-twin": {
        "right": [twin_of, twin_by_a_loop],
        "wrong": [
            (counted_from_1, "One too small"),
            (itself, "Every row is nearest to itself"),
            (neighbour, "another position is nearer"),
        ],
    },
}
