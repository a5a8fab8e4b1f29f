"""The component table: what it refuses, and that every block states where its values come from."""

import re
from pathlib import Path

import pytest

from engine.core.errors import ConfigError, IllegalMoveError, TableError
from engine.core.ruleset import Config
from engine.core.tables import load_tables, provenance
from engine.village import RULESET
from engine.village.components import read_components
from engine.village.moves import Skip
from tests.engine.village.positions import COMPONENTS, TABLES, position

HERE = Path(RULESET.__class__.__module__.replace(".", "/")).parent


def changed(old: str, new: str) -> str:
    assert old in TABLES.text
    return TABLES.text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ('id = "smithy"', 'id = "office"', "buildings"),
        ('id = "castle"', 'id = "quarry"', "cities"),
        ('id = "village-abbey"', 'id = "village-ford"', "roads"),
        ('{ id = "grain-4"', '{ id = "grain-3"', "customers"),
        ('"blue"', '"red"', "players"),
        ("drawn = 4", "drawn = 5", "church.drawn"),
        ("steps = 10", 'steps = "ten"', "life.steps"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(old, new, detail):
    with pytest.raises(TableError) as caught:
        read_components(load_tables(changed(old, new).encode()))

    assert "table.value" == caught.value.key
    assert detail in str(dict(caught.value.fields)["detail"])


def test_every_block_states_its_source():
    stated = {one.block.split(".")[0] for one in provenance(TABLES)}

    assert set(COMPONENTS.__struct_fields__) == stated
    assert {"printed", "reported", "ours"} == {one.status for one in provenance(TABLES)}


def test_a_starting_player_beyond_the_seats_is_refused():
    with pytest.raises(ConfigError) as caught:
        RULESET.setup(Config(2, (("first", "2"),)), TABLES)

    assert ("config.choice", ("0", "1")) == (caught.value.key, dict(caught.value.fields)["choices"])


def test_a_seat_that_owes_nothing_has_no_moves_and_is_refused():
    state = position(2)

    assert [] == list(RULESET.legal(state, 1))
    with pytest.raises(IllegalMoveError) as caught:
        RULESET.apply(state, 1, Skip())
    assert ("turn.not-owed", (("seat", 1),)) == (caught.value.key, caught.value.fields)


def test_an_answer_to_another_question_is_refused():
    with pytest.raises(IllegalMoveError) as caught:
        RULESET.apply(position(2), 0, Skip())

    assert ("turn.not-asked", {"verb": "skip", "decision": "village.turn"}) == (
        caught.value.key,
        dict(caught.value.fields),
    )


def test_every_ruling_named_in_the_code_stands_in_the_readme():
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    code = " ".join(path.read_text(encoding="utf-8") for path in HERE.rglob("*.py"))
    code = re.sub(r"\s+", " ", code)

    named = set()
    for found in re.findall(r'[Oo]ur rulings? ((?:"[A-Z][^"]+"(?: and )?)+)', code):
        named |= set(re.findall(r'"([^"]+)"', found))

    assert len(named) >= 15
    assert named <= set(re.findall(r"\*\*([^*]+)\.\*\*", readme))
