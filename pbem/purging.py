"""
What is not needed any more: the bytes of old letters that were judged, and of old mails that were sent.

The log, the acts and every row stay: who wrote when, in which game, and what became of it.
"""

from datetime import datetime, timedelta

from pbem.clock import Now, format_moment
from pbem.errors import Misuse
from pbem.service import Service
from pbem.settings import LEAST_KEPT
from pbem.store import people
from pbem.store.base import Store, sqlite_path
from pbem.store.copies import shrink_database
from pbem.store.purge import Purged, purge

DAILY = timedelta(days=1)
_FINDING = "purged"


def purge_by_hand(service: Service, age: timedelta, now: datetime, *, running: bool, dry_run: bool) -> Purged:
    """
    Return what was purged because it was older than *age*.

    Raises: Misuse `purge.short`.
    """
    if age < LEAST_KEPT:
        raise Misuse("purge.short", least=LEAST_KEPT.days)
    return purge(service.store, now - age, running=running, dry_run=dry_run)


def purge_daily(service: Service, clock: Now) -> None:
    """Purge what is older than the settings keep it, once a day; nothing where they keep it for ever."""
    keep, now = service.settings.store.keep, clock()
    if not keep:
        return
    day = format_moment(now - DAILY) or ""
    with service.store.read() as session:
        if people.get_finding(session, _FINDING) > day:
            return
    purge(service.store, now - keep)
    with service.store.write() as session:
        people.set_finding(session, _FINDING, format_moment(now) or "", now)


def shrink(store: Store) -> int:
    """Return by how many bytes the file of *store* is smaller now; other databases see to that themselves."""
    file = sqlite_path(store.url)
    return 0 if file is None else shrink_database(file)
