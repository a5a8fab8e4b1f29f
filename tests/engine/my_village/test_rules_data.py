"""Rules M-241 to M-244 and M-279 to M-281: limits, hidden things, and the table."""

import random
import re
import tomllib
from collections import Counter
from typing import get_args

import pytest
from msgspec.structs import replace

from engine.core.errors import TableError
from engine.core.log import Position, replay
from engine.core.tables import Status, load_tables, provenance
from engine.core.types import CHANCE
from engine.my_village import RULESET
from engine.my_village.components import CHAMBERS, CHURCHES, CRAFTS, GOODS, LETTERS, MONKS, read_components
from tests.engine.my_village.games import game
from tests.engine.my_village.moments import moments, question
from tests.engine.my_village.positions import (
    COMPONENTS,
    TABLES,
    after,
    owed,
    play,
    refusal,
    start,
    texts,
)
from tests.engine.my_village.ruling import asked, buys, dying, having

SEATS = (2, 3, 4)
NUMBERS = range(2)
RAW = tomllib.loads(TABLES.text)
SOLD = [*MONKS, "field", "meeting-place", *CHURCHES, *CHAMBERS, *CRAFTS]


AREAS = {"church": CHURCHES, "chamber": CHAMBERS, "crafts": CRAFTS}
"""Fields of a village, and the cards that may lie there."""


def need(card):
    """What a village must have for *card*."""
    return {"church": "monastery-church"} if card in MONKS else {}


