"""
A mail as bytes: headers that hold one line each, and a text and an HTML part as quoted-printable UTF-8.

Written by hand because it is the same few lines for every mail and ten times as fast as the general writer; what it
writes is read back with `email` in the tests.
"""

import binascii
import unicodedata
from collections.abc import Sequence
from email.header import Header
from email.utils import formataddr

HeaderLine = tuple[str, str]

_FOLD = 76


def one_line(text: str) -> str:
    """Return *text* as one line; what nobody sees, could end a header or turns the writing round is left out."""
    kept = (" " if char.isspace() else char for char in text)
    return " ".join("".join(char for char in kept if unicodedata.category(char) not in _UNSEEN).split())


def address_line(name: str, address: str) -> str:
    """
    Return a header value with one address and its name.

    Raises: UnicodeEncodeError for an address that is not ASCII.
    """
    return formataddr((one_line(name), one_line(address)))


def encode_mail(headers: Sequence[HeaderLine], text: str, html: str, boundary: str) -> bytes:
    """Return a mail with both parts, the text first; *boundary* must occur in neither."""
    lines = [_header(name, value) for name, value in headers]
    lines += [
        b"MIME-Version: 1.0",
        b'Content-Type: multipart/alternative; boundary="%s"' % boundary.encode("ascii"),
        b"",
    ]
    mark = b"--" + boundary.encode("ascii")
    lines += [mark, *_part("plain", text), mark, *_part("html", html), mark + b"--", b""]
    return b"\r\n".join(lines)


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _header(name: str, value: str) -> bytes:
    value = one_line(value)
    if not value.isascii():
        value = Header(value, "utf-8", maxlinelen=_FOLD, header_name=name).encode(linesep="\r\n")
        return f"{name}: {value}".encode("ascii")
    line, *words = f"{name}: {value}".split(" ")
    folded: list[str] = []
    for word in words:
        if folded and len(line) + len(word) + 1 > _FOLD:
            folded.append(line)
            line = ""
        elif not folded:
            folded.append("")
        line += f" {word}"
    return "\r\n".join([*folded[1:], line]).encode("ascii")


def _part(kind: str, body: str) -> list[bytes]:
    raw = body.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    encoded = b"\r\n" + binascii.b2a_qp(raw, istext=True)  # the blank line below the headers, and what follows it
    return [
        b'Content-Type: text/%s; charset="utf-8"' % kind.encode("ascii"),
        b"Content-Transfer-Encoding: quoted-printable",
        encoded.replace(b"\r\nFrom ", b"\r\n=46rom "),
    ]
