"""Figures of the rotation proof: hands that turn, and the matrix that turns them."""

import numpy as np
from matplotlib.patches import Rectangle, Wedge

from posenc_course.figures.style import COSINE, FAINT, HIGHLIGHT, INK, NEUTRAL, SHIFT, SINE
from posenc_course.figures.tables import heat_map


def turning_hands(axes, positions, *, frequency, shift):
    """Draw one hand at several positions, and where it stands a shift later."""
    for ax, position in zip(axes, positions, strict=True):
        before, after = frequency * position, frequency * (position + shift)
        _dial(ax, before, after)
        start, end = ((1.3 * np.cos(angle), 1.3 * np.sin(angle)) for angle in (before, after))
        ax.text(*start, f"{position}", color=INK, ha="center", va="center")
        ax.text(*end, f"{position + shift}", color=SHIFT, ha="center", va="center")
        ax.annotate(
            "",
            (np.cos(after), np.sin(after)),
            (np.cos(before), np.sin(before)),
            arrowprops={
                "arrowstyle": "-|>",
                "color": HIGHLIGHT,
                "linewidth": 2.5,
                "shrinkA": 2,
                "shrinkB": 2,
            },
        )
        # A label at the rim must not move one clock of the row.
        for text in ax.texts:
            text.set_in_layout(False)
        ax.set(xlim=(-1.55, 1.55), ylim=(-1.55, 1.55))
    return axes


def carried_legs(axes, *, angle):
    """Draw a turn from the right, and from the top, where the same two legs lie a quarter on."""
    beside = 0.26 if abs(np.cos(angle)) < 0.6 else 0.42  # beyond the circle, or well within
    for ax, quarter in zip(axes, (0, np.pi / 2), strict=True):
        turned = quarter + angle
        along = np.array([np.cos(quarter), np.sin(quarter)])
        upright = np.array([-along[1], along[0]])
        corner, tip = np.cos(angle) * along, np.array([np.cos(turned), np.sin(turned)])
        for start, end, colour in (((0, 0), corner, COSINE), (corner, tip, SINE)):
            ax.plot(*zip(start, end, strict=True), color=colour, linewidth=4, zorder=2)
        _dial(ax, quarter, turned)
        for middle, away, distance, value, colour in (
            (corner / 2, -upright, 0.22, np.cos(angle), COSINE),
            ((corner + tip) / 2, np.cos(angle) * along, beside, np.sin(angle), SINE),
        ):
            at = middle + distance * away / np.linalg.norm(away)
            ax.text(*at, f"{abs(value):.2f}", color=colour, ha="center", va="center")
        ax.set(xlim=(-1.3, 1.3), ylim=(-1.1, 1.3))
    return axes


def two_orders(axes, *, angle, turn):
    """Draw one turn of a pair twice: with the cosine first, and with the sine first."""
    names = (("cosine", COSINE), ("sine", SINE))
    for ax, mirrored, title in (
        (axes[0], False, "(cos, sin): anticlockwise"),
        (axes[1], True, "(sin, cos): clockwise"),
    ):
        _dial(ax, angle, angle + turn, mirrored=mirrored, colour=INK)
        (across, across_colour), (up, up_colour) = reversed(names) if mirrored else names
        ax.text(1.5, 0, across, color=across_colour, ha="left", va="center")
        ax.text(0, 1.26, up, color=up_colour, ha="center", va="bottom")
        _pointer(ax, (1.45, 0), across_colour)
        _pointer(ax, (0, 1.22), up_colour)
        start = (0, 1) if mirrored else (1, 0)
        ax.plot(*start, "o", color="white", markeredgecolor=INK, markersize=8, zorder=4)
        at = (-0.18, 1.1) if mirrored else (1.05, -0.24)
        ax.text(*at, "k = 0", ha="right" if mirrored else "left", va="center", color=NEUTRAL)
        for text in ax.texts:
            text.set_in_layout(False)
        ax.set(xlim=(-1.1, 2.4), ylim=(-1.1, 1.6))
        ax.set_title(title)
    return axes


def shift_blocks(ax, matrix, *, layout="interleaved", pair=None, title):
    """Draw a shift matrix as colours, with one pair's four entries framed."""
    width = len(matrix)
    heat_map(ax, matrix, title=title, xlabel="column", ylabel="row", colour_bar=False)
    ax.set_aspect("equal")
    # Thin white lines part the entries.
    edges = np.arange(-0.5, width)
    ax.hlines(edges, -0.5, width - 0.5, color="white", linewidth=0.8)
    ax.vlines(edges, -0.5, width - 0.5, color="white", linewidth=0.8)
    middle = width // 2
    ax.set_xticks([0, middle, width - 1])
    ax.set_yticks([0, middle, width - 1])
    ax.tick_params(length=0)
    ax.add_patch(
        Rectangle((-0.5, -0.5), width, width, fill=False, color=FAINT, linewidth=1, clip_on=False)
    )
    if pair is not None:
        if layout == "interleaved":
            corners = [(2 * pair, 2 * pair)]
            size = 2
        else:
            corners = [(x, y) for x in (pair, pair + middle) for y in (pair, pair + middle)]
            size = 1
        for x, y in corners:
            ax.add_patch(
                Rectangle(
                    (x - 0.5, y - 0.5),
                    size,
                    size,
                    fill=False,
                    color=HIGHLIGHT,
                    linewidth=2.5,
                    zorder=3,
                )
            )
    return ax


