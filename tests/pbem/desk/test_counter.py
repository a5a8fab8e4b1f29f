"""One letter with everything in it: commands, orders, chatter; and letters with hardly anything."""

import pytest

from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, command, holder, notices, read_all, said, seated, stake

ANSWERS = ("order.taken", "order.kept", "order.refused", "order.ignored", "order.stale")


def answered(table: Table, seat: int) -> dict[int, str]:
    """Return for each line number of the last letter what it was answered with."""
    return {one["line"]: one["key"] for one in notices(table, seat, *ANSWERS)}


def test_commands_orders_and_chatter_in_one_letter_are_each_served(set_table: SetTable) -> None:
    table = seated(set_table)
    text = f"Hello everybody, lovely weather!\nzone Europe/Lisbon\n{stake(table, 'Bob')}\ntell Ana: good luck\n\nstatus"

    counts = table.says("Bob", text)

    mail = said(table.mail("Bob"))
    assert counts["accepted"] == 1
    assert "Europe/Lisbon" in mail
    assert "passed on to Ana" in mail
    assert "Here is the game as it stands" in mail
    assert "kept until all have answered" in mail
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
    assert "good luck" in text_of(table.mail("Ana"))


def test_chatter_alone_is_answered_and_plays_nothing(set_table: SetTable) -> None:
    table = seated(set_table)

    counts = table.says("Bob", "Hi all!\nwhat a lovely evening it was yesterday")

    assert counts["refused"] == 1
    assert holder(table, 1).plan == ()
    assert "Your turn" in said(table.mail("Bob"))


@pytest.mark.parametrize("text", ["", " \n\n ", "\u200b"])
def test_an_empty_letter_is_answered(set_table: SetTable, text: str) -> None:
    table = seated(set_table)

    letter = table.reply("Bob", "")
    letter.set_content(text)

    table.post(letter)
    counts = table.tick()

    assert counts["refused"] == 1
    assert "found no move" in said(table.mail("Bob"))


def test_of_a_letter_of_five_hundred_lines_every_line_is_answered(set_table: SetTable) -> None:
    table = seated(set_table)
    lines = [stake(table, "Bob"), *["bid 500"] * 499]

    table.post(table.reply("Bob", "\n".join(lines)))
    table.tick()

    assert set(range(1, 501)) <= set(answered(table, 1))
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
    assert len(table.mail("Bob").lines) < 2_000


@pytest.mark.parametrize(
    ("state", "words"),
    [("open", "has not begun"), ("over", "game is over"), ("void", "game is over"), ("paused", "paused")],
)
def test_orders_for_a_game_that_is_not_running_are_explained(set_table: SetTable, state: str, words: str) -> None:
    table = seated(set_table, start=state != "open")
    if state != "open":
        command(table, "gm", *{"over": ["finish", "1"], "void": ["finish", "1", "--void"]}.get(state, ["pause", "1"]))
    table.tick()
    read_all(table)
    entries = table.log()

    table.says("Bob", "bid 3" if state != "paused" else stake(table, "Bob"))

    assert words in said(table.mail("Bob"))
    assert table.log() == entries


def test_nothing_below_end_is_read(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Ana", f"{stake(table, 'Ana')}\nfim\ngorjeta: gorjeta 1")

    assert [one.key for one in holder(table, 0).plan] == ["bids.stake"]


@pytest.mark.parametrize(
    "thanks", ["Thanks for waiting so long, here is my move:", "Cheers Ana, well played!", "Obrigado a todos"]
)
def test_thanks_at_the_beginning_do_not_end_a_letter(set_table: SetTable, thanks: str) -> None:
    table = seated(set_table)

    table.says("Bob", f"{thanks}\n{stake(table, 'Bob')}")

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


@pytest.mark.parametrize("chat", [
    "How are you all doing today?", "Report from the front: all is well", "Cancel culture, ha ha",
    "Clear skies over here today", "Check this out, folks", "Position looks rather good for Ana",
    "Test of courage for both of us",
])  # fmt: skip
def test_chatter_that_begins_like_a_command_touches_no_plan(set_table: SetTable, chat: str) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))

    table.says("Bob", chat)

    assert holder(table, 1).plan != ()


def test_a_text_file_is_read_where_the_body_has_no_order(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", "see the file")
    letter.add_attachment(stake(table, "Bob") + "\n", filename="orders.txt")

    table.post(letter)
    table.tick()

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


@pytest.mark.parametrize(("body", "file"), [(1, 2), (2, 1)])
def test_different_orders_in_body_and_file_are_both_left_and_the_person_is_asked(
    set_table: SetTable, body: int, file: int
) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", stake(table, "Bob", body))
    letter.add_attachment(stake(table, "Bob", file) + "\n", filename="orders.txt")

    table.post(letter)
    counts = table.tick()

    assert counts["refused"] == 1
    assert holder(table, 1).plan == ()
    assert "which you mean" in said(table.mail("Bob"))


def test_the_same_order_in_body_and_file_is_one(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", stake(table, "Bob"))
    letter.add_attachment(f"{stake(table, 'Bob').upper()}\n", filename="orders.txt")

    table.post(letter)
    table.tick()

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_a_file_that_holds_no_order_is_no_matter(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Bob", stake(table, "Bob"))
    letter.add_attachment("My diary of this game.\nIt goes well so far.\n", filename="diary.txt")

    table.post(letter)
    table.tick()

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
