"""Rules T-163 to T-226, the Monuments that do something: Guild, Fort, University, Obelisk, Statue."""

import pytest

from engine.core.errors import GrammarError
from engine.tiny_towns.components import RESOURCES
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    RULESET,
    after,
    drawn,
    naming,
    owed,
    play,
    points,
    position,
    refusal,
    squares_for,
    texts,
    told,
    total,
)
from tests.engine.tiny_towns.sketches import SQUARES, sketch

# --- Architect's Guild ---


def guild(row="CC..", held=None, **values):
    """A Guild just constructed on a4, beside the buildings of the first row."""
    drawing = f"{row}/..g./.hs./.b.."
    state = position(drawing, hand="guild", completed={1: 3}, values={0: {"held": held or {}}}, **values)
    return after(state, "0: place a4", "0: build guild a4")


@pytest.mark.rule("T-163")
def test_the_guild_is_worth_1():
    assert 1 == points(guild(), "monument")
    assert 1 == points(position("MC..", hand="guild"), "monument")


@pytest.mark.rule("T-163")
def test_the_guild_may_replace_two_buildings_one_or_none():
    state = guild()

    none = after(state, "0: skip")
    one = after(state, "0: replace a1 tavern", "0: skip")
    two = after(state, "0: replace a1 tavern", "0: replace b1 farm")
    assert ["CC../..../..../M...", "EC../..../..../M...", "ER../..../..../M..."] == list(map(drawn, (none, one, two)))
    assert [["0 towns.name"]] * 3 == list(map(owed, (none, one, two)))


@pytest.mark.rule("T-163")
def test_the_question_tells_how_many_buildings_may_still_be_replaced():
    state = guild()

    assert (("left", 2),) == RULESET.pending(state)[0].fields
    assert (("left", 1),) == RULESET.pending(after(state, "0: replace a1 tavern"))[0].fields


@pytest.mark.rule("T-163")
def test_a_third_building_cannot_be_replaced_nor_any_in_a_later_round():
    state = guild("CCCC")
    state = after(state, "0: replace a1 tavern", "0: replace b1 farm")

    assert "turn.not-asked" == refusal(state, "0: replace c1 farm")
    state = after(state, "0: name wood", "0: place d4")
    assert ["0 towns.name"] == owed(state)
    assert "ERCC/..../..../M..w" == drawn(state)


@pytest.mark.rule("T-163")
def test_a_guild_among_no_buildings_asks_nothing():
    assert ["0 towns.name"] == owed(guild("...."))


@pytest.mark.rule("T-163")
def test_what_the_guild_has_just_put_in_may_be_replaced_again():
    state = after(guild(), "0: replace a1 tavern", "0: replace a1 farm")

    assert "RC../..../..../M..." == drawn(state)


@pytest.mark.rule("T-164")
def test_the_new_building_is_of_another_type_and_both_may_be_alike():
    state = guild("CE..")

    assert "replace.same" == refusal(state, "0: replace a1 cottage")
    assert "replace.same" == refusal(state, "0: replace b1 tavern")
    possible = [f"replace a1 {card}" for card in state.cards if card != "cottage"]
    possible += [f"replace b1 {card}" for card in state.cards if card != "tavern"]
    assert ["skip", *possible] == texts(state)
    assert "AA../..../..../M..." == drawn(after(state, "0: replace a1 well", "0: replace b1 well"))


@pytest.mark.rule("T-164")
def test_the_guild_replaces_buildings_by_open_cards_only():
    state = guild()

    assert "replace.nothing" == refusal(state, "0: replace c1 tavern")
    assert "card.not-open" == refusal(state, "0: replace a1 inn")
    for monument in ("archive", "guild"):
        with pytest.raises(GrammarError):
            play(state, f"0: replace a1 {monument}")


@pytest.mark.rule("T-165")
def test_no_monument_is_replaced_not_even_the_guild_itself():
    state = guild()

    assert [] == [text for text in texts(state) if text.startswith("replace a4")]
    for card in state.cards:
        assert "replace.monument" == refusal(state, f"0: replace a4 {card}")


@pytest.mark.rule("T-166")
def test_the_marker_of_a_replaced_bank_is_free_again():
    state = guild("KKC.", cards="bank", held={"a1": "wood", "b1": "glass"})

    state = after(state, "0: replace a1 farm", "0: replace c1 bank")

    assert ["0 towns.mark"] == owed(state)
    assert [f"mark {one}" for one in RESOURCES if one != "glass"] == texts(state)
    state = after(state, "0: mark wood")
    assert ((), ("glass",), ("wood",)) == state.town(0).held[:3]


