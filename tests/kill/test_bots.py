"""The players that the games are played with: what they take for a choice, and what they take for the same mail."""

from email.message import EmailMessage
from pathlib import Path
from smtplib import SMTP

from pbem.demo.bots import Players, choices
from pbem.mail.letter import Letter, read_letter
from tests.kill.director import bots, mail_server

BOT = "ana@players.test"


def question(*lines: str, decision: str = "5") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "pbem@kill.test", BOT, "[Bids 1] your turn"
    mail["Message-ID"] = f"<question-{decision}@kill.test>"
    mail["X-PBEM-Decision"] = decision
    mail.set_content("\n".join(lines) + "\n")
    return mail


def read(mail: EmailMessage) -> Letter:
    return read_letter(mail.as_bytes())


def test_choices_are_read_without_what_explains_them() -> None:
    mail = read(question("You can choose:", "", "1  take plague (costs time)", "2  take grain", "", "1  not asked"))

    assert [(1, "take plague"), (2, "take grain")] == choices(mail)


def test_a_choice_that_is_wrapped_is_read_whole() -> None:
    mail = read(question("1  travel to the town with two sacks of grain and", "   a plough", "2  pass"))

    assert [(1, "travel to the town with two sacks of grain and a plough"), (2, "pass")] == choices(mail)


def test_what_would_follow_a_choice_is_no_part_of_it() -> None:
    lines = (
        "1  pay the well",
        "   1a skip; 1b harvest (2 grain);",
        "   1c family",
        "2  take grain (costs time)",
        "   2a skip",
    )

    assert [(1, "pay the well"), (2, "take grain")] == choices(read(question(*lines)))


def test_many_choices_are_read_from_their_groups() -> None:
    mail = read(
        question("- buy: 1 buy horse; 2 buy cow (one", "  grain); 3 buy ox", "- pass: 4 pass", "", "- hut: 5 of 6")
    )

    assert [(1, "buy horse"), (2, "buy cow"), (3, "buy ox"), (4, "pass")] == choices(mail)


def test_a_mail_that_asks_nothing_has_no_choices() -> None:
    mail = question("1  Ana  12 points", "2  Bob  11 points")
    del mail["X-PBEM-Decision"]

    assert [] == choices(read(mail))


def test_a_mail_that_comes_twice_is_answered_once(tmp_path: Path) -> None:
    with mail_server(tmp_path) as where:
        players = Players(where["host"], where["smtp_port"], where["imap_port"], (BOT,), 7)
        sent = []
        with bots(players) as ask:
            for mail in (question("1  pass"), question("1  pass"), question("1  pass", decision="6")):
                with SMTP(where["host"], where["smtp_port"]) as server:
                    server.send_message(mail)
                sent.append(ask())

    assert [1, 0, 1] == sent


def test_the_same_question_gets_the_same_answer_in_every_run(tmp_path: Path) -> None:
    written = []
    for run in ("first", "second"):
        with mail_server(tmp_path / run) as where:
            players = Players(where["host"], where["smtp_port"], where["imap_port"], (BOT,), 7)
            with bots(players) as ask, SMTP(where["host"], where["smtp_port"]) as server:
                for decision in "567":
                    server.send_message(question(*(f"{n}  bid {n}" for n in range(1, 10)), decision=decision))
                    ask()
        mails = [read_letter(path.read_bytes()) for path in sorted((tmp_path / run).glob("*-pbem@kill.test.eml"))]
        written.append([mail.lines[0].text for mail in mails])

    assert 3 == len(written[0])
    assert written[0] == written[1]
