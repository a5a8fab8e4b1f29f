"""What is left in a world that anybody could see, and how two worlds differ that should be the same."""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from email import message_from_bytes
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.kill.world import World

Rows = tuple[tuple[tuple[str, Any], ...], ...]

MAY_DIFFER: Mapping[str, tuple[str, ...]] = {
    "letters": ("tries",),
    "outbox": ("tries", "uncertain"),
    "mailboxes": ("bad_uid", "bad_tries", "pace"),
    "findings": ("at",),
}
"""
Columns that count how often something was tried, or tell when it was last; a pass more counts more. So does the finding
that tells of passes, which is not looked at.
"""

_NONCE = re.compile(rb"[0-9a-f]{16}")
_IDENTITY_LINE = re.compile(rb"(?:^|\r\n)Message-ID:\s+\S+")
_OUTBOX_MARK = re.compile(rb"(\r\nX-PBEM-Outbox: \d+)\.\w+")


class Traces(Struct, frozen=True):
    """
    What is left of a world.

    `tables`  the rows of every table of the store
    `sent`    recipient, Message-ID and bytes of each mail that the server took, in its order
    `inbox`, `processed`  the uids that lie there
    `key`     size and mode of the key, if the world has one of its own
    """

    tables: dict[str, Rows]
    sent: tuple[tuple[str, str, bytes], ...]
    inbox: tuple[int, ...]
    processed: tuple[int, ...]
    key: tuple[int, int] | None

    def faults(self) -> list[str]:
        """Return what the program noted of its own faults."""
        rows = [dict(row) for name in ("letters", "outbox") for row in self.tables[name]]
        return [str(row["error"]) for row in rows if "Traceback" in str(row["error"])]

    def fingerprint(self) -> int:
        """Return the same number in this process for worlds that a pass goes on from in the same way."""
        nonces: dict[str, str] = {}

        def known(identity: str) -> str:
            return re.sub("[0-9a-f]{16}", lambda found: nonces.setdefault(found[0], str(len(nonces))), identity)

        posted = tuple(known(str(dict(row)["message_id"])) for row in self.tables.get("outbox", ()))
        sent = tuple((to, known(identity), _nameless(raw)) for to, identity, raw in self.sent)
        others = tuple(
            tuple(tuple(pair for pair in row if pair[0] != "message_id") if name == "outbox" else row for row in rows)
            for name, rows in sorted(self.tables.items())
        )
        return hash((tuple(sorted(self.tables)), others, posted, sent, self.inbox, self.processed, self.key))

    def acts(self) -> int:
        """Return how many acts are on record."""
        return len(self.tables["acts"])


class Verdict(Struct, frozen=True):
    """
    What a kill has done, each a list of what was found, empty if all is well.

    `lost`      letters, entries, notices and mails that should be there
    `doubled`   those that should not be there, or not so often
    `repeated`  Message-IDs of mails that arrived once more, the same bytes; `changed` those whose bytes are others
    `log`, `boxes`, `rest`  where the logs differ, the mailbox, and the other tables
    """

    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    repeated: tuple[str, ...]
    changed: tuple[str, ...]
    log: tuple[str, ...]
    boxes: tuple[str, ...]
    rest: tuple[str, ...]

    def breaches(self, kills: int) -> list[str]:
        """Return what is wrong after so many kills, each of which may repeat one mail."""
        wrong = [*self.lost, *self.doubled, *self.changed, *self.log, *self.boxes, *self.rest]
        return [*wrong, *(f"repeated: {one}" for one in self.repeated if len(self.repeated) > kills)]


def look_at(world: World) -> Traces:
    """Return what is left in *world*, where no process is at work."""
    sent = [(to, str(message_from_bytes(raw)["Message-ID"]), raw) for to, raw in world.taken()]
    boxes = (tuple(world.lying_in(name)) for name in ("INBOX", "Processed"))
    path = world.disk / "pbem.key"
    key = (path.stat().st_size, path.stat().st_mode) if path.exists() else None
    return Traces(_tables(world.store), tuple(sent), *boxes, key)


def _tables(path: Path) -> dict[str, Rows]:
    with closing(sqlite3.connect(path)) as store:
        names = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {}
        for name in names:
            of = "findings WHERE name != 'pass' ORDER BY name" if name == "findings" else f'"{name}" ORDER BY rowid'
            rows = store.execute(f"SELECT * FROM {of}")
            columns = [one[0] for one in rows.description]
            found[name] = tuple(tuple(zip(columns, map(_plain, row), strict=True)) for row in rows)
        return found


def _plain(value: Any) -> Any:
    return _nameless(value) if isinstance(value, bytes) else value


@lru_cache(maxsize=4_096)
def _nameless(raw: bytes) -> bytes:
    """Return a mail of ours without what is drawn anew for each, in its Message-ID and its boundaries."""
    head = raw[: raw.find(b"\r\n\r\n")]
    if b"X-PBEM-Kind" not in head:
        return raw
    found = _IDENTITY_LINE.search(head)
    for nonce in set(_NONCE.findall(found[0])) if found else ():
        raw = raw.replace(nonce, b"nonce")
    return _OUTBOX_MARK.sub(rb"\1", raw)


