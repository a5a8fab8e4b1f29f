"""What the store knows of a letter before it is judged: whose it is, what it repeats, how much came before."""

import re
from datetime import datetime, timedelta

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.desk.mastering import is_order
from pbem.desk.wishes import Wish, read_wish
from pbem.desk.words import fold, match_command
from pbem.gate import checks
from pbem.gate.checks import JudgedTag, LetterFacts
from pbem.gate.tags import FoundTag, Tag, find_tags, is_valid
from pbem.mail.letter import Letter
from pbem.mail.quotes import read_known
from pbem.masters import LASTING, Master, find_master, owner_of
from pbem.masters import fold as fold_address
from pbem.service import Service
from pbem.store import games, letters, observers, outbox, people
from pbem.store.base import Session
from pbem.store.letters import Stored
from pbem.store.people import Person

HOUR = timedelta(hours=1)
_GAME = re.compile(r"\[[^\[\]]*?(\d{1,9})\]")
_THREAD = re.compile(r"<g(\d{1,9})\.s(\d{1,3})@")

Place = tuple[int, Seat]
"""Game and seat."""


def inquire(session: Session, service: Service, stored: Stored, letter: Letter, now: datetime) -> LetterFacts:
    """Return the facts that the gate judges *letter* by."""
    tags = tuple(_judged(session, service, found, letter, now) for found in find_tags(letter))
    person = people.find_person(session, letter.sender.address) if letter.sender.address else None
    seat = next(((one.tag.game, Seat(one.tag.seat)) for one in tags if one.valid and one.tag.seat != GM), None)
    proves_master = any(one.valid and one.tag.seat == GM for one in tags)
    was_let_in = bool(stored.reason)  # by a confirmation, or by the game master
    return LetterFacts(
        letter,
        tags,
        person=None if person is None else person.id,
        claimed=person is None and not tags and claimed_seat(session, letter) is not None,
        shared=service.settings.mail.shared,
        game_status=games.get_game(session, seat[0]).status if seat else "",
        duplicate=(seat is not None and letters.is_repeat(session, stored, *seat))
        or (proves_master and letters.is_repeat(session, stored, None, GM)),
        own_id=bool(letter.message_id) and outbox.find_mail(session, letter.message_id) is not None,
        size=stored.size,
        truncated=stored.truncated,
        confirms=_confirms(letter, service),
        blocked=not proves_master and _is_blocked(session, person, seat),
        wishes=not any(one.valid for one in tags) and wish_of(session, service, letter) is not None,
        master=_is_masters(session, service, letter, person),
        recent=letters.count_recent(session, stored, seat, now - HOUR),
        most_recent=0 if was_let_in else service.settings.mail.letters_per_hour,
    )


def _is_blocked(session: Session, person: Person | None, place: Place | None) -> bool:
    """Return whether *person*, or who has the *place* that a tag proves, was shut out."""
    if person is not None and person.blocked:
        return True
    number = None if place is None else _holder_of(session, place)
    return number is not None and people.get_person(session, number).blocked


def _holder_of(session: Session, place: Place) -> int | None:
    """Return the person on a seat, or on a place beside the seats; None for a bot."""
    game, seat = place
    if observers.is_observer(seat):
        observer = observers.get_observer(session, game, seat)
        return None if observer is None else observer.person
    holder = games.get_holder(session, game, seat)
    return None if holder is None else holder.person


def _is_masters(session: Session, service: Service, letter: Letter, person: Person | None) -> bool:
    """Return whether *letter* is from a master's address, and not from one who plays and writes to his seat."""
    if find_master(service.settings, letter.sender.address) is None:
        return False
    if person is None or not games.seats_of_person(session, person.id):
        return True
    own = service.own_templates
    first = next((line.text for line in letter.lines if line.text.strip() and not line.quoted), "")
    return is_order(first, own) and not match_command(first, own)[0]


def proved_master(service: Service, facts: LetterFacts) -> tuple[Master, Tag] | None:
    """Return the master who wrote, and the tag of the mail that he answers; None where none is proved."""
    tag = checks.answered_tag(facts)
    if tag is None or tag.seat != GM:
        return None
    master = find_master(service.settings, facts.letter.sender.address)
    return None if master is None else (master, tag)


def is_lent(service: Service, facts: LetterFacts) -> bool:
    """Return whether it has the tag of a mail to a master, and comes from another address: somebody passed it on."""
    return any(not one.valid and owner_of(service, one.tag) is not None for one in facts.tags if one.tag.seat == GM)


