"""`export`, `import`, `replay`, `verify`: a game that travels, and one that was tampered with."""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.cli.schema import faults
from tests.pbem.table import Table
from tests.pbem.witness import Ran, SetTable, acts, command, dump, pbem_run, raw_keys, seated, stake, store_file


def played(set_table: SetTable) -> Table:
    """Return a table after one round."""
    table = seated(set_table)
    for name in table.people:
        table.says(name, stake(table, name, 2))
    return table


def exported(table: Table, *words: str) -> Path:
    """Return the file of an export."""
    file = table.folder / "game.txt"
    ran = command(table, "game", "export", "1", "--reveal", "--output", str(file), *words)
    assert (ran.code, ran.out) == (0, "")
    return file


def replayed(file: Path) -> Ran:
    return pbem_run("game", "replay", str(file), "--json")


def test_a_running_game_is_exported_without_its_seed_and_replays(set_table: SetTable) -> None:
    table = played(set_table)

    file = exported(table)

    text = file.read_text()
    assert table.live().game.seed.hex() not in text
    assert not re.search(r"^(seed|chain) ", text, re.MULTILINE)
    ran = replayed(file)
    assert faults("game-replay", ran.json) == []
    assert (ran.json["checked"], ran.json["over"], ran.json["winners"]) == ("moves", False, [])
    assert ran.json["length"] == len(table.log())


def test_a_full_export_of_a_running_game_is_on_record(set_table: SetTable) -> None:
    table = played(set_table)

    file = exported(table, "--full")

    assert [(one.what, one.fields) for one in acts(table)] == [
        ("reveal", {"what": "export", "of": 0}),
        ("export", {"full": True}),
    ]
    assert replayed(file).json["checked"] == "full"


def test_a_finished_game_is_exported_whole(set_table: SetTable) -> None:
    table = played(set_table)
    command(table, "gm", "finish", "1")

    ran = replayed(exported(table))

    assert (ran.json["checked"], ran.json["over"]) == ("full", True)
    assert ran.json["winners"] == command(table, "game", "show", "1", "--json").json["winners"]
    assert "moves, draws and chain" in pbem_run("game", "replay", str(table.folder / "game.txt")).out


def test_an_export_is_printed_where_no_file_is_named(set_table: SetTable) -> None:
    table = played(set_table)
    file = exported(table)

    assert command(table, "game", "export", "1", "--reveal").out == file.read_text()


@pytest.mark.parametrize("over", [False, True])
def test_an_imported_game_is_the_same_game(set_table: SetTable, over: bool) -> None:
    table = played(set_table)
    if over:
        command(table, "gm", "finish", "1")
    file = exported(table, "--full")

    ran = command(table, "game", "import", str(file), "--json")

    assert faults("game-import", ran.json) == []
    shown = command(table, "game", "show", "2", "--json").json
    assert shown["status"] == ("over" if over else "paused")
    assert command(table, "game", "verify", "2").code == 0
    again = table.folder / "again.txt"
    command(table, "game", "export", "2", "--full", "--reveal", "--output", str(again))
    assert again.read_text() == file.read_text()


def test_an_import_is_rehearsed(set_table: SetTable) -> None:
    table = played(set_table)
    file = exported(table, "--full")
    before = dump(table.service.store)

    ran = command(table, "game", "import", str(file), "--dry-run", "--json")

    assert ran.json["dry_run"]
    assert dump(table.service.store) == before
    assert "could be imported" in command(table, "game", "import", str(file), "--dry-run").out


def test_an_export_without_the_seed_is_not_imported(set_table: SetTable) -> None:
    table = played(set_table)
    before = dump(table.service.store)

    ran = command(table, "game", "import", str(exported(table)), "--json")

    assert ran.refused == "import.full"
    assert len(dump(table.service.store)["games"]) == len(before["games"])


def changed(pattern: str, by: str) -> Callable[[str], str]:
    """Return what puts *by* in the place of the first match."""

    def change(text: str) -> str:
        found = re.sub(pattern, by, text, count=1, flags=re.MULTILINE)
        assert found != text
        return found

    return change


