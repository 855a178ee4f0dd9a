"""Sphinx extension: figures as a page shows them, light and dark, small, loaded when near.

A stored figure stays as Matplotlib drew it, on white. When the book is built, each becomes two
lossless WebP files: a light twin on the paper of the page and a dark one.
"""

import hashlib
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

import numpy as np
from PIL import Image

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

PAPER = (0xFC, 0xFB, 0xF8)  # of a light page
GROUND = (0x16, 0x19, 0x1D)  # of a dark one
ALMOST_0 = 1e-9  # stands for 0 where white or grey would be divided by its share of colour

# How light a pigment is in the dark, against how light it is on paper (both in OKLab, 0 to 1):
# black becomes almost white, strong colours a clear middle tone, gold and yellow stay.
ON_PAPER = [0, 0.3, 0.55, 0.8, 1]
IN_THE_DARK = [0.93, 0.87, 0.75, 0.83, 0.97]

# sRGB to the cone responses of OKLab, and those to lightness and the two colour axes.
# https://bottosson.github.io/posts/oklab/
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
AXES = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def to_oklab(rgb: np.ndarray) -> np.ndarray:
    """Return sRGB colours from 0 to 1 in OKLab (lightness, two colour axes), shape (..., 3)."""
    # The numbers are those of the sRGB standard.
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ CONES.T) @ AXES.T


def from_oklab(lab: np.ndarray) -> np.ndarray:
    """Return OKLab colours in sRGB, shape (..., 3).

    The numbers are from 0 to 1, or outside where a screen has no such colour.
    """
    linear = (lab @ np.linalg.inv(AXES).T) ** 3 @ np.linalg.inv(CONES).T
    # The numbers are those of the sRGB standard. A negative number has no such power, and needs
    # none: of it the straight part is returned.
    bent = 1.055 * np.maximum(linear, 0) ** (1 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, linear * 12.92, bent)


def on_paper(rgb: np.ndarray) -> np.ndarray:
    """Return colours drawn on white as they are on a light page: shape (n, 3), 0 to 255."""
    # Ink lies on the paper: of its light, each colour takes the share that it takes of white.
    return np.rint(rgb * (np.array(PAPER) / 255)).astype(np.uint8)


def in_the_dark(rgb: np.ndarray) -> np.ndarray:
    """Return colours drawn on white as they are on a dark page: shape (n, 3), 0 to 255.

    A colour is taken as a pigment thinned with white. The white becomes the dark ground; the
    pigment keeps its hue and takes a lightness that is clear on that ground.
    """
    rgb = np.asarray(rgb, dtype=float) / 255
    # The share of pigment: white has none, and a colour with a 0 among its three numbers is pure.
    strength = 1 - rgb.min(axis=1, keepdims=True)
    # From rgb = strength * pigment + (1 - strength) * white, where white is 1.
    pigment = (rgb - 1 + strength) / np.maximum(strength, ALMOST_0)
    lab = to_oklab(pigment)
    light, colour = lab[:, :1], lab[:, 1:]  # the first of three columns, and the other two
    # The hue of a near-black ink is hardly seen; lifted to near white it would show as a tint. So
    # dark pigments lose up to 0.045 of their distance from grey, the less the lighter they are.
    # (How much, as `IN_THE_DARK` and the power below, is a choice of looks.)
    tint = np.hypot(colour[:, :1], colour[:, 1:])
    damped = 0.045 * np.interp(light, [0, 0.3, 0.5], [1, 0.6, 0])
    colour = colour * np.maximum(1 - damped / np.maximum(tint, ALMOST_0), 0)
    light = np.interp(light, ON_PAPER, IN_THE_DARK)
    # As much of the colour as the screen can show at that lightness, by bisection: 12 halvings
    # find the share to 1/4096, finer than a step of 1/255.
    least, most = np.zeros_like(light), np.ones_like(light)
    for _ in range(12):
        share = (least + most) / 2
        shown = from_oklab(np.hstack([light, share * colour]))
        # A little outside, less than a step of 1/255, is rounded to what the screen can show.
        fits = ((shown > -1e-3) & (shown < 1 + 1e-3)).all(axis=1, keepdims=True)
        least, most = np.where(fits, share, least), np.where(fits, most, share)
    pigment = np.clip(from_oklab(np.hstack([light, least * colour])), 0, 1)
    strength = strength**0.85  # thin colours become stronger: on a dark ground they look fainter
    dark = strength * pigment + (1 - strength) * np.array(GROUND) / 255
    return np.rint(255 * dark).astype(np.uint8)


# ---------------------------------------------------------------------------- files

LARGEST = 120 * 1024  # bytes of a figure; above it there are fewer colours
FEWER = (256, 128)  # colours, as they are tried; 128 are enough for each figure of the book
DENSITY = 2  # pixels of a stored figure for each pixel of the page


