"""
Build positions of My Village readably, and play on from them.

    state = position(
        seats=3,
        turn=0,
        dice="3 5",
        mine={"crafts": ("beer-1",), "goods": {"beer": 1}, "customers": ("market-3",), "hours": 9},
        others={1: {"tree": 5}},
    )
    state, events = play(state, "serve market-3", "done")

With *dice* the seat of the turn has taken dice with these faces and is asked for flags; without, the turn begins and
*pool* lies on offer. Nothing is there unless it is named, but the five villagers. Cards that nobody has lie where they
belong. `owed`, `texts`, `refusal` ask a state; `drawn` plays what chance owes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.ruleset import make_config
from engine.core.types import CHANCE, Decision, Event, Seat
from engine.my_village import RULESET
from engine.my_village.components import GOODS, MONKS, PROFESSIONS, Components, read_components
from engine.my_village.moves import DICE
from engine.my_village.phases import PHASES
from engine.my_village.setup import first_state
from engine.my_village.state import NextRound, Pool, Round, Scoring, State, Totalling, Turn, Village
from engine.registry import packaged_tables

TABLES = packaged_tables("my_village")
COMPONENTS: Components = read_components(TABLES)
POOL = "white-1 white-2 white-3 white-4 white-5 white-6 white-3 white-4 black-2 black-4 black-5"
"""Eleven dice, as two or four players may have them."""


def start(seats: int = 2) -> State:
    """A game as set up, before chance names the starting player."""
    return RULESET.setup(make_config(seats, {}, allowed=RULESET.seats, options=RULESET.options), TABLES)


def pool(dice: str) -> Pool:
    """The dice on offer, from their words."""
    words = dice.split()
    assert set(words) <= set(DICE), f"{dice} are not all dice"
    counts = tuple(words.count(die) for die in DICE)
    return counts[:6], counts[6:]


def village(given: Mapping[str, Any], board: int) -> Village:
    """A village: the fields of `Village`; goods and monks by name ({"beer": 2})."""
    values = {"board": board, **given}
    for field, names in (("goods", GOODS), ("monks", MONKS)):
        if field in values:
            assert set(values[field]) <= set(names), values[field]
            values[field] = tuple(values[field].get(name, 0) for name in names)
    if "villagers" in values:
        values["villagers"] = tuple(one for one in PROFESSIONS if one in values["villagers"])
    return Village(**values)


def position(
    seats: int = 2,
    turn: int = 0,
    *,
    dice: str = "",
    used: Sequence[str] = (),
    free: bool = False,
    before: int | None = None,
    offer: str = POOL,
    mine: Mapping[str, Any] | None = None,
    others: Mapping[int, Mapping[str, Any]] | None = None,
    display: Sequence[str] | None = None,
    pile: Sequence[str] | None = None,
    turns: Sequence[int] | None = None,
    components: Components = COMPONENTS,
    **values: Any,
) -> State:
    """
    A position in the turn of seat *turn*.

    dice     faces of the dice taken ("3 5"); the seat is asked for flags. "": it is asked for a total
    used     flags used so far in this turn, as in `Turn.used`; *free*: the meeting place was used
    before   hours when the turn began; default: those that it has
    offer    dice in the pool
    mine     fields of the seat's village · others: seat -> fields of that village
    display  customers that lie open; default: the first six that nobody has · pile: default: all that are nowhere else
    turns    seats that still have a turn in this round; default: each other seat once
    values   fields of `State`: holder, palm, heap, rat, graves, round, …
    """
    given = {**(others or {}), turn: mine or {}}
    villages = tuple(village(given.get(seat, {}), seat + 1) for seat in range(seats))
    empty = first_state(components, make_config(seats, {}, allowed=RULESET.seats, options=RULESET.options))
    held = {card for one in villages for card in (*one.customers, *one.served)}
    free_customers = [card for card in empty.pile if card not in held]
    shown = tuple(free_customers[: components.steward.open]) if display is None else tuple(display)
    rest = tuple(card for card in free_customers if card not in shown) if pile is None else tuple(pile)
    journeys = {card for one in villages for card in one.journeys}
    me = villages[turn]
    faces = tuple(sorted(int(face) for face in dice.split()))
    began = Turn(me.hours if before is None else before, faces, tuple(used), free)
    state = replace(
        empty,
        villages=villages,
        stack=(Round(), began) if faces else (Round(), began, Totalling()),
        display=shown,
        pile=rest,
        decks=tuple(tuple(card for card in deck if card not in journeys) for deck in empty.decks),
        crafts=tuple(card for card in empty.crafts if not any(card in one.crafts for one in villages)),
        churches=tuple(card for card in empty.churches if not any(card == one.church for one in villages)),
        chambers=tuple(card for card in empty.chambers if not any(card == one.chamber for one in villages)),
        monks=tuple(empty.monks[at] - sum(one.monks[at] for one in villages) for at in range(len(MONKS))),
        fields=empty.fields - sum(one.fields for one in villages),
        meetings=empty.meetings - sum(one.meeting for one in villages),
        pool=pool(offer),
        turn=Seat(turn),
        turns=tuple(map(Seat, range(seats)[turn + 1 :] if turns is None else turns)),
        **{"holder": Seat(0), "round": 1, "heap": 1, **values},
    )
    return PHASES.settle(state).state


def between(**given: Any) -> State:
    """A position, as `position` builds it, in which the next round is about to be prepared."""
    return PHASES.settle(replace(position(**given), stack=(NextRound(),))).state


def ended(**given: Any) -> State:
    """A position, as `position` builds it, in which the game has just ended."""
    return PHASES.settle(replace(position(**given), stack=(Scoring(),))).state


def owed(state: State) -> Decision | None:
    """What is owed; None when the game is over."""
    return next(iter(RULESET.pending(state)), None)


def texts(state: State) -> list[str]:
    """The canonical texts of what may be answered now, in their order."""
    decision = owed(state)
    assert decision is not None
    return [RULESET.grammar.format_move(move) for move in RULESET.legal(state, decision.seat)]


def play(state: State, *moves: str) -> tuple[State, list[Event]]:
    """The state after *moves* by whoever owes them, chance included, and what happened."""
    events: list[Event] = []
    for text in moves:
        decision = owed(state)
        assert decision is not None, f"the game is over before {text}"
        step = RULESET.apply(state, decision.seat, RULESET.grammar.parse_move(text))
        state = step.state
        events.extend(step.events)
    return state, events


def after(state: State, *moves: str) -> State:
    """The state after *moves*."""
    return play(state, *moves)[0]


def refusal(state: State, text: str) -> tuple[str, dict[str, Any]]:
    """Why *text* is refused: key and fields; ("", {}) if it is accepted."""
    decision = owed(state)
    assert decision is not None
    try:
        RULESET.apply(state, decision.seat, RULESET.grammar.parse_move(text))
    except IllegalMoveError as error:
        return error.key, dict(error.fields)
    return "", {}


def drawn(state: State, *moves: str) -> State:
    """The state after chance has played *moves*, then the first of its list as long as it owes something."""
    state = after(state, *moves)
    while (decision := owed(state)) is not None and decision.seat == CHANCE:
        state = after(state, texts(state)[0])
    return state


def told(events: Sequence[Event]) -> list[tuple[str, dict[str, Any]]]:
    """Events as key and fields."""
    return [(event.key, dict(event.fields)) for event in events]


def keys(events: Sequence[Event]) -> list[str]:
    """The keys of events."""
    return [event.key for event in events]
