"""An exercise checked by the Python that readers get: Pyodide, from its publisher's server.

It asks the network, so that it runs only where ``make test-published`` says so. All other tests
run an older Pyodide from this machine (see ``site`` in conftest.py).
"""

import os
import re

import pytest
from playwright.sync_api import sync_playwright

from extensions.contents import read
from tests.browser.test_python import CHAPTER, CHECK, LABEL, PAGE, agree, cell_of, check

pytestmark = pytest.mark.skipif(
    not os.environ.get("PUBLISHED"), reason="asks the network: make test-published"
)


@pytest.fixture
def page(server):
    """Open the chapter in a browser that knows every address; nothing may go wrong in it."""
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--disable-gpu"])
        opened, errors = browser.new_page(), []
        opened.context.on("weberror", lambda error: errors.append(error.error.message))
        opened.goto(f"{server}/{PAGE}")
        yield opened
        browser.close()
    assert not errors


def test_the_published_python_checks_an_exercise(page):
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    agree(page)
    _, solution = (cell.source for cell in read(CHAPTER).cells if CHECK in cell.source)
    told = check(cell_of(page, LABEL), solution, "^(Not yet|Right|Your|Python could)")
    assert told.startswith("Right. ")
    assert any(re.match(r"https://cdn\.jsdelivr\.net/pyodide/", address) for address in asked)
