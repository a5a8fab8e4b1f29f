"""`pbem people …`: what it prints and refuses."""

import pytest

from tests.contract.cli.schema import faults
from tests.pbem.witness import SetTable, command, seated, stake

ANA = "ana@players.test"


def test_everybody_is_listed_with_games_and_answers(set_table: SetTable) -> None:
    table = seated(set_table)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))

    ran, plain = command(table, "people", "list", "--json"), command(table, "people", "list")

    assert faults("people-list", ran.json) == []
    assert [(one["name"], one["playing"], one["on_time"]) for one in ran.json["people"]] == [
        ("Ana", 1, 1),
        ("Bob", 1, 1),
    ]
    assert "1  Ana   1      1/0/0" in plain.out


def test_a_person_is_shown_with_all_that_is_known(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "replace", "1", "--seat", "0", "Eva <eva@players.test>")

    ran, plain = command(table, "people", "show", ANA, "--json"), command(table, "people", "show", "1")

    assert faults("people-show", ran.json) == []
    assert (ran.json["games"][0]["seat"], ran.json["games"][0]["left"]) == (None, True)
    assert plain.out.splitlines()[0] == "Ana, number 1"
    assert "left" in plain.out
    assert max(map(len, plain.out.splitlines())) <= 80


def test_a_change_prints_the_person_after_it(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(
        table, "people", "change", ANA, "--name", "Ana Maria", "--zone", "Europe/Lisbon", "--quiet", "22-08", "--json"
    )

    assert faults("people-change", ran.json) == []
    assert (ran.json["name"], ran.json["zone"], ran.json["quiet"]) == ("Ana Maria", "Europe/Lisbon", "22:00-08:00")
    assert command(table, "people", "change", ANA, "--quiet", "off", "--json").json["quiet"] == ""


@pytest.mark.parametrize(
    ("words", "code", "key"),
    [
        ([], 2, "change.nothing"),
        (["--language", "xx"], 2, "words.language"),
        (["--zone", "Mars"], 2, "timezone.unknown"),
        (["--quiet", "always"], 2, "quiet.form"),
        (["--quiet", "00-23"], 2, "quiet.form"),
        (["--address", "x"], 2, "address.form"),
        (["--address", "pbem+x@pbem.test"], 1, "seat.ours"),
        (["--address", "bob@players.test"], 1, "address.taken"),
        (["--prefer", "x@players.test"], 1, "address.foreign"),
        (["--drop", ANA], 1, "address.preferred"),
    ],
)
def test_a_change_that_cannot_be_is_explained(set_table: SetTable, words: list[str], code: int, key: str) -> None:
    table = seated(set_table)

    ran = command(table, "people", "change", ANA, *words, "--json")

    assert (ran.code, ran.refused) == (code, key)
    assert key not in ran.err


def test_who_is_blocked_is_shown_with_the_seats_to_be_given_away(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "people", "block", ANA, "--reason", "rude")
    listed = command(table, "people", "list").out
    back = command(table, "people", "unblock", ANA, "--json")

    assert "Still on seat 0 of game 1: `pbem gm replace 1 --seat 0`." in ran.out
    assert "blocked" in listed
    assert faults("people-unblock", back.json) == []
    assert not back.json["blocked"]


def test_two_records_are_made_one(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "game", "new", "bids", "--seat", "Annie <ana@work.test>", "--seat", "bot:greedy")

    ran = command(table, "people", "merge", ANA, "ana@work.test", "--json")

    assert faults("people-merge", ran.json) == []
    assert ran.json["addresses"] == [ANA, "ana@work.test"]
    assert command(table, "people", "show", "3", "--json").refused == "person.unknown"
