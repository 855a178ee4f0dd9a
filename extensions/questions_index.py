"""Sphinx extension: what the pages of the book must know of their questions.

Each stored question carries its style sheet and its script, so that it can be asked wherever its
notebook is shown. A page needs each of them once: the copies are taken out here. The list of
the questions on each page, by which the contents list marks a chapter as answered, goes into
``_static/questions_index.js``.
"""

import hashlib
import json
import re
from pathlib import Path

KEY = re.compile(r'<div class="posenc posenc-question" data-question="([a-z0-9-]+)"')
STYLE = re.compile(r"<style>\n/\* posenc question \*/.*?</style>\n", re.DOTALL)
SCRIPT = re.compile(r'<script type="module">\n/\* posenc question \*/.*?</script>', re.DOTALL)
INDEX = "questions_index.js"


def keys_in(path):
    """Return the keys of the questions in a notebook's stored outputs, in reading order.

    Those of exercises (``rotation-ex-1``) are left out: a chapter can be read without them.
    """
    notebook = json.loads(Path(path).read_text(encoding="utf-8"))
    keys = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            html = "".join(output.get("data", {}).get("text/html", ""))
            keys += [key for key in KEY.findall(html) if "-ex-" not in key]
    return keys


def once(html):
    """Return a page with the style sheet and the script of its questions once each.

    The first ones stay. A module runs when the whole page is read, and asks all its questions.
    """
    for block in (STYLE, SCRIPT):
        seen = set()

        def first(match, seen=seen):
            new = match[0] not in seen
            seen.add(match[0])
            return match[0] if new else ""

        html = block.sub(first, html)
    return html


def write_index(app, environment):
    """Write the keys of each page where a page without a server can read them: in a script."""
    if app.builder.format != "html":
        return
    pages = {}
    for page in sorted(environment.found_docs):
        path = Path(environment.doc2path(page))
        if path.suffix == ".ipynb" and (keys := keys_in(path)):
            pages[page] = keys
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    text = f"window.posencQuestions = {json.dumps(pages, indent=0)};\n"
    (static / INDEX).write_text(text, encoding="utf-8")
    app.questions_digest = hashlib.sha256(text.encode()).hexdigest()[:8]


def finish_page(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Take the copies out of a page's body."""
    if "body" in context:
        context["body"] = once(context["body"])


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("env-updated", write_index)
    app.connect("html-page-context", finish_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
