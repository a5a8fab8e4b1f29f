"""What all persons at the table agree to: to end the game as it stands, to pause it, and to play another one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from msgspec.structs import replace

from engine.core.errors import EngineError
from engine.core.types import GM, Seat
from pbem.advance import ended, store_all, tell_all, without_wishes
from pbem.desk.values import Desk, Request, Served
from pbem.desk.words import match_invitation
from pbem.errors import Refused
from pbem.live import Live
from pbem.moderation import PLAYERS
from pbem.moderation import finish as finish_game
from pbem.moderation import pause as pause_game
from pbem.moderation import resume as resume_game
from pbem.opening import open_rematch
from pbem.store import outbox
from pbem.store.base import Session
from pbem.store.games import Holder

YES, NO = "accept", "decline"


class Act(Protocol):
    """Does to a game what all persons agreed to."""

    def __call__(self, session: Session, live: Live, reason: str, now: datetime, *, who: str) -> Live:
        """Return the game after it."""


def answer_of(desk: Desk, request: Request) -> str:
    """Return YES, also where nothing stands behind the command, NO, or "" for what is neither."""
    return match_invitation(request.rest, desk.service.own_templates) if request.rest else YES


def persons(live: Live) -> list[Holder]:
    """Return the seats of persons who play: for none of them a bot answers."""
    return [one for one in live.holders if not one.answered_by]


def finish(desk: Desk, live: Live, request: Request) -> Served:
    """Agree to end the game as it stands, or take that back; it ends when all persons agree."""
    if live.game.status not in ("running", "paused"):
        return desk.refuse(live, _closed(live))
    return _wish(desk, live, request, "end", finish_game)


def pause(desk: Desk, live: Live, request: Request) -> Served:
    """Agree to let the game and its clocks stand still, or take that back; they do when all persons agree."""
    if live.game.status == "paused":
        return desk.refuse(live, "pause.already", master=live.game.paused_by != PLAYERS)
    if not live.running:
        return desk.refuse(live, _closed(live))
    return _wish(desk, live, request, "pause", pause_game)


def _closed(live: Live) -> str:
    return "letter.over" if ended(live.game) else "letter.not-started"


def _wish(desk: Desk, live: Live, request: Request, what: Literal["end", "pause"], act: Act) -> Served:
    """
    Take down that the person wants *what*, or does not; where all persons want it, *act* does it.

    One who would rather play on settles the question for all; else it stands until the round ends.
    """
    wish = f"wants_{what}"
    answer = answer_of(desk, request)
    if answer == NO:
        return _play_on(desk, live, what)
    if answer != YES:
        return desk.refuse(live, f"{what}.how")
    live = live.with_holder(replace(desk.holder(live), **{wish: True}))
    missing = [one.seat for one in persons(live) if not getattr(one, wish)]
    if not missing:
        return Served(act(desk.session, live, "", desk.now, who=PLAYERS))
    store_all(desk.session, live)
    agreed = [one.seat for one in persons(live) if getattr(one, wish)]
    _tell(desk, live, f"{what}.asked", agreed, missing, persons(live))
    return Served(live)


def _play_on(desk: Desk, live: Live, what: str) -> Served:
    wish = f"wants_{what}"
    if not any(getattr(one, wish) for one in live.holders):
        return desk.refuse(live, f"{what}.nothing")
    live = without_wishes(live, [wish])
    store_all(desk.session, live)
    tell_all(desk.session, live, f"{what}.declined", {"seat": desk.seat}, desk.now)
    return Served(live)


def resume(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Let a game go on that the players have paused."""
    if live.game.status != "paused":
        return desk.refuse(live, "resume.nothing" if live.running else _closed(live))
    if live.game.paused_by != PLAYERS:
        return desk.refuse(live, "resume.master")
    return Served(resume_game(desk.session, live, "", desk.now, desk.seat))


def rematch(desk: Desk, live: Live, request: Request) -> Served:
    """Agree to play the same once more, with the seats moved by one, or decline; it starts when all persons agree."""
    if not ended(live.game) or not live.begun:
        return desk.refuse(live, "letter.over" if ended(live.game) else "rematch.early")
    if live.game.rematch:
        return desk.refuse(live, "rematch.again", game=live.game.rematch)
    answer = answer_of(desk, request)
    if answer not in (YES, NO):
        return desk.refuse(live, "rematch.how")
    said = "yes" if answer == YES else "no"
    live = live.with_holder(replace(desk.holder(live), rematch=said))
    held = [one for one in live.holders if not one.bot]  # also by who was stood in for: he would have a seat again
    missing = [one.seat for one in held if one.rematch != "yes"]
    if not missing:
        return _play_again(desk, live)
    store_all(desk.session, live)
    if answer == NO:
        tell_all(desk.session, live, "rematch.declined", {"seat": desk.seat}, desk.now)
        return Served(live)
    agreed = [one.seat for one in held if one.rematch == "yes"]
    _tell(desk, live, "rematch.asked", agreed, missing, [one for one in held if one.rematch != "no"])
    return Served(live)


def _play_again(desk: Desk, live: Live) -> Served:
    """Open the new game; the others are told by its first mail."""
    try:
        with desk.session.begin_nested():
            opened = open_rematch(desk.session, live, desk.now).game.id
    except (EngineError, Refused) as error:
        desk.tell("rematch.impossible")
        fields = {"error": error.key}
        outbox.add_notice(desk.session, live.game.id, GM, "alert.rematch", fields, desk.now, urgent=True)
        store_all(desk.session, live)
        return Served(live)
    live = replace(live, game=replace(live.game, rematch=opened))
    store_all(desk.session, live)
    desk.tell("rematch.opened", game=opened)
    return Served(live)


def _tell(
    desk: Desk, live: Live, key: str, agreed: Sequence[Seat], missing: Sequence[Seat], readers: Sequence[Holder]
) -> None:
    """Tell *readers* who agreed and who did not yet."""
    fields = {"seat": desk.seat, "agreed": agreed, "missing": missing}
    for one in readers:
        outbox.add_notice(desk.session, live.game.id, one.seat, key, fields, desk.now, urgent=True)
