"""Rules M-149 to M-166: churches, and M-102 for the Trade church."""

import pytest

from engine.core.types import CHANCE
from engine.my_village import RULESET
from engine.my_village.components import CHURCHES, CUSTOMERS, LETTERS, MONKS
from engine.my_village.state import FACES
from tests.engine.my_village.positions import COMPONENTS, after, drawn, owed, play, position, refusal, texts, told
from tests.engine.my_village.ruling import LAP, TOTALS, dying, faces, parts, window
from tests.engine.my_village.steps import changes, taking, without

SANATORIUM, TRADE, TRAVEL, MONASTERY = CHURCHES
USES = COMPONENTS.church[SANATORIUM].uses
STEWARD = COMPONENTS.steward
PRICES = ((0, 0), *STEWARD.prices)
"""Hours and coins for none, one, two … bought customers."""

MOST = len(STEWARD.prices)
OPEN, SEVENTH = CUSTOMERS[: STEWARD.open], CUSTOMERS[STEWARD.open]
PILES = {letter: tuple(card.id for card in COMPONENTS.journey.values() if card.letter == letter) for letter in LETTERS}
NO_ABBOT = [without("abbot"), ("merchant",)]


def affordable(coins):
    """How many customers can be bought with so many coins."""
    return max(number for number, (_, price) in enumerate(PRICES) if price <= coins)


# --- buying ---


@pytest.mark.rule("M-149")
@pytest.mark.parametrize("owned", CHURCHES)
@pytest.mark.parametrize("other", CHURCHES)
def test_a_second_church_is_never_bought(owned, other):
    for total in COMPONENTS.church[other].black:
        state = position(dice=faces(total), mine={"church": owned})

        assert f"buy {other}" not in texts(state)
        reason = ("buy.gone", {"card": other}) if owned == other else ("buy.owned", {"card": other, "owned": owned})
        assert reason == refusal(state, f"buy {other}")


@pytest.mark.rule("M-149")
@pytest.mark.parametrize("church", CHURCHES)
def test_a_church_is_bought_with_a_living_abbot(church):
    for total in COMPONENTS.church[church].black:
        missing = position(dice=faces(total), mine={"villagers": without("abbot")})
        assert f"buy {church}" not in texts(missing)
        assert ("villager.missing", {"profession": "abbot"}) == refusal(missing, f"buy {church}")
        assert f"buy {church}" in texts(position(dice=faces(total), mine={"villagers": ("abbot",)}))


@pytest.mark.rule("M-150")
@pytest.mark.parametrize("church", CHURCHES)
@pytest.mark.parametrize("total", TOTALS)
def test_the_numbers_and_hours_of_each_church(church, total):
    block = COMPONENTS.church[church]
    state = position(dice=faces(total), mine={"hours": 2})

    if total in block.black:
        assert {"church": church, "hours": 2 + block.hours} == changes(state, after(state, f"buy {church}"))
    else:
        wrong = {"flag": church, "numbers": block.black, "total": total}
        assert f"buy {church}" not in texts(state)
        assert ("flag.number", wrong) == refusal(state, f"buy {church}")


@pytest.mark.rule("M-151")
@pytest.mark.parametrize("church", CHURCHES)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_church_bought_is_gone_for_the_others(church, seat):
    total = COMPONENTS.church[church].black[0]
    others = {at: {"coins": 40} for at in range(3)}

    done = after(
        position(3, seat, dice=faces(total), turns=((seat + 1) % 3, (seat + 2) % 3), others=others), f"buy {church}"
    )

    assert church not in done.churches
    for _ in range(2):
        done = taking(done, total)
        assert ("buy.gone", {"card": church}) == refusal(done, f"buy {church}")
        done = after(done, "done")


@pytest.mark.rule("M-151")
def test_the_power_of_a_church_is_its_owners_alone():
    looked = after(position(dice=faces(6), others={1: {"church": TRAVEL}}), "travel a")
    assert "my.travel" == owed(looked).key
    visited = after(position(dice=faces(6), others={1: {"church": TRADE}}), "steward")
    assert ("my.customers", STEWARD.open) == (owed(visited).key, len(visited.display))
    monastery = position(others={1: {"church": MONASTERY}})
    assert (0, COMPONENTS.church[MONASTERY].points + window(1)) == (
        parts(monastery)["religion"],
        parts(monastery, 1)["religion"],
    )
    invaded = invasion({"tree": 6}, others={1: {"church": SANATORIUM, "tree": 6}})
    assert [3, 6] == [village.tree for village in invaded.villages]


