"""Rules M-188 to M-198: council chambers."""

import pytest

from engine.my_village.components import AREAS, CHAMBERS, GOODS, MEETING, PROFESSIONS
from tests.engine.my_village.positions import COMPONENTS, after, ended, keys, play, refusal, texts, told
from tests.engine.my_village.ruling import (
    TOTALS,
    asked,
    building,
    buys,
    customer,
    dying,
    having,
    hours,
    parts,
    rolled,
    whites,
    work,
)

MONETARY, GUILD, AREA, POPULATION = CHAMBERS
BLACK = [(chamber, total) for chamber in CHAMBERS for total in COMPONENTS.chamber[chamber].black]
JOKER = {"chamber": GUILD, "joker": True}
FULL = {
    "religion": ({"church": "sanatorium", "monks": {"almoner": 2, "teacher": 1}}, 4),
    "council": ({"meeting": True, "tile": MEETING}, 2),
    "harvest": ({"fields": 3}, 3),
    "travel": ({"journeys": ("journey-a1", "journey-b2", "journey-c3")}, 3),
    "crafts": ({"crafts": ("scroll-1", "beer-2", "wagon-3"), "goods": {"scroll": 2, "beer": 1}}, 3),
    "market": ({"served": ("market-1", "market-2"), "customers": ("market-3", "market-4", "market-5")}, 2),
}
"""The area -> what its owner has there, and how many cards that are besides the chamber itself."""


def chamber_bought(chamber, **mine):
    """The position after seat 0 has bought *chamber*."""
    return after(having(COMPONENTS.chamber[chamber].black[0], mine=mine), f"buy {chamber}")


def services(state):
    """The customers that can be served now, with the joker and without."""
    return [text for text in whites(state) if text.split()[0] in ("serve", "joker")]


def bonus(area, values):
    """What the Area chamber gives at the end if *area* is marked."""
    marked = ended(mine={**values, "chamber": AREA, "mark": area})
    return parts(marked)["council"] - parts(ended(mine={**values, "chamber": AREA}))["council"]


@pytest.mark.rule("M-188")
@pytest.mark.parametrize(("chamber", "total"), BLACK)
def test_a_chamber_needs_a_living_councilman_and_nobody_else(chamber, total):
    dead = having(total, mine={"villagers": ("abbot", "traveller", "craftsman", "merchant")})

    assert chamber not in buys(dead)
    assert ("villager.missing", {"profession": "councilman"}) == refusal(dead, f"buy {chamber}")
    assert chamber in buys(having(total, mine={"villagers": ("councilman",)}))


@pytest.mark.rule("M-188")
@pytest.mark.parametrize(("chamber", "total"), BLACK)
def test_who_has_a_chamber_cannot_buy_another(chamber, total):
    for owned in set(CHAMBERS) - {chamber}:
        state = having(total, mine={"chamber": owned})
        assert chamber not in buys(state)
        assert ("buy.owned", {"card": chamber, "owned": owned}) == refusal(state, f"buy {chamber}")
        assert chamber in buys(having(total, others={1: {"chamber": owned}}))


@pytest.mark.rule("M-188")
def test_neither_chamber_nor_meeting_place_needs_the_other():
    meeting = COMPONENTS.meeting_place.black[0]

    for chamber, total in BLACK:
        assert chamber in buys(having(total))
        assert chamber in buys(having(total, mine={"meeting": True, "tile": MEETING}))
        assert MEETING in buys(having(meeting, mine={"chamber": chamber}))
    assert MEETING in buys(having(meeting))


@pytest.mark.rule("M-189")
@pytest.mark.parametrize("chamber", CHAMBERS)
@pytest.mark.parametrize("total", TOTALS)
def test_a_chamber_is_bought_with_its_numbers_for_its_hours(chamber, total):
    card, state = COMPONENTS.chamber[chamber], having(total)

    if total not in card.black:
        assert chamber not in buys(state)
        expected = {"flag": chamber, "numbers": card.black, "total": total}
        assert ("flag.number", expected) == refusal(state, f"buy {chamber}")
        return
    done, events = play(state, f"buy {chamber}")
    assert ("my.bought", {"seat": 0, "card": chamber, "hours": card.hours}) in told(events)
    assert (chamber, card.hours) == (done.villages[0].chamber, hours(done))
    assert chamber not in done.chambers


