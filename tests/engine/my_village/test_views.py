"""The view: what it tells is what the position holds, and one seat alone sees the card that its church looks at."""

from collections import Counter
from functools import cache
from itertools import cycle

import msgspec
import pytest
from msgspec.structs import asdict, replace

from engine.core.types import CHANCE
from engine.my_village import RULESET
from engine.my_village.components import (
    CHAMBERS,
    CHURCHES,
    FIELD,
    GOODS,
    JOURNEYS,
    LETTERS,
    MEETING,
    MONKS,
    PROFESSIONS,
)
from engine.my_village.state import Choosing, Departing, Totalling
from engine.my_village.views import CardView, LetterView, TotalView, View, WorkView
from tests.engine.my_village.games import states
from tests.engine.my_village.positions import COMPONENTS, after, owed, position, start, texts
from tests.engine.my_village.ruling import LAP, asked, having, hours

SEATS = (2, 3, 4)


@cache
def some(seats):
    """Some positions of games with so many seats, each with its view by a seat or (None) by a spectator."""
    lookers = cycle((None, *range(seats)))
    chosen = (*states(seats)[::11], states(seats)[-1])
    return [(state, seat, RULESET.view(state, seat)) for state, seat in zip(chosen, lookers, strict=False)]


def faces(counts):
    """The faces of so many dice each."""
    return tuple(sorted(Counter(dict(enumerate(counts, 1))).elements()))


@pytest.mark.parametrize("seats", SEATS)
def test_round_turn_and_hand_tile_are_those_of_the_position(seats):
    for state, seat, view in some(seats):
        assert seat == view.seat
        assert (owed(state) is None, state.round, state.turns) == (view.over, view.round, view.turns)
        nobody = {-1: None}
        assert (nobody.get(state.turn, state.turn), nobody.get(state.holder, state.holder)) == (view.turn, view.holder)
        assert (state.palm, state.heap) == (view.palm, view.heap)


@pytest.mark.parametrize("seats", SEATS)
def test_graves_book_and_rat_are_those_of_the_position(seats):
    limit, book = COMPONENTS.graves.limit[seats - 2], COMPONENTS.book.stories[seats - 2]
    for state, _, view in some(seats):
        assert (state.graves, limit, state.graves >= limit) == (view.graves, view.limit, view.ending)
        assert max(0, len(book) - state.graves) == len(view.book)
        assert book == (*book[: state.graves], *view.book)
        assert COMPONENTS.rat.steps[seats - 2] == state.rat + view.rat > state.rat


@pytest.mark.parametrize("seats", SEATS)
def test_dice_are_those_of_the_position(seats):
    for state, _, view in some(seats):
        assert (faces(state.pool[0]), faces(state.pool[1])) == (view.white, view.black)
        taken = [phase.dice for phase in state.stack if phase.key == "my.flags"]
        assert (taken[0] if taken else ()) == view.dice


@pytest.mark.parametrize("seats", SEATS)
def test_cards_on_show_are_those_of_the_position(seats):
    for state, _, view in some(seats):
        assert [COMPONENTS.customer[name] for name in state.display] == list(view.display)
        assert len(state.pile) == view.pile
        assert [COMPONENTS.craft[card] for card in state.crafts] == list(view.crafts)
        left = {FIELD: state.fields, MEETING: state.meetings, **dict(zip(MONKS, state.monks, strict=True))}
        left |= dict.fromkeys((*state.churches, *state.chambers), 1)
        assert {card: number for card, number in left.items() if number} == {one.card: one.left for one in view.cards}


@pytest.mark.parametrize("seats", SEATS)
def test_travel_piles_show_what_their_cards_may_be(seats):
    for state, _, view in some(seats):
        owned = [card for village in state.villages for card in village.journeys]
        for letter, shown in zip(LETTERS, view.letters, strict=True):
            cards = [card for card in JOURNEYS if card[8] == letter and card not in owned]
            pile = COMPONENTS.pile[letter]
            found = LetterView(letter, pile.black, pile.hours, tuple(COMPONENTS.journey[card] for card in cards))
            assert found == shown


