"""The store: an append-only log, one shape, transactions that hold or leave nothing."""

import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from alembic import command as alembic_command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, MetaData, Table, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

import pbem.store.tables  # noqa: F401 - fills the metadata
from pbem.errors import Refused, TryLater
from pbem.store import base, games, observers, people
from pbem.store.base import Store, pass_lock, sqlite_path
from pbem.store.upgrade import NEWEST, stored_revision, upgrade_store
from tests.pbem.table import START
from tests.pbem.witness import SetTable, dump, seated

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path: Path):
    fresh = Store(f"sqlite:///{tmp_path / 'pbem.db'}")
    upgrade_store(fresh)
    yield fresh
    fresh.close()


@pytest.mark.parametrize("statement", ["UPDATE log SET text = 'bid 9'", "DELETE FROM log", "UPDATE log SET at = at"])
def test_the_log_refuses_to_be_changed(set_table: SetTable, statement: str) -> None:
    table = seated(set_table)
    before = dump(table.service.store)

    with pytest.raises(IntegrityError, match="append-only"), table.service.store.write() as session:
        session.connection().execute(text(statement))

    assert dump(table.service.store) == before


def test_no_number_is_given_twice_in_one_log(set_table: SetTable) -> None:
    table = seated(set_table)

    with pytest.raises(IntegrityError), table.service.store.write() as session:
        games.append_log(session, table.game, games.read_log(session, table.game)[:1])


def test_the_migrations_give_exactly_the_tables_of_the_program(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})

        assert compare_metadata(context, SQLModel.metadata) == []


def test_an_upgrade_is_done_once_and_may_be_repeated(store: Store) -> None:
    before = dump(store)

    upgrade_store(store)

    assert stored_revision(store) == NEWEST
    assert max((ROOT / "pbem/store/migrations/versions").glob("[0-9]*.py")).name.startswith(NEWEST)
    assert dump(store) == before


def store_of(tmp_path: Path, revision: str, *statements: str) -> Store:
    """Return a store of an older shape, with what the *statements* put there."""
    old = Store(f"sqlite:///{tmp_path / 'old.db'}")
    with old.engine.connect().execution_options(pbem_write=True) as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(ROOT / "pbem/store/migrations"))
        config.attributes["connection"] = connection
        alembic_command.upgrade(config, revision)
        for statement in statements:
            connection.execute(text(statement))
    return old


ANA = (
    "INSERT INTO people (id, name, language, zone) VALUES (1, 'Ana', 'pt', 'UTC')",
    "INSERT INTO addresses VALUES ('ana@players.test', 1, 'ana@players.test', 1)",
)


def test_who_is_there_already_goes_on_as_before(tmp_path: Path) -> None:
    old = store_of(tmp_path, "0002", *ANA)

    upgrade_store(old)

    with old.read() as session:
        person = people.get_person(session, 1)
    assert (person.name, person.language, person.plain, person.quiet) == ("Ana", "pt", False, "")
    assert stored_revision(old) == NEWEST
    old.close()


def test_who_looked_on_looks_on_and_who_was_gone_stays_so(tmp_path: Path) -> None:
    game = (
        "INSERT INTO tables VALUES ('d', 'bids', '')",
        (
            "INSERT INTO games (id, ruleset, rules, seats, options, tables, commitment, seed, words, status, void, "
            "clock, hold, state, seq, draws, numbers, closed, link, created_at) VALUES (1, 'bids', 1, 2, '[]', 'd', "
            "'', x'00', '[]', 'over', 0, '1d', 0, x'00', 0, 0, '[]', 0, x'00', '2026-01-01 00:00:00')"
        ),
        "INSERT INTO observers VALUES (1, 0, 'Zoe', 1, 2, 0)",
        "INSERT INTO observers VALUES (1, 1, 'Yan', 1, 3, 1)",
    )
    old = store_of(tmp_path, "0004", *ANA, *game)

    upgrade_store(old)

    with old.read() as session:
        found = [observers.get_observer(session, 1, observers.FIRST + number) for number in range(2)]
        game_there = games.get_game(session, 1)
    assert [(one.name, one.epoch, one.state, one.offer) for one in found if one] == [
        ("Zoe", 2, "looking", -1),
        ("Yan", 3, "gone", -1),
    ]
    assert (game_there.at_least, game_there.branch_of) == (0, 0)
    assert (game_there.rewind, game_there.undo_to, game_there.undo_reason) == ("gm", -1, "")
    old.close()


