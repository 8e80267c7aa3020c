"""Names and values that are markup, script, endless, turn the direction of writing or cannot be seen: all of them show as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from studio import LONG, PAGES, Studio, files, go, settled

MARKUP = "<img src=x onerror=alert(1)>"
SCRIPT = "</td></script><script>alert(2)</script>"
QUOTED = "\"'><svg onload=alert(3)>&lt;b&gt;"
TURNED = "\u202egnp.exe العمر"
UNSEEN = "a\x01\x07\x1b[31m\u200bb"
LONG_NAME = "x" * 10_000
#: A table and a release whose names a shell would run.
NAMED = "it's; touch ran $(touch ran) `touch ran` \"a\" & b.csv"
OUT = "-<td>$(touch ran)'\";x"
HOSTILE = [MARKUP, SCRIPT, QUOTED, TURNED, UNSEEN, LONG_NAME]

#: What a page of the studio never holds, unless somebody put it there.
INJECTED = "img[src=x], svg[onload], [onerror], script:not([src='/assets/studio.js']), b:has-text('gt'), td > script"


def table(records: int = 60) -> str:
    """Each column is named by one of them and holds all of them; the last is for models that guard."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow([*HOSTILE, "age"])
    for number in range(records):
        lines.writerow([*(HOSTILE[(number + place) % 2 + place % 3] for place in range(len(HOSTILE))), 20 + number % 40])
    return text.getvalue()


#: The elements whose own text cannot be seen, turns its direction, or does not end.
HIDDEN = """() => [...document.body.querySelectorAll("*")].filter(one => [...one.childNodes].some(it => it.nodeType === 3
    && (/[\\u0001-\\u0008\\u001b\\u200b\\u202e]/.test(it.data) || it.data.length > 5000)) && !one.closest("textarea"))
  .map(one => `${one.tagName} in ${one.closest("[id]").id} ${one.parentElement.className.baseVal ?? one.parentElement.className}`)"""


def faults(page: Page, where: str) -> list[str]:
    """What does not show as text on a page."""
    found = [f"hidden or endless: {one}" for one in set(page.evaluate(HIDDEN))]
    found += [f"injected: {one.evaluate('one => one.outerHTML')[:200]}" for one in page.locator(INJECTED).all()]
    if page.locator("script").count() != 1:
        found.append("another script")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        if page.evaluate("() => document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            found.append(f"wider than the window of {width}")
    return [f"{where}: {one}" for one in found]


@pytest.mark.parametrize("way", ["path", "upload"])
def test_names_and_values_are_text(studio: Studio, opened: Callable, way: str) -> None:
    context, watch = opened(studio)
    page = context.new_page()
    page.goto(studio.url)
    name = "<b onclick=alert(4)>&quot;.csv"
    (studio.folder / name).write_text(table())
    if way == "path":
        page.fill("#path", name)
        page.click("#open")
    else:
        page.set_input_files("#upload", studio.folder / name)
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)
    assert MARKUP in page.locator("#page").inner_text() and "</script>" in page.locator("#page").inner_text()
    found = []
    for one in [*PAGES, *(f"columns/{place}" for place in range(len(HOSTILE)))]:
        go(page, studio, one)
        found += faults(page, one)
    assert not found, "\n".join(found)
    watch.check()


def test_a_hostile_table_is_released_as_text(studio: Studio, opened: Callable) -> None:
    """Groups named by markup, a policy that fails, the reports of a release of such values, and its command in a shell."""
    (studio.folder / NAMED).write_text(table(400))
    context, watch = opened(studio)
    page = context.new_page()
    page.goto(studio.url)
    page.fill("#path", NAMED)
    page.click("#open")
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)
    go(page, studio, "release")
    page.click("details.text summary")
    before = page.locator("#text").input_value()
    page.fill("#text", before + f"\n[variables.{MARKUP!r}]\nrole = {SCRIPT!r}\n")
    page.click("details.text button")
    expect(page.locator("#note .failed")).to_be_visible()
    found = faults(page, "a policy that fails")
    page.fill("#out", OUT)
    page.click("#write")
    expect(page.locator("#released")).to_be_visible(timeout=LONG)
    settled(page)
    found += faults(page, "released")
    assert not found, "\n".join(found)
    # What the studio's page still asks for belongs to it, and not to the files.
    page.goto("about:blank")
    for path in studio.folder.rglob("*.html"):
        watch.origin = path.as_uri().rsplit("/", 1)[0]
        page.goto(path.as_uri())
        expect(page.locator(INJECTED + ", script")).to_have_count(0)
    watch.check()
    go(page, studio, "release")
    command, again = page.locator("#command").inner_text(), page.locator("#out").input_value()
    studio.end()
    done = studio.paste(command)
    assert done.returncode == 0, (command, done)
    assert files(studio.folder / again) == files(studio.folder / OUT)
    assert not (studio.folder / "ran").exists()
