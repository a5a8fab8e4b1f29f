"""Rules M-138 to M-148: travel."""

from itertools import permutations, product

import pytest

from engine.core.types import CHANCE
from engine.my_village import RULESET
from engine.my_village.components import LETTERS
from tests.engine.my_village.positions import COMPONENTS, after, owed, play, position, refusal, texts, told
from tests.engine.my_village.ruling import TOTALS, faces, parts
from tests.engine.my_village.steps import changes, taking, without

A, B, C, D, E = ([card for card in COMPONENTS.journey.values() if card.letter == letter] for letter in LETTERS)
PILES = dict(zip(LETTERS, (A, B, C, D, E), strict=True))
LAST = [card for card in COMPONENTS.journey.values() if card.last]
"""The monastery."""

ONWARD = [card for card in COMPONENTS.journey.values() if not card.last and card.letter != LETTERS[-1]]
"""The cards that another can follow."""


def by_id(card):
    return card.id


def up_to(card):
    """A journey that ends with *card*, before it the first of each pile."""
    return (*(PILES[letter][0].id for letter in LETTERS[: LETTERS.index(card.letter)]), card.id)


def journey(length):
    """A journey of so many cards that is not over, unless it has five."""
    return up_to(PILES[LETTERS[length - 1]][0]) if length else ()


def travelling(letter, journeys, total=None, seat=0, seats=2, **mine):
    """Seat *seat* has made *journeys* and has dice for *letter*."""
    total = COMPONENTS.pile[letter].black[0] if total is None else total
    return position(seats, seat, dice=faces(total), mine={"journeys": journeys, **mine})


def letters(state):
    """The letters that can be bought."""
    return [text.removeprefix("travel ") for text in texts(state) if text.startswith("travel")]


def following(card):
    """The letter after that of *card*."""
    return LETTERS[LETTERS.index(card.letter) + 1]


def cost(before, now):
    """Hours and coins that seat 0 has spent."""
    old, new = before.villages[0], now.villages[0]
    return new.hours - old.hours, old.coins - new.coins


@pytest.mark.rule("M-138")
@pytest.mark.parametrize("length", range(5))
def test_travelling_needs_the_traveller(length):
    letter = LETTERS[length]
    alone = travelling(letter, journey(length), villagers=("traveller",))
    missing = travelling(letter, journey(length), villagers=without("traveller"))

    assert [letter] == letters(alone)
    assert [] == letters(missing)
    assert ("villager.missing", {"profession": "traveller"}) == refusal(missing, f"travel {letter}")


@pytest.mark.rule("M-138")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("journeys", [journey(1), journey(3), journey(5), up_to(LAST[0])])
def test_travel_cards_have_no_white_flags(total, journeys):
    def others(owned):
        state = travelling("a", owned, total, coins=9)
        return [text for text in texts(state) if not text.startswith("travel")]

    assert others(()) == others(journeys)


@pytest.mark.rule("M-139", "M-140")
@pytest.mark.parametrize("length", range(5))
def test_the_cards_are_bought_one_a_letter_in_their_order_without_gaps(length):
    coming = LETTERS[length]

    for letter in LETTERS:
        for total in COMPONENTS.pile[letter].black:
            state = travelling(letter, journey(length), total)
            if letter == coming:
                assert [letter] == letters(state)
            else:
                assert letter not in letters(state)
                assert ("travel.letter", {"letter": letter, "next": coming}) == refusal(state, f"travel {letter}")


@pytest.mark.rule("M-140")
def test_a_whole_journey_is_made_letter_by_letter():
    state = position(turns=(0,) * 4, mine={"coins": 60})

    for letter in LETTERS:
        state = after(taking(state, COMPONENTS.pile[letter].black[0]), f"travel {letter}")
        state = after(state, f"draw {PILES[letter][0].id}")
        while owed(state).key != "my.total":
            state = after(state, texts(state)[0])

    assert journey(5) == state.villages[0].journeys


@pytest.mark.rule("M-141")
@pytest.mark.parametrize("card", E, ids=by_id)
def test_after_the_last_letter_nothing_more_is_bought(card):
    for letter in LETTERS:
        for total in COMPONENTS.pile[letter].black:
            state = travelling(letter, up_to(card), total)
            assert [] == letters(state)
            assert ("travel.over", {}) == refusal(state, f"travel {letter}")