def compare(expected: Traces, found: Traces, *, regrouped: bool = False) -> Verdict:
    """
    Return what is different in the traces *found* after a trouble.

    *regrouped*: the same may be told in other mails, because the pass did what it could and the next one the rest.
    """
    lost, doubled = _differences(_what(expected, mails=not regrouped), _what(found, mails=not regrouped))
    after = _by_identity(found)
    usual = {_nameless(raws[0]): len(raws) for raws in _by_identity(expected).values()}
    kept = {str(dict(row)["message_id"]): str(dict(row)["status"]) for row in found.tables["outbox"]}
    already = {str(dict(row)["message_id"]) for row in expected.tables["outbox"]}
    lost += [
        f"lost {one}: sent, but not taken" for one in kept if kept[one] == "sent" and one not in {*after, *already}
    ]
    doubled += [f"a mail that is not kept: {one}" for one in after if one not in kept]
    more = {one: len(raws) - usual.get(_nameless(raws[0]), 1) for one, raws in after.items()}
    other = {"log", "notices", "outbox"} if regrouped else {"log"}
    names = sorted((expected.tables.keys() | found.tables.keys()) - other)
    return Verdict(
        lost=tuple(lost),
        doubled=tuple(doubled),
        repeated=tuple(one for one, count in more.items() for _ in range(count)),
        changed=tuple(one for one, raws in after.items() if len(set(raws)) > 1),
        log=tuple(_unlike("log", expected, found)),
        boxes=tuple(_boxes(expected, found)),
        rest=(
            *(one for name in names for one in _unlike(name, expected, found)),
            *([] if expected.key == found.key else [f"key: {found.key} instead of {expected.key}"]),
        ),
    )


def _what(traces: Traces, *, mails: bool) -> Counter[str]:
    """
    Return letters, entries, notices and mails, each as a line; a mail that was sent again counts once.

    A notice has the state of the mail that tells it.
    """
    states = {dict(row).get("id"): dict(row)["status"] for row in traces.tables["outbox"]}
    lines = [
        f"{name}: {_identity(name, dict(row))}"
        for name in ("letters", "log", *(["outbox"] if mails else []))
        for row in traces.tables[name]
    ]
    lines += (
        f"notices: {_identity('notices', dict(row))} {states.get(dict(row).get('mail_id'), 'untold')}"
        for row in traces.tables["notices"]
    )
    told = {(to, identity, _nameless(raw)) for to, identity, raw in traces.sent if mails}
    return Counter([*lines, *(f"mail to {to}: {raw!r}" for to, _, raw in told)])


_IDENTITY = {
    "letters": ("uidvalidity", "uid", "status", "reason", "game_id", "seat"),
    "log": ("game_id", "seq", "seat", "text", "cause"),
    "notices": ("game_id", "seat", "key", "fields"),
    "outbox": ("game_id", "seat", "kind", "decision", "recipient", "status", "raw"),
}


def _identity(name: str, row: Mapping[str, Any]) -> str:
    return " ".join(str(row[column]) for column in _IDENTITY[name])


def _differences(expected: Counter[str], found: Counter[str]) -> tuple[list[str], list[str]]:
    """Return what is lost and what is doubled."""
    return (
        [f"lost {one[:300]}" for one in (expected - found).elements()],
        [f"doubled {one[:300]}" for one in (found - expected).elements()],
    )


def _by_identity(traces: Traces) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = defaultdict(list)
    for _, identity, raw in traces.sent:
        found[identity].append(raw)
    return found


def _unlike(name: str, expected: Traces, found: Traces) -> Iterable[str]:
    """Return the first row of a table that differs, in words."""
    rows, others = (_comparable(name, one.tables.get(name, ())) for one in (expected, found))
    if rows == others:
        return
    if len(rows) != len(others):
        yield f"{name}: {len(others)} rows instead of {len(rows)}"
    for row, other in zip(rows, others, strict=False):
        if row != other:
            pairs = zip(row, other, strict=True)
            yield f"{name}: " + ", ".join(
                f"{n} {str(b)[:200]} instead of {str(a)[:200]}" for (n, a), (_, b) in pairs if a != b
            )
            return


def _comparable(name: str, rows: Rows) -> list[list[tuple[str, Any]]]:
    skipped = MAY_DIFFER.get(name, ())
    return [[_comparable_value(name, *pair) for pair in row if pair[0] not in skipped] for row in rows]


def _comparable_value(name: str, column: str, value: Any) -> tuple[str, Any]:
    if (name, column) == ("outbox", "message_id"):
        return column, _NONCE.sub(b"nonce", str(value).encode())
    return column, value


def _boxes(expected: Traces, found: Traces) -> Iterable[str]:
    for name in ("inbox", "processed"):
        right, wrong = getattr(expected, name), getattr(found, name)
        if right != wrong:
            yield f"{name}: {wrong} instead of {right}"
