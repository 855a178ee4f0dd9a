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
        "Dividing by `2**i` drops the faster bits, and the remainder by 2 is bit i.",
        inputs=[(19, 5), (128, 8), (127, 8), (0, 3), (6, 4), (1000, 12)],
        wrong=[
            lambda k, width: bits(k, width)[::-1],
            "The slowest bit comes first. Turn it round.",
            lambda k, width: [1 - bit for bit in bits(k, width)],
            "Zeros and ones have changed places.",
            lambda k, width: [k // 2 ** (b + 1) % 2 for b in range(width)],
            "The fastest bit is missing. Bits count from 0: which power of 2 belongs to bit 0?",
            lambda k, width: [k // 2**b for b in range(width)],
            "These are the quotients. What is left of each when you ask whether it is odd?",
            lambda k, width: [k / 2**b % 2 for b in range(width)],
            "A bit is 0 or 1. The formula rounds down after the division.",
            lambda k, width: [k % 2**b for b in range(width)],
            "Divide first, then ask for the remainder by 2.",
            lambda k, width: [int(digit) for digit in f"{k:b}"],  # noqa: ARG005
            "`bin(k)` begins with the slowest bit that is 1. Turn it round, and fill up with zeros "
            "to `width` bits.",
            lambda k, width: [int(digit) for digit in f"{k:b}"[::-1]],  # noqa: ARG005
            "The order fits. The slow bits that are 0 are missing: `width` bits are asked for.",
            lambda k, width: bits(k, k.bit_length()),  # noqa: ARG005
            "The order fits, but you stop after the last 1. `width` bits are asked for.",
            lambda k, width: bits(k, 8)[::-1],  # noqa: ARG005
            "That is always eight bits, and the slowest comes first.",
            lambda k, width: bits(k, 8),  # noqa: ARG005
            "The order fits, but that is always eight bits. `width` bits are asked for.",
            lambda k, width: [k // 2 ^ b % 2 for b in range(width)],
            "In Python `^` is not a power. Write `2**b`.",
            lambda k, width: [k // max(2 * b, 1) % 2 for b in range(width)],
            "That divides by 2i. Bit i asks for 2 to the power i.",
            lambda k, width: [k % 2] * width,
            "Every bit is bit 0. Where does i come in?",
            lambda k, width: [bit * 2**b for b, bit in enumerate(bits(k, width))],
            "Those are the powers of 2 that add up to k. A bit is 0 or 1.",
        ],
    ),
    "ex-binary-gray": GrayCode(
        gray,
        "Each step flips one bit, and every code occurs once.",
        inputs=[(1,), (2,), (3,), (6,)],
        wrong=[
            lambda width: binary_code(2**width, width),
            "That is counting in binary: from 1 to 2 two bits flip.",
            lambda width: np.tri(2**width, width, -1, dtype=int),
            "Each step flips at most one bit, but rows come back. How many codes are there?",
        ],
    ),
    "ex-binary-hands": Function(
        move_hands,
        "Each hand turns by its own angle, `2π / 2**(i + 1)` per token, whatever the position.",
        inputs=[(1, 3), (5, 4), (-2.5, 2), (0, 1)],
        wrong=[
            lambda shift, width: move_hands(-shift, width),
            "It moves the hands back. Look at the signs of the sines.",
            lambda shift, width: blocks(2 * np.pi * shift / 2.0 ** np.arange(width)),
            "Every hand turns twice as fast as its bit: a period is a run of zeros and a run of "
            "ones.",
            lambda shift, width: blocks(shift / 2.0 ** np.arange(1, width + 1)),
            "A hand makes a whole turn, 2π, in the period of its bit.",
            lambda _shift, width: move_hands(1, width),
            "That is the step by one token. Where does the shift come in?",
            lambda shift, width: blocks([2 * np.pi * shift / 2] * width),
            "All hands turn like that of bit 0. What is the period of bit i?",
            lambda shift, width: blocks(np.pi * shift / 2.0 ** np.arange(1, width + 1)),
            "Every hand turns half as fast as its bit. How many radians make a whole turn?",
            lambda shift, width: blocks(2 * np.pi * shift * 2.0 ** np.arange(1, width + 1)),
            "Every hand makes whole turns at each token. A long period means a slow hand: multiply "
            "by it, or divide?",
            lambda shift, width: blocks(360 * shift / 2.0 ** np.arange(1, width + 1)),
            "NumPy takes radians, and these are degrees.",
            lambda shift, width: blocks(shift / 2.0 ** np.arange(width)),
            "Those are the hands of the encoding with n = 2 to the power `width`: bit 0 must be "
            "back after 2 tokens, not after 6.28.",
            lambda shift, width: blocks(shift * 10_000 ** (-np.arange(width) / width)),
            "Those are the hands of the encoding. What is the period of bit i?",
            lambda shift, width: move_hands(shift, width)[::-1, ::-1].T,
            "The slowest bit comes first. Columns 0 and 1 are those of bit 0.",
            lambda shift, width: move_hands(shift, width)[
                np.ix_(*[np.r_[0 : 2 * width : 2, 1 : 2 * width : 2]] * 2)
            ],
            "All sines come first. Here sine and cosine of a bit are neighbours.",
            lambda shift, width: np.abs(move_hands(shift, width)),
            "There is no minus in it. Look at the signs in the matrix of one pair.",
        ],
    ),
}