@pytest.mark.rule("M-152")
@pytest.mark.parametrize("villagers", NO_ABBOT)
def test_powers_work_without_an_abbot(villagers):
    mine = {"villagers": villagers, "tree": 6}

    averted = invasion({}, others={1: mine | {"church": SANATORIUM}})
    assert 6 == averted.villages[1].tree
    visited = after(position(dice=faces(6), mine=mine | {"church": TRADE}), "steward")
    assert "my.customer" == owed(visited).key
    travelling = {"villagers": tuple({*villagers, "traveller"}), "church": TRAVEL}
    assert "my.look" == owed(after(position(dice=faces(6), mine=travelling), "travel a")).key
    assert (
        COMPONENTS.church[MONASTERY].points + window(1)
        == parts(position(mine=mine | {"church": MONASTERY}))["religion"]
    )


# --- Sanatorium ---


def arranged(seat, owner):
    """*owner* as the village of *seat*, as `invasion` takes it."""
    return {"mine": owner} if seat == 0 else {"mine": {}, "others": {seat: owner}}


def invasion(mine, *, others=None, seats=2, face=1):
    """The position after an invasion that followed a burial of seat 0, whose book brought nothing."""
    steps = COMPONENTS.rat.steps[seats - 2]
    full = len(COMPONENTS.book.stories[seats - 2])
    state = dying(mine, others=others, seats=seats, rat=steps - face, graves=full)
    return after(state, *(["bury traveller"] if owed(state).key == "my.death" else []), f"roll {face}")


