"""The bench: seats that fall free are offered to one person after the other, until one takes them."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.opening import GameOffer, SeatOffer, open_game
from tests.contract.cli.schema import faults
from tests.pbem.table import Person, Table, text_of
from tests.pbem.witness import SetTable, acts, command, holder, notices, raw_keys, read_all, said, seated, stake


def with_bench(
    set_table: SetTable, *names: str, resign: str = "bench", seats: tuple[str, ...] = (), **values: Any
) -> Table:
    """Return a table at which *names*, who play another game, sit on the bench; all have read their mails."""
    table = seated(set_table, *seats, **values)
    settings = table.service.settings
    play = replace(settings.play, resign=resign)
    table.service = replace(table.service, settings=replace(settings, play=play))
    if names:
        others = tuple(SeatOffer(one, f"{one.lower()}@away.test", "en", "UTC") for one in names)
        bots = tuple(SeatOffer("Robot", bot="greedy") for _ in range(2 - len(others)))
        with table.service.store.write() as session:
            open_game(session, GameOffer("bids", (*others, *bots)), table.now, start=True)
    table.people |= {one: Person(one, f"{one.lower()}@away.test") for one in names}
    table.tick()
    for name in names:
        table.says(name, "bench")
    read_all(table)
    return table


def test_who_sits_down_is_told_so_and_listed(set_table: SetTable) -> None:
    table = with_bench(set_table, "Eva")

    table.says("Eva", "bench bids")
    told = said(table.mail("Eva"))
    table.says("Ana", "banco bids")
    ran = command(table, "game", "bench", "--json")
    listed = command(table, "game", "bench").out
    table.says("Eva", "bench off")

    assert "You are on the bench for games of any title." in told
    assert "Você está no banco para Lances." in said(table.mail("Ana"))
    assert faults("game-bench", ran.json) == []
    assert [(one["name"], one["ruleset"]) for one in ran.json["bench"]] == [
        ("Eva", None),
        ("Eva", "bids"),
        ("Ana", "bids"),
    ]
    assert "@" not in listed
    assert "You are not on the bench" in said(table.mail("Eva"))
    assert [one["name"] for one in command(table, "game", "bench", "--json").json["bench"]] == ["Ana"]


def test_what_is_no_title_is_explained(set_table: SetTable) -> None:
    table = with_bench(set_table)

    table.says("Bob", "bench chess")

    assert 'We could not read "chess" after "bench"' in said(table.mail("Bob"))
    assert command(table, "game", "bench", "--json").json["bench"] == []


def test_a_seat_that_is_resigned_is_offered_and_taken(set_table: SetTable) -> None:
    table = with_bench(set_table, "Eva", "Fil")
    table.says("Bob", "note my secret thought")
    card = table.hand("Bob")[0]
    table.says("Bob", f"next: stake {table.hand('Bob')[1]}")
    read_all(table)

    table.says("Bob", "resign yes")
    offer = table.mail("Eva")
    before = holder(table, 1).bot
    quiet = table.mails("Fil")
    read_all(table)
    table.says("Eva", "take")

    assert "A seat is free in a running game of Bids." in said(offer)
    assert f"stake {card}" not in said(offer)
    assert before == "default"
    assert quiet == []
    assert (holder(table, 1).name, holder(table, 1).bot) == ("Eva", "")
    assert (holder(table, 1).plan, holder(table, 1).note) == ((), "")
    mail = said(table.mail("Eva"))
    assert "in a running game of Bids" in mail
    assert "What you can write" in mail
    assert "secret thought" not in mail
    assert "Your turn" in mail
    assert [one["name"] for one in notices(table, 0, "seat.replaced")] == ["Eva"]
    assert [one.what for one in acts(table)][-3:] == ["resign", "offer", "replace"]
    table.says("Eva", stake(table, "Bob"))
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


@pytest.mark.parametrize("silent", [True, False])
def test_who_does_not_want_it_or_does_not_answer_is_followed_by_the_next(set_table: SetTable, *, silent: bool) -> None:
    table = with_bench(set_table, "Eva", "Fil")
    table.says("Bob", "resign yes")
    offer = table.last("Eva")
    read_all(table)

    if silent:
        table.tick(after=timedelta(hours=23))
        assert table.mails("Fil") == []
        table.tick(after=timedelta(hours=2))
    else:
        table.says("Eva", "no thanks")
    words = said(table.last("Eva"))
    table.says("Eva", "take", to=offer)
    table.says("Fil", "accept")

    assert ("As no answer came" if silent else "is offered to somebody else") in words
    assert holder(table, 1).name == "Fil"


def test_where_nobody_is_left_the_game_master_is_told_and_the_bot_plays_on(set_table: SetTable) -> None:
    table = with_bench(set_table)

    table.says("Bob", "resign yes")

    assert holder(table, 1).bot == "default"
    assert any("Nobody is left on the bench" in said(one) for one in table.to_gm())


def test_the_game_master_offers_a_seat_of_a_bot(set_table: SetTable) -> None:
    table = with_bench(set_table, "Eva", resign="bot", seats=("Ana pt", "bot:greedy"))

    rehearsed = command(table, "gm", "offer", "1", "--seat", "1", "--dry-run", "--json")
    none = table.mails("Eva")
    spoken_of = command(table, "gm", "offer", "1", "--seat", "1", "--dry-run").out
    ran = command(table, "gm", "offer", "1", "--seat", "1", "--json")
    again = command(table, "gm", "offer", "1", "--seat", "1", "--json")
    person = command(table, "gm", "offer", "1", "--seat", "0", "--json")
    spoken = command(table, "gm", "offer", "1", "--seat", "0")
    table.tick()

    assert none == []
    assert "would be offered to Eva" in spoken_of
    assert rehearsed.code == ran.code == 0
    assert faults("gm-offer", ran.json) == []
    assert (again.refused, person.refused) == ("offer.open", "offer.person")
    assert raw_keys(spoken.err) == set()
    assert "Robot plays there for now." in said(table.mail("Eva"))


def test_who_plays_in_the_game_is_not_offered_another_seat_of_it(set_table: SetTable) -> None:
    table = with_bench(set_table, seats=("Ana pt", "Bob en", "Cleo en"))
    table.says("Ana", "banco")
    table.says("Bob", "bench")

    table.says("Bob", "resign yes")

    assert any("Nobody is left on the bench" in said(one) for one in table.to_gm())


def test_an_offer_that_comes_too_late_is_said_so(set_table: SetTable) -> None:
    table = with_bench(set_table, "Eva")
    table.says("Bob", "resign yes")
    offer = table.last("Eva")

    command(table, "gm", "replace", "1", "Gil <gil@away.test>", "--seat", "1")
    table.says("Eva", "take", to=offer)

    assert "is not free any more" in said(table.last("Eva"))
    assert holder(table, 1).name == "Gil"


def test_an_offer_shows_what_everybody_may_know_and_no_more(set_table: SetTable) -> None:
    table = with_bench(set_table, "Eva", seats=("Ana pt", "Bob en", "Cleo en"))
    hands = [str(table.hand(name)) for name in ("Ana", "Bob", "Cleo")]

    table.says("Bob", "resign yes")

    mail = table.mail("Eva")
    assert all(hand not in text_of(mail) for hand in hands)
    assert "Standings" in said(mail)
    assert "accept" in said(mail)
    table.says("Eva", "decline")
    assert "You stay on the bench." in said(table.mail("Eva"))


def test_after_the_end_one_may_still_sit_down(set_table: SetTable) -> None:
    table = with_bench(set_table)
    command(table, "gm", "finish", "1")
    table.tick()
    read_all(table)

    table.says("Bob", "bench")

    assert "You are on the bench for games of any title." in said(table.mail("Bob"))


def test_without_proof_a_player_is_asked_first(set_table: SetTable) -> None:
    table = with_bench(set_table)

    table.post(table.letter("bob@players.test", "bench"))
    table.tick()
    asked = table.mail("Bob")
    before = command(table, "game", "bench", "--json").json["bench"]
    table.says("Bob", f"confirm {table.stored()[-1].id}")

    assert asked.header("X-PBEM-Kind") == "confirmation"
    assert before == []
    assert [one["name"] for one in command(table, "game", "bench", "--json").json["bench"]] == ["Bob"]


def test_a_building_that_is_called_like_the_bench_is_read_as_a_move(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", title="tiny_towns", options={"cards": "first-game", "villagers": "no"})
    table.tick()

    table.says("Ana", "banco b2")

    assert 'Linha 1 "banco b2" não foi jogada' in said(table.last("Ana"))


def test_a_seat_for_which_a_bot_stands_in_is_offered_and_its_person_is_welcome_until_it_is_taken(
    set_table: SetTable,
) -> None:
    table = with_bench(set_table, "Eva", clock="24h", misses=1)
    table.says("Ana", stake(table, "Ana"))
    table.tick(after=timedelta(hours=25))
    offer = table.mail("Eva")
    table.says("Bob", "status")
    back = said(table.last("Bob"))
    table.says("Eva", "take")

    assert "A bot plays there for now." in said(offer)
    assert "Welcome back! You play yourself again." in back
    assert "The seat that was offered to you is not free any more." in said(table.last("Eva"))
    assert holder(table, 1).name == "Bob"


def test_who_takes_a_seat_for_which_a_bot_stands_in_has_it(set_table: SetTable) -> None:
    table = with_bench(set_table, "Eva", clock="24h", misses=1)
    table.says("Ana", stake(table, "Ana"))
    table.tick(after=timedelta(hours=25))
    read_all(table)

    table.says("Eva", "take")

    assert (holder(table, 1).name, holder(table, 1).stand_in) == ("Eva", False)
    assert "Eva" in said(table.last("Bob"))
