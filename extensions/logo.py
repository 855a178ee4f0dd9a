"""Draw the book's logo, its icons and the cards that other sites show, from the encoding.

    python -m extensions.logo        writes theme/static/favicon.svg and the PNG icons

The logo is the encoding itself: rows are the positions 0 to 7, columns the sine and the cosine of
four pairs, each cell in the colour the book gives its value.
"""

import io
from functools import cache, lru_cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFont

from extensions.contents import ROOT
from posenc import sinusoidal
from posenc_course.figures import style

STATIC = ROOT / "theme" / "static"
FONTS = ROOT / "posenc_course" / "figures" / "fonts"
ICONS = ((32, "favicon-32.png"), (180, "touch-icon.png"))
CELLS, BASE = 8, 50
INK, QUIET, PAPER = style.INK, style.NEUTRAL, style.PAPER


def colours(values):
    """Hexadecimal colours of values from -1 to 1, in an array of the same shape."""
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    rgba = mpl.colormaps[style.DIVERGING]((np.asarray(values) + 1) / 2)
    return np.apply_along_axis(to_hex, -1, rgba)


def svg(size=64, corner=12):
    """The logo as SVG: one square of colour for each entry."""
    cell = size / CELLS
    table = colours(sinusoidal(CELLS, CELLS, base=BASE))
    squares = "".join(
        f'<path fill="{colour}" d="M{cell * at:g} {cell * row:g}h{cell:g}v{cell:g}h-{cell:g}z"/>'
        for (row, at), colour in np.ndenumerate(table)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">'
        f'<clipPath id="c"><rect width="{size}" height="{size}" rx="{corner}"/></clipPath>'
        f'<g clip-path="url(#c)" shape-rendering="crispEdges">{squares}</g></svg>\n'
    )


def png(size):
    """The logo as a square PNG."""
    table = colours(sinusoidal(CELLS, CELLS, base=BASE))
    pixels = np.array([[[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in row] for row in table])
    image = Image.fromarray(pixels.astype(np.uint8)).resize((size, size), Image.Resampling.NEAREST)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


@cache
def _font(weight, size):
    return ImageFont.truetype(FONTS / f"WordsSans-{weight}.ttf", size)


@lru_cache(maxsize=1)
def _band():
    """The sines of 240 positions, on their side, as the foot of a card."""
    table = sinusoidal(240, 60, base=300).T[::2]
    picture = colours(table)
    pixels = np.array([[[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in r] for r in picture])
    image = Image.fromarray(pixels.astype(np.uint8))
    return image.resize((1200, 180), Image.Resampling.NEAREST)


def _lines(draw, text, font, width):
    lines = [""]
    for word in text.split():
        tried = f"{lines[-1]} {word}".strip()
        if lines[-1] and draw.textlength(tried, font=font) > width:
            lines.append(word)
        else:
            lines[-1] = tried
    return lines


def _beside(picture, width, height):
    """A figure as large as fits, its white ground turned into the card's paper."""
    figure = Image.open(io.BytesIO(picture)).convert("RGB")
    scale = min(width / figure.width, height / figure.height)
    figure = figure.resize((round(figure.width * scale), round(figure.height * scale)))
    return ImageChops.multiply(figure, Image.new("RGB", figure.size, PAPER))


def card(title, question, where, picture=None):
    """The picture of a page for those who link to it, 1200 x 630, as the bytes of a PNG.

    A chapter shows the picture of its own card, `picture` (the bytes of a PNG), beside the words.
    """
    image = Image.new("RGB", (1200, 630), PAPER)
    foot = 590 if picture else 450  # where the band begins
    image.paste(_band().crop((0, 0, 1200, 630 - foot)), (0, foot))
    draw = ImageDraw.Draw(image)
    draw.text((72, 64), "Where Words Stand", fill=QUIET, font=_font("Regular", 34))
    if where:
        draw.text((1128, 64), where, fill=QUIET, font=_font("Regular", 34), anchor="ra")
    if picture:
        figure = _beside(picture, 600, 440)
        image.paste(figure, (1128 - figure.width, 130 + (440 - figure.height) // 2))
    width, sizes = (430, (56, 36)) if picture else (1056, (76, 42))
    y = 160 if picture else 140
    for text, font, colour, step in (
        (title, _font("Bold", sizes[0]), INK, sizes[0] + 8),
        (question, _font("Regular", sizes[1]), QUIET, sizes[1] + 10),
    ):
        for line in _lines(draw, text, font, width):
            if y + step > foot:
                break
            draw.text((72, y), line, fill=colour, font=font)
            y += step
        y += 14
    file = io.BytesIO()
    if not picture:  # a palette of the band's colours would leave out those of a thin line
        image = image.quantize(128, dither=Image.Dither.NONE)
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def main():
    (STATIC / "favicon.svg").write_text(svg(), encoding="utf-8")
    for size, name in ICONS:
        (STATIC / name).write_bytes(png(size))


if __name__ == "__main__":
    main()
