"""
Every command that acts can be rehearsed: a dry run changes nothing, mails nothing, and answers as the act does.

The commands are those of the program itself: one that is new acts with `--dry-run`, or stands among those that need
none.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec import Struct, structs

from pbem.cli import shared
from pbem.live import take_up
from pbem.report import verify_game
from pbem.store import benches, games, outbox, people
from tests.pbem.cli.test_documented import commands, leaves
from tests.pbem.cli.test_mail import with_a_letter
from tests.pbem.table import Table
from tests.pbem.witness import Ran, SetTable, command, dump, read_all, seated, stake

WITHOUT: Mapping[str, tuple[str, ...]] = {
    "it only looks": (
        "doctor",
        "status",
        "tables",
        "game bench",
        "game list",
        "game show",
        "game verify",
        "game replay",
        "gm preview",
        "mail list",
        "people list",
        "people show",
    ),
    "it looks, and what it puts on record is that": (
        "game log",
        "game orders",
        "game view",
        "game export",
        "game receipt",
        "mail show",
    ),
    "it is a pass, which `gm preview` rehearses": ("tick", "fetch", "judge", "time", "send", "watch"),
    "it writes files of its own and changes no store": ("init", "demo", "mailserver", "backup", "game site"),
}

ANA, CY = "Ana <ana@players.test>", "Cy <cy@players.test> en"


class Case(Struct, frozen=True):
    """
    How a command acts and is refused at a table that was `made`.

    `spoil`    what makes it impossible, where the words alone do not
    `outside`  it acts outside the store
    """

    words: tuple[str, ...]
    refused: tuple[str, ...]
    made: Callable[[SetTable], Table] = seated
    spoil: Callable[[Table], None] | None = None
    outside: bool = False


def after(*steps: tuple[str, ...], seats: tuple[str, ...] = ()) -> Callable[[SetTable], Table]:
    """Return how a table is made where those commands were given."""

    def made(set_table: SetTable) -> Table:
        table = seated(set_table, *seats)
        for words in steps:
            ran = command(table, *filled(table, words))
            assert ran.code == 0, (words, ran.err)
        return table

    return made


def filled(table: Table, words: tuple[str, ...]) -> list[str]:
    """Return *words* with what is known only at the table."""
    known = {"{folder}": str(table.folder)} | {
        f"{{{name}}}": stake(table, name) for name in table.people if any(f"{{{name}}}" in one for one in words)
    }
    found = list(words)
    for name, value in known.items():
        found = [one.replace(name, value) for one in found]
    return found


def one_round(set_table: SetTable) -> Table:
    """Return a table at which a round was played."""
    table = seated(set_table)
    for name in table.people:
        table.says(name, stake(table, name))
    read_all(table)
    return table


def with_a_bench(set_table: SetTable) -> Table:
    """Return a table with a bot, and somebody who would take its seat."""
    table = seated(set_table, "Ana pt", "Bob en", "bot:greedy")
    with table.service.store.write() as session:
        zoe = people.meet_person(session, "Zoe", "zoe@players.test", "en", "UTC", ("en", "UTC"))
        benches.sit_down(session, zoe.id, "", table.now)
    return table


def with_a_failed_mail(set_table: SetTable) -> Table:
    """Return a table with a mail that was given up."""
    table = seated(set_table)
    with table.service.store.write() as session:
        outbox.change_mail(session, 1, status="failed")
    return table


def of_older_rules(set_table: SetTable) -> Table:
    """Return a table whose game began under other rules."""
    table = seated(set_table)
    with table.service.store.write() as session:
        games.save_game(session, structs.replace(games.get_game(session, 1), rules=0))
    return table


def change_position(table: Table) -> None:
    """Let the position be another than the one that the log leads to."""
    with table.service.store.write() as session:
        live = take_up(session, 1)
        state = structs.replace(live.position.state, coins=(3,) * live.game.seats)
        games.save_game(
            session, games.with_position(live.game, structs.replace(live.position, state=state), live.game.link)
        )


def with_another_position(set_table: SetTable) -> Table:
    """Return a table whose game replays otherwise."""
    table = seated(set_table)
    change_position(table)
    return table


OPEN = ("game", "open", "bids", "--seats", "3")
NEW = ("game", "new", "bids", "--seat", "Annie <ana@work.test>", "--seat", "bot:greedy")
CASES: Mapping[str, Case] = {
    "gm pause": Case(("1", "--reason", "Rain"), ("9",)),
    "gm resume": Case(("1",), ("9",), after(("gm", "pause", "1"))),
    "gm extend": Case(("1", "--by", "24h"), ("9", "--by", "24h")),
    "gm clock": Case(("1", "48h + 5d"), ("1", "24h + 10d")),
    "gm rewind": Case(("1", "--to", "5"), ("1", "--to", "99"), one_round),
    "gm amend": Case(("1",), ("9",), with_another_position),
    "gm play": Case(("1", "--seat", "0", "{Ana}"), ("1", "--seat", "0", "stake 99")),
    "gm replace": Case(("1", "--seat", "1", CY), ("1", "--seat", "1", ANA)),
    "gm finish": Case(("1",), ("9",)),
    "gm message": Case(("1", "Hello"), ("9", "Hello")),
    "gm observe": Case(("1", CY), ("1", ANA)),
    "gm offer": Case(("1", "--seat", "2"), ("1", "--seat", "0"), with_a_bench),
    "gm branch": Case(("1",), ("1", "--at", "99")),
    "gm discard": Case(("2",), ("1",), after(("gm", "branch", "1"))),
    "game new": Case(("bids", "--seat", CY, "--seat", ANA), ("chess", "--seat", CY)),
    "game open": Case(("bids", "--seats", "3", "--seat", CY), ("bids", "--seats", "9")),
    "game start": Case(("2", "--bots", "greedy"), ("1",), after(OPEN)),
    "game import": Case(
        ("{folder}/game.txt",),
        ("{folder}/none.txt",),
        after(("game", "export", "1", "--full", "--reveal", "--output", "{folder}/game.txt")),
    ),
    "people change": Case(("1", "--name", "Ana Maria"), ("1",)),
    "people block": Case(("1", "--reason", "rude"), ("9",)),
    "people unblock": Case(("1",), ("2",), after(("people", "block", "1"))),
    "people merge": Case(("1", "3"), ("1", "2"), after(NEW)),
    "mail retry": Case(("1",), ("99",), with_a_failed_mail),
    "mail release": Case(("2",), ("1",), with_a_letter),
    "mail drop": Case(("letter", "2"), ("letter", "1"), with_a_letter),
    "purge": Case(("--older", "8d", "--running"), ("--older", "soon"), one_round),
    "restore": Case(
        ("{folder}/b.tar", "--to", "{folder}/there"),
        ("{folder}/b.tar", "--to", "{folder}"),
        after(("backup", "{folder}/b.tar")),
        outside=True,
    ),
    "upgrade": Case((), (), of_older_rules, spoil=change_position),
}


def can_be_rehearsed(name: str) -> bool:
    """Return whether the command takes `--dry-run`."""
    return any("--dry-run" in one.opts for one in commands()[name].params)


def shape(value: Any) -> Any:
    """Return what a value of JSON is made of: its names, and what the first item of each list is made of."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in value.items()}
    return [shape(item) for item in value[:1]] if isinstance(value, list) else None


