"""axe-core: what keeps people out of a page. It comes from its package, and is put into the page from outside."""

from __future__ import annotations

import importlib.util
import pathlib

from playwright.sync_api import Page

#: How bad a barrier must be to count.
SERIOUS = ("serious", "critical")

RUN = """async rules => {
  const found = await axe.run(document, { resultTypes: ["violations"], ...(rules.length ? { runOnly: rules } : {}) });
  return found.violations.map(one => [one.impact, one.id, one.nodes.map(node => node.target.join(" ") + " " + (node.any[0] || {}).message)]);
}"""


def script() -> str:
    """axe-core as its package holds it."""
    package = importlib.util.find_spec("axe_playwright_python")
    assert package and package.origin
    return (pathlib.Path(package.origin).parent / "axe.min.js").read_text()


SCRIPT = script()


def barriers(page: Page, *rules: str) -> list[str]:
    """The serious barriers on a page, by these rules or by all."""
    if not page.evaluate("() => !!window.axe"):
        page.evaluate(SCRIPT)
    found = page.evaluate(RUN, list(rules))
    return [f"{impact} {name}: {'; '.join(places[:4])[:600]}" for impact, name, places in found if impact in SERIOUS]
