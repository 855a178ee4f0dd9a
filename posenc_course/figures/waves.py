"""The waves that hands draw, and the tokens that sample them."""

import numpy as np

from posenc_course.figures.style import FAINT, HIGHLIGHT, INK, NEUTRAL, SINE


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


def sampled_waves(ax, slow, fast, *, length):
    """Draw two waves that pass through the same values at all whole positions."""
    places = np.linspace(0, length, 1500)
    tokens = np.arange(length + 1)
    ax.plot(places, np.sin(fast * places), color=NEUTRAL, linewidth=1, alpha=0.7, label="fast")
    ax.plot(places, np.sin(slow * places), color=SINE, label="slow")
    dots = {"color": HIGHLIGHT, "markeredgecolor": INK, "label": "tokens"}
    ax.plot(tokens, np.sin(slow * tokens), "o", **dots)
    ax.set(xlabel="position (tokens)", ylabel="value", yticks=[-1, 0, 1])
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=3)
