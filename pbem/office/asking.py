"""
What cannot be taken back wants a second letter: the first is answered with what would happen.

Only an answer to that very mail confirms it, once, for `LASTING`, and only while it would still do what the mail said;
else it is asked anew. The mail went to the registered address, so a tag that somebody else has is of no use for it.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from pbem import moderation, roster
from pbem.acting import Effect
from pbem.desk.mastering import Order
from pbem.desk.words import OFFICE, fold, words_for
from pbem.errors import Misuse
from pbem.live import Live
from pbem.office.finding import find_person, find_seat
from pbem.office.values import Office, Outcome, names_told, rehearsal
from pbem.opening import SeatOffer, parse_seat
from pbem.service import Service
from pbem.store import games, letters, outbox
from pbem.store.base import Session
from pbem.taking_back import take_back

ASKED = frozenset({"rewind", "finish", "void", "replace", "block"})
"""Acts that are asked about first."""

ASKS = "master.ask-"
LASTING = timedelta(days=3)
MOST_LEADING = 8


class _Done(Struct, frozen=True):
    """
    An act that was done, or only tried.

    `fields`   what is told of it
    `account`  all that it did, to see whether it would still do the same
    """

    key: str
    fields: dict[str, Any]
    account: dict[str, Any]


def ask(office: Office, order: Order, *, again: bool = False) -> Outcome:
    """Answer with what *order* would do and how to confirm it; *again*: it would have done something else before."""
    with rehearsal(office.session):
        done = _do(office, order)
    office.tell(f"{ASKS}{done.key}", again=again, **done.fields, account=done.account, order=msgspec.to_builtins(order))
    return "accepted"


def confirm(office: Office, order: Order) -> Outcome:
    """Do what the mail that is answered asked about."""
    found = [one for one in outbox.told_by(office.session, office.mail) if one.key.startswith(ASKS)]
    if not found or found[0].fields["reader"] != office.master.folded:
        office.tell("master.no-question", line=order.written.text)
        return "refused"
    asked, wanted = found[0], msgspec.convert(found[0].fields["order"], Order)
    if letters.was_acted_on(office.session, office.mail):
        office.tell("master.done-before", line=wanted.written.text)
        return "refused"
    if office.now - asked.at > LASTING:
        office.tell("master.expired", line=wanted.written.text, days=LASTING.days)
        return "refused"
    wanted = replace(wanted, reason=order.reason or wanted.reason)
    with rehearsal(office.session):
        would = _do(office, wanted)
    if _plain(would.account) != asked.fields["account"]:
        return ask(office, wanted, again=True)
    done = _do(office, wanted)
    told = {name: value for name, value in done.fields.items() if name in _TOLD[done.key]}
    office.tell(_DONE[done.key], **told)
    return "acted"


_DONE = {
    "rewind": "master.rewound",
    "finish": "master.finished",
    "replace": "master.replaced",
    "block": "master.blocked",
}
_TOLD = {
    "rewind": ("game", "to", "told", "asked"),
    "finish": ("game", "void", "told"),
    "replace": ("game", "former", "name", "told"),
    "block": ("name", "seats"),
}


def _plain(account: dict[str, Any]) -> Any:  # noqa: ANN401 - as JSON keeps it
    return msgspec.json.decode(msgspec.json.encode(account))


def _do(office: Office, order: Order) -> _Done:
    """
    Do what *order* says.

    Raises: what the acts raise.
    """
    if order.act == "block":
        return _block(office, order)
    if order.act == "replace":
        return _replace(office, order)
    return _rewind(office, order) if order.act == "rewind" else _finish(office, order)


def _rewind(office: Office, order: Order) -> _Done:
    def act(session: Session, service: Service, live: Live) -> Live:  # noqa: ARG001 - the shape of an act
        return take_back(session, live, order.number, order.reason, office.now, who=office.master.record)

    effect = office.act(order, act, undoing=True)
    asked = effect.after.position.seq == effect.before.position.seq
    log = games.read_log(office.session, order.game)
    to = effect.after.game.undo_to if asked else int(log[effect.before.position.seq].entry.text.partition(" ")[2])
    fields = {
        "game": order.game,
        "to": to,
        "asked": asked,
        "taken": [_taken(effect, Seat(one.seat)) for one in effect.before.holders if _own(effect, one.seat)],
        "told": names_told(effect),
    }
    return _Done("rewind", fields, _account(effect))


def _own(effect: Effect, seat: int) -> list[dict[str, Any]]:
    return [one for one in effect.undone if one["seat"] == seat]


def _taken(effect: Effect, seat: Seat) -> Sequence[Any]:
    """Return of one seat whose moves are taken back: the name, how many, the first one's number, and its text."""
    own = _own(effect, seat)
    return effect.before.holders[seat].name, len(own), own[0]["seq"], own[0]["text"] or ""


