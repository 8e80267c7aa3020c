"""Every page and every report, wide and narrow, light and dark: no barrier for anybody, nothing that runs out of the page.

`EQUANYM_SHOTS=FOLDER` keeps a picture of each.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

from playwright.sync_api import Page, expect

from barriers import barriers
from studio import LONG, PAGES, Studio, go, hospital, settled

SHOTS = os.environ.get("EQUANYM_SHOTS")

# How many columns the hospital has.
COLUMNS = 11


def look(page: Page, name: str) -> list[str]:
    """What is wrong with a page, seen in four ways. Colours are all that darkness changes."""
    faults = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            where = f"{name} {width} {scheme}"
            faults += [f"{where}: {fault}" for fault in barriers(page, *([] if scheme == "light" else ["color-contrast"]))]
            if SHOTS:
                shot(page, f"{name}-{width}-{scheme}")
        faults += [f"{name} {width}: {fault}" for fault in overflow(page)]
    page.set_viewport_size({"width": 1280, "height": 844})
    return faults


def shot(page: Page, name: str) -> None:
    folder = pathlib.Path(str(SHOTS))
    folder.mkdir(parents=True, exist_ok=True)
    size = page.viewport_size
    assert size
    # A window as high as the page: what sticks to its foot is at the foot.
    page.set_viewport_size({**size, "height": page.evaluate("() => document.documentElement.scrollHeight")})
    page.screenshot(path=folder / f"{name}.png")
    page.set_viewport_size(size)


def overflow(page: Page) -> list[str]:
    """Whether the page is wider than the window, and what makes it so."""
    too_wide = """() => {
      const root = document.documentElement;
      if (root.scrollWidth <= root.clientWidth) return [];
      const wide = [...document.body.querySelectorAll("*")].filter(one => one.getBoundingClientRect().right > root.clientWidth + 1);
      return ["wider than the window: " + wide.slice(0, 5).map(one => `${one.tagName}.${one.className.baseVal ?? one.className}`).join(" ")];
    }"""
    return page.evaluate(too_wide)


def test_no_page_keeps_anybody_out(studio: Studio, opened: Callable) -> None:
    context, watch = opened(studio)
    page = context.new_page()
    page.goto(studio.url)
    faults = look(page, "0-nothing")
    hospital(page, studio)
    for place, name in enumerate(PAGES, 1):
        go(page, studio, name)
        faults += look(page, f"{place}-{name}")
        if name == "columns":
            page.locator(".short-ladder").first.click()
            expect(page.locator(".climb")).to_be_visible()
            settled(page)
            faults += look(page, f"{place}-one-column")
            # The last column of the hospital holds numbers.
            page.goto(f"{studio.origin}/columns/{COLUMNS - 1}")
            page.select_option("#mark", "walk")
            expect(page.locator("table.new-values").first).to_be_visible(timeout=LONG)
            settled(page)
            faults += look(page, f"{place}-new-values")
            page.select_option("#mark", "")
            settled(page)
        if name == "balance":
            if page.locator("#even").count():
                page.click("#even")
            expect(page.locator("#number-satisfaction")).to_be_visible()
            page.click("#rations > summary")
            page.click("#firm")
            expect(page.locator("#plot-heat")).to_be_visible(timeout=LONG)
            settled(page)
            faults += look(page, f"{place}-plots")
    page.fill("#out", "not/there")
    page.click("#write")
    expect(page.locator("#note .failed")).to_be_visible()
    faults += look(page, "8-refused")
    page.fill("#out", "release")
    page.click("#write")
    expect(page.locator("#released")).to_be_visible(timeout=LONG)
    settled(page)
    faults += look(page, "9-released")
    assert not faults, "\n".join(faults)
    watch.check()


def reports(studio: Studio) -> list[pathlib.Path]:
    """Every report that the program writes as a page."""
    folder = studio.folder
    done = studio.run("demo", "--out", "demo", "--quiet")
    assert done.returncode == 0, done
    data, policy = "demo/admissions.csv", "demo/policy.toml"
    frontier = studio.run("frontier", data, "--policy", policy, "--k", "2,5,10", "--limits", "0,0.05", "--out", "map", "--quiet")
    assert frontier.returncode == 0, frontier
    # Forms are looked at where the program has them.
    has_forms = b"--form " in studio.run("release", "--help").stdout
    asked = [word for form in ("ema-0070", "hipaa-expert", "wp216") for word in ("--form", form) if has_forms]
    release = studio.run("release", data, "--policy", policy, "--out", "formed", "--quiet", *asked)
    assert release.returncode == 0, release
    return sorted([*folder.glob("formed/**/*.html"), *folder.glob("map/*.html")])


def test_no_report_keeps_anybody_out(studio: Studio, opened: Callable) -> None:
    """Read from the disk, as whoever gets them does: they ask nobody for anything."""
    found = reports(studio)
    names = {path.name for path in found}
    assert {"report.html", "frontier.html"} <= names and len(found) >= 3, found
    context, watch = opened(studio)
    page = context.new_page()
    faults = []
    for path in found:
        watch.origin = path.as_uri().rsplit("/", 1)[0]
        page.goto(path.as_uri())
        faults += look(page, "report-" + "-".join(path.relative_to(studio.folder).with_suffix("").parts))
    assert not faults, "\n".join(faults)
    watch.check()


def test_reports_are_served_without_rights(studio: Studio, opened: Callable) -> None:
    """A report of the studio may run nothing, whatever stands in it; its style is its own, and applies."""
    context, watch = opened(studio)
    page = context.new_page()
    hospital(page, studio)
    go(page, studio, "release")
    page.click("#write")
    expect(page.locator("#released")).to_be_visible(timeout=LONG)
    links = [link.get_attribute("href") for link in page.locator(".reports a").all()]
    assert links == ["/report/private", "/report/public", "/report/manifest"]
    for link in links:
        answer = page.request.get(f"{studio.origin}{link}")
        rules = answer.headers["content-security-policy"]
        assert answer.ok and "default-src 'none'" in rules and "sandbox" in rules and "script" not in rules, rules
        assert "<script" not in answer.text()
        page.goto(f"{studio.origin}{link}")
        if link != "/report/manifest":
            expect(page.locator("h1")).to_be_visible()
    watch.check()
