"""The picture of a page for those who link to it: title, question, and the encoding at its foot."""

import io
from functools import cache

import matplotlib as mpl
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps, ImageText

from extensions.contents import ROOT
from posenc import sinusoidal
from posenc_course.figures import style

FONTS = ROOT / "posenc_course" / "figures" / "fonts"
INK, QUIET, PAPER = style.INK, style.NEUTRAL, style.PAPER
# All in pixels. Numbers below that say where something stands were chosen by eye.
WIDTH, HEIGHT = 1200, 630  # what sites that show a link ask for
MARGIN, BAND = 72, 180


@cache
def _font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the sans font of the book in a weight, Regular or Bold, and a size in pixels."""
    return ImageFont.truetype(FONTS / f"WordsSans-{weight}.ttf", size)


@cache
def _band() -> Image.Image:
    """Return an image of the sines of 240 positions, from left to right, at WIDTH x BAND."""
    sines = sinusoidal(240, 60, base=300).T[::2]
    pixels = mpl.colormaps[style.DIVERGING]((sines + 1) / 2, bytes=True)[..., :3]
    return Image.fromarray(pixels).resize((WIDTH, BAND), Image.Resampling.NEAREST)


def _beside(picture: bytes, width: int, height: int) -> Image.Image:
    """Return a figure as large as fits, its white ground turned into the card's paper."""
    figure = Image.open(io.BytesIO(picture)).convert("RGB")
    figure = ImageOps.contain(figure, (width, height))
    return ImageChops.multiply(figure, Image.new("RGB", figure.size, PAPER))


def link_card(title: str, question: str, where: str, picture: bytes | None = None) -> bytes:
    """Return the PNG of the card that is shown with a link to a page, 1200 x 630.

    `where` is its chapter or part. A chapter shows the picture of its own card, `picture` (the
    bytes of a PNG), beside the words.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    foot = 590 if picture else HEIGHT - BAND  # where the band begins
    image.paste(_band().crop((0, 0, WIDTH, HEIGHT - foot)), (0, foot))
    draw = ImageDraw.Draw(image)
    right = WIDTH - MARGIN
    draw.text((MARGIN, 64), "Where Words Stand", fill=QUIET, font=_font("Regular", 34))
    if where:
        draw.text((right, 64), where, fill=QUIET, font=_font("Regular", 34), anchor="ra")
    if picture:
        figure = _beside(picture, 600, 440)
        image.paste(figure, (right - figure.width, 130 + (440 - figure.height) // 2))
    # The width of the words, the sizes of title and question, and where the title begins.
    if picture:
        width, sizes, y = 430, (56, 36), 160
    else:
        width, sizes, y = WIDTH - 2 * MARGIN, (76, 42), 140
    for text, font, colour, step in (
        (title, _font("Bold", sizes[0]), INK, sizes[0] + 8),
        (question, _font("Regular", sizes[1]), QUIET, sizes[1] + 10),
    ):
        words = ImageText.Text(text, font)
        words.wrap(width)
        for line in words.text.split("\n"):
            if y + step > foot:  # there is no room for more lines
                break
            draw.text((MARGIN, y), line, fill=colour, font=font)
            y += step
        y += 14
    file = io.BytesIO()
    if not picture:  # a palette of the band's colours would leave out those of a thin line
        image = image.quantize(128, dither=Image.Dither.NONE)
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
