"""An exam for one class: sheets and their keys, in Markdown and as PDF.

    python -m scripts.exam                                   (make exam)
    python -m scripts.exam --minutes 30 --chapters 1-7       (make exam MINUTES=30 CHAPTERS=1-7)
    python -m scripts.exam --sections all --versions 2
    python -m scripts.exam --seed 48151623 --questions "twins wrong-sign"

Without a seed it draws one, which the key names; the same seed makes the same exam again. Formulas
are set as in the book; Chromium prints the PDF, and nothing is asked of the network.
"""

import argparse
import re
import secrets
import sys
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from extensions import contents
from extensions.contents import ROOT
from extensions.slides import rendered
from posenc_course.exam import chosen, code, key_blocks, sheet_blocks
from posenc_course.exam.sheet import VERSIONS, Block, markdown
from scripts.paper import THEME, browser, empty_page, static_fonts

BUILD = ROOT / "build" / "exam"
NAME_LINE = Block("name", "Name: ______________________________   Number: ______________")
SEEDS = 10**9  # how many there are to draw one from
GUESSED = 10**4  # a seed below is one of the first that somebody would try
ROOM = {"part": (6, 7), "proof": (12, 9)}  # millimetres for an answer: at least, and for each point


def labels(chapters: str) -> set[str] | None:
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


def together(blocks: Iterable[Block]) -> list[list[Block]]:
    """Return blocks in groups within which no page ends, so that a title and its text never part.

    On a sheet a question's first part stands with its text, in a key what is noted with its part.
    """
    groups, before = [], None
    for block in blocks:
        if before in ("title", "text") or block.kind == "notes":
            groups[-1].append(block)
        else:
            groups.append([block])
        before = block.kind
    return groups


def as_html(title: str, blocks: Iterable[Block], fonts: str, *, room: bool = False) -> str:
    """Return blocks as an HTML document to print; with `room`, space for an answer below each part.

    `fonts` are style rules.
    """
    style = fonts + Path(__file__).with_name("exam.css").read_text(encoding="utf-8")
    katex = (THEME / "katex" / "katex.min.css").as_uri()
    body = []
    for group in together(blocks):
        pieces = []
        for block in group:
            pieces.append(f'<div class="{block.kind}">{rendered(block.text)}</div>')
            if room and block.kind in ROOM:
                least, each = ROOM[block.kind]
                height = least + each * block.points
                pieces.append(f'<div class="room" style="height: {height}mm"></div>')
        body.append(f'<div class="together">{"".join(pieces)}</div>')
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{katex}"><style>{style}</style></head>
<body>{"".join(body)}</body></html>
"""


def documents(
    seed: int, names: list[str], versions: int, made_by: str
) -> Iterator[tuple[str, str, list[Block], bool]]:
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


def make(
    seed: int,
    names: list[str],
    versions: int = 1,
    *,
    room: bool = True,
    made_by: str = "",
    folder: Path = BUILD,
) -> list[Path]:
    """Write sheets and keys as Markdown, and as PDF if there is a Chromium; return the paths."""
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
    fonts = static_fonts()
    with empty_page() as page:
        for name, title, blocks, written_on in files:
            source = work / f"{name}.html"
            source.write_text(as_html(title, blocks, fonts, room=room and written_on), "utf-8")
            page.goto(source.as_uri(), wait_until="load")
            page.evaluate("document.fonts.ready")
            made.append(folder / f"{name}.pdf")
            page.pdf(path=made[-1], prefer_css_page_size=True, tagged=True)
    return made


def main() -> None:
    """Write the exam that the command line asks for, and print the paths of its files."""
    parser = argparse.ArgumentParser(prog="exam", description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, help="by default a new one, which the key names")
    parser.add_argument("--minutes", type=int, default=45)
    parser.add_argument("--chapters", default="", help='such as "1-7" or "1,3,9"; all without it')
    parser.add_argument("--sections", default="", help='read after the cards: labels, or "all"')
    parser.add_argument("--questions", default="", help='names with spaces between, or "all"')
    parser.add_argument("--versions", type=int, default=1, help="how many, with other numbers each")
    parser.add_argument("--room", choices=["yes", "no"], default="yes", help="to write answers in")
    given = parser.parse_args()
    seed = GUESSED + secrets.randbelow(SEEDS - GUESSED) if given.seed is None else given.seed
    try:
        if not 1 <= given.versions <= len(VERSIONS):
            raise ValueError(f"versions must be from 1 to {len(VERSIONS)}, got {given.versions}")
        read = {"chapters": labels(given.chapters), "sections": given.sections}
        names = chosen(given.questions, given.minutes, seed, **read)
    except ValueError as error:
        parser.error(str(error))
    settings = {"SEED": seed, "VERSIONS": given.versions, "QUESTIONS": f'"{" ".join(names)}"'}
    made_by = " ".join(["make exam", *(f"{name}={value}" for name, value in settings.items())])
    room = given.room == "yes"
    for path in make(seed, names, given.versions, room=room, made_by=made_by):
        print(path.relative_to(ROOT))
    if seed < GUESSED:
        print(
            f"Seed {seed} is easily guessed, and with it a student can make this key. For an exam "
            "that counts, name no seed: a new one is drawn, and the key has it.",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
