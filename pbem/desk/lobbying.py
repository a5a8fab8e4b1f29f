"""`join`, `games`, `word` and `bench`: seats of open games and those that fall free, for who has proved who he is."""

from collections.abc import Callable, Mapping

from engine.registry import titles
from pbem import entering
from pbem.desk import habits
from pbem.desk.habits import OFF
from pbem.desk.values import Desk, Outcome, Request, Served
from pbem.desk.wishes import read_join
from pbem.desk.words import fold
from pbem.entering import Newcomer
from pbem.errors import Refused
from pbem.live import Live, take_up
from pbem.lobby import open_games, why_closed
from pbem.store import benches
from pbem.store.observers import Observer

Placed = Callable[[Desk, Live, Observer, Request], Outcome]
"""Serves one command of a person with a place beside the seats; gives back what became of it."""


def join(desk: Desk, live: Live, request: Request) -> Served:
    """Take a seat of another game, or a place on its waiting list; the answer comes with the mails of that game."""
    outcome = join_from(desk, desk.holder(live).name, request)
    return Served(take_up(desk.session, live.game.id), outcome=outcome)


def join_from(desk: Desk, name: str, request: Request) -> Outcome:
    """Return what became of the wish of the person, so far called *name*, for a seat of another game."""
    wish = read_join(request.written.text, request.rest, desk.service.own_templates)
    if not wish.game:
        desk.tell("lobby.games", games=open_games(desk.session))
        return "accepted"
    return enter(desk, wish.game, wish.name or name, wish.word)


def enter(desk: Desk, number: int, name: str, word: str) -> Outcome:
    """Return what became of a seat for the person in game *number*; who gets none is told which games are open."""
    try:
        other = take_up(desk.session, number)
    except Refused:
        return _closed(desk, number, "unknown")
    try:
        entering.enter(desk.session, other, Newcomer(desk.person.id, name, word), desk.now)
    except Refused as error:
        return _closed(desk, number, "full" if error.key == "lobby.full" else why_closed(other.game))
    return "accepted"


def _closed(desk: Desk, number: int, why: str) -> Outcome:
    desk.tell("lobby.closed", game=number, why=why, games=open_games(desk.session))
    return "refused"


def list_games(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Send the list of open games."""
    desk.tell("lobby.games", games=open_games(desk.session))
    return Served(live)


def word(desk: Desk, live: Live, request: Request) -> Served:
    """Change the own word for the dice before the game begins."""
    if not request.rest:
        return desk.refuse(live, "desk.usage", command="word", value="")
    return Served(entering.change_word(desk.session, live, desk.seat, request.rest.strip(" :.!,;\"'"), desk.now))


def bench(desk: Desk, live: Live, request: Request) -> Served:
    """Sit down on the bench, or get up from it."""
    return Served(live, outcome=sit(desk, request))


def sit(desk: Desk, request: Request) -> Outcome:
    """Return what became of the wish to take seats that fall free: in games of the title that is named, or of any."""
    wish = read_bench(request.rest)
    if wish is None:
        desk.tell("desk.usage", command="bench", value=request.rest[:40])
        return "refused"
    title, is_off = wish
    if is_off:
        benches.get_up(desk.session, desk.person.id, title or None)
    else:
        benches.sit_down(desk.session, desk.person.id, title, desk.now)
    sits = [one.ruleset for one in benches.list_bench(desk.session) if one.person == desk.person.id]
    desk.tell("bench.sits", titles=sits)
    return "accepted"


def read_bench(rest: str) -> tuple[str, bool] | None:
    """Return the title that stands behind `bench`, "" for any, and whether it is to end; None for what is no title."""
    words = [fold(one) for one in rest.split()]
    is_off = bool(words) and words[-1] in OFF
    named = {"": ""} | {fold(one.replace("_", " ")): one for one in titles()}
    title = named.get(" ".join(words[:-1] if is_off else words))
    return None if title is None else (title, is_off)


def _join(desk: Desk, live: Live, one: Observer, request: Request) -> Outcome:  # noqa: ARG001 - one shape
    return join_from(desk, one.name, request)


def _games(desk: Desk, live: Live, one: Observer, request: Request) -> Outcome:  # noqa: ARG001 - one shape
    return list_games(desk, live, request).outcome


def _bench(desk: Desk, live: Live, one: Observer, request: Request) -> Outcome:  # noqa: ARG001 - one shape
    return sit(desk, request)


def _habit(serve: Callable[[Desk, Live, Request], Served]) -> Placed:
    """Return a setting of a person, which is not of his seat, as one of who has none."""
    return lambda desk, live, one, request: serve(desk, live, request).outcome  # noqa: ARG005 - one shape


WITHOUT_SEAT: Mapping[str, Placed] = {
    "join": _join,
    "games": _games,
    "bench": _bench,
    "language": _habit(habits.language),
    "zone": _habit(habits.zone),
    "quiet": _habit(habits.quiet),
    "digest": _habit(habits.digest),
    "plain": _habit(habits.plain),
}
"""What everybody with a place beside the seats may ask for."""
