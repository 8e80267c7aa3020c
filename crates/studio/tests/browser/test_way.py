"""The whole way, from opening the built-in table to a written, audited release: wide and narrow, by mouse and by keyboard alone."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from hands import HANDS
from studio import LONG, PAGES, Studio, files, settled


def arrived(page: Page, name: str) -> None:
    expect(page).to_have_url(re.compile(f"/{name}$"), timeout=LONG)
    settled(page)


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("width", [1280, 390])
def test_from_the_table_to_its_release(studio: Studio, opened: Callable, width: int, hand: str) -> None:
    context, watch = opened(studio, width)
    page = context.new_page()
    hands = HANDS[hand](page)
    page.goto(studio.url)
    assert page.url == f"{studio.origin}/table", "the token is out of the address"
    hands.press("#hospital")
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)

    onward(hands, page, "columns")
    columns(hands, page)
    onward(hands, page, "safety")
    safety(hands, page)
    onward(hands, page, "best")
    best(hands, page)
    onward(hands, page, "balance")
    balance(hands, page)
    onward(hands, page, "map")
    mapped(hands, page)
    page.go_back()
    arrived(page, "map")
    onward(hands, page, "release")
    release(hands, page)
    is_released(studio)
    watch.check()
    is_the_same(studio, page)


def onward(hands, page: Page, name: str) -> None:
    hands.press("#next")
    arrived(page, name)
    expect(page.locator("nav [aria-current=page]")).to_have_attribute("href", f"/{name}")


def columns(hands, page: Page) -> None:
    """Another role, and back; a column's ladder, and back."""
    role = page.locator(".column select").last
    selector, before = f"#{role.get_attribute('id')}", role.input_value()
    expect(page.locator("#undo")).to_be_disabled()
    hands.choose(selector, "quasi-identifying" if before != "quasi-identifying" else "insensitive")
    expect(page.locator("#undo")).to_be_enabled(timeout=LONG)
    settled(page)
    while page.locator("#undo").is_enabled():
        hands.press("#undo")
        settled(page)
    expect(page.locator(selector)).to_have_value(before)
    hands.press(".short-ladder")
    expect(page.locator(".climb")).to_be_visible(timeout=LONG)
    page.go_back()
    arrived(page, "columns")


def safety(hands, page: Page) -> None:
    """k moves, and the smallest class with it."""
    smallest = page.locator("#number-smallest")
    before = smallest.inner_text()
    hands.slide("#model-0-k", 0.15)
    expect(smallest).not_to_have_text(before, timeout=LONG)
    settled(page)
    k, found = int(page.locator("#model-0-k").input_value()), int(smallest.inner_text())
    assert found >= k, (found, k)


def best(hands, page: Page) -> None:
    """The limit moves; a rung is held, and let go; another release is seen beside."""
    expect(page.locator("#answer .price .pending")).to_have_count(0, timeout=LONG)
    before = page.locator("#limit + output").inner_text()
    hands.slide("#limit")
    expect(page.locator("#limit + output")).not_to_have_text(before, timeout=LONG)
    settled(page)
    rung = "#" + str(page.locator(".rung:not(.is-here):not(.is-unsafe) button").first.get_attribute("id"))
    hands.press(rung)
    expect(page.locator(rung)).to_have_attribute("aria-pressed", "true", timeout=LONG)
    settled(page)
    hands.press(rung)
    expect(page.locator(rung)).to_have_attribute("aria-pressed", "false", timeout=LONG)
    settled(page)


def balance(hands, page: Page) -> None:
    """The weight of utility moves, and what users are given with it."""
    if page.locator("#even").count():
        hands.press("#even")
    expect(page.locator("#number-satisfaction")).to_be_visible(timeout=LONG)
    settled(page)
    answer = page.locator("#answer")
    before = answer.inner_text()
    hands.slide("#alpha")
    expect(answer).not_to_have_text(before, use_inner_text=True, timeout=LONG)
    settled(page)


def mapped(hands, page: Page) -> None:
    """A point of the front is taken over."""
    expect(page.locator("[data-map] svg")).to_be_visible(timeout=LONG)
    hands.press("[id^=point-]")
    arrived(page, "best")


def release(hands, page: Page) -> None:
    hands.press("#write")
    expect(page.locator("#released")).to_be_visible(timeout=LONG)
    settled(page)
    assert page.locator(".checks li.passed").count() == page.locator(".checks li").count() > 3


def is_released(studio: Studio) -> None:
    """What lies there is a release that holds, and beside it nothing but the policy, its ladders and the made-up table."""
    audit = studio.run("audit", "release/public", "--json")
    assert audit.returncode == 0 and json.loads(audit.stdout)["passed"] is True, audit
    left = {path.name for path in studio.folder.iterdir()} - {"hierarchies"}
    assert left == {"hospital.csv", "policy.toml", "release"}, left


def is_the_same(studio: Studio, page: Page) -> None:
    """The commands work when they are pasted after the studio has ended, and give the same bytes."""
    commands = {place: page.locator(place).inner_text() for place in ["#released-command", "#command"]}
    page.context.close()
    studio.end()
    for place, command in commands.items():
        words = shlex.split(command)
        assert words[:3] == ["equanym", "release", "hospital.csv"]
        out = words[words.index("--out") + 1]
        if place == "#released-command":
            assert out == "release"
            command, out = command.replace("--out release", "--out by-hand"), "by-hand"
        done = studio.paste(command)
        assert done.returncode == 0, (command, done)
        assert files(studio.folder / out) == files(studio.folder / "release"), place


def test_every_page_has_an_address(studio: Studio, opened: Callable) -> None:
    """The pages in any order, back, forward and again; without a table all of them lead to the first."""
    context, watch = opened(studio)
    page = context.new_page()
    page.goto(studio.url)
    for name in PAGES:
        page.goto(f"{studio.origin}/{name}")
        arrived(page, "table")
    page.click("#hospital")
    expect(page.locator("#columns-title")).to_be_visible(timeout=LONG)
    for name in PAGES[1:]:
        page.click(f"nav a[href='/{name}']")
        arrived(page, name)
    for name in reversed(PAGES[:-1]):
        page.go_back()
        arrived(page, name)
    for name in PAGES[1:]:
        page.go_forward()
        arrived(page, name)
    page.reload()
    arrived(page, PAGES[-1])
    watch.check()
