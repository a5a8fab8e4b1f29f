"""New rules: what replays the same goes on, what differs stands still until the game master decides."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import alembic.command
import msgspec
import pytest
from alembic.config import Config

import tests.contract.bids as title
from engine.core.errors import IllegalMoveError, LogError
from engine.core.export import format_export
from engine.core.types import GM, Decision, Seat, Step
from engine.registry import load
from pbem.cli.output import sentence
from pbem.dispatch import send
from pbem.errors import Refused
from pbem.live import export_of
from pbem.moderation import pause
from pbem.report import replay_text
from pbem.service import Service
from pbem.store import games
from pbem.store import upgrade as upgrade_module
from pbem.store.base import Store, pass_lock
from pbem.store.upgrade import stored_revision
from pbem.upgrading import fault_for_all, rehearsal
from tests import rehearse
from tests.contract.bids.ruleset import Bids, State
from tests.contract.cli.schema import faults
from tests.pbem.table import Table, text_of
from tests.pbem.witness import acts, command, dump, holder, notices, read_all, said, seated, stake, verified

SetTable = Callable[..., Table]
Plant = Callable[[Any], None]
DAYS = timedelta(days=20)


class SameBids(Bids):
    """New rules under which nothing is played otherwise."""

    rules = 2


class StrictBids(SameBids):
    """New rules under which the highest card may not be staked."""

    def _stake(self, state: State, seat: Seat, card: int) -> Step[State]:
        if card == max(state.hands[seat]) and state.round == 1:
            raise IllegalMoveError("bids.no-card", card=card)
        return super()._stake(state, seat, card)


class RichBids(SameBids):
    """New rules under which everybody begins with one coin more."""

    def setup(self, *given: Any) -> State:
        state = super().setup(*given)
        return msgspec.structs.replace(state, coins=tuple(one + 1 for one in state.coins))


class OtherBids(SameBids):
    """New rules under which bids are numbered otherwise."""

    def pending(self, state: State) -> tuple[Decision, ...]:
        return tuple(
            msgspec.structs.replace(one, occasion=one.occasion + 1) if one.key == "bids.bid" else one
            for one in super().pending(state)
        )


class WiderState(State, frozen=True, kw_only=True):
    """A position with something that no old one has."""

    weather: str


class WiderBids(SameBids):
    """New rules that cannot read old positions."""

    state_type = WiderState

    def setup(self, *given: Any) -> State:
        old = msgspec.structs.asdict(super().setup(*given))
        return WiderState(**old, weather="dry")


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Give a function that installs other rules of the test title."""
    return lambda rules: monkeypatch.setattr(title, "RULESET", rules())


def begun(set_table: SetTable, **values: Any) -> Table:
    """Return a table at which the first round was played, each with the highest card, and the next is asked."""
    table = seated(set_table, **values)
    for name in ("Ana", "Bob"):
        table.says(name, f"stake {max(table.hand(name))}: bid 1")
    assert table.live().position.state.round == 2
    read_all(table)
    return table


def first_stake(table: Table) -> int:
    """Return the number of the entry in which a card was staked first."""
    return next(n for n, one in enumerate(table.log(), 1) if " stake " in one)


def rehearsed(table: Table) -> dict[str, Any]:
    """Return what the rehearsal says of the game."""
    ran = command(table, "upgrade", "--rehearse", "--json")
    assert faults("upgrade", ran.json) == []
    (found,) = ran.json["games"]
    assert ran.code == int(not found["same"])
    return dict(found)


def test_a_rehearsal_with_the_same_rules_finds_every_game_the_same(set_table: SetTable) -> None:
    table = begun(set_table)

    ran = command(table, "upgrade", "--rehearse")

    assert ran.code == 0
    assert "1 games replayed" in ran.out
    assert rehearsed(table)["fault"] is None


