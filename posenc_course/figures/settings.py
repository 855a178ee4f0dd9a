"""What a model's settings do to its numbers: lists, coordinates, and positions that are off."""

import numpy as np

from posenc_course.figures.style import FAINT, HIGHLIGHT, INK, MIDDLE, NEUTRAL

# Shades and dashes, so that the lines differ without colour too.
TWO_LINES = (
    {"color": NEUTRAL, "linestyle": "--", "linewidth": 1.8},
    {"color": INK, "linestyle": "-", "linewidth": 2.2},
)
LINES = (
    {"color": NEUTRAL, "linestyle": ":", "linewidth": 2.2},
    {"color": NEUTRAL, "linestyle": "--", "linewidth": 1.6},
    {"color": NEUTRAL, "linestyle": "-", "linewidth": 1.6},
    {"color": INK, "linestyle": "-", "linewidth": 2.4},
)


def tokens_for_a_turn(ax, lists, *, length):
    """Draw how many tokens each pair needs for a turn, one line for each list of frequencies.

    With each list stands the place of its name. Pairs below `length` get round in such a text.
    """
    for (name, (omega, place)), line in zip(lists.items(), TWO_LINES, strict=False):
        waves = 2 * np.pi / np.asarray(omega)
        ax.plot(np.arange(waves.size), waves, **line)
        ax.text(*place, name, color=line["color"], **MIDDLE)
    ax.axhline(length, color=HIGHLIGHT, linewidth=2)
    ax.text(0, 1.25 * length, f"a text of {length} tokens", va="bottom")
    ax.set(yscale="log", xlabel="pair i", ylabel="tokens for a turn", xlim=(-1, waves.size))


def stretch_by_pair(ax, stretches, *, unfinished):
    """Draw how many times slower each pair turns, one line for each way to stretch."""
    for (name, (stretch, place)), line in zip(stretches.items(), LINES, strict=False):
        slower = np.asarray(stretch)
        ax.semilogy(np.arange(slower.size), slower, base=2, **line)
        ax.text(*place, name, color=line["color"], **MIDDLE)
        last, most = slower.size - 1, slower.max()
    ax.axvspan(unfinished - 0.5, last + 0.5, color=FAINT, alpha=0.35, linewidth=0)
    ax.text((unfinished + last) / 2, 0.9, "no full turn in training", **MIDDLE)
    ticks = 2 ** np.arange(int(np.log2(most)) + 1)
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.set(xlabel="pair i", ylabel="times slower", xlim=(-1, last + 0.5), ylim=(0.8, 1.3 * most))


def scores_by_step(axes, scores, reach):
    """Draw the score of two patches by the step between them, one map for each way to count.

    A map has a row for each step in rows, from -`reach` to `reach`.
    """
    most = max(np.abs(values).max() for values in scores.values())
    edges = (-reach - 0.5, reach + 0.5, reach + 0.5, -reach - 0.5)
    for ax, (title, values) in zip(axes, scores.items(), strict=True):
        ax.imshow(values, vmin=-most, vmax=most, extent=edges)
        ax.set(title=title, xlabel="columns to the right", xticks=range(-4, 5, 2))
    axes[0].set_ylabel("rows down")


def moved_outputs(ax, changes):
    """Draw how far mistakes move an output, a group of bars for each mistake."""
    rows = np.arange(len(changes))
    encodings = list(next(iter(changes.values())))
    for number, (encoding, colour) in enumerate(zip(encodings, (FAINT, NEUTRAL, INK), strict=True)):
        shares = [100 * change[encoding] for change in changes.values()]
        places = rows + 0.26 * (number - 1)
        ax.barh(places, shares, height=0.22, color=colour)
        for place, share in zip(places, shares, strict=True):
            ax.text(share + 1, place, f"{encoding} {share:.0f}", va="center", fontsize=10)
    ax.set_yticks(rows, list(changes))
    ax.invert_yaxis()
    ax.set(xlabel="the output moves (%)", xlim=(0, 125))


def distances_by_unit(ax, numbers, curves):
    """Draw how far each row is from that of one number, a line for each unit of the numbers."""
    for (name, distances), line in zip(curves.items(), reversed(TWO_LINES), strict=True):
        ax.plot(numbers, distances, label=name, **line)
    ax.set(xlabel="share of the time", ylabel="distance to half time", xlim=(0, 1))
    ax.set_ylim(bottom=0)
    ax.legend(loc=(0.03, 0.3))


def fits_by_bandwidth(axes, places, fits, truth, samples, values):
    """Draw fits of the same samples, one panel for each bandwidth, over the true curve."""
    for ax, (title, fit) in zip(axes, fits.items(), strict=True):
        ax.plot(places, truth, color=FAINT, linewidth=4)
        ax.plot(places, fit, color=INK, linewidth=1.2)
        ax.plot(samples, values, "o", color=HIGHLIGHT, markersize=3)
        ax.set(title=title, xlabel="x", xticks=[0, 1], ylim=(-2, 2), yticks=[-1, 0, 1])
