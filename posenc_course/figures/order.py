"""Figures of the chapter on why order matters."""

import numpy as np
from matplotlib.ticker import MultipleLocator

from posenc_course.figures.clocks import arrow
from posenc_course.figures.style import FAINT, HIGHLIGHT, INK, MIDDLE, NEUTRAL, beside, framed
from posenc_course.figures.tables import colour_scale, coloured_cells, named_cells


def rows_of_sentences(axes, tables, colours, *, title, limit=1.0) -> None:
    """Draw one table for each sentence, a row for each word, whose name has its colour in all.

    `tables` goes by sentences, `colours` by words in small letters.
    """
    for ax, (sentence, table) in zip(axes, tables.items(), strict=True):
        words = sentence.lower().split()
        coloured_cells(ax, table, title=f"“{sentence}”", xlabel="column", limit=limit)
        # White gaps between rows: a row is one vector.
        named_cells(ax, words, range(len(table[0])), gap=5)
        for tick, word in zip(ax.get_yticklabels(), words, strict=True):
            tick.set(color=colours[word], fontweight="bold")
    figure = axes[0].figure
    colour_scale(figure, axes, label="output", limit=limit)
    figure.suptitle(title, x=0.01, ha="left")


def swapped_scores(axes, permutation, scores, words, *, frame, limit) -> None:
    """Draw three tables: a permutation, scores, and the scores after their words changed places.

    `permutation` is a matrix, and `frame` the (row, column) of a score that is framed before and
    after.
    """
    # In a row of the permutation the 1 says which word comes there, in a column where it goes.
    moved_words = [words[row.argmax()] for row in permutation]
    moved_frame = [permutation[:, place].argmax() for place in frame]
    unnamed = [""] * len(words)
    panels = [
        (permutation, "$P$", unnamed, unnamed, None),
        (scores, "$S$", words, words, frame),
        (permutation @ scores @ permutation.T, "$P S P^T$", moved_words, moved_words, moved_frame),
    ]
    for ax, (table, title, rows, columns, place) in zip(axes, panels, strict=True):
        coloured_cells(ax, table, title=title, limit=limit)
        for (row, column), entry in np.ndenumerate(table):
            text = f"{entry:.2f}".removesuffix(".00").replace("-", "\N{MINUS SIGN}")
            colour = "white" if abs(entry) > 0.65 * limit else INK  # what is read on its colour
            ax.text(column, row, text, color=colour, **MIDDLE)
        named_cells(ax, rows, columns, gap=2)
        for edge in range(1, len(words)):
            ax.axvline(edge - 0.5, color="white", linewidth=2)
        if place is None:  # a permutation is mostly white, and a frame shows where it ends
            ax.spines[:].set(visible=True, color=FAINT)
        else:
            framed(ax, place[1], place[0], zorder=3)  # over the white lines between cells


def mean_among_rows(ax, rows, weights) -> None:
    """Draw the rows of three words as the corners of a triangle, and their weighted mean in it.

    `rows` has the (x, y) of each word. The lines to the mean are as thick as the weights are large,
    which add up to 1.
    """
    corners = np.array(list(rows.values()), dtype=float)
    mean = weights @ corners
    ax.fill(*corners.T, facecolor=FAINT, alpha=0.35, edgecolor="none")
    for (word, corner), weight in zip(rows.items(), weights, strict=True):
        across, upright = zip(mean, corner, strict=True)
        ax.plot(across, upright, color=NEUTRAL, linewidth=10 * weight, alpha=0.6)
        ax.plot(*corner, "o", color=INK, markersize=7)
        # On the right, but on the left for a corner straight below the mean, whose name is there.
        side = -1 if corner[0] == mean[0] else 1
        name = f"{word} ({corner[0]:g}, {corner[1]:g}), weight {weight:g}"
        place = {"ha": "left" if side > 0 else "right", "va": "center"}
        beside(ax, name, corner, (10 * side, 0), **place)
    ax.plot(*mean, "o", color=HIGHLIGHT, markeredgecolor=INK, markersize=12)
    beside(ax, f"({mean[0]:g}, {mean[1]:g})", mean, (12, 4), weight="bold")
    ax.set(xlabel="first entry", ylabel="second entry")
    # Names reach beyond the corners on both sides.
    ax.set(xlim=(corners[:, 0].min() - 1, corners[:, 0].max() + 1.4))
    ax.xaxis.set_major_locator(MultipleLocator(1))
    step = max(1, np.ptp(corners[:, 1]) // 4)  # whole numbers, and about four ticks
    ax.yaxis.set_major_locator(MultipleLocator(step))
    ax.margins(y=0.15)


def sum_in_two_orders(axes, parts, titles) -> None:
    """Draw weighted rows as arrows, each from where the one before ends: in order, and reversed.

    `parts` has for each of three words its weight times its row, two numbers.
    """
    names, arrows = list(parts), np.array(list(parts.values()))
    total = arrows.sum(axis=0)
    for ax, title, order in zip(axes, titles, ([0, 1, 2], [2, 1, 0]), strict=True):
        ends = arrows[order].cumsum(axis=0)
        for word, end in zip(order, ends, strict=True):
            start = end - arrows[word]
            arrow(ax, start, end, NEUTRAL)
            beside(ax, names[word], (start + end) / 2, (8, -2), va="top")
        ax.plot(*total, "o", color=HIGHLIGHT, markeredgecolor=INK, markersize=10)
        beside(ax, f"({total[0]:g}, {total[1]:g})", total, (10, 4), weight="bold")
        ax.set_title(title)
        # The names stand below the arrows, and the sum beside the last tip.
        ax.set(xlabel="first entry", xlim=(-0.15, total[0] + 0.9), ylim=(-0.4, total[1] + 0.2))
        ax.xaxis.set_major_locator(MultipleLocator(1))
        ax.yaxis.set_major_locator(MultipleLocator(1))
    axes[0].set_ylabel("second entry")


def failed_repairs(axes, positions, cosines, lengths, shares) -> None:
    """Draw cosines of words with an index added, and beside them the share k/L of one position.

    `cosines` has for each of three names the cosine of two words at each of the `positions`;
    `shares` has k/L at position 3 for each of the `lengths`.
    """
    index, share = axes
    styles = ["-", "--", ":"]
    for style, (name, values) in zip(styles, cosines.items(), strict=True):
        index.plot(positions, values, color=NEUTRAL, linestyle=style, label=name)
    index.set(xlabel="position k (tokens)", ylabel="cosine between two words", ylim=(0, 1.05))
    index.set_title("What grows drowns the words")
    index.legend(loc="center right")
    share.plot(lengths, shares, color=NEUTRAL)
    # In the shortest text with a position 3, of 4 tokens, the share is 3/4.
    share.set(xlabel="length L (tokens)", ylabel="k/L at position 3", ylim=(0, 0.8))
    share.set_title("k/L changes with the length")
