"""Chapters in JupyterLab as `make lab` opens them: what is folded, links, the page and Python."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from jupyter_client import BlockingKernelClient
from playwright.sync_api import TimeoutError as PageTimeout

from extensions import copies
from tests.browser.conftest import ROOT

pytestmark = pytest.mark.browser

CHAPTER = "02_sine_recap.ipynb"
FIND = """
from posenc_course.views import ClockHand
view = next(value for value in Out.values() if isinstance(value, ClockHand))
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on the copies of the chapters; yield its address and runtime folder."""
    folder = tmp_path_factory.mktemp("lab")
    book = folder / "book"
    copies.write(book)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {name: str(folder / name) for name in ("config", "data", "runtime")}
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": str(folder / "ipython"),
        **{f"JUPYTER_{name.upper()}_DIR": value for name, value in settings.items()},
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={port}", "--allow-root"]
    command += ["--IdentityProvider.token=", "--ServerApp.port_retries=0", f"--notebook-dir={book}"]
    command += ["--LabApp.news_url=None", "--ServerApp.disable_check_xsrf=True"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: answers(f"{address}/api"), "JupyterLab did not start")
        yield address, folder / "runtime"
    finally:
        server.terminate()
        server.wait(timeout=20)


def answers(address):
    try:
        with urllib.request.urlopen(address, timeout=2) as reply:
            return reply.status == 200
    except OSError:
        return False


def wait_until(check, message, seconds=60):
    end = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < end, message
        time.sleep(0.2)
    return found


def run(client, code):
    """Run code in the chapter's kernel and return what it prints."""
    printed = []

    def keep(message):
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    reply = client.execute_interactive(code, output_hook=keep, timeout=30)
    assert reply["content"]["status"] == "ok", reply["content"]
    return "".join(printed).strip()


def start_kernel(address, runtime, notebook=CHAPTER):
    """Start a notebook's session and return a client of its kernel."""
    session = {"path": notebook, "name": "", "type": "notebook"}
    session["kernel"] = {"name": "python3"}
    request = urllib.request.Request(
        f"{address}/api/sessions",
        data=json.dumps(session).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as reply:
        kernel = json.load(reply)["kernel"]["id"]
    client = BlockingKernelClient(connection_file=str(runtime / f"kernel-{kernel}.json"))
    client.load_connection_file()
    client.start_channels()
    return client


def wait_for_kernel(client):
    """Wait until a kernel answers. On a busy machine its first heartbeat may come late."""

    def ready():
        try:
            client.wait_for_ready(timeout=60)
        except RuntimeError:
            return False
        return True

    wait_until(ready, "the kernel does not answer")


def run_all_cells(page, client):
    """Press Run All Cells, once the page hears the kernel: before that it would be lost."""
    status = ".jp-Notebook-ExecutionIndicator[data-status={}]:visible"

    def heard():
        client.execute("import time; time.sleep(1)")
        try:
            page.locator(status.format("busy")).first.wait_for(timeout=3_000)
        except PageTimeout:
            return False
        return True

    wait_until(heard, "the page does not hear the kernel")
    page.locator(status.format("idle")).first.wait_for(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).first.click()


def test_a_solution_and_code_are_folded_and_a_link_opens_its_chapter(tab, lab):
    address, _ = lab
    page = tab(viewport={"width": 1280, "height": 9000})
    page.goto(f"{address}/lab/workspaces/folds/tree/06_rotation.ipynb")
    page.locator("summary", has_text="Solution").first.wait_for(timeout=60_000)
    solution = page.locator("details", has_text="rows, rows] =").first
    assert not solution.get_by_text("rows, rows] =").is_visible()
    solution.locator("summary").click()
    assert solution.get_by_text("rows, rows] =").is_visible()
    assert not page.get_by_text("import matplotlib.pyplot").first.is_visible()
    page.get_by_role("link", name="the binary analogy").click()
    page.get_by_role("tab", name="07_binary.ipynb").wait_for(timeout=60_000)
    assert not page.outside


def test_page_and_kernel_agree(tab, lab):
    address, runtime = lab
    # The kernel is up before the page asks for it, so that the page joins this one.
    client = start_kernel(address, runtime)
    try:
        wait_for_kernel(client)
        page = tab(viewport={"width": 1280, "height": 1400})
        page.goto(f"{address}/lab/tree/{CHAPTER}")
        page.locator(".jp-NotebookPanel").wait_for(timeout=60_000)

        # Before a run a sentence stands in the figure's place.
        page.get_by_text("Run this cell, and the figure moves").first.wait_for(timeout=60_000)
        assert page.locator(".posenc canvas").count() == 0

        run_all_cells(page, client)
        view = page.locator(".posenc:has(canvas)").first
        view.wait_for(timeout=60_000)
        run(client, FIND)
        slider = view.locator("input[type=range]").first

        run(client, "view.position = 7")
        wait_until(lambda: slider.input_value() == "7", "the page did not follow Python")
        drawn = view.locator("canvas")  # at the next frame
        wait_until(lambda: "position 7.0" in drawn.get_attribute("aria-label"), "not drawn")

        # The arrow keys reach the slider, and not JupyterLab.
        slider.focus()
        for _ in range(3):
            slider.press("ArrowRight")
        wait_until(
            lambda: run(client, "print(round(view.position, 6))") == "7.3",
            "Python did not follow the page",
        )
        slider.press("ArrowDown")
        assert slider.evaluate("(input) => input === document.activeElement")
        wait_until(
            lambda: run(client, "print(round(view.position, 6))") == "7.2",
            "Python did not follow the page",
        )

        before = view.locator("canvas").evaluate("(canvas) => canvas.toDataURL()")
        page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
        page.wait_for_timeout(200)
        assert view.locator("canvas").evaluate("(canvas) => canvas.toDataURL()") != before
        assert not page.outside
    finally:
        client.stop_channels()


ASKS = """
from posenc_course.questions import Number
Number("rotation-1", "How far?", answer=0.3125, tolerance=0.01, unit="radians",
       wrong={100.5: "In tokens."}, because="So it is.", nudge="Think.")
"""


def test_a_question_answers_in_the_notebook(tab, lab):
    address, runtime = lab
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(ASKS.strip())])
    nbformat.write(notebook, runtime.parent / "book" / "asks.ipynb")
    client = start_kernel(address, runtime, "asks.ipynb")
    try:
        wait_for_kernel(client)
        page = tab(viewport={"width": 1280, "height": 1000})
        page.goto(f"{address}/lab/workspaces/asks/tree/asks.ipynb")
        page.locator(".jp-NotebookPanel").wait_for(timeout=60_000)
        run_all_cells(page, client)
        question = page.locator(".posenc-question:has(form)")
        question.wait_for(timeout=60_000)
        field = question.get_by_label("Your answer")
        field.click()
        # Letters are commands in JupyterLab: these must reach the field. Enter must check.
        for typed, reply in [
            ("daab", "That does not read as a number"),
            ("100,5", "Not yet. In tokens."),
            ("0.31", "Yes. So it is."),
        ]:
            field.fill("")
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
            assert field.input_value() == typed
            assert reply in question.get_by_role("status").inner_text()
        assert page.locator(".jp-Notebook .jp-Cell").count() == 1
        assert not page.outside
    finally:
        client.stop_channels()
