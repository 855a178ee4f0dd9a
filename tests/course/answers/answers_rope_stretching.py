"""Answers to the exercises of the chapter "Stretching", right and wrong."""

import numpy as np

from posenc import frequencies


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


def new_angles(omega, slowed, trained, longer):
    reached = trained * omega
    return ((reached < 2 * np.pi) & (longer * slowed > 1.000001 * reached)).sum()


def new_angles_in_a_loop(omega, slowed, trained, longer):
    count = 0
    for before, after in zip(omega, slowed, strict=True):
        wave = 2 * np.pi / before
        count += wave > trained and longer * after / before > trained * 1.0001
    return count


def fast_pairs_too(omega, slowed, trained, longer):
    return np.count_nonzero(longer * slowed > 1.00001 * trained * omega)


def all_slow_pairs(omega, _slowed, trained, _longer):
    return (2 * np.pi / omega > trained).sum()


def one_radian(omega, slowed, trained, longer):
    reached = trained * omega
    return ((reached < 1) & (longer * slowed > 1.000001 * reached)).sum()


ANSWERS = {
    "ex-rope-stretching-base": {
        "right": [ntk_base, ntk_base_from_the_last_pair],
        "wrong": [
            (plain_product, "a little too small"),
            (upside_down, "upside down"),
            (faster, "should be slower"),
        ],
    },
    "ex-rope-stretching-new": {
        "right": [new_angles, new_angles_in_a_loop],
        "wrong": [
            (fast_pairs_too, "Fast pairs"),
            (all_slow_pairs, "all slow pairs"),
            (one_radian, "2π"),
        ],
    },
}