def _finish(office: Office, order: Order) -> _Done:
    void = order.act == "void"

    def act(session: Session, service: Service, live: Live) -> Live:  # noqa: ARG001 - the shape of an act
        return moderation.finish(session, live, order.reason, office.now, void=void, who=office.master.record)

    effect = office.act(order, act)
    before = effect.before
    standings = before.ruleset.standings(before.position.state) if before.begun and not void else ()
    ranked = sorted(standings, key=lambda one: (one.rank, one.seat))[:MOST_LEADING]
    fields = {
        "game": order.game,
        "void": void,
        "length": before.position.seq,
        "standings": [[before.holders[one.seat].name, one.points] for one in ranked],
        "told": names_told(effect),
    }
    return _Done("finish", fields, _account(effect))


def _replace(office: Office, order: Order) -> _Done:
    former: list[str] = []

    def act(session: Session, service: Service, live: Live) -> Live:
        whom, who = _parted(order.rest, service)
        seat = find_seat(live, whom, service.own_templates)
        offer = _offer(who, service)
        former.append(live.holders[seat].name)
        by = office.master.record
        after = moderation.replace_holder(session, live, seat, offer, order.reason, office.now, who=by)
        former.append(after.holders[seat].name)
        return after

    effect = office.act(order, act)
    fields = {"game": order.game, "former": former[0], "name": former[1], "told": names_told(effect)}
    epochs = [one.epoch for one in effect.before.holders]
    return _Done("replace", fields, {**_account(effect), "epochs": epochs})


def _parted(text: str, service: Service) -> tuple[str, str]:
    """
    Return which seat and who is to have it, of `seat 2 with Eva <…>`.

    Raises: Misuse `seat.form`.
    """
    words = words_for("by", service.own_templates, OFFICE)
    tokens = text.split()
    at = next((place for place, one in enumerate(tokens) if place and fold(one) in words), None)
    if at is None:
        raise Misuse("seat.form", text=text)
    return " ".join(tokens[:at]), " ".join(tokens[at + 1 :])


def _offer(who: str, service: Service) -> SeatOffer:
    """Return who is to have a seat; a phone may write an address without brackets, or with a link beside it."""
    kind, _, name = who.replace(":", " ", 1).partition(" ")
    if fold(kind) in words_for("bots", service.own_templates, OFFICE):
        return parse_seat(f"bot:{fold(name) or 'greedy'}", service.settings)
    tokens = [one for one in who.replace("(", "<").replace(")", ">").split() if not one.startswith("<mailto:")]
    bare = [one.partition("<mailto:")[0] if "<mailto:" in one else one for one in tokens]
    if "<" not in " ".join(bare):
        bare = [f"<{one.strip('.,;')}>" if "@" in one else one for one in bare]
    return parse_seat(" ".join(bare), service.settings)


def _block(office: Office, order: Order) -> _Done:
    person = find_person(office.session, order.rest)
    roster.block(office.session, person, order.reason, office.now, office.master.record)
    seats = [[one.game, one.ruleset, one.status] for one in roster.held_seats(office.session, person)]
    fields = {"name": person.name, "seats": [one[:2] for one in seats]}
    return _Done("block", fields, {"person": person.id, "seats": seats})


def _account(effect: Effect) -> dict[str, Any]:
    """Return all that an act did, or would do."""
    return {
        "length": effect.before.position.seq,
        "status": [effect.before.game.status, effect.after.game.status],
        "told": [[holder.seat, holder.name, one.key] for holder, one in effect.told],
        "undone": [one["seq"] for one in effect.undone],
    }
