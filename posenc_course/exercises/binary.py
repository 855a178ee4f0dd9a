"""The exercises of the chapter "The binary analogy"."""

import numpy as np

from posenc import binary_code
from posenc_course.exercises.judging import exercise
from posenc_course.exercises.rotation import blocks
from posenc_course.words import _


@exercise("ex-binary-bits", [(19, 5), (128, 8), (127, 8), (0, 3), (6, 4), (1000, 12)])
def bits(k, width):
    """Return the bits of a whole number as a list of `width` numbers 0 or 1, the fastest first."""
    return [k // 2**b % 2 for b in range(width)]


def _no_gray_code(code: np.ndarray, before: tuple, _after: tuple) -> str:
    """Return a hint on why rows are no Gray code of `width` bits, "" if one bit flips per row.

    It is a slip of the exercise below: `before` has the arguments of the call.
    """
    (width,) = before
    if code.shape != (2**width, width):  # the comparison with the reference says that
        return ""
    if not np.isin(code, (0, 1)).all():
        return _("For width = {} there are entries other than 0 and 1.").format(width)
    if len(np.unique(code, axis=0)) < len(code):
        return _("For width = {} two rows are the same.").format(width)
    flips = np.abs(np.diff(code.astype(int), axis=0)).sum(axis=1)
    row = np.argmax(flips != 1)  # the first such row, or 0 where there is none
    if flips[row] != 1:
        words = _("For width = {width}, from row {row} to row {next}, {flips} bits flip.")
        return words.format(width=width, row=row, next=row + 1, flips=flips[row])
    return ""


# There are many Gray codes: any numbers of the right shape pass, if `_no_gray_code` finds nothing.
@exercise("ex-binary-gray", [(1,), (2,), (3,), (6,)], slips=[_no_gray_code], tolerance=np.inf)
def gray(width):
    """Return the reflected Gray code of all numbers of `width` bits, shape (2**width, width)."""
    k = np.arange(2**width)
    # Each bit is compared with the next slower one: the number exclusive-or its half.
    return binary_code(k ^ (k >> 1), width)


@exercise("ex-binary-hands", [(1, 3), (5, 4), (-2.5, 2), (0, 1)])
def move_hands(shift, width):
    """Return the matrix that moves the hands of `width` bits by `shift` tokens, sine first."""
    # Bit i has the period 2**(i + 1), and its hand makes a turn in that.
    return blocks(2 * np.pi * shift / 2.0 ** np.arange(1, width + 1))
