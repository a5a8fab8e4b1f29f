"""Rules M-052 to M-059 and M-073 to M-076: flags in general, the idle hour, and the "?" flag."""

from itertools import combinations, groupby, permutations

import pytest
from msgspec.structs import replace

from engine.core.types import CHANCE
from engine.my_village.components import CHURCHES, CUSTOMERS, GOODS, MONKS, PROFESSIONS
from engine.my_village.moves import DICE
from engine.my_village.state import Turn
from tests.engine.my_village.moments import moments, question
from tests.engine.my_village.positions import COMPONENTS, POOL, after, drawn, owed, play, position, refusal, texts, told
from tests.engine.my_village.ruling import BLACK_HOURS, LAP, TOTALS, asked, having, hours

IDLE = COMPONENTS.idle.hours
STEP = COMPONENTS.house.hours
PLAY = COMPONENTS.boards.play[0]
NEW = {"board": 1, "coins": 1}
"""A village that can buy everything but monks."""

OPEN = CUSTOMERS[27:]
RICH = {
    "board": 1,
    "coins": 1,
    "crafts": ("scroll-1", "beer-2", "plow-3", "horse-4", "wagon-1"),
    "goods": dict.fromkeys(GOODS, 3),
    "fields": 1,
    "customers": CUSTOMERS[:27],
    "meeting": True,
    "tile": "meeting-place",
    "church": "trade-church",
    "chamber": "monetary-chamber",
    "journeys": ("journey-a1", "journey-b2"),
}
"""A village with a white flag of every kind, and goods for every customer."""


def priced(barred=()):
    """Every black flag but "?", with its name, its numbers and its hours; for cards that are not *barred*."""
    cards = {f"buy {card}": (card, *price) for card, price in COMPONENTS.priced.items() if card not in barred}
    return cards | {
        "steward": ("steward", COMPONENTS.steward.black, 0),
        "hand": ("hand", COMPONENTS.hand.black, COMPONENTS.hand.hours),
    }


def of_new():
    """What a new village may use: move -> the flag's name, numbers and hours."""
    journey = COMPONENTS.pile["a"]
    return {
        "play": ("play", PLAY, COMPONENTS.play.hours),
        "enrol": ("school", COMPONENTS.school.white, 0),
        "travel a": ("travel", journey.black, journey.hours),
        **priced(MONKS),
    }


def of_rich():
    """What a rich village may use: move -> the flag's name, numbers and hours."""
    tables, journey = COMPONENTS, COMPONENTS.pile["c"]
    owned = (*CHURCHES, *tables.chamber, *tables.craft, "meeting-place")
    return {
        "play": ("play", PLAY, tables.play.hours),
        "enrol": ("school", tables.school.white, 0),
        **{f"make {card.good}": (card.good, card.white, card.work) for card in map(tables.craft.get, RICH["crafts"])},
        "farm": ("field", tables.field.white, tables.field.work),
        **{
            f"serve {name}": (name, tables.customer[name].white, tables.customer[name].work)
            for name in RICH["customers"]
        },
        "meeting": ("meeting-place", (*tables.meeting_place.white, *tables.tile.numbers), tables.meeting_place.work),
        "travel c": ("travel", journey.black, journey.hours + tables.journey["journey-b2"].hours),
        **priced(owned),
    }  # fmt: skip


USES = {
    f"my.{key}"
    for key in (
        "enrolled", "advanced", "promoted", "house-coin", "house-stories", "house-home", "steward", "hand", "bought",
        "travel", "made", "farmed", "served", "meeting",
    )
}  # fmt: skip
"""What is told of every flag but play."""

VILLAGES = {"new": (NEW, of_new()), "rich": (RICH, of_rich())}


def flags(which, total, **values):
    """The position in which the seat with this village has dice of *total*."""
    return having(total, mine=VILLAGES[which][0], display=OPEN, **values)


def used(state):
    """The moves that use a flag now, the "?" flag left out."""
    return {text for text in texts(state) if text != "done" and not text.startswith("house")}


