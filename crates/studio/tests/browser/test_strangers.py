"""Other pages in the same browser: they cannot frame the studio, read from it, or change anything."""

from __future__ import annotations

import functools
import http.server
import pathlib
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from studio import LONG, Studio, hospital

#: What a stranger tries: to read, with and without the cookie, and to change, in each way that a page has.
TRIES = """async origin => {
  const tries = {
    read: () => fetch(origin + "/table", { credentials: "include" }),
    policy: () => fetch(origin + "/policy.toml", { credentials: "include" }),
    events: () => new Promise((done, failed) => { const it = new EventSource(origin + "/events", { withCredentials: true }); it.onopen = done; it.onerror = failed; }),
    change: () => fetch(origin + "/edit", { method: "POST", credentials: "include", body: new URLSearchParams({ what: "limit", limit: "0.3" }) }),
    script: () => new Promise((done, failed) => { const it = document.createElement("script"); it.onload = done; it.onerror = failed; it.src = origin + "/assets/studio.js"; document.body.append(it); }),
    image: () => new Promise((done, failed) => { const it = new Image(); it.onload = done; it.onerror = failed; it.src = origin + "/assets/sign.svg"; }),
  };
  const got = [];
  for (const [name, attempt] of Object.entries(tries)) { try { await attempt(); got.push(name); } catch {} }
  try {
    const blind = await fetch(origin + "/table", { mode: "no-cors", credentials: "include" });
    if (blind.type !== "opaque" || await blind.text()) got.push("blind");
  } catch {}
  return got;
}"""


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page of another server on this machine: cookies know no ports, so it is the nearest that a stranger can be."""
    folder = tmp_path_factory.mktemp("stranger")
    (folder / "index.html").write_text("<!doctype html><title>stranger</title><body>")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()


def limit(page: Page, studio: Studio) -> str:
    page.goto(f"{studio.origin}/safety")
    return page.locator("#limit").input_value()


@pytest.mark.parametrize("where", ["another port", "another site"])
def test_a_stranger_gets_nothing(studio: Studio, opened: Callable, stranger: str, where: str) -> None:
    context, _ = opened(studio)
    page = context.new_page()
    hospital(page, studio)
    before = limit(page, studio)
    address = stranger if where == "another port" else "https://stranger.example/"
    context.route("https://stranger.example/", lambda route: route.fulfill(body="<!doctype html><body>", content_type="text/html"))
    other = context.new_page()
    other.goto(address)
    assert other.evaluate(TRIES, studio.origin) == []
    assert limit(page, studio) == before
    # The same tries from a page of the studio succeed.
    assert {"read", "policy", "events", "change"} <= set(page.evaluate(TRIES, studio.origin))


def test_a_form_of_a_stranger_changes_nothing(studio: Studio, opened: Callable, stranger: str) -> None:
    context, _ = opened(studio)
    page = context.new_page()
    hospital(page, studio)
    before = limit(page, studio)
    other = context.new_page()
    other.goto(stranger)
    form = """origin => {
      const form = document.createElement("form");
      form.method = "post"; form.action = origin + "/edit";
      for (const [name, value] of [["what", "limit"], ["limit", "0.3"]]) { const it = document.createElement("input"); it.name = name; it.value = value; form.append(it); }
      document.body.append(form); form.submit();
    }"""
    with other.expect_response(f"{studio.origin}/edit") as answer:
        other.evaluate(form, studio.origin)
    assert answer.value.status == 403
    assert limit(page, studio) == before


def test_nobody_frames_it(studio: Studio, opened: Callable, stranger: str) -> None:
    """The browser shows a frame with its own page of refusal, even to whoever may come in."""
    context, watch = opened(studio)
    page = context.new_page()
    hospital(page, studio)
    other = context.new_page()
    other.goto(stranger)
    with context.expect_event("console", lambda told: "frame" in told.text.lower()) as told:
        other.evaluate("at => { const it = document.createElement('iframe'); it.src = at; document.body.append(it); }", f"{studio.origin}/table")
    assert told.value.type == "error"
    expect(other.frame_locator("iframe").locator("#hospital, #columns-title, nav")).to_have_count(0)


def test_a_name_that_was_made_to_point_here_is_refused(studio: Studio, opened: Callable) -> None:
    """DNS rebinding: the browser believes that the studio is a part of the stranger's site, and the token does not help."""
    context, _ = opened(studio)
    hospital(context.new_page(), studio)
    rebound = studio.url.replace("127.0.0.1", "rebound.example")
    other = context.new_page()
    answer = other.goto(rebound)
    assert answer and answer.status == 421 and "set-cookie" not in answer.headers, answer
    tries = """async () => (await Promise.all(["/table", "/policy.toml", "/assets/studio.js"].map(path => fetch(path)))).map(one => one.status)"""
    assert other.evaluate(tries) == [421] * 3
    change = """async () => (await fetch("/edit", { method: "POST", body: new URLSearchParams({ what: "limit", limit: "0.3" }) })).status"""
    assert other.evaluate(change) == 421
    assert not [one for one in context.cookies() if "rebound" in one["domain"]]


