"""The view: names in the place of counts, and nothing hidden."""

import msgspec
from msgspec.structs import replace

from engine.village import RULESET
from engine.village.views import PlacesView, SpaceView, SpotView, View
from tests.engine.village.positions import position


def test_a_view_names_what_a_report_needs():
    state = position(
        3,
        turn=1,
        board={"council": ["green", "plague", "green"]},
        bag={"pink": 2},
        family={
            0: {"farmyard": [1, 2], "stage-2": [1], "bag": [1], "chronicle-travel": [1], "grave": [2], "removed": [3]}
        },
        things={0: {"wagon": 2, "grain": 3, "coin": 1}},
        cities={0: ["ford", "castle"]},
        served={0: ["grain-3"]},
        stalls=["ox", ""],
        line=["plow"],
        step={0: 7},
        prestige={0: 5},
        marker=2,
        round=3,
        days=4,
    )

    view = RULESET.view(state, 1)

    assert (view.seat, view.round, view.turn, view.first, view.marker, view.day, view.over) == (1, 3, 1, 0, 2, 4, False)
    assert view.spaces[5] == SpaceView("council", (("green", 2), ("plague", 1)))
    assert view.green_bag == (("pink", 2),)
    assert [tile.id if tile else None for tile in view.stalls] == ["ox", None, None, None]
    assert [tile.id for tile in view.line] == ["plow"]
    assert view.pile == 21
    family = view.families[0]
    assert (family.colour, family.prestige, family.step, family.lap, family.due) == ("red", 5, 7, 10, 0)
    assert family.things == (("wagon", 2), ("grain", 3), ("coin", 1))
    assert family.members == (SpotView("farmyard", (1, 2)), SpotView("stage-2", (1,)))
    assert (family.bag, family.graves, family.removed, family.unborn) == ((1,), (2,), (3,), (2, 3, 4, 4))
    assert family.chronicle == (SpotView("chronicle-travel", (1,)),)
    assert family.cities == ("ford", "castle")
    assert [tile.points for tile in family.customers] == [2]
    assert view.chronicle[2] == PlacesView("travel", 1, 2)
    assert view.graves == PlacesView("graves", 3, 4)
    assert dict(view.supply)["coin"] == 14


def test_the_end_shows_who_triggered_it_and_who_is_still_to_act():
    state = position(3, turn=1, trigger=0, final=True, last=[2])

    view = RULESET.view(state, None)

    assert (view.seat, view.trigger, view.final, view.last) == (None, 0, True, (2,))
    assert RULESET.view(position(phases=()), None).over
    assert RULESET.view(position(), None).trigger is None


def test_all_seats_see_the_same():
    state = position(2)

    mine, theirs = RULESET.view(state, 0), RULESET.view(state, None)

    assert replace(mine, seat=None) == theirs
    assert msgspec.json.decode(msgspec.json.encode(mine), type=View) == mine
