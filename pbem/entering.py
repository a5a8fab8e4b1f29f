"""
Seats of an open game that are for whoever comes: asked for, confirmed, taken, left, and filled from the waiting list.

A letter without proof leads to a question alone, at the address that it claims to come from; whoever is called a
*person* here has proved that he reads the mails to his address.
"""

from datetime import datetime, timedelta
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from pbem import opening
from pbem.advance import store_all
from pbem.errors import Refused
from pbem.live import Live
from pbem.lobby import NOBODY, free_name, free_seats, is_free, list_waiting, takes_players, unique_name
from pbem.observing import part_from, place_of, remove_observer
from pbem.opening import OWN_CHOICES, dice_word, start_game
from pbem.store import observers, outbox, people
from pbem.store.base import Session
from pbem.store.games import Holder
from pbem.store.observers import Observer

ASKED_AGAIN = timedelta(days=1)
"""How long after a question the same is not asked again."""

Asked = Literal["asked", "pending", "known", "full"]
"""What became of a letter without proof: asked; asked before; he has his place; no place can be made any more."""


class Newcomer(Struct, frozen=True):
    """
    Who would like a seat.

    `name`  as the table is to read it, "" where none can be read
    `word`  for the dice
    """

    person: int
    name: str
    word: str = ""


class Claim(Struct, frozen=True):
    """What a letter without proof says of its sender; *language* and *zone* hold for who is not known."""

    address: str
    name: str
    language: str
    zone: str
    word: str = ""


def ask(session: Session, live: Live, claim: Claim, now: datetime) -> tuple[Asked, Seat | None]:
    """Ask, at the address of *claim*, whether the letter was his; return what became of it, and his place or seat."""
    game = live.game.id
    person = people.find_person(session, claim.address)
    if person is None:
        usual = (claim.language, claim.zone)
        person = people.meet_person(session, claim.name, claim.address, claim.language, claim.zone, usual)
    held = seat_of(live, person.id)
    if held is not None:
        _tell(session, live, held.seat, "lobby.again", {"what": "seated" if held.accepted else "invited"}, now)
        return "known", held.seat
    one = place_of(session, game, claim.name, person.id)
    if one is None:
        return "full", None
    if one.state == "waiting":
        _tell(session, live, one.seat, "lobby.again", {"what": "waiting"}, now)
        return "known", one.seat
    if one.state == "asked" and one.since is not None and now - one.since < ASKED_AGAIN:
        return "pending", one.seat
    if one.state != "looking":  # who looks on goes on doing so until he confirms
        one = replace(one, state="asked", since=now, name=claim.name, word=dice_word(claim.word))
    observers.save_observer(session, one)
    fields = {"game": game, "name": unique_name(one.name, live, None), **_table(session, live)}
    _tell(session, live, one.seat, "lobby.confirm", fields, now)
    return "asked", one.seat


def _table(session: Session, live: Live) -> dict[str, Any]:
    """Return who has a seat already, how many seats there are, and how many wait."""
    names = [one.name for one in live.holders if not is_free(one)]
    waiting = list_waiting(session, live.game.id)
    return {"names": names, "seats": live.game.seats, "waiting": len(waiting), "pace": live.game.clock}


def seat_of(live: Live, person: int) -> Holder | None:
    """Return the seat that *person* has, or None."""
    return next((one for one in live.holders if one.person == person), None)


def enter(session: Session, live: Live, who: Newcomer, now: datetime) -> Live:
    """
    Return the game after *who* has taken a seat, or a place on the waiting list; it starts when all seats are taken.

    Raises: Refused `lobby.closed` unless the game takes players; `lobby.full` where no place can be made any more.
    """
    held = seat_of(live, who.person)
    if held is not None and held.accepted:
        _tell(session, live, held.seat, "lobby.again", {"what": "seated"}, now)
        return live
    if held is not None and live.game.status == "open":
        return accept_seat(session, live, held.seat, who.word, now)
    if not takes_players(live.game):
        raise Refused("lobby.closed", game=live.game.id)
    one = place_of(session, live.game.id, who.name, who.person)
    if one is None:
        raise Refused("lobby.full", game=live.game.id)
    if one.state == "waiting":
        _tell(session, live, one.seat, "lobby.again", {"what": "waiting"}, now)
        return live
    one = replace(one, name=who.name or one.name, word=dice_word(who.word) or one.word)
    free = free_seats(live.holders)
    if free:
        return _begin(session, _seated(session, live, one, free[0], now), now)
    observers.save_observer(session, replace(one, state="waiting", since=now))
    place = len(list_waiting(session, live.game.id))
    _tell(session, live, one.seat, "lobby.waiting", {"place": place}, now)
    return live


