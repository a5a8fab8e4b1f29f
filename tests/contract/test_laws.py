"""
Every title keeps every law, on a dozen games a setting.

`LAW_GAMES` says how many; `python -m tests.contract.soak` is for thousands of them.
"""

import os

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.core.log import may_read
from engine.core.ruleset import Ruleset
from tests.contract import laws
from tests.contract.titles import Setting, settings

GAMES = int(os.environ.get("LAW_GAMES", "12"))
VARIANT_GAMES = max(1, GAMES // 4)
LONG = ("tiny_towns",)
"""Titles with hundreds of entries a game: what may be seen is compared at a share of the positions, in fewer games."""
LONG_SHARE = 0.1


def play_games(setting: Setting, share: int = 1) -> hypothesis_settings:
    """Return how many games are played: of a variant fewer, for there are many; and only one of *share*."""
    games = VARIANT_GAMES if setting.options and not setting.drawn else GAMES
    return hypothesis_settings(
        max_examples=max(1, games // share),
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        database=None,
    )


seeds = st.integers(min_value=0, max_value=10**6)


def has_secrets(setting: Setting) -> bool:
    """Return whether *setting* may have entries that not everybody may read."""
    # of a long title the games from their beginning show enough
    return setting.ruleset.has_secrets and not (setting.drawn and setting.title in LONG)


def has_hidden_entries(setting: Setting) -> bool:
    """Return whether some of a few games of *setting* have entries that not everybody may read."""
    games = (laws.random_game(of_seed(setting, seed), seed) for seed in range(1, 6))
    return any(not may_read(record, None) for records in games for record in records)


def of_seed(setting: Setting, seed: int) -> Setting:
    """Return *setting* with the drawn position of *seed*, if it has one."""
    return replace(setting, drawn=seed + 1) if setting.drawn else setting


@pytest.mark.parametrize("setting", settings(), ids=str)
def test_random_games_keep_every_law(setting: Setting) -> None:
    @play_games(setting)
    @given(seeds)
    def check(seed: int) -> None:
        laws.check_game(of_seed(setting, seed), seed)

    check()


@pytest.mark.parametrize("setting", [one for one in settings() if has_secrets(one)], ids=str)
def test_a_hidden_entry_tells_nothing(setting: Setting) -> None:
    if not has_hidden_entries(setting):
        pytest.skip("everybody may read every entry")
    changed: list[str] = []

    is_long = setting.title in LONG

    @play_games(setting, share=3 if is_long else 1)
    @given(seeds)
    def check(seed: int) -> None:
        one = of_seed(setting, seed)
        laws.check_secrets(one, seed, laws.random_game(one, seed), changed.append, LONG_SHARE if is_long else 1)

    check()

    assert changed, "no entry was replaced, so nothing was tested"


@pytest.mark.parametrize("setting", settings(), ids=str)
def test_a_title_fits_the_seam(setting: Setting) -> None:
    ruleset: Ruleset[object, object, object] = setting.ruleset

    words = [verb.word for verb in ruleset.grammar.verbs]

    assert len(set(words)) == len(words)
    assert ruleset.name == setting.title
    assert set(ruleset.vocabulary.decisions) == {key for verb in ruleset.grammar.verbs for key in verb.decisions}
