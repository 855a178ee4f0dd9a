"""Answers to the exercises of the chapter "Reading a config", right and wrong."""

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


def part_over_the_whole_head(x, positions, width):
    angles = np.zeros((len(x), x.shape[1] // 2))
    angles[:, : width // 2] = np.outer(positions, frequencies(width))
    return rotate(x, angles, layout="halves")


def neighbours_of_the_head(x, positions, width):
    return rotate(x, np.outer(positions, frequencies(x.shape[1])[: width // 2]))


def base_of(config):
    settings = config.get("rope_parameters") or config
    return settings["rope_theta"]


def base_of_either(config):
    return {**config, **config.get("rope_parameters", {})}["rope_theta"]


def base_or_default(config):
    return config.get("rope_theta", 10_000)


def base_inside_only(config):
    try:
        return config["rope_parameters"]["rope_theta"]
    except KeyError:
        return 10_000.0


def scaling_for_base(config):
    return config["rope_scaling"]["rope_theta"]


ANSWERS = {
    "ex-rope-in-models-part": {
        "right": [turn_part, turn_part_by_hand],
        "wrong": [
            (neighbours, "These are neighbours"),
            (ladder_of_the_head, "its own ladder"),
            (whole_head, "The whole head turns"),
            (part_over_the_whole_head, "i + width/2"),
            (neighbours_of_the_head, "Two slips at once"),
        ],
    },
    "ex-rope-in-models-base": {
        "right": [base_of, base_of_either],
        "wrong": [
            (base_or_default, "falls back to 10 000"),
            (base_inside_only, "at the top"),
            (scaling_for_base, "TypeError"),
        ],
    },
}
