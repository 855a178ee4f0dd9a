"""Moving figures as they start, for where scripts do not run: drawn by their own scripts.

V8 (mini-racer) runs a view's module on a canvas that writes down what is drawn on it
(``stills.js``).
"""

import base64
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image
from py_mini_racer import MiniRacer

from posenc_course.views.view import View
from posenc_course.widget import joined

PAPER = Path(__file__).with_name("stills.js")
PIXELS = re.compile(r"pixels:(\d+):([0-9a-f]+)")
FONT = "system-ui, sans-serif"


def colours() -> dict[str, str]:
    """Return {name: colour in CSS} of the light theme, which the style sheet gives first."""
    # The first sheet of every view is that of `View`, which has the colours.
    text = View._sheets[0].read_text(encoding="utf-8")
    # Reversed, so that of two with one name the dict keeps the first.
    light = dict(reversed(re.findall(r"--([a-z]+): ([^;]+);", text)))
    # That of the ground is a variable of the page, with a colour for where the page has none.
    light["ground"] = re.search(r"#[0-9a-f]{6}", light["ground"])[0]
    return light


def png(match: re.Match) -> str:
    """Return a ``data:`` address with the PNG of the pixels in a match of `PIXELS`.

    It has the number of columns, and then three bytes for each pixel, in hexadecimal.
    """
    columns, pixels = int(match[1]), bytes.fromhex(match[2])
    image = Image.frombytes("RGB", (columns, len(pixels) // 3 // columns), pixels)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"


def still(kind: type[View], state: Mapping[str, Any]) -> tuple[tuple[int, int], str, str] | None:
    """Return ((width, height), SVG, words) of a view in a state, None for one without a still.

    The size is in pixels of a page. The words say what the picture shows.
    """
    engine = MiniRacer()
    # Scripts of a page are modules, and so strict.
    engine.eval(
        f"'use strict';\n{PAPER.read_text(encoding='utf-8')}\npaper({json.dumps(colours())})"
    )
    # What is stored has no limits: on a page, a view's script has them.
    traits = json.dumps({**state, "_limits": kind.limits()})
    # `drawn` is of stills.js, `standIn` and `render` are of the view's module and what it imports.
    # Braces keep the names of the module apart from those of stills.js.
    draw = f"globalThis.drawing = drawn(render, standIn({traits}));"
    engine.eval(f"'use strict';\n{{\n{joined(kind._module)}\n{draw}\n}}")
    drawing = json.loads(engine.eval("JSON.stringify(drawing)"))
    if drawing is None:
        return None
    size = drawing["width"], drawing["height"]
    # Round ends of lines, as shared.js asks of a canvas.
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" '
        f'width="{size[0]}" height="{size[1]}" font-family="{FONT}" stroke-linecap="round" '
        f'stroke-linejoin="round"><rect width="100%" height="100%" fill="{colours()["ground"]}"/>'
        f"{PIXELS.sub(png, drawing['svg'])}</svg>\n"
    )
    return size, svg, drawing["label"]
