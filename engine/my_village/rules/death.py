"""The third step of a turn: burials, the rat, day labourers."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Event, Step, event
from engine.my_village.components import PROFESSIONS
from engine.my_village.moves import Bury, Hire, Roll
from engine.my_village.rules.pieces import told
from engine.my_village.state import FACES, Burial, Hiring, Rolled, State, become, pop, push, top, with_me, with_village

SANATORIUM = "sanatorium"


def crossings(state: State, before: int, after: int) -> int:
    """Return how often a disc passes the bridge between these hours. Source: our ruling "Time"."""
    lap = state.tables.time.lap
    return after // lap - before // lap


def asks(state: State) -> bool:
    """Return whether there is a choice of who dies."""
    return len(state.me.villagers) > 1


def decision(state: State) -> Decision:
    """Return the question who dies."""
    return Decision(state.turn, Burial.key)


def moves(state: State) -> Iterator[Bury]:
    """Yield every living villager. Source: rules: one of choice; our ruling "Who can die": no pupil, no headman."""
    return map(Bury, state.me.villagers)


def bury(state: State, move: Bury) -> Step[State]:
    """
    Return the state after a burial, with the roll for the rat to come.

    Raises: IllegalMoveError `bury.nobody`.
    Source: rules: death; the book while it has room, which brings stories. Our ruling "Book and graves".
    """
    if move.profession not in state.me.villagers:
        raise IllegalMoveError("bury.nobody", profession=move.profession)
    return _lay(state, move.profession)


def bury_only(state: State) -> Step[State]:
    """Return the state after the only villager was buried: there is no choice."""
    return _lay(state, state.me.villagers[0])


def _lay(state: State, profession: str) -> Step[State]:
    burial, me = top(state, Burial), state.me
    book = state.tables.book.stories[len(state.villages) - 2]
    stories = book[state.graves] if state.graves < len(book) else 0
    villagers = tuple(one for one in me.villagers if one != profession)
    state = become(state, Burial(burial.count - 1)) if burial.count > 1 else pop(state)
    state = with_me(state, replace(me, villagers=villagers, tree=me.tree + stories))
    in_book = state.graves < len(book)
    state = replace(state, graves=state.graves + 1)
    state = push(state, *([] if villagers else [Hiring()]), Rolled())
    seat = state.turn
    laid = (
        event("my.booked", seat=seat, profession=profession, stories=stories)
        if in_book
        else event("my.buried", seat=seat, profession=profession)
    )
    full = [event("my.book-full", graves=state.graves)] if state.graves == len(book) else []
    limit = state.for_seats(state.tables.graves.limit)
    ends = [event("my.last-round", graves=state.graves)] if state.graves == limit else []
    return told(state, laid, *full, *ends)


# --- the rat ---


def rat_decision(_state: State) -> Decision:
    """Return the question how far the rat goes."""
    return Decision(CHANCE, Rolled.key, odds=(1,) * len(FACES))


def rat(state: State, move: Roll) -> Step[State]:
    """
    Return the state after the rat went on; at the village all trees lose half their stories.

    Source: rules: the grey die after each burial; invasion. Our ruling "The rat": then back to its start.
    """
    state = replace(pop(state), rat=state.rat + move.face)
    steps = state.for_seats(state.tables.rat.steps)
    if state.rat < steps:
        return told(state, event("my.rat", face=move.face, left=steps - state.rat))
    invaded = _invade(replace(state, rat=0))
    return told(invaded.state, event("my.invasion", face=move.face), *invaded.events)


def _invade(state: State) -> Step[State]:
    """
    Return the state after an invasion.

    Source: rules: half the tree, rounded down; the house is safe. Our ruling "Churches": the Sanatorium averts the
            first two that would cost its owner something.
    """
    events: list[Event] = []
    for seat, village in enumerate(state.villages):
        lost = village.tree // 2
        if not lost:
            continue
        uses = state.tables.church[village.church].uses if village.church else 0
        if village.averted < uses:
            state = with_village(state, seat, replace(village, averted=village.averted + 1))
            events.append(event("my.averted", seat=seat, left=uses - village.averted - 1))
        else:
            state = with_village(state, seat, replace(village, tree=village.tree - lost))
            events.append(event("my.lost", seat=seat, stories=lost))
    return told(state, *events)


# --- the day labourer ---


def hire_decision(state: State) -> Decision:
    """Return the question which profession the day labourer takes."""
    return Decision(state.turn, Hiring.key)


def hire_moves(_state: State) -> Iterator[Hire]:
    """Yield every profession: all are empty."""
    return map(Hire, PROFESSIONS)


def hire(state: State, move: Hire) -> Step[State]:
    """
    Return the state after a day labourer came, with a tile of minus points that never goes.

    Source: rules: whoever has none of the five villagers left must take one.
    """
    me = state.me
    state = with_me(pop(state), replace(me, villagers=(move.profession,), labourers=me.labourers + 1))
    return told(state, event("my.labourer", seat=state.turn, profession=move.profession))
