"""Single signals, and what stands against them."""

import pytest

from pbem.mail.letter import Letter, read_letter
from pbem.mail.quotes import Known, own_words, read_known
from tests.mail.corpus import FOLDER, is_toy_order, known_lines, known_mail, reads_like_order

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
    assert {"old words": "below-marker", "take green inn": "old-mail", MARKER: "marker"} == reasons(body, ())


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


OLD = "\n".join(KNOWN[1:])
HEADERS = "From: Village post <pbem@example.org>\nSent: Monday, 23 November 2026 09:00\nTo: Bia\nSubject: Village"


@pytest.mark.parametrize("order", ["take black grain", "enter scroll", "2"])
def test_an_order_typed_into_or_below_an_old_mail_without_marks_counts(order):
    first, *rest = OLD.strip().split("\n")
    inside = "\n".join([first, order, *rest])

    assert ["My answer is below.", order] == written(f"My answer is below.\n{HEADERS}\n{inside}\n")
    assert [order] == written(f"{HEADERS}\n{order}\n{OLD}\n", Known(KNOWN, ("Village post",)))
    assert [order] == written(f"{HEADERS}\n{OLD}\n{order}\n")
    assert [order] == written(f"On Monday, Village post <p@example.org> wrote:\n{MARKER}\n{OLD}\n{order}\n")
    assert [order] == written(f"{HEADERS}\n{MARKER}\n{order}\n{OLD}\n")


def test_what_stands_in_the_old_mail_is_no_order_of_a_person_although_lines_are_missing():
    lines = [line for line in KNOWN[1:] if "inn" not in line]

    assert [] == written("\n".join([HEADERS, *lines]))


def test_an_older_letter_below_the_old_mail_does_not_count():
    older = HEADERS.replace("Village post <pbem@example.org>", "Bia <bia@players.example>")

    assert [] == written(f"{HEADERS}\n{OLD}\n{older}\ntake black inn\n")


def test_an_order_in_an_old_mail_that_nobody_knows_is_named_but_no_list():
    found = reasons(f"take black grain\n{HEADERS}\ntake a\nsome words\ntake b\ntake c\ntake d\n", ())

    assert "old-mail" == found["take a"]
    assert {"quote"} == {found[line] for line in ("take b", "take c", "take d", "some words")}


def test_where_another_mail_than_the_known_one_is_quoted_nothing_in_it_is_played():
    assert ["take black grain"] == written(f"take black grain\n{HEADERS}\nother words\ntake green inn\nand more\n")


@pytest.mark.parametrize(
    "rule",
    [
        "----- Forwarded message from Village post <pbem@example.org> -----",
        "Begin forwarded message:",
        "In\u00edcio da mensagem encaminhada:",
        "Anfang der weitergeleiteten Nachricht:",
        "---------- Mensagem encaminhada ---------",
    ],
)
def test_a_forwarded_mail_is_inert_and_what_stands_below_its_end_counts(rule):
    body = f"{rule}\nDate: Monday\n\ntake green inn\ntake it\ntake all\n----- End forwarded message -----\n"

    assert ["take black grain"] == written(f"{body}\ntake black grain\n", ())


@pytest.mark.parametrize(
    "line",
    [
        "Village post writes:",
        "Village post disse:",
        "Quoting Village post (2026-11-23 09:00:00)",
        "Village post, seg 23.11.2026:",
        "Citando Village post <pbem@example.org>:",
        "On Monday the game wrote:",
    ],
)
def test_what_introduces_a_quote_without_address_or_verb(line):
    known = Known(KNOWN, ("Village post", "pbem@example.org"))

    words = own_words(letter_of(f"take black grain\n{line}\n> old\n"), known, reads_like_order())

    assert ["take black grain"] == [one.text for one in words.written]


def test_an_introduction_of_a_quote_without_marks_is_one_where_it_names_us():
    known = Known(KNOWN, ("Village post",))
    body = f"take black grain\n\nVillage post wrote:\n{KNOWN[2]}\nold words\ntake it\n"

    assert ["take black grain"] == [one.text for one in own_words(letter_of(body), known, is_toy_order).written]


