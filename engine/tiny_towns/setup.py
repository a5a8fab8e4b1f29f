"""The set-up: options to a variant, and the position before the first draw."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from engine.core.errors import ConfigError
from engine.core.ruleset import Config, Option
from engine.tiny_towns.components import Black, Cheap, Components, Dear, Green, Grey, Orange, Red, Yellow
from engine.tiny_towns.rules.dealing import CHEAP, DRAWN, takes_part
from engine.tiny_towns.state import Player, State, Variant

RANDOM = "random"
_YES_NO = ("no", "yes")
_DRAWN_CARDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "red": get_args(Red),
        "grey": get_args(Grey),
        "orange": get_args(Orange),
        "green": get_args(Green),
        "yellow": get_args(Yellow),
        "black": get_args(Black),
    }
)

OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "villagers": Option("yes", ("yes", "no")),
        "monuments": Option("yes", ("yes", "no")),
        "town-hall": Option("no", _YES_NO),
        "cavern": Option("no", _YES_NO),
        "cards": Option(RANDOM, (RANDOM, "first-game")),
        **{colour: Option(RANDOM, (RANDOM, *cards)) for colour, cards in _DRAWN_CARDS.items()},
        "cheap": Option(RANDOM, (RANDOM, *get_args(Cheap))),
        "dear": Option(RANDOM, (RANDOM, *get_args(Dear))),
        "new-cards": Option("no", _YES_NO),
        "feast-hall": Option("no", _YES_NO),
        "ask-late": Option("no", _YES_NO),
    }
)
"""
Variants of the game.

`villagers`   with the Villagers expansion · `monuments` with monuments
`town-hall`   the Town Hall variant · `cavern` the Cavern rule
`cards`       the cards in play: drawn, or those of the first game
COLOUR        a card chosen by name; if one is, one for each colour is
`cheap`, `dear`  the villager cards, drawn or by name
`new-cards`   the cards known by name only are shuffled in · `feast-hall` the Feast Hall stays in the solo game
`ask-late`    the game waits for the Watch, the villagers and the Lodge
"""


def first_state(tables: Components, config: Config) -> State:
    """
    Return the position before the first draw.

    Raises: ConfigError `config.solo`, `config.cards`, `config.left-out`, `config.piles`.
    """
    variant = Variant(
        monuments=_is_on(config, "monuments"),
        villagers=_is_on(config, "villagers"),
        town_hall=_is_on(config, "town-hall"),
        cavern=_is_on(config, "cavern"),
        feast_hall=_is_on(config, "feast-hall"),
        new_cards=_is_on(config, "new-cards"),
        ask_late=_is_on(config, "ask-late"),
    )
    seats = config.seats
    if variant.town_hall and seats == 1:
        raise ConfigError("config.solo", option="town-hall")
    return State(
        tables=tables,
        variant=variant,
        players=(Player(),) * seats,
        stacks=((),) * seats,
        stage="cards",
        cards=("cottage", *_chosen_cards(tables, config, variant)),
        helpers=_chosen_helpers(tables, config) if variant.villagers else (),
    )


def _is_on(config: Config, name: str) -> bool:
    return config.option(name) == "yes"


def _chosen_cards(tables: Components, config: Config, variant: Variant) -> tuple[str, ...]:
    """Return the cards chosen by name, one for each colour, or none. Source: our ruling "Cards by name"."""
    named = {colour: config.option(colour) for colour in DRAWN if config.option(colour) != RANDOM}
    if config.option("cards") == "first-game":
        if named:
            raise ConfigError("config.cards", missing=())
        named = {card.colour: card.id for card in tables.buildings if card.first_game and card.colour in DRAWN}
    missing = tuple(colour for colour in DRAWN if colour not in named)
    if named and missing:
        raise ConfigError("config.cards", missing=missing)
    for name in named.values():
        if not takes_part(tables.card(name), variant, solo=config.seats == 1):
            raise ConfigError("config.left-out", card=name)
    return tuple(named[colour] for colour in DRAWN if named)


def _chosen_helpers(tables: Components, config: Config) -> tuple[str, ...]:
    """Return the villager cards chosen by name, one of each pile, or none."""
    named = tuple(name for name in (config.option("cheap"), config.option("dear")) if name != RANDOM)
    if named and [tables.helper(name).cost == CHEAP for name in named] != [True, False]:
        raise ConfigError("config.piles", chosen=named)
    return named
