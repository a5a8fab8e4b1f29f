"""The round: who names, what is drawn, who acts, which towns are complete, and the end."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Event, Seat, Step, event
from engine.tiny_towns import scoring
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.moves import Draw, Name
from engine.tiny_towns.rules.pieces import COTTAGE, free_markers, markers
from engine.tiny_towns.rules.villagers import begin_watch
from engine.tiny_towns.state import (
    EMPTY_SQUARES,
    NOBODY,
    Building,
    Lodging,
    Moving,
    Naming,
    Placing,
    Player,
    State,
    Taking,
    pop,
    push,
    with_player,
)

FORT = "fort"


# --- who names ---


def can_name(state: State, seat: int) -> bool:
    """
    Return whether *seat* may be Master Builder.

    Source: rules: finished players are passed over; the cards Fort Ironweed (unless left alone) and Bank; our ruling
    "Five Banks".
    """
    in_game = state.in_game
    if seat not in in_game or not free_markers(state.town(seat)):
        return False
    return FORT not in state.town(seat).buildings or len(in_game) == 1


def next_namer(state: State) -> Seat:
    """Return who will name next, the hammer going left; `NOBODY` if nobody can. In round 1 the holder begins."""
    seats = len(state.players)
    start = state.builder + (state.round > 0)
    order = (Seat((start + n) % seats) for n in range(seats))
    return next((seat for seat in order if can_name(state, seat)), NOBODY)


def has_hammer(state: State) -> bool:
    """Return whether there is a Master Builder in this game. Source: rules: none in Town Hall and Solo."""
    return not (state.variant.town_hall or state.solo)


def naming_decision(state: State, seat: int) -> Decision:
    """Return the question which resource is named."""
    return Decision(state.seats[seat], Naming.key)


def naming_moves(state: State, seat: int) -> Iterator[Name]:
    """Yield the resources that no own Bank bars."""
    return map(Name, free_markers(state.town(seat)))


def name(state: State, seat: int, move: Name) -> Step[State]:
    """
    Return the state after the Master Builder has named a resource; a turn as Master Builder.

    Raises: IllegalMoveError `name.marked`.
    Source: rules: the round; the card Bank.
    """
    if move.resource in markers(state.town(seat)):
        raise IllegalMoveError("name.marked", resource=move.resource)
    player = state.players[seat]
    state = with_player(pop(state, seat), seat, replace(player, turns=player.turns + 1))
    state = replace(state, resource=move.resource, namer=Seat(seat))
    return Step(state, (event("towns.named", seat=seat, resource=move.resource),))


# --- a round begins ---


def begin(state: State) -> Step[State]:
    """Return the state with the next round begun. Source: rules: the round; Town Hall; Solo."""
    seats = len(state.players)
    namer = next_namer(state) if has_hammer(state) else NOBODY
    state = replace(
        state,
        round=state.round + 1,
        resource="",
        namer=NOBODY,
        built=((),) * seats,
        players=tuple(map(_ripened, state.players)),
    )
    events = [event("towns.round", round=state.round, seat=namer)]
    if namer != NOBODY:
        state = push(replace(state, builder=namer, stage="naming"), namer, Naming())
    elif state.solo or is_free(state):
        state = open_turns(replace(state, stage="turns"))
    else:
        state = replace(state, stage="draw")
    return Step(state, tuple(events))


def _ripened(player: Player) -> Player:
    """Return *player* with the Trading Posts of the last round wild. Source: rules: effects begin a round later."""
    return replace(player, town=replace(player.town, fresh=())) if player.town.fresh else player


def is_free(state: State) -> bool:
    """Return whether each takes a resource freely in this round. Source: rules: Town Hall, every third round."""
    return state.variant.town_hall and state.round % state.tables.town_hall.rounds == 0


def open_turns(state: State) -> State:
    """
    Return the state in which all who act in this round have to answer.

    Source: rules: everybody in the game at once; Town Hall: Fort Ironweed and the free round, our ruling "Five Banks".
    """
    for seat in state.in_game:
        if state.solo:
            state = push(state, seat, Building(), Taking())
        elif not state.resource:
            if can_name(state, seat):
                state = push(state, seat, Building(), Taking())
        else:
            state = push(state, seat, Building(), Placing(state.resource, other=state.namer != seat))
    return state


# --- cards are drawn (Town Hall, Solo) ---


def _left(state: State) -> tuple[tuple[str, int], ...]:
    """Return the resource cards that were not seen since the last shuffle, by resource."""
    each = state.tables.cubes.cards
    counts = ((resource, each - state.seen.count(resource)) for resource in RESOURCES)
    return tuple((resource, count) for resource, count in counts if count)


def draw_decision(state: State) -> Decision:
    """Return the draw of a resource card: of all that were not seen, those that lie aside included."""
    key = "towns.open" if state.solo else "towns.resource"
    return Decision(CHANCE, key, odds=tuple(count for _, count in _left(state)))


def draw_moves(state: State) -> Iterator[Draw]:
    """Yield the resources that can come up."""
    return (Draw(resource) for resource, _ in _left(state))


def draw_resource(state: State, move: Draw) -> Step[State]:
    """
    Return the state after a resource card came up.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: Town Hall: five cards of each shuffle stay unseen; Solo: three lie open.
    """
    if move.what not in dict(_left(state)):
        raise IllegalMoveError("draw.not-there", what=move.what)
    state = replace(state, seen=(*state.seen, move.what))
    if state.solo:
        return Step(replace(state, open=(*state.open, move.what)), (event("towns.open", resource=move.what),))
    cards = len(RESOURCES) * state.tables.cubes.cards - state.tables.town_hall.aside
    if len(state.seen) == cards:
        state = replace(state, seen=())
    return Step(replace(state, resource=move.what), (event("towns.drawn", resource=move.what),))


def lays_open(state: State) -> bool:
    """Return whether a card must be drawn from the unknown part of the pile to lie open (Solo)."""
    return len(state.open) < state.tables.solo.open and bool(_left(state))


def lay_open(state: State) -> Step[State]:
    """Return the state after the known cards of the pile have filled the open ones (Solo)."""
    missing = state.tables.solo.open - len(state.open)
    coming = state.under[:missing]
    state = replace(state, open=(*state.open, *coming), under=state.under[missing:])
    return Step(state, tuple(event("towns.open", resource=resource) for resource in coming))


# --- a round ends ---


def after_turns(state: State) -> Step[State]:
    """Return the state in which pieces may come from Opaleye's Watch."""
    return Step(begin_watch(replace(state, stage="watch")))


