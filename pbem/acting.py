"""An act of the game master carried out: the game before and after it, who is told what, and what it takes back."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from pbem.branching import want_kept, want_real
from pbem.live import Live, real_game, take_up, want_same_rules
from pbem.report import taken_back, worded
from pbem.service import Service
from pbem.store import outbox
from pbem.store.base import Session
from pbem.store.games import Holder
from pbem.store.outbox import Noticed

Act = Callable[[Session, Service, Live], Live]


class Effect(Struct, frozen=True):
    """
    What an act led to, or would.

    `told`    who holds a seat after it, and what he is told by it, in the order of the seats; in a what-if those of the
              game itself, who may be told that something hidden was looked at
    `undone`  the entries of seats that it takes back, as everybody may know them
    """

    before: Live
    after: Live
    told: tuple[tuple[Holder, Noticed], ...]
    undone: tuple[dict[str, Any], ...] = ()


def carry_out(
    session: Session,
    service: Service,
    game: int,
    act: Act,
    *,
    any_rules: bool = False,
    undoing: bool = False,
    in_branch: bool = False,
) -> Effect:
    """
    Do *act* to a game in the transaction of *session*, and return what it led to.

    *any_rules*: also before an upgrade; *undoing*: it takes entries back; *in_branch*: also in a what-if.
    Raises: Refused `game.unknown`, `game.outdated`, `branch.act`, `branch.discarded`; what the act raises, with the
            words of the rules as a note.
    """
    before = take_up(session, game)
    (want_kept if in_branch else want_real)(before)
    if not any_rules:
        want_same_rules(before)
    real = real_game(session, before)
    known = {one.id for holder in real.holders for one in outbox.untold(session, real.game.id, holder.seat)}
    with worded(before.game.ruleset, tuple(one.name for one in before.holders), service.own_templates):
        after = act(session, service, before)
    told = tuple(
        (holder, one)
        for holder in (real if before.is_branch else after).holders
        for one in outbox.untold(session, real.game.id, holder.seat)
        if one.id not in known
    )
    return Effect(before, after, told, tuple(taken_back(session, before, after)) if undoing else ())