@pytest.mark.rule("M-189")
@pytest.mark.parametrize("chamber", CHAMBERS)
def test_a_chamber_without_effect_counts_its_own_points(chamber):
    card = COMPONENTS.chamber[chamber]

    assert card.points == parts(ended(mine={"chamber": chamber, "villagers": ("abbot",), "mark": ""}))["council"]


@pytest.mark.rule("M-190")
def test_the_monetary_chamber_brings_coins_once():
    gift = COMPONENTS.chamber[MONETARY].gift

    state = chamber_bought(MONETARY, coins=1)

    assert 1 + gift == state.villages[0].coins
    later = after(having(7, mine={"chamber": MONETARY, "coins": 1}), "done")
    assert 1 == later.villages[0].coins


@pytest.mark.rule("M-190")
@pytest.mark.parametrize("chamber", [GUILD, AREA, POPULATION])
def test_the_other_chambers_bring_no_coins(chamber):
    assert 0 == chamber_bought(chamber).villages[0].coins


@pytest.mark.rule("M-191")
def test_the_guild_chamber_brings_one_joker():
    assert chamber_bought(GUILD).villages[0].joker
    for chamber in (MONETARY, AREA, POPULATION):
        assert not chamber_bought(chamber).villages[0].joker


@pytest.mark.rule("M-191", "M-192")
@pytest.mark.parametrize("name", COMPONENTS.customer)
def test_the_joker_stands_for_any_one_good_that_a_customer_asks_for(name):
    card = COMPONENTS.customer[name]
    mine = {**JOKER, "customers": (name,), "crafts": tuple(building(good, 8) for good in GOODS)}

    for good in dict.fromkeys(card.goods):
        rest = [one for one in card.goods if one != good] + [good] * (card.goods.count(good) - 1)
        goods = {one: rest.count(one) for one in rest}
        state = having(card.white[0], mine={**mine, "goods": goods})
        assert [f"joker {name} {good}"] == services(state)
        assert "price.short" == refusal(state, f"serve {name}")[0]
        done, events = play(state, f"joker {name} {good}")
        expected = {"seat": 0, "customer": name, "points": card.points, "hours": card.work, "joker": good}
        assert ("my.served", expected) == told(events)[0]
        village = done.villages[0]
        assert ((name,), (0,) * len(GOODS), False) == (village.served, village.goods, village.joker)
        assert card.work == hours(done)


@pytest.mark.rule("M-191")
def test_the_joker_may_stand_for_a_good_that_is_there_and_its_owner_chooses_which():
    name = customer(9, "scroll", "beer")
    state = having(9, mine={**JOKER, "customers": (name,), "goods": {"scroll": 1, "beer": 1}})

    assert [f"serve {name}", f"joker {name} scroll", f"joker {name} beer"] == whites(state)
    for good, left in (("scroll", (1, 0)), ("beer", (0, 1))):
        village = after(state, f"joker {name} {good}").villages[0]
        assert left == (village.count("scroll"), village.count("beer"))
    served = after(state, f"serve {name}").villages[0]
    assert (True, 0, 0) == (served.joker, served.count("scroll"), served.count("beer"))


@pytest.mark.rule("M-191")
def test_the_joker_is_used_once_in_the_game():
    names = (customer(8, "scroll"), customer(8, "beer"))
    state = after(having(8, mine={**JOKER, "customers": names}), f"joker {names[0]} scroll")

    assert [] == services(state)
    later = having(8, mine={"chamber": GUILD, "customers": names})
    assert [] == services(later)
    assert ("joker.none", {}) == refusal(later, f"joker {names[1]} beer")


