"""One record for each person over all games, and who is shut out."""

import pytest

from pbem import roster
from pbem.errors import Misuse, PbemError, Refused
from pbem.mail.letter import read_letter
from pbem.opening import GameOffer, SeatOffer, open_game
from pbem.store import people
from pbem.store.people import Person
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, command, holder, seated, stake

ANA, BOB = "ana@players.test", "bob@players.test"


def known(table: Table, who: str) -> Person:
    with table.service.store.read() as session:
        return roster.find(session, who)


def change(table: Table, who: str, **values: str) -> Person:
    with table.service.store.write() as session:
        return roster.change(session, roster.find(session, who), roster.Change(**values), table.now)


def block(table: Table, who: str) -> None:
    with table.service.store.write() as session:
        roster.block(session, roster.find(session, who), "rude", table.now)


def unblock(table: Table, who: str) -> None:
    with table.service.store.write() as session:
        roster.unblock(session, roster.find(session, who), "", table.now)


def merge(table: Table, who: str, other: str) -> Person:
    with table.service.store.write() as session:
        return roster.merge(session, roster.find(session, who), roster.find(session, other), table.now)


def values(table: Table, who: str) -> dict[str, object]:
    with table.service.store.read() as session:
        return roster.show_values(session, roster.find(session, who))


def more(table: Table, *seats: tuple[str, str]) -> int:
    """Return the number of one more game."""
    offers = tuple(SeatOffer(name, address) for name, address in seats)
    with table.service.store.write() as session:
        return open_game(session, GameOffer("bids", offers), table.now, start=True).game.id


def test_a_person_is_found_by_number_and_by_address_in_any_letters(set_table: SetTable) -> None:
    table = seated(set_table)

    assert known(table, "1") == known(table, " ANA@players.test ") == known(table, ANA)


@pytest.mark.parametrize("who", ["3", "0", "99999999999999999999", "²", "-1", "eva@players.test", "Ana", ""])
def test_who_is_not_known_is_refused(set_table: SetTable, who: str) -> None:
    with pytest.raises(Refused, match=r"person\.unknown"):
        known(seated(set_table), who)


def test_mails_go_to_the_preferred_address_and_letters_come_from_all(set_table: SetTable) -> None:
    table = seated(set_table)

    change(table, ANA, add="ana@work.test", prefer="ana@work.test")
    table.says("Bob", stake(table, "Bob"))
    table.says("Ana", stake(table, "Ana"))

    assert known(table, "1").address == "ana@work.test"
    assert known(table, ANA).id == known(table, "ana@work.test").id == 1
    assert {to for to, _ in table.server.taken[3:]} == {"ana@work.test", BOB}


def test_an_address_that_is_dropped_is_a_strangers(set_table: SetTable) -> None:
    table = seated(set_table)
    change(table, ANA, add="ana@work.test", prefer="ana@work.test", drop=ANA)

    with pytest.raises(Refused):
        known(table, ANA)


