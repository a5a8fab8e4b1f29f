"""Every way to say a move gives the same entry; `python -m tests.pbem.post.forms` looks at many more positions."""

import random

import pytest

from engine import registry
from pbem.lexicon import languages
from tests.pbem.post.forms import check_position, positions


@pytest.mark.parametrize("title", [one for one in registry.titles() if one != "bids"])
def test_every_way_to_say_a_move_gives_the_same_entry(title):
    for at, (setting, position, seat) in enumerate(positions(title, 10, random.Random(3))):
        assert check_position(setting, position, seat, languages()[at % 2])
