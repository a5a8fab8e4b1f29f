"""Before the first round: the cards in play, the first Master Builder, the monuments, and the villagers' corners."""

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Event, Seat, Step, event, fields
from engine.tiny_towns.components import COLOURS, Building, Monument
from engine.tiny_towns.layouts import CORNERS
from engine.tiny_towns.moves import Corners, Draw, Hammer, Keep
from engine.tiny_towns.rules.pieces import names, numbers
from engine.tiny_towns.state import (
    ChooseCorners,
    KeepMonument,
    Phase,
    State,
    Variant,
    pop,
    push,
    top,
    with_player,
    with_town,
)

DRAWN = COLOURS[1:]
"""The colours of which one card is drawn; blue has the Cottage alone."""

DEALT = 2
PILES = 2
CHEAP = 1
"""What the villager cards of the first pile cost; those of the second cost more."""


def takes_part(card: Building | Monument, variant: Variant, *, solo: bool) -> bool:
    """
    Return whether *card* is in the draw.

    Source: rules: Solo; rule summary: new cards are shuffled in. Our ruling "The Feast Hall alone".
    """
    if card.new and not variant.new_cards:
        return False
    return not solo or card.solo == "in" or (card.solo == "option" and variant.feast_hall)


# --- building cards ---


def next_colour(state: State) -> str:
    """Return the colour of which a card is drawn next, "" if all are open."""
    at = len(state.cards) - 1
    return DRAWN[at] if at < len(DRAWN) else ""


def card_decision(state: State) -> Decision:
    """Return the draw of a card."""
    return _draw("towns.card", len(list(card_moves(state))), colour=next_colour(state))


def card_moves(state: State) -> Iterator[Draw]:
    """Yield the cards of the colour."""
    for card in state.tables.of_colour(next_colour(state)):
        if takes_part(card, state.variant, solo=state.solo):
            yield Draw(card.id)


def draw_card(state: State, move: Draw) -> Step[State]:
    """
    Return the state with one more card open.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: set-up: the Cottage, and one card of each other colour.
    """
    _check(move, card_moves(state))
    state = replace(state, cards=(*state.cards, move.what))
    return Step(state, (event("towns.card", card=move.what),))


def _draw(key: str, choices: int, **values: str | int) -> Decision:
    return Decision(CHANCE, key, tuple(values.items()), odds=(1,) * choices)


def _check(move: Draw, possible: Iterator[Draw]) -> None:
    if move not in tuple(possible):
        raise IllegalMoveError("draw.not-there", what=move.what)


# --- villager cards ---


def next_pile(state: State) -> tuple[str, ...]:
    """Return the pile of villager cards of which one is drawn next. Source: rule summary: set-up: two piles by cost."""
    is_cheap = not state.helpers
    return tuple(card.id for card in state.tables.helpers if (card.cost == CHEAP) == is_cheap)


def helper_decision(state: State) -> Decision:
    """Return the draw of a villager card."""
    return _draw("towns.helper", len(next_pile(state)), pile=len(state.helpers) + 1)


def helper_moves(state: State) -> Iterator[Draw]:
    """Yield the villager cards of the pile."""
    return map(Draw, next_pile(state))


def draw_helper(state: State, move: Draw) -> Step[State]:
    """
    Return the state with one more villager card open.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rule summary: set-up.
    """
    _check(move, helper_moves(state))
    state = replace(state, helpers=(*state.helpers, move.what))
    cost = state.tables.helper(move.what).cost
    return Step(state, (event("towns.helper", helper=move.what, cost=cost),))


# --- the first Master Builder ---


def first_decision(state: State) -> Decision:
    """Return the draw of the first Master Builder."""
    return _draw("towns.first", len(state.players))


def first_moves(state: State) -> Iterator[Hammer]:
    """Yield all seats."""
    return map(Hammer, state.seats)


def give_hammer(state: State, move: Hammer) -> Step[State]:
    """
    Return the state in which this seat will name first.

    Raises: IllegalMoveError `hammer.seat`.
    Source: our ruling "The first Master Builder".
    """
    if move.seat not in state.seats:
        raise IllegalMoveError("hammer.seat", seat=move.seat)
    return Step(replace(state, builder=Seat(move.seat)), (event("towns.first", seat=move.seat),))


