"""Mails to the game master and his deputies: which of them is told what, and each mail as facts."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from pbem.masters import Master, masters_of, tag_for
from pbem.notices import ALERTS, DIGEST, FOR_DEPUTIES, MASTER, REPLIES
from pbem.post.facts import Fact, Kind, MailFacts, Player
from pbem.post.gather import reply_to
from pbem.post.strangers import plain_facts
from pbem.service import Service
from pbem.settings import Settings
from pbem.store import games
from pbem.store.base import Session
from pbem.store.outbox import Noticed

KNOWN = {**ALERTS, **DIGEST, **MASTER, **REPLIES}
ASKS = "master.ask-"
_LOOKS = frozenset({"master.status", "master.games", "master.show"})
_REFUSALS = frozenset(
    {
        "master.refused",
        "master.usage",
        "master.which-game",
        "master.no-question",
        "master.done-before",
        "master.expired",
        "master.nothing",
        "master.repeat",
        "master.unproved",
        *REPLIES,
    }
)


class Bundle(Struct, frozen=True):
    """The notices that one mail tells, and who gets it."""

    master: Master
    notices: tuple[Noticed, ...]


def bundles(settings: Settings, notices: Sequence[Noticed]) -> Iterator[Bundle]:
    """
    Yield the mails that tell *notices*: alerts, the digest, the answers to each letter, each question by itself.

    Deputies get the alerts that want an act, before the game master, whose mail is the one that stands for the notice.
    An answer to who is no deputy any more goes to nobody.
    """
    first, *deputies = masters_of(settings)
    alerts = tuple(one for one in notices if one.key in ALERTS)
    wanted = tuple(one for one in alerts if one.key in FOR_DEPUTIES)
    if wanted:
        yield from (Bundle(one, wanted) for one in deputies)
    digest = tuple(one for one in notices if one.key in DIGEST)
    yield from (Bundle(first, told) for told in (alerts, digest) if told)
    answers: dict[tuple[object, ...], list[Noticed]] = {}
    for one in notices:
        if "reader" in one.fields and one.key not in ALERTS:
            apart = one.id if one.key.startswith(ASKS) else 0
            answers.setdefault((one.fields["reader"], one.fields["letter"], apart), []).append(one)
    for (reader, *_), told_to in answers.items():
        master = next((one for one in (first, *deputies) if one.folded == reader), None)
        if master is not None:
            yield Bundle(master, tuple(told_to))


def gather_for_master(
    session: Session, service: Service, bundle: Bundle, game: int | None, mail: int, now: datetime
) -> MailFacts:
    """Return the facts of the mail with the number *mail* that tells *bundle*, which was noted for *game*."""
    master = bundle.master
    told = tuple(
        Fact(one.key, tuple((name, one.fields[name]) for name in KNOWN[one.key] if name in one.fields))
        for one in bundle.notices
    )
    number = game or _common_game(bundle.notices)
    tag = tag_for(service, master, number, mail)
    facts = replace(
        plain_facts(service, master.address, told, now),
        kind=_kind(bundle.notices),
        language=master.language,
        zone=master.zone,
        tag=tag,
        reply_to=reply_to(session, service.settings.mail, tag),
        gm_name=service.settings.gm.name,
    )
    if not number:
        return facts
    players = tuple(Player(one.seat, one.name, bool(one.bot)) for one in games.get_holders(session, number))
    return replace(facts, game=number, title=games.get_game(session, number).ruleset, players=players)


def _common_game(notices: Sequence[Noticed]) -> int:
    """Return the game that all of *notices* are about, 0 where there is not one."""
    found = {int(one.fields.get("game", 0)) for one in notices if one.key != "master.unread"}
    return found.pop() if len(found) == 1 else 0


def _kind(notices: Sequence[Noticed]) -> Kind:
    keys = {one.key for one in notices}
    if keys <= ALERTS.keys():
        return "alert"
    if keys <= DIGEST.keys():
        return "digest"
    if any(one.startswith(ASKS) for one in keys):
        return "confirmation"
    if keys == {"master.help"}:
        return "help"
    if keys <= _LOOKS:
        return "notice"
    return "refusal" if keys & _REFUSALS else "acknowledgement"
