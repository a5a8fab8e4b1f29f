"""From a list of seats to a running game: invitations, acceptance, the words for the dice, the first draws."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.core.dice import SEED_BYTES, Dice
from engine.core.log import first_link, first_position
from engine.core.ruleset import Ruleset, make_config
from engine.core.tables import load_tables
from engine.core.types import GM, Seat
from pbem.advance import advance, restart_clocks, store_all, tell_all
from pbem.clock import Clock, check_kinds, format_clock, in_zone, only_kinds, parse_clock
from pbem.contacts import parse_contact
from pbem.errors import Refused
from pbem.live import Live, header_of, take_up
from pbem.lobby import NOBODY, end_waiting, free_name, is_free, open_games
from pbem.mail.addresses import is_box
from pbem.settings import Play, Settings
from pbem.store import games, outbox, people
from pbem.store.base import Session
from pbem.store.games import Game, Holder, Late, Rewind

BOTS = ("random", "greedy")
STAND_IN = "default"
"""The bot that plays what the rules answer at a deadline: for a seat that was left and is to be given to somebody."""
LONGEST_WORD = 40

OWN_CHOICES: Mapping[str, Any] = {"watch": "normal", "acks": "all", "note": "", "reminders": True}
"""What a holder chose and wrote for himself, as it is for who comes after him."""


class SeatOffer(Struct, frozen=True):
    """
    Who is to hold a seat: a person with an address, or a bot.

    `language`, `zone`  "" where nothing is said of them: who is known keeps his own
    `usual`             language and zone of who is not known
    """

    name: str
    address: str = ""
    language: str = ""
    zone: str = ""
    bot: str = ""
    usual: tuple[str, str] = ("en", "UTC")


def parse_seat(text: str, settings: Settings) -> SeatOffer:
    """
    Return who is meant by 'NAME <ADDRESS> [LANGUAGE] [ZONE]' or 'bot:greedy'.

    Raises: Misuse `seat.form`, `seat.address`, `seat.word`, `words.language`; Refused `seat.ours`, `bot.unknown`.
    """
    kind, colon, bot = text.strip().partition(":")
    if kind == "bot" and colon:
        if bot not in BOTS:
            raise Refused("bot.unknown", bot=bot, known=BOTS)
        return SeatOffer(f"Bot ({bot})", bot=bot)
    one = parse_contact(text)
    if is_box(one.address, settings.mail.address):
        raise Refused("seat.ours", address=one.address)
    usual = (settings.play.language, settings.play.timezone)
    return SeatOffer(one.name, one.address, one.language, one.zone, usual=usual)


class GameOffer(Struct, frozen=True):
    """
    A game to be opened.

    `tables`  text of own component tables; "" for the packaged ones
    `seed`    32 bytes; None: drawn from the system
    `late`    what answers for who comes too late; after so many `misses` in a row a bot stands in, 0: never
    `rewind`  who decides to take it back: the game master, or all who moved since have to agree
    `zone`    where it is a day of rest, if the clock has some and does not say it itself
    `at_least`  seats with which it may begin, where some are for whoever comes; 0: none are
    `open_for`  how long it may wait for them before all are told; 0: for ever
    """

    ruleset: str
    seats: tuple[SeatOffer, ...]
    options: tuple[tuple[str, str], ...] = ()
    clock: str = "24h + 10d"
    hold: timedelta = timedelta()
    tables: str = ""
    seed: bytes | None = None
    message: str = ""
    late: Late = "default"
    misses: int = 0
    rewind: Rewind = "gm"
    zone: str = "UTC"
    at_least: int = 0
    open_for: timedelta = timedelta()


def usual_clock(play: Play, title: str) -> str:
    """Return the clock of the settings, which is meant for all titles, for a game of *title*."""
    if not play.clock.kinds:
        return format_clock(play.clock)
    keys = {name: tuple(registry.load(name).vocabulary.decisions) for name in {title, *registry.titles()}}
    return format_clock(only_kinds(play.clock, keys[title], tuple(chain.from_iterable(keys.values()))))


def read_clock(ruleset: Ruleset[Any, Any, Any], text: str, zone: str) -> Clock:
    """
    Return the clock *text* of a game of that *ruleset*, its days of rest those of *zone* if it does not say.

    Raises: Misuse, as `parse_clock` and `check_kinds` do.
    """
    clock = parse_clock(text)
    check_kinds(clock, ruleset.vocabulary.decisions)
    return in_zone(clock, zone)


def open_game(session: Session, offer: GameOffer, now: datetime, *, start: bool = False) -> Live:
    """
    Return the new game, its persons invited; with *start*, or if only bots play, running.

    Raises: ConfigError, TableError; Refused `bot.unknown`, `seat.person`, `seat.name`, `seed.length`, `open.least`;
            Misuse for the clock.
    """
    ruleset = registry.load(offer.ruleset)
    config = make_config(len(offer.seats), dict(offer.options), allowed=ruleset.seats, options=ruleset.options)
    tables = load_tables(offer.tables.encode()) if offer.tables else registry.packaged_tables(offer.ruleset)
    seed = secrets.token_bytes(SEED_BYTES) if offer.seed is None else offer.seed
    if len(seed) != SEED_BYTES:
        raise Refused("seed.length", have=len(seed), need=SEED_BYTES)
    least = min(ruleset.seats)
    if offer.at_least and not least <= offer.at_least <= config.seats:
        raise Refused("open.least", at_least=offer.at_least, least=least, most=config.seats)
    clock = read_clock(ruleset, offer.clock, offer.zone)
    games.keep_tables(session, tables.digest, offer.ruleset, tables.text)
    draft = Game(
        id=0,
        ruleset=offer.ruleset,
        rules=ruleset.rules,
        seats=config.seats,
        options=config.options,
        tables=tables.digest,
        commitment=Dice(seed).commitment,
        seed=seed,
        status="open",
        clock=format_clock(clock),
        hold=offer.hold,
        created_at=now,
        late=offer.late,
        misses=offer.misses,
        rewind=offer.rewind,
        next_due=now + offer.open_for if offer.at_least and offer.open_for else None,
        at_least=offer.at_least,
    )
    game = games.add_game(session, games.with_position(draft, first_position(ruleset, config, tables), b""))
    holders: list[Holder] = []
    for number, seat in enumerate(offer.seats):
        holders.append(_holder(session, game, Seat(number), seat, holders))
    for holder in holders:
        games.add_holder(
            session, replace(holder, bank=clock.bank, accepted=(bool(holder.bot) or start) and not is_free(holder))
        )
    live = take_up(session, game.id)
    if not start:
        tell_all(session, live, "game.invited", {"message": offer.message}, now)
    if all(one.accepted for one in live.holders):
        live = start_game(session, live, now)
    return live


def open_seats(offer: GameOffer, count: int, at_least: int, open_for: timedelta) -> GameOffer:
    """
    Return *offer* with its seats filled up to *count* by seats for whoever comes; 0 for *at_least*: as few as allowed.

    Raises: Refused `open.taken` where no seat is left for that; ConfigError for an unknown title.
    """
    free = count - len(offer.seats)
    if free < 1:
        raise Refused("open.taken", seats=count, given=len(offer.seats))
    least = at_least or min(registry.load(offer.ruleset).seats)
    empty = tuple(SeatOffer(free_name(seat), bot=NOBODY) for seat in range(len(offer.seats), count))
    return replace(offer, seats=(*offer.seats, *empty), at_least=least, open_for=open_for)


def bot_offer(bot: str) -> SeatOffer:
    """Return that *bot* is to hold a seat."""
    return SeatOffer(f"Bot ({bot})", bot=bot)


def open_rematch(session: Session, live: Live, now: datetime) -> Live:
    """
    Return a new game of the same title, options, tables and clock, running, in which each sits one seat further on.

    Raises: as `open_game` does, where the tables or options are none any more.
    """
    seats = []
    for one in (*live.holders[-1:], *live.holders[:-1]):
        if one.person is None:
            seats.append(SeatOffer(one.name, bot=one.bot) if one.bot in BOTS else bot_offer("greedy"))
        else:
            seats.append(SeatOffer(one.name, people.get_person(session, one.person).address))
    offer = GameOffer(
        live.game.ruleset,
        tuple(seats),
        live.game.options,
        clock=live.game.clock,
        hold=live.game.hold,
        tables=games.get_tables(session, live.game.tables),
        late=live.game.late,
        misses=live.game.misses,
        rewind=live.game.rewind,
    )
    opened = open_game(session, offer, now, start=True)
    for one in opened.holders:
        if not one.bot:
            fields = {"former": live.game.id}
            outbox.add_notice(session, opened.game.id, one.seat, "rematch.begun", fields, now, urgent=False)
    return opened


def _holder(session: Session, game: Game, seat: Seat, offer: SeatOffer, others: Sequence[Holder]) -> Holder:
    """Return who takes *seat* beside the *others*; one person holds one seat, and no two have one name."""
    if offer.bot:
        if offer.bot not in (*BOTS, STAND_IN, NOBODY):
            raise Refused("bot.unknown", bot=offer.bot, known=BOTS)
        return Holder(game.id, seat, offer.name, bot=offer.bot)
    person = people.meet_person(session, offer.name, offer.address, offer.language, offer.zone, offer.usual)
    if any(one.person == person.id for one in others):
        raise Refused("seat.person", name=offer.name, address=offer.address)
    if any(people.fold(one.name) == people.fold(offer.name) for one in others):
        raise Refused("seat.name", name=offer.name)
    return Holder(game.id, seat, offer.name, person=person.id)


def start_game(session: Session, live: Live, now: datetime) -> Live:
    """
    Return the game running: the players' words fixed, the first draws made, the first decisions asked.

    Who waited for a seat is told that none was left, and which games are open.
    """
    words = tuple(one.word for one in live.holders if one.word)
    game = replace(live.game, words=words, status="running", started_at=now)
    game = replace(game, link=first_link(header_of(session, game, full=False).constant_text()))
    live = replace(live, game=game)
    tell_all(session, live, "game.started", {}, now)
    games.save_game(session, game)  # it is none of those that are open
    end_waiting(session, live, "lobby.over", {"games": open_games(session)}, now)
    return advance(session, live, now)


def dice_word(text: str) -> str:
    """Return *text* as a word for the dice: on one line, and no longer than LONGEST_WORD."""
    return " ".join(text.split())[:LONGEST_WORD]


def accept(session: Session, live: Live, seat: Seat, word: str, now: datetime) -> Live:
    """
    Return the game after *seat* has accepted, with its *word* for the dice; it starts when all have.

    Raises: Refused `game.begun` unless the game is open.
    """
    if live.game.status != "open":
        raise Refused("game.begun", game=live.game.id)
    word = dice_word(word)
    holder = live.holders[seat]
    live = live.with_holder(replace(holder, accepted=True, word=word or holder.word))
    waiting = [one.name for one in live.holders if not one.accepted]
    if waiting:
        outbox.add_notice(
            session, live.game.id, seat, "game.accepted", {"seat": seat, "waiting": waiting}, now, urgent=True
        )
        store_all(session, live)
        return live
    return start_game(session, live, now)


def decline(session: Session, live: Live, seat: Seat, now: datetime) -> Live:
    """
    Return the game called off because *seat* declined.

    Raises: Refused `game.begun` unless the game is open.
    """
    if live.game.status != "open":
        raise Refused("game.begun", game=live.game.id)
    live = replace(live, game=replace(live.game, status="aborted", ended_at=now, next_due=None))
    tell_all(session, live, "game.declined", {"seat": seat}, now)
    outbox.add_notice(session, live.game.id, GM, "alert.declined", {"seat": seat}, now, urgent=True)
    store_all(session, live)
    return live


def hand_over(session: Session, live: Live, seat: Seat, offer: SeatOffer, now: datetime) -> Live:
    """
    Return the game with *seat* in other hands: a new tag, nothing planned or noted, its clock started anew.

    Raises: Refused `bot.unknown`, `seat.person`, `seat.name`.
    """
    old = live.holders[seat]
    outbox.forget_untold(session, live.game.id, seat)  # it was for who held it
    fresh = _holder(session, live.game, seat, offer, [one for one in live.holders if one.seat != seat])
    new = replace(
        old,
        name=fresh.name,
        person=fresh.person,
        bot=fresh.bot,
        epoch=old.epoch + 1,
        accepted=bool(fresh.bot) or live.game.status != "open",
        plan=(),
        held_until=None,
        asked=-1,
        unreachable=False,
        undo_to=-1,
        wants_end=False,
        wants_pause=False,
        rematch="",
        away_until=None,
        away_used=timedelta(),
        missed=0,
        stand_in=False,
        **OWN_CHOICES,
    )
    live = live.with_holder(new)
    return live.with_holder(restart_clocks(live, now).holders[seat])
