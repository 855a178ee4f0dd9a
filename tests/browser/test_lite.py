"""Chapters run in the reader's browser: opened by their button, run, changed, reloaded.

The site is the one that was built, but for where Python comes from: it runs an older one than
readers get (see ``site``). So text must be equal, numbers nearly so, and pixels are not compared.

LITE_CHAPTERS names the chapters to run beside the one that a reader changes, "all" or a few.
"""

import json
import os
import re
import sys
import zipfile
from importlib.metadata import version

import nbformat
import pytest

from extensions.contents import pages_in_toc
from extensions.copies import copied
from tests.browser.conftest import LITE, ROOT, html, with_python
from tests.browser.test_pages import THEME, amiss, faint

NOTEBOOKS = [path.stem for path in pages_in_toc() if path.suffix == ".ipynb"]
# PyTorch has no build for browsers.
RUNNABLE = [name for name in NOTEBOOKS if name != "A_pytorch"]
ASKED = os.environ.get("LITE_CHAPTERS", "")
CHAPTERS = RUNNABLE if ASKED == "all" else ASKED.split()
START, RUN = 120_000, 400_000  # milliseconds, on a machine that does other things too
PYTHON = LITE / "static" / "pyodide"


@pytest.fixture
def reader(tab):
    """Return a new reader's tab."""
    return tab(viewport={"width": 1300, "height": 1000})


def open_by_button(page, site, name):
    """Open a chapter's notebook as a reader does."""
    page.goto(f"{site}/book/{name}.html")
    page.locator(".run-button").click()
    page.get_by_role("link", name="Load and open").click()
    page.wait_for_url("**/lite/notebooks/**", timeout=START)
    ready(page)


def ready(page):
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=START)
    # The first reply of the kernel takes this label away.
    page.get_by_text("Kernel Initializing").wait_for(state="hidden", timeout=START)


def choose(page, menu, item):
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_text(item, exact=True).first.click()


# JupyterLite's own commands say when they are done; then the notebook is as it stands. One that
# opened a dialog would never be: it is waited for as for a condition, which has a time limit.
RUN_ALL = """async () => {
  const { commands, shell } = window.jupyterapp;
  await commands.execute("notebook:clear-all-cell-outputs");
  await commands.execute("notebook:run-all-cells");
  return shell.currentWidget.context.model.toJSON();
}"""
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save').then(() => true)"


STILL = re.compile(r'<img src="data:[^>]*>\n')  # of a figure that waits for its kernel


def texts(cell):
    """Return what a cell printed, showed as text and raised, in one list."""
    found = []
    for output in cell.outputs:
        if output.output_type == "stream":
            if output.name == "stderr" and "font cache" in output.text:
                continue
            if found and found[-1][0] == output.name:
                found[-1] = (output.name, found[-1][1] + output.text)
            else:
                found.append((output.name, output.text))
        elif output.output_type == "error":
            found.append(("error", f"{output.ename}: {output.evalue}"))
        else:
            for kind, text in sorted(output.data.items()):
                if kind.startswith("text/"):
                    found.append((kind, STILL.sub("", text)))
    return found


def pictures(cell):
    return sum("image/png" in output.get("data", {}) for output in cell.outputs)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def assert_same(here, stored):
    """Compare texts: words exactly, numbers as another NumPy and another sine may have them."""
    assert [kind for kind, _ in here] == [kind for kind, _ in stored]
    for (_, mine), (_, theirs) in zip(here, stored, strict=True):
        assert NUMBER.sub("0", mine).split() == NUMBER.sub("0", theirs).split()
        numbers = [[float(n) for n in NUMBER.findall(text)] for text in (mine, theirs)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-3, abs=1e-9)


# ---------------------------------------------------------------------------- what the site holds


@pytest.fixture(scope="module")
def packages():
    """Return what the lock file of the site says of each package."""
    return json.loads((PYTHON / "pyodide-lock.json").read_text("utf-8"))["packages"]


