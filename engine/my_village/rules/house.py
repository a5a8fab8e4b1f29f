"""The main house: the headman's steps between home, the coin and the stories."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event
from engine.my_village.moves import House
from engine.my_village.rules.pieces import blocked_black, gain_coins, gain_stories, refuse, spend, told, use_black
from engine.my_village.state import COIN, HOME, STORIES, State, Stepping, Turn, pop, push, top, with_me


def spaces(state: State) -> tuple[str, ...]:
    """
    Return where the headman can go, what saves stories first.

    Source: rules: one step along house, coin, stories.
    """
    if state.me.headman != COIN:
        return (COIN,)
    return (HOME, STORIES) if state.me.tree else (STORIES, HOME)


def blocked(state: State, space: str) -> IllegalMoveError | None:
    """Return why the headman cannot step to *space*, or None."""
    possible = spaces(state)
    if not space:
        return IllegalMoveError("house.where", open=possible)
    return None if space in possible else IllegalMoveError("house.step", space=space, open=possible)


def moves(state: State, turn: Turn) -> Iterator[House]:
    """Yield the steps, where a black flag may be used. Source: rules: any two dice."""
    if blocked_black(turn, "house", ()) is None:
        yield from map(House, spaces(state))


def use(state: State, move: House) -> Step[State]:
    """
    Return the state after the headman's step.

    Raises: IllegalMoveError `flag.alone`, `house.step`.
    """
    refuse(blocked_black(top(state, Turn), "house", ()), blocked(state, move.space))
    return _go(use_black(state), move.space)


def enter(state: State) -> State:
    """Return the state in which the headman is to go, with the dice of a turn that began with the main house."""
    return push(use_black(state), Stepping())


def asks(state: State) -> bool:
    """Return whether the headman can go either way."""
    return len(spaces(state)) > 1


def decision(state: State) -> Decision:
    """Return the question where the headman goes."""
    return Decision(state.turn, Stepping.key)


def step_moves(state: State) -> Iterator[House]:
    """Yield every step."""
    return map(House, spaces(state))


def step(state: State, move: House) -> Step[State]:
    """
    Return the state after the headman's step.

    Raises: IllegalMoveError `house.step`.
    """
    refuse(blocked(state, move.space))
    return _go(pop(state), move.space)


def step_only(state: State) -> Step[State]:
    """Return the state after the only step that there is."""
    return _go(pop(state), spaces(state)[0])


def _go(state: State, space: str) -> Step[State]:
    """
    Return the state after the headman came to *space*, which must be possible.

    Source: rules: a coin, three stories on the tree, or all stories from the tree into the house. Our ruling "Main
            house": each step costs an hour.
    """
    block, seat = state.tables.house, state.turn
    state = spend(state, block.hours)
    state = with_me(state, replace(state.me, headman=space))
    if space == COIN:
        return told(
            gain_coins(state, block.coins), event("my.house-coin", seat=seat, coins=block.coins, hours=block.hours)
        )
    if space == STORIES:
        return told(
            gain_stories(state, block.stories),
            event("my.house-stories", seat=seat, stories=block.stories, hours=block.hours),
        )
    me = state.me
    state = with_me(state, replace(me, store=me.store + me.tree, tree=0))
    return told(state, event("my.house-home", seat=seat, stories=me.tree, hours=block.hours))
