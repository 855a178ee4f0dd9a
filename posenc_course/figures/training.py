"""Figures of the chapter that adds positions to words and trains a small model."""

import numpy as np

from posenc_course.figures.style import FAINT, HIGHLIGHT, INK, MIDDLE, NEUTRAL, SHIFT, SINE, beside
from posenc_course.figures.tables import named_cells

# One colour for each way to give a model its positions.
KIND_COLOURS = {"none": NEUTRAL, "learned": "#3a7d44", "sinusoidal": SINE, "RoPE": SHIFT}


def lost_by_width(ax, widths, lost) -> None:
    """Draw how much of a word is lost by width when a place is added, in three lines.

    `lost` has three names, in the order of the styles below, each with an error in word lengths for
    each width.
    """
    middle = len(widths) // 2
    # Of each name the index of the point beside which it stands, how far from it, and its
    # alignment: so that it crosses none of the lines.
    above = (middle, (10, 6), "left")
    below = (-1, (0, -18), "right")
    left = (middle, (-10, -14), "right")
    styles = zip(("s-", "o-", "o--"), (above, below, left), strict=True)
    for (name, values), (line, (at, offset, side)) in zip(lost.items(), styles, strict=True):
        ax.semilogx(widths, values, line, base=2, color=INK, markersize=5)
        beside(ax, name, (widths[at], values[at]), offset, ha=side)
    ax.axhline(0, color=HIGHLIGHT, linewidth=3, zorder=0)
    beside(ax, "side by side: no loss at any width", (widths[0], 0), (0, 5))
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.set(xlabel="width d", ylabel="error (word lengths)", ylim=(-0.02, None))


def score_shares(ax, shares) -> None:
    """Draw a bar for each name, in parts: the shares of words, of both and of places in the scores.

    `shares` has for each name these three shares of the variance, which add up to 1.
    """
    names = ("word · word", "word · place", "place · place")
    colours = (INK, NEUTRAL, HIGHLIGHT)
    for row, parts in enumerate(shares.values()):
        left = 0.0
        for name, share, colour in zip(names, parts, colours, strict=True):
            label = name if row == 0 else None  # once in the legend
            ax.barh(row, share, left=left, color=colour, height=0.62, label=label)
            if share > 0.12:  # there is room for the number
                ink = INK if colour == HIGHLIGHT else "white"  # gold is light enough for ink
                ax.text(left + share / 2, row, f"{100 * share:.0f} %", color=ink, **MIDDLE)
            left += share
    named_cells(ax, list(shares), columns=[])  # no ticks below
    ax.set(xlim=(0, 1), ylim=(len(shares) - 0.5, -0.5))
    ax.legend(loc="upper center", bbox_to_anchor=(0.42, -0.02), ncols=3, columnspacing=1.2)


def learning_curves(axes, steps, curves, titles, *, levels) -> None:
    """Draw the loss during training, one picture for each kind and one line for each start.

    `curves` has for each kind a row for each step and a column for each start, and `titles` a text;
    `levels` are named losses, dotted in each picture.
    """
    axes = list(axes)  # an iterator, such as `axes.flat`, would be used up by the loop
    for ax, (kind, losses) in zip(axes, curves.items(), strict=True):
        for level in levels.values():
            ax.axhline(level, color=NEUTRAL, linewidth=1.2, linestyle=":")
        ax.plot(steps, losses, color=KIND_COLOURS[kind], linewidth=1.5, alpha=0.85)
        ax.set(xlim=(0, steps[-1]), ylim=(-0.03, 1.05), yticks=[0, 0.5, 1])
        ax.set(title=titles[kind], xlabel="step", ylabel="loss")
        ax.label_outer()
    for name, level in levels.items():
        beside(axes[0], name, (steps[-1], level), (-2, -4), ha="right", va="top")


def accuracy_by_length(ax, lengths, accuracies, *, trained) -> None:
    """Draw the accuracy by length: for each kind a line of medians, and each start as a dot.

    `accuracies` has for each kind a row for each length and a column for each start, in percent.
    Texts up to the length `trained` came up in the training.
    """
    ax.axvspan(0, trained, color=FAINT, alpha=0.4, linewidth=0)
    ax.axhline(50, color=FAINT, linewidth=1.2, zorder=0)  # what guessing gets
    for kind, values in accuracies.items():
        colour = KIND_COLOURS[kind]
        ax.plot(lengths, np.median(values, axis=1), color=colour, label=kind)
        ax.plot(lengths, values, "o", color=colour, markersize=4, alpha=0.7, markeredgewidth=0)
    ax.set(xlabel="length of the text (tokens)", ylabel="right answers (%)")
    # A model that guesses is right in half of the texts, so no start is far below 50 %.
    ax.set(xticks=lengths, xlim=(lengths[0] - 2, lengths[-1] + 1), ylim=(38, 104))
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=4, columnspacing=1.2)


