"""A cell run by itself: what it gets of the cells before it, what it says, what it needs not."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from extensions.code_cells import CHECK, stands_alone
from extensions.contents import FOLDED, notebooks_in_toc
from posenc_course.cells import bring, run
from tests.pages import read

NOTEBOOKS = [path for path in notebooks_in_toc() if path.stem != "A_pytorch"]  # which needs PyTorch


@pytest.mark.parametrize(
    ("cells", "code", "brought"),
    [
        (["a = 1", "b = 2"], "print(a)", "a = 1"),
        (["a = 1", "b = a + 1"], "b", "a = 1\nb = a + 1"),
        (["a = 1", "a = 2"], "a", "a = 2"),
        (["a = 1\na += 1"], "a", "a = 1\na += 1"),
        (["a = [1]", "a.append(2)", "print(a)"], "a", "a = [1]\na.append(2)"),
        (["a = [1]", "a[0] = 2"], "a", "a = [1]\na[0] = 2"),
        (["def f():\n    return g()", "def g():\n    return 1"], "f()", None),
        (["for k in [1]:\n    z = k"], "z", "for k in [1]:\n    z = k"),
        (["k = y = 1", "for k in [2]:\n    y = k"], "for k in [3]:\n    y = k\n    print(y)", ""),
        (["import numpy as np", "np.set_printoptions(precision=2)"], "np.pi", None),
        (["import functools", "@functools.cache\ndef f():\n    return 1"], "f()", None),
        (["import functools"], "@functools.cache\ndef f():\n    return 1", None),
        (["rng = 3", "x = rng.real", "y = rng.imag"], "y", None),
        (["a = 1"], "def f(a):\n    return a", ""),
        (["g = 1"], "def f():\n    return g()\n\n\ndef g():\n    return 2", ""),
        (["a = 1"], "[a for a in range(3)]", ""),
        (["a, b = 1, 2"], "lambda: b", "a, b = 1, 2"),
        (["e = 1"], "try:\n    f()\nexcept OSError as e:\n    print(e)", ""),
    ],
)
def test_what_code_reads_is_brought_and_nothing_else(cells, code, brought):
    assert bring(code, cells) == ("\n".join(cells) if brought is None else brought)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "def f(x):\n    return x / 0\n\nf(2)",
            ["Line 4: f(2)", "Line 2: return x / 0", "ZeroDiv"],
        ),
        (
            "x = 1\nif x:\nprint(x)",
            ["Line 3:", "    print(x)\n    ^^^^^", "expected an indented block"],
        ),
        ("x = 'abc", ["Line 1:", "unterminated string"]),
        ("def r(n):\n    return r(n)\nr(1)", ["Line 3: r(1)", " more ...\n", "RecursionError"]),
        ("np.zeros(3) @ np.zeros(4)", ["Line 1: np.zeros(3)", "ValueError: matmul"]),
        ("import torch_geometric", ["no torch_geometric in this page's Python", "Run it here"]),
        ("raise SystemExit(3)", ["Line 1", "SystemExit: 3"]),
        ("missing", ["NameError: name 'missing' is not defined"]),
    ],
)
def test_an_error_is_told_in_the_reader_s_lines(code, words):
    said = run(code, ["import numpy as np"])["error"]
    for part in words:
        assert part in said
    assert said.count("\n") < 6
    assert "site-packages" not in said
    assert ".py" not in said


def test_what_is_printed_comes_as_in_a_notebook(capsys):
    cells = ["print('before')\na = 3"]
    assert run("print(a)\na + 1", cells) == {}
    assert capsys.readouterr().out == "3\n4\n"


def test_one_run_leaves_nothing_to_the_next(capsys):
    assert run("import numpy as np\nnp.set_printoptions(precision=2)\nleft = 1", []) == {}
    assert "left" in run("left", [])["error"]
    assert np.get_printoptions()["precision"] == 8
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("code", "state", "words"),
    [
        ("def f(k, width):\n    return [k // 2**i % 2 for i in range(width)]", "right", "Right."),
        ("def f(k, width):\n    return 7", "wrong", "Not yet."),
        ("def f(k, width): ...", "open", "not answered yet"),
        ("def g(k, width): ...", "wrong", "Your lines make no `f`."),
        ("def f(k, width):\n    x = 1\n    return x.bits", "wrong", "(line 3)"),
    ],
)
def test_an_exercise_is_judged(code, state, words):
    said = run(code, [], "ex-binary-bits", "f")
    assert said["state"] == state
    assert words in said["text"]


# Runs what comes in, where nothing that draws can be imported; says what each cell printed.
WITHOUT_FIGURES = """
import contextlib, io, json, sys
for name in ("matplotlib", "PIL", "anywidget", "ipywidgets", "IPython", "traitlets", "mpmath"):
    sys.modules[name] = None
from posenc_course.cells import run
for task in sys.stdin:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        said = run(*json.loads(task))
    print(json.dumps([said, out.getvalue()]), flush=True)
"""


@pytest.fixture(scope="module")
def without_figures():
    """Return a function that runs a cell there."""
    command = [sys.executable, "-W", "ignore", "-c", WITHOUT_FIGURES]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:

        def ran(*task):
            print(json.dumps(task), file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())

        yield ran


def text_of(cell):
    """What a cell prints, or None where it shows something else."""
    found = ""
    for output in cell.outputs:
        if output.output_type == "stream":
            found += output.text
        elif output.output_type == "execute_result" and set(output.data) == {"text/plain"}:
            found += f"{output.data['text/plain']}\n"
        else:
            return None
    return found or None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_stands_alone_prints_what_the_book_prints_without_a_figure_library(
    path, without_figures
):
    """Exercises stand alone, the cell for a pasted config, and what the page lets a reader change.

    A cell that gets nothing but imports runs here as it does in its notebook.
    """
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    for at, cell in enumerate(code):
        before = [one.source for one in code[:at]]
        asked, text = CHECK.search(cell.source), text_of(cell)
        folded = FOLDED & {*cell.metadata.get("tags", [])}
        alone = text and not folded and stands_alone(cell.source, before)
        assert alone or not (asked or "config_report(" in cell.source), cell.source
        if alone and (asked or re.search(r"^(?!from |import )", bring(cell.source, before), re.M)):
            assert without_figures(cell.source, before) == [{}, text], cell.source
