"""A studio that runs for a test, and what a browser tells of its pages."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.parse
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, Request, Response, expect

PROGRAM = os.path.abspath(os.environ.get("EQUANYM_PROGRAM", "target/debug/equanym"))

#: Milliseconds that anything may take on a machine that does other work, too.
LONG = 1000 * float(os.environ.get("EQUANYM_PATIENCE", "90"))

#: The pages, in their order.
PAGES = ["table", "columns", "safety", "best", "balance", "map", "release"]


class Studio:
    """The program with its own folders: where it was started, and where its uploads go."""

    def __init__(self, folder: pathlib.Path, *arguments: str, opener: pathlib.Path | None = None) -> None:
        """`opener` is a folder with a program that opens pages in a browser; without one none is opened."""
        self.folder, self.private = folder / "start", folder / "private"
        self.folder.mkdir(exist_ok=True)
        self.private.mkdir(exist_ok=True)
        self.errors = folder / "errors.txt"
        command = [PROGRAM, "studio", *arguments, *([] if opener else ["--no-open"]), "--json", "--port", "0"]
        path = os.pathsep.join([*([str(opener)] if opener else []), os.environ["PATH"]])
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, "TMPDIR": str(self.private), "PATH": path}
            )
        self.first: str = self._told()["url"]
        self.origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(self.first))

    @property
    def url(self) -> str:
        """The address that lets the next browser in."""
        told = re.findall(r"http://\S+token=\w+", self.errors.read_text())
        return told[-1] if told else self.first

    def _told(self) -> Any:
        text = ""
        assert self.process.stdout
        for line in self.process.stdout:
            text += line.decode()
            if text.strip().endswith("}"):
                return json.loads(text)
        raise AssertionError(f"the studio told nothing: {self.errors.read_text()}")

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends it as people do, and looks at what it leaves behind: no panic, no upload, no process."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(60)
        errors = self.errors.read_text()
        assert "panicked" not in errors and "RUST_BACKTRACE" not in errors, errors
        assert code == 0, (code, errors)
        assert list(self.private.iterdir()) == [], "uploads are left"

    def kill(self) -> None:
        """Ends it in any way, after a test that failed."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """The program on the command line, where the studio was started."""
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=300)

    def paste(self, command: str) -> subprocess.CompletedProcess[bytes]:
        """A command as somebody pastes it into a shell, where the studio was started."""
        path = os.pathsep.join([os.path.dirname(PROGRAM), os.environ["PATH"]])
        return subprocess.run(["sh", "-c", command], cwd=self.folder, capture_output=True, timeout=300, env={**os.environ, "PATH": path})


class Watch:
    """What goes wrong in the pages of a context: errors, requests to others, requests that fail, dialogs."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.origin, self.faults, self.requests = origin, [], 0
        context.add_init_script(COUNTS)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.faults.append(f"page error: {error.error}"))
        context.on("dialog", self._dialog)
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console {message.type}: {message.text}")

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        self.requests += 1
        if not request.url.startswith(self.origin + "/"):
            self.faults.append(f"request to {request.url[:200]}")

    def _failed(self, request: Request) -> None:
        # Whoever leaves a page stops what it was asking for.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"request failed: {request.url} {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"answer {response.status}: {response.url}")

    def check(self) -> None:
        """Nothing went wrong, and somebody looked."""
        assert self.requests > 0 and self.faults == [], self.faults


#: Counts what a page has asked for and not taken yet.
COUNTS = """
window.asked = 0;
const ask = window.fetch;
window.fetch = async (...words) => {
  const done = () => setTimeout(() => { --window.asked; }, 0);
  ++window.asked;
  try {
    const answer = await ask(...words);
    const text = answer.text.bind(answer);
    answer.text = () => text().finally(done);
    return answer;
  } catch (error) { done(); throw error; }
};
"""


#: What a page is waiting for.
STATE = "() => [document.readyState, document.body.outerHTML.slice(0, 60), window.asked, document.querySelector('#page').innerText.slice(0, 300)]"


def holds(page: Page, condition: str) -> None:
    """Waits until a condition holds in a page. It is asked from outside: the studio's pages let nobody evaluate text."""
    end = time.monotonic() + LONG / 1000
    while True:
        try:
            if page.evaluate(condition):
                return
        except Error:
            # The page was left meanwhile.
            pass
        assert time.monotonic() < end, f"{page.url} never came to {condition}: {page.evaluate(STATE)}"
        page.wait_for_timeout(15)


def settled(page: Page) -> None:
    """Waits until nothing is on its way: neither an answer of the engine nor one of the server."""
    holds(page, "() => document.readyState === 'complete' && !document.body.hasAttribute('data-waiting') && !window.asked")


def hospital(page: Page, studio: Studio) -> None:
    """Opens the made-up hospital."""
    page.goto(studio.url)
    page.click("#hospital")
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)


def go(page: Page, studio: Studio, name: str) -> None:
    """Goes to a page, and waits until all of it is there."""
    page.goto(f"{studio.origin}/{name}")
    settled(page)


def files(folder: pathlib.Path) -> dict[str, bytes]:
    """Every file below a folder, by its place."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
