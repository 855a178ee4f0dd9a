"""What a model's settings do to its numbers: lists, coordinates, and positions that are off."""

import numpy as np
from matplotlib.patches import Rectangle

from posenc_course.figures.style import COSINE, FAINT, HIGHLIGHT, INK, MIDDLE, NEUTRAL, SINE, SMALL

# Shades and dashes, so that the lines differ without colour too.
TWO_LINES = (
    {"color": NEUTRAL, "linestyle": "--", "linewidth": 1.8},
    {"color": INK, "linestyle": "-", "linewidth": 2.2},
)
LINES = (
    {"color": NEUTRAL, "linestyle": ":", "linewidth": 2.2},
    {"color": NEUTRAL, "linestyle": "--", "linewidth": 1.6},
    {"color": NEUTRAL, "linestyle": "-", "linewidth": 1.6},
    {"color": INK, "linestyle": "-", "linewidth": 2.4},
)


def tokens_for_a_turn(ax, lists, *, length) -> None:
    """Draw how many tokens each pair needs for a turn, a line for each of two lists of frequencies.

    `lists` has for each name the frequencies and the place (x, y) of the name. Pairs below the
    line at `length` finish a turn in a text of so many tokens.
    """
    for (name, (omega, place)), line in zip(lists.items(), TWO_LINES, strict=True):
        waves = 2 * np.pi / omega
        ax.plot(waves, **line)
        ax.text(*place, name, color=line["color"], **MIDDLE)
    ax.axhline(length, color=HIGHLIGHT, linewidth=2)
    ax.text(0, 1.25 * length, f"a text of {length} tokens", va="bottom")
    ax.set(yscale="log", xlabel="pair i", ylabel="tokens for a turn", xlim=(-1, waves.size))


def stretch_by_pair(ax, stretches, *, unfinished) -> None:
    """Draw how many times slower each pair turns, one line for each of four ways to stretch.

    `stretches` has for each name the factors and the place (x, y) of the name. From the pair
    `unfinished` on no pair finished a turn in training.
    """
    for (name, (stretch, place)), line in zip(stretches.items(), LINES, strict=True):
        ax.semilogy(stretch, base=2, **line)
        ax.text(*place, name, color=line["color"], **MIDDLE)
    all_factors = np.array([stretch for stretch, _ in stretches.values()])
    last, most = all_factors.shape[1] - 1, all_factors.max()
    ax.axvspan(unfinished - 0.5, last + 0.5, color=FAINT, alpha=0.35, linewidth=0)
    ax.text((unfinished + last) / 2, 0.9, "no full turn in training", **MIDDLE)
    ticks = 2 ** np.arange(int(np.log2(most)) + 1)
    ax.set_yticks(ticks, [str(tick) for tick in ticks])
    ax.set(xlabel="pair i", ylabel="times slower", xlim=(-1, last + 0.5), ylim=(0.8, 1.3 * most))


def scores_by_step(axes, scores, reach) -> None:
    """Draw a map of the score of two patches by the step between them for each way to count them.

    `scores` has for each title a map, with a row for each step down and a column for each step to
    the right, from -`reach` to `reach` patches.
    """
    most = max(np.abs(values).max() for values in scores.values())  # so that colours compare
    # The middle of a patch is at whole numbers, and steps down go down.
    edges = (-reach - 0.5, reach + 0.5, reach + 0.5, -reach - 0.5)
    even_steps = [step for step in range(-reach, reach + 1) if step % 2 == 0]
    for ax, (title, values) in zip(axes, scores.items(), strict=True):
        ax.imshow(values, vmin=-most, vmax=most, extent=edges)
        ax.set(title=title, xlabel="columns to the right", xticks=even_steps)
    axes[0].set_ylabel("rows down")


def moved_outputs(ax, changes) -> None:
    """Draw for each mistake a group of bars, one for each encoding: how far the output moves.

    `changes` has for each mistake the share by which it moves the output, by the three encodings.
    """
    rows = np.arange(len(changes))
    encodings = next(iter(changes.values()))  # the same for each mistake
    for number, (encoding, colour) in enumerate(zip(encodings, (FAINT, NEUTRAL, INK), strict=True)):
        shares = [100 * change[encoding] for change in changes.values()]
        places = rows + 0.26 * (number - 1)  # three bars beside one another
        ax.barh(places, shares, height=0.22, color=colour)
        for place, share in zip(places, shares, strict=True):
            ax.text(share + 1, place, f"{encoding} {share:.0f}", va="center", fontsize=SMALL)
    ax.set_yticks(rows, list(changes))
    ax.invert_yaxis()  # the first mistake is above
    # The longest bar is of 101 %, and its name has room behind it.
    ax.set(xlabel="the output moves (%)", xlim=(0, 125))


