"""Who is the game master: the tag of a mail to him and his address, both; and whom nothing is answered."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from pbem.gate.tags import find_tags, parse_tags
from pbem.mail.letter import Letter
from tests.pbem.office.desk import GM, RUI, alarm, answers, mails_to, reply, said, says, with_deputies
from tests.pbem.table import OUR, Table
from tests.pbem.witness import SetTable, acts, holder, seated, stake

ACT = "pause 1"


def ready(set_table: SetTable, **values: object) -> tuple[Table, Letter]:
    table = seated(set_table, **values)
    with_deputies(table, f"Rui <{RUI}> pt")
    return table, alarm(table)


def tag_of(mail: Letter) -> str:
    """Return the tag of a mail to a master."""
    return str(next(one.tag for one in find_tags(mail) if one.tag.seat < 0))


def is_paused(table: Table) -> bool:
    return table.live().game.status == "paused"


def test_every_mail_to_a_master_has_its_tag_where_a_players_has(set_table: SetTable) -> None:
    table, alert = ready(set_table, plus="yes")
    mails = [alert, *answers(table, "status"), *answers(table, "finish 1"), *answers(table, "foo bar")]

    for mail in mails:
        tag = tag_of(mail)
        assert tag in mail.message_id
        assert mail.reply_to.address == f"pbem+{tag}@pbem.test"
        assert f"#{tag} · write above this line" in [line.text for line in mail.lines]
        assert not mail.has_header("List-Unsubscribe")
    assert len({tag_of(one) for one in mails}) == len(mails)


@pytest.mark.parametrize("carrier", ["address", "references", "marker"])
def test_each_carrier_alone_proves_him(set_table: SetTable, carrier: str) -> None:
    table, alert = ready(set_table)
    tag = tag_of(alert)
    headers = {
        "address": {"To": f"pbem+{tag}@pbem.test"},
        "references": {"References": alert.message_id},
        "marker": {},
    }[carrier]
    body = f"{ACT}\n\n#{tag}\n" if carrier == "marker" else f"{ACT}\n"

    table.post(table.letter(f"The GM <{GM.upper()}>", body, **headers))
    table.tick()

    assert is_paused(table)


def test_the_address_alone_proves_nothing_and_is_answered_seldom(set_table: SetTable) -> None:
    table, _ = ready(set_table)
    before = len(mails_to(table))

    for number in range(6):
        table.post(table.letter(GM, f"{ACT}\n{number}"))
        table.tick()
    got = mails_to(table)[before:]

    assert not is_paused(table)
    assert len(got) == 3
    assert "nothing in it proves that it is yours, so nothing was done" in said(got[0])
    says(table, ACT, to=got[0])
    assert is_paused(table)


@pytest.mark.parametrize("sender", ["bob@players.test", "anybody@elsewhere.test", RUI])
def test_a_mail_that_was_passed_on_is_of_no_use_to_who_gets_it(set_table: SetTable, sender: str) -> None:
    table, alert = ready(set_table)

    table.post(table.letter(sender, f"{ACT}\n\n#{tag_of(alert)}\n"))
    table.post(reply(table, alert, "finish 1", sender))
    table.tick()
    table.tick()

    assert not is_paused(table)
    assert acts(table) == []
    warned = [one for one in mails_to(table) if "carries the mark of a mail that went to you" in said(one)]
    if sender == RUI:  # he may act, but with his own mails
        assert warned == []
        assert "nada nela prova que é sua" in said(mails_to(table, RUI)[-1])
        return
    assert len(warned) == 1
    assert sender in said(warned[0])
    if sender.startswith("bob"):
        told = table.mails("Bob")
        assert ["belongs to a mail that went to somebody else" in said(one) for one in told] == [True]


def test_a_players_own_letter_counts_beside_a_mail_that_was_passed_on_to_him(set_table: SetTable) -> None:
    table, alert = ready(set_table)
    forwarded = "\n".join(f"> {line.text}" for line in alert.lines)

    table.post(table.reply("Bob", f"{stake(table, 'Bob')}\n\n{forwarded}"))
    table.tick()

    assert holder(table, 1).plan
    assert not is_paused(table)


def test_the_tag_of_another_address_another_part_or_an_old_mail_is_worthless(set_table: SetTable) -> None:
    table, alert = ready(set_table)
    theirs = mails_to(table, RUI)[-1]
    settings = table.service.settings

    table.service = replace(table.service, settings=replace(settings, gm=replace(settings.gm, address="new@pbem.test")))
    for sender in (GM, "new@pbem.test"):
        table.post(reply(table, alert, ACT, sender))
    table.tick()
    assert not is_paused(table)

    table.service = replace(
        table.service, settings=replace(settings, gm=replace(settings.gm, address=RUI, deputies=()))
    )
    table.post(reply(table, theirs, ACT, RUI))
    table.tick()
    assert not is_paused(table), "a deputy's tags are not those of the game master"

    table.service = replace(table.service, settings=settings)
    table.tick(after=timedelta(days=91))
    table.post(reply(table, alert, ACT))
    table.tick()
    assert acts(table) == []
    assert "nothing in it proves that it is yours" in said(mails_to(table)[-1])


def test_a_removed_deputy_can_do_nothing(set_table: SetTable) -> None:
    table, _ = ready(set_table)
    theirs = mails_to(table, RUI)[-1]
    with_deputies(table)

    table.post(reply(table, theirs, ACT, RUI))
    table.tick()

    assert not is_paused(table)


def test_a_tag_says_nothing_about_the_tag_of_another_mail(set_table: SetTable) -> None:
    table, alert = ready(set_table)
    says(table, "finish 1")
    question = mails_to(table)[-1]
    known, wanted = parse_tags(tag_of(alert))[0], parse_tags(tag_of(question))[0]
    forged = replace(known, decision=wanted.decision, game=wanted.game)

    table.post(table.letter(GM, f"confirm\n\n#{forged}\n"))
    table.tick()

    assert acts(table) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"X-Autoreply": "yes"},
        {"Precedence": "bulk"},
        {"List-Id": "<a.b>"},
        {"Return-Path": "<>"},
        {"X-Auto-Response-Suppress": "All", "Subject": "Out of office"},
    ],
)
def test_a_robot_at_his_address_does_nothing_and_is_not_answered(set_table: SetTable, headers: dict[str, str]) -> None:
    table, alert = ready(set_table)
    before = len(mails_to(table))

    table.post(table.letter(GM, f"{ACT}\n", References=alert.message_id, **headers))
    table.tick()

    assert not is_paused(table)
    assert len(mails_to(table)) == before


def test_a_mail_to_him_that_comes_back_leads_to_no_other(set_table: SetTable) -> None:
    table, alert = ready(set_table)
    before = len(table.server.taken)
    returned = f"X-PBEM-Outbox: {alert.header('X-PBEM-Outbox')}\nMessage-ID: {alert.message_id}\n"
    report = (
        "From: MAILER-DAEMON@pbem.test\nTo: pbem@pbem.test\nReturn-Path: <>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\n\n--x\n\nnot delivered\n'
        f"--x\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; {GM}\nAction: failed\nStatus: 5.1.1\n"
        f"\n--x\nContent-Type: message/rfc822\n\n{returned}\n\n--x--\n"
    )

    table.post(report.encode())
    table.tick()

    assert len(table.server.taken) == before


def test_two_robots_fall_silent(set_table: SetTable) -> None:
    table, _ = ready(set_table)
    before = len(mails_to(table))

    for number in range(30):
        says(table, f"Your message {number} was received and will be read by our team soon.")
    for _ in range(5):
        says(table, "We thank you for writing.")

    assert len(mails_to(table)) - before <= 21


def test_the_same_letter_twice_is_done_once(set_table: SetTable) -> None:
    table, alert = ready(set_table)
    letter = reply(table, alert, "extend 1 24h")
    deadline = holder(table, 0).deadline
    assert deadline is not None

    table.post(letter)
    table.post(letter)
    table.post(reply(table, alert, "extend 1 24h"))
    table.tick()
    table.tick()

    assert holder(table, 0).deadline == deadline + timedelta(hours=24)
    says(table, "extend 1 24h")
    assert holder(table, 0).deadline == deadline + timedelta(hours=48)


def test_what_is_quoted_below_is_not_his(set_table: SetTable) -> None:
    table, alert = ready(set_table)
    bare = "\n".join(line.text for line in alert.lines)

    for text in (f"Thanks.\n\n-----Original Message-----\nFrom: Post <{OUR}>\n{bare}\n", f"Thanks.\n\n{bare}\n"):
        table.post(table.letter(GM, text, References=alert.message_id))
        table.tick()

    assert "pause 1" in bare
    assert acts(table) == []


@pytest.mark.parametrize("below", ["quoted", "bare", "nothing"])
def test_the_line_that_a_mail_offers_may_be_typed_above_it(set_table: SetTable, below: str) -> None:
    table, alert = ready(set_table)
    bare = "\n".join(line.text for line in alert.lines)
    texts = {"quoted": bare.replace("\n", "\n> "), "bare": f"From: Post <{OUR}>\nSubject: x\n\n{bare}", "nothing": ""}

    table.post(table.letter(GM, f"pause 1\n\n{texts[below]}\n", References=alert.message_id))
    table.tick()

    assert is_paused(table)


def test_a_tapped_link_does_what_it_says(set_table: SetTable) -> None:
    table, alert = ready(set_table)

    table.post(table.letter(GM, f"pause 1\r\n\r\n#{tag_of(alert)} · write above this line\r\n"))
    table.tick()

    assert is_paused(table)


def test_a_master_who_plays_writes_as_the_tag_says(set_table: SetTable) -> None:
    table, _ = ready(set_table)
    settings = table.service.settings
    bob = "bob@players.test"
    table.service = replace(table.service, settings=replace(settings, gm=replace(settings.gm, address=bob)))
    alert = alarm(table, sender=bob)

    table.post(reply(table, alert, "extend 1 24h", bob))
    table.tick()
    assert [one.what for one in acts(table)] == ["extend"]
    own = next(one for one in reversed(mails_to(table, bob)) if one.header("X-PBEM-Seat") == "1")
    table.post(reply(table, own, "pause", bob))
    table.tick()

    assert holder(table, 1).wants_pause
    assert not is_paused(table)


def test_who_is_shut_out_as_a_player_is_still_the_game_master(set_table: SetTable) -> None:
    table, _ = ready(set_table)
    settings = table.service.settings
    bob = "bob@players.test"
    table.service = replace(table.service, settings=replace(settings, gm=replace(settings.gm, address=bob)))
    alert = alarm(table, sender=bob)
    (question,) = answers(table, "block Bob", bob, to=alert)
    says(table, "confirm", bob, to=question)

    says(table, ACT, bob, to=alert)

    assert is_paused(table)
