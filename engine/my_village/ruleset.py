"""My Village as a `Ruleset`: wires the phases, the views and the scoring; holds no rule."""

from collections.abc import Iterator, Mapping

from engine.core.ruleset import Config, Option
from engine.core.tables import Tables
from engine.core.types import Ahead, Decision, Seat, Standing, Step
from engine.my_village.ahead import ahead
from engine.my_village.components import read_components
from engine.my_village.moves import GRAMMAR, Move
from engine.my_village.phases import PHASES
from engine.my_village.scoring import standings
from engine.my_village.setup import first_state
from engine.my_village.state import State
from engine.my_village.views import View, view
from engine.my_village.vocabulary import VOCABULARY


class MyVillage:
    """The rules of My Village."""

    name = "my_village"
    rules = 1
    seats = range(2, 5)
    options: Mapping[str, Option] = {}
    grammar = GRAMMAR
    has_secrets = True
    facts: tuple[str, ...] = ()
    vocabulary = VOCABULARY
    state_type = State

    def setup(self, config: Config, tables: Tables) -> State:
        """Return the position before chance names the starting player."""
        return PHASES.settle(first_state(read_components(tables), config)).state

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
        """Return the position as a report needs it; only a card that a Travel church sees is hidden."""
        return view(state, seat)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Return one standing for each seat, as if it were scored now."""
        return standings(state)


RULESET = MyVillage()
