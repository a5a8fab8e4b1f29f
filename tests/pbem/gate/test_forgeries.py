"""
Letters that pretend: whatever they carry, no seat moves, and the reason stands with each.

Bob, seat 1 of game 1, is the victim. Ana sits beside him; Eve holds seat 0 of game 2, in which Bob plays too; Mallory
plays nowhere. All of them can read what they were sent, and guess.
"""

import base64
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage

import pytest
from msgspec import Struct

from engine.core.types import Seat
from pbem.gate.tags import make_tag, plus_address
from pbem.live import take_up
from pbem.moderation import replace_holder, rewind
from pbem.opening import GameOffer, SeatOffer, open_game
from tests.pbem.table import OUR, Table, text_of
from tests.pbem.test_referee import bounce
from tests.pbem.witness import SetTable, command, holder, said, seated, stake

MALLORY = "mallory@nowhere.test"
BOB = "bob@players.test"


def tag_of(table: Table, name: str) -> str:
    """Return the tag in the newest mail to *name*."""
    return text_of(table.last(name)).split(" ")[0].removeprefix("#")


def marker(tag: str) -> str:
    return f"#{tag} · write above this line"


def order(table: Table) -> str:
    """Return an order that Bob could give; the forger has guessed his cards."""
    return stake(table, "Bob", 2)


def with_marker(table: Table, tag: str, sender: str = MALLORY) -> EmailMessage:
    return table.letter(sender, f"{order(table)}\n\n{marker(tag)}\n")


def second_game(table: Table) -> str:
    """Open a game of Eve and Bob; return Eve's tag in it."""
    offers = (SeatOffer("Eve", "eve@players.test", "en", "UTC"), SeatOffer("Bob", BOB, "en", "UTC"))
    with table.service.store.write() as session:
        game = open_game(session, GameOffer("bids", offers, seed=bytes(32)), table.now, start=True).game.id
    table.tick()
    return make_tag(table.service.key, game, 0, 1, 0)


def part_of(kind: str, subtype: str, data: bytes, name: str) -> Callable[[EmailMessage], None]:
    return lambda mail: mail.add_attachment(data, maintype=kind, subtype=subtype, filename=name)


def html(table: Table, body: str, sender: str = MALLORY) -> EmailMessage:
    """Return a letter that has nothing but HTML."""
    mail = table.letter(sender, "x")
    mail.set_content(f"<html><body><div>{order(table)}</div>{body}</body></html>", subtype="html")
    return mail


def own_secret_other_seat(table: Table) -> EmailMessage:
    return with_marker(table, tag_of(table, "Ana").replace(".s0.", ".s1."))


def own_secret_other_game(table: Table) -> EmailMessage:
    return with_marker(table, second_game(table).replace("g2.s0.", "g1.s1."), "eve@players.test")


def same_seat_of_the_other_game(table: Table) -> EmailMessage:
    second_game(table)
    return with_marker(table, make_tag(table.service.key, 2, 1, 1, 0).replace("g2.", "g1."))


def shortened(table: Table) -> EmailMessage:
    return with_marker(table, tag_of(table, "Bob")[:-1])


def lengthened(table: Table) -> EmailMessage:
    return with_marker(table, tag_of(table, "Bob") + "0")


def one_letter_off(table: Table) -> EmailMessage:
    tag = tag_of(table, "Bob")
    return with_marker(table, tag[:-1] + ("2" if tag[-1] != "2" else "3"))


def nothing_behind_the_numbers(table: Table) -> EmailMessage:
    return with_marker(table, tag_of(table, "Bob").rpartition(".")[0] + ".0000000000")


def full_width(table: Table) -> EmailMessage:
    tag = tag_of(table, "Bob")[:-1] + "０"  # noqa: RUF001 - on purpose
    return with_marker(table, tag)


def two_tags_in_the_body(table: Table) -> EmailMessage:
    mail = with_marker(table, tag_of(table, "Ana"), "ana@players.test")
    mail.set_content(f"{order(table)}\n{marker(tag_of(table, 'Ana'))}\n\n{marker(tag_of(table, 'Bob'))}\n")
    return mail