@pytest.mark.rule("T-166")
def test_without_the_replacement_the_marker_is_still_taken():
    state = after(guild("KKC.", cards="bank", held={"a1": "wood", "b1": "glass"}), "0: replace c1 bank")

    assert [f"mark {one}" for one in ("wheat", "brick", "stone")] == texts(state)
    assert "mark.twice" == refusal(state, "0: mark wood")


@pytest.mark.rule("T-166")
def test_the_new_piece_takes_its_marker_before_the_next_is_replaced():
    state = after(guild("CC..", cards="factory"), "0: replace a1 factory")

    assert "turn.not-asked" == refusal(state, "0: replace b1 tavern")
    state = after(state, "0: mark stone", "0: replace b1 factory", "0: mark stone")
    assert (("stone",), ("stone",)) == state.town(0).held[:2]
    assert ["0 towns.name"] == owed(state)


@pytest.mark.rule("T-166")
def test_the_cubes_of_a_replaced_warehouse_and_of_a_replaced_cottage_leave():
    state = guild("KC..", cards="warehouse", held={"a1": "wood wood glass", "b1": "brick"})

    state = after(state, "0: replace a1 tavern", "0: replace b1 warehouse")

    assert ((),) * 16 == state.town(0).held
    assert 2 + 1 - 13 == total(state)


# --- Fort Ironweed ---


@pytest.mark.rule("T-182")
def test_the_fort_is_worth_7():
    assert 7 == points(position("M...", hand="fort"), "monument")


@pytest.mark.rule("T-182")
def test_the_hammer_passes_over_the_owner_of_a_fort_to_the_left():
    state = naming("M...", "....", "....", hand="fort", namer=2)

    assert ["1 towns.name"] == owed(state)
    assert "turn.not-owed" == refusal(state, "0: name wood")


@pytest.mark.rule("T-182")
def test_the_owner_of_a_fort_is_never_master_builder_while_another_is_in_the_game():
    state = naming("....", "M...", "....", hand={1: "fort"}, namer=2)

    named = []
    for square in SQUARES[4:11]:
        (line,) = owed(state)
        named.append(int(line[0]))
        state = after(state, f"{line[0]}: name wood", *(f"{seat}: place {square}" for seat in range(3)))

    assert [0, 2] * 3 + [0] == named
    assert [4, 0, 3] == [player.turns for player in state.players]


@pytest.mark.rule("T-182")
def test_a_fort_constructed_in_this_round_keeps_its_owner_from_naming_in_the_next():
    cubes = "h.b./s.s."
    built = position(cubes, "....", "....", hand="fort", namer=2)
    kept = after(built, "0: place b2", "0: done", "1: place a1", "2: place a1")
    built = after(built, "0: place b2", "0: build fort b2", "1: place a1", "2: place a1")

    assert ["0 towns.name"] == owed(kept)
    assert ["1 towns.name"] == owed(built)


@pytest.mark.rule("T-182")
def test_a_fort_in_the_hand_does_nothing():
    assert ["0 towns.name"] == owed(naming("....", "....", hand="fort", namer=1))


@pytest.mark.rule("T-183")
def test_the_owner_of_a_fort_places_constructs_and_answers_what_others_name():
    state = position("MK../bb..", "....", hand="fort", namer=1, resource="wood", values={0: {"held": {"b1": "wood"}}})

    assert ["0 towns.place", "1 towns.place"] == owed(state)
    assert {"place c2", "swap glass"} <= set(texts(state))
    state = after(state, "0: swap glass", "0: place c2", "0: build tavern a2")
    assert "MK../E..." == drawn(state)


@pytest.mark.rule("T-184")
def test_left_alone_in_the_game_the_owner_of_a_fort_names_in_every_round():
    state = naming("M...", "....", "....", hand="fort", namer=2, completed={1: 3, 2: 4}, turns={0: 1})

    for square in SQUARES[4:8]:
        assert ["0 towns.name"] == owed(state)
        state = after(state, "0: name wood", f"0: place {square}")

    assert 5 == state.players[0].turns
    assert ["1 towns.name"] == owed(naming("M...", "....", "....", hand="fort", namer=2, completed={2: 4}))


# --- Grove University ---


def university(row="CA..", last="...."):
    """A University just constructed on b2, between these two rows."""
    state = position(f"{row}/.b../s.s./{last}", hand="university", resource="glass")
    return after(state, "0: place b3", "0: build university b2")


