"""Who at the table is meant by the words before the colon of a message."""

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from engine.core.types import GM, Seat
from pbem.desk.words import fold, readers_words
from pbem.live import Live
from pbem.store.games import Holder

SHORTEST = 3
"""Letters from which the beginning of a name may stand for it."""

MOST_NAMES = 20
"""Names in one list that are looked up; nobody has so many at a table."""


class Meant(Struct, frozen=True):
    """
    Who is to read a message, in the order of the seats; the game master last.

    `everybody`  all were named together
    `unknown`    names that nobody has; `alike`: those that several have
    `bots`       seats that were named and read no mail
    """

    seats: tuple[Seat, ...] = ()
    everybody: bool = False
    unknown: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    bots: tuple[Seat, ...] = ()


def find_readers(live: Live, writer: Seat, whom: str, own: Path | None) -> Meant:
    """Return whom *writer* means by *whom*: one name, or several with commas or `and` between them."""
    holders = [one for one in live.holders if one.seat != writer]
    whole = find_one(holders, whom, own)
    parts = [] if whole.seats or whole.bots or whole.alike else _parts(whom, own)
    if len(parts) < 2:  # noqa: PLR2004 - one name is no list
        return whole
    found = [find_one(holders, part, own) for part in parts]
    seats = {seat for one in found for seat in one.seats}
    return Meant(
        tuple(sorted(seats, key=lambda seat: (seat == GM, seat))),
        everybody=any(one.everybody for one in found),
        unknown=tuple(name for one in found for name in one.unknown),
        alike=tuple(name for one in found for name in one.alike),
        bots=tuple(sorted({seat for one in found for seat in one.bots})),
    )


def _parts(whom: str, own: Path | None) -> list[str]:
    """Return the names in a list."""
    words = "|".join(re.escape(word) for word in sorted(readers_words("between", own)))
    parts = re.split(rf"[,;&+/]|\s(?:{words})\s", whom, flags=re.IGNORECASE)
    return [part.strip() for part in parts if fold(part)][:MOST_NAMES]


def find_one(holders: Sequence[Holder], name: str, own: Path | None) -> Meant:
    """Return who has *name*; the closest way of naming counts: the whole name, the seat, the first name, its start."""
    folded = fold(name)
    if folded in readers_words("everybody", own):
        return Meant(tuple(one.seat for one in holders if not one.bot), everybody=True)
    if folded in readers_words("master", own):
        return Meant((GM,))
    for is_named in (_has_name, _has_number, _has_first_name, _begins):
        found = [one for one in holders if is_named(one, folded)]
        if len(found) > 1:
            return Meant(alike=(name.strip(),))
        if found:
            return Meant(bots=(found[0].seat,)) if found[0].bot else Meant((found[0].seat,))
    return Meant(unknown=(name.strip(),))


def _has_name(holder: Holder, folded: str) -> bool:
    return fold(holder.name) == folded


def _has_number(holder: Holder, folded: str) -> bool:
    return str(holder.seat + 1) == folded


def _has_first_name(holder: Holder, folded: str) -> bool:
    return fold(holder.name).split(" ")[0] == folded


def _begins(holder: Holder, folded: str) -> bool:
    return len(folded) >= SHORTEST and fold(holder.name).startswith(folded)
