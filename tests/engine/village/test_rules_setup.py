"""Rules V-001 to V-026: set-up."""

import pytest

from engine.core.errors import ConfigError
from engine.village.components import CITIES
from engine.village.state import NOBODY, SECTIONS, SPACES
from tests.engine.village.positions import (
    COMPONENTS,
    at_mass,
    at_next_round,
    board_of,
    draw_all,
    numbers_at,
    owed,
    position,
    start,
    supply_of,
    texts,
    things_of,
)
from tests.engine.village.ruling import (
    RICH,
    acting,
    after,
    crowded,
    dying,
    odds,
    parts,
    places,
    points,
    toll,
    visible,
)

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])

SPOT_OF = {"council": "stage-1", "crafts": "office", "travel": "ford", "church": "window-1", "farmyard": "farmyard"}


@pytest.mark.rule("V-001")
@SEATS
def test_two_to_four_families_have_eleven_members_and_a_colour_each(seats):
    state = start(seats)

    assert [11] * seats == [len(family.members) for family in state.families]
    assert seats == len(set(state.tables.players.colours[:seats]))


@pytest.mark.rule("V-001")
@pytest.mark.parametrize("seats", [0, 1, 5])
def test_one_seat_or_five_are_refused(seats):
    with pytest.raises(ConfigError, match=r"config\.seats"):
        start(seats)


@pytest.mark.rule("V-002")
def test_a_family_is_four_ones_three_twos_two_threes_and_two_fours():
    numbers = start().tables.family.members

    assert (4, 3, 2, 2) == tuple(numbers.count(number) for number in (1, 2, 3, 4))
    assert 11 == len(numbers)


@pytest.mark.rule("V-003")
@SEATS
def test_the_ones_start_at_home_and_the_others_are_unborn(seats):
    state = start(seats)

    for seat in range(seats):
        expected = {"farmyard": [1, 1, 1, 1], "unborn": [2, 2, 2, 3, 3, 4, 4]}
        assert expected == visible(state, seat, "farmyard", "unborn")


@pytest.mark.rule("V-004", "V-005")
@SEATS
def test_life_and_prestige_start_at_nought(seats):
    state = start(seats)

    assert [(0, 0, 0)] * seats == [(one.step, one.due, one.prestige) for one in state.families]


@pytest.mark.rule("V-006")
def test_there_is_a_marker_for_the_sixth_city():
    others = ("ford", "abbey", "castle", "quarry", "harbour")
    state = acting(
        "travel",
        cities={0: others},
        family={0: {"quarry": [1]}},
        things={0: {"pink": 2, "orange": 2, "brown": 2, "wagon": 1}},
    )

    state = after(state, f"0: travel quarry vineyard 1 {toll('quarry', 'vineyard')}")

    assert (*others, "vineyard") == state.families[0].cities
    assert 8 == 2 + len(CITIES)


@pytest.mark.rule("V-007", "V-008")
@pytest.mark.parametrize(("seats", "left"), [(2, 13), (3, 12), (4, 11)])
def test_a_family_starts_with_one_coin_and_nothing_else(seats, left):
    state = start(seats)

    assert [{"coin": 1}] * seats == [things_of(state, seat) for seat in range(seats)]
    assert [()] * seats == [family.customers for family in state.families]
    assert left == supply_of(state)["coin"]


@pytest.mark.rule("V-009")
def test_the_board_has_seven_spaces_the_well_the_chronicle_and_the_graves():
    state, _ = draw_all(start())
    by_the_well = after(position(things={0: RICH}), "0: well pink pink pink")

    expected = ["harvest", "family", "crafts", "market", "travel", "council", "church"]
    assert expected == list(board_of(state))
    assert [f"act {space}" for space in expected] == [text for text in texts(by_the_well) if text != "skip"]
    assert {"council", "crafts", "travel", "church", "farmyard"} == set(SECTIONS)
    assert places(4, "graves") > 0


@pytest.mark.rule("V-010")
def test_customers_come_from_a_shuffled_pile_and_then_lie_open():
    state = start()

    assert 24 == len(odds(state)) == len(state.pile)
    assert 1 == len(set(odds(state).values()))
    state = after(state, "chance: draw horse-ox")
    assert "horse-ox" in (*state.stalls, *state.line)
    assert "horse-ox" not in state.pile


@pytest.mark.rule("V-011", "V-012", "V-013", "V-014")
@pytest.mark.parametrize(("seats", "front", "line", "pile"), [(4, 5, 5, 24 - 10), (3, 4, 5, 24 - 9), (2, 3, 5, 24 - 8)])
def test_customers_fill_the_stalls_that_the_seats_leave_and_the_line(seats, front, line, pile):
    state, _ = draw_all(start(seats))

    assert front == len(state.stalls)
    assert "" not in state.stalls
    assert line == len(state.line)
    assert pile == len(state.pile)
    assert 24 == len({*state.stalls, *state.line, *state.pile})


