"""Every page in Firefox: its console stays empty, its figures draw, nothing comes from outside.

Playwright drives a Firefox of its own alone. The one that people have speaks WebDriver BiDi over a
socket, and needs no driver in between.
"""

import itertools
import json
import os
import subprocess
import time

import pytest
from websocket import create_connection

from tests.browser.conftest import LOCAL, NAMES

pytestmark = pytest.mark.skipif("FIREFOX" not in os.environ, reason="make test-firefox runs this")

LOOK = """async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
    scrollTo(0, y);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
  }
  const views = [...document.querySelectorAll("div.posenc[data-view]")];
  return JSON.stringify({
    blank: views.filter((view) => !view.querySelector("canvas")?.width).length,
    wide: document.documentElement.scrollWidth - innerWidth,
  });
}"""


class Session:
    """One window of Firefox, and what it said."""

    def __init__(self, port):
        for _ in range(100):
            try:
                address = f"ws://127.0.0.1:{port}/session"
                self.socket = create_connection(address, timeout=60, suppress_origin=True)
                break
            except OSError:
                time.sleep(0.1)
        self.numbers, self.events = itertools.count(1), []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        (tree,) = self.send("browsingContext.getTree")["contexts"]
        self.context = tree["context"]

    def send(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (said := json.loads(self.socket.recv())).get("id") != number:
            self.events.append(said)
        if said["type"] == "error":
            raise RuntimeError(f"{method}: {said['message']}")
        return said["result"]

    def visit(self, address):
        self.events.clear()
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")
        found = self.send(
            "script.callFunction",
            functionDeclaration=LOOK,
            target={"context": self.context},
            awaitPromise=True,
        )
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    port = 9222 + os.getpid() % 5000
    profile = tmp_path_factory.mktemp("profile")
    command = [os.environ["FIREFOX"], "--headless", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen([*command, f"--remote-debugging-port={port}"]) as process:
        session = Session(port)
        yield session
        session.socket.close()
        process.terminate()


@pytest.mark.parametrize("name", NAMES)
def test_firefox_shows_it_and_says_nothing(firefox, server, name):
    found = firefox.visit(f"{server}/{name}")
    assert found["blank"] == 0
    assert found["wide"] <= 0
    said = [e["params"]["text"] for e in firefox.events if e["method"] == "log.entryAdded"]
    asked = [
        e["params"]["request"]["url"]
        for e in firefox.events
        if e["method"] == "network.beforeRequestSent"
    ]
    assert not said
    assert not [address for address in asked if not address.startswith(LOCAL)]
