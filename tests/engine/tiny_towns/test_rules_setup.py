"""Rules T-001 to T-016: the set-up."""

import random
from itertools import product

import pytest

from engine.core.errors import ConfigError, GrammarError
from engine.core.log import rewind_point
from engine.core.types import CHANCE
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import BUILDINGS, MONUMENTS, RESOURCES
from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.games import (
    beginning,
    drawn_by_luck,
    game,
    heard_by_others,
    odds,
    planned,
    seen_by_others,
)
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    FIRST_GAME,
    after,
    draw_all,
    naming,
    owed,
    play,
    position,
    refusal,
    start,
    texts,
    told,
)

PILES = {
    "red": ["farm", "granary", "greenhouse", "orchard"],
    "grey": ["fountain", "millstone", "shed", "well"],
    "orange": ["abbey", "chapel", "cloister", "temple"],
    "green": ["almshouse", "feast-hall", "inn", "tavern"],
    "yellow": ["bakery", "market", "tailor", "theater"],
    "black": ["bank", "factory", "trading-post", "warehouse"],
}
PRINTED = [name for name in MONUMENTS if name != "folly"]
NAMED = {"red": "farm", "grey": "well", "orange": "chapel", "green": "tavern", "yellow": "theater", "black": "factory"}


def dealt(seats, number=1, **options):
    """A game in which chance has drawn, with luck *number*, until the seats are asked."""
    return drawn_by_luck(start(seats, **options), number)


def both_worlds(state, one, other, seat, number):
    """
    Play two games that differ in what *seat* holds, and yield all that others see and hear in each after every move.

    The moves are drawn by luck from those that are legal in both.
    """
    luck = random.Random(number)
    worlds = [play(state, f"{seat}: {text}") for text in (one, other)]
    while True:
        yield [(seen_by_others(world, seat), heard_by_others(events, seat)) for world, events in worlds]
        pending = RULESET.pending(worlds[0][0])
        if not pending:
            return
        mover = luck.choice(pending).seat
        lists = [texts(world, mover) for world, _ in worlds]
        text = luck.choice([text for text in lists[0] if text in lists[1]])
        worlds = [play(world, f"{mover}: {text}") for world, _ in worlds]


@pytest.mark.rule("T-001")
def test_one_to_six_seats_play():
    assert range(1, 7) == RULESET.seats
    for seats in range(1, 7):
        assert seats == len(start(seats).players)


@pytest.mark.rule("T-001")
@pytest.mark.parametrize("seats", [0, 7, -1])
def test_no_other_number_of_seats_does(seats):
    with pytest.raises(ConfigError) as raised:
        start(seats)

    assert "config.seats" == raised.value.key


@pytest.mark.rule("T-002")
@pytest.mark.parametrize("seats", RULESET.seats)
def test_all_start_with_an_empty_town_of_sixteen_squares_in_sight_of_all(seats):
    state = dealt(seats)

    views = [RULESET.view(state, seat) for seat in (None, *state.seats)]
    assert seats == len(views[0].towns)
    assert all(view.towns == views[0].towns for view in views)
    for one in views[0].towns:
        assert SQUARES == tuple(square.square for square in one.squares)
        assert not any(square.cube or square.building or square.held or square.villager for square in one.squares)


@pytest.mark.rule("T-002")
def test_what_stands_in_a_town_is_seen_by_all():
    state = position("CRAM/w...", "KEO./.g*..", hand="obelisk", cards="warehouse", values={1: {"held": {"a1": "wood"}}})

    views = [RULESET.view(state, seat) for seat in (None, 0, 1)]

    assert all(view.towns == views[0].towns for view in views)
    mine, theirs = views[0].towns
    assert ["cottage", "farm", "well", "obelisk"] == [square.building for square in mine.squares[:4]]
    assert ["warehouse", ("wood",), "glass", True] == [
        theirs.squares[0].building, theirs.squares[0].held, theirs.squares[5].cube, theirs.squares[5].villager
    ]  # fmt: skip


