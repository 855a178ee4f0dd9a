"""Rotary frequencies before and after they are slowed down for longer texts."""

import numpy as np

from posenc.figures.style import HIGHLIGHT, INK, NEUTRAL

# Shades and dashes, so that the lines differ without colour too.
LINES = (
    {"color": NEUTRAL, "linestyle": ":", "linewidth": 2.2},
    {"color": NEUTRAL, "linestyle": "--", "linewidth": 1.6},
    {"color": NEUTRAL, "linestyle": "-", "linewidth": 1.6},
    {"color": INK, "linestyle": "-", "linewidth": 2.4},
)


def stretch_by_pair(ax, stretches, *, unfinished):
    """Draw how many times slower each pair turns, one line for each way to stretch.

    Parameters
    ----------
    ax : Axes
    stretches : dict of str to (array_like, shape (d/2,), (float, float))
        For each name, up to four: how many times slower each pair is, and the place of the name.
    unfinished : int
        The first pair that does not finish a turn in a text of training; it and those after it
        are highlighted.

    Returns
    -------
    Axes
        The axes passed in.
    """
    for (name, (stretch, place)), line in zip(stretches.items(), LINES, strict=False):
        slower = np.asarray(stretch)
        ax.plot(np.arange(slower.size), slower, **line)
        ax.text(*place, name, color=line["color"], ha="center", va="center")
        last, most = slower.size - 1, slower.max()
    ax.axvspan(unfinished - 0.5, last + 0.5, color=HIGHLIGHT, alpha=0.18, linewidth=0)
    ax.text((unfinished + last) / 2, 0.9, "no full turn in training", ha="center", va="center")
    ax.set_yscale("log", base=2)
    ticks = 2 ** np.arange(int(np.log2(most)) + 1)
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.minorticks_off()
    ax.set(xlabel="pair i", ylabel="times slower", xlim=(-1, last + 0.5), ylim=(0.8, 1.3 * most))
    return ax
