"""An exam for one class: the sheet and its key, in Markdown and as PDF.

    python -m scripts.exam --seed 7                         (make exam SEED=7)
    python -m scripts.exam --seed 7 --minutes 45            (make exam SEED=7 MINUTES=45)
    python -m scripts.exam --seed 7 --questions "twins wrong-sign"

The same seed draws the same numbers. Formulas are set as in the book; Chromium prints the PDF, and
nothing is asked of the network.
"""

import argparse
from html import escape
from pathlib import Path

from extensions.contents import ROOT
from extensions.slides import rendered
from posenc_course.exam import chosen, key, sheet
from scripts.paper import browser, empty_page, static_fonts

BUILD = ROOT / "build" / "exam"
THEME = ROOT / "theme" / "static"
NAME_LINE = "Name: ______________________________   Number: ______________"


def as_html(text, fonts):
    """A page to print."""
    style = fonts + Path(__file__).with_name("exam.css").read_text(encoding="utf-8")
    title = text.partition("\n")[0].lstrip("# ")
    katex = (THEME / "katex" / "katex.min.css").as_uri()
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{katex}"><style>{style}</style></head>
<body>{rendered(text)}</body></html>
"""


def make(seed, names, folder=BUILD):
    """Write sheet and key; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    title = f"# Positional encoding: exam {seed}"
    texts = {
        f"exam-{seed}": f"{title}\n\n{NAME_LINE}\n\n{sheet(names, seed)}",
        f"exam-{seed}-key": f"{title}, the key\n\n{key(names, seed)}",
    }
    work = folder / "work"
    work.mkdir(exist_ok=True)
    made = []
    for name, text in texts.items():
        made.append(folder / f"{name}.md")
        made[-1].write_text(text, encoding="utf-8")
    if browser() is None:
        print("no Chromium was found, so there is no PDF: CHROMIUM=path names one")
        return made
    fonts = static_fonts(THEME / "fonts", work)
    with empty_page() as page:
        for name, text in texts.items():
            source = work / f"{name}.html"
            source.write_text(as_html(text, fonts), encoding="utf-8")
            page.goto(source.as_uri(), wait_until="load")
            page.evaluate("document.fonts.ready")
            made.append(folder / f"{name}.pdf")
            page.pdf(path=made[-1], prefer_css_page_size=True, tagged=True)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=int, default=90)
    parser.add_argument("--questions", default="", help='names with spaces between, or "all"')
    given = parser.parse_args()
    try:
        names = chosen(given.questions, given.minutes)
    except ValueError as error:
        parser.error(str(error))
    for path in make(given.seed, names):
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
