"""From the notices of one seat, and the present position, to the facts of one mail."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.log import Owed
from engine.core.play import completeness, play_alone
from engine.core.ruleset import Keys
from engine.core.types import CHANCE, Event, Fields, Seat
from pbem.advance import ended
from pbem.gate.tags import make_tag, plus_address
from pbem.live import Live, has_own_values, tables_of, take_up
from pbem.lobby import is_free
from pbem.notices import ANSWERS, REPLIES, TOLD
from pbem.post.asking import ask_ahead, ask_now
from pbem.post.ending import over_of, round_ends, verified_records
from pbem.post.facts import Ask, Fact, Happened, Kind, MailFacts, Planned, Player, Sheet, Tried, Waiting
from pbem.post.past import past_of
from pbem.service import Service
from pbem.settings import Mail as MailSettings
from pbem.store import games, outbox, people
from pbem.store.base import Session
from pbem.store.games import Holder
from pbem.store.observers import get_observer, is_observer
from pbem.store.outbox import Noticed
from pbem.store.people import Person

COMFORTS = (
    "desk.rules",
    "desk.history",
    "desk.note",
    "desk.note-long",
    "desk.plain",
    "desk.reminders",
    "desk.quiet",
    "desk.digest",
    "desk.stop",
    "desk.near",
    "desk.usage",
)
"""What the commands for a player's comfort lead to."""

SEE = ("looking", "offered")
"""What a place beside the seats is for whose mails show where the game stands."""

SHOW_RULES = frozenset({"desk.rules", "lobby.seated"})
"""What is told with the rules in short below it."""

_KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("invitation", ("game.invited",)),
    ("confirmation", ("letter.confirm", "lobby.confirm")),
    ("notice", ("seat.taken",)),
    ("report", ("ask", "game.over", "entries", "game.rewound", "game.started")),
    ("refusal", ("order.refused", "order.stale", "plan.failed", *REPLIES)),
    ("acknowledgement", tuple(ANSWERS)),
    ("reminder", ("clock.reminder",)),
    ("help", ("desk.help", "desk.test", "desk.setting", "desk.tag-changed", *COMFORTS)),
    ("press", ("press.received", "press.several", "press.observer", "press.table", "press.sent", "gm.message")),
)
"""The first row with one of its urgent notices names the kind of the mail."""

_LAST = 10_000
"""Where an answer stands that is to the whole letter, and not to a line."""

MOST_RETOLD = 40
"""Notices that are looked through for what happened since the own last move."""

_TELL_VALUES: tuple[Kind, ...] = ("invitation", "report")
"""The mails that say so where some values of a game are ours."""

_OVERTAKEN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "game.invited": frozenset({"game.declined", "game.finished"}),
        "game.accepted": frozenset({"game.started", "game.declined", "game.finished"}),
        "lobby.confirm": frozenset({"lobby.seated", "lobby.gone"}),
        "lobby.joined": frozenset({"game.started", "game.finished"}),
        "lobby.left": frozenset({"game.started", "game.finished"}),
        "bench.offer": frozenset({"bench.passed", "bench.lapsed", "bench.late", "seat.taken"}),
        "lobby.waiting": frozenset({"lobby.over", "game.finished"}),
    }
)
"""What is not told any more once one of these is told with it."""


def still_true(notices: Sequence[Noticed]) -> list[Noticed]:
    """Return *notices* without those that others of them have overtaken."""
    keys = {one.key for one in notices}
    return [one for one in notices if keys.isdisjoint(_OVERTAKEN.get(one.key, ()))]


def kind_of(notices: Sequence[Noticed]) -> Kind:
    """Return the kind of mail that tells *notices*."""
    keys = {one.key for one in notices if one.urgent}
    return next((kind for kind, telling in _KINDS if keys.intersection(telling)), "notice")