def test_the_rehearsal_names_the_first_entry_that_differs_and_writes_nothing(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    before = dump(table.service.store)
    plant(StrictBids)

    found = rehearsed(table)
    ran = command(table, "upgrade", "--dry-run")

    assert (found["rules"], found["installed"], found["length"]) == (1, 2, len(table.log()))
    assert (found["fault"]["entry"], found["fault"]["key"]) == (first_stake(table), "log.hidden")
    assert found["fault"]["fields"] == {"seq": first_stake(table), "because": "bids.no-card"}
    assert ran.code == 1
    assert f"differs at entry {first_stake(table)}: The entry does not replay (bids.no-card)." in ran.out
    assert "stake" not in ran.out, "a card that others do not know"
    assert dump(table.service.store) == before


@pytest.mark.parametrize(
    ("rules", "key"), [(RichBids, "verify.state"), (OtherBids, "log.hidden"), (WiderBids, "verify.state")]
)
def test_the_rehearsal_sees_more_than_what_is_refused(set_table: SetTable, plant: Plant, rules: Any, key: str) -> None:
    table = begun(set_table)
    first_bid = next(n for n, one in enumerate(table.log(), 1) if " bid " in one)
    plant(rules)

    fault = rehearsed(table)["fault"]

    assert (fault["entry"], fault["key"]) == (first_bid if key == "log.hidden" else len(table.log()), key)


def test_where_there_are_no_secrets_the_entry_is_shown() -> None:
    fault = LogError("log.entry", seq=6, text="take green", reason="price.short")

    assert fault_for_all(load("village"), fault) is fault
    assert sentence(fault).startswith("Entry 6 ('take green') does not replay")


def make_older(table: Table) -> None:
    """Give the store of the table the shape of an older program; what that did not know is lost."""
    new, old = table.folder / "pbem.db", table.folder / "old.db"
    table.close()
    store = Store(f"sqlite:///{old}")
    config = Config()
    config.set_main_option("script_location", str(Path(upgrade_module.__file__).parent / "migrations"))
    with store.engine.connect() as connection, connection.begin():
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, "0002")
    store.close()
    with closing(sqlite3.connect(old)) as both:
        both.execute("ATTACH ? AS new", (str(new),))
        names = [row[0] for row in both.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
        for name in set(names) - {"alembic_version"}:
            columns = ", ".join(row[1] for row in both.execute(f"PRAGMA main.table_info({name})"))
            both.execute(f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM new.{name}")
        both.commit()
    old.replace(new)


def test_a_store_of_an_older_program_is_rehearsed_and_keeps_its_shape(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    make_older(table)
    before = (table.folder / "pbem.db").read_bytes()
    plant(StrictBids)

    fault = rehearsed(table)["fault"]

    assert fault["key"] == "log.hidden"
    assert stored_revision(table.service.store) == "0002"
    assert (table.folder / "pbem.db").read_bytes() == before


def test_a_store_that_has_no_file_is_not_rehearsed_in_an_older_shape() -> None:
    store = Store("sqlite:///:memory:")

    with pytest.raises(Refused, match=r"upgrade\.shape scheme=sqlite"), rehearsal(store):
        pytest.fail("nothing is given")


def test_a_game_that_replays_the_same_goes_on_after_the_upgrade_with_what_came_meanwhile(
    set_table: SetTable, plant: Plant
) -> None:
    table = begun(set_table)
    plant(SameBids)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    waiting = [(one.status, one.reason) for one in table.stored()[-2:]]
    length = len(table.log())

    done = command(table, "upgrade")
    table.tick()

    assert waiting == [("held", "outdated")] * 2
    assert done.code == 0
    assert table.live().game.rules == 2
    assert len(table.log()) > length
    assert table.live().position.state.round == 3
    assert [one.what for one in acts(table)] == ["upgrade"]
    assert verified(table)["amended"] == []


def test_before_the_upgrade_nothing_is_played_told_or_decided(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    plant(SameBids)
    log = table.log()

    table.says("Ana", stake(table, "Ana"))
    table.tick(after=DAYS)
    table.tick(after=timedelta(days=1))

    assert table.log() == log
    assert table.mails("Ana") == table.mails("Bob") == []
    (alert,) = table.to_gm()
    assert "run `pbem upgrade`" in said(alert)
    assert "Game 1 " in said(alert)


@pytest.mark.parametrize(
    "words",
    [("pause",), ("extend", "--by", "2d"), ("rewind", "--to", "0"), ("finish",), ("play", "--seat", "0", "bid 1")],
)
def test_before_the_upgrade_the_game_master_cannot_play_on_either(
    set_table: SetTable, plant: Plant, words: tuple[str, ...]
) -> None:
    table = begun(set_table)
    plant(SameBids)
    before = dump(table.service.store)

    ran = command(table, "gm", words[0], "1", *words[1:], "--json")

    assert (ran.code, ran.refused) == (1, "game.outdated")
    assert dump(table.service.store) == before


def test_an_upgrade_stops_at_a_game_that_differs_and_leaves_it(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    plant(StrictBids)
    before = dump(table.service.store)

    ran = command(table, "upgrade")

    assert ran.code == 1
    assert "1 game(s) would go on differently: 1." in ran.err
    assert dump(table.service.store) == before


def test_a_game_that_was_amended_goes_on_by_mail_to_a_verified_end(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    rounds = table.live().position.state.rounds
    old, length = table.last("Ana"), len(table.log())
    plant(StrictBids)
    table.says("Bob", stake(table, "Bob"))

    ran = command(table, "gm", "amend", "1", "--reason", "a rule was wrong", "--json")
    table.tick()

    assert (ran.code, faults("gm-amend", ran.json)) == (0, [])
    assert ran.json["entered"] == 1
    entry = table.log()[length]
    assert entry.startswith('-2 amend {"rounds"')
    assert [(one.what, one.fields["seq"]) for one in acts(table)] == [("amend", length + 1)]
    for name, words in (
        ("Ana", "As regras do programa foram corrigidas"),
        ("Bob", "The rules of the program were put right"),
    ):
        assert words in said(table.last(name))
        assert "a rule was wrong" in said(table.last(name))
    table.post(table.reply("Ana", stake(table, "Ana"), to=old))
    table.tick()
    assert holder(table, 0).plan == (), "an answer to a mail from before counts no more"
    assert notices(table, 0, "order.stale")
    while table.live().running:
        for name in ("Ana", "Bob"):
            table.says(name, stake(table, name))
    assert table.live().position.state.round == rounds + 1
    assert table.live().game.status == "over"
    assert verified(table)["amended"] == [length + 1]
    told = command(table, "game", "verify", "1")
    assert f"from the position in entry {length + 1}" in told.out
    with table.service.store.read() as session:
        text = format_export(export_of(session, table.live().game, full=True))
    assert replay_text(text)["checked"] == "full"
    assert rehearsed_all(table) == []


def rehearsed_all(table: Table) -> list[Any]:
    """Return what a rehearsal finds."""
    return list(command(table, "upgrade", "--rehearse", "--json").json["games"])


def test_what_was_played_under_old_rules_is_told_to_nobody_before_the_end(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    plant(StrictBids)
    command(table, "gm", "amend", "1")
    table.tick()
    read_all(table)

    table.says("Bob", "history 9")
    during = said(table.mails("Bob")[-1])
    command(table, "gm", "finish", "1")

    after = command(table, "game", "log", "1", "--json").json["log"]
    assert "rules as they were then" not in during
    assert "What happened" in during
    assert None not in [one["text"] for one in after]


def test_nobody_reads_the_amendment_before_the_end_where_there_are_secrets(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    length = len(table.log())
    plant(StrictBids)
    command(table, "gm", "amend", "1")
    table.tick()

    listed = command(table, "game", "log", "1", "--json").json["log"]

    assert listed[length] == {"seq": length + 1, "seat": -2, "text": None}
    assert all("deck" not in text_of(mail) for name in ("Ana", "Bob") for mail in table.mails(name))
    assert "hands" not in command(table, "game", "show", "1").out
    assert [one["text"] for one in listed[first_stake(table) - 1 : length]] == [None] * (
        length - first_stake(table) + 1
    )


def test_what_was_played_before_cannot_be_taken_back_after_an_amendment(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    length = len(table.log())
    plant(StrictBids)
    command(table, "gm", "amend", "1")
    table.tick()
    read_all(table)

    behind = command(table, "gm", "rewind", "1", "--to", str(length - 1), "--json")
    table.says("Ana", "please undo")
    here = command(table, "gm", "rewind", "1", "--to", str(length + 1), "--json")
    table.tick()

    assert behind.refused == "rewind.amended"
    assert notices(table, 0, "undo.nothing")
    assert here.code in (0, 1)
    assert verified(table)["amended"] == [length + 1]


def test_a_paused_game_is_amended_and_stays_paused(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    with table.service.store.write() as session:
        pause(session, table.live(), "", table.now)
    plant(StrictBids)

    ran = command(table, "gm", "amend", "1", "--json")

    assert (ran.code, ran.json["status"], table.live().game.rules) == (0, "paused", 2)
    assert command(table, "gm", "resume", "1").code == 0
    assert verified(table)["verified"]


def test_an_amendment_empties_what_was_wished_for_the_position_before(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    table.says("Bob", "pause")
    table.says("Ana", "fim?")
    wished = (holder(table, 1).wants_pause, holder(table, 0).wants_end)
    plant(StrictBids)

    command(table, "gm", "amend", "1")

    assert wished == (True, True)
    assert not any(one.wants_pause or one.wants_end for one in table.live().holders)


def test_an_amendment_can_be_rehearsed(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    plant(StrictBids)
    before = dump(table.service.store)

    ran = command(table, "gm", "amend", "1", "--dry-run")

    assert ran.code == 0
    assert "would be running" in ran.out
    assert dump(table.service.store) == before


def test_a_game_that_needs_no_amendment_gets_none(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    unbegun = seated(set_table, start=False)
    plant(SameBids)

    same = command(table, "gm", "amend", "1", "--json")
    early = command(unbegun, "gm", "amend", "1", "--json")

    assert (same.refused, early.refused) == ("amend.same", "game.not-running")
    plant(StrictBids)
    command(table, "gm", "amend", "1")
    command(table, "gm", "finish", "1")
    assert command(table, "gm", "amend", "1", "--json").refused == "game.ended"


def test_a_game_that_has_not_begun_begins_under_the_new_rules(set_table: SetTable, plant: Plant) -> None:
    table = seated(set_table, start=False)
    plant(RichBids)

    ran = command(table, "upgrade")
    for name in ("Ana", "Bob"):
        table.says(name, "accept")

    assert ran.code == 0
    assert (table.live().game.status, table.live().game.rules) == ("running", 2)
    assert verified(table)["verified"]


def test_a_position_that_the_new_rules_cannot_read_is_no_crash(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    plant(WiderBids)

    table.post(table.reply("Ana", "bid 1"))
    table.post(table.letter(table.people["Bob"].address, "bid 1"))  # without a tag
    table.tick()
    ran = command(table, "gm", "amend", "1", "--json")

    assert [(one.status, one.reason) for one in table.stored()[-2:]] == [("held", "outdated"), ("held", "tag.missing")]
    assert (ran.code, ran.refused) == (1, "game.outdated")


def test_no_upgrade_under_a_running_pass(set_table: SetTable) -> None:
    table = begun(set_table)

    with pass_lock(table.service.lock_path):
        ran = command(table, "upgrade", "--json")

    assert (ran.code, ran.refused) == (75, "upgrade.pass-running")


def test_the_doctor_names_games_that_stand_still(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    plant(SameBids)

    found = {one["name"]: one for one in command(table, "doctor", "--json").json["findings"]}

    assert (found["rules"]["state"], found["rules"]["detail"]) == (
        "fault",
        "games 1 began under other rules; run `pbem upgrade`",
    )


def test_mails_of_games_that_go_on_are_not_held_up(set_table: SetTable, plant: Plant) -> None:
    table = begun(set_table)
    plant(SameBids)
    service: Service = table.service
    with service.store.write() as session:
        games.save_game(session, msgspec.structs.replace(table.live().game, rules=2))

    table.says("Ana", "status")
    send(service, table.server, table.now)

    assert [one.header("X-PBEM-Kind") for one in table.mails("Ana")] == ["notice"]
    assert GM not in {seat for seat in range(-2, 0) if notices(table, seat, "alert.upgrade")}


def test_many_games_of_all_titles_replay_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    code = rehearse.main(["--games", "4"])

    assert code == 0
    assert capsys.readouterr().out.startswith("4 games, ")
