"""The encoding in one picture: a hand, its two waves, and the table that grows from them."""

from itertools import groupby
from math import ceil

import numpy as np

from course.views.traits import Whole
from course.views.view import View
from posenc import frequencies, sinusoidal

__all__ = ["EncodingGrows"]

_LENGTH, _WIDTH, _BASE = 48, 32, 100


class EncodingGrows(View):
    """A clock hand whose two waves grow a table of width 32 and base 100, row by row.

    Try this: drag down the table, and the hand turns. Drag sideways: each pair of columns has a
    hand of its own, slower than the one before.

    Parameters
    ----------
    position : int, optional
        The last row k that is there, from 0 to 47.
    pair : int, optional
        The pair i, from 0 to 15, whose hand and waves are shown: columns 2i and 2i + 1.

    Examples
    --------
    >>> EncodingGrows(position=8)
    EncodingGrows(position=8, pair=3)
    """

    _module = "encoding_grows.js"
    position = Whole(32, 0, _LENGTH - 1)
    pair = Whole(3, 0, _WIDTH // 2 - 1)

    def still(self):
        """Return the picture of this state for where scripts do not run.

        The colours are those of the page it is on. A cell of the table is green where its value
        is positive, purple where it is negative, and paler the closer it is to 0.

        Returns
        -------
        str
            An SVG that says in words what it shows.
        """
        k, i = self.position, self.pair
        omega = frequencies(_WIDTH, base=_BASE)[i]
        angle = k * omega
        table = sinusoidal(k + 1, _WIDTH, base=_BASE)
        cell, row, left, top, radius = 11, 6, 286, 142, 52
        height = top + row * _LENGTH
        level = top + row * (k + 0.5)
        at = {"sine": 88, "cosine": 212}
        parts = [
            f'<svg viewBox="0 0 640 {height + 12}" role="img" aria-label="A clock hand draws a '
            f"sine and a cosine beside a table of {_WIDTH} columns that has {k + 1} rows so far. "
            f'Hand {i} fills columns {2 * i} and {2 * i + 1}.">'
        ]

        def draw(colour, thickness, path):
            style = f"fill:none;stroke:var(--{colour});stroke-width:{thickness}"
            parts.append(f'<path style="{style}" d="{path}"/>')

        draw("line", 1, f"M{left} {top}h{cell * _WIDTH}V{height}H{left}z")
        # One stroke, in cells, wherever cells of a colour are below each other.
        shades = np.where(table == 0, 0, np.sign(table) * np.ceil(np.abs(table) * 5)).astype(int)
        runs = dict.fromkeys((*range(-5, 0), *range(1, 6)), "")
        for column, down in enumerate(shades.T.tolist()):
            start = 0
            for shade, same in groupby(down):
                length = len(list(same))
                if shade:
                    runs[shade] += f"M{column} {start}v{length}"
                start += length
        parts.append(
            f'<g transform="translate({left + cell / 2:g} {top}) scale({cell} {row})" '
            'fill="none" shape-rendering="crispEdges">'
        )
        for shade, path in runs.items():
            colour = "#1b7837" if shade > 0 else "#762a83"
            opacity = abs(shade) / 5
            parts.append(f'<path stroke="{colour}" stroke-opacity="{opacity:g}" d="{path}"/>')
        parts.append("</g>")
        for name, wave in (("sine", np.sin), ("cosine", np.cos)):
            places = np.linspace(0, k, max(2, ceil(2 * k * omega) + k + 1))
            points = (
                f"{at[name] + radius * wave(place * omega):.1f} {top + row * (place + 0.5):.1f}"
                for place in places
            )
            draw("line", 1, f"M{at[name]} {top}V{height}")
            draw(name, 2, "M" + "L".join(points))
        draw("highlight", 2, f"M30 {level:g}H{left}m0-4h{cell * _WIDTH}v8H{left}z")
        draw("highlight", 2, f"M{left + 2 * i * cell} {top}h{2 * cell}V{level + 3:g}h{-2 * cell}z")
        dial = f"M{at['cosine'] + radius} 56a{radius} {radius} 0 1 0 0 .01z"
        draw("highlight", 2.5, dial)
        across, up = radius * np.cos(angle), radius * np.sin(angle)
        draw("line", 1.25, f"M{at['sine'] - radius} {56 + radius}l{2 * radius} {-2 * radius}")
        draw("cosine", 3.5, f"M{at['cosine']} 56h{across:.1f}")
        draw("sine", 3.5, f"M{at['cosine'] + across:.1f} 56v{-up:.1f}")
        draw("ink", 3, f"M{at['cosine']} 56l{across:.1f} {-up:.1f}")
        dots = f"M{at['cosine'] + across:.1f} {56 - up:.1f}"
        draw("cosine", "1.25;stroke-dasharray:2 4", f"{dots}V{level:g}")
        draw("sine", "1.25;stroke-dasharray:2 4", f"{dots}H{at['sine'] + up:.1f}V{level:g}")
        return "".join(parts) + "</svg>\n"
