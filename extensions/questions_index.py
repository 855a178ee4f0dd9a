"""Sphinx extension: the list of the questions on each page, in ``_static/questions_index.js``.

By it the contents list marks a chapter as answered.
"""

import hashlib
import json
from pathlib import Path

import nbformat

from extensions.contents import questions

INDEX = "questions_index.js"


def keys_in(path):
    """Return the keys of the questions in a notebook, in reading order.

    Those of exercises (``rotation-ex-1``) are left out: a chapter can be read without them.
    """
    keys = [question["key"] for question in questions(nbformat.read(path, as_version=4))]
    return [key for key in keys if "-ex-" not in key]


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


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("env-updated", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
