"""Answers to the exercises of the chapter "RoPE in the models people run", right and wrong."""

import numpy as np

from posenc import frequencies, rope, rotate


def turn_part(x, positions, width):
    return rope(x, positions, frequencies=frequencies(width), layout="halves")


def turn_part_by_hand(x, positions, width):
    angles = np.outer(positions, frequencies(width))
    half = width // 2
    first, second = x[:, :half], x[:, half:width]
    cosine, sine = np.cos(angles), np.sin(angles)
    turned = [cosine * first - sine * second, sine * first + cosine * second, x[:, width:]]
    return np.concatenate(turned, axis=1)


def neighbours(x, positions, width):
    return rotate(x, np.outer(positions, frequencies(width)))


def ladder_of_the_head(x, positions, width):
    omega = frequencies(x.shape[1])[: width // 2]
    return rotate(x, np.outer(positions, omega), layout="halves")


def whole_head(x, positions, width):
    return rope(x, positions, layout="halves") + 0 * width


def ntk_base(base, d, factor):
    return base * factor ** (d / (d - 2))


def ntk_base_from_the_last_pair(base, d, factor):
    last = frequencies(d, base=base)[-1] / factor
    return last ** (-d / (d - 2))


def plain_product(base, d, factor):
    return factor * base + 0 * d


def upside_down(base, d, factor):
    return base * factor ** (1 - 2 / d)


def faster(base, d, factor):
    return base * factor ** (-d / (d - 2))


ANSWERS = {
    "rope-in-models-3": {
        "right": [turn_part, turn_part_by_hand],
        "wrong": [
            (neighbours, "These are neighbours"),
            (ladder_of_the_head, "its own ladder"),
            (whole_head, "The whole head turns"),
        ],
    },
    "rope-in-models-4": {
        "right": [ntk_base, ntk_base_from_the_last_pair],
        "wrong": [
            (plain_product, "a little too small"),
            (upside_down, "upside down"),
            (faster, "should be slower"),
        ],
    },
}
