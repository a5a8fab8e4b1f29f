"""Rules M-001 to M-024: set-up."""

from collections import Counter
from itertools import pairwise

import pytest
from msgspec.structs import replace

from engine.core.errors import ConfigError
from engine.core.ruleset import make_config
from engine.core.types import CHANCE, Seat
from engine.my_village import RULESET
from engine.my_village.components import CHAMBERS, CHURCHES, CRAFTS, CUSTOMERS, GOODS, JOURNEYS, LETTERS, MONKS
from engine.my_village.moves import DICE
from engine.my_village.state import HOME, Boards, Opening, Rolling
from tests.engine.my_village.moments import moments, question
from tests.engine.my_village.positions import (
    COMPONENTS,
    after,
    drawn,
    owed,
    play,
    position,
    refusal,
    start,
    texts,
    told,
)
from tests.engine.my_village.ruling import LAP, TOTALS, asked, having

SEATS = (2, 3, 4)
BOARDS = range(1, 5)
EVERYTHING = {
    "crafts": ("scroll-1", "beer-2", "plow-3", "horse-4", "wagon-1"),
    "goods": dict.fromkeys(GOODS, 3),
    "fields": 1,
    "customers": ("market-1", "market-3", "market-9", "market-17", "market-30"),
    "left": True,
    "meeting": True,
    "tile": "meeting-place",
}
"""A village with flags of every kind."""


def opened(seats, first=0):
    """A game whose first turn is about to begin."""
    return drawn(start(seats), f"first {first}")


def dealt(seats, first=0):
    """A game after the start player and the boards were drawn."""
    return after(start(seats), f"first {first}", *(f"deal {seat + 1}" for seat in range(seats)))


def rotated(state):
    """The same position with every seat moved one place clockwise."""
    seats = len(state.villages)

    def moved(seat):
        return Seat((seat + 1) % seats) if seat >= 0 else seat

    return replace(
        state,
        villages=(state.villages[-1], *state.villages[:-1]),
        holder=moved(state.holder),
        turn=moved(state.turn),
        turns=tuple(map(moved, state.turns)),
    )


@pytest.mark.rule("M-001")
@pytest.mark.parametrize("seats", SEATS)
def test_two_three_and_four_seats_can_play(seats):
    state = opened(seats)

    assert seats == len(state.villages) == len(RULESET.standings(state))
    assert "my.total" == owed(state).key


@pytest.mark.rule("M-001")
@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 6])
def test_any_other_number_of_seats_is_refused(seats):
    with pytest.raises(ConfigError) as caught:
        start(seats)

    assert ("config.seats", {"seats": seats, "least": 2, "most": 4}) == (caught.value.key, dict(caught.value.fields))


@pytest.mark.rule("M-002")
@pytest.mark.parametrize("seats", SEATS)
def test_every_seat_is_equally_likely_to_begin(seats):
    state = start(seats)

    assert (CHANCE, "my.first", (1,) * seats) == (owed(state).seat, owed(state).key, owed(state).odds)
    assert [f"first {seat}" for seat in range(seats)] == texts(state)


@pytest.mark.rule("M-002")
@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_else_can_begin(seats):
    assert ("draw.not-there", {"what": "3"}) == refusal(start(seats), "first 3")


@pytest.mark.rule("M-002")
@pytest.mark.parametrize(
    ("seats", "first", "order"),
    [(4, 2, [2, 3, 0, 1]), (4, 0, [0, 1, 2, 3]), (3, 1, [1, 2, 0]), (3, 2, [2, 0, 1]), (2, 1, [1, 0, 1, 0])],
)
def test_the_others_follow_the_start_player_clockwise(seats, first, order):
    state = opened(seats, first)

    assert order == [state.turn, *state.turns]


@pytest.mark.rule("M-003")
@pytest.mark.parametrize("seats", SEATS)
def test_the_rat_starts_as_far_away_as_the_number_of_players_says(seats):
    steps = COMPONENTS.rat.steps[seats - 2]

    assert steps == RULESET.view(opened(seats), None).rat
    dying = after(position(seats, dice="1 1", rat=opened(seats).rat, mine={"hours": LAP - 1}), "done", "bury abbot")
    assert (CHANCE, "my.rat") == asked(dying)
    assert ("my.rat", {"face": 5, "left": steps - 5}) in told(play(dying, "roll 5")[1])


@pytest.mark.rule("M-003")
def test_more_players_have_the_rat_farther_away():
    assert all(fewer < more for fewer, more in pairwise(COMPONENTS.rat.steps))