@pytest.mark.rule("M-142")
@pytest.mark.parametrize("card", D, ids=by_id)
def test_the_monastery_ends_the_journey_and_no_other_card_of_its_letter_does(card):
    for total in COMPONENTS.pile["e"].black:
        state = travelling("e", up_to(card), total, coins=9)
        if card in LAST:
            assert [] == letters(state)
            assert ("travel.over", {}) == refusal(state, "travel e")
        else:
            assert ["e"] == letters(state)


@pytest.mark.rule("M-142")
def test_there_is_one_monastery_and_it_is_a_d():
    assert ["d"] == [card.letter for card in LAST]


@pytest.mark.rule("M-143")
@pytest.mark.parametrize("length", range(5))
@pytest.mark.parametrize("total", TOTALS)
def test_the_numbers_and_hours_of_each_letter(length, total):
    letter = LETTERS[length]
    block = COMPONENTS.pile[letter]
    state = travelling(letter, journey(length), total, hours=2)

    if total in block.black:
        done = after(state, f"travel {letter}")
        assert {"hours": 2 + block.hours} == changes(state, done)
    else:
        wrong = {"flag": "travel", "numbers": block.black, "total": total}
        assert letter not in letters(state)
        assert ("flag.number", wrong) == refusal(state, f"travel {letter}")


@pytest.mark.rule("M-144", "M-145")
@pytest.mark.parametrize("card", ONWARD, ids=by_id)
def test_the_grey_flag_of_the_last_card_is_paid_with_the_next(card):
    letter = following(card)
    state = travelling(letter, up_to(card), hours=1, coins=5)

    done, events = play(state, f"travel {letter}")

    hours = COMPONENTS.pile[letter].hours + card.hours
    assert (hours, card.coins) == cost(state, done)
    assert {"seat": 0, "letter": letter, "hours": hours, "coins": card.coins} == dict(told(events))["my.travel"]
    assert {} == changes(state, done, 1)


@pytest.mark.rule("M-144")
def test_after_a_b_with_hours_the_c_costs_these_besides():
    card = next(card for card in B if card.hours == 2)
    state = travelling("c", up_to(card))

    assert (COMPONENTS.pile["c"].hours + 2, 0) == cost(state, after(state, "travel c"))


@pytest.mark.rule("M-145")
@pytest.mark.parametrize("card", [card for card in ONWARD if card.coins], ids=by_id)
def test_a_surcharge_in_coins_that_cannot_be_paid_stops_the_journey(card):
    letter = following(card)

    for coins in range(card.coins):
        state = travelling(letter, up_to(card), coins=coins)
        assert [] == letters(state)
        short = {"what": "coin", "need": card.coins, "have": coins}
        assert ("price.short", short) == refusal(state, f"travel {letter}")
    state = travelling(letter, up_to(card), coins=card.coins)
    assert 0 == after(state, f"travel {letter}").villages[0].coins


@pytest.mark.rule("M-145")
@pytest.mark.parametrize("card", [card for card in ONWARD if not card.coins], ids=by_id)
def test_without_such_a_surcharge_no_coin_is_needed(card):
    assert [following(card)] == letters(travelling(following(card), up_to(card), coins=0))


@pytest.mark.rule("M-146")
@pytest.mark.parametrize("last", [card for card in ONWARD if card.letter != "a"], ids=by_id)
def test_grey_flags_of_earlier_cards_count_no_more(last):
    letter = following(last)
    earlier = [PILES[one] for one in LETTERS[: LETTERS.index(last.letter)]]

    for before in product(*earlier):
        state = travelling(letter, (*(card.id for card in before), last.id), coins=last.coins)
        done = after(state, f"travel {letter}")
        assert (COMPONENTS.pile[letter].hours + last.hours, last.coins) == cost(state, done)


@pytest.mark.rule("M-146")
def test_a_surcharge_is_paid_once():
    dear, free = max(A, key=lambda card: card.hours), next(card for card in B if not (card.hours or card.coins))
    state = travelling("b", (dear.id,), coins=40)
    rich = position(dice=faces(COMPONENTS.pile["b"].black[0]), mine={"journeys": (dear.id,), "coins": 40}, turns=(0,))

    second = after(rich, "travel b")
    assert COMPONENTS.pile["b"].hours + dear.hours == cost(state, second)[0]
    third = taking(after(second, f"draw {free.id}"), COMPONENTS.pile["c"].black[0])
    assert COMPONENTS.pile["c"].hours == cost(third, after(third, "travel c"))[0]