# --- monuments ---


def next_dealt(state: State) -> int:
    """Return the seat to which a monument is dealt next; past the last if all have theirs."""
    return next((seat for seat in state.seats if len(state.players[seat].dealt) < DEALT), len(state.players))


def deal_decision(state: State) -> Decision:
    """Return the deal of a monument."""
    return _draw("towns.deal", len(list(deal_moves(state))), seat=next_dealt(state))


def deal_moves(state: State) -> Iterator[Draw]:
    """Yield the monuments that are dealt to nobody yet."""
    dealt = {card for player in state.players for card in player.dealt}
    for card in state.tables.monuments:
        if card.id not in dealt and takes_part(card, state.variant, solo=state.solo):
            yield Draw(card.id)


def deal(state: State, move: Draw) -> Step[State]:
    """
    Return the state after a monument was dealt, which only its owner sees.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: set-up: two for each, none twice in a game.
    """
    _check(move, deal_moves(state))
    seat = Seat(next_dealt(state))
    player = state.players[seat]
    state = with_player(state, seat, replace(player, dealt=(*player.dealt, move.what)))
    shown = Event("towns.dealt-card", fields(seat=seat, card=move.what), (seat,))
    return Step(state, (event("towns.dealt", seat=seat), shown))


# --- what each chooses, unseen by the others ---


def begin_choice(state: State) -> State:
    """Return the state in which each has to keep a monument and to put the villagers on corners."""
    for seat in state.seats:
        villagers: tuple[Phase, ...] = (ChooseCorners(),) if state.variant.villagers else ()
        monuments: tuple[Phase, ...] = (KeepMonument(),) if state.variant.monuments else ()
        state = push(state, seat, *villagers, *monuments)
    return state


def monument_decision(state: State, seat: int) -> Decision:
    """Return the question which monument is kept."""
    return Decision(state.seats[seat], KeepMonument.key, secret=True)


def monument_moves(state: State, seat: int) -> Iterator[Keep]:
    """Yield the two monuments dealt."""
    return map(Keep, state.players[seat].dealt)


def keep(state: State, seat: int, move: Keep) -> Step[State]:
    """
    Return the state after a monument was kept; the other leaves the game, and nobody learns which.

    Raises: IllegalMoveError `keep.not-dealt`.
    Source: rules: set-up.
    """
    player = state.players[seat]
    if move.monument not in player.dealt:
        raise IllegalMoveError("keep.not-dealt", card=move.monument, dealt=player.dealt)
    other = next(card for card in player.dealt if card != move.monument)
    state = with_player(pop(state, seat), seat, replace(player, monument=move.monument, dealt=()))
    state = replace(state, returned=tuple(sorted((*state.returned, other))))
    return Step(state, (Event("towns.kept", fields(seat=seat, card=move.monument), (Seat(seat),)),))


def corners_decision(state: State, seat: int) -> Decision:
    """Return the question on which corners the villagers begin."""
    phase = top(state, seat, ChooseCorners)
    return Decision(state.seats[seat], phase.key, fields(count=state.tables.villagers.count))


def corners_moves(state: State, seat: int) -> Iterator[Corners]:
    """Yield every choice of corners."""
    del seat  # all have the same corners
    return (Corners(names(chosen)) for chosen in combinations(CORNERS, state.tables.villagers.count))


def put_on_corners(state: State, seat: int, move: Corners) -> Step[State]:
    """
    Return the state after the villagers were put on corners.

    Raises: IllegalMoveError `corners.count`, `corners.order`.
    Source: rule summary: set-up: three different corners of the owner's choice.
    """
    squares = numbers(move.squares)
    count = state.tables.villagers.count
    if len(squares) != count or len(set(squares)) != count:
        raise IllegalMoveError("corners.count", need=count)
    if list(squares) != sorted(squares):
        raise IllegalMoveError("corners.order", squares=names(sorted(squares)))
    town = replace(state.town(seat), villagers=squares)
    return Step(with_town(pop(state, seat), seat, town), (event("towns.corners", seat=seat, squares=move.squares),))
