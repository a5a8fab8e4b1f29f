"""
What the engine raises.

    EngineError                 has a key and fields; the sentence is made elsewhere
    ├── GrammarError            the text is no move of this title
    ├── IllegalMoveError        a move, but the rules forbid it here
    ├── LogError                the log does not replay, or its chain does not hold
    ├── TableError              a component table lacks something or holds nonsense
    └── ConfigError             no such title, option or number of seats
"""

from engine.core.types import Fields, FieldValue


class EngineError(Exception):
    """The root; `key` names the reason, `fields` its arguments."""

    def __init__(self, key: str, **values: FieldValue) -> None:
        self.key = key
        self.fields: Fields = tuple(values.items())
        shown = " ".join(f"{name}={value}" for name, value in self.fields)
        super().__init__(f"{key} {shown}".rstrip())


class GrammarError(EngineError):
    """
    The text is no move of this title.

    Keys: `grammar.empty`, `grammar.verb`, `grammar.missing`, `grammar.word`, `grammar.rest`.
    """


class IllegalMoveError(EngineError):
    """The move cannot be made in this position, for the reason in `key`."""


class LogError(EngineError):
    """The log cannot be replayed; the fields name the `seq` of the first entry that fails."""


class TableError(EngineError):
    """A component table cannot be used."""


class ConfigError(EngineError):
    """A game cannot be set up like this."""