@pytest.mark.rule("M-004")
@pytest.mark.parametrize("taken", [3, 4, 9])
def test_a_labourer_tile_can_be_taken_whatever_the_box_holds(taken):
    mine = {"villagers": ("abbot",), "hours": LAP - 1, "labourers": taken}
    state = after(position(dice="1 1", mine=mine, others={1: {"labourers": 4}}), "done", "roll 1", "hire merchant")

    assert taken + 1 == state.villages[0].labourers
    assert ("merchant",) == state.villages[0].villagers


@pytest.mark.rule("M-004")
def test_stories_are_won_whatever_the_box_holds():
    state = after(position(dice="1 2", heap=500, mine={"board": 1, "tree": 500}, others={1: {"store": 500}}), "play")

    assert 500 + COMPONENTS.play.stories == state.villages[0].tree
    taken = after(position(dice="1 1", heap=500, mine={"tree": 500}), "hand")
    assert 1000 == taken.villages[0].tree


@pytest.mark.rule("M-005")
@pytest.mark.parametrize(
    ("tree", "given", "move"),
    [
        (7 - COMPONENTS.play.stories, {}, "play"),
        (7 - COMPONENTS.school.stories, {"right": True, "villagers": ("merchant",)}, "promote right abbot"),
        (7 - COMPONENTS.house.stories, {"headman": "coin"}, "house stories"),
    ],
)
def test_seven_stories_are_seven_whatever_they_came_in(tree, given, move):
    mine = {"board": 1, "tree": tree, **given}
    state = after(position(dice="1 2", mine=mine), move)

    assert 7 == state.villages[0].tree
    assert 7 == after(position(dice="1 1", heap=7), "hand").villages[0].tree
    assert RULESET.standings(state)[0].ties == (7 + state.villages[0].coins,)


@pytest.mark.rule("M-005")
@pytest.mark.parametrize("tree", range(13))
def test_any_part_of_the_stories_can_be_paid_and_carried_home(tree):
    dying = position(dice="1 1", rat=7, mine={"hours": LAP - 1, "tree": tree}, graves=8)
    assert tree - tree // 2 == after(dying, "done", "bury abbot", "roll 6").villages[0].tree

    home = after(position(dice="1 1", mine={"headman": "coin", "tree": tree, "store": 3}), "house home").villages[0]
    assert (0, 3 + tree) == (home.tree, home.store)


@pytest.mark.rule("M-006", "M-004")
def test_there_is_no_end_of_markers():
    many = {"goods": dict.fromkeys(GOODS, 70), "coins": 70, "crafts": ("beer-1",), "fields": 2, "board": 1}
    others = {1: {"coins": 70, "left": True, "right": True, "joker": True}}

    made = after(position(dice="4 4", mine=many, others=others), "make beer")
    assert 71 == made.me.count("beer")
    farmed = after(position(dice="3 4", mine=many, others=others), "farm", "farm")
    assert 70 + 2 * (COMPONENTS.field.coins + COMPONENTS.field.plow) == farmed.villages[0].coins
    enrolled = after(position(dice="1 2", mine=many, others=others), "enrol")
    assert (True, 70) == (enrolled.villages[0].left, enrolled.villages[0].coins)


@pytest.mark.rule("M-006")
def test_a_marker_counts_only_where_it_lies():
    mine = {"left": True, "villagers": ("abbot",), "coins": 2, "goods": {"beer": 1}, "crafts": ("beer-1",)}
    before = position(dice="1 2", mine=mine)

    state = after(before, "promote left merchant")

    expected = {"left": False, "villagers": ("abbot", "merchant"), "hours": COMPONENTS.school.promote}
    assert replace(before.me, **expected) == state.villages[0]
    assert ("price.short", {"what": "plow", "need": 1, "have": 0}) == refusal(
        position(dice="3 4", mine={"customers": ("market-6",), "goods": {"beer": 9}, "coins": 9, "left": True}),
        "serve market-6",
    )


@pytest.mark.rule("M-007")
@pytest.mark.parametrize("seats", SEATS)
def test_all_cards_take_part_with_every_number_of_players(seats):
    state = opened(seats)

    cards = {
        "church": len(state.churches),
        "monk": sum(state.monks),
        "chamber": len(state.chambers),
        "meeting place": state.meetings,
        "field": state.fields,
        "travel": sum(map(len, state.decks)),
        "craft": len(state.crafts),
        "customer": len(state.display) + len(state.pile),
    }

    expected = {"church": 4, "monk": 12, "chamber": 4, "meeting place": 4, "field": 8, "travel": 19, "craft": 20}
    assert expected | {"customer": 33} == cards
    assert 104 == sum(cards.values())
    assert {*CUSTOMERS} == {*state.display, *state.pile}
    assert {*JOURNEYS} == {card for deck in state.decks for card in deck}