def test_a_deadline_that_was_reminded_of_stays_so(tmp_path: Path) -> None:
    old = Store(f"sqlite:///{tmp_path / 'old.db'}")
    with old.engine.connect().execution_options(pbem_write=True) as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(ROOT / "pbem/store/migrations"))
        config.attributes["connection"] = connection
        alembic_command.upgrade(config, "0004")
        naive, there = START.replace(tzinfo=None), MetaData()
        there.reflect(connection)
        fill(connection, there.tables["tables"], digest="d")
        games_row = {"options": "[]", "words": "[]", "numbers": "[]", "status": "paused", "clock": "24h"}
        fill(connection, there.tables["games"], id=1, tables="d", **games_row)
        for seat, reminded in enumerate((True, False)):
            fill(connection, there.tables["seats"], game_id=1, seat=seat, plan="[]", reminded=reminded, deadline=naive)

    upgrade_store(old)

    with old.read() as session:
        holders, game = games.get_holders(session, 1), games.get_game(session, 1)
    assert [(one.reminded, one.deadline, one.wants_pause) for one in holders] == [(1, START, False), (0, START, False)]
    assert game.paused_by == ""
    old.close()


def fill(connection: Connection, table: Table, **values: object) -> None:
    """Insert a row with *values*, and something in each other column that wants a value."""
    empty = {int: 0, str: "", bytes: b"", bool: False, datetime: START.replace(tzinfo=None)}
    wanted = [one for one in table.columns if not one.nullable and one.server_default is None]
    connection.execute(table.insert().values({one.name: empty[one.type.python_type] for one in wanted} | values))


def test_an_empty_database_has_no_revision(tmp_path: Path) -> None:
    empty = Store(f"sqlite:///{tmp_path / 'empty.db'}")

    assert stored_revision(empty) == ""
    empty.close()


def names(store: Store) -> list[str]:
    return [row[1] for row in dump(store)["people"]]


def meet(session: object, name: str) -> None:
    people.meet_person(session, name, f"{name}@players.test", "en", "UTC")  # type: ignore[arg-type]


def test_what_is_written_stays(store: Store) -> None:
    with store.write() as session:
        meet(session, "Ana")

    assert names(store) == ["Ana"]


def test_an_error_undoes_all_of_its_transaction(store: Store) -> None:
    with pytest.raises(Refused), store.write() as session:  # noqa: PT012 - what comes before the error is the point
        meet(session, "Ana")
        raise Refused("game.unknown", game=1)

    assert names(store) == []


def test_a_rehearsal_sees_its_changes_and_leaves_none(store: Store) -> None:
    with store.rehearse() as session:
        meet(session, "Ana")
        seen = people.find_person(session, "ANA@players.test")

    assert seen is not None
    assert names(store) == []


def test_what_is_read_is_not_kept_though_it_was_changed(store: Store) -> None:
    with store.read() as session:
        meet(session, "Ana")

    assert names(store) == []


def test_a_reader_does_not_wait_for_a_writer_and_sees_what_was_before(store: Store) -> None:
    with store.write() as session:
        meet(session, "Ana")
        session.flush()

        assert names(store) == []
    assert names(store) == ["Ana"]


