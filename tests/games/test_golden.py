"""Golden games replay entry by entry, end as they ended, and show what the index says; nothing is without a game."""

import re

import pytest

from engine import registry
from engine.core.export import verify
from engine.core.log import first_position
from engine.core.ruleset import make_config
from tests.games.files import (
    FOLDER,
    Golden,
    kept_tables,
    load_export,
    load_index,
    sections,
    situations,
    state_digest,
    titles,
)
from tests.games.watch import moments

ENGINE = FOLDER.parents[1] / "engine"
GAMES = [(title, golden) for title in titles() for golden in load_index(title).game]


def part(text: str, heading: str) -> str:
    """The text below a heading of a page."""
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, heading
    return found[1]


def headings(title: str) -> list[str]:
    """The rulings in a title's README.md."""
    rulings = part((ENGINE / title / "README.md").read_text(), "Our rulings")
    return re.findall(r"^\*\*(.+?)\.\*\*", rulings, re.MULTILINE)


def items(title: str) -> list[str]:
    """The items of a title's rule list about its end."""
    rules = (ENGINE / title / "RULES.md").read_text()
    return [
        number
        for section in sections(title)
        for number in re.findall(r"^- ([A-Z]-\d+)", part(rules, section), re.MULTILINE)
    ]


@pytest.mark.parametrize(("title", "golden"), GAMES, ids=[f"{title}-{golden.file}" for title, golden in GAMES])
def test_golden_game_replays_and_shows_what_it_is_kept_for(title: str, golden: Golden):
    ruleset, tables, export = registry.load(title), kept_tables(title), load_export(title, golden.file)
    header = export.header
    assert header.seed
    assert header.chain
    assert (golden.run.seats, golden.run.words) == (header.seats, header.words)

    records = verify(ruleset, tables, export)

    state = records[-1].position.state
    standings = ruleset.standings(state)
    assert not records[-1].position.owed(ruleset)
    assert golden.points == tuple(one.points for one in standings)
    assert golden.winners == tuple(one.seat for one in standings if one.rank == 1)
    assert golden.state == state_digest(state)
    config = make_config(header.seats, dict(header.options), allowed=ruleset.seats, options=ruleset.options)
    game = moments(first_position(ruleset, config, tables), records)
    sees = {situation.key: situation.sees for situation in situations(title)}
    assert {} == {key: seq for key, seq in golden.shows.items() if seq not in sees[key](game)}


@pytest.mark.parametrize("title", titles())
def test_every_situation_has_a_game_or_a_reason(title):
    index = load_index(title)
    keys = [situation.key for situation in situations(title)]

    assert sorted(set(keys)) == sorted(keys)
    assert set() == set(keys) - index.shown() - set(index.without)
    assert set() == index.shown() - set(keys)
    assert set() == index.shown() & set(index.without)


@pytest.mark.parametrize("title", titles())
def test_every_ruling_has_a_game_or_a_reason(title):
    index, found = load_index(title), headings(title)
    shown = {one.ruling for one in situations(title) if one.key in index.shown()}

    assert found
    assert [] == [heading for heading in found if heading not in shown and heading not in index.without]
    assert set() == {one.ruling for one in situations(title) if one.ruling} - set(found)


@pytest.mark.parametrize("title", titles())
def test_every_rule_of_the_end_has_a_game_or_a_reason(title):
    index, found = load_index(title), items(title)
    shown = {rule for one in situations(title) if one.key in index.shown() for rule in one.rules}

    assert found
    assert [] == [item for item in found if item not in shown and item not in index.without]


@pytest.mark.parametrize("title", titles())
def test_index_and_folder_agree(title):
    index = load_index(title)
    files = [golden.file for golden in index.game]
    reasons = {one.key for one in situations(title)} | set(headings(title)) | set(items(title))

    assert sorted(files) == sorted(path.name for path in (FOLDER / title).glob("*.game"))
    assert set() == set(index.without) - reasons
