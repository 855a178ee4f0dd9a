"""Cut the fonts of the book out of Adobe's Source Sans 3 and Source Serif 4.

    npm pack source-sans source-serif        (unpack both; pip install brotli)
    python -m scripts.fonts SOURCE-SANS SOURCE-SERIF

Only the characters that a book on mathematics in English can need stay. The licence reserves the
name "Source" for the unchanged fonts, so what is cut gets a name of its own: Words Sans, Words
Serif. Figures use the TrueType files beside posenc_course.figures.

Pages have the WOFF2 files in _static. KaTeX's style sheet gets fallbacks of its own: a formula
laid out before its fonts are there then takes the room that it will need.
"""

import io
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from extensions.contents import ROOT

FIGURES = ROOT / "posenc_course" / "figures" / "fonts"
PAGES = ROOT / "theme" / "static" / "fonts"

KATEX = ROOT / "theme" / "static" / "katex" / "katex.min.css"

CHARACTERS = [
    *range(0x20, 0x7F),  # ASCII
    *range(0xA0, 0x100),  # Latin-1
    *(0x131, 0x152, 0x153, 0x160, 0x161, 0x17D, 0x17E),
    *range(0x391, 0x3CA),  # Greek
    *range(0x2010, 0x2027),  # dashes, quotation marks, dots
    *(0x202F, 0x2009, 0x200A, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2044),
    *range(0x2070, 0x20A0),  # raised and lowered figures
    *(0x1D40, 0x1D62, 0x2C7C, 0x2113, 0x211D),
    *range(0x2190, 0x2196),  # arrows
    *(0x2202, 0x2206, 0x2208, 0x220F, 0x2211, 0x2212, 0x2213, 0x2215, 0x2218, 0x2219, 0x221A),
    *(0x221E, 0x2220, 0x2225, 0x2229, 0x222B, 0x2234, 0x223C, 0x2248, 0x2260, 0x2261, 0x2264),
    *(0x2265, 0x226A, 0x226B, 0x2282, 0x2295, 0x2297, 0x22A5, 0x22C5, 0x2713, 0x25A0, 0x25A1),
]
FEATURES = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum", "onum", "pnum"]


def cut(source, family, target, **axes):
    """One font with fewer characters, its own name and, of a variable font, fewer axes."""
    font = TTFont(source, recalcTimestamp=False)
    if axes:
        fewer, font = io.BytesIO(), instancer.instantiateVariableFont(font, axes)
        font.save(fewer)
        font = TTFont(fewer, recalcTimestamp=False)
    options = subset.Options(
        layout_features=FEATURES, name_IDs=["*"], notdef_outline=True, hinting=False
    )
    if target.suffix == ".woff2":
        options.flavor = font.flavor = "woff2"
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=CHARACTERS)
    cutter.subset(font)
    for record in list(font["name"].names):
        if record.nameID in (1, 3, 4, 6, 16, 25):
            old = record.toUnicode()
            new = old.replace("Source Serif 4 Variable", family).replace("Source Serif 4", family)
            new = new.replace("Source Sans 3 VF", family).replace("Source Sans 3", family)
            short = family.replace(" ", "")
            new = new.replace("SourceSerif4Variable", short).replace("SourceSerif4", short)
            new = new.replace("SourceSans3VF", short).replace("SourceSans3", short)
            font["name"].setName(new, record.nameID, *_place(record))
        elif record.nameID not in (0, 2, 13, 14, 17):
            font["name"].names.remove(record)
    # It names styles for menus, by names that are gone; Firefox says so on each page.
    if "STAT" in font:
        del font["STAT"]
    if target.stem.endswith("Bold"):
        font["OS/2"].usWeightClass = 700
        for record in font["name"].names:
            record.string = (
                record.toUnicode().replace("Semibold", "Bold").replace("SemiBold", "Bold")
            )
    font.save(target)
    print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1024:.0f} KB")


def fall_back(sheet):
    """Let the style sheet of KaTeX fall back on fonts that are scaled to the width of its own."""
    text = sheet.read_text(encoding="utf-8")
    if "KaTeX_Times" in text:
        return
    faces = "".join(
        f"@font-face{{font-family:{name};size-adjust:{scale}%;src:{sources}}}"
        for name, scale, sources in (
            ("KaTeX_Times", 103, 'local("Times New Roman"),local("Liberation Serif")'),
            ("KaTeX_DejaVu", 82, 'local("DejaVu Serif")'),
        )
    )
    own = "KaTeX_Times,KaTeX_DejaVu,serif"
    text = text.replace("KaTeX_Main,math,Times New Roman,serif", f"KaTeX_Main,{own}")
    math = "{font-family:KaTeX_Math"
    text = text.replace(f"{math};", f"{math},{own};")
    sheet.write_text(faces + text, encoding="utf-8")


def _place(record):
    return record.platformID, record.platEncID, record.langID


def main(sans, serif):
    for folder in (FIGURES, PAGES):
        folder.mkdir(parents=True, exist_ok=True)
    cut(sans / "TTF" / "SourceSans3-Regular.ttf", "Words Sans", FIGURES / "WordsSans-Regular.ttf")
    # Matplotlib asks for "bold"; the semibold is bold enough for a title.
    cut(sans / "TTF" / "SourceSans3-Semibold.ttf", "Words Sans", FIGURES / "WordsSans-Bold.ttf")
    weights = {"wght": (400, 700)}
    upright, italic = "VF/SourceSans3VF-Upright.ttf", "VAR/SourceSerif4Variable-Italic.ttf"
    cut(sans / upright, "Words Sans", PAGES / "words-sans.woff2", **weights)
    roman = serif / "VAR" / "SourceSerif4Variable-Roman.ttf"
    cut(roman, "Words Serif", PAGES / "words-serif.woff2", **weights, opsz=16)
    cut(serif / italic, "Words Serif", PAGES / "words-serif-italic.woff2", wght=400, opsz=16)
    fall_back(KATEX)
    licence = (sans / "LICENSE.md").read_text(encoding="utf-8")
    for folder in (FIGURES, PAGES):
        (folder / "OFL.txt").write_text(licence, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
