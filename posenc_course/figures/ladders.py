"""The waves that hands draw, the tokens that sample them, and their wavelengths as ladders."""

import matplotlib.pyplot as plt
import numpy as np

from posenc_course.figures.style import COSINE, FAINT, HIGHLIGHT, INK, NEUTRAL, SINE, beside
from posenc_course.figures.tables import colour_scale, coloured_cells


def wave_anatomy(ax, *, amplitude, frequency, phase, length) -> None:
    """Draw a wave and, paler, the same without its phase; mark amplitude, wavelength and phase."""
    places = np.linspace(0, length, 600)
    wavelength = 2 * np.pi / frequency
    # The first crest from 0 on: where frequency · place + phase is a quarter turn.
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
    trough = crest + 1.5 * wavelength  # the second one, near which no other mark is
    ax.annotate("", (trough, 0), (trough, -amplitude), arrowprops=arrow)
    ax.text(trough + 0.5, -0.4 * amplitude, "amplitude A", va="center", bbox=plate)
    unshifted = np.pi / 2 / frequency  # the first crest of the same wave without its phase
    ax.annotate("", (crest, 0), (unshifted, 0), arrowprops=arrow)
    ax.text(crest, -0.12 * amplitude, "φ/ω earlier", ha="left", va="top", bbox=plate)
    for place, strength in ((crest, 1), (unshifted, 0.4)):
        ax.vlines(place, 0, amplitude, color=SINE, linewidth=1, linestyle=":", alpha=strength)
    ax.set(xlabel="position (tokens)", ylabel="value", ylim=(-1.25 * amplitude, 1.6 * amplitude))
    ax.set_xlim(0, length)


