"""`tick`, its four parts, and `watch`."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import print_json, print_text, sentence
from pbem.cli.shared import AsJson, opened
from pbem.clock import utc_now
from pbem.errors import Exit, TryLater

if TYPE_CHECKING:
    from pbem.mail.ports import Account

ALL = ("fetch", "judge", "time", "send")
_NUMBERED = re.compile(r"\S*\d\S*")  # words with a digit: servers number their refusals


def tick(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Fetch, judge, keep time and send, once. Safe to repeat, safe to kill."""
    _pass(context, ALL, as_json=as_json)


def fetch(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Take letters from the mailbox into the store."""
    _pass(context, ("fetch",), as_json=as_json)


def judge(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Judge every letter that waits."""
    _pass(context, ("judge",), as_json=as_json)


def time(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Keep time: holds, reminders, deadlines, bots."""
    _pass(context, ("time",), as_json=as_json)


def send(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Compose mails from what is to be told, and send what may go now."""
    _pass(context, ("send",), as_json=as_json)


def watch(
    context: typer.Context,
    every: Annotated[int, typer.Option(min=5, help="Seconds between two passes, at most.")] = 60,
) -> None:
    """
    Pass after pass, until stopped; where there is no cron.

    Where the mailbox offers IDLE, a letter that comes starts a pass at once. What goes wrong is said once, not with
    every pass. Ctrl-C ends it at once, with 130; SIGTERM as soon as no pass is at work, with 0.
    """
    from pbem.mail.idle import Bell

    ending = _Ending()
    trouble = ""
    with Bell(lambda: _mailbox(context)) as bell:
        while True:
            with ending.at_once():
                bell.listen()
            trouble = _round(context, trouble)
            with ending.at_once():
                bell.wait(every)


class _Ending:
    """What SIGTERM does to a watch: it ends it at once while it waits, but lets a pass come to its end."""

    def __init__(self) -> None:
        self._asked = self._waits = False
        signal.signal(signal.SIGTERM, self._ask)

    def _ask(self, _number: int, _frame: object) -> None:
        self._asked = True
        if self._waits:
            raise SystemExit(Exit.DONE)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let SIGTERM end the program within this block, also one that came before it."""
        self._waits = True
        try:
            if self._asked:
                raise SystemExit(Exit.DONE)
            yield
        finally:
            self._waits = False


def _mailbox(context: typer.Context) -> "Account":
    """Return the login of the mailbox, as the settings are now."""
    from pbem.accounts import imap_account
    from pbem.settings import load_settings

    return imap_account(load_settings(context.obj.config, os.environ))


def _round(context: typer.Context, known: str) -> str:
    """Run a pass and say what it did; return its trouble, which is said if it is not the *known* one."""
    try:
        counts = _counts(context, ALL)
    except TryLater as error:
        text = sentence(error)
        gist = error.key + _NUMBERED.sub("", str(dict(error.fields).get("detail", text)))
        if gist != known:
            print_text(text)
        return gist
    if _done(counts):
        print_text(_done(counts))
    return ""


def _pass(context: typer.Context, parts: tuple[str, ...], *, as_json: bool) -> None:
    counts = _counts(context, parts)
    if as_json:
        print_json(counts)
    elif counts["skipped"]:
        print_text("skipped: another pass is at work")
    else:
        print_text(_done(counts) or "nothing to do")


def _counts(context: typer.Context, parts: tuple[str, ...]) -> "dict[str, int | bool]":
    from pbem.tick import PARTS, run_pass

    with opened(context) as service:
        return run_pass(service, [part for part in PARTS if part in parts], utc_now)


def _done(counts: "dict[str, int | bool]") -> str:
    """Return what a pass did, in a few words; nothing if it found nothing to do."""
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count and name != "skipped")
