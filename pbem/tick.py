"""`tick` and its four parts, under one lock."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

from pbem.accounts import imap_account, smtp_account
from pbem.dispatch import send
from pbem.errors import TryLater
from pbem.intake import fetch
from pbem.mail.errors import MailboxError, SmtpError
from pbem.mail.imap import ImapMailbox
from pbem.mail.smtp import Sender
from pbem.referee import judge_all
from pbem.service import Service
from pbem.store.base import pass_lock
from pbem.timekeeper import keep_time

Part = Literal["fetch", "judge", "time", "send"]
PARTS: tuple[Part, ...] = ("fetch", "judge", "time", "send")

COUNTS = ("fetched", "accepted", "kept", "refused", "held", "dropped", "sent", "failed")
"""What a pass reports, in this order."""


def run_pass(service: Service, parts: Sequence[Part], now: Callable[[], datetime]) -> dict[str, int | bool]:
    """
    Return the counts of one pass over *parts*, and whether it was `skipped` because another pass holds the lock.

    Raises: TryLater, with the counts in `fields`, if the mailbox or the server could not be had; all else was done.
    """
    with pass_lock(service.lock_path) as held:
        if not held:
            return {**dict.fromkeys(COUNTS, 0), "skipped": True}
        counts: Counter[str] = Counter()
        troubles: list[str] = []
        for part in parts:
            _STEPS[part](service, now(), counts, troubles)
    done: dict[str, int | bool] = {name: counts[name] for name in COUNTS}
    if troubles:
        raise TryLater("pass.troubles", detail="; ".join(troubles), **done)
    return {**done, "skipped": False}


def _fetch(service: Service, now: datetime, counts: Counter[str], troubles: list[str]) -> None:
    mailbox = ImapMailbox(imap_account(service.settings))
    try:
        counts["fetched"] += fetch(service, mailbox, now)
    except MailboxError as error:
        troubles.append(str(error))
    finally:
        mailbox.close()


def _judge(service: Service, now: datetime, counts: Counter[str], troubles: list[str]) -> None:  # noqa: ARG001
    counts.update(judge_all(service, now))


def _time(service: Service, now: datetime, counts: Counter[str], troubles: list[str]) -> None:  # noqa: ARG001
    counts["timed"] += keep_time(service, now)


def _send(service: Service, now: datetime, counts: Counter[str], troubles: list[str]) -> None:
    try:
        with Sender(smtp_account(service.settings)) as server:
            counts.update(send(service, server, now))
    except SmtpError as error:
        troubles.append(str(error))


_STEPS = {"fetch": _fetch, "judge": _judge, "time": _time, "send": _send}