@pytest.mark.rule("M-147")
@pytest.mark.parametrize("length", range(5))
@pytest.mark.parametrize("taken", [0, 1, 2])
def test_which_card_it_is_chance_says_with_equal_odds(length, taken):
    letter = LETTERS[length]
    pile = [card.id for card in PILES[letter]]
    others = {seat: {"journeys": (*journey(length), pile[seat - 1])} for seat in range(1, taken + 1)}
    mine = {"journeys": journey(length)}
    state = position(4, dice=faces(COMPONENTS.pile[letter].black[0]), mine=mine, others=others)

    state = after(state, f"travel {letter}")

    decision = owed(state)
    assert (CHANCE, "my.travel", {"letter": letter}) == (decision.seat, decision.key, dict(decision.fields))
    assert [f"draw {card}" for card in pile[taken:]] == texts(state)
    assert (1,) * (len(pile) - taken) == decision.odds
    for card in (*pile[:taken], PILES[LETTERS[length - 1]][-1].id):
        key, fields = refusal(state, f"draw {card}")
        assert ("draw.not-there", {"what": card}) == (key, fields)


@pytest.mark.rule("M-147")
@pytest.mark.parametrize("card", COMPONENTS.journey.values(), ids=by_id)
def test_a_card_that_was_bought_is_open_to_all(card):
    before = journey(LETTERS.index(card.letter))
    state = after(travelling(card.letter, before, seat=1, seats=3), f"travel {card.letter}")

    done, events = play(state, f"draw {card.id}")

    arrived = next(event for event in events if event.key == "my.arrived")
    shown = {"points": card.points, "hours": card.hours, "coins": card.coins, "last": int(card.last)}
    assert {"seat": 1, "letter": card.letter, **shown} == dict(arrived.fields)
    assert arrived.seats is None
    for reader in (None, 0, 1, 2):
        assert card == RULESET.view(done, reader).villages[1].journeys[-1]
    assert card.points == parts(done, 1)["travel"] - parts(state, 1)["travel"]


@pytest.mark.rule("M-147")
def test_nothing_is_known_of_it_before():
    first = after(travelling("a", ()), "travel a")
    views = [RULESET.view(first, reader).letters[0].cards for reader in (None, 0, 1)]

    assert [tuple(A)] * 3 == views
    assert [card.points for card in A] == [parts(after(first, f"draw {card.id}"))["travel"] for card in A]


@pytest.mark.rule("M-148")
def test_there_is_a_card_for_each_seat_that_may_need_one():
    most = max(RULESET.seats)

    assert all(most <= len(pile) for pile in (A, B, C, D))
    assert most - len(D) + len([card for card in D if not card.last]) <= len(E)


@pytest.mark.rule("M-148")
@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_whoever_travels_last_still_finds_a_card(order):
    """Four journeys of which one ends at the monastery: the others find the three that follow."""
    shuffled = [D[at].id for at in order]
    early = {seat: {"journeys": (A[seat].id, B[seat].id, C[seat].id, shuffled[seat])} for seat in (1, 2, 3)}
    mine = {"journeys": (A[0].id, B[0].id, C[0].id)}
    state = position(4, dice=faces(COMPONENTS.pile["d"].black[0]), mine=mine, others=early)

    fourth = after(state, "travel d")
    assert [f"draw {shuffled[0]}"] == texts(fourth)

    ends = COMPONENTS.journey[shuffled[0]].last
    going = [seat for seat in (1, 2, 3) if not COMPONENTS.journey[shuffled[seat]].last]
    for seat, card in zip(going[:2], E, strict=False):
        early[seat] = {"journeys": (*early[seat]["journeys"], card.id)}
    mine = {"journeys": (*mine["journeys"], shuffled[0]), "coins": 9}
    state = position(4, dice=faces(COMPONENTS.pile["e"].black[0]), mine=mine, others=early)
    if ends:
        assert ("travel.over", {}) == refusal(state, "travel e")
    else:
        assert [f"draw {E[2].id}"] == texts(after(state, "travel e"))
