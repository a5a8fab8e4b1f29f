"""
Tags: the short text in every mail to a seat that comes back by itself and proves the seat.

`g12.s2.d141.k7f3q9xk2m` is game 12, seat 2, decision 141, and a secret of ten letters (50 bits). The secret binds
game, seat and epoch and *not* the decision: every valid tag of a seat proves the seat, whichever decision it tells.
It changes with the epoch, which the caller raises when the seat gets a new owner or when a new secret is asked for.

Four carriers bring it back: the plus address, our Message-ID, the References that mail clients copy from it, and the
marker line in the body. They are written and read here; only the bare shape of a tag stands in `pbem.mail.marker`.

A mail to the game master, or to a deputy, carries a tag too, `g12.gm.d55.k7f3q9xk2m`: game 12, 0 for none, and the
number of that mail. Its secret binds all of this and whose the mail is: no tag tells another, and a changed address
makes the old ones worthless, as does the end of a deputy's time.

A bounce brings back the number of the mail that it is about, in `X-PBEM-Outbox`; it is marked too, so that nobody can
make up the return of a mail that he never had.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from engine.core.types import GM
from pbem.mail.letter import Letter
from pbem.mail.marker import MARKER, TAG
from pbem.mail.phrases import is_forward_rule

Carrier = Literal["address", "message-id", "reference", "marker"]

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: they are misread
SECRET_LENGTH = 10
_OUTBOX = "pbem outbox\n{}"
_MISREAD = str.maketrans("ilo", "110")


class Tag(Struct, frozen=True):
    """A tag as read; whether its secret is right is asked with `is_valid`; seat GM: with `is_valid_master`."""

    game: int
    seat: int
    decision: int
    secret: str

    def __str__(self) -> str:
        """Return the text of the tag."""
        return f"g{self.game}.{_place(self.seat)}.d{self.decision}.{self.secret}"

    def __repr__(self) -> str:
        """Return the tag without its secret, for logs."""
        return f"Tag(g{self.game}.{_place(self.seat)}.d{self.decision}.…)"


class FoundTag(Struct, frozen=True):
    """A tag and where in the letter it stood; as `message-id` it means that the letter itself is one of ours."""

    tag: Tag
    carrier: Carrier


def make_tag(key: bytes, game: int, seat: int, decision: int, epoch: int) -> str:
    """
    Return the text of the tag of *seat* in *game* for *decision*.

    Shape:  *key* is the secret of the key file; *epoch* counts the owners and secrets that the seat has had.
    Raises: ValueError for a negative number or an empty key.
    """
    if not key or min(game, seat, decision, epoch) < 0:
        raise ValueError("a tag needs a key and numbers from 0")
    return str(Tag(game, seat, decision, _secret(key, game, seat, epoch)))


def is_valid(key: bytes, tag: Tag, epoch: int) -> bool:
    """Return whether *tag* carries the secret of its seat at *epoch*, in constant time."""
    return hmac.compare_digest(_secret(key, tag.game, tag.seat, epoch), tag.secret)


def make_master_tag(key: bytes, game: int, mail: int, whose: str) -> str:
    """
    Return the text of the tag of the mail with the number *mail*, about *game*, 0 for none, to a game master.

    *whose* tells his part and his address; whoever has another one has another tag.
    Raises: ValueError for a negative number or an empty key.
    """
    if not key or min(game, mail) < 0:
        raise ValueError("a tag needs a key and numbers from 0")
    return str(Tag(game, GM, mail, _master_secret(key, game, mail, whose)))


def is_valid_master(key: bytes, tag: Tag, whose: str) -> bool:
    """Return whether *tag* is that of a mail of ours to the game master *whose*, in constant time."""
    return tag.seat == GM and hmac.compare_digest(_master_secret(key, tag.game, tag.decision, whose), tag.secret)


def parse_tags(text: str) -> list[Tag]:
    """Return the tags in *text*, in order, each once; letters that are misread (i, l, o) are put right."""
    return list(dict.fromkeys(_tag(found) for found in TAG.finditer(text)))


def find_tags(letter: Letter) -> tuple[FoundTag, ...]:
    """
    Return every tag that *letter* carries, with its carrier, each pair once.

    The subject is not looked at (the visible subject carries no secret), nor are forwarded letters, attached or below a
    line that says so.
    """
    places: tuple[tuple[Carrier, Iterable[str]], ...] = (
        ("address", letter.recipients),
        ("message-id", (letter.message_id,)),
        ("reference", letter.references),
        ("marker", takewhile(lambda text: not is_forward_rule(text), (line.text for line in letter.lines))),
    )
    found: dict[FoundTag, None] = {}
    for carrier, texts in places:
        pattern = MARKER if carrier == "marker" else TAG
        for text in texts:
            found.update((FoundTag(_tag(match), carrier), None) for match in pattern.finditer(text))
    return tuple(found)


def plus_address(address: str, tag: str) -> str:
    """Return *address* with *tag* after a plus sign: `pbem+TAG@example.org`."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{tag}@{domain}"


def message_id(tag: str, nonce: str, domain: str) -> str:
    """Return a Message-ID, angle brackets included, that carries *tag*; *nonce* makes it unique."""
    return f"<{tag}.{nonce}@{domain}>"


def marker_line(tag: str, words: str) -> str:
    """Return the marker line: `#TAG · write above this line`, *words* in the reader's language."""
    return f"#{tag} · {words}"


def make_receipt(key: bytes, game: int, seat: int, decision: int, moves: Iterable[str]) -> str:
    """Return the receipt of a letter to *decision* that was understood as *moves*: `k7f3q-9xk2m`, 50 bits."""
    text = "\n".join(("pbem receipt", str(game), str(seat), str(decision), *moves))
    code = _letters(key, text)
    return f"{code[: SECRET_LENGTH // 2]}-{code[SECRET_LENGTH // 2 :]}"


def mark_outbox(key: bytes, number: int) -> str:
    """Return the value of `X-PBEM-Outbox` for the mail with that *number*: `4711.k7f3q9xk2m`."""
    return f"{number}.{_letters(key, _OUTBOX.format(number))}"


def read_outbox(key: bytes, value: str) -> int | None:
    """Return the number in a value of `X-PBEM-Outbox`, None if it was not made by us."""
    number, _, secret = value.lower().partition(".")
    if not re.fullmatch("[0-9]{1,12}", number) or not secret.isascii():
        return None
    return int(number) if hmac.compare_digest(mark_outbox(key, int(number)), f"{int(number)}.{secret}") else None


def _tag(match: re.Match[str]) -> Tag:
    game, seat, decision, secret = match.groups()
    return Tag(int(game), GM if seat is None else int(seat), int(decision), secret.lower().translate(_MISREAD))


def _place(seat: int) -> str:
    return "gm" if seat == GM else f"s{seat}"


def _secret(key: bytes, game: int, seat: int, epoch: int) -> str:
    return _letters(key, f"pbem tag\n{game}\n{seat}\n{epoch}")


def _master_secret(key: bytes, game: int, mail: int, whose: str) -> str:
    return _letters(key, f"pbem master\n{game}\n{mail}\n{whose}")


def _letters(key: bytes, text: str) -> str:
    """Return the secret letters that belong to *text*."""
    digest = hmac.new(key, text.encode(), hashlib.sha256).digest()
    bits = int.from_bytes(digest[:8], "big") >> (64 - 5 * SECRET_LENGTH)
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(SECRET_LENGTH)))
