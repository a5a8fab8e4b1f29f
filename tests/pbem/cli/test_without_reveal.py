"""
What a game master who plays himself sees without `--reveal`: the same bytes in every world that he cannot tell apart.

One law over positions of random games, of which a hidden entry was replaced by another; and two tables at which a
player planned other things in secret.
"""

import itertools
from collections.abc import Iterator
from contextlib import suppress

import pytest
from msgspec import structs

from engine.core.log import first_link
from engine.core.types import Seat
from pbem.advance import enter, run_clocks, store_all
from pbem.cli import shared
from pbem.live import header_of
from pbem.opening import GameOffer, SeatOffer, open_game
from tests.contract import laws
from tests.contract.titles import Setting
from tests.pbem.table import Table
from tests.pbem.witness import Ran, SetTable, acts, command

SETTINGS = (
    Setting("bids", 3),
    Setting("tiny_towns", 3, (("town-hall", "yes"),)),
    Setting("tiny_towns", 1),
    Setting("my_village", 3),
)
MOST = 3
"""Pairs of worlds that are compared; each is stored twice and shown by every command."""


class Enough(Exception):
    """So many pairs were compared."""


def looks(game: int) -> Iterator[list[str]]:
    """Yield the commands that look at a game, or at all, and want no `--reveal`; the last two are refused."""
    number = str(game)
    for words in (["status", "--all"], ["game", "list"], ["game", "show", number], ["game", "log", number]):
        yield words
        yield [*words, "--json"]
    yield ["status", "--check"]
    yield ["game", "view", number]
    yield ["people", "list"]
    yield ["people", "show", "1"]
    yield ["mail", "list"]
    yield ["gm", "rewind", number, "--to", "1", "--dry-run"]
    yield ["gm", "pause", number, "--dry-run"]
    yield ["game", "orders", number, "--seat", "0"]
    yield ["game", "export", number]


def looks_at_branch(game: int) -> Iterator[list[str]]:
    """Yield the commands that make a what-if of a game, look at it, and play in it; the last three are refused."""
    yield ["gm", "branch", str(game)]
    yield ["gm", "branch", str(game), "--at", "3", "--json"]
    for number in (str(game + 1), str(game + 2)):
        yield from (["game", "show", number], ["game", "log", number], ["game", "view", number])
        yield ["game", "show", number, "--json"]
        yield ["game", "verify", number]
        yield ["gm", "rewind", number, "--to", "0"]
        yield ["gm", "discard", number, "--dry-run"]
    number = str(game + 1)
    yield ["gm", "discard", number]
    yield ["game", "view", number]
    yield ["game", "list", "--json"]
    yield ["game", "orders", number, "--seat", "0"]
    yield ["gm", "play", str(game + 2), "--seat", "0", "1"]
    yield ["gm", "play", str(game + 2), "--seat", "0", "1", "--dry-run"]


def shown(table: Table, game: int, monkeypatch: pytest.MonkeyPatch) -> list[Ran]:
    """Return what every such command prints; how big the file is depends on all that is in it, and is left out."""
    monkeypatch.setattr(shared, "utc_now", lambda: table.now)
    found = [command(table, *words) for words in looks(game)]
    return [structs.replace(one, out="\n".join(filter(is_no_size, one.out.splitlines()))) for one in found]


def is_no_size(line: str) -> bool:
    return not line.startswith("store ") and '"bytes":' not in line


def put(table: Table, setting: Setting, records: laws.Records) -> int:
    """Store a game that stands after *records*, and return its number."""
    seats = tuple(SeatOffer(name, f"{name}@players.test") for name in ("Cy", "Di", "Eva")[: setting.seats])
    with table.service.store.write() as session:
        live = open_game(session, GameOffer(setting.title, seats, setting.options, seed=bytes(32)), table.now)
        game = structs.replace(live.game, status="running", started_at=table.now)
        game = structs.replace(game, link=first_link(header_of(session, game, full=False).constant_text()))
        live = structs.replace(live, game=game)
        after = enter(session, live, [(one, "line") for one in records], table.now)
        store_all(session, run_clocks(live, after, table.now, table.now))
    return game.id


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_no_command_without_reveal_tells_two_worlds_apart(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch, setting: Setting
) -> None:
    pair = [set_table("Ana pt", "Bob en") for _ in range(2)]
    changed: list[str] = []
    compared: list[int] = []

    def compare(one: laws.Records, other: laws.Records, _: Seat | None) -> None:
        game = put(pair[0], setting, one)
        assert put(pair[1], setting, other) == game
        compared.append(len(one))
        assert shown(pair[0], game, monkeypatch) == shown(pair[1], game, monkeypatch)
        tries = [[command(table, *words) for words in looks_at_branch(game)] for table in pair]
        assert tries[0] == tries[1]
        assert [one.code for one in tries[0]][-3:] == [1, 1, 1]
        assert [one.code for one in tries[0]][:3] == [0, 0, 0]
        if len(compared) == MOST:
            raise Enough

    with suppress(Enough):
        for seed in itertools.count():
            laws.check_secrets(setting, seed, laws.random_game(setting, seed), changed.append, 0.2, compare)
    assert len(compared) == MOST
    assert changed != []


@pytest.mark.parametrize(("title", "number"), [("bids", 7), ("tiny_towns", 1)])
def test_what_a_player_has_planned_in_secret_shows_nowhere(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch, title: str, number: int
) -> None:
    pair = [set_table("Ana en", "Bob en", "Caio pt", title=title, number=number) for _ in range(2)]
    for place, table in zip((0, -1), pair, strict=True):
        table.tick()
        live = table.live()
        seat = max(live.owed())
        name = ("Ana", "Bob", "Caio")[seat]
        moves = [live.ruleset.grammar.format_move(one) for one in live.ruleset.legal(live.position.state, seat)]
        assert len(moves) > 1
        table.says(name, moves[place])

    plans = [[one.plan for one in table.live().holders] for table in pair]
    assert plans[0] != plans[1]
    assert shown(pair[0], 1, monkeypatch) == shown(pair[1], 1, monkeypatch)


def test_what_is_compared_is_there_and_the_last_two_are_refused(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = shown(table, 1, monkeypatch)

    assert [one.code for one in ran] == [0] * 8 + [1] + [0] * 6 + [1, 1]
    assert all(one.out for one in ran[:-2])
    assert acts(table) == []


def test_a_game_master_who_plays_gets_his_mails_as_everybody_does(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    command(table, "game", "new", "bids", "--seat", "Gil <gm@pbem.test>", "--seat", "bot:random", "--start")

    table.tick()

    mail = table.to_gm()[0]
    assert (mail.header("X-PBEM-Kind"), mail.header("X-PBEM-Game"), mail.header("X-PBEM-Seat")) == ("report", "2", "0")


def test_a_look_at_secrets_stands_where_the_game_is_shown(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    command(table, "game", "orders", "1", "--seat", "0", "--reveal")
    command(table, "game", "export", "1", "--full", "--reveal")

    data, plain = command(table, "game", "show", "1", "--json").json, command(table, "game", "show", "1").out

    assert [(one["what"], one["of"]) for one in data["revealed"]] == [("orders", 0), ("export", None), ("seed", None)]
    assert "looked at" in plain
    assert "orders" in plain
