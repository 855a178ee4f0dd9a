"""Binary counters beside encodings."""

import numpy as np

from posenc.figures.style import FAINT, HIGHLIGHT, INK, NEUTRAL, SHIFT, SINE
from posenc.figures.tables import heat_map


def bits_beside_encoding(axes, bits, table):
    """Draw the bits of the first positions, and beside them their encodings.

    Parameters
    ----------
    axes : pair of Axes
        They should share their vertical axis.
    bits : array_like, shape (positions, width)
        The least significant bit first.
    table : array_like, shape (positions, columns)

    Returns
    -------
    pair of Axes
        The axes passed in.
    """
    left, right = axes
    # Drawn as -1 and 1: a bit is to the one side of 0 or to the other, as a sine is.
    heat_map(
        left,
        2 * np.asarray(bits) - 1,
        title="bits",
        xlabel="bit b",
        ylabel="position (tokens)",
        limit=1.4,
        colour_bar=False,
    )
    left.set_xticks(range(np.shape(bits)[1]))
    left.tick_params(axis="x", length=0)
    heat_map(right, table, title="encoding", xlabel="column", ylabel="", colour_bar=False)
    return axes


def rounded_hands(axes, waves, bits):
    """Draw waves, the tokens that sample them, and the bit that each token rounds to.

    Parameters
    ----------
    axes : sequence of Axes
        One for each bit.
    waves : callable
        The value of the wave of bit b at a place: ``waves(b, places)``.
    bits : array_like, shape (positions, width)
        The least significant bit first.

    Returns
    -------
    sequence of Axes
        The axes passed in.
    """
    bits = np.asarray(bits)
    positions = np.arange(len(bits))
    places = np.linspace(-0.5, len(bits) - 0.5, 1200)
    for b, ax in enumerate(axes):
        ones = bits[:, b] == 1
        values = waves(b, positions)
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.plot(places, waves(b, places), color=SINE, linewidth=1.5, alpha=0.6)
        ax.plot(positions[ones], values[ones], "o", color=INK, markersize=5, label="bit is 1")
        ax.plot(
            positions[~ones],
            values[~ones],
            "o",
            markerfacecolor="white",
            markeredgecolor=INK,
            markersize=5,
            label="bit is 0",
        )
        ax.text(1.01, 0.5, f"bit {b}", transform=ax.transAxes, va="center")
        ax.set(xlim=(-0.5, len(bits) - 0.5), ylim=(-1.3, 1.3), yticks=[])
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.tick_params(length=0)
    axes[-1].spines["bottom"].set_visible(True)
    axes[-1].tick_params(length=3.5)
    axes[-1].set_xlabel("position (tokens)")
    return axes


def periods_on_ladder(ax, wavelengths, periods):
    """Draw the wavelengths of the pairs, and the periods of the bits across them.

    Parameters
    ----------
    ax : Axes
    wavelengths : array_like, shape (d/2,)
        Tokens per turn, the first pair first.
    periods : array_like
        Tokens per period of each bit.

    Returns
    -------
    Axes
        The axes passed in.
    """
    pairs = np.arange(len(wavelengths))
    ax.set_yscale("log", base=2)
    for b, period in enumerate(periods):
        ax.axhline(period, color=FAINT, linewidth=1, zorder=0)
        ax.text(
            1.01,
            period,
            f"bit {b}",
            transform=ax.get_yaxis_transform(),
            va="center",
            fontsize=9,
            color=NEUTRAL,
        )
    ax.plot(pairs, wavelengths, "o", color=SINE, markersize=2.5)
    ax.set(xlabel="pair i", ylabel="period (tokens)")
    ax.minorticks_off()
    return ax


def steps_of_codes(axes, flips, distances):
    """Draw how many bits flip at each step, and how far the encoding moves.

    Parameters
    ----------
    axes : pair of Axes
        One above the other, with one horizontal axis.
    flips : array_like of int, shape (positions - 1,)
    distances : array_like of float, shape (positions - 1,)

    Returns
    -------
    pair of Axes
        The axes passed in.
    """
    above, below = axes
    flips = np.asarray(flips)
    starts = np.arange(len(flips))
    worst = flips == flips.max()
    above.vlines(starts, 0, flips, color=NEUTRAL, linewidth=0.9)
    above.vlines(starts[worst], 0, flips[worst], color=HIGHLIGHT, linewidth=2.5)
    for start in starts[worst]:
        above.text(start + 4, flips.max(), f"{start} to {start + 1}", va="center")
    above.set(ylabel="bits that flip", ylim=(0, flips.max() + 1), yticks=range(0, 9, 2))
    below.plot(starts, distances, color=SINE)
    below.set(xlabel="from position k to k + 1", ylabel="distance", ylim=(0, 5))
    below.set_xlim(-2, len(flips) + 1)
    return axes


def errors_of_best_matrix(axes, bit_errors, encoding_errors, *, first=0):
    """Draw what the best matrix gets wrong, for bits and for the encoding.

    Parameters
    ----------
    axes : pair of Axes
        They should share their vertical axis.
    bit_errors, encoding_errors : array_like, shape (positions, columns)
    first : int, optional
        The position of the first row.

    Returns
    -------
    pair of Axes
        The axes passed in.
    """
    panels = zip(axes, (bit_errors, encoding_errors), ("bits", "encoding"), strict=True)
    for ax, errors, title in panels:
        rows, columns = np.shape(errors)
        heat_map(ax, errors, title=title, xlabel="column", ylabel="", colour_bar=False)
        ax.set_xticks(range(0, columns, 5))
        ax.images[0].set_extent((-0.5, columns - 0.5, first + rows - 0.5, first - 0.5))
        # An error of 0 is white: a frame shows where the table is.
        ax.spines[:].set_visible(True)
    axes[0].set_ylabel("position (tokens)")
    return axes


def distances_by_gap(ax, gaps, lowest, highest, *, label):
    """Draw, for each gap, from the smallest to the largest distance of positions so far apart.

    Parameters
    ----------
    ax : Axes
    gaps : array_like
        Tokens between the two positions.
    lowest, highest : array_like
        The smallest and the largest distance for each gap.
    label : str
        Label of the vertical axis.

    Returns
    -------
    Axes
        The axes passed in.
    """
    ax.vlines(gaps, lowest, highest, color=SHIFT, linewidth=3, alpha=0.5)
    for ends in (lowest, highest):
        ax.plot(gaps, ends, "o", color=SHIFT, markersize=3.5)
    ax.set(xlabel="Δ (tokens)", ylabel=label)
    return ax