@pytest.mark.parametrize("seats", SEATS)
def test_each_village_is_that_of_the_position(seats):
    same = [
        "coins", "tree", "store", "headman", "villagers", "left", "right", "fields", "church", "meeting", "tile",
        "chamber", "mark", "joker", "labourers",
    ]  # fmt: skip
    for state, _, view in some(seats):
        for at, (village, shown) in enumerate(zip(state.villages, view.villages, strict=True)):
            assert at == shown.seat
            assert {name: getattr(village, name) for name in same} == {name: getattr(shown, name) for name in same}
            assert (village.hours % LAP, LAP) == (shown.step, shown.lap)
            assert sorted(PROFESSIONS) == sorted((*shown.villagers, *shown.empty))
            assert (COMPONENTS.boards.play[village.board - 1] if village.board else ()) == shown.play
            assert tuple(COMPONENTS.customer[name] for name in village.customers) == shown.customers
            assert tuple(COMPONENTS.customer[name] for name in village.served) == shown.served


@pytest.mark.parametrize("seats", SEATS)
def test_buildings_journeys_and_monks_of_a_village_are_those_of_the_position(seats):
    for state, _, view in some(seats):
        for village, shown in zip(state.villages, view.villages, strict=True):
            assert village.crafts == tuple(one.craft.id for one in shown.crafts)
            assert all(one == WorkView(COMPONENTS.craft[one.craft.id], one.goods) for one in shown.crafts)
            goods = {one.craft.good: one.goods for one in shown.crafts}
            assert list(village.goods) == [goods.get(good, 0) for good in GOODS]
            assert village.journeys == tuple(one.id for one in shown.journeys)
            last = shown.journeys[-1] if shown.journeys else None
            over = last is not None and (last.last or last.letter == LETTERS[-1])
            assert ("" if over else LETTERS[len(shown.journeys)]) == shown.next
            more = (0, 0) if over or last is None else (last.hours, last.coins)
            assert more == (shown.more_hours, shown.more_coins)
            assert [number for number in village.monks if number] == [number for _, number in shown.monks]
            assert dict(zip(MONKS, village.monks, strict=True)) == dict.fromkeys(MONKS, 0) | dict(shown.monks)
            own = COMPONENTS.church[village.church].monks if village.church else 0
            assert sum(village.monks) + own == shown.window
            uses = COMPONENTS.church[village.church].uses if village.church else 0
            assert uses == shown.averts + village.averted


@pytest.mark.parametrize("seats", SEATS)
def test_figures_of_the_boards_are_those_of_the_table(seats):
    tables = COMPONENTS
    for _, _, view in some(seats):
        assert (tables.steward.prices, tables.steward.black) == (view.tables.steward.prices, view.tables.steward.black)
        assert (tables.hand.black, tables.school.white) == (view.tables.hand.black, view.tables.school.white)
        assert tables.tile.numbers == view.tables.tile.numbers


def test_cards_to_buy_show_numbers_hours_and_points_of_the_table():
    tables = COMPONENTS
    points = {FIELD: tables.field.points, MEETING: tables.meeting_place.points, **dict.fromkeys(MONKS, 0)}
    points |= {card: tables.church[card].points for card in CHURCHES}
    points |= {card: tables.chamber[card].points for card in CHAMBERS}
    left = dict.fromkeys((*CHURCHES, *CHAMBERS), 1) | {kind: tables.monk[kind].count for kind in MONKS}
    left |= {FIELD: tables.field.count, MEETING: tables.meeting_place.count}

    cards = RULESET.view(position(), 0).cards

    assert set(points) == {one.card for one in cards}
    for one in cards:
        black, cost = tables.priced[one.card]
        assert CardView(one.card, black, cost, points[one.card], left[one.card]) == one


def test_figures_come_from_the_table_that_the_game_is_played_with():
    other = replace(
        COMPONENTS,
        time=replace(COMPONENTS.time, lap=7),
        tile=replace(COMPONENTS.tile, numbers=(12,)),
        graves=replace(COMPONENTS.graves, limit=(3, 3, 3)),
    )

    view = RULESET.view(position(mine={"hours": 8}, components=other), 1)

    assert (1, 7, (12,), 3) == (view.villages[0].step, view.villages[0].lap, view.tables.tile.numbers, view.limit)