@pytest.mark.parametrize(
    ("wanted", "key"),
    [
        ({}, "change.nothing"),
        ({"add": "nonsense"}, "address.form"),
        ({"add": BOB}, "address.taken"),
        ({"prefer": BOB}, "address.foreign"),
        ({"prefer": "eva@players.test"}, "address.foreign"),
        ({"drop": "eva@players.test"}, "address.foreign"),
        ({"drop": ANA}, "address.preferred"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_leaves_nothing(
    set_table: SetTable, wanted: dict[str, str], key: str
) -> None:
    table = seated(set_table)
    before = values(table, ANA)

    with pytest.raises((Misuse, Refused)) as refused:
        change(table, ANA, **({"name": "Anna"} if wanted else {}), **wanted)

    assert isinstance(refused.value, PbemError)
    assert refused.value.key == key
    assert values(table, ANA) == before


def test_each_change_is_on_record(set_table: SetTable) -> None:
    table = seated(set_table)

    change(table, ANA, language="en", quiet="22:00-08:00")
    change(table, ANA, quiet="")
    block(table, ANA)
    unblock(table, ANA)

    acts = values(table, ANA)["acts"]
    assert isinstance(acts, list)
    assert [(one["what"], one["fields"]) for one in acts] == [
        ("change", {"language": "en", "quiet": "22:00-08:00"}),
        ("change", {"quiet": ""}),
        ("block", {"reason": "rude"}),
        ("unblock", {"reason": ""}),
    ]
    assert values(table, BOB)["acts"] == []


def test_letters_of_who_is_blocked_are_dropped_unanswered(set_table: SetTable) -> None:
    table = seated(set_table)
    block(table, ANA)

    table.says("Ana", stake(table, "Ana"))
    table.post(table.letter(ANA, "hello"))
    table.tick()

    assert [(one.status, one.reason) for one in table.stored()] == [("dropped", "sender.blocked")] * 2
    assert table.mails("Ana") == []
    assert holder(table, 0).plan == ()


def test_a_blocked_person_does_not_come_in_from_another_address_with_his_tag(set_table: SetTable) -> None:
    table = seated(set_table)
    block(table, ANA)

    table.says("Ana", stake(table, "Ana"), From="other@players.test")

    assert table.stored()[0].reason == "sender.blocked"


def test_a_blocked_person_who_looks_on_is_not_heard_either(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "observe", "1", "Zoe <zoe@players.test>")
    table.tick()
    welcome = [raw for to, raw in table.server.taken if to == "zoe@players.test"]
    block(table, "zoe@players.test")
    table.post(table.letter("else@players.test", "status", References=read_letter(welcome[0]).message_id))
    table.tick()

    assert table.stored()[0].reason == "sender.blocked"


def test_who_is_let_in_again_is_heard(set_table: SetTable) -> None:
    table = seated(set_table)
    block(table, ANA)
    unblock(table, ANA)

    table.says("Ana", stake(table, "Ana"))

    assert table.stored()[0].status == "done"


def test_a_blocked_person_takes_no_seat(set_table: SetTable) -> None:
    table = seated(set_table)
    block(table, ANA)

    ran = command(table, "game", "new", "bids", "--seat", f"Annie <{ANA}>", "--seat", "bot:greedy", "--json")

    assert (ran.code, ran.refused) == (1, "person.blocked")
    assert "Ana <ana@players.test> is blocked" in ran.err
    assert known(table, ANA).name == "Ana"


def test_nobody_is_blocked_twice_or_let_in_who_is_not_blocked(set_table: SetTable) -> None:
    table = seated(set_table)

    with pytest.raises(Refused, match=r"person\.not-blocked"):
        unblock(table, ANA)
    block(table, ANA)
    with pytest.raises(Refused, match=r"person\.blocked-already"):
        block(table, ANA)


def test_two_records_become_one_with_all_that_both_had(set_table: SetTable) -> None:
    table = seated(set_table)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    game = more(table, ("Annie", "ana@work.test"), ("Bob", BOB))
    change(table, "ana@work.test", language="en")
    with table.service.store.write() as session:
        people.count_answer(session, 3, "late")

    kept = merge(table, ANA, "ana@work.test")

    assert (kept.id, kept.name, kept.language, kept.address) == (1, "Ana", "pt", ANA)
    assert (kept.on_time, kept.late) == (1, 1)
    assert known(table, "ana@work.test") == kept
    shown = values(table, ANA)
    assert [(one["game"], one["seat"]) for one in shown["games"]] == [(game, 0), (1, 0)]  # type: ignore[attr-defined]
    assert [one["what"] for one in shown["acts"]] == ["change", "merge"]  # type: ignore[attr-defined]
    with pytest.raises(Refused):
        known(table, "3")


def test_two_who_play_in_one_game_are_not_one_person(set_table: SetTable) -> None:
    table = seated(set_table)

    with pytest.raises(Refused, match=r"merge\.game"):
        merge(table, ANA, BOB)
    with pytest.raises(Refused, match=r"merge\.same"):
        merge(table, ANA, "1")


def test_who_was_blocked_under_one_record_is_blocked_under_both(set_table: SetTable) -> None:
    table = seated(set_table)
    more(table, ("Annie", "ana@work.test"), ("Bob", BOB))
    block(table, "ana@work.test")

    assert merge(table, ANA, "ana@work.test").blocked