def accept_seat(session: Session, live: Live, seat: Seat, word: str, now: datetime) -> Live:
    """Return the open game after who was invited to *seat* has accepted, with his *word* for the dice."""
    if not takes_players(live.game):
        return opening.accept(session, live, seat, word, now)
    old = live.holders[seat]
    live = live.with_holder(replace(old, accepted=True, word=dice_word(word) or old.word))
    if not old.accepted:
        tell_table(session, live, seat, now)
        tell_others(session, live, seat, "lobby.joined", {"name": old.name, **_missing(live)}, now)
    return _begin(session, live, now)


def change_word(session: Session, live: Live, seat: Seat, word: str, now: datetime) -> Live:
    """Return the open game with another word of *seat* for the dice."""
    live = live.with_holder(replace(live.holders[seat], word=dice_word(word)))
    _tell(session, live, seat, "desk.word", {"word": dice_word(word)}, now)
    store_all(session, live)
    return live


def leave(session: Session, live: Live, seat: Seat, now: datetime) -> Live:
    """Return the open game without who had *seat*; the first of the waiting list follows him."""
    old = live.holders[seat]
    part_from(session, old, "lobby.gone", {"had": True}, now)
    outbox.forget_untold(session, live.game.id, seat)
    live = live.with_holder(_emptied(old))
    waiting = list_waiting(session, live.game.id)
    following = waiting[0] if waiting else None
    if following is not None:
        live = _seated(session, live, following, seat, now, quietly=True)
    follower = live.holders[seat].name if following is not None else ""
    fields = {"name": old.name, "follower": follower, **_missing(live)}
    tell_others(session, live, seat, "lobby.left", fields, now)
    return _begin(session, live, now)


def give_up(session: Session, one: Observer, now: datetime) -> None:
    """Let who has no seat yet ask for none any more."""
    remove_observer(session, one)
    outbox.add_notice(session, one.game, one.seat, "lobby.gone", {"had": False}, now, urgent=True)


def tell_table(session: Session, live: Live, seat: Seat, now: datetime) -> None:
    """Tell a seat of an open game how it is called, who else is at the table, and what is missing."""
    held = live.holders[seat]
    if not held.accepted:
        _tell(session, live, seat, "lobby.again", {"what": "invited"}, now)
        return
    others = [one.name for one in live.holders if one.seat != seat and one.accepted]
    fields = {"name": held.name, "others": others, **_missing(live)}
    _tell(session, live, seat, "lobby.seated", fields, now)


def _seated(session: Session, live: Live, one: Observer, seat: Seat, now: datetime, *, quietly: bool = False) -> Live:
    """Return the game with the person of place *one* on *seat*, welcomed; unless *quietly*, the others are told."""
    old = live.holders[seat]
    outbox.forget_untold(session, live.game.id, one.seat)
    observers.save_observer(session, replace(one, state="seated", since=now, word=""))
    name = unique_name(one.name, live, seat)
    new = replace(
        old, name=name, person=one.person, bot="", epoch=old.epoch + 1, accepted=True, word=one.word, **OWN_CHOICES
    )
    live = live.with_holder(new)
    tell_table(session, live, seat, now)
    if not quietly:
        tell_others(session, live, seat, "lobby.joined", {"name": name, **_missing(live)}, now)
    return live


def _begin(session: Session, live: Live, now: datetime) -> Live:
    """Return the game, running if all seats are taken and all who were invited have accepted; else stored as it is."""
    if all(one.accepted for one in live.holders):
        return start_game(session, live, now)
    store_all(session, live)
    return live


def _missing(live: Live) -> dict[str, Any]:
    """Return how many seats are free, and whose answer to an invitation is missing."""
    invited = [one.name for one in live.holders if not one.accepted and not is_free(one)]
    return {"free": len(free_seats(live.holders)), "invited": invited}


def _tell(session: Session, live: Live, seat: Seat, key: str, fields: dict[str, Any], now: datetime) -> None:
    outbox.add_notice(session, live.game.id, seat, key, fields, now, urgent=True)


def tell_others(
    session: Session, live: Live, but: Seat | None, key: str, fields: dict[str, Any], now: datetime
) -> None:
    """Tell all persons who have a seat and know that the game is open, *but* for one."""
    for one in live.holders:
        if not one.bot and one.seat != but:
            _tell(session, live, one.seat, key, fields, now)


def _emptied(holder: Holder) -> Holder:
    """Return the seat as it is for whoever comes next; mails to who had it prove nothing any more."""
    return replace(
        holder,
        name=free_name(holder.seat),
        person=None,
        bot=NOBODY,
        epoch=holder.epoch + 1,
        accepted=False,
        word="",
        unreachable=False,
        **OWN_CHOICES,
    )
