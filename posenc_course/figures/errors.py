"""How exact a table is, far into a text."""

from posenc_course.figures.style import COSINE, HIGHLIGHT, NEUTRAL, SHIFT, SINE


def error_by_position(ax, positions, errors, *, bounds=None, lowest=5e-9):
    """Draw how the largest error so far grows with the position, on logarithmic axes."""
    for (name, values), colour in zip(errors.items(), (COSINE, SHIFT, SINE), strict=False):
        ax.plot(positions, values, color=colour)
        # Above its right end: all errors grow, so a line is lower further left.
        ax.text(positions[-1], values[-1] * 2, name, color=colour, ha="right", fontsize=11)
    for name, bound in (bounds or {}).items():
        ax.axhline(bound, color=HIGHLIGHT)
        ax.text(positions[-1], bound * 2, name, color=NEUTRAL, ha="right", fontsize=11)
    ax.set(xscale="log", yscale="log", ylim=(lowest, 30), xlabel="position (tokens)")
    ax.set_ylabel("largest error of a sine")
    ax.minorticks_off()
