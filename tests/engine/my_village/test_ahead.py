"""What may come to a seat: its next turn, who dies in it, and a day labourer in the place of the last villager."""

import pytest
from msgspec.structs import replace

from engine.core.types import CHANCE
from engine.my_village import RULESET
from engine.my_village.components import MEETING, PROFESSIONS
from tests.engine.my_village.games import game, states
from tests.engine.my_village.positions import COMPONENTS, after, ended, owed, position, start, texts
from tests.engine.my_village.ruling import BLACK_HOURS, LAP, asked, building, customer, dying, having, rolled, work

SEATS = (2, 3, 4)
DICE = 2 * BLACK_HOURS
"""The most hours that two dice cost."""

FRESH = max(COMPONENTS.steward.prices[-1][0], *(hours for _, hours in COMPONENTS.priced.values()))
"""The most hours that a flag costs who has nothing."""

SCHOOL = COMPONENTS.school.promote + work(building("wagon", 3)) + work(building("horse", 3))
"""The hours of a promotion and two goods with the same total."""


def named(state, seat):
    """What is named to *seat*, by key without the title."""
    found = {one.decision.key.removeprefix("my."): one for one in RULESET.ahead(state, seat)}
    assert all(one.decision.seat == seat for one in found.values())
    return found


def limit(seats):
    """How many graves end a game with so many seats."""
    return COMPONENTS.graves.limit[seats - 2]


# --- the next turn ---


@pytest.mark.parametrize("seats", SEATS)
def test_the_next_turn_of_a_running_round_is_named_with_the_dice_on_offer(seats):
    others = {seat: {"coins": seat, "headman": "coin"} for seat in range(1, seats)}
    state = position(seats, others=others, offer="white-1 white-1 white-5 white-6 black-3")

    for seat in range(1, seats):
        supposed = named(state, seat)["total"].state
        assert (seat, "my.total") == asked(supposed)
        assert state.pool == supposed.pool
        now = position(seats, seat, mine=others[seat], offer="white-1 white-1 white-5 white-6 black-3")
        assert texts(now) == texts(supposed)


def test_the_dice_that_were_taken_are_not_named_to_the_next():
    state = position(offer="white-1 white-1 white-6 white-6 black-4")
    assert "total 12" in texts(named(state, 1)["total"].state)

    taken = after(state, "total 12", "dice white-6 white-6")

    assert ["house", "total 2", "total 5"] == texts(named(taken, 1)["total"].state)


def test_the_turn_of_the_next_round_is_named_without_dice():
    state = having(8, seats=3, turns=(2,))

    assert [None, None] == [named(state, seat)["total"].state for seat in (0, 1)]
    assert (2, "my.total") == asked(named(state, 2)["total"].state)


def test_while_the_dice_are_rolled_no_list_can_be_told():
    state = after(having(8, turns=()), "done")

    assert (CHANCE, "my.die") == asked(state)
    assert [None, None] == [named(state, seat)["total"].state for seat in (0, 1)]


def test_what_is_owed_is_not_named():
    begins = position(turns=(1, 0, 1))
    taken = having(8, turns=(1, 0, 1))

    assert "total" not in named(begins, 0)
    assert "total" in named(begins, 1)
    assert (0, "my.total") == asked(named(taken, 0)["total"].state)


def test_before_the_first_round_the_first_turn_is_named_to_all():
    for seat in range(4):
        assert ["total"] == list(named(start(4), seat))
        assert named(start(4), seat)["total"].state is None


@pytest.mark.parametrize("seats", SEATS)
def test_in_the_last_round_a_turn_is_named_to_who_still_has_one(seats):
    for turn in range(seats):
        state = position(seats, turn, dice="2 6", graves=limit(seats))
        for seat in range(seats):
            assert (seat > turn) == ("total" in named(state, seat))


def test_a_last_round_that_has_passed_a_seat_brings_it_nothing():
    near = {"hours": LAP - 1}
    state = position(3, 1, dice="2 6", graves=limit(3), mine=near, others={0: near, 2: near})

    assert {} == named(state, 0)
    assert ["death"] == list(named(state, 1))
    assert {"total", "death"} == set(named(state, 2))
    before = position(3, 1, dice="2 6", graves=limit(3) - 1, mine=near, others={0: near, 2: near})
    assert {"total", "death"} == set(named(before, 0))


def test_nothing_is_named_when_the_game_is_over():
    for seats in SEATS:
        over = states(seats)[-1]
        assert owed(over) is None
        assert [{}] * seats == [named(over, seat) for seat in range(seats)]
    early = ended(others={1: {"hours": LAP - 1}})
    assert not early.ending
    assert [{}, {}] == [named(early, seat) for seat in (0, 1)]


