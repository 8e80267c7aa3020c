"""How long people wait for the studio, measured in a real browser.

    cargo xtask bench studio             # --write renews the part `studio` of README.md

Each move sets a slider of the page "Best release" to a place where it has not been, so nothing is known beforehand. The clock runs in the
page, from the event of the slider to the frame after the new picture stands in the page: the best release, or, where the search takes longer than a
moment, the best so far with its gap. "proven" is when it is known to be the best; "complete" when the prices of all rungs stand there, too.
The first page is timed from the request of the printed address to the frame that shows the table; opening, from the start of the program.

Every column is a quasi-identifier with its published ladder; k = 5, at most 5 % of the records are withheld.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import time
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "crates/studio/tests/browser"))

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402
from studio import LONG, PROGRAM, Studio, Watch, holds, settled  # noqa: E402



class Asked(NamedTuple):
    """A table, how often a slider moves, and what is asked for: seconds from a move to the picture, seconds to the first page."""

    name: str
    moves: int
    picture: float
    first: float | None
    #: Whether each move waits for all prices; those of a large table take long, and the next move stops them.
    complete: bool


TABLES = [Asked("adult", 60, 0.15, 0.5, True), Asked("ihis-synth", 20, 3.0, None, False)]

#: Puts a slider elsewhere and waits for the frames that show the new picture and the proven one; the page says whether it still waits for either.
MOVE = """([id, value]) => new Promise(done => {
  const slider = document.getElementById(id), old = document.getElementById("answer");
  let picture = 0;
  const framed = then => requestAnimationFrame(() => setTimeout(() => then(performance.now() - start), 0));
  const watch = new MutationObserver(() => {
    const answer = document.getElementById("answer");
    if (answer === old || !answer || answer.querySelector(":scope > .waiting[data-waiting]")) return;
    framed(seconds => { picture ||= seconds; });
    if (answer.querySelector(":scope > .waiting")) return;
    watch.disconnect();
    framed(seconds => done([picture, seconds]));
  });
  watch.observe(document.body, { childList: true, subtree: true });
  slider.value = value;
  const start = performance.now();
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def policy(folder: pathlib.Path) -> str:
    """Every column with its ladder."""
    lines = []
    for path in sorted((folder / "hierarchies").iterdir()):
        lines += [f"[variables.{json.dumps(path.stem)}]", 'role = "quasi-identifying"', f"hierarchy = {{ file = {json.dumps(str(path.resolve()))} }}"]
    return "\n".join([*lines, "[[privacy]]", 'model = "k-anonymity"', "k = 5", "[method]", "suppression_limit = 0.05"]) + "\n"


def places(moves: int) -> list[tuple[str, str]]:
    """Where sliders go: far from where they are, and nowhere twice."""
    ks = [2 + (place * 17 + 9) % 49 for place in range(49)]
    limits = [(place * 23 + 7) % 61 * 0.005 for place in range(61)]
    pairs = [pair for k, limit in zip(ks, limits, strict=False) for pair in (("strength-0-k", str(k)), ("limit", f"{limit:.3f}"))]
    return pairs[:moves]


def moved(page: Page, table: Asked) -> tuple[list[float], list[float], list[float]]:
    """Seconds to the picture, to the proven one, and to all that stands in it."""
    pictures, proven, complete = [], [], []
    for one in places(table.moves):
        started = time.monotonic()
        picture, whole = page.evaluate(MOVE, list(one))
        pictures.append(picture / 1000)
        proven.append(whole / 1000)
        if table.complete:
            settled(page)
            complete.append(max(time.monotonic() - started, proven[-1]))
        else:
            holds(page, "() => !window.asked")
    return pictures, proven, complete


def opened(browser: Browser, studio: Studio) -> float:
    """Seconds to the first page, in a browser that has seen none of it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(studio.url)
    painted = "() => performance.getEntriesByType('paint').find(one => one.name === 'first-contentful-paint')?.startTime"
    while (seconds := page.evaluate(painted)) is None:
        page.wait_for_timeout(5)
    context.close()
    return seconds / 1000


def share(values: list[float], of: float) -> float:
    """The value below which so many are."""
    return sorted(values)[min(len(values) - 1, int(len(values) * of))]


def measured(browser: Browser, data: pathlib.Path, asked: Asked) -> dict[str, Any] | None:
    folder = data / asked.name
    files = [folder / f"{asked.name}.{end}" for end in ("csv", "csv.zst")]
    file = next((file for file in files if file.exists()), None)
    if file is None:
        return None
    with tempfile.TemporaryDirectory() as work:
        rules = pathlib.Path(work) / "policy.toml"
        rules.write_text(policy(folder))
        started = time.monotonic()
        studio = Studio(pathlib.Path(work), str(file.resolve()), "--policy", str(rules))
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            watch = Watch(context, studio.origin)
            page = context.new_page()
            page.goto(studio.url)
            expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)
            table = time.monotonic() - started
            first = [opened(browser, studio) for _ in range(5)]
            page.goto(f"{studio.origin}/best")
            expect(page.locator("#number-released")).to_be_visible(timeout=LONG)
            records = re.search(r"([\d,]+) records", page.locator(".what").inner_text())
            pictures, proven, complete = moved(page, asked)
            watch.check()
            studio.end()
        finally:
            studio.kill()
    found = {"records": records[1] if records else "", "moves": asked.moves, "table": table, "first": share(first, 0.5)}
    return {**found, "p50": share(pictures, 0.5), "p95": share(pictures, 0.95), "most": max(pictures), "proven": share(proven, 0.95), "complete": share(complete, 0.95) if complete else None}


def row(name: str, found: dict[str, Any]) -> str:
    seconds = " | ".join("–" if found[key] is None else f"{found[key]:.3f}" for key in ("table", "first", "p50", "p95", "most", "proven", "complete"))
    return f"| {name} | {found['records']} | {found['moves']} | {seconds} |"


def misses(table: Asked, found: dict[str, Any]) -> list[str]:
    """What took longer than is asked for."""
    said = [("the picture (p95)", found["p95"], table.picture), ("the first page", found["first"], table.first)]
    return [f"{table.name}: {what} takes {seconds:.3f} s, not {most} s" for what, seconds, most in said if most and seconds > most]


HEAD = """| data set | records | moves | s to the opened table | s to the first page | s to the picture, p50 | p95 | most | proven, p95 | complete, p95 |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data", help="where the data sets are")
    parser.add_argument("--write", action="store_true", help="renew benches/README.md")
    parser.add_argument("--only", help="one of the data sets")
    asked = parser.parse_args()
    lines, missed = [HEAD], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("EQUANYM_BROWSER", "/usr/bin/chromium"), args=["--disable-dev-shm-usage"])
        for table in TABLES:
            if asked.only not in (None, table.name):
                continue
            found = measured(browser, asked.data, table)
            if found is None:
                print(f"{table.name} is not there: {asked.data / table.name}", file=sys.stderr)
                continue
            lines.append(row(table.name, found))
            print(lines[-1], file=sys.stderr)
            missed += misses(table, found)
        version = browser.version
        browser.close()
    text = "\n".join([*lines, "", f"Chromium {version.split('.')[0]}, window of 1,280 by 800.", *(f"Missed: {one}" for one in missed)])
    print(text)
    if asked.write:
        page = ROOT / "benches/README.md"
        page.write_text(re.sub(r"(<!-- begin studio -->\n).*?(<!-- end studio -->)", lambda it: f"{it[1]}{text}\n{it[2]}", page.read_text(), flags=re.S))
    return 1 if missed and "release" in pathlib.Path(PROGRAM).parts else 0


if __name__ == "__main__":
    sys.exit(main())
