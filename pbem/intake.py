"""
`fetch`: letters from the mailbox into the store, byte for byte, each committed before it is moved away.

The cursor never passes a letter that is neither kept here nor gone. A letter at which the server breaks off is skipped,
so that the others come in; after so many passes in a row it is put on record without its bytes, and the cursor goes on.
It stays in the inbox and is tried again from time to time.
"""

import hashlib
from bisect import insort
from collections import Counter, deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.gate import checks
from pbem.gate.checks import JudgedTag, LetterFacts
from pbem.gate.tags import find_tags
from pbem.inquiry import is_valid_now
from pbem.mail.errors import LetterGone, MailboxDown, MailboxReadOnly
from pbem.mail.letter import Letter, read_letter
from pbem.mail.ports import Fetched, MailboxPort
from pbem.service import Service
from pbem.store import letters, outbox, people
from pbem.store.base import Session
from pbem.store.letters import Mailbox
from pbem.store.tables import LetterRow

PROCESSED = "Processed"
MOST_TRIES = 3
"""Passes in a row that may break off at the same letter."""

MOST_BREAKS = 6
"""Lost connections in one pass after which it ends."""

GROUP = 50
"""Letters that are asked for together."""

AGAIN = timedelta(hours=1)
"""How long after the last try a letter that could not be loaded is tried again."""

TELL_AGAIN = timedelta(days=1)
"""How long it is not repeated that letters cannot be moved."""

UNFETCHED = "unfetched"
_FINDING = "unmovable"


def fetch(service: Service, mailbox: MailboxPort, now: datetime, counts: Counter[str] | None = None) -> int:
    """
    Return how many letters were taken in; they are added to *counts* as `fetched` whatever is raised.

    A letter of a shared mailbox that is not ours stays where it is, and nothing of it is kept.
    Raises: MailboxDown, MailboxRefused; what was committed before stays. MailboxReadOnly, once a day, after all else
            was done.
    """
    mailbox.open()
    run = _Run(service, mailbox, now)
    try:
        run.take_in()
        run.pass_over()
        run.save()
        run.try_again()
        run.file()
        run.complain()
    finally:
        if counts is not None:
            counts["fetched"] += run.taken
    return run.taken


