"""Sphinx extension: the list of the questions on each page, in ``_static/questions_index.js``.

By it the contents list marks a chapter as answered.
"""

import json
import re
from pathlib import Path

KEY = re.compile(r'<div class="posenc posenc-question" data-question="([a-z0-9-]+)"')
INDEX = "questions_index.js"

# Where a browser blocks storage, even to name it is an error, and the theme's scripts would stop
# at it. They get a storage that lasts as long as the page.
STORAGE = """<script>
for (const name of ["localStorage", "sessionStorage"]) {
  try { window[name].getItem(""); } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => { kept.set(key, String(text)); },
      removeItem: (key) => { kept.delete(key); },
    };
    Object.defineProperty(window, name, { value, configurable: true });
  }
}
</script>
"""


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


def finish_page(app, pagename, templatename, context, doctree):  # noqa: ARG001
    """Let a page's scripts run where storage is blocked."""
    context["metatags"] = context.get("metatags", "") + STORAGE  # before any script of the theme


def setup(app):
    """Register the extension with Sphinx."""
    app.add_js_file(INDEX)
    app.add_js_file("progress.js")
    app.add_css_file("progress.css")
    app.connect("env-updated", write_index)
    app.connect("html-page-context", finish_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