def files(table: Table) -> set[str]:
    """Return all files of the installation but those that the database keeps beside it while it is open."""
    names = {str(one.relative_to(table.folder)) for one in table.folder.rglob("*")}
    return {one for one in names if not one.endswith(("-wal", "-shm", ".lock", "lock"))}


def given(table: Table, name: str, words: tuple[str, ...], *flags: str) -> Ran:
    """Return what a command gives, as data where it can."""
    as_data = ["--json"] if any("--json" in one.opts for one in commands()[name].params) else []
    return command(table, *name.split(), *filled(table, words), *flags, *as_data)


def test_every_command_can_be_rehearsed_or_has_a_reason_not_to() -> None:
    needless = [name for names in WITHOUT.values() for name in names]

    assert sorted([*needless, *CASES]) == leaves()
    assert {name for name in leaves() if can_be_rehearsed(name)} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_dry_run_answers_as_the_act_does_and_changes_nothing(set_table: SetTable, name: str) -> None:
    case = CASES[name]
    table = case.made(set_table)
    before, there, taken = dump(table.service.store), files(table), len(table.server.taken)

    rehearsed = given(table, name, case.words, "--dry-run")

    assert (rehearsed.code, rehearsed.err) == (0, "")
    assert dump(table.service.store) == before
    assert files(table) == there
    assert len(table.server.taken) == taken

    acted = given(table, name, case.words)

    assert (acted.code, acted.err) == (0, "")
    assert (dump(table.service.store) == before) == case.outside
    assert (files(table) != there) == case.outside
    if rehearsed.out.startswith("{"):
        assert shape(rehearsed.json) == shape(acted.json)
        told = "rehearsed" if name == "upgrade" else "dry_run"
        assert (rehearsed.json[told], acted.json[told]) == (True, False)
    else:
        assert len(rehearsed.out.splitlines()) == len(acted.out.splitlines())
        assert "would" in rehearsed.out
        assert "would" not in acted.out


@pytest.mark.parametrize("name", CASES)
def test_what_an_act_leads_to_is_mailed_without_fault_and_every_game_verifies(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    case = CASES[name]
    table = case.made(set_table)
    monkeypatch.setattr(shared, "utc_now", lambda: table.now)

    assert given(table, name, case.words).code == 0
    table.tick()

    assert {one.status for one in table.posted()} == {"sent"}
    assert not [one for one in table.posted() if one.error]
    with table.service.store.read() as session:
        for game in games.list_games(session):
            assert game.rules == 0 or verify_game(session, take_up(session, game.id))["verified"]


@pytest.mark.parametrize("name", CASES)
def test_a_refused_act_is_refused_in_the_dry_run_too(set_table: SetTable, name: str) -> None:
    case = CASES[name]
    table = case.made(set_table)
    if case.spoil is not None:
        case.spoil(table)
    before, there = dump(table.service.store), files(table)

    ran = [given(table, name, case.refused, *flags) for flags in ((), ("--dry-run",))]

    assert ran[0].code in (1, 2)
    assert ran[1].code == ran[0].code
    assert ran[1].err == ran[0].err
    assert dump(table.service.store) == before
    assert files(table) == there
