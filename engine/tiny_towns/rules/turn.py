"""What a seat does after it has answered the resource of the round: construct and activate, as often as it likes."""

from collections.abc import Iterator

from engine.core.types import Decision, Step, event
from engine.tiny_towns.moves import Activate, Build, Done
from engine.tiny_towns.rules import abilities, building
from engine.tiny_towns.state import Building, State, pop


def asks(state: State, seat: int) -> bool:
    """
    Return whether there is anything to construct or to activate.

    With a Monument in the hand always: whether its layout lies complete is not for the others to learn.
    """
    player = state.players[seat]
    in_hand = player.monument and not player.town.monument
    return bool(in_hand) or building.can_build(state, seat) or any(True for _ in abilities.activations(state, seat))


def decision(state: State, seat: int) -> Decision:
    """Return the question what is constructed."""
    return Decision(state.seats[seat], Building.key)


def moves(state: State, seat: int) -> Iterator[Done | Build | Activate]:
    """Yield the end of the turn, what can be constructed, and what can be activated."""
    yield Done()
    yield from building.builds(state, seat)
    yield from abilities.activations(state, seat)


def done(state: State, seat: int, _move: Done) -> Step[State]:
    """Return the state after *seat* is done with the round. Source: rules: constructing is never compulsory."""
    return Step(pop(state, seat), (event("towns.done", seat=seat),))