class _Run:
    """One fetch from an open mailbox: how far it has come, and at which letters it broke off."""

    def __init__(self, service: Service, mailbox: MailboxPort, now: datetime) -> None:
        self.taken = 0
        self._service, self._mailbox, self._now = service, mailbox, now
        self._known = self._recall()
        self._before = self._known
        self._last = self._known.last_uid  # the cursor, if nothing is skipped
        self._skipped: list[int] = []  # ascending
        self._breaks = 0
        self._trouble: MailboxDown | None = None

    def take_in(self) -> None:
        """
        Take in what is new, in the order of arrival.

        Only a letter whose next try is the last comes behind the others: it may take the server with it. Where it did,
        and nothing could be done any more, it is not tried again.
        """
        known = self._known
        with self._service.store.read() as session:
            kept = letters.kept_uids(session, known.name, known.uidvalidity, known.last_uid)
        uids = self._mailbox.new_uids(known.last_uid)
        waiting = [uid for uid in uids if uid not in kept]
        if known.bad_uid in waiting and known.bad_tries >= MOST_TRIES - 1:
            waiting.remove(known.bad_uid)
            self._skipped = [known.bad_uid]
        groups = deque(_groups(waiting, 1 if known.bad_tries else GROUP))
        if known.bad_tries < MOST_TRIES:
            groups.extend([uid] for uid in self._skipped)
        while groups and self._breaks < MOST_BREAKS:
            self._take_group(groups)
        self._skipped = sorted({*self._skipped, *(uid for group in groups for uid in group)})
        self._last = max([known.last_uid, *uids])

    def pass_over(self) -> None:
        """Put the first letter of those skipped on record, if the passes before broke off at it too."""
        if not self._skipped or self._tries(self._skipped[0]) < MOST_TRIES:
            return
        uid = self._skipped.pop(0)
        row = self._unfetched(uid)
        with self._service.store.write() as session:
            self._save(session, self._cursor(self._last))
            letters.add_letter(session, row)
            fields = {"letter": row.id, "reason": UNFETCHED}
            outbox.add_notice(session, row.game_id, GM, "alert.held", fields, self._now, urgent=True)

    def save(self) -> None:
        """Save that the mailbox was read to its end, or else the first letter that was skipped."""
        with self._service.store.write() as session:
            if self._skipped:
                self._blame(session, self._skipped[0])
                return
            good_at = self._known.good_at
            pace = 0 if good_at is None else int((self._now - good_at).total_seconds())
            good = replace(self._known, good_at=self._now, pace=pace, alarmed=False, bad_uid=0, bad_tries=0)
            self._save(session, replace(good, last_uid=self._last))

    def try_again(self) -> None:
        """Load a letter that could not be loaded when it was passed over: one a pass."""
        known = self._known
        with self._service.store.read() as session:
            stored = letters.next_unloaded(session, known.name, known.uidvalidity, self._now - AGAIN)
        if stored is None:
            return
        self._change(stored.id, status="held", reason=UNFETCHED, fetched_at=self._now)
        try:
            fetched = self._mailbox.fetch(stored.uid)
        except LetterGone:
            self._change(stored.id, status="dropped", reason="gone")
        except MailboxDown:
            self._reopen()
        else:
            self._fill(stored.id, fetched)

    def file(self) -> None:
        """Move what is kept here out of the inbox, also what an earlier pass left there."""
        known = self._known
        with self._service.store.read() as session:
            uids = letters.unfiled(session, known.name, known.uidvalidity)
        if not uids:
            return
        try:
            self._mailbox.move_many(uids, PROCESSED)
        except MailboxReadOnly:
            if self._may_tell():
                raise
            return
        with self._service.store.write() as session:
            letters.mark_filed(session, known.name, known.uidvalidity, uids)
            if people.get_finding(session, _FINDING):
                people.set_finding(session, _FINDING, "", self._now)

    def complain(self) -> None:
        """Raise what happened, if letters were skipped."""
        if self._skipped:
            assert self._trouble is not None, "letters were skipped because of it"
            raise self._trouble

    def _recall(self) -> Mailbox:
        """Return how far the mailbox was read; from the beginning if its letters were numbered anew."""
        name, uidvalidity = self._service.mailbox_name, self._mailbox.uidvalidity
        with self._service.store.write() as session:
            known = letters.get_mailbox(session, name) or Mailbox(name, uidvalidity, 0)
            if known.uidvalidity != uidvalidity:
                known = replace(known, uidvalidity=uidvalidity, last_uid=0, bad_uid=0, bad_tries=0)
            letters.save_mailbox(session, known)
        return known

    def _take_group(self, groups: deque[list[int]]) -> None:
        """Take in the first of *groups*; where it breaks off its letters are asked for one by one, to find the one."""
        group = groups.popleft()
        left = list(group)
        try:
            for fetched in self._mailbox.fetch_many(group):
                self._keep(fetched)
                left = [uid for uid in left if uid > fetched.uid]
        except MailboxDown as error:
            if not left:
                raise
            self._note_break(left, error)
            if len(left) > 1:
                groups.extendleft([uid] for uid in reversed(left))
            self._reopen()
        else:
            self._skipped = [uid for uid in self._skipped if uid not in group]

    def _note_break(self, left: Sequence[int], error: MailboxDown) -> None:
        """Note, before the server is asked again, that it broke off at the first of *left*."""
        self._breaks += 1
        self._trouble = self._trouble or error
        if len(left) == 1 and left[0] not in self._skipped:
            insort(self._skipped, left[0])
        with self._service.store.write() as session:
            self._blame(session, left[0])

    def _reopen(self) -> None:
        self._mailbox.open()
        if self._mailbox.uidvalidity != self._known.uidvalidity:
            raise MailboxDown("the letters were numbered anew while they were read")

    def _keep(self, fetched: Fetched) -> None:
        """Store one letter with the cursor that passes it."""
        letter, known = self._read(fetched), self._known
        self._last = max(self._last, fetched.uid)
        with self._service.store.write() as session:
            self._save(session, self._cursor(self._last))
            if letter is None:
                return
            values = self._columns(session, fetched, letter)
            row = LetterRow(mailbox=known.name, uidvalidity=known.uidvalidity, uid=fetched.uid, **values)
            letters.add_letter(session, row)
        self.taken += values["status"] == "new"

    def _fill(self, number: int, fetched: Fetched) -> None:
        """Store the bytes of a letter that is on record without them."""
        letter = self._read(fetched)
        if letter is None:
            self._change(number, status="dropped", reason="private")
            return
        with self._service.store.write() as session:
            values = self._columns(session, fetched, letter)
            letters.change_letter(session, number, **values)
        self.taken += values["status"] == "new"

    def _change(self, number: int, **values: object) -> None:
        with self._service.store.write() as session:
            letters.change_letter(session, number, **values)

    def _cursor(self, uid: int) -> Mailbox:
        """Return the cursor when all up to *uid* is done but what is skipped."""
        last = min(uid, self._skipped[0] - 1) if self._skipped else uid
        return replace(self._known, last_uid=max(last, self._known.last_uid))

    def _save(self, session: Session, mailbox: Mailbox) -> None:
        letters.save_mailbox(session, mailbox)
        self._known = mailbox

    def _blame(self, session: Session, uid: int) -> None:
        self._save(session, replace(self._known, bad_uid=uid, bad_tries=self._tries(uid)))

    def _tries(self, uid: int) -> int:
        """Return how many passes in a row have broken off at *uid*, this one included."""
        return self._before.bad_tries + 1 if uid == self._before.bad_uid else 1

    def _read(self, fetched: Fetched) -> Letter | None:
        """Return what the letter says, None if it is none of our business."""
        letter = read_letter(fetched.raw)
        return None if self._service.settings.mail.shared and _is_private(letter) else letter

    def _columns(self, session: Session, fetched: Fetched, letter: Letter) -> dict[str, Any]:
        """Return what is stored of a letter besides where it lies."""
        digest = hashlib.sha256(fetched.raw).hexdigest()
        again = letters.is_known(session, digest, self._known.name, self._known.uidvalidity)
        return {
            "received_at": fetched.internaldate,
            "size": fetched.size,
            "truncated": fetched.truncated,
            "raw": fetched.raw,
            "digest": digest,
            "message_id": letter.message_id,
            "body_hash": letter.body_hash,
            "sender": letter.sender.address,
            "status": "dropped" if again else "new",
            "reason": "fetched-again" if again else "",
            "fetched_at": self._now,
            "filed": False,
        }

    def _unfetched(self, uid: int) -> LetterRow:
        """Return the record of a letter that cannot be loaded, with the seat that its headers prove, if they come."""
        head = None
        try:
            head = next(iter(self._mailbox.heads([uid])), None)
        except MailboxDown:
            self._reopen()
        seat = None if head is None else self._proved_seat(read_letter(head.headers))
        return LetterRow(
            mailbox=self._known.name,
            uidvalidity=self._known.uidvalidity,
            uid=uid,
            received_at=self._now if head is None else head.internaldate,
            size=0 if head is None else head.size,
            raw=b"",
            digest="",  # tells that the bytes were never loaded
            status="held",
            reason=UNFETCHED,
            game_id=seat[0] if seat else None,
            seat=seat[1] if seat else None,
            fetched_at=self._now,
            judged_at=self._now,
            filed=True,  # it stays in the inbox, where a person may look at it
        )

    def _proved_seat(self, letter: Letter) -> tuple[int, Seat] | None:
        with self._service.store.read() as session:
            for found in find_tags(letter):
                if is_valid_now(session, self._service, found.tag):
                    return found.tag.game, Seat(found.tag.seat)
        return None

    def _may_tell(self) -> bool:
        """Return whether it is time to say that letters cannot be moved; the game master is told, and it is noted."""
        with self._service.store.write() as session:
            said = people.get_finding(session, _FINDING)
            if said and self._now < datetime.fromisoformat(said) + TELL_AGAIN:
                return False
            people.set_finding(session, _FINDING, self._now.isoformat(), self._now)
            outbox.add_notice(session, None, GM, "alert.unmovable", {}, self._now, urgent=True)
        return True


def _is_private(letter: Letter) -> bool:
    tags = tuple(JudgedTag(found.tag, found.carrier, valid=True) for found in find_tags(letter))
    return checks.is_private(LetterFacts(letter, tags, shared=True)) or checks.is_our_own(LetterFacts(letter))


def _groups(uids: Sequence[int], first: int) -> list[list[int]]:
    """Return *uids* in groups; those up to the size of a whole group in groups of *first*."""
    small = [list(uids[start : start + first]) for start in range(0, min(GROUP, len(uids)), first)]
    return small + [list(uids[start : start + GROUP]) for start in range(GROUP, len(uids), GROUP)]