@pytest.mark.parametrize("last", ["journey-d4", "journey-e1"])
def test_after_the_end_of_a_journey_nothing_is_added(last):
    piles = tuple(
        replace(pile, cards=tuple(replace(card, hours=2, coins=1) if card.id == last else card for card in pile.cards))
        for pile in COMPONENTS.journeys
    )
    journeys = ("journey-a1", "journey-b1", "journey-c1", "journey-d1")
    journeys = (*journeys[:3], last) if last == "journey-d4" else (*journeys, last)
    state = position(mine={"journeys": journeys}, components=replace(COMPONENTS, journeys=piles))

    village = RULESET.view(state, 0).villages[0]

    assert ("", 0, 0) == (village.next, village.more_hours, village.more_coins)


@pytest.mark.parametrize("seats", SEATS)
def test_totals_of_the_one_whose_turn_begins_are_what_it_can_make_and_use(seats):
    looked = 0
    for state in states(seats):
        decision = owed(state)
        if decision is None or decision.key != "my.total":
            continue
        totals = RULESET.view(state, decision.seat).totals
        assert [f"total {one.total}" for one in totals] == [text for text in texts(state) if text.startswith("total")]
        for one in totals if looked % 12 == 0 else ():
            taken = after(state, f"total {one.total}")
            assert f"dice {' '.join(one.dice)}" == texts(taken)[0]
            taken = after(taken, texts(taken)[0])
            assert one.hours == hours(taken, decision.seat) - hours(state, decision.seat)
            made = after(taken, texts(taken)[0])
            assert one.coins == state.villages[decision.seat].coins - made.villages[decision.seat].coins
            usable = [text for text in texts(made) if text != "done" and not text.startswith("house")]
            assert usable == list(one.uses)
        looked += 1
    assert looked > 50


def test_a_total_that_takes_the_last_coin_does_not_offer_what_costs_it_again():
    mine = {"coins": 1, "journeys": ("journey-a2",)}
    assert 1 == COMPONENTS.journey["journey-a2"].coins
    state = position(mine=mine, offer="white-3 white-5 black-1")
    assert "travel b" not in texts(after(state, "total 9", "dice white-3 white-5", "change 3 6"))

    (nine,) = [one for one in RULESET.view(state, 0).totals if one.total == 9]

    assert "travel b" not in nine.uses


@pytest.mark.parametrize("seats", SEATS)
def test_totals_of_others_are_those_of_their_own_turn_with_the_dice_on_offer(seats):
    for state, _, _ in some(seats)[::16]:
        for seat in range(seats):
            if state.stack and state.turn >= 0:
                now = replace(state, turn=seat, stack=(*state.stack[:1], *position(seats, seat).stack[1:]), seen="")
                assert isinstance(now.stack[-1], Totalling)
                assert RULESET.view(now, seat).totals == RULESET.view(state, seat).totals


def test_a_total_tells_coins_hours_and_the_dice():
    state = position(mine={"coins": 1, "board": 1}, offer="white-1 white-2 black-5 black-6")

    totals = {one.total: one for one in RULESET.view(state, 0).totals}

    assert [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] == sorted(totals)
    assert TotalView(2, 1, 0, ("white-1", "white-2"), ("hand",)) == totals[2]
    assert (0, 0, ("white-1", "white-2")) == (totals[3].coins, totals[3].hours, totals[3].dice)
    assert {"play", "enrol", "buy field"} <= set(totals[3].uses)
    assert (0, 2, ("white-1", "black-6")) == (totals[7].coins, totals[7].hours, totals[7].dice)
    assert (1, 4, ("black-5", "black-6")) == (totals[12].coins, totals[12].hours, totals[12].dice)
    assert not any(use.startswith("house") for one in totals.values() for use in one.uses)


def test_a_spectator_and_the_end_have_no_totals():
    over = states(3)[-1]

    assert owed(over) is None
    assert [(), ()] == [RULESET.view(over, seat).totals for seat in (0, 1)]
    assert () == RULESET.view(position(), None).totals
    assert RULESET.view(position(), 1).totals


def test_before_the_first_draw_nobody_is_named():
    view = RULESET.view(start(3), 0)

    assert (None, None, 0, ()) == (view.turn, view.holder, view.round, view.totals)
    assert [(), (), ()] == [village.play for village in view.villages]
    assert (CHANCE, "my.first") == asked(start(3))


