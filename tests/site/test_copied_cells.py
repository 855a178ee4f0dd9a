"""What the button *Copy* gives of each cell of Part III runs in an empty folder.

A cell is copied with the statements that it needs of the cells before it. It must print what the
page shows; of an exercise the line that checks the answer is left out.
"""

import ast
import sys
from functools import cache

import matplotlib.pyplot as plt
import pytest

from extensions.code_cells import CHECK, imported, needs
from extensions.contents import FOLDED, notebooks_in_toc
from scripts.outputs import code_cells
from tests.pages import read


@cache
def copied(path, number):
    """A cell, those before it, and the statements of these that are copied with it."""
    *before, cell = code_cells(read(path))[: number + 1]
    return cell, before, needs(cell.source, [one.source for one in before])


SHOWN = [
    pytest.param(path, number, id=f"{path.stem}-{number}")
    for path in notebooks_in_toc()
    if "12" <= path.name[:2] <= "20"
    for number, cell in enumerate(code_cells(read(path)))
    if "remove-input" not in cell.metadata.get("tags", [])
]


@pytest.mark.parametrize(("path", "number"), SHOWN)
def test_a_copied_cell_runs_in_an_empty_folder(path, number, tmp_path, monkeypatch, capsys):
    cell, _, needed = copied(path, number)
    code = f"{needed}\n\n{CHECK.sub('', cell.source)}"
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "copied", "exec"), {"__name__": "__main__"})
    plt.close("all")
    if not CHECK.search(cell.source):
        printed = "".join(out.text for out in cell.outputs if out.output_type == "stream")
        assert capsys.readouterr().out.endswith(printed)


def statements(code):
    """The statements of a program but for its imports."""
    return [
        line for line in ast.parse(code).body if not isinstance(line, ast.Import | ast.ImportFrom)
    ]


@pytest.mark.parametrize(("path", "number"), SHOWN)
def test_a_copied_cell_needs_no_more_than_it_says(path, number):
    """Without a word of the course in its first line it needs NumPy and two packages alone."""
    cell, before, needed = copied(path, number)
    if not before or FOLDED & set(cell.metadata.get("tags", [])):
        return  # drawings, checks and models, which whoever copies them has opened
    own = CHECK.sub("", cell.source)
    first = own.partition("\n")[0]
    roots = {name.partition(".")[0] for name in imported(f"{needed}\n{own}")}
    beyond = roots - {"numpy", "posenc", "posenc_check"} - sys.stdlib_module_names
    assert not beyond or (beyond == {"posenc_course"} and first.startswith("# needs posenc_course"))
    # What is shown, or stands in the cell of imports.
    seen = [before[0], *(one for one in before if not FOLDED & set(one.metadata.get("tags", [])))]
    shown = {ast.unparse(line) for one in seen for line in ast.parse(one.source).body}
    if any(ast.unparse(line) not in shown for line in statements(needed)):
        assert first.startswith("# needs"), first


@pytest.mark.parametrize(
    ("path", "number"), [one for one in SHOWN if one.values[0].stem == "18_right_table"]
)
def test_what_reads_a_table_runs_as_it_stands(path, number, tmp_path, monkeypatch):
    cell = code_cells(read(path))[number]
    if FOLDED & set(cell.metadata.get("tags", [])) or "inspect_table(" not in cell.source:
        return
    monkeypatch.chdir(tmp_path)
    if not CHECK.search(cell.source):
        exec(compile(cell.source, "copied", "exec"), {"__name__": "__main__"})
