"""What `doctor` makes of a mail that it sent itself."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.doctor import Finding, Trip, papers, skew
from pbem.mail.letter import read_letter
from pbem.store.base import pass_lock
from tests.pbem.cli.test_running import post
from tests.pbem.witness import SetTable, command

__all__ = ["post"]

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def letter(*results: str) -> Trip:
    headers = "".join(f"Authentication-Results: {one}\n" for one in results)
    return Trip(read_letter(f"{headers}From: pbem@pbem.test\n\nx\n".encode()), NOON, NOON)


def states(*results: str) -> dict[str, tuple[str, str]]:
    return {one.name: (one.state, one.detail) for one in papers(letter(*results).letter)}


def test_what_the_mailbox_says_of_our_papers_is_told():
    told = states("mx.test; spf=pass smtp.mailfrom=x; dkim=fail (bad) header.d=pbem.test; dmarc=none")

    assert told == {"spf": ("ok", "pass"), "dkim": ("note", "fail"), "dmarc": ("note", "none")}


def test_the_last_servers_word_counts():
    told = states("mx.test; spf=fail; dkim=pass", "relay.test; spf=pass; dkim=fail; dmarc=pass")

    assert told == {"spf": ("note", "fail"), "dkim": ("ok", "pass"), "dmarc": ("note", "not looked at")}


@pytest.mark.parametrize("results", [(), ("mx.test; none",), ("",)])
def test_where_nothing_is_told_one_note_says_so(results):
    (found,) = papers(letter(*results).letter)

    assert (found.name, found.state) == ("spf, dkim, dmarc", "note")


@pytest.mark.parametrize(
    ("minutes", "state", "detail"),
    [(0, "ok", "as ours"), (4, "ok", "as ours"), (11, "fault", "11 minutes behind ours"),
     (-9, "fault", "9 minutes before ours")],
)  # fmt: skip
def test_a_mailbox_whose_clock_is_wrong_is_a_fault(minutes: int, state: str, detail: str):
    trip = Trip(letter().letter, NOON + timedelta(minutes=minutes), NOON)

    assert Finding("mailbox clock", state, detail) == skew(trip)


def test_a_mail_to_ourselves_is_followed_and_what_survives_is_kept(set_table: SetTable, post: dict[str, int]) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, "doctor", "--send", "--json")

    told = {one["name"]: one["state"] for one in ran.json["findings"]}
    assert ran.code == 0, ran.out
    assert {told[name] for name in ("mail to ourselves", "mailbox clock", "plus address", "message-id", "from")} == {
        "ok"
    }


def test_while_a_pass_is_at_work_no_mail_is_followed(set_table: SetTable, post: dict[str, int]) -> None:
    table = set_table("Ana pt", "Bob en")

    with pass_lock(table.service.lock_path):
        ran = command(table, "doctor", "--send", "--json")

    assert ran.code == 1
    assert "a pass is at work" in ran.out