def turns(seats, number):
    """Each turn of a game: its seat, its hours before and after, and what happened in it."""
    running = ((state, record) for state, record in moments(seats, number) if state.stack and now(state))
    for _, group in groupby(running, key=lambda moment: (moment[0].round, len(moment[0].turns))):
        entries = list(group)
        state, last = entries[0][0], entries[-1][1].position.state
        events = [event for _, record in entries for event in record.events]
        yield state.turn, now(state).before, hours(last, state.turn), events


def now(state):
    """The turn that runs."""
    return next((phase for phase in state.stack if isinstance(phase, Turn)), None)


def only(*professions):
    """Villagers of no other profession."""
    return {"villagers": professions}


@pytest.mark.rule("M-052")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("which", VILLAGES)
def test_every_flag_answers_to_its_own_numbers_alone(which, total):
    state = flags(which, total)

    assert {move for move, (_, numbers, _) in VILLAGES[which][1].items() if total in numbers} == used(state)
    for move, (flag, numbers, _) in VILLAGES[which][1].items():
        wrong = ("flag.number", {"flag": flag, "numbers": numbers, "total": total})
        assert (wrong if total not in numbers else ("", {})) == refusal(state, move)


@pytest.mark.rule("M-052")
@pytest.mark.parametrize("card", ["beer-1", "scroll-1", "wagon-3"])
def test_a_flag_with_two_numbers_answers_to_each_of_them_and_to_nothing_between(card):
    low, high = COMPONENTS.craft[card].white
    mine = {"crafts": (card,)}
    good = COMPONENTS.craft[card].good

    assert [total in (low, high) for total in range(low, high + 1)] == [
        f"make {good}" in texts(having(total, mine=mine)) for total in range(low, high + 1)
    ]


@pytest.mark.rule("M-053")
@pytest.mark.parametrize(("which", "move"), [(which, move) for which, (_, moves) in VILLAGES.items() for move in moves])
def test_every_flag_costs_the_hours_shown_on_it(which, move):
    _, numbers, cost = VILLAGES[which][1][move]
    for total in numbers:
        mine = {**VILLAGES[which][0], "hours": 1}
        state = after(having(total, mine=mine, before=0, display=OPEN), move)

        assert 1 + cost == hours(state)
        assert 0 == hours(state, 1)


@pytest.mark.rule("M-053", "M-066", "M-068")
@pytest.mark.parametrize("order", [*permutations(("make scroll", "make plow", "serve market-3", "play"))], ids=" ".join)
def test_the_hours_of_all_flags_of_a_turn_add_up_in_any_order(order):
    mine = {"board": 1, "crafts": ("scroll-1", "plow-1"), "customers": ("market-3",), "goods": {"beer": 1}, "hours": 2}
    state = having(8, mine=mine)

    state = after(state, *order)

    work = [COMPONENTS.craft["scroll-1"].work, COMPONENTS.craft["plow-1"].work, COMPONENTS.customer["market-3"].work]
    assert 2 + sum(work) == hours(state)
    assert (1, 1, 0) == tuple(state.villages[0].count(good) for good in ("scroll", "plow", "beer"))
    assert (COMPONENTS.play.stories, ("market-3",)) == (state.villages[0].tree, state.villages[0].served)


@pytest.mark.rule("M-054")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("which", VILLAGES)
def test_no_flag_has_to_be_used(which, total):
    before = flags(which, total)
    assert "done" == texts(before)[0]

    state = after(before, "done")

    assert (1, "my.total") == asked(state)
    assert replace(before.villages[0], hours=IDLE) == state.villages[0]


@pytest.mark.rule("M-054", "M-060")
@pytest.mark.parametrize("total", TOTALS)
def test_one_black_flag_or_any_white_ones(total):
    black = [move for move in texts(flags("rich", total)) if move.split()[0] in {"buy", "steward", "hand", "travel"}]
    white = [move for move in used(flags("rich", total)) if move not in (*black, "meeting")]
    state = flags("rich", total)

    for move in white:
        state = after(state, move)
        if asked(state) != (0, "my.flags"):
            break
        assert {text for text in texts(state) if text not in ("done", "meeting")} <= set(white)
    for move in black:
        over = after(flags("rich", total), move)
        assert asked(over) != (0, "my.flags")