def gather(
    session: Session, service: Service, game: int, seat: Seat, notices: Sequence[Noticed], now: datetime
) -> MailFacts:
    """Return the facts of the mail that tells *notices* to *seat*, with the position as it is."""
    notices = still_true(notices)
    live = take_up(session, game)
    if is_observer(seat):
        return _gather_public(session, service, live, seat, notices, now)
    holder = live.holders[seat]
    assert holder.person is not None, "only persons get mail"
    owed = next((one for one in _owed(live) if one.decision.seat == seat), None)
    number = owed.number if owed else live.position.seq
    tag = make_tag(service.key, game, seat, number, holder.epoch)
    answers = sorted((one for one in notices if one.key in ANSWERS), key=lambda one: one.fields.get("line", _LAST))
    whom = _Addressee(seat, people.get_person(session, holder.person), tag, shown=live.begun)
    ask = _ask(live, owed, holder) if owed else None
    return replace(
        _common(session, service, live, whom, notices, now),
        view=live.view(seat) if live.begun else None,
        happened=_since_own_move(session, game, seat, notices) if live.begun else (),
        answers=tuple(_fact(one, ANSWERS) for one in answers),
        tried=tuple(_tried(one) for one in answers if one.key == "order.tried"),
        ask=ask,
        ahead=_ahead(live, seat, ask),
        waiting_for=_waiting(live, seat, now),
        plan=tuple(Planned(line.key, line.text, line.when, line.until) for line in holder.plan),
        bank=holder.bank,
        hold=live.game.hold,
        note=holder.note,
        past=next((past_of(session, live, seat, rounds) for rounds in _asked(notices, "desk.history", "rounds")), None),
        sheet=_sheet(session, live, notices),
    )


def _gather_public(
    session: Session, service: Service, live: Live, seat: Seat, notices: Sequence[Noticed], now: datetime
) -> MailFacts:
    """Return the facts of the mail to who looks on from place *seat*: what everybody may know; the last has no tag."""
    one = get_observer(session, live.game.id, seat)
    assert one is not None, "only who looks on has such a place"
    tag = "" if one.gone else make_tag(service.key, live.game.id, seat, live.position.seq, one.epoch)
    whom = _Addressee(seat, people.get_person(session, one.person), tag, shown=live.begun and one.state in SEE)
    return replace(
        _common(session, service, live, whom, notices, now),
        view=live.view(None) if whom.shown else None,
        happened=tuple(one for notice in notices if notice.key == "entries" for one in happened_in(notice)),
        waiting_for=tuple(Waiting(one.decision.seat) for one in _owed(live)) if whom.shown else (),
        sheet=_sheet(session, live, notices),
    )


class _Addressee(Struct, frozen=True):
    """Who a mail goes to: his place, himself, his tag, and whether it shows where the game stands, or how it ended."""

    seat: Seat
    person: Person
    tag: str
    shown: bool


def _common(
    session: Session, service: Service, live: Live, whom: _Addressee, notices: Sequence[Noticed], now: datetime
) -> MailFacts:
    """Return what a mail tells to whoever it goes."""
    settings, kind, person = service.settings, kind_of(notices), whom.person
    is_over = whom.shown and ended(live.game)
    records = verified_records(session, live) if is_over else ()
    return MailFacts(
        kind=kind,
        game=live.game.id,
        title=live.game.ruleset,
        seat=whom.seat,
        players=tuple(Player(one.seat, one.name, bool(one.bot), is_free(one)) for one in live.holders),
        language=person.language,
        zone=person.zone,
        tag=whom.tag,
        to=person.address,
        our=settings.mail.address,
        our_name=settings.mail.name,
        now=now,
        ours=kind in _TELL_VALUES and has_own_values(session, live.game),
        standings=live.ruleset.standings(live.position.state) if whom.shown else (),
        told=tuple(_fact(one, {**TOLD, **REPLIES}) for one in notices if one.key in TOLD or one.key in REPLIES),
        clock=live.game.clock,
        late=live.game.late,
        misses=live.game.misses,
        rewind=live.game.rewind,
        over=over_of(live, records, verified=bool(records)) if is_over else None,
        history=round_ends(live.ruleset, records),
        pictures=not person.plain and _may_draw(settings.mail, is_over=is_over),
        plain=person.plain,
        commitment=live.game.commitment,
        gm_name=settings.gm.name,
        reply_to=reply_to(session, settings.mail, whom.tag) if whom.tag else "",
    )


def _asked(notices: Sequence[Noticed], key: str, field: str) -> list[Any]:
    """Return the *field* of each notice of *key*, the last first."""
    return [one.fields[field] for one in reversed(notices) if one.key == key]


def _sheet(session: Session, live: Live, notices: Sequence[Noticed]) -> Sheet | None:
    """Return what the rules of this game in short are made from, where one of *notices* shows them."""
    if not any(one.key in SHOW_RULES for one in notices):
        return None
    text = tables_of(session, live.game).text
    return Sheet(tomllib.loads(text), live.game.seats, dict(live.game.options))


def _may_draw(mail: MailSettings, *, is_over: bool) -> bool:
    """Return whether reports show the position as pictures."""
    return mail.pictures == "all" or (mail.pictures == "end" and is_over)


