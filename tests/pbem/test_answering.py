"""Whether to answer: robots that answer each other fall silent, people never; what came twice counts once."""

from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.gate.budget import MOST_SAME, MOST_VAIN
from pbem.post.strangers import ALL_ANSWERS_A_DAY
from pbem.referee import MOST_ASKED
from tests.pbem.table import Table
from tests.pbem.test_referee import bounce
from tests.pbem.witness import SetTable, command, dump, holder, read_all, said, seated, stake

ELSEWHERE = "bob@elsewhere.test"


def reasons(table: Table) -> list[str]:
    return [one.reason for one in table.stored()]


def told(table: Table, name: str) -> int:
    """Return how many new mails *name* has."""
    return len(table.mails(name))


def limited(set_table: SetTable, most: int) -> Table:
    """Return a table at which *most* letters an hour are judged."""
    table = seated(set_table)
    table.limit(most)
    return table


# ---- robots


@pytest.mark.parametrize("quotes", [True, False])
def test_a_robot_that_answers_every_mail_with_the_same_words_is_left_alone(set_table: SetTable, quotes: bool) -> None:
    table = seated(set_table)
    answers = 0

    for number in range(12):
        mail = table.last("Bob")
        letter = (
            table.reply("Bob", "Thank you for your message. We have received it.", to=mail)
            if quotes
            else table.letter("bob@players.test", "Thank you for your message.", References=mail.message_id)
        )
        del letter["Message-ID"]
        letter["Message-ID"] = f"<robot-{number}@players.test>"
        table.post(letter)
        table.tick()
        answers += told(table, "Bob")

    assert answers == MOST_SAME
    assert reasons(table)[-1] == "budget.same"


@pytest.mark.parametrize(
    "words", ["Thanks!", "ok", "See you on Sunday.", "--", "...", "1000000", "ºª", "Who are you?", "nothing"]
)
def test_a_letter_with_anything_in_it_is_answered(set_table: SetTable, words: str) -> None:
    table = seated(set_table)

    table.says("Bob", words)

    assert told(table, "Bob") == 1


def test_a_robot_whose_words_change_is_left_alone_after_a_while_and_the_game_master_told_once(
    set_table: SetTable,
) -> None:
    table = seated(set_table)
    answers = 0

    for number in range(MOST_VAIN + 10):
        table.says("Bob", f"Ticket {number} was opened for you.")
        answers += told(table, "Bob")

    assert answers == MOST_VAIN
    assert reasons(table)[-1] == "budget.vain"
    assert [one.header("X-PBEM-Kind") for one in table.to_gm()] == ["alert"]


def test_the_next_day_such_a_sender_is_answered_again(set_table: SetTable) -> None:
    table = seated(set_table)
    for number in range(MOST_VAIN + 1):
        table.says("Bob", f"Ticket {number} was opened for you.")
    read_all(table)

    table.tick(after=timedelta(hours=25))
    read_all(table)
    table.says("Bob", "Is anybody there?")

    assert told(table, "Bob") == 1


def test_an_order_is_played_however_much_nonsense_came_before(set_table: SetTable) -> None:
    table = seated(set_table)
    for number in range(MOST_VAIN + 3):
        table.says("Bob", f"Ticket {number} was opened for you.")
    read_all(table)

    table.says("Bob", stake(table, "Bob"))

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
    assert told(table, "Bob") == 1


def test_an_absence_note_without_any_header_is_a_hint_to_the_game_master(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "I am out of the office until 9 March and will read your mail then.")

    assert "perhaps away" in said(table.to_gm()[0])
    assert holder(table, 1).plan == ()


def test_who_writes_an_order_from_his_holidays_is_not_away(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"{stake(table, 'Bob')}\nI am on vacation, so my answers may be slow.")

    assert table.to_gm() == []
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_all_strangers_together_get_so_many_answers_a_day(set_table: SetTable) -> None:
    table = seated(set_table)
    sent = len(table.server.taken)

    for number in range(ALL_ANSWERS_A_DAY + 5):
        table.post(table.letter(f"n{number}@nowhere.test", "buy this"))
    table.tick()

    assert len(table.server.taken) - sent == ALL_ANSWERS_A_DAY


# ---- too many letters