def looking(turn=0, letter="a"):
    """The position in which the owner of the Travel church has seen a card, and its name."""
    cards = tuple(f"journey-{one}1" for one in LETTERS[: LETTERS.index(letter)])
    total = COMPONENTS.pile[letter].black[0]
    mine = {"church": "travel-church", "journeys": cards}
    low = max(1, total - 6)
    state = position(3, turn, dice=f"{low} {total - low}", mine=mine, others={2: {"church": "trade-church"}})
    state = after(state, f"travel {letter}")
    card = texts(state)[-1].removeprefix("draw ")
    return after(state, f"draw {card}"), card


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("turn", [0, 1])
def test_only_the_owner_of_the_travel_church_sees_the_card(letter, turn):
    state, card = looking(turn, letter)

    assert (turn, "my.journey") == asked(state)
    assert COMPONENTS.journey[card] == RULESET.view(state, turn).seen
    for seat in (None, *range(3)):
        assert seat == turn or RULESET.view(state, seat).seen is None


@pytest.mark.parametrize("letter", LETTERS)
def test_what_the_church_sees_changes_no_byte_of_another_view(letter):
    state, card = looking(letter=letter)

    for other in state.deck(letter):
        changed = replace(state, seen=other)
        for seat in (None, 1, 2):
            assert msgspec.json.encode(RULESET.view(state, seat)) == msgspec.json.encode(RULESET.view(changed, seat))
        assert (other == card) == (RULESET.view(state, 0) == RULESET.view(changed, 0))


@pytest.mark.parametrize("answer", ["keep", "other"])
def test_after_the_answer_nobody_sees_the_card_in_the_pile(answer):
    state = after(looking()[0], answer)
    state = after(state, texts(state)[0]) if answer == "other" else state

    assert (1, "my.total") == asked(state)
    assert [None] * 4 == [RULESET.view(state, seat).seen for seat in (0, 1, 2, None)]


def test_in_games_only_who_has_to_choose_a_journey_sees_a_card():
    looks = [state for seats in SEATS for state in states(seats) if state.seen]

    assert looks
    for state in looks:
        for seat in range(len(state.villages)):
            assert (RULESET.view(state, seat).seen is not None) == (seat == state.turn)
        assert isinstance(state.stack[-1], Choosing | Departing)


@pytest.mark.parametrize("seats", SEATS)
def test_all_see_the_same_but_totals_and_the_card_seen(seats):
    for state, _, _ in some(seats)[::8]:
        views = [RULESET.view(state, seat) for seat in (None, *range(seats))]
        assert 1 == len({replace(view, seat=None, totals=(), examples=(), seen=None) for view in views})


@pytest.mark.parametrize("seats", SEATS)
def test_a_view_survives_its_text(seats):
    for _, _, view in some(seats):
        assert view == msgspec.json.decode(msgspec.json.encode(view), type=View)
        assert set(asdict(view)) == set(View.__struct_fields__)


def test_what_is_told_follows_the_turn():
    state = having(8, mine={"crafts": ("beer-1",)}, heap=3, rat=2)

    view = RULESET.view(after(state, "make beer"), 1)

    assert ((2, 6), 0, 3) == (view.dice, view.turn, view.heap)
    assert COMPONENTS.rat.steps[0] - 2 == view.rat
    assert (WorkView(COMPONENTS.craft["beer-1"], 1),) == view.villages[0].crafts
    assert COMPONENTS.craft["beer-1"].work == view.villages[0].step


def test_examples_are_whole_turns_that_do_something_and_cost_least_first():
    state = position(2, mine={"coins": 3}, offer="white-1 white-3 white-6 black-6 black-2")

    view = RULESET.view(state, 0)

    costs = {one.total: one.coins + one.hours for one in view.totals}
    totals = [int(line.split(" ")[1]) for line in view.examples]
    assert totals
    assert [costs[total] for total in totals] == sorted(costs[total] for total in totals)
    for line in view.examples:
        step = state
        for text in line.split(" : "):
            while text not in texts(step):
                step = after(step, texts(step)[0])
            step = after(step, text)


def test_before_a_new_roll_the_examples_are_of_any_dice():
    state = position(2, turns=(), offer="white-1 white-1")

    assert {3, 7} <= {int(line.split(" ")[1]) for line in RULESET.view(state, 1).examples}
    assert () == RULESET.view(state, None).examples


def test_where_nothing_can_be_opened_with_these_dice_the_examples_are_of_any():
    state = position(2, offer="white-1 white-1", palm=False)

    assert RULESET.view(state, 0).examples