@pytest.mark.rule("T-003")
@pytest.mark.parametrize("verb", ["name", "mark", "take", "swap", "add"])
def test_the_five_resources_and_nothing_else(verb):
    states = {
        "name": naming("....", namer=1),
        "mark": after(position("hh../wgb.", cards="bank", resource="glass"), "0: place d4", "0: build bank b2"),
        "take": position("....", town_hall=True, namer=-1, resource="", round=6),
        "swap": position("K...", cards="factory", namer=1, values={0: {"held": {"a1": "wood"}}}),
        "add": after(position("C*..."), "0: place d4", "0: activate forage a1"),
    }

    listed = {text.split()[1] for text in texts(states[verb]) if text.startswith(f"{verb} ")}

    assert listed == {"wood", "wheat", "brick", "glass", "stone"} - ({"wood"} if verb == "swap" else set())


@pytest.mark.rule("T-003")
@pytest.mark.parametrize("verb", ["name", "mark", "take", "swap", "add"])
@pytest.mark.parametrize("word", ["gold", "any", "w", "obelisk"])
def test_another_word_is_no_resource(verb, word):
    with pytest.raises(GrammarError) as raised:
        RULESET.grammar.parse_move(f"{verb} {word}" + " b1" * (verb == "add"))

    assert "grammar.word" == raised.value.key


@pytest.mark.rule("T-003")
def test_a_building_is_no_resource():
    state = after(position("C*..."), "0: place d4", "0: activate forage a1")

    assert "add.resource" == refusal(state, "0: add well b1")


@pytest.mark.rule("T-004")
def test_the_cottage_and_one_of_four_of_each_other_kind_lie_open():
    state = start(3)

    for colour, pile in PILES.items():
        assert {"colour": colour} == dict(RULESET.pending(state)[0].fields)
        assert dict.fromkeys([f"draw {name}" for name in pile], 1) == odds(state)
        assert "draw.not-there" == refusal(state, "-1: draw cottage")
        state = after(state, f"-1: draw {pile[2]}")

    assert ("cottage", "greenhouse", "shed", "cloister", "inn", "tailor", "trading-post") == state.cards
    assert state.cards == tuple(card.id for card in RULESET.view(state, None).cards)


@pytest.mark.rule("T-004")
def test_while_cards_are_drawn_no_seat_acts_and_chance_draws_what_is_asked():
    state = start(2)

    assert ([], []) == (texts(state, 0), texts(state, 1))
    assert "turn.not-owed" == refusal(state, "0: draw farm")
    assert "turn.not-asked" == refusal(state, "-1: hammer 0")
    assert "draw.not-there" == refusal(state, "-1: draw well")


@pytest.mark.rule("T-004")
def test_all_4096_selections_come_up():
    found = set()
    states = [start(2)]
    for pile in PILES.values():
        states = [play(state, f"-1: draw {name}")[0] for state in states for name in pile]
    found = {state.cards for state in states}

    assert 4096 == len(found)
    assert found == {("cottage", *chosen) for chosen in product(*PILES.values())}


NOT_OPEN = sorted(set(BUILDINGS) - set(FIRST_GAME))


@pytest.mark.rule("T-005")
@pytest.mark.parametrize("card", NOT_OPEN)
def test_a_card_that_is_not_open_cannot_be_constructed(card):
    rows = [row.ljust(4, ".").lower() for row in COMPONENTS.card(card).layout]

    state = after(position("/".join([*rows, "....", "ws.."][:4]), hand="cathedral"), "0: place d3")

    assert "card.not-open" == refusal(state, f"0: build {card} a1")
    assert not any(card in text.split() for text in texts(state))


@pytest.mark.rule("T-005")
@pytest.mark.parametrize(
    ("drawing", "values", "lines", "move"),
    [
        (".b../sgs.", {"hand": "university"}, ["build university a2"], "add {} d1"),
        ("..g./.hs./wb../C...", {"hand": "guild"}, ["build guild c1"], "replace a4 {}"),
        ("w.../bghh/s...", {"hand": "watch"}, ["build watch a1"], "stock cottage well {}"),
        ("C*R*..", {"helpers": ["renovate"]}, ["activate renovate a1 b1"], "replace a1 {}"),
    ],
    ids=["university", "guild", "watch", "renovate"],
)
@pytest.mark.parametrize("card", NOT_OPEN)
def test_nothing_else_brings_a_card_that_is_not_open(drawing, values, lines, move, card):
    state = after(position(drawing, **values), "0: place d4", *(f"0: {line}" for line in lines))

    assert "card.not-open" == refusal(state, f"0: {move.format(card)}")
    assert not any(card in text.split() for text in texts(state))


