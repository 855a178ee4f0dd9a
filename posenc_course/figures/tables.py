"""Tables of numbers drawn as colours."""

import numpy as np

from posenc_course.figures.style import INK, MIDDLE, NEUTRAL


def coloured_cells(ax, table, *, title="", xlabel="", ylabel="", limit=1.0, first=0) -> None:
    """Draw a table as colours, white at 0 and strongest at `limit`; rows count from `first` on."""
    rows, columns = np.shape(table)
    # The middle of a cell is at whole numbers, and the first row is above.
    extent = (-0.5, columns - 0.5, first + rows - 0.5, first - 0.5)
    # "antialiased" blends columns narrower than a pixel or two; "nearest" would draw some of them
    # wider than others, a pattern that is not in the table. Large cells stay sharp.
    look = {"aspect": "auto", "interpolation": "antialiased", "extent": extent}
    # The colours are the default ones, which `use_style` sets.
    ax.imshow(table, vmin=-limit, vmax=limit, **look)
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    ax.spines[:].set_visible(False)


def heat_map(ax, table, *, title, xlabel, ylabel, limit=1.0, colour_bar=True) -> None:
    """Draw a table as `coloured_cells` does, with the scale beside it if `colour_bar` is true."""
    coloured_cells(ax, table, title=title, xlabel=xlabel, ylabel=ylabel, limit=limit)
    if colour_bar:
        colour_scale(ax.figure, [ax], label="", limit=limit)


def named_cells(ax, rows, columns=None, *, gap=0.0) -> None:
    """Write names beside the rows and below the columns of a table; part rows by white lines.

    The lines are `gap` points thick. Without `columns` the columns keep their numbers.
    """
    if columns is not None:
        ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    for row in range(1, len(rows)):
        ax.axhline(row - 0.5, color="white", linewidth=gap)  # above the row


def numbered_cells(ax, table, *, row_labels, column_labels, title) -> None:
    """Draw a table of numbers from 0 to 1, each printed on a shade of its size."""
    ax.imshow(table, cmap="Greys", vmin=0, vmax=1.1, aspect="auto")  # 1 is not quite black
    for (row, column), entry in np.ndenumerate(table):
        colour = "white" if entry > 0.6 else INK  # what is read on that shade
        ax.text(column, row, f"{entry:.2f}", color=colour, **MIDDLE)
    named_cells(ax, row_labels, column_labels)
    ax.set_title(title)


def colour_scale(figure, axes, *, label, limit=1.0) -> None:
    """Draw one scale from -`limit` to `limit` beside several tables that share their colours."""
    image = axes[0].images[0]  # any of the images, since all have the same colours
    bar = figure.colorbar(image, ax=axes, ticks=[-limit, 0, limit], pad=0.02)
    bar.set_label(label, color=NEUTRAL)
    bar.outline.set_visible(False)