def flags(value, path=""):
    """The numbers of every flag of the table, with where they stand."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from flags(one, f"{path}.{name}")
    elif isinstance(value, list):
        if path.endswith((".black", ".white")) and not path.startswith(".dice"):
            yield path, tuple(value)
        for one in value:
            yield from flags(one, path)


@pytest.mark.rule("M-241")
@pytest.mark.parametrize("many", [0, 1000])
def test_coins_goods_stories_and_labourers_do_not_run_out(many):
    rest = {"goods": dict.fromkeys(GOODS, many), "coins": many, "tree": many, "store": many, "labourers": many}
    mine = {**rest, "crafts": ("plow-1",), "board": 1, "fields": 1}
    state = having(8, mine=mine, others={1: rest}, heap=many)

    made = after(state, "play", "make plow").villages[0]
    assert (many + 1, many + COMPONENTS.play.stories) == (made.count("plow"), made.tree)
    farmed = after(having(7, mine=mine, others={1: rest}), "farm").villages[0]
    assert many + COMPONENTS.field.coins + (COMPONENTS.field.plow if many else 0) == farmed.coins
    poor = dying({**rest, "villagers": ("abbot",)}, others={1: rest})
    assert many + 1 == after(poor, "roll 1", "hire abbot").villages[0].labourers
    assert 2 * many == after(having(2, heap=many, mine=rest), "hand").villages[0].tree


def left(card, number, total, **mine):
    """A position with dice of *total* in which *number* cards like *card* are left; the others have the rest."""
    if card in MONKS:
        theirs = {1: {"monks": {card: COMPONENTS.monk[card].count - number}}}
    elif card == "field":
        theirs = {1: {"fields": COMPONENTS.field.count - number}}
    elif card == "meeting-place":
        return replace(having(total, mine=mine), meetings=number)
    else:
        area = next(area for area, cards in AREAS.items() if card in cards)
        theirs = {1: {area: (card,) if area == "crafts" else card}} if not number else {}
    return having(total, mine={**mine, **need(card)}, others=theirs)


@pytest.mark.rule("M-241", "M-242")
@pytest.mark.parametrize("card", SOLD)
def test_cards_run_out_and_then_cannot_be_bought(card):
    for total in COMPONENTS.priced[card][0]:
        last = left(card, 1, total)
        assert card in buys(last)
        bought = replace(after(last, f"buy {card}"), stack=last.stack, turn=last.turn)
        for gone in (left(card, 0, total), bought):
            assert card not in buys(gone)
            assert ("buy.gone", {"card": card}) == refusal(gone, f"buy {card}")


@pytest.mark.rule("M-242")
@pytest.mark.parametrize("card", SOLD)
def test_an_empty_pile_takes_nothing_but_its_purchase_away(card):
    for total in COMPONENTS.priced[card][0]:
        full, empty = left(card, 1, total), left(card, 0, total)

        assert [move for move in texts(full) if move != f"buy {card}"] == texts(empty)


@pytest.mark.rule("M-241", "M-013")
def test_there_are_as_many_tiles_as_meeting_places_and_no_more():
    others = {seat: {"meeting": True, "tile": "play"} for seat in (1, 2, 3)}
    total = COMPONENTS.meeting_place.black[0]
    assert COMPONENTS.meeting_place.count == 4

    state = after(having(total, seats=4, others=others), "buy meeting-place", "tile play")

    assert 4 == sum(bool(village.tile) for village in state.villages)
    assert 0 == state.meetings


@pytest.mark.rule("M-243")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("number", NUMBERS)
def test_everybody_sees_the_same_but_for_the_card_that_a_travel_church_sees(seats, number):
    for state, record in moments(seats, number):
        if record.entry.seq % 23 and not state.seen:
            continue
        views = {seat: RULESET.view(state, seat) for seat in [None, *range(seats)]}
        for seat, view in views.items():
            assert views[None] == replace(view, seat=None, totals=(), examples=(), seen=None)
            assert not view.seen or (state.turn, "travel-church") == (seat, state.villages[seat].church)


@pytest.mark.rule("M-243")
@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_piles_is_known_to_nobody(seed):
    luck = random.Random(seed)
    state = having(8, mine={"church": "trade-church"})
    mixed = replace(state, pile=tuple(luck.sample(state.pile, len(state.pile))))

    for seat in (None, 0, 1):
        assert RULESET.view(state, seat) == RULESET.view(mixed, seat)
        assert not {customer.id for customer in RULESET.view(state, seat).display} & {*state.pile}
    for one in (state, mixed):
        due = after(one, "steward")
        assert (CHANCE, (1,) * len(one.pile)) == (owed(due).seat, owed(due).odds)
        assert {f"draw {name}" for name in one.pile} == {*texts(due)}


@pytest.mark.rule("M-243")
@pytest.mark.parametrize("letter", LETTERS)
def test_the_light_side_of_a_travel_card_is_seen_by_all_when_it_is_bought_and_not_before(letter):
    journey = tuple(f"journey-{one}1" for one in LETTERS[: LETTERS.index(letter)])
    state = having(COMPONENTS.pile[letter].black[0], mine={"journeys": journey, "coins": 5})

    paid, events = play(state, f"travel {letter}")

    assert [("my.travel", None)] == [(event.key, event.seats) for event in events]
    assert {f"draw {card}" for card in state.deck(letter)} == {*texts(paid)}
    assert 1 == len(set(owed(paid).odds))
    for card in state.deck(letter):
        arrived, events = play(paid, f"draw {card}")
        shown = next(event for event in events if event.key == "my.arrived")
        assert (None, COMPONENTS.journey[card].points) == (shown.seats, dict(shown.fields)["points"])
        for seat in (None, 0, 1):
            assert card == RULESET.view(arrived, seat).villages[0].journeys[-1].id


@pytest.mark.rule("M-243")
def test_what_a_travel_church_sees_is_told_to_its_owner_alone():
    state = having(COMPONENTS.pile["a"].black[0], seats=3, mine={"church": "travel-church"})

    seeing, events = play(state, "travel a", "draw journey-a4")

    assert [("my.travel", None), ("my.looked", None), ("my.seen", (0,))] == [(one.key, one.seats) for one in events]
    assert "journey-a4" == RULESET.view(seeing, 0).seen.id
    for seat in (None, 1, 2):
        assert RULESET.view(seeing, seat).seen is None
        other = replace(seeing, seen="journey-a1")
        assert RULESET.view(seeing, seat) == RULESET.view(other, seat)


@pytest.mark.rule("M-244")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("number", NUMBERS)
def test_every_random_event_is_a_draw_in_the_log(seats, number):
    records = game(seats, number)
    last = records[-1].position.state
    draws = Counter(question(record) for record in records if record.entry.seat == CHANCE)
    looks = draws.pop("my.look", 0)
    kept = sum(record.entry.text == "keep" for record in records)

    dice = COMPONENTS.dice.white[seats - 2] + COMPONENTS.dice.black[seats - 2]
    expected = {
        "my.first": 1,
        "my.board": seats,
        "my.customer": len(COMPONENTS.customer) - len(last.pile),
        "my.die": dice * last.round,
        "my.rat": last.graves,
        "my.travel": sum(len(village.journeys) for village in last.villages) - kept,
    }
    assert {key: count for key, count in expected.items() if count} == draws
    assert looks == sum(record.entry.text in {"keep", "other"} for record in records)
    assert len(records) == records[-1].position.seq
    assert sum(expected.values()) + looks == records[-1].position.draws


@pytest.mark.rule("M-244")
@pytest.mark.parametrize("seats", SEATS)
def test_the_log_alone_gives_the_same_game_again(seats):
    begun = start(seats)
    first = Position(begun, numbers=tuple((one.seat, 0) for one in RULESET.pending(begun)))
    records = game(seats, 1)

    again = replay(RULESET, first, [record.entry for record in records])

    assert [record.position.state for record in records] == [record.position.state for record in again]
    assert all(record.decision.decision.odds for record in again if record.entry.seat == CHANCE)


# --- the table ---


@pytest.mark.rule("M-279")
def test_the_table_has_104_cards():
    counted = {
        "craft": sum(len(kind["cards"]) for kind in RAW["crafts"]),
        "customer": len(RAW["customers"]["cards"]),
        "travel": sum(len(pile["cards"]) for pile in RAW["journeys"]),
        "church": len(RAW["churches"]),
        "monk": sum(kind["count"] for kind in RAW["monks"]),
        "chamber": len(RAW["chambers"]),
        "field": RAW["field"]["count"],
        "meeting place": RAW["meeting-place"]["count"],
    }

    one = {"craft": 20, "customer": 33, "travel": 19, "church": 4, "monk": 12, "chamber": 4, "field": 8}
    assert one | {"meeting place": 4} == counted
    assert 104 == sum(counted.values())


@pytest.mark.rule("M-279")
def test_no_id_stands_twice():
    ids = re.findall(r'\bid = "([^"]+)"', TABLES.text)

    assert len(ids) == 20 + 33 + 19 + 4 + 4 + 4
    assert len(ids) == len(set(ids))


@pytest.mark.rule("M-279")
def test_flags_have_numbers_from_2_to_12_and_no_card_has_2_or_12():
    found = list(flags(RAW))
    cards_found = {numbers for path, numbers in found if path.split(".")[1] != "hand"}

    assert len(found) >= 20 * 2 + 33 + 5 + 12 + 2 * 2 + 3
    assert all(2 <= number <= 12 for _, numbers in found for number in numbers)
    assert all(3 <= number <= 11 for numbers in cards_found for number in numbers)
    assert (2, 12) == COMPONENTS.hand.black == COMPONENTS.tile.numbers
    assert all(3 <= number <= 11 for numbers in COMPONENTS.boards.play for number in numbers)


@pytest.mark.rule("M-279")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("black = [5, 6], hours = 1, white = [3, 8]", "black = [1, 6], hours = 1, white = [3, 8]"),
        ("white = [6], work = 1, points = 5", "white = [13], work = 1, points = 5"),
        ('id = "scroll-2"', 'id = "scroll-1"'),
        ('id = "market-7"', 'id = "market-8"'),
        ('id = "journey-c2"', 'id = "journey-c1"'),
        ('id = "teacher"', 'id = "almoner"'),
        ('    { id = "journey-e3", points = 10 },\n', ""),
    ],
)  # fmt: skip
def test_a_table_with_other_cards_or_numbers_is_refused(old, new):
    assert 1 == TABLES.text.count(old)

    with pytest.raises(TableError) as caught:
        read_components(load_tables(TABLES.text.replace(old, new).encode()))

    assert "table.value" == caught.value.key


@pytest.mark.rule("M-280")
@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize("seats", SEATS)
def test_in_the_first_turn_every_total_works_a_flag(seats, total):
    white, black = COMPONENTS.dice.white[seats - 2], COMPONENTS.dice.black[seats - 2]
    state = after(start(seats), "first 0")
    while asked(state)[1] != "my.die":
        state = after(state, texts(state)[-1])
    state = after(state, *(f"roll {face}" for face in [1, 1, 2, 5, 6, 6, 3, 4][:white]), *["roll 1"] * black)

    state = after(state, f"total {total}")
    while asked(state)[1] != "my.flags":
        state = after(state, texts(state)[0])

    uses = {text for text in texts(state) if text not in ("done", "play") and not text.startswith("house")}
    named = {2: {"hand"}, 12: {"hand"}, 3: {"enrol", "buy field"}, 11: {"enrol", "buy field"}}
    if total in named:
        assert named[total] <= uses
    else:
        assert any(use.startswith(("buy", "travel", "steward")) for use in uses)


@pytest.mark.rule("M-281")
def test_every_value_stands_in_a_block_with_a_status_and_a_source():
    blocks = [one for value in RAW.values() for one in (value if isinstance(value, list) else [value])]

    assert {*COMPONENTS.__struct_fields__} == {name.replace("black-die", "black_die").replace("-", "_") for name in RAW}
    for block in blocks:
        assert isinstance(block, dict)
        assert block["status"] in get_args(Status)
        assert block["source"].strip()
    assert len(blocks) == len(provenance(TABLES))
    assert {"printed", "reported", "ours"} == {one.status for one in provenance(TABLES)}


@pytest.mark.rule("M-281")
@pytest.mark.parametrize("name", [name for name, value in RAW.items() if isinstance(value, dict)])
@pytest.mark.parametrize("word", ["status", "source"])
def test_a_block_without_status_or_source_is_refused(name, word):
    head, _, tail = TABLES.text.partition(f"\n[{name}]\n")
    without = re.sub(rf'^{word} = "[^"]*"$', "", tail, count=1, flags=re.MULTILINE)
    assert tail != without

    with pytest.raises(TableError):
        read_components(load_tables(f"{head}\n[{name}]\n{without}".encode()))


@pytest.mark.rule("M-281")
def test_a_status_that_is_not_one_of_the_three_is_refused():
    with pytest.raises(TableError):
        read_components(load_tables(TABLES.text.replace('status = "ours"', 'status = "guessed"', 1).encode()))