@pytest.mark.rule("T-188")
def test_the_university_is_worth_3():
    assert 3 == points(position("M...", hand="university"), "monument")


@pytest.mark.rule("T-188")
def test_the_university_must_put_a_piece_of_an_open_card_on_an_empty_square():
    state = university(last="...h")

    assert ["0 towns.university", "1 towns.place"] == owed(state)
    empty = [square for square in SQUARES if square not in ("a1", "b1", "b2", "d4")]
    assert [f"add {card} {square}" for card in state.cards for square in empty] == texts(state)
    for line, key in {
        "skip": "turn.not-asked",
        "done": "turn.not-asked",
        "add inn c1": "card.not-open",
        "add tavern a1": "square.building",
        "add tavern b2": "square.building",
        "add tavern d4": "square.cube",
        "add wood c1": "add.building",
    }.items():
        assert key == refusal(state, f"0: {line}")
    with pytest.raises(GrammarError):
        play(state, "0: add archive c1")


@pytest.mark.rule("T-188")
def test_the_university_brings_one_piece_with_its_marker():
    state = after(university(), "0: add factory c1")
    assert ["0 towns.mark", "1 towns.place"] == owed(state)

    state = after(state, "0: mark glass")

    assert "CAK./.M.." == drawn(state)
    assert ("glass",) == state.town(0).held[2]
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-189")
def test_in_a_full_town_of_trading_posts_the_effect_of_the_university_lapses():
    state = position("C.CC/KKKC/CCCC/CCCC", hand="university", cards="trading-post", resource="brick", completed={1: 3})

    over, events = play(after(state, "0: place b1"), "0: build university b1")

    assert [] == owed(over)
    assert "CMCC/KKKC/CCCC/CCCC" == drawn(over)
    assert ("towns.completed", {"seat": 0}) in told(events)
    assert 3 == points(over, "monument")


@pytest.mark.rule("T-189")
def test_with_one_square_left_the_university_fills_it():
    state = position("C.CC/KKKC/CCCC/CCC.", hand="university", cards="trading-post", resource="brick", completed={1: 3})

    state = after(state, "0: place b1", "0: build university b1")

    assert {"d4"} == {text.split()[-1] for text in texts(state)}
    assert [] == owed(after(state, "0: add tavern d4"))


@pytest.mark.rule("T-190")
def test_the_piece_of_the_university_triggers_no_watch():
    watch = {"stock": ("chapel", "tavern", "theater")}
    hands = {0: "university", 1: "watch"}
    state = position(".b../s.s.", "M...", hand=hands, resource="glass", values={1: watch})

    state, events = play(state, "0: place b2", "0: build university b2", "0: add tavern d4", "1: place d4")

    assert ["1 towns.name"] == owed(state)
    assert [] == [fields for key, fields in told(events) if key == "towns.built" and fields["card"] == "tavern"]
    assert watch["stock"] == state.town(1).stock


# --- Obelisk of the Crescent ---


@pytest.mark.rule("T-194")
def test_the_obelisk_is_worth_nothing():
    assert 0 == points(position("M...", hand="obelisk"), "monument")


@pytest.mark.rule("T-194")
def test_after_the_obelisk_a_tavern_goes_on_every_empty_square():
    state = after(position("bb.M", hand="obelisk", resource="glass"), "0: place c1")

    assert [square for square in SQUARES if square != "d1"] == squares_for(state, "build tavern")
    assert "build.square" == refusal(state, "0: build tavern d1")
    for square in squares_for(state, "build tavern"):
        built = after(state, f"0: build tavern {square}")
        assert {"d1": "M", square: "E"} == standing(built)


def standing(state):
    """The signs of a town, by square."""
    rows = drawn(state).split("/")
    signs = dict(zip(SQUARES, "".join(rows).replace("*", "").ljust(16, "."), strict=True))
    return {square: sign for square, sign in signs.items() if sign != "."}


@pytest.mark.rule("T-194")
@pytest.mark.parametrize("card", [card.id for card in COMPONENTS.buildings])
def test_after_the_obelisk_every_building_goes_on_every_empty_square(card):
    letters = dict(zip("WHBGS", RESOURCES, strict=True))
    layout = COMPONENTS.card(card).layout
    signs = {SQUARES[4 * y + x]: one for y, row in enumerate(layout) for x, one in enumerate(row) if one != "."}
    last, *others = signs
    drawing = sketch({square: signs[square].lower() for square in others} | {"d4": "M", "a4": "A"})
    named = card if card != "cottage" else ""
    state = after(position(drawing, hand="obelisk", cards=named, resource=letters[signs[last]]), f"0: place {last}")

    assert [one for one in SQUARES if one not in ("a4", "d4")] == squares_for(state, f"build {card}")


