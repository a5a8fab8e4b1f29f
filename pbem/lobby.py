"""Open games whose seats are for whoever comes: which there are, what is free, and who waits for a seat."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from engine.core.types import Seat
from pbem.live import Live
from pbem.store import games, observers, outbox
from pbem.store.base import Session
from pbem.store.games import BRANCHES, Game, Holder
from pbem.store.observers import Observer
from pbem.store.people import fold

NOBODY = "nobody"
"""Stands as the bot of a seat that waits for somebody: a free one of an open game, or one of an imported game."""

LONGEST_NAME = 40
"""Characters of what one is called at the table who comes of his own accord."""

MOST_LISTED = 20
"""Open games in one list."""


def is_free(holder: Holder) -> bool:
    """Return whether nobody has the seat yet."""
    return holder.bot == NOBODY


def free_seats(holders: Sequence[Holder]) -> list[Seat]:
    """Return the seats that nobody has yet, lowest first."""
    return [one.seat for one in holders if is_free(one)]


def free_name(seat: int) -> str:
    """Return what a seat that nobody has is called in lists for the game master."""
    return f"Seat {seat}"


def takes_players(game: Game) -> bool:
    """Return whether whoever comes may have a seat of *game* now, or wait for one."""
    return game.status == "open" and game.at_least > 0


def open_games(session: Session) -> list[list[Any]]:
    """
    Return the games that take players, newest first, as notices list them.

    Shape:  number, title, seats, seats taken, names of who has them, clock, persons who wait
    """
    found = [one for one in games.list_games(session, "open") if one.at_least]
    listed = []
    for game in found[::-1][:MOST_LISTED]:
        taken = [one.name for one in games.get_holders(session, game.id) if not is_free(one)]
        waiting = len(list_waiting(session, game.id))
        listed.append([game.id, game.ruleset, game.seats, len(taken), taken, game.clock, waiting])
    return listed


def list_waiting(session: Session, game: int) -> list[Observer]:
    """Return who waits for a seat of *game*, in the order in which they get one; not who was given one meanwhile."""
    seated = {one.person for one in games.get_holders(session, game)}
    return [one for one in observers.list_places(session, game, "waiting") if one.person not in seated]


def tell_waiting(session: Session, live: Live, key: str, fields: dict[str, Any], now: datetime) -> None:
    """Note a fact for all who wait for a seat of the game."""
    for one in list_waiting(session, live.game.id):
        outbox.add_notice(session, live.game.id, one.seat, key, fields, now, urgent=True)


def end_waiting(session: Session, live: Live, key: str, fields: dict[str, Any], now: datetime) -> None:
    """Tell all who wait for a seat of the game that there will be none; they may still write and be answered."""
    tell_waiting(session, live, key, fields, now)
    for one in list_waiting(session, live.game.id):
        observers.save_observer(session, replace(one, state="asked", since=None))


def why_closed(game: Game) -> str:
    """Return why *game* takes nobody, as notices name it: its seats are given, or its status; a what-if is unknown."""
    if game.status in BRANCHES:
        return "unknown"
    return "given" if game.status == "open" else game.status


def unique_name(name: str, live: Live, seat: Seat | None) -> str:
    """Return *name* as nobody at the table has it but for *seat*: the second Ana is "Ana 2"."""
    others = {fold(one.name) for one in live.holders if one.seat != seat}
    number, found = 1, name
    while fold(found) in others:
        number += 1
        found = f"{name[: LONGEST_NAME - 3].rstrip()} {number}"
    return found
