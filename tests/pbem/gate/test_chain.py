"""The policy as a table: what decides before what."""

import pytest
from msgspec.structs import replace

from pbem.gate import checks
from pbem.gate.chain import POLICY, judge
from pbem.gate.checks import JudgedTag, LetterFacts, answered_tag
from pbem.gate.tags import Tag
from pbem.mail.letter import read_letter
from tests.mail.corpus import facts_of, letter_of

SEAT = JudgedTag(Tag(12, 2, 141, "0123456789"), "marker", valid=True)


def letter_with(headers: str = "", body: str = "take green council\n"):
    return read_letter(f"From: bia@players.example\n{headers}\n{body}".encode())


def test_keys_are_unique_and_each_check_is_told_in_one_sentence():
    assert len(POLICY) == len({row.key for row in POLICY})
    named = [check for name, check in vars(checks).items() if name.startswith(("is_", "has_"))]
    assert all((check.__doc__ or "").startswith("Return whether") for check in named)


def test_nothing_that_a_program_sent_is_answered():
    first_reply = min(place for place, row in enumerate(POLICY) if row.verdict in {"reply", "hold"})

    assert all(row.verdict in {"drop", "leave"} for row in POLICY[:first_reply])
    assert all(row.verdict in {"reply", "hold"} for row in POLICY[first_reply:])


def test_who_is_shut_out_is_dropped_whatever_else_his_letter_is():
    facts = LetterFacts(letter=letter_with(), tags=(SEAT,), blocked=True, duplicate=True, recent=9, most_recent=1)

    assert ("drop", "sender.blocked") == (judge(facts).verdict, judge(facts).key)
    assert "private" == judge(LetterFacts(letter=letter_with(), shared=True, blocked=True)).key


@pytest.mark.parametrize("status", ["open", "running", "paused", "over", "aborted"])
def test_the_state_of_the_game_is_the_desks_affair(status):
    facts = LetterFacts(letter=letter_with(), tags=(SEAT,), game_status=status)

    assert "accept" == judge(facts).verdict


@pytest.mark.parametrize(
    ("name", "verdict", "key"),
    [
        ("f30-stranger", "leave", "private"),
        ("f38-no-tag", "leave", "private"),
        ("f25-auto-submitted-no", "accept", "tag.valid"),
        ("f25-auto-submitted", "drop", "robot.auto-submitted"),
        ("f28-own-header", "leave", "own"),
        ("f29-failed", "drop", "bounce"),
        ("f29-old-style", "drop", "bounce"),
        ("f40-bad-tag", "reply", "tag.bad"),
        ("f41-newsletter", "leave", "private"),
        ("f64-tapped-link", "accept", "tag.valid"),
    ],
)
def test_in_a_shared_mailbox_what_is_not_ours_is_left_alone(name, verdict, key):
    facts = replace(facts_of(letter_of(name)), shared=True)

    ruling = judge(facts)

    assert (verdict, key) == (ruling.verdict, ruling.key)


def test_in_a_shared_mailbox_a_bounce_of_other_mail_is_left_alone():
    raw = "Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n\nnot delivered\n--x--\n"

    assert "private" == judge(LetterFacts(letter=read_letter(raw.encode()), shared=True)).key


def test_a_second_copy_is_answered_again_but_a_robots_is_not():
    copy = LetterFacts(letter=letter_with(), tags=(SEAT,), duplicate=True)
    robots_copy = LetterFacts(letter=letter_with("Auto-Submitted: auto-replied\n"), tags=(SEAT,), duplicate=True)

    assert ("reply", "duplicate") == (judge(copy).verdict, judge(copy).key)
    assert "drop" == judge(robots_copy).verdict


def test_a_truncated_letter_is_told_so():
    assert "too-big" == judge(LetterFacts(letter=letter_with(), tags=(SEAT,), truncated=True)).key


def test_our_message_id_under_another_tag_is_a_loop():
    assert "loop" == judge(LetterFacts(letter=letter_with(), own_id=True)).key


def test_one_valid_tag_proves_the_seat_beside_an_old_one():
    old = JudgedTag(Tag(12, 2, 120, "9999999999"), "reference", valid=False)

    assert "accept" == judge(LetterFacts(letter=letter_with(), tags=(old, SEAT))).verdict


def test_two_tags_of_one_seat_are_no_conflict():
    older = JudgedTag(Tag(12, 2, 120, "0123456789"), "reference", valid=True)

    assert "accept" == judge(LetterFacts(letter=letter_with(), tags=(older, SEAT))).verdict


def test_the_answered_mail_is_that_of_the_address_then_the_last_reference_then_the_first_marker():
    def judged(carrier, decision, valid=True):
        return JudgedTag(Tag(12, 2, decision, "0123456789"), carrier, valid=valid)

    address, first, last = judged("address", 1), judged("reference", 2), judged("reference", 3)
    marker, quoted, bad = judged("marker", 4), judged("marker", 5), judged("address", 6, valid=False)

    def answered(*tags):
        tag = answered_tag(LetterFacts(letter=letter_with(), tags=tags))
        return tag and tag.decision

    assert 1 == answered(address, first, last, marker)
    assert 3 == answered(bad, first, last, marker)
    assert 4 == answered(bad, marker, quoted)
    assert answered(bad) is None


@pytest.mark.parametrize(
    "subject",
    ["Automatic reply: Village 12", "Out of the office", "Abwesenheitsnotiz", "Réponse automatique : x", "Autosvar: x"],
)
def test_absence_notes_are_known_by_their_subject(subject):
    assert "robot.absent" == judge(LetterFacts(letter=letter_with(f"Subject: {subject}\n"), tags=(SEAT,))).key


@pytest.mark.parametrize("subject", ["Re: Automatic reply", "take green council", "Re: Village 12: your turn", ""])
def test_other_subjects_are_no_absence_notes(subject):
    assert "accept" == judge(LetterFacts(letter=letter_with(f"Subject: {subject}\n"), tags=(SEAT,))).verdict


@pytest.mark.parametrize(
    ("address", "is_program"),
    [
        ("MAILER-DAEMON@mail.example.org", True),
        ("no-reply@shop.example", True),
        ("noreply+123@shop.example", True),
        ("donotreply@shop.example", True),
        ("bounces+77@shop.example", True),
        ("list-request@lists.example", True),
        ("norah.eply@players.example", False),
        ("postmaster@players.example", False),
        ("robot.fan@players.example", False),
    ],
)
def test_addresses_of_programs(address, is_program):
    letter = read_letter(f"From: <{address}>\n\ntake green council\n".encode())

    assert is_program == ("robot.daemon" == judge(LetterFacts(letter=letter, tags=(SEAT,))).key)
