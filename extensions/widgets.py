"""The scripts and style sheets of the moving figures and questions on a page.

A stored output holds a widget's data alone (``course/widget.py``). What draws it comes from
``course``, as files that the pages share; each is named after what it holds, so that a browser
never keeps an old one.
"""

import hashlib
from pathlib import Path

from course import views
from course.questions.question import Question

FOLDER = "_static/views"
SOURCES = [
    path
    for folder in ("questions", "views")
    for path in sorted((Path(views.__file__).parents[1] / folder).glob("*.[cj]s*"))
]


def kind_of(element):
    """The class of the widget that an element of a page stands for."""
    return getattr(views, element["data-view"]) if "data-view" in element.attrs else Question


def files(soup, out):
    """The names of the style sheets and of the scripts that a page needs; writes those files."""
    found = {".css": [], ".js": []}
    for element in soup.select("[data-view], [data-question]"):
        for name, text in kind_of(element).files().items():
            stem, suffix = Path(name).stem, Path(name).suffix
            digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            path = f"{FOLDER}/{stem}_{digest}{suffix}"
            if path not in found[suffix]:
                found[suffix].append(path)
                target = Path(out) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
    return found[".css"], found[".js"]
