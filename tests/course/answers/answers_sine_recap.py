"""Answers to the exercises of the chapter "A sine recap", right and wrong."""

import cmath
import math

import numpy as np


def pair(k, wavelength):
    angle = 2 * np.pi * np.asarray(k) / wavelength
    return np.stack([np.sin(angle), np.cos(angle)], axis=1)


def pair_by_a_loop(k, wavelength):
    turn = 2 * math.pi / wavelength
    return [[math.sin(turn * place), math.cos(turn * place)] for place in k]


def pair_by_a_complex_number(k, wavelength):
    z = np.exp(2j * np.pi * np.asarray(k) / wavelength)
    return np.column_stack([z.imag, z.real])


def opening(first, second):
    cosine = np.dot(first, second)
    sine = first[1] * second[0] - first[0] * second[1]
    return np.arctan2(sine, cosine)


def opening_by_complex_numbers(first, second):
    return cmath.phase(complex(*second[::-1]) / complex(*first[::-1]))


def opening_by_wrapping(first, second):
    angle = math.atan2(*second) - math.atan2(*first)
    return (angle + math.pi) % (2 * math.pi) - math.pi


def one_wave(p, q):
    return np.hypot(p, q), np.arctan2(q, p)


def one_wave_as_a_complex_number(p, q):
    return list(cmath.polar(complex(p, q)))


# For each exercise: right answers in different styles, and wrong ones with words of their hint.
ANSWERS = {
    "ex-sine-recap-pair": {
        "right": [pair, pair_by_a_loop, pair_by_a_complex_number],
        "wrong": [
            (lambda k, wavelength: pair(k, 2 * np.pi * wavelength), "counts turns"),
            (lambda k, wavelength: pair(k, 2 * np.pi / wavelength), "is not the frequency"),
            (lambda k, wavelength: pair(k, 1 / wavelength), "multiply or divide"),
            (lambda k, wavelength: pair(np.degrees(k), wavelength), "not 360"),
            (lambda k, wavelength: pair(k, wavelength)[:, ::-1], "order of the columns"),
            (lambda k, wavelength: pair(k + 1, wavelength), "count from 1"),
            (lambda k, wavelength: pair(k, wavelength).T, "transposed"),
            (lambda k, wavelength: pair(k, wavelength)[:, 0], "should be (6, 2)"),
            (lambda k, wavelength: pair(range(len(k)), wavelength), "Does the argument k"),
        ],
    },
    "ex-sine-recap-opening": {
        "right": [opening, opening_by_complex_numbers, opening_by_wrapping],
        "wrong": [
            (lambda one, two: opening(one, two) % (2 * np.pi), "between 0 and 2π"),
            (
                lambda one, two: np.arctan2(one @ two, one[1] * two[0] - one[0] * two[1]),
                "here x, first",
            ),
            (lambda one, two: np.arcsin(two[0]) - np.arcsin(one[0]), "x alone"),
            (lambda first, second: opening(second, first), "second hand into the first"),
            (lambda first, second: abs(opening(first, second)), "direction is lost"),
            (
                lambda first, second: (
                    np.arctan2(second[0], second[1]) - np.arctan2(first[0], first[1])
                ),
                "two sides of six o'clock",
            ),
            (lambda first, second: np.degrees(opening(first, second)), "degrees"),
        ],
    },
    "ex-sine-recap-mixture": {
        "right": [one_wave, one_wave_as_a_complex_number],
        "wrong": [
            (lambda p, q: (np.hypot(p, q), np.arcsin(q / np.hypot(p, q))), "where p is positive"),
            (lambda p, q: (np.hypot(p, q), np.arctan(q / p)), "where p is positive"),
            (lambda p, q: (np.hypot(p, q), np.arctan2(p, q)), "the x of the hand"),
            (lambda p, q: (np.arctan2(q, p), np.hypot(p, q)), "asked for first"),
            (lambda p, q: (p * p + q * q, np.arctan2(q, p)), "square of the amplitude"),
            (lambda p, q: (p + q, np.arctan2(q, p)), "sum of its x and y"),
            (lambda p, q: (np.hypot(p, q), np.degrees(np.arctan2(q, p))), "in radians"),
            (lambda p, q: np.hypot(p, q), "Look at the shape"),
        ],
    },
}
