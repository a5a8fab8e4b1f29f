"""Facts of mails for the tests: from real games of random bots, and of every kind."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine import registry
from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import demo_seed
from engine.core.log import Position, Record, may_read
from engine.core.types import CHANCE, GM, Event, Seat
from pbem import lexicon
from pbem.post.asking import ask_ahead, ask_now
from pbem.post.compose import compose
from pbem.post.draw import pictures
from pbem.post.facts import Fact, Happened, Kind, MailFacts, Over, Planned, Player, Waiting
from pbem.post.words import Reader, Words
from tests.contract.titles import Setting, dice
from tests.pbem.ready import shared_home

GOLDEN = Path(__file__).with_name("golden")
WORDS = Words(cache=shared_home() / "templates")
NOW = datetime(2026, 12, 1, 18, 30, tzinfo=UTC)
TAG = "g12.s0.d141.k7f3q9xk2m"
MASTER_TAG = "g12.gm.d55.k7f3q9xk2m"
NAMES = ("Ana", "João", "Bia", "Caio", "Duda", "Iara")


def titles() -> tuple[str, ...]:
    """Return every title that has words, and the test title."""
    have = [one for one in registry.titles() if (lexicon.template_root() / "words" / "en" / f"{one}.j2").exists()]
    return (*have, "bids")


def after(hours: float) -> datetime:
    """Return the moment so many hours after the mail."""
    return NOW + timedelta(hours=hours)


def waits(setting: Setting, position: Position[Any]) -> bool:
    """Return whether a person is asked something."""
    owed = position.owed(setting.ruleset)
    return bool(owed) and owed[0].decision.seat != CHANCE


@cache
def game(setting: Setting, seed: int) -> tuple[Record[Any], ...]:
    """Return a whole game of random bots."""
    bots = {Seat(n): random_bot(roller(demo_seed(seed * 10 + n))) for n in range(setting.seats)}
    return play_game(setting.ruleset, setting.start(), bots, dice(seed))


def happened(records: Sequence[Record[Any]], seat: Seat | None) -> tuple[Happened, ...]:
    """Return *records* as far as *seat* may know them."""
    found = []
    for record in records:
        events: tuple[Event, ...] = tuple(
            one for one in record.events if one.seats is None or (seat is not None and seat in one.seats)
        )
        text = record.entry.text if may_read(record, seat) else ""
        cause = "chance" if record.entry.seat == CHANCE else "line"
        found.append(Happened(record.entry.seq, record.entry.seat, text, cause, events))
    return tuple(found)


def texts(setting: Setting, state: Any, seat: Seat) -> tuple[str, ...]:
    """Return the options of *seat*."""
    return tuple(setting.ruleset.grammar.format_move(move) for move in setting.ruleset.legal(state, seat))


def facts_at(
    setting: Setting, position: Position[Any], records: Sequence[Record[Any]], seat: Seat, **changes: Any
) -> MailFacts:
    """Return a report to *seat* at *position*, after *records* happened."""
    ruleset, state = setting.ruleset, position.state
    owed = position.owed(ruleset)
    own = next((one for one in owed if one.decision.seat == seat), None)
    ask = ask_now(ruleset, position, own.decision, own.number, NOW + timedelta(days=11)) if own else None
    ahead = ask_ahead(ruleset, position, seat) if owed and owed[0].decision.seat != CHANCE else ()
    standings = ruleset.standings(state)
    over = (
        None if owed else Over(tuple(one.seat for one in standings if one.rank == 1), demo_seed(1).hex(), drawn=(3, 9))
    )
    facts = MailFacts(
        kind="report",
        game=12,
        title=setting.title,
        seat=seat,
        players=tuple(Player(Seat(n), NAMES[n], n == setting.seats - 1) for n in range(setting.seats)),
        language="en",
        zone="America/Sao_Paulo",
        tag=TAG,
        to="ana@example.net",
        our="pbem@example.org",
        our_name="Village post",
        now=NOW,
        view=ruleset.view(state, seat),
        standings=standings,
        happened=happened(records, seat),
        ask=ask,
        ahead=ahead,
        waiting_for=tuple(
            Waiting(one.decision.seat, NOW - timedelta(hours=20))
            for one in owed
            if one.decision.seat not in (seat, CHANCE)
        ),
        plan=tuple(Planned(one.key, one.options[0]) for one in ahead if one.options)[:1],
        clock="24h + 10d",
        bank=timedelta(days=10),
        over=over,
        commitment=demo_seed(2).hex(),
        reply_to=f"pbem+{TAG}@example.org",
        gm_name="gm@example.org",
        pictures=False,  # they take long; what they show is held to its laws in `draw/`
    )
    return replace(facts, **changes)


Place = tuple[Position[Any], Sequence[Record[Any]], Seat]
"""A position, what happened since the one before, and who is told of it."""


def places(setting: Setting, seed: int) -> Iterator[Place]:
    """Yield each seat wherever the game of *seed* rests, and at its end."""
    records = game(setting, seed)
    told = 0
    for at, record in enumerate(records, start=1):
        owed = record.position.owed(setting.ruleset)
        if owed and owed[0].decision.seat == CHANCE:
            continue
        for n in range(setting.seats):
            yield record.position, records[told:at], Seat(n)
        told = at


def middle(setting: Setting, seed: int, share: float = 0.5, language: str = "en", **changes: Any) -> MailFacts:
    """Return one report to a seat that is asked something, at about this share of the game."""
    asked = [
        (position, records, seat)
        for position, records, seat in places(setting, seed)
        if any(one.decision.seat == seat for one in position.owed(setting.ruleset))
    ]
    return facts_at(setting, *asked[int(len(asked) * share)], language=language, **changes)


FACTS = {
    "acknowledgement": (
        Fact("order.taken", (("line", 1), ("written", "tke 3"), ("text", "stake 3"), ("exact", False))),
        Fact("order.taken", (("line", 2), ("written", "bid 2"), ("text", "bid 2"), ("exact", True))),
        Fact(
            "order.kept",
            (
                ("line", 3), ("written", "tip 1"), ("key", "bids.tip"), ("text", "tip 1"),
                ("exact", True), ("closed", True), ("when", ""), ("until", 0), ("others", False),
            ),
        ),
        Fact("order.ignored", (("line", 4), ("written", "Greetings from sunny Porto"), ("reason", "prose"))),
    ),
    "refusal": (
        Fact(
            "order.refused",
            (
                ("line", 1), ("written", "bid 9"), ("reason", "bids.too-much"), ("possible", ("bid 6", "bid 5")),
                ("need", 9), ("have", 6),
            ),
        ),
        Fact("order.stale", (("line", 2), ("written", "2"), ("decision", 31), ("key", "bids.stake"))),
    ),
}  # fmt: skip


def fact(key: str, /, **values: Any) -> Fact:
    """Return a fact with its fields."""
    return Fact(key, tuple(values.items()))


TOLD: dict[Kind, tuple[Fact, ...]] = {
    "notice": (
        fact("game.paused", reason="Ana is away"),
        fact("game.extended", by=86_400, reason=""),
        fact("seat.replaced", name="Zé", former="João", bot=False, reason=""),
        fact("game.rewound", to=10, asked=12, reason=""),
    ),
    "press": (fact("press.received", seat=1, message="Olá!", private=True),),
    "help": (fact("desk.help"),),
    "confirmation": (fact("letter.confirm", address="ana@work.example", letter=77),),
    "alert": (fact("alert.letter-crashed", letter=31, error="x.y"), fact("alert.away", seat=1)),
    "invitation": (fact("game.invited", message=""),),
}


PROBLEMS = (
    ("mailbox", {"seconds": 7_200, "error": "[Errno 110]"}),
    ("held", {"count": 1, "letters": [31], "reason": "rate"}),
    ("deadline", {"game": 12, "seat": 1, "name": "João", "seconds": 9_000}),
)
WAITS = (
    (12, "bids", "running", ("João", "Bia"), 0, "2026-12-01T10:00:00Z", "2026-12-01T16:00:00Z", 0, 1),
    (14, "village", "running", ("Caio",), 2, "2026-11-30T10:00:00Z", "2026-12-03T10:00:00Z", 0, 0),
    (15, "tiny_towns", "open", (), 0, "", "", 2, 0),
)
SEATS = (("Ana", False), ("João", False), ("Bia", False), ("Ivo", True))
TO_MASTER: dict[str, tuple[Kind, tuple[Fact, ...]]] = {
    "digest": (
        "digest",
        (
            fact("digest.late", rows=((12, "bids", "João", 1),)),
            fact("digest.held", rows=((31, 12, "bids", "rate"),)),
            fact("digest.acts", rows=(("Rui", "extend", 12, "bids"),)),
            fact("digest.waiting", rows=((12, "bids", "João", "2026-11-30T10:00:00Z", True),)),
        ),
    ),
    "master": (
        "refusal",
        (
            fact("master.extended", game=12, by=172_800, told=("Ana", "João")),
            fact("master.messaged", game=12, told=("João",), message="João?\n…"),
            fact("master.refused", line="resume 12", key="game.not-paused", values={"game": "12", "status": "running"}),
            fact("master.usage", line="rewind 12", act="rewind"),
            fact("master.unread", lines=("paws 12",), more=0),
        ),
    ),
    "question": (
        "confirmation",
        (
            fact(
                "master.ask-rewind",
                again=False,
                game=12,
                to=5,
                told=("Ana", "João"),
                taken=(("Ana", 2, 8, "stake 3"), ("João", 1, 9, "")),
            ),
        ),
    ),
    "status": (
        "notice",
        (
            fact(
                "master.status",
                problems=PROBLEMS,
                more=0,
                games=WAITS[:2],
                counts=(("running", 2), ("open", 1)),
                held=(31,),
                post=("2026-12-01T16:30:00Z", "2026-12-01T16:25:00Z", 2, 0),
            ),
        ),
    ),
    "games": ("notice", (fact("master.games", rows=WAITS, more=3),)),
    "show": (
        "notice",
        (
            fact(
                "master.show",
                game=12,
                title="bids",
                status="running",
                length=141,
                clock="24h + 10d; off sat sun",
                seats=SEATS,
                waits=(("João", "2026-12-01T16:00:00Z", "part", False), ("Ivo", "", "none", False)),
                standings=(("Ana", 1, 9), ("João", 2, 6)),
                acts=(
                    ("extend", "deputy Rui by mail", "2026-11-30T10:00:00Z"),
                    ("pause", "gm", "2026-11-20T10:00:00Z"),
                ),
            ),
        ),
    ),
    "commands": ("help", (fact("master.help"),)),
}
"""Mails to the game master by name: the kind and what is told."""


def other_kinds(base: MailFacts) -> dict[str, MailFacts]:
    """Return a mail of each kind but the report, made from one."""
    bare = replace(base, ask=None, ahead=(), plan=(), happened=(), view=None, standings=(), waiting_for=())
    lapsed = fact("plan.failed", text="stake 3 : bid 9", when="", reason="bids.too-much", need=9, have=6)
    words = {"reason": ""} if base.language == "pt" else {}
    told = {
        kind: tuple(
            replace(one, fields=tuple({**dict(one.fields), **words}.items())) if "reason" in dict(one.fields) else one
            for one in facts
        )
        for kind, facts in TOLD.items()
    }
    return {
        "acknowledgement": replace(base, kind="acknowledgement", answers=FACTS["acknowledgement"], ask=None),
        "refusal": replace(base, kind="refusal", answers=FACTS["refusal"], told=(lapsed,)),
        "reminder": replace(bare, kind="reminder", ask=base.ask, told=(fact("clock.reminder", hours=6),)),
        **{kind: replace(bare, kind=kind, told=facts) for kind, facts in told.items()},
        "alert": replace(bare, kind="alert", seat=GM, tag=MASTER_TAG, reply_to="", told=told["alert"]),
        **{
            name: replace(bare, kind=kind, seat=GM, tag=MASTER_TAG, reply_to="", told=facts)
            for name, (kind, facts) in TO_MASTER.items()
        },
    }


@cache
def every_kind(language: str = "en") -> dict[str, MailFacts]:
    """Return one mail of each kind."""
    base = middle(Setting("bids", 3), 3, 0.4, language)
    *_, first, _, _ = places(Setting("bids", 3), 3)
    over = facts_at(Setting("bids", 3), *first, language=language)
    village = middle(Setting("village", 3), 6, 0.3, language)
    towns = middle(Setting("tiny_towns", 3), 3, 0.861, language)
    mine = middle(Setting("my_village", 3), 7, 0.947, language)
    return {
        "report": base,
        "village": village,
        "tiny_towns": towns,
        "my_village": mine,
        "final": over,
        **other_kinds(base),
    }


def drawings(facts: MailFacts) -> tuple[str, ...]:
    """Return the pictures that the mail would have, as they are drawn."""
    voice = WORDS.voice(facts.language, facts.title, Reader(facts.seat, NAMES, view=facts.view))
    return tuple(one.svg for one in pictures(facts.title, facts.view, voice))


def readable(facts: MailFacts) -> str:
    """Return subject and text of a mail."""
    mail = message_from_bytes(compose(facts, WORDS, "abc").raw, policy=default)
    return f"Subject: {mail['Subject']}\n\n" + next(mail.iter_parts()).get_content().replace("\r\n", "\n")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for known in lexicon.languages():
        for name, one in every_kind(known).items():
            (GOLDEN / f"{name}.{known}.txt").write_text(readable(one), encoding="utf-8")