@pytest.mark.parametrize("mark", ["| ", ": ", "VP> ", " | "])
def test_other_marks_of_quotes_are_known_by_their_neighbours(mark):
    body = "\n".join(f"{mark}{line}".rstrip() for line in ("old words", "take green inn", "more", "", "end of it"))

    assert ["take black grain"] == written(f"{body}\n\ntake black grain\n", ())


def test_one_line_with_such_a_mark_and_tables_are_no_quotes():
    assert ["| take black grain"] == written("| take black grain\n", (), lambda line: "take" in line)
    assert not letter_of("| a | b |\n| c | d |\n| e | f |\n").lines[0].quoted


def test_an_overflown_quote_is_one_although_its_line_reads_like_an_order():
    line = "4. take pink travel and pay the two coins that the"

    assert [] == written(f"> {line}\nferry costs\n> Write one line, or only its number.\n")
    assert ["1"] == written(f"> {KNOWN[3]}\n1\n> {KNOWN[4]}\n")


def test_our_links_written_out_are_ours_and_no_orders():
    known = known_mail("village-en")
    links = "Links:\n------\n[1] mailto:pbem@example.org?subject=a&body=take%20green%20harvest\n"
    behind = "1 take pink harvest<mailto:pbem@example.org?subject=a&body=take%20pink%20harvest%0D%0A>\n"
    around = "[1 take pink harvest](mailto:pbem@example.org?subject=a&body=take%20pink%20harvest)\n"

    for text in (links, behind, around):
        words = own_words(letter_of(f"take green harvest\n\n{text}"), known, reads_like_order())
        assert ["take green harvest"] == [one.text for one in words.written]


@pytest.mark.parametrize(
    "sign_off",
    [
        *(
            "Thanks,",
            "Best regards,",
            "Abra\u00e7os,",
            "Obrigada! :-)",
            "Cheers, Bia",
            "Atenciosamente,",
            "Um abra\u00e7o",
            "Valeu",
        ),
        *(
            "Grata,",
            "Sch\u00f6ne Gr\u00fc\u00dfe",
            "Mit freundlichen Gr\u00fc\u00dfen",
            "abracos",
            "Cordialement,",
            "Desde j\u00e1, grata",
        ),
    ],
)
def test_a_courtesy_and_the_name_below_it_are_no_words_of_the_game(sign_off):
    words = own_words(letter_of(f"take green harvest\n\n{sign_off}\nBia Lopes\n"), (), reads_like_order())

    assert ["take green harvest"] == [one.text for one in words.written]
    assert {"signature"} == {one.reason for one in words.ignored}


@pytest.mark.parametrize(
    "line", ["Thanks for the cube", "Obrigada pela dica de ontem", "Thanks, take green harvest", "best move ever"]
)
def test_thanks_for_something_are_no_courtesy(line):
    words = own_words(letter_of(f"{line}\ntake brown family\n"), (), reads_like_order())

    assert line in [one.text for one in words.written]


@pytest.mark.parametrize("line", ["+49 221 0000 12", "Rua das Flores 7, Porto", "(11) 98765-4321", "1040-021", "12"])
def test_numbers_below_a_signature_mark_are_no_orders(line):
    words = own_words(letter_of(f"take green harvest\n-- \nBia\n{line}\n"), (), reads_like_order())

    assert ["take green harvest"] == [one.text for one in words.written]


def test_an_order_below_a_signature_mark_still_counts():
    words = own_words(letter_of("-- \nBia\n+49 221 0000 12\ntake green harvest\n"), (), reads_like_order())

    assert ["take green harvest"] == [one.text for one in words.written]


