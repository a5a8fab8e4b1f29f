"""A whole letter: what stands outside the table of lines."""

from engine.core.play import Line
from engine.core.types import Seat
from pbem.reading import Reading, Written, read_orders
from pbem.reading.letter import MOST_CHARACTERS, MOST_LINES, MOST_ORDERS
from tests.pbem.reading.positions import Setup, lexicons

GOLD = Setup("bids", moves=("-1 deal 2", "-1 deal 3", "-1 deal 1", "-1 deal 5", "-1 draw gold"))
WON = Setup("bids", moves=(*GOLD.moves, "0 stake 2", "0 bid 4", "1 stake 1", "1 bid 3"))


def read(setup: Setup, *texts: str, plan: tuple[Line, ...] = ()) -> Reading:
    """Return how a letter of seat 0 is read."""
    written = [Written(number, text) for number, text in enumerate(texts, start=1)]
    return read_orders(
        setup.ruleset, setup.position(), Seat(0), written, language="en", lexicons=lexicons(setup.title), plan=plan
    )


def test_a_letter_adds_to_the_plan() -> None:
    plan = (Line("bids.stake", (("stake 3",),), 1),)

    reading = read(GOLD, "bid 5", plan=plan)

    assert Line("bids.bid", (("bid 5",),), 1) == reading.read[0].line
    assert "turn.not-asked" == read(GOLD, "bid 5").refused[0].key


def test_a_label_is_given_back() -> None:
    reading = read(WON, "Tip: keep", "Next turn: any")

    assert ["tip", "next turn"] == [one.label for one in reading.read]


def test_the_moves_before_the_one_that_fails_are_told_with_its_words() -> None:
    refused = read(GOLD, "stake 2, bid 99!").refused[0]

    assert ("stake 2",) == refused.read
    assert "bid 99" == refused.piece
    assert Written(1, "stake 2, bid 99!") == refused.written


def test_a_line_has_so_many_characters() -> None:
    at_most = "stake 2 :" + "bid 3".rjust(MOST_CHARACTERS - 9)

    assert read(GOLD, at_most).read
    assert [("reader.long", (("most", MOST_CHARACTERS),))] == [
        (one.key, one.fields) for one in read(GOLD, at_most + " please").refused
    ]


def test_a_letter_has_so_many_orders() -> None:
    reading = read(GOLD, *["stake 9"] * (MOST_ORDERS + 2))

    assert ["bids.no-card"] * MOST_ORDERS + ["reader.lines"] * 2 == [one.key for one in reading.refused]


def test_a_letter_has_so_many_lines_and_empty_ones_do_not_count() -> None:
    reading = read(GOLD, "stake 2", *[""] * MOST_LINES, *["what a lovely day"] * MOST_LINES)

    assert [("reader.lines", 2 * MOST_LINES + 1)] == [(one.key, one.written.number) for one in reading.refused]
    assert 1 == len(reading.read)


def test_a_game_that_is_over_takes_no_orders() -> None:
    over = Setup("bids", moves=(*WON.moves, "0 keep"))
    place = over.position()
    ended = read_orders(
        over.ruleset,
        type(place)(place.state, closed=True),
        Seat(0),
        [Written(1, "stake 2"), Written(2, "next: stake 2"), Written(3, "keep")],
        language="en",
        lexicons=lexicons("bids"),
    )

    assert not ended.read
    assert {"turn.not-owed", "reader.label"} == {one.key for one in ended.refused}
