"""Whole mails to who only looks on are the same bytes in every world that everybody cannot tell apart."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.log import Record, may_read, rewind_points
from engine.core.play import Made
from engine.core.types import CHANCE, Seat
from pbem.observing import public_entries
from pbem.post.compose import compose
from pbem.post.facts import Happened, MailFacts
from pbem.post.gather import happened_in
from pbem.store.observers import FIRST
from pbem.store.outbox import Noticed
from tests.contract import laws
from tests.contract.titles import Setting
from tests.pbem.post.sample import WORDS, drawings, facts_at

SETTINGS = (
    Setting("bids", 3),
    Setting("tiny_towns", 1),
    Setting("tiny_towns", 3, (("town-hall", "yes"),)),
    Setting("tiny_towns", 4),
)
SINCE = 20
WORLDS = 4
NOW = datetime(2026, 12, 1, 18, 30, tzinfo=UTC)


def told(records: laws.Records) -> tuple[Happened, ...]:
    """Return what who looks on is told of *records*."""
    made = [Made(one, "chance" if one.entry.seat == CHANCE else "line") for one in records]
    notice = Noticed(1, 12, FIRST, "entries", {"entries": public_entries(made)}, urgent=True, at=NOW)
    return tuple(happened_in(notice))


def facts(setting: Setting, records: laws.Records, language: str) -> MailFacts:
    """Return the report to who looks on after *records*."""
    position = records[-1].position
    base = facts_at(setting, position, (), Seat(0), language=language, ask=None, ahead=(), plan=())
    view = setting.ruleset.view(position.state, None)
    return replace(base, seat=FIRST, view=view, happened=told(records[-SINCE:]))


def mailed(setting: Setting, records: laws.Records, language: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the mail, headers and all, and its pictures."""
    told = facts(setting, records, language)
    return compose(told, WORDS, "nonce").raw, drawings(told)


def other_worlds(setting: Setting, records: laws.Records, chooser: random.Random) -> Iterator[list[Record[Any]]]:
    """Yield beginnings of the game in which something else was chosen or drawn where not everybody may read it."""
    hidden = [at for at, one in enumerate(records) if not may_read(one, None)]
    for at in chooser.sample(hidden, min(WORLDS, len(hidden))):
        before, was = records[at - 1].position if at else setting.start(), records[at].entry
        others = [one for one in laws.texts(setting.ruleset, before.state, was.seat) if one != was.text]
        if others:
            yield [*records[:at], laws.make_entry(setting.ruleset, before, was.seat, chooser.choice(others))]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_whole_mails_to_who_looks_on_are_the_same_in_both_worlds(setting: Setting, language: str) -> None:
    chooser = random.Random(7)
    compared: list[int] = []

    def compare(one: laws.Records, other: laws.Records, seat: Seat | None) -> None:
        assert seat is None
        compared.append(len(one))
        assert mailed(setting, one, language) == mailed(setting, other, language)

    for seed in range(2):
        records = laws.random_game(setting, seed)
        points = list(rewind_points(setting.ruleset, records, setting.start()))
        for world in other_worlds(setting, records, chooser):
            laws.follow_both(
                setting.ruleset,
                points,
                records,
                world,
                None,
                lambda: chooser.random() < setting_share(setting),
                compare,
            )

    assert compared


def setting_share(setting: Setting) -> float:
    """Return which part of the positions is looked at: a game of the test title is short."""
    return 1 if setting.title == "bids" else 0.03


def test_a_mail_to_who_looks_on_names_no_seat_and_asks_nothing() -> None:
    setting = Setting("bids", 3)

    raw = compose(facts(setting, laws.random_game(setting, 1)[:12], "en"), WORDS, "nonce").raw

    assert b"X-PBEM-Game: 12" in raw
    assert b"X-PBEM-Seat" not in raw
    assert b"X-PBEM-Decision" not in raw