def reply_to(session: Session, mail: MailSettings, tag: str) -> str:
    """Return the address to answer to: with the tag where that arrives, ours where the provider replaces From."""
    if mail.plus == "yes" or (mail.plus == "auto" and people.get_finding(session, "plus") == "yes"):
        return plus_address(mail.address, tag)
    return mail.address if people.get_finding(session, "from") == "no" else ""


def _owed(live: Live) -> tuple[Owed, ...]:
    if live.game.status not in ("running", "paused"):
        return ()
    return tuple(one for one in live.position.owed(live.ruleset) if one.decision.seat != CHANCE)


def _ask(live: Live, owed: Owed, holder: Holder) -> Ask | None:
    """Return what is left to answer when the seat's plan is played; None where it answers all."""
    solo = play_alone(live.ruleset, live.position, holder.seat, holder.plan)
    if solo.complete:
        return None
    decision = next(one for one in live.ruleset.pending(solo.position.state) if one.seat == holder.seat)
    return ask_now(live.ruleset, solo.position, decision, owed.number, holder.deadline if live.running else None)


def _ahead(live: Live, seat: Seat, ask: Ask | None) -> tuple[Ask, ...]:
    """Return what the seat may answer ahead, but for what it is asked in this mail, as its plan answers the rest."""
    if not live.begun or ended(live.game):
        return ()
    asked = None if ask is None else (ask.key, ask.occasion, ask.options)
    ahead = ask_ahead(live.ruleset, live.position, seat)
    return tuple(one for one in ahead if (one.key, one.occasion, one.options) != asked)


def _waiting(live: Live, seat: Seat, now: datetime) -> tuple[Waiting, ...]:
    """Return the other seats that owe an answer and have not written all of it."""
    return tuple(
        Waiting(one.decision.seat, _since(holder, now))
        for one in _owed(live)
        if (holder := live.holders[one.decision.seat]).seat != seat
        and completeness(live.ruleset, live.position, holder.seat, holder.plan) != "complete"
    )


def _since(holder: Holder, now: datetime) -> datetime | None:
    """Return since when *holder* owes his answer, or until when he is away; a clock may begin after days of rest."""
    is_away = holder.away_until is not None and holder.away_until > now
    return holder.put_at if holder.put_at is None or is_away else min(holder.put_at, now)


def _since_own_move(session: Session, game: int, seat: Seat, notices: Sequence[Noticed]) -> tuple[Happened, ...]:
    """
    Return what *notices* tell of the log, and what was told before it since the last move of *seat*.

    So a mail stands alone. What was taken back by a rewind is not told again.
    """
    fresh = [one for notice in notices if notice.key == "entries" for one in happened_in(notice)]
    if not fresh or any(one.seat == seat for one in fresh):
        return tuple(fresh)
    before: list[Happened] = []
    for notice in outbox.told_before(session, game, seat, "entries", notices[0].id, MOST_RETOLD):
        told = happened_in(notice)
        own = [at for at, one in enumerate(told) if one.seat == seat]
        before = told[own[-1] + 1 if own else 0 :] + before
        if own:
            break
    if before and games.was_rewound(session, game, before[0].seq):
        return tuple(fresh)
    return (*before, *fresh)


def happened_in(notice: Noticed) -> list[Happened]:
    """Return the entries that an `entries` notice tells."""
    return [
        Happened(
            one["seq"],
            Seat(one["seat"]),
            one["text"],
            one["cause"],
            tuple(Event(key, _fields(fields)) for key, fields in one["events"]),
        )
        for one in notice.fields["entries"]
    ]


def _tried(notice: Noticed) -> Tried:
    asked = notice.fields["asked"]
    ask = Ask(asked["key"], -1, tuple(asked["texts"]), _fields(asked["fields"])) if asked else None
    return Tried(tuple(happened_in(notice)), ask, asked.get("more", 0))


def _fields(pairs: Sequence[tuple[str, Any]]) -> Fields:
    return tuple((name, _value(value)) for name, value in pairs)


def _value(value: Any) -> Any:  # noqa: ANN401 - a field value as JSON keeps it
    return tuple(value) if isinstance(value, list) else value


def _fact(notice: Noticed, known: Keys) -> Fact:
    """
    Return *notice* as a fact: the fields of its key in their order, then those of the reason that it names.

    One that an older version noted lacks what came later: its words have a default for that.
    """
    values = {name: _value(value) for name, value in notice.fields.items()}
    first: Fields = tuple((name, values.pop(name)) for name in known[notice.key] if name in values)
    return Fact(notice.key, first + tuple(values.items()))
