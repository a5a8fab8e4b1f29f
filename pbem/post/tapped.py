"""What can be answered to a fact with one tap."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pbem.post.facts import Fact, MailFacts
from pbem.post.voice import Voice

TAPS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "undo.asked": (("undo_all", ""), ("undo_all", "no")),
        "end.asked": (("finish", ""), ("finish", "no")),
        "pause.asked": (("pause", ""), ("pause", "no")),
        "rematch.asked": (("rematch", ""), ("rematch", "no")),
        "resign.asked": (("resign", "yes"),),
        "seat.resigned": (("finish", ""),),
        "bench.offer": (("accept", ""), ("decline", "")),
        "observer.stop": (("stop", "yes"),),
    }
)
"""Key of a notice -> the commands that answer it, each with the phrase that follows it, "" none."""

MOST_JOINS = 5
"""Open games that can be joined with one tap."""


def taps_of(facts: MailFacts, voice: Voice) -> dict[str, list[str]]:
    """Return for each key that is told the lines that answer it, in the reader's words."""
    taps = {one.key: [voice.command(*tap) for tap in TAPS[one.key]] for one in facts.told if _is_asked(one, facts.seat)}
    return taps | {
        one.key: _joins(one, voice)
        for one in facts.told
        if one.key.startswith("lobby.") and dict(one.fields).get("games")
    }


def _joins(fact: Fact, voice: Voice) -> list[str]:
    """Return the lines that join the first of the open games that *fact* lists."""
    games: Any = dict(fact.fields)["games"]
    return [voice.phrase("join_line", number) for number, *_ in games[:MOST_JOINS]]


def _is_asked(fact: Fact, seat: int) -> bool:
    """Return whether *seat* is the one to answer *fact*."""
    fields = dict(fact.fields)
    missing = fields.get("missing", (seat,))
    return fact.key in TAPS and isinstance(missing, tuple) and seat in missing and bool(fields.get("alone", True))
