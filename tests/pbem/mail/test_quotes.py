"""Single signals, and what stands against them."""

import pytest

from pbem.mail.letter import Letter, read_letter
from pbem.mail.quotes import own_words
from tests.mail.corpus import is_toy_order, known_lines

KNOWN = known_lines()
MARKER = KNOWN[0]


def letter_of(body: str) -> Letter:
    return read_letter(f"From: bia@players.example\nContent-Type: text/plain; charset=utf-8\n\n{body}".encode())


def written(body: str, known=KNOWN, grammar=is_toy_order) -> list[str]:
    return [line.text for line in own_words(letter_of(body), known, grammar).written]


def reasons(body: str, known=KNOWN, grammar=is_toy_order) -> dict[str, str]:
    return {line.text: line.reason for line in own_words(letter_of(body), known, grammar).ignored}


def is_loosely_an_order(line: str) -> bool:
    """A grammar that takes any line with one of its words in it."""
    return bool({"take", "green", "grain", "coins", "village", "write", "2"} & set(line.lower().split()))


BARE = ("Village, game 12", "take green council", "take green inn", "take black grain", "Write one line.")


def test_an_order_that_also_stands_in_the_answered_mail_counts_alone():
    assert ["take green council"] == written("take green council\n", BARE)
    assert ["take green council"] == written(f"take green council\n\n{MARKER}\n", (*BARE, MARKER))
    assert ["take green council"] == written(f"{MARKER}\n\ntake green council\n", (MARKER, *BARE))


def test_two_orders_that_stand_there_in_another_order_count():
    assert ["take black grain", "take green council"] == written("take black grain\ntake green council\n", BARE)


def test_a_stretch_of_the_answered_mail_does_not_count_although_its_lines_are_orders():
    assert [] == written("take green council\ntake green inn\ntake black grain\n", BARE)


def test_an_order_above_the_answered_mail_without_marks_counts():
    old = "\n".join(BARE)

    assert ["take black grain"] == written(f"take black grain\n{old}\n", BARE)
    assert ["take black grain"] == written(f"take black grain\n{old}\n", BARE, is_loosely_an_order)


def test_a_rewrapped_old_mail_without_marks_does_not_count_even_to_a_loose_grammar():
    body = (
        "\n".join(KNOWN[1:])
        .replace("pay the two coins that", "pay the two\ncoins that")
        .replace("round 3", "\nround 3")
    )

    assert ["take black grain"] == written(f"take black grain\n{body}\n", KNOWN, is_loosely_an_order)


def test_case_dashes_quotes_and_space_do_not_hide_known_text():
    line = "he  SAID \u201cgo\u201d \u2013 now"

    assert {line: "known-text"} == reasons(f"{line}\nother words here, at last\n", ('He said "go" - now', "X"))


def test_an_attribution_with_words_of_orders_is_still_one():
    body = "take black grain\n\nOn Mon, 23 Nov 2026 at 09:00, Green Village <pbem@example.org>\nwrote:\n> old\n"

    assert ["take black grain"] == written(body, (), is_loosely_an_order)


@pytest.mark.parametrize("line", ["market:", "take green council: enter scroll", "green 2:", "take 2 coins 10:30:"])
def test_a_line_with_a_colon_above_a_quote_is_kept_if_it_may_be_an_order(line):
    assert [line] == written(
        f"{line}\n> old\n", (), is_loosely_an_order if "green" in line or "take" in line else is_toy_order
    )


def test_below_the_marker_counts_where_nothing_shows_a_lost_quote():
    assert ["take black grain", "enter scroll"] == written(f"take black grain\n{MARKER}\nenter scroll\n")


def test_below_the_marker_does_not_count_where_the_answered_mail_is_unknown():
    body = f"take black grain\n{MARKER}\nold words\ntake green inn\n"

    assert ["take black grain"] == written(body, ())
    assert {"below-marker"} == set(reasons(body, ()).values()) - {"marker"}


def test_below_an_introduced_marker_nothing_counts():
    introduction = "Em 23/11/2026 às 09:00, Post <p@example.org> escreveu:"

    assert ["take black grain"] == written(f"take black grain\n{introduction}\n{MARKER}\nnew text\ntake green inn\n")


