"""What each kind of mail says, and what stands first in it."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.post.compose import compose, render_standalone
from pbem.post.facts import Fact, Over, Waiting
from tests.pbem.post import sample
from tests.pbem.post.pages import Page, parse, parts
from tests.pbem.post.sample import TAG, WORDS

LANGUAGES = ("en", "pt")


def test_the_subject_says_what_is_asked_and_holds_no_secret():
    facts = sample.every_kind()["report"]

    subject = parse(compose(facts, WORDS, "abc").raw)["Subject"]

    assert subject == "[Bids #12] Your move, Bia · by Wed 15:30"


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("final", "[Bids #12] The game is over"),
        ("refusal", "[Bids #12] We could not use your letter"),
        ("acknowledgement", "[Bids #12] Your letter was read"),
        ("reminder", "[Bids #12] Reminder, 11 days left: stake one of your cards"),
        ("invitation", "[Bids #12] gm@example.org invites you to play"),
        ("help", "[Bids #12] How to write to us"),
        ("press", "[Bids #12] A message from João"),
    ],
)
def test_the_subject_says_what_kind_of_mail_it_is(kind, subject):
    assert parse(compose(sample.every_kind()[kind], WORDS, "abc").raw)["Subject"] == subject


@pytest.mark.parametrize(
    ("kind", "told", "subject"),
    [
        ("help", sample.fact("desk.test", seen="test"), "Your test arrived"),
        ("help", sample.fact("desk.setting", name="acks", value="few"), "Noted: acks is now few"),
        ("refusal", sample.fact("letter.over"), "We could not use your letter"),
        ("press", sample.fact("press.sent", to=("Bia", "Caio"), message="Good luck!"), "Your message was passed on"),
        ("press", sample.fact("gm.message", message="Hello"), "A message from gm@example.org"),
        ("reminder", sample.fact("clock.reminder", hours=0), "Reminder"),
        ("acknowledgement", sample.fact("desk.status"), "Your letter was read"),
    ],
)
def test_the_subject_follows_what_is_told(kind, told, subject):
    facts = replace(sample.every_kind()["press"], kind=kind, told=(told,))

    assert parse(compose(facts, WORDS, "abc").raw)["Subject"] == f"[Bids #12] {subject}"


def test_a_report_without_a_question_says_so():
    facts = replace(sample.every_kind()["report"], ask=None, waiting_for=(Waiting(Seat(1)),))

    text, _ = parts(facts)

    assert "You have no move to make now. The game is waiting for João." in text
    assert parse(compose(facts, WORDS, "abc").raw)["Subject"] == "[Bids #12] What happened; nothing to do now"


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("refusal", "■ Your letter"),
        ("acknowledgement", "■ Your letter"),
        ("report", "Your turn: "),
        ("reminder", "A reminder"),
    ],
)
def test_what_matters_stands_first(kind, first):
    text, _ = parts(sample.every_kind()[kind])

    assert text.split("\n\n", 1)[1].startswith(first)


def test_a_refused_line_is_told_with_its_reason_and_what_is_possible():
    text, _ = parts(sample.every_kind()["refusal"])

    joined = " ".join(text.split())
    assert 'Line 1 "bid 9" was not played: this takes 9 coins, and 6 are there. You can write: bid 6; bid 5.' in joined


def test_the_invitation_carries_the_commitment_and_taps_for_accept_decline_and_test():
    facts = sample.every_kind()["invitation"]
    text, html = parts(facts)

    bodies = [parse_qs(urlsplit(link).query)["body"][0].split("\r\n")[0] for link in Page(html).links]
    assert bodies == ["accept", "decline", "test", "accept sunflower"]
    assert facts.commitment in text
    assert facts.commitment in html
    ten = text.split("in ten lines\n\n")[1].split("\n\n")[0]
    assert len(re.findall(r"^- ", ten, re.MULTILINE)) == 10


@pytest.mark.parametrize(
    ("language", "order"),
    [
        ("en", ("Hello Ana,", "You take João's place in a running game of Bids.", "Your turn", "What you can write")),
        ("pt", ("Olá, Ana,", "Você assume o lugar de João em um jogo de Lances", "Sua vez", "O que se pode escrever")),
    ],
)
def test_a_new_player_is_greeted_first_then_asked_and_reads_last_what_he_can_write(language, order):
    base = sample.every_kind(language)["report"]
    facts = replace(base, kind="notice", told=(sample.fact("seat.taken", former="João", reason=""),))
    greeting = order[0].replace("Ana", facts.players[facts.seat].name)

    text, html = parts(facts)

    for page in (" ".join(text.split()), " ".join(Page(html).words.split())):
        body = page[page.index(greeting) :]
        places = [body.index(one) for one in order[1:]]
        assert places == sorted(places)


def test_a_confirmation_has_one_tap_with_the_number_of_the_letter():
    text, html = parts(sample.every_kind()["confirmation"])

    bodies = [parse_qs(urlsplit(link).query)["body"][0].split("\r\n")[0] for link in Page(html).links]
    assert bodies == ["confirm 77"]
    assert "    confirm 77" in text


def test_the_final_report_tells_scores_winner_seed_and_how_to_check():
    facts = replace(sample.every_kind()["final"], seat=Seat(1))
    text, html = parts(facts)

    joined = " ".join(text.split())
    assert "Ana won." in joined
    assert "for ties: coins" in joined
    assert facts.over.seed in text
    assert facts.commitment in text
    assert "The game master chose these draws, here by their number in the export: 3 and 9." in joined
    assert "pbem game replay FILE" in joined
    assert Page(html).tags["table"] >= 1


def test_a_void_game_has_no_winner_and_no_scores():
    facts = replace(sample.every_kind()["final"], over=Over((), "ab" * 32, void=True, verified=False))

    text, _ = parts(facts)

    assert "ended the game without a result" in text
    assert "won" not in text
    assert "■ The scores" not in text
    assert "found a fault" in text


def test_shared_victory():
    facts = sample.every_kind()["final"]
    facts = replace(facts, seat=Seat(2), over=replace(facts.over, winners=(Seat(0), Seat(1))))

    assert "Ana and João share the victory." in parts(facts)[0]


@pytest.mark.parametrize(
    ("hours", "bank_days", "expected"),
    [
        (20, 0, ", 20 hours from now."),
        (20, 10, "Your reserve of 10 days is running down."),
        (-1, 0, "Your time was up on"),
    ],
)
def test_the_deadline_in_words(hours, bank_days, expected):
    base = sample.every_kind()["reminder"]
    facts = replace(
        base, ask=replace(base.ask, deadline=sample.after(hours)), bank=sample.after(24 * bank_days) - sample.NOW
    )

    assert expected in " ".join(parts(facts)[0].split())


def test_without_a_clock_there_is_no_deadline():
    base = sample.every_kind()["reminder"]

    assert "No clock is running" in parts(replace(base, ask=replace(base.ask, deadline=None)))[0]
    assert "No clock runs" in parts(replace(sample.every_kind()["invitation"], clock=""))[0]
    assert "you have 24 hours." in " ".join(parts(replace(sample.every_kind()["invitation"], clock="24h"))[0].split())


def test_the_hold_is_told():
    text, _ = parts(replace(sample.every_kind()["report"], hold=sample.after(0.5) - sample.NOW))

    assert "Your lines are played 30 minutes after your letter" in text


def test_a_mail_that_belongs_to_no_game_and_has_no_tag():
    facts = replace(
        sample.every_kind()["alert"],
        kind="notice",
        game=0,
        title="",
        seat=GM,
        players=(),
        tag="",
        told=(Fact("letter.unknown"),),
    )

    mail = parse(compose(facts, WORDS, "abc").raw)
    text, _ = parts(facts)

    assert mail["Subject"] == "[Village post] We know no game for this address"
    assert mail["Message-ID"] == "<g0.abc@example.org>"
    assert text.startswith("We know no game for this address.")
    assert "#" not in text


def test_a_page_of_its_own_has_no_marker_line():
    text, html = render_standalone(sample.every_kind()["report"], WORDS)

    assert TAG not in text
    assert TAG not in html
    assert text.startswith("Your turn: ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", sorted(sample.every_kind()))
def test_the_text_reads_as_it_was_approved(kind, language):
    """`python -m tests.pbem.post.sample` writes the files anew; read them aloud before they are kept."""
    expected = (sample.GOLDEN / f"{kind}.{language}.txt").read_text(encoding="utf-8")

    assert expected == sample.readable(sample.every_kind(language)[kind])
