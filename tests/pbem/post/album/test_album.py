"""The album of a game: every position, the log beside it, and nothing that not everybody may know before the end."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.log import make_correction, may_read
from engine.core.types import Seat
from pbem.lexicon import languages, template_root
from pbem.post.album.folder import DATA, DATA_BEGINS, FILES, FONTS
from pbem.post.album.page import Made, make_album
from pbem.post.album.steps import lines_of
from pbem.post.draw import pictures
from pbem.post.words import Reader
from tests.contract import laws
from tests.contract.titles import Setting
from tests.pbem.post.album.sample import EVIL, album, facts
from tests.pbem.post.draw.geometry import LEAST_CONTRAST, contrast
from tests.pbem.post.sample import WORDS, game

TOWNS, TOWNS_SEED = Setting("tiny_towns", 2), 3
PART, EARLY = 60, 75
"""So many entries of a long game tell enough."""

ONE_IN = 30
"""One in so many positions has its album made in both worlds."""

SETTINGS = (Setting("village", 2), Setting("my_village", 2), TOWNS, Setting("bids", 2))
VOID = {"meta", "link", "input", "br", "img", "path", "rect", "circle", "line"}


class Page(HTMLParser):
    """A page taken apart: its tags with their attributes, its words, links and headings; its tags are balanced."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [values for name, values in self.tags if name == tag]


def html(made: Made) -> str:
    return made.files["index.html"].decode()


@cache
def page(setting: Setting, *, over: bool = True, language: str = "en") -> Page:
    return Page(html(album(setting, TOWNS_SEED, PART, over=over, language=language)))


def data(made: Made) -> dict[str, Any]:
    text = made.files[DATA].decode("ascii")
    return json.loads(text.removeprefix(DATA_BEGINS.decode()).removesuffix(";\n"))


def put_together(found: dict[str, Any], sheet: int) -> str:
    """Return a picture as the script does it."""

    def source(number: int) -> str:
        shape = found["shapes"][number]
        return shape if isinstance(shape, str) else f"<g{shape[0]}>{''.join(map(source, shape[1:]))}</g>"

    _, head, shapes = found["sheets"][sheet]
    return found["shapes"][head] + "".join(map(source, shapes)) + "</svg>"


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_position_of_the_log_can_be_shown(setting: Setting) -> None:
    records = game(setting, TOWNS_SEED)[:PART]
    found = data(album(setting, TOWNS_SEED, PART))

    assert found["seq"][0] == 0
    assert found["seq"] == sorted(set(found["seq"]))
    for at, position in enumerate([setting.start(), *(one.position for one in records)]):
        step = max(n for n, seq in enumerate(found["seq"]) if seq <= at)
        shown = [
            [row[0], row[1], row[2], *row[3:]]
            for row in sorted(found["standings"][found["standing"][step]], key=lambda row: row[0])
        ]
        standings = setting.ruleset.standings(position.state)
        assert shown == [[s.seat, s.rank, s.points, *(points for _, points in s.parts)] for s in standings]
        assert found["round"][step] == setting.ruleset.view(position.state, None).round


@pytest.mark.parametrize("setting", SETTINGS[:3], ids=str)
def test_a_picture_put_together_from_shared_shapes_is_the_picture(setting: Setting) -> None:
    records = game(setting, TOWNS_SEED)[:PART]
    found = data(album(setting, TOWNS_SEED, PART))

    for at in range(0, PART, 17):
        view = setting.ruleset.view(records[at].position.state, None)
        voice = WORDS.voice("en", setting.title, Reader(None, EVIL[: setting.seats], view=view))
        step = max(n for n, seq in enumerate(found["seq"]) if seq <= records[at].entry.seq)
        drawn = [
            re.sub(r' data-piece="[^"]*"', "", re.sub(r' (width|height)="\d+"', "", one.svg, count=2))
            for one in pictures(setting.title, view, voice)
        ]
        assert drawn
        assert [put_together(found, sheet) for sheet in found["sheet"][step]] == drawn


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("language", languages())
def test_the_page_tells_the_game_without_a_script(setting: Setting, language: str) -> None:
    shown = page(setting, language=language)
    made = album(setting, TOWNS_SEED, PART, language=language)
    told = lines_of(facts(setting, game(setting, TOWNS_SEED)[:PART]), WORDS.voice(language, setting.title, html=True))

    assert shown.all("html") == [{"lang": language}]
    links = [one["href"] for one in shown.all("a") if one["href"].startswith("#")]
    assert len(links) >= len(told) > 10 or setting.title == "bids"
    assert links == [f"#{seq}" for seq in sorted(int(one[1:]) for one in links)]
    assert {int(one[1:]) for one in links} <= set(data(made)["seq"])
    pictured = [one for one in shown.all("figure") if "class" not in one]
    assert len(pictured) == len(data(made)["sheet"][-1])
    assert all(one["role"] == "img" and one["aria-label"].strip() for one in shown.all("figure"))


