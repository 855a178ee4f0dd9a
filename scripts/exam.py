"""An exam for one class: sheets and their keys, in Markdown and as PDF.

    python -m scripts.exam --seed 7                               (make exam SEED=7)
    python -m scripts.exam --seed 7 --minutes 45 --chapters 1-7   (make exam SEED=7 MINUTES=45 ...)
    python -m scripts.exam --seed 7 --versions 2
    python -m scripts.exam --seed 7 --questions "twins wrong-sign"

The same seed makes the same exam. Formulas are set as in the book; Chromium prints the PDF, and
nothing is asked of the network.
"""

import argparse
import re
from html import escape
from pathlib import Path

from extensions import contents
from extensions.contents import ROOT
from extensions.slides import rendered
from posenc_course.exam import chosen, code, key_blocks, sheet_blocks
from posenc_course.exam.sheet import VERSIONS, Block, markdown
from scripts.paper import browser, empty_page, static_fonts

BUILD = ROOT / "build" / "exam"
THEME = ROOT / "theme" / "static"
NAME_LINE = Block("name", "Name: ______________________________   Number: ______________")
ROOM = {"part": (6, 7), "proof": (12, 9)}  # millimetres for an answer: at least, and for each point


def labels(chapters):
    """Return the labels of the chapters that "1-7" or "1,3,9" names, or None for all."""
    if not chapters.strip():
        return None
    numbered = {int(path.stem[:2]): path for path in contents.chapters()}
    wanted = set()
    for part in chapters.replace(" ", "").split(","):
        ends = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        span = range(int(ends[1]), int(ends[2] or ends[1]) + 1) if ends else []
        if not span or not {*span} <= {*numbered}:
            raise ValueError(
                f'chapters must be numbers from {min(numbered)} to {max(numbered)}, such as "1-7" '
                f'or "1,3,9", got {chapters!r}'
            )
        wanted |= {*span}
    return {contents.title(contents.read(numbered[number]))[0] for number in wanted}


def as_html(title, blocks, fonts, *, room=False):
    """Return a page to print, with room below each part for its answer."""
    style = fonts + Path(__file__).with_name("exam.css").read_text(encoding="utf-8")
    katex = (THEME / "katex" / "katex.min.css").as_uri()
    body = []
    for block in blocks:
        body.append(f'<div class="{block.kind}">{rendered(block.text)}</div>')
        if room and block.kind in ROOM:
            least, each = ROOM[block.kind]
            body.append(f'<div class="room" style="height: {least + each * block.points}mm"></div>')
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{katex}"><style>{style}</style></head>
<body>{"".join(body)}</body></html>
"""


def documents(seed, names, versions, made_by):
    """Yield the name of each file, its title, its blocks, and whether students write on it."""
    exam = code(names, seed)
    for version in range(versions):
        mark = exam + (f"-{VERSIONS[version]}" if versions > 1 else "")
        title = f"Positional encoding: exam {mark}"
        head = Block("head", f"# {title}")
        yield f"exam-{mark}", title, [head, NAME_LINE, *sheet_blocks(names, seed, version)], True
        head = Block("head", f"# {title}, the key\n\nMade by `{made_by}`")
        yield (
            f"exam-{mark}-key",
            f"{title}, the key",
            [head, *key_blocks(names, seed, version)],
            False,
        )


def make(seed, names, versions=1, *, room=True, made_by="", folder=BUILD):
    """Write sheets and keys; return the paths."""
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    files = [*documents(seed, names, versions, made_by)]
    made = []
    for name, _, blocks, _ in files:
        made.append(folder / f"{name}.md")
        made[-1].write_text(markdown(blocks), encoding="utf-8")
    if browser() is None:
        print("no Chromium was found, so there is no PDF: CHROMIUM=path names one")
        return made
    fonts = static_fonts(THEME / "fonts", work)
    with empty_page() as page:
        for name, title, blocks, written_on in files:
            source = work / f"{name}.html"
            source.write_text(as_html(title, blocks, fonts, room=room and written_on), "utf-8")
            page.goto(source.as_uri(), wait_until="load")
            page.evaluate("document.fonts.ready")
            made.append(folder / f"{name}.pdf")
            page.pdf(path=made[-1], prefer_css_page_size=True, tagged=True)
    return made


def main():
    parser = argparse.ArgumentParser(prog="exam", description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=int, default=90)
    parser.add_argument("--chapters", default="", help='such as "1-7" or "1,3,9"; all without it')
    parser.add_argument("--questions", default="", help='names with spaces between, or "all"')
    parser.add_argument("--versions", type=int, default=1, help="how many, with other numbers each")
    parser.add_argument("--room", choices=["yes", "no"], default="yes", help="to write answers in")
    given = parser.parse_args()
    try:
        if not 1 <= given.versions <= len(VERSIONS):
            raise ValueError(f"versions must be from 1 to {len(VERSIONS)}, got {given.versions}")
        names = chosen(given.questions, given.minutes, given.seed, labels(given.chapters))
    except ValueError as error:
        parser.error(str(error))
    settings = {"SEED": given.seed, "VERSIONS": given.versions, "QUESTIONS": f'"{" ".join(names)}"'}
    made_by = " ".join(["make exam", *(f"{name}={value}" for name, value in settings.items())])
    room = given.room == "yes"
    for path in make(given.seed, names, given.versions, room=room, made_by=made_by):
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