@pytest.mark.rule("T-195")
def test_the_obelisk_itself_goes_on_a_square_of_its_layout():
    state = after(position("..../bgb.", hand="obelisk", resource="wheat"), "0: place a1")

    assert ["a1", "a2", "b2", "c2"] == squares_for(state, "build obelisk")
    assert "build.square" == refusal(state, "0: build obelisk d4")


@pytest.mark.rule("T-196")
def test_a_square_whose_cube_stays_is_not_empty():
    state = after(position("bb.M/w...", hand="obelisk", resource="glass"), "0: place c1")

    assert "build.square" == refusal(state, "0: build tavern a2")
    assert [square for square in SQUARES if square not in ("d1", "a2")] == squares_for(state, "build tavern")


# --- Statue of the Bondmaker ---


def statue(drawing="MC..", named="wood", namer=1, held=None, **values):
    return position(
        drawing, "....", hand="statue", resource=named, namer=namer, values={0: {"held": held or {}}}, **values
    )


def stores(state):
    return [text for text in texts(state) if text.startswith("store")]


@pytest.mark.rule("T-223")
@pytest.mark.parametrize("named", RESOURCES)
def test_what_another_names_may_go_on_a_cottage_one_cube_on_each(named):
    state = statue("MC../..C.", named=named)
    assert ["store b1", "store c2"] == stores(state)

    stored = after(state, "0: store c2")

    assert "MC../..C." == drawn(stored)
    assert (named,) == stored.town(0).held[SQUARES.index("c2")]
    assert ["1 towns.place"] == owed(stored)


@pytest.mark.rule("T-223")
def test_a_second_cube_on_a_cottage_is_refused():
    state = statue("MC../..C.", held={"b1": "glass"})

    assert ["store c2"] == stores(state)
    assert "store.full" == refusal(state, "0: store b1")


@pytest.mark.rule("T-223")
def test_the_statue_does_not_answer_the_own_naming_and_never_has_to():
    own, other = statue(namer=0), statue()

    assert [] == stores(own)
    assert "answer.own" == refusal(own, "0: store b1")
    assert "MC../..../..../...w" == drawn(after(other, "0: place d4"))


@pytest.mark.rule("T-223")
def test_without_the_statue_in_town_no_cottage_takes_a_cube():
    state = position("C...", "....", hand="statue", namer=1)

    assert [] == stores(state)
    assert "store.no-statue" == refusal(state, "0: store a1")


@pytest.mark.rule("T-224")
def test_a_cube_on_a_cottage_serves_in_no_construction():
    state = statue("bCg./..../..../M..w", named="stone", held={"b1": "brick"})

    state = after(state, "0: place d3")

    assert ["d3", "d4"] == squares_for(state, "build well")
    assert "build.layout" == refusal(state, "0: build tavern a1")


@pytest.mark.rule("T-224")
def test_a_cube_on_a_cottage_is_never_exchanged_and_never_moves():
    state = statue("MCK./bb../C...", named="glass", held={"b1": "wheat", "c1": "stone"}, cards="warehouse")

    assert "exchange.no-warehouse" == refusal(state, "0: exchange b1 wheat")
    for text in texts(state):
        step = after(state, f"0: {text}")
        assert ("wheat",) == step.town(0).held[1], text
        for further in texts(step):
            assert ("wheat",) == after(step, f"0: {further}").town(0).held[1], further


@pytest.mark.rule("T-225")
def test_a_cube_on_a_cottage_costs_nothing_at_the_end():
    state = statue("MCR.", held={"b1": "stone"})

    assert (3, -13, 3 - 13) == (points(state, "blue"), points(state, "empty"), total(state))


@pytest.mark.rule("T-226")
def test_other_buildings_take_no_cube():
    state = statue("MCRA/OEYK", cards="bank", held={"d2": "wood"})

    assert ["store b1"] == stores(state)
    for square in ("a1", "c1", "d1", "a2", "b2", "c2", "d2", "a3"):
        assert "store.nothing" == refusal(state, f"0: store {square}")


@pytest.mark.rule("T-226")
def test_the_cottages_of_others_take_no_cube_of_the_owner_and_none_of_their_own():
    state = position("M...", "C...", "C...", hand="statue", namer=2)

    assert "store.nothing" == refusal(state, "0: store a1")
    assert "store.no-statue" == refusal(state, "1: store a1")
    assert [] == stores(state)
    assert "place d4" in texts(state, 1)
