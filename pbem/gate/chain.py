"""
The mail policy, as one table: the first row whose question is answered yes decides.

    accept  the desk reads it
    reply   it is not read further, its sender is told why: at the registered address, or, where there is none, seldom
            and without the text of the letter (the address may be forged)
    hold    it waits: for a confirmation, which is asked for at the registered address, or, where too much came, for the
            game master
    drop    nobody is answered; it stays on record with its key
    leave   it is not ours and stays where it is

Order matters: nothing that a program sent is ever answered, so those rows stand before all that reply.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from pbem.gate import checks, robots
from pbem.gate.checks import LetterFacts
from pbem.mail.letter import Letter

Verdict = Literal["accept", "reply", "hold", "drop", "leave"]
Check = Callable[[LetterFacts], bool]


class Row(Struct, frozen=True):
    """One line of the policy: if *check* holds, *verdict* with *key*."""

    check: Check
    verdict: Verdict
    key: str


class Ruling(Struct, frozen=True):
    """What becomes of a letter, and the key of the reason."""

    verdict: Verdict
    key: str


def _of_letter(check: Callable[[Letter], bool]) -> Check:
    """Return a question about the letter as one about the facts."""
    return lambda facts: check(facts.letter)


POLICY: tuple[Row, ...] = (
    Row(checks.is_private, "leave", "private"),
    Row(checks.is_our_own_in_shared, "leave", "own"),
    Row(checks.is_our_own, "drop", "loop"),
    Row(checks.is_bounce, "drop", "bounce"),
    Row(checks.is_receipt, "drop", "receipt"),
    Row(_of_letter(robots.is_auto_submitted), "drop", "robot.auto-submitted"),
    Row(_of_letter(robots.has_autoreply_header), "drop", "robot.autoreply"),
    Row(_of_letter(robots.is_absence_note), "drop", "robot.absent"),
    Row(_of_letter(robots.suppresses_answers), "drop", "robot.suppressed"),
    Row(_of_letter(robots.is_list_mail), "drop", "list"),
    Row(_of_letter(robots.has_bulk_precedence), "drop", "robot.precedence"),
    Row(_of_letter(robots.has_empty_return_path), "drop", "robot.no-return-path"),
    Row(_of_letter(robots.is_daemon), "drop", "robot.daemon"),
    Row(checks.is_calendar_answer, "drop", "calendar"),
    Row(checks.is_blocked, "drop", "sender.blocked"),
    Row(checks.is_too_many, "hold", "rate"),
    Row(checks.is_duplicate, "reply", "duplicate"),
    Row(checks.only_wishes, "reply", "wish"),
    Row(checks.is_masters, "reply", "master.tag"),
    Row(checks.is_stranger, "reply", "sender.unknown"),
    Row(checks.has_bad_tag, "reply", "tag.bad"),
    Row(checks.has_conflicting_tags, "reply", "tag.conflict"),
    Row(checks.is_encrypted, "reply", "encrypted"),
    Row(checks.is_winmail_only, "reply", "winmail"),
    Row(checks.is_too_big, "reply", "too-big"),
    Row(checks.is_only_forwarded, "reply", "forward-only"),
    Row(checks.is_empty, "reply", "empty"),
    Row(checks.has_no_tag, "hold", "tag.missing"),
)
ACCEPTED = Ruling("accept", "tag.valid")


def judge(facts: LetterFacts) -> Ruling:
    """Return what becomes of the letter: the first row of POLICY that holds, else it is accepted."""
    for row in POLICY:
        if row.check(facts):
            return Ruling(row.verdict, row.key)
    return ACCEPTED
