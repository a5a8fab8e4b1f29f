"""Whole mails tell nothing that is hidden: the same bytes in every world that the reader cannot tell apart."""

import pytest

from engine.core.types import Seat
from pbem.post.compose import compose, render_standalone
from pbem.post.draw.page import page_svg
from tests.contract import laws
from tests.contract.titles import Setting
from tests.pbem.post.sample import WORDS, drawings, facts_at

SETTINGS = (
    Setting("bids", 3),
    Setting("tiny_towns", 1),
    Setting("tiny_towns", 2),
    Setting("tiny_towns", 4),
    Setting("tiny_towns", 3, (("town-hall", "yes"),)),
    Setting("my_village", 3, drawn=17),  # positions whose games have a Travel church that looks
    Setting("my_village", 3, drawn=26),
)
SINCE = 20
"""So many entries are told in a mail."""


def mailed(setting: Setting, records: laws.Records, seat: Seat, language: str) -> tuple[bytes, str, tuple[str, ...]]:
    """Return the mail to *seat* after *records*, headers and all, the picture of its text, and its own pictures."""
    facts = facts_at(setting, records[-1].position, records[-SINCE:], seat, language=language)
    text, _ = render_standalone(facts, WORDS)
    return compose(facts, WORDS, "nonce").raw, page_svg(text.splitlines()), drawings(facts)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_whole_mails_are_the_same_in_both_worlds(setting: Setting, language: str) -> None:
    changed: list[str] = []
    compared: list[Seat] = []

    def compare(one: laws.Records, other: laws.Records, seat: Seat | None) -> None:
        if seat is not None:
            compared.append(seat)
            assert mailed(setting, one, seat, language) == mailed(setting, other, seat, language)

    for seed in range(2):
        records = laws.random_game(setting, seed)
        laws.check_secrets(setting, seed, records, changed.append, 0.25 if setting.drawn else 0.06, compare)

    assert changed
    assert compared or setting.seats == 1


def test_the_mail_to_whoever_knows_it_differs() -> None:
    setting = Setting("tiny_towns", 2)
    records = laws.random_game(setting, 1)
    dealt = next(n for n, record in enumerate(records) if record.events[0].key == "towns.dealt")
    before = records[dealt - 1].position
    text = records[dealt].entry.text
    other = next(one for one in laws.texts(setting.ruleset, before.state, Seat(-1)) if one != text)
    world = [*records[:dealt], laws.make_entry(setting.ruleset, before, Seat(-1), other)]

    mails = {mailed(setting, one, Seat(0), "en") for one in (records[: dealt + 1], world)}

    assert 2 == len(mails)
