"""
Who may act as the game master by mail: he himself and his deputies, each with the address of the settings.

A letter of theirs is proved by two things together: the tag of a mail that went to this very address, and the address
that it comes from. The tag alone may have been forwarded, the address alone may be forged.
"""

from datetime import timedelta

from msgspec import Struct

from pbem.gate.tags import Tag, is_valid_master, make_master_tag
from pbem.service import Service
from pbem.settings import Settings


class Master(Struct, frozen=True):
    """The game master, or a deputy of his; `zone` is that of his mails."""

    name: str
    address: str
    language: str
    zone: str
    is_deputy: bool = False

    @property
    def folded(self) -> str:
        """Return his address as it is compared."""
        return fold(self.address)

    @property
    def record(self) -> str:
        """Return who he is in an act that he does by mail."""
        return f"{DEPUTY}{self.name}{BY_MAIL}" if self.is_deputy else f"gm{BY_MAIL}"

    @property
    def whose(self) -> str:
        """Return what his tags are bound to."""
        return f"{'deputy' if self.is_deputy else 'gm'} {self.folded}"


BY_MAIL = " by mail"
DEPUTY = "deputy "
"""How the record of who did something begins where it was a deputy."""


LASTING = timedelta(days=90)
"""So long the tag of a mail proves who answers it."""


def fold(address: str) -> str:
    """Return *address* as it is compared: lower case, no spaces around it."""
    return address.strip().casefold()


def masters_of(settings: Settings) -> tuple[Master, ...]:
    """Return the game master and then his deputies, as the settings name them."""
    gm, play = settings.gm, settings.play
    deputies = (
        Master(one.name, one.address, one.language or play.language, one.zone or play.timezone, is_deputy=True)
        for one in gm.deputies
    )
    return (Master(gm.name, gm.address, play.language, play.timezone), *deputies)


def find_master(settings: Settings, address: str) -> Master | None:
    """Return the master with that *address*, None for everybody else; it proves nothing by itself."""
    return next((one for one in masters_of(settings) if one.folded == fold(address)), None)


def tag_for(service: Service, master: Master, game: int, mail: int) -> str:
    """Return the tag of the mail with the number *mail*, about *game*, 0 for none, to *master*."""
    return make_master_tag(service.key, game, mail, master.whose)


def owner_of(service: Service, tag: Tag) -> Master | None:
    """Return whose mail had *tag*; None where it is no tag of a master as the settings name them today."""
    found = (one for one in masters_of(service.settings) if is_valid_master(service.key, tag, one.whose))
    return next(found, None)