def test_more_letters_than_a_person_writes_are_held_and_the_game_master_told_once(set_table: SetTable) -> None:
    table = limited(set_table, 5)

    for number in range(9):
        table.post(table.reply("Bob", f"try stake {table.hand('Bob')[0]}: bid {number}"))
    counts = table.tick()

    assert counts["held"] == 4
    assert reasons(table)[5:] == ["rate"] * 4
    assert len(table.to_gm()) == 1
    assert "too many" in said(table.to_gm()[0])


def test_a_letter_held_for_its_number_is_judged_when_it_is_released(set_table: SetTable) -> None:
    table = limited(set_table, 1)
    table.says("Bob", "status")
    table.says("Bob", stake(table, "Bob"))
    assert reasons(table)[-1] == "rate"

    assert command(table, "mail", "release", "2").code == 0
    table.tick()

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_letters_held_for_their_number_stop_no_clock(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.limit(1)
    table.tick(after=timedelta(hours=23))
    table.says("Bob", "status")
    table.says("Bob", "status please")

    table.tick(after=timedelta(hours=2))

    assert [one for one in table.moves() if one.startswith("1 ")]


def test_confirmations_do_not_count_and_always_come_in(set_table: SetTable) -> None:
    table = limited(set_table, 2)
    for _ in range(3):
        table.post(table.letter("bob@players.test", stake(table, "Bob")))
    table.tick()
    read_all(table)

    for number in (1, 2):
        table.says("Bob", f"confirm {number}")

    assert reasons(table)[3:] == ["confirming", "confirming"]


def test_a_flood_of_a_stranger_is_dropped(set_table: SetTable) -> None:
    table = limited(set_table, 3)

    for number in range(8):
        table.post(table.letter("spam@nowhere.test", f"buy {number}"))
    counts = table.tick()

    assert counts["dropped"] == 5
    assert len([to for to, _ in table.server.taken if to == "spam@nowhere.test"]) == 1


def test_another_seat_is_not_held_for_the_letters_of_one(set_table: SetTable) -> None:
    table = limited(set_table, 2)
    for number in range(5):
        table.post(table.reply("Bob", f"try stake {number}"))

    table.post(table.reply("Ana", stake(table, "Ana")))
    table.tick()

    assert [one.key for one in holder(table, 0).plan] == ["bids.stake"]


# ---- what comes twice


def again(letter: EmailMessage, **headers: str) -> EmailMessage:
    """Return *letter* with other headers, as a relay or a mail client sends it once more."""
    copy = EmailMessage()
    for name, value in letter.items():
        if name.lower() not in ("content-type", "content-transfer-encoding", "mime-version", *map(str.lower, headers)):
            copy[name] = value
    for name, value in headers.items():
        copy[name] = value
    copy.set_content(letter.get_content())
    return copy


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Received": "by relay.test; Mon, 2 Mar 2026 12:00:00 +0000"},
        {"Message-ID": "<other@players.test>"},
        {"Message-ID": "<other@players.test>", "Date": "Mon, 2 Mar 2026 12:05:00 +0000"},
    ],
)
def test_an_order_that_comes_twice_counts_once_and_its_sender_learns_so(
    set_table: SetTable, headers: dict[str, str]
) -> None:
    table = seated(set_table)
    line = f"{stake(table, 'Bob')}\ntell all: hello"
    letter = table.reply("Bob", line)
    table.post(letter)
    table.tick()
    plan = holder(table, 1).plan
    read_all(table)

    table.post(again(letter, **headers))
    table.tick()

    assert plan == holder(table, 1).plan
    assert told(table, "Ana") == 0
    assert "came once before" in said(table.mail("Bob"))


