"""Figures of the encodings that came after: where they act, and what they do to scores."""

import numpy as np
from matplotlib.patches import FancyBboxPatch

from posenc_course.figures.clocks import arrow
from posenc_course.figures.style import (
    COSINE,
    FAINT,
    INK,
    MIDDLE,
    NEUTRAL,
    SHIFT,
    SINE,
    SMALL,
    beside,
)


def doors(ax, stations, entries) -> None:
    """Draw four stations of a token's way through attention as boxes, and what may enter at each.

    `entries` has for each of the `stations`, which are names, what is done there, or "" where no
    position enters, and the encodings that do it.
    """
    box = {"facecolor": "white", "edgecolor": INK, "linewidth": 1.2}
    box["boxstyle"] = "round,pad=0,rounding_size=0.06"
    colours = (SINE, SHIFT, COSINE, NEUTRAL)
    panels = zip(stations, entries, colours, strict=True)
    for place, (station, (deed, names), colour) in enumerate(panels):
        ax.add_patch(FancyBboxPatch((place - 0.37, 0.02), 0.74, 0.42, **box))
        ax.text(place, 0.23, station, color=INK, **MIDDLE)
        if place:  # from the box before
            arrow(ax, (place - 0.63, 0.23), (place - 0.37, 0.23), NEUTRAL, 1.6)
        if deed:
            arrow(ax, (place, 0.78), (place, 0.46), colour, 1.6)
            ax.text(place, 0.82, deed, ha="center", va="bottom", color=colour, fontweight="bold")
        ax.text(place, -0.1, names, ha="center", va="top", color=colour, fontsize=SMALL)
    ax.set(xlim=(-0.5, len(stations) - 0.5), ylim=(-0.55, 1.05))
    ax.axis("off")


def scores_when_moved(axes, added, later) -> None:
    """Draw two panels: the score of two words by how many words are in front, for each encoding.

    `axes` are two that share their upright axis. On the left are the encodings that are `added` to
    words, on the right those that come in `later`. Both have for each name the scores with 0, 1, 2,
    ... words in front.
    """
    colours = {"sinusoids": SINE, "learned": INK, "RoPE": SHIFT}
    titles = ("added to the words", "turned, or added to the score")
    for ax, title, scores in zip(axes, titles, (added, later), strict=True):
        for name, values in scores.items():
            colour = colours.get(name, COSINE)  # that of what is added to the score
            line = "o" if name == "learned" else "-"  # between learned rows there is nothing
            ax.plot(values, line, color=colour, markersize=4, label=name)
            if scores is later:  # level lines, which have room for their names, the lowest below it
                lowest = values[0] == min(others[0] for others in scores.values())
                beside(ax, name, (0, values[0]), (6, -16 if lowest else 3), color=colour)
        ax.set(title=title, xlabel="words put in front", xlim=(0, len(values) - 1))
    axes[0].set(ylabel="score of the\nsame two words", ylim=(-0.5, 10), yticks=[0, 5, 10])
    axes[0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.28), ncols=2, columnspacing=1.2)


def buckets(ax, numbers, *, shared_from) -> None:
    """Draw the bucket of each distance from 0 on as a dot; those from `shared_from` on are shared.

    `numbers` has the number of the bucket of each distance.
    """
    distances = np.arange(len(numbers))
    alone = numbers < shared_from
    ax.plot(distances[alone], numbers[alone], "o", color=SINE, markersize=3.5)
    ax.plot(distances[~alone], numbers[~alone], "o", color=COSINE, markersize=2)
    ax.text(shared_from + 4, shared_from * 0.5, "one number each", color=SINE, va="center")
    below_their_middle = len(numbers) * 0.45, numbers[len(numbers) // 2] - 5
    ax.text(*below_their_middle, "shared", color=COSINE, va="center")
    ax.set(xlabel="distance (tokens)", ylabel="bucket")


def reach_of_heads(ax, weights, labels) -> None:
    """Draw a line for each head: what share of its weight at distance 0 larger distances have.

    `weights` has a row for each head and a column for each distance from 0 on. Each line has one
    of the `labels`, at a dot where half of the weight is left.
    """
    share = weights / weights[:, :1]
    distances = np.arange(1, weights.shape[1])  # a logarithmic axis has no 0
    shades = np.linspace(1, 0.35, len(weights))
    for row, label, shade in zip(share, labels, shades, strict=True):
        ax.plot(distances, row[1:], color=COSINE, alpha=shade)
        # The weight falls exponentially, so between two distances its logarithm is straight.
        half = np.interp(np.log(2), -np.log(row), np.arange(len(row)))
        ax.plot(half, 0.5, "o", color=INK, markersize=4.5)
        beside(ax, label, (half, 0.5), (3, 5), fontsize=SMALL, color=INK)
    ax.axhline(0.5, color=FAINT, linewidth=1, zorder=0)
    ax.set(xscale="log", xlabel="distance (tokens)", ylabel="share of the weight\nat distance 0")
    ax.set(ylim=(0, 1.05), yticks=[0, 0.5, 1], xlim=(1, distances[-1]))
    ax.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])


def perplexity_by_length(ax, lengths, perplexities, *, trained) -> None:
    """Draw the perplexities of four encodings by the length of the text, one line for each.

    `perplexities` has for each name a number for each of the first `lengths`; an upright line marks
    the length `trained`.
    """
    colours = (SINE, SHIFT, NEUTRAL, COSINE)
    for (name, values), colour in zip(perplexities.items(), colours, strict=True):
        reported = lengths[: len(values)]  # some papers report fewer lengths
        ax.plot(reported, values, "o-", color=colour, markersize=4)
        beside(ax, name, (reported[-1], values[-1]), (7, 0), va="center", color=colour)
    ax.axvline(trained, color=FAINT, linewidth=1.2, zorder=0)
    ax.set(xscale="log", yscale="log", xlabel="length of the text (tokens)", ylabel="perplexity")
    # The paper's texts are 1024 tokens long and then thousands more; these are about twice as long
    # each time.
    ax.set_xticks([1024, 2024, 4024, 8024, 16024], ["1024", "2024", "4024", "8024", "16 024"])
    ax.set_yticks([20, 50, 100, 200, 400], ["20", "50", "100", "200", "400"])
    ax.set(xlim=(950, 36_000), ylim=(15, 560))  # the names stand on the right of the last length
    ax.minorticks_off()