@pytest.mark.rule("M-191")
def test_the_joker_replaces_one_good_and_only_of_those_asked_for():
    double, single = customer(7, "beer", "beer"), customer(8, "beer")

    assert ("price.short", {"what": "beer", "need": 1, "have": 0}) == refusal(
        having(7, mine={**JOKER, "customers": (double,)}), f"joker {double} beer"
    )
    state = having(8, mine={**JOKER, "customers": (single,), "goods": {"scroll": 1}})
    assert ("joker.good", {"customer": single, "good": "scroll"}) == refusal(state, f"joker {single} scroll")


@pytest.mark.rule("M-191")
@pytest.mark.parametrize(
    ("total", "mine", "key"),
    [
        (8, {}, "serve.none"),
        (9, {"customers": ("market-3",)}, "flag.number"),
        (8, {"customers": ("market-3",), "villagers": ("abbot", "councilman")}, "villager.missing"),
    ],
)
def test_the_joker_spares_a_good_and_nothing_else(total, mine, key):
    state = having(total, mine={**JOKER, **mine})

    assert key == refusal(state, "joker market-3 beer")[0]
    assert [] == services(state)


@pytest.mark.rule("M-192")
def test_the_joker_alone_serves_who_asks_for_a_good_of_a_building_that_is_not_owned():
    name = customer(5, "wagon")
    state = having(5, mine={**JOKER, "customers": (name,)})

    assert () == state.villages[0].crafts
    done = after(state, f"joker {name} wagon")

    assert (name,) == done.villages[0].served
    assert work(name) == hours(done)


@pytest.mark.rule("M-193")
def test_the_joker_is_no_plow_for_the_fields():
    mine = {**JOKER, "fields": 1, "crafts": ("plow-1",)}
    block = COMPONENTS.field

    joker, plow = (after(having(7, mine=one), "farm") for one in (mine, {**mine, "goods": {"plow": 1}}))

    assert (block.coins, True) == (joker.villages[0].coins, joker.villages[0].joker)
    assert block.coins + block.plow == plow.villages[0].coins


@pytest.mark.rule("M-194")
def test_the_area_chamber_marks_one_of_the_six_areas_for_good():
    state = chamber_bought(AREA)

    assert (0, "my.mark") == asked(state)
    assert [f"mark {area}" for area in AREAS] == texts(state)
    assert 6 == len(AREAS)
    for profession in PROFESSIONS:
        expected = {"what": profession, "choices": AREAS}
        assert ("mark.other", expected) == refusal(state, f"mark {profession}")
    for area in AREAS:
        done, events = play(state, f"mark {area}")
        assert ("my.marked", {"seat": 0, "what": area}) in told(events)
        assert (area, (1, "my.total")) == (done.villages[0].mark, asked(done))


@pytest.mark.rule("M-194", "M-197")
@pytest.mark.parametrize(("chamber", "mark"), [(AREA, "travel"), (POPULATION, "abbot")])
def test_what_is_marked_stays_marked(chamber, mark):
    state = dying({"chamber": chamber, "mark": mark, "right": True})
    state = rolled(after(state, "bury abbot"))

    assert mark == state.villages[0].mark
    for total in TOTALS:
        again = having(total, mine={"chamber": chamber, "mark": mark})
        assert not set(buys(again)) & set(CHAMBERS)
        assert not any(text.startswith("mark") for text in texts(again))


@pytest.mark.rule("M-195")
@pytest.mark.parametrize("letters", range(6))
def test_a_marked_area_gives_points_for_each_own_card(letters):
    journeys = ("journey-a1", "journey-b2", "journey-c1", "journey-d1", "journey-e1")[:letters]

    assert letters * COMPONENTS.chamber[AREA].gift == bonus("travel", {"journeys": journeys})


