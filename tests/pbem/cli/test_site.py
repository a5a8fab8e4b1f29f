"""`pbem game site`: the album of a game in a folder, and every reason not to write it."""

import os
from pathlib import Path

import pytest

from pbem.post.album.folder import DATA, FILES
from tests.contract.cli.schema import faults
from tests.pbem.table import Table
from tests.pbem.witness import Ran, SetTable, acts, command, dump, raw_keys, seated, stake


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """Return where the album goes: a folder that is not there yet."""
    return tmp_path / "album"


def played(set_table: SetTable) -> Table:
    """Return a table after one round, and a secret answer to the next question."""
    table = seated(set_table)
    for name in table.people:
        table.says(name, stake(table, name, 2))
    return table


def site(table: Table, folder: Path, *words: str) -> Ran:
    return command(table, "game", "site", "1", "--output", str(folder), *words)


def everything(folder: Path) -> str:
    """Return all that was written, but for the letters of the pictures."""
    files = [one for one in sorted(folder.iterdir()) if one.suffix != ".ttf"]
    return "\n".join(one.read_text(encoding="utf-8") for one in files)


def test_a_running_game_has_an_album_without_its_secrets(set_table: SetTable, there: Path) -> None:
    table = played(set_table)
    before = dump(table.service.store)

    ran = site(table, there, "--json")

    assert ran.code == 0
    assert faults("game-site", ran.json) == []
    assert set(ran.json["files"]) == {one.name for one in there.iterdir()}
    assert ran.json["bytes"] == sum(one.stat().st_size for one in there.iterdir())
    assert not (there / "game.pbem").exists()
    written = everything(there)
    assert table.live().game.seed.hex() not in written
    assert table.live().game.commitment in written
    assert "(hidden then)" not in written
    assert "@players.test" not in written
    assert "Ana" in written
    assert acts(table) == []
    assert dump(table.service.store) == before


def test_a_finished_game_has_all_of_it(set_table: SetTable, there: Path) -> None:
    table = played(set_table)
    command(table, "gm", "finish", "1")

    ran = site(table, there)

    assert ran.code == 0
    assert "index.html" in ran.out
    written = everything(there)
    assert table.live().game.seed.hex() in written
    assert "(hidden then)" in written
    assert "We replayed the whole game" in written
    assert (there / "game.pbem").read_text() == command(table, "game", "export", "1").out


def test_a_game_called_off_while_it_ran_is_told_without_a_result(set_table: SetTable, there: Path) -> None:
    table = played(set_table)
    command(table, "gm", "finish", "1", "--void")

    assert site(table, there).code == 0

    assert "without a result" in (there / "index.html").read_text()


def test_the_language_can_be_chosen(set_table: SetTable, there: Path) -> None:
    table = played(set_table)

    for language, words in (("pt", "O que aconteceu"), ("en", "What happened")):
        site(table, there, "--language", language)
        assert words in (there / "index.html").read_text()
        assert f'<html lang="{language}">' in (there / "index.html").read_text()
    assert site(table, there, "--language", "xx", "--json").code == 2


def test_an_album_is_written_over_an_older_one(set_table: SetTable, there: Path) -> None:
    table = played(set_table)
    site(table, there)
    first = {one.name: one.read_bytes() for one in there.iterdir()}
    (there / "game.pbem").write_text("of another game, which had ended")

    assert site(table, there).code == 0

    assert first == {one.name: one.read_bytes() for one in there.iterdir()}


@pytest.mark.parametrize("game", ["9", "2"])
def test_a_game_that_is_not_there_or_has_not_begun_has_none(set_table: SetTable, there: Path, game: str) -> None:
    table = played(set_table)
    command(table, "game", "new", "bids", "--seat", "Cy <cy@players.test>", "--seat", "bot:greedy")

    ran = command(table, "game", "site", game, "--output", str(there), "--json")

    assert (ran.code, ran.refused) == (1, {"9": "game.unknown", "2": "album.not-begun"}[game])
    assert not there.exists()
    assert raw_keys(ran.err) == set()


def refused(table: Table, folder: Path, key: str) -> Ran:
    ran = site(table, folder, "--json")
    assert (ran.code, ran.refused) == (1, key)
    assert faults("refusal", ran.json) == []
    assert ran.err.strip()
    assert raw_keys(ran.err) == set()
    return ran


def test_a_file_is_no_folder(set_table: SetTable, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")

    refused(played(set_table), tmp_path / "notes", "album.file")

    assert (tmp_path / "notes").read_text() == "mine"


@pytest.mark.parametrize("name", ["notes.txt", "index.html", DATA])
def test_a_folder_with_other_things_stays_as_it_is(set_table: SetTable, tmp_path: Path, name: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / name).write_text("mine")

    ran = refused(played(set_table), tmp_path / "here", "album.foreign")

    assert ran.json["refused"]["fields"]["files"] == [name]
    assert [one.read_text() for one in (tmp_path / "here").iterdir()] == ["mine"]


def test_an_album_with_something_of_others_in_it_stays_as_it_is(set_table: SetTable, there: Path) -> None:
    table = played(set_table)
    site(table, there)
    (there / "photo.jpg").write_bytes(b"mine")

    refused(table, there, "album.foreign")

    assert set(FILES) - {"game.pbem"} | {"photo.jpg"} == {one.name for one in there.iterdir()}


def test_a_folder_below_a_file_cannot_be_made(set_table: SetTable, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")

    refused(played(set_table), tmp_path / "notes" / "album", "album.unwritable")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_refused(set_table: SetTable, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)

    refused(played(set_table), tmp_path / "locked", "album.unwritable")
