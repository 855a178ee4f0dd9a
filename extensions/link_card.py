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
# All in pixels. Numbers below that say where something stands, how large letters are and which
# encoding the band shows were chosen by eye.
WIDTH, HEIGHT = 1200, 630  # what sites that show a link ask for
MARGIN, BAND = 72, 180


@cache
def _font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    """Return the sans font of the book; `weight` is Regular or Bold, `size` is in pixels."""
    return ImageFont.truetype(FONTS / f"WordsSans-{weight}.ttf", size)


@cache
def _band() -> Image.Image:
    """Return the picture at a card's foot: sines of 240 positions and 30 frequencies, in colours.

    It is WIDTH x BAND. Its base 300, and how many positions and frequencies it has, were chosen by
    eye.
    """
    # One row for each frequency, fastest first; the cosines between the sines are left out.
    sines = sinusoidal(240, 60, base=300).T[::2]
    # Sines are from -1 to 1, and colormaps take 0 to 1. Their fourth number is the opacity.
    pixels = mpl.colormaps[style.DIVERGING]((sines + 1) / 2, bytes=True)[..., :3]
    return Image.fromarray(pixels).resize((WIDTH, BAND), Image.Resampling.NEAREST)


def _beside(picture: bytes, width: int, height: int) -> Image.Image:
    """Return the figure of a PNG, as large as fits into width x height pixels, on the card's paper.

    It keeps its shape, so that one side may be shorter.
    """
    figure = Image.open(io.BytesIO(picture)).convert("RGB")
    figure = ImageOps.contain(figure, (width, height))
    # White times a colour is the colour: the white ground becomes paper, and black stays black.
    return ImageChops.multiply(figure, Image.new("RGB", figure.size, PAPER))


def link_card(title: str, question: str, where: str, picture: bytes | None = None) -> bytes:
    """Return the PNG of the card that is shown with a link to a page, 1200 x 630.

    `where` is its chapter or part, or "" for neither. A chapter shows the picture of its own card,
    `picture` (the bytes of a PNG), beside the words. Places and sizes are in pixels, and were
    chosen by eye.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    # The band goes from here to the lower edge. Below a picture only its upper part has room.
    foot = 590 if picture else HEIGHT - BAND
    image.paste(_band().crop((0, 0, WIDTH, HEIGHT - foot)), (0, foot))
    draw = ImageDraw.Draw(image)
    right = WIDTH - MARGIN
    draw.text((MARGIN, 64), "Where Words Stand", fill=QUIET, font=_font("Regular", 34))
    if where:
        # The anchor: `right` is where the text ends, 64 the top of its line.
        draw.text((right, 64), where, fill=QUIET, font=_font("Regular", 34), anchor="ra")
    if picture:
        figure = _beside(picture, 600, 440)
        # In the middle, from top to bottom, of the room of 440 below 130.
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
            if y + step > foot:  # a line would reach into the band: the rest is left out
                break
            draw.text((MARGIN, y), line, fill=colour, font=font)
            y += step
        y += 14
    file = io.BytesIO()
    # 128 colours make a small file. With a picture, most of them would be the band's, and the
    # colours of thin lines would be left out.
    if not picture:
        image = image.quantize(128, dither=Image.Dither.NONE)
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
