"""Component tables, options, the list of titles, ranks."""

import pytest

from engine import registry
from engine.core.bots import greedy_bot
from engine.core.errors import ConfigError, EngineError, TableError
from engine.core.ruleset import Config, Option, make_config
from engine.core.tables import load_tables, provenance, read_tables
from engine.core.types import Seat, rank_by
from tests.contract.bids.ruleset import Components
from tests.contract.titles import Setting

OPTIONS = {"purse": Option("normal", ("normal", "small"))}


def test_tables_have_a_digest_of_their_bytes() -> None:
    one, other = load_tables(b"a = 1\n"), load_tables(b"a = 1 \n")

    assert one.digest.startswith("sha256:")
    assert one.digest != other.digest


@pytest.mark.parametrize("raw", [b"\xff", b"a = "])
def test_what_is_no_toml_is_no_table(raw: bytes) -> None:
    with pytest.raises(TableError, match=r"table\.text"):
        load_tables(raw)


def test_a_wrong_value_is_named() -> None:
    with pytest.raises(TableError, match=r"table\.value.*\$\.deck\.coins"):
        read_tables(load_tables(b'[deck]\ncards = [1]\ncoins = "many"\nrounds = 1\n'), Components)


def test_the_same_tables_are_read_once() -> None:
    text = b"[deck]\ncards = [1]\ncoins = 3\nrounds = 1\n"
    one, again, other = (load_tables(raw) for raw in (text, bytes(bytearray(text)), text + b"\n"))

    assert read_tables(one, Components) is read_tables(again, Components)
    assert read_tables(one, Components) is not read_tables(other, Components)


def test_sources_are_told_block_by_block() -> None:
    text = b"""
[a]
status = "ours"
source = "us"
[[b.tiles]]
id = "x"
status = "printed"
source = "rulebook"
[[b.tiles]]
status = "reported"
source = "somebody"
"""

    assert [(one.block, one.status) for one in provenance(load_tables(text))] == [
        ("a", "ours"),
        ("b.tiles.x", "printed"),
        ("b.tiles.1", "reported"),
    ]


def test_a_set_up_takes_defaults_where_nothing_is_said() -> None:
    assert make_config(2, {}, allowed=range(2, 5), options=OPTIONS) == Config(2, (("purse", "normal"),))
    assert make_config(3, {"purse": "small"}, allowed=range(2, 5), options=OPTIONS).option("purse") == "small"


@pytest.mark.parametrize(
    ("seats", "given", "key"),
    [(1, {}, "config.seats"), (2, {"x": "y"}, "config.option"), (2, {"purse": "huge"}, "config.choice")],
)
def test_a_set_up_that_cannot_be_is_refused(seats: int, given: dict[str, str], key: str) -> None:
    with pytest.raises(ConfigError, match=key):
        make_config(seats, given, allowed=range(2, 5), options=OPTIONS)


def test_an_unknown_title_is_refused_with_those_that_are_known() -> None:
    for ask in (registry.load, registry.packaged_tables, registry.load_bot):
        with pytest.raises(ConfigError) as caught:
            ask("chess")
        assert "village" in dict(caught.value.fields)["known"]  # type: ignore[operator]


def test_a_title_without_a_bot_of_its_own_gets_the_general_one() -> None:
    assert registry.load_bot("bids") is greedy_bot


def test_the_general_bot_takes_the_lead_it_can_see() -> None:
    setting = Setting("bids", 2)
    state = setting.start().state
    rich = type(state)(3, (1, 1), ((2, 3), (1, 5)), (6, 6), (0, 0), (2, 1), (-1, 4), prize="gold")

    assert setting.ruleset.grammar.format_move(greedy_bot(setting.ruleset, rich, Seat(0))) in {
        "bid 5",
        "bid 6",
        "bid 0",
    }


def test_an_error_shows_key_and_fields() -> None:
    assert str(EngineError("price.short", need=2, have=1)) == "price.short need=2 have=1"


def test_equal_seats_share_a_rank() -> None:
    assert rank_by(((5, 1), (5, 1), (7, 0), (5, 2))) == (3, 3, 1, 2)
