"""
The phases of the game: who owes what, and what ends it. Read this first.

The position holds a stack of phases begun and not ended. The topmost either asks somebody (`ASKING`) or, if it has
nothing to ask, the rules move on by themselves: with its own `goes_on`, or with `PASSING` for those that never ask.
At the bottom lies one of `Round`, `NextRound`, `Scoring`; above it, for example, a turn, its market day, a death.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.core.phases import Asking, Phases, answers, on
from engine.core.types import Step
from engine.village import moves as m
from engine.village.moves import GRAMMAR, Move
from engine.village.rules import (
    choice,
    church,
    council,
    crafts,
    death,
    end,
    family,
    harvest,
    market,
    mass,
    travel,
    turn,
    well,
)
from engine.village.rules import round as rounds
from engine.village.rules.actions import can_act
from engine.village.state import Action, Majority, NextRound, Phase, Round, Scoring, State, top


def acts(state: State) -> bool:
    """Return whether anything can be done in the action of the present phase."""
    return can_act(state, top(state, Action).space)


SKIP = on(m.Skip, turn.skip)

ASKING: tuple[Asking[State, Move], ...] = (
    # --- chance ---
    # Customers come out of the pile, at set-up and after a market day, until stalls and line are full.
    Asking(
        "village.customer", market.layout_decision, market.layout_moves, answers(on(m.Draw, market.draw_customer)),
        market.layout_asks, market.end_layout,
    ),
    # Cubes come out of the green bag until every space has what the set-up card shows.
    Asking(
        "village.cube", rounds.decision, rounds.moves, answers(on(m.Draw, rounds.draw_cube)),
        rounds.asks, rounds.begin_turns,
    ),
    # Pieces come out of the black bag until four are out.
    Asking(
        "village.piece", mass.draw_decision, mass.draw_moves, answers(on(m.Draw, mass.draw_piece)),
        mass.draw_asks, mass.end_draw,
    ),
    # --- a turn: the seat whose turn it is ---
    # A cube, or the well; on the emptied board of the last turns a free action. Ends with the death that is due.
    Asking(
        "village.turn", turn.decision, turn.moves,
        answers(on(m.Take, turn.take), on(m.PayWell, well.pay_well), on(m.Act, turn.act), on(m.Forgo, turn.forgo)),
        turn.asks, turn.end_turn,
    ),
    # The well is paid: which action?
    Asking("village.well", well.decision, well.moves, answers(SKIP, on(m.Act, turn.act))),
    # The actions. Where nothing can be done the rules move on; what a skip gives up is lost.
    Asking(
        "village.harvest", harvest.decision, harvest.moves, answers(SKIP, on(m.Harvest, harvest.harvest)),
        acts, turn.cannot_act,
    ),
    Asking(
        "village.family", family.decision, family.moves,
        answers(SKIP, on(m.Birth, family.birth), on(m.Home, family.home)), acts, turn.cannot_act,
    ),
    Asking(
        "village.crafts", crafts.decision, crafts.moves,
        answers(
            SKIP, on(m.Train, crafts.train), on(m.Make, crafts.make), on(m.Buy, crafts.buy), on(m.Mill, crafts.mill)
        ),
        acts, turn.cannot_act,
    ),
    # Who was just trained may make a good.
    Asking(
        "village.produce", crafts.produce_decision, crafts.produce_moves, answers(SKIP, on(m.Make, crafts.make_first)),
    ),
    Asking(
        "village.travel", travel.decision, travel.moves,
        answers(SKIP, on(m.Depart, travel.depart), on(m.Travel, travel.travel)), acts, turn.cannot_act,
    ),
    Asking(
        "village.council", council.decision, council.moves,
        answers(SKIP, on(m.Enter, council.enter), on(m.Advance, council.advance), on(m.Use, council.use)),
        acts, turn.cannot_act,
    ),
    # Who has just entered or moved up may use one privilege.
    Asking(
        "village.privilege", council.privilege_decision, council.privilege_moves,
        answers(SKIP, on(m.Use, council.use_after)),
    ),
    # Cubes or a good of free choice, from a city or a privilege.
    Asking(
        "village.cubes", choice.cubes_decision, choice.cubes_moves, answers(on(m.Choose, choice.choose)),
        choice.cubes_ask, choice.no_cubes,
    ),
    Asking(
        "village.good", choice.good_decision, choice.good_moves, answers(on(m.Pick, choice.pick)),
        choice.good_asks, choice.no_goods,
    ),
    Asking(
        "village.church", church.decision, church.moves, answers(SKIP, on(m.Pray, church.pray)), acts, turn.cannot_act
    ),
    # --- the market day: one sale or a pass, clockwise, until no customer is left or all are out ---
    Asking(
        "village.market", market.decision, market.moves, answers(on(m.Pass, market.leave), on(m.Sell, market.sell)),
        market.asks, market.go_on,
    ),
    # --- a death: asked only where the oldest members stand on different spots ---
    Asking("village.death", death.decision, death.moves, answers(on(m.Bury, death.bury)), death.asks, death.settle),
    # --- the mass: each seat once round buys members out, then (after the draw) moves members left ---
    Asking(
        "village.redeem", mass.redeem_decision, mass.redeem_moves,
        answers(on(m.Pass, mass.stop_redeeming), on(m.Redeem, mass.redeem)), mass.redeem_asks, mass.redeem_next,
    ),
    Asking(
        "village.rise", mass.rise_decision, mass.rise_moves,
        answers(on(m.Pass, mass.stop_rising), on(m.Rise, mass.rise)), mass.rise_asks, mass.rise_next,
    ),
)  # fmt: skip

PASSING: Mapping[type[Phase], Callable[[State], Step[State]]] = MappingProxyType(
    {
        Round: rounds.after_turn,  # the next turn; or the mass of the round; or the last turns and the last mass
        Majority: mass.majority,
        NextRound: rounds.next_round,
        Scoring: end.finish,
    }
)

PHASES: Phases[State, Move] = Phases(GRAMMAR, ASKING, PASSING)
