"""What is remembered of passes."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from pbem.errors import TryLater
from pbem.passes import PartDone, Passes, begin_pass, end_pass, read_passes
from pbem.store import base
from pbem.tick import PARTS, run_pass
from tests.pbem.table import START, Table
from tests.pbem.witness import SetTable

MINUTE = timedelta(minutes=1)


def remembered(table: Table) -> Passes:
    with table.service.store.read() as session:
        found = read_passes(session)
    assert found is not None
    return found


def test_before_the_first_pass_nothing_is_remembered(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    with table.service.store.read() as session:
        assert read_passes(session) is None


def test_a_pass_that_came_to_its_end_tells_when_and_what_it_did(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    begin_pass(table.service, START)
    end_pass(table.service, PARTS, {"sent": 2}, {}, START + MINUTE)

    ends = START + MINUTE
    assert remembered(table) == Passes(START, START, ends, {"sent": 2}, dict.fromkeys(PARTS, PartDone(ends)))
    assert remembered(table).whole_at(PARTS) == ends


def test_a_pass_that_died_leaves_the_last_end_as_it_was(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    begin_pass(table.service, START)
    end_pass(table.service, PARTS, {}, {}, START + MINUTE)

    begin_pass(table.service, START + 5 * MINUTE)

    found = remembered(table)
    assert (found.begun, found.first, found.ended) == (START + 5 * MINUTE, START, START + MINUTE)


def test_parts_by_themselves_make_a_whole_pass_when_the_last_is_done(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    for number, part in enumerate(PARTS):
        end_pass(table.service, [part], {}, {}, START + number * MINUTE)
        found = remembered(table).whole_at(PARTS)

        assert found == (START if part == PARTS[-1] else None)


def test_a_trouble_stands_since_it_began_until_its_part_goes_well(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    for number, troubles in enumerate(({"fetch": "down"}, {"fetch": "slow"})):
        end_pass(table.service, PARTS, {}, troubles, START + number * MINUTE)

    end_pass(table.service, ["send"], {}, {}, START + 2 * MINUTE)
    standing = remembered(table).parts["fetch"]
    end_pass(table.service, ["fetch"], {}, {}, START + 3 * MINUTE)

    assert standing == PartDone(START + MINUTE, "slow", START)
    assert remembered(table).parts["fetch"] == PartDone(START + 3 * MINUTE)


def test_a_real_pass_notes_its_troubles_by_part(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    nowhere = {"host": "127.0.0.1", "port": 1}
    settings = table.service.settings
    servers = {"imap": replace(settings.imap, **nowhere), "smtp": replace(settings.smtp, **nowhere)}
    service = replace(table.service, settings=replace(settings, **servers))

    with pytest.raises(TryLater):
        run_pass(service, PARTS, lambda: START)

    found = remembered(table)
    assert found.ended == START
    assert {name: bool(one.trouble) for name, one in found.parts.items()} == {
        "fetch": True,
        "judge": False,
        "time": False,
        "send": True,
    }


def test_a_store_that_cannot_be_written_is_no_reason_to_run_no_pass(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = set_table("Ana pt", "Bob en")
    monkeypatch.setattr(base, "BUSY_SECONDS", 0)

    with table.service.store.write() as session:
        session.connection()
        begin_pass(table.service, START)
        end_pass(table.service, PARTS, {}, {}, START)

    with table.service.store.read() as session:
        assert read_passes(session) is None
