"""`tick`, its four parts, and `watch`."""

import time as clock
from typing import Annotated

import typer

from pbem.cli.output import print_json, print_text, sentence
from pbem.cli.shared import AsJson, opened
from pbem.clock import utc_now
from pbem.errors import TryLater


def tick(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Fetch, judge, keep time and send, once. Safe to repeat, safe to kill."""
    _pass(context, ("fetch", "judge", "time", "send"), as_json=as_json)


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
    every: Annotated[int, typer.Option(min=5, help="Seconds between two passes.")] = 60,
) -> None:
    """Pass after pass, until stopped; where there is no cron."""
    while True:
        try:
            _pass(context, ("fetch", "judge", "time", "send"), as_json=False)
        except TryLater as error:
            print_text(sentence(error))
        clock.sleep(every)


def _pass(context: typer.Context, parts: tuple[str, ...], *, as_json: bool) -> None:
    from pbem.tick import PARTS, run_pass

    with opened(context) as service:
        counts = run_pass(service, [part for part in PARTS if part in parts], utc_now)
    if as_json:
        print_json(counts)
    elif counts["skipped"]:
        print_text("skipped: another pass is at work")
    else:
        done = [f"{name} {count}" for name, count in counts.items() if count and name != "skipped"]
        print_text(", ".join(done) or "nothing to do")