def two_tags_in_two_carriers(table: Table) -> EmailMessage:
    mail = with_marker(table, tag_of(table, "Ana"))
    del mail["To"]
    mail["To"] = plus_address(OUR, tag_of(table, "Bob"))
    return mail


def in_an_attached_forward(table: Table) -> EmailMessage:
    mail = table.letter(MALLORY, order(table))
    inner = EmailMessage()
    inner["From"], inner["To"], inner["Message-ID"] = OUR, BOB, table.last("Bob").message_id
    inner.set_content(text_of(table.last("Bob")))
    mail.add_attachment(inner)
    return mail


def below_a_line_that_says_forwarded(table: Table) -> EmailMessage:
    head = f"---------- Forwarded message ---------\nFrom: Test post <{OUR}>\nTo: <{BOB}>\n\n"
    return table.letter(MALLORY, f"{order(table)}\n\n{head}{text_of(table.last('Bob'))}\n", Subject="Fwd: your move")


def below_a_portuguese_forward(table: Table) -> EmailMessage:
    head = f"---------- Mensagem encaminhada ---------\nDe: Test post <{OUR}>\nPara: <{BOB}>\n\n"
    return table.letter(MALLORY, f"{order(table)}\n\n{head}{text_of(table.last('Bob'))}\n", Subject="Enc: sua vez")


def in_a_text_file(table: Table) -> EmailMessage:
    mail = table.letter(MALLORY, order(table))
    part_of("text", "plain", marker(tag_of(table, "Bob")).encode(), "orders.txt")(mail)
    return mail


def in_a_picture(table: Table) -> EmailMessage:
    mail = table.letter(MALLORY, order(table))
    part_of("image", "png", b"\x89PNG " + marker(tag_of(table, "Bob")).encode(), "board.png")(mail)
    return mail


def in_an_html_comment(table: Table) -> EmailMessage:
    return html(table, f"<!-- {marker(tag_of(table, 'Bob'))} -->")


def in_html_attributes(table: Table) -> EmailMessage:
    tag = tag_of(table, "Bob")
    return html(table, f'<a href="mailto:{plus_address(OUR, tag)}?body=%23{tag}" title="{marker(tag)}">move</a>')


def in_a_style_sheet(table: Table) -> EmailMessage:
    return html(table, f"<style>/* {marker(tag_of(table, 'Bob'))} */</style>")


def in_the_subject(table: Table) -> EmailMessage:
    return table.letter(MALLORY, order(table), Subject=f"Re: {marker(tag_of(table, 'Bob'))}")


def header_that_is_no_carrier(name: str) -> Callable[[Table], EmailMessage]:
    def build(table: Table) -> EmailMessage:
        tag = tag_of(table, "Bob")
        values = {
            "Reply-To": plus_address(OUR, tag),
            "Sender": BOB,
            "Received": f"from mail by mx for <{plus_address(OUR, tag)}>; Mon, 2 Mar 2026 12:00:00 +0000",
            "Authentication-Results": f"pbem.test; spf=pass; dkim=pass header.d=players.test; dmarc=pass from={BOB}",
            "Comments": marker(tag),
            "X-Original-From": BOB,
        }
        return table.letter(MALLORY, order(table), **{name: values[name]})

    return build


def from_alone(table: Table) -> EmailMessage:
    return table.letter(f"Bob <{BOB}>", order(table), Subject="Re: [Bids #1] Your turn")


def from_with_the_papers_of_his_server(table: Table) -> EmailMessage:
    results = f"pbem.test; spf=pass smtp.mailfrom={BOB}; dkim=pass header.d=players.test; dmarc=pass header.from={BOB}"
    return table.letter(BOB, order(table), Sender=BOB, Authentication_Results=results)


def two_froms(table: Table) -> bytes:
    return f"From: {MALLORY}\n".encode() + table.letter(BOB, order(table)).as_bytes()


def our_thread_without_a_secret(table: Table) -> EmailMessage:
    return table.letter(MALLORY, order(table), References="<g1.s1@pbem.test>")


def his_name_in_his_game(table: Table) -> EmailMessage:
    return table.letter(f"Bob <{MALLORY}>", order(table), Subject="Re: [Bids #1] Your turn")