def distances_by_unit(ax, numbers, curves) -> None:
    """Draw how far the row of each time is from that of half time, a line for each of two units.

    `curves` has two curves by the names of their units, of which the first is the right one;
    `numbers` are the shares of the time, from 0 to 1.
    """
    # The first curve, in the right unit, has the stronger line.
    for (name, distances), line in zip(curves.items(), reversed(TWO_LINES), strict=True):
        ax.plot(numbers, distances, label=name, **line)
    ax.set(xlabel="share of the time", ylabel="distance to half time", xlim=(0, 1))
    ax.set_ylim(bottom=0)
    ax.legend(loc=(0.03, 0.3))


def fits_by_bandwidth(axes, places, fits, truth, samples, values) -> None:
    """Draw for each bandwidth the true curve, over it the fit, and over both the fitted samples.

    `fits` has for each title a curve; a curve and the `truth` have a number for each of the
    `places`. The samples, the same for all fits, are the `values` at the places `samples`.
    """
    for ax, (title, fit) in zip(axes, fits.items(), strict=True):
        ax.plot(places, truth, color=FAINT, linewidth=4)
        ax.plot(places, fit, color=INK, linewidth=1.2)
        ax.plot(samples, values, "o", color=HIGHLIGHT, markersize=3)
        # The book's curve and its fits stay between -1.6 and 1.6.
        ax.set(title=title, xlabel="x", xticks=[0, 1], ylim=(-2, 2), yticks=[-1, 0, 1])


def ladder_of_config(axes, omega, *, length, turning) -> None:
    """Draw how many tokens a config's pairs need for a turn, and below them which layers turn.

    `omega` has the frequencies. Pairs that make a full turn in `length` tokens are gold; pairs that
    do not turn at all have no dot. `turning` says of each layer whether it turns.
    """
    above, below = axes
    moving = omega > 0
    pairs, waves = np.flatnonzero(moving), 2 * np.pi / omega[moving]
    finished = waves <= length
    above.plot(pairs[~finished], waves[~finished], "o", color=NEUTRAL, markersize=4)
    above.plot(pairs[finished], waves[finished], "o", color=HIGHLIGHT, markersize=4)
    above.axhline(length, color=INK, linewidth=1.2)
    text = f"{length:,} tokens".replace(",", " ")
    above.text(0, 1.3 * length, text, va="bottom")
    above.set(yscale="log", xlabel="pair i", ylabel="tokens for a turn", xlim=(-1, omega.size))
    for layer, turns in enumerate(turning):
        look = {"facecolor": INK} if turns else {"facecolor": "white", "hatch": "////"}
        chip = Rectangle((layer - 0.38, -0.4), 0.76, 0.8, edgecolor=INK, linewidth=0.8, **look)
        below.add_patch(chip)
    below.set(xlabel="layer (hatched: does not turn)", yticks=[], ylim=(-0.6, 0.6))
    below.set_xlim(-1, len(turning))
    below.spines["left"].set_visible(False)


def first_differences(axes, places, differences) -> None:
    """Draw for each mistake how far two functions are apart by position, the first gap in gold.

    `differences` has for each name the largest difference of entries, of turned unit vectors, at
    each of the `places`, positions below 1000, and the first place at which the functions part.
    """
    for ax, (name, (sizes, first)) in zip(np.ravel(axes), differences.items(), strict=True):
        ax.plot(places, sizes, "o-", color=NEUTRAL, markersize=3, linewidth=1)
        gold = {"color": HIGHLIGHT, "markersize": 9, "zorder": 3, "clip_on": False}
        # On the line: the first place need not be one of the places.
        ax.plot(first, np.interp(first, places, sizes), "o", **gold)
        ax.set_xscale("symlog", linthresh=1)  # logarithmic from 1 on, with room for 0
        # Entries of turned unit vectors are from -1 to 1, and differ by at most 2. The places end
        # below 1000. Dots at the limits have room.
        ax.set(ylim=(-0.05, 2.1), yticks=[0, 1, 2], xlim=(-0.2, 1100))
        ax.set_title(name, fontweight="normal", fontsize=SMALL)
        ax.set_xticks([0, 1, 10, 100, 1000], ["0", "1", "10", "100", "1000"], fontsize=SMALL)


