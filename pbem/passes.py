"""What is remembered of passes: when one began, when one came to its end, what it did, and what trouble stands."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.errors import TryLater
from pbem.service import Service
from pbem.store import people
from pbem.store.base import Session

_FINDING = "pass"


class PartDone(Struct, frozen=True, omit_defaults=True):
    """
    The last time that one part of a pass was done.

    `trouble`  what stood in its way, "" for nothing; `since` when that began
    """

    at: datetime
    trouble: str = ""
    since: datetime | None = None


class Passes(Struct, frozen=True, omit_defaults=True):
    """
    The newest pass, and the last one that came to its end.

    `begun`    when the newest pass began: it may be at work, or dead
    `ended`    when a pass last came to its end; it began at `first`, and `counts` tells what it did
    `parts`    fetch, judge, time and send, each as it last came to its end
    """

    begun: datetime
    first: datetime | None = None
    ended: datetime | None = None
    counts: dict[str, int] = {}
    parts: dict[str, PartDone] = {}

    def whole_at(self, parts: Sequence[str]) -> datetime | None:
        """Return since when each of *parts* has come to its end at least once; None for never."""
        found = [self.parts[one].at for one in parts if one in self.parts]
        return min(found) if len(found) == len(parts) else None


def read_passes(session: Session) -> Passes | None:
    """Return what is remembered of passes, None before the first."""
    text = people.get_finding(session, _FINDING)
    return msgspec.json.decode(text, type=Passes) if text else None


def begin_pass(service: Service, now: datetime) -> None:
    """Note that a pass begins."""
    with suppress(TryLater), service.store.write() as session:  # the pass will say it, after all that can be done
        before = read_passes(session)
        _keep(session, Passes(now) if before is None else replace(before, begun=now), now)


def end_pass(
    service: Service, parts: Sequence[str], counts: Mapping[str, int], troubles: Mapping[str, str], now: datetime
) -> None:
    """Note that the pass that began last has come to its end: its *parts*, its *counts*, and the *troubles* by part."""
    with suppress(TryLater), service.store.write() as session:
        before = read_passes(session) or Passes(now)
        done = {one: _done(before.parts.get(one), troubles.get(one, ""), now) for one in parts}
        after = replace(before, first=before.begun, ended=now, counts=dict(counts), parts={**before.parts, **done})
        _keep(session, after, now)


def _done(before: PartDone | None, trouble: str, now: datetime) -> PartDone:
    """Return a part that was done *now*; a trouble that stood *before* goes on, however it is told today."""
    if not trouble:
        return PartDone(now)
    begun = before.since if before is not None and before.trouble else None
    return PartDone(now, trouble, begun or now)


def _keep(session: Session, passes: Passes, now: datetime) -> None:
    people.set_finding(session, _FINDING, msgspec.json.encode(passes).decode(), now)
