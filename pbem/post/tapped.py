"""What can be answered to a fact with one tap."""

from collections.abc import Mapping
from types import MappingProxyType

from pbem.post.facts import Fact, MailFacts
from pbem.post.voice import Voice

TAPS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "undo.asked": (("undo_all", ""), ("undo_all", "no")),
        "end.asked": (("finish", ""), ("finish", "no")),
        "rematch.asked": (("rematch", ""), ("rematch", "no")),
        "resign.asked": (("resign", "yes"),),
        "seat.resigned": (("finish", ""),),
        "bench.offer": (("accept", ""), ("decline", "")),
        "observer.stop": (("stop", "yes"),),
    }
)
"""Key of a notice -> the commands that answer it, each with the phrase that follows it, "" none."""


def taps_of(facts: MailFacts, voice: Voice) -> dict[str, list[str]]:
    """Return for each key that is told the lines that answer it, in the reader's words."""
    return {one.key: [voice.command(*tap) for tap in TAPS[one.key]] for one in facts.told if _is_asked(one, facts.seat)}


def _is_asked(fact: Fact, seat: int) -> bool:
    """Return whether *seat* is the one to answer *fact*."""
    fields = dict(fact.fields)
    missing = fields.get("missing", (seat,))
    return fact.key in TAPS and isinstance(missing, tuple) and seat in missing and bool(fields.get("alone", True))
