"""
What an accessibility checker finds in a page: axe-core, run in the page itself by a headless Chromium.

`AXE=FILE` takes another version of its script than that of the package `axe-core-python`.
"""

import os
from functools import cache
from importlib.resources import files
from pathlib import Path

from tests.browser import Browser

GROUND = "document.documentElement.style.backgroundColor ||= 'Canvas'; 0"
"""A page without a ground has that of the browser, light or dark; said aloud, the checker can reckon with it."""

RUN = (
    "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.flatMap(one => one.nodes.map("
    "node => `${one.impact}: ${one.id}: ${node.html.slice(0, 160)}`)))"
)


@cache
def _script() -> str:
    given = os.environ.get("AXE")
    return (Path(given) if given else files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")


def findings(browser: Browser, page: Path) -> list[str]:
    """Return what the checker finds in *page* as the browser's window shows it, each with its weight."""
    browser.open(page)
    browser.evaluate(GROUND)
    browser.evaluate(f"{_script()}; 0")
    return list(browser.evaluate(RUN))