def test_a_supposed_turn_is_played_to_its_end():
    supposed = named(position(others={1: {"board": 3, "crafts": ("beer-3",)}}), 1)["total"].state

    state = after(supposed, "total 5", "dice white-1 white-4", "change 1 4", "play", "make beer")

    assert owed(state) is None
    assert (1, 1) == (state.villages[1].tree, state.villages[1].count("beer"))
    assert {} == named(state, 1)


# --- who dies ---


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("lap", [1, 3])
def test_a_death_is_named_if_the_next_turn_can_reach_the_bridge(turn, lap):
    for missing in range(1, LAP + 1):
        mine = {"hours": lap * LAP - missing}
        state = position(2, turn, mine=mine if turn == 0 else {}, others={0: mine} if turn else {})
        assert (missing <= DICE + FRESH) == ("death" in named(state, 0)), missing


@pytest.mark.parametrize(
    ("mine", "most"),
    [
        ({"journeys": ("journey-a1",)}, COMPONENTS.pile["b"].hours),
        ({"journeys": ("journey-a4", "journey-b1", "journey-c4")}, COMPONENTS.pile["d"].hours + 3),
        ({"journeys": ("journey-a1", "journey-b1", "journey-c1", "journey-d3")}, COMPONENTS.pile["e"].hours + 3),
        ({"journeys": ("journey-a1", "journey-b1", "journey-c1", "journey-d4")}, FRESH),
        (
            {"crafts": (building("wagon", 5), building("horse", 5))},
            work(building("wagon", 5)) + work(building("horse", 5)),
        ),
        ({"crafts": (building("wagon", 5), building("horse", 4))}, FRESH),
        (
            {"crafts": (building("wagon", 5),), "meeting": True, "tile": MEETING},
            work(building("wagon", 5)) + COMPONENTS.meeting_place.work + FRESH,
        ),
        ({"fields": 5, "customers": (customer(7, "beer"),)}, 5 * COMPONENTS.field.work + work(customer(7, "beer"))),
        ({"crafts": (building("wagon", 3), building("horse", 3))}, SCHOOL),
    ],
)
def test_what_the_village_can_spend_in_a_turn_counts(mine, most):
    for missing in range(1, 2 * LAP):
        state = position(others={1: {**mine, "hours": 2 * LAP - missing}})
        crosses = missing <= DICE + most or 0 < missing - LAP <= DICE + most
        assert crosses == ("death" in named(state, 1)), missing


def test_what_follows_the_meeting_place_counts_too():
    wagons = building("wagon", 5)
    mine = {"meeting": True, "tile": MEETING, "crafts": (wagons,)}
    reached = after(
        position(mine=mine, offer="black-1 black-4 white-6"), "total 5", "dice black-1 black-4", "change 1 4",
        "make wagon", "meeting", "set 1 3", "buy area-chamber", "mark travel",
    )  # fmt: skip
    assert (0, "my.death") == asked(reached)

    assert "death" in named(position(mine=mine), 0)


@pytest.mark.parametrize("villagers", [PROFESSIONS, ("abbot", "merchant"), ("traveller", "craftsman", "merchant")])
def test_the_list_of_who_may_die_are_the_living(villagers):
    state = position(others={1: {"hours": LAP - 1, "villagers": villagers}})

    supposed = named(state, 1)["death"].state

    assert [f"bury {profession}" for profession in villagers] == texts(supposed)
    buried = after(supposed, f"bury {villagers[-1]}")
    assert villagers[:-1] == buried.villages[1].villagers


def test_a_death_that_is_due_is_named_in_the_rest_of_the_turn():
    state = after(having(8, mine={"hours": LAP - 1, "board": 1, "crafts": (building("beer", 8),)}), "make beer")

    assert (0, "my.flags") == asked(state)
    assert "bury abbot" in texts(named(state, 0)["death"].state)
    far = having(8, mine={"hours": LAP})
    assert "death" not in named(far, 0)


def test_the_death_that_is_owed_is_not_named():
    state = dying()

    assert (0, "my.death") == asked(state)
    assert "death" not in named(state, 0)
    assert "death" not in named(state, 1)
    settled = rolled(after(state, "bury abbot"))
    assert "death" not in named(settled, 0)
    assert "death" in named(position(others={1: {"hours": LAP - 1}}), 1)


# --- a day labourer ---