def guessed_next(axes, truth, guesses, titles):
    """Draw a column one shift later, and what a matrix makes of the column before it."""
    positions = np.arange(len(truth))
    for ax, guess, title in zip(axes, guesses, titles, strict=True):
        ax.vlines(positions, truth, guess, color=HIGHLIGHT, linewidth=3)
        ax.plot(positions, truth, color=SINE, alpha=0.6, linewidth=1.5, label="the next row")
        ax.plot(
            positions, guess, "o", color=INK, markersize=4.5, label="best matrix times this row"
        )
        ax.set(ylim=(-1.2, 1.2), yticks=[-1, 0, 1], ylabel="sine of pair 0")
        ax.set_title(title)
    axes[-1].set_xlabel("position k (tokens)")
    axes[-1].legend(loc="upper center", bbox_to_anchor=(0.5, -0.36), ncols=2)
    return axes


def same_height(axes, positions, *, frequency, shift):
    """Draw one hand where it is equally high, with its sine, its cosine and the next height."""
    for ax, position in zip(axes, positions, strict=True):
        before, after = frequency * position, frequency * (position + shift)
        across, up = np.cos(before), np.sin(before)
        ax.plot([0, across], [0, 0], color=COSINE, linewidth=3, solid_capstyle="butt")
        ax.plot([across, across], [0, up], color=SINE, linewidth=3, solid_capstyle="butt")
        ax.axhline(up, color=SINE, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
        _dial(ax, before, after)
        for angle, colour in ((before, INK), (after, SHIFT)):
            away = 1.18 * np.cos(angle), 1.18 * np.sin(angle)
            tokens = position if colour == INK else position + shift
            ax.text(*away, f"{tokens}", color=colour, ha="center", va="center")
        ax.set(xlim=(-1.5, 1.5), ylim=(-1.15, 1.35))
        ax.set_title(f"sine {up:.2f}, then {np.sin(after):.2f}".replace("-", "\u2212"))
    return axes


def two_short_lists(ax, *, block, blocks, position):
    """Draw the positions as a grid of blocks, and the two rows that one entry is made of."""
    turn, rest = divmod(position, block)
    # One column apart from the grid, and one row: the lists of turns and of first rows.
    for row in range(blocks):
        _cell(ax, -1.4, row, f"{row * block}", SHIFT, strong=row == turn)
        for column in range(block):
            k = row * block + column
            chosen = k == position
            _cell(ax, column, row, f"{k}", HIGHLIGHT if chosen else None, strong=chosen)
    for column in range(block):
        _cell(ax, column, -1.4, f"{column}", SINE, strong=column == rest)
    ax.text(-1.4, -1.15, "aB", color=SHIFT, ha="center", va="bottom", fontweight="bold")
    ax.text(block - 0.3, -1.4, "b", color=SINE, ha="left", va="center", fontweight="bold")
    ax.set(xlim=(-2, block + 0.2), ylim=(blocks - 0.4, -2), aspect="equal")
    ax.axis("off")
    return ax


def _dial(ax, before, after, *, mirrored=False, colour=INK):
    """Draw a clock face, two hands, and the opening that the turn sweeps."""

    def tip(angle):
        # Mirrored at the diagonal, the sine is the first coordinate.
        point = np.cos(angle), np.sin(angle)
        return point[::-1] if mirrored else point

    turn = np.linspace(0, 2 * np.pi, 181)
    ax.plot(np.cos(turn), np.sin(turn), color=FAINT, linewidth=1.2, zorder=0)
    low, high = sorted((before, after))
    if mirrored:
        low, high = np.pi / 2 - high, np.pi / 2 - low
    ax.add_patch(
        Wedge((0, 0), 1, np.degrees(low), np.degrees(high), color=SHIFT, alpha=0.22, linewidth=0)
    )
    for angle, hand_colour in ((before, colour), (after, SHIFT)):
        x, y = tip(angle)
        ax.plot([0, x], [0, y], color=hand_colour, linewidth=2, solid_capstyle="round")
        ax.plot(x, y, "o", color=hand_colour, markersize=4.5)
    ax.set_aspect("equal")
    ax.axis("off")


def _pointer(ax, end, colour):
    """Draw an axis of a clock as an arrow from its middle."""
    arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, (0, 0), arrowprops=arrow, zorder=1)


def _cell(ax, column, row, text, colour, *, strong):
    """Draw one numbered square of a grid."""
    face = "white" if colour is None else colour
    ax.add_patch(
        Rectangle(
            (column - 0.46, row - 0.46),
            0.92,
            0.92,
            facecolor=face,
            alpha=1 if strong or colour is None else 0.2,
            edgecolor="none",
        )
    )
    ax.add_patch(
        Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, color=FAINT, linewidth=0.8)
    )
    dark = strong and colour in (SINE, SHIFT)
    ax.text(
        column,
        row,
        text,
        ha="center",
        va="center",
        color="white" if dark else INK,
        fontsize=11,
        fontweight="bold" if strong else "normal",
    )
