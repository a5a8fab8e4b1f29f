"""
What may come to a seat, up to and with its next own turn: the turn itself, a card seen, who dies, a day labourer.

A supposed position is the present one with nothing on its stack but the turn or the phase in question.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.types import Ahead, Decision, Seat, fields
from engine.my_village.phases import PHASES
from engine.my_village.rules import death, dice, travel
from engine.my_village.state import (
    Burial,
    Choosing,
    Hiring,
    Looking,
    Phase,
    State,
    Totalling,
    Turn,
    push,
    running,
    with_village,
)


def ahead(state: State, seat: Seat) -> tuple[Ahead[State], ...]:
    """Return what may come to *seat*; nothing that it owes now. Source: what follows from the order of play."""
    if not state.stack:
        return ()
    owed = PHASES.present(state).decision(state)
    found = (*_journey(state, seat), *_death(state, seat), *_turn(state, seat))
    return tuple(one for one in found if (seat, one.decision.key) != (owed.seat, owed.key))


def _acts(state: State, seat: Seat) -> bool:
    """Return whether the turn of *seat* runs."""
    return state.turn == seat and running(state) is not None


def _suppose(state: State, seat: Seat, phase: Phase) -> State:
    return replace(state, turn=seat, stack=(phase,), seen="")


def _named(supposed: State) -> Ahead[State]:
    """Return the decision that is owed in a supposed position, with that position."""
    return Ahead(PHASES.present(supposed).decision(supposed), supposed)


def _journey(state: State, seat: Seat) -> Iterator[Ahead[State]]:
    """Yield whether the card is kept that the Travel church is about to see; it cannot be told yet."""
    present = state.stack[-1]
    if isinstance(present, Looking) and state.turn == seat:
        yield Ahead(Decision(seat, Choosing.key, fields(letter=present.letter)))


def _turn(state: State, seat: Seat) -> Iterator[Ahead[State]]:
    """Yield the next own turn; its dice can be told only in a round that runs."""
    if seat in state.turns:
        begun = _suppose(state, seat, Turn(state.villages[seat].hours))
        yield _named(push(begun, Totalling()))
    elif not state.ending:
        yield Ahead(Decision(seat, Totalling.key))


def _death(state: State, seat: Seat) -> Iterator[Ahead[State]]:
    """Yield who dies, and who comes in the place of the last, if enough hours can be spent."""
    acts = _acts(state, seat)
    if not acts and not (seat in state.turns or not state.ending):
        return
    village = state.villages[seat]
    running_turn = running(state) if acts else None
    before = running_turn.before if running_turn else village.hours
    if not death.crossings(state, before, village.hours + _dearest_turn(state, seat)):
        return
    if len(village.villagers) > 1:
        yield _named(_suppose(state, seat, Burial(1)))
    elif not any(isinstance(phase, Hiring) for phase in state.stack):
        alone = with_village(state, seat, replace(village, villagers=()))
        yield _named(_suppose(alone, seat, Hiring()))


def _dearest_turn(state: State, seat: Seat) -> int:
    """Return the most hours that one turn of *seat* can cost, as its village stands."""
    tables, village = state.tables, state.villages[seat]
    letter = travel.next_letter(state, village)
    journey = tables.pile[letter].hours + travel.surcharge(state, village)[0] if letter else 0
    black = max(journey, tables.steward.prices[-1][0], *(hours for _, hours in tables.priced.values()))
    white = [(tables.craft[card].white, tables.craft[card].work) for card in village.crafts]
    white += [(tables.customer[name].white, tables.customer[name].work) for name in village.customers]
    white += [(tables.field.white, tables.field.work)] * village.fields
    white += [(tables.school.white, tables.school.promote)]
    used = [sum(work for numbers, work in white if total in numbers) for total in dice.TOTALS]
    changed = tables.meeting_place.work + max(used) if village.meeting else 0
    return 2 * tables.black_die.hours + changed + max(black, *used)