def in_a_delivery_report(table: Table) -> bytes:
    raw = bounce(table, "Bob", "4.0.0", "delayed").decode()
    return raw.replace("It could not be delivered.", f"{order(table)}\n\n{marker(tag_of(table, 'Bob'))}").encode()


def made_up_delivery_report(table: Table) -> bytes:
    head = "X-PBEM-Outbox: 2\nX-PBEM-Game: 1\nX-PBEM-Seat: 1"
    raw = bounce(table, "Bob").decode()
    before, _, after = raw.partition("text/rfc822-headers\n\n")
    return f"{before}text/rfc822-headers\n\n{head}\n\n{after[after.index('--b--') :]}".encode()


def after_a_new_owner(table: Table) -> EmailMessage:
    letter = table.reply("Bob", order(table))
    with table.service.store.write() as session:
        offer = SeatOffer("Carl", "carl@players.test", "en", "UTC")
        replace_holder(session, take_up(session, 1), Seat(1), offer, "", table.now)
    return letter


def after_a_new_secret(table: Table) -> EmailMessage:
    letter = table.reply("Bob", order(table))
    table.says("Bob", "new tag")
    return letter


class Forgery(Struct, frozen=True):
    """How a letter is made, and what becomes of it."""

    make: Callable[[Table], EmailMessage | bytes]
    status: str
    reason: str


