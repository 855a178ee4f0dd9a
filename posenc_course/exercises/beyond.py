"""The exercises of the chapter on the other encodings."""

import numpy as np

from posenc_course.exercises.judging import Function


def bias(length, slope):
    """Return what ALiBi adds to the scores of a text that looks both ways."""
    here = np.arange(length)
    return -slope * np.abs(here[:, np.newaxis] - here)


EXERCISES = {
    "ex-beyond-bias": Function(
        bias,
        "Each token of distance costs one slope, on both sides.",
        inputs=[(5, 0.5), (8, 1 / 256), (3, 0.25), (1, 0.5)],
        wrong=[
            lambda length, slope: -bias(length, slope),
            "That rewards distance. Look at the sign.",
            lambda length, slope: slope * np.subtract.outer(range(length), range(length)).T,
            "The keys after the query are rewarded. A distance has no sign.",
            lambda length, slope: -(bias(length, slope) ** 2) / slope,
            "That is a parabola. ALiBi takes a straight line.",
            lambda length, slope: bias(length, slope) / slope,
            "Those are the distances. Where is the slope?",
        ],
    )
}
