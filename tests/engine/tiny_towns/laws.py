"""What the contract suite needs of Tiny Towns: what never changes in a game, its variants, and drawn positions."""

import random

from msgspec.structs import replace

from engine.core.types import CHANCE
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import MONUMENTS, RESOURCES
from engine.tiny_towns.layouts import ALL, placements, unpack
from engine.tiny_towns.phases import first_round, settle
from engine.tiny_towns.rules.round import begin
from engine.tiny_towns.state import State, Town


def pieces(state: State) -> object:
    """Return what never changes, after looking for what must not be: monuments, villagers, what lies on what."""
    monuments = sorted(
        (
            *state.returned,
            *(name for player in state.players for name in player.dealt),
            *(player.monument for player in state.players if player.monument),
        )
    )
    assert len(set(monuments)) == len(monuments), "no monument twice"
    for player in state.players:
        town = player.town
        standing = [name for name in town.buildings if name in MONUMENTS]
        assert standing in ([], [player.monument]), "only the own monument stands, and once"
        assert all(not (cube and name) for cube, name in zip(town.cubes, town.buildings, strict=True))
        assert all(town.buildings[at] for at in town.workers), "who works, works in a building"
        assert all(not held or name for held, name in zip(town.held, town.buildings, strict=True))
        places = (*town.villagers, *town.workers)
        assert len(set(places)) == len(places), "two villagers never share a square"
        assert list(town.villagers) == sorted(town.villagers)
        count = len(places) + town.lodge
        assert count in (0, state.tables.villagers.count)
        if state.round:
            assert count == (state.tables.villagers.count if state.variant.villagers else 0)
    return len(state.players), len(state.stacks)


MANY = (2, 3, 4, 5, 6)
ANY = (1, *MANY)
VARIANTS: tuple[tuple[dict[str, str], tuple[int, ...]], ...] = (
    ({"new-cards": "yes"}, ANY),
    ({"villagers": "no"}, (4, 1, 2, 3, 5, 6)),
    ({"town-hall": "yes", "cavern": "yes"}, MANY),
    ({"town-hall": "yes", "villagers": "no", "monuments": "no"}, (3, 2, 4, 5, 6)),
    ({"monuments": "no", "cavern": "yes"}, (5, 1, 2, 3, 4, 6)),
    ({"ask-late": "yes"}, (6, 1, 2, 3, 4, 5)),
    ({"cards": "first-game", "villagers": "no", "monuments": "no"}, (2, 1, 3, 4, 5, 6)),
    (
        {
            "black": "warehouse",
            "red": "granary",
            "grey": "shed",
            "orange": "temple",
            "green": "inn",
            "yellow": "market",
        },
        MANY,
    ),
    ({"cheap": "cut-corners", "dear": "cooperate"}, ANY),
    ({"cheap": "scrap", "dear": "renovate", "cavern": "yes"}, ANY),
    ({"cheap": "forage", "dear": "innovate", "feast-hall": "yes"}, (1, *MANY)),
)
"""Options with the numbers of seats that are played with them; all variants, and each villager card."""

VILLAGERS = 3


def drawn(first: State, number: int) -> State:
    """
    Return the beginning of a round in the middle of a game that chance has drawn, with the options of *first*.

    Towns hold cubes, buildings with markers and cubes on them, a Monument at times, workers and other villagers.
    """
    chooser = random.Random(number)
    state = first
    while RULESET.pending(state)[0].seat == CHANCE:
        decision = RULESET.pending(state)[0]
        moves = list(RULESET.legal(state, CHANCE))
        state = RULESET.apply(state, CHANCE, chooser.choices(moves, decision.odds)[0]).state
    players = []
    for player in state.players:
        kept = chooser.choice(player.dealt) if player.dealt else ""
        made = _town(state, chooser, kept)
        players.append(replace(player, town=made, monument=kept, dealt=(), turns=chooser.randint(0, 4)))
    returned = {name for one in state.players for name in one.dealt} - {one.monument for one in players}
    state = replace(state, players=tuple(players), returned=tuple(sorted(returned)), stacks=((),) * len(players))
    begun = replace(state, round=chooser.randint(3, 8))
    return settle(first_round(begun).state if state.solo else begin(begun).state).state


def _plant(state: State, chooser: random.Random, card: str, names: list[str], cubes: list[str]) -> None:
    """Lay the cubes of *card* somewhere, as far as no Monument is in the way."""
    placed = chooser.choice(placements(state.tables.card(card).layout))
    if not any(names[at] in MONUMENTS for at in unpack(placed.mask)):
        for resource, need in zip(RESOURCES, placed.needs, strict=True):
            for at in unpack(need):
                names[at], cubes[at] = "", resource


def _town(state: State, chooser: random.Random, monument: str) -> Town:
    names, cubes = _laid(state, chooser, monument)
    free = chooser.sample(RESOURCES, len(RESOURCES))
    held: list[tuple[str, ...]] = [()] * len(ALL)
    for at, name in enumerate(names):
        if name == "bank" and not free:
            names[at] = "cottage"
        elif name == "bank":
            held[at] = (free.pop(),)
        else:
            held[at] = tuple(chooser.choices(RESOURCES, k=_lying(chooser, name, names)))
    town = Town(cubes=tuple(cubes), buildings=tuple(names), held=tuple(held))
    if "watch" in names:
        town = replace(town, stock=tuple(sorted(chooser.sample(state.cards, 3), key=state.cards.index)))
    return _peopled(town, chooser) if state.variant.villagers else town


def _laid(state: State, chooser: random.Random, monument: str) -> tuple[list[str], list[str]]:
    """Return buildings and cubes: some by chance, some so that a layout lies complete; a square at least is empty."""
    built, filled = chooser.uniform(0.1, 0.6), chooser.uniform(0.2, 0.9)
    names = [chooser.choice(state.cards) if chooser.random() < built else "" for _ in ALL]
    if monument and chooser.random() < 0.6:
        names[chooser.randrange(len(names))] = monument
    cubes = ["" if name or chooser.random() > filled else chooser.choice(RESOURCES) for name in names]
    for card in chooser.sample([*state.cards, *([monument] if monument and monument not in names else [])], 2):
        _plant(state, chooser, card, names, cubes)
    if all(name or cube for name, cube in zip(names, cubes, strict=True)):
        at = chooser.choice([at for at in ALL if names[at] not in MONUMENTS])
        names[at] = cubes[at] = ""
    return names, cubes


def _lying(chooser: random.Random, name: str, names: list[str]) -> int:
    """Return how many markers or cubes lie on a building of the card *name*."""
    if name == "warehouse":
        return chooser.randint(0, 3)
    return int(name == "factory" or (name == "cottage" and "statue" in names and chooser.random() < 0.5))


def _peopled(town: Town, chooser: random.Random) -> Town:
    """Return the town with its villagers: at work, on empty squares, and in the Lodge if there are too few."""
    built = [at for at in ALL if town.buildings[at]]
    workers = chooser.sample(built, min(chooser.randint(0, VILLAGERS), len(built)))
    others = chooser.sample(town.empty, min(VILLAGERS - len(workers), len(town.empty)))
    lodge = VILLAGERS - len(workers) - len(others)
    return replace(town, workers=tuple(sorted(workers)), villagers=tuple(sorted(others)), lodge=lodge)