@pytest.mark.parametrize(
    "line",
    [
        "[image: board.png]",
        "[cid:b0c7f1b2]",
        "[like] Bia Lopes reacted to your message:",
        "iPhone\u304b\u3089\u9001\u4fe1",
        "\u53d1\u81ea\u6211\u7684iPhone",
        "\ub098\uc758 iPhone\uc5d0\uc11c \ubcf4\ub0c4",
        "iPhone'umdan g\u00f6nderildi",
        "Verstuurd vanaf mijn iPhone",
        "Holen Sie sich Outlook f\u00fcr iOS<https://aka.ms/o0ukef>",
        "N\u00e3o cont\u00e9m v\u00edrus. www.avast.com",
        "Diese Nachricht ist vertraulich und nur f\u00fcr den Empf\u00e4nger bestimmt.",
        "Ce message est confidentiel et r\u00e9serv\u00e9 \u00e0 son destinataire.",
        "<https://www.example.org/app>",
    ],
)
def test_lines_that_programs_and_servers_add(line):
    assert {line: "footer"} == reasons(f"take black grain\n\n{line}\n", ())


def test_a_rule_goes_with_the_lines_below_it():
    notice = "This message is confidential and meant only for its addressee."

    assert {"_" * 32: "footer", notice: "footer"} == reasons(f"take black grain\n{'_' * 32}\n{notice}\n", ())


@pytest.mark.parametrize(
    "labels",
    [
        "\u53d1\u4ef6\u4eba \u53d1\u9001\u65f6\u95f4 \u6536\u4ef6\u4eba \u4e3b\u9898",
        "De Enviadas Para Assunto",
        "\u041e\u0442 \u0414\u0430\u0442\u0430 \u041a\u043e\u043c\u0443 \u0422\u0435\u043c\u0430",
    ],
)
def test_headers_of_an_old_mail_in_any_language(labels):
    values = ["Post <p@example.org>", "2026-11-23 09:00", "Bia", "Village"]
    block = "\n".join(f"{label}: {value}" for label, value in zip(labels.split(), values, strict=True))

    assert ["take black grain"] == written(f"take black grain\n{block}\n\ntake green inn\ntake it\ntake all\n", ())


def test_headers_whose_line_ends_were_lost():
    head = "----- Forwarded Message ----- From: A <a@b.example>To: C <c@d.example>Sent: MondaySubject: Village"

    assert ["take black grain"] == written(f"take black grain\n{head}\nold words\n", ())


def test_words_between_quotes_are_never_taken_by_a_library():
    body = "> old\nPoor Jo\u00e3o :-)\n> older\ntake black grain\n> oldest\n"

    assert ["Poor Jo\u00e3o :-)", "take black grain"] == written(body, ())


def test_a_short_line_of_a_flowed_text_is_a_line_of_the_person():
    assert ["Bom dia!", "take 2 coins", "and good luck"] == flowed(
        "Bom dia! \ntake 2 coins \nand good luck\n", is_toy_order
    )


def test_what_is_known_of_a_mail_are_both_its_texts_and_its_sender():
    known = read_known((FOLDER / "answered" / "village-en.eml").read_bytes())

    assert ("Village post", "pbem@example.org") == known.names
    assert "Please answer by Wednesday 2 December, 15:30 (America/Sao_Paulo); that is 9" in known.lines
    assert any(line.startswith("A tap opens a reply") for line in known.lines)


@pytest.mark.parametrize("head", [HEADERS, "On Mon, 23 Nov 2026 at 09:00, Village post <pbem@example.org> wrote:"])
def test_below_the_head_of_an_old_mail_that_was_taken_out_a_person_writes(head):
    known = Known(KNOWN, ("Village post",))

    words = own_words(letter_of(f"{head}\n\nThis one:\ntake black grain\n"), known, is_toy_order)

    assert ["This one:", "take black grain"] == [one.text for one in words.written]


def test_an_old_mail_in_a_box_ends_with_it():
    raw = '<div class="yahoo_quoted"><p>old words</p><p>take green inn<p>last</div><p>take black grain'
    letter = read_letter(f"Content-Type: text/html\n\n{raw}".encode())

    words = own_words(letter, KNOWN, is_toy_order)

    assert ["take black grain"] == [one.text for one in words.written]
    assert ["old words", "take green inn", "last"] == [one.text for one in words.ignored]
