"""The list of titles, and the only place of the engine that opens a file: the packaged component tables."""

from importlib import import_module, resources
from importlib.util import find_spec
from typing import Any

from engine.core.bots import Bot, greedy_bot
from engine.core.errors import ConfigError
from engine.core.ruleset import Ruleset
from engine.core.tables import Tables, load_tables

_TITLES: dict[str, str] = {
    "village": "engine.village",
    "tiny_towns": "engine.tiny_towns",
    "my_village": "engine.my_village",
}


def titles() -> tuple[str, ...]:
    """Return the names of all titles, in the order of the list."""
    return tuple(_TITLES)


def add_title(name: str, module: str) -> None:
    """Put one more title on the list: *module* must offer `RULESET` and the folder `tables`."""
    _TITLES[name] = module


def load(name: str) -> Ruleset[Any, Any, Any]:
    """
    Return the rules of the title *name*.

    Raises: ConfigError `config.ruleset`.
    """
    if name not in _TITLES:
        raise ConfigError("config.ruleset", ruleset=name, known=titles())
    ruleset: Ruleset[Any, Any, Any] = import_module(_TITLES[name]).RULESET
    return ruleset


def load_bot(name: str) -> Bot:
    """
    Return the greedy bot of the title *name*, or the general one where the title has none of its own.

    Raises: ConfigError `config.ruleset`.
    """
    load(name)
    module = f"{_TITLES[name]}.bot"
    bot: Bot = import_module(module).greedy if find_spec(module) else greedy_bot
    return bot


def packaged_tables(name: str) -> Tables:
    """
    Return the component tables that come with the title *name*.

    Raises: ConfigError `config.ruleset`.
    """
    if name not in _TITLES:
        raise ConfigError("config.ruleset", ruleset=name, known=titles())
    folder = resources.files(_TITLES[name]) / "tables"
    return load_tables((folder / "components.toml").read_bytes())
