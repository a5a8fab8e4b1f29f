"""Tiny Towns by mail: rounds that wait once, what is said ahead, tables for rounds to come, and what stays hidden."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from engine.core.types import Seat
from engine.tiny_towns.layouts import SQUARES
from tests.pbem.table import Table, text_of

SetTable = Callable[..., Table]
PLAIN = {"cards": "first-game", "villagers": "no", "monuments": "no"}


def begun(set_table: SetTable, *people: str, **options: str) -> Table:
    """A game of the plain cards, with Ana to name first; everybody has read the first mail."""
    for number in range(20):
        table = set_table(*(people or ("Ana en", "Bob en")), title="tiny_towns", options=PLAIN | options, number=number)
        table.tick()
        if table.live().position.state.builder == 0:
            break
    for name in table.people:
        table.mails(name)
    return table


def owed(table: Table) -> list[str]:
    """Who owes what."""
    return [f"{one.decision.seat} {one.decision.key}" for one in table.live().position.owed(table.live().ruleset)]


def told(table: Table, name: str) -> str:
    """All that *name* was mailed since the last look, as text without line breaks."""
    return " ".join(" ".join(text_of(mail) for mail in table.mails(name)).split())


def says(table: Table, *letters: tuple[str, Sequence[str]]) -> None:
    """Let letters arrive, and pass once."""
    for name, lines in letters:
        table.post(table.reply(name, "\n".join(lines)))
    table.tick()


def test_a_plain_round_waits_once_where_the_next_builder_names_ahead(set_table: SetTable) -> None:
    table = begun(set_table)

    says(table, ("Ana", ["name wood", "place a1"]))
    assert ["0 towns.place", "1 towns.place"] == owed(table)
    told(table, "Ana"), told(table, "Bob")
    says(table, ("Bob", ["place b2", "next: name stone"]))

    assert 2 == table.live().position.state.round
    assert "stone" == table.live().position.state.resource
    assert ["0 towns.place", "1 towns.place"] == owed(table)
    for name in ("Ana", "Bob"):
        mails = table.mails(name)
        assert "report" in [mail.header("X-PBEM-Kind") for mail in mails]
        assert 1 == len(mails)


def test_what_was_named_ahead_can_be_changed_until_the_round_opens(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Ana", ["name wood"]))

    says(table, ("Bob", ["place b2", "next: name stone"]))
    says(table, ("Bob", ["next: name glass"]))
    says(table, ("Ana", ["place a1"]))

    assert "glass" == table.live().position.state.resource


def test_nobody_learns_a_placement_before_all_have_answered(set_table: SetTable) -> None:
    table = begun(set_table)

    says(table, ("Ana", ["name wood: place c3"]))

    assert not any(table.live().position.state.town(0).cubes)
    assert "Ana placed" not in told(table, "Bob")
    assert ["0 name wood"] == [line for line in table.moves() if not line.startswith("-1")]


def test_one_letter_places_and_builds(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Ana", ["name wood", "place a1"]), ("Bob", ["place c1", "next: name stone"]))

    says(table, ("Ana", ["place b1", "build well a1", "next: name glass"]), ("Bob", ["place d1, build a well on d1"]))

    towns = [table.live().position.state.town(seat) for seat in (0, 1)]
    assert ("well", "", "", "") == towns[0].buildings[:4]
    assert ("", "", "", "well") == towns[1].buildings[:4]
    assert not any(towns[0].cubes + towns[1].cubes)
    assert "glass" == table.live().position.state.resource


def test_a_line_for_a_resource_fires_when_it_is_named_and_is_told(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Bob", ["when wood: place b2 or a4", "when brick: place c1"]))
    kept = told(table, "Bob")

    says(table, ("Ana", ["name wood", "place a1"]))

    assert "when wood" in kept
    assert "until 3" in kept
    assert "wood" == table.live().position.state.town(1).cubes[5]
    assert "Your line for wood was played: place b2" in told(table, "Bob")
    assert ["brick"] == [line.when for line in table.live().holders[1].plan]


def test_conditions_may_share_a_line_with_each_other_and_with_an_order(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Ana", ["name wood"]))

    says(table, ("Bob", ["place b3; if brick: c4, If glass until 9: c3 or c2. when stone: d1"]))

    plan = table.live().holders[1].plan
    assert ["", "brick", "glass", "stone"] == [line.when for line in plan]
    assert [0, 4, 9, 4] == [line.until for line in plan]
    assert "place b3" == plan[0].text


def test_a_line_that_cannot_be_played_is_disarmed_with_the_reason(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Bob", ["when wood: place b2", "when wood: place b2: build tavern b2"]))
    says(table, ("Ana", ["name wood", "place a1"]))
    table.mails("Bob")

    says(table, ("Bob", ["next: name wood"]))
    says(table, ("Bob", ["name wood"]))

    said = told(table, "Bob")
    assert ["0 towns.place", "1 towns.place"] == owed(table)
    assert 'Your line "when wood: place b2: build tavern b2: done" could not be played' in said
    assert () == table.live().holders[1].plan


def test_a_line_for_a_resource_comes_to_its_end_and_that_is_told(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Bob", ["when glass until round 2: place b2"]))
    for number in range(3):
        state = table.live().position.state
        assert number + 1 == state.round
        name = ("Ana", "Bob")[int(owed(table)[0].split()[0])]
        says(table, (name, ["name wood"]))
        square = ("a1", "b1", "c1")[number]
        said = told(table, "Bob")
        assert number < 2 or "for something that is over now" in said + told(table, "Bob")
        says(table, ("Ana", [f"place {square}"]), ("Bob", [f"place {square}"]))

    assert () == table.live().holders[1].plan


@pytest.mark.parametrize(
    ("line", "planned"),
    [
        ("2", ["build well"]),
        ("build well c4", ["build well"]),
        ("place d4: build well c4", ["place d4", "build well"]),
        ("place d4: build well d4", []),
        ("place d4", ["place d4"]),
    ],
)
def test_the_only_square_may_be_said_or_not(set_table: SetTable, line: str, planned: list[str]) -> None:
    table = begun(set_table)
    names = ("Ana", "Bob")
    for number in range(15):
        builder = names[int(owed(table)[0].split()[0])]
        says(table, (builder, ["name stone" if number == 13 else "name wood"]))
        says(table, *((name, [f"place {SQUARES[number]}: done"]) for name in names))
    says(table, (names[int(owed(table)[0].split()[0])], ["name wood"]))
    mail = table.last("Ana")
    told(table, "Ana")

    table.post(table.reply("Ana", line, to=mail))
    table.tick()

    assert "1  done 2  build well" in text_of(mail).replace("\n", " ")
    assert "no number" not in told(table, "Ana")
    texts = [text for one in table.live().holders[0].plan for text in one.choices[0] if text != "done"]
    assert planned == [text.rsplit(" ", 1)[0] if text.startswith("build") else text for text in texts]


def test_what_was_played_for_a_late_player_is_hidden_where_it_is_secret(set_table: SetTable) -> None:
    table = set_table("Ana en", "Bob en", title="tiny_towns", options={"villagers": "no"}, clock="24h")
    table.tick()
    told(table, "Ana"), told(table, "Bob")
    says(table, ("Ana", ["1"]))

    table.tick(after=timedelta(hours=25))

    said = {name: told(table, name) for name in ("Ana", "Bob")}
    assert "Bob did not answer in time" in said["Ana"]
    assert "keep" not in said["Ana"].split("Bob did not answer in time")[1].split(".")[0]
    assert "keep" in said["Bob"].split("did not answer in time")[1].split(".")[0]


@pytest.mark.parametrize("late", ["no", "yes"])
def test_villagers_are_waited_for_only_with_the_option(set_table: SetTable, late: str) -> None:
    options = {"villagers": "yes", "ask-late": late}
    table = begun_with_villagers(set_table, options)

    says(table, ("Ana", ["place a1: done"]), ("Bob", ["place b2: done"]))

    asked = [one.split()[1] for one in owed(table)]
    assert ("towns.villagers" in asked) == (late == "yes")
    if late == "no":
        assert table.live().position.state.town(0).villagers != (0, 3, 12)
        assert "villager" in told(table, "Ana")


def begun_with_villagers(set_table: SetTable, options: dict[str, str]) -> Table:
    table = set_table("Ana en", "Bob en", title="tiny_towns", options=PLAIN | options)
    table.tick()
    says(table, ("Ana", ["corners a1 d1 a4"]), ("Bob", ["corners a1 d1 a4"]))
    name = ("Ana", "Bob")[table.live().position.state.builder]
    says(table, (name, ["name wood"]))
    for one in table.people:
        table.mails(one)
    assert [Seat(0), Seat(1)] == [one.decision.seat for one in table.live().position.owed(table.live().ruleset)]
    return table


def test_a_number_under_an_old_mail_means_no_other_list(set_table: SetTable) -> None:
    table = begun(set_table)
    naming = table.last("Ana")
    says(table, ("Ana", ["name wood"]))
    told(table, "Ana")

    table.post(table.reply("Ana", "2", to=naming))
    table.tick()

    assert () == table.live().holders[0].plan
    assert "2" in told(table, "Ana")
    assert ["0 name wood"] == table.moves()


def test_a_table_may_be_sent_under_any_mail(set_table: SetTable) -> None:
    table = begun(set_table)
    naming = table.last("Ana")
    says(table, ("Ana", ["name wood", "place a1"]))

    table.post(table.reply("Ana", "when glass: c1", to=naming))
    table.tick()

    assert ["wood", "glass"] == [line.when or "wood" for line in table.live().holders[0].plan]


def test_a_new_line_of_a_table_leaves_those_for_other_resources(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Bob", ["when wood: a1", "when stone: b1"]))

    says(table, ("Bob", ["when glass: c1", "when stone: d1"]))

    tables = [(line.when, line.text.split(" : ")[0]) for line in table.live().holders[1].plan]
    assert [("wood", "place a1"), ("glass", "place c1"), ("stone", "place d1")] == tables


def test_who_is_refused_a_change_of_mind_keeps_the_plan_and_plans_nothing_for_later(set_table: SetTable) -> None:
    table = begun(set_table)
    says(table, ("Ana", ["name wood", "place a1"]), ("Bob", ["place a1", "next: name stone"]))
    says(table, ("Ana", ["place b1"]))
    before = table.live().holders[0].plan
    told(table, "Ana")

    says(table, ("Ana", ["place a1"]))

    assert before == table.live().holders[0].plan
    assert "a1" in told(table, "Ana")
