import pytest

from engine.core.types import CHANCE, Event, Fields, Seat, fields
from pbem.post.facts import Happened
from pbem.post.happened import tell_happened
from pbem.post.words import Reader
from tests.pbem.post.sample import WORDS


def entry(seat: int, *events: tuple[str, Fields], cause: str = "line", text: str = "") -> Happened:
    return Happened(1, Seat(seat), text, cause, tuple(Event(key, values) for key, values in events))


def told(*entries: Happened, language: str = "en", seat: int = 0, html: bool = False) -> list[str]:
    voice = WORDS.voice(language, "bids", Reader(Seat(seat), ("Ana", "<João>", "Bia")), html=html)
    return tell_happened(voice, entries)


SHOWN = ("bids.shown", fields(seat=1, card=3, coins=2))
WON = ("bids.won", fields(seat=1, points=3, coins=2))
KEPT = ("bids.kept", fields(seat=1))


def test_events_of_one_player_stand_in_one_sentence():
    assert told(entry(2, SHOWN, WON), entry(1, KEPT)) == [
        "<João> showed a 3 and a bid of 2; won 3 points for 2 coins; kept all coins"
    ]


def test_the_reader_is_addressed():
    assert told(entry(1, KEPT), seat=1) == ["You kept all coins"]
    assert told(entry(1, KEPT), seat=1, language="pt") == ["Você ficou com todas as moedas"]


def test_another_subject_begins_another_sentence():
    other = ("bids.kept", fields(seat=2))

    assert told(entry(1, KEPT), entry(2, other), entry(1, WON)) == [
        "<João> kept all coins",
        "Bia kept all coins",
        "<João> won 3 points for 2 coins",
    ]


def test_an_event_without_a_subject_stands_alone():
    prize = entry(CHANCE, ("bids.prize", fields(what="gold")), cause="chance")

    assert told(entry(1, KEPT), prize, entry(1, WON)) == [
        "<João> kept all coins",
        "The prize is gold",
        "<João> won 3 points for 2 coins",
    ]


def test_equal_events_in_a_row_are_counted():
    dealt = entry(CHANCE, ("bids.dealt", fields(seat=2)), cause="chance")

    assert told(dealt, dealt, dealt) == ["Bia drew a card (3 times)"]


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "<João> got two monuments"), ("pt", "<João> recebeu dois monumentos")]
)
def test_an_event_may_have_words_of_its_own_for_several_times(language, expected):
    voice = WORDS.voice(language, "tiny_towns", Reader(Seat(0), ("Ana", "<João>")))
    dealt = [entry(CHANCE, ("towns.dealt", fields(seat=seat)), cause="chance") for seat in (0, 0, 1, 1)]

    assert tell_happened(voice, dealt) == [expected]


def test_what_says_nothing_to_the_reader_is_left_out():
    assert told(entry(CHANCE, ("bids.dealt", fields(seat=0)), ("bids.card", fields(card=4)), cause="chance")) == [
        "You drew a 4"
    ]


@pytest.mark.parametrize(
    ("cause", "note"),
    [
        ("default", " (automatic)"),
        ("forced", " (nothing else was possible)"),
        ("gm", " (entered by the game master)"),
    ],
)
def test_what_was_nobodys_choice_has_its_cause(cause, note):
    assert told(entry(1, SHOWN), entry(1, WON, cause=cause), entry(1, KEPT)) == [
        f"<João> showed a 3 and a bid of 2; won 3 points for 2 coins{note}; kept all coins"
    ]
    assert told(entry(1, KEPT, cause=cause)) == [f"<João> kept all coins{note}"]


@pytest.mark.parametrize("cause", ["default", "forced", "gm"])
def test_what_comes_of_itself_has_no_cause(cause):
    prize = ("bids.prize", fields(what="gold"))

    assert told(entry(1, prize, cause=cause)) == ["The prize is gold"]
    assert told(entry(1, KEPT, prize, cause=cause), entry(1, WON))[1] == "The prize is gold"


def test_a_move_without_events_is_told_by_its_text():
    assert told(entry(1, text="keep")) == ['<João> played "keep"']
    assert told(entry(1), entry(CHANCE, text="deal 3", cause="chance")) == []


def test_names_are_escaped_in_html():
    assert told(entry(1, KEPT), html=True) == ["&lt;João&gt; kept all coins"]
