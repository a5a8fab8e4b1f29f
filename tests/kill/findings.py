"""What became of letters, mails and the log of one game, seen from the store and from what the mail server kept."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.live import take_up
from pbem.mail.letter import read_letter
from pbem.report import verify_game
from pbem.service import open_service
from pbem.settings import load_settings
from pbem.store import games, letters, outbox
from tests.kill.director import GM_ADDRESS, OUR, Played

ALL = 1_000_000


class Findings(Struct, frozen=True):
    """
    The traces of one game.

    `lost`      Message-IDs of letters that were not judged, and of mails that did not arrive
    `doubled`   Message-IDs of letters that were judged more than once, or are kept more than once
    `repeated`  Message-IDs of mails that arrived more than once; `changed` those of them whose bytes differ
    `told`      seat, kind and decision of every mail that was composed
    `alarms`    what the game master was told, and errors that are on record
    """

    log: tuple[str, ...]
    letters: int
    outcomes: dict[str, int]
    mails: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    repeated: tuple[str, ...]
    changed: tuple[str, ...]
    told: tuple[tuple[int, str, int], ...]
    alarms: tuple[str, ...]
    verified: bool


def look_at(played: Played) -> Findings:
    """Return the traces of a game that is over."""
    boxes = _boxes(played.folder / "server")
    written = [identity for identity, _ in boxes.pop(OUR, [])]
    alarms = [f"mail to the game master: {identity}" for identity, _ in boxes.pop(GM_ADDRESS, [])]
    service = open_service(load_settings(played.folder / "pbem.toml", {}))
    with service.store.read() as session:
        live = take_up(session, played.game)
        stored = letters.list_letters(session, limit=ALL)
        posted = outbox.list_mails(session, limit=ALL)
        log = [f"{one.entry.seq} {one.entry.seat} {one.entry.text}" for one in games.read_log(session, played.game)]
        verified = bool(verify_game(session, live)["verified"])
    service.store.close()
    alarms += [f"letter {one.id}: {one.status} {one.reason} {one.error[-200:]}" for one in stored if _is_odd(one)]
    alarms += [f"mail {one.id}: {one.status} {one.error[-200:]}" for one in posted if one.status != "sent"]
    kept = Counter(one.message_id for one in stored)
    judged = Counter(one.message_id for one in stored if one.status == "done")
    arrived: dict[str, list[bytes]] = defaultdict(list)
    for box in boxes.values():
        for identity, raw in box:
            arrived[identity].append(raw)
    strange = [identity for identity in arrived if identity not in {one.message_id for one in posted}]
    return Findings(
        log=tuple(log),
        letters=len(written),
        outcomes=dict(Counter(one.reason for one in stored)),
        mails=len(posted),
        lost=(
            *(one for one in written if not judged[one]),
            *(one.message_id for one in posted if one.message_id not in arrived),
        ),
        doubled=(*(one for one in written if judged[one] > 1 or kept[one] > 1), *strange),
        repeated=tuple(identity for identity, raws in arrived.items() if len(raws) > 1),
        changed=tuple(
            one.message_id for one in posted if any(not raw.endswith(one.raw) for raw in arrived[one.message_id])
        ),
        told=tuple((int(one.seat), one.kind, one.decision) for one in posted),
        alarms=tuple(alarms),
        verified=verified,
    )


def _is_odd(stored: letters.Stored) -> bool:
    return stored.status != "done" or bool(stored.error)


def _boxes(folder: Path) -> dict[str, list[tuple[str, bytes]]]:
    """Return Message-ID and bytes of every mail that the server took, by box."""
    boxes: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
    for path in sorted(folder.glob("*.eml")):
        raw = path.read_bytes()
        boxes[path.stem.partition("-")[2]].append((read_letter(raw).message_id, raw))
    return boxes


def same_told(one: Findings, other: Findings) -> bool:
    """Return whether every seat was sent the same mails in the same order; seats of one pass may change places."""
    return _by_seat(one.told) == _by_seat(other.told)


def _by_seat(told: Sequence[tuple[int, str, int]]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for seat, *rest in told:
        found[seat].append(rest)
    return found