@pytest.mark.rule("T-006")
@pytest.mark.parametrize("card", COMPONENTS.buildings, ids=lambda card: card.id)
def test_an_open_card_is_constructed_again_and_again_by_everyone(card):
    rows = [row.ljust(4, ".").lower() for row in card.layout]
    twice = "/".join((rows + ["...."] * (2 - len(rows))) * 2)
    state = position(twice, twice, cards=card.id, resource="wood")
    for seat in (0, 1):
        free = texts(state, seat)[0]
        state = after(state, f"{seat}: {free}")
    for seat in (0, 1, 0, 1):
        before = state.town(seat).buildings.count(card.id)
        built = next(text for text in texts(state, seat) if text.startswith(f"build {card.id} "))
        state = after(state, f"{seat}: {built}")
        while (line := next((one for one in owed(state) if one.startswith(str(seat))), "")) and "build" not in line:
            state = after(state, f"{seat}: {texts(state, seat)[0]}")
        assert before + 1 == state.town(seat).buildings.count(card.id)

    assert card.id in state.cards


@pytest.mark.rule("T-006")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_seven_cards_lie_open_to_the_end(seed):
    records = game(3, seed)
    rounds = [record.position.state for record in records if record.position.state.round]

    assert 7 == len(rounds[0].cards)
    assert {rounds[0].cards} == {state.cards for state in rounds}


@pytest.mark.rule("T-007")
def test_cards_by_name_are_one_of_each_kind():
    assert FIRST_GAME == start(2, **NAMED).cards


@pytest.mark.rule("T-007")
@pytest.mark.parametrize("colour", PILES)
def test_a_kind_left_out_is_refused(colour):
    chosen = {one: name for one, name in NAMED.items() if one != colour}

    with pytest.raises(ConfigError) as raised:
        start(2, **chosen)

    assert ("config.cards", {"missing": (colour,)}) == (raised.value.key, dict(raised.value.fields))


@pytest.mark.rule("T-007")
@pytest.mark.parametrize("colour", PILES)
@pytest.mark.parametrize("second", [name for pile in PILES.values() for name in pile])
def test_two_of_a_kind_are_refused(colour, second):
    if second in PILES[colour]:
        assert second == start(2, **{**NAMED, colour: second}).cards[1 + list(PILES).index(colour)]
        return

    with pytest.raises(ConfigError) as raised:
        start(2, **{**NAMED, colour: second})

    assert "config.choice" == raised.value.key


@pytest.mark.rule("T-007")
def test_a_card_by_name_and_the_first_game_exclude_each_other():
    with pytest.raises(ConfigError) as raised:
        start(2, cards="first-game", black="bank")

    assert "config.cards" == raised.value.key


@pytest.mark.rule("T-008")
def test_the_first_game_opens_seven_cards_and_can_be_without_monuments():
    state = draw_all(start(2, cards="first-game", monuments="no", villagers="no"))

    assert ("cottage", "farm", "well", "chapel", "tavern", "theater", "factory") == state.cards
    assert ["0 towns.name"] == owed(state)
    assert ["", ""] == [player.monument for player in state.players]


@pytest.mark.rule("T-009")
def test_a_nineteenth_tavern_is_legal():
    state = position("EEEE/EEEE/EEEE/EEE.", "bbg./EEE.", namer=1)

    state = after(state, "1: place d4", "1: build tavern c1")

    assert 19 == sum(state.town(seat).buildings.count("tavern") for seat in state.seats)


@pytest.mark.rule("T-009")
@pytest.mark.parametrize("resource", RESOURCES)
def test_a_ninety_first_cube_is_legal(resource):
    sign = {"wood": "w", "wheat": "h", "brick": "b", "glass": "g", "stone": "s"}[resource]
    full = "/".join([sign * 4] * 4)
    towns = [*[full] * 5, "/".join([sign * 4, sign * 4, sign * 2 + "..", "...."])]
    state = position(*towns, resource=resource, namer=5, completed=dict.fromkeys(range(5), 4))

    assert 90 == sum(state.town(seat).cubes.count(resource) for seat in state.seats)
    state = after(state, "5: place c3")
    assert 91 == sum(state.town(seat).cubes.count(resource) for seat in state.seats)