@pytest.mark.rule("M-008")
def test_twenty_buildings_lie_open_four_of_each_good():
    shown = RULESET.view(opened(2), None).crafts

    assert dict.fromkeys(GOODS, 4) == Counter(craft.good for craft in shown)
    assert CRAFTS == tuple(craft.id for craft in shown)


@pytest.mark.rule("M-008")
@pytest.mark.parametrize("card", CRAFTS)
def test_each_building_can_be_bought_whatever_lies_in_its_column(card):
    for total in COMPONENTS.craft[card].black:
        state = after(having(total), f"buy {card}")

        assert (card,) == state.villages[0].crafts
        assert tuple(one for one in CRAFTS if one != card) == state.crafts


@pytest.mark.rule("M-009")
@pytest.mark.parametrize("kind", [CHURCHES, CHAMBERS], ids=["churches", "chambers"])
def test_four_different_cards_lie_open_each_of_them_once(kind):
    shown = {card.card: card.left for card in RULESET.view(opened(2), None).cards}
    assert 4 == len(set(kind))
    assert {1} == {shown[card] for card in kind}

    for card in kind:
        total = COMPONENTS.priced[card][0][0]
        sold = drawn(after(having(total), f"buy {card}"))
        left = {one.card for one in RULESET.view(sold, None).cards}
        assert {*kind} - {card} == {*kind} & left


@pytest.mark.rule("M-010")
def test_monks_fields_and_meeting_places_lie_in_piles_of_equal_cards():
    state = opened(4)

    assert (3, 3, 3, 3) == state.monks
    assert (8, 4) == (state.fields, state.meetings)
    shown = {card.card: card.left for card in RULESET.view(state, None).cards}
    assert {**dict.fromkeys(MONKS, 3), "field": 8, "meeting-place": 4} == {
        card: left for card, left in shown.items() if card not in (*CHURCHES, *CHAMBERS)
    }


@pytest.mark.rule("M-010")
@pytest.mark.parametrize("card", [*MONKS, "field", "meeting-place"])
def test_a_sale_takes_one_card_from_its_pile_alone(card):
    before = having(COMPONENTS.priced[card][0][0], mine={"church": "sanatorium"})
    here = {one.card: one.left for one in RULESET.view(before, None).cards}

    state = after(before, f"buy {card}")

    assert here | {card: here[card] - 1} == {one.card: one.left for one in RULESET.view(state, None).cards}


@pytest.mark.rule("M-011")
@pytest.mark.parametrize("seats", SEATS)
def test_travel_cards_lie_in_five_piles_by_letter(seats):
    state = opened(seats)

    assert (4, 4, 4, 4, 3) == tuple(map(len, state.decks))
    for letter, deck in zip(LETTERS, state.decks, strict=True):
        assert {letter} == {COMPONENTS.journey[card].letter for card in deck}


@pytest.mark.rule("M-011")
@pytest.mark.parametrize("at", range(5))
def test_any_card_of_a_travel_pile_may_lie_on_top(at):
    letter = LETTERS[at]
    before = tuple(f"journey-{one}1" for one in LETTERS[:at])
    state = having(COMPONENTS.pile[letter].black[0], mine={"journeys": before})

    state = after(state, f"travel {letter}")

    pile = [card.id for card in COMPONENTS.pile[letter].cards]
    assert (CHANCE, (1,) * len(pile)) == (owed(state).seat, owed(state).odds)
    assert [f"draw {card}" for card in pile] == texts(state)


@pytest.mark.rule("M-012")
@pytest.mark.parametrize("seats", SEATS)
def test_six_customers_are_drawn_and_the_others_wait_unseen(seats):
    state, shown = dealt(seats), []

    while owed(state).key == "my.customer":
        assert (CHANCE, (1,) * (33 - len(shown))) == (owed(state).seat, owed(state).odds)
        assert {f"draw {card}" for card in CUSTOMERS if card not in shown} == {*texts(state)}
        shown.append(texts(state)[-1].removeprefix("draw "))
        state = after(state, f"draw {shown[-1]}")
        if len(shown) < COMPONENTS.steward.open:
            assert ("draw.not-there", {"what": shown[0]}) == refusal(state, f"draw {shown[0]}")

    assert (COMPONENTS.steward.open, 33 - 6) == (len(shown), len(state.pile))
    view = RULESET.view(state, None)
    assert (shown, 27) == ([customer.id for customer in view.display], view.pile)


