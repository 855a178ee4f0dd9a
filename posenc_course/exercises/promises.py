"""The exercises of the chapter "Does it keep its promises?"."""

import numpy as np

from posenc import frequencies, sinusoidal
from posenc_course.exercises.judging import Function


def distance_of(gap, d):
    """Return the distance between two rows that are a number of tokens apart."""
    return 2 * np.sqrt((np.sin(frequencies(d) * gap / 2) ** 2).sum())


def twin_of(d, base, length):
    """Return the position whose row is nearest to that of position 0."""
    table = sinusoidal(length, d, base=base)
    return 1 + int(np.linalg.norm(table[1:] - table[0], axis=1).argmin())


EXERCISES = {
    "ex-promises-distance": Function(
        distance_of,
        "Each pair adds the square of its chord.",
        inputs=[(1, 4), (63, 8), (1000, 64), (0, 2)],
        wrong=[
            lambda gap, d: distance_of(gap, d) ** 2,
            "That is the square of the distance.",
            lambda gap, d: 2 * np.sqrt((np.sin(frequencies(d) * gap) ** 2).sum()),
            "A chord takes half of the angle.",
            lambda gap, d: np.sqrt(((frequencies(d) * gap) ** 2).sum()),
            "Those are arcs. The distance between two tips is a chord.",
            lambda gap, d: distance_of(gap, d) / 2,
            "That is half of it. A chord is twice the sine of half of the angle.",
            lambda gap, d: distance_of(gap, d) * 2,
            "That is twice as much. The root of 4 is 2.",
            lambda gap, d: 2 * np.abs(np.sin(frequencies(d) * gap / 2)).sum(),
            "Add up the squares of the chords, and take the root of the sum.",
        ],
    ),
    "ex-promises-twin": Function(
        twin_of,
        "Its hands are all nearly back.",
        inputs=[(4, 100, 64), (4, 100, 512), (8, 100, 200), (2, 10, 30)],
        wrong=[
            lambda d, base, length: twin_of(d, base, length) - 1,
            "One too small: without row 0 the counting starts at position 1.",
            lambda d, base, length: 0 * (d + base + length),
            "Every row is nearest to itself. Leave position 0 out.",
            lambda d, base, length: 1 + 0 * (d + base + length),
            "The neighbour is near, but here another position is nearer.",
        ],
    ),
}
