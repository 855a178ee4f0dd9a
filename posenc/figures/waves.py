"""Clock hands, the waves they draw, and the tokens that sample them."""

import numpy as np
from matplotlib.patches import Arc

from posenc.figures.style import COSINE, FAINT, HIGHLIGHT, INK, NEUTRAL, SHIFT, SINE


def clock(ax, angle, *, colour=INK, projections=True, label=None):
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
    label : str, optional
        Written at the tip.

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
    if label is not None:
        ax.annotate(label, (1.18 * width, 1.18 * height), color=colour, ha="center", va="center")
    ax.set_aspect("equal")
    ax.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35), xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def clock_and_wave(axes, angle):
    """Draw a hand, and beside it the wave of its height up to the same angle.

    Parameters
    ----------
    axes : pair of Axes
        They should share their vertical axis, so that the tip meets the wave.
    angle : float
        Radians.

    Returns
    -------
    pair of Axes
        The axes passed in.
    """
    hand, wave = axes
    clock(hand, angle)
    hand.add_patch(Arc((0, 0), 0.6, 0.6, theta1=0, theta2=np.degrees(angle), color=NEUTRAL))
    hand.text(0.36, 0.16, "θ", color=INK)
    hand.set_title("a hand at angle θ")
    angles = np.linspace(0, 2 * np.pi, 361)
    wave.axhline(0, color=FAINT, linewidth=1)
    wave.plot(angles, np.sin(angles), color=SINE, alpha=0.35)
    drawn = angles[angles <= angle]
    wave.plot(drawn, np.sin(drawn), color=SINE)
    wave.plot([angle, angle], [0, np.sin(angle)], color=SINE, linewidth=3)
    wave.plot(angle, np.sin(angle), "o", color=INK)
    wave.set_xticks(np.arange(5) * np.pi / 2, ["0", "π/2", "π", "3π/2", "2π"])
    wave.set(xlabel="angle θ (radians)", yticks=[-1, 0, 1])
    wave.set_title("and its height, sin θ")
    return axes


def wave_anatomy(ax, *, amplitude, frequency, phase, length):
    """Draw a wave with its amplitude, wavelength and phase marked on it.

    Parameters
    ----------
    ax : Axes
    amplitude : float
    frequency : float
        Angular frequency in radians per token.
    phase : float
        Radians.
    length : float
        How many tokens to draw.

    Returns
    -------
    Axes
        The axes passed in.
    """
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
    """Draw sines of several frequencies above each other, one turn of each marked.

    Parameters
    ----------
    axes : sequence of Axes
    frequencies : sequence of (str, float)
        The formula to write, and the angular frequency in radians per unit.
    length : float
        How far to draw.

    Returns
    -------
    sequence of Axes
        The axes passed in.
    """
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


def two_hands(ax, first, second, *, labels, arc=None):
    """Draw two hands on one clock.

    Parameters
    ----------
    ax : Axes
    first, second : float
        Angles in radians.
    labels : pair of str
        Written at the tips.
    arc : str, optional
        Written at an arc from the first hand to the second.

    Returns
    -------
    Axes
        The axes passed in.
    """
    clock(ax, first, projections=False, label=labels[0])
    clock(ax, second, projections=False, colour=SHIFT, label=labels[1])
    if arc is not None:
        ax.add_patch(
            Arc(
                (0, 0),
                1.1,
                1.1,
                theta1=np.degrees(first),
                theta2=np.degrees(second),
                color=SHIFT,
                linewidth=2,
            )
        )
        middle = (first + second) / 2
        ax.text(0.7 * np.cos(middle), 0.7 * np.sin(middle), arc, color=SHIFT, ha="center")
    return ax


def sampled_waves(ax, slow, fast, *, length):
    """Draw two waves that pass through the same values at all whole positions.

    Parameters
    ----------
    ax : Axes
    slow, fast : float
        Angular frequencies in radians per token.
    length : int
        Last position drawn.

    Returns
    -------
    Axes
        The axes passed in.
    """
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