@pytest.mark.rule("M-013")
def test_a_tile_comes_with_each_of_the_four_meeting_places():
    others = {seat: {"meeting": True, "tile": "play"} for seat in (1, 2, 3)}
    total = COMPONENTS.meeting_place.black[0]
    state = having(total, seats=4, others=others)
    assert (1, "") == (state.meetings, state.me.tile)

    state = after(state, "buy meeting-place")

    assert (0, "my.tile") == asked(state)
    assert 0 == state.meetings
    assert "school" == after(state, "tile school").villages[0].tile


@pytest.mark.rule("M-013")
@pytest.mark.parametrize("seats", SEATS)
def test_a_village_has_a_tile_exactly_if_it_has_a_meeting_place(seats):
    for state, record in (moment for seed in range(2) for moment in moments(seats, seed)):
        if question(record) != "my.tile":
            assert [village.meeting for village in state.villages] == [bool(one.tile) for one in state.villages]
        assert 4 == state.meetings + sum(village.meeting for village in state.villages)


@pytest.mark.rule("M-014")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("mine", [{}, EVERYTHING], ids=["new", "rich"])
def test_boards_differ_in_the_numbers_of_the_play_flag_alone(mine, total):
    moves = {board: texts(having(total, mine={**mine, "board": board})) for board in BOARDS}

    for board, play_numbers in zip(BOARDS, COMPONENTS.boards.play, strict=True):
        assert (total in play_numbers) == ("play" in moves[board])
        assert [move for move in moves[1] if move != "play"] == [move for move in moves[board] if move != "play"]


@pytest.mark.rule("M-014")
def test_every_board_has_two_numbers_of_its_own():
    assert 4 == len(set(COMPONENTS.boards.play))
    assert {2} == {len(set(numbers)) for numbers in COMPONENTS.boards.play}
    state = after(start(4), "first 0", "deal 3", "deal 1", "deal 4", "deal 2")
    assert [COMPONENTS.boards.play[n - 1] for n in (3, 1, 4, 2)] == [
        village.play for village in RULESET.view(state, None).villages
    ]


@pytest.mark.rule("M-015")
@pytest.mark.parametrize("seats", SEATS)
def test_each_seat_gets_one_of_the_boards_left_all_equally_likely(seats):
    state, left = after(start(seats), "first 0"), [*BOARDS]

    for seat, board in zip(range(seats), (3, 1, 4, 2), strict=False):
        assert (CHANCE, "my.board", {"seat": seat}) == (owed(state).seat, owed(state).key, dict(owed(state).fields))
        assert ([f"deal {one}" for one in left], (1,) * len(left)) == (texts(state), owed(state).odds)
        left.remove(board)
        state, events = play(state, f"deal {board}")
        assert ("my.board", {"seat": seat, "numbers": COMPONENTS.boards.play[board - 1]}) in told(events)

    assert "my.customer" == owed(state).key
    assert [3, 1, 4, 2][:seats] == [village.board for village in state.villages]


@pytest.mark.rule("M-015")
def test_no_board_is_dealt_twice():
    state = after(start(2), "first 0", "deal 3")

    assert ("draw.not-there", {"what": "3"}) == refusal(state, "deal 3")


@pytest.mark.rule("M-016")
@pytest.mark.parametrize("seats", SEATS)
def test_every_disc_starts_just_after_the_bridge(seats):
    assert [0] * seats == [village.hours for village in opened(seats).villages]
    assert {(0, LAP)} == {(village.step, village.lap) for village in RULESET.view(opened(seats), None).villages}


@pytest.mark.rule("M-016")
@pytest.mark.parametrize(("hours", "asks"), [(LAP - 1, "my.total"), (LAP, "my.death")])
def test_the_first_bridge_is_a_whole_lap_away(hours, asks):
    state = after(position(dice="1 1", before=0, mine={"hours": hours}), "done")

    assert asks == asked(state)[1]


