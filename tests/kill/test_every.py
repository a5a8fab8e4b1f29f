"""A slice of `python -m tests.kill.every`: each part and each kind of step once; and that it finds what is wrong."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tests.kill.children import ROOT
from tests.kill.traces import Traces, compare

PATIENCE = 900
SHORT = ("--games", "robot", "--ticks", "3")

STEPS = {
    "tick": {"begin", "commit", "file"},
    "fetch": {"open", "new_uids", "letter", "begin", "commit", "move_many", "move a letter"},
    "judge": {"begin", "commit"},
    "time": {"read", "begin", "commit"},
    "send": {"begin", "commit", "hand over"},
    "gm": {"begin", "commit"},
}


def played(*words: str, before: str = "") -> "subprocess.CompletedProcess[str]":
    """Return how a season ended that was played in a process of its own; *before* is run in it first."""
    program = f"{before}\nimport sys\nfrom tests.kill.every import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)


def tried(output: str) -> dict[str, set[str]]:
    """Return the kinds of steps of each part at which there was trouble, before and after both."""
    rows = re.findall(r"^(\w+) +(.+?) +(before|after) +\d+ +([1-9]\d*) ", output, re.MULTILINE)
    times = Counter((part, kind) for part, kind, *_ in rows)
    return {part: {kind for (of, kind), count in times.items() if of == part and count} for part, *_ in rows}


def test_a_death_at_each_sort_of_step_loses_and_doubles_nothing() -> None:
    done = played(*SHORT, "--sample", "1000000", "--twice", "3")

    assert 0 == done.returncode, done.stdout[-3_000:] + done.stderr
    assert "0 breaches" in done.stdout
    found = tried(done.stdout)
    assert {} == {
        part: kinds - found.get(part, set()) for part, kinds in STEPS.items() if kinds - found.get(part, set())
    }


@pytest.mark.slow
def test_a_store_that_is_locked_for_one_transaction_loses_and_doubles_nothing() -> None:
    done = played(*SHORT, "--sample", "2", "--trouble", "locked")

    assert 0 == done.returncode, done.stdout[-3_000:] + done.stderr


@pytest.mark.slow
def test_a_store_that_is_full_from_some_step_on_loses_and_doubles_nothing() -> None:
    trouble = "full" if os.geteuid() == 0 else "limited"
    done = played(*SHORT, "--sample", "4", "--trouble", trouble)

    assert 0 == done.returncode, done.stdout[-3_000:] + done.stderr


@pytest.mark.slow
def test_a_program_without_transactions_is_found_out() -> None:
    sabotage = """
from msgspec.structs import replace
from pbem.store import base
from tests.kill.troubles import KINDS
base._begin_sqlite = lambda connection: None
KINDS["killed"] = replace(KINDS["killed"], points=(("statement", "after"),))
"""
    done = played(*SHORT, "--sample", "5", "--statements", "1", before=sabotage)

    assert 1 == done.returncode, done.stdout[-3_000:] + done.stderr
    assert re.search(r"\n[1-9]\d* breaches", done.stdout)


@pytest.mark.slow
def test_the_season_holds_all_that_it_promises() -> None:
    done = played("--trouble", "none", "--ticks", "44")

    assert 0 == done.returncode, done.stderr
    told = dict(
        line.split(": ", 1) for line in done.stdout.splitlines() if re.match(r"(letters|log|outbox|notices): ", line)
    )
    wanted = {
        "letters": "done duplicate, done confirming, done tag.bad, done tag.old, done too-big, dropped bounce, "
        "dropped fetched-again, dropped robot.auto-submitted",
        "log": "chance, default, forced, gm, line",
        "outbox": "alert sent, confirmation sent, digest sent, invitation sent, notice refused, press sent, "
        "refusal sent",
        "notices": "alert.away, alert.mail-refused, alert.unreachable, clock.reminder, undo.asked, game.extended, "
        "game.finished, game.over, game.paused, game.resumed, game.rewound, letter.confirm, order.held, order.refused, "
        "order.undone, press.received, seat.late, seat.replaced",
    }
    missing = {name: [key for key in keys.split(", ") if f"{key} " not in told[name]] for name, keys in wanted.items()}
    assert {name: [] for name in wanted} == missing


def row(**values: object) -> tuple[tuple[str, object], ...]:
    return tuple(values.items())


MAIL = b"Message-ID: <g1.s0.d4.kmemq5y4fd.%s@pbem.test>\r\nX-PBEM-Kind: report\r\nX-PBEM-Outbox: 1.aaa\r\n\r\nHello\r\n"
NONCE, OTHER = b"0123456789abcdef", b"fedcba9876543210"
LETTER = row(uidvalidity=1, uid=1, status="done", reason="accepted", game_id=1, seat=0, tries=1)
ENTRY = row(game_id=1, seq=1, seat=0, text="bid 1", cause="line")
NOTICE = row(id=1, game_id=1, seat=0, key="order.taken", fields="{}")


def world(nonce: bytes = NONCE, times: int = 1, body: bytes = b"", **tables: Sequence[object]) -> Traces:
    """Return the traces of a small world: a letter, an entry, a notice and a mail."""
    raw = MAIL % nonce + body
    identity = raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()
    kept = row(
        message_id=identity, game_id=1, seat=0, kind="report", decision=4, recipient="a@b.test", status="sent", raw=raw
    )
    rows = {"letters": (LETTER,), "log": (ENTRY,), "notices": (NOTICE,), "outbox": (kept,), "acts": ()} | tables
    return Traces(rows, (("a@b.test", identity, raw),) * times, (), (1,), None)  # type: ignore[arg-type]


def test_worlds_that_differ_in_what_is_drawn_anew_are_the_same() -> None:
    assert [] == compare(world(), world()).breaches(1)


def test_one_repeated_mail_a_kill_is_no_breach_and_two_are() -> None:
    once, twice = compare(world(), world(times=2)), compare(world(), world(times=3))

    assert (1, []) == (len(once.repeated), once.breaches(1))
    assert (2, 2, []) == (len(twice.repeated), len(twice.breaches(1)), twice.breaches(2))


@pytest.mark.parametrize(
    ("found", "what"),
    [
        (world(letters=()), "lost"),
        (world(log=()), "lost"),
        (world(notices=()), "lost"),
        (world(times=0), "lost"),
        (world(letters=(LETTER, LETTER)), "doubled"),
        (world(log=(ENTRY, ENTRY)), "doubled"),
        (world(notices=(NOTICE, NOTICE)), "doubled"),
        (world(log=(row(game_id=1, seq=1, seat=0, text="bid 2", cause="line"),)), "log"),
        (world(acts=(row(id=1, what="pause"),)), "rest"),
        (replace(world(), inbox=(1,), processed=()), "boxes"),
        (replace(world(times=2), sent=(world().sent[0], ("a@b.test", world().sent[0][1], b"other"))), "changed"),
        (replace(world(), sent=(world().sent[0], world(OTHER).sent[0])), "doubled"),
        (replace(world(), key=(0, 0o600)), "rest"),
    ],
)
def test_what_is_wrong_is_found(found: Traces, what: str) -> None:
    verdict = compare(world(), found)

    assert getattr(verdict, what)
    assert verdict.breaches(1)
