"""Whom the game master means: a seat by its player's name or its number, as mails count it; a person over all games."""

import re
from pathlib import Path

from msgspec import Struct

from engine.core.types import GM, Seat
from pbem import roster
from pbem.desk.names import find_one
from pbem.desk.words import OFFICE, fold, readers_words, words_for
from pbem.errors import Refused
from pbem.live import Live
from pbem.reading.tokens import distance
from pbem.store import people
from pbem.store.base import Session
from pbem.store.people import Person

LONGEST_NAME = 60
MOST_SLIPS = 2
"""Letters by which a name may differ and still be taken for a slip of somebody's, not for a word of the text."""


class Addressed(Struct, frozen=True):
    """Who is to get a message, and its text."""

    seats: tuple[Seat, ...]
    text: str


def find_seat(live: Live, name: str, own: Path | None) -> Seat:
    """
    Return the seat that *name* means: `seat 2` is the second, `2` too, `Ana` is hers.

    Raises: Refused `seat.unknown`, `seat.nobody`, `seat.alike`.
    """
    words = [one for one in name.strip(" .:;,").split() if fold(one) not in words_for("seats", own, OFFICE)]
    wanted = " ".join(words)
    if re.fullmatch(r"#?\d{1,4}", wanted) and not 1 <= int(wanted.strip("#")) <= live.game.seats:
        raise Refused("seat.unknown", game=live.game.id, seat=int(wanted.strip("#")))
    meant = find_one(live.holders, wanted.strip("#"), own)
    names = tuple(f"{one.name} ({one.seat + 1})" for one in live.holders)
    if meant.alike:
        raise Refused("seat.alike", game=live.game.id, name=wanted[:LONGEST_NAME], names=names)
    found = [one for one in (*meant.seats, *meant.bots) if one != GM]
    if len(found) != 1 or meant.everybody:
        raise Refused("seat.nobody", game=live.game.id, name=wanted[:LONGEST_NAME], names=names)
    return found[0]


def address(live: Live, text: str, own: Path | None) -> Addressed:
    """
    Return who is to get the message *text*: `seat 2 …`, `Ana: …`, `to Ana: …`; all where nobody is named.

    A name that is nearly one at the table is never sent to all.
    Raises: Refused as `find_seat`; `message.empty`.
    """
    everybody = tuple(one.seat for one in live.holders)
    seats, rest = _by_number(live, text, own)
    if seats is None:
        head, colon, behind = text.partition(":")
        name, is_said = _without_to(head, own)
        if colon and "\n" not in head and 0 < len(name) <= LONGEST_NAME:
            if fold(name) in readers_words("everybody", own):
                seats, rest = everybody, behind
            elif is_said or _is_like_name(live, name, own):
                seats, rest = (find_seat(live, name, own),), behind
    found = Addressed(everybody if seats is None else seats, rest.strip())
    if not found.text:
        raise Refused("message.empty")
    return found


def _by_number(live: Live, text: str, own: Path | None) -> tuple[tuple[Seat, ...] | None, str]:
    """Return the seat that *text* begins with by its number, and the rest; None where it does not."""
    words = "|".join(sorted(map(re.escape, words_for("seats", own, OFFICE))))
    stripped, _ = _without_to(text, own)
    found = re.match(rf"(?:{words})\s+#?(\d{{1,4}})\b[\s:,;.-]*", stripped, re.IGNORECASE)
    if found is None:
        return None, text
    return (find_seat(live, found[1], own),), stripped[found.end() :]


def _without_to(text: str, own: Path | None) -> tuple[str, bool]:
    """Return *text* without a word that says for whom it is, and whether there was one."""
    head, _, behind = text.strip().partition(" ")
    if behind and fold(head) in words_for("to", own, OFFICE):
        return behind.strip(), True
    return text.strip(), False


def _is_like_name(live: Live, name: str, own: Path | None) -> bool:
    """Return whether *name* is, or may be a slip of, that of somebody at the table."""
    meant = find_one(live.holders, name, own)
    if (meant.seats and GM not in meant.seats) or meant.bots or meant.alike:
        return True
    written = [fold(one.name)[:LONGEST_NAME] for one in live.holders]
    known = {*written, *(one.split(" ")[0] for one in written)}
    return any(distance(one, fold(name)) <= min(MOST_SLIPS, len(one) // 3) for one in known)


def find_person(session: Session, who: str) -> Person:
    """
    Return the person with that address, or that name: as he is called, or was at some table.

    Raises: Refused `person.unknown`, `person.alike`.
    """
    wanted = who.strip(" .:;,<>")
    if "@" in wanted:
        return roster.find(session, wanted)
    known = people.list_people(session)
    found = [one for one in known if fold(one.name) == fold(wanted)]
    if not found:
        found = [one for one in known if fold(wanted) in {fold(part.name) for part in people.parts_of(session, one.id)}]
    if len(found) > 1:
        raise Refused("person.alike", who=wanted[:LONGEST_NAME])
    if not found:
        raise Refused("person.unknown", who=wanted[:LONGEST_NAME])
    return found[0]
