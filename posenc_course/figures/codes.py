"""Binary counters beside encodings."""

import numpy as np
from matplotlib.patches import Wedge

from posenc_course.figures.clocks import face, tip
from posenc_course.figures.style import (
    FAINT,
    HIGHLIGHT,
    INK,
    MIDDLE,
    NEUTRAL,
    SHIFT,
    SINE,
    SMALL,
    beside,
)
from posenc_course.figures.tables import coloured_cells


def bits_beside_encoding(axes, bits, table, *, title="encoding", xlabel="column") -> None:
    """Draw a table of bits, a row for each position, and beside it a table of their encodings."""
    left, right = axes
    # 1 for a bit that is 0, and -1 for one that is 1: its colour is that of a sine below zero. The
    # limit of 1.4 makes both colours paler than the strongest of the map.
    signs = 1 - 2 * bits
    names = {"xlabel": "bit i", "ylabel": "position (tokens)"}
    coloured_cells(left, signs, title="bits", limit=1.4, **names)
    left.set_xticks(range(bits.shape[1]))  # a tick for each bit
    left.tick_params(axis="x", length=0)
    coloured_cells(right, table, title=title, xlabel=xlabel)


def bits_on_clocks(axes, bits, *, late) -> None:
    """Draw a clock for each bit, with a dot for each position of its period, filled where it is 1.

    `bits` has a row for each position and a column for each bit, the fastest first. `late` is a
    time in tokens: a dot stands where the hand is so long after the position. With half a token no
    dot is on the border between the half of the 1s and that of the 0s.
    """
    for b, ax in enumerate(axes):
        period = 2 ** (b + 1)
        # The bit is 1 in the second half of a turn, which is the left half of the clock.
        ax.add_patch(Wedge((0, 0), 1, 90, 270, color=FAINT, alpha=0.55, linewidth=0))
        ax.plot([0, 0], [-1, 1], color=NEUTRAL, linewidth=0.8)
        for k in range(period):
            angle = 2 * np.pi * (k + late) / period
            colours = {"markerfacecolor": INK if bits[k, b] else "white", "markeredgecolor": INK}
            ax.plot(*tip(angle), "o", **colours, markersize=9)
            ax.text(*tip(angle, 1.28), f"{k}", **MIDDLE)
        face(ax, room=1.5)
        ax.set_title(f"column headed {2**b}")


def step_sizes(axes, positions, flipped, moved) -> None:
    """Draw bars of how many bits flip in each step, and below them of how far the hands move.

    The step to a position stands at this position; the one that flips the most bits is gold.
    """
    largest = np.argmax(flipped)
    # The tops of the axes: a position below 256 has 8 bits, and the hands move by less than 2.
    panels = zip(axes, (flipped, moved), (8, 2), strict=True)
    for ax, sizes, top in panels:
        bars = ax.bar(positions, sizes, width=0.75, color=NEUTRAL)
        bars[largest].set_color(HIGHLIGHT)
        ax.set(xlim=(positions[0] - 1, positions[-1] + 1), ylim=(0, 1.2 * top))  # numbers fit in
        ax.set_yticks([0, top // 2, top])
    peak = (positions[largest], flipped[largest])
    beside(axes[0], f"{flipped[largest]}", peak, (0, 1), ha="center")
    # The hands move equally far in all steps, so the first stands for all.
    beside(axes[1], f"{moved[0]:.2f} at each step", (positions[0], moved[0]), (0, 4))
    axes[0].set_title("bits that flip")
    axes[1].set_title("distance that the row of hands moves")
    axes[1].set_xticks(positions[positions % 16 == 0])  # and so in the axes above, which share it
    axes[1].set_xlabel("step to position k")


def periods_in_band(ax, periods, matched, lowest, highest) -> None:
    """Draw the periods of bits as dots, below them one encoding's pairs, and the band of another.

    `matched` are the wavelengths of d = 16 and n = 256, which grow from pair to pair as the periods
    do from bit to bit: a line leads from each bit to its pair. The band from `lowest` to `highest`
    is that of 256 pairs with n = 10 000; the bits within it are filled.
    """
    within = (periods >= lowest) & (periods <= highest)
    ax.set_xscale("log", base=2)
    ax.axvspan(lowest, highest, ymin=0.08, ymax=0.94, color=FAINT, alpha=0.6, linewidth=0)
    middle = np.sqrt(lowest * highest)  # on a logarithmic axis
    ax.text(middle, 2.42, "256 pairs, n = 10 000", ha="center", va="bottom", color=NEUTRAL)
    bits, pairs = 2.0, 1.0  # the heights at which the dots stand
    digit = {"fontsize": SMALL, "ha": "center", "va": "center_baseline"}
    for b, (period, inside) in enumerate(zip(periods, within, strict=True)):
        face = INK if inside else "white"
        ax.plot(period, bits, "o", markerfacecolor=face, markeredgecolor=INK, markersize=18)
        ax.text(period, bits, f"{b}", color="white" if inside else INK, **digit)
    for i, wavelength in enumerate(matched):
        edges = [bits - 0.2, pairs + 0.2]  # the line joins these edges of the dots
        ax.plot([periods[i], wavelength], edges, color=NEUTRAL, linewidth=0.8)
        ax.plot(wavelength, pairs, "o", color=SINE, markersize=18)
        ax.text(wavelength, pairs, f"{i}", color="white", **digit)
    # The dots, from 2 to 2**16 tokens, keep their whole width.
    ax.set(xlim=(1.3, 2**16.9), ylim=(0.4, 2.9), xlabel="tokens in a period or in a turn")
    ax.set_yticks([bits, pairs], ["bits", "pairs of\nd = 16,\nn = 256"])
    ax.set_xticks(2.0 ** np.arange(2, 17, 2), [f"{2**e}" for e in range(2, 17, 2)])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def errors_of_best_matrix(axes, bit_errors, encoding_errors, *, first) -> None:
    """Draw the errors of the best matrix as colours, for bits and beside it for the encoding.

    Both tables have a row for each position from `first` on.
    """
    panels = zip(axes, (bit_errors, encoding_errors), ("bits", "encoding"), strict=True)
    for ax, errors, title in panels:
        coloured_cells(ax, errors, title=title, xlabel="column", first=first)
        # An error of 0 is white: a frame shows where the table is.
        ax.spines[:].set_visible(True)
    axes[0].set_ylabel("position (tokens)")


def distances_by_gap(ax, gaps, lowest, highest, *, label) -> None:
    """Draw for each gap a line from the smallest to the largest distance of positions so far apart.

    `label` says what is a distance.
    """
    ax.vlines(gaps, lowest, highest, color=SHIFT, linewidth=3, alpha=0.5)
    for ends in (lowest, highest):
        ax.plot(gaps, ends, "o", color=SHIFT, markersize=3.5)
    ax.set(xlabel="Δ (tokens)", ylabel=label)