@pytest.mark.rule("M-153")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("tree", [2, 5, 8])
@pytest.mark.parametrize("face", FACES)
def test_the_first_invasions_cost_its_owner_nothing_and_the_next_in_full(seat, tree, face):
    owner = {"church": SANATORIUM, "tree": tree}

    for averted in range(USES):
        state = invasion(**arranged(seat, owner | {"averted": averted}), face=face)
        assert (tree, averted + 1) == (state.villages[seat].tree, state.villages[seat].averted)
    state = invasion(**arranged(seat, owner | {"averted": USES}), face=face)
    assert (tree - tree // 2, USES) == (state.villages[seat].tree, state.villages[seat].averted)


@pytest.mark.rule("M-153")
@pytest.mark.parametrize("tree", [2, 9])
def test_invasions_before_the_purchase_do_not_count_and_one_in_its_turn_does(tree):
    church = COMPONENTS.church[SANATORIUM]
    assert 0 == invasion({"tree": tree}).villages[0].averted

    mine = {"tree": tree, "hours": LAP - 1}
    full = len(COMPONENTS.book.stories[0])
    state = position(dice=faces(church.black[0]), mine=mine, rat=COMPONENTS.rat.steps[0] - 1, graves=full)
    done = after(state, f"buy {SANATORIUM}", "bury abbot", "roll 1")

    assert (tree, 1) == (done.villages[0].tree, done.villages[0].averted)


@pytest.mark.rule("M-154")
@pytest.mark.parametrize("tree", [0, 1])
@pytest.mark.parametrize("averted", range(USES + 1))
@pytest.mark.parametrize("seat", [0, 1])
def test_an_invasion_that_would_take_nothing_uses_up_nothing(tree, averted, seat):
    state = invasion(**arranged(seat, {"church": SANATORIUM, "tree": tree, "averted": averted}))

    assert (tree, averted) == (state.villages[seat].tree, state.villages[seat].averted)


@pytest.mark.rule("M-155")
@pytest.mark.parametrize("church", ["", TRADE, TRAVEL, MONASTERY])
@pytest.mark.parametrize("tree", range(10))
def test_the_others_lose_half_as_usual(church, tree):
    others = {1: {"church": SANATORIUM, "tree": tree}, 2: {"church": church, "tree": tree}, 3: {"tree": tree}}

    state = invasion({"tree": tree}, others=others, seats=4)

    left = tree - tree // 2
    assert [left, tree, left, left] == [village.tree for village in state.villages]


@pytest.mark.rule("M-153")
@pytest.mark.parametrize("averted", range(USES))
def test_how_many_are_left_is_told(averted):
    mine = {"church": SANATORIUM, "tree": 4, "averted": averted}
    state = dying(mine, rat=COMPONENTS.rat.steps[0] - 1)

    events = told(play(state, "bury abbot", "roll 1")[1])

    assert ("my.averted", {"seat": 0, "left": USES - averted - 1}) in events
    assert "my.lost" not in dict(events)


# --- Trade ---


def trading(mine=None, **values):
    """Seat 0 with the Trade church has gone to the steward."""
    return after(position(dice=faces(STEWARD.black[0]), mine={"church": TRADE, **(mine or {})}, **values), "steward")


@pytest.mark.rule("M-156")
@pytest.mark.parametrize("seventh", CUSTOMERS[STEWARD.open :: 5])
def test_a_seventh_customer_is_turned_up_before_anything_is_chosen(seventh):
    state = trading()

    decision = owed(state)
    assert (CHANCE, "my.customer") == (decision.seat, decision.key)
    assert (1,) * (len(CUSTOMERS) - STEWARD.open) == decision.odds
    state = after(state, f"draw {seventh}")
    assert ((*OPEN, seventh), 0, "my.customers") == (state.display, owed(state).seat, owed(state).key)
    assert seventh in after(state, f"take {seventh}").villages[0].customers


@pytest.mark.rule("M-157")
@pytest.mark.parametrize("first", [*OPEN, SEVENTH])
def test_the_first_is_taken_for_nothing_and_must_be(first):
    state = after(trading({"hours": 2}), f"draw {SEVENTH}")

    assert {"hours": 0, "coins": 0} == dict(owed(state).fields)
    assert [f"take {one}" for one in (*OPEN, SEVENTH)] == texts(state)
    assert ("take.one", {}) == refusal(state, "done")
    done, events = play(state, f"take {first}")
    assert {"customers": (first,)} == changes(state, done)
    assert ("my.took", {"seat": 0, "customer": first, "hours": 0, "coins": 0}) in told(events)
    left = [one for one in (*OPEN, SEVENTH) if one != first]
    assert ["done", *(f"take {one}" for one in left)] == texts(done)


@pytest.mark.rule("M-102", "M-157", "M-158")
@pytest.mark.parametrize("bought", range(MOST + 1))
def test_the_free_one_and_so_many_bought(bought):
    state = after(trading({"hours": 2, "coins": 5}), f"draw {SEVENTH}")

    done = after(state, *(f"take {one}" for one in OPEN[: bought + 1]))
    if bought < MOST:
        assert "my.customers" == owed(done).key
        done = after(done, "done")

    assert "my.customers" != owed(done).key
    hours, coins = PRICES[bought]
    assert (2 + hours, 5 - coins) == (done.villages[0].hours, done.villages[0].coins)
    assert OPEN[: bought + 1] == done.villages[0].customers
    assert {} == changes(state, done, 1)


@pytest.mark.rule("M-102", "M-157")
@pytest.mark.parametrize("coins", range(max(coins for _, coins in PRICES) + 2))
def test_none_need_be_bought_and_at_most_as_many_as_can_be_paid(coins):
    state = after(trading({"coins": coins}), f"draw {SEVENTH}", f"take {OPEN[0]}")

    for number in range(affordable(coins)):
        assert "done" in texts(state)
        state = after(state, f"take {OPEN[number + 1]}")

    assert "my.customers" != owed(state).key
    assert 1 + affordable(coins) == len(state.villages[0].customers)


@pytest.mark.rule("M-159")
@pytest.mark.parametrize("shown", range(1, STEWARD.open + 1))
def test_with_an_empty_pile_the_free_one_comes_from_those_that_lie_open(shown):
    state = trading({"coins": 5}, display=OPEN[:shown], pile=())
    bought = min(shown - 1, MOST)

    assert (0, "my.customers") == (owed(state).seat, owed(state).key)
    assert OPEN[:shown] == state.display
    assert {"hours": 0, "coins": 0} == dict(owed(state).fields)
    done = after(state, *(f"take {one}" for one in OPEN[: 1 + bought]))
    assert PRICES[bought] == (done.villages[0].hours, 5 - done.villages[0].coins)
    assert OPEN[1 + bought : shown] == done.display
    assert (1, "my.total") == (owed(done).seat, owed(done).key)


@pytest.mark.rule("M-160")
@pytest.mark.parametrize("bought", range(MOST + 1))
def test_afterwards_as_many_are_drawn_as_were_bought(bought):
    state = after(trading({"coins": 5}), f"draw {SEVENTH}", *(f"take {one}" for one in OPEN[: bought + 1]))
    state = after(state, "done") if bought < MOST else state

    draws = 0
    while owed(state).key == "my.customer":
        state, draws = after(state, texts(state)[-1]), draws + 1

    assert (bought, STEWARD.open) == (draws, len(state.display))
    assert len(CUSTOMERS) - STEWARD.open - 1 - bought == len(state.pile)


@pytest.mark.rule("M-161")
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("church", ["", SANATORIUM, TRAVEL, MONASTERY])
def test_for_others_no_seventh_lies_open_and_nothing_is_free(seat, church):
    others = {0: {"church": TRADE}}
    state = position(3, seat, dice=faces(STEWARD.black[0]), mine={"church": church}, others=others)

    state = after(state, "steward")

    assert (seat, "my.customers", STEWARD.open) == (owed(state).seat, owed(state).key, len(state.display))
    hours, coins = PRICES[1]
    assert {"hours": hours, "coins": coins} == dict(owed(state).fields)


@pytest.mark.rule("M-161")
def test_after_the_owners_visit_six_lie_open_for_the_next():
    state = trading(others={1: {"coins": 40}})

    state = after(state, f"draw {SEVENTH}", f"take {OPEN[0]}", "done")
    state = after(taking(state, STEWARD.black[0]), "steward")

    assert (1, (*OPEN[1:], SEVENTH)) == (state.turn, state.display)


# --- Travel ---


def looking(letter="a", seen=None, *, seat=0, seats=3, coins=0, taken=(), **mine):
    """A seat with the Travel church has paid for a card of *letter*, and has seen the card *seen*, if one is named."""
    before = tuple(PILES[one][0] for one in LETTERS[: LETTERS.index(letter)])
    others = {at: {"journeys": (*before, card)} for at, card in zip(set(range(seats)) - {seat}, taken, strict=False)}
    state = position(
        seats,
        seat,
        dice=faces(COMPONENTS.pile[letter].black[0]),
        mine={"church": TRAVEL, "journeys": before, "coins": coins, **mine},
        others=others,
    )
    return after(state, f"travel {letter}", *([f"draw {seen}"] if seen else []))


@pytest.mark.rule("M-162")
@pytest.mark.parametrize("letter", LETTERS)
def test_the_top_card_is_always_looked_at(letter):
    state = looking(letter)

    decision = owed(state)
    assert (CHANCE, "my.look", {"letter": letter}) == (decision.seat, decision.key, dict(decision.fields))
    assert [f"draw {card}" for card in PILES[letter]] == texts(state)
    assert (1,) * len(PILES[letter]) == decision.odds
    elsewhere = next(card for pile in PILES.values() for card in pile if card not in PILES[letter])
    assert ("draw.not-there", {"what": elsewhere}) == refusal(state, f"draw {elsewhere}")
    first = PILES[letter][0]
    asked = owed(after(state, f"draw {first}"))
    assert (0, "my.journey", {"letter": letter}) == (asked.seat, asked.key, dict(asked.fields))
    assert ["keep", "other"] == texts(after(state, f"draw {first}"))


@pytest.mark.rule("M-162")
@pytest.mark.parametrize("seen", [card for pile in PILES.values() for card in pile])
def test_the_card_seen_is_taken_or_the_next_one(seen):
    letter = COMPONENTS.journey[seen].letter
    state = looking(letter, seen)
    own = state.villages[0].journeys

    assert (*own, seen) == after(state, "keep").villages[0].journeys
    under = after(state, "other")
    rest = [card for card in PILES[letter] if card != seen]
    assert ((1,) * len(rest), [f"draw {card}" for card in rest]) == (owed(under).odds, texts(under))
    assert ("draw.not-there", {"what": seen}) == refusal(under, f"draw {seen}")
    for card in rest:
        assert (*own, card) == after(under, f"draw {card}").villages[0].journeys


@pytest.mark.rule("M-163")
@pytest.mark.parametrize("letter", LETTERS)
def test_the_pile_is_shuffled_whichever_card_was_taken(letter):
    """What comes next depends on the card that is gone alone, not on what was seen."""
    for gone in PILES[letter]:
        kept = after(looking(letter, gone), "keep")
        left = tuple(card for card in PILES[letter] if card != gone)

        assert left == kept.deck(letter)
        for seen in left:
            assert kept == after(looking(letter, seen), "other", f"draw {gone}")


@pytest.mark.rule("M-163")
def test_the_card_put_under_may_come_to_the_next_traveller():
    under, gone = PILES["a"][:2]
    done = after(looking("a", under), "other", f"draw {gone}")

    other = after(position(dice=faces(6), others={1: {"journeys": (gone,)}}), "travel a")

    assert done.deck("a") == other.deck("a")
    assert f"draw {under}" in texts(other)


@pytest.mark.rule("M-164")
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("seen", PILES["a"])
def test_only_the_owner_sees_the_card(seat, seen):
    state, events = play(looking(seat=seat), f"draw {seen}")

    card = COMPONENTS.journey[seen]
    told_to = {event.key: event.seats for event in events}
    assert {"my.looked": None, "my.seen": (seat,)} == told_to
    shown = {"points": card.points, "hours": card.hours, "coins": card.coins, "last": int(card.last)}
    assert shown == dict(told(events))["my.seen"]
    for now in (state, after(state, "other")):
        sights = {reader: RULESET.view(now, reader).seen for reader in (None, 0, 1, 2)}
        assert {None: None, 0: None, 1: None, 2: None, seat: card} == sights


@pytest.mark.rule("M-164")
@pytest.mark.parametrize("seen", PILES["a"])
def test_a_card_put_under_is_not_shown(seen):
    one, other = (play(looking("a", card), "other")[1] for card in (seen, PILES["a"][0]))

    assert one == other
    assert [("my.under", {"seat": 0, "letter": "a"})] == told(one)


@pytest.mark.rule("M-164")
@pytest.mark.parametrize("letter", LETTERS)
def test_both_cards_cost_the_same(letter):
    seen, other = PILES[letter][:2]
    state = looking(letter, seen)

    ways = [after(state, "keep"), after(state, "other", f"draw {other}")]
    hours = COMPONENTS.pile[letter].hours
    assert [(hours, 0)] * 2 == [(way.villages[0].hours, way.villages[0].coins) for way in ways]


@pytest.mark.rule("M-164")
@pytest.mark.parametrize("card", [card for card in COMPONENTS.journey.values() if card.coins], ids=lambda card: card.id)
def test_the_price_must_be_payable_before_the_look(card):
    letter = LETTERS[LETTERS.index(card.letter) + 1]
    journeys = (*(PILES[one][0] for one in LETTERS[: LETTERS.index(card.letter)]), card.id)
    total = COMPONENTS.pile[letter].black[0]

    poor = position(dice=faces(total), mine={"church": TRAVEL, "journeys": journeys, "coins": card.coins - 1})
    assert f"travel {letter}" not in texts(poor)
    short = {"what": "coin", "need": card.coins, "have": card.coins - 1}
    assert ("price.short", short) == refusal(poor, f"travel {letter}")
    rich = position(dice=faces(total), mine={"church": TRAVEL, "journeys": journeys, "coins": card.coins})
    paid = after(rich, f"travel {letter}")
    assert ("my.look", 0) == (owed(paid).key, paid.villages[0].coins)


@pytest.mark.rule("M-165")
@pytest.mark.parametrize("letter", LETTERS[:4])
@pytest.mark.parametrize("last", range(4))
def test_the_last_card_of_a_pile_is_taken_unseen(letter, last):
    card = PILES[letter][last]

    state = looking(letter, seats=4, taken=[one for one in PILES[letter] if one != card])

    assert ("my.travel", [f"draw {card}"]) == (owed(state).key, texts(state))
    done = drawn(state)
    assert card == done.villages[0].journeys[-1]
    assert () == done.deck(letter)


@pytest.mark.rule("M-165")
@pytest.mark.parametrize("letter", LETTERS[:4])
def test_with_two_cards_left_there_is_a_next_one(letter):
    pile = PILES[letter]
    state = looking(letter, seats=4, taken=pile[2:])

    assert "my.look" == owed(state).key
    assert pile[1] == drawn(after(state, f"draw {pile[0]}", "other")).villages[0].journeys[-1]


# --- Monastery ---


@pytest.mark.rule("M-166")
@pytest.mark.parametrize("monks", range(8))
def test_the_monastery_counts_as_one_monk_at_the_window(monks):
    given = dict(zip(MONKS, [min(3, max(0, monks - 3 * at)) for at in range(4)], strict=True))

    monastery, other = (parts(position(mine={"church": church, "monks": given})) for church in (MONASTERY, TRAVEL))

    assert COMPONENTS.church[MONASTERY].points + window(monks + 1) == monastery["religion"]
    assert COMPONENTS.church[TRAVEL].points + window(monks) == other["religion"]


@pytest.mark.rule("M-166")
def test_bought_alone_it_brings_its_points_and_those_of_one_monk():
    state = position(dice=faces(COMPONENTS.church[MONASTERY].black[0]))

    done = after(state, f"buy {MONASTERY}")

    gained = parts(done)["religion"] - parts(state)["religion"]
    assert COMPONENTS.church[MONASTERY].points + window(1) == gained
    assert (0, 0, 0, 0) == done.villages[0].monks
