"""Figures of the chapters on the formula and with worked examples."""

from itertools import pairwise

import numpy as np

from posenc_course.figures.clocks import clock
from posenc_course.figures.style import (
    FAINT,
    HIGHLIGHT,
    INK,
    MIDDLE,
    NEUTRAL,
    SINE,
    SMALL,
    beside,
    framed,
)
from posenc_course.figures.tables import colour_scale, coloured_cells, named_cells


def position_clocks(axes, positions, frequencies, *, title) -> None:
    """Draw a row of clocks for each position, one clock with one hand for each frequency.

    `axes` is an array with a row for each position and a column for each frequency.
    """
    for row, position in zip(axes, positions, strict=True):
        for ax, frequency in zip(row, frequencies, strict=True):
            clock(ax, position * frequency)
        row[0].set_ylabel(f"k = {position:g}", rotation=0, ha="right", va="center", labelpad=12)
    for ax, frequency in zip(axes[0], frequencies, strict=True):
        ax.set_title(f"ω = {frequency:g}", loc="center", fontweight="normal")
    axes[0, 0].figure.suptitle(title, x=0.01, ha="left")


def equal_factors(axes, base, counts) -> None:
    """Draw for each of the `counts` that many hands as numbered dots on a logarithmic axis.

    Each hand is slower than the one before by the same factor, so that all gaps are alike. The axis
    is how many times slower than hand 0 it is. The base is a hollow dot, since no hand is so slow.
    """
    small = {"ha": "center", "fontsize": SMALL}
    for ax, hands in zip(axes, counts, strict=True):
        ax.set_xscale("log")
        slower = base ** (np.arange(hands + 1) / hands)
        # To three digits, but without an exponent.
        labels = [f"{float(f'{times:.3g}'):g}" for times in slower[:-1]]
        factor = f"\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}{labels[1]}"  # from hand 0 to hand 1
        labels.append(f"{base:,}".replace(",", "\N{NO-BREAK SPACE}"))
        hollow = {"facecolor": "white", "edgecolor": INK, "linewidth": 1.6}
        ax.scatter(slower[:-1], [0] * hands, s=300, color=INK)
        ax.scatter(slower[-1:], [0], s=300, **hollow)
        for times, label in zip(slower, labels, strict=True):
            beside(ax, label, (times, 0), (0, -13), va="top", **small)
        look = {"arrowstyle": "-|>", "color": NEUTRAL, "shrinkA": 0, "shrinkB": 0}
        # The height of an arc is a part of its width: more hands, and narrower arcs, need a larger
        # part for the same height.
        look["connectionstyle"] = f"arc3,rad={-0.045 * hands}"
        for hand, (here, following) in enumerate(pairwise(slower)):
            ax.text(here, 0, f"{hand}", color="white", va="center", **small)
            ax.annotate("", (following, 0.3), (here, 0.3), arrowprops=look)
            middle = np.sqrt(here * following), 0.3  # the middle on a logarithmic axis
            beside(ax, factor, middle, (0, 11), va="bottom", color=NEUTRAL, **small)
        ax.set_title(f"{hands} hands", fontweight="normal")
        ax.set(xlim=(0.75, 1.7 * base), ylim=(-0.65, 1), xticks=[], yticks=[])
        ax.minorticks_off()  # a logarithmic axis has these beside the ticks
        ax.spines[:].set_visible(False)
    axes[-1].set_xlabel("times slower than hand 0", labelpad=7)


def hand_clocks(axes, positions, frequencies, *, title) -> None:
    """Draw a row of clocks for each hand, one clock for each position, with the angle below it.

    `axes` is an array with a row for each frequency and a column for each position.
    """
    for row, frequency in zip(axes, frequencies, strict=True):
        for ax, position in zip(row, positions, strict=True):
            clock(ax, position * frequency)
            ax.set_xlabel(f"angle {position * frequency:g}", color=NEUTRAL)
    for ax, position in zip(axes[0], positions, strict=True):
        ax.set_title(f"k = {position}", loc="center", fontweight="normal")
    axes[0, 0].figure.suptitle(title, x=0.01, ha="left")


def rows_over_pairs(axes, positions, table, *, title) -> None:
    """Draw for each position the sines of its row of a table as a curve, pair after pair."""
    for ax, position in zip(axes, positions, strict=True):
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.plot(table[position, 0::2], ".-", color=SINE, markersize=3, linewidth=1.2)
        ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1])
        ax.set_title(f"k = {position}", fontweight="normal")
        if ax.get_subplotspec().is_last_row():  # the axes above share its horizontal axis
            ax.set_xlabel("pair i")
    axes[0].figure.suptitle(title, x=0.01, ha="left")


