"""Figures of the chapter on why order matters."""

from matplotlib.patches import Rectangle

from course.figures.style import FAINT, HIGHLIGHT, INK, NEUTRAL
from course.figures.tables import colour_scale, heat_map, labelled_rows


def rows_of_sentences(axes, tables, colours, *, title, limit=1.0):
    """Draw one table for each sentence, so that the row of a word can be followed."""
    for ax, (sentence, table) in zip(axes, tables.items(), strict=True):
        words = sentence.lower().split()
        labelled_rows(
            ax,
            table,
            words,
            title=f"“{sentence}”",
            xlabel="column",
            limit=limit,
            row_colours=[colours[word] for word in words],
        )
    figure = axes[0].figure
    colour_scale(figure, axes, label="output", limit=limit)
    figure.suptitle(title, x=0.01, ha="left")
    return axes


def swapped_scores(axes, permutation, scores, words, *, frame, limit=2.0):
    """Draw a permutation, a table of scores, and the scores after words changed places."""
    moved_words = [words[row.argmax()] for row in permutation]
    moved_frame = [int(permutation[:, place].argmax()) for place in frame]
    panels = [
        (permutation, "$P$", [""] * len(words), [""] * len(words), None),
        (scores, "$S$", words, words, frame),
        (permutation @ scores @ permutation.T, "$P S P^T$", moved_words, moved_words, moved_frame),
    ]
    for ax, (table, title, rows, columns, place) in zip(axes, panels, strict=True):
        whole = table is permutation
        heat_map(ax, table, title=title, xlabel="", ylabel="", limit=limit, colour_bar=False)
        for row, entries in enumerate(table):
            for column, entry in enumerate(entries):
                text = f"{entry:.0f}" if whole else f"{entry:.2f}".replace("-", "\N{MINUS SIGN}")
                colour = "white" if abs(entry) > 0.65 * limit else INK
                ax.text(column, row, text, ha="center", va="center", color=colour)
        ax.set_xticks(range(len(words)), columns)
        ax.set_yticks(range(len(words)), rows)
        ax.tick_params(length=0)
        for edge in range(1, len(words)):
            ax.axhline(edge - 0.5, color="white", linewidth=2)
            ax.axvline(edge - 0.5, color="white", linewidth=2)
        if whole:
            ax.spines[:].set(visible=True, color=FAINT)
        if place is not None:
            row, column = place
            ax.add_patch(
                Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, color=HIGHLIGHT, linewidth=3)
            )
    return axes


def failed_repairs(axes, positions, cosines, lengths, shares):
    """Draw what goes wrong with an index that grows, and with the share of the length."""
    index, share = axes
    styles = ["-", "--", ":"]
    for style, (name, values) in zip(styles, cosines.items(), strict=False):
        index.plot(positions, values, color=NEUTRAL, linestyle=style, label=name)
    index.set(xlabel="position k (tokens)", ylabel="cosine between two words", ylim=(0, 1.05))
    index.set_title("What grows drowns the words")
    index.legend(loc="center right", frameon=False)
    share.plot(lengths, shares, color=NEUTRAL)
    share.set(xlabel="length L (tokens)", ylabel="k/L at position 3", ylim=(0, 0.8))
    share.set_title("k/L changes with the length")
    return axes
