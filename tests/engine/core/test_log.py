"""The log: replay with every check, the game master's entries, names of decisions, the chain."""

from typing import Any

import msgspec
import pytest

from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import demo_seed
from engine.core.errors import IllegalMoveError, LogError
from engine.core.export import Export, Header, format_export, parse_export, verify
from engine.core.log import (
    Position,
    Record,
    first_link,
    last_amended,
    make_amendment,
    make_correction,
    make_entry,
    may_read,
    next_link,
    replay,
    rewind_point,
)
from engine.core.types import CHANCE, GM, Entry, Seat
from tests.contract.titles import Setting, dice

SETTING = Setting("bids", 2)
RULES = SETTING.ruleset
GOLD = ["-1 deal 2", "-1 deal 3", "-1 deal 1", "-1 deal 5", "-1 draw gold"]


def entries(*texts: str) -> list[Entry]:
    parts = [text.split(" ", 1) for text in texts]
    return [Entry(n, Seat(int(seat)), text) for n, (seat, text) in enumerate(parts, start=1)]


def after(*texts: str) -> tuple[Record[Any], ...]:
    return replay(RULES, SETTING.start(), entries(*texts))


def numbers(position: Position[Any]) -> dict[int, int]:
    return {one.decision.seat: one.number for one in position.owed(RULES)}


def whole_game(seed: int = 5) -> tuple[Record[Any], ...]:
    bots = {Seat(n): random_bot(roller(demo_seed(n))) for n in range(2)}
    return play_game(RULES, SETTING.start(), bots, dice(seed))


def export_of(records: tuple[Record[Any], ...], seed: int = 5) -> Export:
    throw = dice(seed)
    header = Header("bids", 1, 2, (("purse", "normal"),), SETTING.tables.digest, throw.commitment)
    link = first_link(header.constant_text())
    for record in records:
        link = next_link(link, throw, record.entry)
    full = msgspec.structs.replace(header, seed=throw.seed.hex(), chain=link.hex())
    return Export(full, tuple(record.entry for record in records))


def test_a_decision_is_named_by_the_entry_that_put_it() -> None:
    assert numbers(after(*GOLD)[-1].position) == {0: 5, 1: 5}
    assert numbers(after(*GOLD, "0 stake 2")[-1].position) == {0: 6, 1: 5}
    assert numbers(after(*GOLD, "0 stake 2", "0 bid 1")[-1].position) == {1: 5}


def test_an_entry_that_the_rules_forbid_stops_the_replay_and_is_named() -> None:
    with pytest.raises(LogError) as caught:
        after(*GOLD, "0 stake 4")

    assert dict(caught.value.fields) == {"seq": 6, "text": "stake 4", "reason": "bids.no-card"}


def test_a_missing_entry_is_noticed() -> None:
    with pytest.raises(LogError, match=r"log\.seq"):
        replay(RULES, SETTING.start(), [Entry(2, CHANCE, "deal 2")])


def test_nobody_answers_what_he_does_not_owe() -> None:
    position = after(*GOLD, "0 stake 2", "0 bid 1")[-1].position

    with pytest.raises(IllegalMoveError, match=r"turn\.not-owed"):
        make_entry(RULES, position, Seat(0), "bid 1")


def test_a_rewind_into_a_half_entered_round_goes_to_its_beginning() -> None:
    records = after(*GOLD, "0 stake 2", "0 bid 1", "1 stake 5", "1 bid 3", "1 keep", "-1 deal 4")

    points = [rewind_point(RULES, records, SETTING.start(), seq) for seq in range(4, 12)]

    assert points == [4, 5, 5, 5, 5, 5, 10, 11]


def test_a_rewind_puts_all_anew_and_keeps_the_count_of_draws() -> None:
    records = after(*GOLD, "0 stake 2", "0 bid 1")

    record = make_correction(RULES, records, SETTING.start(), "rewind 5")

    assert numbers(record.position) == {0: 8, 1: 8}
    assert record.position.draws == 5
    assert records[4].position.state == record.position.state
    assert make_correction(RULES, records, SETTING.start(), "rewind 0").position.state == SETTING.start().state


@pytest.mark.parametrize("text", ["rewind 8", "rewind -1", "rewind x", "rewind ", "rewind ²"])
def test_a_rewind_needs_an_entry_of_the_log(text: str) -> None:
    with pytest.raises(LogError, match=r"gm\.rewind"):
        make_correction(RULES, after(*GOLD), SETTING.start(), text)


def test_the_game_master_may_choose_a_draw_which_is_no_draw_of_the_dice() -> None:
    record = make_correction(RULES, (), SETTING.start(), "draw deal 4")

    assert (record.entry.seat, record.position.draws) == (GM, 0)
    assert record.position.state.hands[0] == (4,)
    assert not may_read(record, None)
    assert may_read(record, Seat(0))


def test_an_amended_state_is_where_replay_goes_on() -> None:
    records = after(*GOLD)
    text = "amend " + msgspec.json.encode(msgspec.structs.replace(records[-1].position.state, prize="silver")).decode()

    record = make_correction(RULES, records, SETTING.start(), text)

    assert record.position.state.prize == "silver"
    assert not may_read(record, Seat(0)), "readable by nobody before the end"
    with pytest.raises(LogError, match=r"gm\.amend"):
        make_correction(RULES, records, SETTING.start(), "amend {}")


def foreign_log() -> list[Entry]:
    """Return a log in which a card was staked that these rules forbid, and the position was set after it."""
    state = after(*GOLD, "0 stake 2", "0 bid 1")[-1].position.state
    amendment = f"-2 amend {msgspec.json.encode(state).decode()}"
    return entries(*GOLD, "0 stake 4", "0 bid 1", "-1 deal 9", amendment, "1 stake 5", "1 bid 0")