@pytest.mark.rule("M-017")
@pytest.mark.parametrize("seats", SEATS)
def test_every_headman_starts_in_the_main_house(seats):
    state = opened(seats)

    assert [HOME] * seats == [village.headman for village in state.villages]
    assert "coin" == after(state, "house", "dice white-1 white-1").villages[0].headman
    for space in ("home", "stories"):
        assert ("house.step", {"space": space, "open": ("coin",)}) == refusal(having(7), f"house {space}")


@pytest.mark.rule("M-018")
@pytest.mark.parametrize("seats", SEATS)
def test_every_player_starts_with_one_villager_of_each_profession(seats):
    five = ["abbot", "councilman", "craftsman", "merchant", "traveller"]

    assert [five] * seats == [sorted(village.villagers) for village in opened(seats).villages]


@pytest.mark.rule("M-019")
@pytest.mark.parametrize("seats", SEATS)
def test_every_village_starts_without_pupils_stories_cards_or_goods(seats):
    for village in opened(seats).villages:
        assert (False, False) == (village.left, village.right)
        assert (0, 0, 0) == (village.tree, village.store, village.labourers)
        assert (0, 0, 0, 0, 0) == village.goods
        assert (0, 0, 0, 0) == village.monks
        assert ((), (), (), ()) == (village.crafts, village.customers, village.served, village.journeys)
        assert (0, "", "", "", "") == (village.fields, village.church, village.chamber, village.tile, village.mark)
        assert (False, False) == (village.meeting, village.joker)


@pytest.mark.rule("M-020")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("first", [0, 1])
def test_the_start_player_gets_the_empty_hand_tile_palm_up(seats, first):
    state = after(start(seats), f"first {first}")
    while owed(state).key != "my.die":
        assert (first, True, 0) == (state.holder, state.palm, state.heap)
        state = after(state, texts(state)[0])

    assert (first, True, COMPONENTS.hand.stories) == (state.holder, state.palm, state.heap)
    assert isinstance(state.stack[-1], Rolling)


@pytest.mark.rule("M-021")
@pytest.mark.parametrize(("seats", "first"), [(seats, first) for seats in SEATS for first in range(seats)])
def test_start_coins_grow_with_the_place_in_the_first_round(seats, first):
    state = after(start(seats), f"first {first}")

    coins = {(first + place) % seats: COMPONENTS.coins.start[place] for place in range(seats)}
    assert coins == {seat: village.coins for seat, village in enumerate(state.villages)}
    assert (1, 2, 3, 4) == COMPONENTS.coins.start


@pytest.mark.rule("M-022")
@pytest.mark.parametrize("seats", SEATS)
def test_a_new_start_player_moves_no_coin(seats):
    coins = {seat: {"coins": seat + 1} for seat in range(seats)}
    state = position(seats, seats - 1, dice="1 1", turns=(), holder=0, others=coins, mine={"coins": seats})

    state = drawn(after(state, "hand"))

    assert (2, seats - 1, seats - 1) == (state.round, state.holder, state.turn)
    assert [*range(1, seats + 1)] == [village.coins for village in state.villages]


@pytest.mark.rule("M-023")
@pytest.mark.parametrize(("seats", "white", "black"), [(2, 8, 3), (3, 6, 2), (4, 8, 3)])
def test_the_pool_has_the_white_and_black_dice_of_the_number_of_players(seats, white, black):
    state = opened(seats)

    assert (white, black) == tuple(map(sum, state.pool))


@pytest.mark.rule("M-023", "M-003")
@pytest.mark.parametrize("seats", SEATS)
def test_the_grey_die_is_never_in_the_pool(seats):
    assert {"white", "black"} == {die.partition("-")[0] for die in DICE}

    for state, record in moments(seats, 2):
        if question(record) == "my.rat" and record.position.state.round == state.round:
            assert state.pool == record.position.state.pool


@pytest.mark.rule("M-024")
def test_no_colour_can_be_chosen():
    with pytest.raises(ConfigError) as caught:
        make_config(2, {"colour": "red"}, allowed=RULESET.seats, options=RULESET.options)

    assert "config.option" == caught.value.key


@pytest.mark.rule("M-024")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(2))
def test_a_player_who_sits_elsewhere_with_the_same_things_may_do_the_same(seats, seed):
    for state, record in moments(seats, seed):
        if isinstance(state.stack[-1], Opening | Boards):
            continue
        other, move = rotated(state), RULESET.grammar.parse_move(record.entry.text)
        seat = record.entry.seat if record.entry.seat == CHANCE else Seat((record.entry.seat + 1) % seats)

        assert texts(state) == texts(other)
        assert rotated(record.position.state) == RULESET.apply(other, seat, move).state
