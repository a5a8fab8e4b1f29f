"""The seam for a new title: fill in `Ruleset`, add one line to `engine/registry.py`."""

from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Protocol, TypeVar

from msgspec import Struct

from engine.core.errors import ConfigError
from engine.core.grammar import Grammar
from engine.core.tables import Tables
from engine.core.types import Ahead, Decision, Seat, Standing, Step

S = TypeVar("S")
M = TypeVar("M")
V_co = TypeVar("V_co", covariant=True)


class Option(Struct, frozen=True):
    """A variant that the game master may choose: the default first, then what else is allowed."""

    default: str
    choices: tuple[str, ...]


class Config(Struct, frozen=True):
    """What a game is set up with: the number of seats, and the chosen value of every option, by name."""

    seats: int
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str) -> str:
        """Return the chosen value of option *name*, which the title must have."""
        return dict(self.options)[name]


Keys = Mapping[str, tuple[str, ...]]
"""Key -> the names of its fields, in order."""


class Vocabulary(Struct, frozen=True):
    """
    Everything that a title can say, so that the words files can be held against it.

    `decisions`  key of a question -> its fields
    `events`     key of what happened -> its fields
    `reasons`    key of a refusal -> its fields
    `parts`      the sources of points, in the order of `Standing.parts`
    `ties`       the figures of `Standing.ties`, in their order
    `news`       the events at which everybody gets a report: a round's end
    `facts`      key of a question -> every word that its `facts` may hold
    `reveals`    the events that show what was hidden before; no other event may depend on what its reader cannot know
    """

    decisions: Keys
    events: Keys
    reasons: Keys
    parts: tuple[str, ...]
    ties: tuple[str, ...]
    facts: Keys = MappingProxyType({})
    reveals: tuple[str, ...] = ()
    news: tuple[str, ...] = ()

    @property
    def all_facts(self) -> tuple[str, ...]:
        """Return every word that the `facts` of some question may hold, each once."""
        return tuple(dict.fromkeys(chain.from_iterable(self.facts.values())))


class Ruleset(Protocol[S, M, V_co]):
    """
    The rules of one title: pure functions of the position. `S` is the position, `M` a move, `V_co` a view.

    `rules`        is raised when any stored log would replay differently
    `seats`        the numbers of seats that the title allows
    `has_secrets`  some event or decision is not for everybody
    `facts`        every word that `Decision.facts` may hold
    """

    name: str
    rules: int
    seats: range
    options: Mapping[str, Option]
    grammar: Grammar[M]
    has_secrets: bool
    facts: tuple[str, ...]
    vocabulary: Vocabulary
    state_type: type[S]

    def setup(self, config: Config, tables: Tables) -> S:
        """Return the first position. Raises: ConfigError, TableError."""
        ...

    def pending(self, state: S) -> tuple[Decision, ...]:
        """Return who owes what: at most one decision a seat, in seat order; chance alone if there; empty: over."""
        ...

    def ahead(self, state: S, seat: Seat) -> tuple[Ahead[S], ...]:
        """Return what may come to *seat*, up to and with its next own turn; nothing that it owes now."""
        ...

    def legal(self, state: S, seat: Seat) -> Iterator[M]:
        """Yield the answers to what *seat* owes, in a fixed order without doubles, least harmful first; or nothing."""
        ...

    def apply(self, state: S, seat: Seat, move: M) -> Step[S]:
        """Return the position after *move*, and what happened. Raises: IllegalMoveError with the reason."""
        ...

    def default(self, state: S, seat: Seat) -> M:
        """Return the move made for an owing *seat* at its deadline: legal, harmless, spending nothing saved."""
        ...

    def view(self, state: S, seat: Seat | None) -> V_co:
        """
        Return what *seat* may see; None is a spectator.

        Its `over` says that nothing is owed any more; whoever breaks a game off sets it in the last view.
        """
        ...

    def standings(self, state: S) -> tuple[Standing, ...]:
        """Return one standing for each seat, in seat order; while the game runs, from what all may know."""
        ...


def make_config(seats: int, given: Mapping[str, str], *, allowed: range, options: Mapping[str, Option]) -> Config:
    """
    Return the set-up of a game: *given* where stated, else the defaults.

    Raises: ConfigError `config.seats`, `config.option`, `config.choice`.
    """
    if seats not in allowed:
        raise ConfigError("config.seats", seats=seats, least=allowed[0], most=allowed[-1])
    for name in given:
        if name not in options:
            raise ConfigError("config.option", option=name, known=tuple(options))
    chosen = {name: given.get(name, option.default) for name, option in options.items()}
    for name, value in chosen.items():
        if value not in options[name].choices:
            raise ConfigError("config.choice", option=name, value=value, choices=options[name].choices)
    return Config(seats, tuple(chosen.items()))
