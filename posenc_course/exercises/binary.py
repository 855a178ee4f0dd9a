"""The exercises of the chapter "The binary analogy"."""

import contextlib
from dataclasses import dataclass

import numpy as np

from posenc.binary import binary_code
from posenc_course.exercises.judging import Function, Verdict
from posenc_course.exercises.rotation import blocks


def bits(k, width):
    """Return the bits of a whole number, the fastest first."""
    return [k // 2**b % 2 for b in range(width)]


def gray(width):
    """Return the reflected Gray code of all numbers of that many bits."""
    k = np.arange(2**width)
    return binary_code(k ^ (k >> 1), width)


def move_hands(shift, width):
    """Return the matrix that moves the hands of the bits, each as (sine, cosine)."""
    return blocks(2 * np.pi * shift / 2.0 ** np.arange(1, width + 1))


@dataclass(frozen=True)
class GrayCode(Function):
    """An exercise that any Gray code answers: all rows different, one flip from row to row."""

    def judge(self, value):
        """Return the verdict on an answer of any type."""
        verdict = super().judge(value)
        if verdict.state == "wrong":
            with contextlib.suppress(Exception):  # then the verdict stays as it is
                given = zip(self._outputs(value), self.inputs, strict=True)
                if all(_is_gray(code, width) for code, (width,) in given):
                    return Verdict("right", f"Right. {self.because}")
        return verdict

    def _where(self, given, right):
        for code, other, (width,) in zip(given, right, self.inputs, strict=True):
            lead = f"For {width} bits"
            if code.shape == other.shape and not _is_gray(code, width):
                if not np.isin(code, (0, 1)).all():
                    return f"{lead} there are entries other than 0 and 1."
                if len(np.unique(code, axis=0)) < len(code):
                    return f"{lead} two rows are the same."
                flips = np.abs(np.diff(code.astype(int), axis=0)).sum(axis=1)
                row = int(np.argmax(flips != 1))
                return f"{lead}, from row {row} to row {row + 1}, {flips[row]} bits flip."
        return super()._where(given, right)


def _is_gray(code, width):
    """Tell whether an array is a Gray code of that many bits."""
    return bool(
        code.shape == (2**width, width)
        and np.isin(code, (0, 1)).all()
        and len(np.unique(code, axis=0)) == len(code)
        and (np.abs(np.diff(code.astype(int), axis=0)).sum(axis=1) == 1).all()
    )


EXERCISES = {
    "ex-binary-bits": Function(
        bits,
        inputs=[(19, 5), (128, 8), (127, 8), (0, 3), (6, 4), (1000, 12)],
    ),
    "ex-binary-gray": GrayCode(
        gray,
        inputs=[(1,), (2,), (3,), (6,)],
    ),
    "ex-binary-hands": Function(
        move_hands,
        inputs=[(1, 3), (5, 4), (-2.5, 2), (0, 1)],
    ),
}
