"""Figures of the chapter on why order matters."""

from posenc.figures.style import NEUTRAL
from posenc.figures.tables import colour_scale, labelled_rows


def rows_of_sentences(axes, tables, colours, *, title, limit=1.0):
    """Draw one table for each sentence, so that the row of a word can be followed.

    Parameters
    ----------
    axes : sequence of Axes
        One for each sentence, on one figure.
    tables : dict of str to array_like
        The sentence, and its table with a row for each word.
    colours : dict of str to colour
        The colour of each word.
    title : str
        Title of the whole figure.
    limit : float, optional
        The entry that takes the strongest colour.

    Returns
    -------
    sequence of Axes
        The axes passed in.
    """
    for ax, (sentence, table) in zip(axes, tables.items(), strict=True):
        words = sentence.lower().split()
        labelled_rows(
            ax,
            table,
            words,
            title=f'"{sentence}"',
            xlabel="column",
            limit=limit,
            row_colours=[colours[word] for word in words],
        )
    figure = axes[0].figure
    colour_scale(figure, axes, label="output", limit=limit)
    figure.suptitle(title, x=0.01, ha="left")
    return axes


def failed_repairs(axes, positions, likeness, lengths, shares):
    """Draw what goes wrong with the raw index, and with the share of the length.

    Parameters
    ----------
    axes : pair of Axes
    positions, likeness : array_like, shape (n,)
        Positions in tokens, and the cosine of two words with the index added.
    lengths, shares : array_like, shape (m,)
        Lengths in tokens, and the share k/L of one position in each.

    Returns
    -------
    pair of Axes
        The axes passed in.
    """
    index, share = axes
    index.plot(positions, likeness, color=NEUTRAL)
    index.set(xlabel="position k (tokens)", ylabel="cosine of two words", ylim=(0, 1.05))
    index.set_title("Add k: words drown")
    share.plot(lengths, shares, color=NEUTRAL)
    share.set(xlabel="length L (tokens)", ylabel="k/L at position 3", ylim=(0, 0.8))
    share.set_title("Add k/L: positions slip")
    return axes
