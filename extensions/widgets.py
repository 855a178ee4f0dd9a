"""The scripts and style sheets of the moving figures and questions on a page, and their stills.

A stored output holds a widget's data alone (``posenc_course/widget.py``). What draws it comes from
``posenc_course``, as files that the pages share; each is named after what it holds, so that a
browser never keeps an old one.
"""

import functools
import hashlib
import json
from pathlib import Path

from rjsmin import jsmin

from extensions import stills
from posenc_course import views
from posenc_course.questions.question import Question

FOLDER = "_static/views"
SOURCES = [
    path
    for folder in ("questions", "views")
    for path in sorted((Path(views.__file__).parents[1] / folder).glob("*.[cj]s*"))
]


def kind_of(element):
    """The class of the widget that an element of a page stands for."""
    return getattr(views, element["data-view"]) if "data-view" in element.attrs else Question


def store(out, name, text):
    """Write a file, named after what it holds; returns its path from the folder of the pages."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    path = f"{FOLDER}/{Path(name).stem}_{digest}{Path(name).suffix}"
    target = Path(out) / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return path


minified = functools.cache(jsmin)


def files(soup, out):
    """The names of the style sheets and of the scripts that a page needs; writes those files."""
    found = {".css": [], ".js": []}
    for element in soup.select("div:is([data-view], [data-question])"):
        for name, text in kind_of(element).files().items():
            path = store(out, name, minified(text) if name.endswith(".js") else text)
            if path not in found[Path(name).suffix]:
                found[Path(name).suffix].append(path)
    return found[".css"], found[".js"]


def add_stills(soup, out, pathto):
    """Put into each moving figure how it starts, for where scripts do not run."""
    for element in soup.select("div[data-view]"):
        kind = kind_of(element)
        found = stills.still(kind, json.loads(element["data-state"]))
        if found is None:
            continue
        (width, height), svg, words = found
        address = pathto(store(out, f"{kind._module.stem}.svg", svg), 1)
        image = {"src": address, "width": width, "height": height, "alt": words}
        note = soup.new_tag("p", string="Scripts are off: this is how the figure starts.")
        inside = soup.new_tag("noscript")
        inside.extend([soup.new_tag("img", attrs=image), note])
        element.clear()
        element.append(inside)