def column_and_row(axes, table, frequencies, *, pair, position) -> None:
    """Draw the sines down one pair of a table, below them those along a row, whole turns marked."""
    column, row = axes
    places = np.arange(len(table))
    finished = places[-1] * frequencies[pair] // (2 * np.pi)  # whole turns, down the column
    starts = np.arange(finished + 1) * 2 * np.pi / frequencies[pair]
    _marked_wave(column, table[:, 2 * pair], starts)
    column.set(title=f"Down a column (i = {pair})", xlabel="position k (tokens)")

    # Along a row the angle falls from `position` radians towards 0, and so do the whole turns in
    # it. Between pairs the logarithm of the angle is a straight line; backwards, as `interp` asks,
    # it rises.
    angles = position * frequencies
    turns = np.arange(angles[0] // (2 * np.pi), 0, -1)
    pairs = np.arange(len(frequencies))
    starts = np.interp(np.log(2 * np.pi * turns), np.log(angles[::-1]), pairs[::-1])
    _marked_wave(row, table[position, 0::2], starts)
    row.set(title=f"The sines along a row (k = {position})", xlabel="pair i")


def _marked_wave(ax, values, starts) -> None:
    """Draw sampled values, and a mark where each whole turn starts, counted in samples from 0."""
    ax.axhline(0, color=FAINT, linewidth=1)
    ax.plot(values, ".-", color=SINE, markersize=3.5, linewidth=1.2)
    ax.vlines(starts, -1.1, 1.1, color=HIGHLIGHT, linewidth=1.2)
    ax.plot(starts, np.zeros_like(starts), "o", color=HIGHLIGHT, markeredgecolor=INK, markersize=5)
    ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1], xlim=(-1, len(values)))


def worked_entries(ax, table, formulas, *, row_labels, column_labels, title) -> None:
    """Draw a small table as colours, with the formula and the value of each entry written on it.

    `formulas` has a row of texts for each row of the `table`.
    """
    coloured_cells(ax, table, title=title, limit=1.6)  # so pale that black is read on all
    for (row, column), entry in np.ndenumerate(table):
        look = {"ha": "center", "color": INK}
        ax.text(column, row - 0.05, formulas[row][column], va="bottom", fontsize=SMALL, **look)
        value = f"{entry:.3f}".replace("-", "−")
        ax.text(column, row + 0.02, value, va="top", fontweight="bold", **look)
    named_cells(ax, row_labels, column_labels, gap=4)
    for edge in range(1, len(column_labels)):
        between_pairs = edge % 2 == 0  # each pair has two columns
        ax.axvline(edge - 0.5, color="white", linewidth=4 if between_pairs else 1)


def written_sum(ax, labels, rows, places, *, title) -> None:
    """Draw words' rows, positions' rows and their sum side by side with every entry written in.

    `rows` are those of the words, which have whole numbers, `places` those of the positions, both
    of shape (n_words, width), and `labels` stand beside them.
    """
    length, width = places.shape
    left = 0.0
    # Of each table also the width of a cell, and the sign before it. A word's entries are whole
    # numbers, which need no decimals and less room.
    for name, table, cell, decimals, sign in (
        ("word", rows, 0.55, 0, ""),
        ("position", places, 1, 3, "+"),
        ("sum", rows + places, 1, 3, "="),
    ):
        right = left + cell * width
        extent = (left, right, length, 0)  # the first row is above
        # No entry is near 4, so that colours stay pale below the numbers.
        ax.imshow(table, vmin=-4, vmax=4, extent=extent, aspect="auto")
        for (row, column), entry in np.ndenumerate(table):
            text = f"{entry:.{decimals}f}".replace("-", "−")
            ax.text(left + cell * (column + 0.5), row + 0.5, text, fontsize=SMALL, **MIDDLE)
        ax.text((left + right) / 2, -0.15, name, ha="center", va="bottom", color=NEUTRAL)
        gap = 0.5
        ax.text(left - gap / 2, length / 2, sign, **MIDDLE)
        left = right + gap
    for edge in range(1, length):
        ax.axhline(edge, color="white", linewidth=4)
    ax.set_yticks(np.arange(length) + 0.5, labels)
    ax.set(xlim=(0, right), ylim=(length, 0), xticks=[])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(title, pad=30)  # above the names of the tables


def word_and_place(axes, words, embeddings, encoding, *, title, limit, marked=()) -> None:
    """Draw word vectors, place vectors and their sum as three tables, and frame the `marked` rows.

    `words` are the names of the rows. Colours are strongest at `limit`.
    """
    titles = ("what: looked up", "+ where: computed", "= their sum")
    tables = (embeddings, encoding, embeddings + encoding)
    for ax, name, table in zip(axes, titles, tables, strict=True):
        coloured_cells(ax, table, title=name, limit=limit)
        named_cells(ax, words, gap=3)
        for row in marked:
            # Over the white lines between rows, and whole at the edges of the table.
            framed(ax, 0, row, embeddings.shape[1], linewidth=2.5, zorder=3, clip_on=False)
            ax.get_yticklabels()[row].set_fontweight("bold")
    axes[-1].set_xlabel("column")
    figure = axes[0].figure
    colour_scale(figure, axes, label="entry", limit=limit)
    figure.suptitle(title, x=0.01, ha="left")


def lengths_by_width(ax, widths, lengths, *, title) -> None:
    """Draw a line for each of three vectors: its length by its width, on axes of powers of 2.

    `lengths` has for each name a length for each of the `widths`.
    """
    styles = ((NEUTRAL, "o--"), (INK, "o-"), (HIGHLIGHT, "s-"))
    for (name, values), (colour, line) in zip(lengths.items(), styles, strict=True):
        ax.loglog(widths, values, line, base=2, color=colour, markersize=5)
        beside(ax, name, (widths[-1], values[-1]), (8, 0), va="center")
    # In digits: on such an axis Matplotlib would write powers.
    ax.set_xticks(widths, [str(width) for width in widths])
    longest = max(map(max, lengths.values()))
    ticks = 2.0 ** np.arange(np.ceil(np.log2(longest)) + 1)  # from 1 to beyond the longest
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set(title=title, xlabel="width d", ylabel="length of the vector")
