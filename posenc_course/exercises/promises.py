"""The exercises of the chapter "Does it keep its promises?"."""

import numpy as np

from posenc import frequencies, sinusoidal
from posenc_course.exercises.judging import exercise


@exercise("ex-promises-distance", [(1, 4), (63, 8), (1000, 64), (0, 2)])
def distance_of(gap, d):
    """Return the distance between two rows that are a number of tokens apart."""
    return 2 * np.sqrt((np.sin(frequencies(d) * gap / 2) ** 2).sum())


@exercise("ex-promises-twin", [(4, 100, 64), (4, 100, 512), (8, 100, 200), (2, 10, 30)])
def twin_of(d, base, length):
    """Return the position whose row is nearest to that of position 0."""
    table = sinusoidal(length, d, base=base)
    return 1 + int(np.linalg.norm(table[1:] - table[0], axis=1).argmin())