def accuracy_by_beginning(ax, medians, *, turn) -> None:
    """Draw a line of accuracy for each kind by where a text begins, and a hand's half turns.

    `medians` has for each kind a number in percent for each beginning from 0 on. The hand makes a
    full turn in `turn` tokens, and each half turn has an upright line.
    """
    (beginnings,) = {len(values) for values in medians.values()}  # as many for each kind
    last = beginnings - 1  # they count from 0
    ax.axhline(50, color=FAINT, linewidth=1.2, zorder=0)  # what guessing gets
    names = ("½ turn", "1 turn", "1½ turns", "2 turns")
    half_turns = int(2 * last / turn)  # that end in sight
    for halves, name in enumerate(names[:half_turns], start=1):
        at = halves * turn / 2
        ax.axvline(at, color=INK, linewidth=1.2, linestyle=":")
        ax.text(at, 105, name, color=INK, ha="center", va="bottom")  # just above the axes
    for kind, values in medians.items():
        ax.plot(values, color=KIND_COLOURS[kind], label=kind)
    ax.set(xlabel="position of the first token", ylabel="right answers (%)")
    ax.set(xlim=(0, last), ylim=(0, 104))
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=3, columnspacing=1.2)


def answer_maps(axes, maps, *, trained) -> None:
    """Draw for each title a map of the probability of "A first", and frame the trained places.

    `maps` has for each title the probabilities, a row for each place of A and a column for each
    place of B. The texts of the training had `trained` places.
    """
    axes = list(axes)  # an iterator, such as `axes.flat`, would be used up by the loop
    for ax, (title, answers) in zip(axes, maps.items(), strict=True):
        # 0 and 1 are paler than the ends of the colours: the frame stands out on them.
        image = ax.imshow(answers, vmin=-0.25, vmax=1.25)
        # The right and the lower side of the trained corner; the other two are those of the map.
        edge = trained - 0.5
        ax.plot([-0.5, edge, edge], [edge, edge, -0.5], color=HIGHLIGHT, linewidth=2.5)
        ticks = range(0, len(answers), trained)
        ax.set(title=title, xticks=ticks, yticks=ticks, xlabel="place of B", ylabel="place of A")
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        ax.label_outer()
    # All maps have the same colours, so the last one stands for all.
    bar = axes[0].figure.colorbar(image, ax=axes, ticks=[0, 0.5, 1], pad=0.02, shrink=0.6)
    bar.ax.set_ylim(0, 1)  # without the colours of no probability
    bar.ax.set_yticklabels(["B first", "unsure", "A first"])
    bar.outline.set_visible(False)


def answer_by_distance(axes, distances, answers, frequencies, *, pairs, trained) -> None:
    """Draw the probability of "A first" by the distance from A to B, and below it sines of pairs.

    `answers` has a row for each distance and a column for each start: thin lines, and their median
    thick. Of `pairs`, the numbers of pairs, the last is the one whose half turns are marked, back
    and ahead. Distances up to `trained` came up in the training.
    """
    above, below = axes
    colour = KIND_COLOURS["RoPE"]
    above.plot(distances, answers, color=colour, linewidth=1, alpha=0.6)
    above.plot(distances, np.median(answers, axis=1), color=colour, linewidth=3.5)
    above.set_yticks([0, 0.5, 1], ["B first", "unsure", "A first"])
    above.set_ylim(-0.06, 1.2)
    above.text(0, 1.06, "trained", ha="center", va="bottom")
    places = np.linspace(distances[0], distances[-1], 600)
    for pair, width in zip(pairs, np.linspace(1, 3.5, len(pairs)), strict=True):
        sine = np.sin(frequencies[pair] * places)
        below.plot(places, sine, color=SINE, linewidth=width, label=f"pair {pair}")
    below.axhline(0, color=INK, linewidth=1)
    below.set(xlabel="distance from A to B (tokens)", ylabel="sine", yticks=[-1, 0, 1])
    below.set_xlim(distances[0], distances[-1])
    below.legend(loc="upper center", bbox_to_anchor=(0.5, -0.36), ncols=len(pairs))
    half_turn = np.pi / frequencies[pairs[-1]]
    for ax in axes:
        ax.axvspan(-trained, trained, color=FAINT, alpha=0.4, linewidth=0)
        for distance in (-half_turn, half_turn):
            ax.axvline(distance, color=INK, linewidth=1.2, linestyle=":")
