"""scripts/outputs.py: what it stores, and what its --check refuses."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from scripts import outputs


def stored(path, *cells, **metadata):
    """Write a notebook as an editor would leave it."""
    nbformat.write(new_notebook(cells=list(cells), metadata=metadata), path)
    return path


def run(*paths):
    """Execute them as `make outputs` does; returns (succeeded, what was printed)."""
    command = [sys.executable, "-m", "scripts.outputs", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def path(tmp_path):
    return tmp_path / "chapter.ipynb"


# ---------------------------------------------------------------------------- executing

FIGURE = """
import matplotlib.pyplot as plt
plt.plot([1, 3, 2])
plt.show()
"""
WHICH = "import sys, posenc\nprint(sys.executable)\nprint(posenc.__file__)"


def test_what_is_stored_is_normal_and_made_by_this_interpreter(path):
    stored(
        path,
        new_markdown_cell("# Title"),
        new_code_cell("print(1)\nprint(2)", metadata={"scrolled": True, "tags": ["hide-input"]}),
        new_code_cell(FIGURE),
        new_code_cell("40 + 2", execution_count=99),
        new_code_cell(WHICH),
        kernelspec={"name": "elsewhere", "display_name": "Elsewhere", "language": "python"},
    )
    succeeded, report = run(path)
    assert succeeded, report
    assert report.endswith(" changed\n")
    assert outputs.problems(path) == []
    notebook = outputs.read(path)
    prints, figure, result, which = outputs.code_cells(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert prints.metadata == {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
    assert [output.text for output in prints.outputs] == ["1\n2\n"]
    assert "image/png" in figure.outputs[0].data
    assert result.outputs[0].data["text/plain"] == "42"
    assert [cell.execution_count for cell in outputs.code_cells(notebook)] == [1, 2, 3, 4]
    # The kernel is this interpreter, with the posenc beside the book.
    ours = [sys.executable, str(outputs.ROOT / "posenc" / "__init__.py")]
    assert which.outputs[0].text.splitlines() == ours


def test_a_failing_notebook_is_not_stored(tmp_path):
    failing = {
        "1 / 0": "ZeroDivisionError",
        "import warnings\nwarnings.warn('careful')": "Cell 0 writes to stderr",
    }
    paths = [stored(tmp_path / f"{n}.ipynb", new_code_cell(one)) for n, one in enumerate(failing)]
    before = [path.read_bytes() for path in paths]
    succeeded, report = run(*paths)
    assert not succeeded
    assert all(message in report for message in failing.values()), report
    assert [path.read_bytes() for path in paths] == before


def test_a_notebook_whose_module_is_absent_is_left_as_stored(path):
    needy = new_code_cell("import no_such_module", metadata={"tags": ["requires-no_such_module"]})
    stored(path, needy)
    before = path.read_bytes()
    report = outputs.execute(path)
    assert "left as stored: it needs no_such_module, which is not installed" in report
    assert "pip install --group no_such_module" in report
    assert path.read_bytes() == before


# ---------------------------------------------------------------------------- checking


def test_what_is_stored_otherwise_is_shown_as_it_would_be(path, capsys):
    shown = new_output("display_data", data={"text/html": "<p>"})
    notebook = outputs.normalise(new_notebook(cells=[new_code_cell("x", outputs=[shown])]))
    path.write_bytes(outputs.as_stored(notebook))
    assert outputs.problems(path) == []
    (cell,) = notebook.cells
    cell.execution_count, cell.metadata.scrolled, notebook.metadata.authors = None, True, "x"
    cell.outputs[0].data[outputs.WIDGET_VIEW] = "view"
    path.write_bytes(outputs.as_stored(notebook))
    assert outputs.main(["--check", str(path)]) == 1
    said = capsys.readouterr().out
    for change in (
        '+   "execution_count": 1,',
        '-    "scrolled": true',
        f'-      "{outputs.WIDGET_VIEW}": "view",',
        '-  "authors": "x",',
    ):
        assert change in said.splitlines(), said
