"""Figures of the chapter on the formula."""

import numpy as np

from posenc_course.figures.clocks import clock
from posenc_course.figures.style import FAINT, HIGHLIGHT, INK, NEUTRAL, SINE


def position_clocks(axes, positions, frequencies, *, title):
    """Draw each position as a row of clocks, one hand for each frequency."""
    for row, position in zip(axes, positions, strict=True):
        for ax, frequency in zip(row, frequencies, strict=True):
            clock(ax, position * frequency)
        row[0].set_ylabel(f"k = {position:g}", rotation=0, ha="right", va="center", labelpad=12)
    for ax, frequency in zip(axes[0], frequencies, strict=True):
        ax.set_title(f"ω = {frequency:g}", loc="center", fontweight="normal")
    axes[0, 0].figure.suptitle(title, x=0.01, ha="left")


def hand_clocks(axes, positions, frequencies, *, title):
    """Draw each hand as a row of clocks, one for each position."""
    for row, frequency in zip(axes, frequencies, strict=True):
        for ax, position in zip(row, positions, strict=True):
            clock(ax, position * frequency)
            ax.set_xlabel(f"angle {position * frequency:g}", color=NEUTRAL)
    for ax, position in zip(axes[0], positions, strict=True):
        ax.set_title(f"k = {position}", loc="center", fontweight="normal")
    axes[0, 0].figure.suptitle(title, x=0.01, ha="left")


def rows_over_pairs(axes, positions, table, *, title):
    """Draw the sines of some rows of a table, pair after pair."""
    for ax, position in zip(axes, positions, strict=True):
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.plot(table[position, 0::2], ".-", color=SINE, markersize=3, linewidth=1.2)
        ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1])
        ax.set_title(f"k = {position}", fontweight="normal")
        if ax.get_subplotspec().is_last_row():
            ax.set_xlabel("pair i")
    axes[0].figure.suptitle(title, x=0.01, ha="left")


def column_and_row(axes, table, frequencies, *, pair, position):
    """Draw the sines down one column and along one row, each whole turn marked."""
    column, row = axes
    places = np.arange(len(table))
    turns = places[-1] * frequencies[pair] // (2 * np.pi)
    starts = np.arange(turns + 1) * 2 * np.pi / frequencies[pair]
    _marked_wave(column, table[:, 2 * pair], starts)
    column.set(title=f"Down a column (i = {pair})", xlabel="position k (tokens)")

    # Along a row the angle falls from `position` radians towards 0; between pairs its
    # logarithm is a straight line.
    angles = position * frequencies
    turns = np.arange(np.floor(angles[0] / (2 * np.pi)), 0, -1)
    pairs = np.arange(len(frequencies))
    starts = np.interp(np.log(2 * np.pi * turns), np.log(angles[::-1]), pairs[::-1])
    _marked_wave(row, table[position, 0::2], starts)
    row.set(title=f"The sines along a row (k = {position})", xlabel="pair i")


def _marked_wave(ax, values, starts):
    """Draw sampled values, and a mark at each whole turn."""
    ax.axhline(0, color=FAINT, linewidth=1)
    ax.plot(values, ".-", color=SINE, markersize=3.5, linewidth=1.2)
    ax.vlines(starts, -1.1, 1.1, color=HIGHLIGHT, linewidth=1.2)
    ax.plot(starts, np.zeros_like(starts), "o", color=HIGHLIGHT, markeredgecolor=INK, markersize=5)
    ax.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1], xlim=(-1, len(values)))
