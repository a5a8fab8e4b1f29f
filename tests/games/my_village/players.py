"""Bots with a liking: where games of chance seldom go, players of one mind soon get."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct

from engine.core.bots import Bot, Roll
from engine.core.ruleset import Ruleset
from engine.core.types import Seat
from engine.my_village.moves import GRAMMAR, Buy, Change, Hand, House, Move, Steward, TakeDice, Total, Travel
from engine.my_village.rules.dice import is_black
from engine.my_village.rules.turn import uses
from engine.my_village.state import State, Turn

USUAL = 10
ANY, CHEAP, DARK = "any", "cheap", "dark"


class Liking(Struct, frozen=True):
    """
    What a player likes.

    `weights`  pattern of a move's text -> how often it is chosen beside the others; the first that fits counts, and
               `USUAL` if none does; where all weights are 0 every move is as good
    `dice`     which dice it takes: any, the cheapest, or those with most black ones
    """

    weights: tuple[tuple[str, int], ...] = ()
    dice: str = CHEAP

    def weight(self, move: Move) -> int:
        """Return the weight of *move*."""
        text = GRAMMAR.format_move(move)
        return next((weight for pattern, weight in self.weights if fnmatchcase(text, pattern)), USUAL)


_CRAFTS = tuple((f"buy {good}-*", 60) for good in ("scroll", "beer", "plow", "horse", "wagon"))
_MONKS = tuple((f"buy {monk}", 300) for monk in ("almoner", "chronicler", "teacher", "cellarer"))
_FIRSTS = tuple((f"buy {good}-1", 300) for good in ("scroll", "beer", "plow", "horse", "wagon"))
_MORTAL = (("promote *", 0), ("bury craftsman", 0), ("hire craftsman", 90))
"""Keeps nobody but the craftsman."""

_IDLER = Liking((("done", 90), ("*", 0)))
_TRADER = Liking((("buy trade-church", 900), ("steward", 300), ("take *", 90), ("house home", 1), ("house*", 40),
                  ("done", 1), ("bury merchant", 0), ("buy *", 0)))  # fmt: skip

PLAYERS: Mapping[str, tuple[Liking, ...]] = {
    "random": (Liking(dice=ANY),),
    # sit still
    "idlers": (_IDLER,),
    # sit still, or do what costs nothing
    "sparing": (Liking((("play", 90), ("enrol", 90), ("advance", 90), ("done", 30), ("promote *", 3), ("house*", 3),
                        ("*", 0))),),
    # one spends all the time, and the others none
    "one-spender": (Liking((("promote *", 0), ("enrol", 0), ("done", 0)), dice=DARK), _IDLER),
    # travel as far as they can, by the Travel church if they get it
    "travellers": (Liking((("buy travel-church", 900), ("travel *", 900), ("bury traveller", 0), ("hire traveller", 90),
                           ("promote * traveller", 900), ("promote *", 1), ("enrol", 90),
                           ("house*", 30), ("buy area-chamber", 90), ("mark travel", 900), ("buy *", 0),
                           ("steward", 0), ("done", 1))),),
    # the same, and spend time and money besides
    "late-travellers": (Liking((("travel *", 900), ("bury traveller", 0), ("promote * traveller", 30), ("promote *", 0),
                                ("house*", 30), ("steward", 30), ("done", 1)), dice=DARK),),
    # make goods and serve customers
    "merchants": (Liking((("serve *", 900), ("make *", 300), *_CRAFTS, ("steward", 60), ("take *", 30), ("done", 2),
                          ("bury merchant", 0), ("bury craftsman", 0), ("promote * craftsman", 90), ("enrol", 60),
                          ("buy area-chamber", 200), ("mark crafts", 30), ("mark market", 90), ("buy *", 1),
                          ("house home", 1), ("house*", 30))),),
    # the same with a joker
    "guildsmen": (Liking((("buy guild-chamber", 900), ("joker *", 900), ("serve *", 300), *_CRAFTS, ("steward", 300),
                          ("make *", 60), ("take *", 30), ("done", 2), ("bury merchant", 0), ("bury craftsman", 1),
                          ("buy meeting-place", 300), ("tile market-*", 90), ("buy *", 1))),),
    # lay the 2/12 tile on a customer
    "showmen": (Liking((("buy meeting-place", 200), ("tile market-*", 900), ("meeting", 300), ("serve *", 900),
                        ("make *", 200), *_CRAFTS, ("steward", 90), ("take *", 30), ("done", 1), ("bury merchant", 0),
                        ("bury councilman", 0), ("bury craftsman", 0), ("buy *", 1), ("house*", 3))),),
    # use their meeting place
    "councilmen": (Liking((("buy meeting-place", 900), ("meeting", 900), ("hand", 60), ("bury councilman", 0),
                           ("buy area-chamber", 600), ("buy *-chamber", 300), ("mark council", 90), *_CRAFTS,
                           ("buy field", 90), ("done", 2), ("house*", 3))),),
    # have a church and monks
    "abbots": (Liking((*_MONKS, ("buy monastery-church", 900), ("buy *-church", 300), ("buy sanatorium", 300),
                       ("bury abbot", 0), ("promote * abbot", 300), ("enrol", 60), ("house*", 3), ("done", 1),
                       ("buy area-chamber", 60), ("mark religion", 900),
                       ("buy *", 0), ("steward", 0), ("hand", 1), ("travel *", 0))),),
    # keep stories on the tree, behind a Sanatorium
    "patients": (Liking((("buy sanatorium", 900), ("house home", 0), ("house stories", 300), ("house*", 90),
                         ("play", 90), ("promote right *", 60), ("enrol", 60), ("advance", 60), ("done", 1),
                         ("bury abbot", 0), ("buy chronicler", 90), ("buy *", 1), ("travel *", 0))),),
    # have fields, and a plow for them
    "farmers": (Liking((("buy field", 900), ("farm", 900), ("buy plow-*", 300), ("make plow", 300), ("serve *", 300),
                        ("buy meeting-place", 90), ("tile field", 90), ("buy area-chamber", 90),
                        ("mark harvest", 90), ("steward", 30), ("done", 1), ("buy *", 1))),),
    # learn
    "scholars": (Liking((("promote right *", 300), ("advance", 300), ("enrol", 300), ("promote *", 90),
                         ("buy teacher", 300), ("buy *-church", 90), ("bury abbot", 0), ("done", 2))),),
    # have all five buildings with one number, and take the dearest dice
    "makers": (Liking((("make *", 40), *_FIRSTS, ("serve *", 40), *_MORTAL, ("house*", 1), ("buy *", 3), ("done", 0),
                       ("steward", 30), ("take *", 30)), dice=DARK),),
    # the same, one of them
    "one-maker": (Liking((("make *", 40), *_FIRSTS, *_MORTAL, ("play", 1), ("house*", 3), ("buy *", 1), ("done", 1),
                          ("steward", 1)), dice=DARK), _IDLER),
    # hold customers, as many as they can
    "traders": (_TRADER,),
    # the same, one of them
    "one-trader": (_TRADER, Liking((("steward", 300), ("take *", 90), ("buy *", 0), ("house*", 60)))),
    # want the hand tile
    "grabbers": (Liking((("hand", 900), ("house home", 1), ("play", 60), ("farm", 60), ("buy field", 60),
                         ("house*", 10), ("done", 3))),),
}  # fmt: skip


def make_bot(name: str, roll: Roll) -> Bot:
    """Return a bot with the liking that the players with this *name* have at its seat."""
    likings = PLAYERS[name]

    def choose(ruleset: Ruleset[State, Move, object], state: State, seat: Seat) -> Move:
        liking = likings[seat % len(likings)]
        moves = list(ruleset.legal(state, seat))
        if isinstance(moves[0], TakeDice | Change) and liking.dice != ANY:
            return _dice(moves, liking)
        weights = [_worth(state, liking, move) for move in moves]
        return moves[_chosen(weights if any(weights) else [1] * len(moves), roll)]

    return choose


def _dice(moves: Sequence[Move], liking: Liking) -> Move:
    """Return the dice, or the faces, of *moves* that cost least, or the dice with most black ones."""
    if liking.dice == CHEAP or not isinstance(moves[0], TakeDice):
        return moves[0]
    return max(moves, key=lambda move: sum(map(is_black, (move.first, move.second))))


def _worth(state: State, liking: Liking, move: Move) -> int:
    """Return the weight of *move*; of a total, that of its best black flag or of its white flags together."""
    if not isinstance(move, Total):
        return liking.weight(move)
    turn = Turn(state.me.hours, (move.total,))
    black, white = 0, 0
    for use in uses(state, turn):
        if isinstance(use, Buy | Travel | Steward | Hand):
            black = max(black, liking.weight(use))
        elif not isinstance(use, House):
            white += liking.weight(use)
    return max(black, white)


def _chosen(weights: Sequence[int], roll: Roll) -> int:
    left = roll(sum(weights))
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    raise AssertionError("the weights add up to their total")
