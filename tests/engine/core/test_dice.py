"""Fair dice: they follow from the seed, favour no index, and fit the published description."""

import hashlib
import hmac
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Dice, demo_seed

odds = st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 10**6), odds)
def test_a_draw_is_an_index_with_weight(seed: bytes, number: int, weights: list[int]) -> None:
    index = Dice(seed).draw(number, weights)

    assert weights[index] > 0
    assert index == Dice(seed).draw(number, weights)


def test_a_draw_follows_the_published_description() -> None:
    seed, words = bytes(range(32)), ("plum", "pear")

    text = b"draw\nplum\npear\n5\n0"
    value = int.from_bytes(hmac.new(seed, text, hashlib.sha256).digest()[:8], "big") % 4

    assert [0, 0, 0, 1][value] == Dice(seed, words).draw(5, [3, 1])


def test_a_word_of_a_player_changes_the_draws() -> None:
    draws = [[Dice(demo_seed(1), words).draw(n, [1] * 50) for n in range(20)] for words in ((), ("plum",), ("pear",))]

    assert len({tuple(one) for one in draws}) == 3


def test_odds_are_kept_over_many_draws() -> None:
    dice = Dice(demo_seed(2))

    counts = Counter(dice.draw(number, (3, 1)) for number in range(4_000))

    assert 2_850 < counts[0] < 3_150


def test_a_value_beyond_the_last_multiple_is_drawn_again() -> None:
    """A total just above half of the range refuses almost every second value, so some draw needs a second try."""
    dice = Dice(demo_seed(3))
    half = (1 << 63) + 1

    draws = [dice.draw(number, (half,)) for number in range(20)]

    assert draws == [0] * 20


def test_the_commitment_is_the_digest_of_the_seed() -> None:
    assert hashlib.sha256(b"pbem demo7").digest() == demo_seed(7)
    assert hashlib.sha256(demo_seed(7)).hexdigest() == Dice(demo_seed(7)).commitment


def test_salts_differ_from_entry_to_entry() -> None:
    dice = Dice(demo_seed(4))

    assert len({dice.salt(seq) for seq in range(100)}) == 100