def waves_by_frequency(axes, frequencies, *, length) -> None:
    """Draw for each (formula, frequency) a sine from 0 to `length`, its first turn marked.

    The sines are above each other, each with its formula at the right end.
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


def sampled_waves(ax, slow, fast, *, length) -> None:
    """Draw two waves of the frequencies `slow` and `fast`, and the tokens where they are equal.

    They are equal at all whole positions: the frequencies differ by whole turns.
    """
    places = np.linspace(0, length, 1500)
    tokens = np.arange(length + 1)
    ax.plot(places, np.sin(fast * places), color=NEUTRAL, linewidth=1, alpha=0.7, label="fast")
    ax.plot(places, np.sin(slow * places), color=SINE, label="slow")
    dots = {"color": HIGHLIGHT, "markeredgecolor": INK, "label": "tokens"}
    ax.plot(tokens, np.sin(slow * tokens), "o", **dots)
    ax.set(xlabel="position (tokens)", ylabel="value", yticks=[-1, 0, 1])
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=3)


def rounded_hands(axes, waves, bits) -> None:
    """Draw a wave for each bit, with a dot for each token, filled where the bit is 1.

    `waves(b, k)` is the wave of bit b at the positions k; `bits` has a row for each position and a
    column for each bit.
    """
    positions = np.arange(len(bits))
    across = -0.5, len(bits) - 0.5  # half a token more at both ends
    places = np.linspace(*across, 1200)
    # Waves between -1 and 1, with room between one strip and the next.
    _strips(axes, [f"bit {b}" for b in range(len(axes))], across, most=1.3)
    for b, ax in enumerate(axes):
        values = waves(b, positions)
        ax.plot(places, waves(b, places), color=SINE, linewidth=1.5, alpha=0.6)
        # Two labels in each of the axes, of which the legend of a page shows those of the first.
        for bit, inside in ((1, INK), (0, "white")):
            look = {"markerfacecolor": inside, "markeredgecolor": INK, "markersize": 5}
            at = bits[:, b] == bit
            ax.plot(positions[at], values[at], "o", label=f"bit is {bit}", **look)


def pair_waves(axes, frequencies, *, length, names) -> None:
    """Draw the sine and the cosine of each pair from 0 to `length`, the pairs above each other.

    At the right end of each stands one of the `names`.
    """
    places = np.linspace(0, length, 2000)
    _strips(axes, names, (0, length), 1.25)
    for ax, omega in zip(axes, frequencies, strict=True):
        ax.plot(places, np.sin(omega * places), color=SINE, linewidth=1.5, label="sine")
        ax.plot(places, np.cos(omega * places), color=COSINE, linewidth=1.5, label="cosine")


def _strips(axes, names, across, most) -> None:
    """Prepare axes for waves above each other: names, limits and one horizontal axis, at the last.

    They go from across[0] to across[1], and from -`most` to `most`.
    """
    for ax, name in zip(axes, names, strict=True):
        ax.axhline(0, color=FAINT, linewidth=1)
        ax.text(1.01, 0.5, name, transform=ax.transAxes, va="center")
        ax.set(xlim=across, ylim=(-most, most), yticks=[])
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.tick_params(length=0)
    axes[-1].spines["bottom"].set_visible(True)
    axes[-1].tick_params(length=3.5)
    axes[-1].set_xlabel("position (tokens)")


def ladder(ax, wavelengths, *, length=None, markersize=3.5) -> None:
    """Draw one dot for the wavelength of each pair, on a logarithmic axis.

    With the `length` of a text in tokens, a line stands at its length - 1 steps, and the dots of
    pairs that finish a turn within them are gold. Without it there is no line, and no dot is gold.
    """
    pairs = np.arange(len(wavelengths))
    # From the first token to the last are length - 1 steps. Without a text no pair counts.
    finished = np.zeros(len(pairs), bool) if length is None else wavelengths <= length - 1
    ax.set_yscale("log")
    ax.plot(pairs[~finished], wavelengths[~finished], "o", color=NEUTRAL, markersize=markersize)
    if length is not None:
        ax.axhline(length - 1, color=INK, linewidth=1.2)
        ax.plot(pairs[finished], wavelengths[finished], "o", color=HIGHLIGHT, markersize=markersize)
    ax.set(xlabel="pair i", ylabel="wavelength (tokens)")


def ladder_of_hands(ax, wavelengths, *, length) -> None:
    """Draw for each hand a line as long as its wavelength, on a log axis, and a length of text.

    The hands that finish a turn in its length - 1 steps are gold.
    """
    ax.set_xscale("log")
    for hand, wave in enumerate(wavelengths):
        finishes = wave <= length - 1
        colour = HIGHLIGHT if finishes else NEUTRAL
        ax.plot([1, wave], [hand, hand], color=colour, linewidth=1.2, alpha=0.5)
        ax.plot(wave, hand, "o", color=colour, markersize=8)
        three_digits = float(f"{wave:.3g}")  # this text may have an exponent, the label has none
        beside(ax, f"{three_digits:g}", (wave, hand), (9, 0), va="center")
    ax.axvline(length - 1, color=INK, linewidth=1.2)
    # The axis is upside down: this stands above hand 0.
    ax.text(1.1 * length, -0.55, f"{length - 1:g} steps, in {length:g} tokens", va="center")
    hands = range(len(wavelengths))
    # Of four hands with base 10 000 the last turns in 6283 tokens; its number stands behind it.
    ax.set(xlim=(1, 3e4), ylim=(len(wavelengths) - 0.5, -0.9), xlabel="wavelength (tokens)")
    ax.set_yticks(hands, [f"hand {hand}" for hand in hands])
    ax.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1000", "10 000"])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def ladder_with_missing_rung(ax, wavelengths, *, missing, markersize) -> None:
    """Draw a ladder as `ladder` does, and above it a hollow dot at the wavelength `missing`."""
    ladder(ax, wavelengths, markersize=markersize)
    # Below the dot and the axis, which it crosses.
    ax.axhline(missing, color=FAINT, linewidth=1.2, zorder=0)
    hollow = {"markerfacecolor": "white", "markeredgecolor": INK, "markeredgewidth": 1.6}
    # One pair after the last.
    ax.plot(len(wavelengths), missing, "o", markersize=8, **hollow)


def columns_and_reach(axes, table) -> None:
    """Draw a table, and under it the range of each column: its largest entry minus its smallest."""
    above, below = axes
    coloured_cells(above, table, ylabel="position (tokens)")
    reach = np.ptp(table, axis=0)
    columns = np.arange(table.shape[1])
    below.plot(columns[::2], reach[::2], color=SINE, label="sine columns")
    below.plot(columns[1::2], reach[1::2], color=COSINE, label="cosine columns")
    # From -1 to 1 a sine or a cosine has a range of 2.
    below.set(xlabel="column", ylabel="range", ylim=(-0.1, 2.2), yticks=[0, 1, 2])
    below.legend(loc="upper right")
    colour_scale(above.figure, [above, below], label="entry")


def curves_by_base(ax, curves, *, horizontal) -> None:
    """Draw one curve for each base, darker for a smaller one: `curves` goes from base to numbers.

    `horizontal` has the place of each number. The bases ascend.
    """
    # Without the end of viridis, a yellow that is hard to see on white.
    shades = plt.get_cmap("viridis")(np.linspace(0.05, 0.8, len(curves)))
    for (base, values), shade in zip(curves.items(), shades, strict=True):
        label = f"n = {base:,.0f}".replace(",", " ")
        ax.plot(horizontal, values, color=shade, label=label)
    # In a ladder the curve of the largest base is the highest, as it is in this legend.
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles[::-1], labels[::-1])