@pytest.mark.parametrize("profession", PROFESSIONS)
@pytest.mark.parametrize("missing", range(1, LAP + 1))
def test_a_labourer_is_named_for_the_last_villager_if_the_bridge_can_be_reached(profession, missing):
    state = position(others={1: {"hours": LAP - missing, "villagers": (profession,)}})

    found = named(state, 1)

    assert "death" not in found
    assert (missing <= DICE + FRESH) == ("labourer" in found)
    if "labourer" in found:
        supposed = found["labourer"].state
        assert [f"hire {one}" for one in PROFESSIONS] == texts(supposed)
        assert (("merchant",), 1) == (
            after(supposed, "hire merchant").villages[1].villagers,
            after(supposed, "hire merchant").villages[1].labourers,
        )


def test_no_labourer_is_named_while_two_villagers_live():
    near = {"hours": LAP - 1}

    assert "labourer" not in named(position(others={1: {**near, "villagers": ("abbot", "merchant")}}), 1)
    assert "labourer" not in named(position(others={1: near}), 1)


def test_the_labourer_that_is_owed_is_not_named():
    state = rolled(dying({"villagers": ("abbot",)}))

    assert (0, "my.labourer") == asked(state)
    assert {"total"} == set(named(state, 0))
    hired = after(state, "hire abbot")
    assert {"total"} == set(named(hired, 0))


def test_a_labourer_is_not_named_after_the_last_turn():
    last = {"hours": LAP - 1, "villagers": ("abbot",)}
    passed = position(3, 1, dice="2 6", graves=limit(3), others={0: last, 2: last})

    assert {} == named(passed, 0)
    assert {"total", "labourer"} == set(named(passed, 2))


# --- in all games ---


@pytest.mark.parametrize("seats", SEATS)
def test_what_comes_was_named(seats):
    """
    A turn was named before it began, and when it began who dies in it and the labourer.

    Who may die besides the one promoted in that very turn is left out.
    """
    for number in range(12):
        told = [set() for _ in range(seats)]
        began, special, first = set(), True, True
        for record in game(seats, number, cards=True):
            state = record.position.state
            decision = owed(state)
            special |= record.entry.text.startswith("promote")
            if decision is None or decision.seat == CHANCE:
                continue
            if decision.key == "my.total":
                assert first or "total" in told[decision.seat]
                began, special, first = set(named(state, decision.seat)), False, False
            if decision.key in ("my.death", "my.labourer") and not special:
                assert began & {"death", "labourer"}, record.entry
            told = [set(named(state, seat)) for seat in range(seats)]


@pytest.mark.parametrize("seats", SEATS)
def test_nothing_but_turn_card_death_and_labourer_is_named_and_never_both_of_these(seats):
    for state in states(seats)[::5]:
        for seat in range(seats):
            found = set(named(state, seat))
            assert found <= {"total", "journey", "death", "labourer"}
            assert not {"death", "labourer"} <= found


@pytest.mark.parametrize("seats", SEATS)
def test_a_turn_has_its_list_in_a_running_round_alone(seats):
    for state in states(seats)[::5]:
        for seat in range(seats):
            turn = named(state, seat).get("total")
            if turn is not None:
                assert (seat in state.turns) == (turn.state is not None)
                assert turn.state is None or texts(turn.state)


def looking(**values):
    """The position in which the Travel church of seat 0 has seen a card."""
    mine = {"church": "travel-church"}
    state = after(having(8, seats=3, mine=mine, **values), "travel a", "draw journey-a3")
    assert (0, "my.journey") == asked(state)
    return state


def test_what_is_named_to_others_follows_nothing_that_a_travel_church_sees():
    state = looking()

    for card in state.deck("a"):
        changed = replace(state, seen=card)
        for seat in (1, 2):
            here, there = named(state, seat), named(changed, seat)
            assert [one.decision for one in here.values()] == [one.decision for one in there.values()]
            assert texts(here["total"].state) == texts(there["total"].state)


def test_a_supposed_position_shows_nobody_what_a_travel_church_sees():
    state = looking(others={1: {"hours": LAP - 1}})

    for one in named(state, 1).values():
        assert RULESET.view(one.state, 1).seen is None


# --- a card seen ---


def test_whether_a_card_is_kept_is_named_to_its_traveller_before_it_is_seen():
    looking = after(position(3, dice="3 3", mine={"church": "travel-church"}), "travel a")

    named_first = named(looking, 0)["journey"]
    assert ((("letter", "a"),), None) == (named_first.decision.fields, named_first.state)
    assert "journey" not in named(looking, 1)
    assert "journey" not in named(after(position(3, dice="3 3"), "travel a"), 0)
