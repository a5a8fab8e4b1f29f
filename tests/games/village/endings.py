"""The ways a game of Village can end: triggers, last turns, ties."""

from collections.abc import Callable, Iterator

from engine.core.types import Event, Seat, Standing
from engine.village.rules.death import free_graves, free_places
from engine.village.scoring import standings
from engine.village.state import NOBODY, SECTIONS, MarketDay, State, Turn, clockwise
from tests.games.watch import Eye, Game, Moment, Situation, at_end, each

SECTIONS_SHOWN = ("Game end", "Ties")
"""Sections of RULES.md in which every item needs a game."""

DEATHS = ("village.chronicled", "village.buried", "village.removed")
JOURNEYS = ("village.departed", "village.travelled", "village.entered", "village.advanced")
TAKES = ("village.took", "village.plague")


def by_day(moment: Moment) -> Iterator[tuple[Event, bool]]:
    """Yield the events of an entry, and whether a market day is held at each."""
    held = any(isinstance(phase, MarketDay) for phase in moment.before.stack)
    for event in moment.record.events:
        if event.key in {"village.market", "village.market-over"}:
            held = event.key == "village.market"
        yield event, held


def triggers(moment: Moment) -> Iterator[tuple[Seat, str, bool]]:
    """Yield the seat that triggers the end at this entry, the area, and whether a market day is held."""
    for event, held in by_day(moment):
        if event.key == "village.triggered":
            fields = dict(event.fields)
            yield fields["seat"], fields["area"], held


def last_turns(game: Game) -> tuple[int, ...]:
    """Return the seats with a last turn, as told; nothing if none is."""
    return next((said["seats"] for moment in game for said in moment.told("village.last-turns")), ())


def ends_quietly(area: str) -> Eye:
    """Return the eye for a trigger outside a market day: every other seat has a last turn, clockwise."""

    def sees(game: Game) -> Iterator[int]:
        for moment in game:
            for seat, full, held in triggers(moment):
                if full == area and not held and last_turns(game) == clockwise(moment.after, seat + 1)[:-1]:
                    yield moment.seq

    return sees


def ends_on_market_day(own: bool, seats: range = range(2, 5)) -> Eye:
    """
    Return the eye for a trigger on a market day, by the seat that began it or by another, with so many *seats*.

    Every other seat has a last turn then, or every seat and the one that began the day last.
    """

    def sees(game: Game) -> Iterator[int]:
        for moment in game:
            starter = moment.before.turn
            order = clockwise(moment.before, starter + 1)
            for seat, _, held in triggers(moment):
                expected = order[:-1] if own else order
                if held and (seat == starter) == own and len(order) in seats and last_turns(game) == expected:
                    yield moment.seq

    return sees


def fills_one_section(moment: Moment) -> bool:
    """Return whether a death fills a section of the chronicle and triggers nothing."""
    return moment.after.trigger == NOBODY and any(
        free_places(moment.after, section) == 0 < free_places(moment.before, section) for section in SECTIONS
    )


def only_the_last_mass(game: Game, first: int) -> bool:
    """Return whether from entry *first* on no mass is held but the last one."""
    told = [key for moment in game[first - 1 :] for key in moment.keys if key in {"village.mass", "village.last-mass"}]
    return told == ["village.last-mass"]


def trigger_empties(on_market_day: bool) -> Eye:
    """Return the eye for the turn that triggers the end and takes the last cube: no mass before the last turns."""

    def sees(game: Game) -> Iterator[int]:
        took = game[0]
        for moment in game:
            if any(moment.told(*TAKES)):
                took = moment
            days = [held for _, _, held in triggers(moment)]
            emptied = took.before.cubes_left and not took.after.cubes_left
            if days == [on_market_day] and emptied and only_the_last_mass(game, took.seq):
                yield moment.seq

    return sees


