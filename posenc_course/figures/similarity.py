"""Dot products and distances: by gap, through a matrix, as attention, and positions read back."""

import matplotlib.pyplot as plt
import numpy as np

from posenc_course.figures.clocks import face
from posenc_course.figures.style import (
    COSINE,
    FAINT,
    HIGHLIGHT,
    INK,
    NEUTRAL,
    SHIFT,
    SINE,
    SMALL,
    beside,
)
from posenc_course.figures.tables import coloured_cells


def picture_and_rows(axes, products, rows) -> None:
    """Draw a square table of dot products as colours, and beside it three of its rows as curves.

    `rows` are the numbers of these rows, each with a line across the table.
    """
    picture, curves = axes
    limit = float(np.abs(products).max())
    _square(picture, products, "each diagonal has one value", "position l", "position k")
    for row, colour in zip(rows, (SINE, COSINE, SHIFT), strict=True):
        picture.axhline(row, color=colour, linewidth=1.5)
        curves.plot(products[row], color=colour, linewidth=1.8)
        # Above the peak of the curve, which is at position k itself.
        curves.text(row, limit * 1.04, f"k = {row}", color=colour, ha="center", fontsize=SMALL)
    curves.axhline(0, color=FAINT, linewidth=1, zorder=0)
    curves.set(xlabel="position l", ylabel="dot product", ylim=(None, limit * 1.18))
    curves.set_title("one curve, slid along")


def kernel_and_rises(axes, kernel, *, window) -> None:
    """Draw the dot product by distance, on both sides of 0, and below it its changes as bars.

    `kernel` has it for each distance from 0 on; `window` is the first and the last distance of
    which the changes to the next are drawn, rises in gold. At least one of them must rise.
    """
    whole, changes = axes
    gaps = np.arange(1 - len(kernel), len(kernel))  # a distance back has the same dot product
    whole.plot(gaps, kernel[np.abs(gaps)], color=SHIFT)
    whole.axvline(0, color=FAINT, linewidth=1, zorder=0)
    whole.set(ylim=(0, None), ylabel="dot product", xlabel="Δ (tokens)")
    first, last = window
    starts = np.arange(first, last + 1)
    steps = np.diff(kernel)[starts]
    rising = steps > 0
    changes.axhline(0, color=NEUTRAL, linewidth=0.8)
    changes.bar(starts[~rising], steps[~rising], color=NEUTRAL, width=0.7)
    changes.bar(starts[rising], steps[rising], color=HIGHLIGHT, width=0.7)
    earliest = int(starts[rising][0])  # the first rise is named
    name, top = f"{earliest} to {earliest + 1}", (earliest, float(steps[rising][0]))
    beside(changes, name, top, (0, 6), ha="center")
    changes.margins(y=0.2)
    changes.set(xlabel="from Δ to Δ + 1 (tokens)", ylabel="change", xlim=(first - 1, last + 1))


def kernel_on_log_axis(ax, gaps, kernel, *, per_decade, at_one) -> None:
    """Draw the dot product by distance on a logarithmic axis, and a straight line, dotted.

    The line is at `at_one` at distance 1, and falls by `per_decade` from there to distance 10.
    """
    ax.axhline(0, color=FAINT, linewidth=1, zorder=0)
    ax.plot(gaps, at_one - per_decade * np.log10(gaps), color=NEUTRAL, linestyle=":", linewidth=1.5)
    ax.plot(gaps, kernel, color=SHIFT, linewidth=1)
    ax.set(xscale="log", xlabel="Δ (tokens)", ylabel="dot product")
    ax.tick_params(which="minor", length=2)  # the style hides these ticks, which show the decades


def weights_of_heads(axes, heads) -> None:
    """Draw for each head its square table of attention weights, in shades of its largest weight.

    `heads` has the weights by name.
    """
    for ax, (name, weights) in zip(axes, heads.items(), strict=True):
        _square(ax, weights, name, xlabel="looks at", ylabel="position")
        ax.locator_params(integer=True)  # no ticks between positions
        ax.spines[:].set_visible(True)  # most weights are nearly 0 and white
        ax.label_outer()


def scores_through_matrices(axes, scores) -> None:
    """Draw for each name its square table of scores, in shades of its own largest entry."""
    for ax, (name, table) in zip(axes, scores.items(), strict=True):
        _square(ax, table, name, xlabel="key's position", ylabel="query's position")
        ax.label_outer()


def _square(ax, table, title, xlabel, ylabel) -> None:
    """Draw a square table in shades of its own largest entry."""
    limit = float(np.abs(table).max())
    coloured_cells(ax, table, title=title, xlabel=xlabel, ylabel=ylabel, limit=limit)
    ax.set_aspect("equal")


