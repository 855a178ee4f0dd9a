"""How an error grows with the position, or with the length of a text."""

import numpy as np

from posenc_course.figures.style import COSINE, HIGHLIGHT, INK, NEUTRAL, SHIFT, SINE, SMALL, beside


def error_by_position(ax, positions, errors, *, bounds, lowest) -> None:
    """Draw curves of the largest error so far by position, on logarithmic axes, and their bounds.

    `errors` has a curve for each of two names, and `bounds` a number for each of its own names. The
    axis of errors begins at `lowest`.
    """
    for (name, values), colour in zip(errors.items(), (COSINE, SHIFT), strict=True):
        ax.plot(positions, values, color=colour)
        # The name ends above the end of its curve, on this axis always as far. It crosses no curve,
        # since an error never falls.
        ax.text(positions[-1], 2 * values[-1], name, color=colour, ha="right", fontsize=SMALL)
    for name, bound in bounds.items():
        ax.axhline(bound, color=HIGHLIGHT)
        ax.text(positions[-1], 2 * bound, name, color=NEUTRAL, ha="right", fontsize=SMALL)
    # An error of a sine is at most 2, and the name of a curve that ends there has room.
    ax.set(xscale="log", yscale="log", ylim=(lowest, 30), xlabel="position (tokens)")
    ax.set_ylabel("largest error of a sine")


def score_errors(ax, positions, errors) -> None:
    """Draw the errors of scores by position, a line for each thing rounded, on logarithmic axes.

    `errors` has for each of two number formats two curves: of rounded angles, which is drawn
    solid, and of rounded sines, dotted.
    """
    for (name, (angles, table)), colour in zip(errors.items(), (INK, NEUTRAL), strict=True):
        for what, values, dashes in (("angles", angles, "-"), ("sines", table, ":")):
            ax.plot(positions, values, color=colour, linestyle=dashes, marker="o", markersize=4)
            look = {"va": "center", "fontsize": SMALL, "color": colour}
            beside(ax, f"{name} {what}", (positions[-1], values[-1]), (6, 0), **look)
    ax.set(xscale="log", yscale="log", xlabel="position (tokens)", ylabel="error of a score")


def angle_errors(ax, positions, errors, *, bound, rounded_once) -> None:
    """Draw the errors of rounded angles by position as dots, with the bound they obey as a curve.

    `rounded_once` is the error of a table computed exactly and then rounded: a level line.
    """
    ax.plot(positions, bound, color=NEUTRAL, linewidth=1.2)
    ax.plot(positions, errors, ".", color=COSINE, markersize=3)
    ax.axhline(rounded_once, color=SINE, linewidth=2)
    # Each name stands at a position that is given by its index: the middle one, or the last.
    middle = len(positions) // 2
    for name, at, level, offset, side, colour in (
        ("bound", middle, bound[middle], (-8, 6), "right", NEUTRAL),
        ("angles in float32", middle, errors[middle], (12, -16), "left", COSINE),
        ("a table rounded once", -1, rounded_once, (0, 6), "right", SINE),
    ):
        beside(ax, name, (positions[at], level), offset, ha=side, color=colour, fontsize=SMALL)
    ax.set(xscale="log", yscale="log", xlabel="position (tokens)", ylabel="error (radians)")


def errors_of_ports(ax, lengths, moved) -> None:
    """Draw for each wrong port of a model a line: how far its output moves, by length of the text.

    `moved` has for each of three ports a dict from lengths to shares of the output; `lengths`
    are the ones that the axis names, and all ports have the last of them.
    """
    height = np.inf  # of the name before: no name yet
    last = lengths[-1]
    highest_first = sorted(moved.items(), key=lambda item: -item[1][last])
    for (name, shares), colour in zip(highest_first, (COSINE, SINE, SHIFT), strict=True):
        measured = sorted(shares)  # a port may have lengths added behind the others
        percent = [100 * shares[length] for length in measured]
        ax.plot(measured, percent, "o-", color=colour, clip_on=False)  # dots at 0 % are whole
        # At the end of its line, or so far below the name before that the two do not touch.
        height = min(percent[-1], height - 12)
        ax.text(1.02 * last, height, name, color=colour, va="center")
    # The output of one port moves by 113 %, by more than its own length.
    ax.set(xlabel="words in the text", ylabel="the output moves (%)", ylim=(0, 125))
    ax.set(xticks=lengths, xlim=(0, 1.25 * last))  # the names stand beyond the last length
