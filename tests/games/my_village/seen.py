"""What is looked at in an entry of My Village, and in the entries of a turn."""

from collections.abc import Callable, Iterator, Sequence

from engine.core.types import Seat
from engine.my_village import RULESET
from engine.my_village.moves import Move
from engine.my_village.state import Phase, Totalling, Turn, Village
from tests.games.watch import Eye, Game, Moment, Said, each

Group = Sequence[Moment]
"""The entries of a turn, and the draws that follow it."""

PLAYED = {"play", "enrol", "advance", "promote", "make", "farm", "serve", "joker", "meeting"}
"""The verbs of white flags."""
SPENT = {"house", "steward", "hand", "travel", "buy"}
"""The verbs of black flags."""


def phase(moment: Moment) -> Phase | None:
    """Return the phase that the entry answers."""
    return moment.before.stack[-1] if moment.before.stack else None


def turn(moment: Moment) -> Turn | None:
    """Return the turn whose flags are asked for at the entry, or None."""
    now = phase(moment)
    return now if isinstance(now, Turn) else None


def village(moment: Moment) -> Village:
    """Return the village of the turn before the entry; an empty one before the first turn."""
    return moment.before.me if moment.before.turn >= 0 else Village()


def then(moment: Moment) -> Village:
    """Return the same village after the entry."""
    return moment.after.villages[moment.before.turn]


def verb(moment: Moment) -> str:
    """Return the first word of the entry."""
    return moment.text.split()[0]


def offers(moment: Moment, *kinds: type[object]) -> bool:
    """Return whether a move of one of these *kinds* could be made."""
    return any(isinstance(move, kinds) for move in RULESET.legal(moment.before, moment.record.entry.seat))


def can(moment: Moment, move: Move) -> bool:
    """Return whether this *move* could be made."""
    return move in RULESET.legal(moment.before, moment.record.entry.seat)


def asks_first(moment: Moment, totals: Sequence[int]) -> bool:
    """Return whether the first flag of a turn is asked for, with one of *totals*."""
    now = turn(moment)
    return now is not None and not now.used and now.total in totals


def tells(*keys: str) -> Eye:
    """Return the eye for an entry that tells all of *keys*."""
    return each(lambda moment: set(keys) <= set(moment.keys))


def says(key: str, happens: Callable[[Said, Moment], bool]) -> Eye:
    """Return the eye for an event of this *key* at which something *happens*."""
    return each(lambda moment: any(happens(said, moment) for said in moment.told(key)))


def begins_turn(moment: Moment) -> bool:
    """Return whether the entry is the first of a turn."""
    return isinstance(phase(moment), Totalling)


def turns(game: Game) -> Iterator[Group]:
    """Yield the entries of each turn, and the draws that follow it."""
    begun = [at for at, moment in enumerate(game) if begins_turn(moment)]
    for at, end in zip(begun, [*begun[1:], len(game)], strict=True):
        yield game[at:end]


def in_turn(happens: Callable[[Group], Moment | None]) -> Eye:
    """Return the eye for a turn in which something *happens*: it returns the entry."""

    def sees(game: Game) -> Iterator[int]:
        found = (happens(group) for group in turns(game))
        return (moment.seq for moment in found if moment is not None)

    return sees


def first(group: Group, *keys: str) -> Moment | None:
    """Return the first entry that tells one of *keys*, or None."""
    return next((moment for moment in group if not set(keys).isdisjoint(moment.keys)), None)


def later(group: Group, moment: Moment | None) -> Group:
    """Return the entries after *moment*; none if it is None."""
    return [one for one in group if moment is not None and one.seq > moment.seq]


def deaths(moment: Moment) -> Iterator[tuple[Seat, str]]:
    """Yield who is buried at the entry, by seat and profession."""
    for said in moment.told("my.booked", "my.buried"):
        yield said["seat"], said["profession"]