@pytest.mark.rule("T-010")
@pytest.mark.parametrize("seats", range(2, 7))
def test_two_monuments_each_and_none_twice(seats):
    for number in range(10):
        state = dealt(seats, number)

        assert [2] * seats == [len(player.dealt) for player in state.players]
        given = [name for player in state.players for name in player.dealt]
        assert 2 * seats == len(set(given))
        assert set(given) <= set(PRINTED)


@pytest.mark.rule("T-010")
def test_each_monument_is_dealt_with_the_same_chance_from_fifteen():
    state = start(6, cards="first-game", villagers="no")
    state = after(state, "-1: hammer 3")
    left = list(PRINTED)

    assert 15 == len(left)
    for seat in (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5):
        assert {"seat": seat} == dict(RULESET.pending(state)[0].fields)
        assert dict.fromkeys([f"draw {name}" for name in left], 1) == odds(state)
        gone = left.pop(len(left) // 2)
        state = after(state, f"-1: draw {gone}")
        if "-1 towns.deal" in owed(state):
            assert "draw.not-there" == refusal(state, f"-1: draw {gone}")
    assert 3 == len(left)


@pytest.mark.rule("T-011")
def test_each_keeps_one_of_the_two_and_no_other():
    state = dealt(2, villagers="no")
    mine, theirs = state.players[0].dealt, state.players[1].dealt

    assert [f"keep {name}" for name in mine] == texts(state)
    for name in {*MONUMENTS} - {*mine}:
        assert "keep.not-dealt" == refusal(state, f"0: keep {name}")
    state, events = play(state, f"0: keep {mine[1]}", f"1: keep {theirs[0]}")
    assert [mine[1], theirs[0]] == [player.monument for player in state.players]
    assert [(), ()] == [player.dealt for player in state.players]
    assert [(0,), (1,)] == [event.seats for event in events if event.key == "towns.kept"]


@pytest.mark.rule("T-011", "T-012")
@pytest.mark.parametrize("number", range(12))
def test_nobody_else_learns_what_was_kept_and_what_left_the_game_even_at_the_end(number):
    seats = 2 + number % 3
    state = dealt(seats, number)
    one, other = (f"keep {name}" for name in state.players[0].dealt)
    seen = 0

    for mine, changed in both_worlds(state, one, other, 0, number):
        assert mine == changed
        seen += 1

    assert seen > 40 * seats


@pytest.mark.rule("T-012")
@pytest.mark.parametrize("one", MONUMENTS)
def test_exchanging_a_monument_in_the_hand_changes_no_byte_that_others_see(one):
    drawings = ["bbgh/.wgb/C.R./w...", "CRAO/...."]
    states = [
        position(*drawings, hand={0: name, 1: "statue"}, new_cards=True) for name in (one, "cathedral", "obelisk")
    ]

    assert 1 == len({seen_by_others(state, 0) for state in states})
    later = [after(state, "0: place d4", "1: place d4") for state in states]
    assert 1 == len({seen_by_others(state, 0) for state in later})
    assert one == RULESET.view(later[0], 0).own.id


@pytest.mark.rule("T-012")
@pytest.mark.parametrize("drawing", [".h../sg..", "...."])
def test_whether_the_layout_of_a_hidden_monument_lies_complete_is_not_shown(drawing):
    shown = []
    for hand in ("cathedral", "castle"):
        state, events = play(position(drawing, hand=hand), "0: place d4", "0: done")
        shown.append((seen_by_others(state, 0), heard_by_others(events, 0)))

    assert shown[0] == shown[1]


@pytest.mark.rule("T-012")
def test_a_monument_that_is_constructed_is_known_to_all():
    state = position(".h../sg..", hand="cathedral")
    assert RULESET.view(state, 1).towns[0].monument is None

    state, events = play(state, "0: place d4", "0: build cathedral b1")

    assert "cathedral" == RULESET.view(state, 1).towns[0].monument.id
    assert [None] == [event.seats for event in events if event.key == "towns.built"]


def choosing(seats=3):
    """A game in which all choose Monument and corners: its beginning, its log, and its position."""
    begun = beginning(seats)
    played = planned(begun, {})
    return begun, [one.record for one in played.made], played.position


def choice(state, seat, which=0):
    """The lines with which *seat* chooses."""
    keep = f"keep {state.players[seat].dealt[which]}"
    return [("towns.monument", keep), ("towns.corners", "corners a1 d1 d4")]


@pytest.mark.rule("T-013")
def test_no_choice_of_a_monument_is_entered_before_all_have_chosen():
    _, _, now = choosing()
    state = now.state

    early = planned(now, {0: choice(state, 0), 2: choice(state, 2)})
    half = planned(now, {0: choice(state, 0), 1: choice(state, 1)[:1], 2: choice(state, 2)})
    whole = planned(now, {seat: choice(state, seat) for seat in range(3)})

    assert ["0 towns.monument", "1 towns.monument", "2 towns.monument"] == owed(state)
    assert all(decision.secret for decision in RULESET.pending(state))
    assert (now, ()) == (early.position, early.made)
    assert (now, ()) == (half.position, half.made)
    assert [0, 0, 1, 1, 2, 2] == [one.record.entry.seat for one in whole.made]
    assert 1 == whole.position.state.round


@pytest.mark.rule("T-013")
def test_going_back_into_the_choice_goes_back_to_its_beginning():
    begun, records, now = choosing()
    whole = planned(now, {seat: choice(now.state, seat) for seat in range(3)})
    log = [*records, *(one.record for one in whole.made)]

    points = [rewind_point(RULESET, log, begun, seq) for seq in range(now.seq, now.seq + 6)]

    assert [now.seq] * 6 == points


@pytest.mark.rule("T-014")
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_without_monuments_none_is_dealt(seats):
    state, asked = start(seats, monuments="no", villagers="no"), set()
    while RULESET.pending(state)[0].seat == CHANCE:
        asked.add(RULESET.pending(state)[0].key)
        state = after(state, f"-1: {texts(state, CHANCE)[0]}")

    assert "towns.card" in asked
    assert "towns.deal" not in asked
    assert not any(line.endswith("towns.monument") for line in owed(state))
    assert [("", ())] * seats == [(player.monument, player.dealt) for player in state.players]


@pytest.mark.rule("T-014")
@pytest.mark.parametrize("monument", COMPONENTS.monuments, ids=lambda card: card.id)
def test_without_monuments_none_can_be_constructed(monument):
    rows = [row.ljust(4, ".").lower() for row in monument.layout]
    drawing = "/".join([*rows, *["...."] * (3 - len(rows)), "ws.."])

    state = after(position(drawing, monuments=False), "0: place d4")

    assert "card.not-yours" == refusal(state, f"0: build {monument.id} a1")
    assert not any(text.startswith(f"build {monument.id} ") for text in texts(state))


@pytest.mark.rule("T-015")
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_first_master_builder_is_drawn_from_all_seats(seats):
    state = start(seats, cards="first-game", villagers="no", monuments="no")

    assert {f"hammer {seat}": 1 for seat in range(seats)} == odds(state)
    for seat in range(seats):
        begun, events = play(state, f"-1: hammer {seat}")
        assert [f"{seat} towns.name"] == owed(begun)
        assert ("towns.first", {"seat": seat}) in told(events)
    if seats < 6:
        assert "hammer.seat" == refusal(state, f"-1: hammer {seats}")


@pytest.mark.rule("T-016")
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (4, {"cavern": "yes"}), (3, {"villagers": "no"})])
def test_no_resource_card_is_drawn_with_a_master_builder(seats, options):
    asked = [record.decision.decision.key for record in game(seats, 5, **options) if record.entry.seat == CHANCE]

    assert set(asked) <= {"towns.card", "towns.helper", "towns.first", "towns.deal"}


@pytest.mark.rule("T-016")
@pytest.mark.parametrize(("seats", "options"), [(1, {}), (2, {"town_hall": "yes"})])
def test_fifteen_resource_cards_serve_in_town_hall_and_solo(seats, options):
    state = start(seats, cards="first-game", villagers="no", monuments="no", **options)

    assert dict.fromkeys([f"draw {resource}" for resource in RESOURCES], 3) == odds(state)
    assert 15 == sum(odds(state).values())