def test_a_third_copy_counts_no_more_than_the_second(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", "tell all: hello")
    table.post(letter)
    table.tick()
    read_all(table)

    for number in range(4):
        table.post(again(letter, **{"Message-ID": f"<copy-{number}@players.test>"}))
        table.tick()

    assert told(table, "Ana") == 0
    assert told(table, "Bob") == MOST_SAME


@pytest.mark.parametrize("line", ["status", "help", "try stake 1"])
def test_what_only_asks_may_be_asked_again(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    mail = table.last("Bob")
    table.post(table.reply("Bob", line, to=mail))
    table.tick()
    first = said(table.mails("Bob")[0])

    table.post(table.reply("Bob", line, to=mail))
    table.tick()

    assert first.split("Your")[0] == said(table.mails("Bob")[0]).split("Your")[0]


def test_the_same_words_after_an_undo_are_an_order(set_table: SetTable) -> None:
    table = seated(set_table)
    mail = table.last("Bob")
    for line in (stake(table, "Bob"), "undo", stake(table, "Bob")):
        table.post(table.reply("Bob", line, to=mail))
        table.tick()

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_a_letter_without_an_id_is_known_by_its_bytes(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", "tell all: hello")
    del letter["Message-ID"]

    for _ in range(2):
        table.post(letter)
        table.tick()

    assert told(table, "Ana") == 1
    assert reasons(table) == ["accepted", "duplicate"]


# ---- addresses


def test_who_goes_by_a_players_name_is_asked_about_and_his_address_remembered(set_table: SetTable) -> None:
    table = seated(set_table)
    table.post(table.letter(f"Bob <{ELSEWHERE}>", stake(table, "Bob"), Subject="Re: [Bids #1] Your turn"))
    table.tick()
    assert "elsewhere" in said(table.mail("Bob"))
    assert holder(table, 1).plan == ()

    table.says("Bob", "confirm 1")

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
    assert ELSEWHERE in [row[0] for row in dump(table.service.store)["addresses"]]


def test_a_remembered_address_proves_nothing_either(set_table: SetTable) -> None:
    table = seated(set_table)
    table.post(table.letter(f"Bob <{ELSEWHERE}>", "status", Subject="Re: [Bids #1] Your turn"))
    table.tick()
    table.says("Bob", "confirm 1")
    read_all(table)

    table.post(table.letter(ELSEWHERE, stake(table, "Bob")))
    table.tick()

    assert reasons(table)[-1] == "tag.missing"
    assert "confirm 3" in said(table.mail("Bob"))


@pytest.mark.parametrize("subject", ["Re: [Bids #2] Your turn", "Re: [Bids #99] Your turn", "hello"])
def test_a_name_without_its_game_claims_nothing(set_table: SetTable, subject: str) -> None:
    table = seated(set_table)

    table.post(table.letter(f"Bob <{ELSEWHERE}>".replace("bob@", "robert@"), stake(table, "Bob"), Subject=subject))
    table.tick()

    assert reasons(table) == ["sender.unknown"]
    assert told(table, "Bob") == 0


def test_a_player_is_asked_about_so_many_letters_a_day(set_table: SetTable) -> None:
    table = seated(set_table)

    for number in range(MOST_ASKED + 4):
        claim = table.letter(f"Bob <n{number}@nowhere.test>", "status", Subject="[Bids #1]")
        table.post(claim)
        table.tick()

    assert told(table, "Bob") == MOST_ASKED
    assert reasons(table) == ["tag.missing"] * (MOST_ASKED + 4)


# ---- what came back


def stripped(table: Table, *kept: str) -> bytes:
    """Return a bounce of Bob's newest mail whose returned headers are only those named."""
    raw = bounce(table, "Bob").decode()
    before, mark, after = raw.partition("text/rfc822-headers\n\n")
    lines = [line for line in after.splitlines() if line.split(":")[0] in kept]
    return f"{before}{mark}{chr(10).join(lines)}\n\n--b--\n".encode()


@pytest.mark.parametrize("kept", [("X-PBEM-Outbox",), ("Message-ID",), ()])
def test_a_bounce_finds_its_mail_by_mark_by_id_and_at_last_by_recipient(
    set_table: SetTable, kept: tuple[str, ...]
) -> None:
    table = seated(set_table)

    table.post(stripped(table, *kept))
    table.tick()

    assert holder(table, 1).unreachable
    assert not holder(table, 0).unreachable
    assert [one.status for one in table.posted() if one.recipient == "bob@players.test"] == ["failed"]
    assert "come back" in said(table.to_gm()[0])


def test_a_bounce_for_somebody_else_concerns_nobody(set_table: SetTable) -> None:
    table = seated(set_table)

    table.post(stripped(table).replace(b"bob@players.test", b"nobody@players.test"))
    table.tick()

    assert not holder(table, 0).unreachable
    assert not holder(table, 1).unreachable
    assert table.to_gm() == []
