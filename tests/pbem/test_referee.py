"""One letter after another: what is read, what is not, and who hears of it."""

import random
from email.message import EmailMessage

import pytest

from pbem.desk import counter
from pbem.desk.values import Served
from tests.pbem.table import OUR, Table, text_of
from tests.pbem.witness import SetTable, command, dump, holder, notices, read_all, said, seated, stake

LINES = {
    "take": "stake {card}",
    "bid": "bid 1",
    "whole": "stake {card}: bid 2",
    "either": "stake 9: bid 1 or stake {card}: bid 1",
    "ahead": "tip: keep",
    "number": "1",
    "wrong": "stake 9",
    "too much": "bid 99",
    "strange": "tip: dance",
    "prose": "what a lovely evening it was yesterday",
    "greeting": "Hello Ana!",
    "status": "status",
    "try": "try bid 2",
    "zone": "zone Europe/Lisbon",
}
COMMANDS = ("status", "zone")
BY_LINE = ("order.taken", "order.kept", "order.refused", "order.ignored", "order.stale", "order.tried")


@pytest.mark.parametrize("number", range(24))
def test_every_line_of_a_letter_is_accounted_for_once(set_table: SetTable, number: int) -> None:
    luck = random.Random(number)
    chosen = [luck.choice(sorted(LINES)) for _ in range(luck.randint(1, 9))]
    table = seated(set_table)
    if number % 2:
        table.says("Ana", stake(table, "Ana"))
    lines = [LINES[one].format(card=table.hand("Bob")[0]) for one in chosen]

    table.says("Bob", "\n".join(lines))

    by_line = [one["line"] for one in notices(table, 1, *BY_LINE)]
    of_plan = len(notices(table, 1, "plan.failed", "plan.lapsed"))
    commands = [place for place, one in enumerate(chosen, start=1) if one in COMMANDS]
    assert len(set(by_line)) == len(by_line)
    assert not set(by_line) & set(commands)
    left = set(range(1, len(lines) + 1)) - set(by_line) - set(commands)
    assert len(left) <= of_plan, (chosen, left)


