"""The black flags of the main board: the steward's office and the hand tile."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.my_village.moves import Done, Hand, Move, Steward, Take
from engine.my_village.rules.pieces import blocked_black, gain_stories, refuse, spend, told, use_black
from engine.my_village.state import Refill, State, Turn, Visiting, become, push, top, with_me

TRADE = "trade-church"

# --- the steward's office ---


def _blocked(state: State, turn: Turn) -> IllegalMoveError | None:
    """Return why the office cannot be used, or None. Source: rules: everybody may, and every turn may again."""
    if not state.display:
        return IllegalMoveError("steward.none")
    return blocked_black(turn, "steward", state.tables.steward.black)


def moves(state: State, turn: Turn) -> Iterator[Steward]:
    """Yield the steward's office."""
    if _blocked(state, turn) is None:
        yield Steward()


def visit(state: State, _move: Steward) -> Step[State]:
    """
    Return the state in which customers can be taken; for a Trade church after one more was turned up.

    Raises: IllegalMoveError `steward.none`, `flag.alone`, `flag.number`.
    Source: rules: steward's office, Trade church. Our ruling "Few customers".
    """
    refuse(_blocked(state, top(state, Turn)))
    state = use_black(state)
    if state.me.church == TRADE:
        state = push(state, Visiting(free=1), Refill(len(state.display) + 1))
    else:
        state = push(state, Visiting())
    return told(state, event("my.steward", seat=state.turn))


def _price(state: State, bought: int) -> tuple[int, int]:
    """Return the hours and coins of one more customer after *bought*. Source: rules: the table of the office."""
    prices = ((0, 0), *state.tables.steward.prices)
    before, after = prices[bought], prices[bought + 1]
    return after[0] - before[0], after[1] - before[1]


def asks(state: State) -> bool:
    """Return whether a customer can be taken: one that is free, or one that can be paid."""
    visiting = top(state, Visiting)
    if not state.display or visiting.bought == len(state.tables.steward.prices):
        return False
    return bool(visiting.free) or _price(state, visiting.bought)[1] <= state.me.coins


def decision(state: State) -> Decision:
    """Return the question which customer, and what the next one costs."""
    visiting = top(state, Visiting)
    hours, coins = (0, 0) if visiting.free else _price(state, visiting.bought)
    return Decision(state.turn, Visiting.key, fields(hours=hours, coins=coins))


def _must(state: State) -> bool:
    """Return whether one has to be taken. Source: our ruling "Few customers": at least one, the free one first."""
    visiting = top(state, Visiting)
    return bool(visiting.free) or not (visiting.bought or state.me.church == TRADE)


def take_moves(state: State) -> Iterator[Move]:
    """Yield the end, where it is allowed, then every customer that lies open."""
    if not _must(state):
        yield Done()
    yield from map(Take, state.display)


def take(state: State, move: Take) -> Step[State]:
    """
    Return the state after a customer was taken.

    Raises: IllegalMoveError `take.not-open`.
    Source: rules: steward's office; neither merchant nor goods are needed.
    """
    if move.customer not in state.display:
        raise IllegalMoveError("take.not-open", customer=move.customer)
    visiting = top(state, Visiting)
    if visiting.free:
        hours, coins, after = 0, 0, Visiting(visiting.free - 1, visiting.bought)
    else:
        hours, coins = _price(state, visiting.bought)
        after = Visiting(0, visiting.bought + 1)
    state = spend(become(state, after), hours, coins)
    state = replace(state, display=tuple(one for one in state.display if one != move.customer))
    state = with_me(state, replace(state.me, customers=(*state.me.customers, move.customer)))
    return told(state, event("my.took", seat=state.turn, customer=move.customer, hours=hours, coins=coins))


def stop(state: State, _move: Done) -> Step[State]:
    """
    Return the state after enough customers were taken.

    Raises: IllegalMoveError `take.one`.
    """
    if _must(state):
        raise IllegalMoveError("take.one")
    return told(leave(state).state, event("my.done", seat=state.turn))


def leave(state: State) -> Step[State]:
    """
    Return the state in which the display is filled up.

    Source: rules: customers on show. Our ruling "All cards": when the whole action is over.
    """
    return Step(become(state, Refill(state.tables.steward.open)))


# --- the hand tile ---


def _blocked_hand(state: State, turn: Turn) -> IllegalMoveError | None:
    """Return why the hand tile cannot be taken, or None. Source: our ruling "Hand tile": the palm side only."""
    if not state.palm:
        return IllegalMoveError("hand.back")
    return blocked_black(turn, "hand", state.tables.hand.black)


def hand_moves(state: State, turn: Turn) -> Iterator[Hand]:
    """Yield the hand tile."""
    if _blocked_hand(state, turn) is None:
        yield Hand()


def take_hand(state: State, _move: Hand) -> Step[State]:
    """
    Return the state after the hand tile and all its stories were taken.

    Raises: IllegalMoveError `hand.back`, `flag.alone`, `flag.number`.
    Source: reports I, J2, V: taking it is a black flag. Our ruling "Hand tile": its holder begins the next round.
    """
    refuse(_blocked_hand(state, top(state, Turn)))
    hours, stories = state.tables.hand.hours, state.heap
    state = gain_stories(spend(use_black(state), hours), stories)
    state = replace(state, holder=state.turn, palm=False, heap=0)
    return told(state, event("my.hand", seat=state.turn, stories=stories, hours=hours))
