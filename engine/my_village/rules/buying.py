"""Cards that are bought by their black flag: buildings, fields, churches, monks, meeting places, chambers."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Event, Step, event
from engine.my_village.components import AREAS, BOUGHT, CHAMBERS, CHURCHES, CRAFTS, FIELD, GOODS, MONKS, PROFESSIONS
from engine.my_village.moves import Buy, Mark, Pick
from engine.my_village.rules.pieces import (
    add,
    blocked_black,
    gain_coins,
    gain_good,
    gain_stories,
    lacks,
    refuse,
    spend,
    told,
    use_black,
)
from engine.my_village.state import Marking, State, Storing, Tiling, Turn, pop, push, top, with_me

ABBOT, COUNCILMAN, CRAFTSMAN = "abbot", "councilman", "craftsman"
MONETARY, GUILD, AREA, POPULATION = CHAMBERS
ALMONER, CHRONICLER, TEACHER, CELLARER = MONKS


def _is_left(state: State, card: str) -> bool:
    """Return whether a card of this name can still be bought by anybody. Source: our ruling "All cards"."""
    if card == FIELD:
        return state.fields > 0
    if card in MONKS:
        return state.monks[MONKS.index(card)] > 0
    if card in (*CRAFTS, *CHURCHES, *CHAMBERS):
        return card in (*state.crafts, *state.churches, *state.chambers)
    return state.meetings > 0


def _barred(state: State, card: str) -> IllegalMoveError | None:
    """
    Return why the seat of the turn may not own this card, whatever the dice, or None.

    Source: rules: one building of each kind, one church, one chamber, one meeting place; the living villager of the
            area; monks need a church; fields need nobody.
    """
    me = state.me
    if card == FIELD:
        return None
    if card in CRAFTS:
        owned, profession = me.craft(state.tables.craft[card].good), CRAFTSMAN
    elif card in CHURCHES:
        owned, profession = me.church, ABBOT
    elif card in MONKS:
        owned, profession = "", ABBOT
    elif card in CHAMBERS:
        owned, profession = me.chamber, COUNCILMAN
    else:
        owned, profession = card if me.meeting else "", COUNCILMAN
    if owned:
        return IllegalMoveError("buy.owned", card=card, owned=owned)
    if card in MONKS and not me.church:
        return IllegalMoveError("buy.church", card=card)
    return lacks(state, profession)


def blocked(state: State, turn: Turn, card: str) -> IllegalMoveError | None:
    """Return why *card* cannot be bought now, or None."""
    if not _is_left(state, card):
        return IllegalMoveError("buy.gone", card=card)
    answers, _ = state.tables.priced[card]
    return blocked_black(turn, card, answers) or _barred(state, card)


def moves(state: State, turn: Turn) -> Iterator[Buy]:
    """Yield every card that can be bought."""
    for card in BOUGHT:
        if turn.total in state.tables.priced[card][0] and blocked(state, turn, card) is None:
            yield Buy(card)


def buy(state: State, move: Buy) -> Step[State]:
    """
    Return the state after a card was bought and has brought what it brings at once.

    Raises: IllegalMoveError `buy.gone`, `flag.alone`, `flag.number`, `buy.owned`, `buy.church`, `villager.missing`.
    Source: rules: black flags; the card lies in its area from now on. Our ruling "Moments": its white flag works from
            the next turn on.
    """
    card = move.card
    refuse(blocked(state, top(state, Turn), card))
    hours = state.tables.priced[card][1]
    state = spend(use_black(state), hours)
    step = _lay(state, card)
    return told(step.state, event("my.bought", seat=state.turn, card=card, hours=hours), *step.events)


def _lay(state: State, card: str) -> Step[State]:
    """Return the state with the card in its area, and what came with it."""
    me = state.me
    if card == FIELD:
        return told(with_me(replace(state, fields=state.fields - 1), replace(me, fields=me.fields + 1)))
    if card in CRAFTS:
        owned = tuple(sorted((*me.crafts, card), key=CRAFTS.index))
        left = tuple(one for one in state.crafts if one != card)
        return told(with_me(replace(state, crafts=left), replace(me, crafts=owned)))
    if card in CHURCHES:
        left = tuple(one for one in state.churches if one != card)
        return told(with_me(replace(state, churches=left), replace(me, church=card)))
    if card in MONKS:
        at = MONKS.index(card)
        state = replace(state, monks=add(state.monks, at, -1))
        return _gift(with_me(state, replace(me, monks=add(me.monks, at, 1))), card)
    if card in CHAMBERS:
        left = tuple(one for one in state.chambers if one != card)
        return _chamber(with_me(replace(state, chambers=left), replace(me, chamber=card)), card)
    state = with_me(replace(state, meetings=state.meetings - 1), replace(me, meeting=True))
    return told(push(state, Tiling()))


def _gift(state: State, monk: str) -> Step[State]:
    """
    Return the state after the gift of a new monk.

    Source: rules: a bonus once, at the purchase. Our rulings "Monks" (which) and "Moments" (one that cannot be given is
            lost).
    """
    seat, gift = state.turn, state.tables.monk[monk].gift
    if monk == ALMONER:
        return told(gain_coins(state, gift), _coins(seat, gift))
    if monk == CHRONICLER:
        return told(gain_stories(state, gift), event("my.gift-stories", seat=seat, stories=gift))
    if monk == TEACHER and not state.me.left:
        return told(with_me(state, replace(state.me, left=True)), event("my.enrolled", seat=seat))
    if monk == CELLARER and state.me.crafts:
        return told(push(state, Storing()))
    return told(state, event("my.no-gift", seat=seat, card=monk))


def _coins(seat: int, coins: int) -> Event:
    return event("my.gift-coins", seat=seat, coins=coins)


def _chamber(state: State, chamber: str) -> Step[State]:
    """Return the state after what a new chamber does at once. Source: rules: chambers; our ruling "Chamber effects"."""
    if chamber == MONETARY:
        gift = state.tables.chamber[chamber].gift
        return told(gain_coins(state, gift), _coins(state.turn, gift))
    if chamber == GUILD:
        return told(with_me(state, replace(state.me, joker=True)))
    return told(push(state, Marking()))


# --- what is marked on a chamber ---


def mark_decision(state: State) -> Decision:
    """Return the question which area or profession is marked."""
    return Decision(state.turn, Marking.key)


def _marks(state: State) -> tuple[str, ...]:
    return AREAS if state.me.chamber == AREA else PROFESSIONS


def mark_moves(state: State) -> Iterator[Mark]:
    """Yield every area, or every profession. Source: our ruling "Chamber effects": an empty one too."""
    return map(Mark, _marks(state))


def mark(state: State, move: Mark) -> Step[State]:
    """
    Return the state after an area or a profession was marked for good.

    Raises: IllegalMoveError `mark.other`.
    Source: rules: chambers.
    """
    if move.what not in _marks(state):
        raise IllegalMoveError("mark.other", what=move.what, choices=_marks(state))
    state = with_me(pop(state), replace(state.me, mark=move.what))
    return told(state, event("my.marked", seat=state.turn, what=move.what))


# --- the Cellarer's good ---


def good_decision(state: State) -> Decision:
    """Return the question which good the Cellarer brings."""
    return Decision(state.turn, Storing.key)


def good_moves(state: State) -> Iterator[Pick]:
    """Yield every good whose building is there. Source: our ruling "Monks"."""
    return (Pick(good) for good in GOODS if state.me.craft(good))


def pick(state: State, move: Pick) -> Step[State]:
    """
    Return the state after a good came to its building.

    Raises: IllegalMoveError `make.none`.
    """
    if not state.me.craft(move.good):
        raise IllegalMoveError("make.none", good=move.good)
    return told(gain_good(pop(state), move.good), event("my.picked", seat=state.turn, good=move.good))
