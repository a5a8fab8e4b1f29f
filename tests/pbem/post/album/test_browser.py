"""The album as a person uses it: opened from a file in a browser, with slider, keys, buttons and the log."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.post.album.folder import write_files
from tests.browser import MISSING, PROGRAM, Browser
from tests.contract.titles import Setting
from tests.pbem.post.album.sample import EVIL, album

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not PROGRAM, reason=MISSING),
    pytest.mark.xdist_group("browser"),
]

SETTING, SEED, ENTRIES = Setting("tiny_towns", 4), 2, 90
PHONE, DESKTOP = 360, 1280
SHOWN = "[where.textContent, document.querySelector('#told').textContent]"
SEES = (
    "(() => { const line = document.querySelector('#log a[aria-current]'); if (!line) return null;"
    " const box = line.getBoundingClientRect(), around = log.getBoundingClientRect();"
    " return [line.hash, box.top >= around.top - 1 && box.bottom <= around.bottom + 1]; })()"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("album")
    write_files(there, album(SETTING, SEED, ENTRIES).files)
    return there


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Browser]:
    """An album, opened; at the end of the test nothing in it has gone wrong."""
    browser.errors.clear()
    browser.look(PHONE)
    browser.open("about:blank")
    browser.open(folder / "index.html")
    yield browser
    assert browser.errors == []


def where(page: Browser) -> str:
    return str(page.evaluate("document.querySelector('#where').textContent"))


def slide(page: Browser, step: int) -> None:
    page.evaluate(f"slider.value = {step}; slider.dispatchEvent(new Event('input', {{bubbles: true}}))")


def seq(page: Browser, step: int) -> int:
    return int(page.evaluate(f"album.seq[{step}]"))


def test_it_opens_at_the_last_position(page: Browser) -> None:
    assert where(page).endswith(f"Entry {ENTRIES} of {ENTRIES}")
    assert page.evaluate("slider.value === slider.max")
    assert page.evaluate("document.querySelectorAll('#pictures svg text').length > 20")


def test_the_slider_goes_to_any_position_and_back(page: Browser) -> None:
    picture = "new XMLSerializer().serializeToString(document.querySelector('#pictures svg'))"
    written = page.evaluate(picture)

    slide(page, 0)

    assert where(page) == "Before the first entry"
    first = page.evaluate(picture)
    slide(page, 30)
    assert where(page).endswith(f"Entry {seq(page, 30)} of {ENTRIES}")
    assert page.evaluate("slider.getAttribute('aria-valuetext')") == where(page)
    slide(page, int(page.evaluate("slider.max")))
    assert page.evaluate(picture) == written != first


def test_keys_move_by_positions_rounds_and_to_the_ends(page: Browser) -> None:
    page.press("Home")
    assert where(page) == "Before the first entry"
    page.press("ArrowRight")
    assert where(page) == f"Set-up · Entry {seq(page, 1)} of {ENTRIES}"
    page.press("PageDown")
    assert where(page).startswith("Round 1 · ")
    page.press("PageDown")
    second = where(page)
    assert second.startswith("Round 2 · ")
    page.press("ArrowLeft")
    assert where(page).startswith("Round 1 · ")
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.press("PageUp")
    assert where(page) == second
    page.press("PageUp")
    assert where(page).startswith("Round 1 · ")
    page.press("End")
    assert where(page).endswith(f"Entry {ENTRIES} of {ENTRIES}")
    page.press("ArrowRight")
    assert where(page).endswith(f"Entry {ENTRIES} of {ENTRIES}")


def test_a_key_on_the_slider_moves_once(page: Browser) -> None:
    slide(page, 20)
    page.evaluate("slider.focus()")

    page.press("ArrowRight")

    assert page.evaluate("Number(slider.value)") == 21
    page.press("Home")
    assert page.evaluate("Number(slider.value)") == 0


def test_space_plays_turn_by_turn_until_it_is_pressed_again(page: Browser) -> None:
    changed = (
        "new Promise((done) => new MutationObserver(() => done(document.querySelector('#where').textContent))"
        ".observe(document.querySelector('#where'), {childList: true}))"
    )
    page.press("Home")

    page.press(" ")

    assert page.evaluate("play.getAttribute('aria-label')") == "Stop"
    seen = [page.evaluate(changed), page.evaluate(changed)]
    ends = page.evaluate("[...document.querySelectorAll('#log a')].slice(0, 2).map((line) => line.hash.slice(1))")
    assert [one.split()[-3] for one in seen] == ends
    page.press(" ")
    assert page.evaluate("play.getAttribute('aria-label')") == "Play"
    assert where(page) == seen[-1]


def test_buttons_do_what_keys_do_and_are_big_enough_for_a_thumb(page: Browser) -> None:
    slide(page, 30)
    page.click("#back")
    assert page.evaluate("Number(slider.value)") == 29
    page.click("#on")
    page.click("#on")
    assert page.evaluate("Number(slider.value)") == 31
    page.click("#round-on")
    begun = where(page)
    page.click("#round-back")
    assert where(page) != begun

    sizes = page.evaluate(
        "[...document.querySelectorAll('.controls button, #slider')]"
        ".map((one) => one.getBoundingClientRect()).map((box) => [box.width, box.height])"
    )
    assert len(sizes) == 6
    assert min(min(size) for size in sizes) >= 44


def test_buttons_are_reached_and_pressed_by_keys_alone(page: Browser) -> None:
    slide(page, 30)
    page.evaluate("slider.focus()")
    page.press("Tab")
    page.press("Tab")
    assert page.evaluate("document.activeElement.id") == "back"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"

    page.press(" ")

    assert page.evaluate("Number(slider.value)") == 29
    page.press("Enter")
    assert page.evaluate("Number(slider.value)") == 28


def test_a_line_of_the_log_leads_to_its_position(page: Browser) -> None:
    address = page.evaluate("document.querySelectorAll('#log a')[8].hash")

    page.click("#log li:nth-child(2) a")
    page.evaluate("document.querySelectorAll('#log a')[8].click()")

    assert where(page).endswith(f"Entry {address[1:]} of {ENTRIES}")
    assert page.evaluate("location.hash") == address
    assert page.evaluate(SEES) == [address, True]


def test_the_present_line_is_marked_and_in_sight(page: Browser) -> None:
    for step in (0, 7, 40, 75):
        slide(page, step)
        if step == 0:
            assert page.evaluate(SEES) is None
            continue
        address, is_seen = page.evaluate(SEES)
        assert int(address[1:]) >= seq(page, step)
        assert is_seen
        told = page.evaluate("document.querySelector('#told').textContent")
        assert told == page.evaluate("document.querySelector('#log a[aria-current]').textContent") != ""
        assert page.evaluate("document.querySelectorAll('#log a[aria-current]').length") == 1


def test_standings_and_chart_follow(page: Browser) -> None:
    rows = (
        "[...document.querySelectorAll('#standings tbody tr')].map((row) => [...row.cells].map((one) => one.innerText))"
    )
    written = page.evaluate(rows)
    cursor = "document.querySelector('#chart .cursor').getAttribute('d')"
    right = page.evaluate(cursor)

    page.press("Home")

    assert page.evaluate(cursor) != right
    assert page.evaluate(rows) != written
    assert sorted(row[1] for row in page.evaluate(rows)) == sorted(EVIL[:4])
    page.press("End")
    assert page.evaluate(rows) == written


def test_an_address_leads_to_its_position(page: Browser, folder: Path) -> None:
    address = (folder / "index.html").resolve().as_uri()

    page.open("about:blank")
    page.open(f"{address}#17")

    assert where(page).endswith(f"Entry 17 of {ENTRIES}")
    page.evaluate("location.hash = '#40'; new Promise((done) => addEventListener('hashchange', done, {once: true}))")
    assert where(page).endswith(f"Entry 40 of {ENTRIES}")


def test_the_address_becomes_that_of_the_position(page: Browser) -> None:
    slide(page, 12)

    page.evaluate(
        "new Promise((done) => { const look = () => location.hash ? done() : setTimeout(look, 20); look(); })"
    )

    assert page.evaluate("location.hash") == f"#{seq(page, 12)}"


def test_names_run_no_script(page: Browser) -> None:
    for step in range(0, 40, 3):
        slide(page, step)

    assert page.evaluate("document.scripts.length") == 2
    assert page.evaluate("document.querySelectorAll('main script, header script').length") == 0
    assert page.evaluate("document.body.innerText").count(EVIL[0]) >= 2


@pytest.mark.parametrize("width", [320, PHONE, 768, DESKTOP])
def test_nothing_stands_out_of_the_window(page: Browser, width: int) -> None:
    page.look(width)

    for step in (0, 20, 80):
        slide(page, step)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_wide_window_shows_the_log_beside_the_pictures(page: Browser) -> None:
    sides = "[pictures.getBoundingClientRect().right, log.getBoundingClientRect().left]"
    pictures_right, log_left = page.evaluate(sides)
    assert pictures_right > log_left

    page.look(DESKTOP)

    pictures_right, log_left = page.evaluate(sides)
    assert pictures_right <= log_left


def test_light_and_dark_follow_the_reader(page: Browser) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)

    page.look(PHONE, dark=True)

    assert page.evaluate(ground) != light


def test_pictures_are_drawn_with_the_letters_that_lie_beside(page: Browser) -> None:
    loaded = page.evaluate("document.fonts.ready.then(() => [...document.fonts].map((one) => one.status))")

    assert loaded == ["loaded", "loaded"]


def test_all_that_can_be_used_has_a_name(page: Browser) -> None:
    page.ask("Accessibility.enable")
    nodes = page.ask("Accessibility.getFullAXTree")["nodes"]
    page.ask("Accessibility.disable")

    used = [one for one in nodes if one.get("role", {}).get("value") in ("button", "slider", "link", "img", "image")]
    assert {one["role"]["value"] for one in used} >= {"button", "slider", "link"}
    assert [one for one in used if not one["name"]["value"].strip()] == []


def test_without_a_script_the_last_position_is_there(page: Browser, folder: Path) -> None:
    page.look(PHONE, script=False)
    page.open(folder / "index.html")
    page.screenshot(folder / "without.png")
    text = page.ask("DOM.getDocument", depth=0)["root"]
    outer = page.ask("DOM.getOuterHTML", nodeId=text["nodeId"])["outerHTML"]
    page.look(PHONE)

    assert "Without JavaScript this page shows" in outer
    assert "<svg" in outer.partition('id="pictures"')[2].partition("</main>")[0]
    assert 'id="controls" aria-label="Move through the game" hidden' in outer
