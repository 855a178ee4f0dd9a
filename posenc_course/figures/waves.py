"""Clock hands, the waves they draw, and the tokens that sample them."""

import numpy as np
from matplotlib.patches import Arc

from posenc_course.figures.style import COSINE, FAINT, HIGHLIGHT, INK, NEUTRAL, SHIFT, SINE


def clock(ax, angle, *, colour=INK, projections=True):
    """Draw a hand of length 1 at an angle, with its height (sine) and its width (cosine).

    Parameters
    ----------
    ax : Axes
    angle : float
        Radians, anticlockwise from three o'clock.
    colour : colour, optional
        Colour of the hand.
    projections : bool, optional
        Draw the sine and the cosine of the angle as legs.

    Returns
    -------
    Axes
        The axes passed in.
    """
    turn = np.linspace(0, 2 * np.pi, 181)
    ax.plot(np.cos(turn), np.sin(turn), color=FAINT, linewidth=1.2, zorder=0)
    width, height = np.cos(angle), np.sin(angle)
    if projections:
        ax.plot([0, width], [0, 0], color=COSINE, linewidth=3, solid_capstyle="round")
        ax.plot([width, width], [0, height], color=SINE, linewidth=3, solid_capstyle="round")
    ax.plot([0, width], [0, height], color=colour, linewidth=2)
    ax.plot(width, height, "o", color=colour)
    ax.set_aspect("equal")
    ax.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35), xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def wave_anatomy(ax, *, amplitude, frequency, phase, length):
    """Draw a wave with its amplitude, wavelength and phase marked on it."""
    places = np.linspace(0, length, 600)
    wavelength = 2 * np.pi / frequency
    crest = (np.pi / 2 - phase) % (2 * np.pi) / frequency
    ax.axhline(0, color=FAINT, linewidth=1)
    ax.plot(places, amplitude * np.sin(frequency * places), color=SINE, alpha=0.3)
    ax.plot(places, amplitude * np.sin(frequency * places + phase), color=SINE)
    arrow = {"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0}
    # A label may lie across a wave.
    plate = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    above = 1.18 * amplitude
    ax.annotate("", (crest, above), (crest + wavelength, above), arrowprops=arrow)
    ax.text(crest + wavelength / 2, 1.24 * amplitude, "wavelength λ", ha="center", va="bottom")
    trough = crest + 1.5 * wavelength
    ax.annotate("", (trough, 0), (trough, -amplitude), arrowprops=arrow)
    ax.text(trough + 0.5, -0.4 * amplitude, "amplitude A", va="center", bbox=plate)
    unshifted = np.pi / 2 / frequency
    ax.annotate("", (crest, 0), (unshifted, 0), arrowprops=arrow)
    ax.text(crest, -0.12 * amplitude, "φ/ω earlier", ha="left", va="top", bbox=plate)
    for place, strength in ((crest, 1), (unshifted, 0.4)):
        ax.vlines(place, 0, amplitude, color=SINE, linewidth=1, linestyle=":", alpha=strength)
    ax.set(xlabel="position (tokens)", ylabel="value", ylim=(-1.25 * amplitude, 1.6 * amplitude))
    ax.set_xlim(0, length)
    return ax


def waves_by_frequency(axes, frequencies, *, length):
    """Draw sines of several frequencies above each other, one turn of each marked."""
    places = np.linspace(0, length, 1200)
    for ax, (formula, frequency) in zip(axes, frequencies, strict=True):
        wavelength = 2 * np.pi / frequency
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.plot(places, np.sin(frequency * places), color=SINE, alpha=0.4)
        first = places[places <= wavelength]
        ax.plot(first, np.sin(frequency * first), color=SINE, linewidth=3)
        ax.text(1.01, 0.5, formula, transform=ax.transAxes, va="center")
        ax.set(xlim=(0, length), ylim=(-1.3, 1.3), yticks=[])
        ax.spines["left"].set_visible(False)
    axes[-1].set_xlabel("t")
    return axes


def two_hands(ax, first, second, *, labels):
    """Draw two hands on one clock, each with its height and its width."""
    for angle, label in zip((first, second), labels, strict=True):
        clock(ax, angle)
        across = "left" if np.cos(angle) > 0 else "right"
        ax.text(1.08 * np.cos(angle), 1.2 * np.sin(angle) + 0.06, label, color=INK, ha=across)
    return ax


def turned_cross(axes, angle, turn):
    """Draw a hand with its legs on a cross, and the whole drawing again, turned as one sheet."""
    rim = np.linspace(0, 2 * np.pi, 181)
    titles = ("before", f"turned by {turn:g}")
    for ax, start, title in zip(axes, (0, turn), titles, strict=True):
        arms = np.array(
            [[np.cos(start), np.sin(start)], [np.cos(start + np.pi / 2), np.sin(start + np.pi / 2)]]
        )
        corner = np.cos(angle) * arms[0]
        tip = corner + np.sin(angle) * arms[1]
        ax.plot(np.cos(rim), np.sin(rim), color=FAINT, linewidth=1.2, zorder=0)
        if start:
            ax.plot([0, 1], [0, 0], color=FAINT, linewidth=1.2, zorder=0)
            ax.plot([0, 0], [0, 1], color=FAINT, linewidth=1.2, zorder=0)
            sweep = {"color": SHIFT, "linewidth": 3}
            ax.add_patch(Arc((0, 0), 2, 2, theta1=0, theta2=np.degrees(start), **sweep))
            middle = 1.1 * np.array([np.cos(start / 3), np.sin(start / 3)])
            ax.text(*middle, f"{turn:g}", color=SHIFT, va="center")
        colour = SHIFT if start else NEUTRAL
        for arm in arms:
            text = "({:.2g}, {:.2g})".format(*arm.round(9) + 0.0).replace("-", "−")
            ax.plot([0, arm[0]], [0, arm[1]], color=colour, linewidth=1.5)
            ax.plot(*arm, "o", color=colour, markersize=5)
            right = arm[0] > 0.5
            at = (arm[0] + 0.07, arm[1] - 0.02) if right else (arm[0], arm[1] + 0.09)
            across = "left" if right else "center"
            ax.text(*at, text, color=colour, ha=across, va="center" if right else "bottom")
        leg = {"linewidth": 3.5, "solid_capstyle": "round"}
        ax.plot([0, corner[0]], [0, corner[1]], color=COSINE, **leg)
        ax.plot([corner[0], tip[0]], [corner[1], tip[1]], color=SINE, **leg)
        ax.plot([0, tip[0]], [0, tip[1]], color=INK, linewidth=2)
        ax.plot(*tip, "o", color=INK)
        down, aside = -0.13 * arms[1], 0.08 * arms[0]
        tilt = {"rotation": np.degrees(start), "rotation_mode": "anchor"}
        ax.text(
            *(0.55 * corner + down),
            f"{np.cos(angle):.2g}",
            color=COSINE,
            ha="center",
            va="center",
            **tilt,
        )
        middle = (corner + tip) / 2 + aside
        ax.text(*middle, f"{np.sin(angle):.2g}", color=SINE, ha="left", va="center", **tilt)
        ax.set_title(title, color=INK)
        ax.set_aspect("equal")
        ax.set(xlim=(-1.1, 1.6), ylim=(-0.3, 1.35), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    return axes


def sampled_waves(ax, slow, fast, *, length):
    """Draw two waves that pass through the same values at all whole positions."""
    places = np.linspace(0, length, 1500)
    tokens = np.arange(length + 1)
    ax.plot(places, np.sin(fast * places), color=NEUTRAL, linewidth=1, alpha=0.7, label="fast")
    ax.plot(places, np.sin(slow * places), color=SINE, label="slow")
    ax.plot(
        tokens, np.sin(slow * tokens), "o", color=HIGHLIGHT, markeredgecolor=INK, label="tokens"
    )
    ax.set(xlabel="position (tokens)", ylabel="value", yticks=[-1, 0, 1])
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=3)
    return ax
