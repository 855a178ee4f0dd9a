"""How a port is worse: the error of its output by the length of the text."""

from posenc_course.figures.style import COSINE, HIGHLIGHT, SHIFT, SINE


def errors_of_ports(ax, lengths, moved):
    """Draw how far the output of each port moves, by the length of the text.

    Parameters
    ----------
    ax : Axes
    lengths : sequence of int
        Tokens of the texts.
    moved : dict of str to sequence of float
        Share of the output's length, by the name of the port; four at most.
    """
    above = 200.0
    highest_first = sorted(moved.items(), key=lambda item: -item[1][-1])
    for (name, shares), colour in zip(
        highest_first, (COSINE, SINE, SHIFT, HIGHLIGHT), strict=False
    ):
        percent = [100 * share for share in shares]
        ax.plot(lengths, percent, "o-", color=colour, clip_on=False)
        above = min(percent[-1], above - 12)  # names do not touch
        ax.text(1.02 * lengths[-1], above, name, color=colour, va="center")
    ax.set(xlabel="words in the text", ylabel="the output moves (%)", ylim=(0, 125))
    ax.set_xticks(lengths)
    ax.set_xlim(0, 1.25 * lengths[-1])
