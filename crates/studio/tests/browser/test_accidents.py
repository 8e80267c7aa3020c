"""What happens to people: the browser dies, two tabs are open, Ctrl-C comes in the middle, the table is deleted meanwhile.

No panic, nothing half-written, uploads gone: `Studio.end` looks for panics and uploads after each of these.
"""

from __future__ import annotations

import os
import pathlib
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Playwright, expect

from studio import LONG, Studio, go, hospital, settled


def is_whole(studio: Studio, name: str = "release") -> None:
    """A release is there and holds, or it is not there; nothing else lies around."""
    left = {path.name for path in studio.folder.iterdir()} - {"hierarchies", "hospital.csv", "data.csv", "policy.toml"}
    assert left <= {name}, left
    if left:
        audit = studio.run("audit", f"{name}/public")
        assert audit.returncode == 0, audit


@pytest.fixture
def mortal(tmp_path: pathlib.Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A browser of its own, that can be killed, and where it listens."""
    profile = tmp_path / "profile"
    program = os.environ.get("EQUANYM_BROWSER", "/usr/bin/chromium")
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen([program, *words], stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)
    told, end = profile / "DevToolsActivePort", time.monotonic() + LONG / 1000
    while not (told.is_file() and len(told.read_text().splitlines()) == 2):
        assert time.monotonic() < end and process.poll() is None, "the browser does not start"
        time.sleep(0.05)
    yield process, f"http://127.0.0.1:{told.read_text().splitlines()[0]}"
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_the_browser_is_killed(studio: Studio, opened: Callable, playwright: Playwright, mortal: tuple) -> None:
    """The studio goes on, and another browser finds everything as it was."""
    process, address = mortal
    page = playwright.chromium.connect_over_cdp(address).new_context().new_page()
    page.set_default_timeout(LONG)
    hospital(page, studio)
    go(page, studio, "safety")
    page.locator("#limit").fill("0.1")
    expect(page.locator("#limit + output")).to_have_text("10%")
    go(page, studio, "release")
    page.evaluate("() => document.getElementById('write-form').submit()")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    context, watch = opened(studio)
    other = context.new_page()
    other.goto(studio.url)
    expect(other.locator("#columns-title")).to_be_visible()
    go(other, studio, "safety")
    expect(other.locator("#limit")).to_have_value("0.1")
    watch.check()
    studio.end()
    is_whole(studio)


def test_two_tabs_show_the_same(studio: Studio, opened: Callable) -> None:
    context, watch = opened(studio)
    one, other = context.new_page(), context.new_page()
    hospital(one, studio)
    go(one, studio, "safety")
    go(other, studio, "best")
    other.bring_to_front()
    one.locator("#limit").fill("0.2")
    expect(one.locator("#limit + output")).to_have_text("20%")
    expect(other.locator("#limit")).to_have_value("0.2")
    for place in range(6):
        one.locator("#limit").fill(str(place / 100))
        other.locator("#limit").fill(str(0.2 + place / 100))
    settled(one)
    settled(other)
    same = lambda page: (page.locator("#limit").input_value(), page.locator("#number-withheld").inner_text())  # noqa: E731
    end = time.monotonic() + LONG / 1000
    while same(one) != same(other):
        assert time.monotonic() < end, (same(one), same(other))
        one.wait_for_timeout(50)
    assert one.locator("#command").inner_text() == other.locator("#command").inner_text()
    watch.check()


def wide(records: int = 4000, columns: int = 14) -> tuple[str, str]:
    """A table and a policy whose search does not come to its end."""
    random.seed(20)
    names = [f"column{place}" for place in range(columns)]
    lines = [",".join(str(int(random.gauss(5000, 1500))) for _ in names) for _ in range(records)]
    quasi = "".join(f'[variables.{name}]\nrole = "quasi-identifying"\nhierarchy = {{ intervals = [10, 50, 250, 1000, 5000] }}\n' for name in names)
    policy = quasi + '[[privacy]]\nmodel = "k-anonymity"\nk = 5\n[method]\nsuppression_limit = 0.3\n'
    return "\n".join([",".join(names), *lines]) + "\n", policy


def test_ctrl_c_during_a_search(start: Callable[..., Studio], opened: Callable, tmp_path: pathlib.Path) -> None:
    data, policy = wide()
    folder = tmp_path / "studio-0" / "start"
    folder.mkdir(parents=True)
    (folder / "data.csv").write_text(data)
    (folder / "policy.toml").write_text(policy)
    studio = start("data.csv", "--policy", "policy.toml")
    context, _ = opened(studio)
    page = context.new_page()
    page.goto(studio.url)
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)
    page.goto(f"{studio.origin}/best")
    expect(page.locator("#answer .waiting").first).to_be_visible(timeout=LONG)
    studio.end()
    is_whole(studio)


def test_ctrl_c_while_a_release_is_written(studio: Studio, opened: Callable) -> None:
    context, _ = opened(studio)
    page = context.new_page()
    hospital(page, studio)
    go(page, studio, "release")
    page.click("#write")
    studio.end(signal.SIGTERM)
    is_whole(studio)


def upload(page: Page, studio: Studio, records: int = 400) -> None:
    page.goto(studio.url)
    lines = [f"{20 + number % 50},{number % 7},{number % 3}" for number in range(records)]
    page.set_input_files("#upload", {"name": "handed over.csv", "mimeType": "text/csv", "buffer": "\n".join(["age,ward,unit", *lines]).encode()})
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)


def test_uploads_go_with_the_studio(studio: Studio, opened: Callable) -> None:
    context, watch = opened(studio)
    page = context.new_page()
    upload(page, studio)
    lying = [path for path in studio.private.rglob("*.csv")]
    assert len(lying) == 1 and lying[0].parent.parent.stat().st_mode & 0o077 == 0, lying
    watch.check()
    studio.end()
    assert not lying[0].exists()


def test_the_table_is_deleted_meanwhile(studio: Studio, opened: Callable) -> None:
    """What was counted is still there to be looked at; a release is refused, and nothing of it is left."""
    lines = [f"{20 + number % 50},{number % 7},{number % 3}" for number in range(2000)]
    data = studio.folder / "data.csv"
    data.write_text("\n".join(["age,ward,unit", *lines]))
    context, watch = opened(studio)
    page = context.new_page()
    page.goto(studio.url)
    page.fill("#path", "data.csv")
    page.click("#open")
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)
    go(page, studio, "best")
    data.unlink()
    before = page.locator("#limit + output").inner_text()
    page.locator("#limit").fill("0.2")
    expect(page.locator("#limit + output")).not_to_have_text(before)
    settled(page)
    go(page, studio, "release")
    page.click("#write")
    expect(page.locator("main .failed").first).to_be_visible(timeout=LONG)
    expect(page).to_have_url(re.compile("/release"))
    watch.check()
    studio.end()
    is_whole(studio)
    assert not (studio.folder / "release").exists()