@pytest.mark.rule("M-195")
def test_example_the_marked_travel_with_three_cards():
    journeys = ("journey-a1", "journey-b1", "journey-c1")

    state = ended(mine={"chamber": AREA, "mark": "travel", "journeys": journeys})

    chamber = COMPONENTS.chamber[AREA]
    assert {"council": chamber.points + 3 * chamber.gift, "travel": 9} == {
        name: parts(state)[name] for name in ("council", "travel")
    }
    assert 9 == sum(COMPONENTS.journey[card].points for card in journeys)


@pytest.mark.rule("M-196")
@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("held", AREAS)
def test_a_marked_area_counts_its_own_cards_alone(area, held):
    values, cards = FULL[held]
    gift = COMPONENTS.chamber[AREA].gift

    expected = (cards if area == held else 0) + (area == "council" and held != "council")
    assert gift * expected == bonus(area, values)


@pytest.mark.rule("M-196")
@pytest.mark.parametrize(
    ("area", "values", "cards"),
    [
        ("religion", {"church": "monastery-church"}, 1),
        ("religion", {"church": "trade-church", "monks": {"cellarer": 3}}, 4),
        ("council", {}, 1),
        ("market", {"customers": ("market-1",)}, 0),
        ("market", {"served": ("market-1",)}, 1),
        ("crafts", {"goods": {"beer": 3}}, 0),
        ("harvest", {"coins": 7}, 0),
    ],
)
def test_what_is_a_card_of_an_area(area, values, cards):
    assert cards * COMPONENTS.chamber[AREA].gift == bonus(area, values)


@pytest.mark.rule("M-197")
@pytest.mark.parametrize("villagers", [PROFESSIONS, ("councilman",), ("councilman", "merchant")])
def test_the_population_chamber_marks_one_of_the_five_professions_filled_or_not(villagers):
    state = chamber_bought(POPULATION, villagers=villagers)

    assert [f"mark {profession}" for profession in PROFESSIONS] == texts(state)
    for area in AREAS:
        expected = {"what": area, "choices": PROFESSIONS}
        assert ("mark.other", expected) == refusal(state, f"mark {area}")
    for profession in PROFESSIONS:
        assert profession == after(state, f"mark {profession}").villages[0].mark


@pytest.mark.rule("M-198")
@pytest.mark.parametrize("mark", PROFESSIONS)
@pytest.mark.parametrize("alive", PROFESSIONS)
def test_a_marked_profession_counts_if_it_holds_a_villager_at_the_end(mark, alive):
    card = COMPONENTS.chamber[POPULATION]

    state = ended(mine={"chamber": POPULATION, "mark": mark, "villagers": (alive,)})

    assert card.points + (card.gift if mark == alive else 0) == parts(state)["council"]


@pytest.mark.rule("M-198")
@pytest.mark.parametrize("successor", ["pupil", "labourer", "nobody"])
def test_a_successor_of_the_one_marked_counts_too(successor):
    card = COMPONENTS.chamber[POPULATION]
    villagers = ("merchant",) if successor == "labourer" else ("abbot", "merchant")
    mine = {
        "chamber": POPULATION,
        "mark": "merchant",
        "villagers": villagers,
        "right": True,
        "customers": ("market-3",),
    }
    state = dying(mine)
    state = rolled(state if successor == "labourer" else after(state, "bury merchant"))

    if successor == "labourer":
        assert card.points == parts(state)["council"]
        state = after(state, "hire merchant")
    if successor == "pupil":
        village = state.villages[0]
        values = {"villagers": village.villagers, "right": village.right, "chamber": POPULATION, "mark": village.mark}
        state = after(having(3, mine=values), "promote right merchant")
    expected = 0 if successor == "nobody" else card.gift
    assert card.points + expected == parts(state)["council"]


@pytest.mark.rule("M-198")
def test_no_other_chamber_counts_a_villager():
    for chamber in (MONETARY, GUILD):
        state = ended(mine={"chamber": chamber, "mark": ""})
        assert COMPONENTS.chamber[chamber].points == parts(state)["council"]
    assert "my.marked" not in keys(play(having(6), f"buy {GUILD}")[1])
