"""
The phases of the game: who owes what, and what ends it. Read this first.

The position holds a stack of phases begun and not ended. The topmost either asks somebody (`ASKING`) or, if it has
nothing to ask, the rules move on by themselves: with its own `goes_on`, or with `PASSING` for those that never ask.
At the bottom lies one of `NextRound`, `Round`, `Scoring`. A turn lays two on top, in this order:

    Turn          asks for flags once two dice are taken, and at its end looks at the bridge
    Totalling → Picking → Changing      the total, the dice, the coins
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.core.phases import Asking, Phases, answers, on
from engine.core.types import Step
from engine.my_village import moves as m
from engine.my_village.moves import GRAMMAR, Move
from engine.my_village.rules import (
    buying,
    dealing,
    death,
    dice,
    house,
    meeting,
    school,
    steward,
    travel,
    turn,
    working,
)
from engine.my_village.rules import round as rounds
from engine.my_village.state import NextRound, Phase, Round, Scoring, State

ASKING: tuple[Asking[State, Move], ...] = (
    # --- chance ---
    Asking("my.first", dealing.first_decision, dealing.first_moves, answers(on(m.First, dealing.begin))),
    Asking(
        "my.board", dealing.board_decision, dealing.board_moves, answers(on(m.Deal, dealing.deal)),
        dealing.boards_ask, dealing.end_refill,
    ),
    # Customers come out of their pile: at set-up, for a Trade church, after a visit to the steward.
    Asking(
        "my.customer", dealing.refill_decision, dealing.refill_moves, answers(on(m.Draw, dealing.turn_up)),
        dealing.refill_asks, dealing.end_refill,
    ),
    Asking(
        "my.die", rounds.rolling_decision, rounds.faces, answers(on(m.Roll, rounds.roll)),
        rounds.rolling_asks, rounds.begin_turns,
    ),
    # The card that a Travel church sees; and the card that a traveller gets.
    Asking("my.look", travel.look_decision, travel.look_moves, answers(on(m.Draw, travel.look))),
    Asking("my.travel", travel.depart_decision, travel.depart_moves, answers(on(m.Draw, travel.depart))),
    Asking("my.rat", death.rat_decision, rounds.faces, answers(on(m.Roll, death.rat))),
    # --- first step of a turn ---
    Asking(
        "my.total", dice.total_decision, dice.total_moves,
        answers(on(m.House, dice.choose_house), on(m.Total, dice.choose_total)),
    ),
    Asking("my.dice", dice.dice_decision, dice.dice_moves, answers(on(m.TakeDice, dice.take_dice))),
    Asking("my.change", dice.change_decision, dice.change_moves, answers(on(m.Change, dice.change))),
    # --- second step: white flags of one total, or one black flag ---
    Asking(
        "my.flags", turn.decision, turn.moves,
        answers(
            on(m.Done, turn.done), on(m.PlayFlag, school.play), on(m.Enrol, school.enrol),
            on(m.Advance, school.advance), on(m.Promote, school.promote), on(m.Make, working.make),
            on(m.Farm, working.farm), on(m.Serve, working.serve), on(m.Joker, working.joker),
            on(m.Meeting, meeting.use), on(m.House, house.use), on(m.Steward, steward.visit),
            on(m.Hand, steward.take_hand), on(m.Travel, travel.travel), on(m.Buy, buying.buy),
        ),
        turn.asks, turn.end,
    ),
    # What a flag asks besides.
    Asking(
        "my.step", house.decision, house.step_moves, answers(on(m.House, house.step)), house.asks, house.step_only
    ),
    Asking(
        "my.customers", steward.decision, steward.take_moves,
        answers(on(m.Done, steward.stop), on(m.Take, steward.take)), steward.asks, steward.leave,
    ),
    Asking("my.face", meeting.face_decision, meeting.face_moves, answers(on(m.SetDie, meeting.set_die))),
    Asking("my.tile", meeting.tile_decision, meeting.tile_moves, answers(on(m.PutTile, meeting.put_tile))),
    Asking("my.mark", buying.mark_decision, buying.mark_moves, answers(on(m.Mark, buying.mark))),
    Asking("my.good", buying.good_decision, buying.good_moves, answers(on(m.Pick, buying.pick))),
    Asking(
        "my.journey", travel.choice_decision, travel.choice_moves,
        answers(on(m.Keep, travel.keep), on(m.Other, travel.other)),
    ),
    # --- third step: a burial for each time that the disc passed the bridge, each with its roll for the rat ---
    Asking("my.death", death.decision, death.moves, answers(on(m.Bury, death.bury)), death.asks, death.bury_only),
    Asking("my.labourer", death.hire_decision, death.hire_moves, answers(on(m.Hire, death.hire))),
)  # fmt: skip

PASSING: Mapping[type[Phase], Callable[[State], Step[State]]] = MappingProxyType(
    {
        NextRound: rounds.prepare,
        Round: rounds.next_turn,
        Scoring: rounds.finish,
    }
)

PHASES: Phases[State, Move] = Phases(GRAMMAR, ASKING, PASSING)
