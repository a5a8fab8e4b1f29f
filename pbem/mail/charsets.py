"""Bytes and header values to text, whatever the label says; nothing here raises."""

import base64
import binascii
import codecs
import quopri
import re
from functools import lru_cache

_ALIASES = {
    "utf8": "utf-8",
    "utf-8-mac": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "x-unknown": "",
    "unknown": "",
    "unknown-8bit": "",
    "default": "",
    "_iso-2022-jp$esc": "iso-2022-jp",
    "ansi": "cp1252",
    "ansi_x3.110-1983": "iso-8859-1",
    "iso-8859-1": "cp1252",  # what mislabels it means cp1252, and cp1252 only adds to it
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "x-windows-1252": "cp1252",
    "windows-1252http-equivcontent-type": "cp1252",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-6-i": "iso-8859-6",
    "ks_c_5601-1987": "cp949",
    "x-gbk": "gbk",
    "gb2312": "gb18030",
    "x-sjis": "shift_jis",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "cp-850": "cp850",
}
_NO_CHARSETS = frozenset({"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"})
_FALLBACKS = ("utf-8", "cp1252")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_WORD = re.compile(r"=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bBqQ])\?([^?]*)\?=")
_WORD_GAP = re.compile(r"(\?=)\s+(?==\?)")
_INVISIBLE = dict.fromkeys(
    [
        *range(0x09), *range(0x0E, 0x20), 0x7F, 0xAD, 0x61C, 0x180E, 0xFEFF, 0xFFFC,
        *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xD800, 0xE000),
    ]
)  # fmt: skip
_SPACES = dict.fromkeys([0x09, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
_CLEAN = {**_INVISIBLE, **_SPACES}
_UNCLEAN = re.compile("[{}]".format("".join(map(chr, _CLEAN))))
_LINE_END = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")


def decode_text(data: bytes, label: str) -> tuple[str, bool]:
    """
    Return *data* as text, and whether its charset label was right.

    The label is tried first (with known misspellings put right), then UTF-8, then Windows-1252, then Latin-1, which
    takes everything.
    """
    wanted = label.strip().strip("\"'").lower()
    wanted = _ALIASES.get(wanted, wanted)
    tries = (*_FALLBACKS, wanted) if wanted == "cp1252" else (wanted, *_FALLBACKS)  # UTF-8 is not read by accident
    for charset in tries:
        if _is_charset(charset):
            try:
                return data.decode(charset), charset == wanted or data.isascii()
            except (ValueError, LookupError):  # LookupError: a codec, but not of text (`base64`)
                continue
    return data.decode("latin-1"), False


def decode_transfer(data: bytes, encoding: str) -> tuple[bytes, bool]:
    """Return the bytes behind a Content-Transfer-Encoding, and whether they were well formed."""
    name = encoding.strip().strip("\"'").lower()
    if name == "base64":
        return _decode_base64(data)
    if name == "quoted-printable":
        return quopri.decodestring(data), True
    return data, name in {"", "7bit", "8bit", "binary"}


def decode_header(value: str) -> str:
    """Return a header value as text: RFC 2047 words decoded, raw 8-bit bytes guessed, white space folded."""
    if value.isascii() and "=?" not in value:
        return " ".join(clean(value.replace("\r", " ").replace("\n", " ")).split())
    raw, _ = decode_text(value.encode("utf-8", "surrogateescape"), "utf-8")
    joined = _WORD_GAP.sub(r"\1", raw)
    parts: list[str] = []
    pending = ("", b"")  # words of one charset are joined first: a character may be cut between two words
    end = 0
    for match in _WORD.finditer(joined):
        charset, data = match[1].lower(), _decode_word(match[2], match[3])
        between = joined[end : match.start()]
        if between or charset != pending[0]:
            parts += (decode_text(pending[1], pending[0])[0], between)
            pending = (charset, b"")
        pending = (charset, pending[1] + data)
        end = match.end()
    parts += (decode_text(pending[1], pending[0])[0], joined[end:])
    return " ".join(clean("".join(parts).replace("\r", " ").replace("\n", " ")).split())


def clean(text: str) -> str:
    """Return *text* without invisible characters (NUL, zero width, bidi, U+FFFC), with plain spaces only."""
    return text.translate(_CLEAN) if _UNCLEAN.search(text) else text


def split_lines(text: str) -> list[str]:
    """Return the lines of *text*, cleaned; any kind of line end counts."""
    return [clean(line) for line in _LINE_END.split(text)]


def _decode_base64(data: bytes) -> tuple[bytes, bool]:
    """Read what can be read: foreign characters are left out, a missing end is filled up."""
    body = _NOT_BASE64.sub(b"", data)
    well_formed = len(body) % 4 != 1 and not _NOT_BASE64.search(data.translate(None, b" \t\r\n="))
    if len(body) % 4 == 1:
        body = body[:-1]
    try:
        return base64.b64decode(body + b"=" * (-len(body) % 4)), well_formed
    except binascii.Error:
        return data, False


def _decode_word(kind: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    if kind in "bB":
        return _decode_base64(data)[0]
    return quopri.decodestring(data.replace(b"_", b" "))


@lru_cache(256)
def _is_charset(name: str) -> bool:
    """Return whether *name* may be a charset: Python's codecs also know escape notations."""
    try:
        return codecs.lookup(name).name not in _NO_CHARSETS
    except (LookupError, ValueError):
        return False
