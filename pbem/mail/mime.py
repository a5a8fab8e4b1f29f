"""
The parts of a mail: a tree of `Part`, read without trust.

Only the header block is given to the standard library (policy compat32: ten times faster than the default policy, and
it does not raise). The multipart structure is split here, because the library's parser recurses once per level and a
mail of a few hundred nested multiparts ends it.
"""

import re
from collections.abc import Iterator
from email.parser import BytesHeaderParser
from email.policy import compat32

from msgspec import Struct

from pbem.mail.charsets import decode_header, decode_text, decode_transfer

MAX_DEPTH = 12
MAX_PARTS = 100
_MAX_HEADERS = 500
_MAX_VALUE = 16_384
_HEADER_BLOCK = re.compile(rb"(?:From [^\n]*\n)?(?:(?:[!-9;-~]+[ \t]*:|[ \t]+[^\s])[^\n]*(?:\n|\Z))*")
_BLANK_LINE = re.compile(rb"[ \t]*\r?\n")
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;"]*)')
_EXTENDED = re.compile(r"([^*]+)(?:\*(\d+))?(\*)?\Z")

Headers = tuple[tuple[str, str], ...]


class Part(Struct, frozen=True):
    """
    One node of the tree; `data` is the body with its transfer encoding undone, empty for a multipart.

    Shape: `type` is lower case, `text/plain` if the label is missing or broken; `parameters` are those of Content-Type,
           lower-case keys; `name` is the file name; `problems` are keys.
    """

    headers: Headers
    type: str
    parameters: dict[str, str]
    disposition: str
    name: str
    data: bytes
    parts: tuple["Part", ...] = ()
    problems: tuple[str, ...] = ()

    def text(self) -> tuple[str, bool]:
        """Return the body as text, and whether its charset label was right."""
        return decode_text(self.data, self.parameters.get("charset", ""))

    def walk(self) -> Iterator["Part"]:
        """Yield this part and all below it, in order."""
        yield self
        for part in self.parts:
            yield from part.walk()


def parse_part(raw: bytes) -> Part:
    """Return the tree of *raw*; never raises. Beyond MAX_DEPTH or MAX_PARTS parts stay closed, with a problem key."""
    return _Reader().read(raw, 0, "text/plain")


def parse_headers(block: bytes) -> Headers:
    """Return the raw headers of *block*, in order; surrogates stand for 8-bit bytes."""
    message = BytesHeaderParser(policy=compat32).parsebytes(block)
    return tuple((name, value[:_MAX_VALUE]) for name, value in list(message.raw_items())[:_MAX_HEADERS])


def parse_parameters(value: str) -> tuple[str, dict[str, str]]:
    """Return the main value of a header such as Content-Type, lower case, and its parameters (RFC 2231 joined)."""
    value = value.replace("\r", " ").replace("\n", " ")
    main = value.partition(";")[0].strip().lower()
    plain: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for key, written in _PARAMETER.findall(value):
        text = re.sub(r"\\(.)", r"\1", written[1:-1]) if written.startswith('"') else written.strip()
        match = _EXTENDED.match(key.lower())
        if match is None or (match[2] is None and match[3] is None):
            plain.setdefault(key.lower(), text)
        else:
            pieces.setdefault(match[1], {})[int((match[2] or "0")[:4])] = (text, match[3] is not None)
    return main, plain | {key: _join_pieces(found) for key, found in pieces.items()}


def split_headers(raw: bytes) -> tuple[bytes, bytes]:
    """Return the header block and the body of *raw*; a line that is no header ends the block like a blank one."""
    match = _HEADER_BLOCK.match(raw)
    end = match.end() if match else 0
    blank = _BLANK_LINE.match(raw, end)
    return raw[:end], raw[blank.end() if blank else end :]


class _Reader:
    """Counts the parts of one mail while reading them."""

    def __init__(self) -> None:
        self._parts = 0

    def read(self, raw: bytes, depth: int, default: str) -> Part:
        self._parts += 1
        block, body = split_headers(raw)
        headers = parse_headers(block)
        first = {name.lower(): value for name, value in reversed(headers)}
        kind, parameters = parse_parameters(first.get("content-type", default))
        disposition, extras = parse_parameters(first.get("content-disposition", ""))
        name = decode_header(extras.get("filename") or parameters.get("name", ""))
        if kind.count("/") != 1:
            kind = "text/plain"
        parts, problems, data = self._inside(kind, parameters, body, depth)
        if not parts:
            data, well_formed = decode_transfer(body, first.get("content-transfer-encoding", ""))
            problems += () if well_formed else ("encoding.broken",)
        return Part(headers, kind, parameters, disposition, name, data, parts, problems)

    def _inside(
        self, kind: str, parameters: dict[str, str], body: bytes, depth: int
    ) -> tuple[tuple[Part, ...], tuple[str, ...], bytes]:
        """Return the parts inside a multipart, problem keys, and no data; a multipart without boundary has no parts."""
        boundary = parameters.get("boundary", "")
        if not kind.startswith("multipart/") or not boundary:
            return (), (), b""
        if depth >= MAX_DEPTH:
            return (), ("parts.too-deep",), b""
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        parts: list[Part] = []
        for chunk in _split(body, boundary.encode("utf-8", "surrogateescape")):
            if self._parts >= MAX_PARTS:
                return tuple(parts), ("parts.too-many",), b""
            parts.append(self.read(chunk, depth + 1, default))
        return tuple(parts), (), b""


def _split(body: bytes, boundary: bytes) -> list[bytes]:
    """Return the chunks between the boundary lines; a missing last boundary ends at the end."""
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?$\n?", re.MULTILINE)
    chunks: list[bytes] = []
    start: int | None = None
    for match in line.finditer(body):
        if start is not None:
            chunks.append(_without_line_end(body[start : match.start()]))
        start = match.end()
        if match[1]:
            return chunks
    if start is not None:
        chunks.append(body[start:])
    return chunks


def _without_line_end(chunk: bytes) -> bytes:
    """Return *chunk* without the line end that belongs to the boundary after it."""
    if chunk.endswith(b"\r\n"):
        return chunk[:-2]
    return chunk.removesuffix(b"\n")


def _join_pieces(found: dict[int, tuple[str, bool]]) -> str:
    """Return an RFC 2231 value from its numbered pieces: `charset'language'percent-encoded`."""
    data = bytearray()
    charset = ""
    for number, (written, encoded) in sorted(found.items()):
        text = written
        if number == 0 and encoded and written.count("'") > 1:
            charset, _, text = written.split("'", 2)
        data += _percent_decoded(text) if encoded else text.encode("utf-8", "surrogateescape")
    return decode_text(bytes(data), charset)[0]


def _percent_decoded(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), data)