def _is_of_master(session: Session, service: Service, tag: Tag, letter: Letter, now: datetime) -> bool:
    """Return whether *tag* is that of a mail to who has the address of *letter*, and not too old."""
    owner = owner_of(service, tag)
    if owner is None or owner.folded != fold_address(letter.sender.address):
        return False
    mail = outbox.get_mail(session, tag.decision)
    return mail is not None and now - mail.composed_at <= LASTING


def _judged(session: Session, service: Service, found: FoundTag, letter: Letter, now: datetime) -> JudgedTag:
    """Return whether the tag proves its place; that of a place whose person has a seat now proves the seat."""
    if found.tag.seat == GM:
        return JudgedTag(found.tag, found.carrier, _is_of_master(session, service, found.tag, letter, now))
    valid = is_valid_now(session, service, found.tag)
    one = observers.get_observer(session, found.tag.game, found.tag.seat) if valid else None
    if one is None or one.state != "seated":
        return JudgedTag(found.tag, found.carrier, valid)
    seat = next((held.seat for held in games.get_holders(session, one.game) if held.person == one.person), one.seat)
    return JudgedTag(replace(found.tag, seat=seat), found.carrier, valid)


def proved_seat(facts: LetterFacts, stored: Stored) -> Place | None:
    """Return game and seat that a valid tag names; without one those of a letter that was confirmed."""
    tag = checks.answered_tag(facts)
    if tag is not None:
        return None if tag.seat == GM else (tag.game, Seat(tag.seat))
    if stored.reason == "confirmed" and stored.game is not None and stored.seat is not None:
        return stored.game, Seat(stored.seat)
    return None


def wish_of(session: Session, service: Service, letter: Letter) -> Wish | None:
    """Return what *letter* asks for that nobody needs a seat for, or None."""
    answered = next((one for name in letter.references if (one := outbox.find_mail(session, name))), None)
    return read_wish(letter, service.own_templates, None if answered is None else read_known(answered.raw))


def claimed_seat(session: Session, letter: Letter) -> Place | None:
    """
    Return the seat that an unknown sender claims: by our thread, or by a player's name in the game of the subject.

    It proves nothing; it tells whom to ask.
    """
    threads = [found for reference in letter.references for found in _THREAD.findall(reference)]
    for game, seat in threads:
        if _is_person(session, int(game), int(seat)):
            return int(game), Seat(int(seat))
    number = named_game(letter)
    holders = [] if number is None else games.get_holders(session, number)
    for one in holders:
        if one.person is None:
            continue
        local = people.get_person(session, one.person).address.partition("@")[0]
        same_local = fold(local) == fold(letter.sender.address.partition("@")[0])
        if same_local or (letter.sender.name and fold(letter.sender.name) == fold(one.name)):
            return one.game, one.seat
    return None


def named_game(letter: Letter) -> int | None:
    """Return the number of the game in the subject, "[Village #12]", if there is one."""
    found = _GAME.search(letter.subject)
    return int(found[1]) if found else None


def was_valid(session: Session, service: Service, tag: Tag) -> bool:
    """Return whether *tag* proved its seat once: before it changed hands, or its secret was changed; or a master."""
    if tag.seat == GM:
        return owner_of(service, tag) is not None
    return any(is_valid(service.key, tag, epoch) for epoch in range(_epoch(session, tag)))


def is_valid_now(session: Session, service: Service, tag: Tag) -> bool:
    """Return whether *tag* proves its seat, or its place among those who look on."""
    epoch = _epoch(session, tag)
    return epoch >= 0 and is_valid(service.key, tag, epoch)


def _epoch(session: Session, tag: Tag) -> int:
    """
    Return the epoch of the seat, or of the place of who looks on, that *tag* names; -1 for none.

    Of who is gone it is one more than that of his last tag, so that no tag of his counts.
    """
    if observers.is_observer(tag.seat):
        observer = observers.get_observer(session, tag.game, tag.seat)
        return -1 if observer is None else observer.epoch + observer.gone
    holders = games.get_holders(session, tag.game)
    return holders[tag.seat].epoch if tag.seat < len(holders) else -1


def _is_person(session: Session, game: int, seat: int) -> bool:
    holders = games.get_holders(session, game)
    return seat < len(holders) and holders[seat].person is not None


def _confirms(letter: Letter, service: Service) -> bool:
    own = service.own_templates
    words = (match_command(line.text, own)[0] for line in letter.lines if line.text and not line.quoted)
    return next(words, "") == "confirm"
