"""Addresses as a server can be told them."""

import re
import unicodedata

_ATOMS = r"[^\s<>()\[\]\\,;:@\"]+"
_QUOTED = r"\"(?:[^\"\\]|\\.)*\""
_DOMAIN = rf"{_ATOMS}|\[[^\s\[\]\\<>]+\]"
_ADDRESS = re.compile(rf"(?:{_ATOMS}|{_QUOTED})@(?:{_DOMAIN})")
_DOTS = str.maketrans("\u3002\uff0e\uff61", "...")
_LONGEST = 254  # octets of a path without its brackets


def is_address(text: str) -> bool:
    """Return whether *text* is one address and nothing else, in any alphabet, without what nobody can see."""
    if any(unicodedata.category(char)[0] == "C" for char in text):
        return False
    return _ADDRESS.fullmatch(text) is not None and len(text.encode()) <= _LONGEST


def is_box(address: str, box: str) -> bool:
    """Return whether mail to *address* comes to *box*, with or without a plus part."""
    folded, own = address.strip().casefold(), box.strip().casefold()
    local, _, domain = folded.rpartition("@")
    return own in (folded, f"{local.partition('+')[0]}@{domain}")


def encode_domain(address: str) -> str:
    """
    Return *address* with its domain in ASCII; what stands before the @ stays as it is.

    Labels are folded and written as Punycode; `ß` and `ς` stay letters of their own, as registries have them.
    """
    local, at, domain = address.rpartition("@")
    if domain.isascii():
        return address
    folded = unicodedata.normalize("NFKC", domain.translate(_DOTS)).lower()
    labels = [unicodedata.normalize("NFC", label) for label in folded.split(".")]
    return (
        local
        + at
        + ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii") for label in labels)
    )