def test_every_import_of_every_notebook_is_there(packages):
    offered = {name for package in packages.values() for name in package["imports"]}
    for stem in RUNNABLE:
        notebook = nbformat.read(LITE / "files" / "book" / f"{stem}.ipynb", as_version=4)
        code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        imported = set(re.findall(r"^\s*(?:import|from) (\w+)", code, re.MULTILINE))
        assert imported <= offered | set(sys.stdlib_module_names), stem


def test_wheels_are_named_as_those_of_the_site_and_hold_what_their_folders_hold(packages):
    assert {wheel.name for wheel in PYTHON.glob("*.whl")} <= {
        package["file_name"] for package in packages.values()
    }
    assert packages["numpy"]["version"] == version("numpy")  # of the stored outputs
    assert packages["posenc"]["depends"] == ["numpy"]
    assert (PYTHON / packages["posenc"]["file_name"]).stat().st_size < 120_000
    course = packages["posenc-course"]
    assert {"posenc", "numpy", "matplotlib", "anywidget", "autograd"} <= set(course["depends"])
    with zipfile.ZipFile(PYTHON / course["file_name"]) as archive:
        packed = {name for name in archive.namelist() if name.startswith("posenc_course/")}
    there = (path for path in (ROOT / "posenc_course").rglob("*") if path.is_file())
    left_out = {"__pycache__", "pyproject.toml"}
    assert packed == {str(path.relative_to(ROOT)) for path in there if not left_out & {*path.parts}}


# ---------------------------------------------------------------------------- the button


def test_the_index_leads_to_the_first_chapter_and_what_does_not_run_is_said():
    run, torch = (html(f"book/{name}.html").find(id="run") for name in ("index", "A_pytorch"))
    assert run.h2.get_text() == "Run chapter 1 here"
    assert "path=book/01_" in run.select_one(".run-go")["href"]
    assert "PyTorch does not run in a browser" in torch.get_text()
    links = html("book/assignment.html").select("article a[href^='../lite/notebooks/']")
    for link in links:
        assert (LITE / "files" / link["href"].partition("?path=")[2]).is_file()
    assert links


def test_the_button_says_what_it_loads_and_where_there_is_no_network(reader, tab, server):
    """The site as it was built, whose Pyodide is outside, where this browser cannot go."""
    reader.goto(f"{server}/book/06_rotation.html")
    reader.locator(".run-button").click()
    said = reader.locator("#run").inner_text()
    assert "about 25 MB" in said
    assert "cdn.jsdelivr.net" in said
    assert not amiss(reader)
    for theme in ("light", "dark"):
        reader.evaluate(THEME, theme)
        assert not faint(reader), theme
    reader.get_by_role("button", name="Not now").click()
    assert not reader.locator("#run").is_visible()
    reader.locator(".run-button").click()
    for _ in range(2):
        reader.get_by_role("link", name="Load and open").click()
        reader.get_by_text("cdn.jsdelivr.net does not answer").wait_for()
    assert "/book/06_rotation.html" in reader.url
    reader.goto(f"{server}/lite/notebooks/index.html?path=book/06_rotation.ipynb")
    reader.get_by_text("Python cannot start: cdn.jsdelivr.net does not answer").wait_for()
    reader.get_by_role("link", name="Back to the book").click()
    reader.wait_for_url("**/book/06_rotation.html")
    assert all(address.startswith("https://cdn.jsdelivr.net/") for address in tab.outside)
    tab.outside.clear()


# ---------------------------------------------------------------------------- chapters


def runs_as_it_is_stored(page, name):
    """Empty the outputs, run every cell, and compare each with the one that is stored."""
    page.set_default_timeout(RUN)
    ran = page.wait_for_function(RUN_ALL).json_value()
    here, stored = nbformat.from_dict(ran), copied(name)
    assert [cell.source for cell in here.cells] == [cell.source for cell in stored.cells]
    for mine, theirs in zip(here.cells, stored.cells, strict=True):
        if mine.cell_type != "code":
            continue
        try:
            assert mine.execution_count is not None, "not run"
            assert_same(texts(mine), texts(theirs))
            assert pictures(mine) == pictures(theirs)
        except AssertionError as difference:
            raise AssertionError(f"{mine.source}\n{difference}") from difference