@pytest.mark.rule("M-055")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("which", VILLAGES)
def test_the_same_flags_can_be_used_however_near_the_bridge_is(which, total):
    expected = texts(flags(which, total))

    for spent in range(1, 2 * LAP + 2):
        mine = {**VILLAGES[which][0], "hours": spent}
        assert expected == texts(having(total, mine=mine, display=OPEN))


@pytest.mark.rule("M-055")
@pytest.mark.parametrize(
    ("profession", "total", "mine", "move"),
    [
        ("merchant", 8, {"customers": ("market-3",), "goods": {"beer": 1}}, "serve market-3"),
        ("craftsman", 8, {"crafts": ("beer-1",)}, "make beer"),
        ("craftsman", 7, {}, "buy wagon-1"),
        ("traveller", 4, {"journeys": ("journey-a4", "journey-b4", "journey-c4")}, ""),
        ("abbot", 5, {}, "buy sanatorium"),
        ("councilman", 7, {}, "buy meeting-place"),
    ],
)
def test_the_last_villager_may_work_himself_across_the_bridge(profession, total, mine, move):
    if not move:
        total, move = COMPONENTS.pile["d"].black[0], "travel d"
    state = after(having(total, mine={**mine, **only(profession), "hours": LAP - 1}), move)

    while asked(state)[1] not in {"my.rat", "my.total"}:
        state = after(state, texts(state)[0])
    assert (CHANCE, "my.rat") == asked(state)
    assert (0, "my.labourer") == asked(after(state, "roll 1"))


@pytest.mark.rule("M-056")
@pytest.mark.parametrize("name", CUSTOMERS)
def test_a_customer_is_refused_with_the_good_that_is_short(name):
    customer = COMPONENTS.customer[name]
    asks = {good: customer.goods.count(good) for good in customer.goods}
    rich = dict.fromkeys(GOODS, 9)

    for total in customer.white:
        for good, need in asks.items():
            short = having(total, mine={"customers": (name,), "goods": {**rich, good: need - 1}})
            expected = {"what": good, "need": need, "have": need - 1}
            assert ("price.short", expected) == refusal(short, f"serve {name}")
            assert f"serve {name}" not in texts(short)
        exact = having(total, mine={"customers": (name,), "goods": asks})
        assert (0,) * 5 == after(exact, f"serve {name}").villages[0].goods


@pytest.mark.rule("M-056")
def test_a_journey_is_refused_with_the_coins_that_are_short():
    letter, card = next(
        (chr(ord(card.letter) + 1), card) for card in COMPONENTS.journey.values() if card.coins and card.letter == "a"
    )
    total = COMPONENTS.pile[letter].black[0]
    short = having(total, mine={"journeys": (card.id,), "coins": card.coins - 1})
    expected = {"what": "coin", "need": card.coins, "have": card.coins - 1}

    assert ("price.short", expected) == refusal(short, f"travel {letter}")
    assert f"travel {letter}" not in texts(short)
    paid = after(having(total, mine={"journeys": (card.id,), "coins": card.coins}), f"travel {letter}")
    assert 0 == paid.villages[0].coins


@pytest.mark.rule("M-056")
@pytest.mark.parametrize(("coins", "most"), [(0, 2), (1, 4)])
def test_customers_are_bought_as_far_as_the_coins_go(coins, most):
    state = after(having(COMPONENTS.steward.black[0], mine={"coins": coins}), "steward")

    while asked(state)[1] == "my.customers":
        state = after(state, texts(state)[-1])

    assert (most, 0) == (len(state.villages[0].customers), state.villages[0].coins)


@pytest.mark.rule("M-057")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_a_move_gives_goes_to_its_player_alone(seats):
    for state, record in (moment for seed in range(2) for moment in moments(seats, seed)):
        now = record.position.state
        owner = state.turn
        for seat in range(seats):
            if question(record) not in {"my.first", "my.board", "my.rat"} and seat != owner:
                assert state.villages[seat] == now.villages[seat]


