"""
The stages of the game and the questions: who owes what, and what ends it. Read this first.

A stage either lets chance draw (`DRAWN`) or puts questions on the stacks of the seats, all at once (`QUESTIONS`). When
chance has drawn enough and all stacks are empty, the next stage begins (`NEXT`):

    cards → helpers → builder → monuments → choice        the set-up
    naming → turns → watch → villagers                    a round with a Master Builder
    draw → turns → watch → villagers                      a round of Town Hall; the third has no draw
    open → turns → watch → villagers                      a round of Solo

What seats do in one stage touches their own towns only, so that the order of their moves changes nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Decision, Event, Seat, Step
from engine.tiny_towns import moves as m
from engine.tiny_towns.moves import AnyMove
from engine.tiny_towns.rules import abilities, building, dealing, effects, placing, turn, villagers
from engine.tiny_towns.rules import round as rounds
from engine.tiny_towns.state import (
    NOBODY,
    Building,
    ChooseCorners,
    ChoosingCubes,
    Endowing,
    Foraging,
    Forging,
    Giving,
    KeepMonument,
    Lodging,
    Marking,
    Moving,
    Naming,
    Placing,
    Putting,
    Renovating,
    Replacing,
    Stage,
    State,
    Stocking,
    Taking,
    Watching,
    pop,
)

Rule = Callable[[State, int, Any], Step[State]]
"""(position, seat, a move of the kind that it is listed with) -> what follows."""


def always(_state: State, _seat: int) -> bool:
    """Return True."""
    return True


class Question(Struct, frozen=True):
    """
    A question to one seat.

    `decision`  how it is put; `moves` the answers; `answers` kind of move -> its rule
    `asks`      whether there is anything to ask; if not, `goes_on` is what the rules do by themselves
    `late`      the game does not wait for it, unless the option says so
    """

    key: str
    decision: Callable[[State, int], Decision]
    moves: Callable[[State, int], Iterator[AnyMove]]
    answers: Mapping[type[object], Rule]
    asks: Callable[[State, int], bool] = always
    goes_on: Callable[[State, int], Step[State]] | None = None
    late: bool = False


class Drawn(Struct, frozen=True):
    """A draw of chance: what is drawn while it `asks`."""

    decision: Callable[[State], Decision]
    moves: Callable[[State], Iterator[AnyMove]]
    rule: Callable[[State, Any], Step[State]]
    asks: Callable[[State], bool]


def ends(state: State, seat: int) -> Step[State]:
    """Return the state after a question that need not be put."""
    return Step(pop(state, seat))


_ABILITY: Mapping[type[object], Rule] = {m.Build: abilities.build}

QUESTIONS = (
    # --- before the first round, unseen by the others ---
    Question(KeepMonument.key, dealing.monument_decision, dealing.monument_moves, {m.Keep: dealing.keep}),
    Question(ChooseCorners.key, dealing.corners_decision, dealing.corners_moves, {m.Corners: dealing.put_on_corners}),
    # --- the resource of the round ---
    Question(Naming.key, rounds.naming_decision, rounds.naming_moves, {m.Name: rounds.name}),
    Question(Taking.key, placing.take_decision, placing.take_moves, {m.Take: placing.take}),
    # --- the turns of all: the cube or what stands in its stead; then constructions and abilities, until done ---
    Question(
        Placing.key, placing.decision, placing.moves,
        {
            m.Place: placing.place, m.Swap: placing.swap, m.Store: placing.store, m.Exchange: placing.exchange,
            m.Cavern: placing.cavern, m.Scrap: placing.scrap,
        },
    ),
    Question(Putting.key, placing.put_decision, placing.put_moves, {m.Place: placing.place}),
    Question(
        Building.key, turn.decision, turn.moves,
        {m.Done: turn.done, m.Build: building.build, m.Activate: abilities.activate}, turn.asks, ends,
    ),
    # Only where cubes fit in several ways.
    Question(ChoosingCubes.key, building.cubes_decision, building.cubes_moves, {m.Use: building.use}),
    # What a piece brings when it is set.
    Question(Marking.key, effects.mark_decision, effects.mark_moves, {m.Mark: effects.mark}),
    Question(
        Replacing.key, effects.guild_decision, effects.guild_moves,
        {m.Skip: effects.skip, m.Replace: effects.guild_replace}, effects.guild_asks, ends,
    ),
    Question(Endowing.key, effects.university_decision, effects.university_moves, {m.Add: effects.endow}),
    Question(Stocking.key, effects.stock_decision, effects.stock_moves, {m.Stock: effects.stock}),
    Question(
        Forging.key, effects.forge_decision, effects.forge_moves, {m.Skip: effects.skip, m.Add: effects.add_cube}
    ),
    # Abilities, once paid.
    *(
        Question(f"towns.{name}", abilities.ability_decision, abilities.ability_moves, _ABILITY)
        for name in (abilities.CUT_CORNERS, abilities.INNOVATE, abilities.COOPERATE)
    ),
    Question(
        Giving.key, abilities.give_decision, abilities.give_moves, {m.Give: abilities.give},
        abilities.give_asks, abilities.give_on,
    ),
    Question(Foraging.key, abilities.forage_decision, effects.cube_moves, {m.Add: effects.add_cube}),
    Question(Renovating.key, abilities.renovate_decision, effects.replacements, {m.Replace: abilities.renovate}),
    # --- the end of the round ---
    Question(
        Watching.key, villagers.watch_decision, villagers.watch_moves,
        {m.Skip: effects.skip, m.Settle: villagers.settle}, villagers.watch_asks, villagers.watch_stays, late=True,
    ),
    Question(
        Moving.key, villagers.move_decision, villagers.move_moves, {m.Move: villagers.move},
        villagers.move_asks, villagers.move_on, late=True,
    ),
    Question(
        Lodging.key, villagers.lodge_decision, villagers.lodge_moves, {m.Lodge: villagers.lodge},
        villagers.lodge_asks, villagers.lodge_on, late=True,
    ),
)  # fmt: skip

BY_KEY: Mapping[str, Question] = MappingProxyType({row.key: row for row in QUESTIONS})

DRAWN: Mapping[Stage, Drawn] = MappingProxyType(
    {
        "cards": Drawn(
            dealing.card_decision, dealing.card_moves, dealing.draw_card, lambda state: bool(dealing.next_colour(state))
        ),
        "helpers": Drawn(
            dealing.helper_decision, dealing.helper_moves, dealing.draw_helper,
            lambda state: state.variant.villagers and len(state.helpers) < dealing.PILES,
        ),
        "builder": Drawn(
            dealing.first_decision, dealing.first_moves, dealing.give_hammer,
            lambda state: rounds.has_hammer(state) and state.builder == NOBODY,
        ),
        "monuments": Drawn(
            dealing.deal_decision, dealing.deal_moves, dealing.deal,
            lambda state: state.variant.monuments and dealing.next_dealt(state) < len(state.players),
        ),
        "draw": Drawn(
            rounds.draw_decision, rounds.draw_moves, rounds.draw_resource, lambda state: not state.resource
        ),
        "open": Drawn(rounds.draw_decision, rounds.draw_moves, rounds.draw_resource, rounds.lays_open),
    }
)  # fmt: skip
"""Stage -> what chance draws in it."""


def to(stage: Stage) -> Callable[[State], Step[State]]:
    """Return what leads to *stage*, where nothing else happens in between."""
    return lambda state: Step(replace(state, stage=stage))


def choose(state: State) -> Step[State]:
    """Return the state in which each chooses monument and corners."""
    return Step(dealing.begin_choice(replace(state, stage="choice")))


def begin_turns(state: State) -> Step[State]:
    """Return the state in which all answer the resource of the round."""
    return Step(rounds.open_turns(replace(state, stage="turns")))


def first_round(state: State) -> Step[State]:
    """Return the state in which the first round begins; in Solo cards lie open first."""
    return Step(replace(state, stage="open")) if state.solo else rounds.begin(state)


def after_open(state: State) -> Step[State]:
    """Return the state in which the next round of Solo begins."""
    laid = rounds.lay_open(state)
    begun = rounds.begin(laid.state)
    return Step(begun.state, (*laid.events, *begun.events))


NEXT: Mapping[Stage, Callable[[State], Step[State]]] = MappingProxyType(
    {
        "cards": to("helpers"),
        "helpers": to("builder"),
        "builder": to("monuments"),
        "monuments": choose,
        "choice": first_round,
        "open": after_open,
        "naming": begin_turns,
        "draw": begin_turns,
        "turns": rounds.after_turns,
        "watch": rounds.after_watch,
        "villagers": rounds.finish,
    }
)
"""Stage -> how the next one begins."""


def question(state: State, seat: int) -> Question | None:
    """Return what *seat* is asked, or None."""
    stack = state.stacks[seat]
    return BY_KEY[stack[-1].key] if stack else None


def is_drawing(state: State) -> bool:
    """Return whether chance owes a draw."""
    return state.stage in DRAWN and DRAWN[state.stage].asks(state)


def pending(state: State) -> tuple[Decision, ...]:
    """Return who owes what."""
    if is_drawing(state):
        return (DRAWN[state.stage].decision(state),)
    return tuple(put(state, seat) for seat in state.seats if state.stacks[seat])


def put(state: State, seat: Seat) -> Decision:
    """Return the question that *seat* owes, as it is put: with its round, and whether the game waits for it."""
    asked = question(state, seat)
    assert asked is not None
    wait = not asked.late or state.variant.ask_late
    return replace(asked.decision(state, seat), occasion=state.round, wait=wait)


def settle(state: State) -> Step[State]:
    """Return the state after the rules have moved on until somebody is asked, or the game is over."""
    events: list[Event] = []
    while not is_drawing(state):
        step = _settle_stacks(state)
        state = step.state
        events.extend(step.events)
        if any(state.stacks) or state.stage == "over":
            break
        step = NEXT[state.stage](state)
        state = step.state
        events.extend(step.events)
    return Step(state, tuple(events))


def _settle_stacks(state: State) -> Step[State]:
    events: list[Event] = []
    for seat in state.seats:
        while (asked := question(state, seat)) and not asked.asks(state, seat):
            assert asked.goes_on is not None
            step = asked.goes_on(state, seat)
            state = step.state
            events.extend(step.events)
    return Step(state, tuple(events))
