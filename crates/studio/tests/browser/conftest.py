"""The browser, the studios and the contexts that tests use, and the line that `cargo xtask test` counts."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from studio import LONG, Studio, Watch

#: No name leads anywhere but to this machine, and one leads there that should not: a name that was made to point here.
NOBODY_ELSE = "--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    path = os.environ.get("EQUANYM_BROWSER", "/usr/bin/chromium")
    browser = playwright.chromium.launch(executable_path=path, args=[NOBODY_ELSE, "--disable-dev-shm-usage"])
    yield browser
    browser.close()


@pytest.fixture
def start(tmp_path: pathlib.Path) -> Iterator[Callable[..., Studio]]:
    """Starts studios; those that a test did not end are ended, and what they leave is looked at."""
    started: list[Studio] = []

    def start(*arguments: str, **options: Any) -> Studio:
        folder = tmp_path / f"studio-{len(started)}"
        folder.mkdir(exist_ok=True)
        started.append(Studio(folder, *arguments, **options))
        return started[-1]

    yield start
    try:
        for studio in started:
            studio.end()
    finally:
        for studio in started:
            studio.kill()


@pytest.fixture
def studio(start: Callable[..., Studio]) -> Studio:
    return start()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., tuple[BrowserContext, Watch]]]:
    """Contexts of the browser, each watched."""
    contexts: list[BrowserContext] = []

    def opened(studio: Studio, width: int = 1280, **options: Any) -> tuple[BrowserContext, Watch]:
        height = 800 if width > 600 else 844
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(LONG)
        contexts.append(context)
        return context, Watch(context, studio.origin)

    yield opened
    for context in contexts:
        context.close()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell how it went in the words of `cargo test`, which `cargo xtask test` counts."""
    failed = [one for kind in ("failed", "error") for one in terminalreporter.stats.get(kind, [])]
    for one in failed:
        terminalreporter.write_line(f"test {one.nodeid} ... FAILED")
    passed, verdict = len(terminalreporter.stats.get("passed", [])), "FAILED" if failed else "ok"
    terminalreporter.write_line(f"test result: {verdict}. {passed} passed; {len(failed)} failed")
