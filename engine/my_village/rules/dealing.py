"""What chance does before the first round, and customers that are turned up."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Seat, Step, event, fields
from engine.my_village.moves import Deal, Draw, First
from engine.my_village.rules.pieces import told
from engine.my_village.state import Boards, Opening, Refill, State, clockwise, pop, top, with_village


def first_decision(state: State) -> Decision:
    """Return the question who begins."""
    return Decision(CHANCE, Opening.key, odds=(1,) * len(state.villages))


def first_moves(state: State) -> Iterator[First]:
    """Yield every seat."""
    return map(First, range(len(state.villages)))


def begin(state: State, move: First) -> Step[State]:
    """
    Return the state after the starting player got the hand tile, and all got their coins.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: set-up; 1 to 4 coins in the order of the first round. Our ruling "Start": drawn by chance.
    """
    if move not in first_moves(state):
        raise IllegalMoveError("draw.not-there", what=str(move.seat))
    state = replace(pop(state), holder=Seat(move.seat))
    for seat, coins in zip(clockwise(state, move.seat), state.tables.coins.start, strict=False):
        state = with_village(state, seat, replace(state.villages[seat], coins=coins))
    return told(state, event("my.first", seat=move.seat))


def _without_board(state: State) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat, village in enumerate(state.villages) if not village.board)


def boards_ask(state: State) -> bool:
    """Return whether a seat has no board yet."""
    return bool(_without_board(state))


def board_moves(state: State) -> Iterator[Deal]:
    """Yield every board that is left."""
    dealt = [village.board for village in state.villages]
    return (Deal(board) for board in range(1, len(state.tables.boards.play) + 1) if board not in dealt)


def board_decision(state: State) -> Decision:
    """Return the question which board the next seat gets; each is equally likely."""
    seat = _without_board(state)[0]
    return Decision(CHANCE, Boards.key, fields(seat=seat), (1,) * len(list(board_moves(state))))


def deal(state: State, move: Deal) -> Step[State]:
    """
    Return the state after a board was dealt.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: boards differ in two numbers. Our ruling "Start": dealt at random.
    """
    if move not in board_moves(state):
        raise IllegalMoveError("draw.not-there", what=str(move.board))
    seat = _without_board(state)[0]
    state = with_village(state, seat, replace(state.villages[seat], board=move.board))
    return told(state, event("my.board", seat=seat, numbers=state.tables.boards.play[move.board - 1]))


def refill_asks(state: State) -> bool:
    """Return whether a customer is to be turned up. Source: our ruling "All cards": with an empty pile gaps stay."""
    return len(state.display) < top(state, Refill).open and bool(state.pile)


def refill_decision(state: State) -> Decision:
    """Return the question which customer comes; each of the pile is equally likely."""
    return Decision(CHANCE, Refill.key, odds=(1,) * len(state.pile))


def refill_moves(state: State) -> Iterator[Draw]:
    """Yield every customer of the pile."""
    return map(Draw, state.pile)


def turn_up(state: State, move: Draw) -> Step[State]:
    """
    Return the state after a customer was turned up.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: customers on show.
    """
    if move.card not in state.pile:
        raise IllegalMoveError("draw.not-there", what=move.card)
    pile = tuple(card for card in state.pile if card != move.card)
    return told(
        replace(state, pile=pile, display=(*state.display, move.card)), event("my.customer", customer=move.card)
    )


def end_refill(state: State) -> Step[State]:
    """Return the state after enough customers were turned up."""
    return Step(pop(state))