def test_whoever_has_no_cookie_stays_out(studio: Studio, opened: Callable) -> None:
    """Another browser of the same machine, without the token and with a wrong one."""
    context, _ = opened(studio)
    page = context.new_page()
    for path in ["/table", "/", "/?token=" + "0" * 64, "/policy.toml", "/report/private", "/events"]:
        answer = page.request.get(f"{studio.origin}{path}", max_redirects=0)
        assert answer.status == 403 and "belongs to whoever started it" in answer.text(), path
    page.goto(f"{studio.origin}/table")
    expect(page.locator("nav")).to_have_count(0)


def test_no_script_reads_the_cookie(studio: Studio, opened: Callable) -> None:
    context, watch = opened(studio)
    page = context.new_page()
    page.goto(studio.url)
    assert page.evaluate("() => document.cookie") == ""
    cookie = context.cookies()[0]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    assert "token" not in page.evaluate("() => location.href + document.referrer + document.documentElement.outerHTML")
    watch.check()


def test_an_address_lets_one_browser_in_once(studio: Studio, opened: Callable) -> None:
    """Whoever reads it later, in a history or a list of processes, finds it dead; the next browser has an address of its own."""
    page, other = (opened(studio)[0].new_page() for _ in range(2))
    address = studio.url
    page.goto(address)
    assert page.url == f"{studio.origin}/table"
    answer = other.goto(address)
    assert answer and answer.status == 403 and "lets one browser in" in answer.text()
    # Where the browser has the cookie, it may look twice.
    page.goto(address)
    assert page.url == f"{studio.origin}/table"
    assert studio.url != address
    other.goto(studio.url)
    assert other.url == f"{studio.origin}/table"


def test_the_browser_is_led_in_by_a_file(start: Callable, opened: Callable, tmp_path: pathlib.Path) -> None:
    """Everybody can read the command line of the browser that is opened: no token is in it, and the file is the owner's."""
    told = tmp_path / "told.txt"
    for name in ["xdg-open", "open"]:
        opener = tmp_path / name
        opener.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {told}.part && mv {told}.part {told}\n')
        opener.chmod(0o755)
    studio = start(opener=tmp_path)
    end = time.monotonic() + LONG / 1000
    while not told.exists():
        assert time.monotonic() < end, "no browser is opened"
        time.sleep(0.02)
    (path,) = told.read_text().splitlines()
    file = pathlib.Path(path)
    assert "token" not in path and file.stat().st_mode & 0o777 == 0o600
    page = opened(studio)[0].new_page()
    page.goto(file.as_uri())
    expect(page).to_have_url(f"{studio.origin}/table", timeout=LONG)
    expect(page.locator("#hospital")).to_be_visible()
    assert "token" not in page.evaluate("() => location.href + document.referrer + document.documentElement.outerHTML")
    stranger = opened(studio)[0].new_page()
    stranger.goto(file.as_uri())
    expect(stranger.locator("body")).to_contain_text("lets one browser in")
    stranger.goto(studio.first)
    assert stranger.url == f"{studio.origin}/table", "the printed address is another one"
