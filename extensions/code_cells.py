"""Code that a reader changes and runs where it stands: exercises, and cells that print.

A page gets marks on those cells and a file with the code of its notebook;
``theme/static/python.js`` makes editors of them, and ``posenc_course.cells`` runs what is in these.
"""

import ast
import json
import re
import sys
from pathlib import Path

from bs4 import BeautifulSoup

from extensions.contents import read
from posenc_course import cells

# What a page's Python has, beside it no file to read. The other experiments train, which takes too
# long.
THERE = {"numpy", "posenc", "posenc_check", "posenc_course.exercises"}
THERE |= {"posenc_course.experiments.bug_zoo", *sys.stdlib_module_names} - {"pathlib"}

ASKED = re.compile(r'\n+check\("(ex-[\w-]+)", (\w+)\)\s*$')
UNTOUCHED = "not answered yet"

ROW = """<div class="try needs-script">
<p class="try-row"><button type="button" class="try-run">Check</button>
<button type="button" class="try-again">Start again</button>
<button type="button" class="try-solution">Solution</button></p>
<p class="try-told" role="status"></p>
</div>"""

CHANGE = '<button type="button" class="change needs-script">Change and run</button>'


def imported(code):
    """Return the names of modules that code imports, and of what it imports from them."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from (f"{module}{alias.name}" for alias in node.names)


def stands_alone(code, before):
    """Tell whether code runs on a page, with what it needs of the cells before it."""
    names = imported(f"{cells.bring(code, before)}\n{code}")
    return all(any(f"{name}.".startswith(f"{one}.") for one in THERE) for name in names)


def prints(cell):
    """Tell whether a cell of a page shows its code, and has text as its only output."""
    outputs = cell.select(":scope > .cell_output > .output")
    text = all({"stream", "text_plain"} & {*output["class"]} for output in outputs)
    return bool(outputs) and text and cell.select_one(":scope > .cell_input") is not None


def ask(cell, exercise, label, answer):
    """Give the cell of an exercise its buttons, and put the line of its check out of the way."""
    cell["data-label"], cell["data-answer"] = label, answer
    cell["data-name"] = exercise.select_one(".caption-number").get_text(strip=True)
    code = cell.find("pre")
    lines, check = code.decode_contents().rstrip().rsplit("\n", 1)
    html = f'{lines.rstrip()}<span class="asked">\n\n\n{check}</span>\n'
    code.replace_with(BeautifulSoup(f"<pre>{html}</pre>", "html.parser"))
    cell.append(BeautifulSoup(ROW, "html.parser"))


def mark(soup, notebook, out):
    """Mark the cells of a page that run where they stand; write the code of its notebook.

    Returns the address of that file in the site, or "" where no cell runs.
    """
    code = [cell for cell in read(notebook).cells if cell.cell_type == "code"]
    sources = [cell.source for cell in code]
    waiting = dict(enumerate(code))
    marked = False
    for cell in soup.select("div.cell:has(> .cell_input)"):
        text = cell.find("pre").get_text().strip()
        at = next(n for n, one in waiting.items() if one.source.strip() == text)
        del waiting[at]
        if not prints(cell) or not stands_alone(text, sources[:at]):
            continue
        cell["data-cell"], cell["data-id"] = str(at), code[at].id
        asked = ASKED.search(text)
        if asked and UNTOUCHED in cell.select_one(".cell_output").get_text():
            ask(cell, cell.find_previous("div", class_="exercise"), *asked.groups())
        else:
            button = BeautifulSoup(CHANGE, "html.parser")
            cell.select_one(":scope > .cell_input").append(button)
        marked = True
    if not marked:
        return ""
    name = f"_static/cells/{notebook.stem}.json"
    (Path(out) / name).parent.mkdir(parents=True, exist_ok=True)
    (Path(out) / name).write_text(json.dumps(sources, ensure_ascii=False), encoding="utf-8")
    return name
