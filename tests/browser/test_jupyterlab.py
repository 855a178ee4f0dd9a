"""Chapters in JupyterLab as `make lab` opens them: what is folded, links, the page and Python."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jupyter_server.serverapp import list_running_servers
from playwright.sync_api import expect

from extensions import copies
from tests.browser.conftest import ROOT

CHAPTER = "02_sine_recap.ipynb"
LONG = 120_000  # milliseconds, on a machine that does other things too
FIND = """
from posenc_course.views import ClockHand
view = next(value for value in Out.values() if isinstance(value, ClockHand))
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on the copies of the chapters; yield its address."""
    folder = tmp_path_factory.mktemp("lab")
    book = folder / "book"
    copies.write(book)
    settings = {name: str(folder / name) for name in ("config", "data", "runtime")}
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": str(folder / "ipython"),
        **{f"JUPYTER_{name.upper()}_DIR": value for name, value in settings.items()},
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--port=0", "--allow-root"]
    command += ["--IdentityProvider.token=", f"--notebook-dir={book}"]
    command += ["--LabApp.news_url=None", "--LabApp.expose_app_in_browser=True"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]

    def listening():
        return [*list_running_servers(settings["runtime"])]

    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        (here,) = wait_until(listening, "JupyterLab did not start")
        yield f"http://127.0.0.1:{here['port']}"
    finally:
        server.terminate()
        server.wait(timeout=20)


def wait_until(check, message, seconds=60):
    end = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < end, message
        time.sleep(0.2)
    return found


# JupyterLab's own commands say when they are done. One that opened a dialog would never be: each is
# waited for as for a condition, which has a time limit.
OPENED = """async (notebook) => {
  await jupyterapp.restored;
  const panel = await jupyterapp.commands.execute("docmanager:open", { path: notebook });
  await panel.revealed;
  await panel.sessionContext.ready;
  return true;
}"""
# How many there are: those far from sight are drawn later.
CELLS = "() => jupyterapp.shell.currentWidget.content.model.cells.length"
RUN_ALL = "() => jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)"
RUN = """async (code) => {
  const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const printed = [];
  const asked = kernel.requestExecute({ code });
  asked.onIOPub = ({ content }) => { if (content.name === "stdout") printed.push(content.text); };
  const reply = await asked.done;
  return [reply.content.status, printed.join("").trim()];
}"""


def run(page, code):
    """Run code in the chapter's kernel and return what it prints."""
    status, printed = page.evaluate(RUN, code)
    assert status == "ok"
    return printed


@pytest.fixture
def opened(tab, lab):
    """Return a function that opens a notebook in a tab of its own."""

    def new(notebook, height):
        page = tab(viewport={"width": 1280, "height": height})
        page.goto(f"{lab}/lab/workspaces/{Path(notebook).stem}")
        page.wait_for_function("window.jupyterapp")
        page.wait_for_function(OPENED, arg=notebook, timeout=LONG)
        return page

    return new


def test_a_solution_and_code_are_folded_and_a_link_opens_its_chapter(opened):
    page = opened("06_rotation.ipynb", height=9000)
    page.locator("summary", has_text="Solution").first.wait_for(timeout=LONG)
    solution = page.locator("details", has_text="rows, rows] =").first
    assert not solution.get_by_text("rows, rows] =").is_visible()
    solution.locator("summary").click()
    assert solution.get_by_text("rows, rows] =").is_visible()
    assert not page.get_by_text("import matplotlib.pyplot").first.is_visible()
    page.get_by_role("link", name="the binary analogy").click()
    page.get_by_role("tab", name="07_binary.ipynb").wait_for(timeout=LONG)


def test_page_and_kernel_agree_and_a_question_answers(opened):
    page = opened(CHAPTER, height=9000)
    # Before a run a sentence stands in the figure's place.
    page.get_by_text("Run this cell, and the figure moves").first.wait_for()
    assert page.locator(".posenc canvas").count() == 0

    page.wait_for_function(RUN_ALL, timeout=LONG)
    view = page.locator(".posenc:has(canvas)").first
    view.wait_for()
    run(page, FIND)
    slider, drawn = view.locator("input[type=range]").first, view.locator("canvas")

    run(page, "view.position = 7")
    expect(slider).to_have_value("7")
    expect(drawn).to_have_attribute("aria-label", re.compile(r"position 7\.0"))

    # The arrow keys reach the slider, and not JupyterLab.
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    wait_until(lambda: run(page, "print(round(view.position, 6))") == "7.3", "Python is behind")
    slider.press("ArrowDown")
    assert slider.evaluate("(input) => input === document.activeElement")
    wait_until(lambda: run(page, "print(round(view.position, 6))") == "7.2", "Python is behind")

    before = drawn.evaluate("(canvas) => canvas.toDataURL()")
    page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    another = "([canvas, before]) => canvas.toDataURL() !== before"
    page.wait_for_function(another, arg=[drawn.element_handle(), before])

    question = page.locator(".posenc-question:has(form)", has_text="until its wave repeats")
    cells = page.evaluate(CELLS)
    field = question.get_by_label("Your answer")
    field.click()
    # Letters are commands in JupyterLab: these must reach the field. Enter must check.
    for typed, reply in [
        ("daab", "That does not read as a number"),
        ("7200,0", "Not yet. A full turn is 360 degrees"),
        ("125.7", "Yes. "),
    ]:
        field.fill("")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        assert field.input_value() == typed
        assert reply in question.get_by_role("status").inner_text()
    assert page.evaluate(CELLS) == cells