@pytest.mark.parametrize(
    "block",
    [
        "From: Post <p@example.org>\nSent: Monday\nTo: Bia\nSubject: Village",
        "*De:* Post <p@example.org>\n*Enviado:* segunda\n*Para:* Bia\n*Assunto:* Village",
        "Von: Post <p@example.org>\nGesendet: Montag\nAn: Bia\nBetreff: Village",
        "-----Original Message-----\nFrom: Post\n",
        "---------- Forwarded message ---------\nFrom: Post\n",
    ],
)
def test_below_the_headers_of_an_old_mail_nothing_counts(block):
    assert ["take black grain"] == written(f"take black grain\n\n{block}\n\ntake green inn\n", ())


def test_labels_of_orders_are_no_headers_of_a_mail():
    assert ["from: wood", "to: grain", "take black grain"] == written("from: wood\nto: grain\ntake black grain\n", ())


@pytest.mark.parametrize("mark", ["--", "-- ", "__", "END", "fim"])
def test_after_a_signature_mark_only_orders_count(mark):
    assert ["take black grain", "enter scroll"] == written(f"take black grain\n{mark}\nBia\nenter scroll\n", ())


def test_after_a_sign_off_with_orders_below_only_the_sign_off_goes():
    assert {"Thanks,": "signature"} == reasons("Thanks,\ntake black grain\n", ())


def test_a_quote_ends_a_signature():
    assert ["take black grain"] == written("-- \nBia\n> old\ntake black grain\n", ())


@pytest.mark.parametrize(
    "footer",
    [
        "Sent from my iPhone",
        "Get Outlook for iOS",
        "Sent via Fairmail.",
        "Enviado do meu iPad",
        "Enviado desde mi iPhone",
        "Gesendet von Outlook für iOS",
        "Envoyé de mon iPhone",
        "Inviato da iPhone",
        "Verzonden vanaf mijn telefoon",
        "Skickat från min iPhone",
    ],
)
def test_footers(footer):
    assert {footer: "footer"} == reasons(f"take black grain\n\n{footer}\n", ())


@pytest.mark.parametrize(
    "line", ["- take black grain", "* enter scroll", "I would like to take the black grain, please."]
)
def test_a_library_does_not_take_lists_and_prose(line):
    assert line in written(f"{line}\ntake green inn\n", ())


def test_what_a_library_takes_is_told():
    body = "take black grain\n\nKind Regards\nsome long sentence that nobody would ever take for an order, I think.\n"

    assert {"signature", "library"} >= set(reasons(body, ()).values()) >= {"signature"}


def test_a_quoted_order_never_counts():
    assert [] == written("> take black grain\n>> enter scroll\n", ())


def test_numbers_count_all_lines_of_the_body():
    words = own_words(letter_of("a.\n\n> b\ntake black grain\n"), (), is_toy_order)

    assert [3] == [line.number for line in words.written if is_toy_order(line.text)]
    assert [2] == [line.number for line in words.ignored if line.reason == "quote"]


def flowed(body: str, grammar) -> list[str]:
    raw = f"Content-Type: text/plain; format=flowed\n\n{body}".encode()
    return [line.text for line in own_words(read_letter(raw), (), grammar).written]


def test_a_space_at_the_end_of_a_persons_own_line_joins_no_orders():
    assert ["take 2 coins", "take green inn"] == flowed("take 2 coins \ntake green inn\n", is_loosely_an_order)


def test_a_long_order_that_the_mail_client_broke_is_joined():
    long = "take green council: enter scroll, build cottage b2, sell the green \ngrain: take 2 coins\n"

    assert [long.replace("\n", "").strip()] == flowed(long, is_loosely_an_order)


def test_two_long_orders_are_not_joined_by_a_strict_grammar():
    one = "take green council and pay the two coins that the ferry costs: pass"

    assert [one, "take green inn"] == flowed(f"{one} \ntake green inn\n", {one, "take green inn"}.__contains__)