@pytest.mark.parametrize("over", [False, True])
def test_nothing_comes_from_elsewhere(over: bool) -> None:
    made = album(TOWNS, TOWNS_SEED, PART, over=over)
    shown = page(TOWNS, over=over)

    assert set(made.files) <= set(FILES)
    for tag, name in (("script", "src"), ("link", "href"), ("img", "src")):
        for one in shown.all(tag):
            assert one[name] in made.files or one[name] == "data:,"
    assert [one["href"] for one in shown.all("a") if one["href"][0] != "#"] == (["game.pbem"] if over else [])
    for name in ("album.css", "album.js"):
        assert "//" not in re.sub(r"// .*|/\*.*?\*/", "", made.files[name].decode(), flags=re.DOTALL)
    assert set(re.findall(r'url\("([^"]+)"\)', made.files["album.css"].decode())) <= set(made.files)
    assert ("game.pbem" in made.files) == over


@pytest.mark.parametrize("language", languages())
def test_names_are_words_and_never_tags(language: str) -> None:
    setting = Setting("tiny_towns", 4)
    made = album(setting, 2, PART, language=language)
    found = data(made)

    shown = Page(html(made))

    assert found["names"] == [EVIL[0], EVIL[1], EVIL[2], EVIL[3]]
    for name in EVIL[:4]:
        assert name in shown.words
    assert len(shown.all("script")) == 2
    assert b"<" not in made.files[DATA]
    assert b"<script>alert" not in made.files["index.html"]
    for sheet in range(len(found["sheets"])):
        assert "<script" not in put_together(found, sheet)


def test_what_is_said_of_a_finished_game_is_not_said_of_a_running_one() -> None:
    running, over = page(TOWNS, over=False).words, page(TOWNS).words

    for said in ("The scores", "We replayed the whole game", "secret number behind all draws"):
        assert said in over
        assert said not in running
    assert "still going on: up to entry 60" in running
    assert "2 March 2026" in running
    assert "2 May 2026" not in running
    assert "2 May 2026" in over
    assert "c0" * 32 in running


@pytest.mark.parametrize("winners", [(0,), (0, 1)])
def test_who_won_stands_at_the_top(winners: tuple[int, ...]) -> None:
    base = facts(TOWNS, game(TOWNS, TOWNS_SEED)[:30], over=True, names=("Ana", "Bia"))
    assert base.over is not None
    won = replace(base, over=replace(base.over, winners=tuple(map(Seat, winners))))

    top = html(make_album(won, WORDS, "en")).partition("<main>")[0]

    assert {(0,): "Ana won.", (0, 1): "Ana and Bia share the victory."}[winners] in top


def test_a_game_without_a_result_has_no_scores() -> None:
    base = facts(TOWNS, game(TOWNS, TOWNS_SEED)[:30], over=True)
    assert base.over is not None
    void = replace(base, over=replace(base.over, void=True, winners=()))

    words = Page(html(make_album(void, WORDS, "en"))).words

    assert "ended the game without a result" in words
    assert "The scores" not in words


def test_what_was_hidden_is_told_after_the_end_and_marked() -> None:
    records = game(TOWNS, TOWNS_SEED)
    dealt = next(one for one in records if one.events[0].key == "towns.dealt")
    voice = WORDS.voice("en", "tiny_towns", Reader(None, EVIL), html=True)

    running = lines_of(facts(TOWNS, records[:PART]), voice)
    over = lines_of(facts(TOWNS, records, over=True), voice)

    name = WORDS.voice("en", "tiny_towns").name("card", dealt.entry.text.split()[1])
    card = name[:1].upper() + name[1:]
    assert not any(one.hidden or card in one.text for one in running if one.seq <= dealt.entry.seq)
    assert any(one.hidden and card in one.text for one in over)
    assert {one.seq for one in over if one.hidden} <= {one.entry.seq for one in records if not may_read(one, None)}
    assert "(hidden then)" in html(album(TOWNS, TOWNS_SEED, PART))


SECRET = (
    Setting("bids", 3),
    Setting("tiny_towns", 2),
    Setting("tiny_towns", 3, (("town-hall", "yes"),)),
    Setting("my_village", 3, drawn=26),
)
HIDING = (1, 5)
"""The numbers of games in which something is hidden early."""


@pytest.mark.parametrize("setting", SECRET, ids=str)
def test_the_album_of_a_running_game_is_the_same_in_both_worlds(setting: Setting) -> None:
    changed: list[str] = []
    looks: list[int] = []

    def compare(one: laws.Records, other: laws.Records, seat: Seat | None) -> None:
        if seat is not None:  # an album is for those who do not play
            return
        looks.append(len(one))
        if len(looks) % ONE_IN == 1:
            assert make_album(facts(setting, one), WORDS, "en") == make_album(facts(setting, other), WORDS, "en")

    for seed in HIDING:
        records = laws.random_game(setting, seed)[:EARLY]
        laws.check_secrets(setting, seed, records, changed.append, 1, compare, worlds=24)

    assert changed
    assert looks


