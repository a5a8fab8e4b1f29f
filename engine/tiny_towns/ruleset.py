"""Tiny Towns as a `Ruleset`: wires the phases, the views and the scoring; holds no rule."""

from collections.abc import Iterator

from engine.core.errors import IllegalMoveError
from engine.core.ruleset import Config
from engine.core.tables import Tables
from engine.core.types import CHANCE, Ahead, Decision, Seat, Standing, Step
from engine.tiny_towns.ahead import ahead
from engine.tiny_towns.components import read_components
from engine.tiny_towns.moves import GRAMMAR, AnyMove
from engine.tiny_towns.phases import DRAWN, is_drawing, pending, question, settle
from engine.tiny_towns.scoring import standings
from engine.tiny_towns.setup import OPTIONS, first_state
from engine.tiny_towns.state import State
from engine.tiny_towns.views import View, view
from engine.tiny_towns.vocabulary import VOCABULARY


class TinyTowns:
    """The rules of Tiny Towns with Villagers."""

    name = "tiny_towns"
    rules = 1
    seats = range(1, 7)
    options = OPTIONS
    grammar = GRAMMAR
    has_secrets = True
    facts = VOCABULARY.all_facts
    vocabulary = VOCABULARY
    state_type = State

    def setup(self, config: Config, tables: Tables) -> State:
        """Return the position before the first card is drawn."""
        return settle(first_state(read_components(tables), config)).state

    def pending(self, state: State) -> tuple[Decision, ...]:
        """Return who owes what; nothing when the game is over."""
        return pending(state)

    def ahead(self, state: State, seat: Seat) -> tuple[Ahead[State], ...]:
        """Return what may come to *seat*, up to and with its next naming and placing."""
        return ahead(state, seat)

    def legal(self, state: State, seat: Seat) -> Iterator[AnyMove]:
        """Yield the answers to what *seat* owes; the first is the least harmful."""
        if is_drawing(state):
            if seat == CHANCE:
                yield from DRAWN[state.stage].moves(state)
        elif seat != CHANCE and (asked := question(state, seat)):
            yield from asked.moves(state, seat)

    def apply(self, state: State, seat: Seat, move: AnyMove) -> Step[State]:
        """Return the position after *move*, and after all that follows by itself."""
        made = self._draw(state, seat, move) if is_drawing(state) else self._answer(state, seat, move)
        after = settle(made.state)
        return Step(after.state, made.events + after.events)

    def _draw(self, state: State, seat: Seat, move: AnyMove) -> Step[State]:
        if seat != CHANCE:
            raise IllegalMoveError("turn.not-owed", seat=seat)
        drawn = DRAWN[state.stage]
        if drawn.decision(state).key not in GRAMMAR.verb_of(move).decisions:
            raise self._not_asked(move, drawn.decision(state).key)
        return drawn.rule(state, move)

    def _answer(self, state: State, seat: Seat, move: AnyMove) -> Step[State]:
        asked = question(state, seat) if seat in state.seats else None
        if asked is None:
            raise IllegalMoveError("turn.not-owed", seat=seat)
        rule = asked.answers.get(type(move))
        if rule is None:
            raise self._not_asked(move, asked.key)
        return rule(state, seat, move)

    @staticmethod
    def _not_asked(move: AnyMove, decision: str) -> IllegalMoveError:
        return IllegalMoveError("turn.not-asked", verb=GRAMMAR.verb_of(move).word, decision=decision)

    def default(self, state: State, seat: Seat) -> AnyMove:
        """Return the first of `legal`: every list begins with what costs least and harms least."""
        return next(self.legal(state, seat))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the position as *seat* may see it: without what others keep in the hand."""
        return view(state, seat)

    def standings(self, state: State) -> tuple[Standing, ...]:
        """Return one standing for each seat, as if it were scored now; what is in the hand counts nothing."""
        return standings(state)


RULESET = TinyTowns()
