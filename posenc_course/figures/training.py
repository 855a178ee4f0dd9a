"""Figures of the chapter that adds positions to words and trains a small model."""

import numpy as np

from posenc_course.figures.style import FAINT, HIGHLIGHT, INK, MIDDLE, NEUTRAL, SHIFT, SINE, beside
from posenc_course.figures.tables import named_cells

# One colour for each way to give a model its positions.
KIND_COLOURS = {"none": NEUTRAL, "learned": "#3a7d44", "sinusoidal": SINE, "RoPE": SHIFT}


def lost_by_width(ax, widths, lost) -> None:
    """Draw how much of a word is lost when a place is added, against the width.

    `lost` has for each of up to three names an error in word lengths for each width.
    """
    middle = len(widths) // 2
    # Of each name the point beside which it stands, how far from it, and how it is aligned.
    above = (middle, (10, 6), "left")
    below = (-1, (0, -18), "right")  # the lines of 500 words are near each other
    left = (middle, (-10, -14), "right")
    styles = zip(("s-", "o-", "o--"), (above, below, left), strict=True)
    # Not strict: there may be fewer names.
    for (name, values), (line, (at, offset, side)) in zip(lost.items(), styles, strict=False):
        ax.semilogx(widths, values, line, base=2, color=INK, markersize=5)
        beside(ax, name, (widths[at], values[at]), offset, ha=side)
    ax.axhline(0, color=HIGHLIGHT, linewidth=3, zorder=0)
    beside(ax, "side by side: no loss at any width", (widths[0], 0), (0, 5))
    ax.set_xticks(widths, [str(width) for width in widths])
    ax.set(xlabel="width d", ylabel="error (word lengths)", ylim=(-0.02, None))


def score_shares(ax, shares) -> None:
    """Draw which share of the scores' variance comes of words, of places, and of both, as bars.

    `shares` has for the name of each bar these three shares, which add up to 1.
    """
    names = ("word · word", "word · place", "place · place")
    colours = (INK, NEUTRAL, HIGHLIGHT)
    for row, parts in enumerate(shares.values()):
        left = 0.0
        for name, part, colour in zip(names, parts, colours, strict=True):
            label = name if row == 0 else None
            ax.barh(row, part, left=left, color=colour, height=0.62, label=label)
            if part > 0.12:  # there is room for the number
                ink = INK if colour == HIGHLIGHT else "white"
                ax.text(left + part / 2, row, f"{100 * part:.0f} %", color=ink, **MIDDLE)
            left += part
    named_cells(ax, list(shares), [])
    ax.set(xlim=(0, 1), ylim=(len(shares) - 0.5, -0.5))
    ax.legend(loc="upper center", bbox_to_anchor=(0.42, -0.02), ncols=3, columnspacing=1.2)


def learning_curves(axes, steps, curves, titles, *, levels) -> None:
    """Draw the loss during training, one picture for each kind and one line for each start.

    `curves` and `titles` go by kinds; `levels` are named losses, dotted in each picture.
    """
    axes = list(axes)
    for ax, (kind, losses) in zip(axes, curves.items(), strict=True):
        for level in levels.values():
            ax.axhline(level, color=NEUTRAL, linewidth=1.2, linestyle=":", zorder=0)
        ax.plot(steps, losses, color=KIND_COLOURS[kind], linewidth=1.5, alpha=0.85)
        ax.set(xlim=(0, steps[-1]), ylim=(-0.03, 1.05), yticks=[0, 0.5, 1])
        ax.set(title=titles[kind], xlabel="step", ylabel="loss")
        ax.label_outer()
    for name, level in levels.items():
        beside(axes[0], name, (steps[-1], level), (-2, -4), ha="right", va="top")


def accuracy_by_length(ax, lengths, accuracies, *, trained) -> None:
    """Draw the accuracy at several lengths: the median of the starts, and each start as a dot.

    `accuracies` has for each kind a row for each length and a column for each start, in percent.
    Texts up to the length `trained` came up in the training.
    """
    ax.axvspan(0, trained, color=FAINT, alpha=0.4, linewidth=0)
    ax.axhline(50, color=FAINT, linewidth=1.2, zorder=0)
    for kind, values in accuracies.items():
        colour = KIND_COLOURS[kind]
        values = np.asarray(values)
        ax.plot(lengths, np.median(values, axis=1), color=colour, label=kind)
        ax.plot(lengths, values, "o", color=colour, markersize=4, alpha=0.7, markeredgewidth=0)
    ax.set(xlabel="length of the text (tokens)", ylabel="right answers (%)")
    ax.set(xticks=lengths, xlim=(lengths[0] - 2, lengths[-1] + 1), ylim=(38, 104))
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=4, columnspacing=1.2)


def accuracy_by_beginning(ax, medians, *, turn) -> None:
    """Draw the accuracy by the position at which a text begins, and how far a hand has turned.

    `medians` has for each kind a number for each beginning from 0 on. The hand makes a full turn
    in `turn` tokens.
    """
    last = max(map(len, medians.values())) - 1
    ax.axhline(50, color=FAINT, linewidth=1.2, zorder=0)
    names = ("½ turn", "1 turn", "1½ turns", "2 turns")
    for halves, name in enumerate(names[: int(2 * last / turn)], start=1):
        at = halves * turn / 2
        ax.axvline(at, color=INK, linewidth=1.2, linestyle=":", zorder=0)
        ax.text(at, 105, name, color=INK, ha="center", va="bottom")
    for kind, values in medians.items():
        ax.plot(values, color=KIND_COLOURS[kind], label=kind)
    ax.set(xlabel="position of the first token", ylabel="right answers (%)")
    ax.set(xlim=(0, last), ylim=(0, 104))
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=3, columnspacing=1.2)


def answer_maps(axes, maps, *, trained) -> None:
    """Draw the probability of "A first" for every two places, and frame those of the training.

    `maps` has for each title the probabilities, a row for each place of A and a column for each
    place of B. The texts of the training had `trained` places.
    """
    axes = list(axes)
    for ax, (title, answers) in zip(axes, maps.items(), strict=True):
        # Paler than the ends of the map, so that the frame is seen.
        image = ax.imshow(answers, vmin=-0.25, vmax=1.25)
        edge = trained - 0.5
        ax.plot([-0.5, edge, edge], [edge, edge, -0.5], color=HIGHLIGHT, linewidth=2.5)
        ticks = range(0, len(answers), trained)
        ax.set(title=title, xticks=ticks, yticks=ticks, xlabel="place of B", ylabel="place of A")
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        ax.label_outer()
    bar = axes[0].figure.colorbar(image, ax=axes, ticks=[0, 0.5, 1], pad=0.02, shrink=0.6)
    bar.ax.set_ylim(0, 1)
    bar.ax.set_yticklabels(["B first", "unsure", "A first"])
    bar.outline.set_visible(False)


def answer_by_distance(axes, distances, answers, frequencies, *, pairs, trained) -> None:
    """Draw the probability of "A first" by the distance from A to B, and below the sines of pairs.

    `answers` has a row for each distance and a column for each start. Of `pairs` the last is the
    one whose half turns are marked. Distances up to `trained` came up in the training.
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
        ax.axvspan(-trained, trained, color=FAINT, alpha=0.4, linewidth=0, zorder=0)
        for distance in (-half_turn, half_turn):
            ax.axvline(distance, color=INK, linewidth=1.2, linestyle=":")
