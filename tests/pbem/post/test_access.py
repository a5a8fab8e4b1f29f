"""An accessibility checker finds nothing in the mails of any kind, nor in the album."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from engine import registry
from pbem.lexicon import languages
from pbem.post.album.folder import write_files
from pbem.post.compose import render_standalone
from tests.access import findings
from tests.browser import MISSING, PROGRAM, Browser
from tests.contract.titles import Setting
from tests.pbem.post import sample, shots
from tests.pbem.post.album.sample import album

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not PROGRAM, reason=MISSING),
    pytest.mark.xdist_group("browser"),
]

SCREENS = ((360, True), (1200, False))
"""Width, and whether it is dark."""

HEADING = "moderate: page-has-heading-one"
"""A mail has its heading in the subject, which the mail program reads out."""


def found(browser: Browser, page: Path) -> set[str]:
    every = set()
    for width, dark in SCREENS:
        browser.look(width, dark=dark)
        every.update(findings(browser, page))
    return {one for one in every if not one.startswith(HEADING)}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("title", registry.titles())
def test_nothing_is_found_in_mails(browser: Browser, title: str, language: str, tmp_path: Path) -> None:
    page = tmp_path / "mail.html"
    for kind, facts in shots.mails(title, language):
        page.write_text(render_standalone(facts, sample.WORDS)[1], encoding="utf-8")
        assert found(browser, page) == set(), kind


@pytest.mark.parametrize("kind", sample.every_kind())
@pytest.mark.parametrize("plain", [False, True])
def test_nothing_is_found_in_mails_of_any_kind(browser: Browser, kind: str, plain: bool, tmp_path: Path) -> None:
    page = tmp_path / "mail.html"
    facts = replace(sample.every_kind("pt")[kind], plain=plain)
    page.write_text(render_standalone(facts, sample.WORDS)[1], encoding="utf-8")

    assert found(browser, page) == set()


@pytest.mark.parametrize("title", registry.titles())
def test_nothing_is_found_in_the_album(browser: Browser, title: str, tmp_path: Path) -> None:
    write_files(tmp_path, album(Setting(title, 2), 2, 60).files)

    assert found(browser, tmp_path / "index.html") == set()


def test_the_checker_finds_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        '<html lang="en"><title>x</title><main><h1>x</h1><img src="data:,"><p style="color: #eee">some words'
    )

    weights = {" ".join(one.split(": ")[:2]) for one in findings(browser, page)}

    assert {"critical image-alt", "serious color-contrast"} <= weights
