"""The table `plans.toml`: how plans become entries."""

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.core.log import Position, make_entry
from engine.core.play import Line, Plan, Told, completeness, drop_lapsed, play
from engine.core.types import CHANCE, Seat
from tests.contract.titles import Setting, dice

TABLE = tomllib.loads(Path(__file__).with_name("plans.toml").read_text())
LINE = re.compile(r"(?P<key>[a-z.-]+)(@(?P<occasion>\d+))?(\?(?P<when>\w+)(<=(?P<until>\d+))?)?: (?P<choices>.+)")


def parse_line(text: str) -> Line:
    """Return the line that the table writes *text*."""
    found = LINE.fullmatch(text)
    assert found, text
    choices = tuple(tuple(one.split(" : ")) for one in found["choices"].split(" or "))
    return Line(found["key"], choices, int(found["occasion"] or 0), found["when"] or "", int(found["until"] or 0))


def plans(written: dict[str, list[str]]) -> dict[Seat, Plan]:
    """Return the plans of a case."""
    return {Seat(int(seat)): tuple(parse_line(line) for line in lines) for seat, lines in written.items()}


def show(told: Told) -> str:
    """Return *told* as the table writes it: a failure by its reason, the rest by its text."""
    values = dict(told.fields)
    return f"{told.seat} {told.key} {values.get('reason', values['text'])}"


def before(setup: dict[str, Any]) -> tuple[Setting, Position[Any]]:
    """Return the position that a case begins with."""
    setting = Setting(setup["title"], setup["seats"])
    position = setting.start()
    for entry in setup["before"]:
        seat, text = entry.split(" ", 1)
        position = make_entry(setting.ruleset, position, Seat(int(seat)), text).position
    return setting, position


@pytest.mark.parametrize("case", TABLE["case"], ids=lambda case: case["name"])
def test_plans(case: dict[str, Any]) -> None:
    setting, position = before(TABLE["setup"][case["setup"]])

    played = play(
        setting.ruleset,
        position,
        plans(case.get("plans", {})),
        dice(1),
        held=[Seat(one) for one in case.get("held", ())],
        due=[Seat(one) for one in case.get("due", ())],
    )

    entered = [(one.record.entry, one.cause) for one in played.made if one.record.entry.seat != CHANCE]
    assert case["entries"] == [f"{entry.seat} {entry.text} {cause}" for entry, cause in entered]
    assert case.get("told", []) == [show(one) for one in played.told]
    assert plans(case.get("left", {})) == {seat: plan for seat, plan in played.plans.items() if plan}
    assert case["owed"] == [f"{one.decision.seat} {one.decision.key}" for one in played.position.owed(setting.ruleset)]


@pytest.mark.parametrize(
    ("lines", "found"),
    [([], "none"), (["bids.stake: stake 2"], "part"), (["bids.stake: stake 2 : bid 3"], "complete")],
)
def test_a_plan_is_none_part_or_complete(lines: list[str], found: str) -> None:
    setting, position = before(TABLE["setup"]["gold"])

    plan = plans({"0": lines})[Seat(0)]

    assert found == completeness(setting.ruleset, position, Seat(0), plan)


def test_with_the_game_every_plan_lapses() -> None:
    setting, position = before(TABLE["setup"]["gold"])
    plan = plans({"0": ["bids.stake: stake 2 : bid 3"]})[Seat(0)]

    kept, told = drop_lapsed(setting.ruleset, msgspec.structs.replace(position, closed=True), Seat(0), plan)

    assert (kept, [show(one) for one in told]) == ((), ["0 plan.lapsed stake 2 : bid 3"])
