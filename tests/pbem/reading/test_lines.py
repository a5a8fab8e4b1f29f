"""The shape of a line, before any move is read."""

import pytest

from pbem.reading.lines import Draft, Shape
from tests.pbem.reading.positions import lexicons

SHAPE = Shape(lexicons("village"))
MARKET = ("village.market",)


@pytest.mark.parametrize(
    ("text", "draft"),
    [
        ("take green council: enter scroll", Draft(("take green council: enter scroll",))),
        ("> * Take Green", Draft(("take green",))),
        ("a or b OU c", Draft(("a", "b", "c"))),
        ("a or or b or", Draft(("a", "b"))),
        ("market: pass", Draft(("pass",), "market", MARKET)),
        ("At the market day: pass", Draft(("pass",), "at the market day", MARKET)),
        ("Mercado: passar ou 3", Draft(("passar", "3"), "mercado", MARKET)),
        ("mass: pass", Draft(("pass",), "mass", ("village.redeem", "village.rise"))),
        ("next: 3", Draft(("3",), "next", ("village.turn",), next=True)),
        ("Sua próxima jogada: 3", Draft(("3",), "sua proxima jogada", ("village.turn",), next=True)),
        ("when wood: a", Draft(("a",), when="wood")),
        ("se madeira, a", Draft(("a",), when="madeira")),
        ("next: when wood: a", Draft(("a",), "next", ("village.turn",), next=True, when="wood")),
        ("my orders: total: a: b", Draft(("a: b",))),
        ("a, ask", Draft(("a,",), ask=True)),
        ("a: perguntar, agora!", Draft(("a:",), ask=True, now=True)),
        ("a right now.", Draft(("a",), now=True)),
        ("now", Draft((), now=True)),
        ("know", Draft(("know",))),
        ("a -> b → c", Draft(("a : b : c",))),
        ("::;,", Draft(())),
        ("", Draft(())),
    ],
)
def test_draft(text: str, draft: Draft) -> None:
    assert draft == SHAPE.draft(text)


@pytest.mark.parametrize(
    ("text", "splits"),
    [
        ("a", [("a",)]),
        ("a : b;c", [("a", "b", "c"), ("a b", "c")]),
        ("name: wood", [("name", "wood"), ("name wood",)]),
        ("name it: wood", [("name it", "wood")]),
        ("a, b", [("a", "b"), ("a, b",), ("a b",)]),
        (
            "a: b, c - d",
            [("a", "b", "c", "d"), ("a", "b, c - d"), ("a", "b c", "d"), ("a", "b", "c d"), ("a b", "c", "d")],
        ),
        ("a and then b & c", [("a and then b & c",), ("a", "b", "c")]),
        ("scroll-wagon.", [("scroll-wagon",)]),
        (" : ", [()]),
    ],
)
def test_splits(text: str, splits: list[tuple[str, ...]]) -> None:
    assert splits == list(SHAPE.splits(text))


@pytest.mark.parametrize(
    ("text", "greets"), [("Hi Bob", True), ("Boa tarde!", True), ("abraços", True), ("history", False)]
)
def test_greetings(text: str, *, greets: bool) -> None:
    assert greets == SHAPE.is_greeting(text)


def test_without_words_there_are_only_colons() -> None:
    assert Draft(("a or b now",)) == Shape(()).draft("a or b now")
    assert [("a", "b"), ("a b",)] == list(Shape(()).splits("a: b"))
