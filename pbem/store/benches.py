"""Who sits on the bench: persons who take a seat that falls free."""

from datetime import datetime

from msgspec import Struct
from sqlmodel import Session, col, select

from pbem.store.tables import BenchRow


class Sitting(Struct, frozen=True):
    """A person on the bench for games of one title, "" for any."""

    person: int
    ruleset: str
    since: datetime


def list_bench(session: Session, ruleset: str | None = None) -> list[Sitting]:
    """Return who sits on the bench, for *ruleset* or for all titles, those first who sit there for longest."""
    query = select(BenchRow).order_by(col(BenchRow.since), col(BenchRow.person_id), col(BenchRow.ruleset))
    if ruleset is not None:
        query = query.where(col(BenchRow.ruleset).in_((ruleset, "")))
    return [Sitting(row.person_id, row.ruleset, row.since) for row in session.exec(query)]


def sit_down(session: Session, person: int, ruleset: str, now: datetime) -> None:
    """Put *person* on the bench; who sits there for that title already keeps his place."""
    if session.get(BenchRow, (person, ruleset)) is None:
        session.add(BenchRow(person_id=person, ruleset=ruleset, since=now))
        session.flush()


def get_up(session: Session, person: int, ruleset: str | None = None) -> None:
    """Take *person* from the bench, for *ruleset* or for all titles."""
    query = select(BenchRow).where(BenchRow.person_id == person)
    if ruleset is not None:
        query = query.where(BenchRow.ruleset == ruleset)
    for row in session.exec(query):
        session.delete(row)
    session.flush()


def move_back(session: Session, person: int, now: datetime) -> None:
    """Let *person*, who sits on the bench, be the last there."""
    for row in session.exec(select(BenchRow).where(BenchRow.person_id == person)):
        row.since = now
        session.add(row)
    session.flush()
