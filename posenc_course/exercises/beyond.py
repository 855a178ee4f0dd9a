"""The exercises of the chapter on the other encodings."""

import numpy as np

from posenc_course.exercises.judging import exercise


@exercise("ex-beyond-bias", [(5, 0.5), (8, 1 / 256), (3, 0.25), (1, 0.5)])
def bias(length, slope):
    """Return what ALiBi adds to the scores of a text that looks both ways."""
    here = np.arange(length)
    return -slope * np.abs(here[:, np.newaxis] - here)
