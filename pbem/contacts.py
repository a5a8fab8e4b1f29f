"""A person as the game master writes one down: `NAME <ADDRESS> [LANGUAGE] [ZONE]`."""

import difflib
import re
from collections.abc import Sequence
from zoneinfo import available_timezones

from msgspec import Struct

from pbem.errors import Misuse
from pbem.lexicon import known_language, languages
from pbem.mail.addresses import is_address

_FORM = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<address>[^<>]*)>(?P<rest>.*)", re.DOTALL)
_LANGUAGE = re.compile(r"[A-Za-z]{2}([-_][A-Za-z]{2})?")


class Contact(Struct, frozen=True):
    """Who somebody is and where he can be reached; `language` and `zone` are "" where nothing is said of them."""

    name: str
    address: str
    language: str = ""
    zone: str = ""


def parse_contact(text: str) -> Contact:
    """
    Return who is meant by *text*; without a name the address gives one.

    Raises: Misuse `seat.form`, `seat.address`, `seat.word`, `words.language`.
    """
    found = _FORM.fullmatch(text.strip())
    if not found:
        raise Misuse("seat.form", text=text)
    address = found["address"].strip()
    if not is_address(address):
        raise Misuse("seat.address", text=text, address=address)
    language, zone = _habits(found["rest"].split(), text)
    name = " ".join(found["name"].strip('"').split()) or address.partition("@")[0]
    return Contact(name, address, language, zone)


def _habits(words: Sequence[str], text: str) -> tuple[str, str]:
    """Return the language and the zone among *words*, the end of *text*."""
    language = zone = ""
    for word in words:
        if word in available_timezones():
            zone = word
        elif _LANGUAGE.fullmatch(word):
            language = known_language(word)
        else:
            cities = {one.rpartition("/")[2]: one for one in sorted(available_timezones())}
            close = difflib.get_close_matches(word, cities, 1)
            nearest = cities[close[0]] if close else ""
            raise Misuse("seat.word", text=text, word=word, languages=languages(), near=nearest)
    return language, zone
