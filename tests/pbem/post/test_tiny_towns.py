"""The mails of Tiny Towns: towns as rows and as tables, what cards do, and what stands behind an option."""

import re
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.types import Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.state import State
from engine.tiny_towns.views import CardView, HelperView
from pbem.lexicon import load_lexicon
from pbem.post.facts import Ask, Happened, MailFacts, Over, Player
from pbem.post.layout import WIDTH
from pbem.post.words import Reader
from tests.contract.titles import Setting
from tests.engine.tiny_towns.positions import COMPONENTS, play, position, texts
from tests.pbem.post import sample
from tests.pbem.post.pages import Page, parts

LANGUAGES = ("en", "pt")
EMPTY = "\u2013"


@cache
def base(language: str) -> MailFacts:
    """Return a report that the others are made from."""
    return sample.middle(Setting("tiny_towns", 3), 3, 0.861, language)


def report(state: State, seat: int = 0, language: str = "en", **changes: Any) -> MailFacts:
    """Return a report to *seat* in the position *state*, with what is asked of it."""
    own = next((one for one in RULESET.pending(state) if one.seat == seat), None)
    ask = Ask(own.key, 7, tuple(texts(state, seat)), own.fields, own.occasion, texts(state, seat)[0]) if own else None
    facts = replace(
        base(language),
        seat=Seat(seat),
        players=tuple(Player(one, sample.NAMES[one], bot=False) for one in state.seats),
        view=RULESET.view(state, Seat(seat)),
        standings=RULESET.standings(state),
        ask=ask,
        ahead=(),
        happened=(),
        plan=(),
        waiting_for=(),
    )
    return replace(facts, **changes)


def said(facts: MailFacts) -> str:
    """Return the text of a mail in one line."""
    return " ".join(parts(facts)[0].split())


FULL = position(
    "C*K*A./w..M/..*../....", "K.../..../..../...g", cards="warehouse", hand={0: "castle", 1: "watch"}, namer=1,
    values={0: {"held": {"b1": "wood glass"}}}, resource="brick",
)  # fmt: skip


def test_a_town_is_four_rows_with_the_own_one_first():
    text = parts(report(FULL))[0].replace(EMPTY, "-")

    assert (
        "You\n\n"
        "  a1 Cottage* · b1 Warehouse* (wood, glass) · c1 Well · d1 -\n"
        "  a2 wood     · b2 -                        · c2 -    · d2 Castle\n"
        "  a3 -        · b3 -*                       · c3 -    · d3 -\n"
        "  a4 -        · b4 -                        · c4 -    · d4 -\n"
    ) in text
    assert text.index("\nYou\n") < text.index("\nJoão\n")
    assert "  a4 -         · b4 - · c4 - · d4 glass\n" in text


