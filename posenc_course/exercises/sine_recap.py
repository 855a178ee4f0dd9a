"""The exercises of the chapter "A sine recap"."""

import numpy as np

from posenc_course.exercises.judging import Function


def pair(k, wavelength):
    """Return the sine and the cosine of one hand at positions k, shape (positions, 2)."""
    return _columns(2 * np.pi * np.asarray(k) / wavelength)


def _columns(angle):
    return np.stack([np.sin(angle), np.cos(angle)], axis=1)


def opening(first, second):
    """Return the angle, clockwise, from one hand with the tip (x, y) to another."""
    sine = second[0] * first[1] - second[1] * first[0]
    cosine = second[0] * first[0] + second[1] * first[1]
    return np.arctan2(sine, cosine)


def _angle(hand):
    return np.arctan2(hand[0], hand[1])


def one_wave(p, q):
    """Return amplitude and phase of p sin θ + q cos θ."""
    return np.array([np.hypot(p, q), np.arctan2(q, p)])


def _hand(angle):
    return np.array([np.sin(angle), np.cos(angle)])


EXERCISES = {
    "ex-sine-recap-pair": Function(
        pair,
        "2π radians per wavelength make the angle; the pair is its sine and its cosine.",
        inputs=((np.arange(6), 4.0), (np.arange(5), 24), (np.array([3, 27, 100]), 2 * np.pi)),
        wrong=[
            lambda k, wavelength: _columns(np.asarray(k) / wavelength),
            "k divided by the wavelength counts turns. How many radians make a turn?",
            lambda k, wavelength: _columns(np.asarray(k) * wavelength),
            "The wavelength is not the frequency. A longer wavelength is a slower hand.",
            lambda k, wavelength: _columns(2 * np.pi * np.asarray(k) * wavelength),
            "A longer wavelength is a slower hand: multiply or divide?",
            lambda k, wavelength: _columns(360 * np.asarray(k) / wavelength),
            "NumPy takes radians, and a full turn has 2π of them, not 360.",
            lambda k, wavelength: pair(k, wavelength)[:, ::-1],
            "Look at the order of the columns. Which one is asked for in column 0?",
            lambda k, wavelength: pair(np.arange(len(k)), wavelength),
            "It is right for positions 0, 1, 2, … Does the argument k reach the formula?",
            lambda k, wavelength: pair(np.asarray(k) + 1, wavelength),
            "It looks as if you count from 1. At position 0 the hand is at twelve.",
        ],
    ),
    "ex-sine-recap-opening": Function(
        opening,
        "Turned back by the first angle, the second hand stands at the angle you want.",
        inputs=(
            (_hand(0.5), _hand(1.25)),
            (_hand(2.25), _hand(0.5)),
            (_hand(3.0), _hand(-3.0)),
            (_hand(-2.5), _hand(2.75)),
            (_hand(2.0), _hand(2.0)),
        ),
        wrong=[
            lambda first, second: _angle(second) - _angle(first),
            "It is right until the hands stand on two sides of six o'clock. Can a difference of "
            "two angles leave the range from −π to π?",
            lambda first, second: np.arccos(np.clip(np.dot(first, second), -1, 1)),
            "The size is right, the direction is lost. What tells a turn forwards from one back?",
            lambda first, second: opening(second, first),
            "That turns the second hand into the first.",
            lambda first, second: np.arctan2(np.dot(first, second), np.sin(opening(first, second))),
            "`np.arctan2` takes the sine, here x, first, and then the cosine.",
            lambda first, second: opening(first, second) % (2 * np.pi),
            "The turn is right, but it is given between 0 and 2π. It is asked for between −π and "
            "π.",
            lambda first, second: np.arcsin(second[0]) - np.arcsin(first[0]),
            "x alone does not tell the angle: two hands share each value of it.",
            lambda first, second: _angle(first) + _angle(second),
            "That adds the two angles. Which way must you turn the first hand to bring it back to "
            "twelve?",
            lambda first, second: np.arctan(np.tan(opening(first, second))),
            "`np.arctan` of a ratio cannot tell a hand from the opposite one.",
        ],
    ),
    "ex-sine-recap-mixture": Function(
        one_wave,
        "The hand with x = q and y = p has length A and stands at angle φ.",
        inputs=((3.0, 4.0), (3.0, -4.0), (-5.0, 12.0), (-1.0, -1.0), (2.0, 0.0)),
        wrong=[
            lambda p, q: np.array([np.hypot(p, q), np.arctan(q / p)]),
            "It is right where p is positive. `np.arctan` cannot tell a hand from the opposite "
            "one.",
            lambda p, q: np.array([np.hypot(p, q), np.arctan2(p, q)]),
            "Which of p and q is the x of the hand, and which the y?",
            lambda p, q: np.array([np.hypot(p, q), np.arcsin(q / np.hypot(p, q))]),
            "It is right where p is positive. The x of a hand does not tell up from down.",
            lambda p, q: np.array([np.hypot(p, q), np.arccos(p / np.hypot(p, q))]),
            "It is right where q is positive. The y of a hand does not tell right from left.",
            lambda p, q: np.array([p + q, np.arctan2(q, p)]),
            "The phase is right. The length of a hand is not the sum of its x and y.",
            lambda p, q: np.array([p**2 + q**2, np.arctan2(q, p)]),
            "The phase is right. That is the square of the amplitude.",
            lambda p, q: np.array([np.hypot(p, q), -np.arctan2(q, p)]),
            "The amplitude is right. Put θ = 0: is the wave at q there?",
            lambda p, q: one_wave(p, q)[::-1],
            "The amplitude is asked for first, then the phase.",
            lambda p, q: np.array([np.hypot(p, q), np.degrees(np.arctan2(q, p))]),
            "The amplitude is right. The phase is asked for in radians.",
        ],
    ),
}
