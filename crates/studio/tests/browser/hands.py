"""Two people: one has a mouse, the other a keyboard and nothing else."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from studio import LONG, settled

#: The most stops of the Tab key on a page.
MOST_STOPS = 400


class Mouse:
    """Points and clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, selector: str) -> None:
        self.page.locator(selector).first.click()

    def choose(self, selector: str, value: str) -> None:
        self.page.locator(selector).select_option(value)

    def slide(self, selector: str, share: float = 0.75) -> None:
        """Drags a slider to a share of its way."""
        slider = self.page.locator(selector)
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        assert box
        place = lambda share: (box["x"] + box["width"] * share, box["y"] + box["height"] / 2)  # noqa: E731
        self.page.mouse.move(*place(share - 0.05))
        self.page.mouse.down()
        self.page.mouse.move(*place(share), steps=5)
        self.page.mouse.up()


#: Whether the focus is on an element, and whether it is to be seen there.
FOCUS = """selector => {
  const active = document.activeElement, style = getComputedStyle(active);
  return [active === document.querySelector(selector), style.outlineStyle !== "none" || style.boxShadow !== "none"];
}"""


class Keyboard:
    """Goes from stop to stop; never uses a pointer."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, selector: str) -> None:
        """Presses Tab until the first of these has the focus, which must be seen."""
        expect(self.page.locator(selector).first).to_be_visible(timeout=LONG)
        for _ in range(MOST_STOPS):
            # In one question: a page that hears of an answer takes itself anew between two.
            here, seen = self.page.evaluate(FOCUS, selector)
            if here:
                assert seen, "the focus is not to be seen"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {selector}")

    def press(self, selector: str) -> None:
        self.reach(selector)
        is_link = self.page.evaluate("() => document.activeElement.tagName === 'A'")
        self.page.keyboard.press("Enter" if is_link else "Space")

    def choose(self, selector: str, value: str) -> None:
        """Goes through the words of a list by its arrows; each of them is a change."""
        self.reach(selector)
        self.page.keyboard.press("Home")
        for _ in range(40):
            settled(self.page)
            self.reach(selector)
            if self.page.locator(selector).input_value() == value:
                return
            before = self.page.locator(selector).input_value()
            self.page.keyboard.press("ArrowDown")
            expect(self.page.locator(selector)).not_to_have_value(before, timeout=LONG)
        raise AssertionError(f"{selector} has no {value}")

    def slide(self, selector: str, share: float = 0.75) -> None:
        """Moves a slider by some of its steps; it need not come as far."""
        self.reach(selector)
        for _ in range(3):
            self.page.keyboard.press("ArrowRight")


#: Whoever may walk the way.
HANDS = {"mouse": Mouse, "keyboard": Keyboard}