@pytest.mark.rule("M-057")
@pytest.mark.parametrize("which", VILLAGES)
def test_no_flag_touches_another_village(which):
    others = {1: {"tree": 9, "coins": 3, **RICH, "customers": (), "church": "", "chamber": "", "journeys": ()}}
    others[1]["crafts"] = ()
    for total in TOTALS:
        state = flags(which, total, others=others)
        for move in texts(state):
            now = drawn(after(state, move))
            assert state.villages[1] == now.villages[1]


@pytest.mark.rule("M-058")
@pytest.mark.parametrize(
    ("what", "state", "moves", "cost"),
    [
        ("nothing", having(7), ["done"], IDLE),
        ("play alone", having(8, mine={"board": 1}), ["play"], COMPONENTS.play.hours + IDLE),
        ("one black die", position(dice="3 4", before=0, mine={"hours": BLACK_HOURS}), ["done"], BLACK_HOURS),
        ("black die, play", having(8, before=0, mine={"board": 1, "hours": BLACK_HOURS}), ["play"], BLACK_HOURS),
        ("enrolling", having(11), ["enrol", "done"], 0),
        ("moving a pupil", having(11, mine={"left": True}), ["advance"], 0),
        ("a free customer", having(8, mine={"church": "trade-church"}), ["steward", "draw", "take", "done"], 0),
        ("the headman", having(7), ["house coin"], STEP),
    ],
)
def test_a_turn_that_costs_nothing_and_uses_nothing_but_play_costs_an_hour(what, state, moves, cost):
    for move in moves:
        full = next((text for text in texts(state) if text.split()[0] == move), move)
        state = after(state, full)
        if asked(state) == (1, "my.total"):
            break

    assert (1, "my.total") == asked(drawn(state))
    assert cost == hours(state), what


@pytest.mark.rule("M-058")
def test_the_idle_hour_is_told_and_may_pass_the_bridge():
    state, events = play(having(7, mine={"hours": LAP - 1}), "done")

    assert [("my.done", {"seat": 0}), ("my.idle", {"seat": 0, "hours": IDLE}), ("my.bridge", {"seat": 0})] == told(
        events
    )
    assert (0, "my.death") == asked(state)


@pytest.mark.rule("M-053", "M-058")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", range(2))
def test_every_turn_costs_what_was_told_and_an_hour_if_nothing_but_play_was_used(seats, number):
    for seat, before, after_it, events in turns(seats, number):
        costs = [dict(event.fields).get("hours", 0) for event in events if event.key not in {"my.arrived", "my.seen"}]
        keys = {event.key for event in events}
        dice = next(dict(event.fields)["hours"] for event in events if event.key == "my.dice")

        assert sum(costs) == after_it - before, seat
        assert ("my.idle" in keys) == (not dice and not keys & USES)


@pytest.mark.rule("M-059")
def test_play_with_enrolling_costs_nothing_and_alone_an_hour():
    both = having(3, mine={"board": 1})
    assert {"play", "enrol"} <= {*texts(both)}

    for order in (["play", "enrol"], ["enrol", "play"]):
        state = after(both, *order)
        assert (0, (1, "my.total")) == (hours(state), asked(state))
    alone = after(both, "play", "done")
    assert (IDLE, (1, "my.total")) == (hours(alone), asked(alone))


@pytest.mark.rule("M-059")
@pytest.mark.parametrize("total", PLAY)
def test_play_that_ends_the_turn_by_itself_costs_an_hour(total):
    state = after(having(total, mine={"board": 1, "left": True, "right": True}), "play")

    assert (COMPONENTS.play.hours + IDLE, (1, "my.total")) == (hours(state), asked(state))


# --- the "?" flag ---


@pytest.mark.rule("M-073")
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_the_main_house_of_each_board_takes_any_two_dice(seat):
    state = after(position(4, seat), "house")

    pairs = {tuple(sorted(pair, key=DICE.index)) for pair in combinations(POOL.split(), 2)}
    assert {f"dice {one} {other}" for one, other in pairs} == {*texts(state)}
    for text in texts(state):
        now = after(state, text)
        assert "coin" == now.villages[seat].headman
        assert ((seat + 1) % 4, "my.total") == asked(now) or seat == 3


