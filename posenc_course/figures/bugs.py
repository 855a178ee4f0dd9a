"""Wrong encodings, and the tests that catch them."""

from textwrap import fill

import numpy as np
from matplotlib import colormaps
from matplotlib.ticker import MaxNLocator

from posenc_course.figures.style import (
    COSINE,
    DIVERGING,
    FAINT,
    INK,
    MIDDLE,
    NEUTRAL,
    SMALL,
    framed,
)
from posenc_course.figures.tables import coloured_cells, named_cells


def specimen(
    axes, added, correct, *, title, first=0, limit=1.0, scale_note="", note_on_grey=""
) -> None:
    """Draw what a layer adds to its input, and beside it the difference to what it should add.

    What it should add is the table `correct`. The difference has its strongest colours at `limit`;
    the rows are numbered from `first` on. Where the difference is NaN, it is grey.
    """
    panels = (
        (added, "what it adds", 1.0),  # sines and cosines are between -1 and 1
        (added - correct, "minus the correct table" + scale_note, limit),
    )
    for ax, (table, name, strongest) in zip(axes, panels, strict=True):
        _framed_cells(ax, table, limit=strongest, first=first)
        ax.set_xlabel("column")
        ax.set_title(name, fontweight="normal", fontsize=SMALL, pad=5)
        ax.tick_params(color=FAINT)  # as pale as the frame from which the ticks stand out
        ax.yaxis.set_major_locator(MaxNLocator(4, integer=True))  # no ticks between positions
    axes[0].set_ylabel("position")
    # A little below the middle: above the grey there may be a first row that is no NaN.
    axes[1].text(0.5, 0.45, note_on_grey, transform=axes[1].transAxes, color=INK, **MIDDLE)
    axes[0].figure.suptitle(title, x=0.01, ha="left")


def differences(axes, tables, *, limits, grey) -> None:
    """Draw the differences between wrong tables and the correct one, a small picture for each.

    `tables`, `limits` (where a colour is strongest) and `grey` (what is written on a grey picture)
    go by the names of the bugs. A bug without a limit has 1, and most have nothing to write.
    """
    axes_in_a_row = np.ravel(axes)  # the pictures stand in several rows
    for ax, (name, table) in zip(axes_in_a_row, tables.items(), strict=True):
        _framed_cells(ax, table, limit=limits.get(name, 1.0))
        in_two_lines = fill(name, 12)  # a picture has the width of some twelve letters
        ax.set_title(in_two_lines, fontweight="normal", fontsize=SMALL, pad=4)
        ax.set(xticks=[], yticks=[])
        ax.text(0.5, 0.5, grey.get(name, ""), transform=ax.transAxes, color=INK, **MIDDLE)


def _framed_cells(ax, table, **how) -> None:
    """Draw a table as `coloured_cells` does, but a NaN is grey, and a frame is around it."""
    coloured_cells(ax, table, **how)
    ax.images[0].set_cmap(colormaps[DIVERGING].with_extremes(bad=FAINT))
    # A difference of 0 is as white as the ground: the frame shows where the table ends.
    ax.spines[:].set(visible=True, color=FAINT)


def harm_by_bug(axes, names, closest, read_right) -> None:
    """Draw for each bug how near two positions come, and beside it how many are still recognised.

    `closest` and `read_right` are shares from 0 to 1, a number for each of the `names`. Both axes
    share the rows, of which the first is above.
    """
    rows = np.arange(len(names))
    panels = (closest, "closest two", INK), (read_right, "read correctly", NEUTRAL)
    for ax, (shares, title, colour) in zip(axes, panels, strict=True):
        ax.hlines(rows, 0, shares, color=colour, linewidth=3, alpha=0.45)
        ax.plot(shares, rows, "o", color=colour, markersize=9)
        for none_or_all in (0, 1):
            ax.axvline(none_or_all, color=FAINT, linewidth=1, zorder=0)
        # A dot at 0 or at 1 has room. The labels are in percent.
        ax.set(xlim=(-0.06, 1.06), xticks=(0, 0.5, 1), xticklabels=("0", "50", "100"))
        ax.set_title(title)
        ax.spines["left"].set_visible(False)
        ax.tick_params(axis="y", length=0)
    axes[0].set_yticks(rows, names)
    axes[0].invert_yaxis()  # and with it that of the other axes, which share it
    axes[0].set_xlabel("distance\n(% of the correct one)")
    axes[1].set_xlabel("positions\n(%)")


def bug_by_test(ax, verdicts, bugs, tests, *, chosen_tests) -> None:
    """Draw a table of which test sees which bug, a row for each bug and a column for each test.

    `verdicts` has the same rows and columns: each is "passes", "fails" or "crashes". `bugs` and
    `tests` are names. The columns of the `chosen_tests` are marked.
    """
    verdicts = np.asarray(verdicts)
    for verdict, label, sign, size, colour, edge in (  # as the legend lists them
        ("fails", "the test fails", "o", 8, INK, INK),
        ("crashes", "the code crashes", "X", 9, COSINE, "white"),
        ("passes", "sees nothing", "o", 3, FAINT, FAINT),
    ):
        rows, columns = np.nonzero(verdicts == verdict)
        if len(rows):  # the legend names no sign that is not drawn
            look = {"color": colour, "markeredgecolor": edge, "markersize": size}
            ax.plot(columns, rows, sign, label=label, **look)
    for test in chosen_tests:
        column = tests.index(test)
        framed(ax, column, 0, height=len(bugs), fill=True, alpha=0.35, zorder=0, linewidth=0)
    for row in range(1, len(bugs)):
        ax.axhline(row - 0.5, color=FAINT, linewidth=0.6)
    ax.set(xlim=(-0.5, len(tests) - 0.5), ylim=(len(bugs) - 0.5, -0.5))
    named_cells(ax, bugs)
    # Each name begins at its column and rises to the right: it is turned about its beginning.
    ax.set_xticks(range(len(tests)), tests, rotation=55, ha="left", rotation_mode="anchor")
    ax.xaxis.tick_top()
    ax.legend(loc="upper center", bbox_to_anchor=(0.3, -0.01), ncols=3, fontsize=SMALL)