def test_what_does_not_replay_before_an_amendment_is_taken_as_it_stands() -> None:
    records = replay(RULES, SETTING.start(), foreign_log())

    assert [record.events[0].key for record in records[5:8]] == ["gm.foreign"] * 3
    assert [may_read(record, seat) for record in records[5:9] for seat in (None, Seat(0))] == [False] * 8
    assert [record.position.draws for record in records[4:9]] == [5, 5, 5, 6, 6]
    assert numbers(records[8].position) == {1: 9}
    assert records[-1].position.state.winner == 0


def test_what_does_not_replay_after_the_last_amendment_is_refused() -> None:
    log = foreign_log()

    with pytest.raises(LogError, match=r"log\.entry seq=10"):
        replay(RULES, SETTING.start(), [*log[:9], Entry(10, Seat(1), "stake 9")])
    with pytest.raises(LogError, match=r"log\.entry seq=9"):
        replay(RULES, SETTING.start(), [*log[:8], Entry(9, GM, "amend {}")])
    with pytest.raises(LogError, match=r"log\.seq seq=8"):
        replay(RULES, SETTING.start(), [*log[:6], *log[7:]])


def test_an_amendment_holds_the_position_and_asks_anew() -> None:
    before = after(*GOLD, "0 stake 2")[-1].position

    record = make_amendment(RULES, before)

    assert (record.entry.seq, record.position.state, record.position.draws) == (7, before.state, 5)
    assert numbers(record.position) == {0: 7, 1: 7}
    assert last_amended([record.entry, Entry(8, Seat(0), "bid 1")]) == 7


def test_no_rewind_goes_behind_an_amendment() -> None:
    records = replay(RULES, SETTING.start(), foreign_log())

    with pytest.raises(LogError, match=r"gm\.amended to=8 first=9"):
        make_correction(RULES, records, SETTING.start(), "rewind 8")

    assert make_correction(RULES, records, SETTING.start(), "rewind 9").position.state == records[8].position.state


def test_finish_ends_the_game_and_a_rewind_takes_even_that_back() -> None:
    records = after(*GOLD)
    finished = make_correction(RULES, records, SETTING.start(), "finish")

    again = make_correction(RULES, (*records, finished), SETTING.start(), "rewind 5")

    assert finished.position.owed(RULES) == ()
    assert numbers(again.position) == {0: 7, 1: 7}


def test_an_unknown_correction_is_refused() -> None:
    with pytest.raises(LogError, match=r"gm\.unknown"):
        make_correction(RULES, (), SETTING.start(), "cheat")


def test_corrections_replay_like_all_else() -> None:
    texts = [*GOLD, "0 stake 2", "-2 rewind 5", "0 stake 3", "0 bid 1", "1 stake 1", "1 bid 2", "1 keep", "-2 finish"]

    records = after(*texts)

    assert records[-1].position.closed
    assert [record.entry for record in records] == entries(*texts)


def test_a_whole_game_verifies_through_its_export() -> None:
    export = export_of(whole_game())

    text = format_export(export)

    assert parse_export(text) == export
    assert verify(RULES, SETTING.tables, parse_export(text)) == whole_game()


def test_a_running_games_export_is_checked_without_dice() -> None:
    export = export_of(whole_game()[:9])
    header = msgspec.structs.replace(export.header, seed="", chain="", words=("plum",))

    assert len(verify(RULES, SETTING.tables, Export(header, export.entries))) == 9


def changed(export: Export, seq: int, text: str) -> Export:
    kept = [Entry(seq, one.seat, text) if one.seq == seq else one for one in export.entries]
    return Export(export.header, tuple(kept))


def test_what_was_changed_afterwards_is_named() -> None:
    export = export_of(whole_game())
    other = "deal 2" if export.entries[0].text == "deal 1" else "deal 1"
    last = export.entries[-1]
    cut = Export(export.header, export.entries[:-1])
    wrong_seed = msgspec.structs.replace(export.header, seed=demo_seed(9).hex())
    wrong_tables = msgspec.structs.replace(export.header, tables="sha256:0")

    for altered, key in (
        (changed(export, 1, other), "log.draw"),
        (changed(export, last.seq, "nonsense"), "log.entry"),
        (cut, "verify.chain"),
        (Export(wrong_seed, export.entries), "verify.seed"),
        (Export(wrong_tables, export.entries), "verify.tables"),
    ):
        with pytest.raises(LogError) as caught:
            verify(RULES, SETTING.tables, altered)
        assert caught.value.key == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "export.format"),
        ("pbem-game 2\n", "export.format"),
        ("pbem-game 1\nrules\n", "export.line"),
        ("pbem-game 1\nrules 1\n\n1 -1\n", "export.line"),
        ("pbem-game 1\nrules 1\nruleset bids\n", "export.missing"),
        ("pbem-game 1\nrules x\nruleset bids\nseats 2\ntables t\ncommitment c\n", "export.line"),
        ("pbem-game 1\nword plum\n", "export.line"),
    ],
)
def test_what_is_no_export_is_refused(text: str, key: str) -> None:
    with pytest.raises(LogError) as caught:
        parse_export(text)

    assert caught.value.key == key


def test_an_export_carries_own_tables_and_words() -> None:
    header = Header("bids", 1, 2, (("purse", "small"),), "sha256:1", "c", ("plum", "a b\nc"), tables_text="[deck]\n")

    assert parse_export(format_export(Export(header, ()))).header == header


def test_without_its_seed_a_hidden_text_cannot_be_guessed_from_the_chain() -> None:
    entry = Entry(1, CHANCE, "deal 2")

    assert next_link(b"", dice(1), entry) != next_link(b"", dice(2), entry)
