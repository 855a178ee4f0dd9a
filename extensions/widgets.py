"""Sphinx extension: the scripts, style sheets and stills of moving figures and questions.

A stored output holds a widget's data alone (``posenc_course/widget.py``). What draws it comes from
``posenc_course``, as files that the pages share; each is named after what it holds, so that a
browser never keeps an old one.
"""

import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from rjsmin import jsmin
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util.osutil import relative_uri

from extensions import stills
from extensions.body import PageTransform, raw
from extensions.languages import site_of, stored, way_up
from extensions.spaces import numbers_kept, sums_kept
from posenc_course import views
from posenc_course.questions.question import Question
from posenc_course.widget import Widget

FOLDER = "_static/views"
# What draws moving figures and questions: their scripts and style sheets.
SOURCES = [
    path
    for folder in ("questions", "views")
    for path in sorted((Path(views.__file__).parents[1] / folder).iterdir())
    if path.suffix in (".css", ".js")
]
SOURCES.append(Path(views.__file__).parents[1] / "words.js")


def kind_of(element: Tag) -> type[Widget]:
    """Return the class of the widget that an element stands for: one of `views`, or `Question`."""
    return getattr(views, element["data-view"]) if "data-view" in element.attrs else Question


minified = functools.cache(jsmin)  # many pages need the same script


def widgets_in(soup: BeautifulSoup) -> list[Tag]:
    """Return the elements that stand for moving figures and questions, in the order of the HTML."""
    return soup.select("div:is([data-view], [data-question])")


def files(elements: Iterable[Tag], out: str | Path) -> tuple[list[str], list[str]]:
    """Write the files that some widgets need; return the paths of (style sheets, scripts).

    Each path is there once, and leads from `out`, the folder of the site.
    """
    paths = {".css": [], ".js": []}
    for element in elements:
        for name, text in kind_of(element).files().items():
            # A script has 30 kB or more; a style sheet, with 5 or 6 kB, is worth no such step.
            written = minified(text) if name.endswith(".js") else text
            path = stored(Path(out), f"{FOLDER}/{name}", written)
            if path not in paths[Path(name).suffix]:
                paths[Path(name).suffix].append(path)
    return paths[".css"], paths[".js"]


def numbers_kept_in(value: Any) -> Any:
    """Return a copy of a widget's data with no-break spaces in the numbers of its texts.

    `value` is what JSON can hold. Texts in lists and dicts are meant too, but no key of a dict.
    """
    if isinstance(value, str):
        return numbers_kept(value)
    if isinstance(value, list):
        return [numbers_kept_in(one) for one in value]
    if isinstance(value, dict):
        return {key: numbers_kept_in(one) for key, one in value.items()}
    return value


def with_still(element: Tag, out: str | Path, base: str) -> None:
    """Draw how a moving figure starts, write that picture below `out`, and show it in the figure.

    `out` is the folder of the site, and `base` the way from the page to the site's root. The
    picture stands in a ``noscript``, in place of all that was in the element. The element of a
    figure that shows nothing at its start stays as it is, and nothing is written.
    """
    kind = kind_of(element)
    still = stills.still(kind, json.loads(element["data-state"]))
    if still is None:
        return
    (width, height), svg, words = still
    # One kind may start in many states: `stored` adds to the name a digest of what it writes.
    address = base + stored(Path(out), f"{FOLDER}/{kind._module.stem}.svg", svg)
    inside = Tag(name="noscript")
    image = {"src": address, "width": width, "height": height, "alt": words}
    inside.append(Tag(name="img", attrs=image, can_be_empty_element=True))  # without </img>
    note = Tag(name="p")
    # Sphinx translates its texts when they are written, and BeautifulSoup wants plain text.
    note.string = str(_("Scripts are off: this is how the figure starts."))
    inside.append(note)
    element.clear()
    element.append(inside)


def tables_in_boxes(soup: BeautifulSoup) -> None:
    """Put each table of `soup` into a box that scrolls, and make each empty ``th`` a ``td``."""
    for head in soup.find_all("th"):
        if not head.get_text(strip=True):  # a screen reader would read it as a heading
            head.name = "td"
    for table in soup.find_all("table"):
        table.wrap(Tag(name="div", attrs={"class": "wide"}))


class Widgets(PageTransform):
    """Note which files the widgets of a page need, and give each moving figure its still."""

    def run(self, **_options) -> None:
        """Change the HTML of a page's widgets; note the ``styles`` and ``scripts`` that they need.

        Both are lists of paths from the site's root, and attributes of the page's document.
        """
        site = site_of(self.app)
        here = self.app.builder.get_target_uri(self.env.docname)
        base = relative_uri(here, "") + way_up(self.app)
        elements = []
        for node in list(self.document.findall(nodes.raw)):
            # The class of a widget: most HTML has none, and need not be parsed.
            if 'class="posenc' not in node.astext():
                continue
            soup = BeautifulSoup(node.astext(), "html.parser")
            for words in soup.select("p.posenc-run"):  # no cell is run on a page
                words.decompose()
            # As `body.py` does with nodes: boxes round tables, and numbers that stay on one line.
            tables_in_boxes(soup)
            for text in soup.find_all(string=True):
                if not text.find_parent(["pre", "code"]):
                    text.replace_with(sums_kept(text))
            for element in widgets_in(soup):
                if "data-view" in element.attrs:
                    with_still(element, site, base)
                else:  # a script writes the texts of a question from its data
                    state = numbers_kept_in(json.loads(element["data-state"]))
                    element["data-state"] = json.dumps(state, ensure_ascii=False)
                elements.append(element)
            node.replace_self(raw(str(soup)))
        styles, scripts = files(elements, site)
        self.document["styles"], self.document["scripts"] = styles, scripts


def setup(app: Sphinx) -> None:
    """Have the widgets of each page changed as it is written."""
    app.add_post_transform(Widgets)