def after_watch(state: State) -> Step[State]:
    """Return the state in which villagers move and come back from the Lodge."""
    state = replace(state, stage="villagers")
    if state.variant.villagers:
        for seat in state.in_game:
            state = push(state, seat, Lodging(), Moving())
    return Step(state)


def finish(state: State) -> Step[State]:
    """
    Return the state after towns were found complete, and the game over or ready for the next round.

    Source: rules: completion; our rulings "Full, with room on a building", "Nobody may name".
    """
    full = [seat for seat in state.in_game if not state.town(seat).empty]
    state, events = _complete(state, full)
    if has_hammer(state) and state.in_game and next_namer(state) == NOBODY:
        state, more = _complete(state, state.in_game)
        events += more
    if not state.in_game:
        over = replace(state, stage="over", players=tuple(map(_cleared, state.players)))
        return Step(over, (*events, *_result(over)))
    if state.solo:
        at = state.open.index(state.resource)
        state = replace(state, open=state.open[:at] + state.open[at + 1 :], under=(*state.under, state.resource))
        return Step(replace(state, stage="open"), tuple(events))
    begun = begin(state)
    return Step(begun.state, (*events, *begun.events))


def _cleared(player: Player) -> Player:
    """Return *player* without the cubes of the grid; those on Warehouses stay. Source: rules: end."""
    town = player.town
    held = tuple(() if name == COTTAGE else lying for name, lying in zip(town.buildings, town.held, strict=True))
    return replace(player, town=replace(town, cubes=EMPTY_SQUARES, held=held))


def _complete(state: State, seats: Iterator[Seat] | list[Seat] | tuple[Seat, ...]) -> tuple[State, list[Event]]:
    events = []
    for seat in seats:
        state = with_player(state, seat, replace(state.players[seat], completed=state.round))
        events.append(event("towns.completed", seat=seat))
    return state, events


def _result(state: State) -> Iterator[Event]:
    """Yield how the game ended. Source: rules: end; Solo: ranks."""
    if state.solo:
        points = sum(scoring.parts(state, 0))
        rank = 1 + sum(points < least for least in state.tables.solo.ranks)
        yield event("towns.ranked", seat=0, points=points, rank=rank)
    else:
        winners = tuple(int(one.seat) for one in scoring.standings(state) if one.rank == 1)
        yield event("towns.over", winners=winners)
