"""Every title keeps every law, on about thirty games a setting."""

import os

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from engine.core.ruleset import Ruleset
from tests.contract import laws
from tests.contract.titles import Setting, settings

GAMES = int(os.environ.get("LAW_GAMES", "30"))
play_games = hypothesis_settings(
    max_examples=GAMES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)
seeds = st.integers(min_value=0, max_value=10**6)


@pytest.mark.parametrize("setting", settings(), ids=str)
def test_random_games_keep_every_law(setting: Setting) -> None:
    @play_games
    @given(seeds)
    def check(seed: int) -> None:
        laws.check_game(setting, seed)

    check()


@pytest.mark.parametrize("setting", [one for one in settings() if one.ruleset.has_secrets], ids=str)
def test_a_hidden_entry_tells_nothing(setting: Setting) -> None:
    changed: list[str] = []

    @play_games
    @given(seeds)
    def check(seed: int) -> None:
        laws.check_secrets(setting, seed, changed.append)

    check()

    assert changed, "no entry was replaced, so nothing was tested"


@pytest.mark.parametrize("setting", settings(), ids=str)
def test_a_title_fits_the_seam(setting: Setting) -> None:
    ruleset: Ruleset[object, object, object] = setting.ruleset

    words = [verb.word for verb in ruleset.grammar.verbs]

    assert len(set(words)) == len(words)
    assert ruleset.name == setting.title
    assert set(ruleset.vocabulary.decisions) == {key for verb in ruleset.grammar.verbs for key in verb.decisions}
