"""Fair dice: each draw follows from a seed that was committed before the game and from the players' words."""

import hashlib
import hmac
from collections.abc import Sequence

from msgspec import Struct

_SPAN = 1 << 64
SEED_BYTES = 32


class Dice(Struct, frozen=True):
    """
    A committed seed and the players' words.

    Shape:  `seed` is 32 bytes; `words` has one word for each seat that gave one, in seat order.
    """

    seed: bytes
    words: tuple[str, ...] = ()

    @property
    def commitment(self) -> str:
        """Return the SHA-256 of the seed in hexadecimal, which is published before the first draw."""
        return hashlib.sha256(self.seed).hexdigest()

    def draw(self, number: int, odds: Sequence[int]) -> int:
        """
        Return the index that draw *number* falls on.

        Shape:  `number` counts the draws before this one in the log, rewound ones included; `odds` are whole
                numbers, at least one of them above zero.
        Source: our ruling: v is the first 8 bytes, big-endian, of HMAC-SHA-256 of the lines "draw", words,
                number and try; v beyond the largest multiple of the total is drawn again with the next try, so that
                no index is favoured.
        """
        total = sum(odds)
        joined = "\n".join(self.words)
        attempt = 0
        while True:
            text = f"draw\n{joined}\n{number}\n{attempt}"
            value = int.from_bytes(hmac.digest(self.seed, text.encode(), "sha256")[:8], "big")
            if value < _SPAN // total * total:
                break
            attempt += 1
        value %= total
        for index, weight in enumerate(odds):
            value -= weight
            if value < 0:
                return index
        raise AssertionError("the odds add up to their total")

    def salt(self, seq: int) -> bytes:
        """Return the salt of entry *seq*: without it nobody can guess a hidden text from the chain."""
        return hmac.digest(self.seed, f"salt\n{seq}".encode(), "sha256")


def demo_seed(number: int) -> bytes:
    """Return the seed that a demonstration with this *number* uses; never use it for a real game."""
    return hashlib.sha256(b"pbem demo" + str(number).encode()).digest()
