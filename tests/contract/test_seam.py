"""What a law is worth: the suite notices a title that breaks it. And what is pinned: move order, counts, bytes."""

import hashlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.core.bots import play_game
from engine.core.errors import IllegalMoveError, LogError
from engine.core.types import Event, Seat, Step
from tests.contract import laws
from tests.contract.bids import ruleset as bids
from tests.contract.titles import Setting, dice, laws_of, settings

PINNED = tomllib.loads(Path(__file__).with_name("perft.toml").read_text())
SETTING = Setting("bids", 2)


class Leaky(bids.Bids):
    """Tells everybody which card was dealt."""

    def _deal(self, state: bids.State, seat: Seat, card: int) -> Step[bids.State]:
        step = super()._deal(state, seat, card)
        return Step(step.state, (*step.events, Event("bids.prize", (("what", str(card)),))))


class Peeking(bids.Bids):
    """Lets what is asked of all depend on a secret hand."""

    def _owes(self, state: bids.State, seat: Seat) -> Any:
        decision = super()._owes(state, seat)
        return msgspec.structs.replace(decision, occasion=sum(map(sum, state.hands)))


class Generous(bids.Bids):
    """Accepts a bid that its list does not name."""

    def _bid(self, state: bids.State, seat: Seat, coins: int) -> Step[bids.State]:
        return super()._bid(state, seat, min(coins, state.coins[seat]))


class Magical(bids.Bids):
    """Makes a card out of nothing."""

    def _next_round(self, state: bids.State) -> bids.State:
        after = super()._next_round(state)
        return msgspec.structs.replace(after, discard=(*after.discard, 5))


class Endless(bids.Bids):
    """Never ends."""

    def _next_round(self, state: bids.State) -> bids.State:
        after = super()._next_round(state)
        return msgspec.structs.replace(after, round=1, deck=(*after.deck, *after.discard), discard=())


def hunt(check: Callable[[int], object]) -> None:
    """Run *check* on twenty games."""
    for seed in range(20):
        check(seed)


@pytest.mark.parametrize("kind", [Leaky, Peeking])
def test_a_title_that_tells_secrets_is_caught(kind: type[bids.Bids], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.contract.bids.RULESET", kind())

    with pytest.raises(AssertionError):
        hunt(lambda seed: laws.check_secrets(SETTING, seed, laws.random_game(SETTING, seed), lambda text: None))


@pytest.mark.parametrize("kind", [Generous, Magical])
def test_a_title_that_breaks_a_law_is_caught(kind: type[bids.Bids], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.contract.bids.RULESET", kind())

    with pytest.raises(AssertionError):
        hunt(lambda seed: laws.check_game(SETTING, seed, share=1.0))


def test_a_game_that_never_ends_is_stopped() -> None:
    ruleset: laws.Rules = Endless()
    bots = {Seat(n): lambda rules, state, seat: next(rules.legal(state, seat)) for n in range(2)}

    with pytest.raises(LogError, match=r"bots\.endless"):
        play_game(ruleset, SETTING.start(), bots, dice(1), limit=300)


DRAWN = 12
"""The number of the drawn position that counts are pinned from, of a title that has drawn ones."""


def pinned() -> list[Setting]:
    """Return what counts are pinned of: each title with each number of seats, in the middle of a game if it can be."""
    plain = [one for one in settings() if not (one.options or one.drawn)]
    return [replace(one, drawn=DRAWN) if hasattr(laws_of(one.title), "drawn") else one for one in plain]


def settled(setting: Setting) -> Any:
    """Return a position at rest with real choices: after some entries of test game 1."""
    entries = 4 if setting.drawn else 6 if setting.title == "bids" else 41
    positions = list(laws.positions(setting, laws.random_game(setting, 1)))
    return next(one.state for one in positions[entries:] if laws.at_rest(setting.ruleset, one))


def counts(setting: Setting) -> dict[str, object]:
    """Return what is pinned for *setting*: leaves some moves deep, and a digest of the order of its first moves."""
    ruleset = setting.ruleset
    state = settled(setting)
    order = "\n".join(text for decision in ruleset.pending(state) for text in laws.texts(ruleset, state, decision.seat))
    depth = 4 if setting.drawn else 3
    return {"leaves": laws.perft(ruleset, state, depth), "order": hashlib.sha256(order.encode()).hexdigest()[:16]}


@pytest.mark.parametrize("setting", pinned(), ids=str)
def test_counts_and_order_of_moves_are_pinned(setting: Setting) -> None:
    assert PINNED[str(setting)] == counts(setting)


DIGEST = """
import hashlib
from tests.contract import laws
from tests.contract.titles import Setting
digest = hashlib.sha256()
for record in laws.random_game({setting!r}, 3):
    digest.update(repr((record.entry, record.events, record.position)).encode())
print(digest.hexdigest())
"""


@pytest.mark.parametrize("setting", settings()[::2], ids=str)
def test_the_same_log_comes_out_under_every_hash_seed(setting: Setting) -> None:
    program = DIGEST.format(setting=setting)
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in (1, 2)
    }

    assert len(found) == 1


def test_reasons_do_not_use_the_names_of_an_answer() -> None:
    taken = {"line", "written", "text", "reason", "possible"}
    for setting in settings():
        for key, names in setting.ruleset.vocabulary.reasons.items():
            assert not taken.intersection(names), key


def test_a_move_of_another_decision_is_refused() -> None:
    state = SETTING.start().state

    with pytest.raises(IllegalMoveError, match=r"turn\.not-asked"):
        SETTING.ruleset.apply(state, Seat(0), bids.Bid(1))


def write_pins() -> None:
    """Write the table anew: `python -c 'from tests.contract.test_seam import write_pins; write_pins()'`."""
    blocks = []
    for setting in pinned():
        values = counts(setting)
        blocks.append(f'["{setting}"]\nleaves = {values["leaves"]}\norder = "{values["order"]}"\n')
    head = "# Leaves three moves deep (four from a drawn position), and a digest of the order of the first moves.\n\n"
    Path(__file__).with_name("perft.toml").write_text(head + "\n".join(blocks))
