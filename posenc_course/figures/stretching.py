"""Rotary frequencies before and after they are slowed down for longer texts."""

import numpy as np

from posenc_course.figures.style import HIGHLIGHT, INK, MIDDLE, NEUTRAL, beside

# Shades and dashes, so that the lines differ without colour too.
LINES = (
    {"color": NEUTRAL, "linestyle": ":", "linewidth": 2.2},
    {"color": NEUTRAL, "linestyle": "--", "linewidth": 1.6},
    {"color": NEUTRAL, "linestyle": "-", "linewidth": 1.6},
    {"color": INK, "linestyle": "-", "linewidth": 2.4},
)


def stretch_by_pair(ax, stretches, *, unfinished):
    """Draw how many times slower each pair turns, one line for each way to stretch."""
    for (name, (stretch, place)), line in zip(stretches.items(), LINES, strict=False):
        slower = np.asarray(stretch)
        ax.plot(np.arange(slower.size), slower, **line)
        ax.text(*place, name, color=line["color"], **MIDDLE)
        last, most = slower.size - 1, slower.max()
    ax.axvspan(unfinished - 0.5, last + 0.5, color=HIGHLIGHT, alpha=0.18, linewidth=0)
    ax.text((unfinished + last) / 2, 0.9, "no full turn in training", **MIDDLE)
    ax.set_yscale("log", base=2)
    ticks = 2 ** np.arange(int(np.log2(most)) + 1)
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    ax.set(xlabel="pair i", ylabel="times slower", xlim=(-1, last + 0.5), ylim=(0.8, 1.3 * most))


def score_errors(ax, positions, errors):
    """Draw how far scores are off, by what is rounded, on logarithmic axes."""
    for (name, (angles, table)), colour in zip(errors.items(), (INK, NEUTRAL), strict=False):
        for what, values, dashes in (("angles", angles, "-"), ("sines", table, ":")):
            ax.plot(positions, values, color=colour, linestyle=dashes, marker="o", markersize=4)
            look = {"va": "center", "fontsize": 11, "color": colour}
            beside(ax, f"{name} {what}", (positions[-1], values[-1]), (6, 0), **look)
    ax.set(xscale="log", yscale="log", xlabel="position (tokens)", ylabel="error of a score")
    ax.minorticks_off()