def test_the_album_of_a_finished_game_tells_the_worlds_apart() -> None:
    records = game(TOWNS, TOWNS_SEED)
    at = next(n for n, one in enumerate(records) if one.events[0].key == "towns.dealt")
    before, text = records[at - 1].position, records[at].entry.text
    other = next(one for one in laws.texts(TOWNS.ruleset, before.state, Seat(-1)) if one != text)
    worlds = (records[: at + 1], [*records[:at], laws.make_entry(TOWNS.ruleset, before, Seat(-1), other)])

    albums = [make_album(facts(TOWNS, world, over=over), WORDS, "en") for over in (False, True) for world in worlds]

    assert albums[0] == albums[1]
    assert albums[2] != albums[3]


def test_a_round_that_was_taken_back_is_told_as_it_was() -> None:
    records = list(game(TOWNS, TOWNS_SEED)[:PART])
    back = next(n for n, one in enumerate(records) if TOWNS.ruleset.view(one.position.state, None).round == 1)
    records.append(make_correction(TOWNS.ruleset, records, TOWNS.start(), f"rewind {back + 1}"))

    made = make_album(facts(TOWNS, records), WORDS, "en")

    found = data(made)
    assert found["round"][-1] == 1 < max(found["round"])
    assert "taken back to an earlier position (after entry" in Page(html(made)).words


def test_the_beginning_of_a_round_stands_under_its_heading() -> None:
    shown = html(album(Setting("village", 2), TOWNS_SEED, PART))

    assert re.search(r"<h3>Round 1</h3>\s*<ol>\s*<li><a href=\"#\d+\">Round 1 began", shown)


def test_the_same_game_gives_the_same_bytes() -> None:
    made = [make_album(facts(TOWNS, game(TOWNS, TOWNS_SEED)[:40], over=True), WORDS, "pt") for _ in range(2)]

    assert made[0] == made[1]


@pytest.mark.parametrize("setting", [Setting("village", 4), Setting("my_village", 4), TOWNS], ids=str)
def test_shapes_are_shared_between_positions(setting: Setting) -> None:
    made = album(setting, TOWNS_SEED, PART)
    found = data(made)

    drawn = sum(len(put_together(found, sheet)) for sheet in range(len(found["sheets"])))

    assert len(set(map(str, found["shapes"]))) == len(found["shapes"])
    assert len(made.files[DATA]) < drawn / 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting", [Setting("village", 4), Setting("my_village", 4), Setting("tiny_towns", 6)], ids=str
)
def test_the_album_of_the_longest_games_stays_small(setting: Setting) -> None:
    made = album(setting, 5)

    assert made.positions > 200
    assert sum(map(len, made.files.values())) < 4_000_000


def colours(css: str) -> list[dict[str, str]]:
    """Return the colours of the page in the light and in the dark."""
    return [
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    ]


def test_all_words_of_the_page_can_be_read_on_their_ground() -> None:
    light, dark, *_ = colours((template_root() / "site" / "album.css").read_text())

    for found in (light, dark):
        for words in ("ink", "quiet", "mark"):
            for ground in ("page", "area", *(("marked",) if words == "ink" else ())):
                assert contrast(found[words], found[ground]) >= LEAST_CONTRAST, (words, ground)


def test_all_languages_have_the_same_words() -> None:
    texts = [(template_root() / "site" / "words" / f"{one}.toml").read_text() for one in languages()]
    keys = [re.findall(r"^(\w+) = ", text, re.MULTILINE) for text in texts]
    holes = [[sorted(re.findall(r"\{\w+\}", line)) for line in text.splitlines() if " = " in line] for text in texts]

    assert keys[0] == keys[1]
    assert holes[0] == holes[1]


def test_own_templates_are_looked_at_first(tmp_path) -> None:
    (tmp_path / "site" / "words").mkdir(parents=True)
    (tmp_path / "site" / "words" / "en.toml").write_text('standings = "Who is ahead"\n')
    (tmp_path / "site" / "album.css").write_text("body { color: red; }\n")

    made = make_album(facts(TOWNS, game(TOWNS, TOWNS_SEED)[:30]), WORDS, "en", tmp_path)

    assert "Who is ahead" in html(made)
    assert "What happened" in html(made)
    assert made.files["album.css"] == b"body { color: red; }\n"


def test_the_letters_of_the_pictures_are_there() -> None:
    made = album(TOWNS, TOWNS_SEED, PART)

    for name in FONTS:
        assert made.files[name] == (template_root() / "fonts" / name).read_bytes()
