"""Village as a `Ruleset`: wires the phases, the views and the scoring; holds no rule."""

from collections.abc import Iterator, Mapping

from engine.core.errors import ConfigError
from engine.core.ruleset import Config, Option
from engine.core.tables import Tables
from engine.core.types import Ahead, Decision, Seat, Standing, Step
from engine.village.ahead import ahead
from engine.village.components import read_components
from engine.village.moves import GRAMMAR, Move
from engine.village.phases import PHASES
from engine.village.scoring import standings
from engine.village.setup import first_state
from engine.village.state import State
from engine.village.views import View, view
from engine.village.vocabulary import VOCABULARY

FIRST = ("0", "1", "2", "3")


class Village:
    """The rules of Village."""

    name = "village"
    rules = 1
    seats = range(2, 5)
    options: Mapping[str, Option] = {"first": Option("0", FIRST)}
    grammar = GRAMMAR
    has_secrets = False
    facts: tuple[str, ...] = ()
    vocabulary = VOCABULARY
    state_type = State

    def setup(self, config: Config, tables: Tables) -> State:
        """Return the position before the first customer is drawn; option `first` is the starting player's seat."""
        first = int(config.option("first"))
        if first >= config.seats:
            raise ConfigError("config.choice", option="first", value=str(first), choices=FIRST[: config.seats])
        return PHASES.settle(first_state(read_components(tables), config.seats, Seat(first))).state

    def pending(self, state: State) -> tuple[Decision, ...]:
        """Return the one decision that is owed; nothing when the game is over."""
        return PHASES.pending(state)

    def ahead(self, state: State, seat: Seat) -> tuple[Ahead[State], ...]:
        """Return what may come to *seat*, up to and with its next own turn."""
        return ahead(state, seat)

    def legal(self, state: State, seat: Seat) -> Iterator[Move]:
        """Yield the answers to what *seat* owes; the first is the least harmful."""
        return PHASES.legal(state, seat)

    def apply(self, state: State, seat: Seat, move: Move) -> Step[State]:
        """Return the position after *move*, and after all that follows by itself."""
        return PHASES.apply(state, seat, move)

    def default(self, state: State, seat: Seat) -> Move:
        """Return the first of `legal`: every list begins with what costs least and harms least."""
        return next(self.legal(state, seat))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the position as a report needs it; nothing is hidden from anybody."""
        return view(state, seat)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Return one standing for each seat, as if it were scored now."""
        return standings(state)


RULESET = Village()
