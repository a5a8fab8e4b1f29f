"""From the notices of one seat, and the present position, to the facts of one mail."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from engine.core.errors import EngineError
from engine.core.export import verify
from engine.core.log import Owed
from engine.core.play import play_alone
from engine.core.ruleset import Keys
from engine.core.types import CHANCE, GM, Decision, Event, Fields, Seat
from pbem.advance import ended
from pbem.gate.tags import make_tag, plus_address
from pbem.live import Live, export_of, has_own_values, tables_of, take_up
from pbem.notices import ANSWERS, REPLIES, TOLD
from pbem.post.facts import Ask, Fact, Happened, Kind, MailFacts, Over, Planned, Player
from pbem.service import Service
from pbem.settings import Mail as MailSettings
from pbem.store import people
from pbem.store.base import Session
from pbem.store.games import Holder
from pbem.store.outbox import Noticed

_KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("invitation", ("game.invited",)),
    ("confirmation", ("letter.confirm",)),
    ("notice", ("seat.taken",)),
    ("report", ("ask", "game.over", "entries", "game.rewound", "game.started")),
    ("refusal", ("order.refused", "order.stale", "plan.failed", *REPLIES)),
    ("acknowledgement", tuple(ANSWERS)),
    ("reminder", ("clock.reminder",)),
    ("help", ("desk.help", "desk.test", "desk.setting", "desk.tag-changed")),
    ("press", ("press.received", "press.sent", "gm.message")),
)
"""The first row with one of its urgent notices names the kind of the mail."""

_TELL_VALUES: tuple[Kind, ...] = ("invitation", "report")
"""The mails that say so where some values of a game are ours."""

_OVERTAKEN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "game.invited": frozenset({"game.declined", "game.finished"}),
        "game.accepted": frozenset({"game.started", "game.declined", "game.finished"}),
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
    holder = live.holders[seat]
    settings = service.settings
    assert holder.person is not None, "only persons get mail"
    person = people.get_person(session, holder.person)
    owed = next((one for one in _owed(live) if one.decision.seat == seat), None)
    number = owed.number if owed else live.position.seq
    tag = make_tag(service.key, game, seat, number, holder.epoch)
    begun, kind = live.begun, kind_of(notices)
    return MailFacts(
        kind=kind,
        game=game,
        title=live.game.ruleset,
        seat=seat,
        players=tuple(Player(one.seat, one.name, bool(one.bot)) for one in live.holders),
        language=person.language,
        zone=person.zone,
        tag=tag,
        to=person.address,
        our=settings.mail.address,
        our_name=settings.mail.name,
        now=now,
        ours=kind in _TELL_VALUES and has_own_values(session, live.game),
        view=live.ruleset.view(live.position.state, seat) if begun else None,
        standings=live.ruleset.standings(live.position.state) if begun else (),
        happened=tuple(one for notice in notices if notice.key == "entries" for one in _happened(notice)),
        answers=tuple(_fact(one, ANSWERS) for one in notices if one.key in ANSWERS),
        told=tuple(_fact(one, {**TOLD, **REPLIES}) for one in notices if one.key in TOLD or one.key in REPLIES),
        ask=_ask(live, owed, holder) if owed else None,
        ahead=ahead_of(live, seat) if begun and not ended(live.game) else (),
        waiting_for=tuple(one.decision.seat for one in _owed(live) if one.decision.seat != seat),
        plan=tuple(Planned(line.key, line.text, line.when, line.until) for line in holder.plan),
        clock=live.game.clock,
        bank=holder.bank,
        hold=live.game.hold,
        over=_over(session, live) if ended(live.game) and begun else None,
        commitment=live.game.commitment,
        gm_name=settings.gm.name,
        reply_to=_reply_to(session, settings.mail, tag),
    )


def _reply_to(session: Session, mail: MailSettings, tag: str) -> str:
    """Return the address to answer to: with the tag where that arrives, ours where the provider replaces From."""
    if mail.plus == "yes" or (mail.plus == "auto" and people.get_finding(session, "plus") == "yes"):
        return plus_address(mail.address, tag)
    return mail.address if people.get_finding(session, "from") == "no" else ""


def _owed(live: Live) -> tuple[Owed, ...]:
    if live.game.status not in ("running", "paused"):
        return ()
    return tuple(one for one in live.position.owed(live.ruleset) if one.decision.seat != CHANCE)


def _texts(live: Live, state: Any, decision: Decision) -> tuple[str, ...]:  # noqa: ANN401 - the position of any title
    return tuple(live.ruleset.grammar.format_move(move) for move in live.ruleset.legal(state, decision.seat))


def _ask(live: Live, owed: Owed, holder: Holder) -> Ask | None:
    """Return what is left to answer when the seat's plan is played; None where it answers all."""
    solo = play_alone(live.ruleset, live.position, holder.seat, holder.plan)
    if solo.complete:
        return None
    state = solo.position.state
    decision = next(one for one in live.ruleset.pending(state) if one.seat == holder.seat)
    return Ask(
        key=decision.key,
        number=owed.number,
        options=_texts(live, state, decision),
        fields=decision.fields,
        occasion=decision.occasion,
        default=live.ruleset.grammar.format_move(live.ruleset.default(state, decision.seat)),
        deadline=holder.deadline if live.running else None,
        wait=decision.wait,
    )


def ahead_of(live: Live, seat: Seat) -> tuple[Ask, ...]:
    """Return what *seat* may answer ahead, each list as it would be now."""
    return tuple(
        Ask(
            key=one.decision.key,
            number=live.position.seq,
            options=() if one.state is None else _texts(live, one.state, one.decision),
            fields=one.decision.fields,
            occasion=one.decision.occasion,
            wait=False,
        )
        for one in live.ruleset.ahead(live.position.state, seat)
    )


def _happened(notice: Noticed) -> list[Happened]:
    return [
        Happened(
            one["seq"],
            Seat(one["seat"]),
            one["text"],
            one["cause"],
            tuple(Event(key, tuple((name, _value(value)) for name, value in fields)) for key, fields in one["events"]),
        )
        for one in notice.fields["entries"]
    ]


def _value(value: Any) -> Any:  # noqa: ANN401 - a field value as JSON keeps it
    return tuple(value) if isinstance(value, list) else value


def _fact(notice: Noticed, known: Keys) -> Fact:
    """Return *notice* as a fact: the fields of its key in their order, then those of the reason that it names."""
    values = {name: _value(value) for name, value in notice.fields.items()}
    first: Fields = tuple((name, values.pop(name)) for name in known[notice.key])
    return Fact(notice.key, first + tuple(values.items()))


def _over(session: Session, live: Live) -> Over:
    standings = live.ruleset.standings(live.position.state)
    try:
        records = verify(live.ruleset, tables_of(session, live.game), export_of(session, live.game, full=True))
    except EngineError:
        records = ()
    return Over(
        winners=() if live.game.void else tuple(one.seat for one in standings if one.rank == 1),
        seed=live.game.seed.hex(),
        void=live.game.void,
        drawn=tuple(r.entry.seq for r in records if r.entry.seat == GM and r.entry.text.startswith("draw ")),
        verified=bool(records),
    )
