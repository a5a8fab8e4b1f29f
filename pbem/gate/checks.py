"""
Questions about a letter, each a pure function of the facts. What follows from the answers stands in `chain`.

The facts are gathered by the caller, which alone knows the store: tags with their validity, who the sender is, what has
been seen before.
"""

from typing import Literal

from msgspec import Struct

from engine.core.types import GM
from pbem.gate import robots
from pbem.gate.bounces import read_bounce
from pbem.gate.tags import Carrier, Tag
from pbem.mail.letter import Letter

OWN_HEADERS = "x-pbem-"


class JudgedTag(Struct, frozen=True):
    """A tag found in the letter, where, and whether its secret is that of its seat today."""

    tag: Tag
    carrier: Carrier
    valid: bool


class LetterFacts(Struct, frozen=True):
    """
    What is known of one letter when it is judged.

    Shape: `person` is the number of the person with this From address, None for a stranger; `claimed` tells whether an
           unknown sender goes by the name of a player of the game that his letter names; `own_id` tells whether its
           Message-ID is one that we have sent; `game_status` is that of the game of the tags, empty if there is none:
           it is a fact for the desk, no reason to turn a letter away. `confirms` tells whether it only confirms
           another letter; `blocked` whether its sender, or who holds the seat of its tag, was shut out; `wishes`
           whether it asks for what nobody needs a seat for; `master` whether its sender has the address of the game
           master, or a deputy, and does not write for a seat of his.
    Units: `size` in bytes, of the whole letter; `recent` counts letters of this seat, or else of this address, in the
           last hour, `most_recent` is how many of them are judged, 0 for all.
    """

    letter: Letter
    tags: tuple[JudgedTag, ...] = ()
    person: int | None = None
    shared: bool = False
    game_status: Literal["", "open", "running", "paused", "over", "aborted", "branch", "discarded"] = ""
    duplicate: bool = False
    own_id: bool = False
    size: int = 0
    truncated: bool = False
    claimed: bool = False
    confirms: bool = False
    blocked: bool = False
    wishes: bool = False
    master: bool = False
    recent: int = 0
    most_recent: int = 0


def valid_tags(facts: LetterFacts) -> tuple[Tag, ...]:
    """Return the valid tags, each once."""
    return tuple(dict.fromkeys(judged.tag for judged in facts.tags if judged.valid))


def answered_tag(facts: LetterFacts) -> Tag | None:
    """
    Return the valid tag of the mail that this letter answers; None if no tag is valid.

    The plus address is that of one mail; of the references, which name a whole conversation, the last counts; of the
    markers, which stand in quotes of quotes, the first.
    """
    valid = [judged for judged in facts.tags if judged.valid]
    by_address = [judged.tag for judged in valid if judged.carrier == "address"]
    by_reference = [judged.tag for judged in reversed(valid) if judged.carrier == "reference"]
    return next(iter([*by_address, *by_reference, *(judged.tag for judged in valid)]), None)


def is_our_own_in_shared(facts: LetterFacts) -> bool:
    """Return whether it is our mail to a person who reads this mailbox: a GM who plays."""
    return facts.shared and is_our_own(facts)


def is_our_own(facts: LetterFacts) -> bool:
    """Return whether we sent it: it has one of our headers, or our Message-ID as its own; From alone says nothing."""
    has_header = any(name.lower().startswith(OWN_HEADERS) for name, _ in facts.letter.headers)
    has_id = any(judged.valid and judged.carrier == "message-id" for judged in facts.tags)
    return has_header or has_id or facts.own_id


def is_bounce(facts: LetterFacts) -> bool:
    """Return whether it is a delivery report, in standard form or of a mailer daemon with our headers in its text."""
    letter = facts.letter
    if letter.kind == "bounce":
        return True
    from_daemon = robots.is_daemon(letter) or robots.has_empty_return_path(letter)
    return from_daemon and (letter.has_header("X-Failed-Recipients") or bool(read_bounce(letter).outbox))


def is_private(facts: LetterFacts) -> bool:
    """Return whether it is none of our business: in a shared mailbox, without tag, not ours, no report about ours."""
    if not facts.shared or facts.tags or is_our_own(facts):
        return False
    return not (is_bounce(facts) and _is_about_ours(facts.letter))


def is_receipt(facts: LetterFacts) -> bool:
    """Return whether it only tells that a mail was displayed or deleted."""
    return facts.letter.kind == "receipt"


def is_calendar_answer(facts: LetterFacts) -> bool:
    """Return whether it is an answer to a calendar entry."""
    return facts.letter.kind == "calendar"


def is_duplicate(facts: LetterFacts) -> bool:
    """Return whether the same letter has been judged before."""
    return facts.duplicate


def is_too_many(facts: LetterFacts) -> bool:
    """Return whether more letters came in the last hour than a person writes; confirmations may always come."""
    return 0 < facts.most_recent <= facts.recent and not facts.confirms


def only_wishes(facts: LetterFacts) -> bool:
    """Return whether it proves no seat, and asks for one or for the list of open games."""
    return facts.wishes and not valid_tags(facts)


def is_stranger(facts: LetterFacts) -> bool:
    """Return whether we do not know the sender, he claims to be nobody, and the letter carries no tag at all."""
    return facts.person is None and not facts.claimed and not facts.tags


def is_blocked(facts: LetterFacts) -> bool:
    """Return whether the game master has shut its sender out."""
    return facts.blocked


def is_masters(facts: LetterFacts) -> bool:
    """Return whether it comes from the address of a game master and has no tag at all."""
    return facts.master and not facts.tags


def is_encrypted(facts: LetterFacts) -> bool:
    """Return whether we cannot read it: encrypted, or signed in the opaque form."""
    return facts.letter.kind == "encrypted"


def is_winmail_only(facts: LetterFacts) -> bool:
    """Return whether there is nothing in it but a winmail.dat."""
    return facts.letter.kind == "empty" and "winmail" in facts.letter.problems


def is_too_big(facts: LetterFacts) -> bool:
    """Return whether only its beginning was loaded, and not even its text is whole."""
    return facts.truncated and not facts.letter.whole_text


def is_only_forwarded(facts: LetterFacts) -> bool:
    """Return whether there is nothing in it but another mail."""
    return facts.letter.kind == "forward-only"


def is_empty(facts: LetterFacts) -> bool:
    """Return whether there is nothing to read in it."""
    return facts.letter.kind == "empty"


def has_bad_tag(facts: LetterFacts) -> bool:
    """Return whether it carries tags, but no valid one: an old owner, a changed secret, a typing error."""
    return bool(facts.tags) and not valid_tags(facts)


def has_conflicting_tags(facts: LetterFacts) -> bool:
    """Return whether its valid tags name different seats or games; those of a game master name no game."""
    return len({(tag.game if tag.seat != GM else 0, tag.seat) for tag in valid_tags(facts)}) > 1


def has_no_tag(facts: LetterFacts) -> bool:
    """Return whether it carries no tag; an address alone proves nobody."""
    return not facts.tags


def _is_about_ours(letter: Letter) -> bool:
    bounce = read_bounce(letter)
    return bool(bounce.outbox or bounce.tags)
