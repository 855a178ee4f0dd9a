"""Figures of the rotation proof: the matrix that takes every row to a later one."""

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from posenc_course.figures.style import (
    FAINT,
    HIGHLIGHT,
    INK,
    MIDDLE,
    NEUTRAL,
    SHIFT,
    SINE,
    SMALL,
    framed,
)
from posenc_course.figures.tables import coloured_cells


def shift_blocks(ax, matrix, *, layout, pair, title) -> None:
    """Draw a shift matrix as colours, with the four entries of the pair numbered `pair` framed."""
    width = len(matrix)
    coloured_cells(ax, matrix, title=title, xlabel="column", ylabel="row")
    # Thin white lines part the entries, whose middles are at whole numbers.
    edges = np.arange(-0.5, width)
    ax.hlines(edges, -0.5, width - 0.5, color="white", linewidth=0.8)
    ax.vlines(edges, -0.5, width - 0.5, color="white", linewidth=0.8)
    middle = width // 2
    marks = [0, middle, width - 1]
    ax.set(aspect="equal", xticks=marks, yticks=marks)
    ax.tick_params(length=0)
    # Most entries are 0 and white: a frame shows where the matrix ends.
    framed(ax, 0, 0, width, width, color=FAINT, linewidth=1, clip_on=False)
    if layout == "interleaved":
        framed(ax, 2 * pair, 2 * pair, 2, 2, linewidth=2.5, zorder=3)  # over the white lines
        return
    # In halves the two columns of a pair, and its two rows, are apart.
    for x, y in product((pair, pair + middle), repeat=2):
        framed(ax, x, y, linewidth=2.5, zorder=3)


def blocks_and_pairs(ax, position, shift, frequencies) -> None:
    """Draw M(shift) · P(position) = P(position + shift) with all numbers, one colour for each hand.

    M is the matrix of a shift, with a block of 2 x 2 for each hand; the rows P stand as columns.
    """
    width = 2 * len(frequencies)
    columns = width + 1, width + 3  # where the two rows stand, with a sign before each
    # Without the end of viridis, a yellow that is hard to see on white.
    shades = plt.get_cmap("viridis")(np.linspace(0.1, 0.9, len(frequencies)))
    framed(ax, 0, 0, width, width, color=NEUTRAL, linewidth=1)
    for hand, (omega, shade) in enumerate(zip(frequencies, shades, strict=True)):
        cosine, sine = np.cos(omega * shift), np.sin(omega * shift)
        block = (0, 0, cosine), (0, 1, sine), (1, 0, -sine), (1, 1, cosine)
        # Of each number of this hand the row, the column and the value.
        entries = [(2 * hand + down, 2 * hand + right, value) for down, right, value in block]
        for column, k in zip(columns, (position, position + shift), strict=True):
            entries.append((2 * hand, column, np.sin(omega * k)))
            entries.append((2 * hand + 1, column, np.cos(omega * k)))
        tint = {"facecolor": shade, "alpha": 0.28}
        ax.add_patch(Rectangle((2 * hand - 0.5, 2 * hand - 0.5), 2, 2, **tint))
        for column in columns:
            ax.add_patch(Rectangle((column - 0.5, 2 * hand - 0.5), 1, 2, **tint))
        for row, column, value in entries:
            rounded = round(value, 2) + 0.0  # a small negative number gives 0.0, and no -0.0
            text = f"{rounded:.2f}".replace("-", "\N{MINUS SIGN}")
            ax.text(column, row, text, fontsize=SMALL, **MIDDLE)
        ax.text(-0.8, 2 * hand + 0.5, f"hand {hand}", ha="right", va="center", color=NEUTRAL)
    for row, column in product(range(width), repeat=2):
        if row // 2 != column // 2:  # outside the blocks
            ax.text(column, row, "0", color=NEUTRAL, fontsize=SMALL, **MIDDLE)
    names = (
        (width / 2 - 0.5, f"$M({shift})$"),
        *zip(columns, (f"$P_{{{position}}}$", f"$P_{{{position + shift}}}$"), strict=True),
    )
    for column, name in names:
        ax.text(column, -0.75, name, ha="center", va="bottom")
    for column, sign in zip(columns, ("\N{MIDDLE DOT}", "="), strict=True):
        ax.text(column - 1, width / 2 - 0.5, sign, fontsize=22, **MIDDLE)
    ax.set(xlim=(-2.6, width + 3.6), ylim=(width - 0.4, -1.6))
    ax.axis("off")


def guessed_next(axes, truth, guesses, titles) -> None:
    """Draw for each guess the true sines of the next rows as a curve, and the guessed ones as dots.

    A guess is what a matrix makes of the rows before. Lines join what is right and what is guessed.
    """
    positions = np.arange(len(truth))
    for ax, guess, title in zip(axes, guesses, titles, strict=True):
        ax.vlines(positions, truth, guess, color=HIGHLIGHT, linewidth=3)
        ax.plot(positions, truth, color=SINE, alpha=0.6, linewidth=1.5, label="the next row")
        name = "best matrix times this row"
        ax.plot(positions, guess, "o", color=INK, markersize=4.5, label=name)
        ax.set(title=title, ylim=(-1.2, 1.2), yticks=[-1, 0, 1], ylabel="sine of pair 0")
    axes[-1].set_xlabel("position k (tokens)")
    axes[-1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.36), ncols=2)


def two_short_lists(ax, *, block, blocks, position) -> None:
    """Draw positions as a grid, a row for each block, and the two short lists that give `position`.

    Position aB + b is row b of the first block, turned by the turn of a blocks of B positions.
    `block` is B, and `blocks` says how many there are.
    """
    a, b = divmod(position, block)
    # The list of turns is a column to the left of the grid, that of first rows a row above it.
    for row in range(blocks):
        _cell(ax, -1.4, row, f"{row * block}", SHIFT, strong=row == a)
        for column in range(block):
            k = row * block + column
            chosen = k == position
            _cell(ax, column, row, f"{k}", HIGHLIGHT if chosen else None, strong=chosen)
    for column in range(block):
        _cell(ax, column, -1.4, f"{column}", SINE, strong=column == b)
    ax.text(-1.4, -1.15, "aB", color=SHIFT, ha="center", va="bottom", fontweight="bold")
    ax.text(block - 0.3, -1.4, "b", color=SINE, ha="left", va="center", fontweight="bold")
    ax.set(xlim=(-2, block + 0.2), ylim=(blocks - 0.4, -2), aspect="equal")
    ax.axis("off")


def _cell(ax, column, row, text, colour, *, strong) -> None:
    """Draw a square with a text in it, of a `colour` or white if None, and pale unless `strong`."""
    square = (column - 0.46, row - 0.46), 0.92, 0.92
    if colour is not None:
        shade = {"facecolor": colour, "alpha": 1 if strong else 0.2}
        ax.add_patch(Rectangle(*square, **shade))
    # A patch of its own, since the rim of a pale one would be pale too.
    ax.add_patch(Rectangle(*square, fill=False, color=FAINT, linewidth=0.8))
    ink = "white" if strong and colour in (SINE, SHIFT) else INK  # gold is light enough for ink
    weight = "bold" if strong else "normal"
    ax.text(column, row, text, color=ink, fontsize=SMALL, fontweight=weight, **MIDDLE)