# The cells are there, and no kernel yet; on a phone no label says so.
BEFORE_THE_KERNEL = """() => {
  const there = window.jupyterapp?.shell.currentWidget;
  return there?.content.model?.cells.length > 9 && there.sessionContext.hasNoKernel;
}"""


@with_python
def test_on_a_phone_cells_that_are_run_before_there_is_a_kernel_run_once_it_is_there(tab, site):
    page = tab(viewport={"width": 390, "height": 844})
    page.set_default_timeout(RUN)
    page.goto(f"{site}/lite/notebooks/index.html?path=book/00_tools.ipynb")
    page.wait_for_function(BEFORE_THE_KERNEL)
    runs_as_it_is_stored(page, "00_tools")
    assert page.locator(".jp-Dialog").count() == 0


@with_python
@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_runs_as_it_is_stored(reader, site, name):
    open_by_button(reader, site, name)
    runs_as_it_is_stored(reader, name)


ASKS = """from posenc_course.exercises import check
from posenc_course.views import ClockHand
hand = ClockHand(position=4.0)
hand"""


@with_python
def test_a_reader_works_in_a_notebook(reader, site):
    """All cells run, a figure moved and read back, an exercise answered, a change that stays."""
    open_by_button(reader, site, "02_sine_recap")
    runs_as_it_is_stored(reader, "02_sine_recap")
    choose(reader, "Edit", "Clear Outputs of All Cells")
    choose(reader, "View", "Expand All Code")
    cells = reader.locator(".jp-CodeCell")

    def type_and_run(code, shortcut="Control+Enter"):
        editor = cells.first.locator(".cm-content")
        editor.click()
        reader.keyboard.press("Control+a")
        reader.keyboard.insert_text(code)
        reader.keyboard.press(shortcut)

    output = cells.first.locator(".jp-OutputArea")
    type_and_run(ASKS)
    view = output.locator(".posenc:has(canvas)")
    view.wait_for(timeout=START)
    slider = view.locator("input[type=range]").first
    slider.press("ArrowRight")  # once: a second message would wait for the first one's reply
    type_and_run("print('position', round(hand.position, 6))")
    output.get_by_text("position 4.1").wait_for(timeout=START)

    waves = "np.stack([f({} * k / w) for f in (np.sin, np.cos)], 1)"
    pair = f"check('ex-sine-recap-pair', lambda k, w: {waves})"
    for turn, reply in (("1", "How many radians make a turn?"), ("2 * np.pi", "Right.")):
        type_and_run(f"import numpy as np\n{pair.format(turn)}")
        output.get_by_text(reply).first.wait_for(timeout=START)

    # What a notebook reads, and what it imports later, is there.
    type_and_run("import mpmath, autograd\nprint(open('LICENSE-CONTENT').read(30))")
    licence = (ROOT / "book" / "LICENSE-CONTENT").read_text(encoding="utf-8")[:30].split("\n")[0]
    output.get_by_text(licence).first.wait_for(timeout=START)

    type_and_run("print(6 * 7)  # mine")
    output.get_by_text("42", exact=True).wait_for(timeout=START)
    reader.wait_for_function(SAVE)
    reader.reload()
    ready(reader)
    reader.get_by_text("# mine").first.wait_for(timeout=START)
    assert output.get_by_text("42", exact=True).count() == 1

    reader.goto(f"{site}/book/02_sine_recap.html")
    reader.locator(".run-button").click()
    reader.get_by_role("button", name="Remove it and take the original").click()
    reader.get_by_text("Removed. The original opens.").wait_for()
    reader.goto(f"{site}/lite/notebooks/index.html?path=book/02_sine_recap.ipynb")
    reader.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=START)
    assert reader.get_by_text("# mine").count() == 0