TAMPERED = {
    "illegal move": (changed(r"^6 0 stake \d$", "6 0 stake 9"), "log.entry", {"seq": 6}),
    "no move at all": (changed(r"^7 0 bid 2$", "7 0 bid two"), "log.entry", {"seq": 7}),
    "legal move": (changed(r"^7 0 bid 2$", "7 0 bid 1"), "verify.chain", {}),
    "draw": (changed(r"^5 -1 draw silver$", "5 -1 draw gold"), "log.draw", {"seq": 5}),
    "lost entry": (changed(r"^7 0 bid 2\n", ""), "log.seq", {"seq": 8, "expected": 7}),
    "wrong seat": (changed(r"^7 0 ", "7 1 "), "log.entry", {"seq": 7}),
    "chain": (changed(r"^chain [0-9a-f]", "chain x"), "verify.chain", {}),
    "seed": (changed(r"^seed ..", "seed 00"), "verify.seed", {}),
    "commitment": (changed(r"^commitment ..", "commitment zz"), "verify.seed", {}),
    "tables": (changed(r"^tables sha256:..", "tables sha256:zz"), "verify.tables", {}),
    "line": (changed(r"^7 0 bid 2$", "seven 0 bid 2"), "export.line", {}),
    "header": (changed(r"^ruleset bids\n", ""), "export.missing", {"name": "ruleset"}),
    "title": (changed(r"^ruleset bids$", "ruleset chess"), "config.ruleset", {}),
    "seats": (changed(r"^seats 2$", "seats 7"), "config.seats", {}),
    "first line": (changed(r"^pbem-game 1$", "pbem-game 9"), "export.format", {}),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_export_is_refused_with_the_first_thing_that_is_wrong(set_table: SetTable, what: str) -> None:
    table = played(set_table)
    file = exported(table, "--full")
    change, key, fields = TAMPERED[what]
    file.write_text(change(file.read_text()))

    ran, imported = replayed(file), command(table, "game", "import", str(file), "--json")

    assert (ran.code, imported.code) == (1, 1)
    assert ran.refused == imported.refused == key
    assert fields.items() <= ran.json["refused"]["fields"].items()
    assert raw_keys(ran.err) == raw_keys(imported.err) == set()
    assert faults("refusal", ran.json) == []
    assert len(dump(table.service.store)["games"]) == 1


@pytest.mark.parametrize("text", ["", "hello\n", "\x00\x01", "pbem-game 1\n"])
def test_what_is_no_export_is_refused(set_table: SetTable, text: str) -> None:
    table = seated(set_table)
    file = table.folder / "game.txt"
    file.write_text(text)

    assert replayed(file).refused in ("export.format", "export.missing", "export.line")


def test_a_seed_that_is_no_number_is_refused(set_table: SetTable) -> None:
    table = played(set_table)
    file = exported(table, "--full")
    file.write_text(changed(r"^seed ..", "seed xy")(file.read_text()))

    assert replayed(file).code == 1


def test_a_file_that_is_not_there_or_no_text_is_refused(set_table: SetTable) -> None:
    table = seated(set_table)
    (table.folder / "picture.png").write_bytes(b"\x89PNG\xff\xfe")

    for name in ("nowhere.txt", "picture.png"):
        ran = pbem_run("game", "replay", str(table.folder / name), "--json")
        assert (ran.code, ran.refused) == (1, "file.unreadable")


def tamper(table: Table, statement: str) -> None:
    """Change the database behind the back of its triggers."""
    with sqlite3.connect(store_file(table)) as connection:
        connection.execute("DROP TRIGGER log_no_update")
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("statement", "key", "fields"),
    [
        ("UPDATE log SET text = 'bid 1' WHERE seq = 7", "verify.link", {"seq": 7}),
        ("UPDATE log SET text = 'draw gold' WHERE seq = 5", "verify.link", {"seq": 5}),
        ("UPDATE log SET link = x'00' WHERE seq = 6", "verify.link", {"seq": 6}),
        ("UPDATE games SET state = (SELECT state FROM games WHERE id = 2) WHERE id = 1", "verify.state", {}),
    ],
)
def test_a_tampered_store_is_found_by_verify_with_the_first_wrong_entry(
    set_table: SetTable, statement: str, key: str, fields: dict[str, int]
) -> None:
    table = played(set_table)
    command(table, "game", "new", "bids", "--seat", "bot:random", "--seat", "bot:random")
    tamper(table, statement)

    ran = command(table, "game", "verify", "1", "--json")

    assert (ran.code, ran.refused) == (1, key)
    assert fields.items() <= ran.json["refused"]["fields"].items()
    assert ran.err.strip()