@pytest.mark.rule("M-073")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("which", VILLAGES)
def test_the_main_house_takes_every_total(which, total):
    state = flags(which, total)
    assert "house coin" in texts(state)

    now = after(state, "house coin")

    assert ("coin", 1 + COMPONENTS.house.coins) == (now.villages[0].headman, now.villages[0].coins)


@pytest.mark.rule("M-074")
@pytest.mark.parametrize("white", ["play", "make beer", "farm"])
def test_the_main_house_is_not_used_with_a_white_flag(white):
    total = {"play": 8, "make beer": 8, "farm": 7}[white]
    mine = {"board": 1, "crafts": ("beer-1",), "fields": 2}
    state = after(having(total, mine=mine), white)

    assert (0, "my.flags") == asked(state)
    assert ("flag.alone", {"flag": "house"}) == refusal(state, "house coin")
    assert "house coin" not in texts(state)


@pytest.mark.rule("M-074")
@pytest.mark.parametrize("begun", [["house", "dice white-2 white-6"], ["total 8", "dice white-2 white-6"]])
def test_nothing_is_used_after_the_main_house(begun):
    mine = {"board": 1, "crafts": ("beer-1",), "headman": "home"}
    state = after(position(mine=mine), *begun)
    if asked(state)[1] == "my.change":
        state = after(state, "change 2 6", "house coin")

    assert (1, "my.total") == asked(state)
    assert "coin" == state.villages[0].headman
    assert STEP == hours(state)


@pytest.mark.rule("M-075")
@pytest.mark.parametrize(("pair", "cost"), [("black-2 black-5", 5), ("white-3 black-5", 3), ("white-1 white-4", 1)])
def test_the_main_house_costs_its_hour_beside_those_of_black_dice(pair, cost):
    assert cost == BLACK_HOURS * pair.count("black") + STEP

    assert cost == hours(after(position(), "house", f"dice {pair}"))


@pytest.mark.rule("M-074")
@pytest.mark.parametrize(("headman", "ways"), [("home", 1), ("coin", 2), ("stories", 1)])
def test_nothing_but_one_step_is_asked_once_the_main_house_was_named(headman, ways):
    mine = {"board": 1, "crafts": ("beer-1",), "headman": headman}
    key, _ = refusal(position(mine=mine), "house coin")
    assert ("house.step" if headman == "coin" else "house.first") == key

    state = after(position(mine=mine), "house", "dice white-2 white-6")

    assert ((0, "my.step") if ways > 1 else (1, "my.total")) == asked(state)
    if ways > 1:
        assert {"house home", "house stories"} == {*texts(state)}
        assert ("turn.not-asked", {"verb": "play", "decision": "my.step"}) == refusal(state, "play")
        for space in ("coin", ""):
            assert refusal(state, f"house {space}".strip())[0] in {"house.step", "house.where"}
        state = after(state, "house stories")
    assert ((1, "my.total"), STEP, 0) == (asked(state), hours(state), state.villages[0].count("beer"))


@pytest.mark.rule("M-076")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_turn_of_a_game_can_use_the_main_house(seats):
    for state, record in (moment for seed in range(2) for moment in moments(seats, seed)):
        if question(record) == "my.total":
            assert "house" == texts(state)[0]
            dice = after(state, "house")
            assert "my.dice" == owed(dice).key
            step = after(dice, texts(dice)[-1])
            if step.stack and asked(step)[1] == "my.step":
                step = after(step, texts(step)[0])
            assert state.me.headman != step.villages[state.turn].headman


@pytest.mark.rule("M-076")
@pytest.mark.parametrize("headman", ["home", "coin", "stories"])
@pytest.mark.parametrize("alone", PROFESSIONS)
@pytest.mark.parametrize("offer", ["black-1 black-1", "white-6 white-6"])
def test_the_main_house_asks_for_no_villager_coin_or_number(headman, alone, offer):
    mine = {"headman": headman, **only(alone), "hours": LAP - 1}
    state = after(position(offer=offer, mine=mine), "house", f"dice {offer}")

    state = after(state, texts(state)[0]) if asked(state)[1] == "my.step" else state

    assert headman != state.villages[0].headman