def last_turn_empties(others: bool) -> Eye:
    """Return the eye for a last turn that takes the last cube, with *others* still to act or as the very last."""

    def sees(game: Game) -> Iterator[int]:
        for moment in game:
            state = moment.before
            emptied = state.final and state.cubes_left and not moment.after.cubes_left
            if emptied and bool(state.last) == others and only_the_last_mass(game, moment.seq):
                yield moment.seq

    return sees


def is_free_action(state: State) -> bool:
    """Return whether a last turn begins on the emptied board."""
    return bool(state.stack) and isinstance(state.stack[-1], Turn) and state.final and not state.cubes_left


def free_action_costs(game: Game) -> Iterator[int]:
    """Yield the entries at which a free action is paid for with time and with cubes, coins or a scroll."""
    free = False
    for moment in game:
        if moment.before.stack and isinstance(moment.before.stack[-1], Turn):
            free = is_free_action(moment.before)
        if free and any(said["time"] and said["pay"] for said in moment.told(*JOURNEYS)):
            yield moment.seq


def two_fill_on_one_day(game: Game) -> Iterator[int]:
    """On the market day on which one seat triggers the end, another fills the other area."""
    for moment in game:
        held = any(isinstance(phase, MarketDay) for phase in moment.before.stack)
        fresh = held and moment.before.trigger != NOBODY and not moment.before.final
        if fresh and fills_second_area(moment) and moment.record.entry.seat != moment.before.trigger:
            yield moment.seq


def fills_second_area(moment: Moment) -> bool:
    """Return whether the second of chronicle and graves fills up at this entry."""
    if moment.before.trigger == NOBODY or "village.triggered" in moment.keys:
        return False

    def full(state: State) -> bool:
        return not free_graves(state) and not any(free_places(state, section) for section in SECTIONS)

    return full(moment.after) and not full(moment.before)


def has_seats(number: int) -> Eye:
    """Return the eye for a whole game of *number* seats."""
    return at_end(lambda moment: "village.over" in moment.keys and len(moment.after.families) == number)


def tie_at_the_top(decides: Callable[[list[Standing], list[Standing]], bool]) -> Eye:
    """Return the eye for a tie on points at the top that *decides* tells by the winners and the others who tie."""

    def tied(moment: Moment) -> bool:
        table = standings(moment.after)
        most = max(one.points for one in table)
        first = [one for one in table if one.rank == 1]
        others = [one for one in table if one.points == most and one.rank > 1]
        return "village.over" in moment.keys and decides(first, others)

    return at_end(tied)


def has_more_customers(first: list[Standing], others: list[Standing]) -> bool:
    """Return whether the number of customers alone told the winner."""
    return len(first) == 1 and any(other.ties[0] < first[0].ties[0] for other in others)


def has_more_but_cheaper_customers(first: list[Standing], others: list[Standing]) -> bool:
    """Return whether the number of customers told the winner though those of another are worth more."""
    worth = {one.seat: dict(one.parts)["customers"] for one in (*first, *others)}
    return has_more_customers(first, others) and any(worth[other.seat] > worth[first[0].seat] for other in others)


def has_more_living(first: list[Standing], others: list[Standing]) -> bool:
    """Return whether the number of living members told the winner."""
    return len(first) == 1 and any(other.ties[0] == first[0].ties[0] for other in others)