@pytest.mark.rule("V-015", "V-016", "V-017")
@SEATS
@pytest.mark.parametrize("section", SECTIONS)
def test_open_chronicle_places_follow_the_number_of_seats(seats, section):
    last_free = crowded(seats, {section: 1}, {0: {SPOT_OF[section]: [1]}})
    full = crowded(seats, {section: 0}, {0: {SPOT_OF[section]: [1]}})

    chronicled = dying(last_free[0], seats=seats, family=last_free)
    buried = dying(full[0], seats=seats, family=full)

    assert 1 in numbers_at(chronicled, 0, f"chronicle-{section}")
    assert [1] == numbers_at(buried, 0, "grave")


@pytest.mark.rule("V-015", "V-016", "V-017")
@SEATS
def test_open_graves_follow_the_number_of_seats(seats):
    last_free = crowded(seats, {"farmyard": 0, "graves": 1}, {0: {"farmyard": [1]}})
    full = crowded(seats, {"farmyard": 0, "graves": 2}, {0: {"farmyard": [1]}})

    last = dying(last_free[0], seats=seats, family=last_free)
    not_last = dying(full[0], seats=seats, family=full)

    assert 0 == last.trigger
    assert NOBODY == not_last.trigger


@pytest.mark.rule("V-018", "V-289")
def test_open_places_by_our_table():
    assert [(4, 4, 3, 3, 5), 5] == [COMPONENTS.chronicle.places[2], COMPONENTS.graves.places[2]]
    assert [(3, 3, 2, 2, 4), 4] == [COMPONENTS.chronicle.places[1], COMPONENTS.graves.places[1]]
    assert [(2, 2, 1, 1, 3), 3] == [COMPONENTS.chronicle.places[0], COMPONENTS.graves.places[0]]


@pytest.mark.rule("V-018", "V-289")
@pytest.mark.parametrize("area", [*SECTIONS, "graves"])
def test_with_two_seats_the_places_marked_four_are_blocked_with_those_marked_three(area):
    assert places(4, area) > places(3, area) > places(2, area)


@pytest.mark.rule("V-019")
def test_blocking_pieces_score_nothing_and_stay_where_they_are():
    one_free = crowded(2, {"farmyard": 1}, {0: {"farmyard": [1, 1]}})
    state = dying(one_free[0], family=one_free)

    assert [0, 0] == [parts(state, seat)["chronicle"] for seat in range(2)]
    full = one_free | {0: {"farmyard": [1], "chronicle-farmyard": [1]}}
    again = dying(full[0], family=full)
    assert [1] == numbers_at(again, 0, "grave")
    assert [1] == numbers_at(again, 0, "chronicle-farmyard")


@pytest.mark.rule("V-019")
def test_blocking_pieces_count_in_no_majority():
    state, _ = draw_all(at_mass(position(board={}))[0])

    assert [0, 0] == [points(state, seat) for seat in range(2)]


@pytest.mark.rule("V-020")
def test_the_next_starting_player_marker_starts_in_the_council():
    state, _ = draw_all(start(2))

    assert NOBODY == state.marker
    taken = after(acting("council", family={0: {"stage-1": [1]}}, marker=state.marker), "0: use 1")
    assert 0 == taken.marker


@pytest.mark.rule("V-021", "V-022")
@SEATS
def test_the_supply_starts_whole(seats):
    state = start(seats)

    goods = {"horse": 8, "ox": 8, "wagon": 8, "plow": 8, "scroll": 8}
    cubes = {"brown": 18, "pink": 18, "orange": 18, "green": 18, "plague": 6}
    assert goods | cubes | {"grain": 20, "coin": 15 - seats} == supply_of(state)


@pytest.mark.rule("V-023")
def test_the_black_bag_starts_with_four_monks_and_the_green_bag_empty():
    state = start()

    assert 4 == state.monks
    assert [[]] * 4 == [numbers_at(state, seat, "bag") for seat in range(4)]
    assert 0 == sum(state.green_bag)


@pytest.mark.rule("V-024")
def test_each_piece_in_the_black_bag_is_equally_likely():
    family = {0: {"bag": [1, 1, 2]}, 1: {"bag": [1]}}

    state, _ = at_mass(position(board={}, family=family))

    assert {"draw monk": 4, "draw red 1": 2, "draw red 2": 1, "draw blue 1": 1} == odds(state)


@pytest.mark.rule("V-025")
@SEATS
@pytest.mark.parametrize("number", [1, 7])
def test_the_card_of_the_number_of_seats_holds_in_every_round(seats, number):
    state, _ = draw_all(at_next_round(position(seats, board={}, round=number))[0])

    assert COMPONENTS.board.cards[seats - 2] == tuple(len(board_of(state)[space]) for space in SPACES)


@pytest.mark.rule("V-026")
@pytest.mark.parametrize("oldest", [0, 1, 2])
def test_the_seat_told_at_set_up_starts(oldest):
    state, _ = draw_all(start(3, oldest))

    assert oldest == state.first
    assert (oldest, "village.turn") == owed(state)


@pytest.mark.rule("V-026")
def test_a_seat_that_is_not_there_cannot_start():
    with pytest.raises(ConfigError):
        start(2, first=3)
