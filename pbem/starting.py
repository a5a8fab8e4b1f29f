"""An open game that begins before all seats are taken, as it stands or filled with bots; and one that waits long."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from engine.core.log import first_position
from engine.core.ruleset import make_config
from engine.core.types import GM, Seat
from pbem.advance import ended, store_all
from pbem.entering import tell_others
from pbem.errors import Refused
from pbem.live import Live, tables_of
from pbem.lobby import free_seats, is_free, tell_waiting
from pbem.moderation import note_act
from pbem.opening import bot_offer, start_game
from pbem.store import games, outbox
from pbem.store.base import Session
from pbem.store.games import Holder


def start_as_it_stands(session: Session, live: Live, bots: str, now: datetime) -> Live:
    """
    Return the game running with the seats that are taken; with the rest filled by *bots*, if they are named.

    Raises: Refused `game.begun`, `start.invited`, `start.few`; ConfigError where the options are not for so few.
    """
    if live.game.status != "open":
        raise Refused("game.ended" if ended(live.game) else "game.begun", game=live.game.id)
    invited = tuple(one.name for one in live.holders if not one.accepted and not is_free(one))
    if invited:
        raise Refused("start.invited", game=live.game.id, names=invited)
    free = free_seats(live.holders)
    for seat in free if bots else ():
        bot = bot_offer(bots)
        live = live.with_holder(replace(live.holders[seat], name=bot.name, bot=bot.bot, accepted=True))
    if free and not bots:
        live = _smaller(session, live, len(live.holders) - len(free))
    note_act(session, live, "start", {"seats": live.game.seats, "bots": len(free) if bots else 0}, now)
    return start_game(session, live, now)


def has_waited_long(session: Session, live: Live, now: datetime) -> Live:
    """Return the open game after all were told, once, that it is not full yet."""
    fields = {"days": (now - live.game.created_at).days, "free": len(free_seats(live.holders))}
    live = replace(live, game=replace(live.game, next_due=None))
    outbox.add_notice(session, live.game.id, GM, "alert.lobby", fields, now, urgent=True)
    tell_others(session, live, None, "lobby.long", fields, now)
    tell_waiting(session, live, "lobby.long", fields, now)
    store_all(session, live)
    return live


def _smaller(session: Session, live: Live, seats: int) -> Live:
    """
    Return the game set up anew for the *seats* that are taken; who sat behind them moves to one that was free.

    Raises: Refused `start.few`; ConfigError.
    """
    least = max(live.game.at_least, min(live.ruleset.seats))
    if seats < least:
        raise Refused("start.few", game=live.game.id, taken=seats, least=least)
    config = make_config(seats, dict(live.game.options), allowed=live.ruleset.seats, options=live.ruleset.options)
    position = first_position(live.ruleset, config, tables_of(session, live.game))
    game = games.with_position(replace(live.game, seats=seats), position, b"")
    holders = _closed_up(session, live.holders, seats)
    for seat in range(seats, live.game.seats):
        games.remove_seat(session, game.id, Seat(seat))
    return replace(live, game=game, position=position, holders=holders)


def _closed_up(session: Session, holders: Sequence[Holder], seats: int) -> tuple[Holder, ...]:
    """Return the holders of the first *seats* seats, the free ones of them given to who sits behind."""
    found = list(holders[:seats])
    epoch = max(one.epoch for one in holders) + 1  # no tag of either seat was made with it
    behind = [one for one in holders[seats:] if not is_free(one)]
    for seat, mover in zip(free_seats(found), behind, strict=True):
        outbox.forget_untold(session, mover.game, seat)
        outbox.readdress(session, mover.game, mover.seat, seat)
        found[seat] = replace(mover, seat=seat, epoch=epoch)
    return tuple(found)