ENDINGS = (
    Situation("end.chronicle", "the last chronicle place is taken outside a market day; every other seat has one more"
              " turn", ends_quietly("chronicle"), rules=("V-202", "V-205", "V-206", "V-207")),
    Situation("end.graves", "the last grave is taken outside a market day; every other seat has one more turn",
              ends_quietly("graves"), rules=("V-203", "V-205", "V-206", "V-207")),
    Situation("end.market-own", "the end is triggered on a market day by the seat that began it; every other seat has"
              " one more turn", ends_on_market_day(own=True), rules=("V-214",)),
    Situation("end.market-other", "the end is triggered on a market day by another seat; every seat has one more turn,"
              " the one that began the day last", ends_on_market_day(own=False), rules=("V-215",)),
    Situation("end.market-other-two", "the same with 2 seats", ends_on_market_day(own=False, seats=range(2, 3)),
              rules=("V-215",)),
    Situation("end.market-other-three", "the same with 3 seats", ends_on_market_day(own=False, seats=range(3, 4)),
              rules=("V-215", "V-216")),
    Situation("end.section-full", "a death fills one section of the chronicle; nothing is triggered",
              each(fills_one_section), rules=("V-204",)),
    Situation("end.last-cube", "a last turn takes a cube", each(lambda m: m.before.final and any(m.told(*TAKES))),
              rules=("V-208",)),
    Situation("end.last-well", "a last turn pays the well",
              each(lambda m: m.before.final and "village.well" in m.keys), rules=("V-208",)),
    Situation("end.free-action", "on the board emptied in the last turns an action is done without a cube",
              each(lambda m: is_free_action(m.before) and "village.acts" in m.keys), rules=("V-209",)),
    Situation("end.free-action-priced", "such an action costs its own price", free_action_costs,
              rules=("V-210",)),
    Situation("end.emptied-among-last", "a last turn takes the last cube, and a seat after it acts without one; no mass"
              " between", last_turn_empties(others=True), "The board empties in the last turns", ("V-211", "V-212")),
    Situation("end.given-up", "the free action is given up", each(lambda m: "village.forgone" in m.keys),
              "A free action may be given up"),
    Situation("end.trigger-empties", "the turn that triggers the end takes the last cube; nothing is laid out and no"
              " mass is held before the last turns", trigger_empties(on_market_day=False),
              "The board empties in the last turns", ("V-212",)),
    Situation("end.market-empties", "the same on a market day", trigger_empties(on_market_day=True),
              "The board empties in the last turns", ("V-212",)),
    Situation("end.last-turn-empties", "the very last turn takes the last cube; one mass follows, not two",
              last_turn_empties(others=False), "The board empties in the last turns", ("V-217",)),
    Situation("end.removed", "a member with neither place nor grave leaves the game",
              each(lambda m: "village.removed" in m.keys), rules=("V-213",)),
    Situation("end.place-after-graves", "after an end by graves a death still takes a free place in the chronicle",
              each(lambda m: m.before.trigger != NOBODY and "village.chronicled" in m.keys), "Who triggered"),
    Situation("end.grave-after-chronicle", "after an end by the chronicle a death still takes a free grave",
              each(lambda m: m.before.trigger != NOBODY and "village.buried" in m.keys), "Who triggered"),
    Situation("end.second-area", "a second area fills up later and changes nothing", each(fills_second_area),
              "Who triggered"),
    Situation("end.second-area-same-day", "another seat fills the second area on the market day of the trigger",
              two_fill_on_one_day, "Who triggered"),
    Situation("end.two-seats", "a whole game of 2 seats", has_seats(2)),
    Situation("end.three-seats", "a whole game of 3 seats", has_seats(3)),
    Situation("end.four-seats", "a whole game of 4 seats", has_seats(4)),
    Situation("end.game-master", "the game master finishes the game before its end",
              at_end(lambda m: "gm.finish" in m.keys)),
    Situation("tie.customers", "a tie on points is broken by customers served", tie_at_the_top(has_more_customers),
              rules=("V-232",)),
    Situation("tie.customers-by-number", "likewise, though the fewer customers of the other are worth more",
              tie_at_the_top(has_more_but_cheaper_customers), rules=("V-232",)),
    Situation("tie.living", "a tie on points and customers is broken by living members",
              tie_at_the_top(has_more_living), rules=("V-233",)),
    Situation("tie.shared", "a tie in all that counts is a shared win",
              tie_at_the_top(lambda first, _: len(first) > 1), "Shared ranks", ("V-235",)),
)  # fmt: skip