def test_a_town_is_a_table_of_four_rows_and_columns_in_html():
    _, html = parts(report(FULL))

    tables = re.findall(r'<table class="grid".*?</table>', html, re.DOTALL)
    assert [16, 16] == [Page(one).tags["td"] for one in tables]
    assert [4, 4] == [Page(one).tags["tr"] for one in tables]
    first = Page(tables[0]).words.split()[:6]
    assert ["a1Cottage*", "at", "workb1Warehouse*", "at", "workwood,", f"glassc1Welld1{EMPTY}"] == first


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_row_of_a_town_is_wider_than_the_page_and_none_breaks_inside_a_square(language):
    held = dict.fromkeys(("a1", "b1", "c1", "d1"), "brick glass stone")
    state = position("KKKK/EEEE/YYYY", cards="warehouse feast-hall theater", values={0: {"held": held}})

    text, _ = parts(report(state, language=language))

    rows = [line for line in text.splitlines() if line.startswith("  ") and " · " in line]
    assert max(map(len, rows)) <= WIDTH
    assert all(re.match(r"  [a-d][1-4] ", row) for row in rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_its_line_with_the_figures_of_the_table(language):
    facts = report(position("....", villagers=True), language=language, ask=None)
    all_cards = (*COMPONENTS.buildings, *COMPONENTS.monuments)
    changed = tuple(
        CardView(one.id, one.type, one.layout, tuple(71 + n for n in range(len(one.points)))) for one in all_cards
    )
    helpers = tuple(HelperView(one.id, 2) for one in COMPONENTS.helpers)

    text = parts(replace(facts, view=replace(facts.view, cards=changed, helpers=helpers)))[0]

    lines = re.sub(r"\n  (?=\S)", " ", text).splitlines()
    for card in changed:
        layout = " / ".join(card.layout)
        name = load_lexicon(language, "tiny_towns").name("card", card.id).one
        line = next(one for one in lines if one.lower().startswith(f"- {name}") and f": {layout}; " in one)
        told = line.split(f": {layout}; ")[1]
        assert told
        assert all(str(points) in told for points in card.points), line
        assert not re.search(r"\b(?!71\b|72\b|73\b|74\b|75\b|76\b)\d{2,}", told)


def test_the_own_monument_is_told_to_its_owner_alone():
    state = position("....", "....", hand={0: "obelisk", 1: "shrine"})

    assert "Obelisk of the Crescent (your monument, secret): H.. / BGB; from then on" in said(report(state, 0))
    assert "Obelisk" not in said(report(state, 1))
    assert "Shrine" not in said(report(state, 0))


EXPLAINED = {
    "en": (
        "João built the Sky Baths on b1 (cubes of b1, a2, b2, c2, a3 and c3), with this effect: "
        "2 points for each of the 7 types of building that is missing in town; put the villager there to work."
    ),
    "pt": (
        "João construiu as Termas do Céu em b1 (cubos de b1, a2, b2, c2, a3 e c3), com este efeito: "
        "2 pontos por cada um dos 7 tipos de edifício que faltar na cidade; pôs para trabalhar o vilarejo dali."
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_monument_is_explained_where_it_is_built(language):
    expected = EXPLAINED[language]
    state = position("....", ".h*../sgw./b.b.", hand={1: "baths"}, namer=0)
    state, _ = play(state, "1: place d4")
    state, events = play(state, "1: build baths b1")

    told = said(report(state, language=language, happened=(Happened(1, Seat(1), "", "line", events[:2]),)))

    assert expected in told
    assert told.count(expected.split("2 ")[1].split(";")[0]) == 2, "once in the event, once in the town"


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "place c1 (completes a Tavern)"), ("pt", "colocar c1 (completa uma Taverna)")],
)
def test_a_square_tells_what_the_cube_completes_there(language, expected):
    text = parts(report(position("bb..", cards="tavern", resource="glass"), language=language))[0]

    assert re.search(rf"^\d+  {re.escape(expected)}$", text, re.MULTILINE)
    assert 1 == text.count(expected.split(" (")[1])


@pytest.mark.parametrize(
    ("state", "question"),
    [
        (position("....", namer=0), "place wood, named by you"),
        (position("....", namer=1), "place wood, named by João"),
        (position("....", namer=-1, town_hall=True), "place wood, drawn from the pile"),
        (play(position("....", solo=True), "0: take brick")[0], "place brick"),
    ],
)
def test_the_question_says_which_resource_and_who_named_it(state, question):
    assert f"Your turn: {question}. " in said(report(state))


def test_a_building_tells_whether_a_villager_begins_to_work():
    state, _ = play(position("b*bg.", cards="tavern"), "0: place d4")

    text = parts(report(state))[0]

    assert "build tavern a1 (the villager there begins to work)\n" in text
    assert "build tavern b1\n" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_without_a_position_still_asks(language):
    state = position("bbg.", cards="tavern")
    for one in (state, play(state, "0: place d4")[0]):
        assert parts(report(one, language=language, view=None, standings=()))[0]


@pytest.mark.parametrize(
    ("language", "figures", "rule"),
    [
        ("en", "for ties: turns as Master Builder 0, empty squares 16, Cottages 0", "fewer turns as Master"),
        ("pt", "para desempate: vezes como Master Builder 0, quadrados vazios 16, Cabanas 0", "menos vezes como"),
    ],
)
def test_what_decides_a_tie_is_counted_by_its_own_name(language, figures, rule):
    facts = report(position("....", "...."), language=language, ask=None, over=Over((Seat(0), Seat(1)), "ab" * 32))

    assert figures in said(facts)
    assert rule in said(facts)


def test_parts_of_the_score_are_named_by_the_cards_in_play():
    voice = sample.WORDS.voice("en", "tiny_towns")
    view = RULESET.view(position("....", cards="granary"), Seat(0))
    seen = sample.WORDS.voice("en", "tiny_towns", Reader(Seat(0), view=view))

    assert "Granary" == seen.part("red")
    assert "red buildings" == voice.part("red")
