"""`fetch`: letters from the mailbox into the store, byte for byte, each committed before it is moved away."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from pbem.gate import checks
from pbem.gate.checks import JudgedTag, LetterFacts
from pbem.gate.tags import find_tags
from pbem.mail.errors import LetterGone
from pbem.mail.letter import read_letter
from pbem.mail.ports import Fetched, MailboxPort
from pbem.service import Service
from pbem.store import letters
from pbem.store.letters import Mailbox
from pbem.store.tables import LetterRow

PROCESSED = "Processed"


def fetch(service: Service, mailbox: MailboxPort, now: datetime) -> int:
    """
    Return how many letters were taken in.

    The cursor moves with each letter that is committed. Letters that a crash left in the inbox are moved first. A
    letter of a shared mailbox that is not ours stays where it is.
    Raises: MailboxDown, MailboxRefused; what was committed before stays.
    """
    name = service.mailbox_name
    mailbox.open()
    with service.store.write() as session:
        known = letters.get_mailbox(session, name)
        if known is None or known.uidvalidity != mailbox.uidvalidity:
            known = Mailbox(name, mailbox.uidvalidity, 0, known.good_at if known else None)
            letters.save_mailbox(session, known)
        left = letters.unfiled(session, name, known.uidvalidity)
    _file(service, mailbox, known, left)
    taken = 0
    for uid in mailbox.new_uids(known.last_uid):
        known = replace(known, last_uid=uid)
        try:
            fetched = mailbox.fetch(uid)
        except LetterGone:
            continue
        taken += _keep(service, known, fetched, now)
    with service.store.read() as session:
        left = letters.unfiled(session, name, known.uidvalidity)
    _file(service, mailbox, known, left)
    with service.store.write() as session:
        letters.save_mailbox(session, replace(known, good_at=now, alarmed=False))
    return taken


def _keep(service: Service, mailbox: Mailbox, fetched: Fetched, now: datetime) -> int:
    """Store one letter with the cursor that passes it; return how many were stored."""
    letter = read_letter(fetched.raw)
    private = service.settings.mail.shared and _is_private(fetched)
    with service.store.write() as session:
        letters.save_mailbox(session, mailbox)
        if private:
            return 0
        digest = hashlib.sha256(fetched.raw).hexdigest()
        again = letters.is_known(session, digest, mailbox.name, mailbox.uidvalidity)
        row = LetterRow(
            mailbox=mailbox.name,
            uidvalidity=mailbox.uidvalidity,
            uid=fetched.uid,
            received_at=fetched.internaldate,
            size=fetched.size,
            truncated=fetched.truncated,
            raw=fetched.raw,
            digest=digest,
            message_id=letter.message_id,
            body_hash=letter.body_hash,
            sender=letter.sender.address,
            status="dropped" if again else "new",
            reason="fetched-again" if again else "",
            fetched_at=now,
        )
        letters.add_letter(session, row)
    return 0 if again else 1


def _is_private(fetched: Fetched) -> bool:
    letter = read_letter(fetched.raw)
    tags = tuple(JudgedTag(found.tag, found.carrier, valid=True) for found in find_tags(letter))
    return checks.is_private(LetterFacts(letter, tags, shared=True)) or checks.is_our_own(LetterFacts(letter))


def _file(service: Service, mailbox: MailboxPort, known: Mailbox, uids: Sequence[int]) -> None:
    """Move letters that are committed out of the inbox, and note it."""
    if uids:
        mailbox.move_many(uids, PROCESSED)
        with service.store.write() as session:
            letters.mark_filed(session, known.name, known.uidvalidity, uids)