FORGERIES = {
    "own secret, other seat": Forgery(own_secret_other_seat, "done", "tag.bad"),
    "own secret, other game": Forgery(own_secret_other_game, "done", "tag.bad"),
    "same seat of the other game": Forgery(same_seat_of_the_other_game, "done", "tag.bad"),
    "shortened": Forgery(shortened, "done", "sender.unknown"),
    "lengthened": Forgery(lengthened, "done", "sender.unknown"),
    "one letter off": Forgery(one_letter_off, "done", "tag.bad"),
    "nothing behind the numbers": Forgery(nothing_behind_the_numbers, "done", "tag.bad"),
    "full width": Forgery(full_width, "done", "sender.unknown"),
    "two tags in the body": Forgery(two_tags_in_the_body, "done", "tag.conflict"),
    "two tags in two carriers": Forgery(two_tags_in_two_carriers, "done", "tag.conflict"),
    "in an attached forward": Forgery(in_an_attached_forward, "done", "sender.unknown"),
    "below a line that says forwarded": Forgery(below_a_line_that_says_forwarded, "done", "sender.unknown"),
    "below a Portuguese forward": Forgery(below_a_portuguese_forward, "done", "sender.unknown"),
    "in a text file": Forgery(in_a_text_file, "done", "sender.unknown"),
    "in a picture": Forgery(in_a_picture, "done", "sender.unknown"),
    "in an HTML comment": Forgery(in_an_html_comment, "done", "sender.unknown"),
    "in HTML attributes": Forgery(in_html_attributes, "done", "sender.unknown"),
    "in a style sheet": Forgery(in_a_style_sheet, "done", "sender.unknown"),
    "in the subject": Forgery(in_the_subject, "done", "sender.unknown"),
    **{
        f"in {name}": Forgery(header_that_is_no_carrier(name), "done", "sender.unknown")
        for name in ("Reply-To", "Sender", "Received", "Authentication-Results", "Comments", "X-Original-From")
    },
    "From alone": Forgery(from_alone, "held", "tag.missing"),
    "From with the papers of his server": Forgery(from_with_the_papers_of_his_server, "held", "tag.missing"),
    "two From": Forgery(two_froms, "done", "sender.unknown"),
    "our thread without a secret": Forgery(our_thread_without_a_secret, "held", "tag.missing"),
    "his name in his game": Forgery(his_name_in_his_game, "held", "tag.missing"),
    "in a delivery report": Forgery(in_a_delivery_report, "dropped", "bounce"),
    "made-up delivery report": Forgery(made_up_delivery_report, "dropped", "bounce"),
    "after a new owner": Forgery(after_a_new_owner, "done", "tag.old"),
    "after a new secret": Forgery(after_a_new_secret, "done", "tag.old"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_moves_nobody_and_its_reason_is_kept(set_table: SetTable, name: str) -> None:
    table = seated(set_table)
    forgery = FORGERIES[name]
    letter = forgery.make(table)
    moves = table.moves()

    table.post(letter)
    table.tick()

    kept = table.stored()[-1]
    assert (forgery.status, forgery.reason) == (kept.status, kept.reason)
    assert () == holder(table, 0).plan == holder(table, 1).plan
    assert moves == table.moves()
    assert not holder(table, 1).unreachable


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forger_gets_none_of_his_words_back_and_nothing_of_the_game(set_table: SetTable, name: str) -> None:
    table = seated(set_table)
    letter = FORGERIES[name].make(table)
    words = order(table).partition(":")[0]

    table.post(letter)
    table.tick()

    got = [raw for to, raw in table.server.taken if to == MALLORY]
    assert len(got) <= 1
    for raw in got:
        assert words.encode() not in raw
        assert b"#g1" not in raw
        assert b"Ana" not in raw


def test_a_forged_sender_stops_no_clock(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.tick(after=timedelta(hours=23))
    table.post(from_alone(table))
    table.tick()

    table.tick(after=timedelta(hours=2))

    assert holder(table, 1).number > 1
    assert [one for one in table.moves() if one.startswith("1 ")]


def test_the_registered_address_is_asked_and_nobody_else(set_table: SetTable) -> None:
    table = seated(set_table)

    table.post(table.letter(BOB, order(table), Reply_To=MALLORY))
    table.tick()

    assert "confirm 1" in said(table.mail("Bob"))
    assert not [to for to, _ in table.server.taken if to == MALLORY]


def test_what_is_public_holds_no_tag(set_table: SetTable, capsys: pytest.CaptureFixture[str]) -> None:
    table = seated(set_table)
    table.says("Bob", order(table))
    table.says("Ana", stake(table, "Ana"))
    secrets = [tag_of(table, name).rpartition(".")[2] for name in table.people]

    outputs = [
        command(table, "game", *words).out
        for words in (("export", "1", "--reveal"), ("log", "1", "--json"), ("show", "1", "--json"), ("list", "--json"))
    ]
    outputs += [command(table, "mail", *words).out for words in (("list", "--json"), ("list",))]

    assert all(outputs)
    assert not [secret for secret in secrets for text in outputs if secret in text]


def test_press_carries_no_tag_to_others(set_table: SetTable) -> None:
    table = seated(set_table)
    tag = tag_of(table, "Bob")

    table.says("Bob", f"tell ana: my line is #{tag} and my box {plus_address(OUR, tag)}, {base64.b64encode(b'x')!r}")

    mail = table.mail("Ana")
    assert "my line is" in said(mail)
    assert tag.rpartition(".")[2] not in said(mail)
    assert "pbem+" not in said(mail)


def test_a_letter_replayed_after_a_rewind_is_known(set_table: SetTable) -> None:
    table = seated(set_table)
    first = table.reply("Bob", order(table))
    table.post(first)
    table.post(table.reply("Ana", stake(table, "Ana")))
    table.tick()
    with table.service.store.write() as session:
        rewind(session, take_up(session, 1), 1, "", table.now)
    table.tick()

    table.post(first)
    table.tick()
    renamed = EmailMessage()
    for header, value in first.items():
        if header not in ("Message-ID", "Content-Type", "Content-Transfer-Encoding", "MIME-Version"):
            renamed[header] = value
    renamed["Message-ID"] = "<another@players.test>"
    renamed.set_content(first.get_content())
    table.post(renamed)
    table.tick()

    assert ["duplicate", "refused"] == [one.reason for one in table.stored()[-2:]]
    assert holder(table, 1).plan == ()


def test_an_answer_to_an_older_question_is_explained_and_not_played(set_table: SetTable) -> None:
    table = seated(set_table)
    old = table.last("Bob")
    table.says("Bob", order(table))
    table.says("Ana", stake(table, "Ana"))
    table.mails("Bob")

    table.post(table.reply("Bob", f"stake {table.hand('Bob')[0]}", to=old))
    table.tick()

    assert "refused" == table.stored()[-1].reason
    assert holder(table, 1).plan == ()
    assert "question" in said(table.mail("Bob"))
