"""The moving figures for paper: each at three settings, as SVG and as PDF, in build/figures.

    python -m scripts.figures          (make figures)

Each file says where it comes from and under which licence, in a line at its foot.
"""

from html import escape
from pathlib import Path

from playwright.sync_api import Page

from extensions import stills
from extensions.contents import ROOT, notebooks_in_toc
from extensions.slides import Source
from posenc import sinusoidal
from posenc_course import views
from scripts.paper import empty_page

TARGET = ROOT / "build" / "figures"
BOOK = "Where Words Stand"
LICENCE = "CC BY 4.0"
LEFT, ABOVE, BELOW = 12, 8, 30  # pixels around a drawing


def rows(length: int, width: int, base: float, layout: str = "interleaved") -> str:
    """Return a table to inspect, as text with four decimals."""
    table = sinusoidal(length, width, base=base, layout=layout)
    return "\n".join(" ".join(f"{entry:.4f}" for entry in row) for row in table)


# What differs from the settings that the chapter has; the first of the three are its own.
SETTINGS = {
    "ClockHand": [{}, {"position": 15.5}, {"position": 5, "frequency": 1.5}],
    "ClockWall": [{}, {"position": 60}, {"shift": -20}],
    "CollisionExplorer": [{}, {"width": 8}, {"base": 1000}],
    "EncodingGrows": [{}, {"position": 8}, {"position": 47}],
    "FormulaReader": [{}, {"pair": 0}, {"position": 60, "pair": 12}],
    "MovedPoint": [
        {"top_left": 0, "top_right": 1, "bottom_left": -1, "bottom_right": 0},
        {"top_left": 0.8, "top_right": 0.6, "bottom_left": -0.6, "bottom_right": 0.8},
        {"top_left": 1.5, "bottom_right": 0.5},
    ],
    "RotatedPair": [
        {},
        {"query_position": 2, "key_position": 3},
        {"method": "adds a hand", "query_position": 2, "key_position": 3},
    ],
    "RoundedHands": [{}, {"hands": 3}, {"hands": 3, "position": 8, "rounded": False}],
    "RoundedRows": [{}, {"rounding": 0.5}, {"rounding": 0}],
    "SameTurn": [{}, {"position": 4}, {"shift": -2}],
    "SentenceEncoder": [{}, {"sentence": "am I a robot"}, {"base": 10_000}],
    "ShuffledWords": [{}, {"order": [2, 1, 0]}, {"order": [2, 1, 0], "positions": True}],
    "SimilarityKernel": [{}, {"width": 8}, {"width": 4, "base": 100}],
    "StretchedLadder": [{}, {"method": "linear"}, {"method": "YaRN"}],
    "TableInspector": [
        {"table": rows(12, 8, 10_000)},
        {"table": rows(12, 8, 10_000, "halves")},
        {"table": rows(12, 8, 500_000)},
    ],
    "TwoArrows": [{}, {"b_x": -1.5, "b_y": 2}, {"b_x": -4, "b_y": -3}],
    "TwoCounters": [{}, {"position": 128}, {"position": 63}],
    "WavelengthLadder": [{}, {"base": 16}, {"width": 128, "length": 2048}],
}


def places() -> dict[str, tuple[dict, str]]:
    """Return by name the (settings, title of its chapter) of each moving figure of the book."""
    found = {}
    for path in notebooks_in_toc():
        source = Source(path)
        for name, state in source.moving.items():
            found.setdefault(name, (state, source.title))
    for name in views.__all__:  # what stands on a page in Markdown alone
        found.setdefault(name, ({}, BOOK))
    return found


def drawn(name: str, state: dict, chapter: str) -> tuple[str, str]:
    """Return the SVG of a view in a state, on white above a line on its source, and its words."""
    view = getattr(views, name)(**state)
    (width, height), svg, words = stills.still(type(view), view.data())
    colours = stills.colours()
    inside = svg.replace(colours["ground"], "#ffffff")
    inside = inside.replace("<svg ", f'<svg x="{LEFT}" y="{ABOVE}" overflow="visible" ', 1)
    wide, tall = width + 2 * LEFT, height + ABOVE + BELOW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" role="img"'
        f' viewBox="0 0 {wide} {tall}" font-family="{stills.FONT}">'
        f"<title>{escape(name)}</title><desc>{escape(words)}</desc>"
        f'<rect width="100%" height="100%" fill="#ffffff"/>{inside}'
        f'<text x="{LEFT}" y="{tall - 10}" font-size="11" fill="{colours["quiet"]}">'
        f"{escape(f'{BOOK} · {chapter} · {LICENCE}')}</text></svg>\n"
    ), words


def printed(page: Page, svg: str, target: Path) -> None:
    """Print an SVG into the file `target`, a PDF of its own size."""
    style = "<style>body { margin: 0 } svg { display: block }</style>"
    page.set_content(f"<title>{target.stem}</title>{style}{svg}")
    box = page.locator("body > svg").bounding_box()
    size = {side: f"{box[side]}px" for side in ("width", "height")}
    page.pdf(path=target, print_background=True, **size)


def make(target: Path = TARGET) -> list[Path]:
    """Write all of them as SVG and PDF, and their words in README.md; return the files."""
    target.mkdir(parents=True, exist_ok=True)
    lines = [f"# {BOOK}: the moving figures, for paper", "", LICENCE, ""]
    with empty_page() as page:
        for name, (state, chapter) in sorted(places().items()):
            for at, changed in enumerate(SETTINGS[name], start=1):
                svg, words = drawn(name, {**state, **changed}, chapter)
                file = target / f"{getattr(views, name)._module.stem}-{at}.svg"
                file.write_text(svg, encoding="utf-8")
                printed(page, svg, file.with_suffix(".pdf"))
                lines.append(f"- **{file.stem}** ({chapter}): {words}")
    (target / "README.md").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return sorted(target.iterdir())


if __name__ == "__main__":
    made = make()
    size = sum(path.stat().st_size for path in made) / 1e6
    print(f"{TARGET.relative_to(ROOT)}: {len(made)} files, {size:.1f} MB")