def shares_before_and_after(ax, shares, *, chance) -> None:
    """Draw for each task a row of dots, one share for each head before training and one after.

    `shares` has for each task the shares before and after, a number for each head; `chance`, a
    dotted line, is that of a random matrix.
    """
    for row, (before, after) in enumerate(shares.values()):
        spread = np.linspace(-0.16, 0.16, len(before))  # so that dots do not hide one another
        ax.plot(before, row + spread, "o", color=FAINT, markeredgecolor=NEUTRAL, markersize=5)
        ax.plot(after, row + spread, "o", color=SHIFT, markersize=5, alpha=0.8)
    ax.axvline(chance, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
    # The legend names the dots of one task, which were drawn first, and the line, drawn last.
    names = zip(ax.lines[:2], ("before training", "after"), strict=True)
    for dots, name in (*names, (ax.lines[-1], "at random")):
        dots.set_label(name)
    ax.legend(loc="upper center", bbox_to_anchor=(0.4, -0.29), ncols=3)
    ax.set(xlim=(-0.03, 1.03), xlabel="share of W that turns each pair and does nothing else")
    ax.set_yticks(range(len(shares)), list(shares))
    ax.invert_yaxis()  # the first task is above


def turns_by_pair(ax, turns, sizes, *, wanted) -> None:
    """Draw for each head and pair a dot at the tokens by which it turns, larger for a louder pair.

    `turns` and `sizes` have a row for each head and a column for each pair; `wanted` is the turn
    that the task asks for.
    """
    pairs = np.broadcast_to(np.arange(turns.shape[1]), turns.shape)
    # The heads of a pair stand side by side.
    nudged = pairs + np.linspace(-0.2, 0.2, len(turns))[:, np.newaxis]
    ax.axhline(wanted, color=NEUTRAL, linestyle=":", linewidth=1.2, zorder=0)
    areas = 4 + 2.2 * sizes  # even a silent pair is seen
    ax.scatter(nudged, turns, s=areas, color=SHIFT, alpha=0.55, linewidths=0)
    ax.text(0.02, 0.9, "large dot: a loud pair", color=SHIFT, transform=ax.transAxes)
    ax.set(xlabel="pair i", ylabel="turn (tokens)", xticks=range(turns.shape[1]))


def scores_at_one_distance(ax, curves) -> None:
    """Draw two curves of the score of two positions a fixed distance apart, along the text.

    `curves` has for each of two names a score for each position of the query from 0 on. The first
    is the one that stays level, and thicker.
    """
    looks = {"color": SHIFT, "linewidth": 2.5}, {"color": INK, "linewidth": 1.2}
    for (name, values), look in zip(curves.items(), looks, strict=True):
        ax.plot(values, label=name, **look)
    ax.axhline(0, color=FAINT, linewidth=1, zorder=0)
    ax.set(xlabel="position of the query (tokens)", ylabel="score")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.3), ncols=2)


def returning_hands(axes, frequencies, positions) -> None:
    """Draw a clock for each frequency: the hand at two positions, and how many turns in between."""
    for number, (ax, frequency) in enumerate(zip(axes, frequencies, strict=True)):
        first, second = (frequency * position for position in positions)
        face(ax, hands=[(first, INK, ""), (second, SHIFT, "")], room=1.15)
        turns = frequency * (positions[1] - positions[0]) / (2 * np.pi)
        ax.set_xlabel(f"hand {number}: {turns:.2f} turns")
    for position, colour, height in zip(positions, (INK, SHIFT), (0.36, 0.56), strict=True):
        look = {"color": colour, "fontweight": "bold", "transform": axes[0].transAxes}
        # Between the clocks; in the layout the text would push them apart.
        axes[0].text(1.04, height, f"k = {position}", **look).set_in_layout(False)


def distances_with_dip(ax, gaps, distances, *, dip) -> None:
    """Draw the distance of encodings by the gap of positions, with the gap `dip` marked in gold.

    `dip` is one of the `gaps`.
    """
    low = float(distances[gaps == dip][0])
    ax.plot(gaps, distances, ".-", color=NEUTRAL, linewidth=1, markersize=5)
    ax.plot(dip, low, "o", color=HIGHLIGHT, markeredgecolor=INK, markersize=9)
    beside(ax, f"Δ = {dip}", (dip, low), (9, -3))
    ax.set(xlabel="Δ (tokens)", ylabel="distance", xlim=(0, gaps[-1] + 1), ylim=(-0.15, None))


