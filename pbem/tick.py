"""`tick` and its four parts, under one lock."""

from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Literal

from pbem.accounts import imap_account, smtp_account
from pbem.clock import Now
from pbem.dispatch import send
from pbem.errors import TryLater
from pbem.intake import fetch
from pbem.journal import milliseconds, tell
from pbem.mail.errors import MailboxError, SmtpError
from pbem.mail.imap import ImapMailbox
from pbem.mail.smtp import Sender
from pbem.outage import watch_reading
from pbem.passes import begin_pass, end_pass
from pbem.purging import purge_daily
from pbem.referee import judge_all
from pbem.service import Service
from pbem.store.base import pass_lock
from pbem.timekeeper import keep_time

Part = Literal["fetch", "judge", "time", "send"]
PARTS: tuple[Part, ...] = ("fetch", "judge", "time", "send")

Troubles = dict[str, str]
"""What stood in the way, by part."""

COUNTS = ("fetched", "accepted", "kept", "refused", "held", "dropped", "sent", "failed")
"""What a pass reports, in this order."""


def run_pass(service: Service, parts: Sequence[Part], now: Now) -> dict[str, int | bool]:
    """
    Return the counts of one pass over *parts*, and whether it was `skipped` because another pass holds the lock.

    Raises: TryLater, with the counts in `fields`, if the mailbox or the server could not be had; all else was done.
    """
    with pass_lock(service.lock_path) as held:
        if not held:
            tell("tick.skipped")
            return {**dict.fromkeys(COUNTS, 0), "skipped": True}
        counts: Counter[str] = Counter()
        troubles: Troubles = {}
        spent: dict[str, int] = {}
        begin_pass(service, now())
        watch_reading(service, now())
        for part in parts:
            begun = perf_counter()
            _STEPS[part](service, now, counts, troubles)
            spent[f"{part}_ms"] = milliseconds(begun)
        if "time" in parts:
            purge_daily(service, now)
        done = {name: counts[name] for name in COUNTS}
        end_pass(service, parts, done, troubles, now())
    tell("tick.done", **done, troubles=len(troubles), **spent)
    if troubles:
        raise TryLater("pass.troubles", detail="; ".join(troubles.values()), **done)
    return {**done, "skipped": False}


def _fetch(service: Service, now: Now, counts: Counter[str], troubles: Troubles) -> None:
    begun = now()
    try:
        mailbox = ImapMailbox(imap_account(service.settings))
        try:
            fetch(service, mailbox, begun, counts)
        finally:
            mailbox.close()
    except (MailboxError, TryLater) as error:
        troubles["fetch"] = str(error)
    watch_reading(service, begun, tried=True)


def _judge(service: Service, now: Now, counts: Counter[str], troubles: Troubles) -> None:  # noqa: ARG001
    counts.update(judge_all(service, now()))


def _time(service: Service, now: Now, counts: Counter[str], troubles: Troubles) -> None:  # noqa: ARG001
    counts["timed"] += keep_time(service, now())


def _send(service: Service, now: Now, counts: Counter[str], troubles: Troubles) -> None:
    try:
        with Sender(smtp_account(service.settings)) as server:
            send(service, server, now(), now, counts)
    except (SmtpError, TryLater) as error:
        troubles["send"] = str(error)


_STEPS: dict[Part, Callable[[Service, Now, Counter[str], Troubles], None]] = {
    "fetch": _fetch,
    "judge": _judge,
    "time": _time,
    "send": _send,
}
