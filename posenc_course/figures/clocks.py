"""Clock hands: from twelve, clockwise, with the tip at (x, y) = (sine, cosine)."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Wedge
from numpy.typing import ArrayLike

from posenc_course.figures.style import COSINE, FAINT, HIGHLIGHT, INK, MIDDLE, NEUTRAL, SHIFT, SINE

_RIM = np.linspace(0, 2 * np.pi, 181)

# A line with a butt ends where it should: others go on by half of their width.
_TRUE_TO_LENGTH = {"solid_capstyle": "butt"}


def tip(angle: ArrayLike, length: float = 1.0) -> np.ndarray:
    """Return the tip, x in row 0 and y in row 1, of a hand turned clockwise from twelve by radians.

    A single angle gives shape (2,), n angles give shape (2, n).
    """
    return length * np.array([np.sin(angle), np.cos(angle)])


def face(ax, *, hands=(), opening=None, reach=1.0, room=1.35) -> None:
    """Draw a clock: its rim, a mark at twelve, `hands`, and if given an `opening` of two angles.

    The rim has the radius 1. A hand is its angle, its colour and what is written beyond its tip.
    The opening is tinted out to the radius `reach`; there is `room` from the middle to each edge of
    the axes.
    """
    ax.plot(*tip(_RIM), color=FAINT, linewidth=1.2, zorder=0)
    _line(ax, (0, 0.92), (0, 1), NEUTRAL, 1.2, zorder=0)
    if opening is not None:
        # Matplotlib counts degrees from three o'clock, anticlockwise, from the lower to the higher.
        low, high = sorted(90 - np.degrees(opening))
        ax.add_patch(Wedge((0, 0), reach, low, high, color=SHIFT, alpha=0.25, linewidth=0))
    for angle, colour, name in hands:
        end = tip(angle)
        # With round ends, hands join in the middle without a corner, whatever their angles are.
        _line(ax, (0, 0), end, colour, solid_capstyle="round")
        ax.plot(*end, "o", color=colour, markersize=5)
        _beyond(ax, end, name, colour)
    ax.set(xlim=(-room, room), ylim=(-room, room), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def clock(ax, angle) -> None:
    """Draw a clock with one hand, and the way to its tip: x to the side, then y up or down."""
    x, y = tip(angle)
    # With round ends the two lines join without a corner. The hand is drawn last, over both.
    _line(ax, (0, 0), (x, 0), SINE, 3, solid_capstyle="round")
    _line(ax, (x, 0), (x, y), COSINE, 3, solid_capstyle="round")
    face(ax, hands=[(angle, INK, "")], room=1.15)


def two_hands(ax, first, second, *, labels, whose=("", "")) -> None:
    """Draw two hands on one clock, each with the x and the y of its tip.

    `labels` stand beyond the tips. `whose`, where it is given, stands before each "x" and "y";
    without it the two tips have the same x, which is named once.
    """
    below = -0.05  # the height at which an x is written: just below the middle of the clock
    for angle, label, owner in zip((first, second), labels, whose, strict=True):
        clock(ax, angle)
        x, y = tip(angle)
        _beyond(ax, (x, y), label, INK)
        ax.text(x + 0.05, 0.75 * y, f"{owner}y", color=COSINE, ha="left", va="center")
        if any(whose):  # one x lies on the other, so each is drawn again on a line of its own
            below -= 0.14
            _line(ax, (0, below), (x, below), SINE, 1.5)
            ax.text(-0.04, below, f"{owner}x", color=SINE, ha="right", va="center")
    if not any(whose):  # the x of the second hand is that of both
        ax.text(x / 2, below, "x", color=SINE, ha="center", va="top")


def school_and_clock(ax, angle, *, turn=None) -> None:
    """Draw an angle as at school and as on a clock, and the fold that lays one on the other.

    With a turn the hand is drawn again after it, in place of its sine and cosine.
    """
    # Where x = y: on a clock the sine is x, and folded over this line it is y, as at school.
    ax.axline((0, 0), slope=1, color=NEUTRAL, linewidth=1.2, linestyle=(0, (5, 4)))
    ax.text(1.5, 1.25, "fold here", color=NEUTRAL, rotation=45, **MIDDLE)
    _beside_fold(ax, angle, turn, "at school: from three,\nanticlockwise", folded=True)
    _beside_fold(ax, angle, turn, "on a clock: from\ntwelve, clockwise", folded=False)
    ax.set(xlim=(-2.6, 2.6), ylim=(-2.3, 2.9), aspect="equal")
    ax.axis("off")


def _beside_fold(ax, angle, turn, name, *, folded) -> None:
    """Draw an angle on a clock below the line x = y, or `folded` over that line, under its name.

    Without a turn, which is None then, the hand has its sine and its cosine. With one it is drawn
    again after the turn.
    """
    middle, twelve, end = np.zeros(2), tip(0), tip(angle)
    centre = np.array([1.2, -1.2])  # where the middle of the clock is drawn
    if folded:
        centre = centre[::-1]

    def place(point) -> np.ndarray:
        """Return where a point (x, y) of the clock is drawn; several points are columns."""
        around_middle = point[::-1] if folded else point  # the fold exchanges x and y
        return (around_middle.T + centre).T  # as rows, to each of which the centre is added

    def line(*points) -> np.ndarray:
        """Return where a line through points (x, y) of the clock is drawn, as columns."""
        return place(np.transpose(points))

    def write(point, text, colour) -> None:
        """Write a text at a point (x, y) of the clock."""
        ax.text(*place(point), text, color=colour, **MIDDLE)

    ax.plot(*place(tip(_RIM)), color=FAINT, linewidth=1.2, zorder=0)
    ax.plot(*line(middle, twelve), color=FAINT, linewidth=1.2)
    ax.plot(*place(tip(np.linspace(0, angle, 50), 0.25)), color=NEUTRAL, linewidth=1.2)
    write(tip(angle / 2, 0.5), f"{angle:g}", NEUTRAL)
    hands = [(end, INK)]
    if turn is None:
        corner = np.array([0, end[1]])  # first along twelve by the cosine, then by the sine
        ax.plot(*line(middle, corner), color=COSINE, linewidth=3.5)
        ax.plot(*line(corner, end), color=SINE, linewidth=3.5)
        write(corner / 2 - [0.24, 0], "cos", COSINE)
        write((corner + end) / 2 - [0, 0.18], "sin", SINE)
    else:
        ax.plot(*place(tip(angle + np.linspace(0, turn, 50), 0.6)), color=SHIFT)
        write(tip(angle + turn / 2, 0.75), f"{turn:g}", SHIFT)
        hands.append((tip(angle + turn), SHIFT))
    for point, colour in hands:
        ax.plot(*line(middle, point), color=colour, linewidth=2)
        ax.plot(*place(point), "o", color=colour, markersize=5)
    across, upright = centre
    ax.text(across, upright + 1.12, name, ha="center", va="bottom")  # above the rim


def clock_beside_school(axes, angle) -> None:
    """Draw an angle on the clock and beside it as at school, each with its sine and its cosine.

    `angle` is between 0 and a quarter turn. Its sine is the side opposite the angle.
    """
    names = "the clock: from twelve,\nclockwise", "at school: from three,\nanticlockwise"
    for ax, name, step in zip(axes, names, (1, -1), strict=True):
        # What is x on the clock is y at school: a step of -1 exchanges the two in each point.
        start, end = tip(0)[::step], tip(angle)[::step]
        corner = np.cos(angle) * start  # first along the start, then to the tip
        face(ax, room=1.3)
        _line(ax, (0, 0), start, NEUTRAL, 1.2, linestyle="--")
        way = np.array([tip(part, 0.3)[::step] for part in np.linspace(0, angle, 50)])
        ax.plot(*way.T, color=NEUTRAL, linewidth=1.2)
        arrow(ax, way[-8], way[-1], NEUTRAL, 1.2)  # its head, along the last part of the way
        ax.text(*tip(0.5 * angle, 0.42)[::step], f"{angle:g}", color=NEUTRAL, **MIDDLE)
        _line(ax, (0, 0), corner, COSINE, 4, **_TRUE_TO_LENGTH)
        _line(ax, corner, end, SINE, 4, **_TRUE_TO_LENGTH)
        # The names stand outside the triangle. Words need more room to the side than above.
        room = np.array([0.28, 0.14])
        aside = (end - corner) / np.sin(angle)  # of length 1: this line is as long as the sine
        of_cosine = corner / 2 - room * aside
        of_sine = (corner + end) / 2 + room * start
        ax.text(*of_cosine, f"cos {angle:g}", color=COSINE, **MIDDLE)
        ax.text(*of_sine, f"sin {angle:g}", color=SINE, **MIDDLE)
        _line(ax, (0, 0), end, INK)
        ax.plot(*end, "o", color=INK, markersize=6)
        _beyond(ax, end, _written(end), INK)
        ax.set_title(name, fontweight="normal")


def turned_sheet(axes, tip_of_hand, turn) -> None:
    """Draw a hand with the way to its tip along two arrows, and beside it the whole drawing turned.

    `tip_of_hand` is (x, y), and `turn` an angle in radians, clockwise. The way is as blue and as
    orange as the arrow that it follows; arcs show how far the arrows have turned.
    """
    titles = ("before", f"turned by {turn:g}")
    for ax, turned_by, title in zip(axes, (0.0, turn), titles, strict=True):
        flat, upright = tip(turned_by + np.pi / 2), tip(turned_by)
        corner = tip_of_hand[0] * flat
        end = corner + tip_of_hand[1] * upright
        face(ax, room=1.4)
        for start in (0, np.pi / 2):
            arc = tip(np.linspace(start, start + turned_by, 50))
            ax.plot(*arc, color=SHIFT, linewidth=1.6)
        for arm, colour in ((flat, SINE), (upright, COSINE)):
            arrow(ax, (0, 0), arm, colour)
            _beyond(ax, arm, _written(arm), colour)
        # This line lies on an arrow, which has zorder 3.
        _line(ax, (0, 0), corner, SINE, 4, zorder=4, **_TRUE_TO_LENGTH)
        _line(ax, corner, end, COSINE, 4, **_TRUE_TO_LENGTH)
        _line(ax, (0, 0), end, INK)
        ax.plot(*end, "o", color=INK, markersize=6)
        # Each length stands beside its part of the way, and turns with the sheet: clockwise, which
        # Matplotlib counts as negative.
        rotation = -np.degrees(turned_by)
        for middle, away, length, colour in (
            (0.55 * corner, -0.17 * upright, tip_of_hand[0], SINE),
            (corner + 0.62 * (end - corner), 0.19 * flat, tip_of_hand[1], COSINE),
        ):
            look = {"color": colour, "rotation": rotation}
            ax.text(*(middle + away), f"{length:g}", **look, **MIDDLE)
        ax.set_title(title, color=SHIFT if turned_by else INK)
        ax.set(xlim=(-0.35, 1.75), ylim=(-0.62, 1.3))  # the quarter of the clock where this happens


def turning_hands(axes, positions, *, frequency, shift) -> None:
    """Draw for each position a clock with a hand, the hand `shift` tokens later, and an arrow."""
    for ax, position in zip(axes, positions, strict=True):
        before, after = frequency * position, frequency * (position + shift)
        hands = (before, INK, f"{position}"), (after, SHIFT, f"{position + shift}")
        face(ax, hands=hands, opening=(before, after), room=1.5)
        arrow(ax, tip(before), tip(after), HIGHLIGHT)


def carried_legs(axes, *, angle) -> None:
    """Draw the cosine and sine of a turn from twelve o'clock, and beside it of one from three.

    The two lines are the same in both pictures, but for a quarter turn. `angle` is between 0 and
    half a turn, so that its sine is positive.
    """
    for ax, quarter in zip(axes, (0, np.pi / 2), strict=True):
        # Where the hand starts, and where it is after a quarter turn.
        ahead, aside = tip(quarter), tip(quarter + np.pi / 2)
        corner, end = np.cos(angle) * ahead, tip(quarter + angle)
        _line(ax, (0, 0), corner, COSINE, 4, **_TRUE_TO_LENGTH)
        _line(ax, corner, end, SINE, 4, **_TRUE_TO_LENGTH)
        hands = (quarter, INK, ""), (quarter + angle, SHIFT, "")
        face(ax, hands=hands, opening=(quarter, quarter + angle))
        beyond = np.sign(np.cos(angle)) * ahead  # the side of the sine that is away from the centre
        # Each length stands beside its line, outside the triangle.
        for at, length, colour in (
            (corner / 2 - 0.26 * aside, abs(np.cos(angle)), COSINE),
            ((corner + end) / 2 + 0.24 * beyond, np.sin(angle), SINE),
        ):
            ax.text(*at, f"{length:.2f}", color=colour, **MIDDLE)


def hands_of_a_row(axes, positions, frequencies) -> None:
    """Draw for each position a clock with all hands of its row, the fast ones longer."""
    # Without the end of viridis, a yellow that is hard to see on white.
    shades = plt.get_cmap("viridis")(np.linspace(0.05, 0.85, len(frequencies)))
    # So that hands at the same angle do not hide one another.
    lengths = np.linspace(1, 0.52, len(frequencies))
    for ax, position in zip(axes, positions, strict=True):
        face(ax, room=1.15)
        hands = zip(frequencies, lengths, shades, strict=True)
        for number, (omega, length, shade) in enumerate(hands):
            end = tip(position * omega, length)
            _line(ax, (0, 0), end, shade, 3, label=f"hand {number}", solid_capstyle="round")
            ax.plot(*end, "o", color=shade, markersize=6)
        ax.set_title(f"position {position}", loc="center", fontweight="normal")
    handles, names = axes[0].get_legend_handles_labels()
    axes[0].figure.legend(handles, names, loc="outside lower center", ncols=len(names))


def same_x(axes, positions, *, frequency, shift) -> None:
    """Draw for each of positions with the same x a clock: a hand, and where it is `shift` later.

    The titles say x before and after: from equal ones it goes to different ones.
    """
    for ax, position in zip(axes, positions, strict=True):
        before, after = frequency * position, frequency * (position + shift)
        x, y = tip(before)
        _line(ax, (0, 0), (x, 0), SINE, 3, **_TRUE_TO_LENGTH)
        _line(ax, (x, 0), (x, y), COSINE, 3, **_TRUE_TO_LENGTH)
        ax.axvline(x, color=SINE, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
        hands = (before, INK, f"{position}"), (after, SHIFT, f"{position + shift}")
        face(ax, hands=hands, opening=(before, after), room=1.45)
        ax.set_title(f"x is {x:.2f}, then {np.sin(after):.2f}".replace("-", "\N{MINUS SIGN}"))


def query_and_key(axes, places, *, frequency, query=0.0, key=0.0) -> None:
    """Draw for each (k, m) of `places` a clock: a query turned to k, a key to m, and the opening.

    `query` and `key` are their angles at position 0.
    """
    for ax, (k, m) in zip(axes, places, strict=True):
        angles = query + frequency * k, key + frequency * m
        hands = zip(angles, (SINE, COSINE), (f"query\nat {k}", f"key\nat {m}"), strict=True)
        # The tint ends before the tips, and the names have two lines.
        face(ax, hands=hands, opening=angles, reach=0.62, room=1.75)


def _written(point: ArrayLike) -> str:
    """Return a point as text, as "(0.5, −1)": two significant digits each, without 0 at the end."""
    # Rounded first, since the computed sine of π is not quite 0; + 0.0 makes 0 of -0.
    return "({:.2g}, {:.2g})".format(*np.round(point, 9) + 0.0).replace("-", "\N{MINUS SIGN}")


def _beyond(ax, point, text, colour) -> None:
    """Write a text just outside the rim of a clock, at a point (x, y) of the rim."""
    # In one of eight directions, of which each has 45 degrees: 1.3 · sin 22.5° is 0.5.
    right, up = (round(1.3 * side) for side in point)
    ax.text(
        *np.multiply(point, 1.08),
        text,
        color=colour,
        ha=("right", "center", "left")[right + 1],  # to the left of the point the text ends there
        va=("top", "center", "bottom")[up + 1],
    ).set_in_layout(False)  # or it would move one clock of a row


def _line(ax, start, end, colour, linewidth=2, **look) -> None:
    """Draw a straight line from `start` to `end`, two points (x, y) of the axes."""
    across, upright = zip(start, end, strict=True)
    ax.plot(across, upright, color=colour, linewidth=linewidth, **look)


def arrow(ax, start, end, colour, linewidth=2) -> None:
    """Draw an arrow from `start` to `end`, two points (x, y) of the axes, which it touches."""
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": linewidth}
    # By default Matplotlib leaves a gap at both ends.
    ax.annotate("", end, start, arrowprops={**look, "shrinkA": 0, "shrinkB": 0})