def test_the_same_letter_twice_is_played_once_and_answered_as_done(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", stake(table, "Bob"))
    table.says("Ana", stake(table, "Ana"))
    table.post(letter)
    table.tick()
    entries = table.log()
    read_all(table)

    table.post(letter)
    counts = table.tick()

    assert table.log() == entries
    assert counts["refused"] == 1
    assert "This letter came once before" in said(table.mail("Bob"))


def test_the_same_id_with_other_words_is_another_letter(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob", 1), Message_ID="<one@players.test>")

    table.says("Bob", stake(table, "Bob", 3), Message_ID="<one@players.test>")

    assert holder(table, 1).plan[0].choices[0][1] == "bid 3"


@pytest.mark.parametrize("carrier", ["marker", "reference", "address"])
def test_any_carrier_of_the_tag_proves_the_seat(set_table: SetTable, carrier: str) -> None:
    table = seated(set_table, plus="yes")
    mail = table.last("Bob")
    marker = text_of(mail).split("\n")[0]
    values = {
        "marker": (f"{stake(table, 'Bob')}\n{marker}", {}),
        "reference": (stake(table, "Bob"), {"In-Reply-To": mail.message_id}),
        "address": (stake(table, "Bob"), {"To": mail.reply_to.address}),
    }
    body, headers = values[carrier]

    table.post(table.letter("bob@somewhere.test", body, **headers))
    table.tick()

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_a_tag_with_a_wrong_secret_is_not_believed(set_table: SetTable) -> None:
    table = seated(set_table)
    tag = text_of(table.last("Bob")).split(" ")[0]
    secret = tag.rpartition(".")[2]
    wrong = tag.replace(secret, secret[::-1] if secret != secret[::-1] else "0" * 10)

    table.post(table.letter("bob@players.test", f"{stake(table, 'Bob')}\n{wrong} · write above this line"))
    counts = table.tick()

    assert counts["refused"] == 1
    assert holder(table, 1).plan == ()
    assert "is not one of ours" in said(table.mail("Bob"))


def test_tags_of_two_seats_contradict_each_other(set_table: SetTable) -> None:
    table = seated(set_table)
    other = table.last("Ana").message_id
    letter = table.reply("Bob", stake(table, "Bob"), References=f"{table.last('Bob').message_id} {other}")
    letter["In-Reply-To"] = other

    table.post(letter)
    table.tick()

    assert holder(table, 0).plan == holder(table, 1).plan == ()


def bounce(table: Table, name: str, status: str = "5.1.1", action: str = "failed") -> bytes:
    """Return the report of a mail server that the newest mail to *name* could not be delivered."""
    address = table.people[name].address
    raw = next(raw for to, raw in reversed(table.server.taken) if to == address)
    head = raw.partition(b"\r\n\r\n")[0].decode()
    return (
        "Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nTo: pbem@pbem.test\nSubject: Undelivered\n"
        "Message-ID: <b1@mx.test>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nIt could not be delivered.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n"
        f"Final-Recipient: rfc822; {address}\nAction: {action}\nStatus: {status}\n\n"
        f"--b\nContent-Type: text/rfc822-headers\n\n{head}\n\n--b--\n"
    ).encode()


def test_a_bounce_makes_the_seat_unreachable_and_tells_the_game_master_once(set_table: SetTable) -> None:
    table = seated(set_table)

    for _ in range(2):
        table.post(bounce(table, "Bob").replace(b"<b1@", f"<b{_}@".encode()))
        table.tick()

    assert holder(table, 1).unreachable
    assert [one.header("X-PBEM-Kind") for one in table.to_gm()] == ["alert"]
    assert "come back" in said(table.to_gm()[0])
    assert [one.status for one in table.posted() if one.recipient == "bob@players.test"] == ["failed"]
    assert [one.reason for one in table.stored()] == ["bounce", "bounce"]
    assert table.mails("Bob") == []


def test_a_delay_is_no_bounce(set_table: SetTable) -> None:
    table = seated(set_table)

    table.post(bounce(table, "Bob", "4.4.1", "delayed"))
    table.tick()

    assert not holder(table, 1).unreachable
    assert table.to_gm() == []


def test_who_writes_again_is_reachable_again(set_table: SetTable) -> None:
    table = seated(set_table)
    table.post(bounce(table, "Bob"))
    table.tick()

    table.says("Bob", "status")

    assert not holder(table, 1).unreachable


@pytest.mark.parametrize(
    ("headers", "reason", "alerts"),
    [
        ({"Auto-Submitted": "auto-replied"}, "robot.auto-submitted", 1),
        ({"Subject": "Automatic reply: Your turn"}, "robot.absent", 1),
        ({"Subject": "Resposta automática: Sua vez"}, "robot.absent", 1),
        ({"Precedence": "bulk"}, "robot.precedence", 0),
        ({"X-Autoreply": "yes"}, "robot.autoreply", 0),
        ({"List-Id": "<list.test>"}, "list", 0),
        ({"Return-Path": "<>"}, "robot.no-return-path", 0),
    ],
)
def test_a_robot_is_never_answered(set_table: SetTable, headers: dict[str, str], reason: str, alerts: int) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", "I am away until Monday.")
    for name, value in headers.items():
        del letter[name]
        letter[name] = value

    table.post(letter)
    counts = table.tick()

    assert counts["dropped"] == 1
    assert table.mails("Bob") == []
    assert table.stored()[0].reason == reason
    assert len(table.to_gm()) == alerts


def test_the_standard_vacation_reply_tells_the_game_master(set_table: SetTable) -> None:
    table = seated(set_table)

    table.post(table.reply("Bob", "I am away.", Auto_Submitted="auto-replied"))
    table.tick()

    assert len(table.to_gm()) == 1


def test_a_stranger_gets_one_short_answer_a_day_without_his_words(set_table: SetTable) -> None:
    table = seated(set_table)

    for number in range(3):
        table.post(table.letter("spam@stranger.test", f"Buy this now, offer {number}!", Subject="Buy this now"))
        table.tick()
    first_day = [raw for to, raw in table.server.taken if to == "spam@stranger.test"]
    table.now = table.now.replace(day=table.now.day + 1, hour=23)
    table.post(table.letter("spam@stranger.test", "Buy this now"))
    table.tick()

    assert len(first_day) == 1
    assert b"Buy" not in first_day[0]
    assert b"offer" not in first_day[0]
    assert len(first_day[0].partition(b"\r\n\r\n")[2]) < 3_000
    assert len([to for to, _ in table.server.taken if to == "spam@stranger.test"]) == 2


def test_our_own_mail_that_comes_back_is_dropped(set_table: SetTable) -> None:
    table = seated(set_table)
    sent = len(table.server.taken)

    for _, raw in list(table.server.taken):
        table.post(raw)
    counts = table.tick()

    assert counts["dropped"] == 2
    assert {one.reason for one in table.stored()} == {"loop"}
    assert len(table.server.taken) == sent


def crash(*_: object) -> Served:
    """Stand for a fault of ours."""
    raise RuntimeError("out of cheese")


def test_a_letter_that_crashes_the_judge_is_held_and_the_others_go_on(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(set_table)
    table.may_fail = True
    monkeypatch.setattr(counter, "COMMANDS", {**counter.COMMANDS, "status": crash})

    table.post(table.reply("Bob", "status"))
    table.post(table.reply("Ana", stake(table, "Ana")))
    counts = table.tick()
    table.tick()

    bad, good = table.stored()
    assert (bad.status, bad.reason, bad.tries) == ("held", "crashed", 3)
    assert good.status == "done"
    assert (counts["held"], counts["kept"]) == (1, 1)
    assert [one.key for one in holder(table, 0).plan] == ["bids.stake"]
    assert len(table.to_gm()) == 1
    alert = said(table.to_gm()[0])
    assert "Letter 1 could not be judged" in alert
    assert "RuntimeError: out of cheese" in alert
    assert "Traceback" not in alert
    assert table.mails("Bob") == []


def test_a_crash_leaves_nothing_half_done(set_table: SetTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(set_table)
    table.may_fail = True
    before = {
        name: rows for name, rows in dump(table.service.store).items() if name in ("games", "seats", "log", "people")
    }
    monkeypatch.setattr(counter, "COMMANDS", {**counter.COMMANDS, "status": crash})

    table.says("Bob", f"zone Europe/Lisbon\nundo\nstatus\n{stake(table, 'Bob')}")

    assert {name: rows for name, rows in dump(table.service.store).items() if name in before} == before


def test_a_released_letter_is_judged_again_after_the_repair(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(set_table)
    table.may_fail = True
    with monkeypatch.context() as broken:
        broken.setattr(counter, "COMMANDS", {**counter.COMMANDS, "status": crash})
        table.says("Bob", "status")

    assert command(table, "mail", "release", "1").code == 0
    table.tick()

    assert "Here is the game" in said(table.mail("Bob"))


def test_a_held_letter_is_known_to_belong_to_its_seat(set_table: SetTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(set_table)
    table.may_fail = True
    monkeypatch.setattr(counter, "COMMANDS", {**counter.COMMANDS, "status": crash})

    table.says("Bob", "status")

    assert (table.stored()[0].game, table.stored()[0].seat) == (1, 1)
    assert "game 1" in said(table.to_gm()[0]).lower()


def test_the_alert_names_commands_that_work(set_table: SetTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(set_table)
    table.may_fail = True
    monkeypatch.setattr(counter, "COMMANDS", {**counter.COMMANDS, "status": crash})
    table.says("Bob", "status")

    alert = said(table.to_gm()[0])

    assert "pbem mail show letter 1 --reveal" in alert
    assert "pbem mail release 1" in alert
    assert "pbem mail drop letter 1" in alert


def private_letters(table: Table) -> list[EmailMessage]:
    return [
        table.letter("mother@home.test", "Dinner on Sunday?"),
        table.letter("bob@players.test", "Shall we go for a walk?"),
        table.letter("list@news.test", "News of the week", **{"List-Id": "<news.test>"}),
    ]


def test_in_a_shared_mailbox_private_mail_is_left_alone(set_table: SetTable) -> None:
    table = seated(set_table, shared=True)
    private = private_letters(table)
    for letter in private:
        table.post(letter)
    table.post(table.reply("Bob", stake(table, "Bob")))
    sent = len(table.server.taken)

    counts = table.tick()

    assert counts["fetched"] == 1
    assert [raw for _, raw in table.mailbox.inbox.values()] == [one.as_bytes() for one in private]
    assert [one.sender for one in table.stored()] == ["bob@players.test"]
    assert [to for to, _ in table.server.taken[sent:]] == ["bob@players.test"]
    assert b"Dinner" not in repr(dump(table.service.store)).encode()


def test_a_shared_mailbox_is_not_read_twice(set_table: SetTable) -> None:
    table = seated(set_table, shared=True)
    for letter in private_letters(table):
        table.post(letter)

    table.tick()

    assert table.tick()["fetched"] == 0
    assert len(table.mailbox.inbox) == 3


def test_letters_are_judged_in_the_order_of_arrival(set_table: SetTable) -> None:
    table = seated(set_table)

    table.post(table.reply("Bob", stake(table, "Bob", 1), Date="Tue, 3 Mar 2026 10:00:00 +0000"))
    table.post(table.reply("Bob", stake(table, "Bob", 2), Date="Mon, 2 Mar 2026 10:00:00 +0000"))
    table.tick()

    assert holder(table, 1).plan[0].choices[0][1] == "bid 2"


def test_a_letter_that_is_too_big_is_answered(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", stake(table, "Bob"))
    assert letter["To"] == OUR

    table.post(letter)
    fetched = table.mailbox.fetch
    table.mailbox.fetch = lambda uid: type(fetched(uid))(  # type: ignore[method-assign]
        uid, 1, 60_000_000, table.now, letter.as_bytes(), truncated=True
    )
    table.tick()

    assert "60000000 bytes" in said(table.mail("Bob"))
    assert holder(table, 1).plan == ()