def attention_steps(ax) -> None:
    """Draw the steps of query, key and value through one attention, each step as a box in a row."""
    # The (column, row) of each box: query, key and value go through rows 2, 1 and 0.
    boxes = {
        "project": [(0, row) for row in (2, 1, 0)],
        "norm": [(1, 2), (1, 1)],
        "turn": [(2, 2), (2, 1)],
        "cache": [(3, 1), (3, 0)],
    }
    looks = {
        "norm": {"linestyle": (0, (4, 3))},
        "turn": {"facecolor": HIGHLIGHT},
    }
    arrow = {"arrowstyle": "->", "color": NEUTRAL, "shrinkA": 0, "shrinkB": 0}
    for row, name in ((2, "query"), (1, "key"), (0, "value")):
        ax.text(-0.62, row, name, ha="right", va="center")
        # Below the boxes, which lie on the arrow.
        ax.annotate("", (4.08, row), (-0.55, row), arrowprops=arrow, zorder=1)
    for name, places in boxes.items():
        for column, row in places:
            look = {"facecolor": "white", "edgecolor": INK, "linewidth": 1.2, **looks.get(name, {})}
            ax.add_patch(Rectangle((column - 0.4, row - 0.3), 0.8, 0.6, **look))
            ax.text(column, row, name, fontsize=SMALL, **MIDDLE)
    ax.add_patch(Rectangle((4.1, -0.3), 0.95, 2.6, facecolor="white", edgecolor=INK))
    ax.text(4.575, 1, "scores\n× scale,\nsoftmax,\nsum of\nvalues", fontsize=SMALL, **MIDDLE)
    ax.text(1, -0.75, "some models,\nbefore or after", color=NEUTRAL, fontsize=SMALL, **MIDDLE)
    ax.annotate("", (2, 2.33), (2, 2.75), arrowprops={**arrow, "color": INK})
    ax.text(2, 2.95, "position", **MIDDLE)
    ax.set(xlim=(-1.35, 5.1), ylim=(-1.1, 3.2), title="The position enters at the turn")
    ax.axis("off")


def layouts_of_columns(ax) -> None:
    """Draw five layouts of eight columns, a row for each layout: what each of its columns holds."""
    # Of each column what it holds, s(ine) or c(osine), and the number of its pair. A pair of RoPE
    # is turned as a whole, and its columns hold no sines.
    rows = {
        "RoPE, neighbours": ("", [0, 0, 1, 1, 2, 2, 3, 3]),
        "RoPE, halves": ("", [0, 1, 2, 3] * 2),
        "table, interleaved": ("sc" * 4, [0, 0, 1, 1, 2, 2, 3, 3]),
        "table, halves": ("s" * 4 + "c" * 4, [0, 1, 2, 3] * 2),
        "table, cosines first": ("c" * 4 + "s" * 4, [0, 1, 2, 3] * 2),
    }
    functions = {"s": ("sin", SINE), "c": ("cos", COSINE)}
    for row, (name, (kinds, pairs)) in enumerate(rows.items()):
        ax.text(-0.75, row, name, ha="right", va="center", fontsize=SMALL)
        for column, pair in enumerate(pairs):
            word, colour = functions[kinds[column]] if kinds else ("pair", INK)
            gold = not kinds and pair == 1  # one pair of RoPE's layouts, as an example
            fill = {"facecolor": HIGHLIGHT, "alpha": 0.55} if gold else {"facecolor": "white"}
            cell = Rectangle((column - 0.46, row - 0.36), 0.92, 0.72, edgecolor=FAINT, **fill)
            ax.add_patch(cell)
            ax.text(column, row, f"{word} {pair}", color=colour, fontsize=SMALL, **MIDDLE)
    ax.set(xlim=(-3.9, 7.6), ylim=(4.6, -1.1), title="The same columns, in five layouts")
    for column in range(8):
        ax.text(column, -0.75, str(column), color=NEUTRAL, fontsize=SMALL, **MIDDLE)
    ax.text(-0.75, -0.75, "column", color=NEUTRAL, ha="right", va="center", fontsize=SMALL)
    ax.axis("off")
