"""The lines by which a master may act on what a mail tells him; each is read back as it stands."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pbem.post.facts import Fact, MailFacts
from pbem.post.voice import Voice

LONGER = "48h"
"""How much longer the lines give everybody."""
MOST_ROWS = 5
"""Rows of a list that have lines of their own."""

Lines = Iterator[str]
Handle = Callable[[MailFacts, Voice, Mapping[str, Any]], Lines]


def handles_of(facts: MailFacts, voice: Voice) -> list[list[str]]:
    """Return for each fact that is told the lines that act on it, in the reader's words; each line once, at the end."""
    found = [_of(one, facts, voice) for one in facts.told]
    return [
        [line for line in lines if not any(line in later for later in found[place:])]
        for place, lines in enumerate(found, 1)
    ]


def _of(fact: Fact, facts: MailFacts, voice: Voice) -> list[str]:
    handle = _HANDLES.get(fact.key)
    return [] if handle is None else list(dict.fromkeys(handle(facts, voice, dict(fact.fields))))


def whom(facts: MailFacts, voice: Voice, seat: int) -> str:
    """Return how a line names *seat*: by its player if nobody else could be meant, else by its number."""
    name = next((one.name for one in facts.players if one.seat == seat), "")
    alike = [one for one in facts.players if one.name.casefold().split(" ")[0] == name.casefold()]
    is_plain = name.replace(" ", "").replace("-", "").isalpha() and len(alike) == 1 and " " not in name
    return name if is_plain else voice.office("seat", seat=seat + 1)


def _letter(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("release", number=fields["letter"])
    yield voice.office("drop", number=fields["letter"])


def _mail(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("retry", number=fields["mail"])


def _late(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    name = whom(facts, voice, fields["seat"])
    yield voice.office("extend", game=facts.game, by=LONGER)
    yield voice.office("message", game=facts.game, whom=name)
    yield voice.office("offer", game=facts.game, whom=name)


def _away(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("extend", game=facts.game, by=LONGER)
    yield voice.office("pause", game=facts.game)


def _lobby(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("show", game=facts.game)
    yield voice.office("finish", game=facts.game)


def _bench(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    yield voice.office("replace", game=facts.game, whom=voice.office("seat", seat=fields["seat"] + 1))


def _message(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    yield voice.office("message", game=facts.game, whom=whom(facts, voice, fields["seat"]))


def _resigned(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    yield voice.office("offer", game=facts.game, whom=voice.office("seat", seat=fields["seat"] + 1))
    yield from _bench(facts, voice, fields)


def _state(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("status")


def _held_rows(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    for letter, *_ in fields["rows"][:MOST_ROWS]:
        yield from _letter(facts, voice, {"letter": letter})


def _unsent_rows(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    for (mail,) in fields["rows"][:MOST_ROWS]:
        yield voice.office("retry", number=mail)


def _waiting_rows(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    for game, *_ in fields["rows"][:MOST_ROWS]:
        yield voice.office("show", game=game)
        yield voice.office("extend", game=game, by=LONGER)


def _status(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    for game, *_ in fields["games"][:MOST_ROWS]:
        yield voice.office("show", game=game)
    for letter in fields["held"][:MOST_ROWS]:
        yield from _letter(facts, voice, {"letter": letter})
    yield voice.office("games")


def _game_rows(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    for game, *_ in fields["rows"][:MOST_ROWS]:
        yield voice.office("show", game=game)


def _show(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    status = fields["status"]
    if status == "running":
        yield from _away(facts, voice, fields)
    if status == "paused":
        yield voice.office("resume", game=fields["game"])
    if status in ("running", "paused", "open"):
        yield voice.office("message-all", game=fields["game"])


def _paused(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("resume", game=fields["game"])


def _confirm(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("confirm")


def _help(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield voice.office("help")


def _look(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    yield from _state(facts, voice, fields)
    yield voice.office("games")


def _again(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:  # noqa: ARG001 - one shape
    yield fields["line"]


def _start(facts: MailFacts, voice: Voice, fields: Mapping[str, Any]) -> Lines:
    yield from _state(facts, voice, fields)
    yield from _help(facts, voice, fields)


_HANDLES: Mapping[str, Handle] = MappingProxyType(
    {
        "alert.letter-crashed": _letter,
        "alert.held": _letter,
        "alert.missed": _late,
        "alert.mail-failed": _mail,
        "alert.mail-refused": _mail,
        "alert.mail-uncertain": _mail,
        "alert.unreachable": _away,
        "alert.away": _away,
        "alert.lobby": _lobby,
        "alert.bench": _bench,
        "alert.message": _message,
        "alert.resigned": _resigned,
        "alert.backlog": _state,
        "alert.sending-paused": _state,
        "alert.no-mail": _state,
        "alert.outage": _state,
        "digest.held": _held_rows,
        "digest.unsent": _unsent_rows,
        "digest.waiting": _waiting_rows,
        "master.status": _status,
        "master.games": _game_rows,
        "master.show": _show,
        "master.paused": _paused,
        "master.ask-rewind": _confirm,
        "master.ask-finish": _confirm,
        "master.ask-replace": _confirm,
        "master.ask-block": _confirm,
        "master.expired": _again,
        "master.help": _look,
        "master.nothing": _help,
        "master.refused": _help,
        "master.usage": _help,
        "master.unproved": _start,
    }
)


def example_lines(voice: Voice) -> Sequence[str]:
    """Return one line for each act, as `help` lists them; their numbers are examples, so none can be tapped."""
    seat = voice.office("seat", seat=2)
    fields = {"game": 12, "whom": seat, "by": LONGER, "clock": "48h + 10d", "number": 31, "to": 141}
    shown = ("show", "pause", "resume", "extend", "clock", "message-all", "message", "offer")
    post = ("release", "drop", "retry")
    last = ("rewind", "finish", "void")
    people = [voice.office(one, whom="eva@example.org") for one in ("block", "unblock")]
    who = "Eva <eva@example.org>"
    return [
        *(voice.office(one, **fields) for one in (*shown, *post)),
        people[1],
        *(voice.office(one, **fields) for one in last),
        voice.office("replace-by", **fields, who=who),
        people[0],
    ]