def as_webp(pixels: np.ndarray, *, few_colours: bool) -> bytes:
    """Return an image, shape (height, width, 3) and 0 to 255, as the bytes of a lossless WebP."""
    file = io.BytesIO()
    # A lossless WebP is the same picture at any quality and method. More of both take five times as
    # long, and make a file smaller where there are few colours alone: by up to 17 per cent.
    effort = {"quality": 90, "method": 5} if few_colours else {"quality": 60, "method": 1}
    Image.fromarray(pixels).save(file, "WEBP", lossless=True, **effort)
    return file.getvalue()


def twins(png: bytes) -> tuple[bytes, bytes]:
    """Return (light WebP, dark WebP) of a PNG.

    Where one of them has more than `LARGEST` bytes, both have fewer colours, 128 at the least.
    """
    image = Image.open(io.BytesIO(png)).convert("RGB")  # no figure of the book is transparent
    for count in (None, *FEWER):
        drawn = np.asarray(image.quantize(count).convert("RGB") if count else image)
        few = count is not None
        # Each colour is turned once, not each pixel. One number a colour, with a byte for each of
        # red, green and blue, sorts much faster than three. Most pixels are like the one before
        # them, so that the first of each run of equal ones is enough.
        packed = (drawn.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)).ravel()
        first = np.flatnonzero(np.diff(packed, prepend=packed[0] + 1))
        lengths = np.diff(first, append=packed.size)
        numbers, places = np.unique(packed[first], return_inverse=True)
        colours = np.stack([numbers >> 16, numbers >> 8 & 255, numbers & 255], axis=1)

        light = on_paper(colours)[places].repeat(lengths, axis=0).reshape(drawn.shape)
        light = as_webp(light, few_colours=few)
        if len(light) > LARGEST and count != FEWER[-1]:
            continue  # a dark twin would be made for nothing
        dark = in_the_dark(colours)[places].repeat(lengths, axis=0).reshape(drawn.shape)
        dark = as_webp(dark, few_colours=few)
        if len(dark) <= LARGEST:
            break
    return light, dark


# A digest of this file, which is a part of each picture's name: where the code above has changed,
# no picture that it made before is found any more, and all are made again.
RULE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Return a context manager whose block one process at a time runs, of those with this place.

    The file `place` is made for that, and stays: another process may wait for it. Windows has no
    such locks, and there two processes may run the block at once.
    """
    if fcntl is None:
        yield
        return
    with place.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # which waits; the end of a process unlocks too
        yield


def store(png: bytes, folder: Path, kept: Path) -> tuple[str, str, tuple[int, int]]:
    """Write the twins of a PNG; return (light name, dark name, (width, height) in pixels).

    They are made in the folder `kept`, which a build from nothing does not clear, and copied from
    there into `folder`.
    """
    # After what the twins depend on: the picture, and the code that makes them. 16 digits tell all
    # pictures apart.
    name = hashlib.sha256(png + RULE.encode()).hexdigest()[:16]
    names = [f"{name}.webp", f"{name}-dark.webp"]
    kept.mkdir(parents=True, exist_ok=True)
    with alone(kept / name):  # the builds of two languages come to it at the same time
        if not all((kept / file).is_file() for file in names):
            for file, picture in zip(names, twins(png), strict=True):
                # Another build may be about to copy the file, so that it must be there whole or
                # not at all: it is written under a name of this process, and then renamed.
                unfinished = kept / f"{file}.{os.getpid()}"
                unfinished.write_bytes(picture)
                unfinished.replace(kept / file)
    for file in names:
        shutil.copyfile(kept / file, folder / file)
    with Image.open(io.BytesIO(png)) as image:
        return *names, image.size


def kept_figures(out: Path) -> Path:
    """Return the folder beside a built book in which its figures are kept from build to build."""
    return out.parent / "figures"


def figure_html(sources: list[str], size: tuple[int, int], alt: str) -> str:
    """Return the HTML of a figure: a link to the picture itself, which a script opens in place.

    `sources` are the addresses of the light and the dark picture, and `size` is (width, height) of
    their files in pixels. The style sheet shows the one that suits the page.
    """
    # In pixels of the page, so that it has the right room before the picture is loaded.
    width, height = (round(pixels / DENSITY) for pixels in size)
    pictures = "".join(
        f'<img class="only-{theme}" src="{source}" width="{width}" height="{height}" '
        f'alt="{escape(alt)}" loading="lazy" decoding="async">'
        for theme, source in zip(("light", "dark"), sources, strict=True)
    )
    return f'<a class="figure" href="{sources[0]}" data-dark="{sources[1]}">{pictures}</a>'
