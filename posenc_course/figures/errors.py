"""How an error grows with the position, or with the length of a text."""

from posenc_course.figures.style import COSINE, HIGHLIGHT, INK, NEUTRAL, SHIFT, SINE, SMALL, beside


def error_by_position(ax, positions, errors, *, bounds=None, lowest=5e-9) -> None:
    """Draw how the largest error so far grows with the position, on logarithmic axes.

    `errors` has a curve for each name, `bounds` has for each name a number. The axis of errors
    begins at `lowest`.
    """
    for (name, values), colour in zip(errors.items(), (COSINE, SHIFT, SINE), strict=False):
        ax.plot(positions, values, color=colour)
        # Above its right end: all errors grow, so a line is lower further left.
        ax.text(positions[-1], values[-1] * 2, name, color=colour, ha="right", fontsize=SMALL)
    for name, bound in (bounds or {}).items():
        ax.axhline(bound, color=HIGHLIGHT)
        ax.text(positions[-1], bound * 2, name, color=NEUTRAL, ha="right", fontsize=SMALL)
    ax.set(xscale="log", yscale="log", ylim=(lowest, 30), xlabel="position (tokens)")
    ax.set_ylabel("largest error of a sine")


def score_errors(ax, positions, errors) -> None:
    """Draw how far scores are off, by what is rounded, on logarithmic axes.

    `errors` has for each number format two curves: of rounded angles, and of rounded sines.
    """
    for (name, (angles, table)), colour in zip(errors.items(), (INK, NEUTRAL), strict=False):
        for what, values, dashes in (("angles", angles, "-"), ("sines", table, ":")):
            ax.plot(positions, values, color=colour, linestyle=dashes, marker="o", markersize=4)
            look = {"va": "center", "fontsize": SMALL, "color": colour}
            beside(ax, f"{name} {what}", (positions[-1], values[-1]), (6, 0), **look)
    ax.set(xscale="log", yscale="log", xlabel="position (tokens)", ylabel="error of a score")


def angle_errors(ax, positions, errors, *, bound, rounded_once) -> None:
    """Draw how far rounded angles are from the true ones, with the bound they obey.

    `bound` is a curve; `rounded_once` is the error of a table computed exactly and then rounded.
    """
    ax.plot(positions, bound, color=NEUTRAL, linewidth=1.2)
    ax.plot(positions, errors, ".", color=COSINE, markersize=3)
    ax.axhline(rounded_once, color=SINE, linewidth=2)
    middle = len(positions) // 2
    for name, at, level, offset, side, colour in (
        ("bound", middle, bound[middle], (-8, 6), "right", NEUTRAL),
        ("angles in float32", middle, errors[middle], (12, -16), "left", COSINE),
        ("a table rounded once", -1, rounded_once, (0, 6), "right", SINE),
    ):
        beside(ax, name, (positions[at], level), offset, ha=side, color=colour, fontsize=SMALL)
    ax.set(xscale="log", yscale="log", xlabel="position (tokens)", ylabel="error (radians)")


def errors_of_ports(ax, lengths, moved) -> None:
    """Draw how far the output of each wrong port of a model moves, by the length of the text.

    `moved` has for each port a share by length; `lengths` are the ones that the axis names.
    """
    above = 200.0  # the height of the last name in percent: at first, beyond all
    last = lengths[-1]
    highest_first = sorted(moved.items(), key=lambda item: -item[1][last])
    for (name, shares), colour in zip(
        highest_first, (COSINE, SINE, SHIFT, HIGHLIGHT), strict=False
    ):
        measured = sorted(shares)
        percent = [100 * shares[length] for length in measured]
        ax.plot(measured, percent, "o-", color=colour, clip_on=False)
        above = min(percent[-1], above - 12)  # names do not touch
        ax.text(1.02 * last, above, name, color=colour, va="center")
    ax.set(xlabel="words in the text", ylabel="the output moves (%)", ylim=(0, 125))
    ax.set(xticks=lengths, xlim=(0, 1.25 * last))
