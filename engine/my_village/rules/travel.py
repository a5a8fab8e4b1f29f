"""Travel: the cards A to E in their order, and what the Travel church may see."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Event, Step, event, fields
from engine.my_village.components import LETTERS
from engine.my_village.moves import Draw, Keep, Move, Other, Travel
from engine.my_village.rules.pieces import blocked_black, lacks, refuse, short, spend, told, use_black
from engine.my_village.state import (
    COIN,
    Choosing,
    Departing,
    Looking,
    State,
    Turn,
    Village,
    become,
    pop,
    push,
    top,
    with_me,
)

TRAVELLER = "traveller"
CHURCH = "travel-church"


def next_letter(state: State, village: Village) -> str:
    """
    Return the letter that comes next on the journey of *village*; "" if it is over.

    Source: rules: A to E without gaps; the monastery is a D and ends it.
    """
    if len(village.journeys) == len(LETTERS):
        return ""
    if village.journeys and state.tables.journey[village.journeys[-1]].last:
        return ""
    return LETTERS[len(village.journeys)]


def surcharge(state: State, village: Village) -> tuple[int, int]:
    """
    Return the hours and coins that the last card adds to the next.

    Source: rules: the grey flag of the card before, once.
    """
    if not village.journeys:
        return 0, 0
    last = state.tables.journey[village.journeys[-1]]
    return last.hours, last.coins


def _blocked(state: State, turn: Turn, letter: str) -> IllegalMoveError | None:
    """
    Return why the card of *letter* cannot be bought, or None.

    Source: rules: one card a letter, in order; the traveller; the surcharge. A pile that is due is never empty.
    """
    coming = next_letter(state, state.me)
    if not coming:
        return IllegalMoveError("travel.over")
    if letter != coming:
        return IllegalMoveError("travel.letter", letter=letter, next=coming)
    return (
        blocked_black(turn, "travel", state.tables.pile[letter].black)
        or lacks(state, TRAVELLER)
        or short(COIN, surcharge(state, state.me)[1], state.me.coins)
    )


def moves(state: State, turn: Turn) -> Iterator[Travel]:
    """Yield the next letter, if it can be bought."""
    letter = next_letter(state, state.me)
    if letter and _blocked(state, turn, letter) is None:
        yield Travel(letter)


def travel(state: State, move: Travel) -> Step[State]:
    """
    Return the state in which a card of the letter is paid; the Travel church looks first.

    Raises: IllegalMoveError `travel.over`, `travel.letter`, `flag.alone`, `flag.number`, `villager.missing`,
            `price.short`.
    Source: rules: travel cards, Travel church. Our ruling "Hidden cards": with one card left there is nothing to see.
    """
    refuse(_blocked(state, top(state, Turn), move.letter))
    more, coins = surcharge(state, state.me)
    hours = state.tables.pile[move.letter].hours + more
    state = spend(use_black(state), hours, coins)
    paid = event("my.travel", seat=state.turn, letter=move.letter, hours=hours, coins=coins)
    if state.me.church == CHURCH and len(state.deck(move.letter)) > 1:
        return told(push(state, Looking(move.letter)), paid)
    return told(push(state, Departing(move.letter)), paid)


# --- what chance shows and gives ---


def look_decision(state: State) -> Decision:
    """Return the question which card lies on top; each is equally likely."""
    letter = top(state, Looking).letter
    return Decision(CHANCE, Looking.key, fields(letter=letter), (1,) * len(state.deck(letter)))


def look_moves(state: State) -> Iterator[Draw]:
    """Yield every card of the pile."""
    return map(Draw, state.deck(top(state, Looking).letter))


def look(state: State, move: Draw) -> Step[State]:
    """
    Return the state in which the owner of the Travel church has seen a card, and nobody else.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: Travel church. Our ruling "Hidden cards".
    """
    letter = top(state, Looking).letter
    if move.card not in state.deck(letter):
        raise IllegalMoveError("draw.not-there", what=move.card)
    seat = state.turn
    card = state.tables.journey[move.card]
    seen = event("my.seen", points=card.points, hours=card.hours, coins=card.coins, last=int(card.last))
    state = become(replace(state, seen=move.card), Choosing(letter))
    return told(state, event("my.looked", seat=seat, letter=letter), Event(seen.key, seen.fields, seats=(seat,)))


def choice_decision(state: State) -> Decision:
    """Return the question whether the card seen is taken."""
    return Decision(state.turn, Choosing.key, fields(letter=top(state, Choosing).letter))


def choice_moves(_state: State) -> Iterator[Move]:
    """Yield both answers."""
    yield Keep()
    yield Other()


def keep(state: State, _move: Keep) -> Step[State]:
    """Return the state after the card seen was taken. Source: rules: Travel church."""
    return _arrive(pop(state), state.seen)


def other(state: State, _move: Other) -> Step[State]:
    """Return the state in which the next card is to be taken. Source: rules: Travel church; the pile is shuffled."""
    letter = top(state, Choosing).letter
    return told(become(state, Departing(letter)), event("my.under", seat=state.turn, letter=letter))


def _left(state: State) -> tuple[str, ...]:
    """Return the cards that may come: those of the pile but the one put under."""
    return tuple(card for card in state.deck(top(state, Departing).letter) if card != state.seen)


def depart_decision(state: State) -> Decision:
    """Return the question which card it is; each is equally likely."""
    return Decision(CHANCE, Departing.key, fields(letter=top(state, Departing).letter), (1,) * len(_left(state)))


def depart_moves(state: State) -> Iterator[Draw]:
    """Yield every card that may come."""
    return map(Draw, _left(state))


def depart(state: State, move: Draw) -> Step[State]:
    """
    Return the state after chance gave a card.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rules: the light side is seen when it is bought.
    """
    if move.card not in _left(state):
        raise IllegalMoveError("draw.not-there", what=move.card)
    return _arrive(pop(state), move.card)


def _arrive(state: State, name: str) -> Step[State]:
    """Return the state with the card in the village; what was put under lies in the pile again, nobody knows where."""
    card = state.tables.journey[name]
    at = LETTERS.index(card.letter)
    deck = tuple(one for one in state.decks[at] if one != name)
    state = replace(state, seen="", decks=(*state.decks[:at], deck, *state.decks[at + 1 :]))
    state = with_me(state, replace(state.me, journeys=(*state.me.journeys, name)))
    return told(
        state,
        event(
            "my.arrived", seat=state.turn, letter=card.letter, points=card.points, hours=card.hours, coins=card.coins,
            last=int(card.last),
        ),
    )  # fmt: skip