def test_a_second_writer_that_waits_too_long_is_told_to_try_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "BUSY_SECONDS", 0)
    other = Store(store.url)

    with store.write() as session:
        meet(session, "Ana")
        with pytest.raises(TryLater, match=r"store\.locked"), other.write() as second:
            meet(second, "Bob")

    other.close()
    assert names(store) == ["Ana"]


def test_an_upgrade_of_a_locked_store_is_tried_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "BUSY_SECONDS", 0)
    one, other = Store(f"sqlite:///{tmp_path / 'new.db'}"), Store(f"sqlite:///{tmp_path / 'new.db'}")

    with one.write() as session:
        session.connection()
        with pytest.raises(TryLater, match=r"store\.locked"):
            upgrade_store(other)

    upgrade_store(other)
    assert stored_revision(one) == NEWEST
    one.close()
    other.close()


def test_a_store_that_is_up_to_date_is_not_locked_to_see_that(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "BUSY_SECONDS", 0)
    other = Store(store.url)

    with store.write() as session:
        meet(session, "Ana")
        upgrade_store(other)

    other.close()


def test_a_place_where_no_store_can_be_is_told(tmp_path: Path) -> None:
    nowhere = Store(f"sqlite:///{tmp_path / 'no' / 'such' / 'folder' / 'pbem.db'}")

    with pytest.raises(TryLater, match=r"store\.down"), nowhere.read() as session:
        games.list_games(session)


WRITER = """
import sys
from pbem.store import people
from pbem.store.base import Store
store = Store(sys.argv[1])
for number in range(25):
    with store.write() as session:
        name = f"{sys.argv[2]}{number}"
        people.meet_person(session, name, f"{name}@players.test", "en", "UTC")
"""


def test_two_processes_write_side_by_side(store: Store) -> None:
    command = [sys.executable, "-c", WRITER, store.url]

    running = [subprocess.Popen([*command, name], cwd=ROOT) for name in ("a", "b")]
    codes = [one.wait(120) for one in running]

    assert codes == [0, 0]
    assert sorted(names(store)) == sorted(f"{name}{number}" for name in "ab" for number in range(25))


def test_the_lock_of_a_pass_is_held_by_one_alone_and_given_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "pbem.lock"

    with pass_lock(path) as first, pass_lock(path) as second:
        assert (first, second) == (True, False)
    with pass_lock(path) as again:
        assert again


def test_the_lock_of_a_pass_dies_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "pbem.lock"
    holds = "import sys; from pathlib import Path; from pbem.store.base import pass_lock\n"
    holds += "with pass_lock(Path(sys.argv[1])) as held: print(held, flush=True); sys.stdin.read()"

    other = subprocess.Popen(
        [sys.executable, "-c", holds, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "True\n"
    with pass_lock(path) as while_alive:
        assert not while_alive
    other.kill()
    other.communicate()

    with pass_lock(path) as after:
        assert after


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:////var/lib/pbem.db", Path("/var/lib/pbem.db")),
        ("sqlite://", None),
        ("sqlite:///:memory:", None),
        ("postgresql://gm@localhost/pbem", None),
    ],
)
def test_the_file_of_a_store_is_known_where_there_is_one(url: str, path: Path | None) -> None:
    assert sqlite_path(url) == path


def test_foreign_keys_are_kept(store: Store) -> None:
    with pytest.raises(IntegrityError), store.write() as session:
        session.connection().execute(text("INSERT INTO addresses VALUES ('a@b', 99, 'a@b', 1)"))


def test_a_store_survives_the_death_of_a_writer(store: Store) -> None:
    path = sqlite_path(store.url)
    assert path is not None
    dies = WRITER.replace(
        "        people.meet", "        import os; os._exit(9) if number == 3 else None\n        people.meet"
    )

    code = subprocess.run([sys.executable, "-c", dies, store.url, "a"], cwd=ROOT, check=False).returncode

    assert code == 9
    assert sorted(names(store)) == ["a0", "a1", "a2"]
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
