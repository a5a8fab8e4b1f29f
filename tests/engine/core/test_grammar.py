"""Move text both ways."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from engine.core.errors import GrammarError
from engine.core.grammar import Arg, Grammar, Verb


class Walk(Struct, frozen=True):
    where: str
    steps: int = 0


class Pay(Struct, frozen=True):
    who: str
    coins: tuple[str, ...] = ()


class Rest(Struct, frozen=True):
    mood: str = ""


GRAMMAR: Grammar[Walk | Pay | Rest] = Grammar(
    (
        Verb("walk", Walk, (Arg("where", ("north", "south")), Arg("steps", numbers=(1, 99), optional=True))),
        Verb("pay", Pay, (Arg("who"), Arg("coins", ("gold", "tin"), kind="coin", many=True))),
        Verb("rest", Rest, (Arg("mood", ("well",), optional=True),), closes=("game.rest",)),
    )
)

moves = st.one_of(
    st.builds(Walk, st.sampled_from(["north", "south"]), st.integers(0, 99)),
    st.builds(
        Pay,
        st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True),
        st.lists(st.sampled_from(["gold", "tin"])).map(tuple),
    ),
    st.builds(Rest, st.sampled_from(["", "well"])),
)


@given(moves)
def test_every_move_survives_its_text(move: Walk | Pay | Rest) -> None:
    assert move == GRAMMAR.parse_move(GRAMMAR.format_move(move))


@given(st.text(max_size=40))
def test_any_other_text_is_refused_or_is_a_move(text: str) -> None:
    with contextlib.suppress(GrammarError):
        assert text == GRAMMAR.format_move(GRAMMAR.parse_move(text))


@pytest.mark.parametrize(
    ("text", "key", "fields"),
    [
        ("", "grammar.empty", {}),
        ("fly north", "grammar.verb", {"word": "fly"}),
        ("walk", "grammar.missing", {"verb": "walk", "expected": "where"}),
        ("walk up", "grammar.word", {"verb": "walk", "word": "up", "expected": "where"}),
        ("walk north 100", "grammar.rest", {"verb": "walk", "word": "100"}),
        ("walk north 07", "grammar.rest", {"verb": "walk", "word": "07"}),
        ("walk  north", "grammar.word", {"verb": "walk", "word": "", "expected": "where"}),
        ("pay bob gold lead", "grammar.rest", {"verb": "pay", "word": "lead"}),
        ("pay Bob", "grammar.word", {"verb": "pay", "word": "Bob", "expected": "who"}),
    ],
)
def test_a_refusal_says_what_was_expected(text: str, key: str, fields: dict[str, str]) -> None:
    with pytest.raises(GrammarError) as caught:
        GRAMMAR.parse_move(text)

    assert (caught.value.key, dict(caught.value.fields)) == (key, fields)


def test_verbs_are_found_by_word_and_by_move() -> None:
    assert GRAMMAR.verb("rest") is GRAMMAR.verb_of(Rest())
    assert GRAMMAR.verb("fly") is None
    assert [arg.family for arg in GRAMMAR.verbs[1].args] == ["who", "coin"]


class Total(Struct, frozen=True):
    """Make a total."""

    total: int


class Rise(Struct, frozen=True):
    """Get up."""


def test_a_list_counts_from_one() -> None:
    assert dict(GRAMMAR.listed(("walk north", "rest", "walk south"))) == {1: "walk north", 2: "rest", 3: "walk south"}


def test_a_move_with_a_number_of_its_own_is_listed_under_it() -> None:
    grammar: Grammar[Total | Rise] = Grammar(
        (Verb("total", Total, (Arg("total", numbers=(2, 12)),), number="total"), Verb("rise", Rise))
    )

    assert grammar.listed(("rise", "total 3", "total 8")) == {1: "rise", 3: "total 3", 8: "total 8"}
    assert grammar.listed(("total 8", "total 3")) == {3: "total 3", 8: "total 8"}