def margins_by_width(ax, lengths, margins) -> None:
    """Draw the smallest distance of two positions by the length of the text, a line for each width.

    `margins` goes from each width to a distance for each of the `lengths`.
    """
    # Without the end of viridis, a yellow that is hard to see on white.
    shades = plt.get_cmap("viridis")(np.linspace(0.8, 0.05, len(margins)))
    for (width, values), shade in zip(margins.items(), shades, strict=True):
        ax.step(lengths, values, color=shade, where="post")  # level until the next length
        look = {"va": "center", "color": shade}
        beside(ax, f"d = {width}", (lengths[-1], values[-1]), (6, 0), **look)
    ax.set(xscale="log", yscale="log", xlabel="length L (tokens)", ylabel="smallest distance")
    ax.set_xlim(lengths[0], lengths[-1])


def coarse_to_fine(axes, wavelengths, estimates, truth) -> None:
    """Draw for each pair, from the slowest on, an axis with the position read so far, ever finer.

    Of each pair these are the wavelength and the position that is read with it and the slower ones;
    `truth` is the position itself.
    """
    before = wavelengths[0] / 2  # nothing is read yet: the middle of the slowest turn
    for row, (ax, turn, estimate) in enumerate(zip(axes, wavelengths, estimates, strict=True)):
        # The slowest pair turns once in all positions: one turn is drawn. A faster one comes back
        # to the same angle a turn later, and of these places the one nearest to `before` is meant:
        # about three turns are drawn.
        reach = 0.5 if row == 0 else 1.7  # to each side, in turns
        places = estimate + turn * np.arange(-3, 4)  # all that are in sight, and more
        ax.axhline(0, color=FAINT, linewidth=1)
        if row:
            ax.axvline(before, color=SHIFT, linewidth=3, alpha=0.6)
            repeated = {"color": "white", "markeredgecolor": INK, "markersize": 8}
            ax.plot(places, np.zeros_like(places), "o", **repeated)
        ax.axvline(truth, color=COSINE, linewidth=1.5, linestyle=":")
        ax.plot(estimate, 0, "o", color=HIGHLIGHT, markeredgecolor=INK, markersize=10)
        ax.set(xlim=(before - reach * turn, before + reach * turn), ylim=(-1, 1), yticks=[])
        ax.locator_params(axis="x", nbins=6, integer=True)
        ax.spines["left"].set_visible(False)
        pair = len(wavelengths) - 1 - row
        ax.text(1.02, 0.5, f"pair {pair}", transform=ax.transAxes, va="center")
        before = estimate
    axes[-1].set_xlabel("position (tokens)")


def reading_errors(ax, errors, *, bound) -> None:
    """Draw the largest errors of positions that are read back, a line for each of two formats.

    Both axes are logarithmic. `errors` has for each number format an error for each position.
    `bound` is the name of one more and the limit below which all of its errors are.
    """
    for (name, values), colour in zip(errors.items(), (COSINE, SINE), strict=True):
        last = len(values) - 1
        # A dot is the worst error of the positions from it to the next dot, six dots a decade. The
        # last position ends the last dot's and has none.
        count = round(6 * np.log10(last))
        edges = np.unique(np.geomspace(1, last, count).astype(int))[:-1]
        worst = np.maximum.reduceat(values, edges)
        ax.plot(edges, worst, "o-", color=colour, markersize=4, linewidth=1)
        ax.text(1.2, np.max(worst) * 2.5, name, color=colour, fontweight="bold")
    name, limit = bound
    # From the bottom of the axis on.
    ax.axhspan(1e-12, limit, color=NEUTRAL, alpha=0.25, linewidth=0)
    ax.text(1.2, limit * 0.35, f"{name}: in here", va="top", color=NEUTRAL, fontweight="bold")
    ax.axhline(0.5, color=INK, linewidth=1.2)
    ax.text(1.2, 0.8, "half a token: wrong position", va="bottom")
    ax.set(xscale="log", yscale="log", ylim=(1e-12, 20), xlim=(1, None))
    ax.set_yticks([1e-12, 1e-9, 1e-6, 1e-3, 1])
    ax.set(xlabel="position (tokens)", ylabel="largest error (tokens)")


def answers_beyond(ax, positions, answers, *, seen) -> None:
    """Draw what three fitted readers answer at each position, with the truth and what was `seen`.

    `answers` has for each name an answer for each of the `positions`, which ascend; up to the
    position `seen` they were fitted.
    """
    ax.axvspan(0, seen, color=FAINT, alpha=0.4, linewidth=0)
    ax.plot(positions, positions, color=NEUTRAL, linestyle=":", label="the truth")
    for (name, values), colour in zip(answers.items(), (SHIFT, INK, SINE), strict=True):
        ax.plot(positions, values, color=colour, linewidth=2, label=name)
    ax.text(seen / 2, 0.96 * positions[-1], "seen", ha="center", va="top")
    ax.set(xlabel="position (tokens)", ylabel="answer (tokens)", xlim=(0, positions[-1]))
    ax.set_ylim(-0.1 * positions[-1], 1.05 * positions[-1])
    ax.legend(
        loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=4, columnspacing=1, handlelength=1.7
    )
